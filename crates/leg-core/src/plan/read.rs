//! [`read`]: text of a person or a model → [`Plan`].

use super::{Diagnostic, Plan, Repair, parse, repair};

/// Finds the plan in a text, mends its form and reads it.
///
/// # Errors
/// All that is wrong with the text or the shape. Whether the tools and references exist is asked by
/// [`validate`](super::validate()).
pub fn read(text: &str) -> Result<(Plan, Vec<Repair>), Vec<Diagnostic>> {
    let (value, repairs) = repair(text).map_err(|diagnostic| vec![diagnostic])?;
    parse(&value).map(|plan| (plan, repairs))
}

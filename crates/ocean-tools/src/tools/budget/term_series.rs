//! [`TermSeries`]: series of the terms of a budget, in one unit and at the times that all have.

use leg_core::{ToolContext, ToolError};
use ocean_data::cf::Unit;

use crate::argument::ArtifactArgument;
use crate::series::Series;
use crate::tools::statistic::joined::Joined;

/// Terms on one axis.
#[derive(Debug)]
pub(super) struct TermSeries {
    /// The first series, whose units all have.
    pub(super) first: Series,
    /// Times that all have, and the values of each.
    pub(super) joined: Joined,
    /// What a reader must know.
    pub(super) notes: Vec<String>,
}

impl TermSeries {
    /// Reads the terms; the first is the rate of change.
    ///
    /// # Errors
    /// Series of different quantities, steps or calendars, or without a time in common.
    pub(super) fn read(terms: &[&ArtifactArgument], context: &ToolContext) -> Result<Self, ToolError> {
        let mut series = Vec::new();
        for term in terms {
            series.push(Series::read(term, context)?);
        }
        let Some(first) = series.first().cloned() else {
            return Err(ToolError::invalid("give at least one term"));
        };
        let target = unit_of(&first)?;
        let mut notes = Vec::new();
        for own in series.iter_mut().skip(1) {
            let conversion = unit_of(own)?.to(&target).map_err(|error| {
                ToolError::invalid(format!("`{}` is no term of this budget: {error}", own.name))
            })?;
            for value in &mut own.values {
                *value = conversion.apply(*value);
            }
            for fact in ["region", "depth", "weighting"] {
                if let (Some(one), Some(other)) = (first.attributes.get(fact), own.attributes.get(fact))
                    && one != other
                {
                    notes.push(format!(
                        "`{}` and `{}` have different {fact}: {one} and {other}; the budget compares unlike means",
                        first.name, own.name
                    ));
                }
            }
        }
        let joined = Joined::of(&series.iter().collect::<Vec<_>>(), 1)?;
        Ok(Self { first, joined, notes })
    }
}

fn unit_of(series: &Series) -> Result<Unit, ToolError> {
    series.units.parse().map_err(|error| {
        ToolError::invalid(format!(
            "the units `{}` of `{}` cannot be read: {error}; a term of a budget is a rate such as `degC day-1`",
            series.units, series.name
        ))
    })
}

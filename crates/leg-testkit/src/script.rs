//! [`make_calls`]: the calls of an agent that does what it is told.

use leg_core::Desk;
use serde_json::Value;

/// Makes the calls in order: how many went well, and a gap for each that did not.
pub(crate) async fn make_calls(
    desk: &dyn Desk,
    calls: impl Iterator<Item = (&str, &Value)> + Send,
) -> (usize, Vec<String>) {
    let (mut good, mut gaps) = (0, Vec::new());
    for (tool, arguments) in calls {
        match desk.call(tool, arguments.clone()).await {
            Ok(_) => good += 1,
            Err(error) => gaps.push(format!("`{tool}`: {error}")),
        }
    }
    (good, gaps)
}

//! What the agent says of the evidence of its calls: a sentence a finding.

mod best_track;
mod current;
mod forecasts;
mod seasons;

use leg_core::Evidence;

use crate::prose::{at, measure};

pub(super) use best_track::{near, position, track};
pub(super) use current::{active, active_storm};
pub(super) use forecasts::{advisory, forecast, surge, watches};
pub(super) use seasons::season;

/// Evidence of a call.
type All<'a> = &'a [Evidence];

fn text(one: &Evidence) -> String {
    one.value.as_str().map_or_else(|| measure(one), str::to_owned)
}

/// The name of the storm that evidence is of.
fn of(one: &Evidence) -> String {
    let name = one.place.as_ref().and_then(|place| place.get("name")?.as_str());
    name.unwrap_or("the storm").to_owned()
}

/// ` at 26.7°N, 82.2°W`, where evidence says where.
fn at_place(one: &Evidence) -> String {
    at(one).map_or_else(String::new, |at| format!(" at {at}"))
}

fn is_zero(one: &Evidence) -> bool {
    one.value.as_f64() == Some(0.0)
}

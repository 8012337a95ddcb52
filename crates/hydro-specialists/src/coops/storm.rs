//! [`Storm`]: where and when a storm came ashore, as evidence of earlier layers tells it.

use jiff::ToSpan as _;
use jiff::civil::DateTime;
use leg_core::Evidence;

use crate::question::Point;
use crate::{Moment, Window};

/// Longer spans are no storm at a coast.
const LONGEST: i64 = 40;

/// Where and when a storm came ashore.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Storm {
    /// From a day before the first landfall to a day after the last; without one, the dates of the track.
    pub(crate) window: Option<Window>,
    /// Where it made landfall.
    pub(crate) places: Vec<Point>,
}

impl Storm {
    /// Reads the evidence of earlier layers.
    pub(crate) fn of(evidence: &[Evidence]) -> Self {
        let named = |start: &str| -> Vec<&Evidence> {
            evidence.iter().filter(|one| one.name.starts_with(start) && one.when.is_some()).collect()
        };
        let mut landfalls = named("landfall");
        if landfalls.is_empty() {
            // A best track without marks has its landfalls, and its peaks, between the six-hourly points.
            landfalls = named("off_hour");
        }
        let margin = |window: Window| {
            let begin = window.begin.checked_sub(1.day()).unwrap_or(window.begin);
            let end = window.end.checked_add(1.day()).unwrap_or(window.end);
            Window { begin, end }
        };
        let mut places: Vec<Point> = Vec::new();
        for one in &landfalls {
            let at = |name: &str| one.place.as_ref().and_then(|place| place.get(name)?.as_f64());
            if let (Some(lat), Some(lon)) = (at("lat"), at("lon")) {
                let point = Point { lat, lon };
                if !places.contains(&point) {
                    places.push(point);
                }
            }
        }
        let window = if landfalls.is_empty() {
            span(evidence.iter()).filter(|window| window.days() <= LONGEST)
        } else {
            span(landfalls.into_iter()).map(margin)
        };
        Self { window, places }
    }
}

/// From the first to the last minute that evidence is of.
fn span<'a>(evidence: impl Iterator<Item = &'a Evidence>) -> Option<Window> {
    let mut times: Vec<(DateTime, DateTime)> = Vec::new();
    for one in evidence {
        for part in one.when.iter().flat_map(|when| when.split('/')) {
            if let Ok(moment) = part.parse::<Moment>() {
                times.push((moment.first(), moment.last()));
            }
        }
    }
    let begin = times.iter().map(|(first, _)| *first).min()?;
    let end = times.iter().map(|(_, last)| *last).max()?;
    Some(Window { begin, end })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn evidence(name: &str, when: &str) -> Evidence {
        serde_json::from_value(json!({
            "key": format!("nhc.{name}"), "name": name, "value": 130, "unit": "knot", "method": "best track",
            "when": when, "where": {"lon": -82.2, "lat": 26.7, "name": "Ian"}
        }))
        .unwrap()
    }

    #[test]
    fn a_day_of_margin_is_left_around_landfalls() {
        let track = [
            evidence("first", "2022-09-22T18:00:00Z"),
            evidence("landfall", "2022-09-28T19:05:00Z"),
            evidence("landfall_2", "2022-09-30T18:05:00Z"),
        ];
        let storm = Storm::of(&track);
        assert_eq!(storm.window.unwrap().to_string(), "2022-09-27T19:05:00/2022-10-01T18:05:00");
        assert_eq!(storm.places, [Point { lat: 26.7, lon: -82.2 }]);
        let track = [evidence("begin", "2022-09-22T18:00:00Z"), evidence("max", "2022-09-28T12:00:00Z")];
        let storm = Storm::of(&track);
        assert_eq!(storm.window.unwrap().to_string(), "2022-09-22T18:00:00/2022-09-28T12:00:00");
        assert_eq!(Storm::of(&[]), Storm::default());
    }
}

//! [`HydroSubjects`]: what a storm-surge question is about, for the graph architect.

use std::ops::Range;

use hydro_specialists::question::{coordinates, places, says, sites, span, stations, storms};
use leg_agents::architect::{Held, Hold, Subject, SubjectReader, Subjects};

/// Storms by name or id, gauges, towns, coordinates and dates.
///
/// ```
/// use leg::HydroSubjects;
/// use leg::agents::architect::SubjectReader as _;
///
/// let subjects = HydroSubjects.read("Compare hurricanes Ian (2022) and Ida at 8725520");
/// let labels: Vec<&str> = subjects.named.iter().map(|subject| subject.label.as_str()).collect();
/// assert_eq!(labels, ["Ian", "Ida"]);
/// assert!(subjects.located);
/// ```
#[derive(Debug, Clone, Copy, Default)]
pub struct HydroSubjects;

impl SubjectReader for HydroSubjects {
    fn read(&self, text: &str) -> Subjects {
        let named = storms::storms(text).into_iter().map(|storm| {
            let mut names = vec![storm.name.clone()];
            names.extend(storm.id.iter().map(ToString::to_string));
            let mentions = names.iter().flat_map(|name| mentions(text, name)).collect();
            Subject { label: storm.name, fact: "storm_track".to_owned(), mentions }
        });
        let towns = places::places(text);
        let hold = |fact: &str, hold: Hold| Held { fact: fact.to_owned(), hold };
        let mut held = Vec::new();
        if !stations(text).is_empty() {
            held.push(hold("water_level", Hold::Id));
        }
        if !sites(text).is_empty() {
            held.push(hold("stream_gauge", Hold::Own));
        }
        if towns.iter().any(|place| place.gauge.is_some() || place.meter.is_some()) {
            held.push(hold("water_level", Hold::Name));
        }
        let located = !stations(text).is_empty()
            || !sites(text).is_empty()
            || !towns.is_empty()
            || !places::coasts(text).is_empty()
            || !coordinates::points(text).is_empty()
            || !coordinates::boxes(text).is_empty();
        let now = says(text, &["now", "latest", "current", "currently", "today", "active"]);
        Subjects { named: named.collect(), located, dated: now || span(text).is_some(), held }
    }
}

/// Where a text names something, with the year in brackets after it.
fn mentions(text: &str, name: &str) -> Vec<Range<usize>> {
    let (lower, name) = (text.to_ascii_lowercase(), name.to_ascii_lowercase());
    let mut found = Vec::new();
    for (at, _) in lower.match_indices(&name) {
        let mut end = at + name.len();
        let rest = lower.get(end..).unwrap_or_default();
        if let Some(inside) = rest.strip_prefix(" (")
            && let Some(close) = inside.find(')')
            && close <= 12
        {
            end += close + 3;
        } else {
            end += year_after(rest);
        }
        found.push(at..end);
    }
    found
}

/// How long the year after a name is, with what joins them: ` 2017`, ` of 2017`, `, 2017`. A date is no year.
fn year_after(rest: &str) -> usize {
    let joined = [" of ", " in ", ", ", " "].iter().find(|joined| rest.starts_with(**joined));
    let Some(joined) = joined else { return 0 };
    let digits = rest.get(joined.len()..).unwrap_or_default();
    let (year, after) = digits.split_at(digits.bytes().take_while(u8::is_ascii_digit).count());
    let is_year =
        year.len() == 4 && (year.starts_with('1') || year.starts_with('2')) && !after.starts_with('-');
    if is_year { joined.len() + year.len() } else { 0 }
}

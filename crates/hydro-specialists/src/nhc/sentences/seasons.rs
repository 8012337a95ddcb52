//! Sentences about the storms of a season.

use super::{All, is_zero, of, text};
use crate::findings::Findings;
use crate::prose::{measure, named, on, plain};
use crate::question::says;

/// Storms of a season.
pub(in crate::nhc) fn season(
    findings: &mut Findings,
    all: All<'_>,
    season: Option<i16>,
    least: Option<f64>,
    words: &str,
) {
    let Some(count) = named(all, "n_found") else { return };
    let year = season.map(|season| format!(" of the {season} season")).unwrap_or_default();
    let bound = least
        .map(|least| format!(" with a peak wind of at least {} knots", plain(least)))
        .unwrap_or_default();
    let plural = if count.value.as_f64() == Some(1.0) { "" } else { "s" };
    findings.say(format!("HURDAT2 has {} storm{plural}{year}{bound}.", measure(count)), &[count]);
    if is_zero(count) {
        return;
    }
    if let Some(hurricanes) = named(all, "n_hurricanes").filter(|_| least.is_none()) {
        findings.say(format!("{} of the storms{year} were hurricanes.", measure(hurricanes)), &[hurricanes]);
    }
    if let Some(major) = named(all, "n_major").filter(|_| least.is_none() && says(words, &["major"])) {
        findings.say(format!("{} of the storms{year} were major hurricanes.", measure(major)), &[major]);
    }
    if let Some(wind) = named(all, "strongest_wind") {
        let sentence =
            format!("The strongest of them was {}, with winds of {}{}.", of(wind), measure(wind), on(wind));
        findings.say(sentence, &[wind]);
    }
    if let Some(low) = named(all, "lowest_pressure") {
        let sentence =
            format!("The lowest central pressure of them was {} in {}{}.", measure(low), of(low), on(low));
        findings.say(sentence, &[low]);
    }
    let many = says(
        words,
        &["list", "which storms", "which hurricanes", "what storms", "name", "names", "named", "all"],
    );
    let few = count.value.as_f64().is_some_and(|count| count <= 8.0);
    if let Some(storms) = named(all, "storms").filter(|_| few || many) {
        findings.say(format!("The {} storms{year} are {}.", measure(count), text(storms)), &[count]);
    }
}

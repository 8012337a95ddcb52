//! What is said of the evidence of each tool.

use leg_core::Evidence;

use crate::findings::{Findings, find};
use crate::gauge::asked::Side;
use crate::gauge::prose::{bare, be, counted, of_place, quantity, station as at, time, when};
use crate::question::{names, says};

/// The event that is meant.
pub(super) fn event(findings: &mut Findings, found: &[Evidence], named: bool, count: bool) {
    if let (Some(id), Some(name), true) = (find(found, "event_id"), find(found, "name"), named) {
        findings
            .say(format!("The USGS flood event {} has the event id {}.", bare(name), bare(id)), &[id, name]);
        if let Some(start) = find(found, "start") {
            findings.say(
                format!("The flood event {} began on {}.", bare(name), time(&bare(start))),
                &[start, name],
            );
        }
    }
    let all = if count { find(found, "n_all") } else { None };
    if let Some(one) = all {
        findings.say(
            format!("The list of the USGS has {}.", counted(one, "flood event", "flood events")),
            &[one],
        );
    }
    if let Some(one) = find(found, "n").filter(|_| count && !named) {
        let (count, verb) =
            (counted(one, "flood event", "flood events"), if bare(one) == "1" { "fits" } else { "fit" });
        findings.say(format!("Of these {count} {verb} the question."), &[one]);
    }
}

/// ` in coastal North Carolina`: what the marks were limited to.
pub(super) fn marks(findings: &mut Findings, found: &[Evidence], scope: &str, text: &str) {
    let count = |findings: &mut Findings, name: &str, one: &str, many: &str| {
        if let Some(own) = find(found, name) {
            findings.say(format!("There {} {}{scope}.", be(own), counted(own, one, many)), &[own]);
        }
    };
    count(findings, "n", "high-water mark", "high-water marks");
    ranked(findings, found, "highest", "highest", scope, text);
    if says(
        text,
        &["second", "second-highest", "outlier", "outliers", "how bad", "next highest", "runner-up"],
    ) {
        ranked(findings, found, "second", "second highest", scope, text);
    }
    if says(text, &["lowest", "smallest"]) {
        ranked(findings, found, "lowest", "lowest", scope, text);
    }
    if says(
        text,
        &[
            "without",
            "lack",
            "missing",
            "no elevation",
            "with an elevation",
            "have an elevation",
            "lacking",
            "have elevations",
        ],
    ) {
        for (name, what) in [
            ("n_without_elevation", "without an elevation"),
            ("n_with_elevation", "with an elevation"),
            ("n_without_datum", "with a value but without a datum"),
        ] {
            if let Some(own) = find(found, name) {
                let marks = counted(own, "high-water mark", "high-water marks");
                findings.say(format!("There {} {marks} {what}{scope}.", be(own)), &[own]);
            }
        }
    }
    if says(text, &["coastal", "riverine", "environment", "river"])
        && !scope.contains("coastal")
        && !scope.contains("riverine")
    {
        count(findings, "n_coastal", "coastal high-water mark", "coastal high-water marks");
        count(findings, "n_riverine", "riverine high-water mark", "riverine high-water marks");
    }
    if says(text, &["first mark", "first", "first high-water mark", "comes first"])
        && let Some(own) = find(found, "first_id")
    {
        findings.say(
            format!("The first high-water mark in the order of the service has the id {}.", bare(own)),
            &[own],
        );
    }
    if says(text, &["above ground", "above the ground", "depth", "deep", "height above"])
        && let Some(own) = find(found, "max_height_above_ground")
    {
        let text = format!(
            "The largest height of a high-water mark above the ground{scope} is {}, in {}; it is no elevation.",
            quantity(own),
            at(own)
        );
        findings.say(text, &[own]);
    }
    if says(text, &["counties", "which counties"])
        && let Some(own) = find(found, "counties")
    {
        findings.say(format!("The marks lie in these counties: {}.", bare(own)), &[own]);
    }
}

fn ranked(findings: &mut Findings, found: &[Evidence], rank: &str, word: &str, scope: &str, text: &str) {
    let Some(top) = find(found, rank) else { return };
    let state = of_place(top, "state").map_or_else(String::new, |state| format!(", {state}"));
    let place =
        of_place(top, "name").map_or_else(String::new, |county| format!(" lies in {county}{state}, and"));
    let surveyed =
        format!("The {word} high-water mark{scope}{place} is {}, surveyed{}.", quantity(top), when(top));
    findings.say(surveyed, &[top]);
    if let Some(id) = find(found, &format!("{rank}_id")) {
        findings.say(format!("The {word} high-water mark has the id {}.", bare(id)), &[id]);
    }
    let asks = |words: &[&str]| names(text, words);
    let doubts = asks(&[
        "quality",
        "uncertainty",
        "uncertain",
        "how good",
        "how reliable",
        "reliable",
        "how bad",
        "outlier",
        "error",
    ]);
    if let Some(own) = find(found, &format!("{rank}_quality")).filter(|_| doubts) {
        let uncertainty = find(found, &format!("{rank}_uncertainty"));
        let text = format!("The quality of the {word} mark, of {}, is: {}.", quantity(top), bare(own));
        findings.say(text, &[own, top]);
        if let Some(own) = uncertainty {
            findings.say(format!("The uncertainty of the {word} mark is {}.", quantity(own)), &[own]);
        }
    }
    let setting = asks(&["environment", "coastal or riverine", "riverine or coastal", "setting"]);
    if let Some(own) = find(found, &format!("{rank}_environment")).filter(|_| setting) {
        let setting = bare(own).to_lowercase();
        findings.say(
            format!("The environment of the {word} mark, of {}, is {setting}.", quantity(top)),
            &[own, top],
        );
    }
    let water = asks(&["waterbody", "creek", "river", "which water", "where", "how bad"]);
    if let Some(own) = find(found, &format!("{rank}_waterbody")).filter(|_| water) {
        let text = format!(
            "The waterbody of the {word} mark, of {} in {}, is given as: {}.",
            quantity(top),
            at(own),
            bare(own)
        );
        findings.say(text, &[own, top]);
    }
    if let Some(own) = find(found, &format!("{rank}_notes")).filter(|own| doubtful(&bare(own))) {
        let text = format!(
            "The notes of the {word} mark, of {} in {}, speak of local flooding by rain, so that it may be an outlier.",
            quantity(top),
            at(own)
        );
        findings.say(text, &[own, top]);
    }
}

/// Whether notes say that a mark is not of the flood itself.
fn doubtful(notes: &str) -> bool {
    says(notes, &["rain", "rainfall", "pooling", "localized", "localised", "not storm surge", "local runoff"])
}

pub(super) fn count_of(findings: &mut Findings, found: &[Evidence], one: &str, many: &str) {
    if let Some(own) = find(found, "n") {
        findings.say(format!("There {} {} of this event.", be(own), counted(own, one, many)), &[own]);
    }
    if let Some(own) = find(found, "highest") {
        findings
            .say(format!("The highest peak stage is {} at {}{}.", quantity(own), at(own), when(own)), &[own]);
    }
}

pub(super) fn site(findings: &mut Findings, found: &[Evidence], text: &str) {
    if let Some(own) = find(found, "name") {
        let id = of_place(own, "station").unwrap_or_default();
        // The position beside the name makes a sentence that can be checked.
        match find(found, "lat") {
            Some(lat) => {
                let north = exact(lat);
                findings.say(
                    format!("The name of site {id}, at latitude {north}°, is {}.", bare(own)),
                    &[own, lat],
                );
            }
            None => findings.say(format!("The name of site {id} is {}.", bare(own)), &[own]),
        }
    }
    if let Some(own) = find(found, "drainage_area") {
        findings.say(format!("The drainage area of {} is {} square miles.", at(own), bare(own)), &[own]);
    }
    if let (Some(lat), Some(lon)) = (find(found, "lat"), find(found, "lon")) {
        let text =
            format!("{} is at latitude {}° and longitude {}°.", upper(&at(lat)), exact(lat), exact(lon));
        findings.say(text, &[lat, lon]);
    }
    for (name, what) in [("state", "state"), ("county", "county"), ("huc", "hydrologic unit")] {
        if let Some(own) = find(found, name).filter(|_| says(text, &[what, "huc", "where is", "located"])) {
            // The position beside the name makes a sentence that can be checked.
            match find(found, "lat").filter(|_| what != "hydrologic unit") {
                Some(lat) => {
                    let text =
                        format!("The {what} of {}, at latitude {}°, is {}.", at(own), exact(lat), bare(own));
                    findings.say(text, &[own, lat]);
                }
                None => findings.say(format!("The {what} of {} is {}.", at(own), bare(own)), &[own]),
            }
        }
    }
    if let Some(own) = find(found, "altitude").filter(|_| says(text, &["altitude", "elevation", "how high"]))
    {
        findings.say(format!("The altitude of {} is {}.", at(own), quantity(own)), &[own]);
    }
}

pub(super) fn sites(findings: &mut Findings, found: &[Evidence], state: &str) {
    if let Some(own) = find(found, "n_active") {
        let text = format!(
            "There {} {} with instantaneous discharge in {state}.",
            be(own),
            counted(own, "active USGS stream site", "active USGS stream sites")
        );
        findings.say(text, &[own]);
    }
    if let Some(own) = find(found, "n").filter(|own| bare(own) != "0") {
        let text =
            format!("The Water Data API gives {} in {state}.", counted(own, "stream site", "stream sites"));
        findings.say(text, &[own]);
    }
    for (name, count) in [("first_active", "n_active"), ("first_id", "n")] {
        if let (Some(own), Some(count)) = (find(found, name), find(found, count)) {
            findings.say(
                format!(
                    "The first of these {} sites is {}, USGS {}.",
                    bare(count),
                    at(own),
                    bare(own).trim_start_matches("USGS-")
                ),
                &[own, count],
            );
            break;
        }
    }
}

pub(super) fn peaks(findings: &mut Findings, found: &[Evidence], sides: &[Side]) {
    if let Some(own) = find(found, "largest_flow") {
        let text =
            format!("The largest annual peak discharge at {} was {}{}.", at(own), quantity(own), when(own));
        findings.say(text, &[own]);
    }
    if let Some(own) = find(found, "stage_of_largest") {
        let text = format!("The gage height of that peak at {} was {}{}.", at(own), quantity(own), when(own));
        findings.say(text, &[own]);
    }
    if let Some(own) = find(found, "highest_stage") {
        let text = format!(
            "The highest gage height of an annual peak at {} was {}{}.",
            at(own),
            quantity(own),
            when(own)
        );
        findings.say(text, &[own]);
    }
    for (name, word, side) in [("first_peak", "first", Side::First), ("last_peak", "last", Side::Last)] {
        if let Some(own) = find(found, name).filter(|_| sides.contains(&side)) {
            let text = format!(
                "The {word} annual peak discharge at {} was {}{}.",
                at(own),
                quantity(own),
                when(own)
            );
            findings.say(text, &[own]);
        }
    }
    if let Some(own) = find(found, "n") {
        findings.say(
            format!("There {} {} at {}.", be(own), counted(own, "annual peak", "annual peaks"), at(own)),
            &[own],
        );
    }
}

/// How many values are provisional.
pub(super) fn provisional(findings: &mut Findings, found: &[Evidence]) {
    if let Some(own) = find(found, "n_provisional").filter(|own| bare(own) != "0") {
        let text = format!("Provisional (P) {} {} at {}.", be(own), counted(own, "value", "values"), at(own));
        findings.say(text, &[own]);
    }
}

pub(super) fn latest(findings: &mut Findings, found: &[Evidence], what: &str) {
    if let Some(own) = find(found, "value") {
        findings.say(format!("The latest {what} at {} is {}{}.", at(own), quantity(own), when(own)), &[own]);
    }
    if let (Some(own), Some(value)) = (find(found, "approval"), find(found, "value")) {
        let text =
            format!("The value of {} at {} is {}.", quantity(value), at(own), bare(own).to_lowercase());
        findings.say(text, &[value, own]);
    }
}

pub(super) fn statistics(findings: &mut Findings, found: &[Evidence], what: &str, day: &str) {
    for (name, word) in [("mean", "mean"), ("median", "median"), ("max", "highest"), ("min", "lowest")] {
        if let Some(own) = find(found, name) {
            // A day beside the year of the extreme would be read as a day of that year.
            let of = if own.when.is_some() { "that day of the year" } else { day };
            let (place, value, when) = (at(own), quantity(own), when(own));
            findings.say(
                format!("The {word} daily mean {what} of {of} over all years at {place} is {value}{when}."),
                &[own],
            );
        }
    }
    for (name, one, many) in [("n", "day", "days"), ("n_columns", "column", "columns")] {
        if let Some(own) = find(found, name) {
            findings.say(format!("The statistics of {} have {}.", at(own), counted(own, one, many)), &[own]);
        }
    }
}

pub(super) fn schema(findings: &mut Findings, found: &[Evidence]) {
    if let Some(own) = find(found, "n") {
        findings.say(format!("The collection has {}.", counted(own, "property", "properties")), &[own]);
    }
    if let (Some(own), Some(count)) = (find(found, "members"), find(found, "n")) {
        findings.say(format!("Its {} properties are: {}.", bare(count), bare(own)), &[count, own]);
    }
}

/// A coordinate to a millimetre or so: what is finer is noise of the service's arithmetic.
fn exact(evidence: &Evidence) -> String {
    evidence.value.as_f64().map_or_else(|| bare(evidence), |value| format!("{}", (value * 1e8).round() / 1e8))
}

/// The first features of a collection.
pub(super) fn collection(findings: &mut Findings, found: &[Evidence]) {
    let Some(count) = find(found, "n") else { return };
    let collection = of_place(count, "collection").unwrap_or_default();
    let features = counted(count, "feature", "features");
    findings.say(format!("The answer of the collection {collection} has {features}."), &[count]);
    if let Some(ids) = find(found, "ids") {
        findings.say(format!("The locations of these {features} are: {}.", bare(ids)), &[count, ids]);
    }
    if let (Some(first), Some(value)) = (find(found, "first_location"), find(found, "first_value")) {
        let text = format!(
            "The first feature of the collection {collection} is of the location {}: {}{}.",
            bare(first),
            quantity(value),
            when(value)
        );
        findings.say(text, &[value, first]);
    }
}

fn upper(text: &str) -> String {
    let mut characters = text.chars();
    characters.next().map_or_else(String::new, |first| first.to_uppercase().chain(characters).collect())
}

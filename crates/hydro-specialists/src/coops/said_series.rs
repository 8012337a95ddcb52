//! What is said of series: levels, tides, sensors, currents.

use leg_core::Evidence;

use super::tools::LatestProduct;
use crate::findings::{Findings, find};
use crate::gauge::asked::Side;
use crate::gauge::prose::{bare, be, counted, quantity, station as at, when};
use crate::gauge::say::{Words, series};
use crate::question::says;

/// What a newest value is in words.
pub(super) const fn latest_words(product: LatestProduct) -> &'static str {
    match product {
        LatestProduct::WaterLevel => "water level",
        LatestProduct::Currents => "current speed",
        LatestProduct::Wind => "wind speed",
        LatestProduct::AirPressure => "air pressure",
        LatestProduct::AirTemperature => "air temperature",
        LatestProduct::WaterTemperature => "water temperature",
        LatestProduct::Humidity => "relative humidity",
        LatestProduct::Visibility => "visibility",
        LatestProduct::Conductivity => "conductivity",
        LatestProduct::Salinity => "salinity",
        LatestProduct::AirGap => "air gap",
    }
}

pub(super) fn latest(findings: &mut Findings, found: &[Evidence], what: &str) {
    if let Some(one) = find(found, "value") {
        findings.say(format!("The latest {what} at {} is {}{}.", at(one), quantity(one), when(one)), &[one]);
    }
    if let Some(one) = find(found, "gust") {
        findings
            .say(format!("The latest wind gust at {} is {}{}.", at(one), quantity(one), when(one)), &[one]);
    }
    if let Some(one) = find(found, "direction") {
        let verb = if what == "wind speed" { "comes from" } else { "goes to" };
        let noun = if what == "wind speed" { "wind" } else { "current" };
        let text = format!("The latest {noun} at {} {verb} {}{}.", at(one), quantity(one), when(one));
        findings.say(text, &[one]);
    }
    if let (Some(one), Some(speed)) = (find(found, "bin"), find(found, "value")) {
        let text =
            format!("The current of {} at {} is of depth bin {}.", quantity(speed), at(one), bare(one));
        findings.say(text, &[speed, one]);
    }
    if let (Some(one), Some(value)) = (find(found, "quality"), find(found, "value")) {
        let text = format!("The value of {} at {} is {}.", quantity(value), at(one), bare(one));
        findings.say(text, &[value, one]);
    }
}

pub(super) fn met(findings: &mut Findings, found: &[Evidence], what: &str, sides: &[Side], text: &str) {
    let gusts = says(text, &["gust", "gusts"]);
    let gust = |findings: &mut Findings| {
        for (name, word) in [("max_gust", "strongest"), ("first_gust", "first")] {
            let wanted = name == "max_gust" || (gusts && sides.contains(&Side::First));
            if let Some(one) = find(found, name).filter(|_| wanted) {
                let text = format!("The {word} wind gust at {} was {}{}.", at(one), quantity(one), when(one));
                findings.say(text, &[one]);
            }
        }
    };
    if gusts {
        gust(findings);
    }
    let many = if what == "wind speed" { "values" } else { "readings" };
    series(findings, found, Words { what, one: "value", many }, sides);
    gust(findings);
    if let Some(one) = find(found, "n_rows").filter(|_| sides.contains(&Side::Count)) {
        let text = format!("The answer for {} has {}.", at(one), counted(one, "observation", "observations"));
        findings.say(text, &[one]);
    }
    if says(text, &["direction", "from where", "where did the wind"]) {
        for (name, word) in [("first_direction", "first wind"), ("direction_at_max", "strongest wind")] {
            if let Some(one) = find(found, name) {
                findings.say(
                    format!("The {word} at {} came from {}{}.", at(one), quantity(one), when(one)),
                    &[one],
                );
            }
        }
    }
}

pub(super) fn currents(findings: &mut Findings, found: &[Evidence], sides: &[Side], predicted: bool) {
    let what = if predicted { "predicted current velocity" } else { "current speed" };
    let mut sides = sides.to_vec();
    if !sides.contains(&Side::First) {
        sides.push(Side::First);
    }
    if predicted && !sides.contains(&Side::Min) {
        sides.push(Side::Min);
    }
    let words = Words { what, one: "value", many: "values" };
    series(findings, found, words, &sides);
    if predicted {
        for (name, word) in [("flood_direction", "flood"), ("ebb_direction", "ebb")] {
            if let Some(one) = find(found, name) {
                findings.say(
                    format!("The mean direction of the {word} at {} is {}.", at(one), quantity(one)),
                    &[one],
                );
            }
        }
    } else {
        for (name, word) in [("first_direction", "first current"), ("direction_at_max", "strongest current")]
        {
            if let Some(one) = find(found, name) {
                findings.say(
                    format!("The {word} at {} goes to {}{}.", at(one), quantity(one), when(one)),
                    &[one],
                );
            }
        }
    }
    if let (Some(one), Some(first)) = (find(found, "units"), find(found, "first")) {
        let text =
            format!("The units of the first value, {}, are stated as: {}.", quantity(first), bare(one));
        findings.say(text, &[first, one]);
    }
}

pub(super) fn residual(findings: &mut Findings, found: &[Evidence]) {
    if let Some(one) = find(found, "max_residual") {
        let text = format!(
            "The highest surge (observed minus predicted level) at {} was {}{}.",
            at(one),
            quantity(one),
            when(one)
        );
        findings.say(text, &[one]);
    }
    for (name, what) in [("observed_at_peak", "observed"), ("predicted_at_peak", "predicted")] {
        if let Some(one) = find(found, name) {
            let text =
                format!("At that time the {what} level at {} was {}{}.", at(one), quantity(one), when(one));
            findings.say(text, &[one]);
        }
    }
}

pub(super) fn daily(findings: &mut Findings, found: &[Evidence], sides: &[Side]) {
    let words = [
        ("first_max", "highest water level of the first day", Side::First),
        ("last_max", "highest water level of the last day", Side::Last),
        ("max", "highest water level of all days", Side::Max),
        ("min", "lowest water level of all days", Side::Min),
    ];
    for (name, what, side) in words {
        let context = matches!(side, Side::Max | Side::First);
        if let Some(one) = find(found, name).filter(|_| context || sides.contains(&side)) {
            findings.say(format!("The {what} at {} was {}{}.", at(one), quantity(one), when(one)), &[one]);
        }
    }
    if let Some(one) = find(found, "n_days") {
        let text =
            format!("There {} {} with a daily maximum at {}.", be(one), counted(one, "day", "days"), at(one));
        findings.say(text, &[one]);
    }
}

/// Whether anything was said.
pub(super) fn predictions(findings: &mut Findings, found: &[Evidence], sides: &[Side], tides: bool) -> bool {
    let what = "predicted tide";
    let words = Words { what, one: "value", many: "values" };
    if !series(findings, found, words, sides) {
        return false;
    }
    if tides && sides.contains(&Side::Count) {
        for (name, one, many) in [
            ("n", "high or low tide", "high and low tides"),
            ("n_high", "high tide", "high tides"),
            ("n_low", "low tide", "low tides"),
        ] {
            if let Some(count) = find(found, name) {
                let text =
                    format!("There {} {} predicted at {}.", be(count), counted(count, one, many), at(count));
                findings.say(text, &[count]);
            }
        }
    }
    true
}

/// How many of the levels are preliminary; all others are verified.
pub(super) fn quality(findings: &mut Findings, one: &Evidence) {
    let count = counted(one, "value", "values");
    let rest = if bare(one) == "0" { "all are verified" } else { "the others are verified" };
    findings.say(
        format!("Preliminary {} {count} of the observed water level at {}: {rest}.", be(one), at(one)),
        &[one],
    );
}

//! What is said of the evidence of each tool.

use leg_core::Evidence;

use crate::Datum;
use crate::findings::{Findings, find};
use crate::gauge::prose::{bare, counted, number, of_place, quantity, station as at, time, when};
use crate::question::{names, says};

pub(super) fn convert(findings: &mut Findings, found: &[Evidence]) {
    if let (Some(value), Some(given)) = (find(found, "value"), find(found, "given")) {
        let text = format!("At {} a level of {} is {}.", at(value), quantity(given), quantity(value));
        findings.say(text, &[value, given]);
    }
}

/// The datums that are asked for, above the station's zero; without any, the tidal ones.
pub(super) fn datums(findings: &mut Findings, found: &[Evidence], asked: &[Datum]) {
    let usual = [Datum::Mhhw, Datum::Msl, Datum::Mllw, Datum::Navd88];
    let own: Vec<Datum> = asked.iter().copied().filter(|datum| *datum != Datum::Stnd).collect();
    let shown = if own.is_empty() { usual.to_vec() } else { own.clone() };
    for datum in shown {
        match find(found, datum.as_str()) {
            Some(one) => {
                findings.say(format!("At {} the datum {datum} is {}.", at(one), quantity(one)), &[one]);
            }
            None if !own.is_empty() => {
                findings.gap(format!("the station's datum table has no {datum}"));
            }
            None => {}
        }
    }
    if let Some(one) = find(found, "n").filter(|_| asked.is_empty()) {
        findings
            .say(format!("The datum table of {} has {}.", at(one), counted(one, "datum", "datums")), &[one]);
    }
    if let Some(epoch) = find(found, "epoch").filter(|_| asked.is_empty()) {
        findings.say(format!("The tidal epoch of these datums is {}.", bare(epoch)), &[epoch]);
    }
    if own.is_empty() {
        record(findings, found, false, None);
    }
}

pub(super) fn record(findings: &mut Findings, found: &[Evidence], low: bool, datum: Option<Datum>) {
    if let Some(one) = find(found, "record_low").filter(|_| low) {
        findings.say(
            format!("The record low water level at {} is {}{}.", at(one), quantity(one), when(one)),
            &[one],
        );
    }
    let first = datum.map(|datum| format!("record_high_{datum}"));
    // Above the zero of the gauge and the usual high water; above others when they are asked for.
    let names = ["record_high", "record_high_MHHW"];
    let mut order: Vec<&str> = first.iter().map(String::as_str).collect();
    order.extend(names.iter().filter(|name| first.as_deref() != Some(**name)));
    for one in order.into_iter().filter_map(|name| find(found, name)) {
        findings.say(
            format!("The record high water level at {} is {}{}.", at(one), quantity(one), when(one)),
            &[one],
        );
    }
}

pub(super) fn extremes(findings: &mut Findings, found: &[Evidence], ranks: &[usize], text: &str) {
    let words = [
        "", "", "second ", "third ", "fourth ", "fifth ", "sixth ", "seventh ", "eighth ", "ninth ", "tenth ",
    ];
    for rank in ranks.iter().copied().chain([1]) {
        let word = words.get(rank).copied().unwrap_or_default();
        if let Some(one) = find(found, &format!("rank_{rank}")) {
            let text = format!(
                "The {word}highest water level ever observed at {} is {}{}.",
                at(one),
                quantity(one),
                when(one)
            );
            findings.say(text, &[one]);
        }
    }
    if let (Some(one), Some(top)) = (find(found, "highest_event"), find(found, "rank_1")) {
        let text =
            format!("The highest level at {}, {}, is ascribed to: {}.", at(one), quantity(top), bare(one));
        findings.say(text, &[top, one]);
    }
    if let Some(one) = find(found, "n") {
        findings.say(
            format!("The list of {} has {}.", at(one), counted(one, "highest level", "highest levels")),
            &[one],
        );
    }
    // Their dates are another thing than the highest level.
    if !names(text, &["event", "ten-year", "ten year", "10-year", "extreme", "extremes"]) {
        return;
    }
    if let Some(one) = find(found, "n_events") {
        let text = format!(
            "The service counts {} at {}.",
            counted(one, "ten-year event", "ten-year events"),
            at(one)
        );
        findings.say(text, &[one]);
    }
    if let Some(one) = find(found, "first_event") {
        findings.say(
            format!("The first high ten-year event in the list of {} was{}.", at(one), when(one)),
            &[one],
        );
    }
}

pub(super) fn flood_days(findings: &mut Findings, found: &[Evidence], text: &str) {
    let classes = ["minor", "moderate", "major"];
    let asked: Vec<&str> = classes.into_iter().filter(|class| says(text, &[class])).collect();
    let order = asked.iter().copied().chain(classes.into_iter().filter(|class| !asked.contains(class)));
    for class in order {
        if let Some(one) = find(found, class) {
            let days = counted(one, "day", "days");
            findings.say(
                format!("{} had {days} of {class} high-tide flooding{}.", upper(&at(one)), when(one)),
                &[one],
            );
        }
    }
    if let Some(one) = find(found, "completeness") {
        findings
            .say(format!("The record of {} is complete to {}{}.", at(one), quantity(one), when(one)), &[one]);
    }
    if let Some(one) = find(found, "n_years") {
        let text =
            format!("The service has flood days of {} for {}.", at(one), counted(one, "year", "years"));
        findings.say(text, &[one]);
    }
    if let Some(one) = find(found, "most_minor") {
        let text = format!(
            "The most days of minor high-tide flooding in a year at {} were {}{}.",
            at(one),
            counted(one, "day", "days"),
            when(one)
        );
        findings.say(text, &[one]);
    }
}

pub(super) fn trend(findings: &mut Findings, found: &[Evidence]) {
    let Some(one) = find(found, "trend") else { return };
    let direction = if one.value.as_f64().is_some_and(|value| value < 0.0) { "falls" } else { "rises" };
    findings.say(format!("The relative sea level trend at {} is {}.", at(one), quantity(one)), &[one]);
    if let Some(error) = find(found, "error") {
        findings.say(format!("The error of the trend at {} is {}.", at(error), quantity(error)), &[error]);
    }
    if let Some(converted) = find(found, "trend_converted") {
        let text = format!("That is {}; the sea level {direction} there.", quantity(converted));
        findings.say(text, &[converted]);
    }
    for (name, text) in [("start", "begins"), ("end", "ends")] {
        if let Some(date) = find(found, name) {
            findings.say(format!("The record of {} {text}{}.", at(date), when(date)), &[date]);
        }
    }
}

/// A constituent, when one is meant, and how many there are.
pub(super) fn harmonics(findings: &mut Findings, found: &[Evidence], name: Option<&str>, text: &str) {
    if let (Some(one), Some(name)) = (find(found, "amplitude"), name) {
        findings.say(format!("The amplitude of {name} at {} is {}.", at(one), quantity(one)), &[one]);
    }
    let units = find(found, "units").filter(|_| names(text, &["unit", "in feet", "in metres", "in meters"]));
    if let (Some(one), Some(units)) = (find(found, "amplitude"), units) {
        let text = format!("The service gives this amplitude of {} in {}.", quantity(one), bare(units));
        findings.say(text, &[one, units]);
    }
    if let (Some(one), Some(name)) = (find(found, "phase"), name) {
        findings.say(format!("The phase of {name} at {} is {} (GMT).", at(one), quantity(one)), &[one]);
    }
    if let Some(one) = find(found, "n") {
        let count = counted(one, "harmonic constituent", "harmonic constituents");
        findings.say(format!("The service has {count} for {}.", at(one)), &[one]);
    }
    let asks = names(text, &["largest", "strongest", "biggest", "dominant", "main"]);
    if let (Some(one), Some(count)) = (find(found, "largest").filter(|_| asks), find(found, "n")) {
        let text =
            format!("Of the {} constituents at {} the largest is {}.", bare(count), at(one), bare(one));
        findings.say(text, &[count, one]);
    }
}

pub(super) fn return_level(findings: &mut Findings, found: &[Evidence], years: f64) {
    let years = number(years);
    if let Some(one) = find(found, "level") {
        let text = format!(
            "The level with a return period of {years} years at {} is {}; the service states no datum for it.",
            at(one),
            quantity(one)
        );
        findings.say(text, &[one]);
    }
    if let (Some(low), Some(high)) = (find(found, "low"), find(found, "high")) {
        let text = format!("Its bounds are {} and {}.", quantity(low), quantity(high));
        findings.say(text, &[low, high]);
    }
    if let Some(one) = find(found, "n") {
        findings.say(
            format!("The answer for {} has {}.", at(one), counted(one, "return period", "return periods")),
            &[one],
        );
    }
}

pub(super) fn station(findings: &mut Findings, found: &[Evidence], text: &str) {
    let position = find(found, "lat").zip(find(found, "lon"));
    // A position beside a text makes a sentence that can be checked.
    let (place, cited) = position.map_or((String::new(), Vec::new()), |(lat, lon)| {
        (format!(" at latitude {}° and longitude {}°", exact(lat), exact(lon)), vec![lat, lon])
    });
    let mut say = |text: String, one| {
        let mut all = vec![one];
        all.extend(cited.iter().copied());
        findings.say(text, &all);
    };
    if let Some(name) = find(found, "name") {
        let id = of_place(name, "station").unwrap_or_default();
        say(format!("The name of station {id}{place} is {}.", bare(name)), name);
    }
    if let Some(one) = find(found, "state") {
        say(format!("{}{place} lies in the state {}.", upper(&at(one)), bare(one)), one);
    }
    if let Some(one) = find(found, "shefcode").filter(|_| says(text, &["shef", "shefcode"])) {
        say(format!("The SHEF code of {}{place} is {}.", at(one), bare(one)), one);
    }
    let mut facts = vec![
        ("n_constituents", "number of harmonic constituents", &["constituents", "harmonic"][..]),
        ("n_sensors", "number of sensors", &["sensors"]),
        ("tz_offset", "offset from UTC", &["time zone", "timezone", "offset"]),
        ("established", "date of establishment", &["established", "since when", "old"]),
    ];
    for (name, what, _) in facts.drain(..).filter(|(_, _, words)| says(text, words)) {
        if let Some(one) = find(found, name) {
            let value = one.value.as_str().map_or_else(|| quantity(one), time);
            findings.say(format!("The {what} of {} is {value}.", at(one)), &[one]);
        }
    }
    if says(
        text,
        &["flood level", "flood levels", "flood stage", "flood threshold", "flood thresholds", "flooding"],
    ) {
        for name in ["nos_minor", "nos_moderate", "nos_major"] {
            if let Some(one) = find(found, name) {
                let class = name.trim_start_matches("nos_");
                let text =
                    format!("The level of {class} flooding (NOS) at {} is {}.", at(one), quantity(one));
                findings.say(text, &[one]);
            }
        }
    }
}

/// A coordinate as it was delivered.
fn exact(evidence: &Evidence) -> String {
    evidence.value.as_f64().map_or_else(|| bare(evidence), |value| format!("{value}"))
}

pub(super) fn nearest(findings: &mut Findings, found: &[Evidence]) {
    if let (Some(id), Some(distance)) = (find(found, "nearest"), find(found, "distance")) {
        let text = format!("The nearest tide gauge is {}, at a distance of {}.", at(id), quantity(distance));
        findings.say(text, &[id, distance]);
    }
}

pub(super) fn list(findings: &mut Findings, found: &[Evidence], state: Option<&str>) {
    if let Some(one) = find(found, "n") {
        let scope = state.map_or_else(String::new, |state| format!(" in {state}"));
        let text = format!(
            "The service lists {}{scope}.",
            counted(one, "water level station", "water level stations")
        );
        findings.say(text, &[one]);
    }
    if let Some(one) = find(found, "first_name").filter(|_| find(found, "first_shefcode").is_none()) {
        findings.say(format!("The first station of the list is {}.", at(one)), &[one]);
    }
    if let (Some(one), Some(lat)) = (find(found, "first_shefcode"), find(found, "first_lat")) {
        let text = format!(
            "The first station of the list, {}, at latitude {}°, has the SHEF code {}.",
            at(one),
            exact(lat),
            bare(one)
        );
        findings.say(text, &[one, lat]);
    }
}

pub(super) fn storm_event(findings: &mut Findings, found: &[Evidence]) {
    if let (Some(id), Some(name)) = (find(found, "event_id"), find(found, "name")) {
        let text = format!(
            "The CO-OPS storm event of {} has the id {}; it began{}.",
            bare(name),
            bare(id),
            when(id)
        );
        findings.say(text, &[id, name]);
    }
    if let Some(one) = find(found, "n") {
        findings.say(
            format!(
                "{} {} what was asked for.",
                counted(one, "storm event", "storm events"),
                if bare(one) == "1" { "fits" } else { "fit" }
            ),
            &[one],
        );
    }
}

fn upper(text: &str) -> String {
    let mut characters = text.chars();
    characters.next().map_or_else(String::new, |first| first.to_uppercase().chain(characters).collect())
}

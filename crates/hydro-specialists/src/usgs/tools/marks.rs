//! The evidence of high-water marks.

use leg_core::EvidenceDraft;
use serde_json::{Value, json};

use crate::usgs::wire::Mark;

/// The names of the evidence.
pub(super) const EVIDENCE: [&str; 26] = [
    "n",
    "n_with_elevation",
    "n_without_elevation",
    "n_without_datum",
    "n_coastal",
    "n_riverine",
    "event_name",
    "first_id",
    "highest",
    "highest_id",
    "highest_county",
    "highest_quality",
    "highest_uncertainty",
    "highest_environment",
    "highest_waterbody",
    "highest_notes",
    "second",
    "second_id",
    "second_county",
    "second_quality",
    "lowest",
    "lowest_id",
    "lowest_county",
    "max_height_above_ground",
    "counties",
    "no_data",
];

/// Whether a mark has an elevation above a vertical datum; heights above the ground are none.
pub(super) fn has_elevation(mark: &Mark) -> bool {
    mark.elevation.is_some() && !datum(mark).is_empty()
}

/// The vertical datum of a mark; `Above Ground Level` is none.
fn datum(mark: &Mark) -> &str {
    let own = mark.datum.trim();
    if own.to_lowercase().contains("ground") { "" } else { own }
}

/// The day of the survey, else of the flag.
pub(super) fn day(mark: &Mark) -> String {
    let own = if mark.surveyed.is_empty() { &mark.flagged } else { &mark.surveyed };
    own.get(..10).unwrap_or(own).to_owned()
}

/// Counts, the highest, second highest and lowest mark.
pub(super) fn evidence(marks: &[Mark], event: u32) -> Vec<EvidenceDraft> {
    let mut drafts = Vec::new();
    let whole = json!({ "event": event });
    let mut count = |name: &str, count: usize, method: &str| {
        drafts.push(EvidenceDraft::new(name, count, "1", method).place(whole.clone()));
    };
    count("n", marks.len(), "number of high-water marks");
    let with = marks.iter().filter(|mark| mark.elevation.is_some()).count();
    count("n_with_elevation", with, "number of high-water marks with an elevation");
    count("n_without_elevation", marks.len() - with, "number of high-water marks without an elevation");
    let lost = marks.iter().filter(|mark| mark.elevation.is_some() && !has_elevation(mark)).count();
    count("n_without_datum", lost, "number of high-water marks with a value but without a datum");
    for (name, environment) in [("n_coastal", "coastal"), ("n_riverine", "riverine")] {
        let own = marks.iter().filter(|mark| mark.environment.eq_ignore_ascii_case(environment)).count();
        count(name, own, &format!("number of {environment} high-water marks"));
    }
    if marks.is_empty() {
        let said = "The service has no high-water marks of this event for what was asked.";
        drafts.push(EvidenceDraft::new("no_data", said, "", "answer of the service").place(whole));
        return drafts;
    }
    if let Some(name) = marks.iter().map(|mark| mark.event.trim()).find(|name| !name.is_empty()) {
        drafts.push(EvidenceDraft::new("event_name", name, "", "name of the event in its marks"));
    }
    if let Some(id) = marks.first().and_then(|mark| mark.id) {
        drafts.push(EvidenceDraft::new(
            "first_id",
            id,
            "1",
            "id of the first mark in the order of the service",
        ));
    }
    let mut counties: Vec<&str> =
        marks.iter().map(|mark| mark.county.trim()).filter(|own| !own.is_empty()).collect();
    counties.sort_unstable();
    counties.dedup();
    drafts.push(EvidenceDraft::new("counties", counties.join(", "), "", "counties with high-water marks"));
    // Elevations above different datums are not compared: those above the most common one are.
    let own = common_datum(marks);
    let mut ranked: Vec<&Mark> =
        marks.iter().filter(|mark| has_elevation(mark) && datum(mark) == own).collect();
    ranked.sort_by(|a, b| {
        b.elevation
            .partial_cmp(&a.elevation)
            .unwrap_or(std::cmp::Ordering::Equal)
            .then_with(|| a.id.partial_cmp(&b.id).unwrap_or(std::cmp::Ordering::Equal))
    });
    for (rank, place) in [("highest", Some(0)), ("second", Some(1)), ("lowest", ranked.len().checked_sub(1))]
    {
        if let Some(mark) = place.and_then(|place| ranked.get(place)) {
            of_mark(rank, mark, &mut drafts);
        }
    }
    let depth = marks.iter().filter(|mark| mark.height_above_ground.is_some());
    let deepest = depth.reduce(
        |best, next| {
            if next.height_above_ground > best.height_above_ground { next } else { best }
        },
    );
    if let Some((mark, height)) = deepest.and_then(|mark| Some((mark, mark.height_above_ground?))) {
        let method = "largest height of a high-water mark above the ground, which is no elevation";
        let draft = EvidenceDraft::new("max_height_above_ground", height, "ft", method).place(place_of(mark));
        drafts.push(draft.when(day(mark)));
    }
    drafts
}

fn common_datum(marks: &[Mark]) -> String {
    let mut names: Vec<&str> = marks.iter().filter(|mark| has_elevation(mark)).map(datum).collect();
    names.sort_unstable();
    let mut best = (0, "");
    for own in names.chunk_by(|a, b| a == b) {
        if own.len() > best.0 {
            best = (own.len(), own.first().copied().unwrap_or_default());
        }
    }
    best.1.to_owned()
}

fn place_of(mark: &Mark) -> Value {
    let mut place = json!({ "name": mark.county, "state": mark.state });
    if let (Some(lon), Some(lat)) = (mark.longitude, mark.latitude) {
        place["lon"] = json!(lon);
        place["lat"] = json!(lat);
    }
    place
}

fn of_mark(rank: &str, mark: &Mark, drafts: &mut Vec<EvidenceDraft>) {
    let Some(elevation) = mark.elevation else { return };
    let place = place_of(mark);
    let word = if rank == "second" { "second highest" } else { rank };
    let add = |name: String, value: Value, unit: &str, method: String| {
        EvidenceDraft::new(&name, value, unit, &method).place(place.clone()).when(day(mark))
    };
    let mut top =
        add(rank.to_owned(), json!(elevation), "ft", format!("{word} elevation of a high-water mark"));
    top = top.datum(datum(mark));
    if let Some(uncertainty) = mark.uncertainty {
        top = top.uncertainty(json!({ "uncertainty": uncertainty, "unit": "ft" }));
    }
    drafts.push(top);
    if let Some(id) = mark.id {
        drafts.push(add(format!("{rank}_id"), json!(id), "1", format!("id of the {word} mark")));
    }
    let texts = [
        ("county", &mark.county, true),
        ("quality", &mark.quality, rank != "lowest"),
        ("environment", &mark.environment, rank == "highest"),
        ("waterbody", &mark.waterbody, rank == "highest"),
        ("notes", &mark.notes, rank == "highest"),
    ];
    for (name, text, is_shown) in texts {
        if is_shown && !text.trim().is_empty() {
            drafts.push(add(
                format!("{rank}_{name}"),
                json!(text.trim()),
                "",
                format!("{name} of the {word} mark"),
            ));
        }
    }
    if let Some(uncertainty) = mark.uncertainty.filter(|_| rank == "highest") {
        let method = format!("uncertainty of the {word} mark");
        drafts.push(add(format!("{rank}_uncertainty"), json!(uncertainty), "ft", method));
    }
}

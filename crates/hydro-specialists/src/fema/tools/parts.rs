//! What several tools have in common: arguments, coverage, rows of zones and what they add up to.

use std::collections::BTreeMap;

use leg_core::EvidenceDraft;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::fema::wire::zone::{Class, Zone};

/// A point as arguments.
#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct PointArguments {
    /// Latitude, degrees north.
    pub(crate) lat: f64,
    /// Longitude, degrees east, -180 to 180.
    pub(crate) lon: f64,
}

/// Fields of the zones' layer. It has no date: asking for one fails.
pub(crate) const ZONE_FIELDS: &str =
    "OBJECTID,FLD_ZONE,ZONE_SUBTY,SFHA_TF,STATIC_BFE,V_DATUM,DEPTH,LEN_UNIT,VELOCITY,DFIRM_ID";

/// Zones with counts of their own, in this order.
pub(crate) const COUNTED: [&str; 13] =
    ["ve", "v", "ae", "a", "ah", "ao", "ar", "a99", "x", "d", "open_water", "area_not_included", "other"];

/// Evidence of what zones add up to.
pub(crate) fn sum_names() -> Vec<String> {
    let mut names: Vec<String> = [
        "covered",
        "n_studies",
        "n_zones",
        "n_sfha",
        "n_floodway",
        "n_minimal",
        "n_0_2pct",
        "max_static_bfe",
        "max_bfe_zone",
        "dfirm_id",
        "by_zone",
        "no_data",
    ]
    .map(str::to_owned)
    .to_vec();
    names.extend(COUNTED.map(|zone| format!("n_zone_{zone}")));
    names
}

/// That nothing is known of a place, which is not the same as no hazard.
pub(crate) const NOT_COVERED: &str = "The National Flood Hazard Layer has no digital data there: the flood zone is unknown, which does not mean zone X.";

/// That a place is covered, or not.
pub(crate) fn covered(studies: u64, place: &Value) -> Vec<EvidenceDraft> {
    let value = if studies > 0 { "yes" } else { "no" };
    let method = "whether the layer NFHL Availability has digital flood data there";
    let count = EvidenceDraft::new("n_studies", studies, "1", "studies of the layer NFHL Availability");
    vec![EvidenceDraft::new("covered", value, "", method).place(place.clone()), count.place(place.clone())]
}

/// A place without data.
pub(crate) fn no_data(text: &str, place: &Value) -> EvidenceDraft {
    EvidenceDraft::new("no_data", text, "", "answer of the National Flood Hazard Layer").place(place.clone())
}

/// A zone as a row: zone, subtype, SFHA, class, elevation, datum, depth, velocity, study.
pub(crate) fn row(zone: &Zone) -> Vec<Value> {
    vec![
        json!(zone.zone),
        json!(zone.subtype),
        json!(zone.sfha),
        json!(zone.class.as_str()),
        json!(zone.static_bfe_ft),
        json!(zone.datum),
        json!(zone.depth_ft),
        json!(zone.velocity),
        json!(zone.dfirm_id),
    ]
}

/// The columns of [`row`].
pub(crate) const COLUMNS: [&str; 9] =
    ["zone", "subtype", "sfha", "class", "static_bfe", "datum", "depth", "velocity", "dfirm_id"];

/// Their units.
pub(crate) const UNITS: [(&str, &str); 3] =
    [("static_bfe", "ft"), ("depth", "ft"), ("velocity", "as delivered")];

/// An elevation with its datum; one whose datum the row does not have names it as unknown.
pub(crate) fn elevation(
    name: &str,
    value: f64,
    datum: Option<&str>,
    method: &str,
    place: &Value,
) -> EvidenceDraft {
    let draft = EvidenceDraft::new(name, value, "ft", method).place(place.clone());
    match datum {
        Some(datum) => draft.datum(datum),
        None => draft,
    }
}

/// The zone with the highest static elevation; those above another datum than most are not compared with it.
pub(crate) fn highest(zones: &[Zone]) -> (Option<&Zone>, usize) {
    let mut by_datum: BTreeMap<&str, Vec<&Zone>> = BTreeMap::new();
    for zone in zones.iter().filter(|zone| zone.static_bfe_ft.is_some()) {
        by_datum.entry(zone.datum.as_deref().unwrap_or_default()).or_default().push(zone);
    }
    let Some(most) = by_datum.values().max_by_key(|zones| zones.len()) else { return (None, 0) };
    let others = by_datum.values().map(Vec::len).sum::<usize>() - most.len();
    let best = most
        .iter()
        .copied()
        .reduce(|best, next| if next.static_bfe_ft > best.static_bfe_ft { next } else { best });
    (best, others)
}

/// Counts and the highest elevation of zones, with what a reader must know.
pub(crate) fn sums(zones: &[Zone], place: &Value) -> (Vec<EvidenceDraft>, Vec<String>) {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for zone in zones {
        let lower = zone.zone.to_lowercase().replace(' ', "_");
        let key = COUNTED.iter().find(|own| **own == lower).copied().unwrap_or("other");
        *counts.entry(key).or_default() += 1;
    }
    let count = |name: &str, value: usize, method: &str| {
        EvidenceDraft::new(name, value, "1", method).place(place.clone())
    };
    let of = |fits: &dyn Fn(&Zone) -> bool| zones.iter().filter(|zone| fits(zone)).count();
    let mut out = vec![
        count("n_zones", zones.len(), "flood hazard zone polygons"),
        count("n_sfha", of(&|zone| zone.sfha == Some(true)), "polygons in the special flood hazard area"),
        count("n_floodway", of(&|zone| zone.class == Class::Floodway), "polygons of the floodway"),
        count("n_minimal", of(&|zone| zone.class == Class::Minimal), "polygons of minimal flood hazard"),
        count(
            "n_0_2pct",
            of(&|zone| zone.class == Class::PointTwoPercent),
            "polygons of the 0.2 percent annual chance",
        ),
    ];
    for zone in COUNTED {
        if let Some(found) = counts.get(zone) {
            let method = format!("polygons of zone {}", zone.to_uppercase().replace('_', " "));
            out.push(count(&format!("n_zone_{zone}"), *found, &method));
        }
    }
    let by_zone: Vec<String> = COUNTED
        .iter()
        .filter_map(|zone| Some(format!("{}: {}", zone.to_uppercase().replace('_', " "), counts.get(zone)?)))
        .collect();
    if !by_zone.is_empty() {
        let method = "polygons by zone";
        out.push(EvidenceDraft::new("by_zone", by_zone.join(", "), "", method).place(place.clone()));
    }
    let mut notes = Vec::new();
    let (best, others) = highest(zones);
    if let Some((zone, elevation_ft)) = best.and_then(|zone| Some((zone, zone.static_bfe_ft?))) {
        let method = "highest static base flood elevation of the zones";
        out.push(elevation("max_static_bfe", elevation_ft, zone.datum.as_deref(), method, place));
        let method = "the zone with the highest static base flood elevation";
        out.push(EvidenceDraft::new("max_bfe_zone", zone.zone.as_str(), "", method).place(place.clone()));
    }
    if others > 0 {
        notes.push(format!("{others} zones have an elevation above another datum and are not compared"));
    }
    let mut studies: Vec<&str> = zones.iter().filter_map(|zone| zone.dfirm_id.as_deref()).collect();
    studies.sort_unstable();
    studies.dedup();
    if !studies.is_empty() {
        let ids = studies.join(", ");
        out.push(EvidenceDraft::new("dfirm_id", ids, "", "studies of the zones").place(place.clone()));
    }
    (out, notes)
}

/// Borrowed names, as a specification takes them.
pub(crate) fn borrowed(names: &[String]) -> Vec<&str> {
    names.iter().map(String::as_str).collect()
}

//! What the agent says of the evidence of its calls: a sentence a finding.

use leg_core::Evidence;

use super::tools::COUNTED;
use super::wanted::Wanted;
use crate::findings::Findings;
use crate::prose::{date, list, measure, named, plain};

type All<'a> = &'a [Evidence];

fn text(one: &Evidence) -> &str {
    one.value.as_str().unwrap_or_default()
}

/// An elevation with its datum.
fn elevation(one: &Evidence) -> String {
    match &one.datum {
        Some(datum) => format!("{} {datum}", measure(one)),
        None => format!("{} above a datum that is not stated", measure(one)),
    }
}

/// The box in words.
pub(super) fn box_text([west, south, east, north]: [f64; 4]) -> String {
    let side = |value: f64, plus: &str, minus: &str| {
        format!("{}°{}", plain(value.abs()), if value < 0.0 { minus } else { plus })
    };
    format!(
        "the box from {} to {} and from {} to {}",
        side(west, "E", "W"),
        side(east, "E", "W"),
        side(south, "N", "S"),
        side(north, "N", "S")
    )
}

/// With a capital at the beginning.
pub(super) fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// Whether there are data.
pub(super) fn coverage(findings: &mut Findings, all: All<'_>, spot: &str) {
    let Some(studies) = named(all, "n_studies") else { return };
    let at = if spot.starts_with("the box") { "in" } else { "at" };
    let sentence = if studies.value.as_u64() == Some(0) {
        format!(
            "The National Flood Hazard Layer has 0 studies with digital data {at} {spot}: the flood zone there is unknown, which \
             does not mean zone X."
        )
    } else {
        format!(
            "The National Flood Hazard Layer has digital data {at} {spot} (availability count: {}).",
            measure(studies)
        )
    };
    findings.say(sentence, &[studies]);
}

/// The zone at a point.
pub(super) fn zone(findings: &mut Findings, all: All<'_>, spot: &str) {
    let Some(class) = named(all, "class") else { return };
    let Some(zone) = named(all, "zone") else {
        let why = if named(all, "covered").map(text) == Some("no") {
            "the National Flood Hazard Layer has no digital data there"
        } else {
            "no zone is mapped there"
        };
        findings.say(
            format!("The flood zone at {spot} is unknown: {why}, which does not mean zone X."),
            &[class],
        );
        return;
    };
    let mut cited = vec![zone, class];
    let subtype = named(all, "subtype");
    cited.extend(subtype);
    let detail = subtype.map(|own| format!(" ({})", text(own))).unwrap_or_default();
    findings.say(format!("The mapped flood zone at {spot} is {}{detail}.", text(zone)), &cited);
    if let Some(sfha) = named(all, "sfha") {
        let verb = match text(sfha) {
            "yes" => "is in the special flood hazard area (SFHA)",
            "no" => "is not in the special flood hazard area (SFHA)",
            _ => "is in a zone whose row does not say whether it is a special flood hazard area (SFHA)",
        };
        findings.say(format!("{} {verb}.", capital(spot)), &[sfha]);
    }
    if let Some(bfe) = named(all, "static_bfe") {
        findings.say(format!("The static base flood elevation at {spot} is {}.", elevation(bfe)), &[bfe]);
    }
    if let Some(depth) = named(all, "depth") {
        findings
            .say(format!("The mapped flood depth at {spot} is {} above ground.", measure(depth)), &[depth]);
    }
    if let Some(study) = named(all, "dfirm_id") {
        findings.say(format!("The study of the zone at {spot} is {}.", text(study)), &[study]);
    }
    if let Some(others) = named(all, "other_zones") {
        findings.say(
            format!("{} is on a border: the zones {} meet there too.", capital(spot), text(others)),
            &[others],
        );
    }
}

/// The panel at a point.
pub(super) fn panel(findings: &mut Findings, all: All<'_>, spot: &str) {
    let Some(panel) = named(all, "panel") else {
        let said = named(all, "no_data").map_or("there is no panel", text);
        findings.gap(format!("{spot}: {said}"));
        return;
    };
    let dated = named(all, "effective_date");
    let since = dated.map(|own| format!(", effective since {}", date(text(own)))).unwrap_or_default();
    let mut cited = vec![panel];
    cited.extend(dated);
    findings.say(format!("The FIRM panel at {spot} is {}{since}.", text(panel)), &cited);
    if dated.is_none() {
        findings.gap(format!("the FIRM panel at {spot} states no effective date"));
    }
    if let Some(kind) = named(all, "panel_type") {
        findings.say(format!("The type of the panel at {spot} is: {}.", text(kind)), &[kind]);
    }
}

/// Counts of zones.
pub(super) fn zones(findings: &mut Findings, all: All<'_>, spot: &str, wanted: &Wanted) {
    let studies = named(all, "n_studies");
    let small = spot.strip_prefix("The ").map_or_else(|| spot.to_owned(), |rest| format!("the {rest}"));
    if wanted.coverage || studies.is_some_and(|studies| studies.value.as_u64() == Some(0)) {
        coverage(findings, all, &small);
    }
    let Some(count) = named(all, "n_zones").filter(|count| count.value.as_u64() != Some(0)) else {
        let said = named(all, "no_data").map_or("there is no zone", text);
        findings.gap(format!("{spot}: {said}"));
        return;
    };
    let zones: Vec<&Evidence> =
        COUNTED.iter().filter_map(|zone| named(all, &format!("n_zone_{zone}"))).collect();
    let parts: Vec<String> = zones
        .iter()
        .map(|one| {
            let name = one.method.trim_start_matches("polygons of zone ");
            format!("{} of zone {name}", measure(one))
        })
        .collect();
    let mut cited = vec![count];
    cited.extend(&zones);
    let plural = if count.value.as_u64() == Some(1) { "" } else { "s" };
    findings.say(
        format!("{spot} has {} flood hazard polygon{plural}: {}.", measure(count), list(&parts)),
        &cited,
    );
    for (name, words) in [
        ("n_sfha", "in the special flood hazard area (SFHA)"),
        ("n_floodway", "in the floodway"),
        ("n_minimal", "of minimal flood hazard"),
    ] {
        if let Some(one) = named(all, name) {
            let verb = if one.value.as_u64() == Some(1) { "is" } else { "are" };
            findings.say(format!("Of the polygons of {small}, {} {verb} {words}.", measure(one)), &[one]);
        }
    }
    if let Some(study) = named(all, "dfirm_id").filter(|_| !spot.starts_with("Study")) {
        findings.say(format!("The zones of {small} are of the study {}.", text(study)), &[study]);
    }
    highest_zone(findings, all, &small);
    if wanted.bfe && !wanted.lines && named(all, "max_static_bfe").is_none() {
        findings.gap(format!("the zones of {small} have no static base flood elevation"));
    }
}

/// Only the highest static elevation of zones.
pub(super) fn highest_zone(findings: &mut Findings, all: All<'_>, spot: &str) {
    if let Some(bfe) = named(all, "max_static_bfe") {
        let zone = named(all, "max_bfe_zone").map(|own| format!(" (zone {})", text(own))).unwrap_or_default();
        let sentence = format!(
            "The highest static base flood elevation of the zones of {spot} is {}{zone}.",
            elevation(bfe)
        );
        findings.say(sentence, &[bfe]);
    }
}

/// Lines of base flood elevation.
pub(super) fn lines(findings: &mut Findings, all: All<'_>, spot: &str) {
    let (Some(count), Some(high), Some(low)) =
        (named(all, "n_lines"), named(all, "max_elev"), named(all, "min_elev"))
    else {
        let said = named(all, "no_data").map_or("there is no base flood elevation line", text);
        findings.gap(format!("{spot}: {said}"));
        return;
    };
    findings
        .say(format!("The highest base flood elevation line in {spot} is at {}.", elevation(high)), &[high]);
    let plural = if count.value.as_u64() == Some(1) { "" } else { "s" };
    let sentence = format!(
        "There are {} base flood elevation line{plural} in {spot}; the lowest is at {}.",
        measure(count),
        elevation(low)
    );
    findings.say(sentence, &[count, low]);
}

/// Limits near a coast.
pub(super) fn coastal(findings: &mut Findings, all: All<'_>, spot: &str) {
    if let Some(no_data) = named(all, "no_data") {
        findings.gap(format!("{spot}: {}", text(no_data)));
        return;
    }
    if let Some(zones) = named(all, "n_ve") {
        findings.say(format!("There are {} polygons of V and VE zones in {spot}.", measure(zones)), &[zones]);
    }
    match named(all, "n_limwa") {
        Some(lines) => findings.say(
            format!(
                "There are {} lines of the limit of moderate wave action (LiMWA) in {spot}.",
                measure(lines)
            ),
            &[lines],
        ),
        None => findings.gap("the service lists no layer of the limit of moderate wave action"),
    }
    if let Some(bfe) = named(all, "max_static_bfe") {
        let sentence = format!(
            "The highest static base flood elevation of the V and VE zones in {spot} is {}.",
            elevation(bfe)
        );
        findings.say(sentence, &[bfe]);
    }
}

/// A picture.
pub(super) fn image(findings: &mut Findings, all: All<'_>, spot: &str) {
    if let (Some(width), Some(height)) = (named(all, "image_width"), named(all, "image_height")) {
        let sentence = format!(
            "A picture of the flood map of {spot} has {} by {} pixels.",
            measure(width),
            measure(height)
        );
        findings.say(sentence, &[width, height]);
    }
}

/// What the service says of itself: the layers that are named, or all of them.
pub(super) fn service(findings: &mut Findings, all: All<'_>, words: &str) {
    if let (Some(version), Some(most)) = (named(all, "version"), named(all, "max_records")) {
        let sentence = format!(
            "The map service of the National Flood Hazard Layer has version {} and gives at most {} records in an answer.",
            measure(version),
            measure(most)
        );
        findings.say(sentence, &[version, most]);
    }
    let name = |one: &Evidence| one.method.trim_start_matches("id of the layer ").to_owned();
    let layers: Vec<&Evidence> = all.iter().filter(|one| super::tools::is_layer(one)).collect();
    let singular = |text: &str| text.to_lowercase().trim_end_matches('s').to_owned();
    let lower = words.to_lowercase();
    let asked: Vec<&Evidence> =
        layers.iter().copied().filter(|one| lower.contains(&singular(&name(one)))).collect();
    if let Some(count) = named(all, "n_layers").filter(|_| asked.is_empty()) {
        findings.say(format!("The service lists {} layers.", measure(count)), &[count]);
    }
    for one in if asked.is_empty() { layers } else { asked } {
        findings.say(format!("The layer {} has the id {}.", name(one), measure(one)), &[one]);
    }
}

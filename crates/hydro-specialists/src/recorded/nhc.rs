//! Recorded answers of the National Hurricane Center.

use std::io::Write as _;

use flate2::Compression;
use flate2::write::GzEncoder;
use leg_fetch::Response;

use super::asked::Asked;
use super::{Recorded, is_a, whole};

/// The name under which the recorded part of the Atlantic archive is listed.
const ARCHIVE: &str = "hurdat2-1851-2024-040425.txt";

/// Recordings by a part of their names, and the list of active storms that has their storm.
const LISTS: [(&str, &str); 3] = [
    ("arcgis_watches", "sample_active_storms"),
    ("arcgis_forecast", "sample_active_storms"),
    ("tcm_al062026", "four_2026"),
];

pub(super) fn answer(recorded: &Recorded, asked: &Asked<'_>) -> Option<Response> {
    let all = recorded.of("nhc");
    let path = asked.path.trim_end_matches('/');
    if path == "data/hurdat" {
        let page = format!("<html><body><pre><a href=\"{ARCHIVE}\">{ARCHIVE}</a></pre></body></html>\n");
        return Some(Response::ok(page).with_header("content-type", "text/html"));
    }
    if path.starts_with("data/hurdat/hurdat2-1851-") {
        // The archive is recorded in pieces; together they are a file of the same form.
        let mut pieces: Vec<_> =
            all.iter().filter(|own| own.path.starts_with("data/hurdat/hurdat2-1851-")).collect();
        pieces.sort_by(|a, b| a.file.cmp(&b.file));
        let text: Vec<u8> = pieces.iter().flat_map(|own| own.body.iter().copied().chain(*b"\n")).collect();
        return (!pieces.is_empty()).then(|| Response::ok(text).with_header("content-type", "text/plain"));
    }
    if let Some(file) = path.strip_prefix("atcf/").and_then(|rest| rest.rsplit('/').next()) {
        return deck(recorded, file);
    }
    if path == "CurrentStorms.json"
        && let Some(list) = companion(recorded)
    {
        return Some(list);
    }
    if is_a(path, "shtml") {
        let text = all.iter().find(|own| own.path == path)?;
        let mut page = b"<html><body><pre>\n".to_vec();
        page.extend(&text.body[..]);
        page.extend(b"\n</pre></body></html>\n");
        return Some(Response::ok(page).with_header("content-type", "text/html"));
    }
    if let Some((_, rest)) = path.split_once("NHC_tropical_weather/MapServer/") {
        return layer(recorded, rest.split('/').next()?.parse().ok()?);
    }
    all.into_iter().find(|own| own.path == path).map(whole)
}

/// The list of active storms that belongs to another recording which is preferred: the one with its storm.
fn companion(recorded: &Recorded) -> Option<Response> {
    let all = recorded.of("nhc");
    let preferred = |part: &str| all.iter().any(|own| recorded.is_preferred(own) && own.file.contains(part));
    if preferred("current_storms") || preferred("active_storms") {
        return None;
    }
    let list = LISTS.iter().find(|(part, _)| preferred(part)).map(|(_, list)| *list)?;
    all.into_iter().find(|own| own.file.contains(list)).map(whole)
}

/// A file of tracks, packed where its name says so.
fn deck(recorded: &Recorded, file: &str) -> Option<Response> {
    let name = file.strip_suffix(".gz").unwrap_or(file);
    let stem = |path: &str| path.rsplit('/').next().map(|own| own.trim_end_matches(".gz").to_owned());
    let fixture = recorded.of("nhc").into_iter().find(|own| stem(&own.path).as_deref() == Some(name))?;
    if !is_a(file, "gz") {
        return Some(whole(fixture));
    }
    let mut packed = GzEncoder::new(Vec::new(), Compression::fast());
    packed.write_all(&fixture.body).ok()?;
    Some(Response::ok(packed.finish().ok()?).with_header("content-type", "application/gzip"))
}

/// A layer of the map service: the slots of storms are 26 layers apart, forecast points are the first of a slot (6, 32 and so
/// on) and coastal warnings the fourth after them. What is recorded is in the first slot; the others are empty.
fn layer(recorded: &Recorded, id: u32) -> Option<Response> {
    let wanted = match id {
        6 => "forecast_track.",
        9 => "watches_warnings.",
        _ => "empty.",
    };
    recorded
        .of("nhc")
        .into_iter()
        .find(|own| own.file.contains("arcgis") && own.file.contains(wanted))
        .map(whole)
}

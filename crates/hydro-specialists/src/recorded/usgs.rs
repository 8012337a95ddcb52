//! Recorded answers of the USGS.

use leg_fetch::Response;
use serde_json::{Value, json};

use super::asked::{Asked, agree, overlap, window};
use super::index::Fixture;
use super::{Recorded, whole};

pub(super) fn answer(recorded: &Recorded, asked: &Asked<'_>) -> Option<Response> {
    let all = recorded.of("usgs");
    match asked.service {
        "usgs_stn" => marks_or_list(recorded, &all, asked),
        "usgs_ogc" => collection(&all, asked),
        _ => legacy(&all, asked),
    }
}

/// The Short-Term Network. One file of a filtered list that is preferred stands alone; else all files of the event are joined,
/// as each holds a part of what the service has.
fn marks_or_list(recorded: &Recorded, all: &[&Fixture], asked: &Asked<'_>) -> Option<Response> {
    let same: Vec<&&Fixture> = all.iter().filter(|own| own.path == asked.path).collect();
    if asked.get("Event").is_none() {
        return same.into_iter().find(|own| own.get("Event").is_none()).map(|own| whole(own));
    }
    let fits = |own: &&Fixture| {
        agree(asked, own, &[("Event", "")])
            && ["States", "HWMEnvironment"].iter().all(|name| match (asked.get(name), own.get(name)) {
                (Some(asked), Some(own)) => asked.split(',').any(|one| one.trim().eq_ignore_ascii_case(own)),
                _ => true,
            })
    };
    let same: Vec<&&Fixture> = same.into_iter().filter(|own| fits(own)).collect();
    if let Some(first) = same.first().filter(|own| recorded.is_preferred(own)) {
        return Some(whole(first));
    }
    let mut rows: Vec<Value> = Vec::new();
    for row in
        same.iter().filter_map(|own| own.json()).flat_map(|body| body.as_array().cloned().unwrap_or_default())
    {
        if !rows.iter().any(|own| own.get("hwm_id") == row.get("hwm_id")) {
            rows.push(row);
        }
    }
    (!same.is_empty()).then(|| Response::json(Value::Array(rows).to_string()))
}

/// A collection of the OGC API: the features of the file that belong to the location that is asked for.
fn collection(all: &[&Fixture], asked: &Asked<'_>) -> Option<Response> {
    let path = asked.path.trim_end_matches('/');
    let same: Vec<&&Fixture> = all.iter().filter(|own| own.path.trim_end_matches('/') == path).collect();
    let location = asked.get("monitoring_location_id").or_else(|| asked.get("id"));
    let span = |time: Option<&str>| time?.split_once('/').and_then(|(a, b)| window(Some(a), Some(b)));
    let wanted = span(asked.get("time"));
    let Some(location) = location else {
        // A recorded answer of a time is of that time alone; another one is of any.
        let fits = |own: &&&Fixture| match (wanted, span(own.get("time"))) {
            (Some(wanted), Some(own)) => overlap(wanted, own).is_some(),
            (wanted, own) => wanted.is_none() && own.is_none(),
        };
        return same.into_iter().find(fits).map(|own| whole(own));
    };
    for own in same {
        let Some(mut body) = own.json() else { continue };
        let Some(features) = body.get_mut("features").and_then(Value::as_array_mut) else { continue };
        features.retain(|feature| {
            let at = |name: &str| feature.pointer(&format!("/properties/{name}")).and_then(Value::as_str);
            let here = at("monitoring_location_id").or_else(|| at("id")) == Some(location);
            let parameter = asked
                .get("parameter_code")
                .is_none_or(|code| at("parameter_code").is_none_or(|own| own == code));
            let time = at("time").map(|time| window(Some(time), None));
            let dated = match (wanted, time) {
                (Some(wanted), Some(Some(own))) => overlap(wanted, own).is_some(),
                _ => true,
            };
            here && parameter && dated
        });
        if !features.is_empty() {
            let count = features.len();
            body["numberReturned"] = json!(count);
            return Some(Response::json(body.to_string()));
        }
    }
    None
}

/// The older services: what they were asked must agree; a recorded period without dates fits any window.
fn legacy(all: &[&Fixture], asked: &Asked<'_>) -> Option<Response> {
    let path = asked.path.trim_end_matches('/');
    let wanted = window(asked.get("startDT"), asked.get("endDT"));
    let fits = |own: &&&Fixture| {
        let site = |get: &dyn Fn(&str) -> Option<String>| {
            get("sites").or_else(|| get("site_no")).or_else(|| get("site"))
        };
        let theirs = site(&|name| own.get(name).map(str::to_owned));
        let ours = site(&|name| asked.get(name).map(str::to_owned));
        let dates = match (wanted, window(own.get("startDT"), own.get("endDT"))) {
            (Some(a), Some(b)) => overlap(a, b).is_some(),
            _ => true,
        };
        own.path.trim_end_matches('/') == path
            && theirs == ours
            && dates
            && ["parameterCd", "statCd", "stateCd"].iter().all(|name| {
                match (asked.get(name), own.get(name)) {
                    (Some(asked), Some(own)) => asked.eq_ignore_ascii_case(own),
                    _ => true,
                }
            })
    };
    all.iter().find(fits).map(|own| whole(own))
}

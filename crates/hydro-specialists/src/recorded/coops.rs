//! Recorded answers of CO-OPS.

use leg_fetch::Response;
use serde_json::{Value, json};

use super::asked::{Asked, agree, overlap, window};
use super::index::Fixture;
use super::{Recorded, whole};

pub(super) fn answer(recorded: &Recorded, asked: &Asked<'_>) -> Option<Response> {
    let all = recorded.of("coops");
    let path = asked.path;
    if path.ends_with("datagetter") {
        return data(&all, asked);
    }
    if let Some(rest) = path.strip_prefix("mdapi/prod/webapi/stations/") {
        return station(&all, asked, rest.trim_end_matches(".json"));
    }
    if path.ends_with("webapi/stations.json") {
        let list = all.iter().find(|own| own.path == path && agree(asked, own, &[("type", "waterlevels")]));
        return list.map(|own| whole(own));
    }
    // `product/.json?name=x`, `product.json?name=x` and `product/x.json` are one.
    let product = |path: &str, name: Option<&str>| {
        let stem = path.rsplit('/').next().unwrap_or_default().trim_end_matches(".json").to_owned();
        match name {
            Some(name) if matches!(stem.as_str(), "" | "product") => name.to_owned(),
            _ => stem,
        }
    };
    let wanted = product(path, asked.get("name"));
    let same = all.iter().filter(|own| {
        own.path.starts_with("dpapi/")
            && product(&own.path, own.get("name")) == wanted
            && agree(asked, own, &[("station", "")])
            && (own.get("year").is_none() || asked.get("year") == own.get("year"))
    });
    // These answers state their units and their datum; the one that was asked for comes first.
    let mut same: Vec<&&Fixture> = same.collect();
    same.sort_by_key(|own| !agree(asked, own, &[("units", "english"), ("datum", "MLLW")]));
    let first = same
        .into_iter()
        .find(|own| wanted != "extremewaterlevels" || agree(asked, own, &[("datum", "MLLW")]))?;
    Some(whole(first))
}

/// Observed and predicted values: everything that decides about the meaning must agree, and the windows must overlap.
fn data(all: &[&Fixture], asked: &Asked<'_>) -> Option<Response> {
    let wanted = window(asked.get("begin_date"), asked.get("end_date"));
    let mut best: Option<(i64, &Fixture)> = None;
    for own in all.iter().filter(|own| own.path.ends_with("datagetter")) {
        let product = asked.get("product");
        let mut names = vec![("station", ""), ("product", ""), ("units", "metric"), ("time_zone", "gmt")];
        if own.get("datum").is_some() {
            names.push(("datum", ""));
        }
        if matches!(product, Some("currents" | "currents_predictions")) && asked.get("bin").is_some() {
            names.push(("bin", "1"));
        }
        let steps =
            |own: Option<&str>| own.map_or("6", |step| if step == "60" { "h" } else { step }).to_owned();
        let same_step =
            product != Some("predictions") || steps(asked.get("interval")) == steps(own.get("interval"));
        if !agree(asked, own, &names) || !same_step {
            continue;
        }
        let shared = match (wanted, window(own.get("begin_date"), own.get("end_date"))) {
            (Some(a), Some(b)) => overlap(a, b),
            (None, None) => Some(0),
            // The newest value of a recording is the one that it holds; a window may hold it or not, which its times tell.
            (Some(_), None) => Some(0).filter(|_| own.get("date").is_some()),
            (None, Some(_)) => None,
        };
        if let Some(shared) = shared
            && best.is_none_or(|(most, _)| shared > most)
        {
            best = Some((shared, own));
        }
    }
    let own = best?.1;
    Some(in_service_form(own).unwrap_or_else(|| whole(own)))
}

/// A series that its source wrote as two lists, in the service's form.
fn in_service_form(own: &Fixture) -> Option<Response> {
    let body = own.json()?;
    let (times, values) = (body.get("times")?.as_array()?, body.get("values")?.as_array()?);
    let rows: Vec<Value> =
        times.iter().zip(values).map(|(t, v)| json!({ "t": t, "v": v.to_string() })).collect();
    let metadata = json!({ "id": own.get("station").unwrap_or_default() });
    Some(Response::json(json!({ "metadata": metadata, "data": rows }).to_string()))
}

/// A station, or a block of it: recorded alone, or inside an expanded station.
fn station(all: &[&Fixture], asked: &Asked<'_>, rest: &str) -> Option<Response> {
    let (id, block) = rest.split_once('/').map_or((rest, None), |(id, block)| (id, Some(block)));
    let of = |own: &&&Fixture| {
        let own = own.path.strip_prefix("mdapi/prod/webapi/stations/")?.trim_end_matches(".json").to_owned();
        Some(
            own.split_once('/')
                .map_or((own.clone(), None), |(id, block)| (id.to_owned(), Some(block.to_owned()))),
        )
    };
    let units = [("units", "english")];
    let mut own: Vec<&&Fixture> =
        all.iter().filter(|own| of(own).is_some_and(|(own, _)| own == id)).collect();
    // Bodies state their units; the one that was asked for comes first, then the one with most in it.
    own.sort_by_key(|own| (!agree(asked, own, &units), own.get("expand").is_none()));
    if let Some(exact) = own.iter().find(|own| of(own).is_some_and(|(_, named)| named.as_deref() == block)) {
        return Some(whole(exact));
    }
    let block = block?;
    let expanded = own.iter().find(|own| own.get("expand").is_some())?.json()?;
    let station = expanded.pointer("/stations/0")?;
    let name = if block == "harcon" { "harmonicConstituents" } else { block };
    let found = station.as_object()?.iter().find(|(own, _)| own.eq_ignore_ascii_case(name))?.1;
    Some(Response::json(found.to_string()))
}

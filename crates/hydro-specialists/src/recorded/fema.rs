//! Recorded answers of the flood hazard layer: by layer and by place.

use leg_fetch::Response;
use serde_json::{Value, json};

use super::asked::Asked;
use super::index::Fixture;
use super::{Recorded, whole};

/// West, south, east, north.
type Bounds = [f64; 4];

/// How near a recorded point must be: what it says holds for its own lot, and no farther.
const NEAR: f64 = 0.005;

/// How much nearer a recorded panel is, as it holds a part of a town.
const PANEL: f64 = 0.01;

pub(super) fn answer(recorded: &Recorded, asked: &Asked<'_>) -> Option<Response> {
    let all = recorded.of("fema");
    let (_, rest) = asked.path.split_once("NFHL/MapServer")?;
    let rest = rest.trim_matches('/');
    if rest.is_empty() {
        return all.iter().find(|own| own.path.ends_with("NFHL/MapServer")).map(|own| whole(own));
    }
    let id = rest.strip_suffix("/query")?;
    let layer: Vec<&&Fixture> =
        all.iter().filter(|own| own.path.ends_with(&format!("MapServer/{id}/query"))).collect();
    if asked
        .get("outFields")
        .is_some_and(|fields| id == "28" && fields.split(',').any(|own| own == "EFF_DATE"))
    {
        return layer.into_iter().find(|own| own.file.contains("error")).map(|own| whole(own));
    }
    if asked.get("geometry").is_none() {
        let page = layer.into_iter().find(|own| {
            own.get("where").is_some()
                && own.get("where") == asked.get("where")
                && own.get("resultOffset").unwrap_or("0") == asked.get("resultOffset").unwrap_or("0")
        });
        return page.map(|own| whole(own));
    }
    let wanted = bounds(asked.get("geometry")?)?;
    // A panel is far larger than a lot.
    let wide = if id == "3" { PANEL } else { 0.0 };
    let widened = [wanted[0] - wide, wanted[1] - wide, wanted[2] + wide, wanted[3] + wide];
    let there =
        layer.iter().find(|own| own.get("geometry").and_then(bounds).is_some_and(|own| meets(own, widened)));
    if let Some(own) = there {
        return Some(within(own, wanted).unwrap_or_else(|| whole(own)));
    }
    // A place with recorded zones is covered, and one without recorded lines in a recorded place has none.
    let known =
        all.iter().any(|own| own.get("geometry").and_then(bounds).is_some_and(|own| meets(own, wanted)));
    match id {
        "0" if known => Some(Response::json(json!({ "count": 1 }).to_string())),
        _ if known => Some(Response::json(json!({ "features": [] }).to_string())),
        _ => None,
    }
}

/// `x,y`, `xmin,ymin,xmax,ymax`, or the JSON of an envelope or a point.
fn bounds(text: &str) -> Option<Bounds> {
    if let Ok(body) = serde_json::from_str::<Value>(text)
        && body.is_object()
    {
        let at = |name: &str| body.get(name).and_then(Value::as_f64);
        return match (at("xmin"), at("x")) {
            (Some(west), _) => Some([west, at("ymin")?, at("xmax")?, at("ymax")?]),
            (None, Some(x)) => Some([x, at("y")?, x, at("y")?]),
            _ => None,
        };
    }
    let numbers: Vec<f64> = text.split(',').map(|one| one.trim().parse().ok()).collect::<Option<_>>()?;
    match numbers.as_slice() {
        [x, y] => Some([*x, *y, *x, *y]),
        [west, south, east, north] => Some([*west, *south, *east, *north]),
        _ => None,
    }
}

/// A point comes as a box without a width.
fn is_point([west, _, east, _]: Bounds) -> bool {
    east <= west
}

fn meets(own: Bounds, asked: Bounds) -> bool {
    // A recorded point stands for its lot; a recorded box for itself.
    let margin = if is_point(own) { NEAR } else { 0.0 };
    asked[0] <= own[2] + margin
        && asked[2] >= own[0] - margin
        && asked[1] <= own[3] + margin
        && asked[3] >= own[1] - margin
}

/// The features of a recorded box that hold a point, where the box has shapes.
fn within(own: &Fixture, asked: Bounds) -> Option<Response> {
    if !is_point(asked) {
        return None;
    }
    let mut body = own.json()?;
    let features = body.get_mut("features")?.as_array_mut()?;
    if !features.iter().any(|feature| feature.pointer("/geometry/coordinates").is_some()) {
        return None;
    }
    features.retain(|feature| {
        let ring = feature.pointer("/geometry/coordinates/0").and_then(Value::as_array);
        ring.is_some_and(|ring| holds(ring, asked[0], asked[1]))
    });
    Some(Response::json(body.to_string()))
}

/// Whether a point lies in a ring: an odd number of edges lies east of it.
fn holds(ring: &[Value], x: f64, y: f64) -> bool {
    let points: Vec<(f64, f64)> =
        ring.iter().filter_map(|point| Some((point.get(0)?.as_f64()?, point.get(1)?.as_f64()?))).collect();
    let edges = points.iter().zip(points.iter().skip(1));
    edges.filter(|(a, b)| (a.1 > y) != (b.1 > y) && x < (b.0 - a.0) * (y - a.1) / (b.1 - a.1) + a.0).count()
        % 2
        == 1
}

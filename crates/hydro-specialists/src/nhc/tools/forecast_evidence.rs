//! The evidence of a forecast: what each hour, and what all cycles of an a-deck, hold.

use std::collections::BTreeSet;

use jiff::civil::DateTime;
use leg_core::EvidenceDraft;
use serde_json::{Value, json};

use super::get_forecast_track::Found;
use super::storm_argument::place;
use crate::nhc::wire::atcf::{self, Line, Lines};
use crate::nhc::wire::features::ForecastPoint;
use crate::question::storms::StormId;

/// Hours of official forecasts.
pub(super) const TAUS: [i32; 14] = [0, 3, 9, 12, 21, 24, 36, 48, 60, 72, 96, 120, 144, 168];

/// The evidence of a forecast of a storm.
pub(super) fn evidence(id: &StormId, name: &str, found: &Found) -> Vec<EvidenceDraft> {
    let origin = found.origin;
    let whole = place(name, id, None);
    let of_storm = |key: &str, value: Value, unit: &str, method: String| {
        let draft = EvidenceDraft::new(key, value, unit, &method).place(whole.clone());
        match found.issued {
            Some(at) => draft.when(format!("{at}Z")),
            None => draft,
        }
    };
    if found.points.is_empty() {
        let text = "There is no official forecast of the storm.";
        return vec![EvidenceDraft::new("no_data", text, "", "answer of the services").place(whole)];
    }
    let at = |key: &str, value: f64, unit: &str, method: &str, index: usize, point: &ForecastPoint| {
        let draft = EvidenceDraft::new(key, value, unit, &format!("{method}, {origin}"))
            .place(place(name, id, point.position))
            .pointer(format!("/content/rows/{index}"));
        match point.valid {
            Some(valid) => draft.when(format!("{valid}Z")),
            None => draft,
        }
    };
    let placed = found.points.iter().filter(|point| point.position.is_some()).count();
    // A count has no time of its own.
    let count = EvidenceDraft::new("n_points", placed, "1", &format!("forecast positions, {origin}"));
    let mut out = vec![count.place(whole.clone())];
    out.push(of_storm("origin", json!(origin), "", "where the forecast comes from".to_owned()));
    if let Some(number) = &found.advisory {
        let value = number.parse::<u32>().map_or_else(|_| json!(number), |number| json!(number));
        out.push(of_storm("advisory_number", value, "1", "number of the advisory".to_owned()));
    }
    if let Some(issued) = found.issued {
        out.push(of_storm(
            "issued",
            json!(format!("{issued}Z")),
            "",
            "when the forecast was issued".to_owned(),
        ));
    }
    let taus: Vec<String> = found.points.iter().filter_map(|point| Some(point.tau?.to_string())).collect();
    out.push(of_storm("taus", json!(taus.join(", ")), "", "hours of the forecast".to_owned()));
    for (index, point) in found.points.iter().enumerate() {
        if point.position.is_none() {
            let mut draft =
                of_storm("dissipated", json!(point.kind), "", "what the last period says".to_owned());
            draft.when = point.valid.map(|valid| format!("{valid}Z")).or(draft.when);
            out.push(draft);
            continue;
        }
        let Some(tau) = point.tau.filter(|tau| TAUS.contains(tau)) else { continue };
        let mut add = |what: &str, value: Option<f64>, unit: &str, method: &str| {
            if let Some(value) = value {
                out.push(at(&format!("at_{tau}h_{what}"), value, unit, method, index, point));
            }
        };
        add("lat", point.position.map(|at| at.0), "degree_north", "forecast latitude");
        add("lon", point.position.map(|at| at.1), "degree_east", "forecast longitude");
        add("wind", point.wind, "knot", "forecast sustained wind");
        add("gust", point.gust, "knot", "forecast gusts");
        add("pressure", point.pressure, "hPa", "forecast central pressure");
    }
    let all = || found.points.iter().enumerate();
    let winds = all().filter_map(|(index, point)| Some((index, point, point.wind?)));
    if let Some((index, point, wind)) = winds.fold(None, keep(|a, b| a > b)) {
        out.push(at("max_wind", wind, "knot", "greatest forecast wind", index, point));
    }
    let pressures = all().filter_map(|(index, point)| Some((index, point, point.pressure?)));
    if let Some((index, point, pressure)) = pressures.fold(None, keep(|a, b| a < b)) {
        out.push(at("min_pressure", pressure, "hPa", "lowest forecast pressure", index, point));
    }
    if let Some(last) = found.points.iter().rfind(|point| point.position.is_some())
        && let Some(tau) = last.tau
    {
        let mut draft =
            of_storm("last_point", json!(tau), "hour", "hours to the last forecast position".to_owned());
        draft.place = Some(place(name, id, last.position));
        draft.when = last.valid.map(|valid| format!("{valid}Z")).or(draft.when);
        out.push(draft);
    }
    out.extend(found.deck.iter().flat_map(|lines| of_cycles(id, name, lines)));
    out
}

type Numbered<'a> = (usize, &'a ForecastPoint, f64);

/// Keeps the first of the best.
fn keep<'a>(
    better: impl Fn(f64, f64) -> bool,
) -> impl FnMut(Option<Numbered<'a>>, Numbered<'a>) -> Option<Numbered<'a>> {
    move |best, next| match best {
        Some(own) if !better(next.2, own.2) => Some(own),
        _ => Some(next),
    }
}

/// What all cycles of an a-deck hold.
fn of_cycles(id: &StormId, name: &str, lines: &Lines) -> Vec<EvidenceDraft> {
    let cycles: BTreeSet<DateTime> = lines.lines.iter().map(|line| line.time).collect();
    let taus: BTreeSet<i32> = lines.lines.iter().map(|line| line.tau).collect();
    let taus: Vec<String> = taus.iter().map(ToString::to_string).collect();
    let draft = |key: &str, value: Value, unit: &str, method: &str| {
        EvidenceDraft::new(key, value, unit, method).place(place(name, id, None))
    };
    let mut out = vec![
        draft("n_lines", json!(lines.count), "1", "lines of the technique OFCL in the a-deck"),
        draft("n_cycles", json!(cycles.len()), "1", "forecast cycles of the technique OFCL in the a-deck"),
        draft("all_taus", json!(taus.join(", ")), "", "hours of the forecasts of all cycles"),
    ];
    for (key, cycle) in [("first_cycle", cycles.first()), ("last_cycle", cycles.last())] {
        if let Some(cycle) = cycle {
            let method = "a forecast cycle of the technique OFCL";
            out.push(draft(key, json!(format!("{cycle}Z")), "", method).when(format!("{cycle}Z")));
        }
    }
    let strongest = lines.lines.iter().filter_map(|line| Some((line, line.wind?))).fold(
        None,
        |best: Option<(&Line, f64)>, next| match best {
            Some(own) if next.1 <= own.1 => Some(own),
            _ => Some(next),
        },
    );
    if let Some((line, wind)) = strongest {
        let method = format!(
            "greatest wind of all forecasts, made in the cycle {}Z for {} hours",
            line.time, line.tau
        );
        let mut one = draft("max_wind_all_cycles", json!(wind), "knot", &method);
        one.when = atcf::valid(line).map(|valid| format!("{valid}Z"));
        one.place = Some(place(name, id, Some((line.lat, line.lon))));
        out.push(one);
    }
    out
}

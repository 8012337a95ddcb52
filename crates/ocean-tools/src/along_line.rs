//! Arrays along a line: their places and their evidence.

use leg_core::{EvidenceDraft, Variable};
use serde_json::json;

use crate::kernels::time_axis::TimeAxis;
use crate::sections::Line;

/// Names of the evidence of an array along a line.
pub(crate) const SECTION_EVIDENCE: [&str; 5] = ["min", "max", "mean", "n", "length"];

/// Longitude and latitude of the places of a line, as arrays along `distance`.
pub(crate) fn places_of(line: &Line) -> Vec<Variable> {
    let side = |name: &str, units: &str, at: usize| Variable {
        name: name.to_owned(),
        standard_name: Some(name.to_owned()),
        units: units.to_owned(),
        dims: vec!["distance".to_owned()],
        shape: vec![line.faces.len()],
        values: line.faces.iter().map(|face| face.place[at]).collect(),
    };
    vec![side("longitude", "degrees_east", 0), side("latitude", "degrees_north", 1)]
}

/// Extremes with their places, mean weighted by width and thickness, count, and the length of the line, of an array
/// `(time, depth, distance)` of which time and depth may be absent. `levels` are depths and thicknesses.
pub(crate) fn evidence_of(
    line: &Line,
    time: Option<&TimeAxis>,
    levels: Option<(&[f64], &[f64])>,
    variable: &Variable,
    method: &str,
) -> Vec<EvidenceDraft> {
    let (values, units) = (&variable.values, variable.units.as_str());
    let faces = line.faces.len();
    let depths = levels.map_or(1, |levels| levels.0.len());
    let split = |at: usize| (at / (depths * faces), at / faces % depths, at % faces);
    let present = || values.iter().copied().enumerate().filter(|(_, value)| !value.is_nan());
    let (n, sum, total) = present().fold((0_usize, 0.0, 0.0), |(n, sum, total), (at, value)| {
        let (_, z, face) = split(at);
        let weight = line.faces[face].width * levels.map_or(1.0, |levels| levels.1[z]);
        (n + 1, sum + value * weight, total + weight)
    });
    let extreme = |name: &str, how: &str, better: fn(f64, f64) -> bool| {
        let method = format!("{how} of the {method}");
        let best = present().reduce(|best, own| if better(own.1, best.1) { own } else { best });
        let Some((at, value)) = best else { return EvidenceDraft::new(name, f64::NAN, units, &method) };
        let (t, z, face) = split(at);
        let [lon, lat] = line.faces[face].place;
        let mut place = json!({"lon": lon, "lat": lat});
        if let Some((depths, _)) = levels {
            place["depth"] = json!(depths[z]);
        }
        let draft = EvidenceDraft::new(name, value, units, &method).pointer(format!("/values/{at}"));
        let draft = draft.place(place);
        match time {
            Some(time) => draft.when(time.label(t)),
            None => draft,
        }
    };
    let mean = if total > 0.0 { sum / total } else { f64::NAN };
    let length: f64 = line.faces.iter().map(|face| face.width).sum();
    let how = format!("mean of the {method}, weighted by width and thickness");
    vec![
        extreme("min", "smallest value", |own, best| own < best),
        extreme("max", "largest value", |own, best| own > best),
        EvidenceDraft::new("mean", mean, units, &how).n(n),
        EvidenceDraft::new("n", n as u64, "1", &format!("number of values of the {method}")),
        EvidenceDraft::new("length", length / 1000.0, "km", "length of the line"),
    ]
}

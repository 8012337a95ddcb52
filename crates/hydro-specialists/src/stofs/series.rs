//! [`Levels`]: a series of forecast levels with its evidence.

use jiff::civil::DateTime;
use leg_core::{Artifact, Coord, EvidenceDraft, Kind, ToolOutput, Variable};
use serde_json::{Value, json};

use super::cycle::Cycle;
use super::model::{Model, Product};

/// The evidence that a series of levels may give.
pub(crate) const EVIDENCE: [&str; 12] = [
    "max",
    "min",
    "mean",
    "first",
    "last",
    "n",
    "n_times",
    "n_missing",
    "step",
    "station",
    "cycle",
    "no_data",
];

/// A series of forecast levels at a place.
#[derive(Debug)]
pub(crate) struct Levels {
    pub(crate) model: Model,
    pub(crate) product: Product,
    pub(crate) cycle: Cycle,
    /// What the levels are above.
    pub(crate) datum: &'static str,
    /// Station or node, name, coordinates.
    pub(crate) place: Value,
    pub(crate) times: Vec<DateTime>,
    pub(crate) values: Vec<Option<f64>>,
}

/// A level as the files have it: they hold tenths of a millimetre at most.
pub(crate) fn rounded(value: f64) -> f64 {
    let rounded = (value * 1e4).round() / 1e4;
    // Minus nothing is nothing.
    if rounded == 0.0 { 0.0 } else { rounded }
}

impl Levels {
    /// The series, its evidence, and what a reader must know.
    pub(crate) fn into_output(self) -> ToolOutput {
        let valid: Vec<(usize, f64)> =
            self.values.iter().enumerate().filter_map(|(at, value)| Some((at, (*value)?))).collect();
        let mut evidence = self.statistics(&valid);
        let text = format!("{} {}", self.cycle.date, format_args!("{:02}z", self.cycle.hour));
        evidence.push(
            self.draft("cycle", text, "", "cycle of the forecast: date and hour, UTC")
                .when(self.cycle.when()),
        );
        evidence.push(self.draft("n", valid.len(), "1", "number of values"));
        evidence.push(self.draft("n_times", self.times.len(), "1", "number of times of the forecast"));
        let missing = self.values.len() - valid.len();
        evidence.push(self.draft(
            "n_missing",
            missing,
            "1",
            "number of times without a value: dry, or masked",
        ));
        if let [first, second, ..] = self.times.as_slice() {
            let seconds = first.duration_until(*second).as_secs();
            evidence.push(self.draft("step", seconds, "s", "time between values"));
        }
        if let Some(name) = self.place.get("name").and_then(Value::as_str).filter(|name| !name.is_empty()) {
            evidence.push(self.draft("station", name, "", "name of the station in the file"));
        }
        if valid.is_empty() {
            let said = "every value of the series stands for none (dry or masked)";
            evidence.push(self.draft("no_data", said, "", "values of the file"));
        }
        let notes = vec![self.datum_note()];
        ToolOutput::of(self.artifact()).with_evidence(evidence).with_notes(notes)
    }

    /// What the levels are above, and that the file says otherwise.
    pub(crate) fn datum_note(&self) -> String {
        format!(
            "{} levels of this file are above {}; the name `above_geoid` in the file is not right",
            self.model.title(),
            self.datum
        )
    }

    fn statistics(&self, valid: &[(usize, f64)]) -> Vec<EvidenceDraft> {
        let (Some(first), Some(last)) = (valid.first(), valid.last()) else { return Vec::new() };
        let max = valid.iter().fold(first, |best, next| if next.1 > best.1 { next } else { best });
        let min = valid.iter().fold(first, |best, next| if next.1 < best.1 { next } else { best });
        let what = format!("{} of the {} cycle {}", self.product.words(), self.model.title(), self.cycle);
        let at = |name: &str, (index, value): &(usize, f64), which: &str| {
            let draft = self.draft(name, rounded(*value), "m", &format!("{which} {what}"));
            let draft = draft.datum(self.datum).pointer(format!("/values/{index}"));
            self.times.get(*index).map(|time| format!("{time}Z")).into_iter().fold(draft, EvidenceDraft::when)
        };
        let mean = valid.iter().map(|(_, value)| value).sum::<f64>() / valid.len() as f64;
        let mean =
            self.draft("mean", rounded(mean), "m", &format!("mean {what}")).datum(self.datum).n(valid.len());
        let period = self.times.first().zip(self.times.last()).map(|(a, b)| format!("{a}Z/{b}Z"));
        vec![
            at("max", max, "highest forecast"),
            at("min", min, "lowest forecast"),
            at("first", first, "first forecast"),
            at("last", last, "last forecast"),
            period.into_iter().fold(mean, EvidenceDraft::when),
        ]
    }

    fn draft(&self, name: &str, value: impl Into<Value>, unit: &str, method: &str) -> EvidenceDraft {
        EvidenceDraft::new(name, value, unit, method).place(self.place.clone())
    }

    fn artifact(&self) -> Artifact {
        let variable = Variable {
            name: "water_level".to_owned(),
            standard_name: Some("water_surface_height_above_reference_datum".to_owned()),
            units: "m".to_owned(),
            dims: vec!["time".to_owned()],
            shape: vec![self.values.len()],
            values: self.values.iter().map(|value| value.unwrap_or(f64::NAN)).collect(),
        };
        let mut artifact = Artifact::array(Kind::Series, "water_level", variable)
            .with_coord("time", Coord::texts(self.times.iter().map(|time| format!("{time}Z"))))
            .with_attribute("datum", self.datum)
            .with_attribute("product", self.product.as_str())
            .with_attribute("model", self.model.title())
            .with_attribute("cycle", self.cycle.to_string());
        for (name, unit, standard) in
            [("lon", "degrees_east", "longitude"), ("lat", "degrees_north", "latitude")]
        {
            if let Some(number) = self.place.get(name).and_then(Value::as_f64) {
                artifact = artifact.with_coord(name, Coord::numbers(&[number], unit, standard));
            }
        }
        for name in ["station", "name", "node"] {
            if let Some(value) = self.place.get(name) {
                artifact = artifact.with_attribute(name, value.clone());
            }
        }
        artifact
    }
}

/// An answer without data: the file, or the cycle, is not there. It is an answer and no failure.
pub(crate) fn nothing(kind: Kind, said: &str) -> ToolOutput {
    let artifact = if kind == Kind::Series {
        let variable = Variable {
            name: "water_level".to_owned(),
            standard_name: None,
            units: "m".to_owned(),
            dims: vec!["time".to_owned()],
            shape: vec![0],
            values: Vec::new(),
        };
        Artifact::array(kind, "water_level", variable)
            .with_coord("time", Coord::texts(std::iter::empty::<&str>()))
    } else {
        Artifact::document(kind, "forecast", json!({ "no_data": said }))
    };
    ToolOutput::of(artifact).with_evidence([EvidenceDraft::new("no_data", said, "", "answer of the bucket")])
}

//! [`Series`]: values at times, with the evidence that follows from them.

use leg_core::{Artifact, Coord, EvidenceDraft, Kind, Variable};
use serde_json::Value;

/// Values of one quantity, one a time.
#[derive(Debug, Clone)]
pub(crate) struct Column {
    pub(crate) name: &'static str,
    pub(crate) standard_name: Option<&'static str>,
    pub(crate) unit: String,
    pub(crate) values: Vec<Option<f64>>,
}

impl Column {
    pub(crate) fn new(name: &'static str, unit: &str, values: Vec<Option<f64>>) -> Self {
        Self { name, standard_name: None, unit: unit.to_owned(), values }
    }
}

/// Values at times; the first column is the primary one.
#[derive(Debug, Clone)]
pub(crate) struct Series {
    /// Instants or days, as evidence writes them.
    pub(crate) times: Vec<String>,
    pub(crate) columns: Vec<Column>,
    pub(crate) datum: Option<String>,
    pub(crate) place: Value,
}

impl Series {
    /// First, last, mean, least and largest value of a column. Of equal extremes the first counts. With a prefix the names are
    /// `<prefix>_max` and so on.
    pub(crate) fn statistics(&self, column: usize, prefix: &str, what: &str) -> Vec<EvidenceDraft> {
        let Some(own) = self.columns.get(column) else { return Vec::new() };
        let valid: Vec<(usize, f64)> =
            own.values.iter().enumerate().filter_map(|(at, value)| Some((at, (*value)?))).collect();
        let (Some(first), Some(last)) = (valid.first(), valid.last()) else { return Vec::new() };
        let max = valid.iter().fold(first, |best, next| if next.1 > best.1 { next } else { best });
        let min = valid.iter().fold(first, |best, next| if next.1 < best.1 { next } else { best });
        let mean = valid.iter().map(|(_, value)| value).sum::<f64>() / valid.len() as f64;
        let name = |own: &str| if prefix.is_empty() { own.to_owned() } else { format!("{prefix}_{own}") };
        let draft = |short: &str, value: f64, method: String| {
            let draft = EvidenceDraft::new(&name(short), value, &own.unit, &method).place(self.place.clone());
            self.datum.iter().fold(draft, |draft, datum| draft.datum(datum.as_str()))
        };
        let at = |short: &str, (index, value): &(usize, f64), method: String| {
            let mut draft = draft(short, *value, method);
            if column == 0 {
                draft = draft.pointer(format!("/values/{index}"));
            }
            self.times.get(*index).into_iter().fold(draft, |draft, time| draft.when(time.as_str()))
        };
        let over = match (self.times.get(first.0), self.times.get(last.0)) {
            (Some(begin), Some(end)) if begin != end => Some(format!("{begin}/{end}")),
            (begin, _) => begin.cloned(),
        };
        let mean = draft("mean", mean, format!("mean of each {what}")).n(valid.len());
        vec![
            at("first", first, format!("first {what}")),
            at("last", last, format!("last {what}")),
            over.into_iter().fold(mean, EvidenceDraft::when),
            at("min", min, format!("lowest {what}")),
            at("max", max, format!("highest {what}")),
        ]
    }

    /// How many values the primary column has, and how many of its times are without one.
    pub(crate) fn counts(&self, what: &str) -> Vec<EvidenceDraft> {
        let values = self.columns.first().map(|column| column.values.as_slice()).unwrap_or_default();
        let n = values.iter().flatten().count();
        let draft = |name: &str, value: usize, method: String| {
            EvidenceDraft::new(name, value, "1", &method).place(self.place.clone())
        };
        vec![
            draft("n", n, format!("number of values: {what}")),
            draft("n_missing", values.len() - n, format!("number of times without a value: {what}")),
        ]
    }

    /// The series as an artifact.
    pub(crate) fn artifact(&self, name: &str) -> Artifact {
        let mut variables = self.columns.iter().map(|column| Variable {
            name: column.name.to_owned(),
            standard_name: column.standard_name.map(str::to_owned),
            units: column.unit.clone(),
            dims: vec!["time".to_owned()],
            shape: vec![column.values.len()],
            values: column.values.iter().map(|value| value.unwrap_or(f64::NAN)).collect(),
        });
        let empty = || Variable {
            name: name.to_owned(),
            standard_name: None,
            units: "1".to_owned(),
            dims: vec!["time".to_owned()],
            shape: vec![0],
            values: Vec::new(),
        };
        let primary = variables.next().unwrap_or_else(empty);
        let mut artifact = Artifact::array(Kind::Series, name, primary)
            .with_coord("time", Coord::texts(self.times.iter().cloned()));
        for variable in variables {
            artifact = artifact.with_variable(variable);
        }
        if let Some(datum) = &self.datum {
            artifact = artifact.with_attribute("datum", datum.as_str());
        }
        for (key, attribute) in [("station", "station"), ("name", "station_name")] {
            if let Some(text) = self.place.get(key).and_then(Value::as_str) {
                artifact = artifact.with_attribute(attribute, text);
            }
        }
        artifact
    }
}

//! [`TidalFit`]: the tide of a series, as the tools that fit it or take it out share it.

use std::borrow::Cow;

use leg_core::ToolError;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Deserializer};
use serde_json::{Value, json};

use crate::kernels::correlation::pairs;
use crate::kernels::tide::argument::find;
use crate::kernels::tide::constituents::Constituent;
use crate::kernels::tide::harmonics::{self, Harmonics, Model};
use crate::series::Series;

/// Which constituents are fitted: `"auto"`, those that the record can tell apart, or names.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Constituents(Option<Vec<String>>);

impl<'de> Deserialize<'de> for Constituents {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let wrong = |found: &Value| {
            serde::de::Error::custom(format!(
                "constituents is {found}; write \"auto\" or names, such as [\"M2\", \"S2\", \"K1\", \"O1\"]"
            ))
        };
        match Value::deserialize(deserializer)? {
            Value::String(text) if text == "auto" => Ok(Self(None)),
            Value::Array(list) if !list.is_empty() => {
                let name = |own: &Value| own.as_str().map(str::to_owned).ok_or_else(|| wrong(own));
                Ok(Self(Some(list.iter().map(name).collect::<Result<_, _>>()?)))
            }
            other => Err(wrong(&other)),
        }
    }
}

impl JsonSchema for Constituents {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Constituents".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let names = json!({"type": "array", "minItems": 1, "items": {"type": "string"}});
        Schema::try_from(json!({"oneOf": [{"const": "auto"}, names]})).unwrap_or_default()
    }
}

/// What a fit is asked for.
#[derive(Debug, Clone)]
pub(crate) struct Ask<'a> {
    pub(crate) constituents: &'a Constituents,
    /// Degrees north, for the nodal corrections.
    pub(crate) latitude: f64,
    pub(crate) nodal: bool,
    pub(crate) trend: bool,
    /// Cycles of the record that `auto` wants between neighbours.
    pub(crate) rayleigh: f64,
}

/// A fit and the values it is of.
#[derive(Debug)]
pub(crate) struct TidalFit {
    pub(crate) harmonics: Harmonics,
    /// Times of all values, days since 1970-01-01.
    pub(crate) days: Vec<f64>,
    /// How many values were used.
    pub(crate) n: usize,
    /// What a reader must know.
    pub(crate) notes: Vec<String>,
}

impl TidalFit {
    /// Fits the tide of a series; its times are UTC.
    ///
    /// # Errors
    /// A latitude off the globe, another calendar than the civil one, unknown constituents, too short a record.
    pub(crate) fn of(series: &Series, ask: &Ask<'_>) -> Result<Self, ToolError> {
        if !(-90.0..=90.0).contains(&ask.latitude) {
            return Err(ToolError::invalid(format!(
                "latitude is {}; it must be from -90 to 90 degrees north",
                ask.latitude
            )));
        }
        if !series.axis.calendar().is_civil() {
            return Err(ToolError::invalid(format!(
                "moon and sun keep no `{}` calendar; tides need real dates",
                series.axis.calendar().name()
            )));
        }
        let days: Vec<f64> = series.axis.unix_seconds().iter().map(|own| own / 86_400.0).collect();
        let (t, y) = pairs(&days, &series.values);
        let (first, last) = match (t.first(), t.last()) {
            (Some(first), Some(last)) if last > first => (*first, *last),
            _ => return Err(ToolError::no_data("the series has fewer than two values, so it has no tide")),
        };
        let constituents = choose(ask, first, last)?;
        let notes = notes(&constituents, first, last);
        let latitude = ask.nodal.then_some(ask.latitude);
        let model = Model { constituents, latitude, trend: ask.trend };
        let harmonics =
            harmonics::fit(&t, &y, &model).map_err(|error| ToolError::no_data(error.to_string()))?;
        Ok(Self { harmonics, days, n: t.len(), notes })
    }

    /// What is left of each value without mean, line and tide; missing where the value is.
    pub(crate) fn residual(&self, values: &[f64]) -> Vec<f64> {
        let rest = |(value, day): (&f64, &f64)| {
            if value.is_nan() {
                *value
            } else {
                value - self.harmonics.level(*day) - self.harmonics.tide(*day)
            }
        };
        values.iter().zip(&self.days).map(rest).collect()
    }
}

fn choose(ask: &Ask<'_>, first: f64, last: f64) -> Result<Vec<&'static Constituent>, ToolError> {
    let Some(names) = &ask.constituents.0 else {
        let found = harmonics::separable(first, last, ask.rayleigh);
        if found.is_empty() {
            return Err(ToolError::no_data(format!(
                "a record of {:.1} days tells no constituents apart; take at least 2 days, or name constituents",
                last - first
            )));
        }
        return Ok(found);
    };
    let unknown = harmonics::unknown(names);
    if !unknown.is_empty() {
        return Err(ToolError::invalid(format!(
            "unknown constituents: {}; names are such as M2, S2, N2, K2, K1, O1, P1, Q1, MF, MM, SSA, SA, M4, MS4",
            unknown.join(", ")
        )));
    }
    let mut found: Vec<&'static Constituent> = Vec::new();
    for own in names.iter().filter_map(|name| find(name)) {
        if found.iter().all(|before| before.name != own.name) {
            found.push(own);
        }
    }
    Ok(found)
}

fn notes(constituents: &[&'static Constituent], first: f64, last: f64) -> Vec<String> {
    let crowded = harmonics::crowded(constituents, first, last);
    if crowded.is_empty() {
        return Vec::new();
    }
    let pairs: Vec<String> = crowded.iter().map(|[a, b]| format!("{a} and {b}")).collect();
    vec![format!(
        "{:.1} days are too short to tell apart {} (Rayleigh criterion); their amplitudes are uncertain",
        last - first,
        pairs.join(", ")
    )]
}

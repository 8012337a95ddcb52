//! [`Series`]: a series between its artifact and the kernels.

use std::collections::BTreeMap;

use leg_core::{Artifact, Coord, Kind, ToolContext, ToolError, ToolErrorKind, Variable};
use ocean_data::Field;
use ocean_data::cf::Calendar;
use serde_json::{Value, json};

use crate::argument::ArtifactArgument;
use crate::kernels::time_axis::{TimeAxis, TimeStep};

/// Values along time with their names.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Series {
    /// What it is of, such as `sea_surface_temperature`.
    pub(crate) name: String,
    /// CF standard name.
    pub(crate) standard_name: Option<String>,
    /// CF units.
    pub(crate) units: String,
    /// Times.
    pub(crate) axis: TimeAxis,
    /// Values; NaN is missing.
    pub(crate) values: Vec<f64>,
    /// Further facts.
    pub(crate) attributes: BTreeMap<String, Value>,
}

impl Series {
    /// Reads the series that an argument names.
    ///
    /// # Errors
    /// When it is no series.
    pub(crate) fn read(argument: &ArtifactArgument, context: &ToolContext) -> Result<Self, ToolError> {
        let hint = "make one with `compute_area_weighted_mean`, `extract_point_timeseries` or `compute_climate_index`";
        Self::from_artifact(&argument.read_kind(context, Kind::Series, hint)?)
    }

    /// Takes the main array of an artifact of kind `series`.
    ///
    /// # Errors
    /// When it has no one-dimensional array or no usable times.
    pub(crate) fn from_artifact(artifact: &Artifact) -> Result<Self, ToolError> {
        let bad = |what: &str| {
            ToolError::new(
                ToolErrorKind::BadData,
                format!("series `{}` {what}; make it again", artifact.name),
            )
        };
        let variable = artifact.primary().ok_or_else(|| bad("has no array"))?;
        if variable.dims.len() != 1 {
            return Err(bad("is not one-dimensional"));
        }
        let time = artifact.coords.get("time").ok_or_else(|| bad("has no times"))?;
        let texts: Vec<&str> = time.values.iter().filter_map(Value::as_str).collect();
        if texts.len() != variable.values.len() {
            return Err(bad("has not one time for each value"));
        }
        let calendar = time.calendar.as_deref().unwrap_or("standard");
        let calendar = Calendar::parse(calendar).map_err(|error| ToolError::invalid(error.to_string()))?;
        let axis =
            TimeAxis::parse(calendar, &texts).map_err(|error| ToolError::invalid(error.to_string()))?;
        let step = artifact.attributes.get("time_step").and_then(Value::as_str).map(TimeStep::from_iso);
        Ok(Self {
            name: artifact.name.clone(),
            standard_name: variable.standard_name.clone(),
            units: variable.units.clone(),
            axis: axis.with_step(step.unwrap_or(TimeStep::Unknown)),
            values: variable.values.clone(),
            attributes: artifact.attributes.clone(),
        })
    }

    /// The artifact: values, times, the period of each value where it has one, and the facts.
    pub(crate) fn to_artifact(&self) -> Artifact {
        let variable = along_time(&self.name, &self.units, self.values.clone(), self.standard_name.clone());
        let mut artifact = with_times(Artifact::array(Kind::Series, self.name.clone(), variable), &self.axis);
        artifact.attributes.extend(self.attributes.clone());
        if let Some(step) = self.axis.step().to_iso() {
            artifact.attributes.insert("time_step".to_owned(), json!(step));
        }
        artifact
    }
}

/// An array along time.
pub(crate) fn along_time(
    name: &str,
    units: &str,
    values: Vec<f64>,
    standard_name: Option<String>,
) -> Variable {
    Variable {
        name: name.to_owned(),
        standard_name,
        units: units.to_owned(),
        dims: vec!["time".to_owned()],
        shape: vec![values.len()],
        values,
    }
}

/// Adds the times, and `period` where each value stands for a calendar period.
pub(crate) fn with_times(artifact: Artifact, axis: &TimeAxis) -> Artifact {
    let calendar = axis.calendar();
    let time = Coord {
        standard_name: Some("time".to_owned()),
        calendar: (!calendar.is_civil()).then(|| calendar.name().to_owned()),
        ..Coord::texts(axis.to_iso())
    };
    let artifact = artifact.with_coord("time", time);
    if matches!(axis.step(), TimeStep::Months(_)) {
        return artifact.with_coord("period", Coord::texts((0..axis.len()).map(|index| axis.label(index))));
    }
    artifact
}

/// The times of a field, with the step of the whole record, so that a season or a month a year keeps it.
///
/// # Errors
/// When the field has no time axis.
pub(crate) fn axis_of(field: &Field) -> Result<TimeAxis, ToolError> {
    let times = field.times().ok_or_else(|| {
        ToolError::invalid(format!(
            "`{}` has no time axis, so it makes no series; choose another variable",
            field.name()
        ))
    })?;
    let axis = TimeAxis::new(times.calendar, times.dates.clone())
        .map_err(|error| ToolError::new(ToolErrorKind::BadData, error.to_string()))?;
    Ok(axis.with_step(native_step(field)))
}

/// Units of a field; `1` when the data state none.
pub(crate) fn units_of(field: &Field) -> String {
    if field.units().is_empty() { "1".to_owned() } else { field.units().to_owned() }
}

fn native_step(field: &Field) -> TimeStep {
    let whole = ocean_data::Selection::of(field.name());
    let Ok(all) = std::sync::Arc::clone(field.dataset()).select(&whole) else { return TimeStep::Unknown };
    all.times()
        .and_then(|times| TimeAxis::new(times.calendar, times.dates.clone()).ok())
        .map_or(TimeStep::Unknown, |axis| axis.step())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn series(calendar: Calendar, step: TimeStep) -> Series {
        let axis = TimeAxis::parse(calendar, &["2000-02-28T00:00:00", "2001-02-28T00:00:00"]).unwrap();
        Series {
            name: "sst".to_owned(),
            standard_name: Some("sea_surface_temperature".to_owned()),
            units: "degC".to_owned(),
            axis: axis.with_step(step),
            values: vec![1.0, f64::NAN],
            attributes: BTreeMap::from([("method".to_owned(), json!("mean"))]),
        }
    }

    #[test]
    fn comes_back_from_its_artifact_with_its_step() {
        for (calendar, step) in [
            (Calendar::Standard, TimeStep::Months(1)),
            (Calendar::Day360, TimeStep::Months(12)),
            (Calendar::NoLeap, TimeStep::Seconds(86_400)),
        ] {
            let series = series(calendar, step);
            let artifact = series.to_artifact();
            let back = Series::from_artifact(&artifact).unwrap();
            assert_eq!((back.axis, back.name, back.units), (series.axis, series.name, series.units));
            assert!(back.values[1].is_nan());
            let time = &artifact.coords["time"];
            assert_eq!(time.calendar.is_some(), !calendar.is_civil());
            assert_eq!(time.values[0].as_str().unwrap().ends_with('Z'), calendar.is_civil());
            assert_eq!(artifact.coords.contains_key("period"), matches!(step, TimeStep::Months(_)));
        }
        let monthly = series(Calendar::Standard, TimeStep::Months(1)).to_artifact();
        assert_eq!(monthly.coords["period"].values, [json!("2000-02"), json!("2001-02")]);
    }

    #[test]
    fn what_is_no_series_is_named() {
        let mut artifact = series(Calendar::Standard, TimeStep::Unknown).to_artifact();
        artifact.coords.remove("time");
        let error = Series::from_artifact(&artifact).unwrap_err();
        assert!(error.message.contains("`sst` has no times"), "{}", error.message);
    }
}

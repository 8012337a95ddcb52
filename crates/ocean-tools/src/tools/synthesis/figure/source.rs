//! [`Source`]: an artifact as its charts read it.

use leg_core::{Artifact, Coord, ToolError, ToolErrorKind, Variable};
use ocean_chart::{Along, Bands, ChartError, Colours, Contours, Norm, Palette, Shading, TimeAxis};
use ocean_data::cf;
use serde_json::Value;

use super::look::Look;
use crate::kernels::time_axis;
use crate::series::Series;

/// An artifact and what was chosen of its chart.
#[derive(Debug, Clone, Copy)]
pub(super) struct Source<'a> {
    pub(super) artifact: &'a Artifact,
    pub(super) look: &'a Look,
}

/// A coordinate of an array, as charts take it.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Axis {
    pub(super) measure: Measure,
    pub(super) values: Vec<f64>,
    /// What each place is called.
    pub(super) names: Vec<String>,
}

/// What a coordinate measures.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Measure {
    Time(ocean_chart::Calendar),
    Longitude,
    Latitude,
    /// Metres, positive downwards.
    Depth,
    /// Kilometres.
    Distance,
    /// Texts; the values are 1, 2, 3 …
    Names(String),
    Number {
        label: String,
        units: String,
    },
}

impl<'a> Source<'a> {
    /// The array to draw.
    ///
    /// # Errors
    /// When there is none of that name, or none at all.
    pub(super) fn main(&self) -> Result<&'a Variable, ToolError> {
        let Some(wanted) = &self.look.options.variable else {
            return self.artifact.primary().ok_or_else(|| self.lacks("an array"));
        };
        self.artifact.variable(wanted).ok_or_else(|| {
            let names: Vec<&str> =
                self.artifact.variables.iter().map(|variable| variable.name.as_str()).collect();
            ToolError::invalid(format!(
                "`{}` has no array `{wanted}`; choose one of: {}",
                self.artifact.name,
                names.join(", ")
            ))
        })
    }

    /// The place on a further axis.
    pub(super) fn at(&self) -> usize {
        self.look.options.at.unwrap_or(0)
    }

    /// The arrays along exactly these dimensions, in any order.
    pub(super) fn along(&self, dims: &[&str]) -> impl Iterator<Item = &'a Variable> + use<'a> {
        let artifact = self.artifact;
        let dims: Vec<String> = dims.iter().map(|dim| (*dim).to_owned()).collect();
        artifact.variables.iter().filter(move |variable| {
            variable.dims.len() == dims.len() && dims.iter().all(|dim| variable.dims.contains(dim))
        })
    }

    /// The array of a name, if it has as many values.
    pub(super) fn named(&self, names: &[&str], length: usize) -> Option<&'a Variable> {
        let all = names.iter().filter_map(|name| self.artifact.variable(name));
        all.into_iter().find(|variable| variable.values.len() == length)
    }

    /// A fact of the result: an attribute, or a member of its document.
    pub(super) fn fact(&self, key: &str) -> Option<&'a Value> {
        fact(self.artifact, key)
    }

    /// The coordinate along a dimension; places are counted where there is none.
    pub(super) fn axis(&self, dim: &str, length: usize) -> Result<Axis, ToolError> {
        let Some(coord) = self.artifact.coords.get(dim).filter(|coord| coord.values.len() == length) else {
            let values: Vec<f64> = (1..=length).map(|place| place as f64).collect();
            let measure = Measure::Number { label: people(dim), units: String::new() };
            let names = values.iter().map(|value| format!("{} {value}", people(dim))).collect();
            return Ok(Axis { measure, values, names });
        };
        if coord.values.iter().all(Value::is_string) && length > 0 {
            return self.text_axis(dim, coord);
        }
        let mut values = numbers(coord);
        let units = coord.units.clone().unwrap_or_default();
        let what = coord.standard_name.as_deref().unwrap_or(dim);
        let measure = match (what, dim, units.as_str()) {
            ("longitude", _, _) | (_, "lon" | "longitude", _) => Measure::Longitude,
            ("latitude", _, _) | (_, "lat" | "latitude", _) => Measure::Latitude,
            ("depth", _, _) | (_, "depth" | "lev" | "level", "m") => Measure::Depth,
            (_, _, "km") if what.contains("distance") => Measure::Distance,
            (_, _, "m") if what.contains("distance") => {
                for value in &mut values {
                    *value /= 1000.0;
                }
                Measure::Distance
            }
            _ => Measure::Number { label: people(dim), units },
        };
        if measure == Measure::Depth && values.iter().all(|depth| *depth <= 0.0) {
            for depth in &mut values {
                *depth = depth.abs();
            }
        }
        let unit = match &measure {
            Measure::Longitude => "°E".to_owned(),
            Measure::Latitude => "°N".to_owned(),
            Measure::Depth => " m".to_owned(),
            Measure::Distance => " km".to_owned(),
            Measure::Number { units, .. } if !units.is_empty() && units != "1" => format!(" {units}"),
            _ => String::new(),
        };
        let names = values.iter().map(|value| format!("{value}{unit}")).collect();
        Ok(Axis { measure, values, names })
    }

    fn text_axis(&self, dim: &str, coord: &Coord) -> Result<Axis, ToolError> {
        let texts: Vec<&str> = coord.values.iter().filter_map(Value::as_str).collect();
        let is_time = dim == "time" || coord.standard_name.as_deref() == Some("time");
        let names = texts.iter().map(|text| (*text).to_owned()).collect();
        if !is_time {
            let values = (1..=texts.len()).map(|place| place as f64).collect();
            return Ok(Axis { measure: Measure::Names(people(dim)), values, names });
        }
        let calendar = coord.calendar.as_deref().unwrap_or("standard");
        let parsed = cf::Calendar::parse(calendar).map_err(|error| ToolError::invalid(error.to_string()))?;
        let axis = time_axis::TimeAxis::parse(parsed, &texts).map_err(|error| {
            ToolError::new(ToolErrorKind::BadData, format!("`{}`: {error}", self.artifact.name))
        })?;
        let measure = Measure::Time(ocean_chart::Calendar::from_cf(parsed.name()));
        Ok(Axis { measure, values: axis.unix_seconds(), names })
    }

    /// The name of a quantity for people.
    pub(super) fn quantity(&self, variable: &Variable) -> String {
        let is_main = self.artifact.primary().is_some_and(|main| main.name == variable.name);
        people(if is_main { &self.artifact.name } else { &variable.name })
    }

    /// The colours of an array: those chosen, else those of its quantity.
    pub(super) fn colours(&self, variable: &Variable) -> Colours<'static> {
        let palette = match self.look.palette.0 {
            Palette::Auto => self.palette_of(variable),
            chosen => chosen,
        };
        let options = &self.look.options;
        let is_log = options
            .logarithmic
            .unwrap_or_else(|| palette == Palette::Algae && spans_decades(&variable.values));
        Colours {
            palette,
            range: self.look.colour_range(),
            norm: if is_log { Norm::Log } else { Norm::Linear },
            bands: options.bands.map_or(Bands::None, Bands::About),
        }
    }

    fn palette_of(&self, variable: &Variable) -> Palette {
        let method = self.fact("method").and_then(Value::as_str).unwrap_or_default();
        let is_signed = ["anomaly", "trend", "slope", "difference"].iter().any(|word| method.contains(word));
        if is_signed && !variable.values.iter().all(|value| value.is_nan() || *value >= 0.0) {
            return Palette::Balance;
        }
        let names = [
            Some(variable.name.as_str()),
            Some(self.artifact.name.as_str()),
            variable.standard_name.as_deref(),
        ];
        let found = names.into_iter().flatten().map(|name| Palette::for_quantity(name, &variable.units));
        found.into_iter().find(|palette| *palette != Palette::Auto).unwrap_or_default()
    }

    /// How values between cells are drawn.
    pub(super) fn shading(&self) -> Shading {
        if self.look.options.smooth { Shading::Smooth } else { Shading::Cells }
    }

    /// The contour lines chosen, or those usual for a chart.
    pub(super) fn contours(&self, is_usual: bool) -> Vec<Contours<'a>> {
        match &self.look.options.contours {
            Some(levels) if levels.is_empty() => Vec::new(),
            Some(levels) => vec![Contours { levels, ..Contours::default() }],
            None if is_usual => vec![Contours::default()],
            None => Vec::new(),
        }
    }

    /// The smaller line under the title.
    pub(super) fn subtitle(&self) -> String {
        subtitle(self.artifact)
    }

    /// An artifact that has not what its chart needs.
    pub(super) fn lacks(&self, what: &str) -> ToolError {
        let Artifact { name, kind, .. } = self.artifact;
        let message = format!(
            "{kind} `{name}` lacks {what}, which its chart needs; make it again, or choose another `kind`"
        );
        ToolError::new(ToolErrorKind::BadData, message)
    }
}

impl Axis {
    /// The axis as a side of a section or a Hovmöller diagram.
    pub(super) fn along(&self) -> Along<'_> {
        let values = &self.values;
        match &self.measure {
            Measure::Time(calendar) => Along::Time { time: TimeAxis::Seconds(*calendar), values },
            Measure::Longitude => Along::Longitude(values),
            Measure::Latitude => Along::Latitude(values),
            Measure::Depth => Along::Depth(values),
            Measure::Distance => Along::Distance(values),
            Measure::Names(label) if label == "month" && values.len() == 12 => {
                Along::Time { time: TimeAxis::Months, values }
            }
            Measure::Names(label) => Along::Number { label, units: "", values },
            Measure::Number { label, units } => Along::Number { label, units, values },
        }
    }

    /// The axis as the horizontal one of a series.
    pub(super) fn time(&self) -> TimeAxis<'_> {
        match &self.measure {
            Measure::Time(calendar) => TimeAxis::Seconds(*calendar),
            Measure::Names(label) if label == "month" && self.values.len() == 12 => TimeAxis::Months,
            Measure::Names(label) => TimeAxis::Number { label, units: "" },
            Measure::Number { label, units } => TimeAxis::Number { label, units },
            Measure::Longitude => TimeAxis::Number { label: "longitude", units: "degrees" },
            Measure::Latitude => TimeAxis::Number { label: "latitude", units: "degrees" },
            Measure::Depth => TimeAxis::Number { label: "depth", units: "m" },
            Measure::Distance => TimeAxis::Number { label: "distance", units: "km" },
        }
    }
}

/// What a chart's refusal means for the caller.
pub(super) fn drawn(chart: Result<String, ChartError>) -> Result<String, ToolError> {
    chart.map_err(|error| match error {
        ChartError::NoData { .. } => ToolError::new(ToolErrorKind::NoData, error.to_string()),
        error => ToolError::invalid(error.to_string()),
    })
}

/// The numbers of a coordinate; a text is not a number.
pub(super) fn numbers(coord: &Coord) -> Vec<f64> {
    coord.values.iter().map(|value| value.as_f64().unwrap_or(f64::NAN)).collect()
}

/// A name as people write it.
pub(super) fn people(name: &str) -> String {
    name.replace('_', " ")
}

/// Positive values over more than one and a half decades: on a linear scale most of them would have one colour.
fn spans_decades(values: &[f64]) -> bool {
    let mut sorted: Vec<f64> = values.iter().copied().filter(|value| value.is_finite()).collect();
    sorted.sort_by(f64::total_cmp);
    let end = |share: usize| sorted.get((sorted.len() * share / 100).min(sorted.len().saturating_sub(1)));
    matches!((end(2), end(98)), (Some(low), Some(high)) if *low > 0.0 && high / low > 30.0)
}

/// A smaller line under the title: how, when, where, relative to what.
pub(super) fn subtitle(artifact: &Artifact) -> String {
    let text = |key: &str| fact(artifact, key).and_then(Value::as_str).map(str::to_owned);
    let window =
        text("time").or_else(|| Series::from_artifact(artifact).ok().map(|series| series.axis.window()));
    let baseline = text("baseline").map(|baseline| format!("baseline {baseline}"));
    let parts = [text("method"), window.filter(|window| !window.is_empty()), region(artifact), baseline];
    parts.into_iter().flatten().collect::<Vec<_>>().join(" · ")
}

fn fact<'a>(artifact: &'a Artifact, key: &str) -> Option<&'a Value> {
    artifact.attributes.get(key).or_else(|| artifact.content.get(key))
}

fn region(artifact: &Artifact) -> Option<String> {
    let region = fact(artifact, "region")?;
    let pair = |key: &str| {
        let items = region.get(key)?.as_array()?;
        Some(format!("{} to {}", items.first()?, items.get(1)?))
    };
    if let Some(name) = region.get("name").and_then(Value::as_str) {
        return Some(name.replace('_', " "));
    }
    Some(format!("{} °E, {} °N", pair("lon")?, pair("lat")?))
}

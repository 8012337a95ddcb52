//! From an artifact to the text of a chart.

use leg_core::{Artifact, Coord, Kind, ToolError, ToolErrorKind};
use ocean_chart::{Band, ChartError, Line, MapSpec, Palette, Range, SeriesSpec, Span, TimeAxis};
use serde_json::Value;

use crate::series::Series;

/// What a caller may choose of a chart.
#[derive(Debug, Clone)]
pub(super) struct Look {
    pub(super) title: String,
    pub(super) palette: Palette,
    pub(super) range: Range,
}

/// The kinds that can be drawn.
pub(super) const KINDS: [Kind; 3] = [Kind::Series, Kind::Climatology, Kind::Map];

/// A smaller line under the title: how, when, where, relative to what.
pub(super) fn subtitle(artifact: &Artifact) -> String {
    let text = |key: &str| artifact.attributes.get(key).and_then(Value::as_str).map(str::to_owned);
    let window =
        text("time").or_else(|| Series::from_artifact(artifact).ok().map(|series| series.axis.window()));
    let baseline = text("baseline").map(|baseline| format!("baseline {baseline}"));
    let parts = [text("method"), window.filter(|window| !window.is_empty()), region(artifact), baseline];
    parts.into_iter().flatten().collect::<Vec<_>>().join(" · ")
}

fn region(artifact: &Artifact) -> Option<String> {
    let region = artifact.attributes.get("region")?;
    let pair = |key: &str| {
        let items = region.get(key)?.as_array()?;
        Some(format!("{} to {}", items.first()?, items.get(1)?))
    };
    if let Some(name) = region.get("name").and_then(Value::as_str) {
        return Some(name.replace('_', " "));
    }
    Some(format!("{} °E, {} °N", pair("lon")?, pair("lat")?))
}

/// Draws a series, a climatology or a map as SVG.
///
/// # Errors
/// Another kind, or an artifact that is not what its kind says.
pub(super) fn svg(artifact: &Artifact, look: &Look) -> Result<String, ToolError> {
    let drawn = match artifact.kind {
        Kind::Series => series(artifact, look)?,
        Kind::Climatology => climatology(artifact, look)?,
        Kind::Map => map(artifact, look)?,
        kind => {
            let kinds: Vec<&str> = KINDS.iter().map(|kind| kind.as_str()).collect();
            return Err(ToolError::invalid(format!(
                "a {kind} cannot be drawn; draw one of: {}",
                kinds.join(", ")
            )));
        }
    };
    drawn.map_err(|error| ToolError::invalid(error.to_string()))
}

type Drawn = Result<Result<String, ChartError>, ToolError>;

fn series(artifact: &Artifact, look: &Look) -> Drawn {
    let series = Series::from_artifact(artifact)?;
    let civil = series.axis.calendar().is_civil();
    let x = if civil { series.axis.unix_seconds() } else { series.axis.years() };
    let spans: Vec<(f64, f64, String)> = episodes(artifact, &series, &x);
    let spans: Vec<Span<'_>> =
        spans.iter().map(|(from, to, label)| Span { from: *from, to: *to, label }).collect();
    let lines = [Line { label: "", x: &x, y: &series.values, band: None, dashed: false }];
    let subtitle = subtitle(artifact);
    let y_label = series.title();
    Ok(SeriesSpec {
        title: &look.title,
        subtitle: &subtitle,
        y_label: &y_label,
        units: &series.units,
        time: if civil { TimeAxis::UnixSeconds } else { TimeAxis::FractionalYears },
        lines: &lines,
        spans: &spans,
    }
    .to_svg())
}

/// Episodes that a climate index lists, as x values.
fn episodes(artifact: &Artifact, series: &Series, x: &[f64]) -> Vec<(f64, f64, String)> {
    let place = |label: Option<&str>| {
        let label = label?;
        (0..series.axis.len()).find(|&at| series.axis.label(at) == label).and_then(|at| x.get(at)).copied()
    };
    let listed = artifact.attributes.get("episodes").and_then(Value::as_array);
    let found = listed.into_iter().flatten().filter_map(|one| {
        let text = |key: &str| one.get(key).and_then(Value::as_str);
        Some((place(text("start"))?, place(text("end"))?, text("kind").unwrap_or_default().to_owned()))
    });
    found.collect()
}

fn climatology(artifact: &Artifact, look: &Look) -> Drawn {
    let variable = artifact.primary().ok_or_else(|| damaged(artifact))?;
    let x: Vec<f64> = (1..=variable.values.len()).map(|at| at as f64).collect();
    let spread = artifact.variable("std").map(|std| {
        let edge = |sign: f64| -> Vec<f64> {
            variable.values.iter().zip(&std.values).map(|(mean, std)| mean + sign * std).collect()
        };
        (edge(-1.0), edge(1.0))
    });
    let band = spread.as_ref().map(|(low, high)| Band { low, high });
    let lines =
        [Line { label: "mean ± standard deviation", x: &x, y: &variable.values, band, dashed: false }];
    let subtitle = subtitle(artifact);
    let y_label = artifact.name.replace('_', " ");
    let label = variable.dims.first().map_or("bin", String::as_str);
    Ok(SeriesSpec {
        title: &look.title,
        subtitle: &subtitle,
        y_label: &y_label,
        units: &variable.units,
        time: TimeAxis::Number { label, units: "" },
        lines: &lines,
        ..SeriesSpec::default()
    }
    .to_svg())
}

fn map(artifact: &Artifact, look: &Look) -> Drawn {
    let variable = artifact.primary().ok_or_else(|| damaged(artifact))?;
    let axis = |name: &str| artifact.coords.get(name).map(numbers).ok_or_else(|| damaged(artifact));
    let (lat, lon) = (axis("lat")?, axis("lon")?);
    let subtitle = subtitle(artifact);
    let quantity = artifact.name.replace('_', " ");
    Ok(MapSpec {
        title: &look.title,
        subtitle: &subtitle,
        quantity: &quantity,
        units: &variable.units,
        lon: &lon,
        lat: &lat,
        values: &variable.values,
        range: look.range,
        palette: look.palette,
        ..MapSpec::default()
    }
    .to_svg())
}

fn numbers(coord: &Coord) -> Vec<f64> {
    coord.values.iter().map(|value| value.as_f64().unwrap_or(f64::NAN)).collect()
}

fn damaged(artifact: &Artifact) -> ToolError {
    let message = format!("`{}` lacks the arrays that a {} has; make it again", artifact.name, artifact.kind);
    ToolError::new(ToolErrorKind::BadData, message)
}

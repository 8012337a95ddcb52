//! EOFs: the pattern of a mode as a map, its series below.

use leg_core::{ToolError, Variable};
use ocean_chart::{Line, LineLook, Palette, SeriesSpec, column};

use super::map::draw_array;
use super::source::{Source, drawn, people};
use super::take::{length, take};

/// Modes shown.
const SHOWN: usize = 2;

/// Draws one mode, or the first two.
pub(super) fn draw(source: &Source<'_>) -> Result<String, ToolError> {
    let all = &source.artifact.variables;
    let has = |variable: &Variable, dims: &[&str]| {
        dims.iter().all(|dim| variable.dims.iter().any(|own| own == dim))
    };
    let pattern = all.iter().find(|variable| has(variable, &["mode", "lat", "lon"]));
    let series = all.iter().find(|variable| has(variable, &["mode", "time"]));
    let share = all.iter().find(|variable| {
        variable.dims.len() == 1 && has(variable, &["mode"]) && variable.name.contains("var")
    });
    let main =
        pattern.or(series).ok_or_else(|| source.lacks("patterns (mode, lat, lon) or series (mode, time)"))?;
    let count = length(main, "mode").unwrap_or(0);
    let modes = match source.look.options.at {
        Some(at) => at..at + 1,
        None => 0..count.min(SHOWN),
    };
    let mut drawings = Vec::new();
    for mode in modes {
        let part = share
            .and_then(|share| share_of(share, mode))
            .map(|part| format!(", {part:.1} % of the variance"));
        let name = format!("mode {}{}", mode + 1, part.unwrap_or_default());
        let title = if drawings.is_empty() { source.look.title.as_str() } else { "" };
        let own = source.subtitle();
        let subtitle = [name.as_str(), &own].into_iter().filter(|text| !text.is_empty()).collect::<Vec<_>>();
        if let Some(pattern) = pattern {
            let mut colours = source.colours(pattern);
            if !colours.palette.is_diverging() {
                colours.palette = Palette::Balance;
            }
            drawings.push(draw_array(source, pattern, title, &subtitle.join(" · "), colours, mode)?);
        }
        if let Some(series) = series {
            drawings.push(draw_series(source, series, mode)?);
        }
    }
    drawn(column(&source.look.title, &drawings))
}

fn draw_series(source: &Source<'_>, series: &Variable, mode: usize) -> Result<String, ToolError> {
    let axis = source.axis("time", length(series, "time").unwrap_or(0))?;
    let values = take(series, &["time"], mode).ok_or_else(|| source.lacks("series"))?;
    let lines = [Line { x: &axis.values, y: &values, look: LineLook::Filled(0.0), ..Line::default() }];
    let y_label = format!("{} {}", people(&series.name), mode + 1);
    drawn(
        SeriesSpec {
            y_label: &y_label,
            units: &series.units,
            time: axis.time(),
            lines: &lines,
            ..SeriesSpec::default()
        }
        .to_svg(),
    )
}

/// The share of variance of a mode in percent, from a fraction or a percentage.
fn share_of(share: &Variable, mode: usize) -> Option<f64> {
    let value = share.values.get(mode).copied().filter(|value| value.is_finite())?;
    match share.units.as_str() {
        "%" | "percent" => Some(value),
        "1" | "" if (0.0..=1.0).contains(&value) => Some(value * 100.0),
        _ => None,
    }
}

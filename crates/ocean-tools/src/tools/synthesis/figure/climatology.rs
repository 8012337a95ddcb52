//! Climatologies: a line through the year with its spread, seasons as bars, fields at one bin.

use leg_core::ToolError;
use ocean_chart::{Band, Line};

use super::source::{Measure, Source};
use super::take::length;
use super::{bars, hovmoller, map, series};

/// Draws a climatology by its dimensions.
pub(super) fn draw(source: &Source<'_>) -> Result<String, ToolError> {
    let main = source.main()?;
    if main.dims.iter().any(|dim| dim == "lat" || dim == "latitude") && main.dims.len() > 2 {
        return map::draw(source);
    }
    let [dim] = main.dims.as_slice() else { return hovmoller::draw(source) };
    let axis = source.axis(dim, length(main, dim).unwrap_or(0))?;
    if matches!(axis.measure, Measure::Names(_)) && axis.values.len() < 12 {
        return bars::draw(source);
    }
    let spread = source.named(&["std"], main.values.len()).map(|std| {
        let edge = |sign: f64| -> Vec<f64> {
            main.values.iter().zip(&std.values).map(|(mean, std)| mean + sign * std).collect()
        };
        [edge(-1.0), edge(1.0)]
    });
    let band = spread.as_ref().map(|[low, high]| Band { low, high });
    let label = if band.is_some() { "mean ± standard deviation" } else { "" };
    let lines = [Line { label, x: &axis.values, y: &main.values, band, ..Line::default() }];
    series::draw_lines(source, main, &axis, &lines)
}

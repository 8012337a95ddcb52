//! Two-dimensional histograms.

use crate::{
    cells::Cells,
    colour::Colours,
    error::ChartError,
    frame::{AxisPlan, Measure},
    plane::{Plane, PlaneMark},
    raster::Shading,
};

/// Counts in cells of two quantities.
///
/// # Shapes
/// `counts` is `(y, x)`, row-major; each axis has one edge more than cells. Cells without counts stay empty.
///
/// # Examples
///
/// ```
/// use ocean_chart::{Colours, Histogram2dSpec, Norm, Palette};
///
/// let spec = Histogram2dSpec {
///     title: "Temperature against chlorophyll",
///     x_label: "temperature",
///     x_units: "degC",
///     x_edges: &[20.0, 22.0, 24.0],
///     y_label: "chlorophyll",
///     y_units: "mg m-3",
///     y_edges: &[0.0, 0.5, 1.0],
///     counts: &[120.0, 40.0, 3.0, 0.0],
///     ..Histogram2dSpec::default()
/// };
/// assert!(spec.to_svg()?.contains("temperature (°C)"));
/// # Ok::<(), ocean_chart::ChartError>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct Histogram2dSpec<'a> {
    /// The title, on at most two lines.
    pub title: &'a str,
    /// A smaller line below it. May be empty.
    pub subtitle: &'a str,
    /// The name of the horizontal quantity.
    pub x_label: &'a str,
    /// Its units.
    pub x_units: &'a str,
    /// Its edges, rising.
    pub x_edges: &'a [f64],
    /// The name of the vertical quantity.
    pub y_label: &'a str,
    /// Its units.
    pub y_units: &'a str,
    /// Its edges, rising.
    pub y_edges: &'a [f64],
    /// The counts or densities.
    pub counts: &'a [f64],
    /// What is counted; `number of values` if empty.
    pub quantity: &'a str,
    /// The units of the counts; none for counts.
    pub units: &'a str,
    /// The colours.
    pub colours: Colours<'a>,
    /// Lines, places and boxes to mark.
    pub marks: &'a [PlaneMark<'a>],
}

impl Histogram2dSpec<'_> {
    /// Draws the histogram as SVG text.
    ///
    /// # Errors
    ///
    /// [`ChartError::Length`] if the counts do not fit the edges, [`ChartError::Axis`] if edges do not rise,
    /// [`ChartError::NoData`] if nothing was counted.
    pub fn to_svg(&self) -> Result<String, ChartError> {
        let side = |edges, axis, name, units| -> Result<_, ChartError> {
            let cells = Cells::between(edges, axis)?;
            let span = cells.span();
            Ok((cells, AxisPlan { measure: Measure::Number, span, name, units, is_turned: false }))
        };
        let shown: Vec<f64> =
            self.counts.iter().map(|count| if *count > 0.0 { *count } else { f64::NAN }).collect();
        let quantity = if self.quantity.is_empty() { "number of values" } else { self.quantity };
        Plane {
            title: self.title,
            subtitle: self.subtitle,
            quantity,
            units: self.units,
            x: side(self.x_edges, "x", self.x_label, self.x_units)?,
            y: side(self.y_edges, "y", self.y_label, self.y_units)?,
            values: &shown,
            colours: self.colours,
            shading: Shading::Cells,
            contours: &[],
            marks: self.marks,
            floor: &[],
            height: 460.0,
        }
        .to_svg()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edges_and_counts_must_fit() {
        let spec =
            Histogram2dSpec { x_edges: &[0.0, 1.0], y_edges: &[0.0, 1.0], ..Histogram2dSpec::default() };
        let refused = |counts| Histogram2dSpec { counts, ..spec.clone() }.to_svg().unwrap_err();
        assert!(matches!(refused(&[1.0, 2.0]), ChartError::Length { expected: 1, found: 2, .. }));
        assert!(matches!(refused(&[0.0]), ChartError::NoData { .. }));
        let lone = Histogram2dSpec { x_edges: &[0.0], ..spec };
        assert!(matches!(lone.to_svg(), Err(ChartError::Axis { .. })));
    }
}

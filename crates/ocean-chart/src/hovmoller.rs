//! Hovmöller diagrams: a field along time and one other axis.

use crate::{
    along::Along,
    colour::Colours,
    contours::Contours,
    error::ChartError,
    plane::{self, Plane, PlaneMark},
    raster::Shading,
};

/// A diagram with time on the vertical axis is higher than one with time on the horizontal.
const HEIGHTS: [f64; 2] = [520.0, 360.0];

/// A Hovmöller diagram: longitude against time, time against latitude, time against depth.
///
/// # Shapes
/// `values` is `(y, x)`, row-major.
///
/// # Missing values
/// What is not finite is drawn in pale grey.
///
/// # Examples
///
/// ```
/// use ocean_chart::{Along, HovmollerSpec, TimeAxis};
///
/// let spec = HovmollerSpec {
///     title: "Sea level along 5°N",
///     quantity: "sea level anomaly",
///     units: "m",
///     x: Along::Longitude(&[160.0, 170.0, 180.0]),
///     y: Along::Time { time: TimeAxis::default(), values: &[0.0, 2_678_400.0] },
///     values: &[0.1, 0.0, -0.1, 0.2, 0.1, 0.0],
///     ..HovmollerSpec::default()
/// };
/// assert!(spec.to_svg()?.contains("170°E"));
/// # Ok::<(), ocean_chart::ChartError>(())
/// ```
#[derive(Debug, Clone)]
pub struct HovmollerSpec<'a> {
    /// The title, on at most two lines.
    pub title: &'a str,
    /// A smaller line below it. May be empty.
    pub subtitle: &'a str,
    /// The name of the quantity, beside the colour bar. May be empty.
    pub quantity: &'a str,
    /// The units of the values.
    pub units: &'a str,
    /// The horizontal axis.
    pub x: Along<'a>,
    /// The vertical axis, rising but for depths.
    pub y: Along<'a>,
    /// The values.
    pub values: &'a [f64],
    /// The colours.
    pub colours: Colours<'a>,
    /// How values between the cells' centres are drawn.
    pub shading: Shading,
    /// Contour lines.
    pub contours: &'a [Contours<'a>],
    /// Lines, places and boxes to mark.
    pub marks: &'a [PlaneMark<'a>],
}

impl Default for HovmollerSpec<'_> {
    fn default() -> Self {
        Self {
            title: "",
            subtitle: "",
            quantity: "",
            units: "",
            x: Along::Longitude(&[]),
            y: Along::Latitude(&[]),
            values: &[],
            colours: Colours::default(),
            shading: Shading::default(),
            contours: &[],
            marks: &[],
        }
    }
}

impl HovmollerSpec<'_> {
    /// Draws the diagram as SVG text.
    ///
    /// # Errors
    ///
    /// [`ChartError::Length`] if an array does not fit the axes, [`ChartError::Axis`] if an axis is none,
    /// [`ChartError::NoData`] if all values are missing, [`ChartError::Range`] for an empty range.
    pub fn to_svg(&self) -> Result<String, ChartError> {
        let is_upright = matches!(self.y, Along::Time { .. });
        Plane {
            title: self.title,
            subtitle: self.subtitle,
            quantity: self.quantity,
            units: self.units,
            x: plane::side(&self.x)?,
            y: plane::side(&self.y)?,
            values: self.values,
            colours: self.colours,
            shading: self.shading,
            contours: self.contours,
            marks: self.marks,
            floor: &[],
            height: HEIGHTS[usize::from(!is_upright)],
        }
        .to_svg()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::TimeAxis;

    #[test]
    fn the_date_line_is_not_a_break() {
        let time = Along::Time { time: TimeAxis::default(), values: &[0.0, 86_400.0] };
        let spec = |x| HovmollerSpec {
            x: Along::Longitude(x),
            y: time,
            values: &[1.0, 2.0, 3.0, 4.0],
            ..HovmollerSpec::default()
        };
        let jumping = spec(&[179.5, -179.5]).to_svg().unwrap();
        assert_eq!(jumping, spec(&[179.5, 180.5]).to_svg().unwrap());
        assert!(jumping.contains(">180.0°</text>") || jumping.contains(">180°</text>"), "{jumping}");
    }

    #[test]
    fn one_cell_is_drawn() {
        let time = Along::Time { time: TimeAxis::default(), values: &[0.0] };
        let spec =
            HovmollerSpec { x: time, y: Along::Depth(&[5.0]), values: &[1e-5], ..HovmollerSpec::default() };
        assert!(spec.to_svg().unwrap().contains("×10"));
    }
}

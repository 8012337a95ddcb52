//! Sections: a field along a way and down to depth, with the sea floor.

use crate::{
    along::Along,
    colour::Colours,
    contours::Contours,
    error::ChartError,
    plane::{self, Plane, PlaneMark},
    raster::Shading,
};

const HEIGHT: f64 = 400.0;

/// A section: values along a way and depth, which grows downwards.
///
/// # Shapes
/// `values` is `(depth, along)`, row-major; `floor` has a value for each place of `along`.
///
/// # Missing values
/// What is not finite is drawn in pale grey, the sea floor in dark grey over it.
///
/// # Examples
///
/// ```
/// use ocean_chart::{Along, Contours, SectionSpec};
///
/// let spec = SectionSpec {
///     title: "Temperature across the shelf",
///     quantity: "temperature",
///     units: "degC",
///     along: Along::Distance(&[0.0, 20.0, 40.0]),
///     depth: &[5.0, 50.0],
///     values: &[28.0, 27.5, 27.0, f64::NAN, 20.0, 19.0],
///     floor: &[30.0, 60.0, 90.0],
///     contours: &[Contours { levels: &[20.0, 25.0], ..Contours::default() }],
///     ..SectionSpec::default()
/// };
/// assert!(spec.to_svg()?.contains("distance (km)"));
/// # Ok::<(), ocean_chart::ChartError>(())
/// ```
#[derive(Debug, Clone)]
pub struct SectionSpec<'a> {
    /// The title, on at most two lines.
    pub title: &'a str,
    /// A smaller line below it. May be empty.
    pub subtitle: &'a str,
    /// The name of the quantity, beside the colour bar. May be empty.
    pub quantity: &'a str,
    /// The units of the values.
    pub units: &'a str,
    /// The way: distance, longitude, latitude, or time at one place.
    pub along: Along<'a>,
    /// Depths of the cells in metres, positive.
    pub depth: &'a [f64],
    /// The values.
    pub values: &'a [f64],
    /// The colours.
    pub colours: Colours<'a>,
    /// How values between the cells' centres are drawn.
    pub shading: Shading,
    /// Contour lines.
    pub contours: &'a [Contours<'a>],
    /// Depth of the sea floor in metres at each place of the way. May be empty.
    pub floor: &'a [f64],
    /// Lines, places and boxes to mark.
    pub marks: &'a [PlaneMark<'a>],
}

impl Default for SectionSpec<'_> {
    fn default() -> Self {
        Self {
            title: "",
            subtitle: "",
            quantity: "",
            units: "",
            along: Along::Distance(&[]),
            depth: &[],
            values: &[],
            colours: Colours::default(),
            shading: Shading::default(),
            contours: &[],
            floor: &[],
            marks: &[],
        }
    }
}

impl SectionSpec<'_> {
    /// Draws the section as SVG text.
    ///
    /// # Errors
    ///
    /// [`ChartError::Length`] if an array does not fit the axes, [`ChartError::Axis`] if an axis is none,
    /// [`ChartError::NoData`] if all values are missing, [`ChartError::Range`] for an empty range.
    pub fn to_svg(&self) -> Result<String, ChartError> {
        let mut y = plane::side(&Along::Depth(self.depth))?;
        // Down to the floor where it is not much deeper than the values.
        let deepest = self.floor.iter().copied().filter(|depth| depth.is_finite()).fold(0.0, f64::max);
        y.1.span[1] = y.1.span[1].max(deepest.min(y.1.span[1] * 1.15));
        Plane {
            title: self.title,
            subtitle: self.subtitle,
            quantity: self.quantity,
            units: self.units,
            x: plane::side(&self.along)?,
            y,
            values: self.values,
            colours: self.colours,
            shading: self.shading,
            contours: self.contours,
            marks: self.marks,
            floor: self.floor,
            height: HEIGHT,
        }
        .to_svg()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::png::rasterise;

    #[test]
    fn the_sea_floor_covers_what_lies_below_it() {
        let spec = SectionSpec {
            along: Along::Latitude(&[10.0, 11.0]),
            depth: &[10.0, 30.0],
            values: &[1.0, 2.0, 3.0, 4.0],
            floor: &[15.0, 25.0],
            ..SectionSpec::default()
        };
        let svg = spec.to_svg().unwrap();
        assert_eq!(svg.matches("#9a9a98").count(), 1);
        assert!(svg.contains(">10.5°N</text>") && svg.contains(">depth (m)</text>"));
        rasterise(&svg, 300).unwrap();
    }

    #[test]
    fn arrays_must_fit() {
        let good =
            SectionSpec { depth: &[1.0, 2.0], along: Along::Distance(&[0.0, 1.0]), ..SectionSpec::default() };
        let refused = |spec: SectionSpec<'_>| spec.to_svg().unwrap_err();
        assert!(matches!(refused(good.clone()), ChartError::Length { expected: 4, found: 0, .. }));
        let values = [f64::NAN; 4];
        let missing = SectionSpec { values: &values, ..good.clone() };
        assert!(matches!(refused(missing), ChartError::NoData { .. }));
        let floor = SectionSpec { values: &[1.0; 4], floor: &[3.0], ..good.clone() };
        assert!(matches!(refused(floor), ChartError::Length { expected: 2, found: 1, .. }));
        let contours = [Contours { values: &[1.0], ..Contours::default() }];
        let contoured = SectionSpec { values: &[1.0; 4], contours: &contours, ..good };
        assert!(matches!(refused(contoured), ChartError::Length { .. }));
        assert!(matches!(refused(SectionSpec::default()), ChartError::Axis { .. }));
    }
}

//! Layers of a column: which part of each level counts.

use leg_core::ToolError;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::columns::{ColumnView, Columns};
use crate::kernels::vertical::{self, Integral};

/// What stands for the values between the levels.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(in crate::tools) enum Layers {
    /// Each level stands for the water half-way to its neighbours; the first from 0, the last as far down as up.
    #[default]
    Midpoint,
    /// Each level stands for the bounds that the data state.
    Bounds,
    /// Straight lines between the levels; above the first its value.
    Trapezoid,
}

impl Layers {
    /// The integral of values over a layer, and the thickness that had values.
    pub(in crate::tools) fn integral(
        self,
        view: &ColumnView<'_>,
        values: &[f64],
        top: f64,
        bottom: f64,
    ) -> Integral {
        match self {
            Self::Midpoint => {
                vertical::layer_integral(&vertical::midpoint_bounds(view.depth), values, top, bottom)
            }
            Self::Bounds => vertical::layer_integral(view.bounds, values, top, bottom),
            Self::Trapezoid => trapezoid(view.depth, values, top, bottom),
        }
    }

    /// The potential energy anomaly of a layer, `(g / h) ∫ (mean ρ − ρ) z dz` with `z` up, in J m-3 for densities in
    /// kg m-3; NaN where less than a share of the layer has values.
    pub(in crate::tools) fn energy_anomaly(
        self,
        view: &ColumnView<'_>,
        rho: &[f64],
        [top, bottom]: [f64; 2],
        min_coverage: f64,
    ) -> f64 {
        let part = self.integral(view, rho, top, bottom);
        if !covered(part, top, bottom, min_coverage) {
            return f64::NAN;
        }
        let mean = part.sum / part.covered;
        let moment: Vec<f64> = rho.iter().zip(view.depth).map(|(rho, depth)| (mean - rho) * -depth).collect();
        let moment = self.integral(view, &moment, top, bottom);
        GRAVITY * moment.sum / moment.covered
    }
}

impl Layers {
    /// Bounds of the levels, where each stands for the water between its own.
    pub(super) fn bounds(self, columns: &Columns) -> Option<Vec<[f64; 2]>> {
        match self {
            Self::Midpoint => Some(vertical::midpoint_bounds(&columns.depth)),
            Self::Bounds => Some(columns.bounds.clone()),
            Self::Trapezoid => None,
        }
    }
}

fn trapezoid(depth: &[f64], values: &[f64], top: f64, bottom: f64) -> Integral {
    let (mut z, mut v) = vertical::present(depth, values);
    if let (Some(&first), Some(&value)) = (z.first(), v.first())
        && first > top
    {
        z.insert(0, top);
        v.insert(0, value);
    }
    let end = z.last().map_or(top, |last| last.min(bottom));
    let sum = if end > top { vertical::trapezoid(&z, &v, top, end) } else { 0.0 };
    Integral { sum, covered: (end - top).max(0.0) }
}

/// Gravity of the potential energy anomaly, m s-2: that of the mean sea surface in TEOS-10.
const GRAVITY: f64 = 9.7963;

/// Straight lines, which fit a layer that ends where the interpolated value crosses a bound.
pub(in crate::tools) fn trapezoids() -> Layers {
    Layers::Trapezoid
}

/// A value when at least this share of the layer had values.
pub(in crate::tools) fn covered(part: Integral, top: f64, bottom: f64, min_coverage: f64) -> bool {
    // Thicknesses are sums of differences of bounds.
    part.covered > 0.0 && part.covered >= (bottom - top) * min_coverage - 1e-6 * (bottom - top)
}

/// Refuses a layer that is none.
///
/// # Errors
/// When the bottom is not below the top, or the share is none.
pub(in crate::tools) fn check([top, bottom]: [f64; 2], min_coverage: f64) -> Result<(), ToolError> {
    if !(0.0 <= top && top < bottom && bottom.is_finite()) {
        return Err(ToolError::invalid(format!(
            "depth_range is [{top}, {bottom}]; write the upper and the larger lower depth in m, such as [0, 700]"
        )));
    }
    if !(0.0..=1.0).contains(&min_coverage) {
        return Err(ToolError::invalid("min_coverage must be a share from 0 to 1"));
    }
    Ok(())
}

/// The whole layer.
pub(in crate::tools) fn whole() -> f64 {
    1.0
}

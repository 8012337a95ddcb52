//! Geostrophic velocity between the columns of a section.

use ndarray::Array3;

use super::currents::planetary;

/// What stands between two columns.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Between {
    /// The columns, in the direction of the line.
    pub columns: [usize; 2],
    /// How far they are from each other, m.
    pub width: f64,
    /// Their mean latitude.
    pub lat: f64,
}

/// Geostrophic velocity `(time, depth, pair)` through the gaps between columns, m s-1, positive to the left of the
/// line, of dynamic heights `(time, depth, column)`, m2 s-2: `(Ψ₂ − Ψ₁) / (f Δx)`, relative to the level of no
/// dynamic height. Missing where either column has no value, and nearer than `mask_lat` degrees to the equator.
///
/// # Source
/// Talley et al. (2011), Descriptive Physical Oceanography, section 7.6; the form of `gsw.geostrophic_velocity`.
pub fn between_columns(heights: &Array3<f64>, pairs: &[Between], mask_lat: f64) -> Array3<f64> {
    let (times, levels, _) = heights.dim();
    let lat: Vec<f64> = pairs.iter().map(|pair| pair.lat).collect();
    let planetary = planetary(&lat, mask_lat);
    Array3::from_shape_fn((times, levels, pairs.len()), |(t, z, at)| {
        let [from, to] = pairs[at].columns;
        (heights[[t, z, to]] - heights[[t, z, from]]) / (planetary[at] * pairs[at].width)
    })
}

#[cfg(test)]
mod tests {
    use super::super::sphere::{EARTH_RADIUS, haversine};
    use super::*;

    /// gsw 3.6.23: `geostrophic_velocity([[10, 9.2, 9.9], [4, 3.8, 4.1]], [-40, -39, -36], [36.5, 36.5, 37.5])`.
    #[test]
    fn velocities_are_those_of_gsw() {
        let heights = Array3::from_shape_vec((1, 2, 3), vec![10.0, 9.2, 9.9, 4.0, 3.8, 4.1]).unwrap();
        let places = [[-40.0, 36.5], [-39.0, 36.5], [-36.0, 37.5]];
        let pairs: Vec<Between> = (0..2)
            .map(|at| Between {
                columns: [at, at + 1],
                width: haversine(places[at], places[at + 1], EARTH_RADIUS),
                lat: 0.5 * (places[at][1] + places[at + 1][1]),
            })
            .collect();
        let velocity = between_columns(&heights, &pairs, 5.0);
        let exact =
            [-0.103_170_881_204_708, 0.027_628_208_741_988, -0.025_792_720_301_177, 0.011_840_660_889_424];
        for (own, exact) in velocity.iter().zip(exact) {
            assert!((own / exact - 1.0).abs() < 1e-9, "{own} {exact}");
        }
        let dry = between_columns(&heights, &pairs, 36.8);
        assert!(dry[[0, 0, 0]].is_nan() && dry[[0, 0, 1]].is_finite());
    }

    #[test]
    fn a_column_without_a_value_has_no_velocity_beside_it() {
        let heights = Array3::from_shape_vec((1, 1, 3), vec![1.0, f64::NAN, 2.0]).unwrap();
        let pair = |columns| Between { columns, width: 1e5, lat: 45.0 };
        let velocity = between_columns(&heights, &[pair([0, 1]), pair([0, 2])], 5.0);
        assert!(velocity[[0, 0, 0]].is_nan() && velocity[[0, 0, 1]] > 0.0);
    }
}

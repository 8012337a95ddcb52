//! Horizontal gradients of a map.

use ndarray::{Array2, ArrayView2, Zip};

use super::differences::Plane;
use super::kinematics::VelocityGradient;

/// Length of the horizontal gradient, per metre.
pub fn magnitude(plane: &Plane, map: &ArrayView2<'_, f64>) -> Array2<f64> {
    let mut length = plane.eastward(map);
    Zip::from(&mut length).and(&plane.northward(map)).for_each(|x, &y| *x = libm::hypot(*x, y));
    length
}

/// Length of the two responses of the 3 x 3 Sobel masks, per cell and not scaled: eight times the centred difference
/// over two cells of a plane slope. Missing values are taken as the mean of the others, and the edge is repeated beyond
/// the map, so that every cell has an answer; a map without any value has none.
pub fn sobel(map: &ArrayView2<'_, f64>) -> Array2<f64> {
    let present = map.iter().filter(|value| !value.is_nan());
    let (n, sum) = present.fold((0.0, 0.0), |(n, sum), value| (n + 1.0, sum + value));
    let mean = sum / n;
    let (rows, columns) = map.dim();
    let at = |y: usize, x: usize, north: usize, east: usize| {
        // Offsets count from 0 for one before to 2 for one after.
        let row = (y + north).saturating_sub(1).min(rows - 1);
        let column = (x + east).saturating_sub(1).min(columns - 1);
        let value = map[[row, column]];
        if value.is_nan() { mean } else { value }
    };
    Array2::from_shape_fn((rows, columns), |(y, x)| {
        let side = |north: bool, far: usize| -> f64 {
            let weights = [(0, 1.0), (1, 2.0), (2, 1.0)];
            let value = |across: usize| if north { at(y, x, far, across) } else { at(y, x, across, far) };
            weights.iter().map(|&(across, weight)| weight * value(across)).sum()
        };
        libm::hypot(side(false, 2) - side(false, 0), side(true, 2) - side(true, 0))
    })
}

/// Frontogenesis `−(u_x C_x² + v_y C_y² + (u_y + v_x) C_x C_y)` of a map by a current: half the rate at which the square
/// of its gradient grows in a water parcel (Hoskins 1982).
pub fn frontogenesis(plane: &Plane, map: &ArrayView2<'_, f64>, current: &VelocityGradient) -> Array2<f64> {
    let (x, y) = (plane.eastward(map), plane.northward(map));
    Array2::from_shape_fn(map.dim(), |at| {
        let (east, north) = (x[at], y[at]);
        let stretched = current.u_x[at] * east * east + current.v_y[at] * north * north;
        -(stretched + (current.u_y[at] + current.v_x[at]) * east * north)
    })
}

#[cfg(test)]
mod tests {
    use super::super::differences::Coasts;
    use super::super::sphere::{EARTH_RADIUS, RADIANS};
    use super::*;

    #[test]
    fn confluence_along_the_gradient_sharpens_it() {
        let plane = Plane::new(&[-0.1, 0.0, 0.1], &[0.0, 0.1, 0.2], false, Coasts::Missing);
        let metres = 0.1 * RADIANS * EARTH_RADIUS;
        let rate = 1e-6;
        let map = Array2::from_shape_fn((3, 3), |(y, _)| 1e-5 * metres * y as f64);
        let u = Array2::from_shape_fn((3, 3), |(_, x)| rate * metres * (x as f64 - 1.0));
        let v = Array2::from_shape_fn((3, 3), |(y, _)| -rate * metres * (y as f64 - 1.0));
        let current = VelocityGradient::of(&plane, &u.view(), &v.view());
        let sharpens = frontogenesis(&plane, &map.view(), &current);
        assert!((sharpens[[1, 1]] / (rate * 1e-10) - 1.0).abs() < 1e-6, "{}", sharpens[[1, 1]]);
    }

    #[test]
    fn a_plane_slope_gives_eight_times_its_step_inside_and_half_at_the_edge() {
        let map = Array2::from_shape_fn((4, 5), |(_, x)| 3.0 * x as f64);
        let response = sobel(&map.view());
        assert!((response[[1, 2]] - 24.0).abs() < 1e-12 && (response[[0, 0]] - 12.0).abs() < 1e-12);
        let mut hole = Array2::from_elem((3, 3), 2.0);
        hole[[1, 1]] = f64::NAN;
        assert!(sobel(&hole.view()).iter().all(|value| value.abs() < 1e-12));
        assert!(sobel(&Array2::from_elem((2, 2), f64::NAN).view()).iter().all(|value| value.is_nan()));
    }
}

//! Balanced and wind-driven currents on maps.

use ndarray::{Array2, ArrayView2};

use super::differences::Plane;
use super::sphere::{GRAVITY, coriolis};

/// The Coriolis parameter of each row; missing nearer than `mask_lat` degrees to the equator, and at it.
pub fn planetary(lat: &[f64], mask_lat: f64) -> Vec<f64> {
    lat.iter()
        .map(|&lat| if lat.abs() <= mask_lat || lat == 0.0 { f64::NAN } else { coriolis(lat) })
        .collect()
}

/// Geostrophic current `(u, v)` in metres a second of a sea surface height in metres: `u = −(g/f) η_y`,
/// `v = (g/f) η_x`. `planetary` is the Coriolis parameter of each row.
pub fn geostrophic(plane: &Plane, planetary: &[f64], height: &ArrayView2<'_, f64>) -> [Array2<f64>; 2] {
    let (mut u, mut v) = (plane.northward(height), plane.eastward(height));
    for ((y, _), value) in u.indexed_iter_mut() {
        *value *= -GRAVITY / planetary[y];
    }
    for ((y, _), value) in v.indexed_iter_mut() {
        *value *= GRAVITY / planetary[y];
    }
    [u, v]
}

/// Upward component of the curl of a vector `(x, y)`: `∂y/∂x − ∂x/∂y + x tan φ / R`.
pub fn curl(plane: &Plane, x: &ArrayView2<'_, f64>, y: &ArrayView2<'_, f64>) -> Array2<f64> {
    let mut curl = plane.eastward(y) - plane.northward(x);
    for ((row, column), value) in curl.indexed_iter_mut() {
        *value += x[[row, column]] * plane.curvature(row);
    }
    curl
}

/// Ekman pumping in metres a second, positive upwards, of a wind stress in newtons a square metre: the curl of `τ/f`
/// over the density, missing nearer than `mask_lat` degrees to the equator.
///
/// The rows beside the mask use the stress inside of it, since `τ/f` is defined there.
pub fn ekman_pumping(
    plane: &Plane,
    tau: [&ArrayView2<'_, f64>; 2],
    density: f64,
    mask_lat: f64,
) -> Array2<f64> {
    let whole = planetary(plane.lat(), 0.0);
    let over_f =
        |tau: &ArrayView2<'_, f64>| Array2::from_shape_fn(tau.dim(), |(y, x)| tau[[y, x]] / whole[y]);
    let [x, y] = tau.map(over_f);
    let mut pumping = curl(plane, &x.view(), &y.view());
    let mask = planetary(plane.lat(), mask_lat);
    for ((row, _), value) in pumping.indexed_iter_mut() {
        *value = if mask[row].is_nan() { f64::NAN } else { *value / density };
    }
    pumping
}

#[cfg(test)]
mod tests {
    use super::super::differences::Coasts;
    use super::super::sphere::{EARTH_RADIUS, RADIANS};
    use super::*;

    fn plane(south: f64) -> Plane {
        let lat: Vec<f64> = (0..5).map(|i| south + 0.25 * f64::from(i)).collect();
        Plane::new(&lat, &[10.0, 10.25, 10.5], false, Coasts::Missing)
    }

    #[test]
    fn a_current_keeps_the_high_on_its_right_in_the_north_and_on_its_left_in_the_south() {
        for (south, sign) in [(40.0, -1.0), (-41.0, 1.0)] {
            let plane = plane(south);
            let height =
                Array2::from_shape_fn((5, 3), |(y, _)| 1e-5 * EARTH_RADIUS * RADIANS * 0.25 * y as f64);
            let [u, v] = geostrophic(&plane, &planetary(plane.lat(), 5.0), &height.view());
            let exact = -GRAVITY * 1e-5 / coriolis(plane.lat()[2]);
            assert!((u[[2, 1]] - exact).abs() < 1e-9 && u[[2, 1]] * sign > 0.0);
            assert!(v.iter().all(|value| value.abs() < 1e-12));
        }
        assert!(planetary(&[0.0, 4.0, 6.0], 5.0).iter().map(|f| f.is_nan()).eq([true, true, false]));
    }

    #[test]
    fn an_eastward_wind_that_falls_off_northwards_pumps_down() {
        // On a plane of constant f the curl of the stress would be all; here τ/f is made linear in latitude.
        let plane = plane(45.0);
        let slope = -1e-6;
        let x = Array2::from_shape_fn((5, 3), |(y, _)| {
            slope * EARTH_RADIUS * RADIANS * 0.25 * y as f64 * coriolis(plane.lat()[y])
        });
        let y = Array2::zeros((5, 3));
        let pumping = ekman_pumping(&plane, [&x.view(), &y.view()], 1000.0, 5.0);
        let turn = x[[2, 1]] / coriolis(plane.lat()[2]) * plane.curvature(2);
        assert!((pumping[[2, 1]] - (-slope + turn) / 1000.0).abs() < 1e-15);
        let near =
            super::super::differences::Plane::new(&[2.0, 4.0, 6.0], &[0.0, 1.0], false, Coasts::Missing);
        let wind = Array2::from_elem((3, 2), 0.1);
        let pumping = ekman_pumping(&near, [&wind.view(), &wind.view()], 1025.0, 5.0);
        assert!(pumping[[1, 0]].is_nan() && pumping[[2, 0]].is_finite());
    }
}

//! Derivatives of a current and what is made of them.

use ndarray::{Array2, ArrayView2, Zip};

use super::differences::Plane;

/// The four derivatives of a current `(u, v)` on the sphere, with the curvature terms, all per second.
///
/// `u_x − v tan φ / R`, `u_y`, `v_x + u tan φ / R` and `v_y` are the components of the velocity gradient in local
/// east and north directions.
#[derive(Debug, Clone)]
pub struct VelocityGradient {
    /// Eastward change of the eastward current.
    pub u_x: Array2<f64>,
    /// Northward change of the eastward current.
    pub u_y: Array2<f64>,
    /// Eastward change of the northward current.
    pub v_x: Array2<f64>,
    /// Northward change of the northward current.
    pub v_y: Array2<f64>,
}

impl VelocityGradient {
    /// The gradient of a current in metres a second.
    pub fn of(plane: &Plane, u: &ArrayView2<'_, f64>, v: &ArrayView2<'_, f64>) -> Self {
        let mut u_x = plane.eastward(u);
        let mut v_x = plane.eastward(v);
        for ((y, x), own) in u_x.indexed_iter_mut() {
            *own -= v[[y, x]] * plane.curvature(y);
        }
        for ((y, x), own) in v_x.indexed_iter_mut() {
            *own += u[[y, x]] * plane.curvature(y);
        }
        Self { u_x, u_y: plane.northward(u), v_x, v_y: plane.northward(v) }
    }

    /// Relative vorticity `v_x − u_y + u tan φ / R`, positive to the left.
    pub fn vorticity(&self) -> Array2<f64> {
        &self.v_x - &self.u_y
    }

    /// Divergence `u_x + v_y − v tan φ / R`.
    pub fn divergence(&self) -> Array2<f64> {
        &self.u_x + &self.v_y
    }

    /// Normal strain `u_x − v_y − v tan φ / R`.
    pub fn normal_strain(&self) -> Array2<f64> {
        &self.u_x - &self.v_y
    }

    /// Shear strain `v_x + u_y + u tan φ / R`.
    pub fn shear_strain(&self) -> Array2<f64> {
        &self.v_x + &self.u_y
    }

    /// Total strain rate, the root of the squares of both strains.
    pub fn strain_rate(&self) -> Array2<f64> {
        let mut strain = self.normal_strain();
        Zip::from(&mut strain)
            .and(&self.shear_strain())
            .for_each(|normal, &shear| *normal = libm::hypot(*normal, shear));
        strain
    }

    /// Okubo–Weiss parameter `s_n² + s_s² − ζ²`, per second squared: negative where rotation rules.
    pub fn okubo_weiss(&self) -> Array2<f64> {
        let square = |map: Array2<f64>| map.mapv(|value| value * value);
        square(self.normal_strain()) + square(self.shear_strain()) - square(self.vorticity())
    }
}

#[cfg(test)]
mod tests {
    use super::super::differences::Coasts;
    use super::super::sphere::{EARTH_RADIUS, RADIANS};
    use super::*;

    /// Largest relative error of a map against a constant in its inside.
    fn assert_inside(map: &Array2<f64>, exact: impl Fn(usize) -> f64, scale: f64) {
        let (rows, columns) = map.dim();
        for y in 1..rows - 1 {
            for x in 1..columns - 1 {
                assert!((map[[y, x]] - exact(y)).abs() < 1e-4 * scale, "{} {}", map[[y, x]], exact(y));
            }
        }
    }

    #[test]
    fn solid_rotation_of_the_globe_has_twice_its_rate_and_no_strain() {
        let rate = 1e-6;
        let lat: Vec<f64> = (0..81).map(|i| 20.0 + 0.25 * f64::from(i)).collect();
        let lon: Vec<f64> = (0..21).map(|i| 0.25 * f64::from(i)).collect();
        let plane = Plane::new(&lat, &lon, false, Coasts::Missing);
        let u = Array2::from_shape_fn((81, 21), |(y, _)| rate * EARTH_RADIUS * libm::cos(lat[y] * RADIANS));
        let v = Array2::zeros((81, 21));
        let gradient = VelocityGradient::of(&plane, &u.view(), &v.view());
        let exact = |y: usize| 2.0 * rate * libm::sin(lat[y] * RADIANS);
        assert_inside(&gradient.vorticity(), exact, rate);
        assert_inside(&gradient.divergence(), |_| 0.0, rate);
        assert_inside(&gradient.strain_rate(), |_| 0.0, rate);
        assert_inside(&gradient.okubo_weiss(), |y| -exact(y).powi(2), rate * rate);
    }

    #[test]
    fn flow_to_a_pole_converges_by_curvature() {
        let lat: Vec<f64> = (0..9).map(|i| 60.0 + 0.1 * f64::from(i)).collect();
        let plane = Plane::new(&lat, &[0.0, 0.1, 0.2], false, Coasts::Missing);
        let (u, v) = (Array2::zeros((9, 3)), Array2::ones((9, 3)));
        let gradient = VelocityGradient::of(&plane, &u.view(), &v.view());
        let exact = |y: usize| -libm::tan(lat[y] * RADIANS) / EARTH_RADIUS;
        assert_inside(&gradient.divergence(), exact, 1e-7);
    }
}

//! Ertel's potential vorticity.
//!
//! # Source
//! Ertel (1942) in hydrostatic form, as in Gill (1982), "Atmosphere–Ocean Dynamics", section 7.11.

use ndarray::{Array2, Array3, ArrayView3, Axis};

use super::differences::Plane;
use super::kinematics::VelocityGradient;
use super::layers::upward_slope;
use super::sphere::coriolis;

/// Which parts of the vorticity count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// `−f ρ_z / ρ0`.
    Planetary,
    /// `−(f + ζ) ρ_z / ρ0`.
    Vertical,
    /// `−((f + ζ) ρ_z − v_z ρ_x + u_z ρ_y) / ρ0`.
    Full,
}

/// Potential vorticity `(depth, lat, lon)` of a density at depths in metres with currents in metres a second; those are
/// needed by all forms but the planetary one.
pub fn ertel(
    plane: &Plane,
    depth: &[f64],
    density: &ArrayView3<'_, f64>,
    current: Option<[&ArrayView3<'_, f64>; 2]>,
    form: Form,
    rho0: f64,
) -> Array3<f64> {
    let mut vorticity = Array3::from_shape_fn(density.dim(), |(_, y, _)| coriolis(plane.lat()[y]) / -rho0);
    vorticity *= &slopes(density, depth);
    let Some([u, v]) = current.filter(|_| form != Form::Planetary) else { return vorticity };
    let (rising, u_z, v_z) = (slopes(density, depth), slopes(u, depth), slopes(v, depth));
    for (level, mut own) in vorticity.outer_iter_mut().enumerate() {
        let at = |array: &Array3<f64>| array.index_axis(Axis(0), level).to_owned();
        let (u, v) = (u.index_axis(Axis(0), level), v.index_axis(Axis(0), level));
        let mut more: Array2<f64> = VelocityGradient::of(plane, &u, &v).vorticity() * at(&rising);
        if form == Form::Full {
            let map = density.index_axis(Axis(0), level);
            more += &(plane.northward(&map) * at(&u_z) - plane.eastward(&map) * at(&v_z));
        }
        own -= &(more / rho0);
    }
    vorticity
}

/// `∂/∂z` of each column, `z` upwards.
fn slopes(values: &ArrayView3<'_, f64>, depth: &[f64]) -> Array3<f64> {
    let mut slopes = Array3::from_elem(values.dim(), f64::NAN);
    for (own, mut out) in values.lanes(Axis(0)).into_iter().zip(slopes.lanes_mut(Axis(0))) {
        for (out, slope) in out.iter_mut().zip(upward_slope(&own.to_vec(), depth)) {
            *out = slope;
        }
    }
    slopes
}

#[cfg(test)]
mod tests {
    use super::super::differences::Coasts;
    use super::super::sphere::{EARTH_RADIUS, RADIANS};
    use super::*;

    #[test]
    fn linear_fields_have_the_closed_form() {
        let lat = [44.9, 45.0, 45.1];
        let plane = Plane::new(&lat, &[0.0, 0.1, 0.2], false, Coasts::Missing);
        let depth = [10.0, 20.0, 40.0];
        let metres = 0.1 * RADIANS * EARTH_RADIUS;
        // ρ falls upwards and northwards; u grows upwards and northwards.
        let (rho_z, rho_y, u_z, u_y) = (-1e-2, -1e-6, 2e-3, 3e-6);
        let of = |vertical: f64, north: f64| {
            Array3::from_shape_fn((3, 3, 3), |(k, y, _)| -vertical * depth[k] + north * metres * y as f64)
        };
        let (density, u, v) = (of(rho_z, rho_y), of(u_z, u_y), Array3::zeros((3, 3, 3)));
        let current = Some([&u.view(), &v.view()]);
        let centre = |form| ertel(&plane, &depth, &density.view(), current, form, 1025.0)[[1, 1, 1]];
        let f = coriolis(45.0);
        // The curvature term u tan φ / R belongs to ζ.
        let zeta = -u_y + u[[1, 1, 1]] * plane.curvature(1);
        assert!((centre(Form::Planetary) + f * rho_z / 1025.0).abs() < 1e-18);
        assert!((centre(Form::Vertical) + (f + zeta) * rho_z / 1025.0).abs() < 1e-16);
        assert!((centre(Form::Full) + ((f + zeta) * rho_z + u_z * rho_y) / 1025.0).abs() < 1e-16);
        assert!(centre(Form::Planetary) > 0.0, "stable water in the north");
    }
}

//! Transports through sections, and streamfunctions.

use ndarray::{Array2, Array3, ArrayView3, Axis};

/// What goes through a section at one time.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Through {
    /// Sum of both directions.
    pub net: f64,
    /// Along the positive direction.
    pub positive: f64,
    /// Against it.
    pub negative: f64,
    /// Faces with a value.
    pub faces: usize,
    /// Their area in square metres.
    pub area: f64,
}

/// Transport through a section for each time: velocity `(time, depth, face)` times `carried` of the same shape (1 for
/// volume) times thickness times width. Faces without a value count nothing; net, positive and negative are those of
/// the products.
pub fn through(
    velocity: &Array3<f64>,
    carried: impl Fn([usize; 3]) -> f64,
    thickness: &[f64],
    width: &[f64],
) -> Vec<Through> {
    let (times, levels, faces) = velocity.dim();
    (0..times)
        .map(|t| {
            let mut sum = Through::default();
            for z in 0..levels {
                for face in 0..faces {
                    let area = thickness[z] * width[face];
                    let flux = velocity[[t, z, face]] * carried([t, z, face]) * area;
                    if flux.is_nan() || area <= 0.0 {
                        continue;
                    }
                    sum.net += flux;
                    *(if flux > 0.0 { &mut sum.positive } else { &mut sum.negative }) += flux;
                    sum.faces += 1;
                    sum.area += area;
                }
            }
            sum
        })
        .collect()
}

/// Velocity `(time, depth, face)` times thickness, summed over depth: `(time, face)`. Missing where no level has a
/// value.
pub fn column_flux(velocity: &Array3<f64>, thickness: &[f64]) -> Array2<f64> {
    let (times, levels, faces) = velocity.dim();
    Array2::from_shape_fn((times, faces), |(t, face)| {
        let wet = (0..levels).map(|z| (velocity[[t, z, face]], thickness[z]));
        let wet = wet.filter(|(velocity, thickness)| !velocity.is_nan() && *thickness > 0.0);
        wet.map(|(velocity, thickness)| velocity * thickness).reduce(|sum, own| sum + own).unwrap_or(f64::NAN)
    })
}

/// Overturning `(edge, row)` in cubic metres a second of a northward velocity `(depth, lat, lon)`: its integral over
/// longitude and from the surface to each edge of the layers. Land counts nothing, and a row without any value has
/// none, which is no overturning of zero. `width` is that of a cell `(lat, lon)`.
pub fn overturning(v: &ArrayView3<'_, f64>, thickness: &[f64], width: &Array2<f64>) -> Array2<f64> {
    let (levels, rows, columns) = v.dim();
    let mut psi = Array2::zeros((levels + 1, rows));
    for y in 0..rows {
        if v.index_axis(Axis(1), y).iter().all(|value| value.is_nan()) {
            psi.column_mut(y).fill(f64::NAN);
            continue;
        }
        for z in 0..levels {
            let zonal: f64 =
                (0..columns).map(|x| v[[z, y, x]] * width[[y, x]]).filter(|flux| !flux.is_nan()).sum();
            psi[[z + 1, y]] = psi[[z, y]] + zonal * thickness[z];
        }
    }
    psi
}

/// Streamfunction `(lat, lon)` in cubic metres a second of the eastward velocity `(depth, lat, lon)` summed over
/// depth: `u h = −∂ψ/∂y`, summed from the southern edge, the value of a row standing at its northern face. Land counts
/// nothing, and where nothing has a value there is no streamfunction. `height` is the length of each row in metres.
pub fn streamfunction(u: &ArrayView3<'_, f64>, thickness: &[f64], height: &[f64]) -> Array2<f64> {
    let (levels, rows, columns) = u.dim();
    let mut psi = Array2::from_elem((rows, columns), f64::NAN);
    if u.iter().all(|value| value.is_nan()) {
        return psi;
    }
    for x in 0..columns {
        let mut sum = 0.0;
        for y in 0..rows {
            let column: f64 =
                (0..levels).map(|z| u[[z, y, x]] * thickness[z]).filter(|flux| !flux.is_nan()).sum();
            sum -= column * height[y];
            psi[[y, x]] = sum;
        }
    }
    psi
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_uniform_flow_carries_its_speed_times_the_wet_area() {
        let mut velocity = Array3::from_elem((1, 2, 3), 0.5);
        velocity[[0, 1, 2]] = f64::NAN;
        velocity[[0, 0, 0]] = -0.5;
        let sum = through(&velocity, |_| 2.0, &[10.0, 20.0], &[1.0, 2.0, 3.0])[0];
        assert_eq!((sum.positive, sum.negative, sum.net), (110.0, -10.0, 100.0));
        assert_eq!((sum.faces, sum.area), (5, 120.0));
    }

    #[test]
    fn a_column_counts_its_wet_levels() {
        let mut velocity = Array3::from_elem((1, 2, 2), 0.5);
        velocity[[0, 1, 0]] = f64::NAN;
        velocity.index_axis_mut(ndarray::Axis(2), 1).fill(f64::NAN);
        let flux = column_flux(&velocity, &[10.0, 20.0]);
        assert!((flux[[0, 0]] - 5.0).abs() < 1e-15 && flux[[0, 1]].is_nan());
    }

    #[test]
    fn what_goes_north_above_and_south_below_closes() {
        let mut v = Array3::from_elem((2, 1, 4), 1.0);
        v.index_axis_mut(ndarray::Axis(0), 1).fill(-0.5);
        v[[1, 0, 3]] = f64::NAN;
        v[[0, 0, 3]] = f64::NAN;
        let psi = overturning(&v.view(), &[10.0, 20.0], &Array2::from_elem((1, 4), 100.0));
        assert_eq!(psi.iter().copied().collect::<Vec<f64>>(), [0.0, 3000.0, 0.0]);
        v.fill(f64::NAN);
        let psi = overturning(&v.view(), &[10.0, 20.0], &Array2::from_elem((1, 4), 100.0));
        assert!(psi.iter().all(|value| value.is_nan()));
    }

    #[test]
    fn an_eastward_flow_falls_northwards() {
        let u = Array3::from_elem((2, 3, 1), 0.1);
        let psi = streamfunction(&u.view(), &[10.0, 30.0], &[100.0; 3]);
        assert!(psi.iter().zip([-400.0, -800.0, -1200.0]).all(|(own, exact)| (own - exact).abs() < 1e-9));
        let land = streamfunction(&(u * f64::NAN).view(), &[10.0, 30.0], &[100.0; 3]);
        assert!(land.iter().all(|value| value.is_nan()));
    }
}

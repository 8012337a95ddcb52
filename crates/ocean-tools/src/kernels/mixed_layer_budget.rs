//! The heat budget of a mixed layer.
//!
//! # Source
//! Moisan and Niiler (1998), J. Phys. Oceanogr. 28, 401–421: the temperature equation averaged over a layer of depth h.

use ndarray::{Array3, ArrayView3, Axis};

use super::differences::Plane;
use super::interpolation::{Method, interpolate};
use super::shortwave::WaterType;
use super::tendency::{DAY, horizontal_advection, tendency};
use super::vertical::{layer_integral, present};

/// Means over a mixed layer and what is below it: numbers of one column, or arrays `(time, lat, lon)`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MixedLayer<T> {
    /// Mean temperature.
    pub temperature: T,
    /// Mean eastward current, m s-1.
    pub u: T,
    /// Mean northward current, m s-1.
    pub v: T,
    /// Temperature below.
    pub below: T,
    /// Upward velocity at the base, m s-1.
    pub w: T,
}

impl MixedLayer<f64> {
    /// How many numbers it has.
    pub const NUMBERS: usize = 5;

    /// In the order of the fields.
    pub fn to_array(self) -> [f64; Self::NUMBERS] {
        [self.temperature, self.u, self.v, self.below, self.w]
    }
}

/// The layer from the surface to `h` metres of a column of temperature, currents and perhaps vertical velocity (0 where
/// there is none); the water below is taken at `h + below`. A mean is missing where the layer has a part without values.
pub fn layer(depth: &[f64], bounds: &[[f64; 2]], column: &[Vec<f64>], h: f64, below: f64) -> MixedLayer<f64> {
    let mean = |values: &[f64]| {
        // The first level stands for the water up to the surface.
        let mut bounds = bounds.to_vec();
        if let Some(first) = bounds.first_mut() {
            first[0] = 0.0;
        }
        let part = layer_integral(&bounds, values, 0.0, h);
        if h > 0.0 && part.covered >= h * (1.0 - 1e-9) { part.sum / part.covered } else { f64::NAN }
    };
    let at = |values: &[f64], target: f64| {
        let (z, v) = present(depth, values);
        interpolate(&z, &v, &[target], Method::Linear)[0]
    };
    MixedLayer {
        temperature: mean(&column[0]),
        u: mean(&column[1]),
        v: mean(&column[2]),
        below: at(&column[0], h + below),
        w: column.get(3).map_or(0.0, |w| at(w, h)),
    }
}

/// Constants and choices.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rules {
    /// Density times specific heat, J m-3 K-1.
    pub capacity: f64,
    /// Optical type of the water.
    pub water: WaterType,
    /// Whether water that leaves the layer changes its temperature too.
    pub both_ways: bool,
}

/// Terms `(time, lat, lon)` in kelvin per day, positive where they warm.
#[derive(Debug, Clone, PartialEq)]
pub struct Terms {
    /// Rate of change.
    pub tendency: Array3<f64>,
    /// Heat from above that stays.
    pub surface: Array3<f64>,
    /// Horizontal advection.
    pub advection: Array3<f64>,
    /// Entrainment.
    pub entrainment: Array3<f64>,
    /// What is left of the rate of change.
    pub residual: Array3<f64>,
}

impl Terms {
    /// The terms of a layer of depth `h` metres under a net heat flux, of which sunlight is a part, in W m-2.
    pub fn of(
        plane: &Plane,
        days: &[f64],
        layer: &MixedLayer<ArrayView3<'_, f64>>,
        h: &ArrayView3<'_, f64>,
        net: &ArrayView3<'_, f64>,
        sun: Option<&ArrayView3<'_, f64>>,
        rules: Rules,
    ) -> Self {
        let rate = along_time(&layer.temperature, days);
        let deepening = along_time(h, days);
        let shape = rate.dim();
        let (mut advection, mut along_base) = (Array3::zeros(shape), Array3::zeros(shape));
        for t in 0..shape.0 {
            let at = |array: &ArrayView3<'_, f64>| array.index_axis(Axis(0), t).to_owned();
            let (u, v) = (at(&layer.u), at(&layer.v));
            let of = |map: &ArrayView3<'_, f64>| {
                horizontal_advection(plane, &at(map).view(), &u.view(), &v.view())
            };
            advection.index_axis_mut(Axis(0), t).assign(&of(&layer.temperature));
            along_base.index_axis_mut(Axis(0), t).assign(&of(h));
        }
        let surface = Array3::from_shape_fn(shape, |at| {
            let through = sun.map_or(0.0, |sun| sun[at] * rules.water.penetrating(h[at]));
            (net[at] - through) / (rules.capacity * h[at]) * DAY
        });
        let entrainment = Array3::from_shape_fn(shape, |at| {
            // Metres a day; the advection of h has the sign of a tendency.
            let velocity = deepening[at] - along_base[at] + layer.w[at] * DAY;
            let entering = if rules.both_ways || velocity.is_nan() { velocity } else { velocity.max(0.0) };
            // Nothing enters, whatever the water below is.
            if entering == 0.0 { 0.0 } else { -entering * (layer.temperature[at] - layer.below[at]) / h[at] }
        });
        let residual = &rate - &surface - &advection - &entrainment;
        Self { tendency: rate, surface, advection, entrainment, residual }
    }

    /// The terms in the order of the fields.
    pub fn into_arrays(self) -> [Array3<f64>; 5] {
        [self.tendency, self.surface, self.advection, self.entrainment, self.residual]
    }
}

fn along_time(values: &ArrayView3<'_, f64>, days: &[f64]) -> Array3<f64> {
    let mut rates = Array3::from_elem(values.dim(), f64::NAN);
    for (own, mut out) in values.lanes(Axis(0)).into_iter().zip(rates.lanes_mut(Axis(0))) {
        for (out, rate) in out.iter_mut().zip(tendency(&own.to_vec(), days)) {
            *out = rate;
        }
    }
    rates
}

#[cfg(test)]
mod tests {
    use super::super::differences::Coasts;
    use super::*;

    #[test]
    fn a_layer_is_cut_where_it_ends_and_missing_below_the_data() {
        let (depth, bounds) = ([5.0, 15.0, 30.0], [[0.0, 10.0], [10.0, 20.0], [20.0, 40.0]]);
        let column = [vec![20.0, 18.0, 12.0], vec![0.1; 3], vec![0.0; 3], vec![0.0, 1e-5, 4e-5]];
        let found = layer(&depth, &bounds, &column, 15.0, 3.0);
        assert!((found.temperature - (200.0 + 90.0) / 15.0).abs() < 1e-12);
        assert!((found.below - (18.0 - 6.0 * 3.0 / 15.0)).abs() < 1e-12 && (found.w - 1e-5).abs() < 1e-18);
        assert!(layer(&depth, &bounds, &column, 45.0, 3.0).temperature.is_nan());
        assert!(layer(&depth, &bounds, &column[..3], 15.0, 30.0).below.is_nan());
    }

    #[test]
    fn sunlight_that_leaves_does_not_warm_and_shoaling_does_not_cool() {
        let plane = Plane::new(&[0.0, 1.0], &[0.0, 1.0], false, Coasts::Missing);
        let full = |value: f64| Array3::from_elem((3, 2, 2), value);
        let (t, zero, cold) = (full(20.0), full(0.0), full(15.0));
        let shoaling = Array3::from_shape_fn((3, 2, 2), |(time, _, _)| 50.0 - time as f64);
        let layer = MixedLayer {
            temperature: t.view(),
            u: zero.view(),
            v: zero.view(),
            below: cold.view(),
            w: zero.view(),
        };
        let mut rules = Rules { capacity: 4.1e6, water: WaterType::I, both_ways: false };
        let of = |rules| {
            let (net, sun) = (full(100.0), full(200.0));
            let views = (shoaling.view(), net.view(), sun.view());
            Terms::of(&plane, &[0.0, 1.0, 2.0], &layer, &views.0, &views.1, Some(&views.2), rules)
        };
        let terms = of(rules);
        let kept = 100.0 - 200.0 * 0.42 * libm::exp(-49.0 / 23.0);
        // The fast part is gone after 49 m: exp(-140).
        assert!((terms.surface[[1, 0, 0]] - kept / (4.1e6 * 49.0) * DAY).abs() < 1e-12);
        assert!(terms.entrainment.iter().all(|value| *value == 0.0));
        rules.both_ways = true;
        assert!((of(rules).entrainment[[1, 0, 0]] - 5.0 / 49.0).abs() < 1e-12);
    }
}

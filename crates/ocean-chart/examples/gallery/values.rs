//! Invented values.

/// Numbers from one by equal steps.
pub(crate) fn steps(from: f64, step: f64, count: u32) -> Vec<f64> {
    (0..count).map(|place| from + f64::from(place) * step).collect()
}

/// A field `(second, first)` of two axes.
pub(crate) fn grid(first: &[f64], second: &[f64], value: impl Fn(f64, f64) -> f64) -> Vec<f64> {
    second.iter().flat_map(|y| first.iter().map(|x| value(*x, *y)).collect::<Vec<_>>()).collect()
}

/// A field of longitudes and latitudes in degrees, of functions in radians.
pub(crate) fn field(lon: &[f64], lat: &[f64], value: impl Fn(f64, f64) -> f64) -> Vec<f64> {
    grid(lon, lat, |lon, lat| value(lon.to_radians(), lat.to_radians()))
}

/// Something like the temperature of the sea, with holes.
pub(crate) fn sea_temperature(lon: f64, lat: f64) -> f64 {
    let hole = libm::sin(3.0 * lon + 1.0) * libm::cos(2.0 * lat) > 0.93;
    if hole {
        f64::NAN
    } else {
        28.0 * libm::cos(lat) - 1.0 + 2.0 * libm::sin(2.0 * lon) * libm::cos(5.0 * lat)
    }
}

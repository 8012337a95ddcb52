//! Geometry on a sphere with the mean radius of the Earth.

/// Radius of the Earth in metres.
pub const EARTH_RADIUS: f64 = 6_371_000.0;

pub(crate) const RADIANS: f64 = std::f64::consts::PI / 180.0;

/// A unit vector.
pub(crate) type Vector = [f64; 3];

/// The unit vector of a place in degrees.
pub(crate) fn vector(lon: f64, lat: f64) -> Vector {
    let (x, y) = (lon * RADIANS, lat * RADIANS);
    let flat = libm::cos(y);
    [flat * libm::cos(x), flat * libm::sin(x), libm::sin(y)]
}

/// Longitude and latitude of a vector of any length, in degrees; the longitude is between -180 and 180.
pub(crate) fn place([x, y, z]: Vector) -> [f64; 2] {
    [libm::atan2(y, x) / RADIANS, libm::atan2(z, libm::sqrt(x * x + y * y)) / RADIANS]
}

pub(crate) fn dot(a: Vector, b: Vector) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

pub(crate) fn cross(a: Vector, b: Vector) -> Vector {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

pub(crate) fn scaled_sum(a: Vector, s: f64, b: Vector, t: f64) -> Vector {
    [a[0] * s + b[0] * t, a[1] * s + b[1] * t, a[2] * s + b[2] * t]
}

pub(crate) fn length(a: Vector) -> f64 {
    libm::sqrt(dot(a, a))
}

/// The vector with length 1; a zero vector stays as it is.
pub(crate) fn unit(a: Vector) -> Vector {
    let size = length(a);
    if size > 0.0 { [a[0] / size, a[1] / size, a[2] / size] } else { a }
}

/// The angle between two vectors, in radians; exact for small ones too.
pub(crate) fn angle(a: Vector, b: Vector) -> f64 {
    libm::atan2(length(cross(a, b)), dot(a, b))
}

/// Great-circle distance of two places in metres; NaN for a place that is unknown.
pub fn distance(lon_a: f64, lat_a: f64, lon_b: f64, lat_b: f64) -> f64 {
    let half_lat = libm::sin((lat_b - lat_a) * RADIANS / 2.0);
    let half_lon = libm::sin((lon_b - lon_a) * RADIANS / 2.0);
    let a =
        half_lat * half_lat + libm::cos(lat_a * RADIANS) * libm::cos(lat_b * RADIANS) * half_lon * half_lon;
    // Unlike `min`, `clamp` keeps NaN.
    2.0 * EARTH_RADIUS * libm::asin(a.sqrt().clamp(0.0, 1.0))
}

/// Area of a polygon of great circles, in square metres, whichever way its corners run; it must be smaller than a
/// hemisphere. Corners that repeat their neighbours, as in the triangles of a file with four corners a cell, add nothing.
///
/// # Source
/// Van Oosterom and Strackee (1983) for the solid angle of each triangle of the fan from the first corner.
pub(crate) fn polygon_area(corners: &[Vector]) -> f64 {
    let Some((&a, rest)) = corners.split_first() else { return 0.0 };
    let mut sum = 0.0;
    for pair in rest.windows(2) {
        let (b, c) = (pair[0], pair[1]);
        let triple = dot(a, cross(b, c));
        sum += 2.0 * libm::atan2(triple, 1.0 + dot(a, b) + dot(b, c) + dot(c, a));
    }
    sum.abs() * EARTH_RADIUS * EARTH_RADIUS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_octant_is_an_eighth_of_the_earth() {
        let octant = [vector(0.0, 0.0), vector(90.0, 0.0), vector(0.0, 90.0)];
        let eighth = std::f64::consts::PI / 2.0 * EARTH_RADIUS * EARTH_RADIUS;
        assert!((polygon_area(&octant) / eighth - 1.0).abs() < 1e-12);
        let repeated = [octant[0], octant[1], octant[2], octant[2]];
        assert!((polygon_area(&repeated) / eighth - 1.0).abs() < 1e-12);
        let reversed = [octant[2], octant[1], octant[0]];
        assert!((polygon_area(&reversed) / eighth - 1.0).abs() < 1e-12);
    }

    #[test]
    fn a_small_cell_has_the_area_of_its_box() {
        let cell = [vector(10.0, 40.0), vector(10.25, 40.0), vector(10.25, 40.25), vector(10.0, 40.25)];
        let bands = libm::sin(40.25 * RADIANS) - libm::sin(40.0 * RADIANS);
        let exact = EARTH_RADIUS * EARTH_RADIUS * bands * 0.25 * RADIANS;
        // Great circles bulge polewards of parallels, by less than a millionth here.
        assert!((polygon_area(&cell) / exact - 1.0).abs() < 1e-5);
    }

    #[test]
    fn a_degree_on_the_equator_is_111_km() {
        assert!((distance(359.5, 0.0, 0.5, 0.0) - 111_194.9).abs() < 1.0);
        assert!((angle(vector(359.5, 0.0), vector(0.5, 0.0)) * EARTH_RADIUS - 111_194.9).abs() < 1.0);
        assert!(distance(0.0, f64::NAN, 0.0, 0.0).is_nan());
        let [lon, lat] = place(vector(-123.4, 56.7));
        assert!((lon + 123.4).abs() < 1e-12 && (lat - 56.7).abs() < 1e-12);
    }
}

//! The Earth as a sphere: its constants, great circles and the Coriolis parameter.

pub use ocean_data::field::reduce::EARTH_RADIUS;

/// Rate of the Earth's rotation in radians a second (Groten 2004).
pub const ROTATION: f64 = 7.292_115e-5;

/// Standard gravity in metres a second squared (CGPM 1901).
pub const GRAVITY: f64 = 9.806_65;

/// Radians of a degree.
pub(crate) const RADIANS: f64 = std::f64::consts::PI / 180.0;

/// The Coriolis parameter `2 Ω sin φ` at a latitude in degrees, per second.
pub fn coriolis(lat: f64) -> f64 {
    2.0 * ROTATION * libm::sin(lat * RADIANS)
}

/// The northward rate of change of the Coriolis parameter, `2 Ω cos φ / R`, per metre and second.
pub fn beta(lat: f64) -> f64 {
    2.0 * ROTATION * libm::cos(lat * RADIANS) / EARTH_RADIUS
}

/// Length in metres of the great circle between two `[lon, lat]` places in degrees, by the haversine formula on a
/// sphere of the given radius.
pub fn haversine([lon1, lat1]: [f64; 2], [lon2, lat2]: [f64; 2], radius: f64) -> f64 {
    let half = |from: f64, to: f64| libm::sin((to - from) * RADIANS / 2.0);
    let (north, east) = (half(lat1, lat2), half(lon1, lon2));
    let a = north * north + libm::cos(lat1 * RADIANS) * libm::cos(lat2 * RADIANS) * east * east;
    2.0 * radius * libm::asin(a.min(1.0).sqrt())
}

/// A longitude moved by whole turns to lie nearest another.
pub fn near_longitude(lon: f64, other: f64) -> f64 {
    lon - 360.0 * ((lon - other) / 360.0).round()
}

/// The place at a share of the great circle from one `[lon, lat]` to another; between antipodes, along the meridian
/// of the first.
pub fn along_great_circle(from: [f64; 2], to: [f64; 2], share: f64) -> [f64; 2] {
    let vector = |[lon, lat]: [f64; 2]| {
        let (lon, lat) = (lon * RADIANS, lat * RADIANS);
        [libm::cos(lat) * libm::cos(lon), libm::cos(lat) * libm::sin(lon), libm::sin(lat)]
    };
    let (a, b) = (vector(from), vector(to));
    let angle = haversine(from, to, 1.0);
    let sine = libm::sin(angle);
    if sine < 1e-12 {
        let lat = from[1] + (to[1] - from[1]) * share;
        return [from[0], lat];
    }
    let (wa, wb) = (libm::sin((1.0 - share) * angle) / sine, libm::sin(share * angle) / sine);
    let at = [0, 1, 2].map(|i| wa * a[i] + wb * b[i]);
    let lat = libm::atan2(at[2], libm::hypot(at[0], at[1])) / RADIANS;
    let lon = libm::atan2(at[1], at[0]) / RADIANS;
    [near_longitude(lon, from[0]), lat]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quarter_of_the_globe_is_a_quarter_of_its_circumference() {
        let quarter = EARTH_RADIUS * std::f64::consts::FRAC_PI_2;
        for (from, to) in
            [([0.0, 0.0], [90.0, 0.0]), ([10.0, 0.0], [77.0, 90.0]), ([350.0, 0.0], [80.0, 0.0])]
        {
            assert!((haversine(from, to, EARTH_RADIUS) - quarter).abs() < 1e-6);
        }
        let antipodes = haversine([10.0, 60.0], [-170.0, -60.0], EARTH_RADIUS);
        assert!((antipodes - 2.0 * quarter).abs() < 1e-6);
    }

    #[test]
    fn the_middle_of_a_great_circle_is_as_far_from_both_ends() {
        let (from, to) = ([-64.0, 44.0], [-9.0, 37.0]);
        let middle = along_great_circle(from, to, 0.5);
        let halves = [haversine(from, middle, 1.0), haversine(middle, to, 1.0)];
        assert!((halves[0] - halves[1]).abs() < 1e-12);
        assert!(middle[1] > 43.0, "it bends to the pole: {middle:?}");
        let over = along_great_circle([170.0, 0.0], [-170.0, 0.0], 0.75);
        assert!((over[0] - 185.0).abs() < 1e-9, "{over:?}");
    }

    #[test]
    fn the_coriolis_parameter_changes_sign_at_the_equator() {
        assert!((coriolis(30.0) - ROTATION).abs() < 1e-18);
        assert_eq!(coriolis(-30.0).to_bits(), (-coriolis(30.0)).to_bits());
        let slope = (coriolis(45.01) - coriolis(44.99)) / (0.02 * RADIANS * EARTH_RADIUS);
        assert!((slope / beta(45.0) - 1.0).abs() < 1e-7);
    }
}

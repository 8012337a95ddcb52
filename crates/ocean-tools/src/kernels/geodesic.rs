//! Geodesics on the ellipsoid WGS 84.
//!
//! # Source
//! Vincenty (1975), "Direct and inverse solutions of geodesics on the ellipsoid with application of nested equations",
//! Survey Review 23(176): accurate to a millimetre, without an answer for nearly antipodal places.

use super::sphere::RADIANS;

/// Equatorial radius in metres.
const A: f64 = 6_378_137.0;
/// Flattening.
const F: f64 = 1.0 / 298.257_223_563;
/// Polar radius in metres.
const B: f64 = A * (1.0 - F);

/// The shortest line between two places.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Geodesic {
    /// Its length in metres.
    pub length: f64,
    /// Its direction at the first place, in degrees clockwise from north, −180 to 180.
    pub azimuth: f64,
}

/// The shortest line between two `[lon, lat]` places in degrees; `None` for places that are nearly antipodal and not on
/// opposite meridians, where the iteration has no limit.
pub fn geodesic([lon1, lat1]: [f64; 2], [lon2, lat2]: [f64; 2]) -> Option<Geodesic> {
    let turn = (lon2 - lon1 + 180.0).rem_euclid(360.0) - 180.0;
    if (turn.abs() - 180.0).abs() < 1e-12 {
        return Some(over_the_pole(lat1, lat2));
    }
    let reduced = |lat: f64| libm::atan((1.0 - F) * libm::tan(lat * RADIANS));
    let (u1, u2) = (reduced(lat1), reduced(lat2));
    let (s1, c1, s2, c2) = (libm::sin(u1), libm::cos(u1), libm::sin(u2), libm::cos(u2));
    let l = turn * RADIANS;
    let mut lambda = l;
    for _ in 0..200 {
        let (sl, cl) = (libm::sin(lambda), libm::cos(lambda));
        let sine = libm::hypot(c2 * sl, c1 * s2 - s1 * c2 * cl);
        if sine == 0.0 {
            return Some(Geodesic { length: 0.0, azimuth: 0.0 });
        }
        let cosine = s1 * s2 + c1 * c2 * cl;
        let sigma = libm::atan2(sine, cosine);
        let alpha = c1 * c2 * sl / sine;
        let cos2_alpha = 1.0 - alpha * alpha;
        let middle = if cos2_alpha > 0.0 { cosine - 2.0 * s1 * s2 / cos2_alpha } else { 0.0 };
        let c = F / 16.0 * cos2_alpha * (4.0 + F * (4.0 - 3.0 * cos2_alpha));
        let inner = middle + c * cosine * (2.0 * middle * middle - 1.0);
        let next = l + (1.0 - c) * F * alpha * (sigma + c * sine * inner);
        if (next - lambda).abs() > 1e-13 {
            lambda = next;
            if lambda.abs() > std::f64::consts::PI {
                return None;
            }
            continue;
        }
        let u = cos2_alpha * (A * A - B * B) / (B * B);
        let a = 1.0 + u / 16_384.0 * (4096.0 + u * (-768.0 + u * (320.0 - 175.0 * u)));
        let b = u / 1024.0 * (256.0 + u * (-128.0 + u * (74.0 - 47.0 * u)));
        let third = b / 6.0 * middle * (4.0 * sine * sine - 3.0) * (4.0 * middle * middle - 3.0);
        let change = b * sine * (middle + b / 4.0 * (cosine * (2.0 * middle * middle - 1.0) - third));
        let azimuth = libm::atan2(c2 * sl, c1 * s2 - s1 * c2 * cl) / RADIANS;
        return Some(Geodesic { length: B * a * (sigma - change), azimuth });
    }
    None
}

/// Between opposite meridians the shortest line runs over the nearer pole.
fn over_the_pole(lat1: f64, lat2: f64) -> Geodesic {
    let quarter = meridian(90.0);
    let north = 2.0 * quarter - meridian(lat1) - meridian(lat2);
    let south = 2.0 * quarter + meridian(lat1) + meridian(lat2);
    if north <= south {
        Geodesic { length: north, azimuth: 0.0 }
    } else {
        Geodesic { length: south, azimuth: 180.0 }
    }
}

/// Length of the meridian from the equator to a latitude in degrees, by the series in the third flattening (Helmert
/// 1880), exact to micrometres.
fn meridian(lat: f64) -> f64 {
    let n = F / (2.0 - F);
    let (n2, phi) = (n * n, lat * RADIANS);
    let terms = [
        -3.0 / 2.0 * n * (1.0 - 3.0 / 8.0 * n2) * libm::sin(2.0 * phi),
        15.0 / 16.0 * n2 * (1.0 - n2 / 4.0) * libm::sin(4.0 * phi),
        -35.0 / 48.0 * n * n2 * libm::sin(6.0 * phi),
        315.0 / 512.0 * n2 * n2 * libm::sin(8.0 * phi),
    ];
    let mean = A / (1.0 + n) * (1.0 + n2 / 4.0 + n2 * n2 / 64.0);
    mean * phi + A / (1.0 + n) * terms.iter().sum::<f64>()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quarter_of_the_equator_and_of_a_meridian_have_their_lengths() {
        let equator = geodesic([0.0, 0.0], [90.0, 0.0]).unwrap();
        assert!((equator.length - A * std::f64::consts::FRAC_PI_2).abs() < 1e-3);
        assert!((equator.azimuth - 90.0).abs() < 1e-9);
        let meridian = geodesic([20.0, 0.0], [20.0, 90.0]).unwrap();
        // The quarter meridian of WGS 84.
        assert!((meridian.length - 10_001_965.729).abs() < 2e-3, "{}", meridian.length);
        assert!(meridian.azimuth.abs() < 1e-9);
    }

    #[test]
    fn antipodes_are_joined_over_a_pole_and_their_neighbours_are_refused() {
        let antipodes = geodesic([10.0, 60.0], [-170.0, -60.0]).unwrap();
        assert!((antipodes.length - 2.0 * 10_001_965.729).abs() < 2e-3, "{}", antipodes.length);
        let southern = geodesic([0.0, -80.0], [180.0, -80.0]).unwrap();
        assert!((southern.azimuth - 180.0).abs() < 1e-12 && southern.length < 2.3e6);
        assert!(geodesic([0.0, 0.0], [179.7, 0.1]).is_none());
        assert_eq!(geodesic([5.0, 5.0], [365.0, 5.0]).unwrap().length.to_bits(), 0.0_f64.to_bits());
    }
}

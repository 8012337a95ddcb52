//! What a closed path on the sphere encloses.

use super::sphere::{EARTH_RADIUS, RADIANS, along_great_circle, near_longitude};

/// A closed path with so many pieces of a great circle between its corners `[lon, lat]`, without a jump at the date
/// line; the last corner joins the first.
pub fn closed_path(corners: &[[f64; 2]], pieces: usize) -> Vec<[f64; 2]> {
    let mut path: Vec<[f64; 2]> = Vec::new();
    for (at, from) in corners.iter().enumerate() {
        let to = corners[(at + 1) % corners.len()];
        for piece in 0..pieces {
            let [lon, lat] = along_great_circle(*from, to, piece as f64 / pieces as f64);
            let lon = path.last().map_or(lon, |before| near_longitude(lon, before[0]));
            path.push([lon, lat]);
        }
    }
    path
}

/// Area in square metres inside of a closed path, positive when it runs anticlockwise: `−R² ∮ sin φ dλ`. `None` when it
/// goes round a pole.
pub fn signed_area(path: &[[f64; 2]]) -> Option<f64> {
    let (first, last) = (path.first()?, path.last()?);
    if (near_longitude(first[0], last[0]) - first[0]).abs() > 1e-6 {
        return None;
    }
    let sine = |place: [f64; 2]| libm::sin(place[1] * RADIANS);
    let sum: f64 = (0..path.len())
        .map(|at| {
            let (from, to) = (path[at], path[(at + 1) % path.len()]);
            0.5 * (sine(from) + sine(to)) * (to[0] - from[0]) * RADIANS
        })
        .sum();
    Some(-EARTH_RADIUS * EARTH_RADIUS * sum)
}

#[cfg(test)]
mod tests {
    use std::f64::consts::PI;

    use super::*;

    #[test]
    fn an_octant_is_an_eighth_of_the_globe_and_the_way_round_has_a_sign() {
        let exact = 0.5 * PI * EARTH_RADIUS * EARTH_RADIUS;
        // A corner just beside the pole, as longitude has no meaning at it.
        let corners = [[0.0, 0.0], [90.0, 0.0], [90.0, 89.999], [0.0, 89.999]];
        let area = signed_area(&closed_path(&corners, 200)).unwrap();
        assert!((area / exact - 1.0).abs() < 1e-4, "{}", area / exact);
        let back: Vec<[f64; 2]> = corners.iter().rev().copied().collect();
        assert!((signed_area(&closed_path(&back, 200)).unwrap() + area).abs() < 1e-4 * area);
        let over = [[175.0, -1.0], [-175.0, -1.0], [-175.0, 1.0], [175.0, 1.0]];
        let band = signed_area(&closed_path(&over, 100)).unwrap();
        let flat = EARTH_RADIUS * EARTH_RADIUS * 10.0 * RADIANS * 2.0 * libm::sin(RADIANS);
        assert!((band / flat - 1.0).abs() < 5e-3);
        assert!(signed_area(&closed_path(&[[0.0, 80.0], [120.0, 80.0], [-120.0, 80.0]], 9)).is_none());
    }
}

//! Distances on the sphere, and where a track comes closest to a point.

use super::Point;

/// The mean radius of the Earth in kilometres.
///
/// # Source
/// Moritz, Geodetic Reference System 1980, R1.
const RADIUS: f64 = 6_371.008_8;

/// Where a track comes closest to a point.
#[derive(Debug, Clone, PartialEq)]
pub struct Closest {
    /// How far, in kilometres along a great circle.
    pub distance_km: f64,
    /// The track's point before it, by its place in the track.
    pub before: usize,
    /// How far from that point to the next one: 0 to 1, of the way and of the time.
    pub fraction: f64,
    /// Degrees north of the closest position.
    pub lat: f64,
    /// Degrees east of it.
    pub lon: f64,
}

type Vector = [f64; 3];

fn unit(lat: f64, lon: f64) -> Vector {
    let (lat, lon) = (lat.to_radians(), lon.to_radians());
    [lat.cos() * lon.cos(), lat.cos() * lon.sin(), lat.sin()]
}

fn dot(a: Vector, b: Vector) -> f64 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

fn cross([a, b, c]: Vector, [x, y, z]: Vector) -> Vector {
    [b * z - c * y, c * x - a * z, a * y - b * x]
}

fn length(a: Vector) -> f64 {
    dot(a, a).sqrt()
}

/// The angle between two directions; exact for small and for large ones.
fn angle(a: Vector, b: Vector) -> f64 {
    length(cross(a, b)).atan2(dot(a, b))
}

/// The distance of two points in kilometres.
pub(crate) fn distance_km(a: (f64, f64), b: (f64, f64)) -> f64 {
    RADIUS * angle(unit(a.0, a.1), unit(b.0, b.1))
}

/// Where a track comes closest to a point: along the great circles between its points, the first of equal ones. `None` for an
/// empty track.
///
/// ```
/// use hydro_specialists::nhc::{Point, closest};
///
/// let at = |day: i8, lat, lon| Point {
///     time: jiff::civil::date(2022, 9, day).at(0, 0, 0, 0), lat, lon, wind: None, pressure: None,
///     status: "HU".into(), record: None, rmw: None, radii: Vec::new(),
/// };
/// // Along the equator past a point one degree north of it: a degree of a great circle away, half way.
/// let found = closest(&[at(1, 0.0, -80.0), at(2, 0.0, -70.0)], 1.0, -75.0).unwrap();
/// assert!((found.distance_km - 6371.0088 * 1.0_f64.to_radians()).abs() < 1e-9);
/// assert!((found.fraction - 0.5).abs() < 1e-9);
/// ```
pub fn closest(points: &[Point], lat: f64, lon: f64) -> Option<Closest> {
    let target = unit(lat, lon);
    let mut best: Option<Closest> = None;
    let mut offer = |found: Closest| {
        if best.as_ref().is_none_or(|own| found.distance_km < own.distance_km) {
            best = Some(found);
        }
    };
    for (before, point) in points.iter().enumerate() {
        let from = unit(point.lat, point.lon);
        offer(Closest {
            distance_km: RADIUS * angle(from, target),
            before,
            fraction: 0.0,
            lat: point.lat,
            lon: point.lon,
        });
        let Some(next) = points.get(before + 1) else { continue };
        let to = unit(next.lat, next.lon);
        let whole = angle(from, to);
        let normal = cross(from, to);
        let size = length(normal);
        if size < 1e-12 {
            continue;
        }
        let normal = normal.map(|part| part / size);
        // The foot of the perpendicular from the target onto the circle.
        let height = dot(target, normal);
        let foot = [0, 1, 2].map(|axis| {
            let part = |vector: Vector| vector.get(axis).copied().unwrap_or(0.0);
            part(target) - height * part(normal)
        });
        let size = length(foot);
        if size < 1e-12 {
            continue;
        }
        let foot = foot.map(|part| part / size);
        let way = angle(from, foot);
        let is_ahead = dot(cross(from, foot), normal) > 0.0;
        if is_ahead && way < whole {
            let [x, y, z] = foot;
            offer(Closest {
                distance_km: RADIUS * angle(foot, target),
                before,
                fraction: way / whole,
                lat: z.atan2(x.hypot(y)).to_degrees(),
                lon: y.atan2(x).to_degrees(),
            });
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(hour: i8, lat: f64, lon: f64) -> Point {
        Point {
            time: jiff::civil::date(2022, 9, 28).at(hour, 0, 0, 0),
            lat,
            lon,
            wind: None,
            pressure: None,
            status: String::new(),
            record: None,
            rmw: None,
            radii: Vec::new(),
        }
    }

    #[test]
    fn closed_forms_hold() {
        let degree = RADIUS * 1.0_f64.to_radians();
        // Ends, the middle of a meridian, across the date line, one point, a storm that stands still.
        for (track, target, distance, before, fraction) in [
            (vec![at(0, 0.0, -80.0), at(6, 0.0, -70.0)], (0.0, -82.0), 2.0 * degree, 0, 0.0),
            (vec![at(0, 0.0, -80.0), at(6, 0.0, -70.0)], (0.0, -69.0), degree, 1, 0.0),
            (vec![at(0, 10.0, 20.0), at(6, 30.0, 20.0)], (20.0, 20.0), 0.0, 0, 0.5),
            (vec![at(0, 0.0, 179.0), at(6, 0.0, -179.0)], (3.0, 180.0), 3.0 * degree, 0, 0.5),
            (vec![at(0, 5.0, 5.0)], (5.0, 5.0), 0.0, 0, 0.0),
            (vec![at(0, 5.0, 5.0), at(6, 5.0, 5.0)], (6.0, 5.0), degree, 0, 0.0),
        ] {
            let found = closest(&track, target.0, target.1).unwrap();
            assert!((found.distance_km - distance).abs() < 1e-6, "{found:?}");
            assert!(found.before == before && (found.fraction - fraction).abs() < 1e-9, "{found:?}");
        }
        assert_eq!(closest(&[], 0.0, 0.0), None);
        // A quarter of the Earth.
        assert!((distance_km((0.0, 0.0), (90.0, 0.0)) - 90.0 * degree).abs() < 1e-6);
    }
}

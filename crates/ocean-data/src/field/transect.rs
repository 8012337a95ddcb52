//! Transects: places along a path of great circles.

use super::sphere::{EARTH_RADIUS, angle, cross, length, place, scaled_sum, unit, vector};

/// Places along a path, with the distance from its start.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Transect {
    /// Longitudes in degrees east, without a jump at the date line: neighbours differ by less than 180.
    pub lon: Vec<f64>,
    /// Latitudes in degrees north.
    pub lat: Vec<f64>,
    /// Distance from the start along the path, in kilometres; never falls.
    pub distance_km: Vec<f64>,
    /// The leg of the path each place lies on, from 0; a corner belongs to the leg that ends there.
    pub leg: Vec<usize>,
}

/// A path that has no transect.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum TransectError {
    /// Fewer than two different places.
    #[error("a path needs two different places; give at least two [lon, lat] that differ")]
    NoLength,
    /// The step is no positive number, or makes too many places.
    #[error(
        "a step of {step_km} km makes {places} places on a path of {length_km:.0} km; choose a step between {least_km:.3} km and the length of the path"
    )]
    Step {
        /// The step.
        step_km: f64,
        /// Places it would make.
        places: f64,
        /// Length of the path.
        length_km: f64,
        /// The smallest step.
        least_km: f64,
    },
    /// Two neighbours are opposite each other, so that no great circle between them is the shortest.
    #[error("places {from:?} and {to:?} are opposite each other on the Earth; put a place between them")]
    Antipodes {
        /// `[lon, lat]`.
        from: [f64; 2],
        /// `[lon, lat]`.
        to: [f64; 2],
    },
}

/// More places than these are refused.
const MOST: f64 = 1_000_000.0;

/// Places every `step_km` along a path of great circles through `[lon, lat]` corners, with the corners themselves and
/// the end.
///
/// # Units
/// Degrees and kilometres; the radius of the Earth is 6371 km.
///
/// # Errors
/// [`TransectError`].
///
/// # Examples
/// ```
/// use ocean_data::field::transect::transect;
///
/// let line = transect(&[[170.0, 0.0], [-170.0, 0.0]], 1000.0)?;
/// assert_eq!(line.lon.first(), Some(&170.0));
/// assert!((line.lon.last().unwrap() - 190.0).abs() < 1e-9);
/// assert!((line.distance_km.last().unwrap() - 2223.9).abs() < 0.1);
/// # Ok::<(), ocean_data::field::transect::TransectError>(())
/// ```
pub fn transect(path: &[[f64; 2]], step_km: f64) -> Result<Transect, TransectError> {
    let legs: Vec<f64> = path
        .windows(2)
        .map(|pair| {
            let (a, b) = (vector(pair[0][0], pair[0][1]), vector(pair[1][0], pair[1][1]));
            let turn = angle(a, b);
            if std::f64::consts::PI - turn < 1e-9 {
                return Err(TransectError::Antipodes { from: pair[0], to: pair[1] });
            }
            Ok(turn * EARTH_RADIUS / 1000.0)
        })
        .collect::<Result<_, _>>()?;
    let length_km: f64 = legs.iter().sum();
    if length_km <= 0.0 || !length_km.is_finite() {
        return Err(TransectError::NoLength);
    }
    let places = length_km / step_km;
    if !(step_km > 0.0 && places <= MOST) {
        return Err(TransectError::Step { step_km, places, length_km, least_km: length_km / MOST });
    }
    let mut out = Transect::default();
    out.push(path[0], 0.0, 0);
    let mut start = 0.0;
    // Counted, so that steps do not add up their rounding.
    let mut next = 1.0;
    // A step that meets a corner is the corner.
    let near = (step_km * 1e-6).min(1e-6);
    for (leg, &long) in legs.iter().enumerate() {
        let end = start + long;
        while next * step_km < end - near {
            let at = next * step_km;
            if at > start + near {
                out.push(between(path[leg], path[leg + 1], (at - start) / long), at, leg);
            }
            next += 1.0;
        }
        if long > 0.0 {
            out.push(path[leg + 1], end, leg);
        }
        start = end;
    }
    Ok(out)
}

impl Transect {
    /// How many places.
    pub fn len(&self) -> usize {
        self.lon.len()
    }

    /// Never: a path without length is an error.
    pub fn is_empty(&self) -> bool {
        self.lon.is_empty()
    }

    fn push(&mut self, [lon, lat]: [f64; 2], distance_km: f64, leg: usize) {
        let turned = self.lon.last().map_or(lon, |&last| lon - 360.0 * ((lon - last) / 360.0).round());
        self.lon.push(turned);
        self.lat.push(lat);
        self.distance_km.push(distance_km);
        self.leg.push(leg);
    }
}

/// The place at a share of the great circle from one place to another.
fn between(from: [f64; 2], to: [f64; 2], share: f64) -> [f64; 2] {
    let (a, b) = (vector(from[0], from[1]), vector(to[0], to[1]));
    let normal = cross(a, b);
    if length(normal) <= 0.0 {
        return from;
    }
    // The direction of travel at the start, at right angles to it.
    let ahead = cross(unit(normal), a);
    let turn = angle(a, b) * share;
    place(scaled_sum(a, libm::cos(turn), ahead, libm::sin(turn)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::field::sphere::distance;

    #[test]
    fn steps_are_equal_along_great_circles() {
        let line = transect(&[[-60.0, 40.0], [-10.0, 50.0]], 100.0).unwrap();
        for i in 1..line.len() {
            let step = distance(line.lon[i - 1], line.lat[i - 1], line.lon[i], line.lat[i]) / 1000.0;
            let wanted = line.distance_km[i] - line.distance_km[i - 1];
            assert!((step - wanted).abs() < 1e-6, "{i}: {step} {wanted}");
        }
        // A great circle between mid-latitudes bulges polewards.
        let highest = line.lat.iter().copied().fold(0.0, f64::max);
        assert!(highest > 50.0, "{highest}");
        assert!(
            (line.distance_km[line.len() - 1] - distance(-60.0, 40.0, -10.0, 50.0) / 1000.0).abs() < 1e-6
        );
    }

    #[test]
    fn corners_are_places_and_distances_rise() {
        let line = transect(&[[0.0, 0.0], [1.0, 0.0], [1.0, 1.0]], 30.0).unwrap();
        assert!(line.distance_km.windows(2).all(|pair| pair[1] > pair[0]));
        let at_corner = |(lon, lat): (&f64, &f64)| (lon - 1.0).abs() + lat.abs() < 1e-12;
        let corner = line.lon.iter().zip(&line.lat).position(at_corner).unwrap();
        assert!((line.distance_km[corner] - 111.1949).abs() < 1e-3);
        assert_eq!(line.leg[corner], 0);
        assert_eq!(line.leg[corner + 1], 1);
        // Steps count from the start of the path, not from the corner.
        assert!((line.distance_km[corner + 1] - 120.0).abs() < 1e-9);
    }

    #[test]
    fn a_step_that_meets_a_corner_is_not_doubled() {
        let leg = distance(0.0, 0.0, 1.0, 0.0) / 1000.0;
        let line = transect(&[[0.0, 0.0], [1.0, 0.0], [2.0, 0.0]], leg).unwrap();
        assert_eq!(line.len(), 3);
        assert_eq!(line.lon, [0.0, 1.0, 2.0]);
    }

    #[test]
    fn paths_cross_the_date_line_and_the_pole() {
        let line = transect(&[[179.0, 10.0], [-179.0, 10.0]], 50.0).unwrap();
        assert!(line.lon.windows(2).all(|pair| pair[1] > pair[0]), "{:?}", line.lon);
        let over = transect(&[[0.0, 80.0], [180.0, 80.0]], 500.0).unwrap();
        assert!(over.lat.iter().any(|&lat| lat > 84.0));
        assert!((over.distance_km[over.len() - 1] - distance(0.0, 80.0, 180.0, 80.0) / 1000.0).abs() < 1e-6);
    }

    #[test]
    fn what_is_no_path_is_refused() {
        assert_eq!(transect(&[[1.0, 1.0], [1.0, 1.0]], 1.0), Err(TransectError::NoLength));
        assert!(matches!(transect(&[[0.0, 0.0], [180.0, 0.0]], 1.0), Err(TransectError::Antipodes { .. })));
        assert!(matches!(transect(&[[0.0, 0.0], [9.0, 0.0]], 0.0), Err(TransectError::Step { .. })));
        assert!(matches!(transect(&[[0.0, 0.0], [90.0, 0.0]], 1e-6), Err(TransectError::Step { .. })));
    }
}

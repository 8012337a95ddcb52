//! Polygons on the sphere in longitude and latitude: edges are straight in both.

use super::region::{EDGE, LonLatBox};

/// A polygon whose corners have been laid out without a jump at the date line.
///
/// Neighbouring corners are joined the short way round. An edge of exactly 180 degrees, or of a whole turn, is taken
/// as it is written. A ring that goes once around the Earth encloses the pole that it is nearer to.
#[derive(Debug, Clone, PartialEq)]
pub struct Polygon {
    ring: Vec<[f64; 2]>,
    bounds: LonLatBox,
}

impl Polygon {
    /// A polygon of `[lon, lat]` corners; the last joins the first.
    pub fn new(corners: &[[f64; 2]]) -> Self {
        // A ring that repeats its first corner is closed anyway.
        let closed = match (corners.first(), corners.last()) {
            (Some(a), Some(b)) if corners.len() > 1 => {
                let turns = (a[0] - b[0]) / 360.0;
                (turns - turns.round()).abs() < 1e-12 && (a[1] - b[1]).abs() < 1e-12
            }
            _ => false,
        };
        let mut ring = unwrap(&corners[..corners.len() - usize::from(closed)]);
        if let (Some(&first), Some(&last)) = (ring.first(), ring.last()) {
            let closing = short_way(corners[ring.len() - 1], corners[0]);
            let turn = last[0] + closing - first[0];
            if turn.abs() > 180.0 {
                let mean = ring.iter().map(|corner| corner[1]).sum::<f64>() / ring.len() as f64;
                let pole = if mean < 0.0 { -90.0 } else { 90.0 };
                ring.push([first[0] + turn, first[1]]);
                ring.push([first[0] + turn, pole]);
                ring.push([first[0], pole]);
            }
        }
        let fold = |at: usize, start: f64, f: fn(f64, f64) -> f64| ring.iter().map(|c| c[at]).fold(start, f);
        let bounds = LonLatBox {
            west: fold(0, f64::INFINITY, f64::min),
            east: fold(0, f64::NEG_INFINITY, f64::max),
            south: fold(1, f64::INFINITY, f64::min),
            north: fold(1, f64::NEG_INFINITY, f64::max),
        };
        Self { ring, bounds }
    }

    /// The box around it.
    pub fn bounds(&self) -> LonLatBox {
        self.bounds
    }

    /// Whether a place is inside, by the even-odd rule, edges included; longitudes are compared modulo 360.
    pub fn contains(&self, lon: f64, lat: f64) -> bool {
        let x = self.bounds.west + self.bounds.eastward(lon);
        // The western edge is also 360 degrees east of itself.
        self.holds(x, lat) || (x - self.bounds.west < EDGE && self.holds(x + 360.0, lat))
    }

    fn holds(&self, x: f64, y: f64) -> bool {
        let mut inside = false;
        for (i, &[xa, ya]) in self.ring.iter().enumerate() {
            let [xb, yb] = self.ring[(i + 1) % self.ring.len()];
            if on_edge([x, y], [xa, ya], [xb, yb]) {
                return true;
            }
            if (ya > y) != (yb > y) && x < xa + (y - ya) / (yb - ya) * (xb - xa) {
                inside = !inside;
            }
        }
        inside
    }
}

/// Whether a place is within [`EDGE`] of a straight edge.
fn on_edge([x, y]: [f64; 2], [xa, ya]: [f64; 2], [xb, yb]: [f64; 2]) -> bool {
    let (dx, dy) = (xb - xa, yb - ya);
    let length = dx * dx + dy * dy;
    let along = if length > 0.0 { (((x - xa) * dx + (y - ya) * dy) / length).clamp(0.0, 1.0) } else { 0.0 };
    let (ex, ey) = (x - xa - along * dx, y - ya - along * dy);
    ex * ex + ey * ey <= EDGE * EDGE
}

/// The corners with neighbours joined the short way round.
fn unwrap(corners: &[[f64; 2]]) -> Vec<[f64; 2]> {
    let mut out = corners.to_vec();
    for i in 1..out.len() {
        out[i][0] = out[i - 1][0] + short_way(corners[i - 1], corners[i]);
    }
    out
}

/// How far east one corner is of another, the short way round. Up to 180 degrees it is kept as it is written, and so is
/// a whole turn along one parallel; on two parallels that is the same meridian written in two ways.
fn short_way(from: [f64; 2], to: [f64; 2]) -> f64 {
    let difference = to[0] - from[0];
    let whole_turn = (difference.abs() - 360.0).abs() < 1e-9 && (to[1] - from[1]).abs() < 1e-9;
    if difference.abs() <= 180.0 || whole_turn {
        return difference;
    }
    difference - 360.0 * (difference / 360.0).round()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn polygons_cross_the_date_line() {
        let triangle = Polygon::new(&[[175.0, -5.0], [-175.0, -5.0], [-175.0, 5.0]]);
        assert!(triangle.contains(183.0, -4.0));
        assert!(triangle.contains(-177.0, 0.0));
        assert!(!triangle.contains(176.0, 4.0));
        assert!(!triangle.contains(0.0, 0.0));
        // One meridian in two spellings.
        let box_like = Polygon::new(&[[170.0, -5.0], [185.0, -5.0], [-175.0, 6.0], [170.0, 6.0]]);
        assert!(box_like.contains(-176.0, 5.0) && box_like.contains(171.0, 5.5));
        assert!(!box_like.contains(-150.0, 5.0) && !box_like.contains(0.0, 0.0));
    }

    #[test]
    fn a_polygon_may_touch_180_exactly() {
        for corners in [
            [[0.0, -10.0], [180.0, -10.0], [180.0, 10.0], [0.0, 10.0]],
            [[180.0, 10.0], [0.0, 10.0], [0.0, -10.0], [180.0, -10.0]],
        ] {
            let half = Polygon::new(&corners);
            for (lon, inside) in
                [(90.0, true), (180.0, true), (-180.0, true), (0.0, true), (-90.0, false), (270.0, false)]
            {
                assert_eq!(half.contains(lon, 0.0), inside, "{lon}");
            }
        }
        let all = Polygon::new(&[[-180.0, -30.0], [180.0, -30.0], [180.0, 30.0], [-180.0, 30.0]]);
        for lon in [-180.0, -90.0, 0.0, 90.0, 179.9, 180.0, 270.0, 360.0] {
            assert!(all.contains(lon, 0.0), "{lon}");
        }
        assert!(!all.contains(0.0, 31.0));
    }

    #[test]
    fn edges_and_corners_are_inside() {
        let square = Polygon::new(&[[0.0, 0.0], [10.0, 0.0], [10.0, 10.0], [0.0, 10.0]]);
        for place in [[0.0, 0.0], [10.0, 10.0], [5.0, 10.0], [10.0, 5.0], [360.0, 5.0], [5.0, 0.0]] {
            assert!(square.contains(place[0], place[1]), "{place:?}");
        }
        assert!(!square.contains(10.001, 5.0) && !square.contains(5.0, -0.001));
    }

    #[test]
    fn a_ring_around_the_earth_holds_its_pole() {
        let north = Polygon::new(&[[0.0, 60.0], [90.0, 65.0], [180.0, 60.0], [-90.0, 65.0]]);
        assert!(north.contains(33.0, 90.0) && north.contains(-150.0, 70.0) && north.contains(0.0, 61.0));
        assert!(!north.contains(33.0, 55.0) && !north.contains(200.0, -70.0));
        let south = Polygon::new(&[[0.0, -60.0], [-120.0, -60.0], [120.0, -60.0]]);
        assert!(south.contains(10.0, -75.0) && !south.contains(10.0, -50.0));
    }

    #[test]
    fn a_repeated_first_corner_changes_nothing() {
        let open = Polygon::new(&[[0.0, 0.0], [10.0, 0.0], [10.0, 10.0]]);
        let closed = Polygon::new(&[[0.0, 0.0], [10.0, 0.0], [10.0, 10.0], [0.0, 0.0]]);
        assert_eq!(open, closed);
        let cap = Polygon::new(&[[0.0, 60.0], [90.0, 60.0], [180.0, 60.0], [270.0, 60.0], [360.0, 60.0]]);
        assert!(cap.contains(45.0, 80.0) && !cap.contains(45.0, 50.0));
    }
}

//! [`Mesh`]: where the nodes are; which are near a point, or in a box.

/// The nodes of a mesh.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Mesh {
    /// Degrees east, -180 to 180.
    pub(crate) lon: Vec<f64>,
    /// Degrees north.
    pub(crate) lat: Vec<f64>,
}

/// West, south, east, north.
pub(crate) type Bounds = [f64; 4];

/// The radius of the earth, km.
const RADIUS: f64 = 6371.0;

impl Mesh {
    /// The nodes nearest to a point, nearest first, with their distances in km. Of equals the first counts.
    pub(crate) fn nearest(&self, lat: f64, lon: f64, count: usize) -> Vec<(usize, f64)> {
        // On a plane around the point the order is the same as on the sphere, near enough to be looked at exactly.
        let across = lat.to_radians().cos();
        let plane = |(x, y): (&f64, &f64)| {
            let (dx, dy) = (turn(x - lon) * across, y - lat);
            dx * dx + dy * dy
        };
        let mut near: Vec<(f64, usize)> = Vec::with_capacity(count + 1);
        for (node, place) in self.lon.iter().zip(&self.lat).enumerate() {
            let far = plane(place);
            if !far.is_finite() || (near.len() == count && near.last().is_none_or(|last| far >= last.0)) {
                continue;
            }
            let at = near.partition_point(|own| own.0 <= far);
            near.insert(at, (far, node));
            near.truncate(count);
        }
        let mut found: Vec<(usize, f64)> = near
            .into_iter()
            .filter_map(|(_, node)| {
                Some((node, distance(lat, lon, *self.lat.get(node)?, *self.lon.get(node)?)))
            })
            .collect();
        found.sort_by(|a, b| a.1.total_cmp(&b.1).then(a.0.cmp(&b.0)));
        found
    }

    /// Whether each node lies in a box.
    pub(crate) fn inside(&self, bounds: Bounds) -> Vec<bool> {
        self.lon.iter().zip(&self.lat).map(|(lon, lat)| holds(bounds, *lon, *lat)).collect()
    }
}

/// Whether a box holds a point. A box whose west is the greater crosses the date line.
pub(crate) fn holds([west, south, east, north]: Bounds, lon: f64, lat: f64) -> bool {
    let across = if west <= east { lon >= west && lon <= east } else { lon >= west || lon <= east };
    across && lat >= south && lat <= north
}

/// A difference of longitudes in -180 to 180.
fn turn(difference: f64) -> f64 {
    difference - 360.0 * (difference / 360.0).round()
}

/// The great-circle distance, km.
pub(crate) fn distance(lat: f64, lon: f64, other_lat: f64, other_lon: f64) -> f64 {
    let (a, b) = (lat.to_radians(), other_lat.to_radians());
    let (up, across) = ((b - a) / 2.0, turn(other_lon - lon).to_radians() / 2.0);
    let h = up.sin().powi(2) + a.cos() * b.cos() * across.sin().powi(2);
    2.0 * RADIUS * h.sqrt().min(1.0).asin()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_come_first_also_across_the_date_line() {
        let mesh =
            Mesh { lon: vec![10.0, 179.9, -179.9, 10.1, f64::NAN], lat: vec![0.0, 0.0, 0.0, 0.0, 0.0] };
        let nodes =
            |lat, lon, count| mesh.nearest(lat, lon, count).into_iter().map(|own| own.0).collect::<Vec<_>>();
        assert_eq!(nodes(0.0, -179.95, 2), [2, 1]);
        assert_eq!(nodes(0.0, 10.06, 3)[..2], [3, 0]);
        assert_eq!(nodes(0.0, 0.0, 9).len(), 4);
        // A degree of a great circle.
        assert!((distance(0.0, 0.0, 1.0, 0.0) - 111.195).abs() < 0.001);
        assert!((distance(60.0, 0.0, 60.0, 1.0) - 55.597).abs() < 0.01);
        assert!(distance(0.0, 179.5, 0.0, -179.5) < 112.0);
    }

    #[test]
    fn boxes_may_cross_the_date_line() {
        assert!(holds([170.0, -10.0, -170.0, 10.0], 175.0, 0.0));
        assert!(!holds([170.0, -10.0, -170.0, 10.0], 0.0, 0.0));
        assert!(holds([-84.0, 25.0, -81.0, 28.0], -84.0, 28.0));
    }
}

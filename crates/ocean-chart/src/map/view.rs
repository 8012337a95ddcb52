//! The window of a map in its projection and its frame.

use super::projection::{Formula, Projection};

/// Lines that are curved by the projection get a point at least every so many degrees.
const STEP: f64 = 2.0;

/// A window, its projection, and where it stands in the drawing.
#[derive(Debug, Clone)]
pub(super) struct View {
    pub(super) formula: Formula,
    /// West and east; east may pass 180.
    pub(super) lon: [f64; 2],
    pub(super) lat: [f64; 2],
    /// Left, top, width and height in pixels.
    pub(super) frame: [f64; 4],
    /// The least and the greatest place of the projection.
    bounds: [[f64; 2]; 2],
    /// The edges of the window as places of the projection: one ring, or two where it has a hole.
    rings: Vec<Vec<[f64; 2]>>,
}

impl View {
    /// Makes the view of a window; its frame has no place yet.
    pub(super) fn new(projection: Projection, lon: [f64; 2], lat: [f64; 2]) -> Self {
        let formula = projection.formula(lon, lat);
        let lat = match formula {
            Formula::Mercator => lat.map(|lat| lat.clamp(-85.0, 85.0)),
            Formula::Polar { is_north: true, .. } => [lat[0].max(-60.0), lat[1]],
            Formula::Polar { is_north: false, .. } => [lat[0], lat[1].min(60.0)],
            _ => lat,
        };
        let rings: Vec<Vec<[f64; 2]>> = window_rings(formula, lon, lat)
            .into_iter()
            .map(|ring| densify(&ring).into_iter().map(|point| formula.forward(point)).collect())
            .collect();
        let mut bounds = [[f64::INFINITY; 2], [f64::NEG_INFINITY; 2]];
        for point in rings.iter().flatten() {
            for part in 0..2 {
                bounds[0][part] = bounds[0][part].min(point[part]);
                bounds[1][part] = bounds[1][part].max(point[part]);
            }
        }
        Self { formula, lon, lat, frame: [0.0, 0.0, 1.0, 1.0], bounds, rings }
    }

    /// Returns the height over the width.
    pub(super) fn aspect(&self) -> f64 {
        let [low, high] = self.bounds;
        (high[1] - low[1]) / (high[0] - low[0])
    }

    /// Gives the view its frame.
    pub(super) fn set_frame(&mut self, frame: [f64; 4]) {
        self.frame = frame;
    }

    /// Returns the pixels of a longitude and latitude. Longitudes are taken as they are, not turned.
    pub(super) fn place(&self, point: [f64; 2]) -> [f64; 2] {
        self.pixels(self.formula.forward(point))
    }

    /// Returns the longitude, inside the window's turn, and the latitude of a pixel; none outside of the window.
    pub(super) fn inverse(&self, [x, y]: [f64; 2]) -> Option<[f64; 2]> {
        let ([left, top, width, height], [low, high]) = (self.frame, self.bounds);
        let across = low[0] + (x - left) / width * (high[0] - low[0]);
        let up = high[1] - (y - top) / height * (high[1] - low[1]);
        let [lon, lat] = self.formula.inverse([across, up])?;
        let lon = self.homed(lon);
        (lon <= self.lon[1] && lat >= self.lat[0] && lat <= self.lat[1]).then_some([lon, lat])
    }

    /// Returns a longitude moved by whole turns to lie at or east of the window's west edge.
    pub(super) fn homed(&self, lon: f64) -> f64 {
        lon + 360.0 * libm::ceil((self.lon[0] - lon) / 360.0 - 1e-12)
    }

    /// Returns the pixels of a line of longitudes and latitudes, with more points where the projection bends it.
    pub(super) fn line(&self, points: &[[f64; 2]]) -> Vec<[f64; 2]> {
        if self.formula.is_straight() {
            return points.iter().map(|point| self.place(*point)).collect();
        }
        densify(points).into_iter().map(|point| self.place(point)).collect()
    }

    /// Returns the outline of the window in pixels.
    pub(super) fn outline(&self) -> Vec<Vec<[f64; 2]>> {
        self.rings.iter().map(|ring| ring.iter().map(|point| self.pixels(*point)).collect()).collect()
    }

    fn pixels(&self, [x, y]: [f64; 2]) -> [f64; 2] {
        let ([left, top, width, height], [low, high]) = (self.frame, self.bounds);
        [left + (x - low[0]) / (high[0] - low[0]) * width, top + (high[1] - y) / (high[1] - low[1]) * height]
    }
}

/// The edges of a window: around it, or its parallels where it goes all around a pole.
fn window_rings(formula: Formula, lon: [f64; 2], lat: [f64; 2]) -> Vec<Vec<[f64; 2]>> {
    let [west, east] = lon;
    let parallel = |lat: f64| vec![[west, lat], [east, lat]];
    match formula {
        Formula::Polar { is_north, .. } if east - west >= 359.0 => {
            let (outer, inner) = if is_north { (lat[0], lat[1]) } else { (lat[1], lat[0]) };
            let has_hole = inner.abs() < 89.0;
            [outer, inner].into_iter().take(1 + usize::from(has_hole)).map(parallel).collect()
        }
        _ => vec![vec![[west, lat[0]], [east, lat[0]], [east, lat[1]], [west, lat[1]], [west, lat[0]]]],
    }
}

fn densify(points: &[[f64; 2]]) -> Vec<[f64; 2]> {
    let mut dense = Vec::with_capacity(points.len());
    dense.extend(points.first());
    for pair in points.windows(2) {
        let (from, to) = (pair[0], pair[1]);
        let length = (to[0] - from[0]).abs().max((to[1] - from[1]).abs());
        let steps = crate::float::floor_index(length / STEP) + 1;
        dense.extend((1..=steps.min(1000)).map(|step| {
            let share = step as f64 / steps.min(1000) as f64;
            [from[0] + share * (to[0] - from[0]), from[1] + share * (to[1] - from[1])]
        }));
    }
    dense
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pixels_come_back_in_the_windows_turn() {
        let mut view = View::new(Projection::PlateCarree, [170.0, 190.0], [-10.0, 10.0]);
        view.set_frame([10.0, 20.0, 300.0, 290.0]);
        let [x, y] = view.place([185.0, -5.0]);
        let back = view.inverse([x, y]).unwrap();
        assert!((back[0] - 185.0).abs() < 1e-9 && (back[1] + 5.0).abs() < 1e-9);
        assert!((view.homed(-175.0) - 185.0).abs() < 1e-9);
        assert_eq!(view.inverse([1.0, 25.0]), None);
    }

    #[test]
    fn a_whole_pole_is_a_disc() {
        let view = View::new(Projection::Auto, [0.0, 360.0], [60.0, 90.0]);
        assert!((view.aspect() - 1.0).abs() < 0.01);
        assert_eq!(view.outline().len(), 1);
        assert_eq!(View::new(Projection::PolarStereographic, [0.0, 360.0], [60.0, 80.0]).outline().len(), 2);
    }
}

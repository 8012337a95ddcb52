//! Tiles of the Web Mercator projection: which cover a box, and where a point lies in them.
//!
//! # Source
//! `x = floor((lon + 180) / 360 · 2^z)`, `y = floor((1 − asinh(tan lat) / π) / 2 · 2^z)`, for latitudes up to 85.0511°.

use crate::ServiceError;

/// The side of a tile, pixels.
pub(crate) const SIDE: f64 = 256.0;
/// The highest latitude of the projection, degrees.
pub(crate) const MAX_LAT: f64 = 85.051_128_779_806_6;
/// The deepest zoom there is.
pub(crate) const MAX_ZOOM: u8 = 19;
/// Metres along the equator in a pixel at zoom 0.
const METRES: f64 = 40_075_016.685_578_5 / 256.0;

/// A box in degrees: west, south, east, north.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Area {
    pub(crate) west: f64,
    pub(crate) south: f64,
    pub(crate) east: f64,
    pub(crate) north: f64,
}

/// A tile.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Tile {
    pub(crate) z: u8,
    pub(crate) x: u32,
    pub(crate) y: u32,
}

impl Area {
    /// A box of four numbers, cut to the projection.
    ///
    /// # Errors
    /// [`ServiceError::BadArgument`] when they are no box.
    pub(crate) fn new([west, south, east, north]: [f64; 4]) -> Result<Self, ServiceError> {
        let finite = [west, south, east, north].iter().all(|edge| edge.is_finite());
        let (low, high) = (south.max(-MAX_LAT), north.min(MAX_LAT));
        if !finite
            || west >= east
            || low >= high
            || west < -180.0
            || east > 180.0
            || south < -90.0
            || north > 90.0
        {
            return Err(ServiceError::BadArgument(
                "`bbox` is no box; write west, south, east, north in degrees, -180 to 180".to_owned(),
            ));
        }
        Ok(Self { west, south: low, east, north: high })
    }

    /// As four numbers.
    pub(crate) const fn edges(self) -> [f64; 4] {
        [self.west, self.south, self.east, self.north]
    }

    /// Left, top, right and bottom in pixels of the whole world at a zoom.
    pub(crate) fn pixels(self, z: u8) -> [f64; 4] {
        let ([left, top], [right, bottom]) =
            (place(self.west, self.north, z), place(self.east, self.south, z));
        [left, top, right, bottom]
    }

    /// The columns and rows of tiles that cover it, both ends included.
    pub(crate) fn range(self, z: u8) -> [[u32; 2]; 2] {
        let [left, top, right, bottom] = self.pixels(z);
        // An edge that lies on the edge of a tile does not need the next one.
        [[at_or_before(left, z), before(right, z)], [at_or_before(top, z), before(bottom, z)]]
    }

    /// How many tiles cover it.
    pub(crate) fn count(self, z: u8) -> u64 {
        let [[x0, x1], [y0, y1]] = self.range(z);
        (u64::from(x1.saturating_sub(x0)) + 1) * (u64::from(y1.saturating_sub(y0)) + 1)
    }

    /// The tiles that cover it, row by row; check [`Area::count`] first.
    pub(crate) fn tiles(self, z: u8) -> Vec<Tile> {
        let [[x0, x1], [y0, y1]] = self.range(z);
        (y0..=y1).flat_map(|y| (x0..=x1).map(move |x| Tile { z, x, y })).collect()
    }

    /// Metres in a pixel at its middle.
    pub(crate) fn metres_per_pixel(self, z: u8) -> f64 {
        let middle = f64::midpoint(self.south, self.north);
        METRES * middle.to_radians().cos() / world(z)
    }
}

impl Tile {
    /// Left and top in pixels of the whole world.
    pub(crate) fn corner(self) -> [f64; 2] {
        [f64::from(self.x) * SIDE, f64::from(self.y) * SIDE]
    }
}

/// How many tiles a side of the world has.
fn world(z: u8) -> f64 {
    f64::from(1_u32 << z.min(MAX_ZOOM))
}

/// Where a point lies, in pixels of the whole world at a zoom.
pub(crate) fn place(lon: f64, lat: f64, z: u8) -> [f64; 2] {
    let lat = lat.clamp(-MAX_LAT, MAX_LAT).to_radians();
    let across = (lon + 180.0) / 360.0;
    let down = (1.0 - lat.tan().asinh() / std::f64::consts::PI) / 2.0;
    [across * world(z) * SIDE, down * world(z) * SIDE]
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "`as` saturates, and the number is a tile's"
)]
fn at_or_before(pixel: f64, z: u8) -> u32 {
    (pixel / SIDE + 1e-9).floor().clamp(0.0, world(z) - 1.0) as u32
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "`as` saturates, and the number is a tile's"
)]
fn before(pixel: f64, z: u8) -> u32 {
    ((pixel / SIDE - 1e-9).ceil() - 1.0).clamp(0.0, world(z) - 1.0) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tiles_have_their_closed_forms() {
        // The whole world is one tile; at each zoom there are four times as many.
        let world = Area::new([-180.0, -90.0, 180.0, 90.0]).unwrap();
        for z in 0..4 {
            assert_eq!(world.count(z), 4_u64.pow(u32::from(z)));
        }
        // 0, 0 is the corner of four tiles.
        let east = Area::new([0.0, -10.0, 10.0, 0.0]).unwrap();
        assert_eq!(east.tiles(1), [Tile { z: 1, x: 1, y: 1 }]);
        let around = Area::new([-1.0, -1.0, 1.0, 1.0]).unwrap();
        assert_eq!(around.count(1), 4);
        // atan(sinh(π/2)) = 66.51326° lies a quarter down.
        let quarter = std::f64::consts::FRAC_PI_2.sinh().atan().to_degrees();
        let [_, down] = place(0.0, quarter, 0);
        assert!((down - 64.0).abs() < 1e-9, "{down}");
        assert!((quarter - 66.513_260_44).abs() < 1e-7);
        let near = Area::new([-81.9, 26.75, -81.85, 26.8]).unwrap();
        assert_eq!(near.tiles(12), [Tile { z: 12, x: 1116, y: 1731 }]);
        assert!((Area::new([0.0, -1.0, 1.0, 1.0]).unwrap().metres_per_pixel(0) - 156_543.034).abs() < 0.001);
    }

    #[test]
    fn what_is_no_box_is_refused() {
        for edges in [
            [1.0, 0.0, 0.0, 1.0],
            [0.0, 1.0, 1.0, 0.0],
            [f64::NAN, 0.0, 1.0, 1.0],
            [-181.0, 0.0, 1.0, 1.0],
            [0.0, 86.0, 1.0, 89.0],
            [0.0, 0.0, 1.0, 91.0],
        ] {
            assert!(Area::new(edges).is_err(), "{edges:?}");
        }
    }
}

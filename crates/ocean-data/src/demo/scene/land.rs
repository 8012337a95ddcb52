//! Land of the world at a quarter degree, and how far the sea is from it.

use std::sync::OnceLock;

/// Rows of the land, from the south.
const ROWS: usize = 720;
/// Rows and columns of the distances.
const HALF: [usize; 2] = [360, 720];
/// Kilometres of a unit of distance.
const UNIT_KM: f64 = 8.0;

/// # Source
/// Natural Earth land polygons at 1:50 million (public domain), see `assets/build_land.py`.
const FILE: &[u8] = include_bytes!("../../../assets/land.bin.zst");

/// The land of the world.
#[derive(Debug)]
pub(crate) struct Land {
    /// Columns where a row changes between water and land.
    changes: Vec<Vec<u16>>,
    distance: Vec<u8>,
}

impl Land {
    /// The one copy of the process; it is read on first use.
    pub(crate) fn of_the_world() -> &'static Self {
        static LAND: OnceLock<Land> = OnceLock::new();
        LAND.get_or_init(|| {
            // The file is part of the program and read by a test: were it damaged, all would be water.
            let bytes = zstd::decode_all(FILE).unwrap_or_default();
            Self::decode(&bytes)
                .unwrap_or_else(|| Self { changes: vec![Vec::new(); ROWS], distance: Vec::new() })
        })
    }

    fn decode(bytes: &[u8]) -> Option<Self> {
        let mut at = 0;
        let mut number = || {
            let pair = bytes.get(at..at + 2)?;
            at += 2;
            Some(u16::from_le_bytes([pair[0], pair[1]]))
        };
        let mut changes = Vec::with_capacity(ROWS);
        for _ in 0..ROWS {
            let n = number()?;
            changes.push((0..n).map(|_| number()).collect::<Option<Vec<u16>>>()?);
        }
        let distance = bytes.get(at..at + HALF[0] * HALF[1])?.to_vec();
        Some(Self { changes, distance })
    }

    /// Whether the quarter-degree cell of a place is land.
    pub(crate) fn is_land(&self, lon: f64, lat: f64) -> bool {
        let row = index((lat + 90.0) * 4.0, ROWS);
        let column = index((lon + 180.0).rem_euclid(360.0) * 4.0, 1440);
        let before = self.changes[row].partition_point(|&change| usize::from(change) <= column);
        before % 2 == 1
    }

    /// Kilometres to the nearest land, at most 2040; bilinear between half-degree cells.
    pub(crate) fn distance_km(&self, lon: f64, lat: f64) -> f64 {
        let y = ((lat + 90.0) * 2.0 - 0.5).clamp(0.0, HALF[0] as f64 - 1.0);
        let x = ((lon + 180.0).rem_euclid(360.0) * 2.0 - 0.5).rem_euclid(HALF[1] as f64);
        let (south, west) = (index(y, HALF[0]), index(x, HALF[1]));
        let (north, east) = ((south + 1).min(HALF[0] - 1), (west + 1) % HALF[1]);
        let (up, right) = (y - y.floor(), x - x.floor());
        let cell = |row: usize, column: usize| {
            f64::from(self.distance.get(row * HALF[1] + column).copied().unwrap_or(255))
        };
        let along = |row: usize| cell(row, west) + (cell(row, east) - cell(row, west)) * right;
        (along(south) + (along(north) - along(south)) * up) * UNIT_KM
    }
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped to the rows there are")]
fn index(value: f64, length: usize) -> usize {
    value.floor().clamp(0.0, length as f64 - 1.0) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_places_are_land_or_sea() {
        let land = Land::of_the_world();
        for (lon, lat, expected) in [
            (116.0, 40.0, true),
            (-50.0, -10.0, true),
            (0.0, -80.0, true),
            (109.7, 19.2, true),
            (115.0, 15.0, false),
            (-150.0, 0.0, false),
            (270.0, 25.0, false),
            (0.0, 89.0, false),
        ] {
            assert_eq!(land.is_land(lon, lat), expected, "{lon} {lat}");
        }
        assert!(land.distance_km(210.0, 0.0) > 500.0);
        assert!(land.distance_km(114.0, 21.8) < 80.0);
    }
}

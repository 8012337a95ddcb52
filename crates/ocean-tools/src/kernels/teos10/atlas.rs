//! The atlas of the absolute salinity anomaly ratio.
//!
//! # Source
//! McDougall, T. J. et al. (2012): A global algorithm for estimating Absolute Salinity. Ocean Science 8, 1123-1134.
//! The table is that of GSW-C 3.06.16; its notice is in `data/LICENSE-GSW.txt`.

use std::sync::OnceLock;

/// Longitudes from 0 and latitudes from -86, both by this many degrees.
const STEP: f64 = 4.0;
const SOUTH: f64 = -86.0;
const LONGITUDES: usize = 91;
const LATITUDES: usize = 45;
const PLACES: usize = LONGITUDES * LATITUDES;

/// Pressures of the levels, dbar.
const PRESSURES: [f64; 45] = [
    0.0, 10.0, 20.0, 30.0, 40.0, 50.0, 76.0, 101.0, 126.0, 151.0, 176.0, 202.0, 252.0, 303.0, 353.0, 404.0,
    505.0, 606.0, 707.0, 808.0, 909.0, 1010.0, 1111.0, 1213.0, 1314.0, 1416.0, 1517.0, 1771.0, 2025.0,
    2279.0, 2534.0, 2789.0, 3045.0, 3300.0, 3556.0, 3812.0, 4069.0, 4325.0, 4583.0, 4840.0, 5098.0, 5355.0,
    5614.0, 5872.0, 6131.0,
];

/// The line through Central America that parts the oceans: longitudes and latitudes.
const BARRIER: [(f64, f64); 6] =
    [(260.0, 19.55), (272.59, 13.97), (276.5, 9.6), (278.65, 8.1), (280.73, 9.33), (292.0, 3.4)];

static BYTES: &[u8] = include_bytes!("../../../data/saar.bin");

/// Levels of the sea floor, and where the values of each place begin and how many there are.
struct Atlas {
    floor: Vec<usize>,
    spans: Vec<(usize, usize)>,
    values: Vec<f64>,
}

impl Atlas {
    fn get() -> &'static Self {
        static ATLAS: OnceLock<Atlas> = OnceLock::new();
        ATLAS.get_or_init(|| {
            let (floor, rest) = BYTES.split_at(PLACES);
            let (counts, rest) = rest.split_at(PLACES);
            let mut begin = 0;
            let span = |&count: &u8| {
                let span = (begin, usize::from(count));
                begin += span.1;
                span
            };
            Self {
                floor: floor.iter().copied().map(usize::from).collect(),
                spans: counts.iter().map(span).collect(),
                values: rest
                    .chunks_exact(4)
                    .map(|bytes| f64::from(f32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]])))
                    .collect(),
            }
        })
    }

    fn value(&self, place: usize, level: usize) -> f64 {
        let (begin, count) = self.spans[place];
        if level < count { self.values[begin + level] } else { f64::NAN }
    }
}

/// The anomaly ratio at a pressure (dbar) and a place (degrees east, north). 0 far from the sea, NaN south of 86 S.
pub fn anomaly_ratio(p: f64, lon: f64, lat: f64) -> f64 {
    if p.is_nan() || !lon.is_finite() || !(SOUTH..=90.0).contains(&lat) {
        return f64::NAN;
    }
    let atlas = Atlas::get();
    let lon = lon.rem_euclid(360.0);
    let (column, row) = (cell(lon / STEP, LONGITUDES), cell((lat - SOUTH) / STEP, LATITUDES));
    let (west, south) = (column as f64 * STEP, SOUTH + row as f64 * STEP);
    // Corners: south-west, south-east, north-east, north-west.
    let corners = [[0, 0], [1, 0], [1, 1], [0, 1]].map(|[i, j]| (column + i) * LATITUDES + row + j);
    let deepest = corners.iter().map(|&corner| atlas.floor[corner]).max().unwrap_or(0);
    if deepest == 0 {
        return 0.0;
    }
    let p = p.min(PRESSURES[deepest - 1]);
    let level = PRESSURES.partition_point(|&own| own <= p).clamp(1, PRESSURES.len() - 1) - 1;
    let x = (lon - west) / STEP;
    let y = (lat - south) / STEP;
    let at = |level: usize| {
        let raw = corners.map(|corner| atlas.value(corner, level));
        let values = if crosses_barrier(lon, lat) {
            same_ocean(raw, [lon, lat], [west, south])
        } else {
            filled(raw, [true; 4])
        };
        let [sw, se, ne, nw] = values;
        (1.0 - y) * (sw + x * (se - sw)) + y * (nw + x * (ne - nw))
    };
    let (upper, lower) = (at(level), at(level + 1));
    let part = (p - PRESSURES[level]) / (PRESSURES[level + 1] - PRESSURES[level]);
    upper + part * (lower - upper)
}

/// The cell of a position counted in cells; the last edge belongs to the last cell.
fn cell(position: f64, edges: usize) -> usize {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a position inside the atlas"
    )]
    let at = position as usize;
    at.min(edges - 2)
}

fn crosses_barrier(lon: f64, lat: f64) -> bool {
    (BARRIER[0].0..=BARRIER[5].0 - 0.001).contains(&lon) && (BARRIER[5].1..=BARRIER[0].1).contains(&lat)
}

/// Latitude of the barrier at a longitude; beyond its ends along its last pieces.
fn barrier_at(lon: f64) -> f64 {
    let after = BARRIER.partition_point(|&(own, _)| own <= lon).clamp(1, BARRIER.len() - 1);
    let ((west, from), (east, to)) = (BARRIER[after - 1], BARRIER[after]);
    from + (lon - west) / (east - west) * (to - from)
}

/// Corners beyond the barrier, and missing ones, get the mean of those on the side of the point.
fn same_ocean(values: [f64; 4], point: [f64; 2], corner: [f64; 2]) -> [f64; 4] {
    let is_north = |lon: f64, lat: f64| barrier_at(lon) <= lat;
    let own = is_north(point[0], point[1]);
    let [west, south] = corner;
    let (east, north) = (west + STEP, south + STEP);
    filled(
        values,
        [(west, south), (east, south), (east, north), (west, north)]
            .map(|(lon, lat)| is_north(lon, lat) == own),
    )
}

/// Values that are missing or not to be used become the mean of the others; all of them 0 when there is no other.
fn filled(values: [f64; 4], used: [bool; 4]) -> [f64; 4] {
    let keep = |at: usize| used[at] && !values[at].is_nan();
    let (n, sum) = (0..4).filter(|&at| keep(at)).fold((0_u8, 0.0), |(n, sum), at| (n + 1, sum + values[at]));
    let mean = if n == 0 { 0.0 } else { sum / f64::from(n) };
    [0, 1, 2, 3].map(|at| if keep(at) { values[at] } else { mean })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_whole() {
        let atlas = Atlas::get();
        assert_eq!(atlas.spans.iter().map(|span| span.1).sum::<usize>(), atlas.values.len());
    }

    #[test]
    fn longitudes_turn_and_places_outside_are_missing() {
        let at = |lon: f64| anomaly_ratio(1000.0, lon, 20.5).to_bits();
        assert_eq!(at(-150.0), at(210.0));
        assert_eq!(at(-150.0), at(570.0));
        assert!(anomaly_ratio(0.0, 10.0, -87.0).is_nan());
        assert_eq!(anomaly_ratio(0.0, 90.0, 48.0).to_bits(), 0.0_f64.to_bits());
    }
}

//! Land and coastlines of the world, cut to a window of a map.
//!
//! # Source
//! Natural Earth land polygons at 1:110 million and 1:50 million, public domain (`NOTICE`): good for maps of a few
//! degrees and more.

/// The land of whole oceans, and that of regions.
const COARSE: &[u8] = include_bytes!("../assets/land-110m.bin");
const FINE: &[u8] = include_bytes!("../assets/land-50m.bin");

/// A window wider than this many degrees has the coarse land.
const COARSE_FROM: f64 = 100.0;

/// The integers of the files are parts of a degree.
const PARTS: f64 = 500.0;

/// A ring with an edge along the date line or a pole: Natural Earth cuts land there, and no coast runs there.
const CUT_LON: f64 = 179.99;
const CUT_LAT: f64 = 89.99;

/// Returns the coastlines inside a window as runs of longitude and latitude in degrees, each shifted by whole
/// turns so that it lies in the window; `lon` may run past 180 or below -180.
///
/// A run leaves the window by at most one step, so that lines reach its edge.
///
/// # Examples
///
/// ```
/// // Around the Hawaiian islands, in the two usual forms of longitude.
/// let east = ocean_chart::coast::lines([200.0, 208.0], [16.0, 24.0]);
/// let west = ocean_chart::coast::lines([-160.0, -152.0], [16.0, 24.0]);
/// assert!(!east.is_empty());
/// assert_eq!(east.len(), west.len());
/// ```
pub fn lines(lon: [f64; 2], lat: [f64; 2]) -> Vec<Vec<[f64; 2]>> {
    let mut runs = Vec::new();
    for ring in rings(lon) {
        for turn in turns(&ring, lon) {
            cut_ring(&ring, turn, lon, lat, &mut runs);
        }
    }
    runs
}

/// Returns the land inside a window as closed polygons of longitude and latitude in degrees, cut at its edges; what is
/// inside of an even number of them is water.
///
/// # Examples
///
/// ```
/// let taiwan = ocean_chart::coast::polygons([119.5, 122.5], [21.5, 25.5]);
/// assert!(!taiwan.is_empty());
/// ```
pub fn polygons(lon: [f64; 2], lat: [f64; 2]) -> Vec<Vec<[f64; 2]>> {
    let mut polygons = Vec::new();
    for mut ring in rings(lon) {
        let (Some(first), Some(last)) = (ring.first().copied(), ring.last().copied()) else { continue };
        if (last[0] - first[0]).abs() > 180.0 {
            // Around the pole: closed along it.
            ring.extend([[last[0], -90.0], [first[0], -90.0]]);
        }
        for turn in turns(&ring, lon) {
            let moved = ring.iter().map(|point| [point[0] + turn, point[1]]).collect();
            let cut = cut_polygon(moved, lon, lat);
            if cut.len() > 2 {
                polygons.push(cut);
            }
        }
    }
    polygons
}

/// The rings for a window of this width, each unrolled: it goes on where it crosses the date line.
fn rings(lon: [f64; 2]) -> Vec<Vec<[f64; 2]>> {
    let mut bytes = if lon[1] - lon[0] > COARSE_FROM { COARSE } else { FINE };
    let mut rings = Vec::new();
    while let Some(ring) = take_ring(&mut bytes) {
        // One ring of the finer file is the pole itself.
        if ring.iter().any(|point| point[1] > -CUT_LAT) {
            rings.push(ring);
        }
    }
    rings
}

fn take_ring(bytes: &mut &[u8]) -> Option<Vec<[f64; 2]>> {
    let count = take_number(bytes)?;
    let mut ring: Vec<[f64; 2]> = Vec::with_capacity(usize::try_from(count).ok()?.min(1 << 16));
    let mut whole = [0_i64; 2];
    for _ in 0..count {
        for part in &mut whole {
            let step = take_number(bytes)?;
            *part += (step >> 1) ^ -(step & 1);
        }
        let [lon, lat] = whole.map(|part| part as f64 / PARTS);
        let turns = ring.last().map_or(0.0, |last| libm::round((last[0] - lon) / 360.0));
        ring.push([lon + 360.0 * turns, lat]);
    }
    Some(ring)
}

fn take_number(bytes: &mut &[u8]) -> Option<i64> {
    let (mut number, mut shift) = (0_i64, 0_u32);
    loop {
        let (byte, rest) = bytes.split_first()?;
        *bytes = rest;
        number |= i64::from(byte & 127).checked_shl(shift)?;
        shift += 7;
        if *byte < 128 {
            return Some(number);
        }
    }
}

/// The whole turns by which a ring is moved to lie in a window.
fn turns(ring: &[[f64; 2]], lon: [f64; 2]) -> Vec<f64> {
    let west = ring.iter().map(|point| point[0]).fold(f64::INFINITY, f64::min);
    let east = ring.iter().map(|point| point[0]).fold(f64::NEG_INFINITY, f64::max);
    let all = (-3..=3).map(|turn| f64::from(turn) * 360.0);
    all.filter(|turn| west + turn <= lon[1] && east + turn >= lon[0]).collect()
}

fn cut_ring(ring: &[[f64; 2]], turn: f64, lon: [f64; 2], lat: [f64; 2], runs: &mut Vec<Vec<[f64; 2]>>) {
    let mut run: Vec<[f64; 2]> = Vec::new();
    for pair in ring.windows(2) {
        let (from, to) = (pair[0], pair[1]);
        let at_cut = |point: [f64; 2]| libm::remainder(point[0], 360.0).abs() > CUT_LON;
        let is_cut = (at_cut(from) && at_cut(to)) || (from[1].abs() > CUT_LAT && to[1].abs() > CUT_LAT);
        let (from, to) = ([from[0] + turn, from[1]], [to[0] + turn, to[1]]);
        // The bounds of the step, not its ends: a long step may cross the window's corner.
        let is_outside = from[0].max(to[0]) < lon[0]
            || from[0].min(to[0]) > lon[1]
            || from[1].max(to[1]) < lat[0]
            || from[1].min(to[1]) > lat[1];
        if is_cut || is_outside {
            if run.len() > 1 {
                runs.push(std::mem::take(&mut run));
            }
            run.clear();
            continue;
        }
        if run.is_empty() {
            run.push(from);
        }
        run.push(to);
    }
    if run.len() > 1 {
        runs.push(run);
    }
}

/// Cuts a polygon to a window.
///
/// # Source
/// Sutherland and Hodgman 1974, "Reentrant polygon clipping", Communications of the ACM 17(1).
fn cut_polygon(polygon: Vec<[f64; 2]>, lon: [f64; 2], lat: [f64; 2]) -> Vec<[f64; 2]> {
    let sides = [(0, lon[0], 1.0), (0, lon[1], -1.0), (1, lat[0], 1.0), (1, lat[1], -1.0)];
    sides.into_iter().fold(polygon, |polygon, (part, edge, sign)| {
        let depth = |point: &[f64; 2]| (point[part] - edge) * sign;
        if polygon.iter().all(|point| depth(point) >= 0.0) {
            return polygon;
        }
        let mut kept = Vec::new();
        let before = polygon.iter().cycle().skip(polygon.len().saturating_sub(1));
        for (from, to) in before.zip(&polygon) {
            let (from_depth, to_depth) = (depth(from), depth(to));
            if (from_depth >= 0.0) != (to_depth >= 0.0) {
                let share = from_depth / (from_depth - to_depth);
                let mut point = [0, 1].map(|axis| from[axis] + share * (to[axis] - from[axis]));
                point[part] = edge;
                kept.push(point);
            }
            if to_depth >= 0.0 {
                kept.push(*to);
            }
        }
        kept
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_files_hold_the_worlds_land() {
        for (file, least) in [(COARSE, 120), (FINE, 1400)] {
            let (mut bytes, mut count) = (file, 0);
            while let Some(ring) = take_ring(&mut bytes) {
                let (first, last) = (ring[0], ring[ring.len() - 1]);
                assert!(libm::remainder(first[0] - last[0], 360.0).abs() < 1e-9, "a ring is not closed");
                assert!((first[1] - last[1]).abs() < 1e-9, "a ring is not closed");
                count += 1;
            }
            assert!(bytes.is_empty(), "{} bytes are left over", bytes.len());
            assert!((least..least + 30).contains(&count), "{count} rings");
        }
    }

    #[test]
    fn no_line_runs_along_the_date_line() {
        for (lon, lat) in [([170.0, 190.0], [60.0, 75.0]), ([0.0, 360.0], [-90.0, 90.0])] {
            for run in lines(lon, lat) {
                for pair in run.windows(2) {
                    assert!(
                        (pair[0][0] - 180.0).abs() > 0.01 || (pair[1][0] - 180.0).abs() > 0.01,
                        "{pair:?} runs along the date line"
                    );
                }
            }
        }
        assert!(!lines([170.0, 190.0], [60.0, 75.0]).is_empty());
    }

    #[test]
    fn no_step_crosses_the_map() {
        for lon in [[-180.0, 180.0], [0.0, 360.0]] {
            for run in lines(lon, [-90.0, 90.0]) {
                assert!(run.windows(2).all(|pair| (pair[1][0] - pair[0][0]).abs() < 30.0), "{run:?}");
            }
        }
        // Vanua Levu and Taveuni lie on both sides of the date line.
        let fiji: Vec<_> = lines([177.0, 182.0], [-19.0, -15.0]).into_iter().flatten().collect();
        assert!(fiji.iter().any(|point| point[0] < 180.0) && fiji.iter().any(|point| point[0] > 180.0));
    }

    #[test]
    fn open_ocean_has_no_coast() {
        assert!(lines([-140.0, -130.0], [-5.0, 5.0]).is_empty());
        assert!(polygons([-140.0, -130.0], [-5.0, 5.0]).is_empty());
    }

    /// Area in square degrees, holes counted against it.
    fn area(polygons: &[Vec<[f64; 2]>]) -> f64 {
        let one = |polygon: &Vec<[f64; 2]>| -> f64 {
            let next = polygon.iter().cycle().skip(1);
            polygon.iter().zip(next).map(|(a, b)| (a[0] * b[1] - b[0] * a[1]) / 2.0).sum()
        };
        polygons.iter().map(one).sum::<f64>().abs()
    }

    #[test]
    fn land_is_cut_at_the_windows_edges() {
        // The Sahara: all land.
        assert!((area(&polygons([5.0, 15.0], [20.0, 30.0])) - 100.0).abs() < 1e-6);
        // Antarctica up to 80°S, around the world: all land but for its shelves of ice in the Ross and Weddell seas.
        let south = area(&polygons([-180.0, 180.0], [-90.0, -80.0]));
        assert!((2800.0..3600.0).contains(&south), "{south}");
        for lon in [[-180.0, 180.0], [0.0, 360.0], [20.0, 380.0]] {
            let found = area(&polygons(lon, [-90.0, 90.0]));
            // In square degrees of a plate carrée, which makes much of Antarctica.
            assert!((20_000.0..23_000.0).contains(&found), "{lon:?}: {found}");
        }
    }
}

//! Coastlines of the world, cut to a window of a map.
//!
//! # Source
//! Natural Earth land polygons at 1:110 million, public domain (`NOTICE`). Good for maps of a few degrees and more.

const RINGS: &[u8] = include_bytes!("../assets/land-110m.bin");

/// The units of the file: its integers times this are degrees.
const LON_STEP: f64 = 180.0 / 32767.0;
const LAT_STEP: f64 = 90.0 / 32767.0;

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
    let mut rest = RINGS;
    while let Some((ring, after)) = split_ring(rest) {
        rest = after;
        for turn in [-360.0, 0.0, 360.0, 720.0] {
            cut_ring(ring, turn, lon, lat, &mut runs);
        }
    }
    runs
}

fn split_ring(bytes: &[u8]) -> Option<(&[[u8; 4]], &[u8])> {
    let (count, rest) = bytes.split_first_chunk::<2>()?;
    let (points, rest) = rest.split_at_checked(usize::from(u16::from_le_bytes(*count)) * 4)?;
    Some((points.as_chunks::<4>().0, rest))
}

fn cut_ring(ring: &[[u8; 4]], turn: f64, lon: [f64; 2], lat: [f64; 2], runs: &mut Vec<Vec<[f64; 2]>>) {
    let point = |bytes: &[u8; 4]| {
        let whole = |low: u8, high: u8| f64::from(i16::from_le_bytes([low, high]));
        [whole(bytes[0], bytes[1]) * LON_STEP, whole(bytes[2], bytes[3]) * LAT_STEP]
    };
    let mut run: Vec<[f64; 2]> = Vec::new();
    for pair in ring.windows(2) {
        let (from, to) = (point(&pair[0]), point(&pair[1]));
        let is_cut = (from[0].abs() > CUT_LON && to[0].abs() > CUT_LON)
            || (from[1].abs() > CUT_LAT && to[1].abs() > CUT_LAT);
        // Some rings cross the date line: such a step is a short one, and the ring goes on in the next turn.
        let jump = 360.0 * libm::round((from[0] - to[0]) / 360.0);
        let (from, to) = ([from[0] + turn, from[1]], [to[0] + turn + jump, to[1]]);
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
        if jump != 0.0 {
            runs.push(std::mem::take(&mut run));
        }
    }
    if run.len() > 1 {
        runs.push(run);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_holds_the_worlds_land() {
        let (mut rings, mut rest) = (0, RINGS);
        while let Some((ring, after)) = split_ring(rest) {
            assert_eq!(ring.first(), ring.last(), "a ring is not closed");
            rings += 1;
            rest = after;
        }
        assert!(rest.is_empty(), "{} bytes are left over", rest.len());
        assert!((120..140).contains(&rings), "{rings} rings");
    }

    #[test]
    fn no_line_runs_along_the_date_line() {
        for run in lines([170.0, 190.0], [60.0, 75.0]) {
            for pair in run.windows(2) {
                assert!(
                    (pair[0][0] - 180.0).abs() > 0.02 || (pair[1][0] - 180.0).abs() > 0.02,
                    "{pair:?} runs along the date line"
                );
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
    }
}

//! The shape of the demo ocean: land, distance to the coast, sea floor.

use super::grid::{LAT, LON};

/// Kilometres of a degree of latitude.
const DEGREE: f64 = 111.195;

/// Outlines of land, longitude and latitude in degrees, the last point joined to the first.
///
/// # Source
/// Natural Earth land at 1:110 million (public domain), rounded; the mainland is closed far outside the grid.
const LAND: [&[[f64; 2]]; 6] = [MAINLAND, HAINAN, LUZON, TAIWAN, PALAWAN, MINDORO];

const MAINLAND: &[[f64; 2]] = &[
    [119.58, 25.74],
    [118.66, 24.55],
    [117.28, 23.62],
    [115.89, 22.78],
    [114.76, 22.67],
    [114.15, 22.22],
    [113.81, 22.55],
    [113.24, 22.05],
    [111.84, 21.55],
    [110.78, 21.40],
    [110.44, 20.34],
    [109.89, 20.28],
    [109.62, 21.01],
    [109.87, 21.39],
    [108.52, 21.72],
    [108.05, 21.55],
    [106.71, 20.70],
    [105.88, 19.75],
    [105.66, 19.06],
    [106.43, 18.00],
    [107.36, 16.70],
    [108.27, 16.08],
    [108.88, 15.28],
    [109.33, 13.43],
    [109.20, 11.67],
    [108.37, 11.01],
    [107.22, 10.36],
    [106.41, 9.53],
    [105.16, 8.60],
    [104.80, 9.24],
    [105.08, 9.92],
    [104.33, 10.49],
    [98.0, 10.49],
    [98.0, 32.0],
    [119.58, 32.0],
];
const HAINAN: &[[f64; 2]] = &[
    [110.34, 18.68],
    [109.48, 18.20],
    [108.65, 18.51],
    [108.63, 19.37],
    [109.12, 19.82],
    [110.21, 20.10],
    [110.78, 20.08],
    [111.01, 19.70],
    [110.57, 19.25],
];
const LUZON: &[[f64; 2]] = &[
    [121.33, 18.50],
    [122.34, 18.22],
    [122.51, 17.09],
    [121.66, 15.93],
    [121.73, 14.33],
    [123.95, 13.78],
    [124.08, 12.54],
    [122.03, 13.79],
    [121.12, 13.64],
    [120.63, 13.86],
    [120.68, 14.27],
    [120.99, 14.53],
    [120.69, 14.76],
    [120.56, 14.40],
    [120.07, 14.97],
    [119.92, 15.41],
    [119.88, 16.36],
    [120.29, 16.04],
    [120.39, 17.60],
    [120.72, 18.50],
];
const TAIWAN: &[[f64; 2]] = &[
    [121.18, 22.79],
    [120.75, 21.97],
    [120.22, 22.81],
    [120.11, 23.56],
    [120.69, 24.54],
    [121.50, 25.30],
    [121.95, 25.00],
    [121.78, 24.39],
];
const PALAWAN: &[[f64; 2]] = &[
    [118.50, 9.32],
    [117.18, 8.37],
    [117.67, 9.07],
    [118.39, 9.68],
    [118.99, 10.38],
    [119.51, 11.37],
    [119.69, 10.55],
    [119.03, 10.00],
];
const MINDORO: &[[f64; 2]] =
    &[[121.53, 13.07], [121.26, 12.21], [120.83, 12.71], [120.32, 13.47], [121.18, 13.43]];

/// A column of water, or a piece of land.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Column {
    /// Its place on the grid.
    pub(crate) node: [usize; 2],
    pub(crate) lat: f64,
    pub(crate) lon: f64,
    /// Kilometres to the nearest coast.
    pub(crate) coast: f64,
    /// Depth of the sea floor in metres, 0 on land.
    pub(crate) bottom: f64,
}

impl Column {
    /// Tells whether there is water at a depth.
    pub(crate) fn is_wet(&self, depth: f64) -> bool {
        depth < self.bottom
    }
}

/// Makes all columns, latitude by latitude.
pub(crate) fn columns() -> Vec<Column> {
    (0..LAT.count).flat_map(|lat| (0..LON.count).map(move |lon| column([lat, lon]))).collect()
}

fn column(node: [usize; 2]) -> Column {
    let (lat, lon) = (LAT.at(node[0]), LON.at(node[1]));
    let is_land = LAND.iter().any(|outline| contains(outline, [lon, lat]));
    let coast = LAND.iter().map(|outline| distance(outline, [lon, lat])).fold(f64::INFINITY, f64::min);
    Column { node, lat, lon, coast, bottom: if is_land { 0.0 } else { bottom(coast) } }
}

/// A shelf to 130 km off the coast, a slope to 280 km, a basin of 3,000 m and more.
fn bottom(coast: f64) -> f64 {
    const SHELF: f64 = 130.0;
    const SLOPE: f64 = 280.0;
    let share = ((coast - SHELF) / (SLOPE - SHELF)).clamp(0.0, 1.0);
    15.0 + 0.75 * coast.min(SHELF)
        + 2900.0 * share * share * (3.0 - 2.0 * share)
        + 2.0 * (coast - SLOPE).max(0.0)
}

/// Tells whether a point lies inside an outline, by the number of edges to its east.
fn contains(outline: &[[f64; 2]], [lon, lat]: [f64; 2]) -> bool {
    edges(outline)
        .filter(|[from, to]| (from[1] > lat) != (to[1] > lat))
        .filter(|[from, to]| lon < from[0] + (lat - from[1]) / (to[1] - from[1]) * (to[0] - from[0]))
        .count()
        % 2
        == 1
}

/// Returns the kilometres to the nearest edge, on a plane that touches the sphere at the point.
fn distance(outline: &[[f64; 2]], [lon, lat]: [f64; 2]) -> f64 {
    let narrow = libm::cos(lat.to_radians());
    let flat = |point: [f64; 2]| [(point[0] - lon) * narrow * DEGREE, (point[1] - lat) * DEGREE];
    edges(outline)
        .map(|[from, to]| {
            let ([x, y], end) = (flat(from), flat(to));
            let (dx, dy) = (end[0] - x, end[1] - y);
            let share = (-(x * dx + y * dy) / (dx * dx + dy * dy)).clamp(0.0, 1.0);
            let (x, y) = (x + share * dx, y + share * dy);
            (x * x + y * y).sqrt()
        })
        .fold(f64::INFINITY, f64::min)
}

fn edges(outline: &[[f64; 2]]) -> impl Iterator<Item = [[f64; 2]; 2]> {
    outline.iter().zip(outline.iter().cycle().skip(1)).map(|(from, to)| [*from, *to])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(lon: f64, lat: f64) -> Column {
        let found = columns()
            .into_iter()
            .find(|column| (column.lon - lon).abs() < 0.1 && (column.lat - lat).abs() < 0.1);
        found.unwrap()
    }

    #[test]
    fn land_shelf_basin_and_island_are_where_they_should_be() {
        assert!(at(107.25, 14.25).bottom == 0.0, "Viet Nam");
        assert!(at(109.75, 19.25).bottom == 0.0, "Hainan");
        let shelf = at(115.25, 21.75).bottom;
        assert!((20.0..120.0).contains(&shelf), "shelf {shelf}");
        let basin = at(114.25, 14.25).bottom;
        assert!(basin > 3000.0, "basin {basin}");
        let wet = columns().iter().filter(|column| column.is_wet(0.5)).count();
        assert!((500..800).contains(&wet), "{wet} of 840");
    }

    #[test]
    fn distances_are_in_kilometres() {
        let square: &[[f64; 2]] = &[[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]];
        assert!((distance(square, [0.5, 2.0]) - DEGREE).abs() < 1e-9);
        assert!(contains(square, [0.5, 0.5]) && !contains(square, [1.5, 0.5]));
    }
}

//! Practical and absolute salinity.

use super::STANDARD_SALINITY;
use super::atlas::anomaly_ratio;

/// Absolute salinity of a unit of practical salinity in the standard ocean, g kg-1.
const UNIT: f64 = STANDARD_SALINITY / 35.0;

/// The Baltic Sea's constant, g kg-1 (Feistel et al. 2010).
const BALTIC: f64 = 0.087;

/// The western edge of the Baltic Sea: latitudes and longitudes, and its eastern one.
const WEST: [(f64, f64); 3] = [(50.0, 12.6), (59.0, 7.0), (69.0, 26.0)];
const EAST: [(f64, f64); 2] = [(50.0, 45.0), (69.0, 26.0)];

/// Absolute salinity from practical salinity at a pressure and a place.
pub fn sa_from_sp(sp: f64, p: f64, lon: f64, lat: f64) -> f64 {
    if !(0.0..=120.0).contains(&sp) {
        return f64::NAN;
    }
    if is_baltic(lon, lat) {
        return (STANDARD_SALINITY - BALTIC) / 35.0 * sp + BALTIC;
    }
    UNIT * sp * (1.0 + anomaly_ratio(p, lon, lat))
}

/// Practical salinity from absolute salinity at a pressure and a place.
pub fn sp_from_sa(sa: f64, p: f64, lon: f64, lat: f64) -> f64 {
    if !(0.0..=120.0).contains(&sa) {
        return f64::NAN;
    }
    if is_baltic(lon, lat) {
        return 35.0 / (STANDARD_SALINITY - BALTIC) * (sa - BALTIC);
    }
    sa / UNIT / (1.0 + anomaly_ratio(p, lon, lat))
}

fn is_baltic(lon: f64, lat: f64) -> bool {
    let lon = lon.rem_euclid(360.0);
    (WEST[0].0..=WEST[2].0).contains(&lat)
        && lat > WEST[0].0
        && lat < WEST[2].0
        && (along(&WEST, lat)..=along(&EAST, lat)).contains(&lon)
}

/// The longitude of an edge at a latitude inside it.
fn along(edge: &[(f64, f64)], lat: f64) -> f64 {
    let after = edge.partition_point(|&(own, _)| own <= lat).clamp(1, edge.len() - 1);
    let ((south, from), (north, to)) = (edge[after - 1], edge[after]);
    from + (lat - south) / (north - south) * (to - from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn salinity_comes_back_in_ocean_and_baltic() {
        for (lon, lat) in [(-30.0, 40.0), (20.0, 58.0), (180.0, 0.0), (-80.0, 9.0)] {
            let sa = sa_from_sp(34.5, 1000.0, lon, lat);
            assert!((sp_from_sa(sa, 1000.0, lon, lat) - 34.5).abs() < 1e-12, "{lon} {lat}");
        }
        assert!((sa_from_sp(0.0, 0.0, 20.0, 58.0) - BALTIC).abs() < 1e-15);
        assert!(sa_from_sp(f64::NAN, 0.0, 0.0, 0.0).is_nan());
    }
}

//! The part of a column below a threshold.

/// Where a column is below a threshold.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Zone {
    /// The first depth from the surface.
    pub(crate) upper: f64,
    /// The last depth.
    pub(crate) lower: f64,
    /// How much of the column between them is below.
    pub(crate) thickness: f64,
    /// Whether the last value is still below.
    pub(crate) is_open: bool,
}

/// The zone of a column without missing values, linear between levels; `None` where no value is below the threshold.
pub(crate) fn below(z: &[f64], v: &[f64], threshold: f64) -> Option<Zone> {
    let mut zone: Option<Zone> = None;
    let mut add = |from: f64, to: f64| {
        let upper = zone.map_or(from, |zone| zone.upper);
        let thickness = zone.map_or(0.0, |zone| zone.thickness) + (to - from);
        zone = Some(Zone { upper, lower: to, thickness, is_open: false });
    };
    if v.len() == 1 && v[0] < threshold {
        add(z[0], z[0]);
    }
    for (z, v) in z.windows(2).zip(v.windows(2)) {
        let (is_above, is_below) = (v[0] < threshold, v[1] < threshold);
        let crossing = || z[0] + (threshold - v[0]) / (v[1] - v[0]) * (z[1] - z[0]);
        match (is_above, is_below) {
            (true, true) => add(z[0], z[1]),
            (true, false) => add(z[0], crossing()),
            (false, true) => add(crossing(), z[1]),
            (false, false) => {}
        }
    }
    zone.map(|zone| Zone { is_open: v.last().is_some_and(|&last| last < threshold), ..zone })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_lenses_have_one_upper_and_one_lower_boundary() {
        let z = [0.0, 100.0, 200.0, 300.0, 400.0, 500.0];
        let zone = below(&z, &[40.0, 0.0, 0.0, 40.0, 0.0, 40.0], 20.0).unwrap();
        assert_eq!((zone.upper, zone.lower, zone.is_open), (50.0, 450.0, false));
        assert_eq!(zone.thickness.to_bits(), 300.0_f64.to_bits());
        let open = below(&z, &[40.0, 40.0, 40.0, 0.0, 5.0, 10.0], 20.0).unwrap();
        assert_eq!((open.upper, open.lower, open.thickness, open.is_open), (250.0, 500.0, 250.0, true));
        assert!(below(&z, &[40.0; 6], 20.0).is_none() && below(&[], &[], 20.0).is_none());
    }
}

//! Mean longitudes of moon and sun.
//!
//! # Source
//! Explanatory Supplement to the Astronomical Ephemeris (1961), pages 98 and 107, as Foreman (1977) and `T_TIDE` use them.

/// From the epoch 1899-12-31T12:00 to 1970-01-01T00:00, in days.
const EPOCH_TO_UNIX: f64 = 25_567.5;

/// Degrees, degrees a day, and the terms of (days/10000)² and (days/10000)³: s, h, p, N′ = −N, p′.
const LONGITUDES: [[f64; 4]; 5] = [
    [270.434_164, 13.176_396_526_8, -0.000_085, 0.000_000_039],
    [279.696_678, 0.985_647_335_4, 0.000_022_67, 0.0],
    [334.329_556, 0.111_404_080_3, -0.000_773_9, -0.000_000_26],
    [-259.183_275, 0.052_953_922_2, -0.000_155_7, -0.000_000_05],
    [281.220_844, 0.000_047_068_4, 0.000_033_9, 0.000_000_07],
];

/// Lunar time τ and the mean longitudes s, h, p, N′ and p′, in cycles.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Longitudes {
    /// Values.
    pub(crate) cycles: [f64; 6],
    /// Rates, cycles a day.
    pub(crate) rates: [f64; 6],
}

/// The longitudes at a time (UTC), in days since 1970-01-01.
pub(crate) fn longitudes(days: f64) -> Longitudes {
    let since = days + EPOCH_TO_UNIX;
    let scaled = since / 10_000.0;
    let (mut cycles, mut rates) = ([0.0; 6], [0.0; 6]);
    for (at, [constant, rate, square, cube]) in LONGITUDES.into_iter().enumerate() {
        let degrees = constant + rate * since + (square + cube * scaled) * scaled * scaled;
        cycles[at + 1] = (degrees / 360.0).rem_euclid(1.0);
        rates[at + 1] = (rate + (2.0e-4 * square + 3.0e-4 * cube * scaled) * scaled) / 360.0;
    }
    cycles[0] = days.rem_euclid(1.0) + cycles[2] - cycles[1];
    rates[0] = 1.0 + rates[2] - rates[1];
    Longitudes { cycles, rates }
}

#[cfg(test)]
mod tests {
    use super::longitudes;

    #[test]
    fn longitudes_agree_with_utide() {
        // utide 0.4.0, ut_astron(date.toordinal()) on 2003-05-20, moved into 0..1.
        let own = longitudes(12_192.0);
        let peer = [
            0.368_527_651_026,
            0.790_493_355_254,
            0.159_021_006_279,
            0.613_557_994_389,
            0.834_244_799_111,
            0.786_107_250_994,
        ];
        for (own, peer) in own.cycles.iter().zip(peer) {
            let off = (own - peer).rem_euclid(1.0);
            assert!(off.min(1.0 - off) < 1e-9, "{own} {peer}");
        }
        // A lunar day is 24.8412 h, a tropical month 27.3216 d.
        assert!(
            (24.0 / own.rates[0] - 24.841_202).abs() < 1e-5 && (1.0 / own.rates[1] - 27.321_58).abs() < 1e-4
        );
    }
}

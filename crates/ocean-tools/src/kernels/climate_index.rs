//! Definitions of climate indices as boxes of sea surface temperature, and their arithmetic.
//!
//! # Source
//! Niño regions: NOAA Climate Prediction Center, "Equatorial Pacific sea surface temperatures"; Trenberth (1997),
//! Bull. Am. Meteorol. Soc. 78, 2771–2777. Dipole mode index: Saji et al. (1999), Nature 401, 360–363. Atlantic
//! multidecadal oscillation: Enfield, Mestas-Nuñez & Trimble (2001), Geophys. Res. Lett. 28, 2077–2080 (without
//! their 10-year smoothing). Moving base of the ONI: CPC, "Description of changes to ONI": each block of five years
//! is relative to the 30 years centred on it (1991–2020 for 2006–2010).

use super::time_axis::{TimeAxis, TimeStep, month_number};
use super::trend::{Autocorrelation, linear};

/// A climate index.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Index {
    /// Niño 1+2: 10°S–0, 90–80°W.
    Nino12,
    /// Niño 3: 5°S–5°N, 150–90°W.
    Nino3,
    /// Niño 3.4: 5°S–5°N, 170–120°W.
    Nino34,
    /// Niño 4: 5°S–5°N, 160°E–150°W.
    Nino4,
    /// Oceanic Niño index: three-month running mean of Niño 3.4.
    Oni,
    /// Dipole mode index: west (50–70°E, 10°S–10°N) less south-east (90–110°E, 10°S–0) Indian Ocean.
    Dmi,
    /// Atlantic multidecadal oscillation: 0–60°N, 80°W–0, without its linear trend.
    Amo,
}

/// A box in degrees east and north; west may exceed east (across the date line).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct IndexBox {
    /// West and east.
    pub lon: [f64; 2],
    /// South and north.
    pub lat: [f64; 2],
    /// What its anomaly counts in the index: 1 or −1.
    pub sign: f64,
}

const fn plus(lon: [f64; 2], lat: [f64; 2]) -> IndexBox {
    IndexBox { lon, lat, sign: 1.0 }
}

impl Index {
    /// Its boxes.
    pub fn boxes(self) -> &'static [IndexBox] {
        const NINO12: &[IndexBox] = &[plus([-90.0, -80.0], [-10.0, 0.0])];
        const NINO3: &[IndexBox] = &[plus([-150.0, -90.0], [-5.0, 5.0])];
        const NINO34: &[IndexBox] = &[plus([-170.0, -120.0], [-5.0, 5.0])];
        const NINO4: &[IndexBox] = &[plus([160.0, -150.0], [-5.0, 5.0])];
        const DMI: &[IndexBox] = &[
            plus([50.0, 70.0], [-10.0, 10.0]),
            IndexBox { lon: [90.0, 110.0], lat: [-10.0, 0.0], sign: -1.0 },
        ];
        const AMO: &[IndexBox] = &[plus([-80.0, 0.0], [0.0, 60.0])];
        match self {
            Self::Nino12 => NINO12,
            Self::Nino3 => NINO3,
            Self::Nino34 | Self::Oni => NINO34,
            Self::Nino4 => NINO4,
            Self::Dmi => DMI,
            Self::Amo => AMO,
        }
    }

    /// The name in arguments.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Nino12 => "nino12",
            Self::Nino3 => "nino3",
            Self::Nino34 => "nino34",
            Self::Nino4 => "nino4",
            Self::Oni => "oni",
            Self::Dmi => "dmi",
            Self::Amo => "amo",
        }
    }

    /// The name in prose.
    pub const fn title(self) -> &'static str {
        match self {
            Self::Nino12 => "Niño 1+2",
            Self::Nino3 => "Niño 3",
            Self::Nino34 => "Niño 3.4",
            Self::Nino4 => "Niño 4",
            Self::Oni => "Oceanic Niño index",
            Self::Dmi => "Dipole mode index",
            Self::Amo => "Atlantic multidecadal oscillation",
        }
    }
}

/// The signed sum of the boxes' anomalies; missing where any is.
pub fn combine(parts: &[(f64, Vec<f64>)]) -> Vec<f64> {
    let length = parts.iter().map(|(_, values)| values.len()).min().unwrap_or(0);
    (0..length)
        .map(|at| {
            parts.iter().map(|(sign, values)| sign * values.get(at).copied().unwrap_or(f64::NAN)).sum::<f64>()
        })
        .collect()
}

/// The series without its least-squares line; unchanged when it is too short to have one.
pub fn detrend(axis: &TimeAxis, values: &[f64]) -> Vec<f64> {
    let years = axis.years();
    linear(&years, values, 0.95, Autocorrelation::None).map_or_else(
        |_| values.to_vec(),
        |trend| years.iter().zip(values).map(|(x, y)| y - (trend.intercept + trend.slope * x)).collect(),
    )
}

/// The first and last calendar year that an axis covers from January to December.
pub fn whole_years(axis: &TimeAxis) -> Option<(i32, i32)> {
    let (first, last) = (axis.times().first()?, axis.times().last()?);
    let (starts, ends) = match axis.step() {
        TimeStep::Months(12) => (true, true),
        TimeStep::Months(months) => (first.month == 1, u32::from(last.month) + months > 12),
        _ => {
            let end = axis.calendar().days_in_month(last.year, 12);
            ((first.month, first.day) == (1, 1), (last.month, last.day) == (12, end))
        }
    };
    let from = first.year + i32::from(!starts);
    let to = last.year - i32::from(!ends);
    (from <= to).then_some((from, to))
}

/// The 30 years, centred on the block of five years that holds `year`, moved into `whole` where they leave it.
///
/// `None` when the record has fewer than 30 whole years.
///
/// ```
/// use ocean_tools::kernels::climate_index::moving_base;
///
/// assert_eq!(moving_base(2008, (1950, 2025)), Some((1991, 2020)));
/// assert_eq!(moving_base(1952, (1950, 2025)), Some((1950, 1979)));
/// ```
pub fn moving_base(year: i32, whole: (i32, i32)) -> Option<(i32, i32)> {
    let (from, to) = whole;
    if to - from + 1 < 30 {
        return None;
    }
    let block = (year - 1).div_euclid(5) * 5 + 1;
    let start = (block - 15).clamp(from, to - 29);
    Some((start, start + 29))
}

/// Whether each instant lies in the calendar years `from` to `to`.
pub fn in_years(axis: &TimeAxis, from: i32, to: i32) -> Vec<bool> {
    axis.times().iter().map(|time| (from..=to).contains(&time.year)).collect()
}

/// Whether no month is left out between the first and the last: what a running mean over months needs.
pub fn is_contiguous(axis: &TimeAxis) -> bool {
    axis.times().iter().zip(axis.times().iter().skip(1)).all(|(a, b)| month_number(b) - month_number(a) == 1)
}

#[cfg(test)]
mod tests {
    use ocean_data::cf::Calendar;

    use super::super::time_axis::month_start;
    use super::*;

    fn monthly(from: i64, n: i64) -> TimeAxis {
        TimeAxis::new(Calendar::Standard, (from..from + n).map(month_start).collect()).unwrap()
    }

    #[test]
    fn whole_years_leave_out_the_ragged_ends() {
        assert_eq!(whole_years(&monthly(2010 * 12, 128)), Some((2010, 2019)));
        assert_eq!(whole_years(&monthly(2010 * 12 + 1, 24)), Some((2011, 2011)));
        assert_eq!(whole_years(&monthly(2010 * 12 + 1, 11)), None);
        let whole = |texts: &[&str]| whole_years(&TimeAxis::parse(Calendar::Standard, texts).unwrap());
        assert_eq!(whole(&["2010-01-01", "2010-01-02", "2011-12-31"]), Some((2010, 2011)));
        assert_eq!(whole(&["2010-01-02", "2010-01-03", "2011-12-30"]), None);
        assert_eq!(whole(&["2010-07-01", "2011-07-01"]), Some((2010, 2011)));
    }

    #[test]
    fn the_moving_base_is_that_of_the_publisher() {
        let whole = (1900, 2030);
        for (year, base) in
            [(1951, (1936, 1965)), (1955, (1936, 1965)), (1956, (1941, 1970)), (2010, (1991, 2020))]
        {
            assert_eq!(moving_base(year, whole), Some(base));
        }
        assert_eq!(moving_base(2009, (1950, 2009)), Some((1980, 2009)));
        assert_eq!(moving_base(2009, (1990, 2009)), None);
    }

    #[test]
    fn a_line_detrends_to_nothing_and_a_missing_part_is_missing() {
        let axis = monthly(24_000, 36);
        let line: Vec<f64> = axis.years().iter().map(|x| 3.0 * x - 7.0).collect();
        assert!(detrend(&axis, &line).iter().all(|value| value.abs() < 1e-9));
        let index = combine(&[(1.0, vec![1.0, 2.0]), (-1.0, vec![0.5, f64::NAN])]);
        assert!((index[0] - 0.5).abs() < 1e-15 && index[1].is_nan());
    }

    #[test]
    fn every_index_has_boxes_inside_the_globe() {
        for index in
            [Index::Nino12, Index::Nino3, Index::Nino34, Index::Nino4, Index::Oni, Index::Dmi, Index::Amo]
        {
            for one in index.boxes() {
                assert!(one.lat[0] < one.lat[1] && one.lat[1] <= 90.0, "{}", index.as_str());
                assert!(one.lon.iter().all(|lon| (-180.0..=180.0).contains(lon)), "{}", index.title());
            }
        }
    }
}

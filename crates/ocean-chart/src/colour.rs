//! Colour tables, and the scale that gives each value its colour.
//!
//! # Source
//! The tables are those of cmocean 4.0.3 (MIT, `assets/cmocean.LICENSE`): Thyng et al. 2016, "True colors of
//! oceanography", Oceanography 29(3). All are perceptually uniform.

use crate::{error::ChartError, float::floor_index};

/// A colour: red, green, blue.
pub(crate) type Rgb = [u8; 3];

/// Land and missing values.
pub const MISSING: [u8; 3] = [0xc8, 0xc8, 0xc8];

const TABLES: &[u8] = include_bytes!("../assets/cmocean.bin");
const TABLE_LENGTH: usize = 256;

/// The share of values left outside a robust range at each end.
const ROBUST_TAIL: f64 = 0.02;

/// A colour table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Palette {
    /// [`Palette::Balance`] where the values lie on both sides of zero (the lesser side reaches at least a
    /// fifth of the greater), else [`Palette::Thermal`].
    #[default]
    Auto,
    /// Temperature.
    Thermal,
    /// Salinity.
    Haline,
    /// Depth of the sea floor.
    Deep,
    /// Density.
    Dense,
    /// Chlorophyll.
    Algae,
    /// Matter in the water, dissolved gases.
    Matter,
    /// Speed of currents.
    Speed,
    /// A size that starts at zero.
    Amp,
    /// Like [`Palette::Amp`], in greens.
    Tempo,
    /// Rain, fresh water.
    Rain,
    /// Sea ice.
    Ice,
    /// Signed values, blue below zero and red above: anomalies, trends.
    Balance,
    /// Signed values, blue below zero and green above: velocities.
    Delta,
    /// Signed values, green below zero and red above: vorticity.
    Curl,
}

impl Palette {
    /// Tells whether the middle colour stands for zero, so that the range is kept symmetric about it.
    pub fn is_diverging(self) -> bool {
        matches!(self, Self::Balance | Self::Delta | Self::Curl)
    }

    fn table(self) -> &'static [Rgb] {
        let place = match self {
            Self::Auto | Self::Thermal => 0,
            Self::Haline => 1,
            Self::Deep => 2,
            Self::Dense => 3,
            Self::Algae => 4,
            Self::Matter => 5,
            Self::Speed => 6,
            Self::Amp => 7,
            Self::Tempo => 8,
            Self::Rain => 9,
            Self::Ice => 10,
            Self::Balance => 11,
            Self::Delta => 12,
            Self::Curl => 13,
        };
        &TABLES.as_chunks::<3>().0[place * TABLE_LENGTH..(place + 1) * TABLE_LENGTH]
    }
}

/// Which values the colours span.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum Range {
    /// From the 2nd to the 98th percentile of the values.
    #[default]
    Robust,
    /// From the least to the greatest value.
    Full,
    /// From the first to the second number, as given, also for a diverging palette.
    Fixed(f64, f64),
}

/// Gives each value its colour.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Scale {
    pub(crate) low: f64,
    pub(crate) high: f64,
    /// Some values lie below `low`, or above `high`.
    pub(crate) extends: [bool; 2],
    /// There is no value at all.
    pub(crate) is_empty: bool,
    table: &'static [Rgb],
}

impl Scale {
    /// Makes the scale of `values`, of which those that are not finite are missing.
    pub(crate) fn new(values: &[f64], range: Range, palette: Palette) -> Result<Self, ChartError> {
        let mut sorted: Vec<f64> = values.iter().copied().filter(|value| value.is_finite()).collect();
        sorted.sort_by(f64::total_cmp);
        let least = sorted.first().copied().unwrap_or(0.0);
        let greatest = sorted.last().copied().unwrap_or(1.0);
        let (low, high) = match range {
            Range::Fixed(low, high) if !(low.is_finite() && high.is_finite() && low < high) => {
                return Err(ChartError::Range { low, high });
            }
            Range::Fixed(low, high) => (low, high),
            Range::Full => (least, greatest),
            Range::Robust if sorted.is_empty() => (least, greatest),
            Range::Robust => (quantile(&sorted, ROBUST_TAIL), quantile(&sorted, 1.0 - ROBUST_TAIL)),
        };
        let palette = match palette {
            Palette::Auto if is_signed(low, high) => Palette::Balance,
            Palette::Auto => Palette::Thermal,
            chosen => chosen,
        };
        let (low, high) = match range {
            Range::Fixed(..) => (low, high),
            Range::Robust | Range::Full if palette.is_diverging() => {
                let reach = low.abs().max(high.abs());
                widen(-reach, reach)
            }
            Range::Robust | Range::Full => widen(low, high),
        };
        Ok(Self {
            low,
            high,
            extends: [least < low, greatest > high],
            is_empty: sorted.is_empty(),
            table: palette.table(),
        })
    }

    /// Returns the colour of a value; beyond the ends that of the end, grey if it is missing.
    pub(crate) fn colour(&self, value: f64) -> Rgb {
        if !value.is_finite() {
            return MISSING;
        }
        // Halved first: the span of two huge ends must not overflow.
        let share = (value / 2.0 - self.low / 2.0) / (self.high / 2.0 - self.low / 2.0);
        self.table[floor_index(share * TABLE_LENGTH as f64).min(TABLE_LENGTH - 1)]
    }

    /// Returns the table's colours, lowest first.
    pub(crate) fn colours(&self) -> &'static [Rgb] {
        self.table
    }
}

/// Writes a colour as SVG does.
pub(crate) fn hex([red, green, blue]: Rgb) -> String {
    format!("#{red:02x}{green:02x}{blue:02x}")
}

fn is_signed(low: f64, high: f64) -> bool {
    low < 0.0 && high > 0.0 && low.abs().min(high) >= 0.2 * low.abs().max(high)
}

/// Opens a range that is no wider than rounding, as that of a constant field.
fn widen(low: f64, high: f64) -> (f64, f64) {
    let size = low.abs().max(high.abs());
    if high - low > size * 1e-12 {
        return (low, high);
    }
    let reach = if size > 0.0 { size * 0.05 } else { 1.0 };
    ((low - reach).max(f64::MIN), (high + reach).min(f64::MAX))
}

fn quantile(sorted: &[f64], share: f64) -> f64 {
    let place = share * (sorted.len() - 1) as f64;
    let below = floor_index(place).min(sorted.len() - 1);
    let above = (below + 1).min(sorted.len() - 1);
    let part = place - below as f64;
    sorted[below] * (1.0 - part) + sorted[above] * part
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signed_values_get_a_scale_symmetric_about_zero() {
        let scale = Scale::new(&[-1.0, 0.0, 3.0, f64::NAN], Range::Full, Palette::Auto).unwrap();
        assert_eq!((scale.low, scale.high), (-3.0, 3.0));
        let middle = scale.colour(0.0);
        assert!(middle.iter().all(|part| *part > 220), "zero is {middle:?}, not near white");
        let (below, above) = (scale.colour(-2.5), scale.colour(2.5));
        assert!(below[2] > below[0] && above[0] > above[2], "{below:?} is not blue or {above:?} not red");
    }

    #[test]
    fn diverging_tables_are_equally_dark_at_equal_distance_from_zero() {
        for palette in [Palette::Balance, Palette::Delta, Palette::Curl] {
            let scale = Scale::new(&[-1.0, 1.0], Range::Full, palette).unwrap();
            for size in [0.2, 0.5, 0.8] {
                let light = |colour: Rgb| {
                    0.2126 * f64::from(colour[0])
                        + 0.7152 * f64::from(colour[1])
                        + 0.0722 * f64::from(colour[2])
                };
                let (below, above) = (light(scale.colour(-size)), light(scale.colour(size)));
                assert!((below - above).abs() < 40.0, "{palette:?} at {size}: {below} and {above}");
            }
        }
    }

    #[test]
    fn sea_temperature_in_celsius_is_not_taken_as_signed() {
        let scale = Scale::new(&[-1.8, 10.0, 30.0], Range::Full, Palette::Auto).unwrap();
        assert_eq!((scale.low, scale.high), (-1.8, 30.0));
        assert_eq!(scale.colours(), Palette::Thermal.table());
    }

    #[test]
    fn a_robust_range_leaves_out_outliers_and_says_so() {
        let mut values: Vec<f64> = (0..=1000).map(f64::from).collect();
        values.push(1e9);
        let scale = Scale::new(&values, Range::Robust, Palette::Thermal).unwrap();
        assert!(scale.low > 10.0 && scale.high < 1000.0);
        assert_eq!(scale.extends, [true, true]);
    }

    #[test]
    fn constant_missing_and_huge_values_have_a_scale() {
        for values in
            [vec![4.0; 9], vec![0.0; 9], vec![f64::NAN; 9], vec![], vec![f64::MIN, f64::MAX], vec![-7.0]]
        {
            for range in [Range::Full, Range::Robust] {
                for palette in [Palette::Auto, Palette::Balance] {
                    let scale = Scale::new(&values, range, palette).unwrap();
                    assert!(scale.low < scale.high, "{values:?}");
                    for value in values.iter().copied() {
                        assert_eq!(scale.colour(value) == MISSING, value.is_nan());
                    }
                }
            }
        }
    }

    #[test]
    fn an_impossible_range_is_refused() {
        for (low, high) in [(1.0, 1.0), (2.0, 1.0), (f64::NAN, 1.0)] {
            assert!(matches!(
                Scale::new(&[1.0], Range::Fixed(low, high), Palette::Auto),
                Err(ChartError::Range { .. })
            ));
        }
    }
}

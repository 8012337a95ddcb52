//! The scale that gives each value its colour: a range, its norm, bands.

use crate::{
    axis,
    error::ChartError,
    float::floor_index,
    palette::{Palette, Rgb, TABLE_LENGTH, oxygen_range},
};

/// Missing values, where there is no land.
pub const MISSING: [u8; 3] = [0xe4, 0xe4, 0xe4];

/// Land.
pub const LAND: [u8; 3] = [0xc4, 0xc4, 0xc0];

/// The share of values left outside a robust range at each end.
const ROBUST_TAIL: f64 = 0.02;

/// How values become colours.
///
/// # Examples
///
/// ```
/// use ocean_chart::{Bands, Colours, Palette, Range};
///
/// let colours = Colours {
///     palette: Palette::Balance,
///     range: Range::Fixed(-2.0, 2.0),
///     bands: Bands::About(8),
///     ..Colours::default()
/// };
/// # assert_eq!(colours.palette.name(), "balance");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Colours<'a> {
    /// The colour table.
    pub palette: Palette,
    /// Which values the colours span.
    pub range: Range,
    /// Whether equal steps or equal ratios have equal steps of colour.
    pub norm: Norm,
    /// Whether the colours run on or change at edges.
    pub bands: Bands<'a>,
}

/// Which values the colours span.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum Range {
    /// From the 2nd to the 98th percentile of the values; symmetric about zero for a diverging palette, the whole
    /// turn for a cyclic one.
    #[default]
    Robust,
    /// From the least to the greatest value; symmetric about zero for a diverging palette.
    Full,
    /// From the first to the second number, as given, also for a diverging palette.
    Fixed(f64, f64),
}

/// How values are spread over the colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Norm {
    /// Equal steps have equal steps of colour.
    #[default]
    Linear,
    /// Equal ratios have equal steps of colour. Values of zero and less are drawn as the lowest. Without values above
    /// zero, and for a diverging palette, it is as [`Norm::Linear`].
    Log,
}

/// Whether colours run on or change at edges, as filled contours do.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum Bands<'a> {
    /// They run on.
    #[default]
    None,
    /// About so many bands between round numbers.
    About(usize),
    /// Bands between these edges, which rise; they stand for the range too.
    Edges(&'a [f64]),
}

/// Gives each value its colour.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Scale {
    pub(crate) low: f64,
    pub(crate) high: f64,
    /// Some values lie below `low`, or above `high`.
    pub(crate) extends: [bool; 2],
    pub(crate) is_log: bool,
    /// Edges of bands from `low` to `high`; empty if the colours run on.
    pub(crate) edges: Vec<f64>,
    palette: Palette,
}

impl Scale {
    /// Makes the scale of `values`, of which those that are not finite are missing. `units` tell what oxygen is low.
    ///
    /// # Errors
    ///
    /// [`ChartError::NoData`] without a finite value, [`ChartError::Range`] for a range or edges that are none.
    pub(crate) fn new(values: &[f64], units: &str, colours: &Colours<'_>) -> Result<Self, ChartError> {
        let mut sorted: Vec<f64> = values.iter().copied().filter(|value| value.is_finite()).collect();
        sorted.sort_by(f64::total_cmp);
        let (Some(&least), Some(&greatest)) = (sorted.first(), sorted.last()) else {
            return Err(ChartError::NoData { what: "values".to_owned() });
        };
        let is_log = colours.norm == Norm::Log && greatest > 0.0 && !colours.palette.is_diverging();
        if is_log {
            sorted.drain(..sorted.partition_point(|value| *value <= 0.0));
        }
        let (low, high) = match colours.range {
            Range::Fixed(low, high) => (low, high),
            Range::Full => (sorted[0], greatest),
            Range::Robust => (quantile(&sorted, ROBUST_TAIL), quantile(&sorted, 1.0 - ROBUST_TAIL)),
        };
        if !(low.is_finite() && high.is_finite() && low <= high)
            || (matches!(colours.range, Range::Fixed(..)) && (low >= high || (is_log && low <= 0.0)))
        {
            return Err(ChartError::Range { low, high });
        }
        let palette = match colours.palette {
            Palette::Auto if is_signed(low, high) => Palette::Balance,
            Palette::Auto => Palette::Thermal,
            chosen => chosen,
        };
        let (low, high) = match (colours.range, palette) {
            (Range::Fixed(..), _) => (low, high),
            (_, palette) if palette.is_diverging() => {
                let reach = low.abs().max(high.abs());
                widen(-reach, reach)
            }
            (Range::Robust, Palette::Phase) if least >= 0.0 && greatest <= 360.0 && greatest > 24.0 => {
                (0.0, 360.0)
            }
            (Range::Robust, Palette::Oxy) => {
                oxygen_range(units).map_or_else(|| widen(low, high), |range| (range[0], range[1]))
            }
            // Six decades are more than eyes can tell apart.
            _ if is_log => widen_log(low.max(high * 1e-6), high),
            _ => widen(low, high),
        };
        let (edges, low, high) = band_edges(colours.bands, low, high, is_log)?;
        Ok(Self { low, high, extends: [least < low, greatest > high], is_log, edges, palette })
    }

    /// Returns the colour of a value; beyond the ends that of the end, that of missing if it is.
    pub(crate) fn colour(&self, value: f64) -> Rgb {
        if !value.is_finite() {
            return MISSING;
        }
        if self.edges.is_empty() {
            return self.tone(self.share(value));
        }
        let passed = self.edges.partition_point(|edge| *edge <= value);
        // The highest edge belongs to the band below it.
        let passed = if value.total_cmp(&self.high).is_eq() { passed - 1 } else { passed };
        self.band_colour(passed)
    }

    /// Returns the colour of a band: 0 below the first edge, 1 above it, and so on.
    pub(crate) fn band_colour(&self, band: usize) -> Rgb {
        let bands = self.edges.len().saturating_sub(1);
        // A diverging table keeps zero in its middle, so both its ends count or none.
        let both = self.palette.is_diverging() && (self.extends[0] || self.extends[1]);
        let [below, above] = self.extends.map(|extends| usize::from(extends || both));
        let place = (band + below).saturating_sub(1).min(bands + below + above - 1);
        self.tone((place as f64 + 0.5) / (bands + below + above) as f64)
    }

    /// Returns where between the ends of the scale a value lies: 0 at the low end, 1 at the high end.
    pub(crate) fn share(&self, value: f64) -> f64 {
        if self.is_log {
            let (low, high) = (libm::log10(self.low), libm::log10(self.high));
            return if value > 0.0 { (libm::log10(value) - low) / (high - low) } else { -1.0 };
        }
        // Halved first: the span of two huge ends must not overflow.
        (value / 2.0 - self.low / 2.0) / (self.high / 2.0 - self.low / 2.0)
    }

    /// Returns the palette, never [`Palette::Auto`].
    pub(crate) fn palette(&self) -> Palette {
        self.palette
    }

    /// Returns the colour at a share of the table.
    pub(crate) fn tone(&self, share: f64) -> Rgb {
        self.palette.colours()[floor_index(share * TABLE_LENGTH as f64).min(TABLE_LENGTH - 1)]
    }
}

/// Writes a colour as SVG does.
pub(crate) fn hex([red, green, blue]: Rgb) -> String {
    format!("#{red:02x}{green:02x}{blue:02x}")
}

/// Returns the edges of bands with the ends that they give the scale; no edges if the colours run on.
fn band_edges(
    bands: Bands<'_>,
    low: f64,
    high: f64,
    is_log: bool,
) -> Result<(Vec<f64>, f64, f64), ChartError> {
    match bands {
        Bands::None => Ok((Vec::new(), low, high)),
        Bands::Edges(edges) => {
            let (first, last) = (edges.first().copied(), edges.last().copied());
            let (low, high) = (first.unwrap_or(f64::NAN), last.unwrap_or(f64::NAN));
            let is_rising = edges.len() > 1 && edges.windows(2).all(|pair| pair[0] < pair[1]);
            if !is_rising || !low.is_finite() || !high.is_finite() || (is_log && low <= 0.0) {
                return Err(ChartError::Range { low, high });
            }
            Ok((edges.to_vec(), low, high))
        }
        Bands::About(count) => {
            let ticks = if is_log {
                axis::logarithmic(low, high, 60)
            } else {
                axis::linear(low, high, count.clamp(2, 40))
            };
            let mut edges = ticks.places;
            if edges.len() < 3 {
                return Ok((Vec::new(), low, high));
            }
            let step = edges[1] - edges[0];
            // A rest of more than a third of a band becomes a band of its own.
            if !is_log && edges[0] - low > step / 3.0 {
                edges.insert(0, edges[0] - step);
            }
            let last = edges[edges.len() - 1];
            if !is_log && high - last > step / 3.0 {
                edges.push(last + step);
            }
            let (low, high) = (edges[0], edges[edges.len() - 1]);
            Ok((edges, low, high))
        }
    }
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

fn widen_log(low: f64, high: f64) -> (f64, f64) {
    if high > low * 1.01 { (low, high) } else { (low / 2.0, (high * 2.0).min(f64::MAX)) }
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

    fn scale(values: &[f64], range: Range, palette: Palette) -> Scale {
        Scale::new(values, "", &Colours { palette, range, ..Colours::default() }).unwrap()
    }

    #[test]
    fn signed_values_get_a_scale_symmetric_about_zero() {
        let scale = scale(&[-1.0, 0.0, 3.0, f64::NAN], Range::Full, Palette::Auto);
        assert_eq!((scale.low, scale.high), (-3.0, 3.0));
        let middle = scale.colour(0.0);
        assert!(middle.iter().all(|part| *part > 220), "zero is {middle:?}, not near white");
        let (below, above) = (scale.colour(-2.5), scale.colour(2.5));
        assert!(below[2] > below[0] && above[0] > above[2], "{below:?} is not blue or {above:?} not red");
    }

    #[test]
    fn diverging_tables_are_equally_dark_at_equal_distance_from_zero() {
        for palette in [Palette::Balance, Palette::Delta, Palette::Curl] {
            let scale = scale(&[-1.0, 1.0], Range::Full, palette);
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
        let scale = scale(&[-1.8, 10.0, 30.0], Range::Full, Palette::Auto);
        assert_eq!((scale.low, scale.high, scale.palette()), (-1.8, 30.0, Palette::Thermal));
    }

    #[test]
    fn a_robust_range_leaves_out_outliers_and_says_so() {
        let mut values: Vec<f64> = (0..=1000).map(f64::from).collect();
        values.push(1e9);
        let scale = scale(&values, Range::Robust, Palette::Thermal);
        assert!(scale.low > 10.0 && scale.high < 1000.0);
        assert_eq!(scale.extends, [true, true]);
    }

    #[test]
    fn constant_and_huge_values_have_a_scale() {
        for values in
            [vec![4.0; 9], vec![0.0; 9], vec![f64::MIN, f64::MAX], vec![-7.0], vec![1e-300, f64::NAN]]
        {
            for range in [Range::Full, Range::Robust] {
                for palette in [Palette::Auto, Palette::Balance, Palette::Oxy, Palette::Phase] {
                    for norm in [Norm::Linear, Norm::Log] {
                        for bands in [Bands::None, Bands::About(8)] {
                            let colours = Colours { palette, range, norm, bands };
                            let scale = Scale::new(&values, "mg l-1", &colours).unwrap();
                            assert!(scale.low < scale.high, "{values:?} {colours:?}");
                            for value in values.iter().copied() {
                                assert_eq!(scale.colour(value) == MISSING, value.is_nan(), "{colours:?}");
                            }
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn what_is_all_missing_has_no_scale() {
        for values in [vec![], vec![f64::NAN; 4], vec![f64::INFINITY]] {
            let refused = Scale::new(&values, "", &Colours::default());
            assert!(matches!(refused, Err(ChartError::NoData { .. })), "{values:?}");
        }
    }

    #[test]
    fn an_impossible_range_is_refused() {
        let refused = |colours: Colours<'_>| {
            assert!(matches!(Scale::new(&[1.0], "", &colours), Err(ChartError::Range { .. })), "{colours:?}");
        };
        for (low, high) in [(1.0, 1.0), (2.0, 1.0), (f64::NAN, 1.0)] {
            refused(Colours { range: Range::Fixed(low, high), ..Colours::default() });
        }
        for edges in [&[][..], &[1.0], &[2.0, 1.0], &[1.0, f64::NAN]] {
            refused(Colours { bands: Bands::Edges(edges), ..Colours::default() });
        }
        refused(Colours { range: Range::Fixed(-1.0, 1.0), norm: Norm::Log, ..Colours::default() });
    }

    #[test]
    fn bands_change_at_their_edges_only() {
        let bands = Bands::Edges(&[0.0, 1.0, 2.0, 5.0]);
        let colours = Colours { bands, palette: Palette::Thermal, ..Colours::default() };
        let scale = Scale::new(&[0.5, 9.0], "", &colours).unwrap();
        assert_eq!(scale.extends, [false, true]);
        assert_eq!(scale.colour(0.0), scale.colour(0.99));
        assert_eq!(scale.colour(2.0), scale.colour(5.0));
        let tones = [0.5, 1.5, 3.0, 7.0].map(|value| scale.colour(value));
        assert!(tones.windows(2).all(|pair| pair[0] != pair[1]), "{tones:?}");
        let colours = Colours { bands: Bands::About(8), ..Colours::default() };
        let scale = Scale::new(&[-3.1, 0.2, 2.7], "", &colours).unwrap();
        assert_eq!((scale.edges[0], scale.edges.len()), (-3.0, 7));
        let (below, above) = (scale.colour(-0.5), scale.colour(0.5));
        assert!(
            below[2] > above[2] && above[0] > below[0],
            "zero lies between two bands: {below:?} {above:?}"
        );
    }

    #[test]
    fn ratios_are_equal_on_a_log_scale() {
        let colours = Colours { norm: Norm::Log, range: Range::Full, ..Colours::default() };
        let scale = Scale::new(&[0.01, 0.1, 1.0, 0.0, -1.0], "", &colours).unwrap();
        assert!((scale.share(0.1) - 0.5).abs() < 1e-12);
        assert_eq!(scale.extends, [true, false]);
        assert_eq!(scale.colour(-1.0), scale.colour(0.01));
    }

    #[test]
    fn low_oxygen_is_where_the_table_turns_red() {
        let colours = Colours { palette: Palette::Oxy, ..Colours::default() };
        let scale = Scale::new(&[1.0, 8.0], "mg l-1", &colours).unwrap();
        let [low, normal] = [1.5, 5.0].map(|value| scale.colour(value));
        assert!(low[0] > low[1] + 40 && normal[0].abs_diff(normal[1]) < 20, "{low:?} {normal:?}");
    }
}

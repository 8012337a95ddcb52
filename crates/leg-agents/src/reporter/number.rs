//! How values are printed: as many digits as make sense, and the unit as prose writes it.

use leg_core::evidence::prose_unit;

/// A value with its unit, rounded correctly to its last digit: `27.44 °C`.
///
/// `spread` is how unsure the value is; two digits of it are shown. Without it the unit decides.
pub(super) fn with_unit(value: f64, unit: &str, spread: Option<f64>) -> String {
    let number = bare(value, unit, spread);
    let unit = prose_unit(unit);
    match unit.as_str() {
        "" => number,
        "%" => format!("{number}%"),
        // A rate of a pure number: "0.3 per decade".
        _ if unit.starts_with(' ') => format!("{number}{unit}"),
        _ => format!("{number} {unit}"),
    }
}

/// A value without its unit.
pub(super) fn bare(value: f64, unit: &str, spread: Option<f64>) -> String {
    let decimals = decimals(value, unit, spread);
    let text = format!("{value:.decimals$}");
    let zero = text.chars().all(|c| matches!(c, '-' | '0' | '.'));
    match text.strip_prefix('-') {
        Some(digits) if zero => digits.to_owned(),
        Some(digits) => format!("−{digits}"),
        None => text,
    }
}

/// How many decimals are printed.
fn decimals(value: f64, unit: &str, spread: Option<f64>) -> usize {
    if let Some(spread) = spread.filter(|spread| *spread > 0.0 && spread.is_finite()) {
        return digits_for(spread, 2).clamp(0, 6).unsigned_abs() as usize;
    }
    if value.fract() == 0.0 && value.abs() < 1e15 && matches!(unit, "1" | "") {
        return 0;
    }
    // Values of one report stand side by side, so those that are not tiny have the same two decimals.
    let two = is_temperature(unit) || matches!(unit, "1" | "psu" | "g kg-1" | "1e-3");
    // A mean of anomalies is a rounding error away from zero; its digits say nothing.
    if two && (value.abs() < 1e-6 || value.abs() >= 0.1) {
        return 2;
    }
    digits_for(value, 3).clamp(0, 8).unsigned_abs() as usize
}

/// Decimals that show so many significant digits.
fn digits_for(value: f64, significant: i32) -> i32 {
    let size = value.abs();
    if size == 0.0 {
        return 2;
    }
    // Comparisons with powers of ten give the same on every machine; a logarithm may not.
    let mut exponent = 0;
    let mut power = 1.0;
    while size >= power * 10.0 && exponent < 300 {
        power *= 10.0;
        exponent += 1;
    }
    while size < power && exponent > -300 {
        power /= 10.0;
        exponent -= 1;
    }
    significant - 1 - exponent
}

/// Whether a unit, or the upper part of a rate, is that of a temperature.
pub(super) fn is_temperature(unit: &str) -> bool {
    let base = unit.split(" (").next().unwrap_or(unit);
    let base = base.strip_suffix(" year-1").unwrap_or(base);
    matches!(base, "degC" | "K" | "degree_C" | "degrees_C" | "celsius" | "Celsius" | "kelvin" | "degF" | "°C")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn digits_follow_unit_and_spread() {
        for (value, unit, spread, expected) in [
            (27.4449, "degC", None, "27.44 °C"),
            (-1.702_616, "degC", None, "−1.70 °C"),
            (0.312_4, "degC (10 year)-1", Some(0.087), "0.312 °C per decade"),
            (0.312_4, "degC (10 year)-1", Some(0.87), "0.31 °C per decade"),
            (-2.4e-16, "degC", None, "0.00 °C"),
            (120.0, "1", None, "120"),
            (34.567_8, "1", None, "34.57"),
            (213.44, "mmol m-3", None, "213 mmol/m³"),
            (0.012_345, "mg m-3", None, "0.0123 mg/m³"),
            (-0.000_01, "degC", Some(0.5), "0.00 °C"),
            (0.0, "degC", None, "0.00 °C"),
            (3.5, "1 (10 year)-1", Some(0.2), "3.50 per decade"),
        ] {
            assert_eq!(with_unit(value, unit, spread), expected);
        }
    }

    proptest! {
        #[test]
        fn what_is_printed_is_right_to_half_its_last_digit(value in -1e6f64..1e6, spread in proptest::option::of(1e-4f64..1e3)) {
            let text = bare(value, "degC", spread).replace('−', "-");
            let printed: f64 = text.parse().unwrap();
            let decimals = text.split_once('.').map_or(0, |(_, decimals)| decimals.len());
            let half = 0.5 * 10f64.powi(-i32::try_from(decimals).unwrap());
            prop_assert!((printed - value).abs() <= half * (1.0 + 1e-9), "{value} {text}");
        }
    }
}

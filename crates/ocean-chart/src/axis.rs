//! Ticks: round numbers in steps of 1, 2 or 5, and degrees.

use crate::{float::floor_whole, svg::number};

/// Ticks of an axis: where they stand and what they say.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Ticks {
    pub(crate) places: Vec<f64>,
    pub(crate) labels: Vec<String>,
    /// The labels are to be multiplied by ten to this power.
    pub(crate) power: i32,
    /// Places between that have no label.
    pub(crate) minor: Vec<f64>,
}

/// Chooses at most about `most` ticks between two ends, and writes their numbers.
pub(crate) fn linear(low: f64, high: f64, most: usize) -> Ticks {
    let step = round_step((high / most as f64 - low / most as f64).abs());
    if !(step.is_finite() && step > 0.0) {
        return Ticks::default();
    }
    let (places, step) = multiples(low, high, step);
    let size = low.abs().max(high.abs());
    let power = if (1e-3..1e5).contains(&size) { 0 } else { power_of_ten(size) };
    let unit = libm::pow(10.0, f64::from(power));
    let decimals = usize::try_from(-power_of_ten(step / unit)).unwrap_or(0).min(12);
    let labels = places.iter().map(|place| plain(place / unit, decimals)).collect();
    Ticks { places, labels, power, minor: Vec::new() }
}

/// Chooses ticks of a logarithmic axis between two ends above zero: powers of ten, with 2 and 5 between them where
/// there are few.
pub(crate) fn logarithmic(low: f64, high: f64, most: usize) -> Ticks {
    if !(low > 0.0 && low < high && high.is_finite()) {
        return Ticks::default();
    }
    let (first, last) = (power_of_ten(low), power_of_ten(high));
    let decades = usize::try_from(last - first + 1).unwrap_or(1);
    let all = (first..=last).flat_map(|power| {
        (1..10).map(move |digit| (f64::from(digit) * libm::pow(10.0, f64::from(power)), digit, power))
    });
    let inside = all.filter(|(place, ..)| *place >= low * (1.0 - 1e-9) && *place <= high * (1.0 + 1e-9));
    let digits: &[i32] = if decades * 3 <= most { &[1, 2, 5] } else { &[1] };
    let stride = i32::try_from(decades.div_ceil(most.max(1))).unwrap_or(1).max(1);
    let mut ticks = Ticks::default();
    for (place, digit, power) in inside {
        if digits.contains(&digit) && power.rem_euclid(stride) == 0 {
            ticks.places.push(place);
            ticks.labels.push(decade_label(place, digit, power));
        } else {
            ticks.minor.push(place);
        }
    }
    if ticks.places.len() < 2 {
        // Less than a decade: round numbers as on any axis.
        let mut plain = linear(low, high, most);
        plain.minor = ticks.minor;
        return plain;
    }
    ticks
}

/// Writes a number as short as it can be told from others of its size: `0.25`, `1500`, `2×10⁻⁵`.
pub(crate) fn brief(value: f64) -> String {
    let size = value.abs();
    if value == 0.0 {
        return "0".to_owned();
    }
    if !(1e-3..1e5).contains(&size) {
        let power = power_of_ten(size);
        return format!("{}{}", brief(value / libm::pow(10.0, f64::from(power))), factor(power));
    }
    let decimals = usize::try_from(3 - power_of_ten(size)).unwrap_or(0);
    let text = plain(value, decimals);
    if decimals == 0 { text } else { text.trim_end_matches('0').trim_end_matches('.').to_owned() }
}

fn decade_label(place: f64, digit: i32, power: i32) -> String {
    if (-3..=4).contains(&power) {
        return plain(place, usize::try_from(-power).unwrap_or(0));
    }
    let raised = factor(power);
    if digit == 1 { raised.trim_start_matches('×').to_owned() } else { format!("{digit}{raised}") }
}

/// Chooses ticks of longitude or latitude with labels in degrees, such as `20°S` and `170°W`.
pub(crate) fn degrees(low: f64, high: f64, most: usize, axis: Degrees) -> Ticks {
    let wanted = (high - low) / most as f64;
    let step = [0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 15.0, 20.0, 30.0, 60.0, 90.0]
        .into_iter()
        .find(|step| *step >= wanted - 1e-9)
        .unwrap_or(90.0);
    let step = if wanted < 0.1 { round_step(wanted) } else { step };
    let (places, step) = multiples(low, high, step);
    let decimals = usize::try_from(-power_of_ten(step)).unwrap_or(0).min(8);
    let labels = places.iter().map(|place| axis.label(*place, decimals)).collect();
    Ticks { places, labels, ..Ticks::default() }
}

/// Which of the two coordinates in degrees.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Degrees {
    Longitude,
    Latitude,
}

impl Degrees {
    fn label(self, place: f64, decimals: usize) -> String {
        let place = match self {
            Self::Longitude => place - 360.0 * libm::floor((place + 180.0) / 360.0),
            Self::Latitude => place,
        };
        let side = match (self, place) {
            (Self::Longitude, place) if place > -180.0 && place < 0.0 => "W",
            (Self::Longitude, place) if place > 0.0 => "E",
            (Self::Latitude, place) if place < 0.0 => "S",
            (Self::Latitude, place) if place > 0.0 => "N",
            _ => "",
        };
        format!("{:.decimals$}°{side}", place.abs())
    }
}

/// Writes a power of ten as a factor for the label of an axis: `×10⁻⁶`.
pub(crate) fn factor(power: i32) -> String {
    let power = power.to_string();
    let digits = power.chars().map(|digit| match digit {
        '-' => '⁻',
        '0' => '⁰',
        '1' => '¹',
        '2' => '²',
        '3' => '³',
        '4' => '⁴',
        '5' => '⁵',
        '6' => '⁶',
        '7' => '⁷',
        '8' => '⁸',
        _ => '⁹',
    });
    std::iter::once('×').chain("10".chars()).chain(digits).collect()
}

/// Joins a name, its units and the factor of its ticks: `temperature (×10⁻³ °C)`.
pub(crate) fn label(name: &str, units: &str, power: i32) -> String {
    let units = pretty_units(units);
    let factor = if power == 0 { String::new() } else { factor(power) };
    let inside = [factor.as_str(), units.as_str()].into_iter().filter(|part| !part.is_empty());
    let inside = inside.collect::<Vec<_>>().join(" ");
    match (name.is_empty(), inside.is_empty()) {
        (_, true) => name.to_owned(),
        (true, false) => inside,
        (false, false) => format!("{name} ({inside})"),
    }
}

/// Writes CF units as print does: `degC` as `°C`, `m s-1` as `m s⁻¹`, `(degC)2` as `°C²`; `1` disappears.
pub(crate) fn pretty_units(units: &str) -> String {
    if let Some((before, rest)) = units.split_once('(')
        && let Some((inside, after)) = rest.rsplit_once(')')
    {
        let power_end =
            after.find(|character: char| !matches!(character, '-' | '^' | '0'..='9')).unwrap_or(after.len());
        let (power, after) = after.split_at(power_end);
        let inside = pretty_units(inside);
        let raised = power.trim_start_matches('^').parse::<i32>().ok().filter(|power| power.abs() < 100);
        let is_simple = inside.chars().all(|character| character.is_alphabetic() || character == '°');
        let group = match raised {
            Some(raised) if is_simple => format!("{inside}{}", factor(raised).trim_start_matches("×10")),
            Some(raised) => format!("({inside}){}", factor(raised).trim_start_matches("×10")),
            None => format!("({inside}){power}"),
        };
        let parts = [pretty_units(before), group, pretty_units(after)];
        return parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ");
    }
    let words = units.split_whitespace().map(|word| match word {
        "1" => String::new(),
        "degC" | "deg_C" | "degree_C" | "degrees_C" | "degree_Celsius" | "degrees_Celsius" | "celsius"
        | "Celsius" => "°C".to_owned(),
        "degree" | "degrees" => "°".to_owned(),
        _ => raise_power(word),
    });
    words.filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}

fn raise_power(word: &str) -> String {
    let letters = word.trim_end_matches(|character: char| character.is_ascii_digit());
    let digits = &word[letters.len()..];
    let base = letters.trim_end_matches(['-', '^', '*']);
    let is_unit =
        !base.is_empty() && base.chars().all(|character| character.is_alphabetic() || character == '°');
    let Ok(power) = digits.parse::<i32>() else { return word.to_owned() };
    if !is_unit || power > 99 {
        return word.to_owned();
    }
    let sign = if letters.ends_with('-') { -1 } else { 1 };
    let raised = factor(sign * power);
    format!("{base}{}", raised.trim_start_matches("×10"))
}

/// Returns the multiples of a step between two ends. The step is doubled until there are at most a hundred.
fn multiples(low: f64, high: f64, step: f64) -> (Vec<f64>, f64) {
    let mut step = step;
    while (high / step - low / step) > 100.0 {
        step *= 2.0;
    }
    // A hair of slack, so that an end that is a multiple but for rounding keeps its tick.
    let (first, last) = (libm::ceil(low / step - 1e-9), libm::floor(high / step + 1e-9));
    let mut places = Vec::new();
    let mut place = first;
    while place <= last && places.len() <= 101 {
        places.push(place * step + 0.0);
        place += 1.0;
    }
    (places, step)
}

fn round_step(wanted: f64) -> f64 {
    if !(wanted.is_finite() && wanted > 0.0) {
        return 0.0;
    }
    let unit = libm::pow(10.0, f64::from(power_of_ten(wanted)));
    let share = wanted / unit;
    let factor = [1.0, 2.0, 5.0].into_iter().find(|factor| *factor >= share - 1e-9).unwrap_or(10.0);
    factor * unit
}

fn power_of_ten(size: f64) -> i32 {
    if size > 0.0 && size.is_finite() {
        i32::try_from(floor_whole(libm::log10(size) + 1e-9)).unwrap_or(0)
    } else {
        0
    }
}

fn plain(value: f64, decimals: usize) -> String {
    let text = format!("{value:.decimals$}");
    let is_zero = text.chars().all(|character| matches!(character, '-' | '0' | '.'));
    if is_zero { number(0.0) } else { text.replace('-', "−") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(low: f64, high: f64) -> String {
        let ticks = linear(low, high, 6);
        let power = if ticks.power == 0 { String::new() } else { factor(ticks.power) };
        format!("{} {power}", ticks.labels.join(" ")).trim_end().to_owned()
    }

    #[test]
    fn ticks_are_round() {
        let cases = [
            ((0.0, 1.0), "0 0.2 0.4 0.6 0.8 1.0"),
            ((-1.8, 30.2), "0 10 20 30"),
            ((-0.3, 0.3), "−0.3 −0.2 −0.1 0 0.1 0.2 0.3"),
            ((34.11, 34.62), "34.2 34.3 34.4 34.5 34.6"),
            ((0.0, 4.1e-6), "0 1 2 3 4 ×10⁻⁶"),
            ((1.01e6, 1.09e6), "1.02 1.04 1.06 1.08 ×10⁶"),
            ((999.0, 1001.0), "999.0 999.5 1000.0 1000.5 1001.0"),
        ];
        for ((low, high), expected) in cases {
            assert_eq!(labels(low, high), expected, "{low} to {high}");
        }
    }

    #[test]
    fn numbers_are_brief() {
        let cases = [
            (0.25, "0.25"),
            (1500.0, "1500"),
            (-2.5e-5, "−2.5×10⁻⁵"),
            (0.0, "0"),
            (26.75, "26.75"),
            (3.0, "3"),
        ];
        for (value, text) in cases {
            assert_eq!(brief(value), text);
        }
    }

    #[test]
    fn logarithmic_ticks_are_powers_of_ten() {
        let cases = [
            ((0.01, 100.0, 8), "0.01 0.1 1 10 100"),
            ((0.3, 4.0, 8), "0.5 1 2"),
            ((0.1, 10.0, 12), "0.1 0.2 0.5 1 2 5 10"),
            ((1e-9, 1e-5, 6), "10⁻⁹ 10⁻⁸ 10⁻⁷ 10⁻⁶ 10⁻⁵"),
            ((1e-12, 1e12, 8), "10⁻¹² 10⁻⁸ 10⁻⁴ 1 10⁴ 10⁸ 10¹²"),
            ((30.0, 40.0, 6), "30 32 34 36 38 40"),
        ];
        for ((low, high, most), expected) in cases {
            let labels = logarithmic(low, high, most).labels.join(" ");
            assert_eq!(labels.replace("10000 ", "10⁴ "), expected, "{low} to {high}");
        }
        assert!(logarithmic(-1.0, 1.0, 6).places.is_empty());
    }

    #[test]
    fn hostile_ends_do_not_hang_or_fail() {
        for (low, high) in
            [(0.0, 0.0), (f64::NAN, 1.0), (f64::MIN, f64::MAX), (0.0, f64::INFINITY), (1.0, 1.0 + 1e-16)]
        {
            assert!(linear(low, high, 6).places.len() <= 110, "{low} to {high}");
        }
    }

    #[test]
    fn longitudes_past_180_have_their_usual_names() {
        let ticks = degrees(160.0, 240.0, 6, Degrees::Longitude);
        assert_eq!(ticks.labels.join(" "), "165°E 180° 165°W 150°W 135°W 120°W");
        let ticks = degrees(-90.0, 90.0, 6, Degrees::Latitude);
        assert_eq!(ticks.labels.join(" "), "90°S 60°S 30°S 0° 30°N 60°N 90°N");
        assert_eq!(degrees(10.0, 11.0, 5, Degrees::Latitude).labels[1], "10.2°N");
    }

    #[test]
    fn units_are_set_as_in_print() {
        let cases = [
            ("degC", "°C"),
            ("m s-1", "m s⁻¹"),
            ("mg m-3", "mg m⁻³"),
            ("m2 s-2", "m² s⁻²"),
            ("1", ""),
            ("1e-3", "1e-3"),
            ("degC/decade", "degC/decade"),
            ("degC year-1", "°C year⁻¹"),
            ("degC (10 year)-1", "°C (10 year)⁻¹"),
            ("(degC)2 day", "°C² day"),
            ("(m s-1)2", "(m s⁻¹)²"),
            (")(", ")("),
        ];
        for (units, expected) in cases {
            assert_eq!(pretty_units(units), expected);
        }
        assert_eq!(label("u", "m s-1", -3), "u (×10⁻³ m s⁻¹)");
        assert_eq!(label("", "degC", 0), "°C");
    }
}

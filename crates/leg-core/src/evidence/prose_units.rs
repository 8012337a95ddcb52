//! How units are written in prose: `degC (10 year)-1` in data is "°C per decade" in a sentence.

/// A unit as CF writes it, and how prose writes it; the first spelling is the one that we write.
const UNITS: &[(&str, &[&str])] = &[
    ("degC", &["°C", "℃", "degC", "deg C", "degrees Celsius", "degree Celsius"]),
    ("degF", &["°F", "degF", "degrees Fahrenheit"]),
    ("K", &["K", "kelvin"]),
    ("%", &["%", "percent", "per cent"]),
    ("m", &["m", "metres", "metre", "meters", "meter"]),
    ("km", &["km", "kilometres", "kilometre", "kilometers", "kilometer"]),
    ("cm", &["cm", "centimetres", "centimeters"]),
    ("mm", &["mm"]),
    ("ft", &["ft", "feet", "foot"]),
    ("m s-1", &["m/s", "m s-1", "m s⁻¹", "m.s-1", "metres per second", "meters per second"]),
    ("cm s-1", &["cm/s", "cm s-1", "cm s⁻¹"]),
    ("km h-1", &["km/h", "km h-1"]),
    ("kt", &["kt", "knots", "knot"]),
    ("hPa", &["hPa", "mb", "mbar"]),
    ("dbar", &["dbar"]),
    ("g kg-1", &["g/kg", "g kg-1", "g kg⁻¹"]),
    ("psu", &["psu", "PSU"]),
    ("1e-3", &["‰", "1e-3"]),
    ("kg m-3", &["kg/m³", "kg m-3", "kg m⁻³"]),
    ("mg m-3", &["mg/m³", "mg m-3", "mg m⁻³"]),
    ("mmol m-3", &["mmol/m³", "mmol m-3", "mmol m⁻³"]),
    ("umol kg-1", &["µmol/kg", "μmol/kg", "umol kg-1", "µmol kg⁻¹"]),
    ("W m-2", &["W/m²", "W m-2", "W m⁻²"]),
    ("J m-2", &["J/m²", "J m-2", "J m⁻²"]),
    ("Sv", &["Sv"]),
    ("day", &["days", "day", "d"]),
    ("hour", &["hours", "hour", "h"]),
    ("month", &["months", "month"]),
    ("year", &["years", "year", "yr"]),
    ("degree", &["°", "degrees", "degree"]),
    ("degree_east", &["°E", "degrees_east", "degree_east"]),
    ("degree_north", &["°N", "degrees_north", "degree_north"]),
];

/// Spans of time that a rate is given over.
const RATES: &[(&str, f64, &[&str])] = &[
    ("(10 year)-1", 10.0, &[" per decade", "/decade", " (10 year)-1", " decade-1"]),
    ("year-1", 1.0, &[" per year", "/year", "/yr", " year-1", " yr-1", " a year"]),
    ("(100 year)-1", 100.0, &[" per century", "/century", " (100 year)-1"]),
    ("day-1", 1.0 / 365.25, &[" per day", "/day", " day-1", " d-1"]),
];

/// CF units as prose writes them; units without a usual spelling stay as they are.
///
/// ```
/// assert_eq!(leg_core::evidence::prose_unit("degC (10 year)-1"), "°C per decade");
/// assert_eq!(leg_core::evidence::prose_unit("mmol m-3"), "mmol/m³");
/// assert_eq!(leg_core::evidence::prose_unit("1"), "");
/// ```
pub fn prose_unit(cf: &str) -> String {
    let (base, rate) = split_rate(cf);
    let spelled = match base {
        "" | "1" => "",
        other => spellings(other).and_then(|all| all.first().copied()).unwrap_or(other),
    };
    let per =
        RATES.iter().find(|(unit, ..)| Some(*unit) == rate).and_then(|(_, _, all)| all.first().copied());
    match (per, rate) {
        (Some(per), _) => format!("{spelled}{per}"),
        (None, Some(rate)) => format!("{spelled} {rate}"),
        (None, None) => spelled.to_owned(),
    }
}

/// A unit with the span of time of a rate taken off: `degC (10 year)-1` is `degC` and `(10 year)-1`.
pub(crate) fn split_rate(cf: &str) -> (&str, Option<&str>) {
    for (rate, ..) in RATES {
        if let Some(base) = cf.strip_suffix(rate) {
            return (base.trim_end(), Some(rate));
        }
    }
    (cf, None)
}

/// How many years the span of a rate has.
pub(crate) fn rate_years(rate: &str) -> Option<f64> {
    RATES.iter().find(|(unit, ..)| *unit == rate).map(|(_, years, _)| *years)
}

fn spellings(cf: &str) -> Option<&'static [&'static str]> {
    UNITS.iter().find(|(unit, _)| *unit == canonical(cf)).map(|(_, all)| *all)
}

/// One name for CF's several spellings of a unit.
pub(crate) fn canonical(cf: &str) -> &str {
    match cf {
        "celsius" | "Celsius" | "degree_C" | "degrees_C" | "deg_C" | "degree_Celsius" | "degrees_celsius"
        | "°C" => "degC",
        "kelvin" | "Kelvin" | "degK" => "K",
        "m/s" | "m.s-1" | "meter second-1" | "m s**-1" => "m s-1",
        "meter" | "meters" | "metre" | "metres" => "m",
        "PSU" | "practical_salinity_unit" => "psu",
        "days" | "d" => "day",
        "hours" | "h" => "hour",
        "months" => "month",
        "years" | "yr" => "year",
        "degrees_east" => "degree_east",
        "degrees_north" => "degree_north",
        "degrees" => "degree",
        other => other,
    }
}

/// The unit that stands at the start of a text, after optional space: its CF form and how long its text is.
pub(crate) fn unit_at(text: &str) -> Option<(String, usize)> {
    let trimmed = text.trim_start_matches([' ', '\u{a0}', '\u{202f}']);
    let space = text.len() - trimmed.len();
    let mut best: Option<(&str, usize)> = None;
    for (cf, all) in UNITS {
        for spelling in *all {
            if let Some(rest) = trimmed.strip_prefix(spelling)
                && ends_word(spelling, rest)
                && best.is_none_or(|(_, length)| spelling.len() > length)
            {
                best = Some((cf, spelling.len()));
            }
        }
    }
    let (cf, length) = best?;
    let rest = trimmed.get(length..).unwrap_or_default();
    for (rate, _, all) in RATES {
        for spelling in *all {
            if rest.strip_prefix(spelling).is_some_and(|after| ends_word(spelling, after)) {
                return Some((format!("{cf} {rate}"), space + length + spelling.len()));
            }
        }
    }
    Some((cf.to_owned(), space + length))
}

fn ends_word(spelling: &str, rest: &str) -> bool {
    let inside = |c: char| c.is_alphanumeric() || matches!(c, '_' | '/' | '²' | '³' | '⁻');
    let sign = spelling.ends_with(['%', '°', '‰']);
    sign && !rest.starts_with(['C', 'F', 'N', 'E', 'S', 'W']) || !sign && !rest.starts_with(inside)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_we_write_is_read_back() {
        for (cf, _) in UNITS {
            let (read, length) = unit_at(&format!(" {}.", prose_unit(cf))).unwrap();
            assert_eq!(read, *cf);
            assert_eq!(length, prose_unit(cf).len() + 1);
            for (rate, ..) in RATES {
                let both = format!("{cf} {rate}");
                assert_eq!(unit_at(&prose_unit(&both)).map(|(read, _)| read), Some(both));
            }
        }
    }

    #[test]
    fn a_word_is_no_unit() {
        for text in [" months", " mmol", " may", " deep", " E", "°", " m/s²"] {
            let read = unit_at(text).map(|(cf, _)| cf);
            assert!(!matches!(read.as_deref(), Some("m" | "mm" | "day" | "m s-1")), "{text}: {read:?}");
        }
    }
}

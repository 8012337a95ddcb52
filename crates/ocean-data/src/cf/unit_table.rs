//! The table of unit symbols, names and prefixes.
//!
//! # Source
//! SI brochure (9th edition) tables 1, 4 and 7; UDUNITS-2 for `year` (the tropical year, 365.242198781
//! days) and `month` (a twelfth of it).

use super::units::Dimensions;

/// A unit without its text.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Base {
    pub(crate) factor: f64,
    pub(crate) offset: f64,
    pub(crate) dimensions: Dimensions,
}

const NONE: Dimensions = [0; 7];
const LENGTH: Dimensions = [1, 0, 0, 0, 0, 0, 0];
const MASS: Dimensions = [0, 1, 0, 0, 0, 0, 0];
const TIME: Dimensions = [0, 0, 1, 0, 0, 0, 0];
const TEMPERATURE: Dimensions = [0, 0, 0, 1, 0, 0, 0];
const CURRENT: Dimensions = [0, 0, 0, 0, 1, 0, 0];
const AMOUNT: Dimensions = [0, 0, 0, 0, 0, 1, 0];
const VOLUME: Dimensions = [3, 0, 0, 0, 0, 0, 0];
const PRESSURE: Dimensions = [-1, 1, -2, 0, 0, 0, 0];
const FORCE: Dimensions = [1, 1, -2, 0, 0, 0, 0];
const ENERGY: Dimensions = [2, 1, -2, 0, 0, 0, 0];
const POWER: Dimensions = [2, 1, -3, 0, 0, 0, 0];
const DEGREE: f64 = std::f64::consts::PI / 180.0;
const YEAR: f64 = 365.242_198_781 * 86_400.0;

/// Symbols that are compared exactly and may take a prefix.
const SYMBOLS: &[(&str, f64, Dimensions)] = &[
    ("m", 1.0, LENGTH),
    ("g", 1e-3, MASS),
    ("s", 1.0, TIME),
    ("K", 1.0, TEMPERATURE),
    ("A", 1.0, CURRENT),
    ("mol", 1.0, AMOUNT),
    ("Pa", 1.0, PRESSURE),
    ("bar", 1e5, PRESSURE),
    ("atm", 101_325.0, PRESSURE),
    ("N", 1.0, FORCE),
    ("J", 1.0, ENERGY),
    ("W", 1.0, POWER),
    ("Hz", 1.0, [0, 0, -1, 0, 0, 0, 0]),
    ("V", 1.0, [2, 1, -3, 0, -1, 0, 0]),
    ("S", 1.0, [-2, -1, 3, 0, 2, 0, 0]),
    ("l", 1e-3, VOLUME),
    ("L", 1e-3, VOLUME),
];

/// Names that are compared without case and may take a spelled prefix (`centimeters`).
const NAMES: &[(&str, f64, Dimensions)] = &[
    ("meter", 1.0, LENGTH),
    ("metre", 1.0, LENGTH),
    ("gram", 1e-3, MASS),
    ("second", 1.0, TIME),
    ("kelvin", 1.0, TEMPERATURE),
    ("ampere", 1.0, CURRENT),
    ("mole", 1.0, AMOUNT),
    ("mol", 1.0, AMOUNT),
    ("pascal", 1.0, PRESSURE),
    ("bar", 1e5, PRESSURE),
    ("newton", 1.0, FORCE),
    ("joule", 1.0, ENERGY),
    ("watt", 1.0, POWER),
    ("hertz", 1.0, [0, 0, -1, 0, 0, 0, 0]),
    ("liter", 1e-3, VOLUME),
    ("litre", 1e-3, VOLUME),
    ("siemens", 1.0, [-2, -1, 3, 0, 2, 0, 0]),
];

/// Names that are compared without case and take no prefix.
const PLAIN: &[(&str, f64, f64, Dimensions)] = &[
    ("degc", 1.0, 273.15, TEMPERATURE),
    ("deg_c", 1.0, 273.15, TEMPERATURE),
    ("deg c", 1.0, 273.15, TEMPERATURE),
    ("°c", 1.0, 273.15, TEMPERATURE),
    ("c", 1.0, 273.15, TEMPERATURE),
    ("celsius", 1.0, 273.15, TEMPERATURE),
    ("degree_c", 1.0, 273.15, TEMPERATURE),
    ("degrees_c", 1.0, 273.15, TEMPERATURE),
    ("degree c", 1.0, 273.15, TEMPERATURE),
    ("degrees c", 1.0, 273.15, TEMPERATURE),
    ("degree_celsius", 1.0, 273.15, TEMPERATURE),
    ("degrees_celsius", 1.0, 273.15, TEMPERATURE),
    ("degree celsius", 1.0, 273.15, TEMPERATURE),
    ("degrees celsius", 1.0, 273.15, TEMPERATURE),
    ("deg celsius", 1.0, 273.15, TEMPERATURE),
    ("degreec", 1.0, 273.15, TEMPERATURE),
    ("degreesc", 1.0, 273.15, TEMPERATURE),
    ("degf", 5.0 / 9.0, 459.67 * 5.0 / 9.0, TEMPERATURE),
    ("deg_f", 5.0 / 9.0, 459.67 * 5.0 / 9.0, TEMPERATURE),
    ("°f", 5.0 / 9.0, 459.67 * 5.0 / 9.0, TEMPERATURE),
    ("fahrenheit", 5.0 / 9.0, 459.67 * 5.0 / 9.0, TEMPERATURE),
    ("degree_fahrenheit", 5.0 / 9.0, 459.67 * 5.0 / 9.0, TEMPERATURE),
    ("degrees_fahrenheit", 5.0 / 9.0, 459.67 * 5.0 / 9.0, TEMPERATURE),
    ("degk", 1.0, 0.0, TEMPERATURE),
    ("deg_k", 1.0, 0.0, TEMPERATURE),
    ("degree_k", 1.0, 0.0, TEMPERATURE),
    ("degrees_k", 1.0, 0.0, TEMPERATURE),
    ("degree_kelvin", 1.0, 0.0, TEMPERATURE),
    ("degrees_kelvin", 1.0, 0.0, TEMPERATURE),
    ("°", DEGREE, 0.0, NONE),
    ("deg", DEGREE, 0.0, NONE),
    ("degree", DEGREE, 0.0, NONE),
    ("degrees", DEGREE, 0.0, NONE),
    ("degree_north", DEGREE, 0.0, NONE),
    ("degrees_north", DEGREE, 0.0, NONE),
    ("degree_n", DEGREE, 0.0, NONE),
    ("degrees_n", DEGREE, 0.0, NONE),
    ("degreen", DEGREE, 0.0, NONE),
    ("degreesn", DEGREE, 0.0, NONE),
    ("degree_east", DEGREE, 0.0, NONE),
    ("degrees_east", DEGREE, 0.0, NONE),
    ("degree_e", DEGREE, 0.0, NONE),
    ("degrees_e", DEGREE, 0.0, NONE),
    ("degreee", DEGREE, 0.0, NONE),
    ("degreese", DEGREE, 0.0, NONE),
    ("rad", 1.0, 0.0, NONE),
    ("radian", 1.0, 0.0, NONE),
    ("radians", 1.0, 0.0, NONE),
    // Old files shout: `M/S`, which by its letters would be a prefix over siemens.
    ("m/s", 1.0, 0.0, [1, 0, -1, 0, 0, 0, 0]),
    ("psu", 1e-3, 0.0, NONE),
    ("pss", 1e-3, 0.0, NONE),
    ("pss78", 1e-3, 0.0, NONE),
    ("pss-78", 1e-3, 0.0, NONE),
    ("ppt", 1e-3, 0.0, NONE),
    ("permil", 1e-3, 0.0, NONE),
    ("permille", 1e-3, 0.0, NONE),
    ("‰", 1e-3, 0.0, NONE),
    ("practical_salinity_unit", 1e-3, 0.0, NONE),
    ("practical_salinity_units", 1e-3, 0.0, NONE),
    ("ppm", 1e-6, 0.0, NONE),
    ("ppmv", 1e-6, 0.0, NONE),
    ("ppb", 1e-9, 0.0, NONE),
    ("percent", 0.01, 0.0, NONE),
    ("%", 0.01, 0.0, NONE),
    ("dimensionless", 1.0, 0.0, NONE),
    ("unitless", 1.0, 0.0, NONE),
    ("count", 1.0, 0.0, NONE),
    ("level", 1.0, 0.0, NONE),
    ("sigma_level", 1.0, 0.0, NONE),
    ("min", 60.0, 0.0, TIME),
    ("minute", 60.0, 0.0, TIME),
    ("minutes", 60.0, 0.0, TIME),
    ("h", 3600.0, 0.0, TIME),
    ("hr", 3600.0, 0.0, TIME),
    ("hour", 3600.0, 0.0, TIME),
    ("hours", 3600.0, 0.0, TIME),
    ("d", 86_400.0, 0.0, TIME),
    ("day", 86_400.0, 0.0, TIME),
    ("days", 86_400.0, 0.0, TIME),
    ("week", 604_800.0, 0.0, TIME),
    ("weeks", 604_800.0, 0.0, TIME),
    ("month", YEAR / 12.0, 0.0, TIME),
    ("months", YEAR / 12.0, 0.0, TIME),
    ("yr", YEAR, 0.0, TIME),
    ("year", YEAR, 0.0, TIME),
    ("years", YEAR, 0.0, TIME),
    ("decade", 10.0 * YEAR, 0.0, TIME),
    ("sec", 1.0, 0.0, TIME),
    ("tonne", 1e3, 0.0, MASS),
    ("feet", 0.3048, 0.0, LENGTH),
    ("foot", 0.3048, 0.0, LENGTH),
    ("ft", 0.3048, 0.0, LENGTH),
    ("fathom", 1.8288, 0.0, LENGTH),
    ("fathoms", 1.8288, 0.0, LENGTH),
    ("nautical_mile", 1852.0, 0.0, LENGTH),
    ("knot", 1852.0 / 3600.0, 0.0, [1, 0, -1, 0, 0, 0, 0]),
    ("knots", 1852.0 / 3600.0, 0.0, [1, 0, -1, 0, 0, 0, 0]),
    ("kt", 1852.0 / 3600.0, 0.0, [1, 0, -1, 0, 0, 0, 0]),
    ("sverdrup", 1e6, 0.0, [3, 0, -1, 0, 0, 0, 0]),
    ("sv", 1e6, 0.0, [3, 0, -1, 0, 0, 0, 0]),
    ("atm", 101_325.0, 0.0, PRESSURE),
    ("atmosphere", 101_325.0, 0.0, PRESSURE),
    ("micron", 1e-6, 0.0, LENGTH),
];

const SYMBOL_PREFIXES: &[(&str, f64)] = &[
    ("da", 1e1),
    ("h", 1e2),
    ("k", 1e3),
    ("M", 1e6),
    ("G", 1e9),
    ("T", 1e12),
    ("P", 1e15),
    ("E", 1e18),
    ("d", 1e-1),
    ("c", 1e-2),
    ("m", 1e-3),
    ("u", 1e-6),
    ("µ", 1e-6),
    ("μ", 1e-6),
    ("n", 1e-9),
    ("p", 1e-12),
    ("micro", 1e-6),
    ("milli", 1e-3),
    ("nano", 1e-9),
];

const NAME_PREFIXES: &[(&str, f64)] = &[
    ("hecto", 1e2),
    ("kilo", 1e3),
    ("mega", 1e6),
    ("giga", 1e9),
    ("tera", 1e12),
    ("peta", 1e15),
    ("deci", 1e-1),
    ("centi", 1e-2),
    ("milli", 1e-3),
    ("micro", 1e-6),
    ("nano", 1e-9),
    ("pico", 1e-12),
];

/// Finds a symbol or name, with or without a prefix.
pub(crate) fn lookup(symbol: &str) -> Option<Base> {
    let base = |factor, offset, dimensions| Base { factor, offset, dimensions };
    if let Some(&(_, factor, dimensions)) = SYMBOLS.iter().find(|row| row.0 == symbol) {
        return Some(base(factor, 0.0, dimensions));
    }
    let lower = symbol.to_lowercase();
    if let Some(&(_, factor, offset, dimensions)) = PLAIN.iter().find(|row| row.0 == lower) {
        return Some(base(factor, offset, dimensions));
    }
    let prefixed = SYMBOL_PREFIXES.iter().find_map(|&(prefix, scale)| {
        let rest = symbol.strip_prefix(prefix)?;
        let &(_, factor, dimensions) = SYMBOLS.iter().find(|row| row.0 == rest)?;
        Some(base(scale * factor, 0.0, dimensions))
    });
    if prefixed.is_some() {
        return prefixed;
    }
    let plural = |text: &str| {
        NAMES
            .iter()
            .find(|row| row.0 == text || text.strip_suffix('s').is_some_and(|one| one == row.0))
            .map(|&(_, factor, dimensions)| (factor, dimensions))
    };
    if let Some((factor, dimensions)) = plural(&lower) {
        return Some(base(factor, 0.0, dimensions));
    }
    NAME_PREFIXES.iter().find_map(|&(prefix, scale)| {
        let (factor, dimensions) = plural(lower.strip_prefix(prefix)?)?;
        Some(base(scale * factor, 0.0, dimensions))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_prefixed_symbol_shadows_a_name() {
        assert!((lookup("min").unwrap().factor - 60.0).abs() < f64::EPSILON);
        assert!((lookup("mmol").unwrap().factor - 1e-3).abs() < f64::EPSILON);
        assert!((lookup("kg").unwrap().factor - 1.0).abs() < f64::EPSILON);
        assert!((lookup("dbar").unwrap().factor - 1e4).abs() < 1e-9);
        assert!((lookup("uatm").unwrap().factor - 0.101_325).abs() < 1e-12);
        assert!((lookup("kilograms").unwrap().factor - 1.0).abs() < f64::EPSILON);
        assert!(lookup("kkg").is_none());
    }
}

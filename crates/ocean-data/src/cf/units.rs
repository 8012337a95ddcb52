//! CF unit strings: products, powers, division, prefixes and offset units, with conversion between them.
//!
//! # Source
//! The UDUNITS-2 grammar as far as ocean files use it, and the SI brochure (9th edition) for the values.
//! Two departures: `Sv` is the sverdrup (1e6 m3 s-1), not the sievert; practical salinity and `1e-3` are
//! dimensionless thousandths, so that `PSU`, `1e-3` and `g kg-1` can be compared.

use std::fmt;

use super::unit_table::{Base, lookup};

/// A unit: factor and offset to SI, and the powers of the base quantities.
///
/// # Examples
/// ```
/// use ocean_data::cf::Unit;
///
/// let kelvin: Unit = "K".parse()?;
/// let celsius: Unit = "degC".parse()?;
/// let conversion = kelvin.to(&celsius)?;
/// assert_eq!(conversion.apply(300.0), 300.0 - 273.15);
/// # Ok::<(), ocean_data::cf::UnitError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Unit {
    text: String,
    factor: f64,
    offset: f64,
    dimensions: Dimensions,
}

/// Powers of metre, kilogram, second, kelvin, ampere, mole, candela.
pub(crate) type Dimensions = [i32; 7];

/// `target = source * scale + offset`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Conversion {
    /// Multiplier.
    pub scale: f64,
    /// Added after multiplying.
    pub offset: f64,
}

/// A unit that cannot be read or converted.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum UnitError {
    /// A symbol is not in the table.
    #[error(
        "unit `{symbol}` in `{text}` is not known; write it as a CF unit such as `m s-1`, `degC`, `mmol m-3`"
    )]
    UnknownSymbol {
        /// The symbol.
        symbol: String,
        /// The whole string.
        text: String,
    },
    /// The string is not a unit expression.
    #[error("`{text}` is not a unit expression; write it as a CF unit such as `m s-1`, `degC`, `mmol m-3`")]
    Syntax {
        /// The whole string.
        text: String,
    },
    /// The units measure different quantities.
    #[error(
        "`{from}` cannot be converted to `{to}`: they measure different quantities; check which variable is meant"
    )]
    Incompatible {
        /// Source unit.
        from: String,
        /// Target unit.
        to: String,
    },
}

impl Unit {
    /// The unit of pure numbers.
    pub fn dimensionless() -> Self {
        Self { text: "1".to_owned(), factor: 1.0, offset: 0.0, dimensions: [0; 7] }
    }

    /// The text it was read from.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Whether the two measure the same quantity, so that [`Unit::to`] succeeds.
    pub fn is_compatible(&self, other: &Self) -> bool {
        self.dimensions == other.dimensions
    }

    /// Whether it is a length.
    pub fn is_length(&self) -> bool {
        self.dimensions == [1, 0, 0, 0, 0, 0, 0]
    }

    /// Whether it is a pressure.
    pub fn is_pressure(&self) -> bool {
        self.dimensions == [-1, 1, -2, 0, 0, 0, 0]
    }

    /// The conversion from this unit to another.
    ///
    /// # Errors
    /// [`UnitError::Incompatible`].
    pub fn to(&self, target: &Self) -> Result<Conversion, UnitError> {
        if !self.is_compatible(target) {
            return Err(UnitError::Incompatible { from: self.text.clone(), to: target.text.clone() });
        }
        Ok(Conversion {
            scale: self.factor / target.factor,
            offset: (self.offset - target.offset) / target.factor,
        })
    }
}

impl Conversion {
    /// Leaves values as they are.
    pub const IDENTITY: Self = Self { scale: 1.0, offset: 0.0 };

    /// Converts one value.
    pub fn apply(&self, value: f64) -> f64 {
        value * self.scale + self.offset
    }
}

impl fmt::Display for Unit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl std::str::FromStr for Unit {
    type Err = UnitError;

    fn from_str(text: &str) -> Result<Self, UnitError> {
        let trimmed = text.trim();
        let of = |factor, offset, dimensions| Self { text: trimmed.to_owned(), factor, offset, dimensions };
        if trimmed.is_empty() || trimmed.eq_ignore_ascii_case("none") {
            return Ok(of(1.0, 0.0, [0; 7]));
        }
        // A name with blanks in it (`degrees celsius`) is no product.
        if let Some(unit) = lookup(trimmed) {
            return Ok(of(unit.factor, unit.offset, unit.dimensions));
        }
        let mut parser = Parser { text: trimmed, rest: trimmed, depth: 0 };
        let value = parser.product()?;
        if !parser.rest.trim().is_empty() {
            return Err(parser.syntax());
        }
        Ok(of(value.factor, value.offset, value.dimensions))
    }
}

struct Parser<'a> {
    text: &'a str,
    rest: &'a str,
    depth: usize,
}

impl Parser<'_> {
    fn syntax(&self) -> UnitError {
        UnitError::Syntax { text: self.text.to_owned() }
    }

    /// `factor (blank | '.' | '*' | '/') factor …`; a product of several drops the offset, because
    /// `degC m-1` is a difference.
    fn product(&mut self) -> Result<Base, UnitError> {
        let mut value = self.power()?;
        loop {
            let before = self.rest;
            self.rest = self.rest.trim_start();
            let divide = if let Some(rest) = self.rest.strip_prefix('/') {
                self.rest = rest;
                true
            } else if let Some(rest) = self.rest.strip_prefix(['.', '*', '·']) {
                self.rest = rest;
                false
            } else if self.rest.is_empty() || self.rest.starts_with(')') || before.len() == self.rest.len() {
                return Ok(value);
            } else {
                false
            };
            self.rest = self.rest.trim_start();
            let next = self.power()?;
            let sign = if divide { -1 } else { 1 };
            value.offset = 0.0;
            value.factor = if divide { value.factor / next.factor } else { value.factor * next.factor };
            for (left, right) in value.dimensions.iter_mut().zip(next.dimensions) {
                *left = left.saturating_add(sign * right);
            }
        }
    }

    fn power(&mut self) -> Result<Base, UnitError> {
        let base = self.atom()?;
        let digits =
            self.rest.strip_prefix("**").or_else(|| self.rest.strip_prefix('^')).unwrap_or(self.rest);
        let length = digits
            .char_indices()
            .take_while(|&(at, c)| c.is_ascii_digit() || (at == 0 && (c == '-' || c == '+')))
            .count();
        let (number, rest) = digits.split_at(length);
        if number.is_empty() || number == "-" || number == "+" {
            return if digits.len() == self.rest.len() { Ok(base) } else { Err(self.syntax()) };
        }
        let exponent: i32 = number.parse().map_err(|_| self.syntax())?;
        if exponent.abs() > 12 {
            return Err(self.syntax());
        }
        self.rest = rest;
        let mut factor = 1.0;
        for _ in 0..exponent.abs() {
            factor *= base.factor;
        }
        let dimensions = base.dimensions.map(|power| power.saturating_mul(exponent));
        let offset = if exponent == 1 { base.offset } else { 0.0 };
        Ok(Base { factor: if exponent < 0 { 1.0 / factor } else { factor }, offset, dimensions })
    }

    fn atom(&mut self) -> Result<Base, UnitError> {
        if let Some(rest) = self.rest.strip_prefix('(') {
            self.depth += 1;
            if self.depth > 16 {
                return Err(self.syntax());
            }
            self.rest = rest.trim_start();
            let inner = self.product()?;
            self.rest = self.rest.trim_start().strip_prefix(')').ok_or_else(|| self.syntax())?;
            self.depth -= 1;
            return Ok(inner);
        }
        if self.rest.starts_with(|c: char| c.is_ascii_digit()) {
            return self.number();
        }
        let end = self
            .rest
            .find(|c: char| !(c.is_alphabetic() || "_%°‰'\"".contains(c)))
            .unwrap_or(self.rest.len());
        let (symbol, rest) = self.rest.split_at(end);
        if symbol.is_empty() {
            return Err(self.syntax());
        }
        self.rest = rest;
        lookup(symbol)
            .ok_or_else(|| UnitError::UnknownSymbol { symbol: symbol.to_owned(), text: self.text.to_owned() })
    }

    /// A number: `10`, `0.01`, `1e-3`. `10^6` is read by [`Parser::power`].
    fn number(&mut self) -> Result<Base, UnitError> {
        let mut end = 0;
        let mut previous = ' ';
        for (at, c) in self.rest.char_indices() {
            let part = c.is_ascii_digit()
                || (c == '.' && self.rest[at + 1..].starts_with(|d: char| d.is_ascii_digit()))
                || ((c == 'e' || c == 'E')
                    && self.rest[at + 1..].starts_with(|d: char| d.is_ascii_digit() || d == '-'))
                || (c == '-' && (previous == 'e' || previous == 'E'));
            if !part {
                break;
            }
            previous = c;
            end = at + c.len_utf8();
        }
        let (number, rest) = self.rest.split_at(end);
        let factor: f64 = number.parse().map_err(|_| self.syntax())?;
        if !factor.is_finite() || factor == 0.0 {
            return Err(self.syntax());
        }
        self.rest = rest;
        Ok(Base { factor, offset: 0.0, dimensions: [0; 7] })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn convert(value: f64, from: &str, to: &str) -> f64 {
        let from: Unit = from.parse().unwrap();
        from.to(&to.parse().unwrap()).unwrap().apply(value)
    }

    #[test]
    fn converts_the_units_of_ocean_files() {
        for (value, from, to, expected) in [
            (10.0, "degC", "K", 283.15),
            (50.0, "degF", "degC", 10.0),
            (283.15, "kelvin", "degrees_celsius", 10.0),
            (1.0, "degC", "degree_C", 1.0),
            (1.0, "Degrees Celsius", "deg_C", 1.0),
            (100.0, "cm s-1", "m/s", 1.0),
            (100.0, "cm/s", "m s**-1", 1.0),
            (1.0, "km", "METERS", 1000.0),
            (35.0, "PSU", "1e-3", 35.0),
            (35.0, "g kg-1", "1e-3", 35.0),
            (35.0, "PPT", "psu", 35.0),
            (1.0, "mol m-3", "mmol m-3", 1000.0),
            (1.0, "umol/l", "mmol m-3", 1.0),
            (1.0, "mg m-3", "ug l-1", 1.0),
            (1.0, "mg m^-3", "kg m-3", 1e-6),
            (1.0, "dbar", "Pa", 1e4),
            (1.0, "W m-2", "J s-1 m-2", 1.0),
            (1.0, "Sv", "m3 s-1", 1e6),
            (1.0, "10^6 m3/s", "Sv", 1.0),
            (1.0, "degC (10 year)-1", "degC year-1", 0.1),
            (1.0, "percent", "1", 0.01),
            (1.0, "day", "s", 86400.0),
            (180.0, "degrees_east", "rad", std::f64::consts::PI),
            (1.0, "micromol kg-1", "µmol/kg", 1.0),
            (1.0, "hPa", "mbar", 1.0),
            (1.0, "kg.m-3", "kg m-3", 1.0),
            (1.0, "N/m2", "Pa", 1.0),
            (1.0, "meter second-1", "m s-1", 1.0),
        ] {
            let got = convert(value, from, to);
            assert!((got - expected).abs() <= 1e-12 * expected.abs(), "{from} to {to}: {got} not {expected}");
        }
    }

    #[test]
    fn a_difference_has_no_offset() {
        assert!((convert(2.0, "degC m-1", "K m-1") - 2.0).abs() < 1e-15);
        assert!((convert(2.0, "degF s-1", "K s-1") - 10.0 / 9.0).abs() < 1e-15);
    }

    #[test]
    fn refuses_what_does_not_match_or_parse() {
        let parse = |text: &str| text.parse::<Unit>();
        let incompatible = parse("degC").unwrap().to(&parse("m").unwrap());
        assert!(matches!(incompatible, Err(UnitError::Incompatible { .. })));
        assert!(matches!(parse("furlong"), Err(UnitError::UnknownSymbol { .. })));
        assert!(matches!(parse("m s^"), Err(UnitError::Syntax { .. })));
        assert!(matches!(parse("(m"), Err(UnitError::Syntax { .. })));
        assert!(parse("m s-999").is_err());
        assert!(parse(&"(".repeat(1000)).is_err());
    }

    proptest! {
        #[test]
        fn never_panics_and_converts_to_itself(text in "[a-zA-Z0-9 ./*^()°%µ-]{0,20}") {
            if let Ok(unit) = text.parse::<Unit>() {
                let same = unit.to(&unit).unwrap();
                prop_assert!(same.offset.abs() < f64::MIN_POSITIVE);
            }
        }
    }
}

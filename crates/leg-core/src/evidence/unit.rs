//! [`Unit`]: what a unit is worth, read from CF's spelling or from a sentence.

use super::unit_product::Product;
use super::unit_table::{ATOMS, Atom, Dimensions, PURE, TEMPERATURE, TIME};

/// What a unit measures and what it is worth.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Unit {
    pub dimensions: Dimensions,
    /// Its worth in SI.
    pub factor: f64,
    /// Where its zero lies, in SI.
    pub offset: f64,
    /// Of degrees: along which axis of the earth.
    pub axis: Option<Axis>,
    /// West and south count backwards.
    pub backwards: bool,
}

/// The axes of the earth.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Axis {
    Longitude,
    Latitude,
}

impl Unit {
    /// The unit of pure numbers.
    pub(crate) const ONE: Self =
        Self { dimensions: PURE, factor: 1.0, offset: 0.0, axis: None, backwards: false };

    /// A unit that only the evidence knows, by its number in the list of such units.
    pub(crate) fn unknown(number: usize) -> Self {
        let mut dimensions = PURE;
        if let Some(last) = dimensions.last_mut() {
            *last = i8::try_from(number + 1).unwrap_or(i8::MAX);
        }
        Self { dimensions, ..Self::ONE }
    }

    /// Reads CF's spelling: `degC (10 year)-1`, `kg m-3`, `m/s`, `1`, and the empty text.
    pub(crate) fn from_cf(text: &str) -> Option<Self> {
        let text = text.trim();
        if matches!(text, "" | "1") {
            return Some(Self::ONE);
        }
        if let Some(axis) = axis_of(text) {
            return Some(Self { axis: Some(axis), ..Self::atom("degree")? });
        }
        let known = |atom: &&Atom| atom.cf.contains(&text) || atom.prose.contains(&text);
        if let Some(atom) = ATOMS.iter().find(known) {
            return Some(Self::of(atom));
        }
        let mut product = Product::default();
        let mut rest = text;
        let mut below = false;
        while !rest.is_empty() {
            let before = rest.len();
            rest = rest.trim_start_matches([' ', '.', '*', '·', '⋅']);
            if let Some(after) = rest.strip_prefix('/').or_else(|| rest.strip_prefix("per ")) {
                (rest, below) = (after.trim_start(), true);
            }
            if rest.is_empty() {
                break;
            }
            let (unit, length) = spans(rest).or_else(|| longest(rest, true))?;
            let (exponent, used) = exponent(rest.get(length..)?);
            product.add(unit, if below { -exponent } else { exponent });
            rest = rest.get(length + used..)?;
            if rest.len() == before {
                return None;
            }
            if rest.chars().next().is_some_and(char::is_alphanumeric) {
                return None;
            }
        }
        product.unit()
    }

    /// The unit at the start of what follows a number, after optional space, and how long its text is.
    pub(crate) fn at(text: &str) -> Option<(Self, usize)> {
        let space = text.len() - text.trim_start_matches([' ', '\u{a0}', '\u{202f}', '\u{2009}']).len();
        let hyphen = usize::from(space == 0 && text.starts_with('-'));
        let start = space + hyphen;
        let rest = text.get(start..)?;
        let (power, prefix) = [("cubic ", 3), ("square ", 2)]
            .into_iter()
            .find_map(|(word, power)| rest.starts_with(word).then_some((power, word.len())))
            .unwrap_or((1, 0));
        let (mut first, length) = longest(rest.get(prefix..)?, false)?;
        if hyphen > 0 && (first.dimensions == PURE || first.offset != 0.0) {
            return None;
        }
        let mut at = prefix + length;
        let mut product = Product::default();
        let (exponent, used) = if power > 1 { (power, 0) } else { exponent(rest.get(at..)?) };
        at += used;
        if let Some((axis, backwards, used)) = compass(first, rest.get(at..)?) {
            first = Self { axis: Some(axis), backwards, ..first };
            at += used;
        }
        product.add(first, exponent);
        while let Some((unit, exponent, used)) = next_factor(rest.get(at..)?) {
            product.add(unit, exponent);
            at += used;
        }
        Some((product.unit()?, start + at))
    }

    fn of(atom: &Atom) -> Self {
        Self {
            dimensions: atom.dimensions,
            factor: atom.factor,
            offset: atom.offset,
            axis: None,
            backwards: false,
        }
    }

    fn atom(cf: &str) -> Option<Self> {
        ATOMS.iter().find(|atom| atom.cf.contains(&cf)).map(Self::of)
    }

    /// Whether it measures time alone.
    pub(crate) fn is_time(&self) -> bool {
        self.dimensions == TIME
    }

    /// Whether it measures a length alone.
    pub(crate) fn is_length(&self) -> bool {
        self.dimensions == [1, 0, 0, 0, 0, 0, 0, 0, 0]
    }

    /// Whether it is one of pure numbers.
    pub(crate) fn is_pure(&self) -> bool {
        self.dimensions == PURE
    }

    /// Whether it has a zero of its own or may be measured from one.
    pub(crate) fn is_temperature(&self) -> bool {
        self.dimensions == TEMPERATURE
    }

    /// Whether it is another spelling of the same unit.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        let near = |a: f64, b: f64| (a - b).abs() <= 1e-9 * a.abs().max(b.abs());
        self.dimensions == other.dimensions
            && near(self.factor, other.factor)
            && near(self.offset, other.offset)
    }
}

/// `degrees_east` and the like.
fn axis_of(cf: &str) -> Option<Axis> {
    let (word, direction) = cf.rsplit_once(['_', ' '])?;
    if !matches!(word, "degree" | "degrees" | "deg") {
        return None;
    }
    match direction {
        "east" | "E" => Some(Axis::Longitude),
        "north" | "N" => Some(Axis::Latitude),
        _ => None,
    }
}

/// `°E`, `° W`, `degrees north`: the axis, whether it counts backwards, and the length of its text.
fn compass(unit: Unit, after: &str) -> Option<(Axis, bool, usize)> {
    if unit.dimensions != Unit::atom("degree")?.dimensions || (unit.factor - 1.0).abs() > 1e-12 {
        return None;
    }
    let trimmed = after.trim_start_matches(' ');
    let words = [
        ("east", Axis::Longitude, false),
        ("west", Axis::Longitude, true),
        ("north", Axis::Latitude, false),
        ("south", Axis::Latitude, true),
        ("E", Axis::Longitude, false),
        ("W", Axis::Longitude, true),
        ("N", Axis::Latitude, false),
        ("S", Axis::Latitude, true),
    ];
    words.into_iter().find_map(|(word, axis, backwards)| {
        let rest = trimmed.strip_prefix(word)?;
        (!rest.starts_with(char::is_alphanumeric)).then_some((axis, backwards, after.len() - rest.len()))
    })
}

/// The longest unit that a text begins with.
fn longest(text: &str, is_data: bool) -> Option<(Unit, usize)> {
    let mut best: Option<(&Atom, usize)> = None;
    for atom in ATOMS {
        let data: &[&str] = if is_data { atom.cf } else { &[] };
        for spelling in data.iter().chain(atom.prose) {
            if text.starts_with(spelling)
                && best.is_none_or(|(_, length)| spelling.len() > length)
                && ends_word(spelling, text.get(spelling.len()..).unwrap_or_default())
            {
                best = Some((atom, spelling.len()));
            }
        }
    }
    best.map(|(atom, length)| (Unit::of(atom), length))
}

fn ends_word(spelling: &str, rest: &str) -> bool {
    let next = rest.chars().next();
    if spelling.ends_with(['%', '‰']) {
        return true;
    }
    if spelling.ends_with(['°', 'º']) {
        return !next.is_some_and(|c| matches!(c, 'C' | 'F'));
    }
    // A digit may follow: it is an exponent, or the unit is none.
    if next.is_some_and(|c| c.is_alphabetic() || c == '_') {
        return false;
    }
    !next.is_some_and(|c| c.is_ascii_digit()) || exponent(rest).1 > 0
}

/// `2`, `-1`, `⁻¹`, `²`, `^2`, `**-1` at the start of a text; 1 when there is none.
fn exponent(text: &str) -> (i32, usize) {
    let marked = text.strip_prefix("**").or_else(|| text.strip_prefix('^')).unwrap_or(text);
    let mark = text.len() - marked.len();
    let mut chars = marked.char_indices();
    let mut negative = false;
    let mut value = None;
    let mut end = 0;
    let mut next = chars.next();
    if let Some((_, c)) = next
        && matches!(c, '-' | '−' | '⁻')
    {
        negative = true;
        next = chars.next();
    }
    if let Some((at, c)) = next {
        let digit = match c {
            '1'..='9' => c.to_digit(10),
            '¹' => Some(1),
            '²' => Some(2),
            '³' => Some(3),
            '⁴' => Some(4),
            _ => None,
        };
        // A longer number is no exponent, and neither is `m 5`.
        let longer = chars.next().is_some_and(|(_, c)| c.is_alphanumeric() || c == '.' && digit == Some(0));
        if let Some(digit) = digit.filter(|_| !longer) {
            value = i32::try_from(digit).ok();
            end = at + c.len_utf8();
        }
    }
    match value {
        Some(value) => (if negative { -value } else { value }, mark + end),
        None => (1, 0),
    }
}

/// `(10 year)` or `10 years`: a span of time as one factor.
fn spans(text: &str) -> Option<(Unit, usize)> {
    let inner = text.strip_prefix('(');
    let body = inner.unwrap_or(text);
    let digits = body.bytes().take_while(u8::is_ascii_digit).count();
    let count: f64 = body.get(..digits)?.parse().ok()?;
    let after = body.get(digits..)?.strip_prefix(' ')?;
    let (unit, length) = longest(after, true)?;
    if !unit.is_time() || count <= 0.0 {
        return None;
    }
    let mut end = usize::from(inner.is_some()) + digits + 1 + length;
    if inner.is_some() {
        if !text.get(end..)?.starts_with(')') {
            return None;
        }
        end += 1;
    }
    Some((Unit { factor: unit.factor * count, ..unit }, end))
}

/// The next factor of a unit in prose: `/s`, ` per decade`, ` s-1`, ` (10 year)-1`, ` a year`.
fn next_factor(text: &str) -> Option<(Unit, i32, usize)> {
    for (mark, only_time) in [
        ("/", false),
        (" / ", false),
        (" per ", false),
        (" a ", true),
        (" an ", true),
        (" each ", true),
        (" every ", true),
    ] {
        let Some(after) = text.strip_prefix(mark) else { continue };
        let (power, prefix) = [("cubic ", 3), ("square ", 2)]
            .into_iter()
            .find_map(|(word, power)| after.starts_with(word).then_some((power, word.len())))
            .unwrap_or((1, 0));
        let body = after.get(prefix..)?;
        let (unit, length) = spans(body).or_else(|| longest(body, mark == "/"))?;
        if only_time && !unit.is_time() {
            return None;
        }
        let (exponent, used) = exponent(body.get(length..)?);
        return Some((unit, -exponent * power, mark.len() + prefix + length + used));
    }
    // A product needs an exponent: "m in 5 days" is no unit.
    let after = text.strip_prefix([' ', '.', '·', '⋅', '\u{a0}', '\u{202f}'])?;
    let mark = text.len() - after.len();
    let (unit, length) = spans(after).or_else(|| longest(after, true))?;
    let (exponent, used) = exponent(after.get(length..)?);
    (used > 0 && exponent < 0).then_some((unit, exponent, mark + length + used))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spellings_of_data_and_of_prose_agree() {
        for (cf, prose) in [
            ("m s-1", " metres per second"),
            ("m s**-1", " m s⁻¹"),
            ("m/s", " m.s-1"),
            ("m3 s-1", " cubic metres per second"),
            ("ft3/s", " cubic feet per second"),
            ("ft3 s-1", " cfs"),
            ("m3 s-1", " m³/s"),
            ("degC (10 year)-1", " °C per 10 years"),
            ("degC (10 year)-1", " °C decade⁻¹"),
            ("degrees_C", "°C"),
            ("degC year-1", " °C/yr"),
            ("mm year-1", " mm a year"),
            ("degC month-1", " °C per month"),
            ("kg m-3", " kg per cubic metre"),
            ("kg m^-3", " kg m⁻³"),
            ("W m-2", " W/m²"),
            ("J kg-1 K-1", " J/kg/K"),
            ("g kg-1", " g kg⁻¹"),
            ("km2", " square kilometres"),
            ("knots", " kt"),
            ("hPa", " mb"),
            ("meters", "-metre"),
            ("minutes", "-minute"),
            ("nautical_mile", " nautical miles"),
        ] {
            let (a, b) = (Unit::from_cf(cf).unwrap(), Unit::at(prose).unwrap());
            assert!(a.is_same(&b.0), "{cf} and {prose}: {a:?} {b:?}");
            assert_eq!(b.1, prose.len(), "{prose}");
        }
        for (cf, axis) in [("degrees_east", Axis::Longitude), ("degree_north", Axis::Latitude)] {
            assert_eq!(Unit::from_cf(cf).unwrap().axis, Some(axis));
        }
        let west = Unit::at("°W").unwrap().0;
        assert!(west.backwards && west.axis == Some(Axis::Longitude));
        assert!(
            Unit::from_cf("m3 s-1").unwrap().is_same(&Unit { factor: 1.0, ..Unit::from_cf("Sv").unwrap() })
        );
        assert!(!Unit::from_cf("g kg-1").unwrap().is_same(&Unit::from_cf("1e-3").unwrap()));
        assert!(!Unit::from_cf("g kg-1").unwrap().is_same(&Unit::from_cf("psu").unwrap()));
        for unknown in ["ISO 8601", "hours since 1950-01-01", "X d-1", "steps", "m2x"] {
            assert_eq!(Unit::from_cf(unknown), None, "{unknown}");
        }
    }

    #[test]
    fn a_word_is_no_unit() {
        for text in
            [" may", " deep", " E", " in", " as", " at", " models", " -1", "", " (10)", " Fort", " most"]
        {
            assert_eq!(Unit::at(text), None, "{text}");
        }
        for (text, length) in
            [(" m in 5 days", 2), (" m a mile", 2), (" days at", 5), (" m 5", 2), (" m, s-1", 2)]
        {
            assert_eq!(Unit::at(text).map(|(_, length)| length), Some(length), "{text}");
        }
    }
}

//! Finds the numbers and dates of a sentence.

/// A number in a text.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Number {
    /// Its value, with its sign.
    pub value: f64,
    /// Half a unit of its last printed digit.
    pub half: f64,
    /// Whether it is printed without a decimal point.
    pub whole: bool,
    /// Where its text begins, in bytes.
    pub start: usize,
    /// Where its text ends.
    pub end: usize,
}

/// A date in a text: a year, a month of a year, or a day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Date {
    pub year: i32,
    pub month: Option<u8>,
    pub day: Option<u8>,
}

impl Date {
    /// Whether the other date, which is at least as exact, lies in this one.
    pub(crate) fn holds(self, other: Self) -> bool {
        self.year == other.year
            && (self.month.is_none() || self.month == other.month)
            && (self.day.is_none() || self.day == other.day)
    }
}

const MONTHS: [&str; 12] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];

/// The numbers and dates of a text, in order. A digit inside a word (`E12`, `CO2`) is no number.
pub(crate) fn scan(text: &str) -> (Vec<Number>, Vec<Date>) {
    let mut numbers = Vec::new();
    let mut dates = Vec::new();
    let mut at = 0;
    let mut before = ' ';
    while let Some(rest) = text.get(at..) {
        let Some(first) = rest.chars().next() else { break };
        let fresh = !before.is_alphanumeric() && before != '_';
        if fresh && let Some((date, length)) = date(rest) {
            dates.push(date);
            at += length;
            before = '0';
            continue;
        }
        let signed = matches!(first, '-' | '−' | '+') && fresh && !matches!(before, ')' | ']');
        let digits = if signed { rest.get(first.len_utf8()..).unwrap_or_default() } else { rest };
        if (fresh || signed) && digits.starts_with(|c: char| c.is_ascii_digit()) {
            let (value, half, whole, length) = magnitude(digits);
            let sign_length = rest.len() - digits.len();
            let value = if signed && first != '+' { -value } else { value };
            let (start, end) = (at, at + sign_length + length);
            if let Some(year) = year(value, half, whole && !signed, text.get(end..).unwrap_or_default()) {
                dates.push(Date { year, month: None, day: None });
            } else {
                numbers.push(Number { value, half, whole, start, end });
            }
            before = '0';
            at = end;
            continue;
        }
        before = first;
        at += first.len_utf8();
    }
    (numbers, dates)
}

/// A whole number of four digits, in a plausible range, that no unit follows.
fn year(value: f64, half: f64, whole: bool, after: &str) -> Option<i32> {
    let plausible = whole && (half - 0.5).abs() < 1e-9 && (1500.0..2300.0).contains(&value);
    let unit_follows = super::prose_units::unit_at(after).is_some();
    #[expect(clippy::cast_possible_truncation, reason = "the range was checked")]
    (plausible && !unit_follows).then_some(value as i32)
}

/// Reads `1,234.5e-6`: value, half a unit of the last digit, whether it is whole, and its length.
fn magnitude(text: &str) -> (f64, f64, bool, usize) {
    let bytes = text.as_bytes();
    let digit = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_digit);
    let mut plain = String::new();
    let mut at = 0;
    loop {
        if digit(at) {
            plain.push(char::from(bytes.get(at).copied().unwrap_or(b'0')));
            at += 1;
        } else if bytes.get(at) == Some(&b',')
            && digit(at + 1)
            && digit(at + 2)
            && digit(at + 3)
            && !digit(at + 4)
            && plain.len() <= 3 * 3 + 3
        {
            at += 1;
        } else {
            break;
        }
    }
    let mut decimals = 0;
    if bytes.get(at) == Some(&b'.') && digit(at + 1) {
        plain.push('.');
        at += 1;
        while digit(at) {
            plain.push(char::from(bytes.get(at).copied().unwrap_or(b'0')));
            decimals += 1;
            at += 1;
        }
    }
    let mut exponent = 0_i32;
    if matches!(bytes.get(at), Some(b'e' | b'E')) {
        let signed = matches!(bytes.get(at + 1), Some(b'+' | b'-'));
        let first = at + 1 + usize::from(signed);
        let length = (first..bytes.len()).take_while(|&k| digit(k)).count();
        if length > 0 && length < 4 {
            exponent = text.get(at + 1..first + length).and_then(|e| e.parse().ok()).unwrap_or(0);
            at = first + length;
        }
    }
    let value = format!("{plain}e{exponent}").parse().unwrap_or(f64::NAN);
    let half: f64 = format!("5e{}", exponent - decimals - 1).parse().unwrap_or(0.5);
    (value, half, decimals == 0 && exponent == 0, at)
}

/// A date at the start of a text: `2015-11-03T12:00:00Z`, `2015-11`, `November 2015`, `3 November 2015`.
fn date(text: &str) -> Option<(Date, usize)> {
    iso(text).or_else(|| named(text))
}

fn iso(text: &str) -> Option<(Date, usize)> {
    let bytes = text.as_bytes();
    let number = |from: usize, length: usize| -> Option<i32> {
        let part = text.get(from..from + length)?;
        part.bytes().all(|b| b.is_ascii_digit()).then(|| part.parse().ok())?
    };
    let year = number(0, 4)?;
    let month = (bytes.get(4) == Some(&b'-')).then(|| number(5, 2))?.filter(|m| (1..=12).contains(m))?;
    let mut end = 7;
    let mut day = None;
    if bytes.get(7) == Some(&b'-') {
        day = number(8, 2).filter(|d| (1..=31).contains(d));
        end = if day.is_some() { 10 } else { 7 };
    }
    if day.is_some() && bytes.get(10) == Some(&b'T') {
        let tail = text.get(11..).unwrap_or_default();
        end = 11 + tail.bytes().take_while(|b| b.is_ascii_digit() || matches!(b, b':' | b'.' | b'Z')).count();
    }
    if bytes.get(end).is_some_and(u8::is_ascii_digit) {
        return None;
    }
    let small = |n: i32| u8::try_from(n).ok();
    Some((Date { year, month: small(month), day: day.and_then(small) }, end))
}

fn named(text: &str) -> Option<(Date, usize)> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let (day, rest) = match digits {
        0 => (None, text),
        1 | 2 => {
            (text.get(..digits)?.parse::<u8>().ok().filter(|d| (1..=31).contains(d)), text.get(digits..)?)
        }
        _ => return None,
    };
    if digits > 0 && (day.is_none() || !rest.starts_with(' ')) {
        return None;
    }
    let rest = rest.trim_start_matches(' ');
    let word = rest.bytes().take_while(u8::is_ascii_alphabetic).count();
    let name = rest.get(..word)?.to_ascii_lowercase();
    let month = MONTHS.iter().position(|full| *full == name || (word == 3 && full.starts_with(&name)))?;
    let mut after = rest.get(word..)?.strip_prefix(' ')?;
    let mut day = day;
    if day.is_none() {
        // `November 3, 2015`
        let digits = after.bytes().take_while(u8::is_ascii_digit).count();
        if (1..=2).contains(&digits) && after.get(digits..)?.starts_with(", ") {
            day = after.get(..digits)?.parse().ok();
            after = after.get(digits + 2..)?;
        }
    }
    let year: i32 =
        after.get(..4)?.parse().ok().filter(|_| after.bytes().take(4).all(|b| b.is_ascii_digit()))?;
    if after.as_bytes().get(4).is_some_and(u8::is_ascii_digit) {
        return None;
    }
    let month = u8::try_from(month + 1).ok();
    Some((Date { year, month, day }, text.len() - after.len() + 4))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn values(text: &str) -> Vec<f64> {
        scan(text).0.iter().map(|number| number.value).collect()
    }

    #[test]
    fn finds_numbers_and_leaves_words_alone() {
        assert_eq!(values("CO2 of E12 was −1.5, then +2 and 1,234.5 (−0.3)."), [-1.5, 2.0, 1234.5, -0.3]);
        assert_eq!(values("5-7 and 1e-3"), [5.0, 7.0, 1e-3]);
        assert_eq!(values("2,5 and 12,3456"), [2.0, 5.0, 12.0, 3456.0]);
        let (numbers, _) = scan("27.440 °C");
        assert!((numbers[0].half - 0.0005).abs() < 1e-15);
    }

    #[test]
    fn finds_dates_in_their_spellings() {
        let (numbers, dates) =
            scan("In November 2015, on 3 May 2016, May 4, 2017, 2010-01/2019-12-31 and 2010–2019.");
        assert!(numbers.is_empty(), "{numbers:?}");
        let shown: Vec<_> = dates.iter().map(|d| (d.year, d.month, d.day)).collect();
        assert_eq!(
            shown,
            [
                (2015, Some(11), None),
                (2016, Some(5), Some(3)),
                (2017, Some(5), Some(4)),
                (2010, Some(1), None),
                (2019, Some(12), Some(31)),
                (2010, None, None),
                (2019, None, None),
            ]
        );
    }

    #[test]
    fn a_four_digit_number_with_a_unit_is_no_year() {
        assert_eq!(values("2000 m deep, 2000 years"), [2000.0, 2000.0]);
    }

    proptest! {
        #[test]
        fn no_text_panics(text in any::<String>()) {
            let _ = scan(&text);
        }

        #[test]
        fn printed_numbers_are_read_back(x in -1e6..1e6_f64, decimals in 0_usize..8) {
            let text = format!("it is {x:.decimals$} m");
            let (numbers, _) = scan(&text);
            prop_assert_eq!(numbers.len(), 1);
            prop_assert!((numbers[0].value - x).abs() <= numbers[0].half * (1.0 + 1e-9) + 1e-9);
        }
    }
}

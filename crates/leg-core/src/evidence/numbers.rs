//! Reads one printed number: its value and how exactly it is printed.

/// What stands in a text as a number, without its sign.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Magnitude {
    pub value: f64,
    /// Half a unit of the last printed digit.
    pub half: f64,
    /// Whether it is printed without a point, an exponent or separators.
    pub whole: bool,
    /// How long its text is, in bytes.
    pub length: usize,
}

/// Reads `1,234.5`, `1.2e-3`, `1.2 × 10⁻³`, `10^6`, `3 million`, `.5` at the start of a text.
pub(crate) fn magnitude(text: &str) -> Option<Magnitude> {
    let mut plain = String::new();
    let mut at = grouped(text, &mut plain);
    let separated = plain.len() < at;
    let mut decimals = 0_i32;
    if let Some(fraction) = text.get(at..).and_then(|rest| rest.strip_prefix('.')) {
        let digits = fraction.bytes().take_while(u8::is_ascii_digit).count();
        if digits > 0 {
            plain.push('.');
            plain.push_str(fraction.get(..digits)?);
            decimals = i32::try_from(digits).ok()?;
            at += 1 + digits;
        }
    }
    if plain.is_empty() || plain.len() > 400 {
        return None;
    }
    let (exponent, used) = exponent(text.get(at..)?, &plain).unwrap_or((0, 0));
    at += used;
    let plain = if used > 0 && text.starts_with("10") && at - used == 2 && text.get(2..).is_some_and(is_power)
    {
        "1"
    } else {
        plain.as_str()
    };
    let value: f64 = format!("{plain}e{exponent}").parse().ok()?;
    let half: f64 = format!("5e{}", exponent - decimals - 1).parse().ok()?;
    let whole = decimals == 0 && used == 0 && !separated;
    value.is_finite().then_some(Magnitude { value, half, whole, length: at })
}

fn is_power(after: &str) -> bool {
    after.starts_with(['^', '⁻', '⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'])
}

/// Digits with or without separators of thousands; gives how far they go.
fn grouped(text: &str, plain: &mut String) -> usize {
    let mut at = 0;
    let mut group = 0;
    let mut groups = 0;
    while let Some(rest) = text.get(at..) {
        let Some(c) = rest.chars().next() else { break };
        if c.is_ascii_digit() {
            plain.push(c);
            at += 1;
            group += 1;
            continue;
        }
        let after = rest.get(c.len_utf8()..).unwrap_or_default();
        let three = after.bytes().take_while(u8::is_ascii_digit).count() == 3;
        let fits = if groups == 0 { (1..=3).contains(&group) } else { group == 3 };
        if matches!(c, ',' | '\u{202f}' | '\u{2009}' | '\u{a0}' | '\'' | '’') && three && fits {
            at += c.len_utf8();
            groups += 1;
            group = 0;
        } else {
            break;
        }
    }
    at
}

/// A power of ten behind a number, in any of its spellings, and how long it is.
fn exponent(text: &str, plain: &str) -> Option<(i32, usize)> {
    let number = |text: &str| -> Option<(i32, usize)> {
        let mut sign = 1;
        let mut value = 0_i32;
        let mut end = 0;
        for (at, c) in text.char_indices() {
            let digit = match c {
                '-' | '−' | '⁻' if at == 0 => {
                    sign = -1;
                    continue;
                }
                '+' | '⁺' if at == 0 => continue,
                '0'..='9' => c.to_digit(10),
                '⁰' => Some(0),
                '¹' => Some(1),
                '²' => Some(2),
                '³' => Some(3),
                '⁴'..='⁹' => (c as u32).checked_sub('⁰' as u32),
                _ => None,
            };
            let Some(digit) = digit else { break };
            value = value.checked_mul(10)?.checked_add(i32::try_from(digit).ok()?)?;
            end = at + c.len_utf8();
            if value > 400 {
                return None;
            }
        }
        (end > 0).then_some((sign * value, end))
    };
    if let Some(rest) = text.strip_prefix(['e', 'E']) {
        let (value, length) = number(rest)?;
        let next = rest.get(length..)?.chars().next();
        return (!next.is_some_and(char::is_alphanumeric)).then_some((value, 1 + length));
    }
    if plain == "10" && is_power(text) {
        let rest = text.strip_prefix('^').unwrap_or(text);
        let (value, length) = number(rest)?;
        return Some((value, text.len() - rest.len() + length));
    }
    let trimmed = text.trim_start_matches([' ', '\u{a0}', '\u{202f}', '\u{2009}']);
    if let Some(rest) = trimmed.strip_prefix(['×', '·', 'x', '*']) {
        let rest = rest.trim_start_matches([' ', '\u{a0}', '\u{202f}', '\u{2009}']).strip_prefix("10")?;
        let marked = rest.strip_prefix("**").or_else(|| rest.strip_prefix('^')).unwrap_or(rest);
        if marked.starts_with(|c: char| c.is_ascii_digit()) && marked.len() == rest.len() {
            return None;
        }
        let (value, length) = number(marked)?;
        return Some((value, text.len() - marked.len() + length));
    }
    let words = [("thousand", 3), ("million", 6), ("billion", 9), ("trillion", 12)];
    words.into_iter().find_map(|(word, power)| {
        let rest = trimmed.strip_prefix(word)?;
        (trimmed.len() < text.len() && !rest.starts_with(char::is_alphanumeric))
            .then(|| (power, text.len() - rest.len()))
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn numbers_are_read_in_their_spellings() {
        for (text, value, half, length) in [
            ("27.440 °C", 27.44, 0.0005, 6),
            ("1,234.5 m", 1234.5, 0.05, 7),
            ("12,3456", 12.0, 0.5, 2),
            ("2,5", 2.0, 0.5, 1),
            ("1\u{202f}234", 1234.0, 0.5, 7),
            ("1234,567", 1234.0, 0.5, 4),
            ("1.2e-3 m", 0.0012, 0.00005, 6),
            ("1.2 × 10⁻³ m", 0.0012, 0.00005, 14),
            ("1.2×10^22 J", 1.2e22, 5e20, 10),
            ("10⁶ m", 1e6, 5e5, 5),
            ("10 m", 10.0, 0.5, 2),
            ("10² m", 100.0, 50.0, 4),
            ("3.1 million", 3.1e6, 5e4, 11),
            (".5 m", 0.5, 0.05, 2),
            ("5e", 5.0, 0.5, 1),
            ("5 x 10 m", 5.0, 0.5, 1),
        ] {
            let read = magnitude(text).unwrap();
            assert!((read.value - value).abs() <= 1e-12 * value, "{text}: {read:?}");
            assert!((read.half - half).abs() <= 1e-9 * half, "{text}: {read:?}");
            assert_eq!(read.length, length, "{text}");
        }
        assert_eq!(magnitude("x"), None);
    }

    proptest! {
        #[test]
        fn printed_numbers_are_read_back(x in 0.0..1e6_f64, decimals in 0_usize..8) {
            let text = format!("{x:.decimals$} m");
            let read = magnitude(&text).unwrap();
            prop_assert!((read.value - x).abs() <= read.half * (1.0 + 1e-9) + 1e-9);
            prop_assert_eq!(read.length, text.len() - 2);
        }
    }
}

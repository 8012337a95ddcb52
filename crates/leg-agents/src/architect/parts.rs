//! The parts of a question: each that asks for something of its own becomes a track.

/// Short forms that end with a full stop and no sentence.
const SHORT: [&str; 10] = ["St", "Ft", "Mt", "Pt", "Dr", "No", "vs", "U.S", "D.C", "approx"];

/// Splits a question where it enumerates or asks again: `(1) … (2) …`, `1. … 2. …`, semicolons, question marks, sentences.
/// A part without words is left out.
pub(super) fn parts(question: &str) -> Vec<&str> {
    let mut cuts = vec![0];
    let bytes = question.as_bytes();
    let by_digits = numbered(question, |at| (at + 1).to_string());
    let letters = |at: usize| {
        u8::try_from(at).map_or_else(|_| String::new(), |at| char::from(b'a' + at % 26).to_string())
    };
    for numbers in [by_digits, numbered(question, letters)] {
        if numbers.len() > 1 {
            cuts.extend(&numbers);
        }
    }
    for (at, byte) in bytes.iter().enumerate() {
        let next = bytes.get(at + 1);
        let ends = match byte {
            b';' | b'\n' => true,
            b'?' | b'!' => next.is_none_or(u8::is_ascii_whitespace),
            // A full stop ends a sentence before a blank and a capital, and not after an initial or a short title.
            b'.' => {
                let capital = bytes.get(at + 2).is_some_and(u8::is_ascii_uppercase);
                let word = question
                    .get(..at)
                    .and_then(|head| head.split_whitespace().next_back())
                    .unwrap_or_default();
                let initial = word.len() == 1 && word.bytes().all(|byte| byte.is_ascii_uppercase());
                next == Some(&b' ') && capital && !initial && !SHORT.contains(&word)
            }
            _ => false,
        };
        if ends {
            cuts.push(at + 1);
        }
    }
    cuts.push(question.len());
    cuts.sort_unstable();
    cuts.dedup();
    let pieces = cuts.iter().zip(cuts.iter().skip(1)).filter_map(|(from, to)| question.get(*from..*to));
    pieces.map(trim).filter(|piece| piece.chars().any(char::is_alphabetic)).collect()
}

/// Where `(1)`, `1)`, `1.` or `(a)`, `a)` and the like begin, if they count up from the first.
fn numbered(question: &str, sign: impl Fn(usize) -> String) -> Vec<usize> {
    let mut found = Vec::new();
    let mut from = 0;
    loop {
        let wanted = sign(found.len());
        let marks = [format!("({wanted})"), format!("{wanted})"), format!("{wanted}. ")];
        let rest = question.get(from..).unwrap_or_default();
        let first = marks
            .iter()
            .filter_map(|mark| rest.find(mark.as_str()).map(|at| (at, mark.len())))
            .filter(|(at, _)| {
                let before = rest.get(..*at).and_then(|head| head.chars().next_back());
                before.is_none_or(|c| c.is_whitespace() || c == '(')
            })
            .min();
        let Some((at, length)) = first else { return found };
        found.push(from + at);
        from += at + length;
    }
}

/// A part without its number and the words that only join it to the one before.
fn trim(piece: &str) -> &str {
    let mut piece = piece.trim_matches(|c: char| c.is_whitespace() || matches!(c, ';' | ',' | ':'));
    let digits = piece.trim_start_matches('(');
    let after = digits.trim_start_matches(|c: char| c.is_ascii_digit());
    // A single letter before a bracket counts like a number.
    let letter = digits
        .get(1..)
        .filter(|rest| rest.starts_with(')') && digits.starts_with(|c: char| c.is_ascii_lowercase()));
    let after = letter.unwrap_or(after);
    if after.len() < digits.len()
        && let Some(rest) = after.strip_prefix([')', '.'])
        && rest.starts_with([' ', '\u{a0}'])
    {
        piece = rest;
    }
    let piece = piece.trim();
    let joined = ["and also ", "and then ", "and, ", "and ", "also ", "then "];
    let lower = piece.to_lowercase();
    let joined = joined.iter().find(|word| lower.starts_with(*word));
    joined.and_then(|word| piece.get(word.len()..)).unwrap_or(piece).trim()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn questions_are_cut_where_they_ask_again() {
        for (question, expected) in [
            ("What is it?", vec!["What is it?"]),
            ("(1) Ian's track; (2) the surge. ", vec!["Ian's track", "the surge."]),
            (
                "Tell me: 1. the wind, 2. the tide at 8518750",
                vec!["Tell me", "the wind", "the tide at 8518750"],
            ),
            ("How high? And where? Also when?", vec!["How high?", "where?", "when?"]),
            (
                "The St. Petersburg gauge read 2.5 m. Was that high?",
                vec!["The St. Petersburg gauge read 2.5 m.", "Was that high?"],
            ),
            ("a) the tide, b) the wind", vec!["the tide", "the wind"]),
            ("at 26.45, -82.0 and 3.5 m", vec!["at 26.45, -82.0 and 3.5 m"]),
            ("in box 1) no", vec!["in box 1) no"]),
            ("", vec![]),
        ] {
            assert_eq!(parts(question), expected, "{question}");
        }
    }
}

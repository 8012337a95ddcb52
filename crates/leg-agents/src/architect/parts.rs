//! The parts of a question: each that asks for something of its own becomes a track.

/// Short forms that end with a full stop and no sentence.
const SHORT: [&str; 10] = ["St", "Ft", "Mt", "Pt", "Dr", "No", "vs", "U.S", "D.C", "approx"];

/// Splits a question where it enumerates or asks again: `(1) … (2) …`, `1. … 2. …`, semicolons, question marks, sentences.
/// A part without words is left out.
pub(super) fn parts(question: &str) -> Vec<&str> {
    let mut cuts = vec![0];
    let bytes = question.as_bytes();
    // An enumeration has two marks at least. One may stand in a part of another.
    for marks in [numbered(question), lettered(question), ordinals(question)] {
        if marks.len() > 1 {
            cuts.extend(marks);
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

/// Where `(1)`, `1)`, `1.` and the like begin, if they count up from 1.
fn numbered(question: &str) -> Vec<usize> {
    let mut found = Vec::new();
    let mut from = 0;
    loop {
        let wanted = found.len() + 1;
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

/// Where `(a)` or `a)` and the like begin, if they go on from `a`.
fn lettered(question: &str) -> Vec<usize> {
    let mut found = Vec::new();
    let mut from = 0;
    for letter in 'a'..='l' {
        let rest = question.get(from..).unwrap_or_default();
        let mark = format!("{letter})");
        let at = rest.match_indices(&mark).map(|(at, _)| at).find(|at| {
            let before = rest.get(..*at).and_then(|head| head.chars().next_back());
            before.is_none_or(|c| c.is_whitespace() || c == '(')
        });
        let Some(at) = at else { break };
        let bracket = rest.get(..at).is_some_and(|head| head.ends_with('('));
        found.push(from + at - usize::from(bracket));
        from += at + mark.len();
    }
    found
}

/// Where `first,`, `second,` and the like begin, if they go on from the first.
fn ordinals(question: &str) -> Vec<usize> {
    let lower = question.to_ascii_lowercase();
    let mut found = Vec::new();
    let mut from = 0;
    for names in
        [&["first", "firstly"][..], &["second", "secondly"], &["third", "thirdly"], &["fourth", "finally"]]
    {
        let rest = lower.get(from..).unwrap_or_default();
        let at =
            names.iter().filter_map(|name| rest.find(&format!("{name},")).map(|at| (at, name.len()))).min();
        let Some((at, length)) = at else { break };
        found.push(from + at);
        from += at + length + 1;
    }
    found
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
    let joined = [
        "and also ",
        "and then ",
        "and, ",
        "and ",
        "also ",
        "then ",
        "first, ",
        "firstly, ",
        "second, ",
        "secondly, ",
        "third, ",
        "thirdly, ",
        "fourth, ",
        "finally, ",
    ];
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
            ("Give me (a) the wind of Ida, (b) the panel", vec!["Give me", "the wind of Ida", "the panel"]),
            ("First, Ian's wind; second, the zone", vec!["Ian's wind", "the zone"]),
            ("in box 1) no", vec!["in box 1) no"]),
            ("", vec![]),
        ] {
            assert_eq!(parts(question), expected, "{question}");
        }
    }
}

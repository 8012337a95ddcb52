//! Which way a sentence says that something goes: "fell by", "1.2 °C above", "0.3 m lower".

use super::tokens::{Piece, Token};

/// Verbs and nouns of a change upwards.
const RISES: [&str; 38] = [
    "rose",
    "rise",
    "rises",
    "risen",
    "rising",
    "increase",
    "increased",
    "increases",
    "increasing",
    "warmed",
    "warms",
    "warming",
    "grew",
    "grow",
    "grows",
    "grown",
    "growing",
    "growth",
    "gain",
    "gained",
    "gains",
    "climbed",
    "climbing",
    "strengthened",
    "strengthening",
    "intensified",
    "accelerated",
    "deepened",
    "deepening",
    "exceeded",
    "exceeds",
    "exceeding",
    "surplus",
    "expanded",
    "thickened",
    "salinified",
    "jumped",
    "upward",
];

/// Verbs and nouns of a change downwards.
const FALLS: [&str; 44] = [
    "fell",
    "fall",
    "falls",
    "fallen",
    "falling",
    "decrease",
    "decreased",
    "decreases",
    "decreasing",
    "cooled",
    "cools",
    "cooling",
    "decline",
    "declined",
    "declines",
    "declining",
    "drop",
    "dropped",
    "drops",
    "dropping",
    "lowered",
    "freshened",
    "freshening",
    "weakened",
    "weakening",
    "shoaled",
    "shoaling",
    "shrank",
    "shrunk",
    "shrinking",
    "reduced",
    "reduction",
    "loss",
    "lost",
    "dipped",
    "sank",
    "sunk",
    "slowed",
    "slowing",
    "deficit",
    "thinned",
    "drawdown",
    "decelerated",
    "downward",
];

/// Words behind a number that say on which side it lies.
const ABOVE: [&str; 17] = [
    "above", "higher", "warmer", "hotter", "faster", "more", "saltier", "greater", "larger", "stronger",
    "deeper", "longer", "wetter", "taller", "bigger", "thicker", "denser",
];
const BELOW: [&str; 15] = [
    "below",
    "lower",
    "cooler",
    "colder",
    "slower",
    "less",
    "fresher",
    "smaller",
    "weaker",
    "shallower",
    "shorter",
    "drier",
    "fewer",
    "thinner",
    "lighter",
];

/// Words that may stand between a verb and its number.
const LINKS: [&str; 22] = [
    "by",
    "of",
    "at",
    "a",
    "an",
    "the",
    "rate",
    "about",
    "nearly",
    "some",
    "roughly",
    "approximately",
    "almost",
    "only",
    "just",
    "around",
    "further",
    "another",
    "total",
    "net",
    "mean",
    "average",
];

/// What a sentence says of a number's direction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Direction {
    /// A word that belongs to the number: up or down.
    pub own: Option<bool>,
    /// The last verb before it that no other number has taken: what the sentence is about.
    pub verb: Option<bool>,
}

/// Whether a word is of a change, and which way.
pub(crate) fn change(word: &str) -> Option<bool> {
    if RISES.contains(&word) {
        Some(true)
    } else if FALLS.contains(&word) {
        Some(false)
    } else {
        None
    }
}

fn side(word: &str) -> Option<bool> {
    if ABOVE.contains(&word) {
        Some(true)
    } else if BELOW.contains(&word) {
        Some(false)
    } else {
        None
    }
}

/// Whether the word at a place is denied.
pub(crate) fn is_denied(tokens: &[Token], at: usize) -> bool {
    let from = at.saturating_sub(3);
    tokens.get(from..at).unwrap_or_default().iter().filter_map(Token::word).any(|word| {
        matches!(
            word,
            "not" | "no" | "never" | "neither" | "nor" | "without" | "hardly" | "didn't" | "wasn't"
        )
    })
}

/// The direction of the number at a place.
pub(crate) fn direction(tokens: &[Token], at: usize) -> Direction {
    let after = behind(tokens, at);
    let (before, verb) = ahead(tokens, at);
    Direction { own: after.or(before), verb }
}

/// "1.2 °C above", "0.3 m NAVD88 lower": the word right behind a number.
fn behind(tokens: &[Token], at: usize) -> Option<bool> {
    let mut rest = tokens.get(at + 1..)?.iter().filter(|token| !matches!(token.piece, Piece::Datum(_)));
    let side = side(rest.next()?.word()?)?;
    // "50 m below the surface" is a depth.
    let mut next =
        rest.filter_map(Token::word).filter(|word| !matches!(*word, "the" | "sea" | "ocean" | "water"));
    let ground = ["surface", "bottom", "ground", "seabed", "seafloor", "floor", "bed"];
    (!next.next().is_some_and(|word| ground.contains(&word))).then_some(side)
}

/// The word before a number that it hangs on, and the last verb before it.
fn ahead(tokens: &[Token], at: usize) -> (Option<bool>, Option<bool>) {
    let clause = tokens.get(at).map(|token| token.clause);
    let mut own = None;
    let mut is_linked = true;
    let mut is_carried = false;
    for (place, token) in tokens.iter().enumerate().take(at).rev().take(200) {
        if token.number().is_some() && !matches!(tokens.get(place + 1).map(|t| &t.piece), Some(Piece::Dash)) {
            // "by 0.31, against 0.12" and "by 0.31 (0.1 to 0.5)" go on with the verb of the first.
            let goes_on = is_carried || token.clause == clause.unwrap_or(0) && is_linked;
            if !goes_on {
                return (own, None);
            }
            is_carried = true;
            continue;
        }
        let Some(word) = token.word() else {
            if matches!(token.piece, Piece::Break('.' | ';' | '!' | '?')) {
                return (own, None);
            }
            continue;
        };
        if let Some(up) = change(word) {
            if is_denied(tokens, place) {
                return (own, None);
            }
            if is_linked {
                own = Some(up);
            }
            return (own, Some(up));
        }
        if matches!(word, "by" | "against" | "versus" | "vs") && Some(token.clause) == clause {
            // What follows hangs on the verb, however far back it stands.
            is_carried = true;
        } else if !LINKS.contains(&word) && !is_carried {
            is_linked = false;
        }
    }
    (own, None)
}

#[cfg(test)]
mod tests {
    use super::super::places::Names;
    use super::super::tokens::tokens;
    use super::*;

    #[test]
    fn the_word_that_a_number_hangs_on_is_found() {
        let (up, down) = (Some(true), Some(false));
        for (text, own, verb) in [
            ("It fell by 0.3 m.", down, down),
            ("It fell to 0.3 m.", None, down),
            ("It warmed 0.19 °C per decade.", up, up),
            ("a cooling of 0.3 °C", down, down),
            ("It was 1.2 °C above the mean.", up, None),
            ("It was 0.3 m NAVD88 lower.", down, None),
            ("It lies 50 m below the sea surface.", None, None),
            ("The coast warmed faster: by 0.31 °C.", up, up),
            ("It cooled: the trend is 0.3 °C per decade.", None, down),
            ("It did not warm; it was 3 °C.", None, None),
            ("It has not cooled by 3 °C.", None, None),
            ("It reached 3 m.", None, None),
        ] {
            let all = tokens(text, &Names::default(), &[]);
            let at = all.iter().position(|token| token.number().is_some()).unwrap();
            assert_eq!(direction(&all, at), Direction { own, verb }, "{text}");
        }
        let all = tokens("It warmed by 0.31 °C, against 0.12 °C.", &Names::default(), &[]);
        let last = all.iter().rposition(|token| token.number().is_some()).unwrap();
        assert_eq!(direction(&all, last), Direction { own: up, verb: up });
    }
}

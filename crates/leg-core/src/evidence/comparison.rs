//! Sentences that set two pieces of evidence against each other: does the order hold?

use super::Verdict;
use super::direction::{change, is_denied};
use super::source::{Cited, Role};
use super::tokens::Token;

/// What a comparing word compares.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Scale {
    /// The values with their signs.
    Signed,
    /// How large they are, where both have one sign: a faster cooling is the more negative one.
    Size,
    /// Their sizes when the sentence is about a fall, else the values.
    Either,
    /// Their times.
    Time,
}

/// Comparing words: whether the first of the two has more of it.
const WORDS: [(&str, bool, Scale); 45] = [
    ("higher", true, Scale::Signed),
    ("lower", false, Scale::Signed),
    ("warmer", true, Scale::Signed),
    ("hotter", true, Scale::Signed),
    ("cooler", false, Scale::Signed),
    ("colder", false, Scale::Signed),
    ("saltier", true, Scale::Signed),
    ("fresher", false, Scale::Signed),
    ("denser", true, Scale::Signed),
    ("lighter", false, Scale::Signed),
    ("exceeded", true, Scale::Signed),
    ("exceeds", true, Scale::Signed),
    ("above", true, Scale::Signed),
    ("below", false, Scale::Signed),
    ("faster", true, Scale::Size),
    ("slower", false, Scale::Size),
    ("stronger", true, Scale::Size),
    ("weaker", false, Scale::Size),
    ("deeper", true, Scale::Size),
    ("shallower", false, Scale::Size),
    ("steeper", true, Scale::Size),
    ("larger", true, Scale::Either),
    ("bigger", true, Scale::Either),
    ("greater", true, Scale::Either),
    ("smaller", false, Scale::Either),
    ("more", true, Scale::Either),
    ("less", false, Scale::Either),
    ("fewer", false, Scale::Either),
    ("longer", true, Scale::Either),
    ("shorter", false, Scale::Either),
    ("wetter", true, Scale::Either),
    ("drier", false, Scale::Either),
    ("taller", true, Scale::Either),
    ("wider", true, Scale::Either),
    ("narrower", false, Scale::Either),
    ("thicker", true, Scale::Either),
    ("thinner", false, Scale::Either),
    ("heavier", true, Scale::Either),
    ("worse", true, Scale::Either),
    ("earlier", false, Scale::Time),
    ("sooner", false, Scale::Time),
    ("later", true, Scale::Time),
    ("before", false, Scale::Time),
    ("after", true, Scale::Time),
    ("ahead", false, Scale::Time),
];

/// Whether the order that a sentence tells holds; `None` when it tells none that can be checked.
///
/// `is_first` says whether the sentence speaks of the one before the other.
pub(crate) fn order(
    tokens: &[Token],
    cited: &[Cited<'_>],
    is_first: impl Fn(usize, usize) -> bool,
) -> Option<Verdict> {
    let (more, scale) = tokens.iter().enumerate().find_map(|(at, token)| {
        let word = token.word()?;
        let (_, more, scale) = WORDS.iter().find(|(known, ..)| *known == word)?;
        (!is_denied(tokens, at)).then_some((*more, *scale))
    })?;
    let (a, b) = two(cited, scale)?;
    let (a, b) = if is_first(a, b) { (a, b) } else { (b, a) };
    let (first, second) = (cited.get(a)?, cited.get(b)?);
    let holds = if scale == Scale::Time {
        let (x, y) = (instant(first)?, instant(second)?);
        if x == y {
            return None;
        }
        (x > y) == more
    } else {
        if first.datum != second.datum {
            return Some(Verdict::Contradicted);
        }
        let si = |one: &Cited<'_>| Some(one.value? * one.unit.factor + one.unit.offset);
        let (x, y) = (si(first)?, si(second)?);
        let falls = tokens.iter().filter_map(Token::word).any(|word| change(word) == Some(false));
        let by_size = match scale {
            Scale::Size => x < 0.0 && y < 0.0,
            Scale::Either => x < 0.0 && y < 0.0 && falls,
            Scale::Signed | Scale::Time => false,
        };
        let (x, y) = if by_size { (-x, -y) } else { (x, y) };
        if more { x > y } else { x < y }
    };
    Some(if holds { Verdict::Grounded } else { Verdict::Contradicted })
}

/// The two that are compared: the only two that measure the same, or that have a time.
fn two(cited: &[Cited<'_>], scale: Scale) -> Option<(usize, usize)> {
    let fits = |one: &Cited<'_>| match scale {
        Scale::Time => instant(one).is_some(),
        _ => one.value.is_some() && !is_interval_end(one),
    };
    let mut fitting = cited.iter().enumerate().filter(|(_, one)| fits(one));
    let (Some((a, first)), Some((b, second)), None) = (fitting.next(), fitting.next(), fitting.next()) else {
        return None;
    };
    (scale == Scale::Time || first.unit.dimensions == second.unit.dimensions).then_some((a, b))
}

/// Whether it is an end of an interval, which is told beside a value and not compared.
pub(crate) fn is_interval_end(one: &Cited<'_>) -> bool {
    let name = one.evidence.name.as_str();
    name.starts_with("ci_")
        || name.ends_with("_low")
        || name.ends_with("_high")
        || name.ends_with("_upper")
        || name.ends_with("_lower")
}

/// When it was, as numbers that can be ordered.
fn instant(one: &Cited<'_>) -> Option<[i32; 5]> {
    let time = one.times.iter().find(|time| time.role == Role::When && time.period.is_instant())?;
    let date = time.period.from;
    let part = |number: Option<u8>| number.map_or(0, i32::from);
    let (hour, minute) = date.clock.unwrap_or((0, None));
    Some([date.year?, part(date.month), part(date.day), i32::from(hour), part(minute)])
}

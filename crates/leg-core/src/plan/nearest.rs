//! The valid name that is nearest to a wrong one, for hints.

/// Longer names than this are not compared.
const LONGEST: usize = 64;
/// More names than this are not compared, so that a plan full of faults stays cheap.
const MOST: usize = 500;

/// The candidate that the name was probably meant to be.
pub(super) fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let name: Vec<char> = name.chars().take(LONGEST + 1).flat_map(char::to_lowercase).collect();
    if name.is_empty() || name.len() > LONGEST {
        return None;
    }
    let allowed = 1 + name.len() / 4;
    candidates
        .into_iter()
        .take(MOST)
        .filter_map(|candidate| {
            let letters: Vec<char> = candidate.chars().flat_map(char::to_lowercase).collect();
            let near = letters.len().abs_diff(name.len()) <= allowed && letters.len() <= LONGEST;
            let distance = if near { distance(&name, &letters) } else { usize::MAX };
            (distance <= allowed && distance < letters.len()).then_some((distance, candidate))
        })
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// A hint: the nearest name, else all of them.
pub(super) fn hint<'a>(
    name: &str,
    candidates: impl IntoIterator<Item = &'a str> + Clone,
    what: &str,
) -> String {
    match nearest(name, candidates.clone()) {
        Some(candidate) => format!("did you mean `{candidate}`?"),
        None => list(candidates, what),
    }
}

/// A hint that lists the names, at most 24 of them.
pub(super) fn list<'a>(candidates: impl IntoIterator<Item = &'a str>, what: &str) -> String {
    const SHOWN: usize = 24;
    let mut names = candidates.into_iter();
    let shown: Vec<String> = names.by_ref().take(SHOWN).map(|name| format!("`{}`", clip(name))).collect();
    let rest = names.take(MOST).count();
    match (shown.is_empty(), rest) {
        (true, _) => format!("there is no {what}"),
        (false, 0) => format!("{what}: {}", shown.join(", ")),
        (false, MOST) => format!("{what}: {} and many more", shown.join(", ")),
        (false, rest) => format!("{what}: {} and {rest} more", shown.join(", ")),
    }
}

/// At most 80 characters of a text, for a message.
pub(super) fn clip(text: &str) -> String {
    let mut clipped: String = text.chars().take(80).map(|c| if c.is_control() { ' ' } else { c }).collect();
    if clipped.len() < text.len() {
        clipped.push('…');
    }
    clipped
}

/// Optimal string alignment: insertions, deletions, replacements and swaps of neighbours.
fn distance(a: &[char], b: &[char]) -> usize {
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    let mut previous_a = None;
    for (i, &x) in a.iter().enumerate() {
        let mut row = Vec::with_capacity(b.len() + 1);
        row.push(i + 1);
        let mut previous_b = None;
        for (j, &y) in b.iter().enumerate() {
            let at = |row: &[usize], k: usize| row.get(k).copied().unwrap_or(usize::MAX / 2);
            let mut best =
                (at(&last, j) + usize::from(x != y)).min(at(&last, j + 1) + 1).min(at(&row, j) + 1);
            if x != y && previous_a == Some(y) && previous_b == Some(x) && j >= 1 {
                best = best.min(at(&before, j - 1) + 1);
            }
            row.push(best);
            previous_b = Some(y);
        }
        previous_a = Some(x);
        before = std::mem::replace(&mut last, row);
    }
    last.last().copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn measures_known_distances() {
        for (a, b, expected) in [
            ("", "abc", 3),
            ("kitten", "sitting", 3),
            ("setps", "steps", 1),
            ("abc", "abc", 0),
            ("ca", "abc", 3),
        ] {
            let letters = |text: &str| text.chars().collect::<Vec<_>>();
            assert_eq!(distance(&letters(a), &letters(b)), expected, "{a} {b}");
        }
    }

    #[test]
    fn suggests_only_what_is_near() {
        let names = ["load_dataset", "compute_mean", "id"];
        assert_eq!(nearest("load_datset", names), Some("load_dataset"));
        assert_eq!(nearest("Load_Dataset", names), Some("load_dataset"));
        assert_eq!(nearest("plot", names), None);
        assert_eq!(nearest("xy", names), None);
        assert_eq!(nearest(&"x".repeat(1000), names), None);
    }
}

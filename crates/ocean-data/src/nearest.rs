//! Nearest names, for hints in messages.

/// Up to `count` of the candidates, nearest in spelling first.
pub(crate) fn nearest<'a>(
    name: &str,
    candidates: impl IntoIterator<Item = &'a str>,
    count: usize,
) -> Vec<String> {
    let wanted = name.to_lowercase();
    let mut scored: Vec<(usize, &str)> = candidates
        .into_iter()
        .map(|candidate| {
            let lower = candidate.to_lowercase();
            let inside = lower.contains(&wanted) || wanted.contains(&lower);
            let score = if inside { 0 } else { 1 + edit_distance(&wanted, &lower) };
            (score, candidate)
        })
        .collect();
    scored.sort_unstable();
    scored.into_iter().take(count).map(|(_, candidate)| candidate.to_owned()).collect()
}

/// Levenshtein distance.
fn edit_distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, ca) in a.chars().enumerate() {
        let mut previous = i;
        row[0] = i + 1;
        for (j, &cb) in b.iter().enumerate() {
            let substituted = previous + usize::from(ca != cb);
            previous = row[j + 1];
            row[j + 1] = substituted.min(row[j] + 1).min(previous + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_spelling_comes_first() {
        assert_eq!(nearest("salinty", ["temperature", "salinity", "u"], 1), ["salinity"]);
        assert_eq!(nearest("nino", ["atlantic3", "nino34"], 1), ["nino34"]);
    }
}

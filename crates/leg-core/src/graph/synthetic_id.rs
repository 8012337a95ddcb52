//! [`FreeIds`]: readable ids for nodes that the plan does not have.

use std::collections::{BTreeMap, BTreeSet};

use crate::{IdError, NodeId};

/// Longer bases are cut, to leave room for what makes them unique.
const LONGEST_BASE: usize = 52;

/// Ids that are taken, and the way to a free one.
#[derive(Debug, Default)]
pub(crate) struct FreeIds {
    taken: BTreeSet<String>,
    /// For each stem, the first attempt that was not made yet: a thousand nodes of one stem take a thousand attempts.
    next: BTreeMap<String, u64>,
}

impl FreeIds {
    /// These ids are taken.
    pub(crate) fn without<'a>(taken: impl IntoIterator<Item = &'a str>) -> Self {
        Self { taken: taken.into_iter().map(str::to_owned).collect(), next: BTreeMap::new() }
    }

    /// Takes `base`, or `base_`, or `base__` … or, when that grows too long, `base_2`, `base_3` …
    pub(crate) fn take(&mut self, base: &str) -> Result<NodeId, IdError> {
        let stem = stem(base);
        let mut attempt = self.next.get(&stem).copied().unwrap_or_default();
        let mut text = candidate(&stem, attempt);
        while self.taken.contains(&text) {
            attempt += 1;
            text = candidate(&stem, attempt);
        }
        let id = NodeId::new(text.as_str())?;
        self.taken.insert(text);
        self.next.insert(stem, attempt + 1);
        Ok(id)
    }
}

/// The first of `base`, `base_`, `base__` … that is not taken; at most 64 characters long.
pub(crate) fn free_text(base: &str, is_taken: impl Fn(&str) -> bool) -> String {
    let stem = stem(base);
    let mut attempt = 0;
    loop {
        let text = candidate(&stem, attempt);
        if !is_taken(&text) {
            return text;
        }
        attempt += 1;
    }
}

fn stem(base: &str) -> String {
    let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
    base.chars().take(LONGEST_BASE).map(|c| if plain(c) { c } else { '_' }).collect()
}

/// The stem, the stem with one to four `_`, then `stem_2`, `stem_3` …
fn candidate(stem: &str, attempt: u64) -> String {
    match attempt {
        0..=4 => format!("{stem}{}", "_".repeat(usize::try_from(attempt).unwrap_or_default())),
        more => format!("{stem}_{}", more - 3),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_free_id_is_taken_and_never_twice() {
        let mut ids = FreeIds::without(["merge", "merge__", "merge_2"]);
        let taken: Vec<String> = (0..6).map(|_| ids.take("merge").unwrap().to_string()).collect();
        assert_eq!(taken, ["merge_", "merge___", "merge____", "merge_3", "merge_4", "merge_5"]);
        assert_eq!(ids.take("map 1").unwrap().as_str(), "map_1");
    }

    #[test]
    fn ten_thousand_ids_of_one_stem_are_found_at_once() {
        // With a search from the start for each, this would take minutes.
        let base = "image_".to_owned() + &"a".repeat(60);
        let mut ids = FreeIds::default();
        let found: BTreeSet<NodeId> = (0..10_000).map(|_| ids.take(&base).unwrap()).collect();
        assert_eq!(found.len(), 10_000);
        assert!(found.iter().all(|id| id.as_str().len() <= 64));
    }
}

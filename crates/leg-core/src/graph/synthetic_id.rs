//! [`FreeIds`]: readable ids for nodes that the plan does not have.

use std::collections::BTreeSet;

use crate::{IdError, NodeId};

/// Longer bases are cut, to leave room for what makes them unique.
const LONGEST_BASE: usize = 52;

/// Ids that are taken, and the way to a free one.
#[derive(Debug, Default)]
pub(crate) struct FreeIds(BTreeSet<String>);

impl FreeIds {
    /// These ids are taken.
    pub(crate) fn without<'a>(taken: impl IntoIterator<Item = &'a str>) -> Self {
        Self(taken.into_iter().map(str::to_owned).collect())
    }

    /// Takes `base`, or `base_`, or `base__` … or, when that grows too long, `base_2`, `base_3` …
    pub(crate) fn take(&mut self, base: &str) -> Result<NodeId, IdError> {
        let text = free_text(base, |text| self.0.contains(text));
        let id = NodeId::new(text.as_str())?;
        self.0.insert(text);
        Ok(id)
    }
}

/// The first of `base`, `base_`, `base__` … that is not taken; at most 64 characters long.
pub(crate) fn free_text(base: &str, is_taken: impl Fn(&str) -> bool) -> String {
    let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
    let mut text: String = base.chars().take(LONGEST_BASE).map(|c| if plain(c) { c } else { '_' }).collect();
    let stem = text.len();
    let mut number = 2_u64;
    while is_taken(&text) {
        if text.len() < stem + 4 {
            text.push('_');
        } else {
            text.truncate(stem);
            text = format!("{text}_{number}");
            number += 1;
        }
    }
    text
}

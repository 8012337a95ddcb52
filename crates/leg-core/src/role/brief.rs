//! [`Brief`]: what a fold writes, and the rule by which evidence passes it.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::Part;

/// What a fold gives back: words, and the evidence that nobody after it needs.
///
/// There is no place in it for evidence: a fold cannot add or change any. What it does not drop passes it by.
///
/// ```
/// use leg_core::Brief;
///
/// let brief = Brief::new("It warmed.").drop("mean.n", "the count says nothing about the trend");
/// assert_eq!(brief.dropped[0].key, "mean.n");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Brief {
    /// The words.
    pub text: String,
    /// What is not carried on, each with its reason.
    #[serde(default)]
    pub dropped: Vec<Dropped>,
}

/// Evidence that a fold does not carry on. It stays in the report's table, where it can be traced.
///
/// ```
/// use leg_core::Dropped;
///
/// let dropped = Dropped { key: "mean.n".to_owned(), reason: "the count says nothing about the trend".to_owned() };
/// ```
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Dropped {
    /// The key of the evidence, such as `mean.max`.
    pub key: String,
    /// Why nobody needs it. Without a reason it is not dropped.
    pub reason: String,
}

impl Brief {
    /// A brief that drops nothing.
    pub fn new(text: impl Into<String>) -> Self {
        Self { text: text.into(), dropped: Vec::new() }
    }

    /// Drops evidence.
    ///
    /// ```
    /// use leg_core::role::Brief;
    ///
    /// let brief = Brief::new("It warmed.").drop("mean.n_missing", "the next layer asks for the mean alone");
    /// assert_eq!(brief.dropped.len(), 1);
    /// ```
    #[must_use]
    pub fn drop(mut self, key: impl Into<String>, reason: impl Into<String>) -> Self {
        self.dropped.push(Dropped { key: key.into(), reason: reason.into() });
        self
    }
}

/// The drops that count: of evidence that is there, with a reason, each key once; in the order of the keys.
pub(crate) fn settle(dropped: Vec<Dropped>, there: &BTreeSet<String>) -> Vec<Dropped> {
    let mut seen = BTreeSet::new();
    let mut kept: Vec<Dropped> = dropped
        .into_iter()
        .filter(|one| !one.reason.trim().is_empty() && there.contains(&one.key))
        .filter(|one| seen.insert(one.key.clone()))
        .collect();
    kept.sort();
    kept
}

/// The keys of all evidence of some parts.
pub(crate) fn keys_of(parts: &[Part]) -> BTreeSet<String> {
    parts.iter().flat_map(|part| &part.evidence).map(|evidence| evidence.key.clone()).collect()
}

/// Takes what was dropped out of parts; everything else stays as it is, in its order.
pub(crate) fn without(mut parts: Vec<Part>, dropped: &[Dropped]) -> Vec<Part> {
    if !dropped.is_empty() {
        let keys: BTreeSet<&str> = dropped.iter().map(|one| one.key.as_str()).collect();
        for part in &mut parts {
            part.evidence.retain(|evidence| !keys.contains(evidence.key.as_str()));
        }
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_drops_of_what_is_there_with_a_reason_count() {
        let there: BTreeSet<String> = ["b.n".to_owned(), "a.max".to_owned(), "a.min".to_owned()].into();
        let brief = Brief::new("x")
            .drop("b.n", "first reason")
            .drop("b.n", "second reason")
            .drop("a.max", "  ")
            .drop("c.mean", "is not there")
            .drop("a.min", "nobody asked");
        let counted = settle(brief.dropped, &there);
        let shown: Vec<_> = counted.iter().map(|one| (one.key.as_str(), one.reason.as_str())).collect();
        assert_eq!(shown, [("a.min", "nobody asked"), ("b.n", "first reason")]);
    }
}

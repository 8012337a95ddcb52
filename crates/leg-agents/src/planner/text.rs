//! [`Text`]: a normalised question of which parts are used up.

use std::ops::Range;

use regex::{Captures, Regex};

use super::normalize;

/// A normalised question. What was understood is overwritten with `~`, so that no number is read twice and nothing joins
/// across it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Text {
    original: String,
    left: String,
}

impl Text {
    /// Normalises a question.
    pub(super) fn new(question: &str) -> Self {
        let original = normalize(question);
        Self { left: original.clone(), original }
    }

    /// What is left.
    pub(super) fn left(&self) -> &str {
        &self.left
    }

    /// The whole question.
    pub(super) fn whole(&self) -> &str {
        &self.original
    }

    /// What stood between two places of the whole question.
    pub(super) fn between(&self, from: usize, to: usize) -> &str {
        self.original.get(from..to).unwrap_or_default()
    }

    /// Uses up a range.
    pub(super) fn consume(&mut self, range: Range<usize>) {
        let length = range.len();
        if self.left.get(range.clone()).is_some() {
            self.left.replace_range(range, &"~".repeat(length));
        }
    }

    /// Reads every match that `read` understands, in text order, and uses it up.
    ///
    /// The group `span`, if there is one, is what is used up: the rest only had to stand there.
    pub(super) fn take<T>(
        &mut self,
        pattern: &Regex,
        mut read: impl FnMut(&Captures<'_>) -> Option<T>,
    ) -> Vec<Found<T>> {
        let mut found = Vec::new();
        let mut from = 0;
        while let Some(captures) = pattern.captures_at(&self.left, from) {
            let Some(whole) = captures.get(0) else { break };
            let used = captures.name("span").unwrap_or(whole).range();
            if let Some(value) = read(&captures) {
                from = used.end.max(from + 1);
                self.consume(used.clone());
                found.push(Found { value, range: used });
            } else {
                from = whole.start() + 1;
            }
            if from > self.left.len() {
                break;
            }
        }
        found
    }
}

/// Something that was read, and where it stood.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Found<T> {
    /// What it means.
    pub(super) value: T,
    /// Where it stood.
    pub(super) range: Range<usize>,
}

//! [`RulesConsolidator`]: the consolidator without a model.

use std::collections::BTreeSet;

use async_trait::async_trait;
use leg_core::{Brief, Fold, FoldInput, Gap, Status, ToolError};

/// What is kept of one part's text, in characters.
const PART_CHARS: usize = 600;

/// Keeps the first sentences of each part, says each sentence once, and names what is missing.
#[derive(Debug, Clone, Copy, Default)]
pub struct RulesConsolidator;

#[async_trait]
impl Fold for RulesConsolidator {
    fn name(&self) -> String {
        "rules_consolidator/1".to_owned()
    }

    async fn fold(&self, input: FoldInput) -> Result<Brief, ToolError> {
        let mut said = BTreeSet::new();
        let mut lines = Vec::new();
        for part in &input.parts {
            let fresh: Vec<&str> =
                sentences(&part.text).filter(|sentence| said.insert((*sentence).to_owned())).collect();
            if !fresh.is_empty() {
                lines.push(format!("{}: {}", part.from, shorten(&fresh.join(" "), PART_CHARS)));
            } else if part.status != Status::Ok
                && !input.gaps.iter().any(|gap| gap.node.as_str() == part.from)
            {
                lines.push(format!("{}: nothing ({}).", part.from, part.status.as_str()));
            }
        }
        lines.extend(gap_lines(&input.gaps));
        Ok(Brief::new(lines.join("\n")))
    }
}

/// A line for each gap.
pub(crate) fn gap_lines(gaps: &[Gap]) -> impl Iterator<Item = String> {
    gaps.iter()
        .map(|gap| format!("missing: {} ({}): {}", gap.node, gap.status.as_str(), shorten(&gap.reason, 200)))
}

/// A text of at most so many characters, cut after a sentence where there is one, else after a word.
pub(crate) fn shorten(text: &str, limit: usize) -> String {
    let text = text.trim();
    let Some((end, _)) = text.char_indices().nth(limit) else { return text.to_owned() };
    let head = text.get(..end).unwrap_or_default();
    match head.rfind(". ") {
        Some(stop) => head.get(..=stop).unwrap_or_default().to_owned(),
        None => format!("{} …", head.rsplit_once(' ').map_or(head, |(words, _)| words)),
    }
}

fn sentences(text: &str) -> impl Iterator<Item = &str> {
    text.split_inclusive(['\n'])
        .flat_map(|line| line.split_inclusive(". "))
        .map(str::trim)
        .filter(|part| !part.is_empty())
}

#[cfg(test)]
mod tests {
    use leg_core::role::Part;
    use leg_core::{NodeId, TrackId};

    use super::*;

    fn part(from: &str, status: Status, text: &str) -> Part {
        Part { from: from.into(), goal: String::new(), status, text: text.into(), evidence: Vec::new() }
    }

    #[tokio::test]
    async fn says_each_sentence_once_and_names_gaps() {
        let input = FoldInput {
            question: "q".into(),
            parts: vec![
                part("a", Status::Ok, "The record ends in 2017. Land is left out."),
                part("b", Status::Ok, "Land is left out. Warm water came."),
                part("c", Status::Failed, ""),
            ],
            gaps: vec![Gap {
                node: NodeId::new("d").unwrap(),
                track: Some(TrackId::new("t").unwrap()),
                status: Status::Timeout,
                reason: "took too long".into(),
            }],
        };
        let brief = RulesConsolidator.fold(input).await.unwrap();
        assert_eq!(
            brief.text,
            "a: The record ends in 2017. Land is left out.\nb: Warm water came.\nc: nothing (failed).\nmissing: d (timeout): took too long"
        );
    }

    #[test]
    fn shortening_ends_at_a_sentence_or_a_word() {
        assert_eq!(shorten("One. Two is long.", 8), "One.");
        assert_eq!(shorten("alpha beta gamma", 9), "alpha …");
        assert_eq!(shorten("äöü äöü", 5), "äöü …");
        assert_eq!(shorten("short", 9), "short");
    }
}

//! [`RulesMerge`]: the merge without a model.

use async_trait::async_trait;
use leg_core::{Brief, Fold, FoldInput, ToolError};

use crate::consolidator::{gap_lines, shorten};

/// What is kept of one track's brief, in characters.
const TRACK_CHARS: usize = 1_200;

/// A paragraph a track, under its goal, in plan order; then what is missing.
#[derive(Debug, Clone, Copy, Default)]
pub struct RulesMerge;

#[async_trait]
impl Fold for RulesMerge {
    fn name(&self) -> String {
        "rules_merge/1".to_owned()
    }

    async fn fold(&self, input: FoldInput) -> Result<Brief, ToolError> {
        let mut lines: Vec<String> = input
            .parts
            .iter()
            .map(|part| {
                let goal = if part.goal.is_empty() { &part.from } else { &part.goal };
                let found = match (part.text.trim(), part.evidence.len()) {
                    ("", 0) => format!("nothing ({}).", part.status.as_str()),
                    ("", count) => format!("{count} pieces of evidence."),
                    (text, _) => shorten(text, TRACK_CHARS),
                };
                format!("{goal}: {found}")
            })
            .collect();
        lines.extend(gap_lines(&input.gaps));
        Ok(Brief::new(lines.join("\n")))
    }
}

#[cfg(test)]
mod tests {
    use leg_core::Status;
    use leg_core::role::Part;

    use super::*;

    #[tokio::test]
    async fn a_track_without_words_is_still_named() {
        let part = |from: &str, goal: &str, text: &str| Part {
            from: from.into(),
            goal: goal.into(),
            status: Status::Ok,
            text: text.into(),
            evidence: Vec::new(),
        };
        let parts = vec![part("a", "coastal box", "It warmed."), part("b", "", "")];
        let brief =
            RulesMerge.fold(FoldInput { question: String::new(), parts, gaps: Vec::new() }).await.unwrap();
        assert_eq!(brief.text, "coastal box: It warmed.\nb: nothing (ok).");
    }
}

//! Plain forms: join texts, one claim an evidence. `leg-core` can run any plan with these alone.

use async_trait::async_trait;
use serde_json::Value;

use super::{Brief, Fold, FoldInput, ReportInput, Reporter, Section};
use crate::{Claim, Evidence, Operation, ToolError};

/// Joins the texts of its parts under their names.
///
/// ```
/// use leg_core::role::{Fold as _, FoldInput, Part, PlainFold};
/// use leg_core::Status;
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let part = |from: &str, text: &str| Part {
///     from: from.to_owned(),
///     goal: String::new(),
///     status: Status::Ok,
///     text: text.to_owned(),
///     evidence: Vec::new(),
/// };
/// let parts = vec![part("north", "It rose."), part("south", "It fell.")];
/// let brief = PlainFold.fold(FoldInput { question: "?".to_owned(), parts, gaps: Vec::new() }).await?;
/// assert_eq!(brief.text, "north: It rose.\nsouth: It fell.");
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone, Copy, Default)]
pub struct PlainFold;

#[async_trait]
impl Fold for PlainFold {
    fn name(&self) -> String {
        "plain_fold/1".to_owned()
    }

    async fn fold(&self, input: FoldInput) -> Result<Brief, ToolError> {
        let texts: Vec<String> = input
            .parts
            .iter()
            .filter(|part| !part.text.is_empty())
            .map(|part| format!("{}: {}", part.from, part.text))
            .collect();
        Ok(Brief::new(texts.join("\n")))
    }
}

/// Makes one claim of each evidence.
///
/// ```
/// use leg_core::role::{PlainReporter, Reporter as _};
///
/// assert_eq!(PlainReporter.name(), "plain_reporter/1");
/// ```
#[derive(Debug, Clone, Copy, Default)]
pub struct PlainReporter;

#[async_trait]
impl Reporter for PlainReporter {
    fn name(&self) -> String {
        "plain_reporter/1".to_owned()
    }

    async fn report(&self, input: &ReportInput) -> Result<Vec<Section>, ToolError> {
        let section = |track: &super::TrackResult| Section {
            heading: if track.goal.is_empty() { track.track.to_string() } else { track.goal.clone() },
            claims: track.parts.iter().flat_map(|part| &part.evidence).map(claim).collect(),
        };
        Ok(input.tracks.iter().map(section).filter(|section| !section.claims.is_empty()).collect())
    }
}

fn claim(evidence: &Evidence) -> Claim {
    let value = match &evidence.value {
        Value::String(text) => text.clone(),
        Value::Null => "missing".to_owned(),
        other => other.to_string(),
    };
    let unit = if matches!(evidence.unit.as_str(), "" | "1") {
        String::new()
    } else {
        format!(" {}", evidence.unit)
    };
    let datum = evidence.datum.as_ref().map(|datum| format!(" {datum}")).unwrap_or_default();
    let when = evidence.when.as_ref().map(|when| format!(" at {when}")).unwrap_or_default();
    let text = format!("{} is {value}{unit}{datum}{when}.", evidence.key);
    Claim::new(text, evidence.id.iter().cloned().collect(), Operation::Quote)
}

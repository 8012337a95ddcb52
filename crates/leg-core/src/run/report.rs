//! [`Report`]: the answer with its claims, gaps, notes, pictures and evidence, and its one rendering.

use std::fmt::Write as _;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::evidence::{Grounder, prose_unit};
use crate::role::Dropped;
use crate::run::{Attribution, StoredRendering};
use crate::{Claim, Evidence, Gap, NodeId, Section, Verdict};

/// The answer of a run.
///
/// ```
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let runs = tempfile::tempdir()?;
/// let (outcome, _) = leg_testkit::small_run(runs.path()).await;
/// let mut report = outcome.report;
/// assert!(report.is_grounded());
/// // Somebody writes another number into it.
/// report.sections[0].claims[0].text = report.sections[0].claims[0].text.replace("18.5", "28.5");
/// report.check();
/// assert!(!report.is_grounded());
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Report {
    /// The question.
    pub question: String,
    /// The sentences, checked.
    pub sections: Vec<Section>,
    /// What could not be found out.
    pub gaps: Vec<Gap>,
    /// What a reader must know.
    pub notes: Vec<String>,
    /// Pictures.
    pub figures: Vec<Figure>,
    /// All evidence of the run, with its ids.
    pub evidence: Vec<Evidence>,
    /// What a consolidator or the merge kept from the reporter. It is in `evidence` all the same.
    #[serde(default)]
    pub dropped: Vec<Dropped>,
    /// How much of the evidence reached the reporter.
    #[serde(default)]
    pub attribution: Attribution,
}

/// A picture of a report.
///
/// ```
/// use leg_core::run::{Figure, StoredRendering};
/// use leg_core::{Digest, Domain};
///
/// let digest = Digest::of(Domain::Object, b"<svg/>");
/// let rendering = StoredRendering { name: "map.svg".to_owned(), media_type: "image/svg+xml".to_owned(), digest };
/// let figure = Figure { node: "map".parse()?, file: "figures/map.svg".to_owned(), rendering };
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Figure {
    /// The node that made it.
    pub node: NodeId,
    /// Its file in the run folder.
    pub file: String,
    /// What is stored.
    pub rendering: StoredRendering,
}

impl Report {
    /// Checks every claim against the evidence and keeps the verdicts.
    pub fn check(&mut self) {
        let grounder = Grounder::new(&self.evidence);
        for claim in self.sections.iter_mut().flat_map(|section| &mut section.claims) {
            claim.verdict = Some(grounder.check(claim));
        }
    }

    /// All claims in order.
    pub fn claims(&self) -> impl Iterator<Item = &Claim> {
        self.sections.iter().flat_map(|section| &section.claims)
    }

    /// Whether every number is backed by its evidence.
    pub fn is_grounded(&self) -> bool {
        self.claims().all(|claim| matches!(claim.verdict, Some(Verdict::Grounded | Verdict::Uncheckable)))
    }

    /// The `report` of the JSON document: claims, markdown and gaps, and what else a reader needs.
    pub fn to_json(&self) -> Value {
        let claims: Vec<&Claim> = self.claims().collect();
        json!({
            "question": self.question,
            "claims": claims,
            "sections": self.sections,
            "markdown": self.to_markdown(),
            "gaps": self.gaps,
            "notes": self.notes,
            "figures": self.figures,
            "evidence": self.evidence,
            "dropped": self.dropped,
            "attribution": self.attribution,
        })
    }

    /// A line that says what did not reach the reporter, and why.
    fn loss(&self) -> String {
        let Attribution { emitted, reached, .. } = self.attribution;
        let dropped: Vec<String> =
            self.dropped.iter().map(|one| format!("`{}` ({})", one.key, one_line(&one.reason))).collect();
        let lost =
            if dropped.is_empty() { String::new() } else { format!("; dropped: {}", dropped.join(", ")) };
        format!("\nAttribution: {reached} of {emitted} pieces of evidence reached the reporter{lost}.\n")
    }

    /// The report as Markdown. A sentence that is not backed is struck and says so.
    pub fn to_markdown(&self) -> String {
        let mut out = format!("# {}\n", one_line(&self.question));
        for section in &self.sections {
            if !section.heading.is_empty() {
                let _ = write!(out, "\n## {}\n", one_line(&section.heading));
            }
            out.push('\n');
            for claim in &section.claims {
                out.push_str(&sentence(claim));
            }
        }
        // The same picture in another format is for other readers.
        let pictures: Vec<&Figure> =
            self.figures.iter().filter(|figure| figure.rendering.media_type == "image/png").collect();
        if !pictures.is_empty() {
            out.push_str("\n## Figures\n\n");
            for figure in pictures {
                let _ = writeln!(out, "![{}]({})", figure.node, figure.file);
            }
        }
        if !self.gaps.is_empty() {
            out.push_str("\n## Gaps\n\n");
            for gap in &self.gaps {
                let _ = writeln!(out, "- `{}` ({}): {}", gap.node, gap.status, one_line(&gap.reason));
            }
        }
        if !self.notes.is_empty() {
            out.push_str("\n## Notes\n\n");
            for note in &self.notes {
                let _ = writeln!(out, "- {}", one_line(note));
            }
        }
        if !self.evidence.is_empty() {
            out.push_str("\n## Evidence\n\n| id | what | value | unit | when | method |\n| --- | --- | --- | --- | --- | --- |\n");
            for evidence in &self.evidence {
                out.push_str(&row(evidence));
            }
        }
        if self.attribution.has_loss() {
            out.push_str(&self.loss());
        }
        out
    }
}

fn sentence(claim: &Claim) -> String {
    let cited = claim.evidence.iter().fold(String::new(), |cited, id| cited + "[" + id.as_str() + "]");
    let space = if cited.is_empty() { "" } else { " " };
    let text = one_line(&claim.text);
    match claim.verdict {
        Some(Verdict::Contradicted) => {
            format!("- ~~{text}~~{space}{cited} (struck: the evidence says otherwise)\n")
        }
        Some(Verdict::Ungrounded) => format!("- ~~{text}~~{space}{cited} (struck: not backed by evidence)\n"),
        Some(Verdict::Grounded | Verdict::Uncheckable) | None => format!("- {text}{space}{cited}\n"),
    }
}

fn row(evidence: &Evidence) -> String {
    let id = evidence.id.as_ref().map(ToString::to_string).unwrap_or_default();
    let value = match &evidence.value {
        Value::String(text) => text.clone(),
        Value::Null => "missing".to_owned(),
        other => other.to_string(),
    };
    let datum = evidence.datum.as_ref().map(|datum| format!(" {datum}")).unwrap_or_default();
    let unit = prose_unit(&evidence.unit);
    let cells = [
        id,
        format!("`{}`", evidence.key),
        value,
        format!("{unit}{datum}"),
        evidence.when.clone().unwrap_or_default(),
        evidence.method.clone(),
    ];
    let cells: Vec<String> = cells.iter().map(|cell| one_line(cell).replace('|', "\\|")).collect();
    format!("| {} |\n", cells.join(" | "))
}

/// Text from outside cannot open a heading, a list or another line.
fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

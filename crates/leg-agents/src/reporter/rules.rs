//! [`RulesReporter`]: the reporter without a model.

use std::sync::Arc;

use async_trait::async_trait;
use leg_core::role::{Part, TrackResult};
use leg_core::{Claim, Evidence, Gap, Kind, Operation, ReportInput, Reporter, Section, ToolError};

use super::cited::cited;
use super::compare::compare;
use super::sentence::Sentences;
use super::words;

/// Writes the answer first, then a section for each track, from a table of sentences.
#[derive(Debug, Clone)]
pub struct RulesReporter {
    sentences: Arc<Sentences>,
}

impl Default for RulesReporter {
    fn default() -> Self {
        Self { sentences: Sentences::load() }
    }
}

#[async_trait]
impl Reporter for RulesReporter {
    fn name(&self) -> String {
        "rules_reporter/1".to_owned()
    }

    async fn report(&self, input: &ReportInput) -> Result<Vec<Section>, ToolError> {
        let several = input.tracks.len() > 1;
        let mut answer = Section { heading: String::new(), claims: Vec::new() };
        answer.claims.extend(compare(&self.sentences, &input.tracks));
        let mut sections = Vec::new();
        let mut told = std::collections::BTreeSet::new();
        for track in input.tracks.iter() {
            let mut details = Section { heading: words::capital(&label_of(track)), claims: Vec::new() };
            let cited = cited(track);
            if cited.is_empty() {
                let said = evidence_of(track)
                    .map(|evidence| self.sentences.say(evidence, &subject(track, evidence)));
                for (is_answer, claim) in said.unwrap_or_default() {
                    let section = if is_answer && !several { &mut answer } else { &mut details };
                    section.claims.push(claim);
                }
                details.claims.extend(self.context(track));
                if details.claims.is_empty() && evidence_of(track).is_none() {
                    details.claims.extend(plain(track, &input.gaps));
                }
            } else {
                // Agents have written the sentences.
                let section = if several { &mut details } else { &mut answer };
                // Two tracks may find out the same.
                section.claims.extend(cited.into_iter().filter(|claim| told.insert(claim.text.clone())));
            }
            sections.push(details);
        }
        for claim in input.gaps.iter().map(gap) {
            if !answer.claims.contains(&claim) {
                answer.claims.push(claim);
            }
        }
        sections.insert(0, answer);
        sections.retain(|section| !section.claims.is_empty());
        Ok(sections)
    }
}

impl RulesReporter {
    /// What the series and maps beside the result say: where a trend comes from.
    fn context(&self, track: &TrackResult) -> Vec<Claim> {
        let result = track.result.as_ref().map(leg_core::NodeId::as_str);
        let others = track.parts.iter().filter(|part| {
            Some(part.from.as_str()) != result && has(part, "mean") && (has(part, "first") || is_map(part))
        });
        others
            .flat_map(|part| {
                let subject = subject(track, &part.evidence);
                let subject = if is_map(part) { "The mean field".to_owned() } else { subject };
                let said = self.sentences.say(&part.evidence, &subject);
                // Of a map beside the result its extremes are enough.
                said.into_iter().map(|(_, claim)| claim).take(3).collect::<Vec<_>>()
            })
            .collect()
    }
}

fn has(part: &Part, name: &str) -> bool {
    part.evidence.iter().any(|evidence| evidence.name == name)
}

fn is_map(part: &Part) -> bool {
    part.evidence.iter().any(|evidence| evidence.place.as_ref().and_then(words::place).is_some())
}

/// The evidence of the node that answers.
pub(super) fn evidence_of(track: &TrackResult) -> Option<&[Evidence]> {
    let named = track.result.as_ref().and_then(|result| {
        track.parts.iter().find(|part| part.from == result.as_str() && !part.evidence.is_empty())
    });
    named.map(|part| part.evidence.as_slice())
}

/// What a track is called.
pub(super) fn label_of(track: &TrackResult) -> String {
    if track.goal.is_empty() { track.track.to_string().replace('_', " ") } else { track.goal.clone() }
}

/// What the sentences are about, with a capital: the name of the field that the result was made from, which is its
/// standard name, or that of the result itself.
fn subject(track: &TrackResult, evidence: &[Evidence]) -> String {
    let fields = track.artifacts.iter().filter(|(_, artifact)| artifact.kind == Kind::Field);
    let own = track.artifacts.iter().filter(|(node, _)| Some(node) == track.result.as_ref());
    // A short name is that of a variable in a file, and no word for people.
    let is_word = |name: &String| (5..=60).contains(&name.trim().len()) && !has_free_number(name, evidence);
    let name = fields.chain(own).map(|(_, artifact)| artifact.name.replace('_', " ")).find(is_word);
    name.map_or_else(|| "The value".to_owned(), |name| words::capital(name.trim()))
}

/// Whether a text has a number that its evidence does not know as a time.
pub(super) fn has_free_number(text: &str, evidence: &[Evidence]) -> bool {
    let numbers = text.split(|c: char| !c.is_ascii_digit()).filter(|number| !number.is_empty());
    let known = |number: &str| {
        number.len() == 4
            && evidence.iter().any(|one| {
                one.when.as_deref().is_some_and(|when| when.split(['/', '-']).any(|part| part == number))
            })
    };
    numbers.into_iter().any(|number| !known(number))
}

/// One claim for each evidence, when no sentence fits and no result is named. Of an agent that states a gap, the gap tells: what
/// it came by on the way is no answer.
fn plain(track: &TrackResult, gaps: &[Gap]) -> Vec<Claim> {
    let has_gap = |part: &Part| gaps.iter().any(|gap| gap.node.as_str() == part.from);
    let all = track.parts.iter().filter(|part| !has_gap(part)).flat_map(|part| &part.evidence);
    all.filter_map(|evidence| {
        let id = evidence.id.clone()?;
        let value = match &evidence.value {
            serde_json::Value::String(text) => text.clone(),
            serde_json::Value::Null => "missing".to_owned(),
            number => super::number::with_unit(number.as_f64()?, &evidence.unit, None),
        };
        let datum = evidence.datum.as_ref().map(|datum| format!(" {datum}")).unwrap_or_default();
        let when = evidence.when.as_deref().map(|when| format!(" {}", words::when(when))).unwrap_or_default();
        let name = evidence.key.replace(['.', '_'], " ");
        Some(Claim::new(
            format!("{}: {value}{datum}{when}.", words::capital(&name)),
            vec![id],
            Operation::Round,
        ))
    })
    .collect()
}

/// What a run could not find out, without the numbers of the reason.
fn gap(gap: &Gap) -> Claim {
    let track = gap.track.as_ref().map(|track| format!(" of `{track}`")).unwrap_or_default();
    if gap.status == leg_core::Status::Ok {
        let text =
            format!("`{}`{track} could not find out everything; the gaps say what is missing.", gap.node);
        return Claim::new(text, Vec::new(), Operation::None);
    }
    let text = format!(
        "Step `{}`{track} gave nothing ({}), so what rests on it is missing.",
        gap.node,
        gap.status.as_str()
    );
    Claim::new(text, Vec::new(), Operation::None)
}

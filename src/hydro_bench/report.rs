//! The score of the suite.

use std::collections::BTreeMap;

use serde::Serialize;

use super::ask::Heard;
use super::case::{Case, Fact};
use super::fact::find;

/// The score of a case.
#[derive(Debug, Clone, Serialize)]
pub struct CaseReport {
    /// Its name.
    pub id: String,
    /// The kind of question.
    pub category: String,
    /// How many facts it has.
    pub facts: usize,
    /// How many of them the answer says.
    pub found: usize,
    /// Whether each fact is said or a gap is stated.
    pub passed: bool,
    /// The facts that the answer does not say.
    pub missing: Vec<String>,
    /// Claims that were struck.
    pub struck: Vec<String>,
    /// Stated gaps.
    pub gaps: Vec<String>,
    /// What the answer says.
    pub answer: Vec<String>,
    /// Calls of tools.
    pub calls: u64,
    /// Tokens of models.
    pub tokens: u64,
}

impl CaseReport {
    pub(super) fn of(case: &Case, heard: &Heard) -> Self {
        let (found, missing): (Vec<&Fact>, Vec<&Fact>) =
            case.facts.iter().partition(|fact| find(fact, heard).is_some());
        let stated = !heard.gaps.is_empty() || heard.refused.is_some() || !heard.no_data.is_empty();
        let said = heard.claims.iter().map(|(text, _)| text.clone());
        Self {
            id: case.id.clone(),
            category: case.category.clone(),
            facts: case.facts.len(),
            found: found.len(),
            passed: missing.is_empty() || stated,
            missing: missing.iter().map(|fact| format!("{} = {}", fact.name, fact.value)).collect(),
            struck: heard.struck.clone(),
            gaps: heard.gaps.iter().cloned().chain(heard.refused.clone()).collect(),
            answer: said.collect(),
            calls: heard.calls,
            tokens: heard.tokens,
        }
    }
}

/// What is left when a service is lost.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Loss {
    /// Cases.
    pub cases: usize,
    /// The share of cases that say what the other services have, and state a gap where the lost one is needed.
    #[serde(serialize_with = "share_of")]
    pub partial_answers: (usize, usize),
    /// Claims that give another number for a fact.
    pub wrong_numbers: usize,
    /// The cases that fall short, with why.
    pub short: Vec<String>,
}

impl Loss {
    pub(super) fn add(&mut self, case: &Case, before: &Heard, heard: &Heard, lost: impl Fn(&Fact) -> bool) {
        self.cases += 1;
        self.partial_answers.1 += 1;
        let stated = !heard.gaps.is_empty() || heard.refused.is_some();
        let mut whole = true;
        for fact in &case.facts {
            let Some((_, known)) = find(fact, before) else { continue };
            if find(fact, heard).is_some() {
                continue;
            }
            // A claim that cites the same quantity with another value gives a wrong number.
            let same = |one: &leg_core::Evidence| {
                base(&one.name) == base(&known.name)
                    && one.unit == known.unit
                    && one.place == known.place
                    && one.when == known.when
                    && one.value != known.value
            };
            let wrong = heard.claims.iter().flat_map(|(_, cited)| cited).filter(|one| same(one)).count();
            self.wrong_numbers += wrong;
            if wrong > 0 || !(stated && (lost(fact) || !heard.gaps.is_empty())) {
                whole = false;
                self.short.push(format!("{}: {} is neither said nor a gap", case.id, fact.name));
            }
        }
        self.partial_answers.0 += usize::from(whole);
    }
}

/// A name without the number of a later call.
fn base(name: &str) -> &str {
    name.trim_end_matches(|c: char| c.is_ascii_digit()).trim_end_matches('_')
}

/// The score of joined questions.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Tracks {
    /// Questions.
    pub questions: usize,
    /// The share of facts that are said.
    #[serde(serialize_with = "share_of")]
    pub factual_precision: (usize, usize),
    /// Calls of tools.
    pub calls: u64,
    /// Tokens of models.
    pub tokens: u64,
    /// What was not said.
    pub missing: Vec<String>,
}

impl Tracks {
    pub(super) fn add(&mut self, cases: &[&Case], heard: &Heard) {
        self.questions += 1;
        self.calls += heard.calls;
        self.tokens += heard.tokens;
        for case in cases {
            for fact in &case.facts {
                self.factual_precision.1 += 1;
                if find(fact, heard).is_some() {
                    self.factual_precision.0 += 1;
                } else {
                    self.missing.push(format!("{}: {}", case.id, fact.name));
                }
            }
        }
    }
}

/// The score with a part taken out.
pub type Ablation = Tracks;

/// The score of the suite.
#[derive(Debug, Clone, Default)]
pub struct Report {
    /// By case.
    pub cases: Vec<CaseReport>,
    /// By lost service.
    pub under_loss: BTreeMap<String, Loss>,
    /// By the number of tracks of joined questions.
    pub by_tracks: BTreeMap<usize, Tracks>,
    /// With parts taken out, on questions of two tracks.
    pub ablations: BTreeMap<String, Ablation>,
}

impl Report {
    /// The share of facts that are said.
    pub fn factual_precision(&self) -> f64 {
        let (found, all) =
            self.cases.iter().fold((0, 0), |(found, all), case| (found + case.found, all + case.facts));
        share(found, all)
    }

    /// The share of cases that pass.
    pub fn pass_rate(&self) -> f64 {
        share(self.cases.iter().filter(|case| case.passed).count(), self.cases.len())
    }

    /// Whether the aims are met: 98 % of facts, all cases, under any loss all partial answers and no wrong number.
    pub fn is_good(&self) -> bool {
        let lost = self.under_loss.values();
        self.factual_precision() >= 0.98
            && self.cases.iter().all(|case| case.passed)
            && lost
                .clone()
                .all(|loss| loss.partial_answers.0 == loss.partial_answers.1 && loss.wrong_numbers == 0)
    }

    /// As JSON.
    pub fn to_json(&self) -> serde_json::Value {
        serde_json::json!({
            "factual_precision": self.factual_precision(),
            "pass_rate": self.pass_rate(),
            "under_loss": self.under_loss,
            "by_tracks": self.by_tracks,
            "ablations": self.ablations,
            "cases": self.cases,
        })
    }
}

fn share(part: usize, whole: usize) -> f64 {
    if whole == 0 { 1.0 } else { part as f64 / whole as f64 }
}

fn share_of<S: serde::Serializer>(parts: &(usize, usize), serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_f64(share(parts.0, parts.1))
}

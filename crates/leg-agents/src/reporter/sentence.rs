//! The table of sentences, and how one is filled from the evidence of a node.

use std::sync::Arc;

use leg_core::{Claim, Evidence, EvidenceId, Operation};
use serde::Deserialize;

use super::number::{bare, is_temperature, with_unit};
use super::words;

/// The table of sentences.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Sentences {
    #[expect(dead_code, reason = "the version is for people and for later readers")]
    version: u32,
    pub(super) sentence: Vec<Sentence>,
    pub(super) comparison: Vec<Comparison>,
}

/// A sentence about one node.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Sentence {
    group: String,
    /// Whether it belongs to the answer, not to the details.
    #[serde(default)]
    pub(super) answer: bool,
    needs: Vec<String>,
    sign: Option<Sign>,
    baseline: Option<bool>,
    warm: Option<bool>,
    dated: Option<bool>,
    placed: Option<bool>,
    certain: Option<bool>,
    op: Operation,
    text: String,
}

/// A sentence about several tracks.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Comparison {
    pub(super) name: String,
    pub(super) signs: Option<Signs>,
    pub(super) warm: Option<bool>,
    pub(super) baseline: Option<bool>,
    pub(super) text: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Sign {
    Positive,
    Negative,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Signs {
    Positive,
    Negative,
    Mixed,
}

impl Sentences {
    /// Reads the table of the crate; an empty one if it is broken, which a test rules out.
    pub(super) fn load() -> Arc<Self> {
        let empty = || Self { version: 1, sentence: Vec::new(), comparison: Vec::new() };
        Arc::new(toml::from_str(include_str!("data/sentences.toml")).unwrap_or_else(|_| empty()))
    }

    /// The sentences that a node's evidence gives: in each group the first that fits.
    pub(super) fn say(&self, evidence: &[Evidence], subject: &str) -> Vec<(bool, Claim)> {
        let mut groups: Vec<&str> = Vec::new();
        let mut out = Vec::new();
        for sentence in &self.sentence {
            if groups.contains(&sentence.group.as_str()) {
                continue;
            }
            if let Some(claim) = sentence.claim(evidence, subject) {
                groups.push(&sentence.group);
                out.push((sentence.answer, claim));
            }
        }
        out
    }
}

impl Sentence {
    fn claim(&self, evidence: &[Evidence], subject: &str) -> Option<Claim> {
        let cited: Vec<&Evidence> =
            self.needs.iter().map(|name| find(evidence, name)).collect::<Option<Vec<_>>>()?;
        let first = cited.first()?;
        if !self.fits(first, evidence) {
            return None;
        }
        let ids: Vec<EvidenceId> = cited.iter().filter_map(|one| one.id.clone()).collect();
        let text = fill(&self.text, |key| {
            if key == "subject" {
                return Some(subject.to_owned());
            }
            let (name, form) = key.split_once('.').unwrap_or((key, ""));
            let one = cited.iter().find(|one| one.name == name)?;
            print(one, form, spread_of(one, evidence))
        })?;
        // Not every sentence begins with its subject.
        Some(Claim::new(words::capital(&text), ids, self.op))
    }

    fn fits(&self, first: &Evidence, evidence: &[Evidence]) -> bool {
        let value = first.value.as_f64();
        let dated = first.when.as_deref().is_some_and(words::is_one_time);
        let certain = || {
            let end = |name: &str| find(evidence, name).and_then(|one| one.value.as_f64());
            end("ci_low").zip(end("ci_high")).is_some_and(|(low, high)| low * high > 0.0)
        };
        let sign = match self.sign {
            None => true,
            Some(Sign::Positive) => value.is_some_and(|value| value > 0.0),
            Some(Sign::Negative) => value.is_some_and(|value| value < 0.0),
        };
        sign && self.baseline.is_none_or(|wanted| wanted == first.baseline.is_some())
            && self.warm.is_none_or(|wanted| wanted == is_temperature(&first.unit))
            && self.dated.is_none_or(|wanted| wanted == dated)
            && self
                .placed
                .is_none_or(|wanted| wanted == first.place.as_ref().and_then(words::place).is_some())
            && self.certain.is_none_or(|wanted| wanted == certain())
    }
}

/// Evidence by name, if it has a value.
pub(super) fn find<'a>(evidence: &'a [Evidence], name: &str) -> Option<&'a Evidence> {
    evidence.iter().find(|one| one.name == name && !one.value.is_null() && one.id.is_some())
}

/// How unsure a value is: half its interval, where there is one.
pub(super) fn spread_of(one: &Evidence, evidence: &[Evidence]) -> Option<f64> {
    if !matches!(one.name.as_str(), "slope" | "ci_low" | "ci_high") {
        return None;
    }
    let end = |name: &str| find(evidence, name).and_then(|one| one.value.as_f64());
    end("ci_low").zip(end("ci_high")).map(|(low, high)| (high - low).abs() / 2.0)
}

/// A form of an evidence in words.
fn print(one: &Evidence, form: &str, spread: Option<f64>) -> Option<String> {
    let value = || one.value.as_f64();
    match form {
        "" => match &one.value {
            serde_json::Value::String(text) => Some(words::date(text)),
            _ => Some(with_unit(value()?, &one.unit, spread)),
        },
        "abs" => Some(with_unit(value()?.abs(), &one.unit, spread)),
        "whole" => Some(format!("{:.0}", value()?)),
        "bare" => Some(bare(value()?, &one.unit, spread)),
        "when" | "span" => one.when.as_deref().map(words::when),
        "span_or_nothing" => {
            Some(one.when.as_deref().map(|when| format!(" {}", words::when(when))).unwrap_or_default())
        }
        "where" => words::place(one.place.as_ref()?),
        "baseline" => one.baseline.as_deref().map(words::baseline),
        _ => None,
    }
}

/// A text with its `{keys}` filled; `None` when one has no value.
pub(super) fn fill(text: &str, value: impl Fn(&str) -> Option<String>) -> Option<String> {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('{') {
        let (key, tail) = after.split_once('}')?;
        out.push_str(before);
        out.push_str(&value(key)?);
        rest = tail;
    }
    out.push_str(rest);
    Some(out)
}

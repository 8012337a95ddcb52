//! Which skill answers: a score from phrases and facts.

use std::collections::{BTreeMap, BTreeSet};

use regex::Regex;
use serde_json::{Number, Value};

use super::phrase::phrases_regex;
use crate::skills::{BranchRule, FactScore, Skill, SkillSet};

/// The phrases of all skills, compiled.
#[derive(Debug)]
pub(super) struct Routes {
    routes: Vec<Route>,
    unsupported: Vec<(Regex, String)>,
}

#[derive(Debug)]
struct Route {
    skill: String,
    level: u8,
    base: i32,
    /// How many cases the skill sets side by side; 1 for a simple one.
    cases: usize,
    cues: Vec<(i32, Regex)>,
    facts: Vec<FactScore>,
    binds: Vec<CompiledBind>,
    branches: Vec<(Option<Regex>, BranchRule)>,
}

#[derive(Debug)]
struct CompiledBind {
    parameter: String,
    value: Value,
    words: Option<Regex>,
    number: Option<(Regex, f64)>,
}

/// A skill with its score.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Scored {
    pub(super) skill: String,
    pub(super) score: i32,
}

#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Unsupported {
    #[expect(dead_code, reason = "the version is for people and for later readers")]
    version: u32,
    analysis: Vec<UnsupportedAnalysis>,
}

#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct UnsupportedAnalysis {
    name: String,
    words: Vec<String>,
}

impl Routes {
    /// Compiles the phrases of all skills. A pattern that cannot be compiled is left out; the check of skills names it.
    pub(super) fn new(skills: &SkillSet) -> Result<Self, super::PlannerError> {
        let table: Unsupported = toml::from_str(include_str!("data/unsupported.toml"))
            .map_err(|error| super::PlannerError::data("unsupported.toml", &error))?;
        let unsupported = table
            .analysis
            .into_iter()
            .filter_map(|entry| Some((phrases_regex(entry.words.iter().map(String::as_str))?, entry.name)))
            .collect();
        Ok(Self { routes: skills.iter().map(Route::new).collect(), unsupported })
    }

    /// Skills for one case, or those for several, the best first.
    pub(super) fn ranked(&self, text: &str, facts: &BTreeSet<String>, several: bool) -> Vec<Scored> {
        let mut scored: Vec<(i32, u8, &str)> = self
            .routes
            .iter()
            .filter(|route| (route.cases > 1) == several)
            .map(|route| (route.score(text, facts), route.level, route.skill.as_str()))
            .collect();
        scored.sort_by_key(|(score, level, skill)| (-score, *level, *skill));
        scored.into_iter().map(|(score, _, skill)| Scored { skill: skill.to_owned(), score }).collect()
    }

    /// The name of an analysis that the words ask for and that no skill has.
    pub(super) fn unsupported(&self, text: &str) -> Option<&str> {
        self.unsupported.iter().find_map(|(pattern, name)| {
            let words = pattern.find(text)?.as_str();
            let taken = self
                .routes
                .iter()
                .flat_map(|route| &route.cues)
                .any(|(score, cue)| *score > 0 && cue.is_match(words));
            (!taken).then_some(name.as_str())
        })
    }

    /// Parameters that the words set.
    pub(super) fn bound(&self, skill: &str, text: &str) -> BTreeMap<String, Value> {
        let mut out = BTreeMap::new();
        for bind in self.routes.iter().filter(|route| route.skill == skill).flat_map(|route| &route.binds) {
            if let Some(value) = bind.read(text) {
                out.entry(bind.parameter.clone()).or_insert(value);
            }
        }
        out
    }

    /// The branch to take; `None` for the default one.
    pub(super) fn branch(
        &self,
        skill: &str,
        text: &str,
        facts: &BTreeSet<String>,
        analysis: Option<&str>,
    ) -> Option<&str> {
        let route = self.routes.iter().find(|route| route.skill == skill)?;
        let rule = route.branches.iter().find(|(words, rule)| {
            holds(&rule.set, &rule.unset, facts)
                && words.as_ref().is_none_or(|words| words.is_match(text))
                && (rule.analysis.is_empty()
                    || rule.analysis.iter().any(|name| Some(name.as_str()) == analysis))
        });
        rule.map(|(_, rule)| rule.name.as_str()).filter(|name| *name != "default")
    }
}

impl Route {
    fn new(skill: &Skill) -> Self {
        let phrases = &skill.phrases;
        let words = |words: &[String]| phrases_regex(words.iter().map(String::as_str));
        Self {
            skill: skill.id.clone(),
            level: phrases.level,
            base: phrases.base,
            cases: skill.workflow.tracks(),
            cues: phrases.cue.iter().filter_map(|cue| Some((cue.score, words(&cue.words)?))).collect(),
            facts: phrases.fact.clone(),
            binds: phrases
                .bind
                .iter()
                .map(|bind| CompiledBind {
                    parameter: bind.parameter.clone(),
                    value: bind.value.clone(),
                    words: words(&bind.words),
                    number: bind
                        .pattern
                        .as_ref()
                        .and_then(|pattern| Some((Regex::new(pattern).ok()?, bind.scale.unwrap_or(1.0)))),
                })
                .collect(),
            branches: phrases.branch.iter().map(|rule| (words(&rule.words), rule.clone())).collect(),
        }
    }

    fn score(&self, text: &str, facts: &BTreeSet<String>) -> i32 {
        let cues = self.cues.iter().filter(|(_, cue)| cue.is_match(text)).map(|(score, _)| score);
        let facts =
            self.facts.iter().filter(|fact| holds(&fact.set, &fact.unset, facts)).map(|fact| &fact.score);
        cues.chain(facts).fold(self.base, |sum, score| sum.saturating_add(*score))
    }
}

impl CompiledBind {
    fn read(&self, text: &str) -> Option<Value> {
        if let Some((pattern, scale)) = &self.number {
            let number: f64 = pattern.captures(text)?.get(1)?.as_str().parse().ok()?;
            return Number::from_f64(number * scale).map(Value::Number);
        }
        self.words.as_ref()?.is_match(text).then(|| self.value.clone())
    }
}

fn holds(set: &[String], unset: &[String], facts: &BTreeSet<String>) -> bool {
    set.iter().all(|fact| facts.contains(fact)) && !unset.iter().any(|fact| facts.contains(fact))
}

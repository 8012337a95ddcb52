//! [`Planner`]: reads a question, chooses a skill, fills it, composes the plan.

use std::collections::{BTreeMap, BTreeSet};

use leg_core::Plan;
use leg_core::plan::{PLAN_VERSION, Track};
use serde_json::Value;

use super::answer::{Missing, PlannerAnswer};
use super::case::{Resolved, resolve};
use super::compose::{ComposeError, compose, slug, steps_of, track, with_values};
use super::context::PlannerContext;
use super::error::PlannerError;
use super::fill::Filling;
use super::reading::{Grammar, Reading};
use super::route::{Routes, Scored};
use crate::skills::{Skill, SkillSet, TemplateStep};

/// The id of the track of a plan that has one.
const ONLY_TRACK: &str = "main";

/// A planner for a set of skills. Its patterns are compiled once; a question then takes about a millisecond.
#[derive(Debug)]
pub struct Planner {
    skills: SkillSet,
    grammar: Grammar,
    routes: Routes,
}

/// Plans one question. Callers with several keep a [`Planner`].
///
/// # Errors
/// [`PlannerError`] when a table of the crate is broken.
pub fn plan_question(
    question: &str,
    skills: &SkillSet,
    context: &PlannerContext,
) -> Result<PlannerAnswer, PlannerError> {
    Ok(Planner::new(skills)?.plan(question, context))
}

impl Planner {
    /// Compiles the phrases of the skills and the tables of the crate.
    ///
    /// # Errors
    /// [`PlannerError`] when a table of the crate is broken.
    pub fn new(skills: &SkillSet) -> Result<Self, PlannerError> {
        Ok(Self { skills: skills.clone(), grammar: Grammar::new()?, routes: Routes::new(skills)? })
    }

    /// The skills that plans are made from.
    pub const fn skills(&self) -> &SkillSet {
        &self.skills
    }

    /// Turns a question into a plan, or says what is missing, or why there is none.
    pub fn plan(&self, question: &str, context: &PlannerContext) -> PlannerAnswer {
        let reading = self.grammar.read(question, context);
        let text = reading.text.left();
        if let Some(name) = self.routes.unsupported(text) {
            return self.refuse(&format!("no skill does {name}"));
        }
        let facts = reading.facts();
        let ranked = self.routes.ranked(text, &facts, false);
        let overridden = context.overrides.variable.is_some() || context.overrides.region.is_some();
        let about_data = reading.is_about_data() || overridden;
        let Some(first) = ranked.first().filter(|first| first.score > 0 || about_data) else {
            return self.refuse("it names no variable, no place and nothing that a skill does");
        };
        // A skill that needs nothing of the data's contents is not asked for a variable.
        if let Some(skill) = self.skills.get(&first.skill)
            && first.score > 0
            && !skill.workflow.parameters.values().any(|parameter| parameter.slot == "variable")
        {
            return self.plan_without_cases(question, skill, context, &ranked);
        }
        if !about_data && first.score <= 2 {
            return self.refuse("it names no variable and no place");
        }
        match resolve(&self.grammar, &reading, context) {
            Ok(resolved) => self.plan_cases(question, &reading, resolved),
            Err(missing) => PlannerAnswer::clarification(missing),
        }
    }

    fn refuse(&self, why: &str) -> PlannerAnswer {
        let skills: Vec<&str> = self.skills.iter().map(|skill| skill.id.as_str()).collect();
        PlannerAnswer::OutOfScope {
            reason: format!("This question has no plan: {why}. The skills here are: {}.", skills.join(", ")),
        }
    }

    fn plan_without_cases(
        &self,
        question: &str,
        skill: &Skill,
        context: &PlannerContext,
        ranked: &[Scored],
    ) -> PlannerAnswer {
        let mut values = BTreeMap::new();
        if context.datasets.len() > 1 {
            let words = super::normalize(question);
            let named: Vec<&str> = context.datasets.iter().map(|dataset| dataset.name.as_str()).collect();
            let meant = named.iter().find(|name| {
                super::phrases_regex([super::normalize(name).as_str()])
                    .is_some_and(|name| name.is_match(&words))
            });
            let Some(meant) = meant else {
                let choices = named.iter().map(|name| (*name).to_owned()).collect();
                return PlannerAnswer::clarification(vec![Missing::new(
                    "dataset",
                    "Which dataset is meant?",
                    choices,
                )]);
            };
            let parameter =
                skill.workflow.parameters.iter().find(|(_, parameter)| parameter.slot == "dataset");
            values.extend(parameter.map(|(name, _)| (name.clone(), Value::from(*meant))));
        }
        let mut no_sub = |_: &Skill, given: &BTreeMap<String, Value>, _: usize| given.clone();
        let made = compose(&self.skills, skill, None, &values, "", &mut no_sub, 0)
            .and_then(|composed| track(ONLY_TRACK, &skill.id.replace('-', " "), composed));
        self.answer(question, skill, ranked, made.map(|track| vec![track]), Vec::new())
    }

    fn plan_cases(&self, question: &str, reading: &Reading, resolved: Resolved) -> PlannerAnswer {
        let text = reading.text.left();
        let several = resolved.cases.len() > 1;
        let simple = self.routes.ranked(text, &resolved.facts, false);
        let ranked = if several { self.routes.ranked(text, &resolved.facts, true) } else { simple.clone() };
        let analysis = simple.first().map(|first| first.skill.as_str());
        let Some(skill) = ranked.first().and_then(|first| self.skills.get(&first.skill)) else {
            let ask = "No skill sets several places, times or variables side by side; ask for one at a time.";
            return PlannerAnswer::clarification(vec![Missing::new("region", ask, Vec::new())]);
        };
        let branch = self.routes.branch(&skill.id, text, &resolved.facts, analysis);
        let mut filling = Filling::default();
        let values = filling.fill(skill, &resolved, &self.routes, 0, &BTreeMap::new());
        let tracks = self.tracks(skill, branch, &resolved, &values, &mut filling);
        if !filling.missing.is_empty() {
            return PlannerAnswer::clarification(filling.missing);
        }
        let mut assumptions = resolved.assumptions;
        assumptions.extend(filling.assumptions);
        let mut seen = BTreeSet::new();
        assumptions.retain(|text| seen.insert(text.clone()));
        let runner_up = if several { &simple } else { &ranked };
        self.answer(question, skill, runner_up, tracks, assumptions)
    }

    /// One track, or one for each sub-skill if there are only such.
    fn tracks(
        &self,
        skill: &Skill,
        branch: Option<&str>,
        resolved: &Resolved,
        values: &BTreeMap<String, Value>,
        filling: &mut Filling,
    ) -> Result<Vec<Track>, ComposeError> {
        let steps = steps_of(skill, branch)?;
        let subs: Vec<_> = steps
            .iter()
            .filter_map(|step| match step {
                TemplateStep::Skill(sub) => Some(sub),
                TemplateStep::Tool(_) => None,
            })
            .collect();
        let mut fill_sub = |inner: &Skill, given: &BTreeMap<String, Value>, case: usize| {
            filling.fill(inner, resolved, &self.routes, case, given)
        };
        if subs.is_empty() || subs.len() < steps.len() {
            let mut same_case =
                |inner: &Skill, given: &BTreeMap<String, Value>, _: usize| fill_sub(inner, given, 0);
            let composed = compose(&self.skills, skill, branch, values, "", &mut same_case, 0)?;
            let goal = resolved.cases.first().map_or_else(String::new, |case| case.goal.clone());
            return Ok(vec![track(ONLY_TRACK, &goal, composed)?]);
        }
        let mut tracks: Vec<Track> = Vec::new();
        for (number, sub) in subs.into_iter().enumerate() {
            let inner = self.skills.get(&sub.skill).ok_or_else(|| ComposeError::Skill(sub.skill.clone()))?;
            let inner_values = fill_sub(inner, &with_values(&sub.with, values), number);
            let inner_branch = self.routes.branch(&inner.id, &resolved.text, &resolved.facts, None);
            let label =
                resolved.cases.get(number).map_or_else(|| sub.name.clone(), |case| case.label.clone());
            let id = slug(&label)
                .filter(|id| tracks.iter().all(|track| track.id.as_str() != id))
                .unwrap_or_else(|| sub.name.clone());
            let prefix = format!("{id}_");
            let mut same_case =
                |inner: &Skill, given: &BTreeMap<String, Value>, _: usize| fill_sub(inner, given, number);
            let composed =
                compose(&self.skills, inner, inner_branch, &inner_values, &prefix, &mut same_case, 1)?;
            tracks.push(track(&id, &label, composed)?);
        }
        Ok(tracks)
    }

    fn answer(
        &self,
        question: &str,
        skill: &Skill,
        ranked: &[Scored],
        tracks: Result<Vec<Track>, ComposeError>,
        assumptions: Vec<String>,
    ) -> PlannerAnswer {
        match tracks {
            Ok(tracks) => PlannerAnswer::Plan {
                plan: Plan { version: PLAN_VERSION, question: question.trim().to_owned(), tracks },
                skill: skill.id.clone(),
                runner_up: ranked
                    .iter()
                    .find(|scored| scored.skill != skill.id && scored.score > 0)
                    .map(|scored| scored.skill.clone()),
                assumptions,
            },
            Err(error) => self.refuse(&format!(
                "skill `{}` does not make a plan ({error}); run `leg skills check`",
                skill.id
            )),
        }
    }
}

//! Filling a skill's parameters from cases, phrases and defaults.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::answer::Missing;
use super::case::{Case, Resolved};
use super::route::Routes;
use super::slots::{Area, Places, Window};
use crate::skills::{Parameter, Skill};

/// What has been filled, and what was taken for granted on the way.
#[derive(Debug, Default)]
pub(super) struct Filling {
    pub(super) missing: Vec<Missing>,
    pub(super) assumptions: Vec<String>,
}

impl Filling {
    /// Values of a skill's parameters for one case; what is given already stays.
    pub(super) fn fill(
        &mut self,
        skill: &Skill,
        resolved: &Resolved,
        routes: &Routes,
        case: usize,
        given: &BTreeMap<String, Value>,
    ) -> BTreeMap<String, Value> {
        let bound = routes.bound(&skill.id, &resolved.text);
        let mut values = given.clone();
        for (name, parameter) in &skill.workflow.parameters {
            if given.contains_key(name) {
                continue;
            }
            let Some(case) = resolved.cases.get(case) else { continue };
            match self.value(name, parameter, resolved, case, &bound) {
                Some(value) => {
                    values.insert(name.clone(), value);
                }
                None if parameter.required => self.ask(name, parameter, resolved),
                None => {}
            }
        }
        values
    }

    fn value(
        &mut self,
        name: &str,
        parameter: &Parameter,
        resolved: &Resolved,
        case: &Case,
        bound: &BTreeMap<String, Value>,
    ) -> Option<Value> {
        let default = || (!parameter.default.is_null()).then(|| parameter.default.clone());
        match parameter.slot.as_str() {
            "variable" => Some(json!(case.variable.name)),
            "region" => case.place.as_ref().or(case.point.as_ref()).map(|place| place.area.to_json()),
            "time" => self.time(case.window.as_ref(), resolved),
            "time_with_baseline" => self.time_with_baseline(case.window.as_ref(), resolved, parameter),
            "season" => case.season.clone().map(Value::String),
            "months" => case.months.clone().map(|months| json!(months)),
            "depth" if !case.variable.has_depth => None,
            "depth" => case.depth.map(super::slots::Depth::to_json).or_else(|| {
                let value = default()?;
                let words = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
                self.assume(format!("No depth was named: the {words} of {} is used.", case.variable.name));
                Some(value)
            }),
            "point" => case.point.as_ref().and_then(|point| coordinate(point.area)).map(|point| json!(point)),
            "lon" => case.point.as_ref().and_then(|point| coordinate(point.area)).map(|[lon, _]| json!(lon)),
            "lat" => case.point.as_ref().and_then(|point| coordinate(point.area)).map(|[_, lat]| json!(lat)),
            "index" => resolved.index.as_ref().map(|index| json!(index.id)),
            "index_region" => {
                resolved.index.as_ref().and_then(super::slots::ClimateIndex::area).map(Area::to_json)
            }
            "baseline" => self.baseline(resolved, parameter).map(|baseline| baseline.to_json()),
            "dataset" => resolved.name_dataset.then(|| json!(resolved.dataset.name)),
            "title" => Some(json!(title(&case.goal))),
            _ => bound.get(name).cloned().or_else(default),
        }
    }

    fn time(&mut self, window: Option<&Window>, resolved: &Resolved) -> Option<Value> {
        if window.is_none() {
            let covers =
                resolved.record.as_ref().map(|record| format!(", {}", record.words())).unwrap_or_default();
            self.assume(format!("No time was named: the whole record{covers} is used."));
        }
        window.map(Window::to_json)
    }

    /// The window and the baseline together, for tools that take both from one field.
    fn time_with_baseline(
        &mut self,
        window: Option<&Window>,
        resolved: &Resolved,
        parameter: &Parameter,
    ) -> Option<Value> {
        let Some(window) = window else { return self.time(None, resolved) };
        let baseline = resolved.baseline.clone().or_else(|| {
            (parameter.default == "record")
                .then(|| resolved.record.as_ref().and_then(Window::whole_years))
                .flatten()
        });
        let hull = baseline.as_ref().map_or_else(|| window.clone(), |baseline| window.hull(baseline));
        if !window.contains(&hull) {
            self.assume(format!(
                "The values cover {}, because the baseline needs more than {}.",
                hull.words(),
                window.words()
            ));
        }
        Some(hull.to_json())
    }

    fn baseline(&mut self, resolved: &Resolved, parameter: &Parameter) -> Option<Window> {
        if resolved.baseline.is_some() || parameter.default != "record" {
            return resolved.baseline.clone();
        }
        let years = resolved.record.as_ref().and_then(Window::whole_years)?;
        self.assume(format!(
            "No baseline was named: the whole calendar years of the record, {}, are used.",
            years.words()
        ));
        Some(years)
    }

    fn assume(&mut self, text: String) {
        if !self.assumptions.contains(&text) {
            self.assumptions.push(text);
        }
    }

    fn ask(&mut self, slot: &str, parameter: &Parameter, resolved: &Resolved) {
        let ask = parameter.ask.clone().unwrap_or_else(|| format!("Which {slot} is meant?"));
        let choices = match parameter.slot.as_str() {
            "region" => Places::choices(std::slice::from_ref(&resolved.dataset)),
            "time" => resolved.record.iter().map(Window::words).collect(),
            _ => Vec::new(),
        };
        let missing = Missing::new(slot, ask, choices);
        if !self.missing.contains(&missing) {
            self.missing.push(missing);
        }
    }
}

fn coordinate(area: Area) -> Option<[f64; 2]> {
    match area {
        Area::Point(point) => Some(point),
        Area::Box { .. } => None,
    }
}

/// A goal as a title: with a capital.
fn title(goal: &str) -> String {
    let mut chars = goal.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}

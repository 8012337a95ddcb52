//! From a question to a plan: the planner with the datasets and the flags of the command line.

use leg::Catalog;
use leg::HydroSubjects;
use leg::agents::architect::{ArchitectAnswer, SubjectReader as _};
use leg::agents::planner::{Missing, Overrides, PlannerAnswer};
use leg::core::Plan;
use serde_json::{Value, json};

use crate::args::SlotArguments;
use crate::output::{Failure, WRONG_INPUT};

/// A plan with what the planner says of it.
pub(crate) struct Planned {
    pub plan: Plan,
    pub skill: String,
    pub assumptions: Vec<String>,
}

/// Plans a question, or says what is missing. With datasets a question is for the planner of skills where it has a plan; all
/// else is for the architect, whose agents ask services.
pub(crate) fn plan_question(
    catalog: &Catalog,
    question: &str,
    slots: &SlotArguments,
) -> Result<Planned, Failure> {
    let mut context = catalog.planner_context().map_err(Failure::wrong)?;
    context.overrides = overrides(slots)?;
    let about_data = !context.datasets.is_empty();
    let of_skills = catalog.planner().map_err(Failure::failed)?.plan(question, &context);
    // Data come first: what a question leaves open about them is asked back, unless it names a storm, a gauge or a place.
    let subjects = HydroSubjects.read(question);
    let of_services = !subjects.named.is_empty() || subjects.located || subjects.dated;
    match of_skills {
        PlannerAnswer::Plan { plan, skill, assumptions, .. } if about_data => {
            return Ok(Planned { plan, skill, assumptions });
        }
        PlannerAnswer::Clarification { missing, message } if about_data || !of_services => {
            return Err(clarification(question, &missing, message));
        }
        _ => {}
    }
    match catalog.architect().plan(question) {
        ArchitectAnswer::Plan { plan, assumptions } => {
            return Ok(Planned { plan, skill: "graph architect".to_owned(), assumptions });
        }
        ArchitectAnswer::Clarification(missing) if !about_data => {
            let message = missing.iter().map(|one| one.ask.as_str()).collect::<Vec<_>>().join("\n");
            return Err(clarification(question, &missing, message));
        }
        ArchitectAnswer::Clarification(_) | ArchitectAnswer::NotForAgents => {}
    }
    match of_skills {
        PlannerAnswer::Plan { plan, skill, assumptions, .. } => Ok(Planned { plan, skill, assumptions }),
        PlannerAnswer::Clarification { missing, message } => Err(clarification(question, &missing, message)),
        PlannerAnswer::OutOfScope { reason } => {
            let document = json!({ "question": question, "out_of_scope": { "reason": reason } });
            Err(Failure::with(WRONG_INPUT, format!("the question cannot be answered: {reason}"), document))
        }
    }
}

fn clarification(question: &str, missing: &[Missing], message: String) -> Failure {
    let document =
        json!({ "question": question, "clarification": { "missing": missing, "message": message } });
    Failure::with(WRONG_INPUT, message, document)
}

fn overrides(slots: &SlotArguments) -> Result<Overrides, Failure> {
    Ok(Overrides {
        region: slots.region.as_deref().map(region).transpose()?,
        time: slots.time.as_deref().map(time).transpose()?,
        depth: slots.depth.as_deref().map(depth).transpose()?,
        variable: slots.variable.as_deref().map(|name| Value::String(name.to_owned())),
    })
}

/// JSON when it looks like it.
fn as_json(flag: &str, text: &str) -> Result<Option<Value>, Failure> {
    if !text.trim_start().starts_with(['{', '[', '"']) {
        return Ok(None);
    }
    let value = serde_json::from_str(text)
        .map_err(|error| Failure::wrong(format!("`{flag} {text}` looks like JSON and is not: {error}")))?;
    Ok(Some(value))
}

fn numbers<const N: usize>(text: &str) -> Option<[f64; N]> {
    let parts: Option<Vec<f64>> = text.split(',').map(|part| part.trim().parse().ok()).collect();
    parts?.try_into().ok()
}

fn region(text: &str) -> Result<Value, Failure> {
    if let Some(value) = as_json("--region", text)? {
        return Ok(value);
    }
    Ok(match (numbers::<4>(text), numbers::<2>(text)) {
        (Some([west, east, south, north]), _) => json!({ "lon": [west, east], "lat": [south, north] }),
        (_, Some([lon, lat])) => json!({ "point": [lon, lat] }),
        _ if text.contains(',') => {
            return Err(Failure::wrong(format!(
                "`--region {text}` has no four numbers; write west,east,south,north"
            )));
        }
        _ => json!({ "name": text }),
    })
}

fn time(text: &str) -> Result<Value, Failure> {
    if let Some(value) = as_json("--time", text)? {
        return Ok(value);
    }
    match text.split(',').map(str::trim).collect::<Vec<_>>().as_slice() {
        [one] => Ok(json!([one, one])),
        [from, to] => Ok(json!([from, to])),
        _ => Err(Failure::wrong(format!("`--time {text}` has more than two dates; write from,to"))),
    }
}

fn depth(text: &str) -> Result<Value, Failure> {
    if let Some(value) = as_json("--depth", text)? {
        return Ok(value);
    }
    Ok(match (numbers::<1>(text), numbers::<2>(text)) {
        (Some([at]), _) => json!({ "at": at }),
        (_, Some(range)) => json!({ "range": range }),
        _ => json!(text),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_become_slots() {
        assert_eq!(region("-100,20.5,-5,5").unwrap(), json!({"lon": [-100.0, 20.5], "lat": [-5.0, 5.0]}));
        assert_eq!(region("bohai_sea").unwrap(), json!({"name": "bohai_sea"}));
        assert!(region("1,2,3").is_err());
        assert!(region("{\"lon\": [1").is_err());
        assert_eq!(time("2015").unwrap(), json!(["2015", "2015"]));
        assert_eq!(time("2010,2019-06").unwrap(), json!(["2010", "2019-06"]));
        assert_eq!(depth("50").unwrap(), json!({"at": 50.0}));
        assert_eq!(depth("0,200").unwrap(), json!({"range": [0.0, 200.0]}));
        assert_eq!(depth("surface").unwrap(), json!("surface"));
    }
}

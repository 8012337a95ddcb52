//! `leg plan QUESTION`

use serde_json::json;

use super::execute::compile;
use super::planning::plan_question;
use crate::args::PlanArguments;
use crate::output::{DONE, Ending, print_json, talk};
use crate::session::Session;

pub(crate) fn plan(session: &Session, arguments: PlanArguments) -> Ending {
    if arguments.schema {
        let catalog = session.bare_catalog()?;
        print_json(&leg::core::plan::plan_schema(Some(catalog.registry())));
        return Ok(DONE);
    }
    let catalog = session.catalog(&arguments.datasets)?;
    let planned = plan_question(&catalog, &arguments.question.unwrap_or_default(), &arguments.slots)?;
    let compiled = compile(&catalog, planned.plan, Vec::new(), "planner rules")?;
    if session.json {
        print_json(&json!({
            "plan": compiled.plan.to_json(),
            "plan_digest": compiled.graph.digest(),
            "skill": planned.skill,
            "assumptions": planned.assumptions,
            "graph": compiled.graph.display().to_json(),
            "cost": compiled.graph.cost(),
        }));
    } else {
        // The plan alone is the result, so that it can go into a file.
        print_json(&compiled.plan.to_json());
        talk(&compiled.shown());
        for assumption in &planned.assumptions {
            talk(&format!("assumed: {assumption}"));
        }
        talk(&format!("plan digest: {}", compiled.graph.digest()));
    }
    Ok(DONE)
}

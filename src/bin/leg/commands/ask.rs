//! `leg ask QUESTION`

use serde_json::json;

use super::execute::{compile, execute};
use super::planning::plan_question;
use super::run::show;
use crate::args::{AskArguments, PlannerForm};
use crate::output::{Ending, talk};
use crate::session::Session;

pub(crate) async fn ask(session: &Session, arguments: AskArguments) -> Ending {
    let catalog = session.catalog(&arguments.datasets)?;
    let planned = match arguments.planner {
        PlannerForm::Rules => plan_question(&catalog, &arguments.question, &arguments.slots)?,
    };
    let assumed = planned.assumptions.iter().map(|assumption| json!({ "assumed": assumption })).collect();
    let compiled =
        compile(&catalog, planned.plan, assumed, &format!("planner rules, skill {}", planned.skill))?;
    if !session.json {
        talk(&compiled.shown());
        for assumption in &planned.assumptions {
            talk(&format!("assumed: {assumption}"));
        }
    }
    let executed = execute(session, &catalog, &compiled, &arguments.datasets, &arguments.approval).await?;
    Ok(show(session, &compiled.plan, &executed, arguments.approval.values))
}

//! `leg demo`: a small ocean, a question, a report, a verification.

use leg::core::ledger;
use leg::ocean_data::demo;
use serde_json::{Value, json};

use super::execute::{compile, execute};
use super::planning::plan_question;
use super::run::show;
use crate::args::{ApprovalArguments, DatasetArguments, DemoArguments, LimitArguments, SlotArguments};
use crate::executor::ExecutorArguments;
use crate::output::{DONE, Ending, FAILED, Failure, print, print_json, talk};
use crate::session::Session;

/// The question of the tour.
const QUESTION: &str = "How did surface temperature change from 2015 to 2017 in the coastal box and in the basin box, \
                        and which warmed faster?";

pub(crate) async fn demo(session: &Session, arguments: DemoArguments) -> Ending {
    if !demo::is_current(&arguments.dir) {
        if !session.json {
            talk(&format!("writing the demo ocean to `{}` (once)", arguments.dir.display()));
        }
        demo::write(&arguments.dir, &|_, _| {}).map_err(Failure::wrong)?;
    }
    let datasets = DatasetArguments { data: vec![format!("demo={}", arguments.dir.display())] };
    let catalog = session.catalog(&datasets)?;
    let planned = plan_question(&catalog, QUESTION, &SlotArguments::default())?;
    let assumed = planned.assumptions.iter().map(|assumption| json!({ "assumed": assumption })).collect();
    let compiled =
        compile(&catalog, planned.plan, assumed, &format!("planner rules, skill {}", planned.skill))?;
    if !session.json {
        print(&format!("question  {QUESTION}\n"));
        print(&format!("plan\n{:#}\n", compiled.plan.to_json()));
        print(&format!("graph\n{}", compiled.shown()));
        for assumption in &planned.assumptions {
            print(&format!("assumed: {assumption}"));
        }
        print("");
    }
    let how = ApprovalArguments {
        yes: true,
        approve: None,
        concurrency: 16,
        values: false,
        executor: ExecutorArguments::default(),
        limits: LimitArguments::default(),
    };
    let executed = execute(session, &catalog, &compiled, &datasets, &how).await?;
    let verification = ledger::verify(&executed.folder, None).map_err(Failure::failed)?;
    if session.json {
        let mut document = executed.outcome.to_json(&compiled.plan);
        if let Value::Object(members) = &mut document {
            members.insert("run_folder".into(), json!(executed.folder.path()));
            members.insert("verification".into(), json!(verification));
        }
        print_json(&document);
    } else {
        show(session, &compiled.plan, &executed, how.values);
        let id = &executed.outcome.run_id;
        print(if verification.ok {
            "verified: every record, object and file is as it was written"
        } else {
            "NOT verified"
        });
        print(&format!("\nnext\n  leg verify {id}\n  leg replay {id}\n  leg trace {id} E1"));
    }
    Ok(if verification.ok && executed.outcome.is_good() { DONE } else { FAILED })
}

//! Approves a compiled plan and runs it: the common end of `run`, `ask` and `demo`.

use std::sync::Arc;

use leg::Catalog;
use leg::core::clock::{Clock as _, SystemClock, iso};
use leg::core::graph::LayeredGraph;
use leg::core::ledger::RunFolder;
use leg::core::plan::{ValidPlan, validate};
use leg::core::run::{Engine, Proposal, Recording, Run, RunOptions, RunOutcome};
use leg::core::{Approval, Digest, FolderObjects, ObjectStore, Plan, RunId};
use serde_json::{Value, json};

use crate::args::{ApprovalArguments, DatasetArguments};
use crate::output::{Failure, WRONG_INPUT, ask_yes, talk};
use crate::progress;
use crate::session::Session;

/// A plan that was validated and compiled.
pub(crate) struct Compiled {
    pub plan: Plan,
    pub graph: Arc<LayeredGraph>,
    repairs: Vec<Value>,
    by: String,
}

impl Compiled {
    /// The graph and its cost, for a person who approves.
    pub(crate) fn shown(&self) -> String {
        format!("{}cost: {}\n", self.graph.display().indent(), self.graph.cost())
    }
}

/// Validates and compiles a plan.
pub(crate) fn compile(
    catalog: &Catalog,
    plan: Plan,
    mut repairs: Vec<Value>,
    by: &str,
) -> Result<Compiled, Failure> {
    let valid: ValidPlan =
        validate(plan, catalog.registry()).map_err(|faults| Failure::diagnostics(&faults))?;
    repairs.extend(valid.normalizations().iter().map(|change| json!(change)));
    let graph = catalog.compile(&valid).map_err(|error| Failure::diagnostics(&error.diagnostics()))?;
    Ok(Compiled { plan: valid.plan().clone(), graph: Arc::new(graph), repairs, by: by.to_owned() })
}

/// A finished run with what is needed to show it.
pub(crate) struct Executed {
    pub outcome: RunOutcome,
    pub folder: RunFolder,
    pub objects: Arc<dyn ObjectStore>,
}

/// Gets the approval and runs the graph in a new run folder.
pub(crate) async fn execute(
    session: &Session,
    catalog: &Catalog,
    compiled: &Compiled,
    datasets: &DatasetArguments,
    how: &ApprovalArguments,
) -> Result<Executed, Failure> {
    let place = session.runs.join("objects");
    let executor = how.executor.executor(session, catalog, datasets, &place)?;
    let by = approve(compiled, how)?;
    let objects: Arc<dyn ObjectStore> = Arc::new(FolderObjects::new(place));
    let engine = Engine::new(Arc::clone(catalog.registry()))
        .with_objects(Arc::clone(&objects))
        .with_executor(executor);
    let id = RunId::new(uuid::Uuid::now_v7().to_string()).map_err(Failure::failed)?;
    let folder = RunFolder::new(&session.runs, &id);
    let mut options = RunOptions::new(id);
    options.concurrency = how.concurrency;
    options.facts = catalog.facts();
    options.proposal = Some(Proposal {
        plan: compiled.plan.clone(),
        by: compiled.by.clone(),
        repairs: compiled.repairs.clone(),
    });
    let at = iso(SystemClock.now_nanos());
    let approval = Approval::new(&compiled.graph, by, at);
    let recording = Recording::Folder(folder.clone());
    let run = Run::start(Arc::clone(&compiled.graph), &approval, &engine, recording, options)
        .map_err(Failure::wrong)?;
    let (events, stop) = (run.events(), run.stopper());
    let ended = async {
        let outcome = run.finish().await;
        // The listener for the stop key ends with the run.
        stop.cancel();
        outcome
    };
    let stopped = async {
        tokio::select! {
            pressed = tokio::signal::ctrl_c() => if pressed.is_ok() {
                talk("stopping; the ledger stays valid");
                stop.cancel();
            },
            () = stop.cancelled() => {}
        }
    };
    let (outcome, (), ()) = tokio::join!(ended, progress::show(events), stopped);
    if let Some(error) = &outcome.error {
        return Err(Failure::failed(error));
    }
    Ok(Executed { outcome, folder, objects })
}

/// Who approved: `--yes`, the digest that `--approve` names, or a person at the terminal.
fn approve(compiled: &Compiled, how: &ApprovalArguments) -> Result<String, Failure> {
    let digest = compiled.graph.digest();
    if how.yes {
        return Ok("--yes".to_owned());
    }
    let refuse = |message: String| {
        let document = json!({
            "approval": { "plan_digest": digest, "needed": true },
            "plan": compiled.plan.to_json(),
            "cost": compiled.graph.cost(),
        });
        Failure::with(WRONG_INPUT, message, document)
    };
    if let Some(named) = &how.approve {
        let named: Digest = named.parse().map_err(Failure::wrong)?;
        return if named == digest {
            Ok("--approve".to_owned())
        } else {
            Err(refuse(format!(
                "the approval is for {named} and this plan is {digest}; look at it and approve it anew"
            )))
        };
    }
    match ask_yes("Run this plan?") {
        Some(true) => Ok("terminal".to_owned()),
        Some(false) => Err(refuse("the plan was not approved; nothing ran".to_owned())),
        None => Err(refuse(format!("the plan needs an approval; add `--yes`, or `--approve {digest}`"))),
    }
}

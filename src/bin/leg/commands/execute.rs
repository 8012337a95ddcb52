//! Approves a compiled plan and runs it: the common end of `run`, `ask` and `demo`.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use leg::Catalog;
use leg::core::clock::{Clock as _, SystemClock, iso};
use leg::core::graph::LayeredGraph;
use leg::core::ledger::RunFolder;
use leg::core::plan::{ValidPlan, validate};
use leg::core::run::{Budget, Engine, NodeExecutor, Proposal, Recording, Run, RunOptions, RunOutcome};
use leg::core::{Approval, Digest, FolderObjects, ObjectStore, Plan, RunId};
use serde_json::{Value, json};

use crate::args::{ApprovalArguments, DatasetArguments, LimitArguments};
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
    let id = RunId::new(uuid::Uuid::now_v7().to_string()).map_err(Failure::failed)?;
    let folder = RunFolder::new(&session.runs, &id);
    let mut options = RunOptions::new(id);
    options.concurrency = how.concurrency;
    limit(&mut options, &how.limits)?;
    options.facts = catalog.facts();
    options.proposal = Some(Proposal {
        plan: compiled.plan.clone(),
        by: compiled.by.clone(),
        repairs: compiled.repairs.clone(),
    });
    let at = iso(SystemClock.now_nanos());
    let approval = Approval::new(&compiled.graph, by, at);
    let recording = Recording::Folder(folder.clone());
    let engine = engine(catalog, executor, &place);
    let run = Run::start(Arc::clone(&compiled.graph), &approval, &engine, recording, options)
        .map_err(Failure::wrong)?;
    Ok(Executed { outcome: attend(run).await?, folder, objects: engine.objects })
}

/// The engine of this build, with the objects of a folder.
pub(crate) fn engine(catalog: &Catalog, executor: Arc<dyn NodeExecutor>, objects: &Path) -> Engine {
    Engine::new(Arc::clone(catalog.registry()))
        .with_objects(Arc::new(FolderObjects::new(objects)))
        .with_executor(executor)
        .with_overseer(catalog.overseer())
        .with_router(Arc::new(catalog.router()))
}

/// Takes over the limits of the command line.
fn limit(options: &mut RunOptions, limits: &LimitArguments) -> Result<(), Failure> {
    let mut amounts = BTreeMap::new();
    for budget in &limits.budget {
        let parts = budget.split_once('=').and_then(|(name, of)| Some((name, of.trim().parse().ok()?)));
        let (name, amount): (&str, f64) = parts.ok_or_else(|| {
            Failure::wrong(format!("`--budget {budget}` is no amount; write it as `calls=100`"))
        })?;
        amounts.insert(name.trim().to_owned(), amount);
    }
    options.budget = Budget::from_plan(&amounts).map_err(|wrong| {
        Failure::wrong(wrong.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "))
    })?;
    for (flag, seconds) in [("--timeout", limits.timeout), ("--layer-timeout", limits.layer_timeout)] {
        if let Some(seconds) = seconds.filter(|seconds| !(seconds.is_finite() && *seconds > 0.0)) {
            return Err(Failure::wrong(format!("`{flag} {seconds}` is no time; give seconds above 0")));
        }
    }
    options.run_timeout_s = limits.timeout;
    options.layer_timeout_s = limits.layer_timeout;
    options.durability = named("--durability", &limits.durability, "none, barrier or record")?;
    options.payload = named("--payload", &limits.payload, "minimal, standard or full")?;
    Ok(())
}

/// A value of a closed list, by its name in JSON.
fn named<T: serde::de::DeserializeOwned>(flag: &str, name: &str, all: &str) -> Result<T, Failure> {
    serde_json::from_value(json!(name))
        .map_err(|_| Failure::wrong(format!("`{flag} {name}` is not known; use {all}")))
}

/// Shows a run's progress until it ends, and stops it when the user says so.
pub(crate) async fn attend(run: Run) -> Result<RunOutcome, Failure> {
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
                talk("stopping; the ledger stays valid, and `leg resume` goes on with the run");
                stop.cancel();
            },
            () = stop.cancelled() => {}
        }
    };
    let (outcome, (), ()) = tokio::join!(ended, progress::show(events), stopped);
    match &outcome.error {
        Some(error) => Err(Failure::failed(error)),
        None => Ok(outcome),
    }
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

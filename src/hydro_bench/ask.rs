//! [`Desk`]: asks a question of recorded services, as `leg ask` does, and gives what was said.

use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;

use hydro_specialists::Addresses;
use leg_agents::architect::ArchitectAnswer;
use leg_core::ledger::MemoryLedger;
use leg_core::plan::validate;
use leg_core::role::PlainFold;
use leg_core::routing::Router;
use leg_core::run::{Engine, LocalExecutor, Recording, Roles, Run, RunOptions};
use leg_core::{Approval, Evidence, RunId, Verdict, compile_with};
use leg_fetch::{FetchError, HostPolicy, HttpFetch, NoSleep, Respond, Server, StackBuilder};

use crate::catalog::CatalogError;
use crate::{Catalog, Services};

/// Which parts of the engine work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// All.
    Whole,
    /// Layers are only joined.
    NoConsolidator,
    /// Tracks are only joined.
    NoMerge,
    /// The routing rules of the domain are left out; those that make a graph of a plan stay.
    NoRules,
}

/// A question cannot be asked.
#[derive(Debug, thiserror::Error)]
pub enum AskError {
    /// The server cannot start.
    #[error("the recorded services cannot be served: {0}")]
    Serve(#[from] io::Error),
    /// The client cannot start.
    #[error(transparent)]
    Client(#[from] FetchError),
    /// The catalog cannot be put together.
    #[error(transparent)]
    Catalog(#[from] CatalogError),
    /// The run cannot start.
    #[error("the run cannot start: {0}")]
    Run(String),
}

/// What was said.
#[derive(Debug, Clone, Default)]
pub(super) struct Heard {
    /// Grounded claims with what they cite.
    pub claims: Vec<(String, Vec<Evidence>)>,
    /// Claims that were struck.
    pub struck: Vec<String>,
    /// Stated gaps.
    pub gaps: Vec<String>,
    /// Why there is no plan.
    pub refused: Option<String>,
    /// Calls of tools.
    pub calls: u64,
    /// Tokens of models.
    pub tokens: u64,
    /// Evidence without a value that says that there is none.
    pub no_data: Vec<String>,
}

/// Recorded services on the loopback interface, with a program that asks them.
pub(super) struct Desk {
    // It serves as long as it lives.
    _server: Server,
    catalog: Catalog,
}

impl Desk {
    pub(super) async fn open(respond: Arc<dyn Respond>) -> Result<Self, AskError> {
        let server = Server::start(SocketAddr::from((Ipv4Addr::LOCALHOST, 0)), respond).await?;
        let url = server.url();
        let policy = Arc::new(HostPolicy::new().allow_private(url.host())?);
        let client = HttpFetch::builder(Arc::clone(&policy)).build()?;
        // The services are recorded: there is nobody whom a pause would spare.
        let fetch =
            StackBuilder::new(Arc::new(client), policy, 0).sleep(Arc::new(NoSleep::default())).build();
        let services = Services::new(fetch, Addresses::below(&url));
        let none = ocean_tools::Datasets::from_flags::<&str>(&[]).map_err(CatalogError::from)?;
        Ok(Self { _server: server, catalog: Catalog::with_services(none, &services)? })
    }

    pub(super) async fn ask(&self, question: &str, form: Form) -> Result<Heard, AskError> {
        let plan = match self.catalog.architect().plan(question) {
            ArchitectAnswer::Plan { plan, .. } => plan,
            ArchitectAnswer::Clarification(missing) => {
                let asks: Vec<String> = missing.into_iter().map(|one| one.ask).collect();
                return Ok(Heard { refused: Some(asks.join(" ")), ..Heard::default() });
            }
            ArchitectAnswer::NotForAgents => {
                return Ok(Heard { refused: Some("no agent is asked for".to_owned()), ..Heard::default() });
            }
        };
        let fault = |error: &dyn std::fmt::Display| AskError::Run(error.to_string());
        let valid = validate(plan, self.catalog.registry()).map_err(|faults| {
            AskError::Run(faults.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "))
        })?;
        let router = if form == Form::NoRules { Router::default() } else { self.catalog.router() };
        let graph = compile_with(&valid, self.catalog.registry(), &router).map_err(|error| fault(&error))?;
        let graph = Arc::new(graph);
        let engine = Engine::new(Arc::clone(self.catalog.registry()))
            .with_executor(Arc::new(LocalExecutor::new(self.roles(form))))
            .with_overseer(self.catalog.overseer())
            .with_router(Arc::new(router));
        let id = RunId::new("bench").map_err(|error| fault(&error))?;
        let approval = Approval::new(&graph, "bench".to_owned(), String::new());
        let recording = Recording::Memory(MemoryLedger::default());
        let run = Run::start(graph, &approval, &engine, recording, RunOptions::new(id))
            .map_err(|error| fault(&error))?;
        let outcome = run.finish().await;
        let report = outcome.report;
        let mut heard = Heard {
            gaps: report.gaps.iter().map(|gap| format!("{}: {}", gap.node, gap.reason)).collect(),
            calls: amount(&outcome.usage, "calls"),
            tokens: amount(&outcome.usage, "tokens"),
            ..Heard::default()
        };
        heard.no_data = report
            .evidence
            .iter()
            .filter(|one| one.name.starts_with("no_data"))
            .filter_map(|one| one.value.as_str().map(str::to_owned))
            .collect();
        for claim in report.sections.iter().flat_map(|section| &section.claims) {
            if claim.verdict.as_ref().is_some_and(|verdict| *verdict == Verdict::Grounded) {
                let cited = claim
                    .evidence
                    .iter()
                    .filter_map(|id| report.evidence.iter().find(|one| one.id.as_ref() == Some(id)).cloned());
                heard.claims.push((claim.text.clone(), cited.collect()));
            } else if !claim.evidence.is_empty() {
                heard.struck.push(claim.text.clone());
            }
        }
        Ok(heard)
    }

    fn roles(&self, form: Form) -> Roles {
        let mut roles = self.catalog.roles();
        match form {
            Form::NoConsolidator => roles.consolidator = Arc::new(PlainFold),
            Form::NoMerge => roles.merge = Arc::new(PlainFold),
            Form::Whole | Form::NoRules => {}
        }
        roles
    }
}

/// An amount of what a run spent.
fn amount(usage: &serde_json::Value, name: &str) -> u64 {
    let spent = usage.pointer(&format!("/{name}/spent"));
    spent.and_then(serde_json::Value::as_u64).unwrap_or(0)
}

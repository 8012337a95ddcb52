//! A desk whose evidence has names of its own as in a run, and the check of every sentence.

#![expect(clippy::unwrap_used, clippy::print_stdout, reason = "a test stops at what it does not expect")]
#![expect(dead_code, reason = "each test uses what it needs")]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use hydro_specialists::recorded::Recorded;
use hydro_specialists::{Addresses, Specialists, all_at};
use leg_core::evidence::ground;
use leg_core::run::CallResult;
use leg_core::tool::Workbench;
use leg_core::{
    Agent, AgentTask, Claim, Desk, Evidence, EvidenceId, MemoryObjects, Operation, Registry, ToolError,
    ToolOutput, Verdict,
};
use leg_fetch::Fetch;
use leg_testkit::FakeDesk;
use serde_json::Value;

/// The folder of the recordings, if there is one.
pub(crate) fn folder() -> Option<PathBuf> {
    let folder = std::env::var_os("LEG_CONFORMANCE").map(|root| Path::new(&root).join("hydro/fixtures"));
    if folder.is_none() {
        println!("skipped: LEG_CONFORMANCE is not set");
    }
    folder
}

/// The recordings as services; these files come first.
pub(crate) fn recorded(preferred: &[&str]) -> Option<Recorded> {
    Some(Recorded::open(&folder()?).unwrap().preferring(preferred.iter().copied()))
}

/// All specialists over this fetch.
pub(crate) fn specialists(fetch: &Arc<dyn Fetch>) -> Specialists {
    all_at(fetch, &Addresses::below(&Recorded::address().unwrap()))
}

fn registry(specialists: &Specialists) -> Arc<Registry> {
    let mut registry = Registry::default();
    for tool in &specialists.tools {
        registry.add_tool(Arc::clone(tool)).unwrap();
    }
    Arc::new(registry)
}

/// What a tool answers.
pub(crate) async fn call(
    fetch: Arc<dyn Fetch>,
    tool: &str,
    arguments: Value,
) -> Result<ToolOutput, ToolError> {
    let registry = registry(&specialists(&fetch));
    let allowed = registry.tools().map(|tool| tool.spec.name.clone()).collect();
    Workbench::new(registry, allowed, Arc::new(MemoryObjects::default())).call(tool, arguments).await
}

/// What an agent says, and which of its sentences do not follow from their evidence.
#[derive(Debug)]
pub(crate) struct Said {
    pub(crate) text: String,
    pub(crate) gaps: Vec<String>,
    pub(crate) ungrounded: Vec<String>,
    pub(crate) calls: Vec<(String, Value)>,
    pub(crate) evidence: Vec<Evidence>,
}

#[derive(Debug)]
struct NamedDesk {
    inner: FakeDesk,
    taken: Mutex<BTreeSet<String>>,
    all: Mutex<Vec<Evidence>>,
}

#[async_trait]
impl Desk for NamedDesk {
    async fn call(&self, tool: &str, arguments: Value) -> Result<CallResult, ToolError> {
        let mut result = self.inner.call(tool, arguments).await?;
        let mut taken = self.taken.lock().unwrap();
        for one in &mut result.evidence {
            let (node, base) = one.key.split_once('.').map(|(a, b)| (a.to_owned(), b.to_owned())).unwrap();
            let mut name = base.clone();
            let mut number = 2;
            while !taken.insert(name.clone()) {
                name = format!("{base}_{number}");
                number += 1;
            }
            one.key = format!("{node}.{name}");
            one.name = name;
        }
        self.all.lock().unwrap().extend(result.evidence.iter().cloned());
        Ok(result)
    }
}

/// Gives an agent a question and checks what it says.
pub(crate) async fn ask(agent: &str, fetch: Arc<dyn Fetch>, question: &str) -> Said {
    ask_task(
        agent,
        fetch,
        AgentTask { task: question.to_owned(), question: question.to_owned(), ..AgentTask::default() },
    )
    .await
}

/// As [`ask`], with a whole task.
pub(crate) async fn ask_task(agent: &str, fetch: Arc<dyn Fetch>, task: AgentTask) -> Said {
    let specialists = specialists(&fetch);
    let agent: Arc<dyn Agent> =
        Arc::clone(specialists.agents.iter().find(|own| own.spec().id.as_str() == agent).unwrap());
    let inner = FakeDesk::new(registry(&specialists), &agent.spec());
    let desk = NamedDesk { inner, taken: Mutex::default(), all: Mutex::default() };
    let answer = agent.work(task, &desk).await.unwrap();
    let mut evidence = desk.all.lock().unwrap().clone();
    for (at, one) in evidence.iter_mut().enumerate() {
        one.id = Some(EvidenceId::numbered(at + 1));
    }
    let mut ungrounded = Vec::new();
    for line in answer.text.lines() {
        let (sentence, keys) = line.split_once(" [").unwrap_or((line, ""));
        let keys: Vec<&str> = keys.trim_end_matches(']').split("][").collect();
        let ids: Vec<EvidenceId> =
            keys.iter().filter_map(|key| evidence.iter().find(|one| one.key == *key)?.id.clone()).collect();
        let verdict = ground(&Claim::new(sentence, ids.clone(), Operation::Round), &evidence);
        if ids.len() != keys.len() || verdict != Verdict::Grounded {
            ungrounded.push(format!("{verdict:?}: {line}"));
        }
    }
    Said { text: answer.text, gaps: answer.gaps, ungrounded, calls: desk.inner.calls(), evidence }
}

//! What the tests of the gauge specialists share: tools and agents over recordings, a desk that keeps evidence apart, and the
//! check that every sentence is grounded.

#![allow(dead_code, unreachable_pub, reason = "each test uses its part")]
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test stops at what it does not expect"
)]

use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use hydro_specialists::recorded::Recorded;
use hydro_specialists::{Addresses, Specialists, all_at};
use leg_core::evidence::ground;
use leg_core::run::CallResult;
use leg_core::tool::Workbench;
use leg_core::{
    Agent, AgentTask, Claim, Desk, Evidence, EvidenceDraft, EvidenceId, MemoryObjects, ObjectStore,
    Operation, Registry, ToolError, ToolOutput, Verdict,
};
use leg_fetch::Fetch;
use leg_testkit::FakeDesk;
use serde_json::Value;

/// The specialists over the folder of recordings, if there is one.
pub fn recorded(preferred: &[&str]) -> Option<Specialists> {
    let Some(root) = std::env::var_os("LEG_CONFORMANCE") else {
        println!("skipped: set LEG_CONFORMANCE to the folder of the recordings");
        return None;
    };
    let recorded = Recorded::open(&PathBuf::from(root).join("hydro/fixtures")).unwrap();
    let fetch: Arc<dyn Fetch> = Arc::new(recorded.preferring(preferred.iter().copied()));
    Some(over(&fetch))
}

/// The specialists over any fetch, below the address of recordings.
pub fn over(fetch: &Arc<dyn Fetch>) -> Specialists {
    all_at(fetch, &Addresses::below(&Recorded::address().unwrap()))
}

pub fn registry(specialists: &Specialists) -> Arc<Registry> {
    let mut registry = Registry::default();
    for tool in &specialists.tools {
        registry.add_tool(Arc::clone(tool)).unwrap();
    }
    for agent in &specialists.agents {
        registry.add_agent(Arc::clone(agent)).unwrap();
    }
    Arc::new(registry)
}

pub async fn call(specialists: &Specialists, tool: &str, arguments: Value) -> Result<ToolOutput, ToolError> {
    let registry = registry(specialists);
    let allowed = registry.tools().map(|tool| tool.spec.name.clone()).collect();
    let objects: Arc<dyn ObjectStore> = Arc::new(MemoryObjects::default());
    let output = Workbench::new(registry, allowed, objects).call(tool, arguments).await?;
    let spec =
        specialists.tools.iter().map(|tool| tool.spec()).find(|spec| spec.name.as_str() == tool).unwrap();
    let mut seen = Vec::new();
    for draft in &output.evidence {
        assert!(spec.evidence.contains(&draft.name), "`{tool}` does not list `{}`", draft.name);
        assert!(!seen.contains(&&draft.name), "`{tool}` gives `{}` twice", draft.name);
        assert!(!draft.method.is_empty(), "`{tool}`: `{}` has no method", draft.name);
        seen.push(&draft.name);
    }
    Ok(output)
}

pub fn find<'a>(output: &'a ToolOutput, name: &str) -> &'a EvidenceDraft {
    output.evidence.iter().find(|draft| draft.name == name).unwrap_or_else(|| {
        panic!("no `{name}` among {:?}", output.evidence.iter().map(|draft| &draft.name).collect::<Vec<_>>())
    })
}

pub fn number(output: &ToolOutput, name: &str) -> f64 {
    find(output, name).value.as_f64().unwrap_or_else(|| panic!("`{name}` is no number"))
}

pub fn text<'a>(output: &'a ToolOutput, name: &str) -> &'a str {
    find(output, name).value.as_str().unwrap_or_else(|| panic!("`{name}` is no text"))
}

/// A desk that numbers the calls in the keys, so that evidence of two calls is told apart.
#[derive(Debug)]
struct Numbered {
    desk: FakeDesk,
    kept: Mutex<Vec<Evidence>>,
}

#[async_trait]
impl Desk for Numbered {
    async fn call(&self, tool: &str, arguments: Value) -> Result<CallResult, ToolError> {
        let mut result = self.desk.call(tool, arguments).await?;
        let mut kept = self.kept.lock().unwrap();
        for one in &mut result.evidence {
            one.key = format!("{}_{}", one.key, kept.len() + 1);
            one.id = Some(EvidenceId::numbered(kept.len() + 1));
            kept.push(one.clone());
        }
        Ok(result)
    }
}

/// What an agent said: sentences with their verdicts, and gaps.
#[derive(Debug)]
pub struct Said {
    pub sentences: Vec<String>,
    pub gaps: Vec<String>,
    /// Sentences that are not grounded, with what they cite.
    pub ungrounded: Vec<String>,
}

impl Said {
    pub fn all(&self) -> String {
        self.sentences.join("\n")
    }
}

pub async fn ask(specialists: &Specialists, agent: &str, question: &str) -> Said {
    ask_after(specialists, agent, question, Vec::new()).await
}

/// Asks an agent; every sentence must be grounded in the evidence that it cites.
pub async fn ask_after(
    specialists: &Specialists,
    agent: &str,
    question: &str,
    evidence: Vec<Evidence>,
) -> Said {
    let agent: Arc<dyn Agent> =
        Arc::clone(specialists.agents.iter().find(|own| own.spec().id.as_str() == agent).unwrap());
    let desk = Numbered { desk: FakeDesk::new(registry(specialists), &agent.spec()), kept: Mutex::default() };
    let task =
        AgentTask { task: question.into(), question: question.into(), context: String::new(), evidence };
    let answer = agent.work(task, &desk).await.unwrap();
    let kept = desk.kept.lock().unwrap().clone();
    let (mut sentences, mut ungrounded) = (Vec::new(), Vec::new());
    for line in answer.text.lines() {
        let (sentence, keys) =
            line.split_once(" [").unwrap_or_else(|| panic!("{question}: nothing cited: {line}"));
        let ids: Vec<EvidenceId> = keys
            .trim_end_matches(']')
            .split("][")
            .map(|key| kept.iter().find(|one| one.key == key).and_then(|one| one.id.clone()).unwrap())
            .collect();
        let verdict = ground(&Claim::new(sentence, ids.clone(), Operation::Round), &kept);
        let cited: Vec<&Evidence> =
            kept.iter().filter(|one| one.id.as_ref().is_some_and(|id| ids.contains(id))).collect();
        if verdict == Verdict::Uncheckable {
            println!("uncheckable: {sentence}");
        }
        // Texts without a quantity are no claims that can be checked; anything else must follow.
        if !matches!(verdict, Verdict::Grounded | Verdict::Uncheckable) {
            let cited: Vec<String> = cited
                .iter()
                .map(|one| format!("{} {} {} {:?} {:?}", one.name, one.value, one.unit, one.when, one.place))
                .collect();
            ungrounded.push(format!("{verdict:?}: {sentence} <- {cited:?}"));
        }
        sentences.push(sentence.to_owned());
    }
    Said { sentences, gaps: answer.gaps, ungrounded }
}

/// Asks each question and looks for the words of its answer; `-` before a word forbids it.
pub async fn table(specialists: &Specialists, agent: &str, rows: &[(&str, &[&str])]) {
    let mut failures = Vec::new();
    for (question, words) in rows {
        let said = ask(specialists, agent, question).await;
        let all = said.all();
        failures.extend(said.ungrounded.iter().map(|one| format!("{question}\n   not grounded: {one}")));
        for word in *words {
            let fits = match (word.strip_prefix('-'), word.strip_prefix("gap:")) {
                (_, Some(gap)) => said.gaps.iter().any(|own| own.contains(gap)),
                (Some(_), None) if word.len() > 1 && word.as_bytes()[1].is_ascii_digit() => {
                    all.contains(word)
                }
                (Some(banned), None) => !all.contains(banned),
                (None, None) => all.contains(word),
            };
            if !fits {
                failures
                    .push(format!("{question}\n   lacks `{word}`\n   said: {all}\n   gaps: {:?}", said.gaps));
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
}

//! [`ToldTool`]: a tool that does what its arguments tell it.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use leg_core::run::{Amounts, Resource};
use leg_core::{
    Artifact, Effect, EvidenceDraft, Kind, Port, Tool, ToolContext, ToolError, ToolErrorKind, ToolName,
    ToolOutput, ToolSpec,
};
use serde_json::{Value, json};

use crate::heard::Heard;

/// A tool that does what its arguments tell it, so that one tool serves a whole random plan.
///
/// | argument | what it does |
/// | --- | --- |
/// | `ms` | sleeps on tokio's clock; a stopped call ends at once, but for `deaf: true` |
/// | `block_ms`, `burn_ms` | holds its thread: asleep, or computing |
/// | `tell_ms` | tells its progress this often while it sleeps |
/// | `flaky` | is unavailable for so many attempts of the call |
/// | `fail` | fails with the error kind of this name |
/// | `panic` | panics |
/// | `tokens` | says that it cost so many |
/// | `v` | gives it as the evidence `v` |
/// | `list` | gives it as the evidence `list` |
/// | `rows`, `columns` | are the table that it returns; else the table is all of its arguments but times |
///
/// Clones share the count of calls and attempts.
#[derive(Debug, Clone)]
pub struct ToldTool {
    spec: ToolSpec,
    attempts: Arc<Mutex<BTreeMap<String, usize>>>,
    heard: Heard<Value>,
    open: Arc<AtomicUsize>,
    peak: Arc<AtomicUsize>,
    panics: bool,
    file: Option<PathBuf>,
}

impl ToldTool {
    /// A pure tool of this name.
    pub fn new(name: &str) -> Self {
        let mut spec = ToolSpec::new("fake", "Does what its arguments say.", Port::of(Kind::Table))
            .evidence(&["v", "list"]);
        if let Ok(name) = ToolName::new(name) {
            spec.name = name;
        }
        spec.arguments = json!({"type": "object"});
        Self {
            spec,
            attempts: Arc::default(),
            heard: Heard::default(),
            open: Arc::default(),
            peak: Arc::default(),
            panics: false,
            file: None,
        }
    }

    /// Makes it external: it contacts these hosts.
    #[must_use]
    pub fn external(mut self, hosts: &[&str]) -> Self {
        self.spec = self.spec.hosts(hosts);
        self
    }

    /// Sets what a call changes.
    #[must_use]
    pub fn effect(mut self, effect: Effect) -> Self {
        self.spec = self.spec.effect(effect);
        self
    }

    /// Appends a line to this file at the end of every call, before it answers: it survives the end of the process.
    #[must_use]
    pub fn counting_in(mut self, file: PathBuf) -> Self {
        self.file = Some(file);
        self
    }

    /// Panics in every call: for replays, which call nothing.
    #[must_use]
    pub const fn panicking(mut self) -> Self {
        self.panics = true;
        self
    }

    /// The arguments of all attempts so far, in the order of their starts.
    pub fn heard(&self) -> Vec<Value> {
        self.heard.all()
    }

    /// The attempts of each call, by call id.
    pub fn attempts(&self) -> BTreeMap<String, usize> {
        self.attempts.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The most calls that went on at a time.
    pub fn peak(&self) -> usize {
        self.peak.load(Ordering::SeqCst)
    }

    fn enter(&self) -> Open {
        let now = self.open.fetch_add(1, Ordering::SeqCst) + 1;
        self.peak.fetch_max(now, Ordering::SeqCst);
        Open(Arc::clone(&self.open))
    }

    fn count(&self, arguments: &Value) -> Result<(), ToolError> {
        let Some(path) = &self.file else { return Ok(()) };
        let write = || -> std::io::Result<()> {
            let mut file = std::fs::OpenOptions::new().create(true).append(true).open(path)?;
            file.write_all(format!("{}\n", arguments["id"]).as_bytes())
        };
        write().map_err(|error| ToolError::new(ToolErrorKind::Internal, error.to_string()))
    }
}

/// A call that goes on.
struct Open(Arc<AtomicUsize>);

impl Drop for Open {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}

fn number(arguments: &Value, key: &str) -> Option<u64> {
    arguments.get(key).and_then(Value::as_u64)
}

fn time(arguments: &Value, key: &str) -> Option<Duration> {
    number(arguments, key).map(Duration::from_millis)
}

/// Sleeps as it is told.
async fn sleep(arguments: &Value, context: &ToolContext) -> Result<(), ToolError> {
    let Some(mut left) = time(arguments, "ms") else { return Ok(()) };
    let deaf = arguments.get("deaf") == Some(&json!(true));
    let step = time(arguments, "tell_ms").unwrap_or(left).max(Duration::from_millis(1));
    let mut told = 0;
    while !left.is_zero() {
        let part = step.min(left);
        tokio::select! {
            () = context.cancellation().cancelled(), if !deaf => return Err(ToolError::cancelled()),
            () = tokio::time::sleep(part) => {}
        }
        left -= part;
        told += 1;
        if arguments.get("tell_ms").is_some() {
            context.progress(told, 0);
        }
    }
    Ok(())
}

#[async_trait]
impl Tool for ToldTool {
    fn spec(&self) -> ToolSpec {
        self.spec.clone()
    }

    #[expect(clippy::disallowed_methods, reason = "a tool that computes for long needs a real clock")]
    async fn call(&self, arguments: Value, context: &ToolContext) -> Result<ToolOutput, ToolError> {
        assert!(!self.panics, "`{}` is called, and must not be", self.spec.name);
        let _open = self.enter();
        self.heard.push(arguments.clone());
        let attempt = {
            let mut attempts = self.attempts.lock().unwrap_or_else(PoisonError::into_inner);
            let attempt = attempts.entry(context.call_id().to_string()).or_default();
            *attempt += 1;
            *attempt
        };
        sleep(&arguments, context).await?;
        if let Some(time) = time(&arguments, "block_ms") {
            std::thread::sleep(time);
        }
        if let Some(time) = time(&arguments, "burn_ms") {
            let started = std::time::Instant::now();
            while started.elapsed() < time {
                std::hint::spin_loop();
            }
        }
        self.count(&arguments)?;
        if number(&arguments, "flaky").is_some_and(|times| attempt as u64 <= times) {
            return Err(ToolError::new(ToolErrorKind::Unavailable, "unavailable, as it was told"));
        }
        if let Some(kind) = arguments.get("fail") {
            let kind = serde_json::from_value(kind.clone()).unwrap_or(ToolErrorKind::Internal);
            return Err(ToolError::new(kind, "it fails, as it was told"));
        }
        assert!(arguments.get("panic").is_none(), "it panics, as it was told");
        let mut content = arguments.clone();
        if let Some(rows) = arguments.get("rows") {
            content = json!({"columns": arguments["columns"], "rows": rows});
        } else if let Some(members) = content.as_object_mut() {
            members.retain(|key, _| !key.ends_with("ms"));
        }
        let evidence = ["v", "list"].into_iter().filter_map(|name| {
            Some(EvidenceDraft::new(name, arguments.get(name)?.clone(), "1", "as it was told"))
        });
        let mut output =
            ToolOutput::of(Artifact::document(Kind::Table, "told", content)).with_evidence(evidence);
        if let Some(tokens) = number(&arguments, "tokens") {
            output.usage = Amounts::default().with(Resource::Tokens, tokens as f64);
        }
        Ok(output)
    }
}

//! [`NodeRecord`]: a node with what it was to do and how each of its runs ended.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::Value;

use super::ErrorRecord;
use super::fields::{at, count, member, text};
use crate::graph::referenced_nodes;
use crate::ledger::{Entry, EntryKind};
use crate::plan::{Body, Plan};
use crate::run::NodeWords;
use crate::{Artifact, Digest, ObjectStore, Status, Summary};

/// A node of the graph that ran.
///
/// ```
/// use leg_core::Status;
/// use leg_core::export::RunRecord;
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let runs = tempfile::tempdir()?;
/// let (_, folder) = leg_testkit::small_run(runs.path()).await;
/// let record = RunRecord::read(&folder)?;
/// let sst = record.nodes.iter().find(|node| node.id == "sst").unwrap();
/// assert_eq!((sst.kind.as_str(), sst.status()), ("tool", Status::Ok));
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct NodeRecord {
    /// Its id.
    pub id: String,
    /// `tool`, `agent`, `image`, `consolidator`, `cross_track_merge` or `reporter`.
    pub kind: String,
    /// Its track; the merge and the reporter have none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub track: Option<String>,
    /// Its layer in the track, from 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub layer: Option<u64>,
    /// The tool or the agent that does its work.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub worker: Option<String>,
    /// An agent's task.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub task: Option<String>,
    /// The nodes whose results it names.
    pub uses: Vec<String>,
    /// Its runs, first to last; the last one counts.
    pub runs: Vec<NodeRun>,
}

/// One run of a node: a re-fired or re-planned node has several.
///
/// ```
/// use leg_core::export::{NodeRun, RunRecord};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let runs = tempfile::tempdir()?;
/// let (_, folder) = leg_testkit::small_run(runs.path()).await;
/// let record = RunRecord::read(&folder)?;
/// let run: &NodeRun = record.nodes[0].last().unwrap();
/// assert_eq!((run.revision, run.attempt), (0, 0));
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct NodeRun {
    /// The revision of the plan.
    pub revision: u64,
    /// The attempt, from 0.
    pub attempt: u64,
    /// When it began; absent for a node that had nothing to do or could not start.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub started: Option<String>,
    /// When it ended, ISO 8601.
    pub ended: String,
    /// How long it took, in microseconds.
    pub duration_us: u64,
    /// How it ended.
    pub status: Status,
    /// Why it did not end well.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<ErrorRecord>,
    /// What an agent or a fold wrote.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// The plan that an agent answered with; its nodes stand after this one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub plan: Option<Value>,
    /// What a fan-out joined, by output name; what calls gave stands with the calls.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub outputs: BTreeMap<String, Summary>,
}

impl NodeRecord {
    /// The run that counts.
    pub fn last(&self) -> Option<&NodeRun> {
        self.runs.last()
    }

    /// How it ended.
    pub fn status(&self) -> Status {
        self.last().map_or(Status::Cancelled, |run| run.status)
    }

    /// What a plan says of its nodes, by id.
    pub(super) fn of_plan(plan: &Plan) -> BTreeMap<String, Self> {
        let mut nodes = BTreeMap::new();
        for track in &plan.tracks {
            match &track.body {
                Body::Steps(steps) => {
                    for step in steps {
                        let mut node = Self::new(step.id.as_str(), "tool");
                        node.worker = Some(step.tool.to_string());
                        for used in referenced_nodes(step) {
                            if !node.uses.iter().any(|known| known == used) {
                                node.uses.push(used.to_owned());
                            }
                        }
                        nodes.insert(node.id.clone(), node);
                    }
                }
                Body::Layers(layers) => {
                    for step in layers.iter().flat_map(|layer| &layer.nodes) {
                        let mut node = Self::new(step.id.as_str(), "agent");
                        node.worker = Some(step.agent.to_string());
                        node.task = Some(step.task.clone());
                        nodes.insert(node.id.clone(), node);
                    }
                }
            }
        }
        nodes
    }

    /// A node that nothing is known of but its id.
    pub(super) fn new(id: &str, kind: &str) -> Self {
        Self {
            id: id.to_owned(),
            kind: kind.to_owned(),
            track: None,
            layer: None,
            worker: None,
            task: None,
            uses: Vec::new(),
            runs: Vec::new(),
        }
    }

    /// A node that the run made of this one, such as `s[0]` of a fan-out.
    pub(super) fn child(&self, id: &str) -> Self {
        Self { id: id.to_owned(), runs: Vec::new(), ..self.clone() }
    }
}

impl NodeRun {
    /// Whether something was done: a node that was skipped, or could not start, did nothing.
    pub fn did_work(&self) -> bool {
        self.started.is_some() || !self.outputs.is_empty()
    }
}

/// All runs of all nodes, by node, in the order of the ledger.
pub(super) fn runs(entries: &[Entry], objects: &dyn ObjectStore) -> BTreeMap<String, Vec<NodeRun>> {
    let mut started: BTreeMap<(String, u64, u64), String> = BTreeMap::new();
    let mut texts: BTreeMap<(String, u64, u64), String> = BTreeMap::new();
    let mut joined: BTreeMap<(String, u64, u64), BTreeMap<String, Summary>> = BTreeMap::new();
    let mut runs: BTreeMap<String, Vec<NodeRun>> = BTreeMap::new();
    for entry in entries {
        let key = (text(entry, "node"), count(entry, "rev"), count(entry, "attempt"));
        match entry.kind {
            EntryKind::NodeStarted => {
                started.insert(key, at(entry));
            }
            EntryKind::Merge if entry.text("role") == Some("join") => {
                joined.insert(key, outputs(entry, objects));
            }
            EntryKind::Merge => {
                texts.insert(key, text(entry, "text"));
            }
            EntryKind::NodeFinished => {
                let (id, revision, attempt) = key.clone();
                let status = entry.core.get("status").cloned().unwrap_or_default();
                runs.entry(id).or_default().push(NodeRun {
                    revision,
                    attempt,
                    started: started.remove(&key),
                    ended: at(entry),
                    duration_us: member(&entry.meta, "duration_us"),
                    status: serde_json::from_value(status).unwrap_or(Status::OutcomeUnknown),
                    error: error(entry),
                    text: texts
                        .remove(&key)
                        .or_else(|| words(entry, objects).map(|words| words.text))
                        .filter(|text| !text.is_empty()),
                    plan: words(entry, objects).and_then(|words| words.graph),
                    outputs: joined.remove(&key).unwrap_or_default(),
                });
            }
            _ => {}
        }
    }
    runs
}

/// Why a node did not end well, in either form of the record.
fn error(entry: &Entry) -> Option<ErrorRecord> {
    member::<Option<ErrorRecord>>(&entry.core, "error").or_else(|| {
        let message = entry.text("reason")?.to_owned();
        Some(ErrorRecord { kind: text(entry, "status"), message })
    })
}

/// What a node said, where it was kept.
fn words(entry: &Entry, objects: &dyn ObjectStore) -> Option<NodeWords> {
    NodeWords::read(&entry.digest("output")?, objects)
}

/// The artifacts that a record names, where they were kept.
fn outputs(entry: &Entry, objects: &dyn ObjectStore) -> BTreeMap<String, Summary> {
    let named: BTreeMap<String, Digest> = member(&entry.core, "outputs");
    let summary = |digest: &Digest| {
        let bytes = objects.get(digest).ok()?;
        Some(Artifact::decode(&bytes).ok()?.summary(&bytes))
    };
    named.into_iter().filter_map(|(name, digest)| Some((name, summary(&digest)?))).collect()
}

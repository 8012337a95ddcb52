//! [`RunRecord`]: a finished run, whole, as plain data.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::Value;

use super::call_record::{CallRecord, calls};
use super::fields::{at, member, text};
use super::node_record::{NodeRecord, runs};
use super::order::{arrange, last};
use crate::export::ExportError;
use crate::export::beside::plan_digest;
use crate::ledger::{Entry, EntryKind, LEDGER, RunFolder, Verification, read, verify};
use crate::plan::{Plan, parse};
use crate::run::Figure;
use crate::{Claim, Digest, Evidence, FolderObjects, Gap, ObjectStore, Section, Status, Summary};

/// A finished run that verifies.
///
/// ```
/// use leg_core::export::RunRecord;
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let runs = tempfile::tempdir()?;
/// let (_, folder) = leg_testkit::small_run(runs.path()).await;
/// let record = RunRecord::read(&folder)?;
/// assert_eq!((record.question.as_str(), record.approved_by()), ("How warm was the water?", "test"));
/// assert_eq!(record.calls.len(), 2);
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Serialize)]
pub struct RunRecord {
    /// Its id.
    pub run_id: String,
    /// The engine and its version.
    pub engine: String,
    /// What was known of the run when it started: datasets and the like.
    pub facts: Value,
    /// The question.
    pub question: String,
    /// When it began, ISO 8601.
    pub started: String,
    /// When it ended.
    pub finished: String,
    /// How it ended.
    pub status: Status,
    /// The content root.
    pub content_root: Option<Digest>,
    /// The log root.
    pub log_root: Digest,
    /// What was checked when this was read.
    pub verification: Verification,
    /// Who proposed the plan.
    pub proposed_by: Option<String>,
    /// Who approved it, and each later revision.
    pub approvals: Vec<ApprovalRecord>,
    /// The plan that ran, after all routing rules.
    pub plan: Value,
    /// The object that holds it.
    pub plan_object: Digest,
    /// The routing rules that changed it, in order.
    pub rules: Vec<String>,
    /// Its tracks.
    pub tracks: Vec<TrackRecord>,
    /// Its nodes: track by track, layer by layer, then the merge and the reporter.
    pub nodes: Vec<NodeRecord>,
    /// All calls, in the order of their nodes.
    pub calls: Vec<CallRecord>,
    /// The sentences of the report.
    pub sections: Vec<Section>,
    /// What could not be found out.
    pub gaps: Vec<Gap>,
    /// What a reader must know.
    pub notes: Vec<String>,
    /// Its pictures.
    pub figures: Vec<Figure>,
    /// All evidence, with the call that gave it.
    pub evidence: Vec<RecordedEvidence>,
    /// Files that the run wrote, with their digests.
    pub files: BTreeMap<String, Digest>,
    /// How many ledger entries there are.
    pub entries: usize,
    #[serde(skip)]
    folder: RunFolder,
    #[serde(skip)]
    objects: FolderObjects,
    #[serde(skip)]
    ledger: Vec<Entry>,
}

/// Somebody agreed to run a plan.
///
/// ```
/// use leg_core::export::RunRecord;
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let runs = tempfile::tempdir()?;
/// let (_, folder) = leg_testkit::small_run(runs.path()).await;
/// assert_eq!(RunRecord::read(&folder)?.approvals[0].by, "test");
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ApprovalRecord {
    /// The digest of what was approved.
    pub plan_digest: Digest,
    /// Who: a person, or a policy such as `--yes`.
    pub by: String,
    /// When, ISO 8601.
    pub given: String,
}

/// A track with its layers of node ids.
///
/// ```
/// use leg_core::export::RunRecord;
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let runs = tempfile::tempdir()?;
/// let (_, folder) = leg_testkit::small_run(runs.path()).await;
/// let track = &RunRecord::read(&folder)?.tracks[0];
/// assert_eq!(track.layers, [["sst"], ["mean"]]);
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct TrackRecord {
    /// Its id.
    pub id: String,
    /// What it was to find.
    pub goal: String,
    /// The step whose output is its result.
    pub result: Option<String>,
    /// Its layers.
    pub layers: Vec<Vec<String>>,
}

/// Evidence with the call that gave it.
///
/// ```
/// use leg_core::export::RunRecord;
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let runs = tempfile::tempdir()?;
/// let (_, folder) = leg_testkit::small_run(runs.path()).await;
/// let record = RunRecord::read(&folder)?;
/// let mean = record.evidence.iter().find(|one| one.evidence.key == "mean.mean").unwrap();
/// assert_eq!(mean.node.as_deref(), Some("mean"));
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RecordedEvidence {
    /// The quantity.
    pub evidence: Evidence,
    /// The node.
    pub node: Option<String>,
    /// The call.
    pub call: Option<Digest>,
}

impl RunRecord {
    /// Reads a run folder and verifies it first: an export never passes on what was altered.
    ///
    /// # Errors
    /// [`ExportError::Altered`] for a run that does not verify or did not end; [`ExportError::Ledger`],
    /// [`ExportError::Store`] or [`ExportError::Missing`] when a part cannot be read.
    pub fn read(folder: &RunFolder) -> Result<Self, ExportError> {
        let verification = verify(folder, None)?;
        if let Some(first) = verification.faults.first() {
            let count = verification.faults.len();
            return Err(ExportError::Altered { count, first: Box::new(first.clone()) });
        }
        Self::verified(folder, verification)
    }

    /// Reads a run folder that was verified just now.
    pub(crate) fn verified(folder: &RunFolder, verification: Verification) -> Result<Self, ExportError> {
        let objects = FolderObjects::of_run(folder.path());
        let ledger = read(&folder.read(LEDGER)?, LEDGER).entries;
        let opening = first(&ledger, EntryKind::RunStarted).ok_or(ExportError::Missing("run_started"))?;
        let end = last(&ledger, EntryKind::RunFinished).ok_or(ExportError::Missing("run_finished"))?;
        let (plan_object, plan) = plan(&ledger, &objects)?;
        let (tracks, nodes) = arrange(&ledger, &plan, &objects, runs(&ledger, &objects));
        let mut calls = calls(&ledger, &objects)?;
        let place = |call: &CallRecord| nodes.iter().position(|node| node.id == call.node);
        calls.sort_by_key(|call| (place(call), call.revision, call.attempt, call.ordinal));
        let report: Value = serde_json::from_slice(&folder.read("report.json")?).unwrap_or_default();
        let evidence = evidence(member(&report, "evidence"), &mut calls);
        Ok(Self {
            run_id: member(&opening.meta, "run"),
            engine: member(&opening.meta, "engine"),
            facts: member(&opening.meta, "facts"),
            question: text(opening, "question"),
            started: at(opening),
            finished: at(end),
            status: serde_json::from_value(end.core.get("status").cloned().unwrap_or_default())
                .map_err(|_| ExportError::Missing("run_finished"))?,
            content_root: verification.content_root,
            log_root: verification.log_root,
            verification,
            proposed_by: first(&ledger, EntryKind::PlanProposed).map(|entry| member(&entry.meta, "by")),
            approvals: approvals(&ledger),
            plan: plan.to_json(),
            plan_object,
            rules: ledger
                .iter()
                .filter(|entry| entry.kind == EntryKind::RuleApplied)
                .map(|entry| text(entry, "rule"))
                .collect(),
            tracks,
            nodes,
            calls,
            sections: member(&report, "sections"),
            gaps: member(&report, "gaps"),
            notes: member(&report, "notes"),
            figures: member(&report, "figures"),
            evidence,
            files: member(&end.core, "files"),
            entries: ledger.len(),
            folder: folder.clone(),
            objects,
            ledger,
        })
    }

    /// Who approved the run.
    pub fn approved_by(&self) -> &str {
        self.approvals.first().map_or("nobody", |approval| approval.by.as_str())
    }

    /// All claims in order.
    pub fn claims(&self) -> impl Iterator<Item = &Claim> {
        self.sections.iter().flat_map(|section| &section.claims)
    }

    /// The calls of a node's run, in order.
    pub fn calls_of<'a>(
        &'a self,
        node: &'a str,
        revision: u64,
        attempt: u64,
    ) -> impl Iterator<Item = &'a CallRecord> {
        let own = move |call: &&CallRecord| {
            call.node == node && call.revision == revision && call.attempt == attempt
        };
        self.calls.iter().filter(own)
    }

    /// All artifacts that calls and fan-outs gave, by digest.
    pub fn artifacts(&self) -> BTreeMap<Digest, &Summary> {
        let outputs = self.calls.iter().flat_map(|call| call.outputs.values());
        let joined = self.nodes.iter().flat_map(|node| &node.runs).flat_map(|run| run.outputs.values());
        outputs.chain(joined).map(|summary| (summary.digest, summary)).collect()
    }

    /// The run's folder.
    pub const fn folder(&self) -> &RunFolder {
        &self.folder
    }

    /// The run's objects.
    pub fn objects(&self) -> &dyn ObjectStore {
        &self.objects
    }

    /// The run's ledger.
    pub fn ledger(&self) -> &[Entry] {
        &self.ledger
    }
}

fn first(entries: &[Entry], kind: EntryKind) -> Option<&Entry> {
    entries.iter().find(|entry| entry.kind == kind)
}

/// The plan that ran, and the object that holds it.
fn plan(entries: &[Entry], objects: &dyn ObjectStore) -> Result<(Digest, Plan), ExportError> {
    let missing = ExportError::Missing("plan_approved");
    let Some(digest) = plan_digest(entries) else { return Err(missing) };
    let json: Value = serde_json::from_slice(&objects.get(&digest)?).unwrap_or_default();
    match parse(&json) {
        Ok(plan) => Ok((digest, plan)),
        Err(_) => Err(missing),
    }
}

fn approvals(entries: &[Entry]) -> Vec<ApprovalRecord> {
    let approved = entries.iter().filter(|entry| entry.kind == EntryKind::PlanApproved);
    let record = |entry: &Entry| {
        Some(ApprovalRecord {
            plan_digest: entry.digest("plan_digest")?,
            by: member(&entry.meta, "by"),
            given: member(&entry.meta, "given"),
        })
    };
    approved.filter_map(record).collect()
}

/// Ties the report's evidence to the calls, and gives the calls' evidence its ids. Of several calls that gave the
/// same quantity, as after a node was fired again, the last one counts.
fn evidence(report: Vec<Evidence>, calls: &mut [CallRecord]) -> Vec<RecordedEvidence> {
    let mut origins: BTreeMap<String, (String, Digest)> = BTreeMap::new();
    let ids: BTreeMap<&str, _> = report.iter().map(|item| (item.key.as_str(), &item.id)).collect();
    let mut by_time: Vec<&mut CallRecord> = calls.iter_mut().collect();
    by_time.sort_by_key(|call| call.seq);
    for call in by_time {
        for item in &mut call.evidence {
            item.id = ids.get(item.key.as_str()).copied().cloned().flatten();
            origins.insert(item.key.clone(), (call.node.clone(), call.id));
        }
    }
    let tied = |item: Evidence| {
        let (node, call) = origins.get(&item.key).cloned().unzip();
        RecordedEvidence { evidence: item, node, call }
    };
    report.into_iter().map(tied).collect()
}

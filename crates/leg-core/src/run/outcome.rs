//! [`RunOutcome`]: what a finished run leaves, and its JSON document.

use std::sync::Arc;

use serde_json::{Map, Value, json};

use crate::graph::NodeKind;
use crate::ledger::LedgerError;
use crate::run::{Attribution, NodeOutput, Report};
use crate::{
    Digest, Domain, Evidence, NodeId, ObjectStore, ObjectStoreExt as _, Plan, RunId, Status, Summary, TrackId,
};

/// What a finished run leaves.
///
/// ```
/// use leg_core::Status;
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let runs = tempfile::tempdir()?;
/// let (outcome, _) = leg_testkit::small_run(runs.path()).await;
/// assert_eq!(outcome.status, Status::Ok);
/// assert!(outcome.is_good(), "it ended well, is recorded, and every number of its report is backed");
/// let json = outcome.to_json(&outcome.plan);
/// assert_eq!(json["content_root"], outcome.content_root.to_string());
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct RunOutcome {
    /// The run.
    pub run_id: RunId,
    /// How it ended.
    pub status: Status,
    /// The content root; [`Digest::NOTHING`] when no ledger was kept: nothing is hashed then.
    pub content_root: Digest,
    /// The log root, when a ledger was kept.
    pub log_root: Option<Digest>,
    /// The plan that was proposed; the one that ran when nobody proposed one.
    pub plan: Arc<Plan>,
    /// Its nodes, in graph order.
    pub nodes: Vec<NodeEnd>,
    /// What it spent, and what it may.
    pub usage: Value,
    /// The answer.
    pub report: Report,
    /// Why the ledger or the folder could not be written.
    pub error: Option<LedgerError>,
}

/// A node that has ended.
///
/// ```
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let runs = tempfile::tempdir()?;
/// let (outcome, _) = leg_testkit::small_run(runs.path()).await;
/// let mean = outcome.nodes.iter().find(|node| node.id.as_str() == "mean").unwrap();
/// assert_eq!(mean.output.evidence[0].value, 19.0);
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone)]
pub struct NodeEnd {
    /// The node.
    pub id: NodeId,
    /// Its track.
    pub track: Option<TrackId>,
    /// What it does.
    pub kind: NodeKind,
    /// What it left.
    pub output: Arc<NodeOutput>,
    /// How long it took, in microseconds.
    pub duration_us: u64,
}

impl RunOutcome {
    /// The outcome of a run whose driver was lost; it cannot happen while the runtime lives.
    pub(crate) fn lost() -> Self {
        let report = Report {
            question: String::new(),
            sections: Vec::new(),
            gaps: Vec::new(),
            notes: Vec::new(),
            figures: Vec::new(),
            evidence: Vec::new(),
            dropped: Vec::new(),
            attribution: Attribution::default(),
        };
        let run_id = RunId::lost();
        let content_root = Digest::of(Domain::Run, b"");
        Self {
            run_id,
            status: Status::Failed,
            content_root,
            log_root: None,
            plan: Arc::new(Plan {
                version: crate::plan::PLAN_VERSION,
                question: String::new(),
                tracks: Vec::new(),
            }),
            nodes: Vec::new(),
            usage: Value::Null,
            report,
            error: None,
        }
    }

    /// Whether the run ended well and every number of its report is backed.
    pub fn is_good(&self) -> bool {
        self.status.is_ok() && self.report.is_grounded()
    }

    /// The document that `ask` and `run` print with `--json`.
    pub fn to_json(&self, plan: &Plan) -> Value {
        let steps: Vec<Value> = self.nodes.iter().map(|node| node.to_json(&self.report.evidence)).collect();
        let artifacts: Vec<Value> = self
            .nodes
            .iter()
            .flat_map(|node| {
                node.output.outputs.iter().map(|(name, summary)| artifact_json(&node.id, name, summary))
            })
            .collect();
        json!({
            "run_id": self.run_id,
            "status": self.status,
            "content_root": self.content_root,
            "log_root": self.log_root,
            "plan": plan.to_json(),
            "steps": steps,
            "report": self.report.to_json(),
            "attribution": self.report.attribution,
            "usage": self.usage,
            "artifacts": artifacts,
        })
    }

    /// The document with the arrays of up to `limit` numbers in all (`--values`); larger ones stay out.
    pub fn to_json_with_values(&self, plan: &Plan, objects: &dyn ObjectStore, limit: usize) -> Value {
        let mut document = self.to_json(plan);
        let mut room = limit;
        for artifact in document.get_mut("artifacts").and_then(Value::as_array_mut).into_iter().flatten() {
            let digest =
                artifact.get("digest").and_then(Value::as_str).and_then(|text| text.parse::<Digest>().ok());
            let Some(full) = digest.and_then(|digest| objects.get_artifact(&digest).ok()) else { continue };
            let numbers: usize = full.variables.iter().map(|variable| variable.values.len()).sum();
            if numbers <= room
                && let (Value::Object(members), Value::Object(values)) = (artifact, full.to_json())
            {
                room -= numbers;
                members.extend(values);
            }
        }
        document
    }
}

impl NodeEnd {
    fn to_json(&self, all: &[Evidence]) -> Value {
        let mut out = Map::new();
        out.insert("id".into(), json!(self.id));
        out.insert("kind".into(), json!(self.kind.name()));
        if let Some(track) = &self.track {
            out.insert("track".into(), json!(track));
        }
        match &self.kind {
            NodeKind::Tool(step) => {
                out.insert("tool".into(), json!(step.tool));
            }
            NodeKind::Agent(step) => {
                out.insert("agent".into(), json!(step.agent));
            }
            _ => {}
        }
        out.insert("status".into(), json!(self.output.status));
        out.insert("duration_ms".into(), json!(self.duration_us as f64 / 1000.0));
        if let Some(error) = &self.output.error {
            out.insert("error".into(), json!(error));
        }
        // The records of the report have their ids.
        let evidence: Vec<&Evidence> = self
            .output
            .evidence
            .iter()
            .map(|own| all.iter().find(|e| e.key == own.key).unwrap_or(own))
            .collect();
        out.insert("evidence".into(), json!(evidence));
        let artifacts =
            self.output.outputs.iter().map(|(name, summary)| artifact_json(&self.id, name, summary));
        out.insert("artifacts".into(), artifacts.collect());
        Value::Object(out)
    }
}

fn artifact_json(node: &NodeId, name: &str, summary: &Summary) -> Value {
    json!({
        "step": node,
        "output": name,
        "digest": summary.digest,
        "kind": summary.kind,
        "name": summary.name,
        "units": summary.units,
        "dims": summary.dims,
        "shape": summary.shape,
        "bytes": summary.bytes,
    })
}

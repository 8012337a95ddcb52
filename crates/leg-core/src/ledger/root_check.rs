//! Computes the content root again from ledger records alone.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::canonical;
use crate::ledger::content_root::{CallContent, NodeContent, layer_digest, run_digest, track_digest};
use crate::ledger::core_member::{digest, number, text};
use crate::ledger::{Entry, EntryKind};
use crate::{Claim, Digest, Domain, NodeId, Status, TrackId};

/// The content root that follows from the records, or every place and reason why none does.
pub(crate) fn content_root(entries: &[Entry]) -> Result<Digest, Vec<(u64, String)>> {
    let mut records = Records::default();
    let mut faults = Vec::new();
    for entry in entries {
        if let Err(reason) = records.take(entry) {
            faults.push((entry.seq, reason));
        }
    }
    match records.root() {
        Ok(root) if faults.is_empty() => Ok(root),
        Err(reason) if faults.is_empty() => Err(vec![(entries.last().map_or(0, |entry| entry.seq), reason)]),
        // Why the root does not follow is told already.
        _ => Err(faults),
    }
}

/// A node and the number of its firing in the plan revision.
type Fired = (NodeId, u64);

#[derive(Default)]
struct Records {
    /// Tool and digest of the arguments, by ordinal.
    started: BTreeMap<(Fired, u64), (String, Digest)>,
    /// Digest of a call, by ordinal.
    calls: BTreeMap<Fired, BTreeMap<u64, Digest>>,
    /// The last end of a node, with the number of its firing.
    nodes: BTreeMap<NodeId, (u64, Digest)>,
    layers: BTreeMap<TrackId, BTreeMap<u64, Digest>>,
    claims: Vec<Claim>,
    end: Option<Value>,
}

impl Records {
    fn take(&mut self, entry: &Entry) -> Result<(), String> {
        match entry.kind {
            // What an earlier revision of the plan did is superseded.
            EntryKind::PlanRevision if matches!(entry.text("cause"), Some("replan" | "resume")) => {
                *self = Self::default();
            }
            EntryKind::CallStarted => {
                let args = match entry.core.get("args") {
                    Some(args) => {
                        Digest::of(Domain::Object, &canonical::to_vec(args).map_err(|e| e.to_string())?)
                    }
                    None => digest(&entry.core, "args_object")?,
                };
                let tool = text(&entry.core, "tool")?.to_owned();
                self.started.insert((fired(&entry.core)?, number(&entry.core, "ordinal")?), (tool, args));
            }
            // A late result is recorded and belongs to nothing.
            EntryKind::CallFinished if entry.text("status") == Some("late") => {}
            EntryKind::CallFinished => self.call(&entry.core)?,
            EntryKind::NodeFinished => self.node(&entry.core)?,
            EntryKind::LayerFinished => self.layer(&entry.core)?,
            EntryKind::Claim => {
                let mut claim = entry.core.clone();
                if let Some(members) = claim.as_object_mut() {
                    members.remove("n");
                }
                self.claims.push(serde_json::from_value(claim).map_err(|error| error.to_string())?);
            }
            EntryKind::RunFinished => self.end = Some(entry.core.clone()),
            _ => {}
        }
        Ok(())
    }

    fn node(&mut self, core: &Value) -> Result<(), String> {
        let (id, attempt) = fired(core)?;
        let calls = self.calls.get(&(id.clone(), attempt));
        let calls = calls.map(|calls| calls.values().copied().collect()).unwrap_or_default();
        let children = if core.get("children").is_some() {
            self.digests(core, "children")?
        } else if core.get("tracks").is_some() {
            self.tracks(core)?
        } else {
            Vec::new()
        };
        let content = NodeContent { id: id.clone(), status: status(core)?, calls, children }.digest();
        if self.nodes.get(&id).is_some_and(|(before, _)| *before >= attempt) {
            return Err(format!("node `{id}` ends twice"));
        }
        // What is built on a wrong digest is not wrong once more.
        let stated = digest(core, "digest")?;
        self.nodes.insert(id.clone(), (attempt, stated));
        if content == stated {
            Ok(())
        } else {
            Err(format!("the digest of node `{id}` does not follow from its calls"))
        }
    }

    fn call(&mut self, core: &Value) -> Result<(), String> {
        let (id, ordinal) = (fired(core)?, number(core, "ordinal")?);
        let name = id.0.clone();
        let (tool, args) = self
            .started
            .get(&(id.clone(), ordinal))
            .cloned()
            .ok_or_else(|| format!("call {ordinal} of node `{name}` ends and never started"))?;
        let outputs = core.get("outputs").cloned().unwrap_or_default();
        let outputs = serde_json::from_value(outputs).map_err(|error| format!("outputs: {error}"))?;
        let content =
            CallContent { tool, args, status: status(core)?, outputs, evidence: digest(core, "evidence")? };
        if self.calls.entry(id).or_default().insert(ordinal, content.digest()).is_some() {
            return Err(format!("call {ordinal} of node `{name}` ends twice"));
        }
        Ok(())
    }

    fn layer(&mut self, core: &Value) -> Result<(), String> {
        let index = number(core, "layer")?;
        let nodes = self.digests(core, "nodes")?;
        let found = layer_digest(usize::try_from(index).unwrap_or(usize::MAX), &nodes);
        let track = TrackId::new(text(core, "track")?).map_err(|error| error.to_string())?;
        let stated = digest(core, "digest")?;
        self.layers.entry(track).or_default().insert(index, stated);
        if found == stated {
            Ok(())
        } else {
            Err(format!("the digest of layer {index} does not follow from its nodes"))
        }
    }

    /// The digests of the nodes that a member names.
    fn digests(&self, core: &Value, key: &str) -> Result<Vec<Digest>, String> {
        let names = core.get(key).and_then(Value::as_array).ok_or_else(|| format!("`{key}` is missing"))?;
        let find = |name: &Value| {
            let name = name.as_str().unwrap_or_default();
            self.nodes.get(name).map(|(_, digest)| *digest).ok_or_else(|| format!("node `{name}` has no end"))
        };
        names.iter().map(find).collect()
    }

    /// The digests of the tracks that `core` names.
    fn tracks(&self, core: &Value) -> Result<Vec<Digest>, String> {
        let names = core.get("tracks").and_then(Value::as_array).ok_or("`tracks` is missing")?;
        let track = |name: &Value| {
            let id = TrackId::new(name.as_str().unwrap_or_default()).map_err(|error| error.to_string())?;
            let layers: Vec<Digest> =
                self.layers.get(&id).map(|layers| layers.values().copied().collect()).unwrap_or_default();
            Ok(track_digest(&id, &layers))
        };
        names.iter().map(track).collect()
    }

    fn root(&self) -> Result<Digest, String> {
        let end = self.end.as_ref().ok_or("there is no `run_finished`")?;
        let tracks = self.tracks(end)?;
        Ok(run_digest(&tracks, &self.digests(end, "finals")?, &self.claims, status(end)?))
    }
}

fn node(core: &Value) -> Result<NodeId, String> {
    NodeId::new(text(core, "node")?).map_err(|error| error.to_string())
}

/// The node of a record, and the number of its firing.
fn fired(core: &Value) -> Result<Fired, String> {
    Ok((node(core)?, core.get("attempt").and_then(Value::as_u64).unwrap_or(0)))
}

fn status(core: &Value) -> Result<Status, String> {
    let value = core.get("status").cloned().unwrap_or_default();
    serde_json::from_value(value).map_err(|error| format!("`status`: {error}"))
}

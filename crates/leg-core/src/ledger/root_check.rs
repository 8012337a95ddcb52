//! Computes the content root again from ledger records alone.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::canonical;
use crate::ledger::content_root::{CallContent, NodeContent, layer_digest, run_digest, track_digest};
use crate::ledger::{Entry, EntryKind};
use crate::{Claim, Digest, Domain, NodeId, Status, TrackId};

/// The content root that follows from the records, or the place and reason why none does.
pub(crate) fn content_root(entries: &[Entry]) -> Result<Digest, (u64, String)> {
    let mut records = Records::default();
    for entry in entries {
        records.take(entry).map_err(|reason| (entry.seq, reason))?;
    }
    records.root().map_err(|reason| (entries.last().map_or(0, |entry| entry.seq), reason))
}

#[derive(Default)]
struct Records {
    /// Tool and digest of the arguments, by node and ordinal.
    started: BTreeMap<(NodeId, u64), (String, Digest)>,
    /// Digest of a call, by node and ordinal.
    calls: BTreeMap<NodeId, BTreeMap<u64, Digest>>,
    nodes: BTreeMap<NodeId, Digest>,
    layers: BTreeMap<TrackId, BTreeMap<u64, Digest>>,
    claims: Vec<Claim>,
    end: Option<Value>,
}

impl Records {
    fn take(&mut self, entry: &Entry) -> Result<(), String> {
        match entry.kind {
            EntryKind::CallStarted => {
                let args = match entry.core.get("args") {
                    Some(args) => {
                        Digest::of(Domain::Object, &canonical::to_vec(args).map_err(|e| e.to_string())?)
                    }
                    None => digest(&entry.core, "args_object")?,
                };
                let tool = text(&entry.core, "tool")?.to_owned();
                self.started.insert((node(&entry.core)?, number(&entry.core, "ordinal")?), (tool, args));
            }
            EntryKind::CallFinished => self.call(&entry.core)?,
            EntryKind::NodeFinished => {
                let id = node(&entry.core)?;
                let calls =
                    self.calls.get(&id).map(|calls| calls.values().copied().collect()).unwrap_or_default();
                let content = NodeContent { id: id.clone(), status: status(&entry.core)?, calls }.digest();
                if content != digest(&entry.core, "digest")? {
                    return Err(format!("the digest of node `{id}` does not follow from its calls"));
                }
                if self.nodes.insert(id.clone(), content).is_some() {
                    return Err(format!("node `{id}` ends twice"));
                }
            }
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

    fn call(&mut self, core: &Value) -> Result<(), String> {
        let (id, ordinal) = (node(core)?, number(core, "ordinal")?);
        let (tool, args) = self
            .started
            .get(&(id.clone(), ordinal))
            .cloned()
            .ok_or_else(|| format!("call {ordinal} of node `{id}` ends and never started"))?;
        let outputs = core.get("outputs").cloned().unwrap_or_default();
        let outputs = serde_json::from_value(outputs).map_err(|error| format!("outputs: {error}"))?;
        let content =
            CallContent { tool, args, status: status(core)?, outputs, evidence: digest(core, "evidence")? };
        if self.calls.entry(id.clone()).or_default().insert(ordinal, content.digest()).is_some() {
            return Err(format!("call {ordinal} of node `{id}` ends twice"));
        }
        Ok(())
    }

    fn layer(&mut self, core: &Value) -> Result<(), String> {
        let index = number(core, "layer")?;
        let nodes = self.digests(core, "nodes")?;
        let found = layer_digest(usize::try_from(index).unwrap_or(usize::MAX), &nodes);
        if found != digest(core, "digest")? {
            return Err(format!("the digest of layer {index} does not follow from its nodes"));
        }
        let track = TrackId::new(text(core, "track")?).map_err(|error| error.to_string())?;
        self.layers.entry(track).or_default().insert(index, found);
        Ok(())
    }

    /// The digests of the nodes that a member names.
    fn digests(&self, core: &Value, key: &str) -> Result<Vec<Digest>, String> {
        let names = core.get(key).and_then(Value::as_array).ok_or_else(|| format!("`{key}` is missing"))?;
        let find = |name: &Value| {
            let name = name.as_str().unwrap_or_default();
            self.nodes.get(name).copied().ok_or_else(|| format!("node `{name}` has no end"))
        };
        names.iter().map(find).collect()
    }

    fn root(&self) -> Result<Digest, String> {
        let end = self.end.as_ref().ok_or("there is no `run_finished`")?;
        let tracks = end.get("tracks").and_then(Value::as_array).ok_or("`tracks` is missing")?;
        let track = |name: &Value| {
            let id = TrackId::new(name.as_str().unwrap_or_default()).map_err(|error| error.to_string())?;
            let layers: Vec<Digest> =
                self.layers.get(&id).map(|layers| layers.values().copied().collect()).unwrap_or_default();
            Ok(track_digest(&id, &layers))
        };
        let tracks = tracks.iter().map(track).collect::<Result<Vec<_>, String>>()?;
        Ok(run_digest(&tracks, &self.digests(end, "finals")?, &self.claims, status(end)?))
    }
}

fn text<'a>(core: &'a Value, key: &str) -> Result<&'a str, String> {
    core.get(key).and_then(Value::as_str).ok_or_else(|| format!("`{key}` is missing"))
}

fn number(core: &Value, key: &str) -> Result<u64, String> {
    core.get(key).and_then(Value::as_u64).ok_or_else(|| format!("`{key}` is missing"))
}

fn digest(core: &Value, key: &str) -> Result<Digest, String> {
    text(core, key)?.parse().map_err(|error| format!("`{key}`: {error}"))
}

fn node(core: &Value) -> Result<NodeId, String> {
    NodeId::new(text(core, "node")?).map_err(|error| error.to_string())
}

fn status(core: &Value) -> Result<Status, String> {
    let value = core.get("status").cloned().unwrap_or_default();
    serde_json::from_value(value).map_err(|error| format!("`status`: {error}"))
}

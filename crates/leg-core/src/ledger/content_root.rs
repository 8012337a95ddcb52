//! The content root: a tree shaped like the graph, over arguments, results and statuses, without times.
//!
//! call → node → layer → track → run, each the digest of a canonical JSON object under its own domain. A verifier
//! computes it again from the ledger alone.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::canonical::{CanonicalError, Writer};
use crate::{Claim, Digest, Domain, Evidence, NodeId, Status, TrackId};

/// A call, as the content root sees it.
///
/// ```
/// use std::collections::BTreeMap;
///
/// use leg_core::ledger::{CallContent, evidence_digest};
/// use leg_core::{Digest, Domain, Status};
///
/// let call = CallContent {
///     tool: "load".to_owned(),
///     args: Digest::of(Domain::Object, b"{}"),
///     status: Status::Ok,
///     outputs: BTreeMap::new(),
///     evidence: evidence_digest(&[]).unwrap(),
/// };
/// let failed = CallContent { status: Status::Failed, ..call.clone() };
/// assert_ne!(call.digest(), failed.digest());
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CallContent {
    /// The tool.
    pub tool: String,
    /// Digest of the canonical arguments as an object; input artifacts are named in them.
    pub args: Digest,
    /// How it ended.
    pub status: Status,
    /// Digests of its outputs.
    pub outputs: BTreeMap<String, Digest>,
    /// Digest of its evidence.
    pub evidence: Digest,
}

/// A node, as the content root sees it.
///
/// ```
/// use leg_core::Status;
/// use leg_core::ledger::NodeContent;
///
/// let node = NodeContent { id: "sst".parse()?, status: Status::Ok, calls: Vec::new(), children: Vec::new() };
/// assert_eq!(node.digest(), node.digest());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NodeContent {
    /// The node.
    pub id: NodeId,
    /// How it ended.
    pub status: Status,
    /// Its calls, in the order of the node.
    pub calls: Vec<Digest>,
    /// What it was expanded to: the nodes of a fan-out, or the tracks of a sub-graph, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub children: Vec<Digest>,
}

/// The digest of evidence, in order, without ids.
///
/// ```
/// use leg_core::ledger::evidence_digest;
/// use leg_core::{Digest, Domain};
///
/// assert_eq!(evidence_digest(&[])?, Digest::of(Domain::Object, b"[]"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`CanonicalError`] when a value has no canonical form.
pub fn evidence_digest(evidence: &[Evidence]) -> Result<Digest, CanonicalError> {
    Ok(Digest::of(Domain::Object, &crate::canonical::to_vec(evidence)?))
}

impl CallContent {
    /// The call's digest.
    pub fn digest(&self) -> Digest {
        let mut out = Writer::with_capacity(320);
        let mut object = out.object();
        object.key("args").digest(&self.args);
        object.key("evidence").digest(&self.evidence);
        let mut outputs = object.key("outputs").object();
        for (name, digest) in &self.outputs {
            outputs.key(name).digest(digest);
        }
        outputs.end();
        object.key("status").str(self.status.as_str());
        object.key("tool").str(&self.tool);
        object.end();
        Digest::of(Domain::Call, out.as_bytes())
    }
}

impl NodeContent {
    /// The node's digest.
    pub fn digest(&self) -> Digest {
        node_digest(&self.id, self.status, &self.calls, &self.children)
    }
}

/// The digest of a node: its calls in order, and what it was expanded to.
pub(crate) fn node_digest(id: &NodeId, status: Status, calls: &[Digest], children: &[Digest]) -> Digest {
    let mut out = Writer::with_capacity(80 * (calls.len() + children.len()) + 160);
    let mut object = out.object();
    list(object.key("calls"), calls);
    if !children.is_empty() {
        list(object.key("children"), children);
    }
    object.key("id").str(id.as_str());
    object.key("status").str(status.as_str());
    object.end();
    Digest::of(Domain::Node, out.as_bytes())
}

/// The digest of a layer: its nodes in plan order, then images and consolidator.
///
/// ```
/// use leg_core::ledger::layer_digest;
///
/// assert_ne!(layer_digest(0, &[]), layer_digest(1, &[]));
/// ```
pub fn layer_digest(index: usize, nodes: &[Digest]) -> Digest {
    let mut out = Writer::with_capacity(80 * (nodes.len() + 1));
    let mut object = out.object();
    object.key("index").count(index as u64);
    list(object.key("nodes"), nodes);
    object.end();
    Digest::of(Domain::Layer, out.as_bytes())
}

/// The digest of a track: its layers in order.
///
/// ```
/// use leg_core::ledger::{layer_digest, track_digest};
///
/// let layers = [layer_digest(0, &[])];
/// assert_ne!(track_digest(&"north".parse()?, &layers), track_digest(&"south".parse()?, &layers));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn track_digest(id: &TrackId, layers: &[Digest]) -> Digest {
    let mut out = Writer::default();
    let mut object = out.object();
    object.key("id").str(id.as_str());
    list(object.key("layers"), layers);
    object.end();
    Digest::of(Domain::Track, out.as_bytes())
}

/// The content root: tracks in plan order, merge and reporter, the claims without their words, and the status.
///
/// ```
/// use leg_core::Status;
/// use leg_core::ledger::run_digest;
///
/// assert_ne!(run_digest(&[], &[], &[], Status::Ok), run_digest(&[], &[], &[], Status::Failed));
/// ```
pub fn run_digest(tracks: &[Digest], finals: &[Digest], claims: &[Claim], status: Status) -> Digest {
    let mut out = Writer::default();
    let mut object = out.object();
    // The closure cannot fail: ids and operations are plain texts.
    let _ = object.key("claims").array(claims, |out, claim| {
        let mut object = out.object();
        object.key("evidence").array(&claim.evidence, |out, id| {
            out.str(id.as_str());
            Ok(())
        })?;
        object.key("op").str(claim.op.as_str());
        object.end();
        Ok(())
    });
    list(object.key("finals"), finals);
    object.key("status").str(status.as_str());
    list(object.key("tracks"), tracks);
    object.end();
    Digest::of(Domain::Run, out.as_bytes())
}

fn list(out: &mut Writer, digests: &[Digest]) {
    let _ = out.array(digests, |out, digest| {
        out.digest(digest);
        Ok(())
    });
}

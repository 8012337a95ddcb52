//! [`Approval`]: somebody agreed to run exactly this plan with exactly these definitions.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::{ApprovalError, ChangedPart};
use crate::graph::{Definitions, LayeredGraph};
use crate::{ApprovalId, Digest};

/// Somebody agreed to run a plan, once. It is a value that the ledger records; a changed plan needs a new one.
///
/// An approval starts one run. A second start with it, or with a copy of it, is refused: clones share one mark, and
/// a run that is recorded in a folder leaves `approvals/<id>` beside the run folders, which other processes see too.
/// A copy that was read from JSON is known by its id only where runs are recorded in a folder. To resume a run is no
/// second use.
///
/// ```
/// use leg_core::{Approval, ApprovalError, compile};
/// use leg_core::plan::{read, validate};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let registry = leg_testkit::fake_registry()?;
/// let graph = |task: &str| {
///     let step = format!(r#"{{"id": "a", "tool": "echo", "args": {{"text": "{task}"}}}}"#);
///     let text = format!(r#"{{"version": 1, "question": "?", "tracks": [{{"id": "t", "steps": [{step}]}}]}}"#);
///     let valid = validate(read(&text).unwrap().0, &registry).unwrap();
///     compile(&valid, &registry)
/// };
/// let seen = graph("tide")?;
/// let approval = Approval::new(&seen, "a person", "2026-12-01T09:00:00Z").expiring("2026-12-01T10:00:00Z");
/// assert_eq!(approval.covers(&seen), Ok(()));
/// assert!(matches!(approval.covers(&graph("surge")?), Err(ApprovalError::Changed { .. })));
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Approval {
    /// Its own name, by which a second use is known.
    pub id: ApprovalId,
    /// [`LayeredGraph::digest`] of what was approved.
    pub plan_digest: Digest,
    /// Who approved: a person, or a policy such as `--yes`.
    pub by: String,
    /// When, in ISO 8601 and UTC.
    pub at: String,
    /// The moment, in ISO 8601, from which on it starts nothing; `None` for never.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires: Option<String>,
    /// The definitions that were seen. They only serve to say what changed: what holds is the digest.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub definitions: Option<Definitions>,
    #[serde(skip)]
    pub(super) used: Arc<AtomicBool>,
}

impl PartialEq for Approval {
    /// Whether two are the same approval, used or not.
    fn eq(&self, other: &Self) -> bool {
        (&self.id, self.plan_digest, &self.by, &self.at, &self.expires, &self.definitions)
            == (&other.id, other.plan_digest, &other.by, &other.at, &other.expires, &other.definitions)
    }
}

impl Eq for Approval {}

impl Approval {
    /// A fresh approval of a graph, with an id of its own. `at` is the moment in ISO 8601, such as
    /// [`clock::iso`](crate::clock::iso) gives it.
    pub fn new(graph: &LayeredGraph, by: impl Into<String>, at: impl Into<String>) -> Self {
        Self {
            id: ApprovalId::fresh(),
            plan_digest: graph.digest(),
            by: by.into(),
            at: at.into(),
            expires: None,
            definitions: Some(graph.definitions().clone()),
            used: Arc::default(),
        }
    }

    /// Lets it end at a moment in ISO 8601 with a time zone: `2026-12-01T12:00:00Z`.
    #[must_use]
    pub fn expiring(mut self, at: impl Into<String>) -> Self {
        self.expires = Some(at.into());
        self
    }

    /// Whether it is for this graph. This says nothing of time and use: a run that is resumed asks only this.
    ///
    /// # Errors
    /// [`ApprovalError::Changed`] names both digests and what changed.
    pub fn covers(&self, graph: &LayeredGraph) -> Result<(), ApprovalError> {
        if self.plan_digest == graph.digest() {
            return Ok(());
        }
        Err(ApprovalError::Changed {
            approved: self.plan_digest,
            found: graph.digest(),
            parts: self.definitions.as_ref().map(|seen| self.changed_parts(seen, graph)).unwrap_or_default(),
        })
    }

    /// Whether it still holds at a moment, in nanoseconds since 1970.
    ///
    /// # Errors
    /// [`ApprovalError::Expired`]; [`ApprovalError::Expiry`] for a moment that cannot be read.
    pub fn holds_at(&self, now_nanos: i64) -> Result<(), ApprovalError> {
        let Some(expires) = &self.expires else { return Ok(()) };
        let end: Timestamp =
            expires.parse().map_err(|_| ApprovalError::Expiry { expires: expires.clone() })?;
        if i128::from(now_nanos) < end.as_nanosecond() {
            return Ok(());
        }
        Err(ApprovalError::Expired { expires: expires.clone(), now: crate::clock::iso(now_nanos) })
    }

    /// What differs between what was seen and what is there.
    fn changed_parts(&self, seen: &Definitions, graph: &LayeredGraph) -> Vec<ChangedPart> {
        let found = graph.definitions();
        let mut parts: Vec<ChangedPart> = Vec::new();
        // With the definitions of then, is the plan of now the one that was approved?
        if !graph.digest_with(seen).is_ok_and(|digest| digest == self.plan_digest) {
            parts.push(ChangedPart::Plan);
        }
        let agents = seen.agents.iter().filter(|(id, digest)| found.agents.get(*id) != Some(*digest));
        parts.extend(agents.map(|(id, _)| ChangedPart::Agent(id.clone())));
        let tools = seen.tools.iter().filter(|(name, digest)| found.tools.get(*name) != Some(*digest));
        parts.extend(tools.map(|(name, _)| ChangedPart::Tool(name.clone())));
        parts
    }
}

//! The records before the first layer: what runs, who agreed to it, with which limits.

use serde_json::{Value, json};

use crate::canonical::to_vec;
use crate::graph::LayeredGraph;
use crate::ledger::{EntryKind, redact};
use crate::run::redacted;
use crate::run::runner::StartError;
use crate::run::{RunOptions, RunScope};
use crate::{Approval, Digest, Plan};

/// What is written down before the first layer.
pub(crate) struct Opening<'a> {
    pub(crate) graph: &'a LayeredGraph,
    pub(crate) approval: &'a Approval,
    pub(crate) options: &'a RunOptions,
    pub(crate) registry: Digest,
    /// The number of the folder's owner.
    pub(crate) fence: Option<u64>,
}

impl Opening<'_> {
    pub(crate) fn record(&self, scope: &RunScope) -> Result<(), StartError> {
        if !scope.port.is_recording() {
            return Ok(());
        }
        let canonical = |value: &Value| to_vec(value).map_err(|error| StartError::Ledger(error.into()));
        let plan = |plan: &Plan| to_vec(plan).map_err(|error| StartError::Ledger(error.into()));
        let options = self.options;
        scope.record(
            EntryKind::RunStarted,
            |core| {
                core.key("budget").value(&options.budget)?;
                core.key("durability").str(options.durability.as_str());
                core.key("format").count(1);
                core.key("limits").value(&options.limits_json())?;
                core.key("payload").str(options.payload.as_str());
                core.key("question").str(self.graph.question());
                Ok(())
            },
            |meta| {
                meta.key("engine").str(concat!("leg-core ", env!("CARGO_PKG_VERSION")));
                meta.key("facts").value(&redacted::facts(json!(options.facts)))?;
                if let Some(fence) = self.fence {
                    meta.key("fence").count(fence);
                }
                meta.key("registry").digest(&self.registry);
                meta.key("run").str(options.id.as_str());
                Ok(())
            },
        );
        if let Some(proposal) = &options.proposal {
            let plan = scope.kept.put(&plan(&proposal.plan)?)?;
            scope.record(
                EntryKind::PlanProposed,
                |core| {
                    core.key("plan").digest(&plan);
                    Ok(())
                },
                |meta| {
                    meta.key("by").str(&redact(&proposal.by));
                    Ok(())
                },
            );
            if !proposal.repairs.is_empty() {
                let changes = redacted::facts(json!(proposal.repairs));
                scope.record(EntryKind::PlanRepaired, |core| core.key("changes").value(&changes), |_| Ok(()));
            }
        }
        self.record_rules(scope);
        let definitions = scope.kept.put(&canonical(&json!(self.graph.definitions()))?)?;
        let routed = scope.kept.put(&plan(self.graph.plan())?)?;
        scope.record(
            EntryKind::PlanApproved,
            |core| {
                core.key("definitions").digest(&definitions);
                core.key("graph").digest(&routed);
                core.key("plan_digest").digest(&self.approval.plan_digest);
                Ok(())
            },
            |meta| {
                meta.key("by").str(&redact(&self.approval.by));
                if let Some(expires) = &self.approval.expires {
                    meta.key("expires").str(expires);
                }
                meta.key("given").str(&self.approval.at);
                meta.key("id").str(self.approval.id.as_str());
                Ok(())
            },
        );
        Ok(())
    }

    fn record_rules(&self, scope: &RunScope) {
        for (n, application) in self.graph.applications().iter().enumerate() {
            scope.record(
                EntryKind::RuleApplied,
                |core| {
                    core.key("after").digest(&application.after);
                    core.key("before").digest(&application.before);
                    core.key("n").count(n as u64);
                    core.key("rule").str(&application.rule);
                    Ok(())
                },
                |_| Ok(()),
            );
        }
    }
}

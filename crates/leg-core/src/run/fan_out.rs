//! A step that is done once for each item of a list, and the join of its results.

use std::collections::BTreeMap;
use std::sync::Arc;

use futures::future::join_all;
use serde_json::Value;

use crate::graph::{Node, NodeIndex, NodeKind};
use crate::ledger::EntryKind;
use crate::plan::{ForEach, Join};
use crate::run::executed::Expansion;
use crate::run::join::{concat, table};
use crate::run::prepare::Item;
use crate::run::state::RunState;
use crate::run::stop::Stop;
use crate::run::task::NodeOutput;
use crate::run::unit::{Done, Inner, Unit};
use crate::run::{Amounts, Change, Meter, Resource, RevisionCause};
use crate::{
    Artifact, Digest, NodeId, ObjectStoreExt as _, Status, StoreError, Summary, ToolError, ToolErrorKind,
};

impl RunState {
    /// Runs the items side by side, each between its own records, and joins what they gave.
    pub(crate) async fn run_fan_out(
        self: &Arc<Self>,
        index: NodeIndex,
        node: &Node,
        items: Vec<Item>,
        (attempt, meter): (u64, Option<Meter>),
        stop: &Stop,
    ) -> Done {
        let unit = Unit::of(node, attempt);
        let ids: Option<Vec<NodeId>> =
            (0..items.len()).map(|n| NodeId::new(format!("{}[{n}]", node.id)).ok()).collect();
        let NodeKind::Tool(step) = &node.kind else {
            return self.close(&unit, cancelled(), Inner::default(), 0);
        };
        let (Some(ids), Some(for_each)) = (ids, &step.for_each) else {
            return self.close(&unit, cancelled(), Inner::default(), 0);
        };
        self.record_expansion(node, attempt, &ids);
        self.expanded(index, Expansion::items(node.id.clone(), ids.clone()));
        let started = self.shared.scope.clock.now_nanos();
        // Reserved in the order of the list, before the first one starts.
        let least = Amounts::default().with(Resource::Nodes, 1.0).with(Resource::Calls, 1.0);
        let reserve = |id: &NodeId| self.reserve_item((id, attempt), &least, meter.as_ref());
        let reserved: Vec<_> = ids.iter().map(reserve).collect();
        let mut values = Vec::with_capacity(items.len());
        let mut works = Vec::with_capacity(items.len());
        for ((item, id), reserved) in items.into_iter().zip(&ids).zip(reserved) {
            values.push(item.value);
            let unit = Unit { node, id: id.clone(), attempt, is_item: true, turn: None };
            let state = Arc::clone(self);
            works.push(async move {
                match (item.work, reserved) {
                    (Err(error), _) => {
                        let output = NodeOutput::failed(Status::Skipped, error);
                        state.close(&unit, output, Inner::default(), 0)
                    }
                    (_, Some(Err(error))) => {
                        let output = NodeOutput::failed(Status::BudgetExhausted, error);
                        state.close(&unit, output, Inner::default(), 0)
                    }
                    (Ok(work), Some(Ok(meter))) => state.run_unit(&unit, work, Some(meter), stop).await,
                    (Ok(work), None) => state.run_unit(&unit, work, None, stop).await,
                }
            });
        }
        let ends = join_all(works).await;
        self.add_gaps(index, ends.iter().flat_map(|done| done.output.missing.iter().cloned()));
        let output = self.joined(node, for_each, values, &ends);
        let inner = Inner {
            children: ids,
            tracks: Vec::new(),
            digests: ends.iter().map(|done| done.content).collect(),
        };
        let elapsed = self.shared.scope.clock.now_nanos().saturating_sub(started) / 1000;
        self.close(&unit, output, inner, u64::try_from(elapsed).unwrap_or(0))
    }

    fn record_expansion(&self, node: &Node, attempt: u64, ids: &[NodeId]) {
        self.shared.scope.emit(Change::PlanRevision {
            cause: RevisionCause::ForEach,
            rev: self.rev,
            node: Some(node.id.clone()),
            children: ids.to_vec(),
        });
        self.shared.scope.record(
            EntryKind::PlanRevision,
            |core| {
                if attempt > 0 {
                    core.key("attempt").count(attempt);
                }
                core.key("cause").str("for_each");
                core.key("children").array(ids, |out, id| {
                    out.str(id.as_str());
                    Ok(())
                })?;
                core.key("node").str(node.id.as_str());
                if self.rev > 0 {
                    core.key("rev").count(self.rev);
                }
                Ok(())
            },
            |_| Ok(()),
        );
    }

    /// What the whole step gives: evidence of all items, and their results joined. It is well when one item is.
    fn joined(&self, node: &Node, for_each: &ForEach, values: Vec<Value>, ends: &[Done]) -> NodeOutput {
        let good: Vec<(usize, &Done)> =
            ends.iter().enumerate().filter(|(_, done)| done.output.status.is_ok()).collect();
        let mut output = NodeOutput::ended(Status::Ok);
        for done in ends {
            output.evidence.extend(done.output.evidence.iter().cloned());
            output.renderings.extend(done.output.renderings.iter().cloned());
            output.sources.extend(done.output.sources.iter().cloned());
            for note in &done.output.notes {
                if !output.notes.contains(note) {
                    output.notes.push(note.clone());
                }
            }
        }
        if good.is_empty() && !ends.is_empty() {
            let message = format!("none of the {} items of `{}` gave a result", ends.len(), node.id);
            output.status = Status::Failed;
            output.error = Some(ToolError::new(ToolErrorKind::NotFound, message));
            return output;
        }
        let joined = match for_each.join {
            Join::List => {
                output.items = Some(good.iter().map(|(_, done)| done.output.outputs.clone()).collect());
                return output;
            }
            Join::Table => self.join_table(for_each, values, &good),
            Join::Concat => self.join_concat(node, for_each, &good),
        };
        match joined {
            Ok(outputs) => {
                self.record_join(node, &outputs);
                output.outputs = outputs;
            }
            Err(error) => {
                output.status = Status::Failed;
                output.error = Some(error);
            }
        }
        output
    }

    fn join_table(
        &self,
        for_each: &ForEach,
        values: Vec<Value>,
        good: &[(usize, &Done)],
    ) -> Result<BTreeMap<String, Summary>, ToolError> {
        let is_good = |at: &usize| good.iter().any(|(n, _)| n == at);
        let evidence = |at: usize| {
            let done = good.iter().find(|(n, _)| *n == at);
            done.map(|(_, done)| done.output.evidence.clone()).unwrap_or_default()
        };
        let rows: Vec<_> = values
            .into_iter()
            .enumerate()
            .filter(|(at, _)| is_good(at))
            .map(|(at, value)| (value, evidence(at)))
            .collect();
        let artifact = table(&for_each.name, &rows);
        let objects = &self.shared.scope.objects;
        let summary = objects.put_artifact(&artifact).map_err(|error| broken(&error))?;
        Ok(BTreeMap::from([("result".to_owned(), summary)]))
    }

    fn join_concat(
        &self,
        node: &Node,
        for_each: &ForEach,
        good: &[(usize, &Done)],
    ) -> Result<BTreeMap<String, Summary>, ToolError> {
        let objects = &self.shared.scope.objects;
        let names: Vec<&String> =
            good.first().map_or(Vec::new(), |(_, done)| done.output.outputs.keys().collect());
        let mut joined = BTreeMap::new();
        for name in names {
            let summaries = good.iter().filter_map(|(_, done)| done.output.outputs.get(name));
            let parts: Vec<Artifact> = summaries
                .map(|summary| objects.get_artifact(&summary.digest))
                .collect::<Result<_, _>>()
                .map_err(|error| broken(&error))?;
            let artifact = concat(&for_each.name, &parts).ok_or_else(|| {
                let message = format!(
                    "the results of `{}` differ in form and cannot be appended; use `\"join\": \"list\"`",
                    node.id
                );
                ToolError::new(ToolErrorKind::InvalidArguments, message)
            })?;
            joined.insert(name.clone(), objects.put_artifact(&artifact).map_err(|error| broken(&error))?);
        }
        Ok(joined)
    }

    /// A joined artifact comes from no call: the record says what it comes from.
    fn record_join(&self, node: &Node, outputs: &BTreeMap<String, Summary>) {
        let digests: BTreeMap<&String, Digest> =
            outputs.iter().map(|(name, summary)| (name, summary.digest)).collect();
        self.shared.scope.record(
            EntryKind::Merge,
            |core| {
                core.key("node").str(node.id.as_str());
                let mut object = core.key("outputs").object();
                for (name, digest) in &digests {
                    object.key(name).digest(digest);
                }
                object.end();
                if self.rev > 0 {
                    core.key("rev").count(self.rev);
                }
                core.key("role").str("join");
                core.key("text").str("");
                Ok(())
            },
            |_| Ok(()),
        );
    }
}

fn broken(error: &StoreError) -> ToolError {
    ToolError::new(ToolErrorKind::Internal, error.to_string())
}

fn cancelled() -> NodeOutput {
    NodeOutput::failed(Status::Cancelled, ToolError::cancelled())
}

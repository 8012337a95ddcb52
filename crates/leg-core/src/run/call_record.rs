//! The records of a call: before it is made, and when it has ended.

use crate::canonical::{ObjectWriter, Writer};
use crate::ledger::{CallContent, EntryKind};
use crate::run::event::Change;
use crate::run::{Amounts, CallResult, Firing, RunScope};
use crate::{Digest, Domain, Effect, NodeId, RegisteredTool, Status, ToolError, ToolErrorKind};

/// Where a call stands in its run.
#[derive(Debug, Clone)]
pub(crate) struct CallPlace {
    pub(crate) node: NodeId,
    /// The plan revision; 0 for the plan that was approved first.
    pub(crate) rev: u64,
    /// How often the overseer fired the node before.
    pub(crate) attempt: u64,
    /// The call's number in its node.
    pub(crate) ordinal: u64,
    pub(crate) call_id: Digest,
}

/// Arguments of at most this many canonical bytes stand in the record itself.
const INLINE: usize = 512;

impl CallPlace {
    /// The identity of a call: the same however often it is tried, and in every resumed run and replay.
    pub(crate) fn new(Firing { node, rev, attempt }: &Firing, ordinal: u64, tool: &str, args: &[u8]) -> Self {
        let mut out = Writer::with_capacity(args.len() + 96);
        let mut object = out.object();
        object.key("args").raw(args);
        if *attempt > 0 {
            object.key("attempt").count(*attempt);
        }
        object.key("node").str(node.as_str());
        object.key("ordinal").count(ordinal);
        if *rev > 0 {
            object.key("rev").count(*rev);
        }
        object.key("tool").str(tool);
        object.end();
        let call_id = Digest::of(Domain::CallId, out.as_bytes());
        Self { node: node.clone(), rev: *rev, attempt: *attempt, ordinal, call_id }
    }

    /// The members of a record that come first.
    pub(crate) fn write_head(&self, core: &mut ObjectWriter<'_>) {
        if self.attempt > 0 {
            core.key("attempt").count(self.attempt);
        }
        core.key("call_id").digest(&self.call_id);
    }

    /// The revision, when it is not the first.
    pub(crate) fn write_rev(&self, core: &mut ObjectWriter<'_>) {
        if self.rev > 0 {
            core.key("rev").count(self.rev);
        }
    }
}

/// How a call ended.
pub(crate) struct CallEnd<'a> {
    pub(crate) answer: &'a Result<CallResult, ToolError>,
    pub(crate) content: &'a CallContent,
    /// The object that holds the result.
    pub(crate) stored: Option<Digest>,
    /// How often it was tried.
    pub(crate) attempts: u32,
    /// Whether the record answered instead of the tool.
    pub(crate) served: bool,
    /// Raw responses in the object store.
    pub(crate) raw: Vec<Digest>,
    pub(crate) instruction_like: bool,
    pub(crate) elapsed_ns: i64,
}

impl RunScope {
    /// Records that a call is about to be made; one that changes the world is on the disk before it is made.
    pub(crate) async fn record_call_start(
        &self,
        tool: &RegisteredTool,
        place: &CallPlace,
        args: &[u8],
        args_digest: &Digest,
    ) -> Result<(), ToolError> {
        let name = tool.spec.name.as_str();
        if self.port.is_recording() {
            let inline = args.len() <= INLINE;
            if !inline {
                self.kept
                    .put(args)
                    .map_err(|error| ToolError::new(ToolErrorKind::Internal, error.to_string()))?;
            }
            self.record(
                EntryKind::CallStarted,
                |core| {
                    if inline {
                        core.key("args").raw(args);
                    } else {
                        core.key("args_object").digest(args_digest);
                    }
                    place.write_head(core);
                    core.key("definition").digest(&tool.definition);
                    core.key("node").str(place.node.as_str());
                    core.key("ordinal").count(place.ordinal);
                    place.write_rev(core);
                    core.key("tool").str(name);
                    Ok(())
                },
                |_| Ok(()),
            );
            if tool.spec.effect == Effect::Write {
                self.port.sync().await;
            }
        }
        self.emit(Change::CallStarted { node: place.node.clone(), tool: name.to_owned() });
        Ok(())
    }

    /// Records how a call ended.
    pub(crate) fn record_call_end(&self, place: &CallPlace, end: &CallEnd<'_>) {
        let empty = CallResult::default();
        let result = end.answer.as_ref().unwrap_or(&empty);
        self.record(
            EntryKind::CallFinished,
            |core| {
                place.write_head(core);
                if let Err(error) = end.answer {
                    write_error(core, error);
                }
                core.key("evidence").digest(&end.content.evidence);
                core.key("node").str(place.node.as_str());
                core.key("ordinal").count(place.ordinal);
                let mut object = core.key("outputs").object();
                for (name, digest) in &end.content.outputs {
                    object.key(name).digest(digest);
                }
                object.end();
                if let Some(digest) = &end.stored {
                    core.key("result").digest(digest);
                }
                place.write_rev(core);
                core.key("status").str(end.content.status.as_str());
                Ok(())
            },
            |meta| {
                if end.attempts > 1 {
                    meta.key("attempts").count(u64::from(end.attempts));
                }
                meta.key("duration_us").count(u64::try_from(end.elapsed_ns / 1000).unwrap_or(0));
                if end.instruction_like {
                    meta.key("instruction_like").bool(true);
                }
                if !end.raw.is_empty() {
                    meta.key("raw").array(&end.raw, |out, digest| {
                        out.digest(digest);
                        Ok(())
                    })?;
                }
                if !result.renderings.is_empty() {
                    meta.key("renderings").value(&serde_json::json!(result.renderings))?;
                }
                if end.served {
                    meta.key("served").bool(true);
                }
                if !result.sources.is_empty() {
                    meta.key("sources").value(&serde_json::json!(result.sources))?;
                }
                if result.usage != Amounts::ZERO {
                    meta.key("usage").value(&serde_json::json!(result.usage))?;
                }
                Ok(())
            },
        );
        let (node, status) = (place.node.clone(), end.content.status);
        let duration_ms = u64::try_from(end.elapsed_ns / 1_000_000).unwrap_or(0);
        self.emit(Change::CallFinished { node, tool: end.content.tool.clone(), status, duration_ms });
    }

    /// Records that a tool was refused: by the allow-list, or by the budget after the node had made `made` calls.
    pub(crate) fn record_denied(&self, firing: &Firing, tool: &str, made: Option<u64>, why: &str) {
        let Firing { node, rev, attempt } = firing;
        let status = if made.is_some() { Status::BudgetExhausted } else { Status::Denied };
        self.record(
            EntryKind::Denied,
            |core| {
                if *attempt > 0 {
                    core.key("attempt").count(*attempt);
                }
                core.key("node").str(node.as_str());
                if let Some(made) = made {
                    core.key("ordinal").count(made);
                }
                core.key("reason").str(why);
                if *rev > 0 {
                    core.key("rev").count(*rev);
                }
                core.key("status").str(status.as_str());
                core.key("tool").str(tool);
                Ok(())
            },
            |_| Ok(()),
        );
    }
}

/// Kind and message of an error.
pub(crate) fn write_error(core: &mut ObjectWriter<'_>, error: &ToolError) {
    let mut object = core.key("error").object();
    object.key("kind").str(error.kind.as_str());
    object.key("message").str(&error.message);
    object.end();
}

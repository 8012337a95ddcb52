//! [`CallMemo`]: calls that have ended well, by what they were: a repaired plan does not make them again.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, PoisonError};

use crate::digest::Hasher;
use crate::ledger::{Entry, EntryKind, read_result};
use crate::run::{Answers, CallKey, CallResult};
use crate::{
    Digest, Domain, Effect, NodeId, ObjectStore, Registry, ToolError, ToolName, ToolSpec, canonical,
};

/// Results of calls, by tool, definition and arguments.
///
/// Input artifacts stand in the arguments by their digests, so that equal arguments mean equal inputs. Only what ended
/// well is kept, and only of tools that may be called twice: what a write did is not done by remembering it. A memo
/// is for one run: a later one may find other data at the same source.
///
/// ```
/// use leg_core::FolderObjects;
/// use leg_core::ledger::{LEDGER, read};
/// use leg_core::run::CallMemo;
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let runs = tempfile::tempdir()?;
/// # let registry = leg_testkit::fake_registry()?;
/// let (_, folder) = leg_testkit::small_run(runs.path()).await;
/// let entries = read(&folder.read(LEDGER)?, LEDGER).entries;
/// let memo = CallMemo::of(&entries, &FolderObjects::of_run(folder.path()), &registry);
/// assert_eq!(memo.len(), 2, "a repaired plan need not make these calls again");
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Default)]
pub struct CallMemo {
    results: Mutex<BTreeMap<Digest, Arc<CallResult>>>,
}

/// What a call is, wherever it stands in a plan: its tool, the tool's definition, its canonical arguments.
///
/// ```
/// use leg_core::run::memo_key;
/// use leg_core::{Digest, Domain, ToolName};
///
/// let (tool, args) = (ToolName::new("mean").unwrap(), Digest::of(Domain::Object, b"{}"));
/// let key = |definition: &[u8]| memo_key(&tool, &Digest::of(Domain::Definition, definition), &args);
/// assert_eq!(key(b"one"), key(b"one"));
/// assert_ne!(key(b"one"), key(b"another"));
/// ```
pub fn memo_key(tool: &ToolName, definition: &Digest, args: &Digest) -> Digest {
    let mut hasher = Hasher::new(Domain::Memo);
    // The digests have one length each, so that no two calls give the same bytes.
    hasher.update(definition.as_bytes());
    hasher.update(args.as_bytes());
    hasher.update(tool.as_str().as_bytes());
    hasher.finish()
}

impl CallMemo {
    /// Reads the calls of a ledger; a result that is not in `objects` is left out, and made again when it is needed.
    pub fn of(entries: &[Entry], objects: &dyn ObjectStore, registry: &Registry) -> Self {
        let memo = Self::default();
        let mut open: BTreeMap<Digest, Digest> = BTreeMap::new();
        for entry in entries {
            let Some(call_id) = entry.digest("call_id") else { continue };
            match entry.kind {
                EntryKind::CallStarted => {
                    open.extend(started(entry, registry).map(|key| (call_id, key)));
                }
                EntryKind::CallFinished if entry.text("status") == Some("ok") => {
                    let result = entry.digest("result").and_then(|digest| objects.get(&digest).ok());
                    let result = result.and_then(|bytes| read_result(&bytes));
                    if let Some((key, mut result)) = open.remove(&call_id).zip(result) {
                        result.renderings = member(entry, "renderings");
                        result.sources = member(entry, "sources");
                        memo.insert(key, result);
                    }
                }
                _ => {}
            }
        }
        memo
    }

    /// Keeps the result of a call that has ended well.
    pub fn keep(&self, call: &CallKey, result: &CallResult) {
        if !call.writes {
            self.insert(memo_key(&call.tool, &call.definition, &call.args), result.clone());
        }
    }

    /// The result of the same call, with the evidence still named after the node that made it; see [`renamed_for`].
    pub fn get(&self, call: &CallKey) -> Option<Arc<CallResult>> {
        if call.writes {
            return None;
        }
        let key = memo_key(&call.tool, &call.definition, &call.args);
        self.results.lock().unwrap_or_else(PoisonError::into_inner).get(&key).cloned()
    }

    /// How many calls are kept.
    pub fn len(&self) -> usize {
        self.results.lock().unwrap_or_else(PoisonError::into_inner).len()
    }

    /// Whether none is kept.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    fn insert(&self, key: Digest, result: CallResult) {
        // The first one counts: all that follow would say the same.
        self.results
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .entry(key)
            .or_insert_with(|| Arc::new(result));
    }
}

impl Answers for CallMemo {
    fn answer(&self, call: &CallKey) -> Option<Result<CallResult, ToolError>> {
        self.get(call).map(|result| Ok(CallResult::clone(&result)))
    }
}

/// A result as if the tool had answered this node: evidence is named after it, and a name that an earlier call of the
/// node has `taken` gets a number, exactly as when the tool answers. A result of the node's own stays as it is.
///
/// ```
/// use std::collections::BTreeSet;
///
/// use leg_core::run::{CallResult, renamed_for};
/// use leg_core::{Kind, Port, ToolSpec};
///
/// let spec = ToolSpec::new("tide", "Levels.", Port::of(Kind::Series)).evidence(&["max"]);
/// let max = serde_json::from_value(serde_json::json!({"key": "old.max", "name": "max", "value": 2.5, "unit": "m",
///     "method": "highest", "pointer": "/content/max"}))?;
/// let result = CallResult { evidence: vec![max], ..CallResult::default() };
/// let renamed = renamed_for(&"new".parse()?, &spec, &mut BTreeSet::new(), result);
/// assert_eq!(renamed.evidence[0].key, "new.max");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn renamed_for(
    node: &NodeId,
    spec: &ToolSpec,
    taken: &mut BTreeSet<String>,
    mut result: CallResult,
) -> CallResult {
    for evidence in &mut result.evidence {
        let base = base_name(spec, &evidence.name).to_owned();
        let mut name = base.clone();
        let mut number = 2;
        while !taken.insert(name.clone()) {
            name = format!("{base}_{number}");
            number += 1;
        }
        evidence.key = format!("{node}.{name}");
        evidence.name = name;
        evidence.id = None;
    }
    result
}

/// The name that the tool gave: `max` for a `max_2` of an agent's second call, unless the tool itself says `max_2`.
fn base_name<'a>(spec: &ToolSpec, name: &'a str) -> &'a str {
    let declared = |name: &str| spec.evidence.iter().any(|declared| declared == name);
    match name.rsplit_once('_') {
        Some((base, number))
            if !declared(name) && declared(base) && number.bytes().all(|byte| byte.is_ascii_digit()) =>
        {
            base
        }
        _ => name,
    }
}

/// The key of a call that was started, if its tool is still the same and may be called twice.
fn started(entry: &Entry, registry: &Registry) -> Option<Digest> {
    let tool = registry.tool(entry.text("tool")?)?;
    let definition = entry.digest("definition")?;
    if tool.spec.effect == Effect::Write || tool.definition != definition {
        return None;
    }
    let args = match entry.core.get("args") {
        Some(args) => Digest::of(Domain::Object, &canonical::to_vec(args).ok()?),
        None => entry.digest("args_object")?,
    };
    Some(memo_key(&tool.spec.name, &definition, &args))
}

fn member<T: serde::de::DeserializeOwned + Default>(entry: &Entry, key: &str) -> T {
    entry.meta.get(key).and_then(|value| serde_json::from_value(value.clone()).ok()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::Firing;
    use crate::{Evidence, Kind, tool::Port};

    fn call(node: &str, args: &[u8], writes: bool) -> CallKey {
        CallKey {
            call_id: Digest::of(Domain::CallId, node.as_bytes()),
            firing: Firing { node: NodeId::new(node).unwrap(), rev: 1, attempt: 0 },
            tool: ToolName::new("mean").unwrap(),
            definition: Digest::of(Domain::Definition, b"mean"),
            args: Digest::of(Domain::Object, args),
            writes,
        }
    }

    fn evidence(key: &str, name: &str) -> Evidence {
        let json = serde_json::json!({"key": key, "name": name, "value": 1, "unit": "m", "method": "max"});
        serde_json::from_value(json).unwrap()
    }

    fn result(names: &[&str]) -> CallResult {
        let evidence = names.iter().map(|name| evidence(&format!("old.{name}"), name)).collect();
        CallResult { evidence, ..CallResult::default() }
    }

    #[test]
    fn the_same_call_is_found_whatever_its_node_is_called_and_no_other() {
        let memo = CallMemo::default();
        memo.keep(&call("a", b"1", false), &result(&["max"]));
        assert!(memo.get(&call("b", b"1", false)).is_some());
        assert!(memo.get(&call("a", b"2", false)).is_none());
        let mut changed = call("a", b"1", false);
        changed.definition = Digest::of(Domain::Definition, b"mean, changed");
        assert!(memo.get(&changed).is_none());
        let mut other = call("a", b"1", false);
        other.tool = ToolName::new("median").unwrap();
        assert!(memo.get(&other).is_none());
    }

    #[test]
    fn what_writes_is_neither_kept_nor_given() {
        let memo = CallMemo::default();
        memo.keep(&call("a", b"1", true), &result(&[]));
        assert!(memo.is_empty());
        memo.keep(&call("a", b"1", false), &result(&[]));
        assert!(memo.get(&call("a", b"1", true)).is_none());
        assert_eq!(memo.len(), 1);
    }

    #[test]
    fn evidence_is_named_as_if_the_tool_had_answered_the_node() {
        let spec = ToolSpec::new("t", "t", Port::of(Kind::Scalar)).evidence(&["max", "top_10"]);
        let node = NodeId::new("new").unwrap();
        let keys = |taken: &[&str], names: &[&str]| -> Vec<String> {
            let mut taken = taken.iter().map(|&name| name.to_owned()).collect();
            let renamed = renamed_for(&node, &spec, &mut taken, result(names));
            renamed.evidence.into_iter().map(|evidence| evidence.key).collect()
        };
        assert_eq!(keys(&[], &["max"]), ["new.max"]);
        assert_eq!(keys(&[], &["max_2"]), ["new.max"], "an agent's second call, as a first one");
        assert_eq!(keys(&["max"], &["max_2"]), ["new.max_2"], "its own stays as it is");
        assert_eq!(keys(&["max", "max_2"], &["max"]), ["new.max_3"]);
        assert_eq!(keys(&[], &["top_10", "level_3"]), ["new.top_10", "new.level_3"]);
    }
}

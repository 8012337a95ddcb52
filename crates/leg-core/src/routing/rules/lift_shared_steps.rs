//! [`LiftSharedSteps`]: what several tracks compute is computed once.

use std::collections::{BTreeMap, BTreeSet};

use crate::canonical;
use crate::graph::rename_references;
use crate::plan::{Barriers, Code, Diagnostic, Reference, Step};
use crate::routing::draft::layer_steps;
use crate::routing::{Draft, DraftNode, DraftTrack, Form, Rewrite, RoutingRule, RuleContext, Work};
use crate::{Digest, Domain, Effect, NodeId, TrackId};

/// Steps that are identical in several tracks move to a shared track that runs first.
///
/// ```text
/// before                                   after
/// track a  sst   load {year: 2015}         track shared  sst  load {year: 2015}
///          mean  mean {data: sst}          track a       mean mean {data: sst}
/// track b  t     load {year: 2015}         track b       top  max  {data: sst}
///          top   max  {data: t}
/// ```
///
/// Identical means the same tool, canonical arguments, fan-out, condition and limits, where references to identical
/// steps are the same. The first of them stands for the others, whose ids go to [`Draft::lifted`]; references and
/// results that named them name it. A step whose tool writes is never lifted: twice is meant to be twice. A track
/// may lose all its steps; its result then is a shared step.
#[derive(Debug)]
pub(super) struct LiftSharedSteps;

/// What makes two steps the same.
type Key = Digest;

impl RoutingRule for LiftSharedSteps {
    fn name(&self) -> &'static str {
        "lift_shared_steps"
    }

    fn rewrite(&self, mut draft: Draft, context: &RuleContext<'_>) -> Result<Rewrite, Diagnostic> {
        let tools = tools_of_several_tracks(&draft, context);
        if tools.is_empty() {
            return Ok(Rewrite::Unchanged(draft));
        }
        let keys: Vec<BTreeMap<NodeId, Key>> = draft.tracks.iter().map(|track| keys(track, &tools)).collect();
        let standing = standing_steps(&draft, &keys);
        if standing.is_empty() {
            return Ok(Rewrite::Unchanged(draft));
        }
        let rename: BTreeMap<&NodeId, &NodeId> =
            keys.iter().flatten().filter_map(|(id, key)| Some((id, standing.get(key)?))).collect();
        lift(&mut draft, &rename)?;
        Ok(Rewrite::Changed(draft))
    }
}

fn liftable_tracks(draft: &Draft) -> impl Iterator<Item = &DraftTrack> {
    draft.tracks.iter().filter(|track| track.form == Form::Steps && !track.shared)
}

/// Tools that several tracks call and that do not write: no other step can be lifted, so that nothing else is hashed.
fn tools_of_several_tracks(draft: &Draft, context: &RuleContext<'_>) -> BTreeSet<String> {
    let mut tracks_of: BTreeMap<&str, BTreeSet<&TrackId>> = BTreeMap::new();
    for track in liftable_tracks(draft) {
        for node in track.work() {
            if let Work::Tool(step) = &node.work
                && context.tool(&step.tool).is_some_and(|spec| spec.effect != Effect::Write)
            {
                tracks_of.entry(step.tool.as_str()).or_default().insert(&track.id);
            }
        }
    }
    tracks_of.into_iter().filter(|(_, tracks)| tracks.len() > 1).map(|(tool, _)| tool.to_owned()).collect()
}

/// The keys of a track's steps; a step that refers to one without a key has none.
fn keys(track: &DraftTrack, tools: &BTreeSet<String>) -> BTreeMap<NodeId, Key> {
    let mut keys = BTreeMap::new();
    if track.shared || track.form == Form::Layers {
        return keys;
    }
    let own: BTreeSet<&str> = track.work().map(|node| node.id().as_str()).collect();
    // Layers go from what is referred to, to what refers to it.
    for node in track.work() {
        if let Work::Tool(step) = &node.work
            && tools.contains(step.tool.as_str())
            && node.references().iter().all(|target| !own.contains(target) || keys.contains_key(*target))
            && let Some(key) = key(step, &keys)
        {
            keys.insert(step.id.clone(), key);
        }
    }
    keys
}

fn key(step: &Step, keys: &BTreeMap<NodeId, Key>) -> Option<Key> {
    let mut same = step.clone();
    same.id = NodeId::new("same").ok()?;
    // A node id is at most 64 characters long; 60 hexadecimal digits are 240 bits.
    let name = |key: &Key| NodeId::new(format!("key_{}", key.to_hex().get(..60)?)).ok();
    rename_references(&mut same, &|target| keys.get(target).and_then(name));
    Some(Digest::of(Domain::Draft, &canonical::to_vec(&same).ok()?))
}

/// For each key of several tracks, the first step in the order of the plan.
fn standing_steps(draft: &Draft, keys: &[BTreeMap<NodeId, Key>]) -> BTreeMap<Key, NodeId> {
    let mut seen: BTreeMap<Key, (usize, NodeId, bool)> = BTreeMap::new();
    for (t, (track, keys)) in draft.tracks.iter().zip(keys).enumerate() {
        let mut nodes: Vec<&DraftNode> = track.work().collect();
        nodes.sort_by_key(|node| node.order);
        for node in nodes {
            if let Some(key) = keys.get(node.id()) {
                let (first, _, several) = seen.entry(*key).or_insert_with(|| (t, node.id().clone(), false));
                *several |= *first != t;
            }
        }
    }
    seen.into_iter().filter(|(_, (_, _, several))| *several).map(|(key, (_, id, _))| (key, id)).collect()
}

fn lift(draft: &mut Draft, rename: &BTreeMap<&NodeId, &NodeId>) -> Result<(), Diagnostic> {
    let new_name = |id: &str| {
        let id = NodeId::new(id).ok()?;
        rename.get(&id).map(|standing| (*standing).clone())
    };
    let mut lifted: Vec<DraftNode> = Vec::new();
    let mut all_dataflow = true;
    for track in draft.tracks.iter_mut().filter(|track| track.form == Form::Steps && !track.shared) {
        // The result is "the last step" as long as it is not named; name it before the last step goes.
        let result = track.resolved_result();
        if let Some(standing) = result.as_ref().and_then(|result| new_name(result.node.as_str())) {
            track.result = result.map(|result| Reference { node: standing, part: result.part });
        }
        if !track.work().any(|node| rename.contains_key(node.id())) {
            continue;
        }
        all_dataflow &= track.barriers == Barriers::Dataflow;
        let mut nodes: Vec<DraftNode> =
            std::mem::take(&mut track.layers).into_iter().flat_map(|layer| layer.nodes).collect();
        nodes.sort_by_key(|node| node.order);
        for node in &mut nodes {
            if let Work::Tool(step) = &mut node.work {
                rename_references(step, &new_name);
            }
        }
        let (moved, kept): (Vec<_>, Vec<_>) =
            nodes.into_iter().partition(|node| rename.contains_key(node.id()));
        for node in moved {
            match rename.get(node.id()) {
                Some(standing) if *standing == node.id() => lifted.push(node),
                Some(standing) => {
                    draft.lifted.insert(node.id().clone(), (*standing).clone());
                }
                None => {}
            }
        }
        track.layers = layered(kept)?;
    }
    let barriers = if all_dataflow { Barriers::Dataflow } else { Barriers::Strict };
    add_to_shared(draft, lifted, barriers)
}

fn add_to_shared(draft: &mut Draft, lifted: Vec<DraftNode>, barriers: Barriers) -> Result<(), Diagnostic> {
    let old = draft.tracks.iter().position(|track| track.shared).map(|at| draft.tracks.remove(at));
    let mut track = match old {
        Some(track) => track,
        None => DraftTrack {
            id: free_track_id(draft)?,
            goal: "steps that several tracks need".to_owned(),
            barriers,
            form: Form::Steps,
            shared: true,
            layers: Vec::new(),
            result: None,
        },
    };
    let mut nodes: Vec<DraftNode> =
        std::mem::take(&mut track.layers).into_iter().flat_map(|layer| layer.nodes).collect();
    nodes.sort_by_key(|node| node.order);
    nodes.extend(lifted);
    for (order, node) in nodes.iter_mut().enumerate() {
        node.order = order;
    }
    track.layers = layered(nodes)?;
    draft.tracks.insert(0, track);
    Ok(())
}

fn layered(nodes: Vec<DraftNode>) -> Result<Vec<crate::routing::DraftLayer>, Diagnostic> {
    layer_steps(nodes).map_err(|cycle| Diagnostic::new("", Code::Cycle, cycle.to_string()))
}

fn free_track_id(draft: &Draft) -> Result<TrackId, Diagnostic> {
    let taken = draft.track_ids();
    let text = crate::graph::free_text("shared", |text| taken.contains(text));
    TrackId::new(text).map_err(|error| Diagnostic::new("", Code::BadId, error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::super::fixture::{check_rule, layer_texts, registry, sketch, tools};
    use super::*;

    const LOAD: &str = "load:{\"year\":2015}";

    fn track_ids(draft: &Draft) -> Vec<&str> {
        draft.tracks.iter().map(|track| track.id.as_str()).collect()
    }

    fn args(draft: &Draft, id: &str) -> String {
        let mut work = draft.tracks.iter().flat_map(DraftTrack::work);
        let node = work.find(|node| node.id().as_str() == id).unwrap();
        let Work::Tool(step) = &node.work else { panic!() };
        step.args.to_string()
    }

    #[test]
    fn sketch_of_the_docs() {
        let draft = tools(&[
            ("a", &[&format!("sst:{LOAD}"), "mean:mean:{\"data\":{\"$ref\":\"sst\"}}"]),
            ("b", &[&format!("t:{LOAD}"), "top:max:{\"data\":{\"$ref\":\"t\"}}"]),
        ]);
        insta::assert_snapshot!(sketch(&LiftSharedSteps, &draft), @r"
        before
        a
          1 sst
          2 mean
        b
          1 t
          2 top
        after
        shared
          1 sst
        a
          1 mean
        b
          1 top
        ");
    }

    #[test]
    fn lifts_a_step_of_two_tracks_and_renames_references() {
        let draft = tools(&[
            ("a", &[&format!("sst:{LOAD}"), "mean:mean:{\"data\":{\"$ref\":\"sst\"}}"]),
            ("b", &[&format!("t:{LOAD}"), "top:max:{\"data\":{\"$ref\":\"t#/outputs/result\"}}"]),
        ]);
        let after = check_rule(&LiftSharedSteps, &draft, &registry(), true);
        assert_eq!(track_ids(&after), ["shared", "a", "b"]);
        assert_eq!(layer_texts(&after), ["sst", "mean", "top"]);
        assert_eq!(args(&after, "top"), r#"{"data":{"$ref":"sst#/outputs/result"}}"#);
        assert_eq!(after.lifted.len(), 1);
    }

    #[test]
    fn identity_goes_through_references() {
        // The two means are the same although they name different steps; the two maxima look at different years.
        let draft = tools(&[
            (
                "a",
                &[
                    &format!("s1:{LOAD}"),
                    "m1:mean:{\"data\":{\"$ref\":\"s1\"}}",
                    "o1:load:{\"year\":1999}",
                    "x1:max:{\"data\":{\"$ref\":\"o1\"}}",
                ],
            ),
            (
                "b",
                &[
                    &format!("s2:{LOAD}"),
                    "m2:mean:{\"data\":{\"$ref\":\"s2\"}}",
                    "o2:load:{\"year\":1998}",
                    "x2:max:{\"data\":{\"$ref\":\"o2\"}}",
                ],
            ),
        ]);
        let after = check_rule(&LiftSharedSteps, &draft, &registry(), true);
        assert_eq!(layer_texts(&after), ["s1", "m1", "o1", "x1", "o2", "x2"]);
    }

    #[test]
    fn a_track_that_loses_all_its_steps_keeps_its_result() {
        let draft = tools(&[
            ("a", &[&format!("s1:{LOAD}"), "m1:mean:{\"data\":{\"$ref\":\"s1\"}}"]),
            ("b", &[&format!("s2:{LOAD}"), "x:max:{\"data\":{\"$ref\":\"s2\"}}"]),
            ("c", &["s3:load:{\"year\":2015.0}"]),
        ]);
        let after = check_rule(&LiftSharedSteps, &draft, &registry(), true);
        assert_eq!(layer_texts(&after), ["s1", "m1", "x"]);
        assert_eq!(after.tracks[3].result.as_ref().unwrap().to_string(), "s1");
        assert_eq!(after.tracks[1].result, None);
    }

    #[test]
    fn leaves_alone_other_arguments_one_track_and_what_writes() {
        let different = tools(&[("a", &["s1:load:{\"year\":1}"]), ("b", &["s2:load:{\"year\":2}"])]);
        check_rule(&LiftSharedSteps, &different, &registry(), false);
        let one = tools(&[("a", &["s1:load:{\"year\":1}", "s2:load:{\"year\":1}"]), ("b", &["x:max:{}"])]);
        check_rule(&LiftSharedSteps, &one, &registry(), false);
        let writes = tools(&[("a", &["s1:save:{}"]), ("b", &["s2:save:{}"])]);
        check_rule(&LiftSharedSteps, &writes, &registry(), false);
        let after_write = "save:{}";
        let behind = tools(&[
            ("a", &[&format!("w1:{after_write}"), "m1:mean:{\"data\":{\"$ref\":\"w1\"}}"]),
            ("b", &[&format!("w2:{after_write}"), "m2:mean:{\"data\":{\"$ref\":\"w2\"}}"]),
        ]);
        check_rule(&LiftSharedSteps, &behind, &registry(), false);
    }

    #[test]
    fn takes_another_track_id_when_the_plan_has_it() {
        let draft = tools(&[("shared", &[&format!("s1:{LOAD}")]), ("b", &[&format!("s2:{LOAD}")])]);
        let after = check_rule(&LiftSharedSteps, &draft, &registry(), true);
        assert_eq!(track_ids(&after), ["shared_", "shared", "b"]);
    }

    #[test]
    fn a_step_with_another_limit_is_another_step() {
        let mut draft = tools(&[("a", &[&format!("s1:{LOAD}")]), ("b", &[&format!("s2:{LOAD}")])]);
        let Work::Tool(step) = &mut draft.tracks[1].layers[0].nodes[0].work else { panic!() };
        step.limits.retries = Some(0);
        check_rule(&LiftSharedSteps, &draft, &registry(), false);
    }
}

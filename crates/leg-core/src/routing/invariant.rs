//! What holds after each rule: no work lost, no id twice, every reference goes back.

use std::collections::{BTreeMap, HashMap};

use super::{Draft, DraftNode};

/// The work of a draft: who does it, by id. It outlives the drafts that it counts.
#[derive(Debug)]
pub(super) struct Census(BTreeMap<String, String>);

/// Where each node of work stands (track, layer), and the node; only looked up, never walked through.
type Places<'a> = HashMap<&'a str, (usize, usize, &'a DraftNode)>;

impl Census {
    /// Counts a draft that is in order.
    pub(super) fn of(draft: &Draft) -> Result<Self, String> {
        let mut census = Self(BTreeMap::new());
        census.check(draft)?;
        Ok(census)
    }

    /// Checks a draft that came from the last one by a rule, and counts the work that it adds.
    pub(super) fn check(&mut self, draft: &Draft) -> Result<(), String> {
        ids_are_unique(draft)?;
        shared_comes_first(draft)?;
        let places = places(draft);
        references_go_back(draft, &places)?;
        lifted_steps_are_shared(draft, &places)?;
        for (id, worker) in &self.0 {
            let standing = draft.lifted.get(id.as_str()).map_or(id.as_str(), |id| id.as_str());
            let Some((_, _, node)) = places.get(standing) else {
                return Err(format!("node `{id}` is lost"));
            };
            if node.worker() != worker {
                let now = node.worker();
                return Err(format!("node `{id}` was the work of `{worker}` and is that of `{now}`"));
            }
        }
        // Nothing was lost, so that only a larger count can mean something new.
        if places.len() + draft.lifted.len() > self.0.len() {
            for node in draft.tracks.iter().flat_map(super::DraftTrack::work) {
                if !self.0.contains_key(node.id().as_str()) {
                    self.0.insert(node.id().to_string(), node.worker().to_owned());
                }
            }
        }
        Ok(())
    }
}

fn places(draft: &Draft) -> Places<'_> {
    let mut places = Places::new();
    for (t, track) in draft.tracks.iter().enumerate() {
        for (l, layer) in track.layers.iter().enumerate() {
            places.extend(layer.nodes.iter().map(|node| (node.id().as_str(), (t, l, node))));
        }
    }
    places
}

fn ids_are_unique(draft: &Draft) -> Result<(), String> {
    let mut ids: Vec<&str> = draft.ids().map(crate::NodeId::as_str).collect();
    ids.sort_unstable();
    if let Some(id) = first_repeated(&ids) {
        return Err(format!("two nodes have the id `{id}`"));
    }
    let mut tracks: Vec<&str> = draft.tracks.iter().map(|track| track.id.as_str()).collect();
    tracks.sort_unstable();
    first_repeated(&tracks).map_or(Ok(()), |id| Err(format!("two tracks have the id `{id}`")))
}

fn first_repeated<'a>(sorted: &[&'a str]) -> Option<&'a str> {
    sorted.iter().zip(sorted.iter().skip(1)).find(|(a, b)| a == b).map(|(a, _)| *a)
}

fn shared_comes_first(draft: &Draft) -> Result<(), String> {
    match draft.tracks.iter().rposition(|track| track.shared) {
        None | Some(0) => Ok(()),
        Some(_) => Err("a shared track does not stand first".to_owned()),
    }
}

fn references_go_back(draft: &Draft, places: &Places<'_>) -> Result<(), String> {
    let shared = has_shared(draft);
    for (t, track) in draft.tracks.iter().enumerate() {
        for (l, layer) in track.layers.iter().enumerate() {
            for node in &layer.nodes {
                for target in node.references() {
                    let good = match places.get(target) {
                        Some((track, layer, _)) if *track == t => *layer < l,
                        Some((track, _, _)) => shared && *track == 0,
                        None => false,
                    };
                    if !good {
                        let id = node.id();
                        return Err(format!(
                            "node `{id}` refers to `{target}`, which does not come before it"
                        ));
                    }
                }
            }
        }
        if let Some(result) = &track.result {
            let found = places.get(result.node.as_str()).map(|(track, _, _)| *track);
            if found != Some(t) && !(shared && found == Some(0)) {
                return Err(format!(
                    "the result of track `{}` is `{result}`, which it does not have",
                    track.id
                ));
            }
        }
    }
    Ok(())
}

fn lifted_steps_are_shared(draft: &Draft, places: &Places<'_>) -> Result<(), String> {
    let shared = has_shared(draft);
    for (gone, standing) in &draft.lifted {
        if !(shared && places.get(standing.as_str()).is_some_and(|(track, _, _)| *track == 0)) {
            return Err(format!("`{standing}` is to stand for `{gone}` and is not in a shared track"));
        }
        if places.contains_key(gone.as_str()) {
            return Err(format!("`{gone}` was lifted and is still there"));
        }
    }
    Ok(())
}

fn has_shared(draft: &Draft) -> bool {
    draft.tracks.first().is_some_and(|track| track.shared)
}

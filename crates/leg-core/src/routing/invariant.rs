//! What holds after each rule: no work lost, no id twice, every reference goes back.

use std::collections::BTreeMap;

use super::{Draft, DraftNode};

/// The work of a draft: who does it, by id.
#[derive(Debug)]
pub(super) struct Census(BTreeMap<String, String>);

impl Census {
    /// Counts a draft that is in order.
    pub(super) fn of(draft: &Draft) -> Result<Self, String> {
        ids_are_unique(draft)?;
        shared_comes_first(draft)?;
        references_go_back(draft)?;
        let work = draft.tracks.iter().flat_map(|track| track.work());
        Ok(Self(work.map(|node| (node.id().to_string(), node.worker().to_owned())).collect()))
    }

    /// Counts a draft that came from this one by a rule.
    pub(super) fn check(&self, draft: &Draft) -> Result<Self, String> {
        let after = Self::of(draft)?;
        for (id, worker) in &self.0 {
            let standing = draft.lifted.get(id.as_str()).map_or(id.as_str(), |id| id.as_str());
            match after.0.get(standing) {
                None => return Err(format!("node `{id}` is lost")),
                Some(other) if other != worker => {
                    return Err(format!("node `{id}` was the work of `{worker}` and is that of `{other}`"));
                }
                Some(_) => {}
            }
        }
        Ok(after)
    }
}

fn ids_are_unique(draft: &Draft) -> Result<(), String> {
    let mut ids: Vec<&str> = draft.ids().map(|id| id.as_str()).collect();
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

fn references_go_back(draft: &Draft) -> Result<(), String> {
    let mut places: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    for (t, track) in draft.tracks.iter().enumerate() {
        for (l, layer) in track.layers.iter().enumerate() {
            places.extend(layer.nodes.iter().map(|node| (node.id().as_str(), (t, l))));
        }
    }
    let shared = draft.tracks.first().is_some_and(|track| track.shared);
    let goes_back = |node: &DraftNode, t: usize, l: usize| {
        for target in node.references() {
            let good = match places.get(target) {
                Some((track, layer)) if *track == t => *layer < l,
                Some((track, _)) => shared && *track == 0,
                None => false,
            };
            if !good {
                return Err(format!(
                    "node `{}` refers to `{target}`, which does not come before it",
                    node.id()
                ));
            }
        }
        Ok(())
    };
    for (t, track) in draft.tracks.iter().enumerate() {
        for (l, layer) in track.layers.iter().enumerate() {
            layer.nodes.iter().try_for_each(|node| goes_back(node, t, l))?;
        }
        if let Some(result) = &track.result {
            let track_of_result = places.get(result.node.as_str()).map(|(track, _)| *track);
            if track_of_result != Some(t) && !(shared && track_of_result == Some(0)) {
                return Err(format!(
                    "the result of track `{}` is `{result}`, which it does not have",
                    track.id
                ));
            }
        }
    }
    for (gone, standing) in &draft.lifted {
        if !(shared && places.get(standing.as_str()).is_some_and(|(track, _)| *track == 0)) {
            return Err(format!("`{standing}` is to stand for `{gone}` and is not in a shared track"));
        }
        if places.contains_key(gone.as_str()) {
            return Err(format!("`{gone}` was lifted and is still there"));
        }
    }
    Ok(())
}

//! Runs the tracks of a graph: the shared one first, then all others side by side.

use std::collections::BTreeMap;
use std::sync::Arc;

use tokio::task::JoinSet;

use crate::Status;
use crate::graph::GraphTrack;
use crate::run::state::RunState;
use crate::run::stop::Stop;
use crate::run::track::{TrackEnd, run_track};

/// Runs all tracks; their ends have the order of the graph.
pub(crate) async fn run_tracks(state: &Arc<RunState>, stop: &Stop) -> BTreeMap<usize, TrackEnd> {
    let tracks = state.graph.tracks();
    let mut ends = BTreeMap::new();
    let mut others = JoinSet::new();
    for (at, track) in tracks.iter().enumerate() {
        if track.shared {
            ends.insert(at, run_track(Arc::clone(state), at, stop.child()).await);
        }
    }
    for at in (0..tracks.len()).filter(|at| !ends.contains_key(at)) {
        let (state, stop) = (Arc::clone(state), stop.child());
        others.spawn(async move { (at, run_track(state, at, stop).await) });
    }
    while let Some(ended) = others.join_next().await {
        if let Ok((at, end)) = ended {
            ends.insert(at, end);
        }
    }
    ends
}

impl RunState {
    /// Whether a track gave its result, or anything at all where the plan names no result.
    pub(crate) fn answers(&self, track: &GraphTrack) -> bool {
        if track.shared {
            return false;
        }
        match track.result.as_ref().and_then(|result| self.graph.find(&result.node)) {
            // A step whose condition is false is skipped without an error: that is an answer too.
            Some(index) => self.output(index).is_some_and(|output| {
                output.status.is_ok() || (output.status == Status::Skipped && output.error.is_none())
            }),
            None => {
                track.layers.iter().flat_map(|layer| &layer.nodes).any(|&index| self.status(index).is_ok())
            }
        }
    }
}

//! What several tracks found is folded into one brief.

use leg_core::graph::LayeredGraph;
use proptest::prelude::*;

/// There is a merge if there are several tracks beside the shared one, and only then.
pub(crate) fn holds(graph: &LayeredGraph) -> Result<(), TestCaseError> {
    let joined = graph.tracks().iter().filter(|track| !track.shared).count();
    prop_assert_eq!(graph.merge().is_some(), joined > 1);
    Ok(())
}

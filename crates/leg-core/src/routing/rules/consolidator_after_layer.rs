//! [`ConsolidatorAfterLayer`]: what several agents found becomes one brief.

use crate::plan::{Code, Diagnostic};
use crate::routing::{Draft, DraftLayer, Rewrite, RoutingRule, RuleContext, Work};

/// A layer in which several agents work gets a consolidator; tools need none.
///
/// ```text
/// before                    after
/// layer 1  gauges, marks    layer 1  gauges, marks, consolidator_surge_1
/// layer 2  zones            layer 2  zones
/// ```
#[derive(Debug)]
pub(super) struct ConsolidatorAfterLayer;

impl RoutingRule for ConsolidatorAfterLayer {
    fn name(&self) -> &'static str {
        "consolidator_after_layer"
    }

    fn rewrite(&self, mut draft: Draft, _: &RuleContext<'_>) -> Result<Rewrite, Diagnostic> {
        let is_right = |layer: &DraftLayer| layer.consolidator.is_some() == has_several_agents(layer);
        if draft.tracks.iter().flat_map(|track| &track.layers).all(is_right) {
            return Ok(Rewrite::Unchanged(draft));
        }
        let mut ids = draft.free_ids();
        for track in &mut draft.tracks {
            for (at, layer) in track.layers.iter_mut().enumerate().filter(|(_, layer)| !is_right(layer)) {
                layer.consolidator = if has_several_agents(layer) {
                    let base = format!("consolidator_{}_{}", track.id, at + 1);
                    Some(ids.take(&base).map_err(|error| {
                        Diagnostic::new("", Code::BadId, format!("a consolidator has no name: {error}"))
                    })?)
                } else {
                    None
                };
            }
        }
        Ok(Rewrite::Changed(draft))
    }
}

/// Whether two or more agents work in the layer.
pub(super) fn has_several_agents(layer: &DraftLayer) -> bool {
    layer.nodes.iter().filter(|node| matches!(node.work, Work::Agent(_))).nth(1).is_some()
}

#[cfg(test)]
mod tests {
    use super::super::fixture::{agents, check_rule, registry, sketch, tools};
    use super::*;

    fn names(draft: &Draft) -> Vec<Option<String>> {
        let layers = draft.tracks.iter().flat_map(|track| &track.layers);
        layers.map(|layer| layer.consolidator.as_ref().map(ToString::to_string)).collect()
    }

    #[test]
    fn sketch_of_the_docs() {
        let draft = agents(&[&["gauges:coops", "marks:usgs"], &["zones:fema"]]);
        insta::assert_snapshot!(sketch(&ConsolidatorAfterLayer, &draft), @r"
        before
        t
          1 gauges, marks
          2 zones
        after
        t
          1 gauges, marks -> consolidator_t_1
          2 zones
        ");
    }

    #[test]
    fn folds_layers_of_several_agents_only() {
        let draft = agents(&[&["a:coops"], &["b:coops", "c:usgs"]]);
        let after = check_rule(&ConsolidatorAfterLayer, &draft, &registry(), true);
        assert_eq!(names(&after), [None, Some("consolidator_t_2".to_owned())]);
    }

    #[test]
    fn leaves_tools_alone() {
        let draft = tools(&[("t", &["a:mean:{}", "b:mean:{\"x\":1}"])]);
        check_rule(&ConsolidatorAfterLayer, &draft, &registry(), false);
    }

    #[test]
    fn drops_one_that_folds_a_single_agent() {
        let mut draft = agents(&[&["a:coops"]]);
        draft.tracks[0].layers[0].consolidator = Some("stray".parse().unwrap());
        let after = check_rule(&ConsolidatorAfterLayer, &draft, &registry(), true);
        assert_eq!(names(&after), [None]);
    }
}

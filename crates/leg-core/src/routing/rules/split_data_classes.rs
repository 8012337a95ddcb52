//! [`SplitDataClasses`]: what was measured, what is expected and what could happen never share a layer.

use crate::DataClass;
use crate::plan::Diagnostic;
use crate::routing::{Draft, DraftLayer, Rewrite, RoutingRule, RuleContext};

/// No two data classes in one layer.
///
/// ```text
/// before                                  after
/// layer 1  gauges (observation)           layer 1  gauges (observation)
///          zones  (hypothetical)                   notes  (none)
///          surge  (forecast)              layer 2  surge  (forecast)
///          notes  (none)                  layer 3  zones  (hypothetical)
/// ```
///
/// Nodes without a class mix with all and stay in the first of the new layers.
#[derive(Debug)]
pub(super) struct SplitDataClasses;

/// What was measured comes first, so that what follows can lean on it.
const ORDER: [DataClass; 3] = [DataClass::Observation, DataClass::Forecast, DataClass::Hypothetical];

impl RoutingRule for SplitDataClasses {
    fn name(&self) -> &'static str {
        "split_data_classes"
    }

    fn rewrite(&self, mut draft: Draft, context: &RuleContext<'_>) -> Result<Rewrite, Diagnostic> {
        let mut changed = false;
        for track in &mut draft.tracks {
            if !track.layers.iter().any(|layer| classes(layer, context).len() > 1) {
                continue;
            }
            changed = true;
            track.layers = std::mem::take(&mut track.layers)
                .into_iter()
                .flat_map(|layer| split(layer, context))
                .collect();
        }
        Ok(Rewrite::new(draft, changed))
    }
}

/// The classes of a layer, in order.
pub(super) fn classes(layer: &DraftLayer, context: &RuleContext<'_>) -> Vec<DataClass> {
    let mut present = [false; ORDER.len()];
    for class in layer.nodes.iter().filter_map(|node| context.data_class(node)) {
        for (slot, own) in present.iter_mut().zip(ORDER) {
            *slot |= own == class;
        }
    }
    ORDER.into_iter().zip(present).filter(|(_, there)| *there).map(|(class, _)| class).collect()
}

fn split(layer: DraftLayer, context: &RuleContext<'_>) -> Vec<DraftLayer> {
    let classes = classes(&layer, context);
    if classes.len() < 2 {
        return vec![layer];
    }
    // The consolidator folded the whole layer; the new layers get their own by a later rule.
    let mut layers: Vec<DraftLayer> =
        classes.iter().map(|_| DraftLayer::of(layer.policy, Vec::new())).collect();
    for node in layer.nodes {
        let place = context.data_class(&node).and_then(|own| classes.iter().position(|class| *class == own));
        if let Some(target) = layers.get_mut(place.unwrap_or(0)) {
            target.nodes.push(node);
        }
    }
    for image in layer.images {
        if let Some(target) =
            layers.iter_mut().find(|part| part.nodes.iter().any(|node| *node.id() == image.of))
        {
            target.images.push(image);
        }
    }
    layers
}

#[cfg(test)]
mod tests {
    use super::super::fixture::{agents, check_rule, layer_texts, registry, sketch, tools};
    use super::*;

    #[test]
    fn sketch_of_the_docs() {
        let draft = agents(&[&["gauges:coops", "zones:fema", "surge:stofs", "notes:plain"]]);
        insta::assert_snapshot!(sketch(&SplitDataClasses, &draft), @r"
        before
        t
          1 gauges, zones, surge, notes
        after
        t
          1 gauges, notes
          2 surge
          3 zones
        ");
    }

    #[test]
    fn separates_classes_and_keeps_plan_order() {
        let draft = agents(&[&["zones:fema", "surge:stofs", "a:coops", "notes:plain", "b:coops"]]);
        let after = check_rule(&SplitDataClasses, &draft, &registry(), true);
        assert_eq!(layer_texts(&after), ["a notes b", "surge", "zones"]);
    }

    #[test]
    fn leaves_alone_one_class_and_none() {
        let draft = agents(&[&["a:coops", "b:coops", "notes:plain"], &["zones:fema"]]);
        check_rule(&SplitDataClasses, &draft, &registry(), false);
    }

    #[test]
    fn reads_the_tools_class_in_a_steps_track() {
        let draft = tools(&[("t", &["a:zone_map:{}", "b:gauge:{}", "c:mean:{\"data\":{\"$ref\":\"a\"}}"])]);
        let after = check_rule(&SplitDataClasses, &draft, &registry(), true);
        assert_eq!(layer_texts(&after), ["b", "a", "c"]);
    }

    #[test]
    fn images_stay_with_their_node_and_the_old_consolidator_goes() {
        let mut draft = agents(&[&["zones:fema", "a:coops"]]);
        let layer = &mut draft.tracks[0].layers[0];
        layer.images.push(crate::routing::DraftImage {
            id: "image_zones".parse().unwrap(),
            of: "zones".parse().unwrap(),
        });
        layer.consolidator = Some("old".parse().unwrap());
        let after = check_rule(&SplitDataClasses, &draft, &registry(), true);
        assert_eq!(after.tracks[0].layers[1].images.len(), 1);
        assert!(after.tracks[0].layers.iter().all(|layer| layer.consolidator.is_none()));
    }
}

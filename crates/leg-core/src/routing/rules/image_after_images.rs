//! [`ImageAfterImages`]: pictures are looked at directly after they are made.

use crate::IdError;
use crate::graph::FreeIds;
use crate::plan::{Code, Diagnostic};
use crate::routing::{Draft, DraftImage, DraftLayer, DraftNode, Rewrite, RoutingRule, RuleContext};

/// An image node for each node that makes pictures, in the same layer after all work.
///
/// ```text
/// before                        after
/// layer 1  map  (makes images)  layer 1  map
///          mean                          mean
///                                        image_map
/// ```
#[derive(Debug)]
pub(super) struct ImageAfterImages;

impl RoutingRule for ImageAfterImages {
    fn name(&self) -> &'static str {
        "image_after_images"
    }

    fn rewrite(&self, mut draft: Draft, context: &RuleContext<'_>) -> Result<Rewrite, Diagnostic> {
        let is_right = |layer: &DraftLayer| {
            let makers = layer.nodes.iter().filter(|node| context.makes_images(node)).map(DraftNode::id);
            makers.eq(layer.images.iter().map(|image| &image.of))
        };
        if draft.tracks.iter().flat_map(|track| &track.layers).all(is_right) {
            return Ok(Rewrite::Unchanged(draft));
        }
        let mut ids = draft.free_ids();
        for layer in draft.tracks.iter_mut().flat_map(|track| &mut track.layers) {
            if !is_right(layer) {
                layer.images = images(layer, context, &mut ids).map_err(|error| {
                    Diagnostic::new("", Code::BadId, format!("an image node has no name: {error}"))
                })?;
            }
        }
        Ok(Rewrite::Changed(draft))
    }
}

fn images(
    layer: &mut DraftLayer,
    context: &RuleContext<'_>,
    ids: &mut FreeIds,
) -> Result<Vec<DraftImage>, IdError> {
    let mut old = std::mem::take(&mut layer.images);
    let makers = layer.nodes.iter().filter(|node| context.makes_images(node));
    let image = |node: &DraftNode| match old.iter().position(|image| image.of == *node.id()) {
        Some(at) => Ok(old.swap_remove(at)),
        None => Ok(DraftImage { id: ids.take(&format!("image_{}", node.id()))?, of: node.id().clone() }),
    };
    makers.map(image).collect()
}

#[cfg(test)]
mod tests {
    use super::super::fixture::{agents, check_rule, registry, sketch, tools};
    use super::*;

    fn image_ids(draft: &Draft) -> Vec<String> {
        let layers = draft.tracks.iter().flat_map(|track| &track.layers);
        layers.flat_map(|layer| &layer.images).map(|image| format!("{} of {}", image.id, image.of)).collect()
    }

    #[test]
    fn sketch_of_the_docs() {
        let draft = tools(&[("t", &["map:plot:{}", "mean:mean:{}"])]);
        insta::assert_snapshot!(sketch(&ImageAfterImages, &draft), @r"
        before
        t
          1 map, mean
        after
        t
          1 map, mean -> image_map
        ");
    }

    #[test]
    fn follows_each_maker_in_its_own_layer() {
        let draft = tools(&[("t", &["a:plot:{}", "b:mean:{}", "c:plot:{\"data\":{\"$ref\":\"b\"}}"])]);
        let after = check_rule(&ImageAfterImages, &draft, &registry(), true);
        assert_eq!(image_ids(&after), ["image_a of a", "image_c of c"]);
        assert_eq!(after.tracks[0].layers[1].images.len(), 1);
    }

    #[test]
    fn leaves_alone_what_makes_no_pictures() {
        check_rule(&ImageAfterImages, &agents(&[&["a:coops"]]), &registry(), false);
    }

    #[test]
    fn takes_another_id_when_the_plan_has_it_and_drops_a_stray_image() {
        let mut draft = agents(&[&["a:mapper"], &["image_a:coops"]]);
        draft.tracks[0].layers[1]
            .images
            .push(DraftImage { id: "stray".parse().unwrap(), of: "a".parse().unwrap() });
        let after = check_rule(&ImageAfterImages, &draft, &registry(), true);
        assert_eq!(image_ids(&after), ["image_a_ of a"]);
    }
}

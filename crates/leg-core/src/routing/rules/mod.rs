//! The ordered table of generic rules.

mod consolidator_after_layer;
mod image_after_images;
mod lift_shared_steps;
mod merge_after_tracks;
mod provides_before_needs;
mod reporter_last;
mod sanity_check;
mod split_data_classes;

use super::RoutingRule;

/// The generic rules in order.
pub(super) fn generic() -> Vec<Box<dyn RoutingRule>> {
    vec![
        // First: it takes tracks apart and levels them anew, which undoes what later rules did to their layers.
        Box::new(lift_shared_steps::LiftSharedSteps),
        // Before splitting: splitting one layer into several in a row keeps an order that is right already.
        Box::new(provides_before_needs::ProvidesBeforeNeeds),
        // The last rule that makes layers; those that follow look at finished ones.
        Box::new(split_data_classes::SplitDataClasses),
        // Before the consolidator, which also folds what images show.
        Box::new(image_after_images::ImageAfterImages),
        // After all that belongs to a layer is there.
        Box::new(consolidator_after_layer::ConsolidatorAfterLayer),
        // After the tracks are final: a shared track may have come.
        Box::new(merge_after_tracks::MergeAfterTracks),
        // Last: it writes the answer.
        Box::new(reporter_last::ReporterLast),
    ]
}

/// Changes nothing and only rejects: what the rules above promise holds, whoever rewrote after them.
pub(super) fn last() -> Box<dyn RoutingRule> {
    Box::new(sanity_check::SanityCheck)
}

#[cfg(test)]
mod fixture;

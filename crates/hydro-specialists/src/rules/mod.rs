//! Routing rules of the domain, for [`leg_core::routing::Router::new`]. That hypothetical, observed and forecast work never
//! shares a layer, that a provider of a fact works before who needs it, and that pictures are looked at, are rules of the engine.

mod best_track_before_surge;
mod observation_after_track;
mod widen_underspecified;

use leg_core::routing::RoutingRule;

/// The rules, in order.
pub fn all() -> Vec<Box<dyn RoutingRule>> {
    vec![
        // First: what it adds needs the track too.
        Box::new(widen_underspecified::WidenUnderspecified),
        // Before the next one, which looks for the track.
        Box::new(best_track_before_surge::BestTrackBeforeSurge),
        Box::new(observation_after_track::ObservationAfterTrack),
    ]
}

//! Routing and compiling on random plans: twice is once, nothing is lost, every promise of the graph holds.
//!
//! A module a rule says what the rule promises of each compiled graph; [`promises`] asks them all.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod consolidator_after_layer;
mod extra_rules;
mod image_after_images;
mod lift_shared_steps;
mod merge_after_tracks;
mod promises;
mod provides_before_needs;
mod reporter_last;
mod sanity_check;
mod split_data_classes;
mod table;
mod tangled;
mod world;

//! The ocean tools: one file each, and a line in the table of its family.

mod budget;
mod climatology;
mod data;
mod dynamics;
mod field;
mod hovmoller;
mod profile;
mod section;
mod statistic;
mod synthesis;
mod timeseries;
mod transport;
mod vertical;
mod watermass;

use std::sync::Arc;

use leg_core::Tool;

use crate::Datasets;

/// Every tool, in the order in which they are listed.
pub fn all(datasets: &Arc<Datasets>) -> Vec<Arc<dyn Tool>> {
    [
        data::all(datasets),
        timeseries::all(datasets),
        climatology::all(datasets),
        statistic::all(datasets),
        field::all(datasets),
        dynamics::all(datasets),
        budget::all(datasets),
        hovmoller::all(datasets),
        section::all(datasets),
        transport::all(datasets),
        watermass::all(datasets),
        vertical::all(datasets),
        profile::all(datasets),
        synthesis::all(datasets),
    ]
    .concat()
}

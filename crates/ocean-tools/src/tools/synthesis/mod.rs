//! Figures and files from results.

pub(super) mod export_table;
mod figure;
pub(super) mod render_figure;

//! Figures and files from results.

mod chart;
pub(super) mod export_table;
pub(super) mod render_figure;

//! Figures and files from results.

mod export_netcdf;
mod export_table;
mod figure;
mod render_figure;

crate::computation::tools![
    render_figure::RenderFigure,
    export_table::ExportTable,
    export_netcdf::ExportNetcdf,
];

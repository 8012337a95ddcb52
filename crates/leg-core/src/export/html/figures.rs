//! The pictures of the report, inside the page.

use std::fmt::Write as _;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use super::markup::{anchor, escape, to};
use crate::export::{ExportError, RunRecord};
use crate::run::Figure;

/// The pictures. Where there is a raster image, as in the report itself, an SVG of the same picture is for other
/// readers.
pub(super) fn figures(record: &RunRecord) -> Result<String, ExportError> {
    let mut out = String::new();
    for figure in &record.figures {
        let form = figure.rendering.media_type.as_str();
        let twin = record.figures.iter().any(|other| other.node == figure.node && is_raster(other));
        // As the source of an image an SVG runs no script and loads nothing.
        let shown = is_raster(figure) || (form == "image/svg+xml" && !twin);
        if !shown {
            continue;
        }
        let bytes = record.folder().read(&figure.file)?;
        let node = figure.node.as_str();
        let _ = writeln!(
            out,
            "<figure><img alt=\"{name}\" src=\"data:{form};base64,{data}\"><figcaption>{link}</figcaption></figure>",
            name = escape(&figure.rendering.name),
            data = STANDARD.encode(bytes),
            link = to(&anchor("node", node), node),
        );
    }
    Ok(out)
}

fn is_raster(figure: &Figure) -> bool {
    matches!(figure.rendering.media_type.as_str(), "image/png" | "image/jpeg" | "image/gif" | "image/webp")
}

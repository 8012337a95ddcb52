//! Masks: maps of two colours.

use leg_core::ToolError;
use ocean_chart::{Bands, Colours, Palette};

use super::map::draw_array;
use super::source::Source;

/// Draws a mask as a map.
pub(super) fn draw(source: &Source<'_>) -> Result<String, ToolError> {
    let variable = source.main()?;
    let palette = match source.look.palette.0 {
        Palette::Auto => Palette::Tempo,
        chosen => chosen,
    };
    let colours = Colours { palette, bands: Bands::Edges(&[-0.5, 0.5, 1.5]), ..Colours::default() };
    draw_array(source, variable, &source.look.title, &source.subtitle(), colours, source.at())
}

//! Sections: values along a way and down to depth, the sea floor in grey.

use leg_core::ToolError;
use ocean_chart::{Palette, PlaneMark, SectionSpec};

use super::hovmoller;
use super::source::{Measure, Source, drawn};
use super::take::{length, take};

const FLOORS: [&str; 6] = ["bottom_depth", "floor", "bathymetry", "deptho", "sea_floor_depth", "seafloor"];

/// Draws a section; an array without depths as any two axes.
pub(super) fn draw(source: &Source<'_>) -> Result<String, ToolError> {
    let main = source.main()?;
    let axes = main
        .dims
        .iter()
        .map(|dim| Ok((dim, source.axis(dim, length(main, dim).unwrap_or(0))?)))
        .collect::<Result<Vec<_>, ToolError>>()?;
    let is_depth = |dim: &str, measure: &Measure| *measure == Measure::Depth || dim == "depth";
    let depth = axes.iter().find(|(dim, axis)| is_depth(dim, &axis.measure));
    let way = axes.iter().rev().find(|(dim, axis)| !is_depth(dim, &axis.measure));
    let (Some((depth_dim, depth)), Some((dim, way))) = (depth, way) else { return hovmoller::draw(source) };
    let values =
        take(main, &[depth_dim.as_str(), dim.as_str()], source.at()).ok_or_else(|| source.lacks("values"))?;
    let floor = source.named(&FLOORS, way.values.len()).map_or(&[][..], |floor| floor.values.as_slice());
    let layer = source.named(&["mixed_layer_depth", "mld"], way.values.len());
    let marks: Vec<PlaneMark<'_>> = layer
        .map(|layer| PlaneMark::Line { x: &way.values, y: &layer.values, label: "mixed layer" })
        .into_iter()
        .collect();
    let colours = source.colours(main);
    // Isolines of water properties are what sections are read by; those of currents are noise.
    let has_lines = matches!(
        colours.palette,
        Palette::Thermal | Palette::Haline | Palette::Dense | Palette::Oxy | Palette::Matter | Palette::Auto
    );
    drawn(
        SectionSpec {
            title: &source.look.title,
            subtitle: &source.subtitle(),
            quantity: &source.quantity(main),
            units: &main.units,
            along: way.along(),
            depth: &depth.values,
            values: &values,
            colours,
            shading: source.shading(),
            contours: &source.contours(has_lines),
            floor,
            marks: &marks,
        }
        .to_svg(),
    )
}

//! From an artifact to the text of a chart: a file for each kind of chart, and the table of them.

mod bars;
mod climatology;
mod diagram;
mod eof;
mod events;
mod histogram;
mod hovmoller;
mod look;
mod map;
mod mask;
mod profile;
mod section;
mod series;
mod source;
mod spectrum;
mod take;

use leg_core::{Artifact, Kind, ToolError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub(super) use look::{Look, Options, PaletteArgument, ProjectionArgument, RangeArgument};
use source::Source;

/// A kind of chart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum ChartKind {
    /// Values on longitude and latitude.
    Map,
    /// True or false on longitude and latitude.
    Mask,
    /// Values along time, or along any one axis.
    Series,
    /// The months, seasons or days of a year.
    Climatology,
    /// Values down to depth.
    Profile,
    /// Values along a way and down to depth.
    Section,
    /// Values along time and one other axis, or along any two axes.
    Hovmoller,
    /// Counts in bins of one or two quantities.
    Histogram,
    /// Power along frequency.
    Spectrum,
    /// Temperature against salinity, or any two quantities.
    Diagram,
    /// Patterns and their series.
    Eof,
    /// Events along time, and where they were.
    Events,
    /// A bar for each name.
    Bars,
}

/// A chart: its kind, the kinds of artifacts that it is the usual one for, and what draws it.
struct Chart {
    kind: ChartKind,
    usual: &'static [Kind],
    draw: fn(&Source<'_>) -> Result<String, ToolError>,
}

const CHARTS: [Chart; 13] = [
    Chart { kind: ChartKind::Map, usual: &[Kind::Map], draw: map::draw },
    Chart { kind: ChartKind::Mask, usual: &[Kind::Mask], draw: mask::draw },
    Chart { kind: ChartKind::Series, usual: &[Kind::Series], draw: series::draw },
    Chart { kind: ChartKind::Climatology, usual: &[Kind::Climatology], draw: climatology::draw },
    Chart { kind: ChartKind::Profile, usual: &[Kind::Profile], draw: profile::draw },
    Chart { kind: ChartKind::Section, usual: &[Kind::Section], draw: section::draw },
    Chart { kind: ChartKind::Hovmoller, usual: &[Kind::Hovmoller], draw: hovmoller::draw },
    Chart { kind: ChartKind::Histogram, usual: &[Kind::Histogram], draw: histogram::draw },
    Chart { kind: ChartKind::Spectrum, usual: &[Kind::Spectrum], draw: spectrum::draw },
    Chart { kind: ChartKind::Diagram, usual: &[Kind::Diagram], draw: diagram::draw },
    Chart { kind: ChartKind::Eof, usual: &[Kind::Eof], draw: eof::draw },
    Chart { kind: ChartKind::Events, usual: &[Kind::Events], draw: events::draw },
    Chart { kind: ChartKind::Bars, usual: &[Kind::Statistic], draw: bars::draw },
];

/// Draws an artifact as SVG; says which chart it is.
///
/// # Errors
/// An artifact of a kind that has no chart, or one that lacks the arrays or coordinates that its chart needs.
pub(super) fn svg(artifact: &Artifact, look: &Look) -> Result<(ChartKind, String), ToolError> {
    let is_meant = |chart: &&Chart| match look.kind {
        Some(kind) => chart.kind == kind,
        None => chart.usual.contains(&artifact.kind),
    };
    let Some(chart) = CHARTS.iter().find(is_meant) else {
        let kinds: Vec<&str> =
            CHARTS.iter().flat_map(|chart| chart.usual).map(|kind| kind.as_str()).collect();
        return Err(ToolError::invalid(format!(
            "a {} cannot be drawn; draw one of: {}",
            artifact.kind,
            kinds.join(", ")
        )));
    };
    let drawing = (chart.draw)(&Source { artifact, look })?;
    Ok((chart.kind, drawing))
}

/// A smaller line under the title: how, when, where, relative to what.
pub(super) fn subtitle(artifact: &Artifact) -> String {
    source::subtitle(artifact)
}

#[cfg(test)]
mod tests;

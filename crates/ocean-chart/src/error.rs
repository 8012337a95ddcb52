//! What can keep a chart from being drawn.

use resvg::usvg;

use crate::palette::Palette;

/// Why a chart could not be drawn.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ChartError {
    /// An array has not the length that its axes ask for.
    #[error(
        "`{what}` has {found} values where {expected} are needed; give one value for each place of the axes"
    )]
    Length {
        /// The array.
        what: String,
        /// The length its axes ask for.
        expected: usize,
        /// The length it has.
        found: usize,
    },
    /// A coordinate axis is empty, not finite, or runs back and forth.
    #[error("the {axis} axis {problem}; give finite values in one order, rising or falling")]
    Axis {
        /// The axis.
        axis: &'static str,
        /// What is wrong with it.
        problem: &'static str,
    },
    /// A chart of lines was given none.
    #[error("chart `{title}` has no lines; give at least one")]
    NoLines {
        /// The title of the chart.
        title: String,
    },
    /// There is nothing to draw.
    #[error("{what} have no finite value, so there is nothing to draw; choose another place or time")]
    NoData {
        /// What is all missing.
        what: String,
    },
    /// A number that describes a chart is not one that it can be drawn with.
    #[error("`{what}` is {found}; give {wanted}")]
    Number {
        /// What the number is of.
        what: &'static str,
        /// The number.
        found: f64,
        /// What it should be.
        wanted: &'static str,
    },
    /// There is no palette of this name.
    #[error("there is no palette `{name}`; give one of: auto, {}", names())]
    Palette {
        /// The name asked for.
        name: String,
    },
    /// A triangle of a mesh names a node that it has not.
    #[error("triangle {triangle} names node {node} of {nodes}; number nodes from 0")]
    Node {
        /// The place of the triangle.
        triangle: usize,
        /// The node that it names.
        node: usize,
        /// How many nodes there are.
        nodes: usize,
    },
    /// A fixed range is not a range.
    #[error(
        "range {low} to {high} is empty, not finite, or not above 0 where ratios are drawn; give a lower end below the upper end"
    )]
    Range {
        /// The lower end asked for.
        low: f64,
        /// The upper end asked for.
        high: f64,
    },
    /// A drawing of another origin can't be put into one of ours.
    #[error("a text is no drawing of this crate; give texts that `to_svg` made")]
    NotOurs,
    /// A picture of this size can't be made.
    #[error("a picture {width} pixels wide can't be made; ask for 1 to {limit}")]
    Size {
        /// The width asked for.
        width: u32,
        /// The largest width.
        limit: u32,
    },
    /// The text is not a drawing that can be turned into pixels.
    #[error("the SVG text can't be read; give the text that `to_svg` made")]
    Svg(#[source] usvg::Error),
    /// The pixels could not be written as PNG.
    #[error("the picture could not be written as PNG ({reason}); ask for a smaller one")]
    Encode {
        /// What the encoder said.
        reason: String,
    },
}

fn names() -> String {
    Palette::ALL.map(Palette::name).join(", ")
}

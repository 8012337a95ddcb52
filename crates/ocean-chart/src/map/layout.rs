//! Where the parts of a map stand.

use super::{graticule::TICK, projection::Formula, spec::MapSpec, vectors::Arrows, view::View};
use crate::{
    colour::Scale,
    colour_bar::ColourBar,
    font,
    plot::{Heading, MARGIN, TICK_SIZE, WIDTH},
};

const MAX_FRAME_HEIGHT: f64 = 560.0;
/// Room under the frame for the names of meridians.
const BELOW: f64 = TICK + TICK_SIZE + 6.0;
/// A frame flatter than this has its colour bar below it.
const FLAT: f64 = 0.35;

/// The heading, the frame and the colour bar of a map.
#[derive(Debug)]
pub(super) struct Layout<'a> {
    pub(super) heading: Heading,
    pub(super) bar: ColourBar<'a>,
    pub(super) size: [f64; 2],
    /// Room between the frame and the colour bar below it.
    pub(super) below: f64,
}

impl<'a> Layout<'a> {
    /// Lays out a map and gives its view a frame.
    pub(super) fn new(spec: &MapSpec<'_>, scale: &'a Scale, view: &mut View) -> Self {
        let is_polar = matches!(view.formula, Formula::Polar { .. });
        let around = if is_polar { font::width("150°W", TICK_SIZE) + 10.0 } else { 0.0 };
        let left = MARGIN + font::width("88.88°N", TICK_SIZE) + TICK + 2.0;
        let aspect = view.aspect().clamp(0.08, 8.0);
        let is_upright = aspect >= FLAT;
        let bar = |length| ColourBar::new(scale, spec.quantity, spec.units, is_upright, length);
        let room = |bar: &ColourBar<'_>| if is_upright { bar.thickness() + around } else { 18.0 };
        let most = WIDTH - left - MARGIN;
        let width = (most - room(&bar(MAX_FRAME_HEIGHT))).min(MAX_FRAME_HEIGHT / aspect).max(90.0);
        let height = width * aspect;
        let bar = bar(if is_upright { height } else { width });
        let drawing_width = (left + width + room(&bar) + MARGIN).max(480.0);
        let heading = Heading::new(spec.title, spec.subtitle, drawing_width);
        let reference = if spec.vectors.is_some() { Arrows::HEIGHT } else { 0.0 };
        let top = heading.height() + 12.0 + reference + if is_polar { 18.0 } else { 0.0 };
        let below = if is_polar { BELOW + 6.0 } else { BELOW };
        let foot = if is_upright { 12.0 } else { bar.thickness() };
        // A narrow map stands in the middle of its drawing.
        let spare = drawing_width - (left + width + room(&bar) + MARGIN);
        view.set_frame([left + spare / 2.0, top, width, height]);
        Self { heading, bar, size: [drawing_width, top + height + below + foot], below }
    }

    /// Returns the frame that the colour bar stands beside: that of the view with the names around it.
    pub(super) fn bar_frame(view: &View) -> [f64; 4] {
        let [left, top, width, height] = view.frame;
        let around = match view.formula {
            Formula::Polar { .. } => font::width("150°W", TICK_SIZE) + 10.0,
            _ => 0.0,
        };
        [left, top, width + around, height]
    }
}

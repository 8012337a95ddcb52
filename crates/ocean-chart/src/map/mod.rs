//! Maps.
//!
//! - `spec`: what a map is, and the order in which it is drawn
//! - `grid`: where its values are, and their picture; `quads`: that of curvilinear cells
//! - `projection`, `view`: from degrees to pixels; `layout`: where the frame stands
//! - `graticule`, `marks`, `vectors`: what is drawn over it

mod graticule;
mod grid;
mod layout;
mod marks;
mod projection;
mod quads;
mod spec;
mod vectors;
mod view;

pub use grid::MapGrid;
pub use marks::MapMark;
pub use projection::Projection;
pub use spec::{Coast, MapSpec, MapWindow};
pub use vectors::Vectors;

//! Lazy fields: a variable and a selection, walked chunk by chunk.

mod bottom;
mod chunk_walk;
mod depth;
mod field;
mod named_regions;
mod plan;
pub mod reduce;
mod region;
mod select;
mod selection;
mod time_window;

pub use chunk_walk::{Block, ChunkTree, WalkControl, WalkError, WholeAxes};
pub use depth::Depth;
pub use field::{Field, SpaceAxis, TimeAxis};
pub use named_regions::{NamedRegion, named_region, named_regions};
pub use region::{LonLatBox, Region};
pub use select::SelectError;
pub use selection::{Selection, SelectionError};
pub use time_window::{PartialDate, Season, TimeWindow};

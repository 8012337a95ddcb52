//! Lazy fields: a variable and a selection, walked chunk by chunk.

mod bottom;
mod chunk_walk;
mod depth;
#[expect(clippy::module_inception, reason = "the file is named for the type it holds")]
mod field;
mod named_regions;
mod pick;
mod plan;
pub mod reduce;
mod region;
mod select;
mod select_depth;
mod select_horizontal;
mod select_time;
mod selection;
mod time_window;

pub use chunk_walk::{Block, ChunkTree, WalkControl, WalkError, WholeAxes, walk_together};
pub use depth::Depth;
pub use field::{Field, SpaceAxis, TimeAxis};
pub use named_regions::{NamedRegion, named_region, named_regions};
pub use region::{LonLatBox, Region};
pub use select::SelectError;
pub use selection::{Selection, SelectionError};
pub use time_window::{PartialDate, Season, TimeWindow};

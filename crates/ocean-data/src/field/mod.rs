//! Lazy fields: a variable and a selection, walked chunk by chunk.

mod accumulate;
mod bilinear;
mod block;
mod bottom;
mod chunk_tree;
mod chunk_walk;
mod collocate;
mod columns;
mod depth;
#[expect(clippy::module_inception, reason = "the file is named for the type it holds")]
mod field;
mod horizontal;
pub mod metrics;
mod named_regions;
mod pick;
mod plan;
mod polygon;
pub mod reduce;
mod region;
mod select;
mod select_depth;
mod select_horizontal;
mod select_mesh;
mod select_terrain;
mod select_time;
mod selection;
pub mod sphere;
mod stagger;
mod terrain;
mod thickness;
mod time_window;
pub mod transect;

pub use accumulate::Patch;
pub use bilinear::Corners;
pub use chunk_tree::ChunkTree;
pub use chunk_walk::{Block, WalkControl, WalkError, WholeAxes, walk_together};
pub use collocate::{CollocateError, Velocity, collocate};
pub use depth::Depth;
pub use field::{Field, SpaceAxis, TimeAxis};
pub use horizontal::{CornersError, GridError, Horizontal};
pub use named_regions::{
    NamedRegion, RegionName, find_region, named_region, named_regions, named_regions_version,
};
pub use polygon::Polygon;
pub use region::{Area, LonLatBox, Region};
pub use select::SelectError;
pub use selection::{Selection, SelectionError};
pub use stagger::{Stagger, StaggerError, require_collocated, rotate_to_east, stagger_of};
pub use thickness::Thickness;
pub use time_window::{PartialDate, Season, TimeWindow};

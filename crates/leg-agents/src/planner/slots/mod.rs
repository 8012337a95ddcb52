//! One grammar for what a question names: regions, times, depths, variables.

mod coordinates;
mod date;
mod depth;
mod index;
mod place;
mod region;
mod season;
mod variable;
mod window;

pub(super) use super::text::Found;
pub(super) use coordinates::Coordinates;
pub(super) use date::{Dates, When};
pub(super) use depth::{Depth, Depths};
pub(super) use index::{ClimateIndex, Indices};
pub(super) use place::{Origin, Place, Places, whole_area};
pub(super) use region::{Area, overlaps};
pub(super) use season::{SeasonWord, Seasons};
pub(super) use variable::{Meant, Mention, Variables};
pub(super) use window::Window;

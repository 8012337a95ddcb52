//! The thermodynamic equation of sea water 2010, as far as crate `gsw` lacks it, and thin covers of what it has.
//!
//! # Units
//! Absolute salinity `sa` in g kg-1, practical salinity `sp` without unit, temperatures in degC, pressure `p` in dbar
//! above one atmosphere, depth in metres below the surface.
//!
//! # Missing values
//! NaN in, NaN out; also what lies outside the range of the equations.
//!
//! # Source
//! IOC, SCOR and IAPSO (2010): *The international thermodynamic equation of seawater - 2010*. Manuals and Guides 56.
//! Density and what follows from it: the 75-term polynomial of Roquet et al. (2015), Ocean Modelling 90, 29-43.

pub mod atlas;
pub mod column;
pub mod dynamic_height;
pub mod freezing;
mod gibbs;
mod gibbs_table;
pub mod oxygen;
#[cfg(test)]
mod peer;
#[cfg(test)]
mod peer_table;
pub mod salinity;
pub mod sea_water;
pub mod spice;
mod spice_table;
pub mod temperature;

/// 0 degC in kelvin.
pub const ZERO_CELSIUS: f64 = 273.15;

/// Heat capacity that defines Conservative Temperature, J kg-1 K-1.
pub const CP0: f64 = 3_991.867_957_119_63;

/// Absolute salinity of the standard ocean, g kg-1.
pub const STANDARD_SALINITY: f64 = 35.165_04;

/// Scale of salinity in the polynomials, kg g-1.
const SALINITY_SCALE: f64 = 0.024_882_667_558_461_5;

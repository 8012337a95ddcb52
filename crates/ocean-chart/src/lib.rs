//! Maps and charts from arrays, as SVG text and PNG pictures.
//!
//! Describe a chart with one of the specifications, [`MapSpec`], [`SeriesSpec`] or [`ProfileSpec`], ask it for its
//! SVG text, and turn that into a picture with [`to_png`]. Equal specifications give equal text on every machine:
//! the font, the coastlines and the colour tables are carried in the crate.
//!
//! Values that are not finite are missing: grey on a map, a gap in a line. The crate does not know where the numbers
//! came from; it reads no dataset and computes nothing but ranges and ticks.
//!
//! # Layout
//!
//! - [`map`](MapSpec), `mesh` (cells to pixels), `colour_bar`, [`coast`]
//! - [`series`](SeriesSpec), [`profile`](ProfileSpec), `plot` (the frame that both share), `axis` and `date` (ticks)
//! - `colour` (tables and scales), [`font`], `svg` (text), `png` (pixels)
//!
//! # Examples
//!
//! ```
//! use ocean_chart::{MapSpec, to_png};
//!
//! let map = MapSpec {
//!     title: "Sea surface temperature, 2015",
//!     units: "degC",
//!     lon: &[110.0, 111.0, 112.0],
//!     lat: &[10.0, 11.0],
//!     values: &[26.0, 26.5, f64::NAN, 25.5, 26.0, 26.2],
//!     ..MapSpec::default()
//! };
//! let svg = map.to_svg()?;
//! let png = to_png(&svg, 900)?;
//! # assert!(svg.contains("°C") && png.len() > 1000);
//! # Ok::<(), ocean_chart::ChartError>(())
//! ```

mod axis;
pub mod coast;
mod colour;
mod colour_bar;
mod date;
mod error;
mod float;
pub mod font;
mod map;
mod mesh;
mod plot;
mod png;
mod profile;
mod series;
mod svg;

pub use colour::{MISSING, Palette, Range};
pub use error::ChartError;
pub use map::{Coast, MapMark, MapSpec};
pub use png::{MAX_PIXELS, to_png};
pub use profile::{ProfileLine, ProfileSpec};
pub use series::{Band, Line, SeriesSpec, Span, TimeAxis};

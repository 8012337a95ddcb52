//! Maps and charts from arrays, as SVG text and PNG pictures.
//!
//! Describe a chart with one of the specifications, ask it for its SVG text, and turn that into a picture with
//! [`to_png`]. Equal specifications give equal text on every machine: the font, the land and the colour tables are
//! carried in the crate.
//!
//! | chart | specification |
//! | --- | --- |
//! | map: cells of axes, curvilinear cells, triangles, points; contours, arrows, marks | [`MapSpec`] |
//! | lines over time with bands, periods, thresholds | [`SeriesSpec`] |
//! | profiles against depth | [`ProfileSpec`] |
//! | section with the sea floor | [`SectionSpec`] |
//! | Hovmöller diagram | [`HovmollerSpec`] |
//! | temperature against salinity with lines of density | [`TsSpec`] |
//! | histogram, of one or two quantities | [`HistogramSpec`], [`Histogram2dSpec`] |
//! | spectrum | [`SpectrumSpec`] |
//! | bars | [`BarSpec`] |
//! | scatter diagram with a fitted line | [`ScatterSpec`] |
//! | rose, hodograph | [`RoseSpec`], [`HodographSpec`] |
//! | pictures side by side, with marks and a scale bar | [`MosaicSpec`] |
//! | several of them in one drawing | [`column()`] |
//!
//! Values that are not finite are missing: grey on a map, a gap in a line. A chart of which all is missing is refused, as
//! are arrays that do not fit each other. The crate does not know where the numbers came from; it reads no dataset and
//! computes nothing but ranges, ticks and contour lines.
//!
//! # Layout
//!
//! - a file for each chart; `map` is a folder
//! - `frame` (two axes), `plane` (a field on them), `plot` (heading, legend, lines), `axis`, `date`, `calendar` (ticks)
//! - `palette` (the one list of colour tables), `colour` (scales), `colour_bar`
//! - `cells`, `raster` (pictures of fields), `contour`, `contours`, [`coast`]
//! - [`font`], `svg` (text), `png` (pixels), `stack`
//!
//! # Examples
//!
//! ```
//! use ocean_chart::{Colours, MapGrid, MapSpec, Palette, to_png};
//!
//! let map = MapSpec {
//!     title: "Sea surface temperature, 2015",
//!     units: "degC",
//!     grid: MapGrid::Axes { lon: &[110.0, 111.0, 112.0], lat: &[10.0, 11.0] },
//!     values: &[26.0, 26.5, f64::NAN, 25.5, 26.0, 26.2],
//!     colours: Colours { palette: Palette::for_quantity("sea_surface_temperature", "degC"), ..Colours::default() },
//!     ..MapSpec::default()
//! };
//! let svg = map.to_svg()?;
//! let png = to_png(&svg, 900)?;
//! # assert!(svg.contains("°C") && png.len() > 1000);
//! # Ok::<(), ocean_chart::ChartError>(())
//! ```

mod along;
mod axis;
mod bar;
mod calendar;
mod cells;
pub mod coast;
mod colour;
mod colour_bar;
mod contour;
mod contours;
mod date;
mod error;
mod float;
pub mod font;
mod frame;
mod histogram;
mod histogram2d;
mod hodograph;
mod hovmoller;
mod map;
mod mosaic;
mod palette;
mod plane;
mod plot;
mod png;
mod profile;
mod raster;
mod rose;
mod scatter;
mod section;
mod series;
mod spectrum;
mod stack;
mod svg;
mod time;
mod ts;

pub use along::Along;
pub use bar::{BarSet, BarSpec};
pub use calendar::Calendar;
pub use colour::{Bands, Colours, LAND, MISSING, Norm, Range};
pub use contours::Contours;
pub use error::ChartError;
pub use histogram::{HistogramSet, HistogramSpec, ValueMark};
pub use histogram2d::Histogram2dSpec;
pub use hodograph::HodographSpec;
pub use hovmoller::HovmollerSpec;
pub use map::{Coast, MapGrid, MapMark, MapSpec, MapWindow, Projection, Vectors};
pub use mosaic::{MosaicMark, MosaicSpec, MosaicTile, picture_size};
pub use palette::Palette;
pub use plane::PlaneMark;
pub use png::{MAX_PIXELS, to_png};
pub use profile::{DepthMark, ProfileLine, ProfilePanel, ProfileSpec};
pub use raster::Shading;
pub use rose::RoseSpec;
pub use scatter::{FittedLine, ScatterSpec};
pub use section::SectionSpec;
pub use series::{Band, Level, Line, LineLook, Moment, SeriesSpec, Span};
pub use spectrum::{SpectrumLine, SpectrumSpec};
pub use stack::column;
pub use time::TimeAxis;
pub use ts::{Density, TsCast, TsSpec};

//! Reductions that stream over a field in constant memory and give the same digits on any number of threads.

mod area_mean;
mod point_series;
mod time_map;
mod weights;

pub use area_mean::{AreaMean, AreaMeanOptions, DepthReduction, area_mean_series};
pub use point_series::{PointMethod, PointOptions, PointSeries, PointSeriesError, point_series};
pub use time_map::{TimeMap, TimeStatistic, time_reduce_map};
pub use weights::{EARTH_RADIUS, Weighting, cell_weights};

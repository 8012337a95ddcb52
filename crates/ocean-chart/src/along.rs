//! What runs along the sides of a section or a Hovmöller diagram.

use crate::{
    axis::Degrees,
    cells::Cells,
    error::ChartError,
    frame::{AxisPlan, Measure},
    time::TimeAxis,
};

/// A coordinate: what it is, and the centres of its cells, which rise or fall.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Along<'a> {
    /// Time.
    Time {
        /// What the values are.
        time: TimeAxis<'a>,
        /// The times.
        values: &'a [f64],
    },
    /// Longitudes in degrees; may jump by a whole turn at the date line.
    Longitude(&'a [f64]),
    /// Latitudes in degrees.
    Latitude(&'a [f64]),
    /// Depths in metres, positive, which grow downwards.
    Depth(&'a [f64]),
    /// Distances in kilometres.
    Distance(&'a [f64]),
    /// Anything else.
    Number {
        /// The name of the axis.
        label: &'a str,
        /// Its units.
        units: &'a str,
        /// The centres.
        values: &'a [f64],
    },
}

impl<'a> Along<'a> {
    /// Returns the cells around the centres.
    pub(crate) fn cells(&self) -> Result<Cells, ChartError> {
        match self {
            Self::Longitude(values) => Cells::of_longitudes(values),
            Self::Latitude(values) => Cells::of_latitudes(values),
            Self::Depth(values) => {
                Ok(Cells::around(values, "depth")?.held(0.0_f64.min(least(values)), f64::MAX))
            }
            Self::Distance(values) => Ok(Cells::around(values, "distance")?.held(least(values), f64::MAX)),
            Self::Time { values, .. } => Cells::around(values, "time"),
            Self::Number { values, .. } => Cells::around(values, "number"),
        }
    }

    /// Returns the axis over a span.
    pub(crate) fn plan(&self, span: [f64; 2]) -> AxisPlan<'a> {
        let (measure, name, units) = match *self {
            Self::Time { time, .. } => (Measure::Time(time), "", ""),
            Self::Longitude(_) => (Measure::Degrees(Degrees::Longitude), "", ""),
            Self::Latitude(_) => (Measure::Degrees(Degrees::Latitude), "", ""),
            Self::Depth(_) => (Measure::Number, "depth", "m"),
            Self::Distance(_) => (Measure::Number, "distance", "km"),
            Self::Number { label, units, .. } => (Measure::Number, label, units),
        };
        AxisPlan { measure, span, name, units, is_turned: matches!(self, Self::Depth(_)) }
    }
}

fn least(values: &[f64]) -> f64 {
    values.iter().copied().fold(f64::INFINITY, f64::min)
}

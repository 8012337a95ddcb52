//! The values of the demo ocean: mean state, season, trend and events, and the noise on top.
//!
//! The season's extremes lie at the turn and in the middle of the calendar year, so that over whole years a straight
//! line fitted to it is level.

use std::f64::consts::PI;

use super::{
    events::{
        BLOOM_DEPTH, EDDY_CORE, EDDY_RADIUS, EDDY_SPEED, EventKind, HEATWAVE_DEPTH, LOW_OXYGEN_HEIGHT,
        PLANTED, plateau,
    },
    grid::Moment,
    noise::{Node, Stream},
    ocean::Column,
    truth::{BASIN_TREND, COASTAL, COASTAL_TREND, SEED},
};

/// Days of a decade.
pub(crate) const DECADE: f64 = 3652.5;
const DEGREE: f64 = 111.195;

/// The variables of the demo ocean.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Variable {
    Temperature,
    Salinity,
    U,
    V,
    Chlorophyll,
    Oxygen,
}

/// A place and a moment in the water.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Sample<'a> {
    pub(crate) column: &'a Column,
    /// Metres below the surface.
    pub(crate) depth: f64,
    pub(crate) moment: Moment,
}

impl Variable {
    pub(crate) const ALL: [Self; 6] =
        [Self::Temperature, Self::Salinity, Self::U, Self::V, Self::Chlorophyll, Self::Oxygen];

    /// Returns the value without noise.
    pub(crate) fn signal(self, sample: &Sample<'_>) -> f64 {
        match self {
            Self::Temperature => temperature(sample),
            Self::Salinity => salinity(sample),
            Self::U => current(sample)[0],
            Self::V => current(sample)[1],
            Self::Chlorophyll => chlorophyll(sample),
            Self::Oxygen => oxygen(sample),
        }
    }

    /// Returns the value with noise; `node` is the place on the grid.
    pub(crate) fn value(self, sample: &Sample<'_>, node: Node) -> f64 {
        let signal = self.signal(sample);
        let stream = Stream(SEED ^ ((self as u64 + 1) << 56));
        let (white, smooth) = match self {
            Self::Temperature => (0.12, 0.06),
            Self::Salinity => (0.02, 0.03),
            Self::U | Self::V => (0.02, 0.04),
            Self::Chlorophyll => (0.12, 0.15),
            Self::Oxygen => (2.0, 2.0),
        };
        // The deep sea is quiet.
        let calm = 0.15 + 0.85 * libm::exp(-sample.depth / 300.0);
        let noise = calm * (white * stream.white(node) + smooth * stream.smooth(node, [6, 6, 6]));
        if self == Self::Chlorophyll { signal * libm::exp(noise) } else { signal + noise }
    }
}

/// 1 in the middle of the year, -1 at its turn.
fn summer(moment: Moment) -> f64 {
    -libm::cos(2.0 * PI * moment.share_of_year)
}

/// The trend of temperature at the surface in degrees Celsius per decade.
pub(crate) fn trend(column: &Column) -> f64 {
    let near_coast = plateau(column.lon, COASTAL.lon, 2.5) * plateau(column.lat, COASTAL.lat, 2.5);
    BASIN_TREND + (COASTAL_TREND - BASIN_TREND) * near_coast
}

/// The season of temperature at the surface.
pub(crate) fn season(column: &Column, moment: Moment) -> f64 {
    (0.7 + 0.2 * (column.lat - 8.0)) * summer(moment)
}

fn temperature(sample: &Sample<'_>) -> f64 {
    const DEEP: f64 = 2.6;
    let Sample { column, depth, moment } = *sample;
    let surface = 28.0 - 0.22 * (column.lat - 8.0) - 0.8 * libm::exp(-column.coast / 80.0);
    let mean = DEEP + (surface - DEEP) / (1.0 + libm::pow(depth / 150.0, 1.6));
    let mut value = mean
        + season(column, moment) * libm::exp(-depth / 45.0)
        + trend(column) * moment.day / DECADE * libm::exp(-depth / 150.0);
    for event in PLANTED {
        let strength = event.at_day(moment.day);
        if strength > 0.0 && event.kind == EventKind::MarineHeatwave {
            let place = event.at_place(column.lon, column.lat);
            value += event.amplitude * strength * place * libm::exp(-depth / HEATWAVE_DEPTH);
        }
        if strength > 0.0 && event.kind == EventKind::Eddy {
            let [dx, dy] = from_eddy(column, event.share_of_time(moment.day), event.lon, event.lat);
            let distance = (dx * dx + dy * dy) / (EDDY_RADIUS * EDDY_RADIUS);
            let height = (depth - EDDY_CORE[0]) / EDDY_CORE[1];
            value += event.amplitude * strength * libm::exp(-distance - height * height);
        }
    }
    value
}

fn salinity(sample: &Sample<'_>) -> f64 {
    let Sample { column, depth, moment } = *sample;
    let mean = 33.6 + 0.85 * (1.0 - libm::exp(-depth / 110.0)) + 0.1 * depth / 1500.0;
    let rivers = 1.8 * libm::exp(-column.coast / 60.0 - depth / 12.0) * (0.6 + 0.4 * summer(moment));
    mean - rivers
}

/// The current: a gyre that follows the monsoon, counter-clockwise in winter, and the eddy.
fn current(sample: &Sample<'_>) -> [f64; 2] {
    let Sample { column, depth, moment } = *sample;
    let (x, y) = ((column.lon - 114.5) / 5.0, (column.lat - 15.0) / 5.0);
    let turning = 0.4 * -summer(moment) * libm::exp(0.5 - 0.5 * (x * x + y * y) - depth / 250.0);
    let free = 1.0 - libm::exp(-column.coast / 90.0);
    let mut value = [-turning * y * free, turning * x * free];
    for event in PLANTED.iter().filter(|event| event.kind == EventKind::Eddy) {
        let strength = event.at_day(moment.day);
        if strength > 0.0 {
            let [dx, dy] = from_eddy(column, event.share_of_time(moment.day), event.lon, event.lat);
            let (x, y) = (dx / EDDY_RADIUS, dy / EDDY_RADIUS);
            let speed = EDDY_SPEED * strength * libm::exp(0.5 - 0.5 * (x * x + y * y) - depth / 300.0);
            value[0] += speed * y;
            value[1] -= speed * x;
        }
    }
    value
}

fn chlorophyll(sample: &Sample<'_>) -> f64 {
    let Sample { column, depth, moment } = *sample;
    let surface = (0.08 + 1.1 * libm::exp(-column.coast / 70.0)) * (1.0 - 0.35 * summer(moment));
    let off_maximum = (depth - 60.0) / 25.0;
    let maximum = 0.25 * libm::exp(-off_maximum * off_maximum);
    let mut value = 0.01 + surface * libm::exp(-depth / 60.0) + maximum;
    for event in PLANTED.iter().filter(|event| event.kind == EventKind::Bloom) {
        let strength = event.at_day(moment.day) * event.at_place(column.lon, column.lat);
        value += event.amplitude * strength * libm::exp(-depth / BLOOM_DEPTH);
    }
    value
}

fn oxygen(sample: &Sample<'_>) -> f64 {
    let Sample { column, depth, moment } = *sample;
    let off_minimum = (depth - 700.0) / 420.0;
    let mean =
        206.0 - 25.0 * (1.0 - libm::exp(-depth / 120.0)) - 88.0 * libm::exp(-off_minimum * off_minimum);
    // Warm water holds less.
    let mut value = mean - 3.5 * season(column, moment) * libm::exp(-depth / 45.0);
    for event in PLANTED.iter().filter(|event| event.kind == EventKind::LowOxygen) {
        let strength = event.at_day(moment.day) * event.at_place(column.lon, column.lat);
        if strength > 0.0 {
            value += event.amplitude * strength * libm::exp((depth - column.bottom) / LOW_OXYGEN_HEIGHT);
        }
    }
    value
}

/// Kilometres east and north of the eddy's centre, which drifts from the eastern to the western end of its box.
fn from_eddy(column: &Column, share: f64, lon: [f64; 2], lat: [f64; 2]) -> [f64; 2] {
    let centre = [lon[1] + share * (lon[0] - lon[1]), lat[1] + share * (lat[0] - lat[1])];
    let narrow = libm::cos(column.lat.to_radians());
    [(column.lon - centre[0]) * DEGREE * narrow, (column.lat - centre[1]) * DEGREE]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::demo::{
        grid::{DEPTHS, TIME},
        ocean::columns,
    };

    #[test]
    fn values_are_those_of_a_tropical_sea() {
        let limits = [(1.5, 34.0), (30.0, 35.0), (-1.5, 1.5), (-1.5, 1.5), (0.0, 12.0), (5.0, 245.0)];
        for (variable, (low, high)) in Variable::ALL.into_iter().zip(limits) {
            for column in columns().iter().step_by(7) {
                for depth in DEPTHS.into_iter().filter(|depth| column.is_wet(*depth)) {
                    for time in (0..TIME.count as u64).step_by(5) {
                        let moment = Moment::new(TIME.at(usize::try_from(time).unwrap()));
                        let node = [time, 0, column.node[0] as u64, column.node[1] as u64];
                        let value = variable.value(&Sample { column, depth, moment }, node);
                        assert!((low..high).contains(&value), "{variable:?} {value} at {column:?} {depth} m");
                    }
                }
            }
        }
    }

    #[test]
    fn water_gets_colder_and_saltier_with_depth() {
        let column = columns().into_iter().find(|column| column.bottom > 2000.0).unwrap();
        let moment = Moment::new(0.0);
        for pair in DEPTHS.windows(2) {
            let at = |variable: Variable, depth| variable.signal(&Sample { column: &column, depth, moment });
            assert!(at(Variable::Temperature, pair[0]) > at(Variable::Temperature, pair[1]), "{pair:?}");
            assert!(at(Variable::Salinity, pair[0]) < at(Variable::Salinity, pair[1]), "{pair:?}");
        }
    }

    #[test]
    fn the_eddy_turns_clockwise_and_is_warm() {
        let event = PLANTED.iter().find(|event| event.kind == EventKind::Eddy).unwrap();
        let middle = f64::midpoint(event.days[0], event.days[1]);
        let centre = [f64::midpoint(event.lon[0], event.lon[1]), f64::midpoint(event.lat[0], event.lat[1])];
        let template = columns()[0];
        let at = |variable: Variable, lon: f64, lat: f64, day: f64| {
            let column = Column { lon, lat, coast: 300.0, bottom: 3000.0, ..template };
            variable.signal(&Sample { column: &column, depth: 100.0, moment: Moment::new(day) })
        };
        let [lon, lat] = centre;
        assert!(at(Variable::V, lon - 1.0, lat, middle) > 0.2, "northward on its west side");
        assert!(at(Variable::V, lon + 1.0, lat, middle) < -0.2, "southward on its east side");
        // A year later there is none, at the same season.
        let warmth =
            at(Variable::Temperature, lon, lat, middle) - at(Variable::Temperature, lon, lat, middle + 365.0);
        assert!((warmth - event.amplitude).abs() < 0.15, "{warmth}");
    }
}

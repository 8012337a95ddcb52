//! The events planted in the demo ocean.

use serde::{Deserialize, Serialize};

/// What kind of event it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum EventKind {
    /// Water that is too warm for the season.
    MarineHeatwave,
    /// Chlorophyll far above normal.
    Bloom,
    /// Oxygen far below normal, near the bottom.
    LowOxygen,
    /// An eddy that drifts; warm and clockwise north of the equator when its height is positive.
    Eddy,
    /// A sharp change of surface temperature along a wavy line.
    Front,
    /// A narrow strong current.
    Jet,
    /// Cold water along a coast.
    Upwelling,
}

/// An event: where, when, and how strong at its height.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Event {
    /// Its name.
    pub name: String,
    /// Its kind.
    pub kind: EventKind,
    /// The variable that shows it best.
    pub variable: String,
    /// West and east edge in degrees. It fades over half a degree outside; an eddy's box is that of its whole path.
    pub lon: [f64; 2],
    /// South and north edge in degrees.
    pub lat: [f64; 2],
    /// Upper and lower end in metres, where it has more than about a third of its strength.
    pub depth: [f64; 2],
    /// First and last day.
    pub time: [String; 2],
    /// The change of the variable at its height, in `units`.
    pub amplitude: f64,
    /// Units of the amplitude.
    pub units: String,
}

/// An event as the generator needs it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Planted {
    pub(crate) name: &'static str,
    pub(crate) kind: EventKind,
    pub(crate) lon: [f64; 2],
    pub(crate) lat: [f64; 2],
    /// First and last day: year, month, day.
    pub(crate) dates: [(i32, u8, u8); 2],
    /// Days since 2014-01-01 of these dates.
    pub(crate) days: [f64; 2],
    pub(crate) amplitude: f64,
}

/// Depth over which a heatwave fades, in metres.
pub(crate) const HEATWAVE_DEPTH: f64 = 40.0;
/// Depth over which a bloom fades.
pub(crate) const BLOOM_DEPTH: f64 = 25.0;
/// Height above the bottom over which low oxygen fades.
pub(crate) const LOW_OXYGEN_HEIGHT: f64 = 20.0;
/// The eddy's core: depth of its greatest warmth, and its reach above and below.
pub(crate) const EDDY_CORE: [f64; 2] = [100.0, 120.0];
/// The radius in kilometres where the eddy turns fastest.
pub(crate) const EDDY_RADIUS: f64 = 110.0;
/// Its fastest current in m/s.
pub(crate) const EDDY_SPEED: f64 = 0.6;

/// All events. The heatwave in the basin box stands in the middle of the record, so that it does not tilt the trend.
pub(crate) const PLANTED: [Planted; 5] = [
    Planted {
        name: "basin heatwave of 2016",
        kind: EventKind::MarineHeatwave,
        lon: [113.0, 116.0],
        lat: [13.0, 16.0],
        dates: [(2016, 5, 25), (2016, 8, 8)],
        days: [875.0, 950.0],
        amplitude: 2.5,
    },
    Planted {
        name: "Gulf of Tonkin heatwave of 2017",
        kind: EventKind::MarineHeatwave,
        lon: [107.0, 108.5],
        lat: [18.5, 20.5],
        dates: [(2017, 8, 5), (2017, 10, 14)],
        days: [1312.0, 1382.0],
        amplitude: 2.0,
    },
    Planted {
        name: "upwelling bloom of 2015",
        kind: EventKind::Bloom,
        lon: [109.5, 112.0],
        lat: [11.0, 13.0],
        dates: [(2015, 6, 20), (2015, 9, 1)],
        days: [535.0, 608.0],
        amplitude: 3.0,
    },
    Planted {
        name: "shelf low oxygen of 2017",
        kind: EventKind::LowOxygen,
        lon: [112.5, 115.5],
        lat: [21.0, 22.5],
        dates: [(2017, 7, 1), (2017, 9, 15)],
        days: [1277.0, 1353.0],
        amplitude: -130.0,
    },
    Planted {
        name: "winter eddy of 2015",
        kind: EventKind::Eddy,
        lon: [114.0, 118.5],
        lat: [17.8, 18.6],
        dates: [(2015, 11, 1), (2016, 3, 1)],
        days: [669.0, 790.0],
        amplitude: 1.5,
    },
];

impl Planted {
    /// Returns the share of its strength at a day: a hump from its first to its last.
    pub(crate) fn at_day(&self, day: f64) -> f64 {
        let share = self.share_of_time(day);
        if share <= 0.0 || share >= 1.0 {
            return 0.0;
        }
        let wave = libm::sin(std::f64::consts::PI * share);
        wave * wave
    }

    /// Returns how much of its time has passed: 0 at its first day, 1 at its last.
    pub(crate) fn share_of_time(&self, day: f64) -> f64 {
        (day - self.days[0]) / (self.days[1] - self.days[0])
    }

    /// Returns the share of its strength at a place: 1 in its box, 0 from half a degree outside.
    pub(crate) fn at_place(&self, lon: f64, lat: f64) -> f64 {
        plateau(lon, self.lon, 0.5) * plateau(lat, self.lat, 0.5)
    }

    /// Describes it.
    pub(crate) fn describe(&self) -> Event {
        let (variable, units, depth) = match self.kind {
            EventKind::MarineHeatwave => ("temperature", "degC", [0.0, HEATWAVE_DEPTH]),
            EventKind::Bloom => ("chlorophyll", "mg m-3", [0.0, BLOOM_DEPTH]),
            EventKind::LowOxygen => ("oxygen", "mmol m-3", [10.0, 120.0]),
            // This ocean has no front, jet or upwelling; they would show in temperature as an eddy does.
            EventKind::Eddy | EventKind::Front | EventKind::Jet | EventKind::Upwelling => {
                ("temperature", "degC", [0.0, EDDY_CORE[0] + EDDY_CORE[1]])
            }
        };
        let date = |(year, month, day): (i32, u8, u8)| format!("{year:04}-{month:02}-{day:02}");
        Event {
            name: self.name.to_owned(),
            kind: self.kind,
            variable: variable.to_owned(),
            lon: self.lon,
            lat: self.lat,
            depth,
            time: self.dates.map(date),
            amplitude: self.amplitude,
            units: units.to_owned(),
        }
    }
}

/// Returns 1 between two ends, falling to 0 over a distance outside them.
pub(crate) fn plateau(value: f64, [low, high]: [f64; 2], fade: f64) -> f64 {
    let outside = (low - value).max(value - high).max(0.0);
    (1.0 - outside / fade).max(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::demo::grid::{CALENDAR, FIRST_YEAR};

    #[test]
    fn days_and_dates_agree() {
        for event in PLANTED {
            let start = CALENDAR.day_number(FIRST_YEAR, 1, 1).unwrap();
            let days =
                event.dates.map(|(year, month, day)| CALENDAR.day_number(year, month, day).unwrap() - start);
            assert_eq!(
                days.map(|day| (day as f64).to_bits()),
                event.days.map(f64::to_bits),
                "{}",
                event.name
            );
        }
    }

    #[test]
    fn an_event_is_strongest_in_its_middle_and_ends() {
        let event = PLANTED[0];
        let middle = f64::midpoint(event.days[0], event.days[1]);
        assert!((event.at_day(middle) - 1.0).abs() < 1e-12);
        assert_eq!((event.at_day(event.days[0]), event.at_day(event.days[1] + 1.0)), (0.0, 0.0));
        assert_eq!(
            (event.at_place(114.0, 14.0), event.at_place(116.25, 14.0), event.at_place(118.0, 14.0)),
            (1.0, 0.5, 0.0)
        );
    }
}

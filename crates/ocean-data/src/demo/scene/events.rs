//! The events planted in a scene.

use super::super::events::{Event, EventKind};
use crate::cf::{Calendar, DateTime};

/// How wide the edges of a box fade, in degrees.
const FADE: f64 = 0.5;
/// Days over which an event grows and ends.
const RAMP: f64 = 6.0;
const DEGREE_KM: f64 = 111.195;

/// An event as the generator needs it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Planted {
    pub(crate) name: &'static str,
    pub(crate) kind: EventKind,
    /// West and east edge, degrees east; of an eddy the place of its centre on the first and on the last day.
    pub(crate) lon: [f64; 2],
    /// South and north edge; of an eddy as `lon`.
    pub(crate) lat: [f64; 2],
    /// First and last day: year, month, day.
    pub(crate) dates: [(i32, u8, u8); 2],
    /// Change of the variable at its height, in its units.
    pub(crate) amplitude: f64,
}

/// What an event does at a place and time, from 0 to 1, and where it stands in it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Share {
    pub(crate) kind: EventKind,
    pub(crate) amplitude: f64,
    /// How much of it is there.
    pub(crate) weight: f64,
    /// Offsets from the centre in kilometres east and north.
    pub(crate) offset_km: [f64; 2],
    /// Radius in kilometres, of an eddy.
    pub(crate) radius_km: f64,
}

/// Days since 2000-01-01.
pub(crate) fn day_of(date: (i32, u8, u8)) -> f64 {
    let number = |(year, month, day)| Calendar::ProlepticGregorian.day_number(year, month, day).unwrap_or(0);
    (number(date) - number((2000, 1, 1))) as f64
}

impl Planted {
    /// What it does at a place and day; `None` for nothing.
    pub(crate) fn at(&self, day: f64, lon: f64, lat: f64) -> Option<Share> {
        let [first, last] = self.dates.map(day_of);
        let ramp = ((day - first + 1.0).min(last + 1.0 - day) / RAMP).clamp(0.0, 1.0);
        if ramp <= 0.0 {
            return None;
        }
        let time = ramp * ramp * (3.0 - 2.0 * ramp);
        let turned = |from: f64| (lon - from + 180.0).rem_euclid(360.0) - 180.0;
        let km_east = DEGREE_KM * libm::cos(lat.to_radians());
        let share = |weight, offset_km, radius_km| Share {
            kind: self.kind,
            amplitude: self.amplitude,
            weight,
            offset_km,
            radius_km,
        };
        if self.kind == EventKind::Eddy {
            let along = (day - first) / (last - first).max(1.0);
            let centre = [self.lon, self.lat].map(|ends| ends[0] + (ends[1] - ends[0]) * along);
            let offset = [turned(centre[0]) * km_east, (lat - centre[1]) * DEGREE_KM];
            let radius = 70.0;
            let square = (offset[0] * offset[0] + offset[1] * offset[1]) / (2.0 * radius * radius);
            return (square < 12.0).then(|| share(time * libm::exp(-square), offset, radius));
        }
        let inside = |low: f64, high: f64| (low.min(high) / FADE + 1.0).clamp(0.0, 1.0);
        let east = inside(turned(self.lon[0]), -turned(self.lon[1]));
        let north = inside(lat - self.lat[0], self.lat[1] - lat);
        let middle = f64::midpoint(self.lat[0], self.lat[1]);
        let offset = [turned(f64::midpoint(self.lon[0], self.lon[1])) * km_east, (lat - middle) * DEGREE_KM];
        let weight = time * east * north;
        (weight > 0.0).then(|| share(weight, offset, 0.0))
    }

    /// As it is listed.
    pub(crate) fn listed(&self) -> Event {
        let iso = |(year, month, day)| DateTime::midnight(year, month, day).date();
        let (variable, units, depth) = match self.kind {
            EventKind::MarineHeatwave => ("thetao", "degC", [0.0, 60.0]),
            EventKind::Bloom => ("chl", "mg m-3", [0.0, 30.0]),
            EventKind::LowOxygen => ("o2", "mmol m-3", [10.0, 400.0]),
            EventKind::Eddy => ("zos", "m", [0.0, 400.0]),
            EventKind::Jet => ("uo", "m s-1", [0.0, 250.0]),
            EventKind::Front | EventKind::Upwelling => ("thetao", "degC", [0.0, 80.0]),
        };
        let sorted = |pair: [f64; 2]| if pair[0] <= pair[1] { pair } else { [pair[1], pair[0]] };
        Event {
            name: self.name.to_owned(),
            kind: self.kind,
            variable: variable.to_owned(),
            lon: if self.kind == EventKind::Eddy { sorted(self.lon) } else { self.lon },
            lat: sorted(self.lat),
            depth,
            time: self.dates.map(iso),
            amplitude: self.amplitude,
            units: units.to_owned(),
        }
    }
}

//! [`Track`]: where a storm was, and how strong.

use std::fmt;

use jiff::civil::DateTime;
use serde::{Deserialize, Serialize};

use crate::question::storms::StormId;

/// Where a track comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum TrackSource {
    /// The archive of reanalysed seasons.
    #[serde(rename = "HURDAT2")]
    Hurdat2,
    /// The file of one storm in the Automated Tropical Cyclone Forecast system.
    #[serde(rename = "ATCF b-deck")]
    BDeck,
}

impl fmt::Display for TrackSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Hurdat2 => "HURDAT2",
            Self::BDeck => "ATCF b-deck",
        })
    }
}

/// How far winds of a strength reach, in nautical miles: north-east, south-east, south-west, north-west.
#[derive(Debug, Clone, PartialEq)]
pub struct Radii {
    /// The wind in knots: 34, 50 or 64.
    pub wind_kt: u8,
    /// The four quadrants; `None` where the file has nothing.
    pub quadrants: [Option<f64>; 4],
}

/// A time on a track.
#[derive(Debug, Clone, PartialEq)]
pub struct Point {
    /// UTC.
    pub time: DateTime,
    /// Degrees north.
    pub lat: f64,
    /// Degrees east, -180 to 180.
    pub lon: f64,
    /// Greatest sustained wind, in knots.
    pub wind: Option<f64>,
    /// Lowest pressure, in hPa.
    pub pressure: Option<f64>,
    /// Stage, such as `HU` or `EX`.
    pub status: String,
    /// HURDAT2's mark, such as `L` for a landfall.
    pub record: Option<char>,
    /// Radius of the greatest wind, in nautical miles.
    pub rmw: Option<f64>,
    /// Wind radii, weakest wind first.
    pub radii: Vec<Radii>,
}

/// Where a storm was, and how strong.
#[derive(Debug, Clone, PartialEq)]
pub struct Track {
    /// Its id.
    pub id: StormId,
    /// Its name as the file spells it; the last one of a b-deck, where names come with time.
    pub name: String,
    /// The name of the first line: `INVEST` before there was a storm.
    pub first_name: String,
    /// Where it comes from.
    pub source: TrackSource,
    /// One point a time, in order.
    pub points: Vec<Point>,
    /// How many lines of the file they were made of.
    pub lines: usize,
    /// How many lines could not be read.
    pub skipped: usize,
}

impl Track {
    /// The point with the strongest wind; the first of equal ones.
    pub fn peak(&self) -> Option<(&Point, f64)> {
        let winds = self.points.iter().filter_map(|point| Some((point, point.wind?)));
        winds.fold(None, |best, next| match best {
            Some(own) if next.1 <= own.1 => Some(own),
            _ => Some(next),
        })
    }

    /// The point with the lowest pressure; the first of equal ones.
    pub fn deepest(&self) -> Option<(&Point, f64)> {
        let pressures = self.points.iter().filter_map(|point| Some((point, point.pressure?)));
        pressures.fold(None, |best, next| match best {
            Some(own) if next.1 >= own.1 => Some(own),
            _ => Some(next),
        })
    }

    /// Points off the hours 00, 06, 12 and 18: landfalls, and peaks of wind or pressure.
    pub fn off_hours(&self) -> impl Iterator<Item = &Point> {
        self.points.iter().filter(|point| point.time.hour() % 6 != 0 || point.time.minute() != 0)
    }

    /// Points that HURDAT2 marks as landfalls.
    pub fn landfalls(&self) -> impl Iterator<Item = &Point> {
        self.points.iter().filter(|point| point.record == Some('L'))
    }

    /// `Ian`; the id for a storm without a name.
    pub fn shown_name(&self) -> String {
        shown(&self.name).unwrap_or_else(|| self.id.to_string())
    }
}

/// A name as a sentence writes it: `IAN` is `Ian`; `UNNAMED`, `INVEST` and empty names are none.
pub(crate) fn shown(name: &str) -> Option<String> {
    let name = name.trim();
    let is_none = name.is_empty()
        || matches!(name.to_ascii_uppercase().as_str(), "UNNAMED" | "INVEST" | "NOT NAMED" | "NAMELESS")
        || name.to_ascii_uppercase().starts_with("GENESIS");
    if is_none {
        return None;
    }
    let mut out = String::new();
    for (at, c) in name.chars().take(40).enumerate() {
        if at == 0 { out.extend(c.to_uppercase()) } else { out.extend(c.to_lowercase()) }
    }
    Some(out)
}

//! What is planted in the demo ocean, and what an exact analysis finds in it.

use serde::{Deserialize, Serialize};

use super::{
    events::{Event, PLANTED},
    grid::{DEPTHS, FIRST_YEAR, LAST_YEAR, Moment, TIME},
    ocean::{Column, columns},
    signal::{DECADE, Sample, Variable, season},
};

/// The generator's version: it changes whenever any value of the store does.
pub const VERSION: u32 = 1;

/// The seed of the noise.
pub const SEED: u64 = 20_140_101;

/// The name by which a store knows its generator.
pub(crate) const GENERATOR: &str = "leg demo ocean";

/// Surface trends of the two boxes in degrees Celsius per decade.
pub(crate) const COASTAL_TREND: f64 = 1.5;
pub(crate) const BASIN_TREND: f64 = 0.5;

/// On the shelf off Guangdong.
pub(crate) const COASTAL: Corners = Corners { lon: [111.0, 117.0], lat: [20.0, 22.5] };
/// In the deep basin.
pub(crate) const BASIN: Corners = Corners { lon: [112.0, 118.0], lat: [12.0, 17.0] };

/// The edges of a box in degrees.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Corners {
    pub(crate) lon: [f64; 2],
    pub(crate) lat: [f64; 2],
}

/// A box with a name.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct NamedBox {
    /// Its name.
    pub name: String,
    /// West and east edge in degrees.
    pub lon: [f64; 2],
    /// South and north edge in degrees.
    pub lat: [f64; 2],
}

/// What is known of a box: surface temperature, mean over its water weighted by area.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct BoxTruth {
    /// Its name.
    pub name: String,
    /// West and east edge in degrees.
    pub lon: [f64; 2],
    /// South and north edge in degrees.
    pub lat: [f64; 2],
    /// The planted trend of surface temperature, in degC per decade.
    pub planted_trend: f64,
    /// Trends of the values without noise, by least squares over the weekly means, for periods of whole years.
    pub noise_free_trends: Vec<Trend>,
    /// Means of the values without noise over calendar years, in degC.
    pub noise_free_annual_means: Vec<AnnualMean>,
}

/// A trend over a period.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Trend {
    /// First and last year, both whole.
    pub years: [i32; 2],
    /// The trend of the weekly means as they are, season and events included, in degC per decade.
    pub with_season: f64,
    /// The trend with the season taken away exactly, events included, in degC per decade.
    pub without_season: f64,
}

/// The mean of a calendar year.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct AnnualMean {
    /// The year.
    pub year: i32,
    /// The mean in degC.
    pub value: f64,
}

/// All that is known; the form of `truth.json`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Truth {
    /// The generator's name.
    pub generator: String,
    /// Its version.
    pub version: u32,
    /// Its seed.
    pub seed: u64,
    /// First and last day of the record.
    pub time: [String; 2],
    /// What the boxes' numbers are about.
    pub quantity: String,
    /// The named boxes.
    pub boxes: Vec<BoxTruth>,
    /// The planted events.
    pub events: Vec<Event>,
}

/// Returns the named boxes of the demo ocean.
///
/// # Examples
///
/// ```
/// let names: Vec<String> = ocean_data::demo::boxes().into_iter().map(|named| named.name).collect();
/// assert_eq!(names, ["coastal", "basin"]);
/// ```
pub fn boxes() -> Vec<NamedBox> {
    [("coastal", COASTAL), ("basin", BASIN)]
        .map(|(name, Corners { lon, lat })| NamedBox { name: name.to_owned(), lon, lat })
        .into()
}

/// Works out what is known of the demo ocean.
///
/// # Examples
///
/// ```
/// let truth = ocean_data::demo::truth();
/// assert!(truth.boxes[0].planted_trend > truth.boxes[1].planted_trend);
/// ```
pub fn truth() -> Truth {
    let columns = columns();
    let trends = [COASTAL_TREND, BASIN_TREND];
    let boxes =
        boxes().into_iter().zip(trends).map(|(named, trend)| box_truth(named, trend, &columns)).collect();
    let date = |day| Moment::date(day).unwrap_or_default();
    Truth {
        generator: GENERATOR.to_owned(),
        version: VERSION,
        seed: SEED,
        time: [date(TIME.first), date(TIME.at(TIME.count - 1))],
        quantity:
            "temperature at 0.5 m in degC, mean over the box weighted by area; trends in degC per decade"
                .to_owned(),
        boxes,
        events: PLANTED.iter().map(super::events::Planted::describe).collect(),
    }
}

fn box_truth(named: NamedBox, planted_trend: f64, columns: &[Column]) -> BoxTruth {
    let inside: Vec<&Column> = columns
        .iter()
        .filter(|column| column.is_wet(DEPTHS[0]))
        .filter(|column| (named.lon[0]..=named.lon[1]).contains(&column.lon))
        .filter(|column| (named.lat[0]..=named.lat[1]).contains(&column.lat))
        .collect();
    let weeks: Vec<Week> =
        (0..TIME.count).map(|time| Week::of(&inside, Moment::new(TIME.at(time)))).collect();
    let trend = |years: [i32; 2]| {
        let weeks: Vec<&Week> =
            weeks.iter().filter(|week| (years[0]..=years[1]).contains(&week.moment.year)).collect();
        let slope = |value: &dyn Fn(&Week) -> f64| {
            slope(&weeks.iter().map(|week| [week.moment.day, value(week)]).collect::<Vec<_>>()) * DECADE
        };
        Trend {
            years,
            with_season: slope(&|week| week.mean),
            without_season: slope(&|week| week.mean - week.season),
        }
    };
    let annual_mean = |year: i32| {
        let values: Vec<f64> =
            weeks.iter().filter(|week| week.moment.year == year).map(|week| week.mean).collect();
        AnnualMean { year, value: values.iter().sum::<f64>() / values.len() as f64 }
    };
    BoxTruth {
        name: named.name,
        lon: named.lon,
        lat: named.lat,
        planted_trend,
        noise_free_trends: vec![trend([FIRST_YEAR, LAST_YEAR]), trend([2015, 2017])],
        noise_free_annual_means: (FIRST_YEAR..=LAST_YEAR).map(annual_mean).collect(),
    }
}

/// A box's surface temperature at one moment.
#[derive(Debug)]
struct Week {
    moment: Moment,
    mean: f64,
    season: f64,
}

impl Week {
    fn of(columns: &[&Column], moment: Moment) -> Self {
        let (mut weights, mut mean, mut seasons) = (0.0, 0.0, 0.0);
        for column in columns {
            // On equal steps of latitude, cells are as large as the cosine of their middle latitude.
            let weight = libm::cos(column.lat.to_radians());
            weights += weight;
            mean += weight * Variable::Temperature.signal(&Sample { column, depth: DEPTHS[0], moment });
            seasons += weight * season(column, moment) * libm::exp(-DEPTHS[0] / 45.0);
        }
        Self { moment, mean: mean / weights, season: seasons / weights }
    }
}

/// Returns the slope of the line of least squares.
fn slope(points: &[[f64; 2]]) -> f64 {
    let count = points.len() as f64;
    let [x, y] = [0, 1].map(|part| points.iter().map(|point| point[part]).sum::<f64>() / count);
    let spread: f64 = points.iter().map(|point| (point[0] - x) * (point[0] - x)).sum();
    points.iter().map(|point| (point[0] - x) * (point[1] - y)).sum::<f64>() / spread
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn noise_free_trends_are_the_planted_ones() {
        for truth in truth().boxes {
            for trend in &truth.noise_free_trends {
                let off = trend.without_season - truth.planted_trend;
                assert!(off.abs() < 0.05, "{} {:?}: {trend:?}", truth.name, trend.years);
                // Weeks do not fill calendar years exactly.
                let tilt = trend.with_season - trend.without_season;
                assert!(tilt.abs() < 0.15, "{} {:?}: the season tilts by {tilt}", truth.name, trend.years);
            }
        }
    }

    #[test]
    fn truth_survives_its_file() {
        let truth = truth();
        let text = serde_json::to_string_pretty(&truth).unwrap();
        assert_eq!(serde_json::from_str::<Truth>(&text).unwrap(), truth);
        assert!(text.contains("\"kind\": \"marine_heatwave\""));
    }
}

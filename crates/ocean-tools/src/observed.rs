//! Observations of any form as points: tables, casts and stations of a dataset, series, profiles, fields.

use leg_core::{Artifact, Kind, ToolContext, ToolError, ToolErrorKind};
use ocean_data::Field;
use ocean_data::cf::{Calendar, Unit};
use ocean_data::dataset::Observations;
use ocean_data::field::Region;
use serde_json::Value;

use crate::argument::field::select;
use crate::argument::{FieldArgument, SelectionArgument};
use crate::kernels::teos10::sea_water;
use crate::kernels::time_axis::TimeAxis;
use crate::{Datasets, reading};

/// More points are refused.
const MAX_POINTS: usize = 2_000_000;

/// One observation.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Point {
    pub(crate) lon: f64,
    pub(crate) lat: f64,
    /// Metres below the surface.
    pub(crate) depth: Option<f64>,
    /// Nanoseconds since 1970-01-01 of the calendar.
    pub(crate) instant: Option<i128>,
    pub(crate) value: f64,
}

/// Observations with a value, and what they are of.
#[derive(Debug)]
pub(crate) struct Observed {
    pub(crate) name: String,
    pub(crate) units: Option<String>,
    pub(crate) calendar: Calendar,
    pub(crate) points: Vec<Point>,
    pub(crate) notes: Vec<String>,
}

/// What a call says beside the observations themselves.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Said<'a> {
    /// The column of a table.
    pub(crate) variable: Option<&'a str>,
    /// Where a station is whose data do not say.
    pub(crate) place: Option<[f64; 2]>,
}

impl Observed {
    /// Reads observations of any form.
    ///
    /// # Errors
    /// What cannot be read, or has no places.
    pub(crate) fn open(
        argument: &FieldArgument,
        said: Said<'_>,
        datasets: &Datasets,
        context: &ToolContext,
    ) -> Result<Self, ToolError> {
        let mut found = match argument {
            FieldArgument::Artifact(reference) => {
                let artifact = reference.read(context)?;
                match artifact.kind {
                    Kind::Table => of_table(&artifact, said)?,
                    Kind::Series => of_series(&artifact, said)?,
                    _ => of_field(&argument.open(datasets, context)?, said)?,
                }
            }
            FieldArgument::Selection(ask) => {
                let dataset = datasets.open(ask.dataset.as_deref())?;
                let scattered = dataset
                    .observations(&ask.selection.variable)
                    .map_err(|error| ToolError::new(ToolErrorKind::BadData, error.to_string()))?;
                match scattered {
                    Some(scattered) => of_scattered(&scattered, ask, said)?,
                    None => of_field(&select(datasets, ask)?, said)?,
                }
            }
        };
        found.points.retain(|point| !point.value.is_nan() && point.lon.is_finite() && point.lat.is_finite());
        if found.points.is_empty() {
            return Err(ToolError::no_data(format!(
                "`{}` has no value with a longitude and a latitude; say with lon and lat where the station is, or choose \
                 observations that state it",
                found.name
            )));
        }
        if found.points.len() > MAX_POINTS {
            return Err(ToolError::new(
                ToolErrorKind::LimitExceeded,
                format!(
                    "{} observations are given and the limit is {MAX_POINTS}; choose fewer",
                    found.points.len()
                ),
            ));
        }
        Ok(found)
    }

    /// Values in these units.
    ///
    /// # Errors
    /// When theirs measure something else.
    pub(crate) fn in_units(&mut self, units: &str) -> Result<(), ToolError> {
        let own = self.units.clone().filter(|own| !own.is_empty());
        let (Some(own), false) = (own, units.is_empty()) else {
            self.notes.push("units are not stated on both sides; values are compared as they are".to_owned());
            return Ok(());
        };
        if own == units {
            return Ok(());
        }
        let parse = |text: &str| text.parse::<Unit>().map_err(|error| ToolError::invalid(error.to_string()));
        let conversion = parse(&own)?.to(&parse(units)?).map_err(|error| {
            ToolError::invalid(format!("the observations cannot be compared with the field: {error}"))
        })?;
        for point in &mut self.points {
            point.value = conversion.apply(point.value);
        }
        self.notes.push(format!("the observations were converted from `{own}` to `{units}`"));
        self.units = Some(units.to_owned());
        Ok(())
    }
}

/// A level as a depth: a pressure is converted at its latitude.
fn depth_of(level: f64, units: &str, lat: f64) -> Option<f64> {
    let unit: Unit = units.parse().ok()?;
    if unit.is_pressure() {
        let decibar: Unit = "dbar".parse().ok()?;
        return Some(sea_water::depth(unit.to(&decibar).ok()?.apply(level), lat));
    }
    let metre: Unit = "m".parse().ok()?;
    Some(unit.to(&metre).ok()?.apply(level))
}

fn of_scattered(
    found: &Observations,
    ask: &SelectionArgument,
    said: Said<'_>,
) -> Result<Observed, ToolError> {
    let calendar = found.times.as_ref().map_or(Calendar::Standard, |times| times.1);
    let refuse = |error: String| ToolError::invalid(error);
    let window = match &ask.selection.time {
        Some(window) => Some(window.period(calendar).map_err(|error| refuse(error.to_string()))?),
        None => None,
    };
    let area = match &ask.selection.region {
        Some(Region::Box(_) | Region::Polygon(_) | Region::Name(_)) => {
            let region = ask.selection.region.as_ref();
            region.map(Region::area).transpose().map_err(|error| refuse(error.to_string()))?.flatten()
        }
        Some(other) => {
            return Err(refuse(format!(
                "observations are chosen by a box, a polygon or a name, not {}",
                other.to_json()
            )));
        }
        None => None,
    };
    let range = match ask.selection.depth {
        Some(ocean_data::field::Depth::Range(range)) => Some(range),
        Some(other) if other != ocean_data::field::Depth::Column => {
            return Err(refuse(format!(
                "observations are chosen by a range of depths, not {}",
                other.to_json()
            )));
        }
        _ => None,
    };
    let mut points = Vec::with_capacity(found.values.len());
    for (at, &value) in found.values.iter().enumerate() {
        let [lon, lat] = match said.place {
            Some(place) if found.lon[at].is_nan() => place,
            _ => [found.lon[at], found.lat[at]],
        };
        let depth = match &found.level {
            Some((levels, units)) => match depth_of(levels[at], units, lat) {
                Some(depth) if depth.is_finite() => Some(depth),
                // A level that is missing places the value nowhere.
                _ => continue,
            },
            None => None,
        };
        let instant = match &found.times {
            Some((times, _)) => match times[at] {
                Some(instant) => Some(instant),
                None => continue,
            },
            None => None,
        };
        let in_time = window.is_none_or(|[from, to]| instant.is_some_and(|own| (from..to).contains(&own)));
        let in_area = area.as_ref().is_none_or(|area| area.contains(lon, lat));
        let in_range =
            range.is_none_or(|[top, bottom]| depth.is_some_and(|own| (top..=bottom).contains(&own)));
        if in_time && in_area && in_range {
            points.push(Point { lon, lat, depth, instant, value });
        }
    }
    Ok(Observed { name: found.name.clone(), units: found.units.clone(), calendar, points, notes: Vec::new() })
}

fn of_field(field: &Field, said: Said<'_>) -> Result<Observed, ToolError> {
    let read = field.read(8 * MAX_POINTS as u64).map_err(|error| reading::cannot_read(&error))?;
    let depths = field.depths().map(|axis| axis.values.clone());
    let times = field.times();
    let points = read
        .indexed_iter()
        .map(|((t, z, y, x), &value)| {
            let [lon, lat] = field.cell_centre(y, x).or(said.place).unwrap_or([f64::NAN; 2]);
            let depth = depths.as_ref().and_then(|depths| depths.get(z).copied());
            Point { lon, lat, depth, instant: times.map(|axis| axis.nanoseconds[t]), value }
        })
        .collect();
    Ok(Observed {
        name: field.variable().identity_name().to_owned(),
        units: Some(field.units().to_owned()),
        calendar: times.map_or(Calendar::Standard, |axis| axis.calendar),
        points,
        notes: reading::notes(field),
    })
}

/// A series: at the place that it states, or that the call says.
fn of_series(artifact: &Artifact, said: Said<'_>) -> Result<Observed, ToolError> {
    let series = crate::series::Series::from_artifact(artifact)?;
    let scalar =
        |name: &str| artifact.coords.get(name).filter(|own| own.values.len() == 1)?.values[0].as_f64();
    let pair = |key: &str| serde_json::from_value::<[f64; 2]>(artifact.attributes.get(key)?.clone()).ok();
    let place = said
        .place
        .or_else(|| Some([scalar("lon")?, scalar("lat")?]))
        .or_else(|| pair("cell"))
        .or_else(|| pair("point"));
    let [lon, lat] = place.unwrap_or([f64::NAN; 2]);
    let points = series
        .axis
        .nanoseconds()
        .iter()
        .zip(&series.values)
        .map(|(&instant, &value)| Point { lon, lat, depth: scalar("depth"), instant: Some(instant), value })
        .collect();
    Ok(Observed {
        name: series.name.clone(),
        units: Some(series.units.clone()),
        calendar: series.axis.calendar(),
        points,
        notes: Vec::new(),
    })
}

/// Names of the columns of a table, in lower case.
const LON: [&str; 2] = ["lon", "longitude"];
const LAT: [&str; 2] = ["lat", "latitude"];
const DEPTH: [&str; 6] = ["depth", "depth_m", "pressure", "pressure_dbar", "pres", "pres_dbar"];
const TIME: [&str; 4] = ["time", "date", "datetime", "time_utc"];

fn of_table(artifact: &Artifact, said: Said<'_>) -> Result<Observed, ToolError> {
    let texts = |key: &str| -> Vec<String> {
        let list = artifact.content.get(key).and_then(Value::as_array);
        list.into_iter().flatten().map(|own| own.as_str().unwrap_or_default().to_owned()).collect()
    };
    let (columns, units) = (texts("columns"), texts("units"));
    let find = |names: &[&str]| columns.iter().position(|own| names.contains(&own.to_lowercase().as_str()));
    let (lon, lat, depth, time) = (find(&LON), find(&LAT), find(&DEPTH), find(&TIME));
    let known = [lon, lat, depth, time];
    let value = if let Some(name) = said.variable {
        columns.iter().position(|own| own == name)
    } else {
        let rest: Vec<usize> = (0..columns.len()).filter(|at| !known.contains(&Some(*at))).collect();
        if rest.len() == 1 { rest.first().copied() } else { None }
    };
    let value = value.ok_or_else(|| {
        ToolError::invalid(format!(
            "which column of table `{}` holds the values is not clear; name it with `variable`: {}",
            artifact.name,
            columns.join(", ")
        ))
    })?;
    let rows = artifact.content.get("rows").and_then(Value::as_array);
    let is_pressure = depth.is_some_and(|at| columns[at].to_lowercase().starts_with("pres"));
    let mut points = Vec::new();
    let mut unread = 0_usize;
    for row in rows.into_iter().flatten().filter_map(Value::as_array) {
        let number = |at: Option<usize>| at.and_then(|at| row.get(at)).and_then(Value::as_f64);
        let place = number(lon).zip(number(lat)).map(|(lon, lat)| [lon, lat]).or(said.place);
        let Some([lon, lat]) = place else {
            unread += 1;
            continue;
        };
        let level = number(depth).map(|level| if is_pressure { sea_water::depth(level, lat) } else { level });
        let instant = match time.and_then(|at| row.get(at)).and_then(Value::as_str) {
            Some(text) => {
                let Ok(axis) = TimeAxis::parse(Calendar::Standard, &[text]) else {
                    unread += 1;
                    continue;
                };
                axis.nanoseconds().first().copied()
            }
            None => None,
        };
        let value = number(Some(value)).unwrap_or(f64::NAN);
        points.push(Point { lon, lat, depth: level, instant, value });
    }
    let notes = (unread > 0)
        .then(|| format!("{unread} rows of `{}` have no place or a time that is none", artifact.name));
    Ok(Observed {
        name: columns[value].clone(),
        units: units.get(value).cloned().filter(|own| !own.is_empty()),
        calendar: Calendar::Standard,
        points,
        notes: notes.into_iter().collect(),
    })
}

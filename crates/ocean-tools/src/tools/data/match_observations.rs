//! `match_observations`: a field at the places and times of observations.

use leg_core::{
    Artifact, EvidenceDraft, Kind, Port, Purity, ToolContext, ToolError, ToolErrorKind, ToolOutput, ToolSpec,
};
use ndarray::{Array3, Axis};
use ocean_data::Field;
use ocean_data::cf::Calendar;
use ocean_data::field::ChunkTree;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::argument::FieldArgument;
use crate::computation::Computation;
use crate::kernels::places::Places;
use crate::kernels::sphere::{EARTH_RADIUS, haversine};
use crate::observed::{Observed, Point, Said};
use crate::series::units_of;
use crate::{Datasets, reading};

/// Cells around an observation that may give its value.
const NEIGHBOURS: usize = 12;
/// The largest map of one time, in bytes.
const MAX_MAP: u64 = 1 << 31;
/// What a field without levels is compared with: observations down to this depth, m.
const SURFACE: f64 = 10.0;

/// Collocates a field with observations.
pub(crate) struct MatchObservations;

/// Arguments of `match_observations`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    /// The field that is judged.
    #[schemars(extend("x-leg-port" = {"kind": "field", "or": ["map"], "dims": ["time?", "depth?", "lat", "lon"], "unit": "any"}))]
    data: FieldArgument,
    /// The observations: a table with columns lon, lat, and depth and time where they have them; a selection of a dataset of
    /// casts, floats, stations or rows; a series, a profile or another field.
    #[schemars(extend("x-leg-port" = {"kind": "table", "or": ["field", "map", "series", "profile"], "unit": "=data"}))]
    observations: FieldArgument,
    /// The column of a table that holds the values.
    #[serde(default)]
    variable: Option<String>,
    /// Longitude of a station whose data do not say, degrees east.
    #[serde(default)]
    lon: Option<f64>,
    /// Latitude of a station whose data do not say, degrees north.
    #[serde(default)]
    lat: Option<f64>,
    /// Cells farther away than this do not count, km.
    #[serde(default = "distance")]
    #[schemars(range(min = 0.0), extend("x-leg-port" = {"unit": "km"}))]
    max_distance_km: f64,
    /// Times farther away than this do not count, h.
    #[serde(default = "hours")]
    #[schemars(range(min = 0.0), extend("x-leg-port" = {"unit": "h"}))]
    max_time_hours: f64,
    /// The nearest cell with a value, or bilinear between cells.
    #[serde(default)]
    method: Method,
}

fn distance() -> f64 {
    25.0
}

fn hours() -> f64 {
    12.0
}

/// How a place is met on the grid.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Method {
    /// The nearest cell that has a value there and then.
    #[default]
    Nearest,
    /// Bilinear over the wet cells around; the nearest where fewer than half of the weight is wet.
    Linear,
}

impl Computation for MatchObservations {
    const NAME: &'static str = "match_observations";
    type Arguments = Arguments;

    fn describe() -> ToolSpec {
        ToolSpec::new("data", "A field at the places, depths and times of observations.", Port::of(Kind::Table).unit("=data"))
            .description(
                "Each observation is paired with the field's nearest time within `max_time_hours` and the nearest cell by great \
                 circle that has a value at its depth within `max_distance_km` (or bilinear), linear between levels; between the \
                 surface and the first level that level's value. Pressures become depths (TEOS-10), units are converted, \
                 calendars compared by date. A field without levels meets observations down to 10 m. What has no partner is left \
                 out and counted by why. Quality flags of the observations are not applied. Give the table to \
                 `compute_skill_metrics`.",
            )
            .evidence(&[
                "n_observations", "n_matched", "n_too_far", "n_no_time", "n_no_depth", "bias", "rmse", "mean_distance",
                "mean_time_offset",
            ])
            .purity(Purity::ReadsData)
    }

    fn run(
        arguments: &Arguments,
        datasets: &Datasets,
        context: &ToolContext,
    ) -> Result<ToolOutput, ToolError> {
        run(arguments, datasets, context)
    }
}

/// An observation with what the field has there.
#[derive(Debug, Clone, Copy)]
struct Pair {
    point: Point,
    model: f64,
    distance_km: f64,
    /// Hours from the observation to the field's time.
    offset: Option<f64>,
}

/// How many observations found nothing, by why.
#[derive(Debug, Clone, Copy, Default)]
struct Lost {
    far: usize,
    time: usize,
    depth: usize,
}

fn run(arguments: &Arguments, datasets: &Datasets, context: &ToolContext) -> Result<ToolOutput, ToolError> {
    let place = match (arguments.lon, arguments.lat) {
        (Some(lon), Some(lat)) => Some([lon, lat]),
        (None, None) => None,
        _ => return Err(ToolError::invalid("give both lon and lat of the station, or neither")),
    };
    let field = arguments.data.open(datasets, context)?;
    if field.cell_centre(0, 0).is_none() {
        return Err(ToolError::invalid(format!(
            "`{}` is no map, so it has no cell near an observation; choose a field with latitudes and longitudes",
            field.name()
        )));
    }
    let said = Said { variable: arguments.variable.as_deref(), place };
    let mut observed = Observed::open(&arguments.observations, said, datasets, context)?;
    observed.in_units(field.units())?;
    let n = observed.points.len();
    let (pairs, lost, chunks) = pairs(&field, &observed, arguments, context)?;
    let units = units_of(&field);
    let mut notes = reading::notes(&field);
    notes.append(&mut observed.notes);
    if pairs.is_empty() {
        return Err(ToolError::no_data(format!(
            "none of the {n} observations has a partner: {} are farther than {} km from a cell with a value, {} have no time \
             of the field within {} h, {} are above or below its levels; widen the limits or choose others",
            lost.far, arguments.max_distance_km, lost.time, arguments.max_time_hours, lost.depth
        )));
    }
    let artifact = table(&field, &observed, &pairs, &units, arguments);
    let mean = |of: &dyn Fn(&Pair) -> f64| pairs.iter().map(of).sum::<f64>() / pairs.len() as f64;
    let count = |name: &str, n: usize, what: &str| EvidenceDraft::new(name, n as u64, "1", what);
    let off = |pair: &Pair| pair.model - pair.point.value;
    let mut drafts = vec![
        count("n_observations", n, "number of observations with a value and a place"),
        count("n_matched", pairs.len(), "number of observations with a partner"),
        count("n_too_far", lost.far, "number of observations without a cell with a value near enough"),
        count("n_no_time", lost.time, "number of observations without a time near enough"),
        count("n_no_depth", lost.depth, "number of observations above or below the levels"),
        EvidenceDraft::new("bias", mean(&off), &units, "mean of field less observation").n(pairs.len()),
        EvidenceDraft::new(
            "rmse",
            mean(&|pair| off(pair) * off(pair)).sqrt(),
            &units,
            "root mean square of field less observation",
        )
        .n(pairs.len()),
        EvidenceDraft::new(
            "mean_distance",
            mean(&|pair| pair.distance_km),
            "km",
            "mean distance to the cell",
        ),
    ];
    if pairs.iter().all(|pair| pair.offset.is_some()) {
        let hours = mean(&|pair| pair.offset.unwrap_or(0.0).abs());
        drafts.push(EvidenceDraft::new("mean_time_offset", hours, "h", "mean size of the time between both"));
    } else {
        notes.push("the field or the observations have no times; none were compared".to_owned());
    }
    let mut output = ToolOutput::of(artifact).with_evidence(drafts).with_notes(notes);
    output.sources.extend(chunks.iter().map(|chunks| reading::source(&field, chunks)));
    Ok(output)
}

fn table(field: &Field, observed: &Observed, pairs: &[Pair], units: &str, arguments: &Arguments) -> Artifact {
    let iso =
        |instant: i128| observed.calendar.instant(instant).ok().map(|own| own.to_iso(observed.calendar));
    let rows: Vec<Value> = pairs
        .iter()
        .map(|pair| {
            let Point { lon, lat, depth, instant, value } = pair.point;
            json!([lon, lat, depth, instant.and_then(iso), value, pair.model, pair.distance_km, pair.offset])
        })
        .collect();
    let content = json!({
        "columns": ["lon", "lat", "depth", "time", "observed", "model", "distance_km", "time_offset_hours"],
        "units": ["degrees_east", "degrees_north", "m", "", units, units, "km", "h"],
        "rows": rows,
    });
    let word = match arguments.method {
        Method::Nearest => "nearest cell with a value",
        Method::Linear => "bilinear",
    };
    Artifact::document(Kind::Table, format!("{}_matched", field.variable().identity_name()), content)
        .with_attribute("method", word)
        .with_attribute("observations", observed.name.clone())
        .with_attribute("max_distance_km", arguments.max_distance_km)
        .with_attribute("max_time_hours", arguments.max_time_hours)
}

/// The field's nearest time of each observation, with the hours between; `None` for no times at all.
fn time_of(field: &Field, point: &Point, calendar: Calendar, limit: f64) -> Result<(usize, Option<f64>), ()> {
    let (Some(axis), Some(instant)) = (field.times(), point.instant) else {
        // One map meets all times, several meet none without knowing which.
        return if field.full_shape()[0] == 1 { Ok((0, None)) } else { Err(()) };
    };
    let instant = if axis.calendar == calendar {
        instant
    } else {
        let date = calendar.instant(instant).map_err(|_| ())?;
        axis.calendar.nanoseconds(&date).map_err(|_| ())?
    };
    let after = axis.nanoseconds.partition_point(|&own| own < instant);
    let nearest = [after.checked_sub(1), Some(after).filter(|at| *at < axis.nanoseconds.len())]
        .into_iter()
        .flatten()
        .min_by_key(|&at| (axis.nanoseconds[at] - instant).abs())
        .ok_or(())?;
    let hours = (axis.nanoseconds[nearest] - instant) as f64 / 3.6e12;
    if hours.abs() <= limit { Ok((nearest, Some(hours))) } else { Err(()) }
}

fn pairs(
    field: &Field,
    observed: &Observed,
    arguments: &Arguments,
    context: &ToolContext,
) -> Result<(Vec<Pair>, Lost, Vec<ChunkTree>), ToolError> {
    let [_, _, rows, columns] = field.full_shape();
    let cells = (0..rows * columns).map(|at| {
        let (y, x) = (at / columns, at % columns);
        let inside = field.mask().is_none_or(|mask| mask[[y, x]]);
        field.cell_centre(y, x).filter(|_| inside).unwrap_or([f64::NAN; 2])
    });
    let places = Places::new(cells);
    let mut lost = Lost::default();
    // By time, so that each map is read once.
    let mut by_time: Vec<(usize, usize, Option<f64>)> = Vec::new();
    for (at, point) in observed.points.iter().enumerate() {
        match time_of(field, point, observed.calendar, arguments.max_time_hours) {
            Ok((time, offset)) => by_time.push((time, at, offset)),
            Err(()) => lost.time += 1,
        }
    }
    by_time.sort_by_key(|own| (own.0, own.1));
    let mut found: Vec<(usize, Pair)> = Vec::new();
    let mut chunks = Vec::new();
    let total = by_time.len();
    let mut done = 0;
    for group in by_time.chunk_by(|a, b| a.0 == b.0) {
        if context.is_cancelled() {
            return Err(ToolError::new(ToolErrorKind::Cancelled, "the call was stopped"));
        }
        let time = group[0].0;
        let one = field.at_times(&[time]).unwrap_or_else(|| field.clone());
        let (map, read) = read_map(&one, context)?;
        chunks.push(read);
        let sampler = Sampler { field, map: &map, places: &places, arguments };
        for &(_, at, offset) in group {
            let point = observed.points[at];
            match sampler.sample(&point) {
                Ok((model, distance_km)) => found.push((at, Pair { point, model, distance_km, offset })),
                Err(Nothing::Far) => lost.far += 1,
                Err(Nothing::Depth) => lost.depth += 1,
            }
        }
        done += group.len();
        context.progress(done as u64, total as u64);
    }
    found.sort_by_key(|own| own.0);
    Ok((found.into_iter().map(|own| own.1).collect(), lost, chunks))
}

/// All values of one time.
fn read_map(one: &Field, context: &ToolContext) -> Result<(Array3<f64>, ChunkTree), ToolError> {
    let needed = one.len() as u64 * 8;
    if needed > MAX_MAP {
        return Err(ToolError::new(
            ToolErrorKind::LimitExceeded,
            format!(
                "one time of the field takes {needed} bytes and the limit is {MAX_MAP}; narrow its region or depth"
            ),
        ));
    }
    let [_, levels, rows, columns] = one.full_shape();
    let mut map = Array3::from_elem((levels, rows, columns), f64::NAN);
    let chunks = one
        .walk(
            &reading::control(context),
            |block| (block.offset, block.values.index_axis(Axis(0), 0).to_owned()),
            |([_, oz, oy, ox], part)| {
                for ((z, y, x), value) in part.indexed_iter() {
                    map[[oz + z, oy + y, ox + x]] = *value;
                }
            },
        )
        .map_err(|error| reading::cannot_read(&error))?;
    Ok((map, chunks))
}

/// Why an observation has no partner.
enum Nothing {
    Far,
    Depth,
}

struct Sampler<'a> {
    field: &'a Field,
    map: &'a Array3<f64>,
    places: &'a Places,
    arguments: &'a Arguments,
}

impl Sampler<'_> {
    /// The field at a point, and the distance to the cell that gave it.
    fn sample(&self, point: &Point) -> Result<(f64, f64), Nothing> {
        let levels = self.levels(point.depth)?;
        let columns = self.map.len_of(Axis(2));
        let value =
            |y: usize, x: usize| levels.iter().map(|&(z, weight)| weight * self.map[[z, y, x]]).sum::<f64>();
        let near = self.places.nearest([point.lon, point.lat], NEIGHBOURS);
        let first = near.first().ok_or(Nothing::Far)?;
        if self.arguments.method == Method::Linear {
            let corners =
                self.field.corners_around(point.lon, point.lat, (first.0 / columns, first.0 % columns));
            let (mut sum, mut weight) = (0.0, 0.0);
            for (y, x, own) in corners.into_iter().flatten() {
                let there = value(y, x);
                if own > 0.0 && !there.is_nan() {
                    sum += own * there;
                    weight += own;
                }
            }
            let km = first.1 * EARTH_RADIUS / 1000.0;
            if weight >= 0.5 && km <= self.arguments.max_distance_km {
                return Ok((sum / weight, km));
            }
        }
        for (at, _) in near {
            let (y, x) = (at / columns, at % columns);
            let Some(centre) = self.field.cell_centre(y, x) else { continue };
            let km = haversine(centre, [point.lon, point.lat], EARTH_RADIUS) / 1000.0;
            if km > self.arguments.max_distance_km {
                break;
            }
            let there = value(y, x);
            if !there.is_nan() {
                return Ok((there, km));
            }
        }
        Err(Nothing::Far)
    }

    /// The levels around a depth with their weights.
    fn levels(&self, depth: Option<f64>) -> Result<Vec<(usize, f64)>, Nothing> {
        let Some(axis) = self.field.depths() else {
            return if depth.is_none_or(|own| own <= SURFACE) {
                Ok(vec![(0, 1.0)])
            } else {
                Err(Nothing::Depth)
            };
        };
        let n = axis.values.len();
        let Some(depth) = depth else {
            return if n == 1 { Ok(vec![(0, 1.0)]) } else { Err(Nothing::Depth) };
        };
        let below = axis.values.partition_point(|&own| own < depth);
        if n == 1 || below == 0 {
            let [top, bottom] = axis.bounds[0];
            let inside = (top.min(0.0)..=bottom).contains(&depth);
            return if inside { Ok(vec![(0, 1.0)]) } else { Err(Nothing::Depth) };
        }
        if below == n {
            return Err(Nothing::Depth);
        }
        let (a, b) = (axis.values[below - 1], axis.values[below]);
        let share = (depth - a) / (b - a);
        if share >= 1.0 { Ok(vec![(below, 1.0)]) } else { Ok(vec![(below - 1, 1.0 - share), (below, share)]) }
    }
}

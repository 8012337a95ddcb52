//! `advect_particles`: where a current takes particles.

use leg_core::{
    Artifact, EvidenceDraft, Kind, Port, Purity, ToolContext, ToolError, ToolErrorKind, ToolOutput, ToolSpec,
};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::drift::{Drift, steps, unless_stopped};
use super::flow::{Flow, yes};
use crate::argument::{DepthArgument, FieldArgument, RegionArgument};
use crate::computation::Computation;
use crate::kernels::random_walk::Normal;
use crate::kernels::sphere::{EARTH_RADIUS, RADIANS, haversine, near_longitude};
use crate::kernels::trajectories::{Particle, State};
use crate::together::Part;
use crate::{Datasets, reading};

/// The most rows of a table.
const MAX_ROWS: usize = 200_000;

/// Paths of particles.
pub(crate) struct AdvectParticles;

/// Arguments of `advect_particles`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    /// Eastward current.
    #[schemars(extend("x-leg-port" = {"kind": "field", "or": ["map"], "dims": ["time?", "depth?", "lat", "lon"], "unit": "m s-1"}))]
    u: FieldArgument,
    /// Northward current.
    #[schemars(extend("x-leg-port" = {"kind": "field", "or": ["map"], "dims": ["time?", "depth?", "lat", "lon"], "unit": "m s-1"}))]
    v: FieldArgument,
    /// Places [lon, lat] in degrees.
    #[schemars(length(min = 1, max = 10000))]
    release: Vec<[f64; 2]>,
    /// When they are released: a date or time.
    start: String,
    /// How long they drift, in days; negative backwards.
    #[serde(default = "thirty")]
    #[schemars(range(min = -3650, max = 3650))]
    days: f64,
    /// Longest step in minutes.
    #[serde(default = "half_hour")]
    #[schemars(range(min = 1, max = 1440))]
    dt_minutes: f64,
    /// Diffusivity of a random walk in m2 s-1.
    #[serde(default)]
    #[schemars(range(min = 0, max = 100_000))]
    diffusivity: f64,
    /// Of the random walk.
    #[serde(default)]
    seed: u64,
    /// Hours between the places that are kept.
    #[serde(default = "day")]
    #[schemars(range(min = 0.1, max = 8760))]
    output_hours: f64,
    /// A region inside the fields' own; particles that leave it are gone.
    #[serde(default)]
    region: Option<RegionArgument>,
    /// A depth inside the fields' own.
    #[serde(default)]
    depth: Option<DepthArgument>,
    /// Whether east joins west where the longitudes go round the globe.
    #[serde(default = "yes")]
    wrap: bool,
}

fn thirty() -> f64 {
    30.0
}

fn half_hour() -> f64 {
    30.0
}

fn day() -> f64 {
    24.0
}

impl Computation for AdvectParticles {
    const NAME: &'static str = "advect_particles";
    type Arguments = Arguments;

    fn describe() -> ToolSpec {
        ToolSpec::new("dynamics", "Paths of particles in a current.", Port::of(Kind::Table))
            .description(
                "Runge-Kutta of fourth order in longitude and latitude on the sphere (R = 6371000 m), the current bilinear in space \
                 and linear in time, dry corners of a cell as still water, on one level. With diffusivity K each step adds a \
                 normal deviate of variance 2 K dt in both directions, from `seed`. A particle is beached where the nearest cell \
                 is dry and gone beyond the grid, and stays where it last was. Rows: particle (from 0), time, lon, lat, status.",
            )
            .evidence(&["n_particles", "n_afloat", "n_beached", "n_gone", "mean_distance", "largest_distance"])
            .purity(Purity::ReadsData)
    }

    fn run(
        arguments: &Arguments,
        datasets: &Datasets,
        context: &ToolContext,
    ) -> Result<ToolOutput, ToolError> {
        if let Some([lon, lat]) =
            arguments.release.iter().find(|[lon, lat]| !lon.is_finite() || lat.abs() > 90.0)
        {
            return Err(ToolError::invalid(format!(
                "[{lon}, {lat}] is no place; write [lon, lat] in degrees, with a latitude from -90 to 90"
            )));
        }
        if arguments.release.is_empty() || arguments.days == 0.0 {
            return Err(ToolError::invalid("give at least one place in release, and days other than 0"));
        }
        let part = Part { region: arguments.region.as_ref(), time: None, depth: arguments.depth.as_ref() };
        let flow = Flow::open(part, &arguments.u, &arguments.v, datasets, context)?;
        let (length, count) = steps(arguments.days, arguments.dt_minutes)?;
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "at least 1, at most a million"
        )]
        let every = (arguments.output_hours * 3600.0 / length.abs()).round().clamp(1.0, 1e6) as usize;
        let kept = 1 + count.div_ceil(every);
        if kept * arguments.release.len() > MAX_ROWS {
            return Err(ToolError::new(
                ToolErrorKind::LimitExceeded,
                format!("more than {MAX_ROWS} rows; release fewer particles or raise output_hours"),
            ));
        }
        let drift = Drift::of(&flow, &arguments.start, arguments.days, arguments.wrap)?;
        let spread = libm::sqrt(2.0 * arguments.diffusivity * length.abs()) / (EARTH_RADIUS * RADIANS);
        let mut tracks = vec![Vec::with_capacity(kept); arguments.release.len()];
        let mut ends = Vec::new();
        for (number, ([lon, lat], track)) in arguments.release.iter().zip(&mut tracks).enumerate() {
            unless_stopped(context)?;
            let mut particle =
                Particle { state: drift.current.state(0.0, *lon, *lat), ..Particle::at(*lon, *lat) };
            // Each particle has numbers of its own, so that others do not change its path.
            let mut normal = Normal::of(arguments.seed, number as u64);
            track.push(particle);
            for step in 0..count {
                let second = length * step as f64;
                particle = drift.current.step(particle, second, length);
                if spread > 0.0 && particle.state == State::Afloat {
                    let [east, north] = normal.pair();
                    let lat = particle.lat + spread * north;
                    let lon = particle.lon + spread * east / libm::cos(particle.lat * RADIANS);
                    particle = match drift.current.state(second + length, lon, lat) {
                        State::Afloat => Particle { lon, lat, ..particle },
                        state => Particle { state, ..particle },
                    };
                }
                if (step + 1) % every == 0 || step + 1 == count {
                    track.push(particle);
                }
            }
            // What never floated has gone no way, which is not a way of zero.
            let floated = track.first().is_some_and(|first: &Particle| first.state == State::Afloat);
            let way = haversine([*lon, *lat], [particle.lon, particle.lat], EARTH_RADIUS) / 1000.0;
            ends.push((particle, if floated { way } else { f64::NAN }));
        }
        let rows = rows(&tracks, &drift, length, every, count);
        let columns = ["particle", "time", "lon", "lat", "status"];
        let content = json!({
            "columns": columns, "rows": rows,
            "units": {"time": "ISO 8601", "lon": "degrees_east", "lat": "degrees_north"},
        });
        let method = format!(
            "{} days from {} in steps of {:.0} s, diffusivity {} m2 s-1, seed {}",
            arguments.days,
            arguments.start,
            length.abs(),
            arguments.diffusivity,
            arguments.seed
        );
        let artifact =
            Artifact::document(Kind::Table, "particles", content).with_attribute("method", method.as_str());
        let of = |state: State| ends.iter().filter(|end| end.0.state == state).count() as u64;
        let n = ends.len();
        let draft = |name: &str, value: Value, unit: &str, what: &str| {
            EvidenceDraft::new(name, value, unit, &format!("{what}, {method}")).n(n)
        };
        let ways: Vec<f64> = ends.iter().map(|end| end.1).filter(|way| !way.is_nan()).collect();
        let total: f64 = ways.iter().sum();
        let most = ways.iter().copied().fold(f64::NAN, f64::max);
        let notes: Vec<String> = [&flow.u, &flow.v].iter().flat_map(|field| reading::notes(field)).collect();
        Ok(ToolOutput::of(artifact).with_notes(notes).with_evidence([
            draft("n_particles", json!(n), "1", "number of particles"),
            draft("n_afloat", json!(of(State::Afloat)), "1", "particles afloat at the end"),
            draft("n_beached", json!(of(State::Beached)), "1", "particles that beached"),
            draft("n_gone", json!(of(State::Gone)), "1", "particles that left the grid"),
            draft(
                "mean_distance",
                json!(total / ways.len() as f64),
                "km",
                "mean distance from release to end",
            ),
            draft("largest_distance", json!(most), "km", "largest distance from release to end"),
        ]))
    }
}

/// The rows of the table, particle by particle.
fn rows(tracks: &[Vec<Particle>], drift: &Drift, length: f64, every: usize, count: usize) -> Vec<Value> {
    let mut rows = Vec::new();
    for (number, track) in tracks.iter().enumerate() {
        for (at, particle) in track.iter().enumerate() {
            let seconds = length * (at * every).min(count) as f64;
            #[expect(clippy::cast_possible_truncation, reason = "seconds of ten years")]
            let nanoseconds = drift.start + i128::from(seconds.round() as i64) * 1_000_000_000;
            let instant = drift.calendar.instant(nanoseconds);
            let time = instant.map(|time| time.to_iso(drift.calendar)).unwrap_or_default();
            let status = match particle.state {
                State::Afloat => "afloat",
                State::Beached => "beached",
                State::Gone => "gone",
            };
            rows.push(json!([number, time, near_longitude(particle.lon, 0.0), particle.lat, status]));
        }
    }
    rows
}

//! `compute_wavenumber_spectrum`: power by wavelength.

use leg_core::{Artifact, Coord, Kind, Port, Purity, ToolContext, ToolError, ToolOutput, ToolSpec, Variable};
use ndarray::{ArrayView2, Axis};
use ocean_data::Field;
use ocean_data::field::{ChunkTree, SpaceAxis, WalkControl, WholeAxes};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::compute_spectrum::TaperArgument;
use super::findings::Findings;
use crate::argument::{DepthArgument, FieldArgument, RegionArgument, WindowArgument};
use crate::computation::Computation;
use crate::kernels::sphere::EARTH_RADIUS;
use crate::kernels::wavenumber::{Density, along, at, isotropic, slope};
use crate::series::units_of;
use crate::together::Part;
use crate::{Datasets, reading};

/// Estimates a spectrum in space.
pub(crate) struct ComputeWavenumberSpectrum;

/// Arguments of `compute_wavenumber_spectrum`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    /// A field on even longitudes and latitudes; several times and levels are averaged.
    #[schemars(extend("x-leg-port" = {"kind": "field", "or": ["map", "hovmoller", "section"], "dims": ["time?", "depth?", "lat?", "lon?"], "unit": "any"}))]
    data: FieldArgument,
    /// Taper along each axis.
    #[serde(default)]
    taper: TaperArgument,
    /// Along rows, along columns, or by the length of the wavenumber; isotropic for a map if absent.
    #[serde(default)]
    direction: Option<Direction>,
    /// Wavelengths in kilometres between which the slope is fitted; from 4 cells to half of the length if absent.
    #[serde(default)]
    slope_range: Option<[f64; 2]>,
    /// A region inside the field's own.
    #[serde(default)]
    region: Option<RegionArgument>,
    /// A window of the field's times.
    #[serde(default)]
    time: Option<WindowArgument>,
    /// A depth inside the field's own.
    #[serde(default)]
    depth: Option<DepthArgument>,
}

/// Along what.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Direction {
    /// Eastward.
    Lon,
    /// Northward.
    Lat,
    /// Every direction.
    Isotropic,
}

impl Computation for ComputeWavenumberSpectrum {
    const NAME: &'static str = "compute_wavenumber_spectrum";
    type Arguments = Arguments;

    fn describe() -> ToolSpec {
        ToolSpec::new("statistic", "Power by wavelength of a field.", Port::of(Kind::Spectrum))
            .description(
                "One-sided density by wavenumber (cycles a kilometre) whose integral is the variance. lon and lat: each \
                 row or column without a gap, less its line, tapered; a row has the length of its own parallel, and the \
                 densities are averaged at the wavenumbers of the coarsest row. isotropic: each map less its plane, \
                 tapered both ways, cells as long as at the middle latitude, summed over rings. Means over all lines, \
                 maps, times and levels. slope: of log power over log wavenumber between two wavelengths. A line or map \
                 with land is left out and counted.",
            )
            .evidence(&["slope", "variance", "peak_wavelength", "n_slope", "n_used", "n_left_out"])
            .purity(Purity::ReadsData)
    }

    fn run(
        arguments: &Arguments,
        datasets: &Datasets,
        context: &ToolContext,
    ) -> Result<ToolOutput, ToolError> {
        let part = Part {
            region: arguments.region.as_ref(),
            time: arguments.time.as_ref(),
            depth: arguments.depth.as_ref(),
        };
        let field = part.open_as_is(&arguments.data, datasets, context)?;
        let grid = Grid::of(&field, arguments.direction)?;
        let (sum, chunks) = average(arguments, &field, &grid, context)?;
        output(arguments, &field, &grid, &sum, &chunks)
    }
}

/// A grid in kilometres.
struct Grid {
    direction: Direction,
    lat: Vec<f64>,
    /// Steps along latitude and longitude in degrees; NaN for an axis that the field lacks.
    steps: [f64; 2],
    /// Wavenumbers of the result along a line.
    wavenumber: Vec<f64>,
}

impl Grid {
    fn of(field: &Field, direction: Option<Direction>) -> Result<Self, ToolError> {
        field.require_axes().map_err(|error| ToolError::invalid(error.to_string()))?;
        let [_, _, rows, columns] = field.full_shape();
        let direction = direction.unwrap_or(match (rows, columns) {
            (1, _) => Direction::Lon,
            (_, 1) => Direction::Lat,
            _ => Direction::Isotropic,
        });
        let step = |axis: Option<&SpaceAxis>, name: &str, needed: bool| -> Result<f64, ToolError> {
            if !needed {
                return Ok(f64::NAN);
            }
            let values = axis.map(|axis| axis.values.clone()).unwrap_or_default();
            if values.len() < 8 {
                return Err(ToolError::invalid(format!(
                    "`{}` has {} {name}s and a spectrum along them needs at least 8; give a wider region, or another \
                     direction",
                    field.name(),
                    values.len()
                )));
            }
            let mean = (values[values.len() - 1] - values[0]) / (values.len() - 1) as f64;
            if values.windows(2).any(|pair| (pair[1] - pair[0] - mean).abs() > 0.02 * mean.abs()) {
                return Err(ToolError::invalid(format!(
                    "the {name}s of `{}` are not even; bring the field to even ones with `regrid`",
                    field.name()
                )));
            }
            Ok(mean.abs())
        };
        let steps = [
            step(field.lats(), "latitude", direction != Direction::Lon)?,
            step(field.lons(), "longitude", direction != Direction::Lat)?,
        ];
        let lat = field.lats().map_or(vec![0.0], |axis| axis.values.clone());
        let mut own = Self { direction, lat, steps, wavenumber: Vec::new() };
        let (n, longest) = match direction {
            Direction::Lon => (columns, own.lat.iter().map(|lat| own.east(*lat)).fold(0.0, f64::max)),
            Direction::Lat => (rows, own.north()),
            Direction::Isotropic => (0, 1.0),
        };
        own.wavenumber = (1..=n / 2).map(|at| at as f64 / (n as f64 * longest)).collect();
        Ok(own)
    }

    /// Length of a step northward in kilometres.
    fn north(&self) -> f64 {
        EARTH_RADIUS * 1e-3 * self.steps[0].to_radians()
    }

    /// Length of a step eastward at a latitude in kilometres.
    fn east(&self, lat: f64) -> f64 {
        EARTH_RADIUS * 1e-3 * self.steps[1].to_radians() * libm::cos(lat.to_radians())
    }

    /// Length of the steps of a map at its middle latitude.
    fn cells(&self) -> [f64; 2] {
        let middle = f64::midpoint(self.lat[0], self.lat[self.lat.len() - 1]);
        [self.north(), self.east(middle)]
    }

    /// The spectra of a map, and how many lines or maps had a gap.
    fn spectra(&self, map: &ArrayView2<'_, f64>, taper: TaperArgument) -> (Vec<Density>, usize) {
        let taper = taper.taper();
        if self.direction == Direction::Isotropic {
            let found = isotropic(map, self.cells(), taper);
            let gaps = usize::from(found.is_none());
            return (found.into_iter().collect(), gaps);
        }
        let lines = if self.direction == Direction::Lon { map.rows() } else { map.columns() };
        let (mut found, mut gaps) = (Vec::new(), 0);
        for (row, line) in lines.into_iter().enumerate() {
            let length =
                if self.direction == Direction::Lon { self.east(self.lat[row]) } else { self.north() };
            let values = line.to_vec();
            match along(&values, length, taper).filter(|_| values.iter().all(|value| value.is_finite())) {
                Some(own) => found
                    .push(Density { power: at(&own, &self.wavenumber), wavenumber: self.wavenumber.clone() }),
                None => gaps += 1,
            }
        }
        (found, gaps)
    }
}

/// Sums of the densities, by wavenumber, with the number that have one there.
#[derive(Default)]
struct Sum {
    wavenumber: Vec<f64>,
    power: Vec<f64>,
    counts: Vec<f64>,
    used: usize,
    left_out: usize,
}

impl Sum {
    fn add(&mut self, own: Density) {
        if self.wavenumber.is_empty() {
            (self.power, self.counts) = (vec![0.0; own.power.len()], vec![0.0; own.power.len()]);
            self.wavenumber = own.wavenumber;
        }
        for ((sum, count), value) in self.power.iter_mut().zip(&mut self.counts).zip(&own.power) {
            if !value.is_nan() {
                *sum += value;
                *count += 1.0;
            }
        }
        self.used += 1;
    }
}

fn average(
    arguments: &Arguments,
    field: &Field,
    grid: &Grid,
    context: &ToolContext,
) -> Result<(Sum, ChunkTree), ToolError> {
    let whole = WholeAxes { horizontal: true, ..WholeAxes::default() };
    let control = WalkControl { whole, ..reading::control(context) };
    let mut sum = Sum::default();
    let chunks = field
        .walk(
            &control,
            |block| {
                let mut parts = Vec::new();
                for time in block.values.axis_iter(Axis(0)) {
                    for map in time.axis_iter(Axis(0)) {
                        parts.push(grid.spectra(&map, arguments.taper));
                    }
                }
                parts
            },
            |parts| {
                for (found, gaps) in parts {
                    sum.left_out += gaps;
                    for own in found {
                        sum.add(own);
                    }
                }
            },
        )
        .map_err(|error| reading::cannot_read(&error))?;
    if sum.used == 0 {
        return Err(ToolError::no_data(format!(
            "every line or map of `{}` has a gap; choose a region without land, or direction lon or lat",
            field.name()
        )));
    }
    Ok((sum, chunks))
}

fn output(
    arguments: &Arguments,
    field: &Field,
    grid: &Grid,
    sum: &Sum,
    chunks: &ChunkTree,
) -> Result<ToolOutput, ToolError> {
    // A row nearer to the pole has no value at the longest wavelengths.
    let kept: Vec<usize> = (0..sum.power.len()).filter(|at| sum.counts[*at] > 0.0).collect();
    let density = Density {
        wavenumber: kept.iter().map(|at| sum.wavenumber[*at]).collect(),
        power: kept.iter().map(|at| sum.power[*at] / sum.counts[*at]).collect(),
    };
    let [longest, shortest] = [density.wavenumber[0], density.wavenumber[density.wavenumber.len() - 1]];
    let between = match arguments.slope_range {
        Some([a, b]) if a > 0.0 && b > 0.0 && (a - b).abs() > 0.0 => [1.0 / a.max(b), 1.0 / a.min(b)],
        Some(_) => {
            return Err(ToolError::invalid(
                "slope_range needs two different wavelengths above 0, in kilometres",
            ));
        }
        None => [2.0 * longest, shortest / 2.0],
    };
    let (steepness, points) = slope(&density, between);
    let width = density.wavenumber.get(1).map_or(longest, |next| next - longest);
    let variance = density.power.iter().sum::<f64>() * width;
    let peak = (0..density.power.len())
        .fold(0, |best, own| if density.power[own] > density.power[best] { own } else { best });
    let what = match grid.direction {
        Direction::Lon => "along rows",
        Direction::Lat => "along columns",
        Direction::Isotropic => "over all directions",
    };
    let units = units_of(field);
    let power_units = format!("({units})2 km");
    let range = format!("{:.1} to {:.1} km", 1.0 / between[1], 1.0 / between[0]);
    let wavelength: Vec<f64> = density.wavenumber.iter().map(|own| 1.0 / own).collect();
    let array = |name: &str, units: &str, values: Vec<f64>| Variable {
        name: name.to_owned(),
        standard_name: None,
        units: units.to_owned(),
        dims: vec!["wavenumber".to_owned()],
        shape: vec![values.len()],
        values,
    };
    let artifact =
        Artifact::document(Kind::Spectrum, format!("{}_wavenumber_spectrum", field.name()), Value::Null)
            .with_coord("wavenumber", Coord::numbers(&density.wavenumber, "km-1", "wavenumber"))
            .with_variable(array("power", &power_units, density.power))
            .with_variable(array("wavelength", "km", wavelength.clone()));
    let note =
        (points < 3).then(|| format!("fewer than 3 wavenumbers lie between {range}, so there is no slope"));
    Ok(Findings::by(format!("wavenumber spectrum {what}"))
        .number("slope", steepness, "1", &format!("slope of log power over log wavenumber, {range}"))
        .number("variance", variance, &format!("({units})2"), "integral of the density")
        .number("peak_wavelength", wavelength[peak], "km", "wavelength of the largest density")
        .count("n_slope", points, "wavenumbers of the slope")
        .count("n_used", sum.used, "lines or maps averaged")
        .count("n_left_out", sum.left_out, "lines or maps left out because of gaps")
        .notes(note)
        .notes(reading::notes(field))
        .source(reading::source(field, chunks))
        .onto(artifact))
}

//! `compute_ts_diagram`: temperature against salinity with lines of density.

use leg_core::{
    Artifact, Coord, EvidenceDraft, Kind, Port, Purity, ToolContext, ToolError, ToolOutput, ToolSpec,
    Variable,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::cell_volumes::{CellArea, volumes};
use crate::Datasets;
use crate::argument::FieldArgument;
use crate::columns::{ColumnView, Levels};
use crate::computation::Computation;
use crate::derived::Place;
use crate::kernels::random::Random;
use crate::kernels::teos10::sea_water::sigma;
use crate::outcome::read_from;
use crate::series::units_of;
use crate::together::one_grid;
use crate::water::{SalinityKind, TemperatureKind, Water};

/// Places of each side of the grid of densities.
const GRID: usize = 41;

/// A diagram of temperature and salinity.
pub(crate) struct ComputeTsDiagram;

/// Arguments of `compute_ts_diagram`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    #[schemars(extend("x-leg-port" = {"kind": "field", "or": ["profile", "section", "map", "series", "hovmoller"], "unit": "degC"}))]
    temp: FieldArgument,
    #[schemars(extend("x-leg-port" = {"kind": "field", "or": ["profile", "section", "map", "series", "hovmoller"], "unit": "any"}))]
    salt: FieldArgument,
    /// Which temperature it is; by its standard name if absent.
    #[serde(default)]
    temperature_kind: Option<TemperatureKind>,
    /// Which salinity it is; by its standard name and units if absent.
    #[serde(default)]
    salinity_kind: Option<SalinityKind>,
    /// A field on the same grid that colours the points.
    #[serde(default)]
    #[schemars(extend("x-leg-port" = {"kind": "field", "or": ["profile", "section", "map", "series", "hovmoller"], "unit": "any"}))]
    color_field: Option<FieldArgument>,
    /// The most points.
    #[serde(default = "most")]
    #[schemars(range(min = 1, max = 1_000_000))]
    max_points: usize,
    /// Which points are kept when there are more.
    #[serde(default)]
    sampling: Sampling,
    /// Seed of a random sample.
    #[serde(default)]
    seed: u64,
}

/// Which points are kept.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Sampling {
    /// One at random from each of as many equal parts of the volume.
    #[default]
    Random,
    /// The first ones.
    Head,
}

fn most() -> usize {
    20_000
}

impl Computation for ComputeTsDiagram {
    const NAME: &'static str = "compute_ts_diagram";
    type Arguments = Arguments;

    fn describe() -> ToolSpec {
        ToolSpec::new("watermass", "Temperature against salinity with lines of density.", Port::of(Kind::Diagram))
            .description(
                "Every cell and time with both values as a point: arrays salinity and temperature as the data have them, sigma0 (kg m-3) by TEOS-10 with their kinds and places, depth (m) and color, the field that colours them. Of more than max_points cells a sample is taken: the water, laid in the order of the cells, is cut into max_points equal volumes and one cell is drawn from each with the seed, so that a point stands for a volume and not for a cell; a cell drawn twice is one point. Array sigma0_grid holds sigma0 on a grid of salinity and temperature for contours, converted at the mean place of the data and 0 dbar.",
            )
            .evidence(&["n", "n_all", "temperature_mean", "salinity_mean", "sigma0_min", "sigma0_max"])
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

fn run(arguments: &Arguments, datasets: &Datasets, context: &ToolContext) -> Result<ToolOutput, ToolError> {
    let (temp, salt) = (arguments.temp.open(datasets, context)?, arguments.salt.open(datasets, context)?);
    let color = arguments.color_field.as_ref().map(|color| color.open(datasets, context)).transpose()?;
    let fields: Vec<_> = [&temp, &salt].into_iter().chain(color.as_ref()).collect();
    one_grid(&fields)?;
    let more = color.clone().into_iter().collect();
    let water = Water::new(&temp, &salt, more, arguments.temperature_kind, arguments.salinity_kind)?;
    let parts = 3 + usize::from(color.is_some());
    let computed = water.columns.compute(context, &Levels::Same, parts, |view| {
        let sigma0 = water.column(view).map(|sa, ct, _| sigma(sa, ct, 0.0));
        let own = [view.values[0].clone(), view.values[1].clone(), sigma0];
        own.into_iter().chain(view.values.get(2).cloned()).collect()
    })?;
    let [temps, salts] = [&computed.arrays[0], &computed.arrays[1]];
    let volume = volumes(&temp, CellArea::Bounds);
    let cells: Vec<[usize; 4]> = temps
        .indexed_iter()
        .filter(|(at, temp)| !temp.is_nan() && !salts[*at].is_nan())
        .map(|((t, z, y, x), _)| [t, z, y, x])
        .collect();
    if cells.is_empty() {
        return Err(ToolError::no_data(
            "no cell has temperature and salinity; choose another region or time",
        ));
    }
    let weights: Vec<f64> = cells.iter().map(|at| volume[[at[1], at[2], at[3]]]).collect();
    let chosen = match arguments.sampling {
        _ if cells.len() <= arguments.max_points => (0..cells.len()).collect(),
        Sampling::Head => (0..arguments.max_points).collect(),
        Sampling::Random => sample(&weights, arguments.max_points, arguments.seed),
    };
    let units = [units_of(&salt), color.as_ref().map(units_of).unwrap_or_default()];
    let along = |name: &str, units: &str, value: &dyn Fn([usize; 4]) -> f64| Variable {
        name: name.to_owned(),
        standard_name: None,
        units: units.to_owned(),
        dims: vec!["point".to_owned()],
        shape: vec![chosen.len()],
        values: chosen.iter().map(|&own| value(cells[own])).collect(),
    };
    let standard = |field: &ocean_data::Field, variable: Variable| Variable {
        standard_name: field.standard_name().map(str::to_owned),
        ..variable
    };
    let temperature = standard(&temp, along("temperature", "degC", &|at| temps[at]));
    let salinity = standard(&salt, along("salinity", &units[0], &|at| salts[at]));
    let (kinds, place) = (water.kinds(), mean_place(&temp));
    let (grid, sides) = density_grid(&water, place, &temperature.values, &salinity.values);
    let mut artifact = Artifact::array(Kind::Diagram, "ts_diagram", salinity)
        .with_variable(temperature)
        .with_variable(along("sigma0", "kg m-3", &|at| computed.arrays[2][at]))
        .with_variable(along("depth", "m", &|at| water.columns.depth[at[1]]));
    if color.is_some() {
        artifact = artifact.with_variable(along("color", &units[1], &|at| computed.arrays[3][at]));
    }
    let method = format!("{} against {}", kinds.0.words(), kinds.1.words());
    let artifact = artifact
        .with_variable(grid)
        .with_coord("grid_temperature", Coord::numbers(&sides[0], "degC", "sea_water_temperature"))
        .with_coord("grid_salinity", Coord::numbers(&sides[1], &units[0], "sea_water_salinity"))
        .with_attribute("method", method.clone())
        .with_attribute("contours_at", json!({"lon": place[0], "lat": place[1], "pressure": 0}))
        .with_attribute("seed", arguments.seed);
    let total: f64 = weights.iter().sum();
    let mean = |array: &ndarray::Array4<f64>| {
        cells.iter().zip(&weights).map(|(at, weight)| array[*at] * weight).sum::<f64>() / total
    };
    let sigmas = || cells.iter().map(|at| computed.arrays[2][*at]).filter(|own| !own.is_nan());
    let draft = |name: &str, value: f64, unit: &str, how: &str| {
        EvidenceDraft::new(name, value, unit, &format!("{how}, {method}")).n(cells.len())
    };
    let count = |name: &str, n: usize, how: &str| EvidenceDraft::new(name, n as u64, "1", how);
    let evidence = [
        count("n", chosen.len(), "number of points of the diagram"),
        count("n_all", cells.len(), "number of cells and times with temperature and salinity"),
        draft("temperature_mean", mean(temps), "degC", "volume mean of temperature over all cells"),
        draft("salinity_mean", mean(salts), &units[0], "volume mean of salinity over all cells"),
        draft("sigma0_min", sigmas().fold(f64::INFINITY, f64::min), "kg m-3", "smallest sigma0 of all cells"),
        draft(
            "sigma0_max",
            sigmas().fold(f64::NEG_INFINITY, f64::max),
            "kg m-3",
            "largest sigma0 of all cells",
        ),
    ];
    let output = ToolOutput::of(artifact).with_evidence(evidence);
    Ok(read_from(output, &fields, &computed.chunks).with_notes(water.notes.clone()))
}

/// One position at random from each of `n` equal parts of the sum of the weights, each position once.
fn sample(weights: &[f64], n: usize, seed: u64) -> Vec<usize> {
    let part = weights.iter().sum::<f64>() / n as f64;
    let mut stream = Random::new(seed);
    let (mut chosen, mut at, mut sum): (Vec<usize>, usize, f64) = (Vec::new(), 0, weights[0]);
    for own in 0..n {
        let target = (own as f64 + stream.uniform()) * part;
        while sum <= target && at + 1 < weights.len() {
            at += 1;
            sum += weights[at];
        }
        if chosen.last() != Some(&at) {
            chosen.push(at);
        }
    }
    chosen
}

/// Mean longitude and latitude of a field's cells.
fn mean_place(field: &ocean_data::Field) -> [f64; 2] {
    [field.lons(), field.lats()]
        .map(|axis| axis.map_or(f64::NAN, |axis| axis.values.iter().sum::<f64>() / axis.values.len() as f64))
}

/// Density on a grid over the range of the points, and its sides: temperatures and salinities.
fn density_grid(
    water: &Water,
    [lon, lat]: [f64; 2],
    temps: &[f64],
    salts: &[f64],
) -> (Variable, [Vec<f64>; 2]) {
    let side = |values: &[f64]| -> Vec<f64> {
        let (low, high) = values
            .iter()
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), own| (low.min(*own), high.max(*own)));
        // A single value still needs a side with a length.
        let margin = (0.05 * (high - low)).max(0.05);
        let step = (high - low + 2.0 * margin) / (GRID - 1) as f64;
        (0..GRID).map(|at| low - margin + step * at as f64).collect()
    };
    let sides = [side(temps), side(salts)];
    let place = Place { time: 0, depth: 0, lat: 0, lon: 0 };
    let values = sides[0]
        .iter()
        .flat_map(|&temp| sides[1].iter().map(move |&salt| (temp, salt)))
        .map(|(temp, salt)| {
            let values = [vec![temp], vec![salt.max(0.0)]];
            let view = ColumnView { place, lat, lon, depth: &[0.0], bounds: &[[0.0, 0.0]], values: &values };
            water.column(&view).map(|sa, ct, _| sigma(sa, ct, 0.0))[0]
        })
        .collect();
    let variable = Variable {
        name: "sigma0_grid".to_owned(),
        standard_name: None,
        units: "kg m-3".to_owned(),
        dims: vec!["grid_temperature".to_owned(), "grid_salinity".to_owned()],
        shape: vec![GRID, GRID],
        values,
    };
    (variable, sides)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_large_cell_stands_for_many_small_ones() {
        // 100 cells of volume 1, one of 100 and 100 of 1: half of the draws fall into the large one.
        let weights: Vec<f64> = (0..201).map(|at| if at == 100 { 100.0 } else { 1.0 }).collect();
        let chosen = sample(&weights, 30, 7);
        assert_eq!(chosen, sample(&weights, 30, 7));
        assert_ne!(chosen, sample(&weights, 30, 8));
        assert!(chosen.contains(&100) && chosen.windows(2).all(|pair| pair[0] < pair[1]));
        let small = chosen.iter().filter(|own| **own != 100).count();
        assert!((18..=22).contains(&small), "{small}");
    }
}

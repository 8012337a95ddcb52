//! `compute_ts_volume_census`: volume by temperature and salinity.

use leg_core::{
    Artifact, Coord, EvidenceDraft, Kind, Port, Purity, ToolContext, ToolError, ToolOutput, ToolSpec,
    Variable,
};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::cell_volumes::{CellArea, class_of, edges_of, volumes, wet_times};
use crate::Datasets;
use crate::argument::FieldArgument;
use crate::columns::Columns;
use crate::computation::Computation;

/// Volume by classes of temperature and salinity.
pub(crate) struct ComputeTsVolumeCensus;

/// Arguments of `compute_ts_volume_census`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    #[schemars(extend("x-leg-port" = {"kind": "field", "or": ["profile", "section", "map", "series", "hovmoller"], "unit": "any"}))]
    temp: FieldArgument,
    #[schemars(extend("x-leg-port" = {"kind": "field", "or": ["profile", "section", "map", "series", "hovmoller"], "unit": "any"}))]
    salt: FieldArgument,
    /// Edges of the temperature classes, in the units of the data.
    bins_t: Vec<f64>,
    /// Edges of the salinity classes.
    bins_s: Vec<f64>,
    /// How the area of a cell is found.
    #[serde(default)]
    area: CellArea,
}

impl Computation for ComputeTsVolumeCensus {
    const NAME: &'static str = "compute_ts_volume_census";
    type Arguments = Arguments;

    fn describe() -> ToolSpec {
        ToolSpec::new("watermass", "Volume of water by classes of temperature and salinity.", Port::of(Kind::Histogram).unit("m3"))
            .description(
                "Sum of the volumes of the cells of each class (Worthington 1981), in m3: layers half-way between the levels, the first from 0, the last as far down as up, times the area. A class holds its lower edge and not its upper one, except the last, which holds both. Several times are averaged, for each cell those at which it has values.",
            )
            .evidence(&["total", "inside", "largest", "n_classes", "n_classes_90", "mean_temperature", "mean_salinity"])
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
    let (t_edges, s_edges) = (edges_of("bins_t", &arguments.bins_t)?, edges_of("bins_s", &arguments.bins_s)?);
    let (temp, salt) = (arguments.temp.open(datasets, context)?, arguments.salt.open(datasets, context)?);
    let (t_units, s_units) = (crate::series::units_of(&temp), crate::series::units_of(&salt));
    let volume = volumes(&temp, arguments.area);
    let columns = Columns::of(vec![temp, salt]);
    let computed = columns.compute(context, &crate::columns::Levels::Same, 2, |view| view.values.to_vec())?;
    let (rows, cols) = (t_edges.len() - 1, s_edges.len() - 1);
    let wet = wet_times(&computed.arrays)?;
    let mut census = vec![0.0; rows * cols];
    let (mut total, mut sum_t, mut sum_s) = (0.0, 0.0, 0.0);
    for ((at, &t), &s) in computed.arrays[0].indexed_iter().zip(&computed.arrays[1]) {
        if t.is_nan() || s.is_nan() {
            continue;
        }
        let place = [at.1, at.2, at.3];
        let own = volume[place] / wet[place];
        total += own;
        sum_t += own * t;
        sum_s += own * s;
        if let (Some(row), Some(col)) = (class_of(t_edges, t), class_of(s_edges, s)) {
            census[row * cols + col] += own;
        }
    }
    let inside: f64 = census.iter().sum();
    let largest = (0..census.len()).fold(0, |best, own| if census[own] > census[best] { own } else { best });
    let mut sorted = census.clone();
    sorted.sort_by(|a, b| b.total_cmp(a));
    let mut sum = 0.0;
    let ninety = sorted
        .iter()
        .take_while(|own| {
            let before = sum;
            sum += **own;
            before < 0.9 * inside
        })
        .count();
    let n = census.iter().filter(|own| **own > 0.0).count();
    let method = "volumetric census of temperature and salinity";
    let draft = |name: &str, value: f64, unit: &str, how: &str| {
        EvidenceDraft::new(name, value, unit, &format!("{how} of the {method}"))
    };
    let lower = json!({"temperature": t_edges[largest / cols], "salinity": s_edges[largest % cols]});
    let evidence = [
        draft("total", total, "m3", "volume of all cells"),
        draft("inside", inside, "m3", "volume inside of the classes"),
        draft("largest", census[largest], "m3", "volume of the largest class").place(lower),
        draft("n_classes", n as f64, "1", "number of classes with water"),
        draft(
            "n_classes_90",
            ninety as f64,
            "1",
            "number of the largest classes with 90 % of the volume inside",
        ),
        draft("mean_temperature", sum_t / total, &t_units, "volume mean temperature"),
        draft("mean_salinity", sum_s / total, &s_units, "volume mean salinity"),
    ];
    let variable = Variable {
        name: "volume".to_owned(),
        standard_name: None,
        units: "m3".to_owned(),
        dims: vec!["temperature".to_owned(), "salinity".to_owned()],
        shape: vec![rows, cols],
        values: census,
    };
    let artifact = Artifact::array(Kind::Histogram, "volume", variable)
        .with_coord("temperature", Coord::numbers(&t_edges[..rows], &t_units, "sea_water_temperature"))
        .with_coord("salinity", Coord::numbers(&s_edges[..cols], &s_units, "sea_water_salinity"))
        .with_attribute("edges", json!({"temperature": t_edges, "salinity": s_edges}))
        .with_attribute("method", method);
    Ok(ToolOutput::of(artifact).with_evidence(evidence))
}

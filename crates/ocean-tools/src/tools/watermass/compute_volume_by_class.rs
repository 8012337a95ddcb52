//! `compute_volume_by_class`: volume by classes of one field.

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

/// Volume by classes of a field.
pub(crate) struct ComputeVolumeByClass;

/// Arguments of `compute_volume_by_class`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    #[schemars(extend("x-leg-port" = {"kind": "field", "or": ["profile", "section", "map", "series", "hovmoller"], "unit": "any"}))]
    data: FieldArgument,
    /// Edges of the classes, in the units of the data.
    edges: Vec<f64>,
    /// How the area of a cell is found.
    #[serde(default)]
    area: CellArea,
}

impl Computation for ComputeVolumeByClass {
    const NAME: &'static str = "compute_volume_by_class";
    type Arguments = Arguments;

    fn describe() -> ToolSpec {
        ToolSpec::new("watermass", "Volume of water by classes of a field, such as sigma0.", Port::of(Kind::Histogram).unit("m3"))
            .description(
                "Sum of the volumes of the cells of each class, in m3: layers half-way between the levels, the first from 0, the last as far down as up, times the area. A class holds its lower edge and not its upper one, except the last, which holds both. Several times are averaged, for each cell those at which it has a value.",
            )
            .evidence(&["total", "inside"])
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
    let edges = edges_of("edges", &arguments.edges)?;
    let data = arguments.data.open(datasets, context)?;
    let units = crate::series::units_of(&data);
    let name = data.variable().identity_name().to_owned();
    let volume = volumes(&data, arguments.area);
    let columns = Columns::of(vec![data]);
    let computed = columns.compute(context, &crate::columns::Levels::Same, 1, |view| view.values.to_vec())?;
    let wet = wet_times(&computed.arrays)?;
    let mut census = vec![0.0; edges.len() - 1];
    let mut total = 0.0;
    for (at, &value) in computed.arrays[0].indexed_iter().filter(|(_, value)| !value.is_nan()) {
        let place = [at.1, at.2, at.3];
        let own = volume[place] / wet[place];
        total += own;
        if let Some(class) = class_of(edges, value) {
            census[class] += own;
        }
    }
    let inside: f64 = census.iter().sum();
    let method = format!("volume by classes of {}", name.replace('_', " "));
    let draft = |name: &str, value: f64, how: &str| {
        EvidenceDraft::new(name, value, "m3", &format!("{how}, {method}"))
    };
    let evidence = [draft("total", total, "all cells"), draft("inside", inside, "inside of the classes")];
    let n = census.len();
    let variable = Variable {
        name: "volume".to_owned(),
        standard_name: None,
        units: "m3".to_owned(),
        dims: vec![name.clone()],
        shape: vec![n],
        values: census,
    };
    let artifact = Artifact::array(Kind::Histogram, "volume", variable)
        .with_coord(&name, Coord::numbers(&edges[..n], &units, ""))
        .with_attribute("edges", json!(edges))
        .with_attribute("method", method);
    Ok(ToolOutput::of(artifact).with_evidence(evidence))
}

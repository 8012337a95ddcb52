//! `compute_cell_metrics`: widths, areas, thickness and volumes of cells.

use leg_core::{Artifact, EvidenceDraft, Kind, Port, Purity, ToolContext, ToolError, ToolOutput, ToolSpec};
use ndarray::Array4;
use ocean_data::field::reduce::{EARTH_RADIUS, Weighting, cell_weights};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::argument::FieldArgument;
use crate::computation::Computation;
use crate::frame::Frame;
use crate::{Datasets, reading};

/// Geometry of the cells of a field.
pub(crate) struct ComputeCellMetrics;

/// Arguments of `compute_cell_metrics`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    /// The field whose cells are measured; its values are not read.
    #[schemars(extend("x-leg-port" = {"kind": "field", "or": ["map"], "dims": ["time?", "depth?", "lat", "lon"], "unit": "any"}))]
    reference: FieldArgument,
}

impl Computation for ComputeCellMetrics {
    const NAME: &'static str = "compute_cell_metrics";
    type Arguments = Arguments;

    fn describe() -> ToolSpec {
        let port = Port::of(Kind::Map).dims(&["lat", "lon"]).unit("m2");
        ToolSpec::new("data", "Cell areas, widths, thickness and volumes.", port)
            .description(
                "On the sphere of radius 6371000 m, from the cell bounds of the data or mid-points: area R^2 (sin n - sin s) \
                 dlon, width R cos(lat) dlon and height R dlat of the cell's centre; thickness from depth bounds, clipped to \
                 the selected range, and volume as area times thickness.",
            )
            .evidence(&["total_area", "total_volume", "min", "max", "n"])
            .purity(Purity::ReadsData)
    }

    fn run(
        arguments: &Arguments,
        datasets: &Datasets,
        context: &ToolContext,
    ) -> Result<ToolOutput, ToolError> {
        let field = arguments.reference.open(datasets, context)?;
        let (Some(lats), Some(lons)) = (field.lats(), field.lons()) else {
            return Err(ToolError::invalid(format!("`{}` has no latitude and longitude axes", field.name())));
        };
        let radians = std::f64::consts::PI / 180.0;
        let frame = Frame::of(&field)?.without_time();
        let flat = frame.clone().without_depth();
        let area = cell_weights(&field, Weighting::Area);
        let array = |of: &dyn Fn(usize, usize) -> f64| {
            Array4::from_shape_fn(flat.full_shape(), |(_, _, y, x)| of(y, x))
        };
        let width = |side: &[f64; 2]| (side[1] - side[0]).abs() * radians;
        let dx =
            |y: usize, x: usize| EARTH_RADIUS * libm::cos(lats.values[y] * radians) * width(&lons.bounds[x]);
        let dy = |y: usize, _: usize| EARTH_RADIUS * width(&lats.bounds[y]);
        let areas = array(&|y, x| area[[y, x]]);
        let main = flat.variable("area", "m2", &areas);
        let total: f64 = area.sum();
        let (low, high) = area.iter().fold((f64::INFINITY, 0.0_f64), |(l, h), &a| (l.min(a), h.max(a)));
        let mut drafts = vec![
            EvidenceDraft::new("total_area", total, "m2", "sum of the areas of the cells").n(area.len()),
            EvidenceDraft::new("min", low, "m2", "smallest area of a cell"),
            EvidenceDraft::new("max", high, "m2", "largest area of a cell"),
            EvidenceDraft::new("n", area.len() as u64, "1", "number of cells"),
        ];
        let mut artifact: Artifact = flat
            .artifact("cell_metrics", main)
            .with_variable(flat.variable("dx", "m", &array(&dx)))
            .with_variable(flat.variable("dy", "m", &array(&dy)));
        if field.depths().is_some_and(|axis| axis.values.len() > 1) {
            let thickness = field.layer_thickness();
            let volume =
                Array4::from_shape_fn(frame.full_shape(), |(_, z, y, x)| area[[y, x]] * thickness[z]);
            drafts.push(EvidenceDraft::new(
                "total_volume",
                volume.sum(),
                "m3",
                "sum of the volumes of the cells, land included",
            ));
            let mut layers = frame.variable("volume", "m3", &volume);
            layers.standard_name = Some("ocean_volume".to_owned());
            let depth = frame.clone().without_lat().without_lon();
            let column = Array4::from_shape_fn(depth.full_shape(), |(_, z, ..)| thickness[z]);
            let coords = frame.artifact("volume", layers.clone()).coords;
            artifact =
                artifact.with_variable(depth.variable("thickness", "m", &column)).with_variable(layers);
            artifact.coords.extend(coords);
        }
        Ok(ToolOutput::of(artifact.with_attribute("radius_m", EARTH_RADIUS))
            .with_evidence(drafts)
            .with_notes(reading::notes(&field)))
    }
}

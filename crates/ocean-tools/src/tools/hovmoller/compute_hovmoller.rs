//! `compute_hovmoller`: time against longitude, latitude or depth.

use leg_core::{Kind, Port, Purity, ToolContext, ToolError, ToolOutput, ToolSpec};
use ndarray::Array4;
use ocean_data::Field;
use ocean_data::field::reduce::{Weighting, cell_weights};
use ocean_data::field::{Block, WalkControl, WholeAxes};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::argument::{DepthArgument, FieldArgument, RegionArgument, WindowArgument};
use crate::baseline::Baseline;
use crate::computation::Computation;
use crate::frame::Frame;
use crate::kernels::anomaly::anomaly;
use crate::kernels::climatology::{Climatology, Cycle};
use crate::outcome::{Quantity, read_from};
use crate::series::{axis_of, units_of};
use crate::together::Part;
use crate::{Datasets, evidence, reading};

/// A Hovmöller diagram.
pub(crate) struct ComputeHovmoller;

/// Arguments of `compute_hovmoller`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    #[schemars(extend("x-leg-port" = {"kind": "field", "dims": ["time", "depth?", "lat?", "lon?"], "unit": "any"}))]
    data: FieldArgument,
    /// The axis beside time.
    diagram_type: Diagram,
    /// A region inside the field's own: the band that is averaged, and the extent of the axis.
    #[serde(default)]
    region: Option<RegionArgument>,
    /// A window of the field's times.
    #[serde(default)]
    time: Option<WindowArgument>,
    /// A depth inside the field's own.
    #[serde(default)]
    depth: Option<DepthArgument>,
    /// What becomes of the cells beside the axis.
    #[serde(default)]
    aggregate_dim: Aggregate,
    /// Weights of a mean.
    #[serde(default)]
    spatial_weighting: SpatialWeighting,
    /// Two dates inside the record: takes the monthly climatology of these years out of each cell first.
    #[serde(default)]
    anomaly_baseline: Option<WindowArgument>,
}

/// The axis beside time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
enum Diagram {
    /// Longitude.
    #[serde(rename = "time_lon")]
    Lon,
    /// Latitude.
    #[serde(rename = "time_lat")]
    Lat,
    /// Depth.
    #[serde(rename = "time_depth")]
    Depth,
}

impl Diagram {
    fn axis(self) -> (usize, &'static str) {
        match self {
            Self::Depth => (1, "depth"),
            Self::Lat => (2, "latitude"),
            Self::Lon => (3, "longitude"),
        }
    }
}

/// What becomes of the cells beside the axis.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Aggregate {
    /// Weighted mean.
    #[default]
    Mean,
    /// Largest value.
    Max,
    /// Smallest value.
    Min,
}

/// Weights of a mean.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum SpatialWeighting {
    /// Cell area from the cell bounds, and thickness of several levels.
    #[default]
    AreaWeighted,
    /// Cosine of latitude, and thickness of several levels.
    CosLat,
    /// All cells alike.
    Equal,
}

impl Computation for ComputeHovmoller {
    const NAME: &'static str = "compute_hovmoller";
    type Arguments = Arguments;

    fn describe() -> ToolSpec {
        let port = Port::of(Kind::Hovmoller).unit("=data");
        ToolSpec::new("hovmoller", "Time against longitude, latitude or depth.", port)
            .description(
                "For each time and each place of the axis the mean over the other cells of the region, weighted by cell \
                 area (or the cosine of latitude, or not at all) and by thickness where there are several levels, missing \
                 cells left out; or the largest or smallest of them. With `anomaly_baseline` the monthly means of each \
                 cell over these years are taken out before.",
            )
            .evidence(&evidence::SERIES)
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
        let (kept, axis_name) = arguments.diagram_type.axis();
        let axis = axis_of(&field)?;
        if !field.dims().contains(&["time", "depth", "lat", "lon"][kept]) {
            return Err(ToolError::invalid(format!(
                "`{}` has no {axis_name} axis here; choose another diagram_type, region or depth",
                field.name()
            )));
        }
        let baseline = match &arguments.anomaly_baseline {
            Some(window) => Some(Baseline::stated(&window.0, &axis)?),
            None => None,
        };
        let bins = Cycle::Monthly.bin_of(&axis);
        let departures = |series: &[f64]| match &baseline {
            None => series.to_vec(),
            Some(baseline) => {
                let climatology = Climatology::of(Cycle::Monthly, &axis, series, &baseline.inside);
                anomaly(series, &bins, &climatology.mean, None)
            }
        };
        let weights = Weights::of(&field, arguments.spatial_weighting);
        let mut shape = [1; 4];
        shape[0] = axis.len();
        shape[kept] = field.full_shape()[kept];
        let mut sums = Cells::new(shape, arguments.aggregate_dim);
        let whole = WholeAxes { time: baseline.is_some(), ..WholeAxes::default() };
        let control = WalkControl { whole, ..reading::control(context) };
        let chunks = field
            .walk(
                &control,
                |block| {
                    let mut own = [1; 4];
                    own[0] = block.values.shape()[0];
                    own[kept] = block.values.shape()[kept];
                    let mut cells = Cells::new(own, arguments.aggregate_dim);
                    cells.take(block, kept, &weights, &departures);
                    (block.offset, cells)
                },
                |(offset, cells)| sums.merge(offset, kept, &cells),
            )
            .map_err(|error| reading::cannot_read(&error))?;
        let values = sums.finish();
        let mut frame = Frame::of(&field)?;
        if kept != 1 {
            frame = frame.without_depth();
        }
        if kept != 2 {
            frame = frame.without_lat();
        }
        if kept != 3 {
            frame = frame.without_lon();
        }
        let noun = match (arguments.aggregate_dim, arguments.spatial_weighting) {
            (Aggregate::Max, _) => "largest value",
            (Aggregate::Min, _) => "smallest value",
            (_, SpatialWeighting::AreaWeighted) => "area-weighted mean",
            (_, SpatialWeighting::CosLat) => "mean weighted by the cosine of latitude",
            (_, SpatialWeighting::Equal) => "plain mean",
        };
        let of = if baseline.is_some() { " of the anomaly from the monthly climatology" } else { "" };
        let name = field.variable().identity_name();
        let name = if baseline.is_some() { format!("{name}_anomaly") } else { name.to_owned() };
        let method = format!("{noun}{of} at each time and {axis_name}");
        let units = units_of(&field);
        let standard_name = if baseline.is_some() { None } else { field.standard_name() };
        let quantity = Quantity { name: &name, standard_name, units: &units, method: &method };
        let mut artifact = quantity.artifact(&frame, &values);
        if let Some(baseline) = &baseline {
            artifact = artifact.with_attribute("baseline", baseline.label.clone());
        }
        let flat: Vec<f64> = values.iter().copied().collect();
        let label = baseline.as_ref().map(|baseline| baseline.label.as_str());
        let drafts = frame.evidence(&flat, &units, &method, label);
        Ok(read_from(ToolOutput::of(artifact).with_evidence(drafts), &[&field], &[chunks]))
    }
}

/// Weights of cells.
struct Weights {
    area: ndarray::Array2<f64>,
    thickness: Vec<f64>,
}

impl Weights {
    fn of(field: &Field, weighting: SpatialWeighting) -> Self {
        let kind = match weighting {
            SpatialWeighting::AreaWeighted => Weighting::Area,
            SpatialWeighting::CosLat => Weighting::CosLat,
            SpatialWeighting::Equal => Weighting::Equal,
        };
        let thickness = match weighting {
            SpatialWeighting::Equal => vec![1.0; field.full_shape()[1]],
            _ => field.layer_thickness(),
        };
        Self { area: cell_weights(field, kind), thickness }
    }
}

/// Sums of value and weight, or extremes, by time and the kept axis.
struct Cells {
    values: Array4<f64>,
    weights: Array4<f64>,
    aggregate: Aggregate,
}

impl Cells {
    fn new(shape: [usize; 4], aggregate: Aggregate) -> Self {
        Self { values: Array4::zeros(shape), weights: Array4::zeros(shape), aggregate }
    }

    fn put(&mut self, at: [usize; 4], value: f64, weight: f64) {
        if weight <= 0.0 {
            return;
        }
        let first = self.weights[at] == 0.0;
        self.values[at] = match self.aggregate {
            Aggregate::Mean => self.values[at] + value,
            _ if first => value,
            Aggregate::Max => self.values[at].max(value),
            Aggregate::Min => self.values[at].min(value),
        };
        self.weights[at] += weight;
    }

    /// Takes the cells of a block in.
    fn take(
        &mut self,
        block: &Block,
        kept: usize,
        weights: &Weights,
        departures: &(dyn Fn(&[f64]) -> Vec<f64> + Sync),
    ) {
        let (times, levels, rows, columns) = block.values.dim();
        for z in 0..levels {
            for y in 0..rows {
                for x in 0..columns {
                    let (level, row, column) =
                        (block.offset[1] + z, block.offset[2] + y, block.offset[3] + x);
                    let weight =
                        weights.area[[row, column]] * weights.thickness.get(level).copied().unwrap_or(1.0);
                    let series: Vec<f64> = (0..times).map(|t| block.values[[t, z, y, x]]).collect();
                    for (t, value) in departures(&series).into_iter().enumerate() {
                        if value.is_nan() {
                            continue;
                        }
                        let mut at = [t, 0, 0, 0];
                        at[kept] = [t, z, y, x][kept];
                        let value = if self.aggregate == Aggregate::Mean { value * weight } else { value };
                        self.put(at, value, weight);
                    }
                }
            }
        }
    }

    /// Takes those of a part in.
    fn merge(&mut self, offset: [usize; 4], kept: usize, part: &Self) {
        for ((t, z, y, x), &weight) in part.weights.indexed_iter() {
            let own = [t, z, y, x];
            let mut at = own;
            at[0] += offset[0];
            at[kept] += offset[kept];
            self.put(at, part.values[own], weight);
        }
    }

    fn finish(self) -> Array4<f64> {
        let mean = self.aggregate == Aggregate::Mean;
        let mut values = self.values;
        ndarray::Zip::from(&mut values).and(&self.weights).for_each(|value, &weight| {
            *value = match weight {
                weight if weight <= 0.0 => f64::NAN,
                weight if mean => *value / weight,
                _ => *value,
            };
        });
        values
    }
}

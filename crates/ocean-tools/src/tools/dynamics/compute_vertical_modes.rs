//! `compute_vertical_modes`: baroclinic modes of a column.

use leg_core::{EvidenceDraft, Purity, ToolContext, ToolError, ToolOutput, ToolSpec};
use ndarray::Array4;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::Datasets;
use crate::argument::{FieldArgument, RegionArgument, WindowArgument};
use crate::computation::Computation;
use crate::derived::by_cell;
use crate::frame::{Frame, Side};
use crate::kernels::collapse::{Statistic, axis, weighted};
use crate::kernels::vertical::present;
use crate::kernels::vertical_modes::{FLOOR, lowest, modes};
use crate::outcome::{Quantity, any_array, read_from};
use crate::together::{Part, column_axis};

/// The most modes that are asked for.
const MOST: usize = 10;

/// Vertical modes.
pub(crate) struct ComputeVerticalModes;

/// Arguments of `compute_vertical_modes`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    /// Squared buoyancy frequency over the whole column; several columns or times are averaged first.
    #[schemars(extend("x-leg-port" = {"kind": "field", "or": ["profile", "section", "hovmoller"], "dims": ["time?", "depth", "lat?", "lon?"], "unit": "s-2"}))]
    n2: FieldArgument,
    /// How many modes.
    #[serde(default = "three")]
    #[schemars(range(min = 1, max = 10))]
    n_modes: usize,
    /// Depth of the sea in metres; half a step below the lowest level if absent.
    #[serde(default)]
    #[schemars(range(min = 1, max = 12000))]
    bottom_depth: Option<f64>,
    /// A region inside the field's own.
    #[serde(default)]
    region: Option<RegionArgument>,
    /// A window of the field's times.
    #[serde(default)]
    time: Option<WindowArgument>,
}

fn three() -> usize {
    3
}

impl Computation for ComputeVerticalModes {
    const NAME: &'static str = "compute_vertical_modes";
    type Arguments = Arguments;

    fn describe() -> ToolSpec {
        let speeds: Vec<String> = (1..=MOST).map(|mode| format!("speed_{mode}")).collect();
        let mut spec = ToolSpec::new("dynamics", "Baroclinic vertical modes and their speeds.", any_array("1"))
            .description(
                "Modes of w″ + (N²/c²) w = 0 with w = 0 at a rigid surface and the bottom (Gill 1982), on the levels of N²; of the \
                 mean profile where N² has several columns or times. `result` holds mode_1, mode_2 … of pressure and \
                 horizontal velocity between those levels (mean square 1, positive at the surface), `vertical` those of \
                 vertical velocity (largest value 1). `speed_1` … are the gravity-wave speeds c.",
            )
            .purity(Purity::ReadsData);
        spec.outputs.push(leg_core::tool::Output { name: "vertical".to_owned(), port: any_array("1") });
        let names = ["modes", "profiles", "bottom_depth"].map(str::to_owned);
        spec.evidence = speeds.into_iter().chain(names).collect();
        spec
    }

    fn run(
        arguments: &Arguments,
        datasets: &Datasets,
        context: &ToolContext,
    ) -> Result<ToolOutput, ToolError> {
        let part = Part { region: arguments.region.as_ref(), time: arguments.time.as_ref(), depth: None };
        let field = part.open(&arguments.n2, "s-2", datasets, context)?;
        let depth = column_axis(&field)?;
        let read = by_cell(&[&field], context, |_, cell| cell[0])?;
        let profiles = read
            .values
            .lanes(ndarray::Axis(1))
            .into_iter()
            .filter(|column| column.iter().any(|value| !value.is_nan()))
            .count();
        let cosines = |axis: Option<&ocean_data::field::SpaceAxis>| {
            axis.map_or(vec![1.0], |axis| axis.values.iter().map(|lat| libm::cos(lat.to_radians())).collect())
        };
        let over_lon = axis(&axis(&read.values, 0, Statistic::Mean), 3, Statistic::Mean);
        let mean = weighted(&over_lon, 2, &cosines(field.lats()));
        let (z, n2) = present(&depth, &mean.iter().copied().collect::<Vec<_>>());
        let bottom = arguments.bottom_depth.unwrap_or_else(|| lowest(&z));
        let found = modes(&n2, &z, bottom, arguments.n_modes.min(MOST));
        if found.is_empty() {
            return Err(ToolError::no_data(format!(
                "`{}` has no level with a value between the surface and {bottom} m; give N² over the column",
                field.name()
            )));
        }
        let inside: Vec<f64> = z.iter().copied().filter(|z| *z > 0.0 && *z < bottom).collect();
        let mut ends = vec![0.0];
        ends.extend(&inside);
        ends.push(bottom);
        let between: Vec<f64> = ends.windows(2).map(|pair| f64::midpoint(pair[0], pair[1])).collect();
        let frame = |levels: Vec<f64>| -> Result<Frame, ToolError> {
            let whole = Frame::of(&field)?.without_time().without_lat().without_lon();
            Ok(whole.with_depth(Side::at(levels)))
        };
        let profile = |values: &[f64]| {
            Array4::from_shape_vec((1, values.len(), 1, 1), values.to_vec())
                .unwrap_or_else(|_| Array4::zeros((1, values.len(), 1, 1)))
        };
        let how = format!(
            "vertical modes of the mean of {profiles} profiles down to {bottom} m, N² at least {FLOOR} s-2"
        );
        let (frame_between, frame_inside) = (frame(between)?, frame(inside)?);
        let artifact = |name: &str, frame: &Frame, rest: &dyn Fn(usize) -> Vec<f64>| {
            let quantity = Quantity { name, standard_name: None, units: "1", method: &how };
            let mut artifact = quantity.artifact(frame, &profile(&rest(0)));
            artifact.variables.clear();
            for at in 0..found.len() {
                let name = format!("mode_{}", at + 1);
                artifact.variables.push(frame.variable(&name, "1", &profile(&rest(at))));
            }
            artifact
        };
        let mut output =
            ToolOutput::of(artifact("horizontal_modes", &frame_between, &|at| found[at].horizontal.clone()));
        let vertical = artifact("vertical_modes", &frame_inside, &|at| found[at].vertical.clone());
        output.artifacts.insert("vertical".to_owned(), vertical);
        let speeds = found.iter().enumerate().map(|(at, mode)| {
            let what = format!("gravity-wave speed of mode {}: {how}", at + 1);
            EvidenceDraft::new(&format!("speed_{}", at + 1), mode.speed, "m s-1", &what).n(profiles)
        });
        let mut drafts: Vec<EvidenceDraft> = speeds.collect();
        drafts.push(EvidenceDraft::new("modes", found.len() as u64, "1", "number of modes"));
        drafts.push(EvidenceDraft::new("profiles", profiles as u64, "1", "number of profiles averaged"));
        drafts.push(EvidenceDraft::new("bottom_depth", bottom, "m", "where the column ends"));
        if found.len() < arguments.n_modes {
            output.notes.push(format!("{} levels hold {} modes", z.len(), found.len()));
        }
        if n2.iter().any(|own| *own < FLOOR) {
            output
                .notes
                .push(format!("N² below {FLOOR} s-2, as where the column overturns, is taken as that"));
        }
        Ok(read_from(output.with_evidence(drafts), &[&field], &read.chunks))
    }
}

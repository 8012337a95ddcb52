//! `compute_distance_to_coast`: how far each cell of water is from land.

use leg_core::{EvidenceDraft, Purity, ToolContext, ToolError, ToolOutput, ToolSpec};
use ndarray::parallel::prelude::{
    IndexedParallelIterator as _, IntoParallelIterator as _, ParallelIterator as _,
};
use ndarray::{Array2, Array4, Axis};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::argument::FieldArgument;
use crate::computation::Computation;
use crate::frame::{Frame, any_grid};
use crate::kernels::places::Places;
use crate::kernels::sphere::EARTH_RADIUS;
use crate::{Datasets, evidence, reading};

/// Measures the way to land.
pub(crate) struct ComputeDistanceToCoast;

/// Arguments of `compute_distance_to_coast`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    /// The field whose cells without a value at any time are land; of several levels the uppermost counts.
    #[schemars(extend("x-leg-port" = {"kind": "field", "or": ["map", "mask"], "dims": ["time?", "depth?", "lat", "lon"], "unit": "any"}))]
    reference: FieldArgument,
    /// Gives land the distance to water, negative; otherwise land is missing.
    #[serde(default)]
    sign: bool,
}

impl Computation for ComputeDistanceToCoast {
    const NAME: &'static str = "compute_distance_to_coast";
    type Arguments = Arguments;

    fn describe() -> ToolSpec {
        let mut names = evidence::MAP.to_vec();
        names.extend(["n_land", "max_cell"]);
        ToolSpec::new("data", "Great-circle distance of each wet cell to land.", any_grid().unit("km"))
            .description(
                "From the centre of each cell that has a value at any time to the nearest centre of one that never has, on a \
                 sphere of radius 6371 km, by a k-d tree over unit vectors; so the coast is known to half a cell. Land outside \
                 of the field does not count: take a region that is wide enough.",
            )
            .evidence(&names)
            .purity(Purity::ReadsData)
    }

    fn run(
        arguments: &Arguments,
        datasets: &Datasets,
        context: &ToolContext,
    ) -> Result<ToolOutput, ToolError> {
        let field = arguments.reference.open(datasets, context)?;
        let top = field.at_levels(&[0]).unwrap_or_else(|| field.clone());
        let (lat, lon) = match (top.lats(), top.lons()) {
            (Some(lat), Some(lon)) => (lat.values.clone(), lon.values.clone()),
            _ => {
                return Err(ToolError::invalid(format!(
                    "`{}` has no latitude and longitude axes; regrid it first",
                    field.name()
                )));
            }
        };
        let mut wet = Array2::from_elem((lat.len(), lon.len()), false);
        let chunks = top
            .walk(
                &reading::control(context),
                |block| {
                    let (_, _, y, x) = block.values.dim();
                    let mut part = Array2::from_elem((y, x), false);
                    for ((_, _, y, x), value) in block.values.indexed_iter() {
                        part[[y, x]] |= !value.is_nan();
                    }
                    (block.offset, part)
                },
                |([_, _, oy, ox], part)| {
                    for ((y, x), own) in part.indexed_iter() {
                        wet[[oy + y, ox + x]] |= *own;
                    }
                },
            )
            .map_err(|error| reading::cannot_read(&error))?;
        let inside = |y: usize, x: usize| top.mask().is_none_or(|mask| mask[[y, x]]);
        let of = |water: bool| {
            let cells = wet.indexed_iter().filter(move |((y, x), own)| **own == water && inside(*y, *x));
            Places::new(cells.map(|((y, x), _)| [lon[x], lat[y]]))
        };
        let land = of(false);
        if land.is_empty() {
            return Err(ToolError::no_data(format!(
                "every cell of `{}` has a value, so there is no land to measure to; take a wider region",
                field.name()
            )));
        }
        let water = if arguments.sign { Some(of(true)) } else { None };
        let frame = Frame::of(&top)?.without_time().without_depth();
        let mut values = Array4::from_elem(frame.full_shape(), f64::NAN);
        let far = |places: &Places, y: usize, x: usize| {
            places
                .nearest([lon[x], lat[y]], 1)
                .first()
                .map_or(f64::NAN, |found| found.1 * EARTH_RADIUS / 1000.0)
        };
        values.axis_iter_mut(Axis(2)).into_par_iter().enumerate().for_each(|(y, mut row)| {
            for (x, out) in row.iter_mut().enumerate().filter(|(x, _)| inside(y, *x)) {
                *out = match (wet[[y, x]], &water) {
                    (true, _) => far(&land, y, x),
                    (false, Some(water)) => -far(water, y, x),
                    (false, None) => f64::NAN,
                };
            }
        });
        let variable = frame.variable("distance_to_coast", "km", &values);
        let mut drafts = frame.evidence(&variable.values, "km", "distance to the nearest land cell", None);
        let n_land = wet.indexed_iter().filter(|((y, x), own)| !**own && inside(*y, *x)).count();
        drafts.push(EvidenceDraft::new(
            "n_land",
            n_land as u64,
            "1",
            "number of cells that never have a value",
        ));
        let step = |axis: &[f64]| axis.windows(2).map(|pair| (pair[1] - pair[0]).abs()).fold(0.0, f64::max);
        let cell = step(&lat).max(step(&lon)) * EARTH_RADIUS * std::f64::consts::PI / 180_000.0;
        drafts.push(EvidenceDraft::new(
            "max_cell",
            cell,
            "km",
            "largest step of the grid, which bounds the precision",
        ));
        let artifact = frame
            .artifact("distance_to_coast", variable)
            .with_attribute("method", "great-circle distance between cell centres");
        Ok(ToolOutput::of(artifact)
            .with_evidence(drafts)
            .with_notes(reading::notes(&field))
            .with_source(reading::source(&top, &chunks)))
    }
}

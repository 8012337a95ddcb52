//! `compute_circulation`: the circulation around a closed path.

use leg_core::{EvidenceDraft, Purity, ToolContext, ToolError, ToolOutput, ToolSpec};
use ndarray::{Array2, Array4};
use ocean_data::field::Polygon;
use ocean_data::field::reduce::{Weighting, cell_weights};
use schemars::JsonSchema;
use serde::Deserialize;

use super::flow::{CoastsArgument, Flow, yes};
use crate::Datasets;
use crate::argument::{DepthArgument, FieldArgument, WindowArgument};
use crate::computation::Computation;
use crate::frame::Side;
use crate::kernels::enclosed::{closed_path, signed_area};
use crate::outcome::{Quantity, any_array, parts_output, parts_spec, read_from};
use crate::sections::{Line, sample};
use crate::together::Part;

/// Pieces of each side of a path when its area is taken.
const PIECES: usize = 64;
/// Parts of a cell, in each direction, that are tested for being inside.
const PARTS: usize = 8;

/// Circulation.
pub(crate) struct ComputeCirculation;

/// Arguments of `compute_circulation`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    /// Eastward current.
    #[schemars(extend("x-leg-port" = {"kind": "field", "or": ["map"], "dims": ["time?", "depth?", "lat", "lon"], "unit": "m s-1"}))]
    u: FieldArgument,
    /// Northward current.
    #[schemars(extend("x-leg-port" = {"kind": "field", "or": ["map"], "dims": ["time?", "depth?", "lat", "lon"], "unit": "m s-1"}))]
    v: FieldArgument,
    /// Corners [lon, lat] in degrees, joined by great circles; the last joins the first.
    #[schemars(length(min = 3))]
    path: Vec<[f64; 2]>,
    /// A window of the fields' times.
    #[serde(default)]
    time: Option<WindowArgument>,
    /// A depth inside the fields' own.
    #[serde(default)]
    depth: Option<DepthArgument>,
    /// Pieces of the whole path, at whose middles the current is interpolated.
    #[serde(default = "pieces")]
    #[schemars(range(min = 8, max = 20000))]
    n_samples: usize,
    /// Whether east joins west where the longitudes go round the globe.
    #[serde(default = "yes")]
    wrap: bool,
    /// What becomes of a derivative beside land, in the vorticity that the circulation is compared with.
    #[serde(default)]
    coasts: CoastsArgument,
}

fn pieces() -> usize {
    400
}

impl Computation for ComputeCirculation {
    const NAME: &'static str = "compute_circulation";
    type Arguments = Arguments;

    fn describe() -> ToolSpec {
        let spec = ToolSpec::new("dynamics", "Circulation around a closed path and the vorticity inside.", any_array("any"))
            .description(
                "Γ = ∮ u·dl along great circles between the corners, in the path's own direction, the current bilinear between \
                 cell centres at the middles of `n_samples` pieces; missing where the path meets land. The mean vorticity inside \
                 is Γ over the area −R² ∮ sin φ dλ, positive anticlockwise whichever way the path runs. By Stokes' theorem \
                 Γ is the integral of the vorticity over the area: `vorticity_integral` takes it from the derivatives at the cells \
                 (an 8 by 8 share of those that are cut), and `stokes_mismatch` is the largest difference over the largest \
                 |Γ|. Outputs `circulation` (m2 s-1), `mean_vorticity` (s-1), `vorticity_integral` (m2 s-1).",
            )
            .purity(Purity::ReadsData);
        let mut spec = parts_spec(spec, &["circulation", "mean_vorticity", "vorticity_integral"], "any");
        spec.evidence.extend(["area".to_owned(), "stokes_mismatch".to_owned()]);
        spec
    }

    fn run(
        arguments: &Arguments,
        datasets: &Datasets,
        context: &ToolContext,
    ) -> Result<ToolOutput, ToolError> {
        let mut corners = arguments.path.clone();
        if corners.len() > 1 && corners.first() == corners.last() {
            corners.pop();
        }
        if corners.len() < 3 {
            return Err(ToolError::invalid(
                "path needs three corners, such as [[-40, 30], [-36, 30], [-38, 33]]",
            ));
        }
        let outline = closed_path(&corners, PIECES);
        let Some(area) = signed_area(&outline).filter(|area| *area != 0.0) else {
            return Err(ToolError::invalid(
                "the path goes round a pole or encloses nothing; give a path beside the pole",
            ));
        };
        let part = Part { region: None, time: arguments.time.as_ref(), depth: arguments.depth.as_ref() };
        let flow = Flow::open(part, &arguments.u, &arguments.v, datasets, context)?;
        let plane = flow.plane(arguments.wrap, arguments.coasts.coasts())?;
        let ring: Vec<[f64; 2]> = corners.iter().chain(corners.first()).copied().collect();
        let line = Line::through(&flow.u, &ring, arguments.n_samples)?;
        let (values, chunks) = sample(&[&flow.u, &flow.v], &line, context)?;
        let (times, levels, _) = values[0].dim();
        let circulation = Array4::from_shape_fn((times, levels, 1, 1), |(t, z, ..)| {
            line.faces.iter().enumerate().fold(0.0, |sum, (face, own)| {
                // The direction of the line is its left turned by a right angle.
                let (east, north) = (own.left[1], -own.left[0]);
                sum + (values[0][[t, z, face]] * east + values[1][[t, z, face]] * north) * own.width
            })
        });
        let shares = shares(&flow, &Polygon::new(&outline));
        let vorticity = flow.by_gradient(&plane, context, |_, gradient| gradient.vorticity())?;
        let turn = area.signum();
        let integral = Array4::from_shape_fn((times, levels, 1, 1), |(t, z, ..)| {
            let inside = shares.indexed_iter().filter(|(_, share)| **share > 0.0);
            turn * inside.fold(0.0, |sum, ((y, x), share)| sum + vorticity.values[[t, z, y, x]] * share)
        });
        let mean = &circulation / area;
        let largest = |pick: &dyn Fn((&f64, &f64)) -> f64| {
            let both = circulation.iter().zip(&integral).map(pick).filter(|value| !value.is_nan());
            both.fold(f64::NAN, f64::max)
        };
        let most = largest(&|(line, _)| line.abs());
        let mismatch = largest(&|(line, inside)| (line - inside).abs()) / most;
        let how = format!("in the direction of the path, {} pieces of great circles", arguments.n_samples);
        let methods = [
            format!("circulation ∮ u·dl {how}"),
            "circulation over the area inside, positive anticlockwise".to_owned(),
            format!("integral of the vorticity v_x − u_y + u tan φ / R over the area inside, {how}"),
        ];
        let quantity =
            |name, units, at: usize| Quantity { name, standard_name: None, units, method: &methods[at] };
        let parts = [
            ("circulation", quantity("circulation", "m2 s-1", 0), &circulation),
            ("mean_vorticity", quantity("mean_relative_vorticity", "s-1", 1), &mean),
            ("vorticity_integral", quantity("vorticity_integral", "m2 s-1", 2), &integral),
        ];
        let frame = flow.frame.clone().without_lat().without_lon();
        let mut output = parts_output(&frame, &parts).with_evidence([
            EvidenceDraft::new("area", area.abs(), "m2", "area inside the path on a sphere of 6371000 m"),
            EvidenceDraft::new(
                "stokes_mismatch",
                mismatch,
                "1",
                "largest difference of circulation and vorticity integral over the largest circulation",
            ),
        ]);
        if circulation.iter().all(|value| value.is_nan()) {
            output.notes.push(
                "the path meets land or leaves the grid at every time; no circulation is known".to_owned(),
            );
        }
        Ok(read_from(output, &[&flow.u, &flow.v], &chunks))
    }
}

/// The area of each cell that is inside.
fn shares(flow: &Flow, outline: &Polygon) -> Array2<f64> {
    let mut shares = cell_weights(&flow.u, Weighting::Area);
    let bounds = |side: &Option<Side>| side.as_ref().map_or(vec![], |side| side.bounds.clone());
    let (lat, lon) = (bounds(&flow.frame.lat), bounds(&flow.frame.lon));
    let place = |[low, high]: [f64; 2], part: usize| low + (high - low) * (part as f64 + 0.5) / PARTS as f64;
    for ((y, x), share) in shares.indexed_iter_mut() {
        let inside = (0..PARTS * PARTS)
            .filter(|at| outline.contains(place(lon[x], at % PARTS), place(lat[y], at / PARTS)))
            .count();
        *share *= inside as f64 / (PARTS * PARTS) as f64;
    }
    shares
}

//! `compute_closed_boundary_flux`: what flows in and out of a region.

use leg_core::{Artifact, EvidenceDraft, Kind, Port, Purity, ToolContext, ToolError, ToolOutput, ToolSpec};
use ndarray::Array3;
use ocean_data::Field;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::section_flow::{Asked, Cargo, Positive, SectionFlow};
use crate::Datasets;
use crate::argument::{DepthArgument, FieldArgument, WindowArgument};
use crate::computation::Computation;
use crate::kernels::sphere::near_longitude;
use crate::kernels::transport::{Through, through};
use crate::outcome::read_from;
use crate::sections::Line;
use crate::series::{axis_of, units_of};

/// Flow through the sides of a polygon.
pub(crate) struct ComputeClosedBoundaryFlux;

/// Arguments of `compute_closed_boundary_flux`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    /// Eastward current.
    #[schemars(extend("x-leg-port" = {"kind": "field", "dims": ["time?", "depth?", "lat", "lon"], "unit": "m s-1"}))]
    u: FieldArgument,
    /// Northward current.
    #[schemars(extend("x-leg-port" = {"kind": "field", "dims": ["time?", "depth?", "lat", "lon"], "unit": "m s-1"}))]
    v: FieldArgument,
    /// Corners `[lon, lat]` of the region in either direction, three or more; its sides are straight in longitude and
    /// latitude.
    boundary: Vec<[f64; 2]>,
    /// A window of the fields' times.
    #[serde(default)]
    time: Option<WindowArgument>,
    /// Depths between which the water is counted: {"range": [0, 200]}.
    #[serde(default)]
    depth: Option<DepthArgument>,
    /// What is carried, for its flux in place of that of the volume.
    #[serde(default)]
    #[schemars(extend("x-leg-port" = {"kind": "field", "dims": ["time?", "depth?", "lat", "lon"], "unit": "any"}))]
    tracer: Option<FieldArgument>,
    /// Pieces of the whole boundary.
    #[serde(default = "samples")]
    #[schemars(range(min = 4, max = 100_000))]
    n_samples: usize,
}

fn samples() -> usize {
    400
}

impl Computation for ComputeClosedBoundaryFlux {
    const NAME: &'static str = "compute_closed_boundary_flux";
    type Arguments = Arguments;

    fn describe() -> ToolSpec {
        ToolSpec::new("transport", "Flow through all sides of a region.", Port::of(Kind::Table))
            .description(
                "For each time and each side of the polygon the outward flux Σ u_n h ds of volume in Sv, or of a tracer times it in its units times m3 s-1, and its outward and inward part. The sides are cut into `n_samples` pieces, straight in longitude and latitude (R = 6371000 m), with the velocity interpolated between the cell centres; dry places count nothing. Evidence, as means over time: net (positive outwards), inflow and outflow (both positive), and continuity_error, the net volume flux over half of what flows in and out: an ocean that conserves volume has nearly 0 below its free surface, and interpolation adds to it.",
            )
            .evidence(&["net", "inflow", "outflow", "continuity_error", "volume_net", "n_sides"])
            .purity(Purity::ReadsData)
    }

    fn run(
        arguments: &Arguments,
        datasets: &Datasets,
        context: &ToolContext,
    ) -> Result<ToolOutput, ToolError> {
        let ring = ring(&arguments.boundary)?;
        let asked = Asked {
            u: Some(&arguments.u),
            v: Some(&arguments.v),
            points: &ring,
            time: arguments.time.as_ref(),
            depth: arguments.depth.as_ref(),
            samples: arguments.n_samples,
            positive: Positive::LeftOfPath,
        };
        let cargo: Vec<Cargo<'_>> = arguments.tracer.iter().map(|field| Cargo { field, units: "" }).collect();
        let lay = |field: &Field| Line::straight(field, &ring, arguments.n_samples);
        let flow = SectionFlow::along(&asked, &cargo, lay, datasets, context)?;
        let output = answer(&ring, &flow)?;
        let fields: Vec<&Field> = flow.fields.iter().collect();
        Ok(read_from(output, &fields, &flow.chunks))
    }
}

/// The corners with the first one again at the end, clockwise, so that outward is to the left.
fn ring(corners: &[[f64; 2]]) -> Result<Vec<[f64; 2]>, ToolError> {
    let mut ring = corners.to_vec();
    if ring.len() > 1 && ring.first() == ring.last() {
        ring.pop();
    }
    let Some(&first) = ring.first().filter(|_| ring.len() >= 3) else {
        return Err(ToolError::invalid(
            "boundary needs three corners or more, such as [[-38, 31], [-34, 31], [-34, 35], [-38, 35]]",
        ));
    };
    ring.push(first);
    let area: f64 = ring
        .windows(2)
        .map(|pair| {
            let [x0, x1] = [pair[0], pair[1]].map(|place| near_longitude(place[0], first[0]));
            x0 * pair[1][1] - x1 * pair[0][1]
        })
        .sum();
    if area > 0.0 {
        ring.reverse();
    }
    Ok(ring)
}

fn answer(ring: &[[f64; 2]], flow: &SectionFlow) -> Result<ToolOutput, ToolError> {
    let width = flow.width();
    let of = |side: usize, carried: Option<&Array3<f64>>| {
        let value = |at: [usize; 3]| {
            let is_own = flow.line.faces[at[2]].leg == side;
            if is_own { carried.map_or(1.0, |carried| carried[at]) } else { f64::NAN }
        };
        through(&flow.velocity, value, &flow.thickness, &width)
    };
    let n_sides = ring.len() - 1;
    let tracer = flow.tracers.first();
    let (units, unit) = match tracer {
        None => ("Sv".to_owned(), 1e6),
        Some(_) => (format!("{} m3 s-1", units_of(flow.cargo(0))), 1.0),
    };
    let sums: Vec<Vec<Through>> = (0..n_sides).map(|side| of(side, tracer)).collect();
    let volumes: Vec<Vec<Through>> = (0..n_sides).map(|side| of(side, None)).collect();
    let times = flow.first().times().map(|_| axis_of(flow.first())).transpose()?.map(|axis| axis.to_iso());
    let n = flow.velocity.len_of(ndarray::Axis(0));
    let mut rows = Vec::new();
    for t in 0..n {
        for (side, sums) in sums.iter().enumerate() {
            let (sum, time) = (&sums[t], times.as_ref().map(|times| &times[t]));
            let [net, outward, inward] = [sum.net, sum.positive, -sum.negative]
                .map(|value| if sum.faces == 0 { json!(null) } else { json!(value / unit) });
            rows.push(json!([time, ring[side], ring[side + 1], net, outward, inward]));
        }
    }
    // A time without values is no time without flow.
    let wet: Vec<usize> = (0..n).filter(|&t| volumes.iter().any(|sums| sums[t].faces > 0)).collect();
    let mean = |sums: &[Vec<Through>], pick: fn(&Through) -> f64| {
        let all = sums.iter().flat_map(|sums| wet.iter().map(|&t| pick(&sums[t])));
        if wet.is_empty() { f64::NAN } else { all.sum::<f64>() / wet.len() as f64 }
    };
    let net = |sum: &Through| sum.net;
    let [volume, out, into] =
        [mean(&volumes, net), mean(&volumes, |sum| sum.positive), mean(&volumes, |sum| -sum.negative)];
    let what = if tracer.is_some() { "flux of the tracer" } else { "volume flux" };
    let method = format!("{what} through the sides of the region, {}", flow.line.method);
    let draft = |name: &str, value: f64, how: &str| {
        EvidenceDraft::new(name, value / unit, &units, &format!("{how}, mean over time: {method}"))
    };
    let content = json!({
        "columns": ["time", "from", "to", "net", "outward", "inward"],
        "units": units,
        "method": method,
        "rows": rows,
    });
    let artifact = Artifact::document(Kind::Table, "closed_boundary_flux", content);
    Ok(ToolOutput::of(artifact).with_evidence([
        draft("net", mean(&sums, net), "outward less inward"),
        draft("inflow", mean(&sums, |sum| -sum.negative), "inward part"),
        draft("outflow", mean(&sums, |sum| sum.positive), "outward part"),
        EvidenceDraft::new(
            "continuity_error",
            volume.abs() / (0.5 * (out + into)),
            "1",
            "net volume flux over half the sum of the inward and the outward one, means over time",
        ),
        EvidenceDraft::new("volume_net", volume / 1e6, "Sv", "net outward volume flux, mean over time"),
        EvidenceDraft::new("n_sides", n_sides as u64, "1", "number of sides"),
    ]))
}

#[cfg(test)]
mod tests {
    use super::ring;

    #[test]
    fn a_ring_is_closed_and_runs_clockwise() {
        let clockwise = [[0.0, 0.0], [0.0, 1.0], [1.0, 1.0], [1.0, 0.0]];
        let mut back = clockwise;
        back.reverse();
        for corners in [clockwise, back] {
            let ring = ring(&corners).unwrap();
            assert_eq!((ring.len(), ring[0]), (5, ring[4]));
            let area: f64 =
                ring.windows(2).map(|pair| pair[0][0] * pair[1][1] - pair[1][0] * pair[0][1]).sum();
            assert!(area < 0.0);
        }
        assert!(ring(&clockwise[..2]).is_err());
    }
}

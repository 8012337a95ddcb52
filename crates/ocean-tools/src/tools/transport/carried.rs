//! What the tools of transports through a section share.

use leg_core::{Artifact, EvidenceDraft, ToolContext, ToolError, ToolOutput, ToolSpec};
use ndarray::{Array3, Array4};
use ocean_data::Field;

use super::section_flow::{Asked, Cargo, SectionFlow};
use crate::frame::Frame;
use crate::kernels::teos10::sea_water;
use crate::kernels::transport::{Through, through};
use crate::outcome::{Quantity, read_from};
use crate::sections::Line;
use crate::water::SalinityKind;
use crate::{Datasets, evidence};

/// How sections are laid, for descriptions.
pub(super) const SECTION: &str = "A line along one meridian or parallel goes through whole cells, widths from the cell bounds \
     (R = 6371000 m); other lines through `n_samples` pieces of the great circles with the velocity interpolated between \
     cell centres. Layers reach from the surface, half-way between the levels, to as far below the last level as above \
     it, clipped to `depth`; dry cells count nothing. Interpolated velocities do not conserve mass exactly.";

/// How a transport is called and scaled.
#[derive(Debug)]
pub(super) struct Told<'a> {
    pub(super) name: &'a str,
    pub(super) units: &'a str,
    /// A unit in SI.
    pub(super) unit: f64,
    pub(super) of: &'a str,
    pub(super) notes: Vec<String>,
}

/// The specification of a tool of this family.
pub(super) fn spec(spec: ToolSpec) -> ToolSpec {
    let names =
        [&evidence::SERIES[..], &["positive_mean", "negative_mean", "volume_mean", "section_area", "faces"]]
            .concat();
    spec.evidence(&names).purity(leg_core::Purity::ReadsData)
}

/// The flow through the line that is asked for.
///
/// # Errors
/// As [`SectionFlow::along`].
pub(super) fn flow(
    asked: &Asked<'_>,
    cargo: &[Cargo<'_>],
    datasets: &Datasets,
    context: &ToolContext,
) -> Result<SectionFlow, ToolError> {
    let lay = |field: &Field| Line::through(field, asked.points, asked.samples);
    SectionFlow::along(asked, cargo, lay, datasets, context)
}

/// Absolute salinity `(time, depth, face)` of a salinity along a line; what was assumed is noted.
pub(super) fn absolute_salinity(
    flow: &SectionFlow,
    salt: usize,
    kind: Option<SalinityKind>,
    notes: &mut Vec<String>,
) -> Array3<f64> {
    let own = &flow.tracers[salt];
    let kind = kind.unwrap_or_else(|| SalinityKind::of(flow.cargo(salt), notes));
    if kind == SalinityKind::Absolute {
        return own.clone();
    }
    let depths = flow.first().depths().map_or_else(|| vec![0.0], |axis| axis.values.clone());
    Array3::from_shape_fn(own.dim(), |(t, z, face)| {
        let [lon, lat] = flow.line.faces[face].place;
        kind.absolute(own[[t, z, face]], sea_water::pressure(depths[z], lat), [lon, lat])
    })
}

/// The answer: the transport of `carried` of the flow's shape, or of 1.
///
/// # Errors
/// Times that are not in order.
pub(super) fn answer(
    asked: &Asked<'_>,
    flow: &SectionFlow,
    carried: Option<&Array3<f64>>,
    told: Told<'_>,
) -> Result<ToolOutput, ToolError> {
    let width = flow.width();
    let volume = through(&flow.velocity, |_| 1.0, &flow.thickness, &width);
    let sums = match carried {
        Some(carried) => through(&flow.velocity, |at| carried[at], &flow.thickness, &width),
        None => volume.clone(),
    };
    let frame = Frame::of(flow.first())?.without_depth().without_lat().without_lon();
    let method = format!("{} through {}, {}", told.of, flow.line.method, asked.positive.words());
    let quantity = Quantity { name: told.name, standard_name: None, units: told.units, method: &method };
    let along = |pick: &dyn Fn(&Through) -> f64, sums: &[Through], unit: f64| {
        let shape = [sums.len(), 1, 1, 1];
        // A section without a wet face has no transport, which is not a transport of zero.
        let value = |sum: &Through| if sum.faces == 0 { f64::NAN } else { pick(sum) / unit };
        Array4::from_shape_vec(shape, sums.iter().map(value).collect())
            .unwrap_or_else(|_| Array4::zeros(shape))
    };
    let net = along(&|sum| sum.net, &sums, told.unit);
    let mut output = quantity.output(&frame, &net);
    let parts = [
        ("positive", along(&|sum| sum.positive, &sums, told.unit), told.units),
        ("negative", along(&|sum| sum.negative, &sums, told.unit), told.units),
        ("volume", along(&|sum| sum.net, &volume, 1e6), "Sv"),
    ];
    for (name, values, units) in &parts {
        add(output.artifacts.get_mut("result"), &frame, name, units, values);
        let present = values.iter().filter(|value| !value.is_nan());
        let (n, sum) = present.fold((0_usize, 0.0), |(n, sum), value| (n + 1, sum + value));
        let mean = if n > 0 { sum / n as f64 } else { f64::NAN };
        let draft = EvidenceDraft::new(
            &format!("{name}_mean"),
            mean,
            units,
            &format!("mean over the times with values, {name} part: {method}"),
        );
        output.evidence.push(draft.n(n));
    }
    let first_wet = volume.iter().find(|sum| sum.faces > 0);
    let (area, faces) = first_wet.map_or((f64::NAN, 0), |sum| (sum.area, sum.faces));
    output.evidence.push(EvidenceDraft::new(
        "section_area",
        area,
        "m2",
        "wet area of the section at the first time with values",
    ));
    output.evidence.push(EvidenceDraft::new(
        "faces",
        faces as u64,
        "1",
        "wet faces of the section at the first time with values",
    ));
    let fields: Vec<&Field> = flow.fields.iter().collect();
    Ok(read_from(output, &fields, &flow.chunks).with_notes(told.notes))
}

fn add(artifact: Option<&mut Artifact>, frame: &Frame, name: &str, units: &str, values: &Array4<f64>) {
    if let Some(artifact) = artifact {
        artifact.variables.push(frame.variable(name, units, values));
    }
}

//! `compute_transect_normal_flux_hovmoller`: flow through a line against time and distance.

use leg_core::{Artifact, Coord, Kind, Port, Purity, ToolContext, ToolError, ToolOutput, ToolSpec, Variable};
use ocean_data::Field;

use super::carried::{SECTION, flow};
use super::line_arguments::line_arguments;
use crate::along_line::{SECTION_EVIDENCE, evidence_of, places_of};
use crate::computation::Computation;
use crate::outcome::read_from;
use crate::series::{axis_of, with_times};
use crate::{Datasets, kernels::transport::column_flux};

/// Flow through a line against time.
pub(crate) struct ComputeTransectNormalFluxHovmoller;

line_arguments! {
    /// Arguments of `compute_transect_normal_flux_hovmoller`.
    {}
}

impl Computation for ComputeTransectNormalFluxHovmoller {
    const NAME: &'static str = "compute_transect_normal_flux_hovmoller";
    type Arguments = Arguments;

    fn describe() -> ToolSpec {
        let port = Port::of(Kind::Hovmoller).unit("m2 s-1");
        ToolSpec::new("transport", "Flow through a line, summed over depth, against time and distance.", port)
            .description(&format!(
                "Σ u_n h over depth for each time and each piece of the line in m2 s-1, against the distance of its middle from the start in km; times the width of the pieces (array width, m) it sums up to the volume transport. A piece without wet cells is missing. {SECTION}"
            ))
            .evidence(&SECTION_EVIDENCE)
            .purity(Purity::ReadsData)
    }

    fn run(
        arguments: &Arguments,
        datasets: &Datasets,
        context: &ToolContext,
    ) -> Result<ToolOutput, ToolError> {
        let asked = arguments.asked();
        let flow = flow(&asked, &[], datasets, context)?;
        if flow.first().times().is_none() {
            return Err(ToolError::invalid(
                "the currents have no times, and a Hovmöller diagram is against time; use compute_volume_transport",
            ));
        }
        let axis = axis_of(flow.first())?;
        let flux = column_flux(&flow.velocity, &flow.thickness);
        let method = format!(
            "velocity through {} times thickness, summed over depth, {}",
            flow.line.method,
            asked.positive.words()
        );
        let distances = flow.line.distances();
        let variable = Variable {
            name: "normal_flux".to_owned(),
            standard_name: None,
            units: "m2 s-1".to_owned(),
            dims: vec!["time".to_owned(), "distance".to_owned()],
            shape: vec![axis.len(), distances.len()],
            values: flux.iter().copied().collect(),
        };
        let evidence = evidence_of(&flow.line, Some(&axis), None, &variable, &method);
        let artifact = Artifact::array(Kind::Hovmoller, "normal_flux", variable)
            .with_coord("distance", Coord::numbers(&distances, "km", "distance"))
            .with_attribute("method", method);
        let mut artifact = with_times(artifact, &axis);
        artifact.variables.extend(places_of(&flow.line));
        artifact.variables.push(Variable {
            name: "width".to_owned(),
            standard_name: None,
            units: "m".to_owned(),
            dims: vec!["distance".to_owned()],
            shape: vec![distances.len()],
            values: flow.width(),
        });
        let fields: Vec<&Field> = flow.fields.iter().collect();
        Ok(read_from(ToolOutput::of(artifact).with_evidence(evidence), &fields, &flow.chunks))
    }
}

//! `compute_budget_residual`: what advection leaves of a rate of change.

use leg_core::{EvidenceDraft, Kind, Port, ToolContext, ToolError, ToolOutput, ToolSpec};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::region_mean::closure;
use super::term_series::TermSeries;
use crate::argument::ArtifactArgument;
use crate::computation::Computation;
use crate::series::Series;
use crate::{Datasets, evidence};

/// The residual of a budget.
pub(crate) struct ComputeBudgetResidual;

/// Arguments of `compute_budget_residual`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    /// Rate of change.
    #[schemars(extend("x-leg-port" = {"kind": "series", "dims": ["time"], "unit": "any"}))]
    local_tendency: ArtifactArgument,
    /// Horizontal advection, positive where it raises the tracer.
    #[schemars(extend("x-leg-port" = {"kind": "series", "dims": ["time"], "unit": "any"}))]
    horizontal_advection: ArtifactArgument,
    /// Vertical advection, positive where it raises the tracer.
    #[serde(default)]
    #[schemars(extend("x-leg-port" = {"kind": "series", "dims": ["time"], "unit": "any"}))]
    vertical_advection: Option<ArtifactArgument>,
}

impl Computation for ComputeBudgetResidual {
    const NAME: &'static str = "compute_budget_residual";
    type Arguments = Arguments;

    fn describe() -> ToolSpec {
        let names = [&evidence::SERIES[..], &["closure"]].concat();
        let port = Port::of(Kind::Series).dims(&["time"]).unit("=local_tendency");
        ToolSpec::new("budget", "Residual of a rate of change less advection.", port)
            .description(
                "R = ∂C/∂t − ADV_h − ADV_v at the times that all have, in the units of the rate of change; positive where \
                 what is not advection raises the tracer. `closure` is rms(R)/rms(∂C/∂t). The terms must be means over one \
                 region with one weighting; a note says where they state otherwise.",
            )
            .evidence(&names)
    }

    fn run(arguments: &Arguments, _: &Datasets, context: &ToolContext) -> Result<ToolOutput, ToolError> {
        let mut asked = vec![&arguments.local_tendency, &arguments.horizontal_advection];
        asked.extend(&arguments.vertical_advection);
        let TermSeries { first, joined, mut notes } = TermSeries::read(&asked, context)?;
        let values: Vec<f64> = (0..joined.axis.len())
            .map(|at| joined.values[1..].iter().fold(joined.values[0][at], |rest, term| rest - term[at]))
            .collect();
        let (method, without) = if arguments.vertical_advection.is_some() {
            ("residual: rate of change less horizontal and vertical advection", false)
        } else {
            ("residual: rate of change less horizontal advection", true)
        };
        if without {
            notes.push("without vertical_advection that term is part of the residual".to_owned());
        }
        let ratio = closure(&values, &joined.values[0]);
        let mut attributes = first.attributes.clone();
        attributes.insert("method".to_owned(), json!(method));
        let name = first.name.strip_suffix("_tendency").unwrap_or(&first.name);
        let series = Series {
            name: format!("{name}_residual"),
            standard_name: None,
            units: first.units,
            axis: joined.axis,
            values,
            attributes,
        };
        let mut drafts = evidence::of_series(&series.axis, &series.values, &series.units, method, None);
        let how = "rms of the residual over rms of the rate of change";
        drafts.push(EvidenceDraft::new("closure", ratio, "1", how));
        Ok(ToolOutput::of(series.to_artifact()).with_evidence(drafts).with_notes(notes))
    }
}

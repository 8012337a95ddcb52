//! `fema_check_coverage`: is there digital flood data at a point?

use async_trait::async_trait;
use leg_core::{DataClass, Kind, Port, ToolContext, ToolOutput, ToolSpec};
use serde_json::json;

use super::parts::{NOT_COVERED, PointArguments, covered, no_data};
use crate::ServiceError;
use crate::fema::Client;
use crate::fema::bbox::checked_point;
use crate::fema::client::Where;
use crate::prose::table;
use crate::tool::ServiceTool;

/// Is there digital flood data at a point?
#[derive(Debug, Clone, Copy)]
pub(crate) struct CheckCoverage;

#[async_trait]
impl ServiceTool for CheckCoverage {
    const NAME: &'static str = "fema_check_coverage";

    type Client = Client;
    type Arguments = PointArguments;

    fn describe(client: &Client) -> ToolSpec {
        ToolSpec::new("fema", "Whether digital flood hazard data exist at a point.", Port::of(Kind::Table))
            .description(
                "The layer NFHL Availability. Where it has nothing, flood zones are unknown: that is not zone X. Every other \
                 tool of this family asks this first.",
            )
            .evidence(&["covered", "n_studies", "no_data"])
            .data_class(DataClass::Hypothetical)
            .hosts(&[client.host()])
    }

    async fn run(
        arguments: Self::Arguments,
        client: &Client,
        context: &ToolContext,
    ) -> Result<ToolOutput, ServiceError> {
        let (lat, lon) = checked_point(arguments.lat, arguments.lon)?;
        let mut session = client.open(context).await?;
        let studies = client.coverage(&mut session, Where::Point { lat, lon }, context).await?;
        let place = json!({ "lon": lon, "lat": lat });
        let artifact = table("coverage", &["covered", "studies"], vec![json!([studies > 0, studies])], &[]);
        let mut evidence = covered(studies, &place);
        if studies == 0 {
            evidence.push(no_data(NOT_COVERED, &place));
        }
        let mut output = ToolOutput::of(artifact).with_evidence(evidence).with_notes(session.notes);
        output.sources = session.sources;
        Ok(output)
    }
}

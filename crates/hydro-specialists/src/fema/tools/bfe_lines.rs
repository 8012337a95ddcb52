//! `fema_bfe_lines`: lines of base flood elevation in a box.

use async_trait::async_trait;
use leg_core::{DataClass, EvidenceDraft, Kind, Port, ToolContext, ToolOutput, ToolSpec};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::parts::{NOT_COVERED, covered, elevation, no_data};
use crate::ServiceError;
use crate::fema::client::{BFES, Query, Where};
use crate::fema::wire::line::BfeLine;
use crate::fema::{Bbox, Client};
use crate::prose::table;
use crate::tool::ServiceTool;

/// Lines of base flood elevation.
#[derive(Debug, Clone, Copy)]
pub(crate) struct BfeLines;

/// The arguments of [`BfeLines`].
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    /// West, south, east, north, in degrees.
    bbox: [f64; 4],
    /// Most lines.
    #[serde(default = "two_hundred")]
    limit: u32,
}

const fn two_hundred() -> u32 {
    200
}

#[async_trait]
impl ServiceTool for BfeLines {
    const NAME: &'static str = "fema_bfe_lines";

    type Client = Client;
    type Arguments = Arguments;

    fn describe(client: &Client) -> ToolSpec {
        ToolSpec::new("fema", "Base flood elevation lines in a box.", Port::of(Kind::Table))
            .description(
                "Elevations in feet above their datum, with the course of each line. Between lines nothing is interpolated: \
                 that is an engineer's judgement. Lines of different datums are not compared.",
            )
            .evidence(&["covered", "n_studies", "n_lines", "max_elev", "min_elev", "no_data"])
            .data_class(DataClass::Hypothetical)
            .hosts(&[client.host()])
    }

    async fn run(
        arguments: Self::Arguments,
        client: &Client,
        context: &ToolContext,
    ) -> Result<ToolOutput, ServiceError> {
        let bbox = Bbox::try_new(arguments.bbox)?;
        let at = Where::Box(bbox);
        let place = bbox.place();
        let mut session = client.open(context).await?;
        let studies = client.coverage(&mut session, at, context).await?;
        let mut notes = std::mem::take(&mut session.notes);
        let mut evidence = covered(studies, &place);
        let mut lines: Vec<BfeLine> = Vec::new();
        let mut truncated = false;
        if studies > 0 {
            let most = usize::try_from(arguments.limit.clamp(1, 5_000)).unwrap_or(200);
            let fields = "OBJECTID,ELEV,LEN_UNIT,V_DATUM,DFIRM_ID";
            let query = Query { layer: BFES, at, filter: "1=1", fields, shapes: true, most };
            let rows = client.rows(&mut session, &query, context).await?;
            truncated = rows.truncated;
            lines = rows.features.iter().filter_map(BfeLine::read).collect();
            let skipped = rows.features.len() - lines.len() + rows.skipped;
            if skipped > 0 {
                notes.push(format!("{skipped} rows have no elevation in a known unit and are left out"));
            }
            if truncated {
                notes.push(format!(
                    "there are more lines than the {} that are given; raise `limit`",
                    lines.len()
                ));
            }
            lines.sort_by(|a, b| b.elev_ft.total_cmp(&a.elev_ft));
            let count = EvidenceDraft::new("n_lines", lines.len(), "1", "base flood elevation lines");
            evidence.push(count.place(place.clone()));
            if lines.is_empty() {
                evidence.push(no_data(
                    "The National Flood Hazard Layer has no base flood elevation line in the box.",
                    &place,
                ));
            }
        } else {
            evidence.push(no_data(NOT_COVERED, &place));
        }
        // Extremes are of the highest line's datum only.
        if let Some(first) = lines.first() {
            let same: Vec<&BfeLine> = lines.iter().filter(|line| line.datum == first.datum).collect();
            if same.len() < lines.len() {
                notes.push(format!(
                    "{} lines are above another datum and are not compared",
                    lines.len() - same.len()
                ));
            }
            let datum = first.datum.as_deref();
            let last = same.last().map_or(first.elev_ft, |line| line.elev_ft);
            let method = "highest base flood elevation line";
            evidence.push(elevation("max_elev", first.elev_ft, datum, method, &place));
            evidence.push(elevation("min_elev", last, datum, "lowest base flood elevation line", &place));
        }
        let rows: Vec<Value> = lines
            .iter()
            .map(|line| json!([line.elev_ft, line.unit, line.datum, line.dfirm_id, line.paths]))
            .collect();
        let columns = ["elev", "unit_as_delivered", "datum", "dfirm_id", "path"];
        let artifact =
            table("bfe_lines", &columns, rows, &[("elev", "ft"), ("path", "degrees, lon then lat")])
                .with_attribute("covered", studies > 0)
                .with_attribute("truncated", truncated);
        let mut output = ToolOutput::of(artifact).with_evidence(evidence).with_notes(notes);
        output.sources = session.sources;
        Ok(output)
    }
}

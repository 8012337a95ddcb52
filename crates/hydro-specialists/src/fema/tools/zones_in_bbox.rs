//! `fema_zones_in_bbox`: zone polygons in a box, or what they add up to.

use async_trait::async_trait;
use leg_core::{DataClass, Kind, Port, ToolContext, ToolOutput, ToolSpec};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::parts::{
    COLUMNS, NOT_COVERED, UNITS, ZONE_FIELDS, borrowed, covered, no_data, row, sum_names, sums,
};
use crate::ServiceError;
use crate::fema::client::{Query, Where, ZONES};
use crate::fema::wire::zone::{Zone, sort};
use crate::fema::{Bbox, Client};
use crate::prose::table;
use crate::tool::ServiceTool;

/// Zone polygons in a box.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ZonesInBbox;

/// The arguments of [`ZonesInBbox`].
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    /// West, south, east, north, in degrees.
    bbox: [f64; 4],
    /// Only special flood hazard areas.
    #[serde(default)]
    sfha_only: bool,
    /// Return polygons, simplified.
    #[serde(default)]
    geometry: bool,
    /// Most features.
    #[serde(default = "five_hundred")]
    limit: u32,
}

const fn five_hundred() -> u32 {
    500
}

#[async_trait]
impl ServiceTool for ZonesInBbox {
    const NAME: &'static str = "fema_zones_in_bbox";

    type Client = Client;
    type Arguments = Arguments;

    fn describe(client: &Client) -> ToolSpec {
        let names = sum_names();
        ToolSpec::new("fema", "Flood zones in a box: counts by zone, highest elevation, polygons.", Port::of(Kind::Table))
            .description(
                "Polygons that meet the box, page by page. Counts are of polygons and not of area. Elevations in feet above \
                 their datum; those of different datums are not compared. A box without digital data is an answer \
                 (`no_data`): the zones are unknown there.",
            )
            .evidence(&borrowed(&names))
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
        let mut zones: Vec<Zone> = Vec::new();
        let mut truncated = false;
        if studies > 0 {
            let filter = if arguments.sfha_only { "SFHA_TF='T'" } else { "1=1" };
            let most = usize::try_from(arguments.limit.clamp(1, 10_000)).unwrap_or(500);
            let query =
                Query { layer: ZONES, at, filter, fields: ZONE_FIELDS, shapes: arguments.geometry, most };
            let rows = client.rows(&mut session, &query, context).await?;
            truncated = rows.truncated;
            zones = rows.features.iter().filter_map(Zone::read).collect();
            let skipped = rows.features.len() - zones.len() + rows.skipped;
            if skipped > 0 {
                notes.push(format!("{skipped} rows have no zone and are left out"));
            }
            // A service that ignores the filter does not widen the answer.
            zones.retain(|zone| !arguments.sfha_only || zone.sfha == Some(true));
        } else {
            evidence.push(no_data(NOT_COVERED, &place));
        }
        sort(&mut zones);
        if truncated {
            notes.push(format!(
                "there are more zones than the {} that are counted; raise `limit` or ask for a smaller box",
                zones.len()
            ));
        }
        if studies > 0 {
            let (sums, own) = sums(&zones, &place);
            evidence.extend(sums);
            notes.extend(own);
            if zones.is_empty() {
                evidence.push(no_data("The National Flood Hazard Layer has no zone in the box.", &place));
            }
        }
        let mut columns = COLUMNS.to_vec();
        if arguments.geometry {
            columns.push("rings");
        }
        let rows = zones.iter().map(|zone| {
            let mut row = row(zone);
            if arguments.geometry {
                row.push(json!(zone.rings));
            }
            Value::Array(row)
        });
        let artifact = table("flood_zones", &columns, rows.collect(), &UNITS)
            .with_attribute("covered", studies > 0)
            .with_attribute("truncated", truncated);
        let mut output = ToolOutput::of(artifact).with_evidence(evidence).with_notes(notes);
        output.sources = session.sources;
        Ok(output)
    }
}

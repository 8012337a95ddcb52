//! `fema_zone_at_point`: the flood zone at a point.

use async_trait::async_trait;
use leg_core::{DataClass, EvidenceDraft, Kind, Port, ToolContext, ToolOutput, ToolSpec};
use serde_json::{Value, json};

use super::parts::{
    COLUMNS, NOT_COVERED, PointArguments, UNITS, ZONE_FIELDS, covered, elevation, no_data, row,
};
use crate::ServiceError;
use crate::fema::Client;
use crate::fema::bbox::checked_point;
use crate::fema::client::{Query, Where, ZONES};
use crate::fema::wire::zone::{Zone, sort};
use crate::prose::table;
use crate::tool::ServiceTool;

/// The flood zone at a point.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ZoneAtPoint;

#[async_trait]
impl ServiceTool for ZoneAtPoint {
    const NAME: &'static str = "fema_zone_at_point";

    type Client = Client;
    type Arguments = PointArguments;

    fn describe(client: &Client) -> ToolSpec {
        ToolSpec::new("fema", "Flood zone at a point, with its class and base flood elevation.", Port::of(Kind::Table))
            .description(
                "Coverage first: where there is no digital data the zone is unknown. At a border there are several zones: \
                 all are given, the worst first. The class follows SFHA_TF and ZONE_SUBTY, not the letter. The static base \
                 flood elevation is in feet above its datum and often missing on rivers, where lines and cross sections hold \
                 it; a depth is in feet above ground.",
            )
            .evidence(&[
                "covered", "n_studies", "n_zones", "zone", "subtype", "sfha", "class", "static_bfe", "depth", "dfirm_id", "other_zones",
                "no_data",
            ])
            .data_class(DataClass::Hypothetical)
            .hosts(&[client.host()])
    }

    async fn run(
        arguments: Self::Arguments,
        client: &Client,
        context: &ToolContext,
    ) -> Result<ToolOutput, ServiceError> {
        let (lat, lon) = checked_point(arguments.lat, arguments.lon)?;
        let at = Where::Point { lat, lon };
        let place = json!({ "lon": lon, "lat": lat });
        let mut session = client.open(context).await?;
        let studies = client.coverage(&mut session, at, context).await?;
        let mut notes = std::mem::take(&mut session.notes);
        let mut zones: Vec<Zone> = Vec::new();
        if studies > 0 {
            let query =
                Query { layer: ZONES, at, filter: "1=1", fields: ZONE_FIELDS, shapes: false, most: 100 };
            let rows = client.rows(&mut session, &query, context).await?;
            zones = rows.features.iter().filter_map(Zone::read).collect();
            let skipped = rows.features.len() - zones.len() + rows.skipped;
            if skipped > 0 {
                notes.push(format!("{skipped} rows have no zone and are left out"));
            }
        }
        sort(&mut zones);
        let rows = zones.iter().map(|zone| Value::Array(row(zone))).collect();
        let artifact = table("flood_zone", &COLUMNS, rows, &UNITS).with_attribute("covered", studies > 0);
        let mut evidence = covered(studies, &place);
        let text = |name: &str, value: &str, method: &str| {
            EvidenceDraft::new(name, value, "", method).place(place.clone())
        };
        match zones.as_slice() {
            [] => {
                let said = if studies == 0 {
                    NOT_COVERED
                } else {
                    "The National Flood Hazard Layer has a study there and no zone at the point: the zone is unknown."
                };
                evidence.push(text("class", "unknown", "no zone is mapped at the point"));
                evidence.push(no_data(said, &place));
            }
            [worst, rest @ ..] => {
                let method = "flood hazard zones at the point";
                evidence.push(EvidenceDraft::new("n_zones", zones.len(), "1", method).place(place.clone()));
                evidence.push(text("zone", &worst.zone, "worst flood hazard zone at the point"));
                if let Some(subtype) = &worst.subtype {
                    evidence.push(text("subtype", subtype, "subtype of the zone"));
                }
                let sfha = match worst.sfha {
                    Some(true) => "yes",
                    Some(false) => "no",
                    None => "unknown",
                };
                evidence.push(text("sfha", sfha, "whether the zone is a special flood hazard area"));
                evidence.push(text("class", worst.class.as_str(), "class of the flood hazard"));
                if let Some(bfe) = worst.static_bfe_ft {
                    let method = "static base flood elevation of the zone";
                    evidence.push(elevation("static_bfe", bfe, worst.datum.as_deref(), method, &place));
                }
                if let Some(depth) = worst.depth_ft {
                    let method = "depth of the flood above ground in the zone";
                    evidence.push(EvidenceDraft::new("depth", depth, "ft", method).place(place.clone()));
                }
                if let Some(id) = &worst.dfirm_id {
                    evidence.push(text("dfirm_id", id, "study of the zone"));
                }
                if !rest.is_empty() {
                    let others: Vec<&str> = rest.iter().map(|zone| zone.zone.as_str()).collect();
                    evidence.push(text(
                        "other_zones",
                        &others.join(", "),
                        "other zones at the point, which is on a border",
                    ));
                }
            }
        }
        let mut output = ToolOutput::of(artifact).with_evidence(evidence).with_notes(notes);
        output.sources = session.sources;
        Ok(output)
    }
}

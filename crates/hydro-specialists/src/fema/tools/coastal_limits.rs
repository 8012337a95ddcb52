//! `fema_coastal_limits`: limit of moderate wave action and V zones near a coast.

use async_trait::async_trait;
use leg_core::{DataClass, EvidenceDraft, Kind, Port, ToolContext, ToolOutput, ToolSpec};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::parts::{NOT_COVERED, ZONE_FIELDS, covered, elevation, highest, no_data};
use crate::ServiceError;
use crate::fema::client::{LIMWA, Query, Where, ZONES};
use crate::fema::wire::zone::{Zone, sort};
use crate::fema::{Bbox, Client};
use crate::prose::table;
use crate::tool::ServiceTool;

/// The most rows of each layer.
const MOST: usize = 2_000;

/// Limit of moderate wave action and V zones.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CoastalLimits;

/// The arguments of [`CoastalLimits`].
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    /// West, south, east, north, in degrees.
    bbox: [f64; 4],
}

#[async_trait]
impl ServiceTool for CoastalLimits {
    const NAME: &'static str = "fema_coastal_limits";

    type Client = Client;
    type Arguments = Arguments;

    fn describe(client: &Client) -> ToolSpec {
        ToolSpec::new("fema", "Limit of moderate wave action and V zones in a box.", Port::of(Kind::Table))
            .description(
                "LiMWA lines and the polygons of V and VE zones, with the highest static base flood elevation in feet above \
                 its datum. A service whose list has no layer of the limit is said in a note.",
            )
            .evidence(&["covered", "n_studies", "n_limwa", "n_ve", "max_static_bfe", "no_data"])
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
        let mut rows: Vec<Value> = Vec::new();
        let count = |name: &str, value: usize, method: &str| {
            EvidenceDraft::new(name, value, "1", method).place(place.clone())
        };
        if studies > 0 {
            let filter = "FLD_ZONE LIKE 'V%'";
            let query = Query { layer: ZONES, at, filter, fields: ZONE_FIELDS, shapes: true, most: MOST };
            let found = client.rows(&mut session, &query, context).await?;
            let mut zones: Vec<Zone> =
                found.features.iter().filter_map(Zone::read).filter(Zone::is_coastal).collect();
            sort(&mut zones);
            let mut truncated = found.truncated;
            evidence.push(count("n_ve", zones.len(), "polygons of V and VE zones"));
            let (best, others) = highest(&zones);
            if let Some((zone, bfe)) = best.and_then(|zone| Some((zone, zone.static_bfe_ft?))) {
                let method = "highest static base flood elevation of the V and VE zones";
                evidence.push(elevation("max_static_bfe", bfe, zone.datum.as_deref(), method, &place));
            }
            if others > 0 {
                notes.push(format!(
                    "{others} zones have an elevation above another datum and are not compared"
                ));
            }
            rows.extend(zones.iter().map(|zone| {
                json!(["zone", zone.zone, zone.static_bfe_ft, zone.datum, zone.dfirm_id, zone.rings])
            }));
            if session.listed(LIMWA).is_some() {
                let query = Query { layer: LIMWA, filter: "1=1", fields: "*", ..query };
                let lines = client.rows(&mut session, &query, context).await?;
                truncated |= lines.truncated;
                evidence.push(count(
                    "n_limwa",
                    lines.features.len(),
                    "lines of the limit of moderate wave action",
                ));
                rows.extend(
                    lines
                        .features
                        .iter()
                        .map(|line| json!(["limwa", null, null, null, line.text("DFIRM_ID"), line.paths])),
                );
            } else {
                notes.push("the service lists no layer of the limit of moderate wave action".to_owned());
            }
            if truncated {
                notes.push(format!(
                    "there are more rows than the {MOST} of a layer that are given; ask for a smaller box"
                ));
            }
        } else {
            evidence.push(no_data(NOT_COVERED, &place));
        }
        let columns = ["what", "zone", "static_bfe", "datum", "dfirm_id", "path"];
        let units = [("static_bfe", "ft"), ("path", "degrees, lon then lat")];
        let artifact = table("coastal_limits", &columns, rows, &units).with_attribute("covered", studies > 0);
        let mut output = ToolOutput::of(artifact).with_evidence(evidence).with_notes(notes);
        output.sources = session.sources;
        Ok(output)
    }
}

//! `fema_zones_of_study`: the zone polygons of a study by its id.

use async_trait::async_trait;
use leg_core::{DataClass, Kind, Port, ToolContext, ToolOutput, ToolSpec};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::parts::{COLUMNS, UNITS, borrowed, no_data, row, sum_names, sums};
use crate::ServiceError;
use crate::fema::Client;
use crate::fema::client::{Query, Where, ZONES};
use crate::fema::wire::zone::{Zone, sort};
use crate::prose::table;
use crate::tool::ServiceTool;

/// The most polygons of a study that are counted.
const MOST: usize = 10_000;

/// Fields of the rows.
const FIELDS: &str = "OBJECTID,FLD_ZONE,ZONE_SUBTY,SFHA_TF,STATIC_BFE,V_DATUM,DFIRM_ID,LEN_UNIT";

/// The zone polygons of a study.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ZonesOfStudy;

/// The arguments of [`ZonesOfStudy`].
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    /// Id of the study, `DFIRM_ID`, such as `53033C`: five or six digits and capitals.
    dfirm_id: String,
}

/// The id in capitals. Other characters are refused, as it becomes a part of the service's query.
fn checked(id: &str) -> Result<String, ServiceError> {
    let id = id.trim().to_ascii_uppercase();
    if (5..=8).contains(&id.len()) && id.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
        return Ok(id);
    }
    let shown: String = id.chars().take(20).collect();
    Err(ServiceError::BadArgument(format!(
        "`{shown}` is no id of a study; write digits and letters such as `53033C`"
    )))
}

#[async_trait]
impl ServiceTool for ZonesOfStudy {
    const NAME: &'static str = "fema_zones_of_study";

    type Client = Client;
    type Arguments = Arguments;

    fn describe(client: &Client) -> ToolSpec {
        let names = sum_names();
        ToolSpec::new("fema", "Flood zones of a whole study: counts by zone, highest elevation.", Port::of(Kind::Table))
            .description(
                "All polygons with the `DFIRM_ID` of a county or community, page by page. Counts are of polygons and not of \
                 area. An id without rows is an answer (`no_data`).",
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
        let id = checked(&arguments.dfirm_id)?;
        let place = json!({ "area": id });
        let mut session = client.open(context).await?;
        let mut notes = std::mem::take(&mut session.notes);
        let filter = format!("DFIRM_ID='{id}'");
        let query = Query {
            layer: ZONES,
            at: Where::Anywhere,
            filter: &filter,
            fields: FIELDS,
            shapes: false,
            most: MOST,
        };
        let rows = client.rows(&mut session, &query, context).await?;
        let mut zones: Vec<Zone> = rows.features.iter().filter_map(Zone::read).collect();
        zones.retain(|zone| zone.dfirm_id.as_deref().is_none_or(|own| own.eq_ignore_ascii_case(&id)));
        sort(&mut zones);
        if rows.truncated {
            notes.push(format!(
                "there are more zones than the {} that are counted; ask for a box",
                zones.len()
            ));
        }
        let skipped = rows.features.len() - zones.len() + rows.skipped;
        if skipped > 0 {
            notes.push(format!("{skipped} rows have no zone of the study and are left out"));
        }
        let (mut evidence, own) = sums(&zones, &place);
        notes.extend(own);
        if zones.is_empty() {
            evidence = vec![no_data("The National Flood Hazard Layer has no zone of that study.", &place)];
        }
        let rows = zones.iter().map(|zone| Value::Array(row(zone))).collect();
        let artifact = table("flood_zones", &COLUMNS, rows, &UNITS).with_attribute("dfirm_id", id);
        let mut output = ToolOutput::of(artifact).with_evidence(evidence).with_notes(notes);
        output.sources = session.sources;
        Ok(output)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_could_change_the_query_is_refused() {
        assert_eq!(checked(" 53033c").unwrap(), "53033C");
        for bad in ["' OR 1=1 --", "53", "", "53033C'", "５３０３３Ｃ"] {
            assert!(checked(bad).is_err(), "{bad}");
        }
    }
}

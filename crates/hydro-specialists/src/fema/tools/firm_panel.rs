//! `fema_firm_panel`: the panel of the flood insurance rate map at a point.

use async_trait::async_trait;
use leg_core::{DataClass, EvidenceDraft, Kind, Port, ToolContext, ToolOutput, ToolSpec};
use serde_json::{Value, json};

use super::parts::{NOT_COVERED, PointArguments, covered, no_data};
use crate::ServiceError;
use crate::fema::Client;
use crate::fema::bbox::checked_point;
use crate::fema::client::{LOMRS, PANELS, Query, Where};
use crate::fema::wire::panel::{Lomr, Panel};
use crate::prose::table;
use crate::tool::ServiceTool;

/// The panel at a point.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FirmPanel;

#[async_trait]
impl ServiceTool for FirmPanel {
    const NAME: &'static str = "fema_firm_panel";

    type Client = Client;
    type Arguments = PointArguments;

    fn describe(client: &Client) -> ToolSpec {
        ToolSpec::new("fema", "FIRM panel at a point, its effective date, and map revisions.", Port::of(Kind::Table))
            .description(
                "The newest panel by its effective date where several meet. Letters of map revision (LOMRs) at the point come \
                 with their dates; a failure to read them is said in a note.",
            )
            .evidence(&["covered", "n_studies", "panel", "effective_date", "panel_type", "dfirm_id", "n_panels", "n_lomrs", "no_data"])
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
        let mut panels: Vec<Panel> = Vec::new();
        let mut lomrs: Vec<Lomr> = Vec::new();
        if studies > 0 {
            let query = Query {
                layer: PANELS,
                at,
                filter: "1=1",
                fields: "OBJECTID,FIRM_PAN,EFF_DATE,PANEL_TYP,DFIRM_ID",
                shapes: false,
                most: 50,
            };
            let rows = client.rows(&mut session, &query, context).await?;
            panels = rows.features.iter().filter_map(Panel::read).collect();
            panels.sort_by(|a, b| (b.effective, &a.panel).cmp(&(a.effective, &b.panel)));
            let query =
                Query { layer: LOMRS, fields: "OBJECTID,CASE_NO,EFF_DATE,STATUS", most: 100, ..query };
            match client.rows(&mut session, &query, context).await {
                Ok(rows) => lomrs = rows.features.iter().filter_map(Lomr::read).collect(),
                Err(ServiceError::Tool(error)) => return Err(ServiceError::Tool(error)),
                Err(error) => notes.push(format!("letters of map revision could not be read: {error}")),
            }
            lomrs.sort_by(|a, b| (b.effective, &a.case).cmp(&(a.effective, &b.case)));
        }
        let mut evidence = covered(studies, &place);
        let text = |name: &str, value: &str, method: &str| {
            EvidenceDraft::new(name, value, "", method).place(place.clone())
        };
        if let Some(panel) = panels.first() {
            let dated = |draft: EvidenceDraft| match panel.effective {
                Some(date) => draft.when(date.to_string()),
                None => draft,
            };
            evidence.push(dated(text(
                "panel",
                &panel.panel,
                "panel of the flood insurance rate map at the point",
            )));
            if let Some(date) = panel.effective {
                evidence.push(dated(text(
                    "effective_date",
                    &date.to_string(),
                    "effective date of the panel",
                )));
            }
            if let Some(kind) = &panel.kind {
                evidence.push(text("panel_type", kind, "type of the panel"));
            }
            if let Some(id) = &panel.dfirm_id {
                evidence.push(text("dfirm_id", id, "study of the panel"));
            }
            let count = |name: &str, value: usize, method: &str| {
                EvidenceDraft::new(name, value, "1", method).place(place.clone())
            };
            evidence.push(count("n_panels", panels.len(), "panels at the point"));
            evidence.push(count("n_lomrs", lomrs.len(), "letters of map revision at the point"));
        } else {
            let said = if studies == 0 {
                NOT_COVERED
            } else {
                "The National Flood Hazard Layer has no panel at the point."
            };
            evidence.push(no_data(said, &place));
        }
        let date = |date: Option<jiff::civil::Date>| date.map(|date| date.to_string());
        let rows: Vec<Value> = panels
            .iter()
            .map(|panel| json!(["panel", panel.panel, date(panel.effective), panel.kind, panel.dfirm_id]))
            .chain(
                lomrs.iter().map(|lomr| json!(["lomr", lomr.case, date(lomr.effective), lomr.status, null])),
            )
            .collect();
        let columns = ["what", "number", "effective_date", "type_or_status", "dfirm_id"];
        let artifact = table("firm_panel", &columns, rows, &[]).with_attribute("covered", studies > 0);
        let mut output = ToolOutput::of(artifact).with_evidence(evidence).with_notes(notes);
        output.sources = session.sources;
        Ok(output)
    }
}

//! `usgs_get_site`: what a gauge is: its name, position, drainage area.

use async_trait::async_trait;
use leg_core::{DataClass, EvidenceDraft, Kind, Port, ToolContext, ToolOutput, ToolSpec};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::ServiceError;
use crate::gauge::{place, table};
use crate::tool::ServiceTool;
use crate::usgs::wire::{Location, Rdb};
use crate::usgs::{Client, SiteId};

/// What a gauge is.
#[derive(Debug, Clone, Copy)]
pub struct GetSite;

/// The arguments of [`GetSite`].
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GetSiteArguments {
    /// `USGS-nnn` or the digits.
    pub site: SiteId,
}

#[async_trait]
impl ServiceTool for GetSite {
    const NAME: &'static str = "usgs_get_site";

    type Client = Client;
    type Arguments = GetSiteArguments;

    fn describe(client: &Client) -> ToolSpec {
        ToolSpec::new("usgs", "A site of the USGS: name, position, drainage area.", Port::of(Kind::Table))
            .description(
                "Water Data OGC API, monitoring-locations; the older site service when that fails or does not know the site. \
                 `drainage_area` is in square miles, `altitude` in feet above its datum.",
            )
            .evidence(&["id", "name", "state", "county", "lat", "lon", "drainage_area", "altitude", "huc"])
            .data_class(DataClass::Observation)
            .hosts(&client.gauge_hosts())
    }

    async fn run(
        arguments: Self::Arguments,
        client: &Client,
        context: &ToolContext,
    ) -> Result<ToolOutput, ServiceError> {
        let site = &arguments.site;
        let newer = client.features("monitoring-locations", &[("id", site.to_string())], context).await;
        let mut notes = Vec::new();
        let mut found: Option<(Location, Vec<leg_core::Source>)> = None;
        let mut failure = None;
        match newer {
            Ok((features, sources)) => {
                let id = site.to_string();
                found = features.locations().0.into_iter().find(|own| own.id == id).map(|own| (own, sources));
            }
            Err(error) => failure = Some(error),
        }
        if found.is_none() {
            let parameters = [("sites", site.digits().to_owned()), ("siteOutput", "expanded".to_owned())];
            match client.legacy_table("site", &parameters, context).await {
                Ok((list, source)) => {
                    found = of_list(&list, site).map(|own| (own, vec![source]));
                    notes.push("the description is of the older NWIS service".to_owned());
                }
                Err(error) => failure = failure.or(Some(error)),
            }
        }
        let Some((own, sources)) = found else {
            let missing =
                || ServiceError::NotFound(format!("no service knows the site `{site}`; check its number"));
            return Err(failure.filter(|error| !error.is_missing()).unwrap_or_else(missing));
        };
        let evidence = evidence(&own, site);
        let rows: Vec<Vec<Value>> = evidence
            .iter()
            .map(|draft| vec![json!(draft.name), draft.value.clone(), json!(draft.unit)])
            .collect();
        let artifact = table("site", &[("name", ""), ("value", ""), ("unit", "")], &rows);
        let mut output = ToolOutput::of(artifact).with_evidence(evidence).with_notes(notes);
        output.sources = sources;
        Ok(output)
    }
}

fn of_list(list: &Rdb, site: &SiteId) -> Option<Location> {
    let at = (0..list.len()).find(|at| list.text(*at, "site_no") == Some(site.digits()))?;
    let text = |column: &str| list.text(at, column).unwrap_or_default().to_owned();
    Some(Location {
        id: site.to_string(),
        name: text("station_nm"),
        state: String::new(),
        county: String::new(),
        kind: text("site_tp_cd"),
        huc: text("huc_cd"),
        drainage: list.number(at, "drain_area_va"),
        altitude: list.number(at, "alt_va"),
        vertical_datum: text("alt_datum_cd"),
        lat: list.number(at, "dec_lat_va"),
        lon: list.number(at, "dec_long_va"),
    })
}

fn evidence(own: &Location, site: &SiteId) -> Vec<EvidenceDraft> {
    let place = place(site.digits(), &own.name, own.lat, own.lon);
    let mut drafts = Vec::new();
    let mut say = |name: &str, value: Value, unit: &str, method: &str| {
        if !value.is_null() && value.as_str() != Some("") {
            drafts.push(EvidenceDraft::new(name, value, unit, method).place(place.clone()));
        }
    };
    say("id", json!(own.id), "", "id of the site");
    say("name", json!(own.name), "", "name of the site");
    say("state", json!(own.state), "", "state of the site");
    say("county", json!(own.county), "", "county of the site");
    say("lat", json!(own.lat), "degree_north", "latitude of the site");
    say("lon", json!(own.lon), "degree_east", "longitude of the site");
    say("drainage_area", json!(own.drainage), "mile2", "drainage area of the site");
    say("huc", json!(own.huc), "", "hydrologic unit of the site");
    if let Some(altitude) = own.altitude {
        let draft =
            EvidenceDraft::new("altitude", altitude, "ft", "altitude of the gauge").place(place.clone());
        let datum = own.vertical_datum.as_str();
        drafts.push(if datum.is_empty() { draft } else { draft.datum(datum) });
    }
    drafts
}

//! `usgs_find_sites`: gauges in a box or a state.

use async_trait::async_trait;
use leg_core::{DataClass, EvidenceDraft, Kind, Port, ToolContext, ToolOutput, ToolSpec};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::ServiceError;
use crate::gauge::{place, table};
use crate::question::places::state_name;
use crate::tool::ServiceTool;
use crate::usgs::Client;
use crate::usgs::wire::{Location, Rdb};

/// Gauges in a box or a state.
#[derive(Debug, Clone, Copy)]
pub struct FindSites;

/// The arguments of [`FindSites`].
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FindSitesArguments {
    /// West, south, east, north, degrees.
    #[serde(default)]
    pub bbox: Option<[f64; 4]>,
    /// Two letters.
    #[serde(default)]
    pub state: Option<String>,
    /// Code of the site type.
    #[serde(default)]
    pub site_type: SiteType,
    /// Most rows of the table.
    #[serde(default = "twenty")]
    pub limit: u32,
}

const fn twenty() -> u32 {
    20
}

/// What a site is at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub enum SiteType {
    /// A stream.
    #[default]
    #[serde(rename = "ST")]
    Stream,
    /// A tidal stream.
    #[serde(rename = "ST-TS")]
    TidalStream,
    /// An estuary.
    #[serde(rename = "ES")]
    Estuary,
    /// The ocean.
    #[serde(rename = "OC")]
    Ocean,
    /// The coast.
    #[serde(rename = "OC-CO")]
    Coast,
    /// A lake.
    #[serde(rename = "LK")]
    Lake,
}

impl SiteType {
    const fn as_str(self) -> &'static str {
        match self {
            Self::Stream => "ST",
            Self::TidalStream => "ST-TS",
            Self::Estuary => "ES",
            Self::Ocean => "OC",
            Self::Coast => "OC-CO",
            Self::Lake => "LK",
        }
    }
}

#[async_trait]
impl ServiceTool for FindSites {
    const NAME: &'static str = "usgs_find_sites";

    type Client = Client;
    type Arguments = FindSitesArguments;

    fn describe(client: &Client) -> ToolSpec {
        ToolSpec::new("usgs", "Sites of the USGS in a box or a state.", Port::of(Kind::Table))
            .description(
                "Water Data OGC API, monitoring-locations: `n` counts its sites, in service or not, with `first_id` and \
                 `first_name`. `n_active` and `first_active` are of the older site service, as long as it is there: active \
                 sites with instantaneous discharge in the state. Give a box or a state.",
            )
            .evidence(&["n", "first_id", "first_name", "ids", "n_active", "first_active", "no_data"])
            .data_class(DataClass::Observation)
            .hosts(&client.gauge_hosts())
    }

    async fn run(
        arguments: Self::Arguments,
        client: &Client,
        context: &ToolContext,
    ) -> Result<ToolOutput, ServiceError> {
        let kind = arguments.site_type.as_str();
        let mut parameters = vec![("site_type_code", kind.to_owned())];
        if let Some([west, south, east, north]) = arguments.bbox {
            parameters.push(("bbox", format!("{west},{south},{east},{north}")));
        }
        let state = arguments.state.as_deref().map(|state| state.trim().to_uppercase());
        if let Some(code) = &state {
            let name = state_name(code).ok_or_else(|| {
                ServiceError::BadArgument(format!("`{code}` is no state; write two letters such as `MD`"))
            })?;
            parameters.push(("state_name", name.to_owned()));
        }
        if arguments.bbox.is_none() && state.is_none() {
            return Err(ServiceError::BadArgument(
                "give `bbox` or `state`; all sites are too many".to_owned(),
            ));
        }
        let newer = client.features("monitoring-locations", &parameters, context).await;
        let older = match &state {
            Some(code) if kind == "ST" && arguments.bbox.is_none() => {
                let parameters = [
                    ("siteType", kind.to_owned()),
                    ("parameterCd", "00060".to_owned()),
                    ("siteStatus", "active".to_owned()),
                    ("hasDataTypeCd", "iv".to_owned()),
                    ("stateCd", code.clone()),
                ];
                client.legacy_table("site", &parameters, context).await.ok()
            }
            _ => None,
        };
        let mut output = ToolOutput::of(table("sites", &COLUMNS, &[]));
        let mut evidence = Vec::new();
        let mut rows = Vec::new();
        match newer {
            Ok((features, sources)) => {
                let (mut sites, bad) = features.locations();
                sites.retain(|site| fits(site, &arguments, state.as_deref()));
                sites.sort_by(|a, b| a.id.cmp(&b.id));
                sites.dedup_by(|a, b| a.id == b.id);
                evidence.extend(of_sites(&sites));
                rows.extend(sites.iter().map(row));
                if bad > 0 {
                    output.notes.push(format!("{bad} sites could not be read and are left out"));
                }
                output.sources.extend(sources);
            }
            Err(error) if older.is_some() => {
                output.notes.push(format!(
                    "the sites are of the older NWIS service, as the Water Data API fails: {error}"
                ));
            }
            Err(error) => return Err(error),
        }
        if let Some((list, source)) = older {
            evidence.extend(of_list(&list));
            for at in 0..list.len() {
                let id = list.text(at, "site_no").map(|id| format!("USGS-{id}"));
                if !rows.iter().any(|row: &Vec<Value>| row.first().and_then(Value::as_str) == id.as_deref()) {
                    rows.push(vec![
                        json!(id),
                        json!(list.text(at, "station_nm")),
                        json!(state),
                        json!(list.number(at, "dec_lat_va")),
                        json!(list.number(at, "dec_long_va")),
                        Value::Null,
                        json!(list.text(at, "huc_cd")),
                    ]);
                }
            }
            output.sources.push(source);
        }
        if rows.is_empty() {
            evidence.push(EvidenceDraft::new("no_data", "No site fits.", "", "answer of the service"));
        }
        rows.truncate(usize::try_from(arguments.limit).unwrap_or(usize::MAX));
        let artifact = table("sites", &COLUMNS, &rows);
        let mut found = ToolOutput::of(artifact).with_evidence(evidence).with_notes(output.notes);
        found.sources = output.sources;
        Ok(found)
    }
}

const COLUMNS: [(&str, &str); 7] = [
    ("id", ""),
    ("name", ""),
    ("state", ""),
    ("lat", "degree_north"),
    ("lon", "degree_east"),
    ("drainage_area", "mile2"),
    ("huc", ""),
];

fn fits(site: &Location, arguments: &FindSitesArguments, state: Option<&str>) -> bool {
    let in_state = state.is_none_or(|code| {
        site.state.is_empty() || state_name(code).is_some_and(|name| name.eq_ignore_ascii_case(&site.state))
    });
    let inside = arguments.bbox.is_none_or(|[west, south, east, north]| {
        let within =
            |value: Option<f64>, from: f64, to: f64| value.is_some_and(|value| (from..=to).contains(&value));
        within(site.lon, west, east) && within(site.lat, south, north)
    });
    let kind = site.kind.is_empty() || site.kind == arguments.site_type.as_str();
    in_state && inside && kind
}

fn of_sites(sites: &[Location]) -> Vec<EvidenceDraft> {
    let mut drafts = vec![EvidenceDraft::new("n", sites.len(), "1", "number of sites of the Water Data API")];
    if let Some(first) = sites.first() {
        let id = first.id.trim_start_matches("USGS-");
        let place = place(id, &first.name, first.lat, first.lon);
        for (name, text) in [("first_id", &first.id), ("first_name", &first.name)] {
            drafts.push(
                EvidenceDraft::new(name, text.as_str(), "", "first site of the list").place(place.clone()),
            );
        }
        let ids: Vec<&str> = sites.iter().take(20).map(|site| site.id.as_str()).collect();
        drafts.push(EvidenceDraft::new("ids", ids.join(", "), "", "ids of the sites, at most 20"));
    }
    drafts
}

fn of_list(list: &Rdb) -> Vec<EvidenceDraft> {
    let method = "number of active sites with instantaneous discharge";
    let mut drafts = vec![EvidenceDraft::new("n_active", list.len(), "1", method)];
    if let Some(id) = list.text(0, "site_no") {
        let name = list.text(0, "station_nm").unwrap_or_default();
        let place = place(id, name, list.number(0, "dec_lat_va"), list.number(0, "dec_long_va"));
        drafts.push(EvidenceDraft::new("first_active", id, "", "first active site of the list").place(place));
    }
    drafts
}

fn row(site: &Location) -> Vec<Value> {
    vec![
        json!(site.id),
        json!(site.name),
        json!(site.state),
        json!(site.lat),
        json!(site.lon),
        json!(site.drainage),
        json!(site.huc),
    ]
}

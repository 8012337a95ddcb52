//! `usgs_get_high_water_marks`: the high-water marks of an event.

use async_trait::async_trait;
use leg_core::{DataClass, Kind, Port, ToolContext, ToolOutput, ToolSpec};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::marks::{evidence, has_elevation};
use crate::gauge::table;
use crate::tool::ServiceTool;
use crate::usgs::Client;
use crate::usgs::wire::Mark;
use crate::{ServiceError, lenient};

/// The high-water marks of an event.
#[derive(Debug, Clone, Copy)]
pub struct GetHighWaterMarks;

/// The arguments of [`GetHighWaterMarks`].
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GetHighWaterMarksArguments {
    /// Id from `usgs_list_events`.
    pub event_id: u32,
    /// States, two letters each.
    #[serde(default)]
    pub states: Vec<String>,
    /// Counties, with the word County.
    #[serde(default)]
    pub counties: Vec<String>,
    /// Setting.
    #[serde(default)]
    pub environment: Option<Environment>,
    /// 1 excellent .. 5 very poor, 6 unknown.
    #[serde(default)]
    pub quality: Vec<u8>,
    /// West, south, east, north, degrees; filtered here.
    #[serde(default)]
    pub bbox: Option<[f64; 4]>,
    /// Only still-water marks.
    #[serde(default)]
    pub still_water: bool,
    /// Most rows of the table, by elevation; the evidence is of all marks.
    #[serde(default = "fifty")]
    pub limit: u32,
}

const fn fifty() -> u32 {
    50
}

/// The setting of a mark.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum Environment {
    /// At the coast.
    Coastal,
    /// At a river.
    Riverine,
}

impl Environment {
    const fn as_str(self) -> &'static str {
        match self {
            Self::Coastal => "Coastal",
            Self::Riverine => "Riverine",
        }
    }
}

#[async_trait]
impl ServiceTool for GetHighWaterMarks {
    const NAME: &'static str = "usgs_get_high_water_marks";

    type Client = Client;
    type Arguments = GetHighWaterMarksArguments;

    fn describe(client: &Client) -> ToolSpec {
        ToolSpec::new("usgs", "High-water marks of a flood event.", Port::of(Kind::Table))
            .description(
                "USGS Short-Term Network. Elevations (feet above the vertical datum) and heights above the ground are two \
                 things and are never mixed; marks without an elevation or without a datum are counted and not compared. \
                 `highest` is the highest elevation, beside its id, county, quality, uncertainty, environment and notes: a \
                 mark far above all others may be an outlier (pooled rain), which quality and notes tell.",
            )
            .evidence(&super::marks::EVIDENCE)
            .data_class(DataClass::Observation)
            .hosts(&client.stn_hosts())
    }

    async fn run(
        arguments: Self::Arguments,
        client: &Client,
        context: &ToolContext,
    ) -> Result<ToolOutput, ServiceError> {
        let states: Vec<String> = arguments.states.iter().map(|state| state.trim().to_uppercase()).collect();
        let mut parameters = vec![("Event", arguments.event_id.to_string())];
        if !states.is_empty() {
            parameters.push(("States", states.join(",")));
        }
        if let [county] = arguments.counties.as_slice() {
            parameters.push(("County", county.trim().to_owned()));
        }
        if let Some(environment) = arguments.environment {
            parameters.push(("HWMEnvironment", environment.as_str().to_owned()));
        }
        let (rows, source) = client.stn("HWMs/FilteredHWMs.json", &parameters, context).await?;
        let (mut marks, bad) = lenient::rows::<Mark>(rows);
        // The service filters too; what it sends beside that is dropped here.
        marks.retain(|mark| keeps(mark, &arguments, &states));
        let evidence = evidence(&marks, arguments.event_id);
        let mut sorted: Vec<&Mark> = marks.iter().collect();
        sorted.sort_by(|a, b| {
            let key = |mark: &Mark| if has_elevation(mark) { mark.elevation } else { None };
            key(b).partial_cmp(&key(a)).unwrap_or(std::cmp::Ordering::Equal)
        });
        let limit = usize::try_from(arguments.limit).unwrap_or(usize::MAX);
        let rows: Vec<Vec<Value>> = sorted.into_iter().take(limit).map(row).collect();
        let mut output = ToolOutput::of(
            table("high_water_marks", &COLUMNS, &rows).with_attribute("event_id", arguments.event_id),
        )
        .with_evidence(evidence);
        if bad > 0 {
            output.notes.push(format!("{bad} marks could not be read and are left out"));
        }
        output.sources = vec![source];
        Ok(output)
    }
}

const COLUMNS: [(&str, &str); 15] = [
    ("id", ""),
    ("elevation", "ft"),
    ("datum", ""),
    ("height_above_ground", "ft"),
    ("quality", ""),
    ("uncertainty", "ft"),
    ("type", ""),
    ("environment", ""),
    ("state", ""),
    ("county", ""),
    ("waterbody", ""),
    ("lat", "degree_north"),
    ("lon", "degree_east"),
    ("date", ""),
    ("site", ""),
];

fn row(mark: &Mark) -> Vec<Value> {
    vec![
        json!(mark.id),
        json!(mark.elevation),
        json!(mark.datum),
        json!(mark.height_above_ground),
        json!(mark.quality),
        json!(mark.uncertainty),
        json!(mark.kind),
        json!(mark.environment),
        json!(mark.state),
        json!(mark.county),
        json!(mark.waterbody),
        json!(mark.latitude),
        json!(mark.longitude),
        json!(super::marks::day(mark)),
        json!(mark.site),
    ]
}

fn keeps(mark: &Mark, arguments: &GetHighWaterMarksArguments, states: &[String]) -> bool {
    let same = |a: &str, b: &str| a.trim().eq_ignore_ascii_case(b.trim());
    let in_state = states.is_empty() || states.iter().any(|state| same(state, &mark.state));
    let counties = &arguments.counties;
    let in_county = counties.is_empty() || counties.iter().any(|county| same(county, &mark.county));
    let environment = arguments.environment.is_none_or(|own| same(own.as_str(), &mark.environment));
    let graded = arguments.quality.is_empty()
        || arguments.quality.iter().any(|quality| mark.quality_id == Some(f64::from(*quality)));
    let still = !arguments.still_water || mark.still_water == Some(1.0);
    let inside = arguments.bbox.is_none_or(|[west, south, east, north]| {
        let within =
            |value: Option<f64>, from: f64, to: f64| value.is_some_and(|value| (from..=to).contains(&value));
        within(mark.longitude, west, east) && within(mark.latitude, south, north)
    });
    in_state && in_county && environment && graded && still && inside
}

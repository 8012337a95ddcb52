//! [`Specialist`]: the rules form of the USGS agent.

use async_trait::async_trait;
use leg_core::{
    Agent, AgentAnswer, AgentId, AgentSpec, AgentTask, DataClass, Desk, Evidence, ToolError, ToolName,
};
use serde_json::{Value, json};

use super::sentences;
use super::tools::{CollectionName, NAMES, Parameter};
use super::topics::{Topic, hours, parameter, sites, topics};
use crate::Window;
use crate::findings::{Findings, find};
use crate::gauge::asked::{Side, sides};
use crate::gauge::say::{Words, series};
use crate::question::behind;
use crate::question::places::{state_name, states};
use crate::question::storms::{Storm, storms};
use crate::question::{says, span, tokens};

/// Finds event, states, gauge and dates in its task, then in the run's question, then in the evidence of earlier layers, and
/// asks. It guesses nothing: what it does not find becomes a gap.
#[derive(Debug, Clone, Copy)]
pub struct Specialist;

#[async_trait]
impl Agent for Specialist {
    #[expect(
        clippy::expect_used,
        reason = "the names are constants of the right form; every test makes them"
    )]
    fn spec(&self) -> AgentSpec {
        let id = AgentId::new("usgs").expect("a valid agent id");
        let mut spec = AgentSpec::specialist(
            id,
            "USGS: high-water marks of flood events, stage and flow of stream gauges.",
        );
        spec.data_class = Some(DataClass::Observation);
        include_str!("../../prompts/usgs.md").trim().clone_into(&mut spec.system_prompt);
        spec.capabilities = [
            "high-water marks of a storm or flood: how many, the highest with county, quality and uncertainty",
            "ids of flood events of the USGS Short-Term Network",
            "discharge and stage of a stream gauge: first, last, highest, daily means",
            "annual peaks of a stream gauge; its name, position and drainage area; gauges in a state",
        ]
        .map(str::to_owned)
        .to_vec();
        spec.tools = NAMES.iter().map(|name| ToolName::new(*name).expect("a valid tool name")).collect();
        spec.cues = crate::cues(include_str!("../../data/cues/usgs.txt"));
        spec.provides = vec!["high_water_marks".to_owned(), "stream_gauge".to_owned()];
        spec.needs = vec!["storm_track".to_owned()];
        spec
    }

    async fn work(&self, task: AgentTask, desk: &dyn Desk) -> Result<AgentAnswer, ToolError> {
        let mut asked = topics(&task.task);
        if asked.is_empty() {
            asked = topics(behind(&task));
        }
        let mut work = Work::new(&task, desk);
        if asked.is_empty() {
            let storm = work.storm().is_some() && sites(&task.task).is_empty();
            asked.push(if storm { Topic::Marks } else { Topic::Continuous });
        }
        for topic in asked {
            work.answer(topic).await;
        }
        if work.findings.is_empty() && !work.has_gap {
            work.findings.gap("the USGS services have nothing for this question");
        }
        Ok(work.findings.into_answer())
    }
}

pub(super) struct Work<'a> {
    desk: &'a dyn Desk,
    findings: Findings,
    pub(super) texts: [&'a str; 2],
    sides: Vec<Side>,
    evidence: &'a [Evidence],
    has_gap: bool,
}

impl<'a> Work<'a> {
    fn new(task: &'a AgentTask, desk: &'a dyn Desk) -> Self {
        let texts = [task.task.as_str(), behind(task)];
        let asked = texts.iter().map(|text| sides(text)).find(|sides| !sides.is_empty()).unwrap_or_default();
        Self {
            desk,
            findings: Findings::default(),
            texts,
            sides: asked,
            evidence: &task.evidence,
            has_gap: false,
        }
    }

    async fn answer(&mut self, topic: Topic) {
        match topic {
            Topic::Marks => self.marks().await,
            Topic::EventId => self.event_id().await,
            Topic::Sensors | Topic::EventPeaks => self.of_event(topic).await,
            Topic::Sites => self.sites_in_state().await,
            Topic::Schema => self.say("usgs_get_schema", json!({}), sentences::schema).await,
            Topic::Collection(name) => self.collection(name).await,
            _ => {
                let site = self.texts.iter().map(|text| sites(text)).find(|sites| !sites.is_empty());
                let Some(found) = site else {
                    return self.gap("no stream gauge is named; give its number, such as `USGS-01646500`");
                };
                for site in found {
                    self.gauge(topic, json!(site)).await;
                }
            }
        }
    }

    fn gap(&mut self, text: impl Into<String>) {
        self.has_gap = true;
        self.findings.gap(text);
    }

    /// The storm that is meant: of the texts, else of the track before.
    fn storm(&self) -> Option<Storm> {
        let named = self.texts.iter().find_map(|text| storms(text).into_iter().next());
        named.or_else(|| {
            let text = |name: &str| {
                let own = self.evidence.iter().find(|one| one.name.starts_with(name));
                own.and_then(|one| one.value.as_str()).map(str::to_owned)
            };
            let storm = storms(&format!("Hurricane {}", text("storm_name")?)).into_iter().next()?;
            let year = self.evidence.iter().find_map(|one| one.when.as_deref()?.get(..4)?.parse().ok());
            Some(Storm { season: storm.season.or(year), ..storm })
        })
    }

    /// The event of the storm: its id and its name.
    pub(super) async fn event(&mut self) -> Option<Evidence> {
        let number = self.texts.iter().find_map(|text| {
            let tokens = tokens(text);
            let at = tokens.iter().position(|token| token.eq_ignore_ascii_case("event"))?;
            tokens
                .get(at + 1..)?
                .iter()
                .take(2)
                .find_map(|token| token.parse::<u32>().ok().filter(|id| *id < 1800))
        });
        let arguments = match (self.storm(), number) {
            (Some(storm), _) => Self::named(&storm),
            (None, Some(id)) => {
                let bare =
                    json!({"key": "", "name": "event_id", "value": id, "unit": "1", "method": "named"});
                return serde_json::from_value(bare).ok();
            }
            (None, None) => {
                self.gap("no storm or flood event is named; give its name and year, such as `Florence 2018`");
                return None;
            }
        };
        match self.desk.call("usgs_list_events", arguments.clone()).await {
            Ok(result) => {
                let id = find(&result.evidence, "event_id").cloned();
                if id.is_none() {
                    let name = arguments["name"].as_str().unwrap_or_default();
                    self.gap(format!("the USGS lists no flood event named `{name}` for that year"));
                }
                id
            }
            Err(error) => {
                self.gap(format!("flood events: {}", error.message));
                None
            }
        }
    }

    fn named(storm: &Storm) -> Value {
        let mut arguments = json!({ "name": storm.name });
        if let Some(season) = storm.season {
            arguments["year"] = json!(season);
        }
        arguments
    }

    async fn of_event(&mut self, topic: Topic) {
        let Some(event) = self.event().await else { return };
        let mut arguments = json!({ "event_id": event.value.as_f64().map_or(0, whole) });
        let asked = self.texts.iter().map(|text| states(text)).find(|own| !own.is_empty());
        if let Some(asked) = asked {
            arguments["states"] = json!(asked);
        }
        let (tool, one, many) = if topic == Topic::Sensors {
            ("usgs_get_stn_sensors", "sensor", "sensors")
        } else {
            ("usgs_get_stn_peaks", "peak summary", "peak summaries")
        };
        self.say(tool, arguments, move |findings, found| sentences::count_of(findings, found, one, many))
            .await;
    }

    async fn event_id(&mut self) {
        let storm = self.storm();
        let mut arguments = storm.as_ref().map_or_else(|| json!({}), Self::named);
        if storm.is_none()
            && let Some(year) = self
                .texts
                .iter()
                .find_map(|text| tokens(text).into_iter().find_map(crate::question::dates::year))
        {
            arguments["year"] = json!(year);
        }
        let named = storm.is_some();
        let count = !named || self.texts.iter().any(|text| says(text, &["how many"]));
        self.say("usgs_list_events", arguments, move |findings, found| {
            sentences::event(findings, found, named, count);
        })
        .await;
    }

    async fn sites_in_state(&mut self) {
        let own = self.texts.iter().find_map(|text| states(text).into_iter().next());
        let Some(code) = own else {
            return self.gap("no state is named; give one, such as `Maryland`");
        };
        let name = state_name(&code).unwrap_or(&code).to_owned();
        self.say("usgs_find_sites", json!({ "state": code }), move |findings, found| {
            sentences::sites(findings, found, &name);
        })
        .await;
    }

    async fn gauge(&mut self, topic: Topic, site: Value) {
        let text = self.texts.join(" ");
        let sides = self.sides.clone();
        match topic {
            Topic::Site => {
                self.say("usgs_get_site", json!({ "site": site }), move |findings, found| {
                    sentences::site(findings, found, &text);
                })
                .await;
            }
            Topic::Peaks => {
                self.say("usgs_get_peaks", json!({ "site": site }), move |findings, found| {
                    sentences::peaks(findings, found, &sides);
                })
                .await;
            }
            Topic::Latest => {
                let own = parameter(&text).unwrap_or_default();
                let arguments = json!({"site": site, "parameter": own});
                match self.desk.call("usgs_get_latest", arguments).await {
                    Ok(result) if find(&result.evidence, "value").is_some() => {
                        sentences::latest(&mut self.findings, &result.evidence, own.words());
                    }
                    // The older service has the last hours of every gauge.
                    _ => self.recent(&site, parameter(&text), 2, vec![Side::Last]).await,
                }
            }
            Topic::Recent => {
                let last = self.texts.iter().find_map(|text| hours(text)).unwrap_or(2);
                self.recent(&site, parameter(&text), last, sides).await;
            }
            Topic::Statistics => {
                let day = self.window().map(|window| window.begin);
                let (month, day) = day.map_or((1, 1), |at| (at.month(), at.day()));
                let named =
                    u8::try_from(month).ok().and_then(leg_core::evidence::month_name).unwrap_or("January");
                let shown = format!("{named} {day}");
                let own = parameter(&text).unwrap_or(Parameter::Discharge);
                let arguments = json!({"site": site, "parameter": own, "month": month, "day": day});
                self.say("usgs_get_statistics", arguments, move |findings, found| {
                    sentences::statistics(findings, found, own.words(), &shown);
                })
                .await;
            }
            _ => {
                let Some(window) = self.window() else {
                    return self
                        .gap("no date is named; give the first and the last day, such as `2025-01-01`");
                };
                let daily = topic == Topic::Daily;
                let own = parameter(&text).unwrap_or(if daily {
                    Parameter::Discharge
                } else {
                    Parameter::GageHeight
                });
                let (begin, end) = (format!("{}Z", window.begin), format!("{}Z", window.end));
                let arguments = json!({"site": site, "parameter": own, "begin": begin, "end": end});
                // A gauge without instantaneous values may have those of days.
                let daily = daily || self.desk.call("usgs_get_continuous", arguments.clone()).await.is_err();
                let tool = if daily { "usgs_get_daily" } else { "usgs_get_continuous" };
                let what = if daily { format!("daily mean {}", own.words()) } else { own.words().to_owned() };
                self.say(tool, arguments, move |findings, found| {
                    series(findings, found, Words { what: &what, one: "value", many: "values" }, &sides);
                    sentences::provisional(findings, found);
                })
                .await;
            }
        }
    }

    /// The values of the last hours.
    async fn recent(&mut self, site: &Value, own: Option<Parameter>, hours: u32, sides: Vec<Side>) {
        let own = own.unwrap_or(Parameter::Discharge);
        let arguments = json!({"site": site, "parameter": own, "hours": hours});
        self.say("usgs_get_recent", arguments, move |findings, found| {
            series(findings, found, Words { what: own.words(), one: "value", many: "values" }, &sides);
            sentences::provisional(findings, found);
        })
        .await;
    }

    /// The first features of a collection.
    async fn collection(&mut self, name: CollectionName) {
        let mut arguments = json!({ "collection": name });
        let span = self.texts.iter().find_map(|text| span(text));
        if let Some(window) = span.and_then(|(begin, end)| Window::new(begin, end).ok()) {
            arguments["begin"] = json!(format!("{}Z", window.begin));
            arguments["end"] = json!(format!("{}Z", window.end));
        }
        self.say("usgs_get_collection", arguments, sentences::collection).await;
    }

    /// The dates of the texts, else a storm's.
    fn window(&self) -> Option<Window> {
        let own = self.texts.iter().find_map(|text| span(text));
        let own = own.and_then(|(begin, end)| Window::new(begin, end).ok());
        own.or_else(|| crate::coops::storm_window(self.evidence))
    }

    /// Calls a tool and lets its evidence be said; a failure and a lack of data become gaps.
    pub(super) async fn say(
        &mut self,
        tool: &str,
        arguments: Value,
        say: impl FnOnce(&mut Findings, &[Evidence]),
    ) {
        match self.desk.call(tool, arguments).await {
            Ok(result) => {
                if let Some(none) = find(&result.evidence, "no_data") {
                    self.gap(none.value.as_str().unwrap_or("the answer is empty").to_owned());
                }
                say(&mut self.findings, &result.evidence);
            }
            Err(error) => self.gap(error.message),
        }
    }
}

/// An id that came as a number.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "ids are small whole numbers")]
pub(super) fn whole(value: f64) -> u32 {
    value.clamp(0.0, f64::from(u32::MAX)) as u32
}

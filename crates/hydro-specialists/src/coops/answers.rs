//! [`Work`]: the calls that answer a topic.

use leg_core::{AgentAnswer, AgentTask, Desk, Evidence};
use serde_json::{Value, json};

use super::storm::Storm;
use super::task_text::TaskText;
use super::tools::LatestProduct;
use super::topics::Topic;
use super::{said_series, sentences};
use crate::StationId;
use crate::findings::{Findings, find};
use crate::gauge::asked::{Side, sides};
use crate::question::coordinates::points;
use crate::question::places::{places, states};
use crate::question::storms::storms;
use crate::question::{Point, says, tokens};

/// What an agent does for a task.
pub(super) struct Work<'a> {
    pub(super) desk: &'a dyn Desk,
    pub(super) findings: Findings,
    /// The task, or the task with the question behind it.
    pub(super) texts: [&'a str; 2],
    pub(super) wanted: TaskText,
    pub(super) sides: Vec<Side>,
    pub(super) storm: Storm,
    pub(super) evidence: &'a [Evidence],
}

impl<'a> Work<'a> {
    pub(super) fn new(task: &'a AgentTask, desk: &'a dyn Desk) -> Self {
        let texts = [task.task.as_str(), task.question.as_str()];
        let [own, question] = texts;
        let mut asked = sides(own);
        if asked.is_empty() {
            asked = sides(question);
        }
        Self {
            desk,
            findings: Findings::default(),
            texts,
            wanted: TaskText::read(own).or(TaskText::read(question)),
            sides: asked,
            storm: Storm::of(&task.evidence),
            evidence: &task.evidence,
        }
    }

    pub(super) fn into_answer(self) -> AgentAnswer {
        self.findings.into_answer()
    }

    /// Answers one topic.
    pub(super) async fn answer(&mut self, topic: Topic) {
        match topic {
            Topic::StormEvents => self.storm_events().await,
            Topic::List => self.list().await,
            Topic::Nearest => self.nearest().await,
            Topic::Currents | Topic::CurrentPredictions | Topic::Latest(LatestProduct::Currents) => {
                for station in self.meters() {
                    self.station(&topic, &station).await;
                }
            }
            _ => {
                for station in self.gauges().await {
                    self.station(&topic, &station).await;
                }
            }
        }
    }

    /// Answers a topic at a station.
    async fn station(&mut self, topic: &Topic, station: &StationId) {
        let units = self.wanted.units.unwrap_or_default();
        let base = json!({ "station_id": station, "units": units });
        match topic {
            Topic::Convert { value, from, to, units } => {
                let arguments =
                    json!({"station_id": station, "value": value, "from": from, "to": to, "units": units});
                self.say("coops_convert_datum", arguments, sentences::convert).await;
            }
            Topic::Datums(asked) => {
                let asked = asked.clone();
                self.say("coops_get_datums", base, move |findings, found| {
                    sentences::datums(findings, found, &asked);
                })
                .await;
            }
            Topic::Record => {
                let low = self.sides.contains(&Side::Min);
                let datum = self.wanted.datum;
                self.say("coops_get_datums", base, move |findings, found| {
                    sentences::record(findings, found, low, datum);
                })
                .await;
            }
            Topic::Extremes => {
                let arguments = with(base, "datum", json!(self.wanted.datum.unwrap_or_default()));
                let ranks = ranks(self.texts);
                self.say("coops_get_extremes", arguments, move |findings, found| {
                    sentences::extremes(findings, found, &ranks);
                })
                .await;
            }
            Topic::FloodDays => {
                let year = year(self.texts[0]).or_else(|| year(self.texts[1]));
                let mut arguments = json!({ "station_id": station });
                if let Some(year) = year {
                    arguments["year"] = json!(year);
                }
                let text = self.texts.join(" ");
                self.say("coops_get_flood_days", arguments, move |findings, found| {
                    sentences::flood_days(findings, found, &text);
                })
                .await;
            }
            Topic::Trend => self.say("coops_get_sea_level_trend", base, sentences::trend).await,
            Topic::Harmonics(name) => {
                let arguments = with(base, "constituent", json!(name));
                let name = name.clone();
                self.say("coops_get_harmonics", arguments, move |findings, found| {
                    sentences::harmonics(findings, found, &name);
                })
                .await;
            }
            Topic::ReturnLevels(years) => {
                let (arguments, years) = (with(base, "years", json!(years)), *years);
                self.say("coops_get_return_levels", arguments, move |findings, found| {
                    sentences::return_level(findings, found, years);
                })
                .await;
            }
            Topic::Station => {
                let blocks = json!(["details", "sensors", "datums", "floodlevels", "harcon"]);
                let text = self.texts.join(" ");
                self.say("coops_get_station", with(base, "expand", blocks), move |findings, found| {
                    sentences::station(findings, found, &text);
                })
                .await;
            }
            Topic::Latest(product) => self.latest(*product, station).await,
            _ => self.windowed(topic, station).await,
        }
    }

    /// The newest value of a sensor.
    async fn latest(&mut self, product: LatestProduct, station: &StationId) {
        let arguments = json!({
            "station_id": station,
            "product": product,
            "datum": self.wanted.datum.unwrap_or_default(),
            "units": self.wanted.units.unwrap_or_default(),
        });
        let what = said_series::latest_words(product);
        self.say("coops_get_latest", arguments, move |findings, found| {
            said_series::latest(findings, found, what);
        })
        .await;
    }

    /// Whether the question is of the present, and of no extreme.
    fn is_present(&self) -> bool {
        let [own, question] = self.texts;
        let text = if question.is_empty() { own } else { question };
        says(text, &["is", "are", "is it", "blowing", "flowing"])
            && !says(text, &["was", "were", "did", "had", "has", "have", "reached"])
            && self.sides.iter().all(|side| *side == Side::Last)
    }

    /// Answers a topic that needs dates.
    async fn windowed(&mut self, topic: &Topic, station: &StationId) {
        // What is, without a date, is the newest value.
        if self.wanted.span.is_none() && self.storm.window.is_none() && self.is_present() {
            let product = match topic {
                Topic::Currents => Some(LatestProduct::Currents),
                Topic::Met(sensor) => Some(super::topics::latest(*sensor)),
                Topic::Level => Some(LatestProduct::WaterLevel),
                _ => None,
            };
            if let Some(product) = product {
                return self.latest(product, station).await;
            }
        }
        let Some(window) = self.window() else { return };
        let arguments = json!({
            "station_id": station,
            "begin": format!("{}Z", window.begin),
            "end": format!("{}Z", window.end),
        });
        let units = self.wanted.units.unwrap_or_default();
        let in_units = with(arguments.clone(), "units", json!(units));
        match topic {
            Topic::Met(sensor) => {
                let (_, what) = sensor.product();
                let sides = self.sides.clone();
                let text = self.texts.join(" ");
                self.say(
                    "coops_get_met",
                    with(in_units, "product", json!(sensor)),
                    move |findings, found| {
                        said_series::met(findings, found, what, &sides, &text);
                    },
                )
                .await;
            }
            Topic::Currents | Topic::CurrentPredictions => {
                let tool = if *topic == Topic::Currents {
                    "coops_get_currents"
                } else {
                    "coops_get_current_predictions"
                };
                let mut arguments = in_units;
                if let Some(bin) = bin(self.texts) {
                    arguments["bin"] = json!(bin);
                }
                let sides = self.sides.clone();
                let predicted = *topic == Topic::CurrentPredictions;
                self.say(tool, arguments, move |findings, found| {
                    said_series::currents(findings, found, &sides, predicted);
                })
                .await;
            }
            Topic::Residual => {
                let arguments = match self.wanted.datum {
                    Some(datum) => with(arguments, "datum", json!(datum)),
                    None => arguments,
                };
                self.say("coops_get_residual", arguments, said_series::residual).await;
            }
            Topic::DailyExtremes => {
                let arguments = with(in_units, "datum", json!(self.wanted.datum.unwrap_or_default()));
                let sides = self.sides.clone();
                self.say("coops_get_daily_extremes", arguments, move |findings, found| {
                    said_series::daily(findings, found, &sides);
                })
                .await;
            }
            Topic::Predictions => self.predictions(in_units, station).await,
            _ => self.levels(in_units, station, window).await,
        }
    }

    /// Calls a tool and lets its evidence be said; a failure and a lack of data become gaps.
    async fn say(&mut self, tool: &str, arguments: Value, say: impl FnOnce(&mut Findings, &[Evidence])) {
        match self.desk.call(tool, arguments).await {
            Ok(result) => {
                if let Some(none) = find(&result.evidence, "no_data") {
                    let said = none.value.as_str().unwrap_or("the answer is empty");
                    let place = crate::gauge::prose::station(none);
                    self.findings.gap(format!("no data at {place}: {said}"));
                }
                say(&mut self.findings, &result.evidence);
            }
            // The record levels stand in two places, of which a station may have one.
            Err(_) if tool == "coops_get_extremes" && !self.findings.is_empty() => {}
            Err(error) if tool == "coops_get_residual" => {
                self.findings.failed("the surge above the predicted tide", &error);
            }
            Err(error) => self.findings.gap(error.message),
        }
    }

    async fn nearest(&mut self) {
        let mut found: Vec<Point> = Vec::new();
        for text in self.texts {
            found = points(text);
            found.extend(places(text).iter().map(crate::question::places::Place::point));
            if !found.is_empty() {
                break;
            }
        }
        if found.is_empty() {
            found.clone_from(&self.storm.places);
        }
        if found.is_empty() {
            self.findings
                .gap("no place is named; give a town or degrees north and east, such as `26.6, -81.9`");
        }
        for point in found {
            self.near(point, 100.0, 5).await;
        }
    }

    async fn list(&mut self) {
        let state = self.texts.iter().find_map(|text| states(text).into_iter().next());
        let mut arguments = json!({});
        if let Some(state) = &state {
            arguments["state"] = json!(state);
        }
        self.say("coops_list_stations", arguments, move |findings, found| {
            sentences::list(findings, found, state.as_deref());
        })
        .await;
    }

    async fn storm_events(&mut self) {
        let named = self.texts.iter().find_map(|text| storms(text).into_iter().next());
        let mut arguments = json!({});
        if let Some(storm) = &named {
            arguments["name"] = json!(storm.name);
            if let Some(season) = storm.season {
                arguments["year"] = json!(season);
            }
        }
        self.say("coops_list_storm_events", arguments, sentences::storm_event).await;
    }
}

pub(super) fn with(mut arguments: Value, name: &str, value: Value) -> Value {
    arguments[name] = value;
    arguments
}

/// The year that a text names.
fn year(text: &str) -> Option<i16> {
    tokens(text).into_iter().find_map(crate::question::dates::year)
}

/// `bin 4`.
fn bin(texts: [&str; 2]) -> Option<u32> {
    texts.iter().find_map(|text| {
        let tokens = tokens(text);
        tokens
            .windows(2)
            .find(|pair| pair[0].eq_ignore_ascii_case("bin"))
            .and_then(|pair| pair[1].parse().ok())
    })
}

/// The ranks that a text names: `second highest`, `number 3`.
fn ranks(texts: [&str; 2]) -> Vec<usize> {
    let words = ["second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"];
    let has = |word: &str| texts.iter().any(|text| crate::question::says(text, &[word]));
    words.iter().enumerate().filter(|(_, word)| has(word)).map(|(at, _)| at + 2).collect()
}

//! [`Work`]: the calls that answer a topic.

use leg_core::{AgentAnswer, AgentTask, Desk, Evidence};
use serde_json::json;

use super::calls::{bin, with, year};
use super::storm::Storm;
use super::task_text::TaskText;
use super::tools::LatestProduct;
use super::topics::Topic;
use super::{said_series, sentences};
use crate::StationId;
use crate::findings::Findings;
use crate::gauge::asked::{Side, sides};
use crate::question::coordinates::points;
use crate::question::places::{places, states};
use crate::question::storms::storms;
use crate::question::{Point, names, says};

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
        let mut work = Self {
            desk,
            findings: Findings::default(),
            texts: ["", ""],
            wanted: TaskText::default(),
            sides: Vec::new(),
            storm: Storm::of(&task.evidence),
            evidence: &task.evidence,
        };
        work.turn_to(&task.task, &task.question);
        work
    }

    /// Works on a text from now on; what it leaves open is in the one behind it.
    pub(super) fn turn_to(&mut self, own: &'a str, question: &'a str) {
        self.texts = [own, question];
        self.sides = sides(own);
        if self.sides.is_empty() {
            self.sides = sides(question);
        }
        self.wanted = TaskText::read(own).or(TaskText::read(question));
        let clock = crate::question::dates::clock(own).or_else(|| crate::question::dates::clock(question));
        match (clock, self.wanted.span) {
            // The first value of a day is that of midnight.
            (Some((0, 0)), Some(_)) if !self.sides.contains(&Side::First) => self.sides.push(Side::First),
            (Some((hour, minute)), Some((from, to)))
                if from == to && self.sides.is_empty() && hour + minute > 0 =>
            {
                let at = format!("{}T{hour:02}:{minute:02}:00", from.first().date()).parse().ok();
                // A moment that the date itself gives stays.
                if from.first() != from.last() {
                    self.wanted.span = at.map(|at| (at, at)).or(self.wanted.span);
                }
            }
            _ => {}
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
                let arguments = with(base.clone(), "datum", json!(self.wanted.datum.unwrap_or_default()));
                let ranks = ranks(self.texts);
                let text = self.texts.join(" ");
                let said = self
                    .say("coops_get_extremes", arguments, move |findings, found| {
                        sentences::extremes(findings, found, &ranks, &text);
                    })
                    .await;
                // A station without a list may have been analysed.
                if !said && self.findings.is_empty() {
                    let arguments = with(base, "years", json!(10.0));
                    self.say("coops_get_return_levels", arguments, |findings, found| {
                        sentences::return_level(findings, found, 10.0);
                    })
                    .await;
                }
            }
            Topic::FloodDays => {
                let year = year(self.texts[0]).or_else(|| year(self.texts[1]));
                let mut arguments = json!({ "station_id": station });
                if let Some(year) = year {
                    arguments["year"] = json!(year);
                }
                let text = self.texts.join(" ");
                // Of one year, and how many years there are.
                let years = names(&text, &["how many years", "number of years", "years of", "years are"]);
                let all = (year.is_some() && years).then(|| json!({ "station_id": station }));
                for arguments in std::iter::once(arguments).chain(all) {
                    let text = text.clone();
                    self.say("coops_get_flood_days", arguments, move |findings, found| {
                        sentences::flood_days(findings, found, &text);
                    })
                    .await;
                }
            }
            Topic::Trend => {
                self.say("coops_get_sea_level_trend", base, sentences::trend).await;
            }
            Topic::Harmonics(named) => {
                let name = named.clone().unwrap_or_else(|| "M2".to_owned());
                let arguments = with(base, "constituent", json!(name));
                let text = self.texts.join(" ");
                // How many there are says nothing of one of them.
                let only_count = named.is_none() && self.sides.contains(&Side::Count);
                self.say("coops_get_harmonics", arguments, move |findings, found| {
                    sentences::harmonics(findings, found, (!only_count).then_some(name.as_str()), &text);
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
                let window = self.wanted.span;
                let said = self
                    .say("coops_get_station", with(base, "expand", blocks), move |findings, found| {
                        sentences::station(findings, found, &text);
                    })
                    .await;
                // Its values say its name too.
                if !said && window.is_some() && self.findings.is_empty() {
                    Box::pin(self.windowed(&Topic::Level, station)).await;
                }
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
        let counted = in_units.clone();
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
                self.count_with_midnight(
                    "coops_get_met",
                    with(counted, "product", json!(sensor)),
                    window,
                    "observations",
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
                self.say(tool, arguments.clone(), move |findings, found| {
                    said_series::currents(findings, found, &sides, predicted);
                })
                .await;
                self.count_with_midnight(tool, arguments, window, "values of the current").await;
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

/// The ranks that a text names: `second highest`, `number 3`.
fn ranks(texts: [&str; 2]) -> Vec<usize> {
    let words = ["second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"];
    let has = |word: &str| texts.iter().any(|text| crate::question::says(text, &[word]));
    words.iter().enumerate().filter(|(_, word)| has(word)).map(|(at, _)| at + 2).collect()
}

//! [`Work`]: the NHC agent at one task: which storm is meant, and which tools tell of it.

use std::sync::LazyLock;

use leg_core::run::CallResult;
use leg_core::{Desk, ToolError, ToolErrorKind};
use regex::Regex;
use serde_json::json;

use super::category::least_wind;
use super::sentences;
use super::wanted::Wanted;
use crate::findings::Findings;
use crate::prose::named;
use crate::question::storms::Storm;
use crate::question::{dates, says, tokens};

/// Words of questions that other specialists answer from the dates and places of a track.
const WATER: [&str; 12] = [
    "water level",
    "water levels",
    "gauge",
    "gauges",
    "tide",
    "tides",
    "high-water",
    "high water",
    "marks",
    "flood",
    "flooding",
    "stofs",
];

/// The most seasons that are counted one by one; more are a span.
const MOST_SEASONS: usize = 4;

/// `Polo's`: a word with a capital that something belongs to.
static OWNED: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"\b([A-Z][a-z]{2,14})['’]s\b").ok());

/// The work on one task.
pub(super) struct Work<'a> {
    wanted: Wanted,
    words: String,
    desk: &'a dyn Desk,
    pub(super) findings: Findings,
    /// The list of active storms, asked for once.
    active: Option<Result<CallResult, ToolError>>,
}

/// A storm of the list of active ones: its place in the list and its id.
struct Listed {
    slot: usize,
    id: String,
    name: String,
}

impl<'a> Work<'a> {
    /// Nothing done yet.
    pub(super) fn new(wanted: Wanted, words: String, desk: &'a dyn Desk) -> Self {
        Self { wanted, words, desk, findings: Findings::default(), active: None }
    }

    /// Does it all.
    pub(super) async fn all(&mut self) {
        let storms = self.wanted.storms.clone();
        if storms.is_empty() {
            self.without_storm().await;
            return;
        }
        for storm in &storms {
            self.storm(storm).await;
        }
        self.others_of_today(&storms).await;
        if self.wanted.active && says(&self.words, &["active"]) {
            self.all_active().await;
        }
    }

    async fn list(&mut self) -> Result<CallResult, ToolError> {
        if self.active.is_none() {
            self.active = Some(self.desk.call("nhc_list_active_storms", json!({})).await);
        }
        match &self.active {
            Some(answer) => answer.clone(),
            None => Err(ToolError::new(ToolErrorKind::Internal, "the list was not asked for")),
        }
    }

    fn listed(result: &CallResult) -> Vec<Listed> {
        let text = |name: String| Some(named(&result.evidence, &name)?.value.as_str()?.to_owned());
        (1..=15)
            .map_while(|slot| {
                let id = text(format!("storm_{slot}_id"))?;
                Some(Listed { slot, id, name: text(format!("storm_{slot}_name"))? })
            })
            .collect()
    }

    /// A task that names no storm: all active ones, one of them by a name that no table has, or a season.
    async fn without_storm(&mut self) {
        // A year may be the date of a list: `On 11 August 2025, what was Erin's position?`
        if self.wanted.of_season() && !self.wanted.active && (self.of_many() || !self.is_listed().await) {
            self.season().await;
            return;
        }
        match self.list().await {
            Ok(result) => {
                let words = self.words.clone();
                let by_name: Vec<Listed> = Self::listed(&result)
                    .into_iter()
                    .filter(|own| says(&words, &[&own.name.to_lowercase()]) && own.name.len() > 2)
                    .collect();
                if by_name.is_empty() {
                    if self.wanted.active || self.general() {
                        self.all_active().await;
                    } else {
                        self.findings.gap(
                            "no storm is named; give its name and year, such as `Ian 2022`, or its id, such as `AL092022`",
                        );
                    }
                    return;
                }
                for one in by_name {
                    self.active_storm(&result, &one).await;
                }
            }
            Err(error) => self.findings.failed("the list of active storms did not come", &error),
        }
    }

    /// Active storms by names that no table has, beside storms that are known: `How strong was Irma, and how strong is Polo?`
    async fn others_of_today(&mut self, known: &[Storm]) {
        let named = || {
            let names = OWNED.iter().flat_map(|regex| regex.captures_iter(&self.words));
            let mut names = names.filter_map(|own| own.get(1).map(|own| own.as_str()));
            names.any(|name| !known.iter().any(|own| own.name.eq_ignore_ascii_case(name)))
        };
        let today = says(&self.words, &["is", "now", "currently", "today"]);
        if self.wanted.active || !(today || named()) {
            return;
        }
        let Ok(result) = self.list().await else { return };
        let words = self.words.clone();
        for one in Self::listed(&result) {
            if one.name.len() > 2
                && says(&words, &[&one.name.to_lowercase()])
                && !known.iter().any(|own| own.name.eq_ignore_ascii_case(&one.name))
            {
                self.active_storm(&result, &one).await;
            }
        }
    }

    /// Whether the words are about storms of a season in general.
    fn of_many(&self) -> bool {
        says(&self.words, &["storms", "hurricanes", "cyclones", "systems", "season", "seasons"])
            || self.wanted.category.is_some()
    }

    /// Whether the words name an active storm.
    async fn is_listed(&mut self) -> bool {
        let Ok(result) = self.list().await else { return false };
        Self::listed(&result)
            .iter()
            .any(|own| own.name.len() > 2 && says(&self.words, &[&own.name.to_lowercase()]))
    }

    /// Whether a question without a storm is about all that are active.
    fn general(&self) -> bool {
        says(&self.words, &["storms", "hurricanes", "cyclones", "strongest storm", "any storm", "basin"])
            || self.wanted.watches
    }

    async fn all_active(&mut self) {
        match self.list().await {
            Ok(result) => {
                sentences::active(&mut self.findings, &result.evidence, &self.words);
                if self.wanted.watches || self.wanted.forecast {
                    for one in Self::listed(&result) {
                        self.products(&one.id, &one.name).await;
                    }
                }
            }
            Err(error) => self.findings.failed("the list of active storms did not come", &error),
        }
    }

    async fn active_storm(&mut self, result: &CallResult, one: &Listed) {
        sentences::active_storm(&mut self.findings, &result.evidence, one.slot, &self.wanted);
        self.products(&one.id, &one.name).await;
    }

    /// Forecast, watches, surge and advisory, as far as they are asked for.
    async fn products(&mut self, id: &str, name: &str) {
        if self.wanted.forecast {
            let mut arguments = json!({ "storm_id": id });
            if let Some(time) = self.wanted.time {
                arguments["cycle"] = json!(format!("{}Z", time.first()));
                if time.first() != time.last() {
                    arguments["cycle"] = json!(time.first().date().to_string());
                }
            }
            match self.desk.call("nhc_get_forecast_track", arguments).await {
                Ok(result) => {
                    sentences::forecast(&mut self.findings, &result.evidence, name, self.wanted.hours);
                }
                Err(error) => self.findings.failed(&format!("the forecast of {name} did not come"), &error),
            }
        }
        if self.wanted.watches {
            match self.desk.call("nhc_get_watches_warnings", json!({ "storm_id": id })).await {
                Ok(result) => sentences::watches(&mut self.findings, &result.evidence, name),
                Err(error) => {
                    self.findings.failed(&format!("the watches and warnings of {name} did not come"), &error);
                }
            }
        }
        if self.wanted.surge {
            let arguments = match &self.wanted.number {
                Some(number) => json!({ "storm_id": id, "number": number }),
                None => json!({ "storm_id": id }),
            };
            match self.desk.call("nhc_get_storm_surge_forecast", arguments).await {
                Ok(result) => sentences::surge(&mut self.findings, &result.evidence, name),
                Err(error) => {
                    self.findings.failed(&format!("the surge forecast of {name} did not come"), &error);
                }
            }
        } else if self.wanted.advisory && (self.wanted.number.is_some() || self.findings.is_empty()) {
            let mut arguments = json!({ "storm_id": id, "product": self.wanted.product });
            if let Some(number) = &self.wanted.number {
                arguments["number"] = json!(number);
            }
            let mut answer = self.desk.call("nhc_get_advisory", arguments.clone()).await;
            // A number belongs to the public and to the forecast advisory alike.
            if self.wanted.product == "public"
                && answer.as_ref().is_err_and(|error| error.kind == ToolErrorKind::NotFound)
            {
                arguments["product"] = json!("fstadv");
                if let Ok(other) = self.desk.call("nhc_get_advisory", arguments).await {
                    answer = Ok(other);
                }
            }
            match answer {
                Ok(result) => sentences::advisory(&mut self.findings, &result.evidence, name),
                Err(error) => self.findings.failed(&format!("the advisory of {name} did not come"), &error),
            }
        }
    }

    async fn storm(&mut self, storm: &Storm) {
        let products = self.wanted.forecast
            || self.wanted.watches
            || self.wanted.surge
            || (self.wanted.advisory && self.wanted.number.is_none());
        // A storm without a known season, and products of today, are looked for among the active ones first.
        if (storm.id.is_none() && storm.season.is_none()) || products || self.wanted.active {
            match self.list().await {
                Ok(result) => {
                    let mut all = Self::listed(&result).into_iter();
                    let own = storm.id.as_ref().map(ToString::to_string);
                    let found = all.find(|one| {
                        own.as_ref() == Some(&one.id)
                            || (one.name.eq_ignore_ascii_case(&storm.name)
                                && storm.season.is_none_or(|season| one.id.ends_with(&season.to_string())))
                    });
                    if let Some(one) = found {
                        self.active_storm(&result, &one).await;
                        return;
                    }
                }
                Err(error) if storm.id.is_none() => {
                    self.findings.failed("the list of active storms did not come", &error);
                }
                Err(_) => {}
            }
        }
        // Whether it is active: the list of all tells.
        if self.wanted.active && says(&self.words, &["active"]) && !self.wanted.of_strength() {
            return;
        }
        let Some(id) = self.id(storm).await else { return };
        self.products(&id, &storm.name).await;
        if let Some((point, place)) = self.wanted.near.clone() {
            let arguments = json!({ "storm_id": id, "lat": point.lat, "lon": point.lon });
            match self.desk.call("nhc_track_near_point", arguments).await {
                Ok(result) => {
                    sentences::near(&mut self.findings, &result.evidence, &storm.name, point, &place);
                }
                Err(error) => self
                    .findings
                    .failed(&format!("the closest approach of {} did not come", storm.name), &error),
            }
        }
        if let Some(time) = self.wanted.time.filter(|_| self.wanted.position && !self.wanted.forecast) {
            let text = if time.first() == time.last() {
                format!("{}Z", time.first())
            } else {
                time.first().date().to_string()
            };
            match self.desk.call("nhc_position_at", json!({ "storm_id": id, "time": text })).await {
                Ok(result) => sentences::position(&mut self.findings, &result.evidence, &storm.name),
                Err(error) => {
                    self.findings.failed(&format!("the position of {} did not come", storm.name), &error);
                }
            }
            return;
        }
        let of_track = self.wanted.of_track() && !(self.wanted.advisory && self.wanted.number.is_some());
        // Others go on from the track: dates and places of a storm whose water they look for.
        let for_others = products && (self.findings.is_empty() || says(&self.words, &WATER));
        if of_track || for_others {
            self.track(&id, &storm.name).await;
        }
    }

    async fn track(&mut self, id: &str, name: &str) {
        let mut arguments = json!({ "storm_id": id });
        if says(&self.words, &["b-deck", "bdeck", "b deck"]) {
            arguments["source"] = json!("bdeck");
        } else if says(&self.words, &["hurdat", "hurdat2"]) {
            arguments["source"] = json!("hurdat2");
        }
        match self.desk.call("nhc_get_best_track", arguments).await {
            Ok(result) => sentences::track(&mut self.findings, &result.evidence, &self.wanted, &self.words),
            Err(error) => {
                // A storm of today may have no track yet, and stands in the list.
                let missing = error.kind == ToolErrorKind::NotFound;
                if missing
                    && let Ok(result) = self.list().await
                    && let Some(one) = Self::listed(&result).into_iter().find(|one| one.id == id)
                {
                    sentences::active_storm(&mut self.findings, &result.evidence, one.slot, &self.wanted);
                    return;
                }
                self.findings.failed(&format!("the best track of {name} did not come"), &error);
            }
        }
    }

    /// The id of a storm: its own, or the only one of its name and season in the archive.
    async fn id(&mut self, storm: &Storm) -> Option<String> {
        if let Some(id) = &storm.id {
            return Some(id.to_string());
        }
        let mut arguments = json!({ "name": storm.name });
        if let Some(season) = storm.season {
            arguments["year"] = json!(season);
        }
        let result = match self.desk.call("nhc_search_storms", arguments).await {
            Ok(result) => result,
            Err(error) => {
                self.findings
                    .failed(&format!("the archive could not be searched for {}", storm.name), &error);
                return None;
            }
        };
        let of = |number: usize| named(&result.evidence, &format!("found_{number}_id"));
        // `Ana` is a part of `Tatiana`.
        let exact = (1..=40).filter_map(of).filter(|one| {
            let name = one.place.as_ref().and_then(|place| place.get("name")?.as_str());
            name.is_some_and(|name| name.eq_ignore_ascii_case(&storm.name))
        });
        let ids: Vec<&str> = exact.filter_map(|one| one.value.as_str()).collect();
        match ids.as_slice() {
            [only] => Some((*only).to_owned()),
            [] => {
                let season = storm.season.map(|season| format!(" in {season}")).unwrap_or_default();
                self.findings.gap(format!(
                    "the archive has no storm named {}{season}; give the id, such as `AL092022`",
                    storm.name
                ));
                None
            }
            several => {
                self.findings.gap(format!(
                    "there are {} storms named {}: {}; give the year or the id",
                    several.len(),
                    storm.name,
                    several.join(", ")
                ));
                None
            }
        }
    }

    /// The storms of each season that is named.
    async fn season(&mut self) {
        let mut years: Vec<i16> = tokens(&self.words).into_iter().filter_map(dates::year).collect();
        years.sort_unstable();
        years.dedup();
        if years.len() < 2 || years.len() > MOST_SEASONS {
            self.season_of(self.wanted.season).await;
            return;
        }
        for year in years {
            self.season_of(Some(year)).await;
        }
    }

    async fn season_of(&mut self, season: Option<i16>) {
        let mut arguments = json!({ "limit": 100 });
        if let Some(season) = season {
            arguments["year"] = json!(season);
        }
        let least = self.wanted.category.and_then(least_wind).or(self.wanted.least_wind);
        if let Some(least) = least {
            #[expect(clippy::cast_possible_truncation, reason = "winds of some hundred knots")]
            let least = least.round() as i64;
            arguments["min_wind"] = json!(least);
        }
        if says(&self.words, &["atlantic"]) {
            arguments["basin"] = json!("al");
        } else if says(&self.words, &["central pacific"]) {
            arguments["basin"] = json!("cp");
        } else if says(&self.words, &["eastern pacific", "east pacific", "northeast pacific"]) {
            arguments["basin"] = json!("ep");
        }
        match self.desk.call("nhc_search_storms", arguments).await {
            Ok(result) => sentences::season(&mut self.findings, &result.evidence, season, least, &self.words),
            Err(error) => self.findings.failed("the archive could not be searched", &error),
        }
    }
}

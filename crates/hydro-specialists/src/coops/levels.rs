//! Observed levels and predicted tides: which interval and which datum are asked for.

use leg_core::ToolErrorKind;
use leg_core::run::CallResult;
use serde_json::{Value, json};

use super::answers::Work;
use super::calls::with;
use super::said_series;
use crate::findings::find;
use crate::gauge::say::Words;
use crate::question::says;
use crate::{Datum, StationId, Window};

/// Longer windows are asked for by the hour.
const LONGEST_SIX_MINUTES: i64 = 31;

impl Work<'_> {
    /// Observed levels; a datum that nobody asked for gives way to the station's own zero.
    pub(super) async fn levels(&mut self, arguments: Value, station: &StationId, window: Window) {
        let by_length = if window.days() > LONGEST_SIX_MINUTES { "h" } else { "6" };
        let interval = self.wanted.interval.map_or_else(|| json!(by_length), |interval| json!(interval));
        let arguments = with(arguments, "interval", interval);
        let words = Words { what: "observed water level", one: "value", many: "values" };
        let tool = "coops_get_water_level";
        let from = self.findings.count();
        let Some(result) = self.on_some_datum(tool, arguments.clone(), station).await else { return };
        let asks =
            self.texts.iter().any(|text| says(text, &["quality", "verified", "preliminary", "checked"]));
        if let Some(one) = find(&result.evidence, "n_preliminary").filter(|_| asks) {
            said_series::quality(&mut self.findings, one);
        }
        if !crate::gauge::say::series(&mut self.findings, &result.evidence, words, &self.sides) {
            let said = find(&result.evidence, "no_data").and_then(|one| one.value.as_str());
            let said = said.unwrap_or("the series is empty");
            self.findings
                .gap(format!("station `{station}` has no observed water level in the window: {said}"));
        }
        self.reword(from);
        let datum = find(&result.evidence, "first").and_then(|one| one.datum.clone());
        if let Some(datum) = datum {
            let arguments = with(arguments, "datum", json!(datum));
            self.count_with_midnight(tool, arguments, window, "values of the observed water level").await;
        }
    }

    /// High and low tides, unless hours are asked for or only hours are there.
    pub(super) async fn predictions(&mut self, arguments: Value, station: &StationId) {
        let hourly = self.wanted.interval == Some(super::Interval::Hour);
        let steps = if hourly { ["h", "hilo"] } else { ["hilo", "h"] };
        let mut error = None;
        let from = self.findings.count();
        for step in steps {
            let mut arguments = with(arguments.clone(), "interval", json!(step));
            arguments["datum"] = json!(self.wanted.datum.unwrap_or_default());
            match self.call("coops_get_predictions", arguments).await {
                Ok(result) => {
                    let said = said_series::predictions(
                        &mut self.findings,
                        &result.evidence,
                        &self.sides,
                        step == "hilo",
                    );
                    if said {
                        self.reword(from);
                        return;
                    }
                    error = find(&result.evidence, "no_data")
                        .and_then(|one| one.value.as_str())
                        .map(str::to_owned);
                }
                Err(own) => error = Some(own.message),
            }
        }
        let said = error.unwrap_or_else(|| "the answer is empty".to_owned());
        self.findings.gap(format!("station `{station}` has no predicted tide in the window: {said}"));
    }

    /// Calls a tool on the datum that is asked for; when none is, and the usual one is not there, on the station's own.
    async fn on_some_datum(
        &mut self,
        tool: &str,
        arguments: Value,
        station: &StationId,
    ) -> Option<CallResult> {
        let asked = self.wanted.datum;
        let first = asked.unwrap_or_default();
        let error = match self.call(tool, with(arguments.clone(), "datum", json!(first))).await {
            Ok(result) => return Some(result),
            Err(error) => error,
        };
        if asked.is_none() && error.kind == ToolErrorKind::NotFound {
            let own = with(arguments, "datum", json!(Datum::Stnd));
            if let Ok(result) = self.call(tool, own).await {
                self.findings.gap(format!(
                    "station `{station}` gives no levels above {first} for this window; levels are above its own zero, STND"
                ));
                return Some(result);
            }
        }
        self.findings.gap(error.message);
        None
    }
}

//! The calls of [`Work`], and what of a text goes into their arguments.

use leg_core::run::CallResult;
use leg_core::{Evidence, ToolError, ToolErrorKind};
use serde_json::{Value, json};

use super::also::{Also, also};
use super::answers::Work;
use crate::Window;
use crate::findings::{Findings, find};
use crate::gauge::asked::Side;
use crate::gauge::prose::bare;
use crate::question::tokens;

impl Work<'_> {
    /// Calls a tool; units that it has nothing in give way to metric ones.
    pub(super) async fn call(&self, tool: &str, arguments: Value) -> Result<CallResult, ToolError> {
        let english = arguments.get("units").and_then(Value::as_str) == Some("english");
        match self.desk.call(tool, arguments.clone()).await {
            Err(error) if english && error.kind == ToolErrorKind::NotFound => {
                self.desk.call(tool, with(arguments, "units", json!("metric"))).await
            }
            result => result,
        }
    }

    /// Adds to the sentences from one on the units that are asked for.
    pub(super) fn reword(&mut self, from: usize) {
        let units: Vec<Also> = self.texts.iter().flat_map(|text| Also::read(text)).collect();
        self.findings.reword(from, |line| also(line, &units));
    }

    /// How many values there are up to the midnight that ends the last day: the service counts that one too.
    pub(super) async fn count_with_midnight(
        &mut self,
        tool: &str,
        arguments: Value,
        window: Window,
        what: &str,
    ) {
        if !self.sides.contains(&Side::Count) || (window.end.hour(), window.end.minute()) != (23, 59) {
            return;
        }
        let Ok(midnight) = window.end.checked_add(jiff::Span::new().minutes(1)) else { return };
        let arguments = with(arguments, "end", json!(format!("{midnight}Z")));
        let Ok(result) = self.call(tool, arguments).await else { return };
        let count = find(&result.evidence, "n_rows").or_else(|| find(&result.evidence, "n"));
        if let Some(one) = count.filter(|one| one.value.as_f64().is_some_and(|count| count > 0.0)) {
            let place = crate::gauge::prose::station(one);
            let text = format!(
                "From the first midnight to the last, both counted, {place} has {} {what}.",
                bare(one)
            );
            self.findings.say(text, &[one]);
        }
    }

    /// Calls a tool and lets its evidence be said; a failure and a lack of data become gaps. Whether the call answered.
    pub(super) async fn say(
        &mut self,
        tool: &str,
        arguments: Value,
        say: impl FnOnce(&mut Findings, &[Evidence]),
    ) -> bool {
        let from = self.findings.count();
        match self.call(tool, arguments).await {
            Ok(result) => {
                if let Some(none) = find(&result.evidence, "no_data") {
                    let said = none.value.as_str().unwrap_or("the answer is empty");
                    let place = crate::gauge::prose::station(none);
                    self.findings.gap(format!("no data at {place}: {said}"));
                }
                say(&mut self.findings, &result.evidence);
                self.reword(from);
                return true;
            }
            // The record levels stand in two places, of which a station may have one; levels of an analysis in a third.
            Err(error) if tool == "coops_get_extremes" && error.kind == ToolErrorKind::NotFound => {}
            Err(error) if tool == "coops_get_residual" => {
                self.findings.failed("the surge above the predicted tide", &error);
            }
            Err(error) => self.findings.gap(error.message),
        }
        false
    }
}

/// Arguments with one more.
pub(super) fn with(mut arguments: Value, name: &str, value: Value) -> Value {
    arguments[name] = value;
    arguments
}

/// The year that a text names.
pub(super) fn year(text: &str) -> Option<i16> {
    tokens(text).into_iter().find_map(crate::question::dates::year)
}

/// `bin 4`.
pub(super) fn bin(texts: [&str; 2]) -> Option<u32> {
    texts.iter().find_map(|text| {
        let tokens = tokens(text);
        tokens
            .windows(2)
            .find(|pair| pair[0].eq_ignore_ascii_case("bin"))
            .and_then(|pair| pair[1].parse().ok())
    })
}

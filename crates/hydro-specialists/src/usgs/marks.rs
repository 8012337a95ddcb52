//! High-water marks: which states, settings and counties are asked for.

use serde_json::{Value, json};

use super::sentences;
use super::specialist::{Work, whole};
use crate::question::places::{places, state_name, states};
use crate::question::{says, tokens};

impl Work<'_> {
    pub(super) async fn marks(&mut self) {
        let Some(event) = self.event().await else { return };
        let text = self.texts.join(" ");
        let mut arguments = json!({ "event_id": event.value.as_f64().map_or(0, whole) });
        let mut asked: Vec<String> =
            self.texts.iter().map(|text| states(text)).find(|own| !own.is_empty()).unwrap_or_default();
        if asked.is_empty() {
            // A town says the state too; which marks are near it is in their table.
            let own =
                self.texts.iter().map(|text| places(text)).find(|own| !own.is_empty()).unwrap_or_default();
            asked.extend(own.into_iter().map(|place| place.state));
            asked.dedup();
        }
        // Marks of rivers far inland are no surge.
        let coastal = says(&text, &["coastal", "coast", "surge", "storm tide", "shore", "shoreline"]);
        let riverine = says(&text, &["riverine", "river", "rivers", "inland"]);
        let environment = match (coastal, riverine) {
            (true, false) => Some("Coastal"),
            (false, true) => Some("Riverine"),
            _ => None,
        };
        let counties = counties(&text);
        if !asked.is_empty() {
            arguments["states"] = json!(asked);
        }
        if let Some(environment) = environment {
            arguments["environment"] = json!(environment);
        }
        if !counties.is_empty() {
            arguments["counties"] = json!(counties);
        }
        // States that are set against each other are asked for one by one.
        let each = asked.len() > 1
            && says(
                &text,
                &["compare", "each", "both", "versus", "vs", "which state", "respectively", "and in"],
            );
        if !each {
            return self.marks_of(arguments, &asked, environment, &counties, &text).await;
        }
        for code in &asked {
            let mut arguments = arguments.clone();
            arguments["states"] = json!([code]);
            // `North Carolina (coastal) and South Carolina`: what stands in brackets is of that state alone.
            let name = state_name(code).unwrap_or(code).to_lowercase();
            let bracketed =
                text.to_lowercase().contains("(coastal)") || text.to_lowercase().contains("(riverine)");
            let lower = text.to_lowercase();
            let own = environment.filter(|setting| {
                !bracketed || lower.contains(&format!("{name} ({})", setting.to_lowercase()))
            });
            if own.is_none()
                && let Some(arguments) = arguments.as_object_mut()
            {
                arguments.remove("environment");
            }
            self.marks_of(arguments, std::slice::from_ref(code), own, &counties, &text).await;
        }
    }

    async fn marks_of(
        &mut self,
        arguments: Value,
        states: &[String],
        environment: Option<&str>,
        counties: &[String],
        text: &str,
    ) {
        let scope = scope(states, environment, counties);
        self.say("usgs_get_high_water_marks", arguments, move |findings, found| {
            sentences::marks(findings, found, &scope, text);
        })
        .await;
    }
}

/// `Craven County`, as a text names it.
fn counties(text: &str) -> Vec<String> {
    let tokens = tokens(text);
    let mut found = Vec::new();
    for pair in tokens.windows(2) {
        let [name, word] = pair else { continue };
        if *word == "County"
            && name.starts_with(char::is_uppercase)
            && !matches!(*name, "Which" | "The" | "What")
        {
            let own = format!("{name} County");
            if !found.contains(&own) {
                found.push(own);
            }
        }
    }
    found
}

/// What the marks were limited to, in words.
fn scope(states: &[String], environment: Option<&str>, counties: &[String]) -> String {
    let names: Vec<&str> = states.iter().map(|code| state_name(code).unwrap_or(code)).collect();
    let mut place: Vec<&str> = counties.iter().map(String::as_str).collect();
    place.extend(names);
    let setting = environment.map(str::to_lowercase);
    match (setting, place.is_empty()) {
        (None, true) => String::new(),
        (None, false) => format!(" in {}", place.join(", ")),
        (Some(setting), true) => format!(" in {setting} settings"),
        (Some(setting), false) => format!(" in {setting} {}", place.join(", ")),
    }
}

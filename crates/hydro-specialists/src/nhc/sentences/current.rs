//! Sentences about the storms that are active.

use leg_core::Evidence;

use super::{All, at_place, is_zero, of, text};
use crate::findings::Findings;
use crate::nhc::wanted::Wanted;
use crate::prose::{list, measure, named, on};
use crate::question::says;

/// All active storms.
pub(in crate::nhc) fn active(findings: &mut Findings, all: All<'_>, words: &str) {
    let Some(count) = named(all, "n_active") else { return };
    if is_zero(count) {
        findings.say("There are 0 active storms in the list of the National Hurricane Center.", &[count]);
        return;
    }
    let plural = if count.value.as_f64() == Some(1.0) { "storm is" } else { "storms are" };
    let names = named(all, "storms").map(text);
    let names: Vec<String> = names
        .iter()
        .flat_map(|names| names.split(", "))
        .filter_map(|one| one.split(" (").next())
        .map(str::to_owned)
        .collect();
    findings.say(format!("{} {plural} active: {}.", measure(count), list(&names)), &[count]);
    if let Some(wind) = named(all, "strongest_wind") {
        let pressure = named(all, "strongest_pressure");
        let low =
            pressure.map(|one| format!(" and a central pressure of {}", measure(one))).unwrap_or_default();
        let mut cited = vec![wind];
        cited.extend(pressure);
        let verb = if names.len() > 1 { "The strongest is" } else { "It is" };
        let sentence = format!(
            "{verb} {}, with winds of {}{low}{}{}.",
            of(wind),
            measure(wind),
            at_place(wind),
            on(wind)
        );
        findings.say(sentence, &cited);
    }
    if says(
        words,
        &["advisory", "advisories", "each", "list", "all", "where", "position", "positions", "which"],
    ) {
        for slot in 1..=15 {
            let Some(name) = named(all, &format!("storm_{slot}_name")) else { break };
            state(findings, all, slot, name);
            if says(words, &["advisory", "advisories"]) {
                number(findings, all, slot);
            }
        }
    }
}

fn state(findings: &mut Findings, all: All<'_>, slot: usize, name: &Evidence) {
    let own = |what: &str| named(all, &format!("storm_{slot}_{what}"));
    let (Some(lat), Some(lon)) = (own("lat"), own("lon")) else { return };
    let strength: Vec<(&Evidence, String)> = [("wind", "winds of"), ("pressure", "a central pressure of")]
        .into_iter()
        .filter_map(|(key, words)| own(key).map(|one| (one, format!("{words} {}", measure(one)))))
        .collect();
    let with: Vec<String> = strength.iter().map(|(_, words)| words.clone()).collect();
    let with = if with.is_empty() { String::new() } else { format!(", with {}", list(&with)) };
    let mut cited = vec![lat, lon];
    cited.extend(strength.iter().map(|(one, _)| *one));
    let slot =
        lat.place.as_ref().and_then(|place| place.get("slot")?.as_str()).filter(|slot| !slot.is_empty());
    let id = own("id").map(text).unwrap_or_default();
    let label = slot.map_or_else(|| id.clone(), |slot| format!("{id}, slot {slot}"));
    findings.say(format!("{} ({label}) was{}{}{with}.", text(name), at_place(lat), on(lat)), &cited);
}

fn number(findings: &mut Findings, all: All<'_>, slot: usize) {
    if let Some(advisory) = named(all, &format!("storm_{slot}_advisory")) {
        let sentence = format!(
            "The newest public advisory of {} is number {}, issued{}.",
            of(advisory),
            text(advisory),
            on(advisory)
        );
        findings.say(sentence, &[advisory]);
    }
}

/// One active storm.
pub(in crate::nhc) fn active_storm(findings: &mut Findings, all: All<'_>, slot: usize, wanted: &Wanted) {
    let Some(name) = named(all, &format!("storm_{slot}_name")) else { return };
    if wanted.advisory && wanted.number.is_none() {
        number(findings, all, slot);
    }
    state(findings, all, slot, name);
    let own = |what: &str| named(all, &format!("storm_{slot}_{what}"));
    if wanted.pressure && own("pressure").is_none() {
        findings.gap(format!("the list of active storms has no pressure of {}", text(name)));
    }
    if wanted.wind && own("wind").is_none() {
        findings.gap(format!("the list of active storms has no wind of {}", text(name)));
    }
}

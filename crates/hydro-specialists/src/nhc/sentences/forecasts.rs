//! Sentences about forecasts, watches and advisories.

use leg_core::Evidence;
use leg_core::evidence::prose_unit;

use super::{All, at_place, is_zero, of, text};
use crate::findings::Findings;
use crate::prose::{list, measure, named, on, plain};

/// The official forecast.
pub(in crate::nhc) fn forecast(findings: &mut Findings, all: All<'_>, name: &str, hours: Option<i64>) {
    if let Some(no_data) = named(all, "no_data") {
        findings.gap(format!("{name}: {}", text(no_data)));
        return;
    }
    if let Some(hours) = hours {
        let own = |what: &str| named(all, &format!("at_{hours}h_{what}"));
        if let (Some(lat), Some(lon)) = (own("lat"), own("lon")) {
            let wind = own("wind");
            let with = wind.map(|one| format!(", with winds of {}", measure(one))).unwrap_or_default();
            let mut cited = vec![lat, lon];
            cited.extend(wind);
            let sentence = format!(
                "The official forecast puts {} {hours} hours ahead{}{}{with}.",
                of(lat),
                at_place(lat),
                on(lat)
            );
            findings.say(sentence, &cited);
        } else {
            let taus = named(all, "taus").map(text).unwrap_or_default();
            findings.gap(format!(
                "the forecast of {name} has no position for {hours} hours; it has those for {taus} hours"
            ));
        }
    }
    if let Some(wind) = named(all, "max_wind") {
        let sentence = format!(
            "The greatest wind of the official forecast of {} is {}{}.",
            of(wind),
            measure(wind),
            on(wind)
        );
        findings.say(sentence, &[wind]);
    }
    if let (Some(count), Some(last)) = (named(all, "n_points"), named(all, "last_point")) {
        let sentence = format!(
            "The forecast of {} has {} positions; the last one is{}{}.",
            of(count),
            measure(count),
            at_place(last),
            on(last)
        );
        findings.say(sentence, &[count, last]);
    }
    if let Some(end) = named(all, "dissipated") {
        findings.say(format!("The forecast has {} dissipated{}.", of(end), on(end)), &[end]);
    }
    if let (Some(cycles), Some(first)) = (named(all, "n_cycles"), named(all, "first_cycle")) {
        let sentence = format!(
            "The a-deck of {} holds {} official forecast cycles, the first one{}.",
            of(cycles),
            measure(cycles),
            on(first)
        );
        findings.say(sentence, &[cycles, first]);
        if let Some(wind) = named(all, "max_wind_all_cycles") {
            let sentence = format!(
                "The greatest wind that any official forecast gave {} is {}, for{}.",
                of(wind),
                measure(wind),
                on(wind).trim_start_matches(" on")
            );
            findings.say(sentence, &[wind]);
        }
        if let Some(taus) = named(all, "all_taus") {
            let hours: Vec<String> = text(taus).split(", ").map(str::to_owned).collect();
            findings.say(format!("The hours of these forecasts are {}.", list(&hours)), &[taus]);
        }
    }
}

/// Watches and warnings.
pub(in crate::nhc) fn watches(findings: &mut Findings, all: All<'_>, name: &str) {
    let Some(count) = named(all, "n_segments") else { return };
    if is_zero(count) {
        findings.say(
            format!("The map service has 0 stretches of coast with a watch or a warning for {name}."),
            &[count],
        );
        return;
    }
    let kinds: Vec<(&Evidence, &Evidence)> = (1..=8)
        .map_while(|at| {
            Some((named(all, &format!("kind_{at}_label"))?, named(all, &format!("kind_{at}_count"))?))
        })
        .collect();
    let code = |one: &Evidence| one.method.rsplit(' ').next().unwrap_or_default().to_owned();
    let labels: Vec<String> =
        kinds.iter().map(|(label, _)| format!("{} ({})", text(label), code(label))).collect();
    let mut cited = vec![count];
    cited.extend(kinds.iter().map(|(label, _)| *label));
    let sentence = format!(
        "Of {}, {} stretches of coast have a watch or a warning in force{}: {}.",
        of(count),
        measure(count),
        on(count).replacen(" on ", " as of ", 1),
        list(&labels)
    );
    findings.say(sentence, &cited);
}

/// The surge of an advisory.
pub(in crate::nhc) fn surge(findings: &mut Findings, all: All<'_>, name: &str) {
    if let Some(no_data) = named(all, "no_data") {
        findings.gap(format!("{name}: {}", text(no_data)));
        return;
    }
    let range = |low: Option<&Evidence>, high: &Evidence| {
        let unit = prose_unit(&high.unit);
        match low.and_then(|low| low.value.as_f64()) {
            Some(low) => format!("{} to {} {unit}", plain(low), plain(high.value.as_f64().unwrap_or(low))),
            None => format!("up to {}", measure(high)),
        }
    };
    for at in 1..=20 {
        let Some(high) = named(all, &format!("surge_{at}_high")) else { break };
        let low = named(all, &format!("surge_{at}_low"));
        let area = high.place.as_ref().and_then(|place| place.get("area")?.as_str()).unwrap_or("the coast");
        let mut cited: Vec<&Evidence> = low.into_iter().collect();
        cited.push(high);
        let sentence = format!(
            "The advisory of {}{} expects a storm surge of {} above ground level from {area}.",
            of(high),
            on(high),
            range(low, high)
        );
        findings.say(sentence, &cited);
    }
}

/// What an advisory says.
pub(in crate::nhc) fn advisory(findings: &mut Findings, all: All<'_>, name: &str) {
    let own = |key: &str| named(all, key);
    let number = own("advisory_number");
    let label = number.map_or_else(|| "The advisory".to_owned(), |one| format!("Advisory {}", measure(one)));
    if let (Some(lat), Some(lon)) = (own("adv_lat"), own("adv_lon")) {
        let wind = own("adv_wind").or_else(|| own("adv_wind_mph"));
        let pressure = own("adv_pressure");
        let with: Vec<String> = [
            wind.map(|one| format!("winds of {}", measure(one))),
            pressure.map(|one| format!("a central pressure of {}", measure(one))),
        ]
        .into_iter()
        .flatten()
        .collect();
        let with = if with.is_empty() { String::new() } else { format!(", with {}", list(&with)) };
        let issued = on(lat);
        let issued = if issued.is_empty() { String::new() } else { format!(", issued{issued},") };
        let mut cited = vec![lat, lon];
        cited.extend([wind, pressure, number].into_iter().flatten());
        findings
            .say(format!("{label} of {}{issued} puts the center{}{with}.", of(lat), at_place(lat)), &cited);
    } else if let Some(issued) = own("issued") {
        let mut cited = vec![issued];
        cited.extend(number);
        findings.say(format!("{label} of {} was issued{}.", of(issued), on(issued)), &cited);
    } else {
        findings.gap(format!(
            "the text of the advisory of {name} states no position and no time that can be read"
        ));
    }
    if let (Some(count), Some(last)) = (own("n_positions"), own("last_position")) {
        let sentence = format!(
            "It has {} forecast positions of {}; the last one is{}{}.",
            measure(count),
            of(count),
            at_place(last),
            on(last)
        );
        findings.say(sentence, &[count, last]);
    }
    if let Some(end) = own("dissipated") {
        findings.say(
            format!("The outlook{} is that {} has dissipated.", on(end).replacen(" on", " for", 1), of(end)),
            &[end],
        );
    }
}

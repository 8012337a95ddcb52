//! What the agent says of the evidence of its calls: a sentence a finding.

use leg_core::Evidence;
use leg_core::evidence::prose_unit;

use super::wanted::Wanted;
use crate::findings::Findings;
use crate::prose::{at, date, degrees, list, measure, named, on, plain};
use crate::question::{Point, says};

type All<'a> = &'a [Evidence];

fn text(one: &Evidence) -> String {
    one.value.as_str().map_or_else(|| measure(one), str::to_owned)
}

/// The name of the storm that evidence is of.
fn of(one: &Evidence) -> String {
    let name = one.place.as_ref().and_then(|place| place.get("name")?.as_str());
    name.unwrap_or("the storm").to_owned()
}

/// ` at 26.7°N, 82.2°W`, where evidence says where.
fn at_place(one: &Evidence) -> String {
    at(one).map_or_else(String::new, |at| format!(" at {at}"))
}

fn is_zero(one: &Evidence) -> bool {
    one.value.as_f64() == Some(0.0)
}

/// What the best track says.
pub(super) fn track(findings: &mut Findings, all: All<'_>, wanted: &Wanted, words: &str) {
    let any = wanted.wind
        || wanted.pressure
        || wanted.landfall
        || wanted.points
        || wanted.position
        || wanted.category.is_some();
    if let Some(no_data) = named(all, "no_data") {
        findings.gap(text(no_data));
        return;
    }
    if (wanted.wind || wanted.category.is_some() || !any) && !peak(findings, all) {
        findings.gap("the best track has no wind");
    }
    if (wanted.pressure || !any) && !pressure(findings, all) {
        let name = named(all, "storm_name").map_or_else(|| "the storm".to_owned(), text);
        findings.gap(format!("the best track of {name} has no pressure: every value is missing"));
    }
    if wanted.landfall || !any {
        landfalls(findings, all, wanted.landfall);
    }
    if wanted.points || wanted.position {
        points(findings, all, words);
        if wanted.position {
            peak(findings, all);
        }
    } else if any {
        // What is asked comes first; strength and time help to read it.
        peak(findings, all);
        pressure(findings, all);
    }
}

fn peak(findings: &mut Findings, all: All<'_>) -> bool {
    let Some(wind) = named(all, "peak_wind") else { return false };
    let category = named(all, "category").filter(|one| !is_zero(one));
    let grade = category.map(|one| format!(" (Category {} on the Saffir-Simpson scale)", measure(one)));
    let sentence = format!(
        "The greatest sustained wind of {} was {}{}{}{}.",
        of(wind),
        measure(wind),
        grade.unwrap_or_default(),
        on(wind),
        at_place(wind)
    );
    let mut cited = vec![wind];
    cited.extend(category);
    findings.say(sentence, &cited);
    true
}

fn pressure(findings: &mut Findings, all: All<'_>) -> bool {
    let Some(low) = named(all, "min_pressure") else { return false };
    let sentence = format!(
        "The lowest central pressure of {} was {}{}{}.",
        of(low),
        measure(low),
        on(low),
        at_place(low)
    );
    findings.say(sentence, &[low]);
    true
}

fn landfalls(findings: &mut Findings, all: All<'_>, asked: bool) {
    let count = named(all, "n_landfalls");
    let mut said = 0;
    for number in 1..=12 {
        for (what, verb) in [("landfall", "made landfall"), ("off_hour", "")] {
            let key = format!("{what}_{number}");
            let wind = named(all, &key);
            let pressure = named(all, &format!("{key}_pressure"));
            let Some(first) = wind.or(pressure) else { continue };
            if what == "off_hour" && !asked {
                continue;
            }
            said += 1;
            let near = first.place.as_ref().and_then(|place| place.get("place")?.as_str());
            let near = near.map(|near| format!(" (near {near})")).unwrap_or_default();
            let strength: Vec<String> = [
                wind.map(|one| format!("winds of {}", measure(one))),
                pressure.map(|one| format!("a central pressure of {}", measure(one))),
            ]
            .into_iter()
            .flatten()
            .collect();
            let rest = format!("{}{near}, with {}", at_place(first), list(&strength));
            let sentence = if verb.is_empty() {
                format!(
                    "The b-deck of {} has a point off the synoptic hours, as for a landfall or a peak,{}{rest}.",
                    of(first),
                    on(first)
                )
            } else {
                format!("{} {verb}{}{rest}.", of(first), on(first))
            };
            let cited: Vec<&Evidence> = [wind, pressure].into_iter().flatten().collect();
            findings.say(sentence, &cited);
        }
    }
    if let Some(count) = count.filter(|_| asked) {
        let plural = if count.value.as_f64() == Some(1.0) { "" } else { "s" };
        findings
            .say(format!("HURDAT2 marks {} landfall{plural} of {}.", measure(count), of(count)), &[count]);
    } else if asked && said == 0 {
        findings.gap("the b-deck of the storm marks no landfall and has no point off the synoptic hours");
    } else if asked && count.is_none() {
        findings.gap("a b-deck does not mark landfalls: which of its points off the synoptic hours are landfalls is not stated");
    }
}

fn points(findings: &mut Findings, all: All<'_>, words: &str) {
    let (Some(count), Some(track)) = (named(all, "n_points"), named(all, "track")) else { return };
    let source = named(all, "source").map_or_else(|| "best track".to_owned(), text);
    let span = track.when.as_deref().and_then(|when| when.split_once('/'));
    let span = span.map(|(from, to)| format!(", from {} to {}", date(from), date(to))).unwrap_or_default();
    let name = of(count);
    findings.say(
        format!("The best track of {name} ({source}) has {} points{span}.", measure(count)),
        &[count, track],
    );
    if let Some(lines) = named(all, "n_lines").filter(|_| says(words, &["lines", "rows"])) {
        findings.say(format!("The file has {} lines of {name}.", measure(lines)), &[lines]);
    }
    if let Some(first) = named(all, "first_name").filter(|_| says(words, &["first", "invest", "stage"])) {
        // The name is a word of the file; the points beside it make the sentence one that can be checked.
        findings.say(
            format!("The first of {} points of {name} has the name {}.", measure(count), text(first)),
            &[count, first],
        );
    }
}

/// Where it was at a time.
pub(super) fn position(findings: &mut Findings, all: All<'_>, name: &str) {
    let (Some(lat), Some(lon)) = (named(all, "pos_lat"), named(all, "pos_lon")) else {
        let said = named(all, "no_data").map_or_else(|| format!("there is no position of {name}"), text);
        findings.gap(said);
        return;
    };
    let strength: Vec<(&Evidence, String)> =
        [("pos_wind", "winds of"), ("pos_pressure", "a central pressure of")]
            .into_iter()
            .filter_map(|(key, words)| named(all, key).map(|one| (one, format!("{words} {}", measure(one)))))
            .collect();
    let with: Vec<String> = strength.iter().map(|(_, words)| words.clone()).collect();
    let with = if with.is_empty() { String::new() } else { format!(", with {}", list(&with)) };
    let sentence = format!("{} was{}{}{with}.", of(lat), at_place(lat), on(lat));
    let mut cited = vec![lat, lon];
    cited.extend(strength.iter().map(|(one, _)| *one));
    findings.say(sentence, &cited);
}

/// Where a track comes closest to a point.
pub(super) fn near(findings: &mut Findings, all: All<'_>, name: &str, point: Point, place: &str) {
    let Some(distance) = named(all, "closest_distance") else {
        findings.gap(named(all, "no_data").map_or_else(|| format!("there is no track of {name}"), text));
        return;
    };
    let spot = degrees(point.lat, point.lon);
    let goal = if place.is_empty() { spot } else { format!("{spot} ({place})") };
    let wind = named(all, "closest_wind");
    let with = wind.map(|one| format!(", with winds of {}", measure(one))).unwrap_or_default();
    let mut cited = vec![distance];
    cited.extend(wind);
    let sentence = format!(
        "The center of {} came closest to {goal}{}: {} away{with}.",
        of(distance),
        on(distance),
        measure(distance)
    );
    findings.say(sentence, &cited);
}

/// All active storms.
pub(super) fn active(findings: &mut Findings, all: All<'_>, words: &str) {
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
pub(super) fn active_storm(findings: &mut Findings, all: All<'_>, slot: usize, wanted: &Wanted) {
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

/// The official forecast.
pub(super) fn forecast(findings: &mut Findings, all: All<'_>, name: &str, hours: Option<i64>) {
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
pub(super) fn watches(findings: &mut Findings, all: All<'_>, name: &str) {
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
pub(super) fn surge(findings: &mut Findings, all: All<'_>, name: &str) {
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
pub(super) fn advisory(findings: &mut Findings, all: All<'_>, name: &str) {
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

/// Storms of a season.
pub(super) fn season(
    findings: &mut Findings,
    all: All<'_>,
    season: Option<i16>,
    least: Option<f64>,
    words: &str,
) {
    let Some(count) = named(all, "n_found") else { return };
    let year = season.map(|season| format!(" of the {season} season")).unwrap_or_default();
    let bound = least
        .map(|least| format!(" with a peak wind of at least {} knots", plain(least)))
        .unwrap_or_default();
    let plural = if count.value.as_f64() == Some(1.0) { "" } else { "s" };
    findings.say(format!("HURDAT2 has {} storm{plural}{year}{bound}.", measure(count)), &[count]);
    if is_zero(count) {
        return;
    }
    if let Some(hurricanes) = named(all, "n_hurricanes").filter(|_| least.is_none()) {
        findings.say(format!("{} of the storms{year} were hurricanes.", measure(hurricanes)), &[hurricanes]);
    }
    if let Some(major) = named(all, "n_major").filter(|_| least.is_none() && says(words, &["major"])) {
        findings.say(format!("{} of the storms{year} were major hurricanes.", measure(major)), &[major]);
    }
    if let Some(wind) = named(all, "strongest_wind") {
        let sentence =
            format!("The strongest of them was {}, with winds of {}{}.", of(wind), measure(wind), on(wind));
        findings.say(sentence, &[wind]);
    }
    if let Some(low) = named(all, "lowest_pressure") {
        let sentence =
            format!("The lowest central pressure of them was {} in {}{}.", measure(low), of(low), on(low));
        findings.say(sentence, &[low]);
    }
    let many = says(
        words,
        &["list", "which storms", "which hurricanes", "what storms", "name", "names", "named", "all"],
    );
    let few = count.value.as_f64().is_some_and(|count| count <= 8.0);
    if let Some(storms) = named(all, "storms").filter(|_| few || many) {
        findings.say(format!("The {} storms{year} are {}.", measure(count), text(storms)), &[count]);
    }
}

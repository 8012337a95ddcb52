//! Sentences about what a storm was: the best track.

use leg_core::Evidence;

use super::{All, at_place, is_zero, of, text};
use crate::findings::Findings;
use crate::nhc::wanted::Wanted;
use crate::prose::{date, degrees, list, measure, named, on};
use crate::question::{Point, says};

/// What the best track says.
pub(in crate::nhc) fn track(findings: &mut Findings, all: All<'_>, wanted: &Wanted, words: &str) {
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
    if let Some(lines) = named(all, "n_lines")
        .filter(|_| says(words, &["lines", "rows", "records", "entries", "file", "long"]))
    {
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
pub(in crate::nhc) fn position(findings: &mut Findings, all: All<'_>, name: &str) {
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
pub(in crate::nhc) fn near(findings: &mut Findings, all: All<'_>, name: &str, point: Point, place: &str) {
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

//! [`Case`]: one thing to look at: a variable at a depth, in a place, over a time. A comparison has several.

use std::collections::BTreeSet;

use super::answer::Missing;
use super::check::{check_baseline, check_depth, check_place, check_window};
use super::context::{DatasetContext, PlannerContext, VariableContext};
use super::reading::{Grammar, Reading};
use super::slots::{Depth, Origin, Place, Window};
use super::span::{Span, in_season, spans};
use super::subject::{Subject, bind_depths, dataset, mentions};
use super::whereabouts::places;

/// More tracks than these are asked for one by one.
const MAX_CASES: usize = 4;

/// One thing to look at.
#[derive(Debug, Clone)]
pub(super) struct Case {
    pub(super) variable: VariableContext,
    pub(super) place: Option<Place>,
    pub(super) point: Option<Place>,
    pub(super) window: Option<Window>,
    pub(super) season: Option<String>,
    pub(super) months: Option<Vec<u8>>,
    /// The depth that was said.
    pub(super) depth: Option<Depth>,
    /// What sets it apart from the other cases.
    pub(super) label: String,
    /// All of it in words.
    pub(super) goal: String,
}

/// What a question asks of one dataset.
#[derive(Debug)]
pub(super) struct Resolved {
    pub(super) cases: Vec<Case>,
    pub(super) dataset: DatasetContext,
    /// Whether tools must be told which dataset is meant.
    pub(super) name_dataset: bool,
    /// What the dataset covers, in whole months.
    pub(super) record: Option<Window>,
    pub(super) baseline: Option<Window>,
    pub(super) index: Option<super::slots::ClimateIndex>,
    pub(super) facts: BTreeSet<String>,
    /// The words that no slot used up.
    pub(super) text: String,
    pub(super) assumptions: Vec<String>,
}

/// Holds a reading against the datasets.
///
/// # Errors
/// Everything that is missing or that the data do not have.
pub(super) fn resolve(
    grammar: &Grammar,
    reading: &Reading,
    context: &PlannerContext,
) -> Result<Resolved, Vec<Missing>> {
    let mut missing: Vec<Missing> = reading
        .unclear
        .iter()
        .map(|(slot, ask, choices)| Missing::new(slot, format!("Please say {ask}."), choices.clone()))
        .collect();
    if context.datasets.is_empty() {
        missing.push(Missing::new("dataset", "Which dataset is meant? Name one with `--data`.", Vec::new()));
        return Err(missing);
    }
    let mentions = mentions(grammar, reading, context).map_err(|one| vec![one])?;
    let places = places(grammar, reading, context).map_err(|one| vec![one])?;
    let depths_given = context.overrides.depth.as_ref().map(Depth::from_json);
    let subjects = match depths_given {
        Some(None) => {
            let ask = "The depth cannot be read; write \"surface\", \"bottom\", {\"at\": 50} or {\"range\": [0, 200]}.";
            return Err(vec![Missing::new("depth", ask, Vec::new())]);
        }
        Some(depth) => mentions.iter().map(|found| Subject { mention: found.value.clone(), depth }).collect(),
        None => bind_depths(&mentions, &reading.depths),
    };
    let dataset = match dataset(reading, context, &subjects, &places.boxes) {
        Ok(dataset) => dataset.clone(),
        Err(one) => {
            missing.push(one);
            return Err(missing);
        }
    };
    let record = dataset.time.as_ref().and_then(|[start, end]| Window::new(start.get(..7)?, end.get(..7)?));
    let mut resolved = Resolved {
        cases: Vec::new(),
        name_dataset: context.datasets.len() > 1,
        record,
        baseline: reading.baseline.clone(),
        index: reading.index.clone(),
        facts: reading.facts(),
        text: reading.text.left().to_owned(),
        assumptions: reading.notes.clone(),
        dataset,
    };
    let spans = match spans(reading, context, resolved.record.as_ref()) {
        Ok(spans) => spans,
        Err(one) => {
            missing.push(one);
            return Err(missing);
        }
    };
    check_baseline(&resolved, &mut missing);
    for place in places.boxes.iter().chain(&places.points).flatten() {
        check_place(place, &resolved.dataset, &mut missing);
        if place.origin == Origin::Table {
            let version = grammar.places.version();
            resolved.assumptions.push(format!(
                "{} is taken as the box {} (table of named regions, version {version}).",
                place.label,
                place.area.words()
            ));
        }
    }
    let count = subjects.len() * places.boxes.len() * places.points.len() * spans.len();
    if count > MAX_CASES {
        let ask = format!(
            "The question has {count} combinations of place, time and variable; ask for at most {MAX_CASES} at once."
        );
        missing.push(Missing::new("region", ask, Vec::new()));
        return Err(missing);
    }
    for subject in &subjects {
        for place in &places.boxes {
            for point in &places.points {
                for span in &spans {
                    let varies = Varies {
                        subject: subjects.len() > 1,
                        place: places.boxes.len() > 1,
                        point: places.points.len() > 1,
                        span: spans.len() > 1,
                    };
                    case(&mut resolved, subject, (place.clone(), point.clone()), span, varies, &mut missing);
                }
            }
        }
    }
    missing.dedup();
    if missing.is_empty() {
        finish_facts(&mut resolved, context);
        Ok(resolved)
    } else {
        Err(missing)
    }
}

/// Which parts differ between the cases.
#[derive(Clone, Copy)]
#[expect(clippy::struct_excessive_bools, reason = "four independent answers to the same question")]
struct Varies {
    subject: bool,
    place: bool,
    point: bool,
    span: bool,
}

fn case(
    resolved: &mut Resolved,
    subject: &Subject,
    (place, point): (Option<Place>, Option<Place>),
    span: &Span,
    varies: Varies,
    missing: &mut Vec<Missing>,
) {
    let Some(variable) = subject.mention.meant.find(&resolved.dataset, subject.depth == Some(Depth::Surface))
    else {
        return;
    };
    let variable = variable.clone();
    check_depth(&variable, subject.depth, &resolved.dataset, missing);
    let southern = point.as_ref().or(place.as_ref()).is_some_and(|place| place.area.is_southern());
    let (window, season, months) = in_season(span, southern, &mut resolved.assumptions);
    if let (Some(window), Some(record)) = (&window, &resolved.record) {
        check_window(window, record, &resolved.dataset.name, missing);
        let inside = record.first_day() <= window.first_day() && window.last_day() <= record.last_day();
        if !inside && window.meets(record) {
            resolved.assumptions.push(format!(
                "{} reaches beyond the record, which has {}; what is there is used.",
                window.words(),
                record.words()
            ));
        }
    }
    let depth_words = subject.depth.filter(|_| variable.has_depth || subject.depth == Some(Depth::Surface));
    let name = subject.mention.meant.label();
    let subject_words = depth_words.map_or_else(|| name.clone(), |depth| format!("{} {name}", depth.words()));
    let place_words = point.as_ref().or(place.as_ref()).map(|place| place.label.clone());
    let time_words = match (&window, &span.season) {
        (Some(window), None) => Some(window.words()),
        (Some(window), Some(_)) => Some(match (&season, &months) {
            (Some(code), _) => format!("{code} of {}", window.words()),
            (None, Some(_)) => format!("chosen months of {}", window.words()),
            (None, None) => window.words(),
        }),
        (None, _) => season.clone(),
    };
    let parts = [
        (varies.subject, Some(subject_words)),
        (varies.place || varies.point, place_words),
        (varies.span, time_words),
    ];
    let join = |all: bool| {
        let words: Vec<&str> = parts
            .iter()
            .filter(|(differs, _)| all || *differs)
            .filter_map(|(_, words)| words.as_deref())
            .collect();
        words.join(", ")
    };
    let (label, goal) = (join(false), join(true));
    resolved.cases.push(Case {
        variable,
        place,
        point,
        window,
        season,
        months,
        depth: subject.depth,
        label,
        goal,
    });
}

fn finish_facts(resolved: &mut Resolved, context: &PlannerContext) {
    let facts = &mut resolved.facts;
    let mut set = |name: &str, holds: bool| {
        if holds {
            facts.insert(name.to_owned());
        } else {
            facts.remove(name);
        }
    };
    let windows: Vec<&Window> = resolved.cases.iter().filter_map(|case| case.window.as_ref()).collect();
    set("time", !windows.is_empty());
    set("point", resolved.cases.iter().any(|case| case.point.is_some()));
    set("box", resolved.cases.iter().any(|case| case.place.is_some()));
    set("depth", resolved.cases.iter().any(|case| case.depth.is_some()) || context.overrides.depth.is_some());
    set("short_time", !windows.is_empty() && windows.iter().all(|window| window.days() <= 10));
    let inside = |baseline: &Window| windows.iter().all(|window| window.contains(baseline));
    set("baseline_in_time", resolved.baseline.as_ref().is_some_and(inside));
    for count in 2..=MAX_CASES {
        set(&format!("cases_{count}"), resolved.cases.len() == count);
    }
}

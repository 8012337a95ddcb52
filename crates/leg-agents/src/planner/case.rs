//! [`Case`]: one thing to look at: a variable at a depth, in a place, over a time. A comparison has several.

use std::collections::BTreeSet;

use super::answer::Missing;
use super::context::{DatasetContext, PlannerContext, VariableContext};
use super::reading::{Grammar, Reading};
use super::slots::{
    Area, Depth, Found, Meant, Mention, Origin, Place, Places, SeasonWord, When, Window, overlaps,
};

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

/// Part of a case that may vary.
#[derive(Clone)]
struct Subject {
    mention: Mention,
    depth: Option<Depth>,
}

/// Part of a case that may vary.
#[derive(Clone, Default)]
struct Span {
    window: Option<Window>,
    season: Option<SeasonWord>,
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

/// The variables that are meant.
fn mentions(
    grammar: &Grammar,
    reading: &Reading,
    context: &PlannerContext,
) -> Result<Vec<Found<Mention>>, Missing> {
    if let Some(given) = &context.overrides.variable {
        let word = given.as_str().unwrap_or_default();
        let mention = grammar.variables.word(word, &context.datasets).ok_or_else(|| {
            let ask = format!("No dataset has a variable `{word}`. Which one is meant?");
            Missing::new("variable", ask, variable_choices(&context.datasets))
        })?;
        return Ok(vec![Found { value: mention, range: 0..0 }]);
    }
    let mut out: Vec<Found<Mention>> = Vec::new();
    for found in &reading.variables {
        // `surface temperature … temperature` is one variable, mentioned twice.
        if let Some(same) = out.iter_mut().find(|same| same.value.meant.label() == found.value.meant.label())
        {
            same.value.depth = same.value.depth.or(found.value.depth);
        } else {
            out.push(found.clone());
        }
    }
    if out.is_empty()
        && let Some(concept) =
            reading.index.as_ref().and_then(|index| grammar.variables.concept(&index.variable))
    {
        let mention = Mention { meant: Meant::Concept(concept.clone()), depth: Some(Depth::Surface) };
        out.push(Found { value: mention, range: 0..0 });
    }
    if out.is_empty() {
        return Err(Missing::new(
            "variable",
            "Which variable is meant?",
            variable_choices(&context.datasets),
        ));
    }
    Ok(out)
}

fn variable_choices(datasets: &[DatasetContext]) -> Vec<String> {
    let describe = |variable: &VariableContext| {
        let meaning = variable.standard_name.as_deref().or(variable.long_name.as_deref());
        meaning.map_or_else(
            || variable.name.clone(),
            |meaning| format!("{} ({})", variable.name, meaning.replace('_', " ")),
        )
    };
    datasets.iter().flat_map(|dataset| &dataset.variables).map(describe).take(24).collect()
}

/// Gives each depth to the nearest variable; a variable with two depths becomes two subjects.
fn bind_depths(mentions: &[Found<Mention>], depths: &[Found<Depth>]) -> Vec<Subject> {
    let distance = |mention: &Found<Mention>, depth: &Found<Depth>| {
        let (m, d) = (&mention.range, &depth.range);
        // A depth before its noun is nearer than one after the noun before.
        if m.start >= d.end { (m.start - d.end) * 2 } else { d.start.saturating_sub(m.end) * 2 + 1 }
    };
    let mut own: Vec<Vec<Depth>> =
        mentions.iter().map(|mention| mention.value.depth.into_iter().collect()).collect();
    for depth in depths {
        let nearest =
            (0..mentions.len()).min_by_key(|&i| mentions.get(i).map(|mention| distance(mention, depth)));
        if let Some(list) = nearest.and_then(|i| own.get_mut(i))
            && !list.contains(&depth.value)
        {
            list.push(depth.value);
        }
    }
    // One depth at the end of a list of variables holds for all of them: "temperature and salinity at 50 m".
    if let [only] = depths
        && mentions.len() > 1
        && own.iter().filter(|list| list.is_empty()).count() == own.len() - 1
        && mentions.iter().all(|mention| mention.range.end <= only.range.start)
    {
        own.iter_mut().for_each(|list| *list = vec![only.value]);
    }
    mentions
        .iter()
        .zip(own)
        .flat_map(|(mention, depths)| {
            let subject = |depth| Subject { mention: mention.value.clone(), depth };
            if depths.is_empty() {
                vec![subject(None)]
            } else {
                depths.into_iter().map(|depth| subject(Some(depth))).collect()
            }
        })
        .collect()
}

/// Boxes and points; each list has at least one entry.
struct Where {
    boxes: Vec<Option<Place>>,
    points: Vec<Option<Place>>,
}

fn places(grammar: &Grammar, reading: &Reading, context: &PlannerContext) -> Result<Where, Missing> {
    let one = |place: Place| match place.area {
        Area::Point(_) => Where { boxes: vec![None], points: vec![Some(place)] },
        Area::Box { .. } => Where { boxes: vec![Some(place)], points: vec![None] },
    };
    if let Some(given) = &context.overrides.region {
        let place = match given.get("name").and_then(|name| name.as_str()).or_else(|| given.as_str()) {
            Some(name) => grammar.places.named(name, &context.datasets),
            None => {
                Area::from_json(given).map(|area| Place { label: area.words(), area, origin: Origin::Given })
            }
        };
        return place.map(one).ok_or_else(|| {
            let ask = "The region cannot be read; write {\"lon\": [113, 117], \"lat\": [19, 22]}, {\"point\": [115, 20]} or a name.";
            Missing::new("region", ask, Places::choices(&context.datasets))
        });
    }
    let mut boxes: Vec<Option<Place>> =
        reading.places.iter().map(|place| Some(place.value.clone())).collect();
    let mut points: Vec<Option<Place>> =
        reading.points.iter().map(|place| Some(place.value.clone())).collect();
    if boxes.is_empty()
        && points.is_empty()
        && let Some(index) = &reading.index
    {
        boxes.extend(index.area().map(|area| {
            Some(Place { area, label: format!("{} region", index.label), origin: Origin::Given })
        }));
    }
    if boxes.is_empty() {
        boxes.push(None);
    }
    if points.is_empty() {
        points.push(None);
    }
    Ok(Where { boxes, points })
}

/// The dataset that has what is asked for.
fn dataset<'a>(
    reading: &Reading,
    context: &'a PlannerContext,
    subjects: &[Subject],
    boxes: &[Option<Place>],
) -> Result<&'a DatasetContext, Missing> {
    let has = |dataset: &DatasetContext| {
        subjects.iter().all(|subject| {
            subject.mention.meant.find(dataset, subject.depth == Some(Depth::Surface)).is_some()
        })
    };
    let mut fitting: Vec<&DatasetContext> = context.datasets.iter().filter(|dataset| has(dataset)).collect();
    if fitting.is_empty() {
        let lacking: Vec<String> = subjects
            .iter()
            .map(|subject| &subject.mention.meant)
            .filter(|meant| !context.datasets.iter().any(|dataset| meant.find(dataset, false).is_some()))
            .map(Meant::label)
            .collect();
        let ask = if lacking.is_empty() {
            "No single dataset has all these variables; ask for one at a time.".to_owned()
        } else {
            format!("The data have no {}. Which variable is meant?", lacking.join(" and no "))
        };
        return Err(Missing::new("variable", ask, variable_choices(&context.datasets)));
    }
    let narrow = |fitting: &mut Vec<&'a DatasetContext>, keep: &dyn Fn(&DatasetContext) -> bool| {
        if fitting.iter().any(|dataset| keep(dataset)) {
            fitting.retain(|dataset| keep(dataset));
        }
    };
    let words = reading.text.whole();
    narrow(&mut fitting, &|dataset| {
        super::phrases_regex([super::normalize(&dataset.name).as_str()])
            .is_some_and(|name| name.is_match(words))
    });
    narrow(&mut fitting, &|dataset| {
        boxes.iter().flatten().all(|place| overlaps(place.area, dataset.lon, dataset.lat))
    });
    match fitting.as_slice() {
        [only] => Ok(only),
        several => {
            let names = several.iter().map(|dataset| dataset.name.clone()).collect();
            Err(Missing::new("dataset", "Several datasets have this variable. Which one is meant?", names))
        }
    }
}

/// The windows that are asked for; at least one entry.
fn spans(reading: &Reading, context: &PlannerContext, record: Option<&Window>) -> Result<Vec<Span>, Missing> {
    let bad = || {
        let ask = "The time cannot be read; write two ISO dates such as [\"2015-01-01\", \"2015-12-31\"].";
        Missing::new("time", ask, Vec::new())
    };
    let mut windows = Vec::new();
    if let Some(given) = &context.overrides.time {
        windows.push(Window::from_json(given).ok_or_else(bad)?);
    } else {
        for found in &reading.windows {
            let window = closed(&found.value, record).ok_or_else(|| {
                let ask = "From when to when? The record's ends are not known.";
                Missing::new("time", ask, vec!["from 2010 to 2019".to_owned()])
            })?;
            if !windows.contains(&window) {
                windows.push(window);
            }
        }
    }
    // "in 2015 and 2016" is one span of time, unless the question sets the years against each other.
    let follow = windows.windows(2).all(|pair| match pair {
        [a, b] => a.year_span().1 + 1 == b.year_span().0 && a.start.len() == 4 && b.start.len() == 4,
        _ => false,
    });
    if windows.len() > 1 && follow && !contrasts(reading) {
        let hull = windows
            .iter()
            .skip(1)
            .fold(windows.first().cloned(), |hull, next| hull.map(|hull| hull.hull(next)));
        windows = hull.into_iter().collect();
    }
    let seasons = &reading.season;
    if seasons.len() == windows.len() {
        // "summer 2015 and winter 2016": each year has its own season.
        let zipped = windows.into_iter().zip(seasons.iter().cloned());
        let spans: Vec<Span> =
            zipped.map(|(window, season)| Span { window: Some(window), season: Some(season) }).collect();
        return Ok(if spans.is_empty() { vec![Span::default()] } else { spans });
    }
    let windows: Vec<Option<Window>> =
        if windows.is_empty() { vec![None] } else { windows.into_iter().map(Some).collect() };
    let seasons: Vec<Option<SeasonWord>> =
        if seasons.is_empty() { vec![None] } else { seasons.iter().cloned().map(Some).collect() };
    Ok(windows
        .iter()
        .flat_map(|window| {
            seasons.iter().map(|season| Span { window: window.clone(), season: season.clone() })
        })
        .collect())
}

/// Whether the words set things against each other.
fn contrasts(reading: &Reading) -> bool {
    let words = ["compar", "differ", "contrast", "versus", " vs", " than ", "change between", "against"];
    words.iter().any(|word| reading.text.whole().contains(word))
}

/// A window with both ends.
fn closed(when: &When, record: Option<&Window>) -> Option<Window> {
    match when {
        When::Between(window) => Some(window.clone()),
        When::Since(start) => Window::new(start, &record?.end).or_else(|| Window::new(start, start)),
        When::Until(end) => Window::new(&record?.start, end).or_else(|| Window::new(end, end)),
        When::LastYears(years) => {
            let last = record?.year_span().1;
            Some(Window::years(last + 1 - i32::try_from(*years).ok()?, last))
        }
    }
}

/// A season in its window: months that follow each other in one year are a window of their own.
fn in_season(
    span: &Span,
    southern: bool,
    assumptions: &mut Vec<String>,
) -> (Option<Window>, Option<String>, Option<Vec<u8>>) {
    let Some(season) = &span.season else { return (span.window.clone(), None, None) };
    let code = season.code(southern);
    if let (SeasonWord::Local { word, .. }, Some(code)) = (season, &code) {
        let side = if southern { "south" } else { "north" };
        assumptions.push(format!("The {word} is {code}, as in the {side}."));
    }
    let year = span.window.as_ref().and_then(Window::single_year);
    if let (Some(year), Some((first, length))) = (year, season.span(southern)) {
        let last = first + length - 1;
        let window = if last <= 12 {
            Window::new(&format!("{year:04}-{first:02}"), &format!("{year:04}-{last:02}"))
        } else {
            let window =
                Window::new(&format!("{:04}-{first:02}", year - 1), &format!("{year:04}-{:02}", last - 12));
            assumptions.extend(window.as_ref().map(|window| {
                format!("{} of {year} is {}.", code.as_deref().unwrap_or("The season"), window.words())
            }));
            window
        };
        return (window, None, None);
    }
    match season {
        SeasonWord::Months(months) => (span.window.clone(), None, Some(months.clone())),
        _ => (span.window.clone(), code, None),
    }
}

fn check_place(place: &Place, dataset: &DatasetContext, missing: &mut Vec<Missing>) {
    if overlaps(place.area, dataset.lon, dataset.lat) {
        return;
    }
    let covers = super::slots::whole_area(dataset).map(Area::words).unwrap_or_default();
    let ask = format!(
        "{} lies outside dataset `{}`, which covers {covers}. Which region inside it is meant?",
        place.label, dataset.name
    );
    missing.push(Missing::new("region", ask, dataset.boxes.keys().cloned().collect()));
}

fn check_window(window: &Window, record: &Window, dataset: &str, missing: &mut Vec<Missing>) {
    if !window.meets(record) {
        let ask = format!(
            "Dataset `{dataset}` has no data for {}: its record has {}. Which time in it is meant?",
            window.words(),
            record.words()
        );
        missing.push(Missing::new(
            "time",
            ask,
            record.whole_years().map(|years| years.words()).into_iter().collect(),
        ));
    }
}

fn check_baseline(resolved: &Resolved, missing: &mut Vec<Missing>) {
    if let (Some(baseline), Some(record)) = (&resolved.baseline, &resolved.record)
        && !record.contains(baseline)
    {
        let ask = format!(
            "The baseline {} is not inside the record of `{}`, which has {}. Which baseline is meant?",
            baseline.words(),
            resolved.dataset.name,
            record.words()
        );
        let choice = record.whole_years().map(|years| years.words());
        missing.push(Missing::new("baseline", ask, choice.into_iter().collect()));
    }
}

fn check_depth(
    variable: &VariableContext,
    depth: Option<Depth>,
    dataset: &DatasetContext,
    missing: &mut Vec<Missing>,
) {
    let Some(depth) = depth else { return };
    if !variable.has_depth && depth != Depth::Surface {
        let ask = format!("`{}` has no levels, so {} cannot be taken from it.", variable.name, depth.words());
        missing.push(Missing::new("depth", ask, vec!["leave the depth out".to_owned()]));
    } else if let (Some((top, bottom)), Some([first, last])) = (depth.metres(), dataset.depth)
        && variable.has_depth
        && (bottom < first.min(0.0) || top > last)
    {
        let ask = format!(
            "{} is outside the levels of `{}`, which go from {first} m to {last} m.",
            depth.words(),
            dataset.name
        );
        missing.push(Missing::new("depth", ask, Vec::new()));
    }
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

//! What: variables with their depths, and the dataset that has them.

use super::answer::Missing;
use super::context::{DatasetContext, PlannerContext, VariableContext};
use super::reading::{Grammar, Reading};
use super::slots::{Depth, Found, Meant, Mention, Place, overlaps};

/// Part of a case that may vary.
#[derive(Clone)]
pub(super) struct Subject {
    pub(super) mention: Mention,
    pub(super) depth: Option<Depth>,
}

/// The variables that are meant.
pub(super) fn mentions(
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

/// Gives each depth to the nearest variable; a variable with two depths becomes two subjects.
pub(super) fn bind_depths(mentions: &[Found<Mention>], depths: &[Found<Depth>]) -> Vec<Subject> {
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
        own.fill(vec![only.value]);
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

/// The dataset that has what is asked for.
pub(super) fn dataset<'a>(
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

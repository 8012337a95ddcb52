//! Whether a dataset has what a question asks for: place, time, baseline, depth.

use super::answer::Missing;
use super::case::Resolved;
use super::context::{DatasetContext, VariableContext};
use super::slots::{Area, Depth, Place, Window, overlaps};

pub(super) fn check_place(place: &Place, dataset: &DatasetContext, missing: &mut Vec<Missing>) {
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

pub(super) fn check_window(window: &Window, record: &Window, dataset: &str, missing: &mut Vec<Missing>) {
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

pub(super) fn check_baseline(resolved: &Resolved, missing: &mut Vec<Missing>) {
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

pub(super) fn check_depth(
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

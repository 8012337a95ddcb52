//! Where: boxes and points of a question, of a flag, or of an index.

use super::answer::Missing;
use super::context::PlannerContext;
use super::reading::{Grammar, Reading};
use super::slots::{Area, Origin, Place, Places};

/// Boxes and points; each list has at least one entry.
pub(super) struct Where {
    pub(super) boxes: Vec<Option<Place>>,
    pub(super) points: Vec<Option<Place>>,
}

pub(super) fn places(
    grammar: &Grammar,
    reading: &Reading,
    context: &PlannerContext,
) -> Result<Where, Missing> {
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

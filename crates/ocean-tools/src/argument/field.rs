//! [`FieldArgument`]: a lazy field, by reference or as a selection written in place.

use std::borrow::Cow;
use std::sync::Arc;

use leg_core::{Kind, ToolContext, ToolError, ToolErrorKind, canonical};
use ocean_data::field::{Depth, LonLatBox, Region, SelectError, TimeWindow};
use ocean_data::{Field, Selection};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Deserializer};
use serde_json::{Value, json};

use super::computed::computed;
use super::{ArtifactArgument, SelectionArgument};
use crate::Datasets;

/// Slack when one box is compared with another, in degrees.
const EDGE: f64 = 1e-5;

/// A field that a tool takes: lazy, or an array that another tool computed on time, depth, latitude and longitude.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum FieldArgument {
    /// What `load_dataset` or another tool returned.
    Artifact(ArtifactArgument),
    /// A selection written in place.
    Selection(Box<SelectionArgument>),
}

impl FieldArgument {
    /// Resolves the argument to a field of an open dataset. Call it from a thread that may block.
    ///
    /// # Errors
    /// A selection that the dataset cannot answer; a recorded field whose dataset is not the same any more.
    pub(crate) fn open(&self, datasets: &Datasets, context: &ToolContext) -> Result<Field, ToolError> {
        let reference = match self {
            Self::Selection(selection) => return select(datasets, selection),
            Self::Artifact(reference) => reference,
        };
        let artifact = reference.read(context)?;
        if artifact.kind == Kind::Dataset {
            return Err(ToolError::invalid(format!(
                "dataset `{}` holds {}, and one field is needed; take the step that made that field",
                artifact.name,
                super::dataset::names(&artifact).join(", ")
            )));
        }
        if artifact.primary().is_some() {
            return computed(&artifact, reference);
        }
        // Without an array it must be a recipe, which is small: reading it again costs nothing.
        let hint =
            "take the result of `load_dataset`, or write a selection such as {\"variable\": \"temperature\"}";
        let artifact = reference.read_kind(context, Kind::Field, hint)?;
        from_record(&artifact.content, datasets)
    }
}

/// The field that a recorded content means.
///
/// # Errors
/// When its dataset is not the same any more.
pub(crate) fn from_record(content: &Value, datasets: &Datasets) -> Result<Field, ToolError> {
    let damaged = |what: &str| ToolError::new(ToolErrorKind::BadData, format!("a recorded field {what}"));
    let ask = content.get("selection").cloned().ok_or_else(|| damaged("has no selection"))?;
    let ask = SelectionArgument::from_json(ask).map_err(|error| damaged(&error))?;
    let field = select(datasets, &ask)?;
    let recorded = content.get("recipe").unwrap_or(&Value::Null);
    // A stored number may have lost its form (160.0 is 160), so that only canonical forms compare.
    if canonical::to_vec(recorded).ok() == canonical::to_vec(&field.recipe()).ok() {
        return Ok(field);
    }
    let name = ask.dataset.as_deref().unwrap_or("default");
    let identity = recorded.get("dataset").and_then(Value::as_str).unwrap_or("none");
    Err(ToolError::new(
        ToolErrorKind::BadData,
        format!(
            "dataset `{name}` is not the one that the field was selected from (identity {identity}, now {}); \
             open that dataset under this name, or run `load_dataset` again",
            field.dataset().identity()
        ),
    ))
}

/// A field and the content that records it: the selection as asked and the recipe as resolved.
pub(crate) fn recorded(field: &Field, ask: &SelectionArgument) -> Value {
    json!({ "selection": ask.to_json(), "recipe": field.recipe() })
}

/// Selects from a dataset by name.
pub(crate) fn select(datasets: &Datasets, ask: &SelectionArgument) -> Result<Field, ToolError> {
    let dataset = datasets.open(ask.dataset.as_deref())?;
    dataset.select(&ask.selection).map_err(|error| cannot_select(&error))
}

/// A part of a field: a box inside its own, a depth inside its own, a window of its times.
///
/// # Errors
/// When the part reaches beyond the field.
pub(crate) fn narrow(
    field: &Field,
    region: Option<&Region>,
    depth: Option<&Depth>,
    time: Option<&TimeWindow>,
) -> Result<Field, ToolError> {
    let mut selection = field.selection().clone();
    if let Some(region) = region {
        if let Some(own) = &selection.region {
            within(region, own)?;
        }
        selection.region = Some(region.clone());
    }
    if let Some(depth) = depth {
        depth_within(depth, selection.depth.as_ref())?;
        selection.depth = Some(*depth);
    }
    let cut = if selection == *field.selection() {
        field.clone()
    } else {
        Arc::clone(field.dataset()).select(&selection).map_err(|error| cannot_select(&error))?
    };
    time.map_or(Ok(cut.clone()), |window| in_window(&cut, window))
}

/// The dataset's cells of a region, with the field's other choices, whatever the field's own region is. The caller
/// has made sure that the field covers it.
///
/// # Errors
/// When the region has no cell.
pub(crate) fn with_region(field: &Field, region: Region) -> Result<Field, ToolError> {
    let selection = Selection { region: Some(region), ..field.selection().clone() };
    Arc::clone(field.dataset()).select(&selection).map_err(|error| cannot_select(&error))
}

fn in_window(field: &Field, window: &TimeWindow) -> Result<Field, ToolError> {
    let axis = field
        .times()
        .ok_or_else(|| ToolError::invalid(format!("`{}` has no time axis; leave out time", field.name())))?;
    let [start, end] = window.period(axis.calendar).map_err(|error| ToolError::invalid(error.to_string()))?;
    let inside: Vec<usize> = axis
        .nanoseconds
        .iter()
        .enumerate()
        .filter(|(_, nanos)| (start..end).contains(*nanos))
        .map(|(at, _)| at)
        .collect();
    field.at_times(&inside).ok_or_else(|| {
        let first = axis.dates.first().map(ocean_data::cf::DateTime::date).unwrap_or_default();
        let last = axis.dates.last().map(ocean_data::cf::DateTime::date).unwrap_or_default();
        ToolError::no_data(format!(
            "no time of the field falls into {} to {}; it covers {first} to {last}",
            window.from, window.to
        ))
    })
}

fn within(part: &Region, own: &Region) -> Result<(), ToolError> {
    if part == own {
        return Ok(());
    }
    let inside = match (part, own) {
        (Region::Box(part), Region::Box(own)) => box_within(part, own),
        (Region::Point([lon, lat]), Region::Box(own)) => own.contains(*lon, *lat),
        _ => false,
    };
    if inside {
        return Ok(());
    }
    Err(ToolError::invalid(format!(
        "region {} is not inside the field's own region {}; give the region to `load_dataset` instead",
        part.to_json(),
        own.to_json()
    )))
}

fn box_within(part: &LonLatBox, own: &LonLatBox) -> bool {
    let offset = (part.west - own.west).rem_euclid(360.0);
    let offset = if offset > 360.0 - EDGE { 0.0 } else { offset };
    let lon = own.width() >= 360.0 - EDGE || offset + part.width() <= own.width() + EDGE;
    lon && part.south >= own.south - EDGE && part.north <= own.north + EDGE
}

fn depth_within(part: &Depth, own: Option<&Depth>) -> Result<(), ToolError> {
    let inside = match (part, own) {
        (_, None | Some(Depth::Column)) => true,
        (part, Some(own)) if part == own => true,
        (Depth::At(at), Some(Depth::Range([top, bottom]))) => (*top..=*bottom).contains(at),
        (Depth::Range(part), Some(Depth::Range(own))) => part[0] >= own[0] && part[1] <= own[1],
        _ => false,
    };
    if inside {
        return Ok(());
    }
    Err(ToolError::invalid(format!(
        "depth {} is not inside the field's own depth {}; give the depth to `load_dataset` instead",
        part.to_json(),
        own.map_or(Value::Null, Depth::to_json)
    )))
}

/// What a failed selection means for the caller.
pub(crate) fn cannot_select(error: &SelectError) -> ToolError {
    let kind = match error {
        SelectError::Variable(_) | SelectError::UnknownRegion { .. } => ToolErrorKind::NotFound,
        SelectError::RegionOutside { .. }
        | SelectError::TimeOutside { .. }
        | SelectError::NoTimes { .. }
        | SelectError::DepthOutside { .. }
        | SelectError::NoLevels { .. } => ToolErrorKind::NoData,
        _ => ToolErrorKind::InvalidArguments,
    };
    ToolError::new(kind, error.to_string())
}

impl<'de> Deserialize<'de> for FieldArgument {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = Value::deserialize(deserializer)?;
        if value.get("$artifact").is_some() {
            return serde_json::from_value(value).map(Self::Artifact).map_err(serde::de::Error::custom);
        }
        let selection = SelectionArgument::from_json(value).map_err(serde::de::Error::custom)?;
        Ok(Self::Selection(Box::new(selection)))
    }
}

impl JsonSchema for FieldArgument {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "FieldArgument".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let schema = json!({
            "description": "a field: the result of `load_dataset`, or a selection written in place",
            "anyOf": [ArtifactArgument::schema(), SelectionArgument::schema()],
        });
        Schema::try_from(schema).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn region(lon: [f64; 2], lat: [f64; 2]) -> Region {
        Region::from_json(&json!({"lon": lon, "lat": lat}), "").unwrap()
    }

    #[test]
    fn both_forms_are_read() {
        let digest = format!("b3:{}", "0".repeat(64));
        let by_reference: FieldArgument =
            serde_json::from_value(json!({"$artifact": digest, "kind": "field"})).unwrap();
        assert!(matches!(by_reference, FieldArgument::Artifact(_)));
        let in_place: FieldArgument = serde_json::from_value(json!({"variable": "sst"})).unwrap();
        assert!(matches!(in_place, FieldArgument::Selection(_)));
        for wrong in [json!({"$artifact": "b3:12"}), json!({"$artifact": digest, "x": 1}), json!(3)] {
            assert!(serde_json::from_value::<FieldArgument>(wrong.clone()).is_err(), "{wrong}");
        }
    }

    #[test]
    fn boxes_are_compared_round_the_globe() {
        let pacific = region([150.0, -90.0], [-30.0, 30.0]);
        assert!(within(&region([190.0, 240.0], [-5.0, 5.0]), &pacific).is_ok());
        assert!(within(&region([-170.0, -120.0], [-5.0, 5.0]), &pacific).is_ok());
        assert!(within(&region([140.0, 200.0], [-5.0, 5.0]), &pacific).is_err());
        assert!(within(&region([190.0, 240.0], [-35.0, 5.0]), &pacific).is_err());
        let globe = region([0.0, 360.0], [-90.0, 90.0]);
        assert!(within(&region([170.0, -170.0], [-5.0, 5.0]), &globe).is_ok());
        assert!(within(&pacific, &pacific).is_ok());
    }

    #[test]
    fn a_depth_stays_inside_its_own() {
        assert!(depth_within(&Depth::At(10.0), Some(&Depth::Range([0.0, 50.0]))).is_ok());
        assert!(depth_within(&Depth::At(60.0), Some(&Depth::Range([0.0, 50.0]))).is_err());
        assert!(depth_within(&Depth::Surface, Some(&Depth::At(5.0))).is_err());
        assert!(depth_within(&Depth::Bottom, None).is_ok());
    }
}

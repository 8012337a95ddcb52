//! Datasets as arguments: fields under names, as `assemble_dataset` returns them.

use leg_core::{Artifact, Kind, ToolContext, ToolError, ToolErrorKind};
use ocean_data::Field;
use serde_json::{Map, Value, json};

use super::ArtifactArgument;
use super::computed::{computed, is_place};
use super::field::{FieldArgument, from_record, recorded};
use crate::Datasets;

/// The member of a dataset's content that lists its fields.
const MEMBERS: &str = "members";

/// The field of a dataset with this name, or else the only one that `is_it` takes.
///
/// # Errors
/// No dataset; no such field, with the names there are.
pub(crate) fn member(
    dataset: &ArtifactArgument,
    name: Option<&str>,
    what: &str,
    is_it: impl Fn(&str, &Field) -> bool,
    datasets: &Datasets,
    context: &ToolContext,
) -> Result<Field, ToolError> {
    let artifact =
        dataset.read_kind(context, Kind::Dataset, "put fields together with `assemble_dataset`")?;
    let names = names(&artifact);
    if let Some(name) = name {
        return open(&artifact, dataset, name, datasets);
    }
    let mut found = Vec::new();
    for own in &names {
        let field = open(&artifact, dataset, own, datasets)?;
        if is_it(own, &field) {
            found.push(field);
        }
    }
    if found.len() == 1 {
        return Ok(found.swap_remove(0));
    }
    Err(ToolError::invalid(format!(
        "{} of the fields of dataset `{}` can be the {what}, and one is needed; it has: {}",
        found.len(),
        artifact.name,
        names.join(", ")
    )))
}

/// The names of a dataset's fields, in order.
pub(crate) fn names(artifact: &Artifact) -> Vec<String> {
    let members = artifact.content.get(MEMBERS).and_then(Value::as_object);
    members.into_iter().flat_map(Map::keys).cloned().collect()
}

/// A field of a dataset, by name.
///
/// # Errors
/// No such field, with the names there are.
pub(crate) fn open(
    artifact: &Artifact,
    reference: &ArtifactArgument,
    name: &str,
    datasets: &Datasets,
) -> Result<Field, ToolError> {
    let record = artifact.content.get(MEMBERS).and_then(|members| members.get(name)).ok_or_else(|| {
        ToolError::invalid(format!(
            "dataset `{}` has no field `{name}`; it has: {}",
            artifact.name,
            names(artifact).join(", ")
        ))
    })?;
    let Some(variable) = record.get("variable").and_then(Value::as_str) else {
        return from_record(record, datasets);
    };
    let own = artifact.variables.iter().find(|own| own.name == variable).ok_or_else(|| {
        ToolError::new(
            ToolErrorKind::BadData,
            format!("dataset `{}` is damaged; make it again", artifact.name),
        )
    })?;
    let beside = artifact.variables.iter().filter(|other| is_place(other) && other.name != own.name);
    let variables = std::iter::once(own).chain(beside).cloned().collect();
    computed(&Artifact { variables, content: Value::Null, ..artifact.clone() }, reference)
}

/// A dataset of fields: lazy ones stay lazy, arrays keep their coordinates.
///
/// # Errors
/// When one cannot be opened, or two have coordinates of one name that differ.
pub(crate) fn assembled(
    name: &str,
    members: &[(String, &FieldArgument, Field)],
    context: &ToolContext,
) -> Result<Artifact, ToolError> {
    let mut content = Map::new();
    let mut dataset = Artifact::document(Kind::Dataset, name, Value::Null);
    for (own, argument, field) in members {
        let record = match argument {
            FieldArgument::Selection(ask) => recorded(field, ask),
            FieldArgument::Artifact(reference) => {
                let artifact = reference.read(context)?;
                match artifact.primary() {
                    None => artifact.content.clone(),
                    Some(variable) => {
                        dataset.variables.push(leg_core::Variable { name: own.clone(), ..variable.clone() });
                        let places = artifact.variables.iter().filter(|other| is_place(other));
                        for place in places {
                            if !dataset.variables.iter().any(|known| known.name == place.name) {
                                dataset.variables.push(place.clone());
                            }
                        }
                        dataset.coords.extend(artifact.coords.clone());
                        for (key, value) in &artifact.attributes {
                            dataset.attributes.entry(key.clone()).or_insert_with(|| value.clone());
                        }
                        json!({ "variable": own })
                    }
                }
            }
        };
        content.insert(own.clone(), record);
    }
    dataset.content = json!({ MEMBERS: content });
    Ok(dataset)
}

/// A dataset of some of an artifact's arrays; the others, such as latitudes, stay beside them.
pub(crate) fn of_arrays(mut artifact: Artifact, members: &[&str]) -> Artifact {
    let members: Map<String, Value> =
        members.iter().map(|name| ((*name).to_owned(), json!({ "variable": name }))).collect();
    artifact.kind = Kind::Dataset;
    artifact.content = json!({ MEMBERS: members });
    artifact
}

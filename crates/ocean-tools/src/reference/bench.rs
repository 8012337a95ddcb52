//! Calling the real tools for a case.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use leg_core::tool::Workbench;
use leg_core::{
    AllowList, Artifact, EvidenceDraft, MemoryObjects, ObjectStore, ObjectStoreExt as _, Registry, ToolOutput,
};
use ocean_data::Dataset;
use ocean_data::cf::Axis;
use ocean_data::dataset::{OpenOptions, Unpacking};
use serde_json::{Value, json};

use crate::{Datasets, tools};

/// Where the data are.
#[derive(Debug)]
pub(super) struct Bench {
    data: PathBuf,
}

impl Bench {
    pub(super) fn new(data: &Path) -> Self {
        Self { data: data.to_owned() }
    }

    /// The path of a data file.
    pub(super) fn path(&self, file: &str) -> PathBuf {
        self.data.join(file)
    }

    /// Whether the rows of a file run from north to south; fields run from south to north.
    ///
    /// # Errors
    /// A message.
    pub(super) fn runs_south(&self, file: &str) -> Result<bool, String> {
        let dataset = Dataset::open(&self.path(file).to_string_lossy()).map_err(|error| error.to_string())?;
        let lat = dataset.coordinates().iter().find(|own| own.axis == Axis::Latitude);
        let ends = lat.and_then(|own| Some((*own.values.first()?, *own.values.last()?)));
        Ok(ends.is_some_and(|(first, last)| first > last))
    }

    /// All tools over some of the data files, by the names given.
    ///
    /// # Errors
    /// A message.
    pub(super) fn open(&self, files: &[(&str, &str)]) -> Result<Session, String> {
        self.open_with(files, &OpenOptions::default())
    }

    fn open_with(&self, files: &[(&str, &str)], options: &OpenOptions) -> Result<Session, String> {
        let flags: Vec<String> =
            files.iter().map(|(name, file)| format!("{name}={}", self.path(file).display())).collect();
        let datasets = Datasets::from_flags(&flags).map_err(|error| error.to_string())?;
        let named = files.iter().map(|file| file.0);
        let datasets = named.fold(datasets, |all, name| all.with_options(name, options.clone()));
        let mut registry = Registry::default();
        let mut names = Vec::new();
        for tool in tools::all(&Arc::new(datasets)) {
            names.push(tool.spec().name);
            registry.add_tool(tool).map_err(|error| error.to_string())?;
        }
        let objects: Arc<dyn ObjectStore> = Arc::new(MemoryObjects::default());
        let allowed = names.into_iter().collect::<AllowList>();
        let bench = Workbench::new(Arc::new(registry), allowed, Arc::clone(&objects));
        Ok(Session { bench, objects })
    }

    /// All tools over a file that may be a table, and a column of that table as a series.
    ///
    /// # Errors
    /// A message.
    pub(super) fn open_column(&self, file: &str, column: &str) -> Result<(Session, Value), String> {
        let session = self.open(&[])?;
        let series = session.keep(&super::csv::series(&self.path(file), column)?)?;
        Ok((session, series))
    }

    /// All tools over one file, as the default dataset.
    ///
    /// # Errors
    /// A message.
    pub(super) fn open_one(&self, file: &str) -> Result<Session, String> {
        self.open(&[("default", file)])
    }

    /// As [`Bench::open_one`], with packed numbers unpacked in the precision of their packing attributes.
    ///
    /// # Errors
    /// A message.
    pub(super) fn open_as_stated(&self, file: &str) -> Result<Session, String> {
        let mut options = OpenOptions::default();
        options.unpacking = Unpacking::AsStated;
        self.open_with(&[("default", file)], &options)
    }
}

/// Calls of one case; results are kept so that later calls can name them.
#[derive(Debug)]
pub(super) struct Session {
    bench: Workbench,
    objects: Arc<dyn ObjectStore>,
}

impl Session {
    /// Calls a tool.
    ///
    /// # Errors
    /// The tool's own message.
    pub(super) async fn call(&self, tool: &str, arguments: Value) -> Result<Step, String> {
        let output = self.bench.call(tool, arguments).await.map_err(|error| format!("`{tool}`: {error}"))?;
        let reference = match output.artifacts.get("result").or_else(|| output.artifacts.values().next()) {
            Some(artifact) => self.keep(artifact)?,
            None => Value::Null,
        };
        Ok(Step { output, reference })
    }

    /// Keeps an artifact; gives what a reference to it becomes.
    pub(super) fn keep(&self, artifact: &Artifact) -> Result<Value, String> {
        let summary = self.objects.put_artifact(artifact).map_err(|error| error.to_string())?;
        Ok(json!({ "$artifact": summary.digest, "kind": summary.kind }))
    }
}

/// The answer of a call.
#[derive(Debug)]
pub(super) struct Step {
    pub(super) output: ToolOutput,
    /// What a reference to the main artifact becomes.
    pub(super) reference: Value,
}

impl Step {
    /// The main artifact.
    pub(super) fn artifact(&self) -> Result<&Artifact, String> {
        let artifacts = &self.output.artifacts;
        artifacts.get("result").or_else(|| artifacts.values().next()).ok_or_else(|| "no artifact".to_owned())
    }

    /// An output by name.
    pub(super) fn output(&self, name: &str) -> Result<&Artifact, String> {
        self.output.artifacts.get(name).ok_or_else(|| format!("the result has no output `{name}`"))
    }

    /// The map `(lat, lon)` of an output, the main one for an empty name; its time and depth have one value each.
    pub(super) fn map(&self, name: &str) -> Result<(&[f64], [usize; 2]), String> {
        let artifact = if name.is_empty() { self.artifact()? } else { self.output(name)? };
        let variable = artifact.primary().ok_or_else(|| "the result has no array".to_owned())?;
        match variable.shape.as_slice() {
            [leading @ .., rows, columns] if leading.iter().all(|&length| length == 1) => {
                Ok((&variable.values, [*rows, *columns]))
            }
            other => Err(format!("the result has the shape {other:?} and is no map")),
        }
    }

    /// An array of the main artifact, by name; the first for an empty name.
    pub(super) fn values(&self, name: &str) -> Result<&[f64], String> {
        let artifact = self.artifact()?;
        let found = if name.is_empty() { artifact.primary() } else { artifact.variable(name) };
        found
            .map(|variable| variable.values.as_slice())
            .ok_or_else(|| format!("the result has no array `{name}`"))
    }

    /// The shape of an array of the main artifact, by name; the first for an empty name.
    pub(super) fn shape(&self, name: &str) -> Result<&[usize], String> {
        let artifact = self.artifact()?;
        let found = if name.is_empty() { artifact.primary() } else { artifact.variable(name) };
        found
            .map(|variable| variable.shape.as_slice())
            .ok_or_else(|| format!("the result has no array `{name}`"))
    }

    /// The times of the main artifact.
    pub(super) fn times(&self) -> Result<Vec<String>, String> {
        let time = self.artifact()?.coords.get("time").ok_or("the result has no times")?;
        Ok(time.values.iter().filter_map(Value::as_str).map(str::to_owned).collect())
    }

    /// A piece of evidence.
    pub(super) fn draft(&self, name: &str) -> Result<&EvidenceDraft, String> {
        let found = self.output.evidence.iter().find(|draft| draft.name == name);
        found.ok_or_else(|| format!("the result has no evidence `{name}`"))
    }

    /// A member of the main artifact's document; null when it is not there.
    pub(super) fn content(&self, key: &str) -> Result<&Value, String> {
        Ok(self.artifact()?.content.get(key).unwrap_or(&Value::Null))
    }

    /// A number of the main artifact's document; NaN when it is not there.
    pub(super) fn content_number(&self, key: &str) -> Result<f64, String> {
        Ok(self.content(key)?.as_f64().unwrap_or(f64::NAN))
    }

    /// The number of a piece of evidence; NaN when it is missing.
    pub(super) fn number(&self, name: &str) -> Result<f64, String> {
        Ok(self.draft(name)?.value.as_f64().unwrap_or(f64::NAN))
    }
}

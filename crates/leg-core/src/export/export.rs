//! [`export`]: reads a run, writes it in another form, and puts the result in its place.

use std::path::{Path, PathBuf};

use serde::Serialize;

use crate::Digest;
use crate::export::staging::Staging;
use crate::export::{EXPORTS, ExportError, RunRecord};
use crate::ledger::RunFolder;

/// A form that a run can be exported in.
///
/// ```
/// use leg_core::export::EXPORTS;
///
/// let html = EXPORTS.iter().find(|export| export.name == "html").unwrap();
/// assert!(!html.is_folder);
/// ```
#[derive(Debug)]
pub struct Export {
    /// Its name on the command line.
    pub name: &'static str,
    /// What it is for.
    pub summary: &'static str,
    /// Whether it is a folder; else it is one file.
    pub is_folder: bool,
    /// Writes it.
    pub write: fn(&RunRecord, &mut Staging) -> Result<(), ExportError>,
}

/// What was written.
///
/// ```
/// use leg_core::export::{Exported, export};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let runs = tempfile::tempdir()?;
/// let (outcome, folder) = leg_testkit::small_run(runs.path()).await;
/// let done: Exported = export(&folder, "md", &runs.path().join("small.md"))?;
/// assert_eq!((done.files, done.content_root), (1, Some(outcome.content_root)));
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Exported {
    /// The form.
    pub format: &'static str,
    /// The place.
    pub path: PathBuf,
    /// Whether it is a folder.
    pub is_folder: bool,
    /// How many files.
    pub files: u64,
    /// How many bytes in all.
    pub bytes: u64,
    /// The run.
    pub run_id: String,
    /// Its content root.
    pub content_root: Option<Digest>,
    /// Its log root.
    pub log_root: Digest,
}

/// Exports a run to `path`, where nothing may stand yet. The run is verified first. The export appears whole or not
/// at all: it is written beside its place and renamed.
///
/// ```
/// use leg_core::export::export;
/// use leg_core::ledger::{RunFolder, verify};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let runs = tempfile::tempdir()?;
/// let (_, folder) = leg_testkit::small_run(runs.path()).await;
/// let crate_at = runs.path().join("crate");
/// export(&folder, "ro-crate", &crate_at)?;
/// // A crate is a run folder too.
/// assert!(verify(&RunFolder::open(&crate_at)?, None)?.ok);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// [`ExportError`].
pub fn export(folder: &RunFolder, format: &str, path: &Path) -> Result<Exported, ExportError> {
    let known = || EXPORTS.iter().map(|export| export.name).collect();
    let export = EXPORTS
        .iter()
        .find(|export| export.name == format)
        .ok_or_else(|| ExportError::Unknown { name: format.to_owned(), known: known() })?;
    let mut staging = Staging::for_target(path)?;
    if is_inside(path, folder.path()) {
        return Err(ExportError::Inside { path: path.to_owned() });
    }
    let record = RunRecord::read(folder)?;
    (export.write)(&record, &mut staging)?;
    let (files, bytes) = staging.settle()?;
    Ok(Exported {
        format: export.name,
        path: path.to_owned(),
        is_folder: export.is_folder,
        files,
        bytes,
        run_id: record.run_id,
        content_root: record.content_root,
        log_root: record.log_root,
    })
}

fn is_inside(path: &Path, folder: &Path) -> bool {
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    match (parent.canonicalize(), folder.canonicalize()) {
        (Ok(parent), Ok(folder)) => parent.starts_with(folder),
        _ => false,
    }
}

//! Reference cases: numbers that trusted peers computed from real data, run through the real tools.
//!
//! A case names a capability, an input and parameters; an `Adapter` of its family turns these into calls of tools
//! and the answers into the shape of the expected values. What an adapter does not know is an error and never
//! skipped: each member of `input` and `params` has to be read.
//!
//! A new family is one file in `families/` and one line in `families::all`.

mod bench;
mod case;
mod cast;
mod compare;
mod csv;
mod facts;
mod families;
mod selection;

use std::path::{Path, PathBuf};

use serde::Serialize;
use serde_json::Value;

use bench::Bench;
use case::Case;

/// What became of all cases.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Report {
    /// Cases that passed.
    pub passed: usize,
    /// Cases in all.
    pub total: usize,
    /// Each case, in the order of the files.
    pub cases: Vec<CaseReport>,
}

/// What became of a case.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CaseReport {
    /// Its id, unique in its family.
    pub id: String,
    /// Its family.
    pub family: String,
    /// Whether the answer agrees.
    pub status: Status,
    /// Largest deviation of a number over what the tolerance allows there: up to 1 passes. `None` without an answer.
    pub max_deviation: Option<f64>,
    /// What is wrong; empty when nothing is.
    pub message: String,
}

/// Whether an answer agrees with the expected one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// It does.
    Pass,
    /// It does not.
    Fail,
    /// There is no answer: the capability or a parameter is unknown, or a tool failed.
    Error,
}

/// Cases that cannot be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReferenceError {
    /// A file or folder.
    #[error("`{}` cannot be read: {source}; give a folder of case files", path.display())]
    Read {
        /// The path.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// A file that is no family of cases.
    #[error("`{}` is no file of cases: {reason}; it must be {{\"schema\": 1, \"family\": …, \"cases\": […]}}", path.display())]
    Format {
        /// The path.
        path: PathBuf,
        /// Why.
        reason: String,
    },
    /// A family that no file holds.
    #[error("there is no family `{name}`; the families are: {}", known.join(", "))]
    Family {
        /// The name.
        name: String,
        /// Those there are.
        known: Vec<String>,
    },
}

/// Runs the cases of a folder (or a file) on the data of another; only these families, or all when none is named.
/// `done` hears of each case.
///
/// # Errors
/// [`ReferenceError`]: a folder, a file or a family that is not there.
pub async fn run(
    cases: &Path,
    data: &Path,
    wanted: &[String],
    mut done: impl FnMut(&CaseReport),
) -> Result<Report, ReferenceError> {
    let families = read_families(cases)?;
    let known = || families.iter().map(|(name, _)| name.clone()).collect::<Vec<_>>();
    if let Some(name) = wanted.iter().find(|name| !families.iter().any(|(family, _)| family == *name)) {
        return Err(ReferenceError::Family { name: name.clone(), known: known() });
    }
    let bench = Bench::new(data);
    let mut reports = Vec::new();
    for (family, cases) in families.iter().filter(|(name, _)| wanted.is_empty() || wanted.contains(name)) {
        for value in cases {
            let report = run_case(family, value, &bench).await;
            done(&report);
            reports.push(report);
        }
    }
    let passed = reports.iter().filter(|report| report.status == Status::Pass).count();
    Ok(Report { passed, total: reports.len(), cases: reports })
}

async fn run_case(family: &str, value: &Value, bench: &Bench) -> CaseReport {
    let id = value.get("id").and_then(Value::as_str).unwrap_or("?").to_owned();
    let report = |status, max_deviation, message| CaseReport {
        id: id.clone(),
        family: family.to_owned(),
        status,
        max_deviation,
        message,
    };
    let case = match Case::read(value) {
        Ok(case) => case,
        Err(message) => return report(Status::Error, None, message),
    };
    let adapter = families::all().into_iter().find(|adapter| adapter.knows(family, &case.tool));
    let Some(adapter) = adapter else {
        return report(Status::Error, None, format!("no adapter knows the capability `{}`", case.tool));
    };
    let answer = match adapter.answer(&case, bench).await {
        Ok(answer) => answer,
        Err(message) => return report(Status::Error, None, message),
    };
    let unread = case.unread();
    if !unread.is_empty() {
        let message = format!("the adapter does not know {}", unread.join(", "));
        return report(Status::Error, None, message);
    }
    let compared = compare::compare(&case.expected, &answer, &case.tolerance);
    let status = if compared.faults.is_empty() { Status::Pass } else { Status::Fail };
    report(status, Some(compared.deviation), compared.message())
}

/// The families in a folder, each with its cases.
fn read_families(path: &Path) -> Result<Vec<(String, Vec<Value>)>, ReferenceError> {
    let read = |path: &Path, source| ReferenceError::Read { path: path.to_owned(), source };
    let mut files = Vec::new();
    if path.is_dir() {
        for entry in std::fs::read_dir(path).map_err(|source| read(path, source))? {
            let file = entry.map_err(|source| read(path, source))?.path();
            if file.extension().is_some_and(|extension| extension == "json") {
                files.push(file);
            }
        }
        files.sort();
    } else {
        files.push(path.to_owned());
    }
    let mut families = Vec::new();
    for file in files {
        let bytes = std::fs::read(&file).map_err(|source| read(&file, source))?;
        let format = |reason: String| ReferenceError::Format { path: file.clone(), reason };
        let value: Value = serde_json::from_slice(&bytes).map_err(|error| format(error.to_string()))?;
        let family = value
            .get("family")
            .and_then(Value::as_str)
            .ok_or_else(|| format("it has no family".to_owned()))?;
        let cases = value
            .get("cases")
            .and_then(Value::as_array)
            .ok_or_else(|| format("it has no cases".to_owned()))?;
        families.push((family.to_owned(), cases.clone()));
    }
    Ok(families)
}

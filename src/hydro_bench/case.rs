//! [`Case`]: a question with the facts that its answer must have.

use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A question with the facts that its answer must have.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Case {
    /// Its name.
    pub id: String,
    /// The question.
    pub text: String,
    /// The kind of question.
    #[serde(default)]
    pub category: String,
    /// What the answer must say.
    #[serde(default)]
    pub facts: Vec<Fact>,
}

/// A fact.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Fact {
    /// What it is.
    pub name: String,
    /// A number, a text, a date, or a position as latitude and longitude.
    pub value: Value,
    /// Its unit, with a datum after it for levels (`m MLLW`); nothing for counts and texts.
    #[serde(default)]
    pub unit: Option<String>,
    /// How far off a number may be.
    #[serde(default)]
    pub tolerance: Option<f64>,
    /// The recording that has it.
    #[serde(default)]
    pub fixture: String,
}

/// Cases cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum CaseError {
    /// The file cannot be read.
    #[error("cases `{path}`: {source}; name a file of JSON lines", path = path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// A line is no case.
    #[error("cases `{path}`, line {line}: {source}", path = path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// The line.
        line: usize,
        /// Why.
        source: serde_json::Error,
    },
    /// There is none.
    #[error("`{path}` has no cases", path = path.display())]
    Empty {
        /// The file.
        path: PathBuf,
    },
}

/// Reads a file of cases, a JSON object a line.
///
/// # Errors
/// [`CaseError`].
pub fn read_cases(path: &Path) -> Result<Vec<Case>, CaseError> {
    let text =
        std::fs::read_to_string(path).map_err(|source| CaseError::Io { path: path.to_owned(), source })?;
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    let cases = lines.map(|(at, line)| {
        serde_json::from_str(line).map_err(|source| CaseError::Line {
            path: path.to_owned(),
            line: at + 1,
            source,
        })
    });
    let cases: Vec<Case> = cases.collect::<Result<_, _>>()?;
    if cases.is_empty() { Err(CaseError::Empty { path: path.to_owned() }) } else { Ok(cases) }
}

//! What the program says: results on standard output, talk on standard error.

use std::io::{IsTerminal as _, Write as _};

use leg::core::Diagnostic;
use serde_json::{Value, json};

/// The command did what it was asked.
pub(crate) const DONE: u8 = 0;
/// The run failed, or a check did not hold.
pub(crate) const FAILED: u8 = 1;
/// The input was wrong, or something is missing.
pub(crate) const WRONG_INPUT: u8 = 2;

/// Why a command ends without its result.
#[derive(Debug)]
pub(crate) struct Failure {
    code: u8,
    message: String,
    document: Value,
}

impl Failure {
    /// The input was wrong, or something is missing.
    pub(crate) fn wrong(error: impl std::fmt::Display) -> Self {
        Self::with(WRONG_INPUT, error.to_string(), Value::Null)
    }

    /// Something that should have worked did not.
    pub(crate) fn failed(error: impl std::fmt::Display) -> Self {
        Self::with(FAILED, error.to_string(), Value::Null)
    }

    /// With members for the JSON document.
    pub(crate) fn with(code: u8, message: String, document: Value) -> Self {
        Self { code, message, document }
    }

    /// A plan is not valid.
    pub(crate) fn diagnostics(diagnostics: &[Diagnostic]) -> Self {
        let lines: Vec<String> = diagnostics.iter().map(|one| format!("  {one}")).collect();
        let message = format!("the plan is not valid:\n{}", lines.join("\n"));
        Self::with(WRONG_INPUT, message, json!({ "diagnostics": diagnostics }))
    }

    /// Says it, and gives the exit code.
    pub(crate) fn report(self, as_json: bool) -> u8 {
        if as_json {
            let mut document = json!({ "status": "failed", "error": { "message": self.message } });
            if let (Some(members), Value::Object(more)) = (document.as_object_mut(), self.document) {
                members.extend(more);
            }
            print_json(&document);
        } else {
            talk(&format!("error: {}", self.message));
        }
        self.code
    }
}

/// How a command ends.
pub(crate) type Ending = Result<u8, Failure>;

/// Prints a line of the result.
pub(crate) fn print(text: &str) {
    // A closed pipe ends the talk, not the work.
    let _ = writeln!(std::io::stdout().lock(), "{text}");
}

/// Prints the one JSON document.
pub(crate) fn print_json(document: &Value) {
    print(&serde_json::to_string_pretty(document).unwrap_or_default());
}

/// Says something that is not the result.
pub(crate) fn talk(text: &str) {
    let _ = writeln!(std::io::stderr().lock(), "{text}");
}

/// Asks on the terminal; `None` when nobody is there to answer.
pub(crate) fn ask_yes(question: &str) -> Option<bool> {
    if !std::io::stdin().is_terminal() || !std::io::stderr().is_terminal() {
        return None;
    }
    let _ = write!(std::io::stderr().lock(), "{question} [y/N] ");
    let mut answer = String::new();
    std::io::stdin().read_line(&mut answer).ok()?;
    Some(matches!(answer.trim().to_lowercase().as_str(), "y" | "yes"))
}

/// A table with columns as wide as their widest cell.
pub(crate) fn table(head: &[&str], rows: &[Vec<String>]) -> String {
    let columns = head.len();
    let width = |at: usize| {
        rows.iter()
            .filter_map(|row| row.get(at))
            .map(|cell| cell.chars().count())
            .chain(head.get(at).map(|cell| cell.chars().count()))
            .max()
            .unwrap_or(0)
    };
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let line = |cells: &[String]| {
        let mut out = String::new();
        for (at, (cell, width)) in cells.iter().zip(&widths).enumerate() {
            out.push_str(cell);
            if at + 1 < columns {
                out.push_str(&" ".repeat(width.saturating_sub(cell.chars().count()) + 2));
            }
        }
        out.trim_end().to_owned()
    };
    let head: Vec<String> = head.iter().map(|&cell| cell.to_owned()).collect();
    std::iter::once(line(&head)).chain(rows.iter().map(|row| line(row))).collect::<Vec<_>>().join("\n")
}

/// A Markdown table.
pub(crate) fn markdown_table(head: &[&str], rows: &[Vec<String>]) -> String {
    let line = |cells: Vec<String>| format!("| {} |", cells.join(" | "));
    let mut lines = vec![
        line(head.iter().map(|&cell| cell.to_owned()).collect()),
        line(head.iter().map(|_| "---".to_owned()).collect()),
    ];
    lines.extend(rows.iter().map(|row| line(row.iter().map(|cell| cell.replace('|', "\\|")).collect())));
    lines.join("\n")
}

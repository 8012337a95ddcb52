//! [`verify`]: finds every change in a run folder, and names its place.

use serde::Serialize;

use crate::ledger::root_check::content_root;
use crate::ledger::{
    EntryKind, Fault, FaultKind, LEDGER, LedgerError, Reading, RunFolder, Statement, VerifyingKey,
    file_check, object_check, read,
};
use crate::{Digest, FolderObjects};

/// What a verification found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Verification {
    /// Whether nothing is wrong.
    pub ok: bool,
    /// All that is wrong.
    pub faults: Vec<Fault>,
    /// The content root that follows from the records.
    pub content_root: Option<Digest>,
    /// The tree head over the lines.
    pub log_root: Digest,
    /// The run's id, as its first record has it.
    pub run: Option<String>,
    /// How many lines the ledger has.
    pub size: u64,
    /// The keys that signed these roots.
    pub signed_by: Vec<VerifyingKey>,
}

/// What a verifier knows from elsewhere.
#[derive(Debug, Clone, Copy, Default)]
pub struct Expected<'a> {
    /// A published root, content or log, that one of the two must equal.
    pub root: Option<&'a Digest>,
    /// A key that must have signed the roots.
    pub key: Option<&'a VerifyingKey>,
}

impl Verification {
    /// What can be signed of the run: nothing when no content root follows from its records.
    pub fn statement(&self) -> Option<Statement> {
        Some(Statement {
            content_root: self.content_root?,
            log_root: self.log_root,
            run: self.run.clone()?,
            size: self.size,
        })
    }
}

/// Checks a run folder: every line, both roots, every object that the ledger names, every file. `expected` is a
/// published root, content or log, that one of the two must equal.
///
/// # Errors
/// [`LedgerError`] when the folder holds no run or cannot be read; faults are not errors.
pub fn verify(folder: &RunFolder, expected: Option<&Digest>) -> Result<Verification, LedgerError> {
    verify_with(folder, Expected { root: expected, key: None })
}

/// Checks a run folder against what is known from elsewhere.
///
/// # Errors
/// Those of [`verify`].
pub fn verify_with(folder: &RunFolder, expected: Expected<'_>) -> Result<Verification, LedgerError> {
    let mut faults = Vec::new();
    let reading = match folder.read(LEDGER) {
        Ok(bytes) => read(&bytes, LEDGER),
        Err(LedgerError::Io { source, .. }) if source.kind() == std::io::ErrorKind::NotFound => {
            faults.push(Fault::new(LEDGER, FaultKind::MissingFile, "the ledger is not there"));
            read(b"", LEDGER)
        }
        Err(error) => return Err(error),
    };
    faults.extend(reading.faults.iter().cloned());
    let finished = reading.entries.last().filter(|entry| entry.kind == EntryKind::RunFinished);
    let content = content(&reading, finished.and_then(|end| end.digest("content_root")), &mut faults);
    let objects =
        object_check::check(&reading.entries, &reading.lines, &FolderObjects::of_run(folder.path()));
    faults.extend(objects.faults);
    file_check::report_files(folder, &reading, finished, &objects.evidence, &mut faults)?;
    file_check::own_objects(folder, &mut faults)?;
    file_check::manifest(folder, &reading, finished.is_some(), &mut faults);
    if let Some(root) = expected.root
        && Some(*root) != content
        && *root != reading.log_root
    {
        let message = format!("neither root is {root}: this is another run, or it was rewritten");
        faults.push(Fault::new(LEDGER, FaultKind::Root, message));
    }
    let started = reading.entries.iter().find(|entry| entry.kind == EntryKind::RunStarted);
    let run = started.and_then(|entry| entry.meta.get("run")?.as_str()).map(str::to_owned);
    let mut found = Verification {
        ok: false,
        faults: Vec::new(),
        content_root: content,
        log_root: reading.log_root,
        run,
        size: reading.size,
        signed_by: Vec::new(),
    };
    found.signed_by = file_check::signatures(folder, found.statement().as_ref(), expected.key, &mut faults);
    found.ok = faults.is_empty();
    found.faults = faults;
    Ok(found)
}

/// The content root that follows from the records; `stated` is the one of the last record.
fn content(reading: &Reading, stated: Option<Digest>, faults: &mut Vec<Fault>) -> Option<Digest> {
    let lost = |fault: &Fault| {
        matches!(fault.kind, FaultKind::Unreadable | FaultKind::Sequence | FaultKind::Unfinished)
    };
    match content_root(&reading.entries) {
        Ok(root) => {
            if stated.is_some_and(|stated| stated != root) {
                let message =
                    format!("`run_finished` states another content root than the records give ({root})");
                faults.push(Fault::new(
                    format!("{LEDGER}:{}", reading.size),
                    FaultKind::ContentRoot,
                    message,
                ));
            }
            Some(root)
        }
        // Where records are missing, no root follows from the rest, and the missing ones are named already.
        Err(_) if reading.faults.iter().any(lost) => None,
        Err(reasons) => {
            let fault =
                |(seq, reason)| Fault::new(format!("{LEDGER}:{}", seq + 1), FaultKind::ContentRoot, reason);
            faults.extend(reasons.into_iter().map(fault));
            None
        }
    }
}

//! [`verify`]: finds every change in a run folder, and names its place.

use serde::Serialize;

use crate::ledger::root_check::content_root;
use crate::ledger::{
    EntryKind, Fault, FaultKind, LEDGER, LedgerError, Reading, RunFolder, Statement, VerifyingKey,
    file_check, object_check, read,
};
use crate::{Digest, FolderObjects};

/// What a verification found.
///
/// ```
/// use leg_core::ledger::{Verification, verify};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let runs = tempfile::tempdir()?;
/// let (outcome, folder) = leg_testkit::small_run(runs.path()).await;
/// let found: Verification = verify(&folder, None)?;
/// assert!(found.ok, "{:?}", found.faults);
/// assert_eq!(found.content_root, Some(outcome.content_root));
/// # Ok(())
/// # }
/// ```
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
///
/// ```
/// use leg_core::ledger::{Expected, verify_with};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let runs = tempfile::tempdir()?;
/// let (outcome, folder) = leg_testkit::small_run(runs.path()).await;
/// // The root was published when the run had ended.
/// let published = Expected { root: Some(&outcome.content_root), ..Expected::default() };
/// assert!(verify_with(&folder, published)?.ok);
/// # Ok(())
/// # }
/// ```
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

/// Checks a run folder: every line, both roots, every object that the ledger names, every file. The
/// description of a run crate follows from all of them: it is compared when they have no fault. `expected` is a
/// published root, content or log, that one of the two must equal.
///
/// ```
/// use leg_core::ledger::{LEDGER, verify};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let runs = tempfile::tempdir()?;
/// let (outcome, folder) = leg_testkit::small_run(runs.path()).await;
/// assert!(verify(&folder, Some(&outcome.content_root))?.ok);
/// let ledger = String::from_utf8(folder.read(LEDGER)?)?;
/// folder.write(LEDGER, ledger.replacen("18.5", "28.5", 1).as_bytes())?;
/// let found = verify(&folder, Some(&outcome.content_root))?;
/// assert!(!found.ok);
/// assert!(found.faults.iter().any(|fault| fault.place.starts_with("ledger.jsonl:")), "the line is named");
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// [`LedgerError`] when the folder holds no run or cannot be read; faults are not errors.
pub fn verify(folder: &RunFolder, expected: Option<&Digest>) -> Result<Verification, LedgerError> {
    verify_with(folder, Expected { root: expected, key: None })
}

/// Checks a run folder against what is known from elsewhere.
///
/// ```
/// use leg_core::ledger::{Expected, FaultKind, SigningKey, verify_with};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let runs = tempfile::tempdir()?;
/// let (_, folder) = leg_testkit::small_run(runs.path()).await;
/// let key = SigningKey::from_seed(&[7; 32]).verifying_key();
/// let found = verify_with(&folder, Expected { root: None, key: Some(&key) })?;
/// assert_eq!(found.faults[0].kind, FaultKind::Signature, "nobody signed it");
/// # Ok(())
/// # }
/// ```
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
    if faults.is_empty() {
        file_check::description(folder, &found, &mut faults)?;
    }
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

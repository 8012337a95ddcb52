//! [`verify`]: finds every change in a run folder, and names its place.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::Value;

use crate::evidence::ground;
use crate::export::is_as_exported;
use crate::ledger::root_check::content_root;
use crate::ledger::{
    Entry, EntryKind, Fault, FaultKind, LEDGER, LedgerError, MANIFEST, RunFolder, evidence_digest,
    manifest_bytes, read,
};
use crate::run::CallResult;
use crate::{Claim, Digest, Domain, Evidence, FolderObjects, ObjectStore as _, StoreError};

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
}

/// Checks a run folder: every line, both roots, every object that the ledger names, every file. `expected` is a
/// published root, content or log, that one of the two must equal.
///
/// # Errors
/// [`LedgerError`] when the folder holds no run or cannot be read; faults are not errors.
pub fn verify(folder: &RunFolder, expected: Option<&Digest>) -> Result<Verification, LedgerError> {
    let reading = read(&folder.read(LEDGER)?, LEDGER);
    let mut check =
        Check { faults: reading.faults, objects: FolderObjects::of_run(folder.path()), evidence: Vec::new() };
    let finished = reading.entries.last().filter(|entry| entry.kind == EntryKind::RunFinished);
    let content = match content_root(&reading.entries) {
        Ok(root) => {
            let stated = finished.and_then(|entry| entry.digest("content_root"));
            if finished.is_some() && stated != Some(root) {
                check.fault(
                    LEDGER,
                    FaultKind::ContentRoot,
                    format!("`run_finished` states another content root than the records give ({root})"),
                );
            }
            Some(root)
        }
        // A ledger without an end says so already.
        Err(_) if finished.is_none() => None,
        Err((seq, reason)) => {
            check.fault(&format!("{LEDGER}:{}", seq + 1), FaultKind::ContentRoot, reason);
            None
        }
    };
    for entry in &reading.entries {
        check.entry(entry);
    }
    let manifest = manifest_bytes(&reading.entries, reading.log_root);
    let exported = |name: &str, bytes: &[u8]| is_as_exported(name, bytes, &reading.entries, reading.log_root);
    check.files(folder, finished, &manifest, exported)?;
    if let Some(expected) = expected
        && Some(*expected) != content
        && *expected != reading.log_root
    {
        check.fault(
            LEDGER,
            FaultKind::Root,
            format!("neither root is {expected}: this is another run, or it was rewritten"),
        );
    }
    Ok(Verification {
        ok: check.faults.is_empty(),
        faults: check.faults,
        content_root: content,
        log_root: reading.log_root,
    })
}

struct Check {
    faults: Vec<Fault>,
    objects: FolderObjects,
    /// All evidence that calls of the run gave.
    evidence: Vec<Evidence>,
}

impl Check {
    fn fault(&mut self, place: &str, kind: FaultKind, message: String) {
        self.faults.push(Fault { place: place.to_owned(), kind, message });
    }

    /// Objects that an entry names.
    fn entry(&mut self, entry: &Entry) {
        let place = format!("{LEDGER}:{}", entry.seq + 1);
        for key in ["plan", "graph", "definitions", "args_object", "output"] {
            if let Some(digest) = entry.digest(key) {
                self.object(&place, &digest);
            }
        }
        let outputs: BTreeMap<String, Digest> = member(&entry.core, "outputs").unwrap_or_default();
        for digest in outputs.values() {
            self.object(&place, digest);
        }
        if let Some(renderings) = entry.meta.get("renderings").and_then(Value::as_array) {
            for rendering in renderings {
                if let Some(digest) = member(rendering, "digest") {
                    self.object(&place, &digest);
                }
            }
        }
        if let Some(result) = entry.digest("result") {
            self.result(&place, entry, &result, &outputs);
        }
    }

    fn object(&mut self, place: &str, digest: &Digest) -> Option<bytes::Bytes> {
        match self.objects.get(digest) {
            Ok(bytes) => Some(bytes),
            Err(error) => {
                let kind = match error {
                    StoreError::Missing { .. } => FaultKind::MissingObject,
                    _ => FaultKind::DamagedObject,
                };
                self.fault(place, kind, error.to_string());
                None
            }
        }
    }

    /// A call's stored result must be what its record says.
    fn result(&mut self, place: &str, entry: &Entry, digest: &Digest, outputs: &BTreeMap<String, Digest>) {
        let Some(bytes) = self.object(place, digest) else { return };
        let Some(result) = read_result(&bytes) else {
            return self.fault(place, FaultKind::Inconsistent, "the stored result is not a result".into());
        };
        let named: BTreeMap<String, Digest> =
            result.outputs.iter().map(|(name, summary)| (name.clone(), summary.digest)).collect();
        if named != *outputs || evidence_digest(&result.evidence).ok() != entry.digest("evidence") {
            self.fault(
                place,
                FaultKind::Inconsistent,
                "the stored result is not the one of the record".into(),
            );
        }
        self.evidence.extend(result.evidence);
    }

    /// The files of the folder: those that `run_finished` names, as it names them, and no others.
    fn files(
        &mut self,
        folder: &RunFolder,
        finished: Option<&Entry>,
        manifest: &[u8],
        exported: impl Fn(&str, &[u8]) -> Option<bool>,
    ) -> Result<(), LedgerError> {
        let stated: BTreeMap<String, Digest> =
            finished.and_then(|entry| member(&entry.core, "files")).unwrap_or_default();
        for (name, digest) in &stated {
            match folder.read(name) {
                Ok(bytes) if Digest::of(Domain::Object, &bytes) == *digest => {
                    if name == "report.json" {
                        self.report(&bytes);
                    }
                }
                Ok(_) => self.fault(
                    name,
                    FaultKind::ChangedFile,
                    "the file is not the one that the run wrote".into(),
                ),
                Err(_) => self.fault(
                    name,
                    FaultKind::MissingFile,
                    "the file that the run wrote is not there".into(),
                ),
            }
        }
        match folder.read(MANIFEST) {
            Ok(bytes) if bytes == manifest => {}
            Ok(_) => {
                self.fault(
                    MANIFEST,
                    FaultKind::ChangedFile,
                    "the manifest does not follow from the ledger".into(),
                );
                if let Some(last) = finished.filter(|_| self.faults.len() == 1) {
                    // Nothing follows the last line: only the manifest, or a root kept elsewhere, can show a change.
                    let place = format!("{LEDGER}:{}", last.seq + 1);
                    self.fault(&place, FaultKind::Chain, format!("this line or `{MANIFEST}` was changed"));
                }
            }
            Err(_) => self.fault(MANIFEST, FaultKind::MissingFile, "the manifest is not there".into()),
        }
        for name in folder.files()? {
            if name != LEDGER && name != MANIFEST && !stated.contains_key(&name) {
                match exported(&name, &folder.read(&name)?) {
                    Some(true) => {}
                    Some(false) => {
                        let message = "the file is not the one that the export wrote".into();
                        self.fault(&name, FaultKind::ChangedFile, message);
                    }
                    None => {
                        self.fault(
                            &name,
                            FaultKind::UnknownFile,
                            "the file does not belong to the run".into(),
                        );
                    }
                }
            }
        }
        Ok(())
    }

    /// The report's evidence must be what the calls gave, and its claims must check out again.
    fn report(&mut self, bytes: &[u8]) {
        let report: Value = serde_json::from_slice(bytes).unwrap_or_default();
        let evidence: Vec<Evidence> = member(&report, "evidence").unwrap_or_default();
        let claims: Vec<Claim> = member(&report, "claims").unwrap_or_default();
        for item in &evidence {
            let known = self.evidence.iter().any(|own| {
                own.key == item.key
                    && own.value == item.value
                    && own.unit == item.unit
                    && own.when == item.when
            });
            if !known {
                let message = format!("no call of the run gave evidence `{}`", item.key);
                self.fault("report.json", FaultKind::Inconsistent, message);
            }
        }
        for claim in &claims {
            if claim.verdict != Some(ground(claim, &evidence)) {
                let message = format!("the claim `{}` does not check out as the report says", claim.text);
                self.fault("report.json", FaultKind::Inconsistent, message);
            }
        }
    }
}

/// A stored result of a call; renderings and sources stand in the record.
pub(crate) fn read_result(bytes: &[u8]) -> Option<CallResult> {
    let mut value: Value = serde_json::from_slice(bytes).ok()?;
    let members = value.as_object_mut()?;
    members.insert("renderings".into(), Value::Array(Vec::new()));
    members.insert("sources".into(), Value::Array(Vec::new()));
    serde_json::from_value(value).ok()
}

fn member<T: serde::de::DeserializeOwned>(value: &Value, key: &str) -> Option<T> {
    serde_json::from_value(value.get(key)?.clone()).ok()
}

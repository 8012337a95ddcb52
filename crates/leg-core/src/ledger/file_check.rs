//! Checks the files of a run folder: those that `run_finished` names, the manifest, the signatures, and no others.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::evidence::Grounder;
use crate::export::{METADATA, is_as_exported, is_description_of};
use crate::ledger::{
    Entry, Fault, FaultKind, LEDGER, LOCK, LedgerError, MANIFEST, Reading, RunFolder, SIGNATURE,
    SignatureFile, Statement, Verification, VerifyingKey, manifest_bytes, object_check,
};
use crate::{Claim, Digest, Domain, Evidence};

/// Checks the files that the last record names, and that there are no others.
pub(crate) fn report_files(
    folder: &RunFolder,
    reading: &Reading,
    finished: Option<&Entry>,
    evidence: &[Evidence],
    faults: &mut Vec<Fault>,
) -> Result<(), LedgerError> {
    let stated: BTreeMap<String, Digest> = finished
        .and_then(|entry| serde_json::from_value(entry.core.get("files")?.clone()).ok())
        .unwrap_or_default();
    for (name, digest) in &stated {
        match folder.read(name) {
            Ok(bytes) if Digest::of(Domain::Object, &bytes) == *digest => {
                if name == "report.json" {
                    report(&bytes, evidence, faults);
                }
            }
            Ok(_) => {
                let message = "the file is not the one that the run wrote";
                faults.push(Fault::new(name, FaultKind::ChangedFile, message));
            }
            Err(_) => {
                let message = "the file that the run wrote is not there";
                faults.push(Fault::new(name, FaultKind::MissingFile, message));
            }
        }
    }
    for name in folder.files()? {
        let known = [LEDGER, MANIFEST, SIGNATURE, LOCK].contains(&name.as_str());
        if known || stated.contains_key(&name) {
            continue;
        }
        let (kind, message) =
            match is_as_exported(&name, &folder.read(&name)?, &reading.entries, reading.log_root) {
                Some(true) => continue,
                Some(false) => (FaultKind::ChangedFile, "the file is not the one that the export wrote"),
                None => (FaultKind::UnknownFile, "the file does not belong to the run"),
            };
        faults.push(Fault::new(name, kind, message));
    }
    Ok(())
}

/// The manifest must follow from the ledger. Nothing follows the ledger's last line: only the manifest, or a root kept
/// elsewhere, shows a change of it.
pub(crate) fn manifest(folder: &RunFolder, reading: &Reading, finished: bool, faults: &mut Vec<Fault>) {
    let expected = manifest_bytes(&reading.entries, reading.log_root);
    let Ok(bytes) = folder.read(MANIFEST) else {
        // A run that was stopped has none yet, and its ledger says that it was stopped.
        if finished {
            faults.push(Fault::new(MANIFEST, FaultKind::MissingFile, "the manifest is not there"));
        }
        return;
    };
    if bytes == expected {
        return;
    }
    let stored: Value = serde_json::from_slice(&bytes).unwrap_or_default();
    let follows: Value = serde_json::from_slice(&expected).unwrap_or_default();
    let differ: Vec<String> = follows
        .as_object()
        .into_iter()
        .flatten()
        .filter(|(key, value)| stored.get(key.as_str()) != Some(value))
        .map(|(key, _)| format!("`{key}`"))
        .collect();
    let which = if differ.is_empty() {
        "its bytes differ".to_owned()
    } else {
        format!("{} differ", differ.join(", "))
    };
    let message = format!("the manifest does not follow from the ledger: {which}");
    let lines_hold = reading.faults.is_empty();
    faults.push(Fault::new(MANIFEST, FaultKind::ChangedFile, message));
    let root_differs = stored
        .get("log_root")
        .and_then(Value::as_str)
        .and_then(|text| text.parse::<Digest>().ok())
        .is_some_and(|root| root != reading.log_root);
    if finished && lines_hold && root_differs {
        let message = format!("this line or `{MANIFEST}` was changed: the manifest states another log root");
        faults.push(Fault::new(format!("{LEDGER}:{}", reading.size), FaultKind::Chain, message));
    }
}

/// The description of a run crate, if there is one, must follow from the run, in which nothing else is wrong.
pub(crate) fn description(
    folder: &RunFolder,
    found: &Verification,
    faults: &mut Vec<Fault>,
) -> Result<(), LedgerError> {
    if !folder.path().join(METADATA).exists() {
        return Ok(());
    }
    let message = match is_description_of(folder, found.clone(), &folder.read(METADATA)?) {
        Ok(true) => return Ok(()),
        Ok(false) => {
            "the file is not the one that the export wrote; if another signature has come since, export the \
                      crate again"
                .to_owned()
        }
        Err(error) => format!("the run has no description to compare it with: {error}"),
    };
    faults.push(Fault::new(METADATA, FaultKind::ChangedFile, message));
    Ok(())
}

/// Checks the signatures. Gives the keys that signed what is there.
pub(crate) fn signatures(
    folder: &RunFolder,
    statement: Option<&Statement>,
    key: Option<&VerifyingKey>,
    faults: &mut Vec<Fault>,
) -> Vec<VerifyingKey> {
    let mut fault = |kind, message: String| faults.push(Fault::new(SIGNATURE, kind, message));
    let file = match folder.read(SIGNATURE) {
        Ok(bytes) => SignatureFile::from_bytes(&bytes),
        Err(LedgerError::Io { source, .. }) if source.kind() == std::io::ErrorKind::NotFound => {
            if let Some(key) = key {
                fault(
                    FaultKind::Signature,
                    format!("the run is not signed, and a signature by {key} was asked for"),
                );
            }
            return Vec::new();
        }
        Err(error) => Err(error.to_string()),
    };
    let file = match file {
        Ok(file) => file,
        Err(message) => {
            fault(FaultKind::Signature, message);
            return Vec::new();
        }
    };
    let wrong = file.wrong();
    for key in &wrong {
        fault(
            FaultKind::Signature,
            format!("the signature by {key} does not hold: it, its key or what it signs was changed"),
        );
    }
    if statement.is_none_or(|statement| *statement != file.statement()) {
        fault(
            FaultKind::Root,
            "the signatures are for another run, other roots or another number of records".into(),
        );
    }
    if file.signatures.is_empty() {
        fault(FaultKind::Signature, "the file holds no signature".into());
    }
    if let Some(key) = key
        && file.signatures.iter().all(|own| own.key != *key)
    {
        fault(FaultKind::Signature, format!("no signature is by {key}"));
    }
    file.signatures.into_iter().map(|own| own.key).filter(|key| !wrong.contains(key)).collect()
}

/// The report's evidence must be what the calls gave, and its claims must check out again.
fn report(bytes: &[u8], known: &[Evidence], faults: &mut Vec<Fault>) {
    let report: Value = serde_json::from_slice(bytes).unwrap_or_default();
    let member = |key: &str| report.get(key).cloned().unwrap_or_default();
    let evidence: Vec<Evidence> = serde_json::from_value(member("evidence")).unwrap_or_default();
    let claims: Vec<Claim> = serde_json::from_value(member("claims")).unwrap_or_default();
    let mut fault =
        |message: String| faults.push(Fault::new("report.json", FaultKind::Inconsistent, message));
    for item in &evidence {
        let same = |own: &Evidence| {
            own.key == item.key && own.value == item.value && own.unit == item.unit && own.when == item.when
        };
        if !known.iter().any(same) {
            fault(format!("no call of the run gave evidence `{}`", item.key));
        }
    }
    let grounder = Grounder::new(&evidence);
    for claim in &claims {
        if claim.verdict != Some(grounder.check(claim)) {
            fault(format!("the claim `{}` does not check out as the report says", claim.text));
        }
    }
}

/// The objects in the run's own folder are what their names say, named by the ledger or not.
pub(crate) fn own_objects(folder: &RunFolder, faults: &mut Vec<Fault>) -> Result<(), LedgerError> {
    for name in folder.objects()? {
        let bytes = folder.read(&name)?;
        let place = object_check::place(&Digest::of(Domain::Object, &bytes));
        // One that the ledger names was checked already.
        if place != name && faults.iter().all(|fault| fault.place != name) {
            let message = format!("the file holds the object of `{place}`");
            faults.push(Fault::new(name, FaultKind::DamagedObject, message));
        }
    }
    Ok(())
}

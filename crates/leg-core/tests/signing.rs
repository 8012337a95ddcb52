//! Signatures over the roots of a run.

#![expect(clippy::unwrap_used, reason = "a test ends at the first surprise")]

mod support;

use leg_core::ledger::{
    Expected, FaultKind, RunFolder, SIGNATURE, SigningKey, VerifyingKey, sign, verify, verify_with,
};
use serde_json::{Value, json};
use support::{plan, registry, run_in};
use tempfile::TempDir;

async fn small_run() -> (TempDir, RunFolder) {
    let runs = tempfile::tempdir().unwrap();
    let plan = plan(json!({"version": 1, "question": "q", "tracks": [{"id": "t", "steps": [
        {"id": "x", "tool": "echo", "args": {}}]}]}));
    let (_, folder) = run_in(runs.path(), &plan, &registry(vec![])).await;
    (runs, folder)
}

fn key(seed: u8) -> SigningKey {
    SigningKey::from_seed(&[seed; 32])
}

fn kinds(folder: &RunFolder, key: Option<&VerifyingKey>) -> Vec<FaultKind> {
    let found = verify_with(folder, Expected { root: None, key }).unwrap();
    assert_eq!(found.ok, found.faults.is_empty());
    assert!(found.faults.iter().all(|fault| fault.place == SIGNATURE), "{:#?}", found.faults);
    found.faults.iter().map(|fault| fault.kind).collect()
}

#[tokio::test]
async fn a_signed_run_verifies_with_its_keys_and_no_other() {
    let (_runs, folder) = small_run().await;
    let (author, auditor, stranger) = (key(1), key(2), key(3));
    assert_eq!(kinds(&folder, None), []);
    assert_eq!(kinds(&folder, Some(&author.verifying_key())), [FaultKind::Signature]);
    sign(&folder, &author).unwrap();
    let once = folder.read(SIGNATURE).unwrap();
    sign(&folder, &author).unwrap();
    assert_eq!(folder.read(SIGNATURE).unwrap(), once, "a key signs once, and always the same");
    sign(&folder, &auditor).unwrap();
    for key in [&author, &auditor] {
        assert_eq!(kinds(&folder, Some(&key.verifying_key())), []);
    }
    assert_eq!(kinds(&folder, Some(&stranger.verifying_key())), [FaultKind::Signature]);
    assert_eq!(verify(&folder, None).unwrap().signed_by.len(), 2);
}

#[tokio::test]
async fn a_signature_of_another_run_or_by_another_hand_is_found_without_a_key() {
    let (_runs, folder) = small_run().await;
    let (_others, other) = small_run().await;
    sign(&folder, &key(1)).unwrap();
    sign(&other, &key(1)).unwrap();
    let own = folder.read(SIGNATURE).unwrap();
    folder.write(SIGNATURE, &other.read(SIGNATURE).unwrap()).unwrap();
    assert_eq!(kinds(&folder, None), [FaultKind::Root]);
    // The statement of this run under a signature for another one.
    let change = |change: &dyn Fn(&mut Value)| {
        let mut file: Value = serde_json::from_slice(&own).unwrap();
        change(&mut file);
        let mut bytes = leg_core::canonical::to_vec(&file).unwrap();
        bytes.push(b'\n');
        folder.write(SIGNATURE, &bytes).unwrap();
        kinds(&folder, None)
    };
    assert_eq!(change(&|_| ()), []);
    let theirs: Value = serde_json::from_slice(&other.read(SIGNATURE).unwrap()).unwrap();
    assert_eq!(change(&|file| file["signatures"] = theirs["signatures"].clone()), [FaultKind::Signature]);
    let stranger = key(3).verifying_key().to_string();
    assert_eq!(change(&|file| file["signatures"][0]["key"] = json!(stranger)), [FaultKind::Signature]);
    assert_eq!(change(&|file| file["signatures"] = json!([])), [FaultKind::Signature]);
    assert_eq!(change(&|file| file["format"] = json!(2)), [FaultKind::Signature]);
    assert_eq!(change(&|file| file["size"] = json!(1)), [FaultKind::Signature, FaultKind::Root]);
    assert_eq!(change(&|file| file["more"] = json!(1)), [FaultKind::Signature]);
}

#[tokio::test]
async fn a_run_that_does_not_verify_is_not_signed() {
    let (_runs, folder) = small_run().await;
    let report = folder.read("report.md").unwrap();
    folder.write("report.md", b"all is well").unwrap();
    let refused = sign(&folder, &key(1)).unwrap_err().to_string();
    assert!(refused.contains("report.md") && refused.contains("leg verify"), "{refused}");
    assert!(folder.read(SIGNATURE).is_err(), "nothing was written");
    folder.write("report.md", &report).unwrap();
    sign(&folder, &key(1)).unwrap();
    // What was signed and then changed is not signed again over the old signature.
    let whole = folder.read(SIGNATURE).unwrap();
    folder.write(SIGNATURE, b"{}").unwrap();
    assert!(sign(&folder, &key(2)).unwrap_err().to_string().contains(SIGNATURE));
    folder.write(SIGNATURE, &whole).unwrap();
    assert_eq!(kinds(&folder, None), []);
}

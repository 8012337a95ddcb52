//! What an auditor does with a run folder: proofs of single records, signatures, what may be removed.

use std::path::PathBuf;

use serde_json::{Value, json};

use crate::plans::good;
use crate::program::{Desk, demo, text};

/// A finished run of a small plan, and its folder.
pub(crate) fn small_run(desk: &Desk) -> PathBuf {
    let plan = desk.file("plan.json", good());
    let ran = desk.leg(&["run", &plan, "--data", demo(), "--yes", "--json"]).with_code(0).json();
    desk.path("runs").join(ran["run_id"].as_str().unwrap())
}

#[test]
fn a_record_is_proved_and_checked_without_the_run() {
    let desk = Desk::new();
    let run = small_run(&desk);
    let run = text(&run);
    let manifest: Value =
        serde_json::from_slice(&std::fs::read(desk.path("runs").join(&run).join("run.json")).unwrap())
            .unwrap();
    let root = manifest["log_root"].as_str().unwrap();
    let printed = desk.leg(&["prove", &run, "3", "--json"]).with_code(0);
    let proof = printed.json();
    assert_eq!((&proof["seq"], &proof["log_root"]), (&json!(3), &manifest["log_root"]));
    let file = desk.file("proof.json", &printed.out);
    std::fs::remove_dir_all(desk.path("runs")).unwrap();
    let checked = desk.leg(&["prove", "--check", &file, "--root", root, "--json"]).with_code(0).json();
    assert_eq!(checked, json!({"ok": true, "faults": [], "log_root": root}));
    // Another root, and another record.
    let other = proof["leaf"].as_str().unwrap();
    let refused = desk.leg(&["prove", "--check", &file, "--root", other, "--json"]).with_code(1).json();
    assert_eq!(refused["faults"][0]["kind"], "proof");
    let mut forged = proof.clone();
    forged["record"]["seq"] = json!(4);
    let file = desk.file("forged.json", forged.to_string());
    assert!(desk.leg(&["prove", "--check", &file]).with_code(1).out.contains("the record was changed"));
    // What is no proof, and what is not there.
    let file = desk.file("plan.json", "{\"leaf\": 3}");
    assert!(desk.leg(&["prove", "--check", &file]).with_code(2).err.contains("leg prove --json"));
    assert!(desk.leg(&["prove", "--check", "nothing.json"]).with_code(2).err.contains("name a file"));
}

#[test]
fn a_ledger_is_proved_to_have_grown() {
    let desk = Desk::new();
    let run = text(&small_run(&desk));
    let printed = desk.leg(&["prove", &run, "--from", "2", "--json"]).with_code(0);
    let file = desk.file("grown.json", &printed.out);
    let then = printed.json()["from_root"].as_str().unwrap().to_owned();
    desk.leg(&["prove", "--check", &file, "--root", &then]).with_code(0);
    assert!(desk.leg(&["prove", &run, "999"]).with_code(2).err.contains("counts from 0"));
    assert!(desk.leg(&["prove", &run, "--from", "999"]).with_code(2).err.contains("earlier size"));
}

#[test]
fn a_run_is_signed_and_its_signature_checked() {
    let desk = Desk::new();
    let run = small_run(&desk);
    let (folder, run) = (run.clone(), text(&run));
    let made = desk.leg(&["sign", &run, "--new-key", "author.key", "--json"]).with_code(0).json();
    assert_eq!(made["signature"]["signatures"][0]["key"], made["key"]);
    let verified = desk.leg(&["verify", &run, "--key", "author.key.pub", "--json"]).with_code(0).json();
    assert_eq!(verified["signed_by"], json!([made["key"]]));
    desk.leg(&["sign", "--new-key", "other.key"]).with_code(0);
    let refused = desk.leg(&["verify", &run, "--key", "other.key.pub"]).with_code(1);
    assert!(refused.out.contains("signature.json: no signature is by"), "{}", refused.out);
    assert!(desk.leg(&["verify", &run, "--key", "other.key"]).with_code(2).err.contains("no public key"));
    assert!(desk.leg(&["sign", "--new-key", "other.key"]).with_code(2).err.contains("exists already"));
    assert!(desk.leg(&["sign", &run, "--key", "none.key"]).with_code(2).err.contains("--new-key"));
    std::fs::write(folder.join("report.md"), "all is well").unwrap();
    let refused = desk.leg(&["sign", &run, "--key", "other.key"]).with_code(1).err;
    assert!(refused.contains("does not verify") && refused.contains("report.md"), "{refused}");
}

#[test]
fn runs_are_weighed_pinned_and_removed() {
    let desk = Desk::new();
    let first = small_run(&desk);
    let second = small_run(&desk);
    let id = |run: &PathBuf| run.file_name().unwrap().to_str().unwrap().to_owned();
    let all = desk.leg(&["du", "--json"]).with_code(0).json();
    let runs = all["runs"].as_array().unwrap();
    assert_eq!((runs.len(), &runs[0]["payload"]), (2, &runs[1]["payload"]));
    let one = desk.leg(&["du", &id(&first)]).with_code(0).out;
    assert!(one.contains(&id(&first)) && !one.contains(&id(&second)) && one.contains("in all"), "{one}");
    desk.leg(&["gc", "--pin", &id(&first), "--json"]).with_code(0);
    let would = desk.leg(&["gc", "--keep", &id(&first), "--dry-run", "--json"]).with_code(0).json();
    assert_eq!(would["runs"], json!([id(&second)]));
    desk.leg(&["gc", "--keep", &id(&first)]).with_code(0);
    assert!(first.exists() && !second.exists());
    desk.leg(&["verify", &id(&first)]).with_code(0);
    let pinned = desk.leg(&["gc", "--unpin", &id(&first), "--json"]).with_code(0).json();
    assert_eq!(pinned, json!({"pinned": []}));
    assert!(desk.leg(&["gc", "--keep", "nobody"]).with_code(2).err.contains("holds no run"));
    assert!(desk.leg(&["gc", "--pin", "nobody"]).with_code(2).err.contains("holds no run"));
}

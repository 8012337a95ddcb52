//! `examples/verify_ledger.py`, which shares no code with the engine, says of a run folder what `verify` says.

#![expect(clippy::unwrap_used, reason = "a test ends at the first surprise")]
#![expect(clippy::print_stdout, reason = "a test says when it is skipped")]

mod support;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use leg_core::ledger::{
    ConsistencyProof, InclusionProof, LEDGER, RunFolder, SIGNATURE, SigningKey, sign, verify,
};
use leg_testkit::FakeTool;
use serde_json::{Value, json};
use support::{plan, registry, run_in};

/// A Python with `blake3` and `cryptography`, in a folder below the target folder; `None` where there is none.
fn python() -> Option<&'static Path> {
    static PYTHON: OnceLock<Option<PathBuf>> = OnceLock::new();
    let make = || {
        let venv = Path::new(env!("CARGO_TARGET_TMPDIR")).join("verify-ledger-venv");
        let python = venv.join("bin/python");
        let works = |python: &Path| {
            let run = Command::new(python).args(["-c", "import blake3, cryptography"]).output();
            run.is_ok_and(|ended| ended.status.success())
        };
        if !works(&python) {
            let made = Command::new("python3").arg("-m").arg("venv").arg("--clear").arg(&venv).output();
            let _ = made.and_then(|_| {
                Command::new(&python)
                    .args(["-m", "pip", "install", "--quiet", "blake3", "cryptography"])
                    .output()
            });
        }
        if works(&python) {
            return Some(python);
        }
        println!("skipped: no Python with `blake3` and `cryptography` could be made in {}", venv.display());
        None
    };
    PYTHON.get_or_init(make).as_deref()
}

/// Runs the verifier; gives its exit code and its document.
fn check(python: &Path, arguments: &[&str]) -> (i32, Value) {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/verify_ledger.py");
    let ended = Command::new(python).arg(script).args(arguments).arg("--json").output().unwrap();
    let (out, err) = (String::from_utf8_lossy(&ended.stdout), String::from_utf8_lossy(&ended.stderr));
    assert!(!err.contains("Traceback"), "{err}");
    (ended.status.code().unwrap(), serde_json::from_str(&out).unwrap_or(Value::Null))
}

/// Both verifiers agree on whether all holds, where it does not, and on the roots.
fn agree(python: &Path, what: &str, folder: &RunFolder) -> bool {
    let ours = verify(folder, None).unwrap();
    let (code, theirs) = check(python, &[folder.path().to_str().unwrap()]);
    assert_eq!(code, i32::from(!ours.ok), "{what}: {theirs:#} and {ours:#?}");
    let places = |faults: &Value| -> BTreeSet<String> {
        let place = |fault: &Value| {
            format!("{} {}", fault["place"].as_str().unwrap(), fault["kind"].as_str().unwrap())
        };
        faults.as_array().unwrap().iter().map(place).collect()
    };
    assert_eq!(places(&theirs["faults"]), places(&json!(ours.faults)), "{what}: {theirs:#} and {ours:#?}");
    assert_eq!(theirs["log_root"], json!(ours.log_root), "{what}");
    assert_eq!(theirs["content_root"], json!(ours.content_root), "{what}");
    ours.ok
}

/// Steps, a fan-out, agents, a picture, large arguments, numbers of all sizes, a skipped node and a failure.
async fn run_all(runs: &Path) -> RunFolder {
    let values: Vec<f64> =
        (-20..60).map(|n| 1.1_f64.powi(n * 12) * if n % 2 == 0 { 1.0 } else { -1.0 }).collect();
    let plan = plan(json!({"version": 1, "question": "Was it «warm» — \u{1f30a} \"really\"?", "tracks": [
        {"id": "ocean", "goal": "series", "steps": [
            {"id": "sst", "tool": "load", "args": {"values": values}},
            {"id": "each", "tool": "load", "args": {"offset": {"$item": "/by"}},
             "for_each": {"items": [{"by": 0.1}, {"by": 1e-9}, {"by": 1e21}], "as": "x", "max": 5, "join": "list"}},
            {"id": "m", "tool": "mean", "args": {"data": {"$ref": "sst"}}},
            {"id": "fig", "tool": "draw", "args": {"data": {"$ref": "sst"}}},
            {"id": "no", "tool": "echo", "args": {}, "when": {"ref": "m#/evidence/mean/value", "op": "eq", "value": 0}},
            {"id": "bad", "tool": "flood_zone", "args": {"of": {"$ref": "no"}}}]},
        {"id": "surge", "goal": "levels", "layers": [
            {"nodes": [{"id": "track", "agent": "tracker", "task": "best track"}]},
            {"nodes": [{"id": "gauges", "agent": "gauge", "task": "levels"}, {"id": "hwm", "agent": "marks", "task": "marks"}]}]}]}));
    let zones =
        FakeTool::echo("flood_zone").data_class(leg_core::DataClass::Hypothetical).external("zones.example");
    let world = registry(vec![zones.failing(usize::MAX, leg_core::ToolErrorKind::NoData)]);
    let (_, folder) = run_in(runs, &plan, &world).await;
    sign(&folder, &SigningKey::from_seed(&[5; 32])).unwrap();
    folder
}

/// Changes a file, compares the verifiers, and puts the file back.
fn tampered(
    python: &Path,
    folder: &RunFolder,
    what: &str,
    file: &Path,
    change: impl FnOnce(Vec<u8>) -> Option<Vec<u8>>,
) {
    let whole = fs::read(file).unwrap();
    match change(whole.clone()) {
        Some(changed) => fs::write(file, changed).unwrap(),
        None => fs::remove_file(file).unwrap(),
    }
    assert!(!agree(python, what, folder), "{what}");
    fs::write(file, whole).unwrap();
}

#[expect(clippy::unnecessary_wraps, reason = "the shape of a change that may also take the file away")]
fn replaced(bytes: &[u8], from: &str, to: &str) -> Option<Vec<u8>> {
    let text = String::from_utf8(bytes.to_vec()).unwrap();
    assert!(text.contains(from), "{from}");
    Some(text.replacen(from, to, 1).into_bytes())
}

#[tokio::test]
async fn the_python_verifier_agrees_on_a_run_and_on_every_change_of_it() {
    let Some(python) = python() else { return };
    let runs = tempfile::tempdir().unwrap();
    let folder = run_all(runs.path()).await;
    assert!(agree(python, "as it was written", &folder));
    let path = |name: &str| folder.path().join(name);
    let ledger = path(LEDGER);
    let lines = |bytes: Vec<u8>, change: &dyn Fn(&mut Vec<String>)| {
        let mut lines: Vec<String> = String::from_utf8(bytes).unwrap().lines().map(str::to_owned).collect();
        change(&mut lines);
        Some((lines.join("\n") + "\n").into_bytes())
    };
    let check = |what: &str, file: &Path, change: &dyn Fn(Vec<u8>) -> Option<Vec<u8>>| {
        tampered(python, &folder, what, file, change);
    };
    check("a status", &ledger, &|b| replaced(&b, "\"status\":\"ok\"", "\"status\":\"failed\""));
    check("a time", &ledger, &|b| replaced(&b, "\"at\":\"20", "\"at\":\"19"));
    check("a space", &ledger, &|b| replaced(&b, "{\"core\":", "{ \"core\":"));
    check("no JSON", &ledger, &|b| lines(b, &|l| l[3].truncate(40)));
    check("a line lost", &ledger, &|b| lines(b, &|l| drop(l.remove(7))));
    check("a line doubled", &ledger, &|b| lines(b, &|l| l.insert(5, l[5].clone())));
    check("lines swapped", &ledger, &|b| lines(b, &|l| l.swap(8, 9)));
    check("the end lost", &ledger, &|b| lines(b, &|l| l.truncate(l.len() - 2)));
    check("a torn line", &ledger, &|b| Some(b[..b.len() - 9].to_vec()));
    check("the last time", &ledger, &|b| {
        lines(b, &|l| {
            let last = l.last_mut().unwrap();
            *last = last.replacen("\"at\":\"20", "\"at\":\"21", 1);
        })
    });
    check("the ledger", &ledger, &|_| None);
    check("the manifest", &path("run.json"), &|b| replaced(&b, "warm", "cold"));
    check("the manifest lost", &path("run.json"), &|_| None);
    check("the report", &path("report.md"), &|b| replaced(&b, "warm", "cold"));
    check("a picture", &path("figures/fig.png"), &|_| None);
    check("the signature", &path(SIGNATURE), &|b| replaced(&b, "\"signature\":\"", "\"signature\":\"00"));
    check("another signed size", &path(SIGNATURE), &|b| replaced(&b, "\"size\":", "\"size\":1"));
    let mut objects: Vec<PathBuf> = Vec::new();
    for head in fs::read_dir(runs.path().join("objects")).unwrap() {
        objects.extend(fs::read_dir(head.unwrap().path()).unwrap().map(|entry| entry.unwrap().path()));
    }
    assert!(objects.len() > 10);
    objects.sort();
    for (at, object) in objects.iter().enumerate() {
        check("an object changed or lost", object, &|mut bytes| {
            bytes[0] ^= 1;
            (at % 2 == 0).then_some(bytes)
        });
    }
    fs::write(path("more.txt"), "x").unwrap();
    assert!(!agree(python, "a file added", &folder));
    assert_eq!(self::check(python, &["nowhere"]).0, 2);
}

#[tokio::test]
async fn the_python_verifier_checks_proofs_and_keys() {
    let Some(python) = python() else { return };
    let runs = tempfile::tempdir().unwrap();
    let folder = run_all(runs.path()).await;
    let bytes = folder.read(LEDGER).unwrap();
    let mut lines: Vec<&[u8]> = bytes.split(|byte| *byte == b'\n').collect();
    lines.pop();
    let file = runs.path().join("proof.json");
    let check = |document: &Value, more: &[&str]| {
        fs::write(&file, document.to_string()).unwrap();
        let mut arguments = vec!["--proof", file.to_str().unwrap()];
        arguments.extend(more);
        self::check(python, &arguments).0
    };
    let size = lines.len() as u64;
    for seq in [0, 1, 7, size / 2, size - 1] {
        let proof = InclusionProof::of(&lines, seq).unwrap();
        let root = proof.log_root.to_string();
        let document = json!(proof);
        assert_eq!(check(&document, &["--root", &root]), 0);
        assert_eq!(check(&document, &["--root", &proof.leaf.to_string()]), 1);
        let mut forged = document.clone();
        forged["record"]["seq"] = json!(seq + 1);
        assert_eq!(check(&forged, &[]), 1);
        let mut forged = document.clone();
        forged["path"].as_array_mut().unwrap().pop();
        assert_eq!(check(&forged, &[]), 1);
        let grown = json!(ConsistencyProof::of(&lines, seq + 1).unwrap());
        assert_eq!(check(&grown, &["--root", &root]), 0);
        let mut forged = grown.clone();
        forged["from_root"] = json!(proof.path[0]);
        assert_eq!(check(&forged, &[]), 1);
    }
    assert_eq!(check(&json!({"a": 1}), &[]), 2);
    let run = folder.path().to_str().unwrap();
    for (seed, code) in [(5, 0), (6, 1)] {
        let key = runs.path().join(format!("key{seed}"));
        let public = SigningKey::from_seed(&[seed; 32]).write_new(&key).unwrap();
        assert_eq!(self::check(python, &[run, "--key", public.to_str().unwrap()]).0, code);
    }
}

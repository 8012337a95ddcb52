//! Every change of a small, signed run folder is found, and its place is named.

#![expect(clippy::unwrap_used, reason = "a test ends at the first surprise")]

mod support;

use std::fs;
use std::path::{Path, PathBuf};

use leg_core::ledger::{
    EntryKind, Fault, FaultKind, LEDGER, LOCK, Ledger, MANIFEST, MemoryLedger, RunFolder, SIGNATURE,
    SigningKey, read, sign, verify,
};
use leg_testkit::FakeTool;
use serde_json::json;
use support::{plan, registry, run_in};
use tempfile::TempDir;

/// A signed run of one step with a picture, and its folder.
async fn small_run() -> (TempDir, RunFolder) {
    let runs = tempfile::tempdir().unwrap();
    let small = plan(json!({"version": 1, "question": "q", "tracks": [{"id": "t", "steps": [
        {"id": "f", "tool": "echo", "args": {}}]}]}));
    let tool = FakeTool::echo("echo").with_images();
    let (_, folder) = run_in(runs.path(), &small, &registry(vec![tool])).await;
    sign(&folder, &SigningKey::from_seed(&[3; 32])).unwrap();
    assert_eq!(verify(&folder, None).unwrap().faults, []);
    (runs, folder)
}

/// All files of the run and its objects, as paths from the runs folder. The lock says nothing about the run.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut open = vec![folder.join("test"), folder.join("objects")];
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                open.push(path);
            } else if !path.ends_with(LOCK) {
                found.push(path);
            }
        }
    }
    let mut found: Vec<PathBuf> =
        found.iter().map(|path| path.strip_prefix(folder).unwrap().to_owned()).collect();
    found.sort();
    found
}

/// The place that faults give to a file of the runs folder.
fn place(file: &Path) -> String {
    let text = file.to_str().unwrap();
    text.strip_prefix("test/").unwrap_or(text).to_owned()
}

fn copy(from: &Path) -> TempDir {
    let to = tempfile::tempdir().unwrap();
    for file in files(from) {
        let path = to.path().join(&file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::copy(from.join(&file), path).unwrap();
    }
    to
}

fn faults(runs: &Path) -> Vec<Fault> {
    verify(&RunFolder::open(&runs.join("test")).unwrap(), None).unwrap().faults
}

fn places(faults: &[Fault]) -> Vec<&str> {
    faults.iter().map(|fault| fault.place.as_str()).collect()
}

/// Runs `check` for each item on as many threads as there are, each in a copy of the runs folder.
fn each<T: Sync>(runs: &Path, items: &[T], check: impl Fn(&Path, &T) + Sync) {
    let threads = std::thread::available_parallelism().map_or(1, usize::from).min(8);
    std::thread::scope(|scope| {
        for thread in 0..threads {
            let check = &check;
            scope.spawn(move || {
                let runs = copy(runs);
                items.iter().skip(thread).step_by(threads).for_each(|item| check(runs.path(), item));
            });
        }
    });
}

/// The line of a byte, from 1; a line feed belongs to the line that it ends.
fn line_of(ledger: &[u8], at: usize) -> usize {
    ledger[..at].split(|byte| *byte == b'\n').count()
}

#[tokio::test]
async fn every_flipped_byte_is_found_where_it_is() {
    let (runs, _folder) = small_run().await;
    let runs = runs.path();
    let bytes: Vec<(PathBuf, usize)> = files(runs)
        .into_iter()
        .flat_map(|file| {
            let length = usize::try_from(fs::metadata(runs.join(&file)).unwrap().len()).unwrap();
            (0..length).map(move |at| (file.clone(), at))
        })
        .collect();
    assert!(bytes.len() > 5_000, "all files of the run: {}", bytes.len());
    let ledger = fs::read(runs.join("test").join(LEDGER)).unwrap();
    let last = line_of(&ledger, ledger.len() - 1);
    each(runs, &bytes, |runs, (file, at)| {
        let path = runs.join(file);
        let whole = fs::read(&path).unwrap();
        let mut changed = whole.clone();
        // Another bit at each place: small and large changes of letters, and bytes that are no text.
        changed[*at] ^= 1 << (at % 8);
        let mut expected = vec![place(file)];
        if file.ends_with(LEDGER) {
            let line = line_of(&whole, *at);
            expected = vec![format!("{LEDGER}:{line}")];
            if line + 1 == last {
                // Of the last two lines the chain cannot tell which one was changed; it names the last.
                expected.push(format!("{LEDGER}:{last}"));
            }
            // What the lines show by themselves is part of what `verify` reports.
            let shown = read(&changed, LEDGER).faults;
            if expected.iter().any(|place| places(&shown).contains(&place.as_str())) {
                return;
            }
            assert_eq!(line, last, "byte {at} is found by the lines alone: {shown:#?}");
        }
        fs::write(&path, &changed).unwrap();
        let found = faults(runs);
        let named = expected.iter().any(|place| places(&found).contains(&place.as_str()));
        assert!(named, "byte {at} of {}: {found:#?}", file.display());
        fs::write(&path, &whole).unwrap();
    });
}

#[tokio::test]
async fn every_cut_and_every_lost_file_is_found_where_it_is() {
    let (runs, _folder) = small_run().await;
    let runs = runs.path();
    let cuts: Vec<(PathBuf, usize)> = files(runs)
        .into_iter()
        .flat_map(|file| {
            let length = usize::try_from(fs::metadata(runs.join(&file)).unwrap().len()).unwrap();
            // Whatever is left of another file, its digest is not the one that is known.
            let step = if file.ends_with(LEDGER) { 1 } else { 41 };
            (0..length).step_by(step).chain([length - 1]).map(move |at| (file.clone(), at))
        })
        .collect();
    each(runs, &cuts, |runs, (file, at)| {
        let path = runs.join(file);
        let whole = fs::read(&path).unwrap();
        fs::write(&path, &whole[..*at]).unwrap();
        let found = faults(runs);
        let expected = match place(file) {
            ledger if ledger == LEDGER => format!("{LEDGER}:{}", line_of(&whole, *at)),
            other => other,
        };
        assert!(places(&found).contains(&expected.as_str()), "cut at {at} of {expected}: {found:#?}");
        fs::write(&path, &whole).unwrap();
    });
    for file in files(runs) {
        let whole = fs::read(runs.join(&file)).unwrap();
        fs::remove_file(runs.join(&file)).unwrap();
        let found = faults(runs);
        // A run need not be signed.
        let place = if file.ends_with(SIGNATURE) { None } else { Some(place(&file)) };
        match &place {
            Some(place) => assert!(places(&found).contains(&place.as_str()), "{place}: {found:#?}"),
            None => assert_eq!(found, []),
        }
        fs::write(runs.join(&file), whole).unwrap();
    }
    assert_eq!(faults(runs), []);
}

#[tokio::test]
async fn every_lost_added_and_moved_line_is_found_where_it_is() {
    let (runs, _folder) = small_run().await;
    let runs = runs.path();
    let path = runs.join("test").join(LEDGER);
    let whole = fs::read_to_string(&path).unwrap();
    let lines: Vec<&str> = whole.lines().collect();
    let check = |what: &str, at: usize, lines: &[&str]| {
        fs::write(&path, lines.join("\n") + "\n").unwrap();
        let found = faults(runs);
        let here = format!("{LEDGER}:{}", at + 1);
        assert!(places(&found).contains(&here.as_str()), "line {} {what}: {found:#?}", at + 1);
        let chained = |fault: &&Fault| matches!(fault.kind, FaultKind::Sequence | FaultKind::Chain);
        assert!(found.iter().filter(chained).count() <= 3, "one change is told once: {found:#?}");
    };
    for at in 0..lines.len() {
        let mut other = lines.clone();
        other.remove(at);
        check("removed", at, &other);
        other.insert(at, lines[at]);
        other.insert(at, lines[at]);
        check("doubled", at + 1, &other);
        if at + 1 < lines.len() {
            other = lines.clone();
            other.swap(at, at + 1);
            check("swapped with the next", at, &other);
        }
    }
    fs::write(&path, whole).unwrap();
    assert_eq!(faults(runs), []);
}

#[tokio::test]
async fn records_that_were_rewritten_with_their_chain_are_each_found() {
    let runs = tempfile::tempdir().unwrap();
    let plan = plan(json!({"version": 1, "question": "q", "tracks": [{"id": "t", "steps": [
        {"id": "a", "tool": "echo", "args": {"n": 1}}, {"id": "b", "tool": "echo", "args": {"n": 2}}]}]}));
    let (_, folder) = run_in(runs.path(), &plan, &registry(vec![])).await;
    // Two calls get another status, and every line is chained again: only the content root can tell.
    let rewritten = MemoryLedger::default();
    let ledger = Ledger::new(rewritten.clone());
    let mut expected = Vec::new();
    for (at, entry) in read(&folder.read(LEDGER).unwrap(), LEDGER).entries.into_iter().enumerate() {
        let (mut core, mut meta) = (entry.core, entry.meta);
        match entry.kind {
            EntryKind::Checkpoint => {
                let (root, size) = ledger.log_root();
                meta = json!({"log_root": root, "size": size});
            }
            EntryKind::CallFinished => core["status"] = json!("failed"),
            EntryKind::NodeFinished if ["a", "b"].contains(&core["node"].as_str().unwrap()) => {
                expected.push(format!("{LEDGER}:{}", at + 1));
            }
            _ => {}
        }
        let bytes = |value: &serde_json::Value| leg_core::canonical::to_vec(value).unwrap();
        ledger.append(entry.kind, &bytes(&core), &bytes(&meta)).unwrap();
    }
    fs::write(folder.path().join(LEDGER), rewritten.bytes()).unwrap();
    folder.write_manifest().unwrap();
    let found = faults(runs.path());
    assert_eq!(places(&found), expected, "{found:#?}");
    assert!(found.iter().all(|fault| fault.kind == FaultKind::ContentRoot));
}

#[tokio::test]
async fn several_changes_are_all_reported() {
    let (runs, folder) = small_run().await;
    let objects: Vec<PathBuf> =
        files(runs.path()).into_iter().filter(|file| file.starts_with("objects")).collect();
    fs::remove_file(runs.path().join(&objects[0])).unwrap();
    fs::write(runs.path().join(&objects[1]), "x").unwrap();
    fs::write(folder.path().join("report.md"), "all is well").unwrap();
    fs::write(folder.path().join("extra.txt"), "x").unwrap();
    fs::remove_file(folder.path().join("figures/f.png")).unwrap();
    let ledger = folder.path().join(LEDGER);
    let mut lines: Vec<String> = fs::read_to_string(&ledger).unwrap().lines().map(str::to_owned).collect();
    // A line that is no JSON, one with other content, and one with another time.
    lines[1] = lines[1][1..].to_owned();
    lines[4] = lines[4].replace("\"core\":{", "\"core\":{\"added\":1,");
    let at = lines[6].find("\"at\":\"2").unwrap();
    lines[6].replace_range(at..at + 7, "\"at\":\"1");
    fs::write(&ledger, lines.join("\n") + "\n").unwrap();
    let found = faults(runs.path());
    let named = places(&found);
    for expected in [
        place(&objects[0]).as_str(),
        place(&objects[1]).as_str(),
        "report.md",
        "extra.txt",
        "figures/f.png",
        MANIFEST,
        SIGNATURE,
        "ledger.jsonl:2",
        "ledger.jsonl:5",
        "ledger.jsonl:7",
    ] {
        assert!(named.contains(&expected), "{expected}: {found:#?}");
    }
    let once = named.iter().filter(|one| **one == place(&objects[0])).count();
    assert_eq!(once, 1, "a missing object is told once: {found:#?}");
    let missing = found.iter().find(|fault| fault.kind == FaultKind::MissingObject).unwrap();
    assert!(missing.message.contains("named by ledger.jsonl:"), "{}", missing.message);
}

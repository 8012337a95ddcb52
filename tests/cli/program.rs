//! Starts the program in a folder of its own, and what it left there.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

use serde_json::Value;
use tempfile::TempDir;

/// A folder to work in, with `runs` below it.
pub(crate) struct Desk {
    folder: TempDir,
}

/// How the program ended.
#[derive(Debug)]
pub(crate) struct Ended {
    pub code: i32,
    pub out: String,
    pub err: String,
}

impl Desk {
    pub(crate) fn new() -> Self {
        Self { folder: tempfile::tempdir().unwrap() }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Writes a file, and gives its path.
    pub(crate) fn file(&self, name: &str, bytes: impl AsRef<[u8]>) -> String {
        let path = self.path(name);
        std::fs::write(&path, bytes).unwrap();
        text(&path)
    }

    /// Runs the program here, so that the default folder of runs is `runs`.
    pub(crate) fn leg<S: AsRef<OsStr>>(&self, arguments: &[S]) -> Ended {
        let ended = Command::new(env!("CARGO_BIN_EXE_leg"))
            .args(arguments)
            .current_dir(self.folder.path())
            .stdin(Stdio::null())
            .output()
            .unwrap();
        let code = ended.status.code();
        let (out, err) = (utf8(ended.stdout), utf8(ended.stderr));
        assert!(!err.contains("panicked") && !out.contains("panicked"), "a panic: {out}\n{err}");
        let code = code.unwrap_or_else(|| panic!("ended by a signal: {out}\n{err}"));
        assert!((0..=2).contains(&code), "exit code {code}: {out}\n{err}");
        Ended { code, out, err }
    }

    /// The folders of runs.
    pub(crate) fn runs(&self) -> Vec<PathBuf> {
        let entries = std::fs::read_dir(self.path("runs")).into_iter().flatten().flatten();
        let is_run = |path: &PathBuf| !path.ends_with("objects") && !path.ends_with("approvals");
        entries.map(|entry| entry.path()).filter(is_run).collect()
    }

    /// A run folder that verifies belongs to a run that ended.
    pub(crate) fn only_whole_runs_verify(&self) {
        for run in self.runs() {
            let verified = self.leg(&["verify".to_owned(), text(&run)]).code == 0;
            let ledger = std::fs::read_to_string(run.join("ledger.jsonl")).unwrap_or_default();
            let ended = ledger.lines().last().is_some_and(|line| line.contains("\"run_finished\""));
            assert!(ended || !verified, "`{}` did not end and verifies", run.display());
        }
    }
}

impl Ended {
    /// The one JSON document on standard output.
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.out)
            .unwrap_or_else(|error| panic!("{error} in:\n{}\n{}", self.out, self.err))
    }

    /// Ended as it should.
    #[track_caller]
    pub(crate) fn with_code(self, code: i32) -> Self {
        assert_eq!(self.code, code, "{}\n{}", self.out, self.err);
        self
    }
}

/// The demo ocean, written once a test binary.
pub(crate) fn demo() -> &'static str {
    static DEMO: OnceLock<String> = OnceLock::new();
    DEMO.get_or_init(|| {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("cli-demo.zarr");
        if path.exists() {
            std::fs::remove_dir_all(&path).unwrap();
        }
        let path = text(&path);
        Desk::new().leg(&["data", "demo", &path]).with_code(0);
        path
    })
}

/// A path as an argument.
pub(crate) fn text(path: &Path) -> String {
    path.to_str().unwrap().to_owned()
}

fn utf8(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap()
}

/// Calls a closure for each file below a folder.
pub(crate) fn each_file(folder: &Path, visit: &mut dyn FnMut(&Path)) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() { each_file(&path, visit) } else { visit(&path) }
    }
}

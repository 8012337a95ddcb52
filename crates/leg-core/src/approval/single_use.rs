//! [`SingleUse`]: takes an approval for one start, and gives it back when nothing was started.

use std::fs::{self, OpenOptions};
use std::io::{ErrorKind, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::{Approval, ApprovalError};
use crate::RunId;

/// An approval that was taken. Dropped without [`SingleUse::keep`], it gives the approval back.
#[derive(Debug)]
pub(crate) struct SingleUse {
    mark: Arc<AtomicBool>,
    file: Option<PathBuf>,
    kept: bool,
}

/// The folder beside the run folders where uses are recorded.
const FOLDER: &str = "approvals";

impl SingleUse {
    /// Takes an approval for a run; `runs` is where run folders stand, if this run gets one.
    ///
    /// The file is made with `create_new`: of two processes that start at once, one gets it.
    pub(crate) fn take(approval: &Approval, run: &RunId, runs: Option<&Path>) -> Result<Self, ApprovalError> {
        let mark = Arc::clone(&approval.used);
        if mark.swap(true, Ordering::AcqRel) {
            return Err(ApprovalError::Used { id: approval.id.clone(), run: None });
        }
        let mut taken = Self { mark, file: None, kept: false };
        if let Some(runs) = runs {
            let path = runs.join(FOLDER).join(approval.id.as_str());
            record(approval, run, &path)?;
            taken.file = Some(path);
        }
        Ok(taken)
    }

    /// The run was started: the approval stays used.
    pub(crate) fn keep(mut self) {
        self.kept = true;
    }
}

impl Drop for SingleUse {
    fn drop(&mut self) {
        if self.kept {
            return;
        }
        if let Some(path) = &self.file {
            // When this fails the approval stays used, which is the safe side.
            let _ = fs::remove_file(path);
        }
        self.mark.store(false, Ordering::Release);
    }
}

fn record(approval: &Approval, run: &RunId, path: &Path) -> Result<(), ApprovalError> {
    let unrecorded = |error: std::io::Error| ApprovalError::Unrecorded {
        path: path.to_owned(),
        reason: error.to_string(),
    };
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(unrecorded)?;
    }
    match OpenOptions::new().write(true).create_new(true).open(path) {
        Ok(mut file) => file.write_all(run.as_str().as_bytes()).map_err(unrecorded),
        Err(error) if error.kind() == ErrorKind::AlreadyExists => {
            let run = fs::read_to_string(path).ok().filter(|run| !run.is_empty());
            Err(ApprovalError::Used { id: approval.id.clone(), run })
        }
        Err(error) => Err(unrecorded(error)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ApprovalId, Digest, Domain};

    fn approval() -> Approval {
        Approval {
            id: ApprovalId::fresh(),
            plan_digest: Digest::of(Domain::Plan, b"plan"),
            by: "test".to_owned(),
            at: "2026-12-01T00:00:00Z".to_owned(),
            expires: None,
            definitions: None,
            used: Arc::default(),
        }
    }

    #[test]
    fn a_clone_shares_the_mark_and_a_copy_from_json_is_known_by_its_file() {
        let runs = tempfile::tempdir().unwrap();
        let run = RunId::new("first").unwrap();
        let given = approval();
        let copy: Approval = serde_json::from_value(serde_json::json!(given)).unwrap();
        SingleUse::take(&given, &run, Some(runs.path())).unwrap().keep();
        let clone = SingleUse::take(&given.clone(), &run, None).unwrap_err();
        assert_eq!(clone, ApprovalError::Used { id: given.id.clone(), run: None });
        let read = SingleUse::take(&copy, &run, Some(runs.path())).unwrap_err();
        assert_eq!(read, ApprovalError::Used { id: given.id, run: Some("first".to_owned()) });
    }

    #[test]
    fn an_approval_that_started_nothing_is_given_back() {
        let runs = tempfile::tempdir().unwrap();
        let run = RunId::new("first").unwrap();
        let given = approval();
        drop(SingleUse::take(&given, &run, Some(runs.path())).unwrap());
        SingleUse::take(&given, &run, Some(runs.path())).unwrap().keep();
        SingleUse::take(&given, &run, Some(runs.path())).unwrap_err();
    }

    #[test]
    fn of_many_threads_one_gets_it() {
        let runs = tempfile::tempdir().unwrap();
        let text = serde_json::to_string(&approval()).unwrap();
        let winners = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..8)
                .map(|at| {
                    let (text, runs) = (&text, runs.path());
                    scope.spawn(move || {
                        let copy: Approval = serde_json::from_str(text).unwrap();
                        let run = RunId::new(format!("r{at}")).unwrap();
                        SingleUse::take(&copy, &run, Some(runs)).map(SingleUse::keep).is_ok()
                    })
                })
                .collect();
            threads.into_iter().map(|thread| usize::from(thread.join().unwrap())).sum::<usize>()
        });
        assert_eq!(winners, 1);
    }
}

//! The lock of a run folder, held by another process that is killed.

#![expect(clippy::unwrap_used, reason = "a test stops at what it does not expect")]
#![expect(clippy::disallowed_methods, reason = "the environment tells the child what it is")]

use std::io::{BufRead as _, BufReader, Read as _};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use leg_core::run::{LockError, RunLock};

const FOLDER: &str = "LEG_TEST_LOCK_FOLDER";

/// What the child process does: it takes the lock, says so, and waits until it is killed.
#[test]
fn child_holds_the_lock() {
    let Ok(folder) = std::env::var(FOLDER) else { return };
    let lock = RunLock::take(Path::new(&folder), "child", 0).unwrap();
    println!("\nholds {}", lock.fence());
    // Ends only with the parent, or by its kill.
    std::io::stdin().read_to_end(&mut Vec::new()).unwrap();
}

fn child(folder: &Path) -> Child {
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "child_holds_the_lock", "--nocapture"])
        .env(FOLDER, folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let output = BufReader::new(child.stdout.take().unwrap());
    let holds = output.lines().map_while(Result::ok).any(|line| line.starts_with("holds "));
    assert!(holds, "the child took the lock");
    child
}

#[test]
fn a_killed_owner_leaves_a_lock_that_the_next_one_takes_over() {
    let folder = tempfile::tempdir().unwrap();
    for fence in 1..4 {
        let mut child = child(folder.path());
        let Err(LockError::RunLocked { owner: Some(owner), .. }) = RunLock::take(folder.path(), "me", 0)
        else {
            panic!("the child has it")
        };
        assert_eq!((owner.owner.as_str(), owner.pid, owner.fence), ("child", child.id(), 2 * fence - 1));
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(folder.path().join("lock").exists(), "the file is left");
        let lock = RunLock::take(folder.path(), "me", 0).unwrap();
        assert_eq!(lock.fence(), 2 * fence);
    }
}

#[test]
fn a_child_process_does_not_inherit_the_lock() {
    let folder = tempfile::tempdir().unwrap();
    let lock = RunLock::take(folder.path(), "me", 0).unwrap();
    let mut other = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "child_holds_the_lock", "--nocapture"])
        .env(FOLDER, tempfile::tempdir().unwrap().path())
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    drop(lock);
    // A worker that outlives its owner must not keep the folder locked.
    assert_eq!(RunLock::take(folder.path(), "next", 0).unwrap().fence(), 2);
    other.kill().unwrap();
    other.wait().unwrap();
}

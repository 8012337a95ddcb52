//! The adapter over a local folder and over memory: the port's suite, the layout that it shares with `FolderObjects`,
//! and every sort of thread that may call it.

#![expect(clippy::unwrap_used, reason = "a test stops at what it does not expect")]

use std::path::Path;
use std::sync::Arc;

use leg_core::{Digest, FolderObjects, ObjectStore, StoreError};
use leg_objects::{BucketObjects, OpenError};
use leg_testkit::conformance;
use object_store::memory::InMemory;

fn memory() -> BucketObjects {
    BucketObjects::over(Arc::new(InMemory::new()), "a/b", "memory://a/b").unwrap()
}

fn file(root: &Path, digest: &Digest) -> std::path::PathBuf {
    let hex = digest.to_hex();
    root.join(&hex[..2]).join(&hex[2..])
}

#[test]
fn conforms_over_a_folder_and_over_memory() {
    let folder = tempfile::tempdir().unwrap();
    let local: Arc<dyn ObjectStore> = Arc::new(BucketObjects::local(folder.path()).unwrap());
    conformance::object_store(&local);
    conformance::damaged_objects(&local, &|digest, bytes| {
        std::fs::write(file(folder.path(), digest), bytes).unwrap();
    });
    let memory: Arc<dyn ObjectStore> = Arc::new(memory());
    conformance::object_store(&memory);
}

#[test]
fn it_and_folder_objects_read_each_other() {
    let folder = tempfile::tempdir().unwrap();
    let (here, there) = (BucketObjects::local(folder.path()).unwrap(), FolderObjects::new(folder.path()));
    let (a, b) = (here.put(b"from the bucket").unwrap(), there.put(b"from the folder").unwrap());
    assert_eq!(there.get(&a).unwrap().as_ref(), b"from the bucket");
    assert_eq!(here.get(&b).unwrap().as_ref(), b"from the folder");
    let before = std::fs::metadata(file(folder.path(), &b)).unwrap().modified().unwrap();
    here.put(b"from the folder").unwrap();
    assert_eq!(std::fs::metadata(file(folder.path(), &b)).unwrap().modified().unwrap(), before);
}

fn works(store: &dyn ObjectStore, word: &str) {
    let digest = store.put(word.as_bytes()).unwrap();
    assert_eq!(store.get(&digest).unwrap(), word);
}

#[tokio::test(flavor = "current_thread")]
async fn works_and_is_dropped_inside_a_single_threaded_runtime() {
    let store = memory();
    works(&store, "here");
    let store = Arc::new(store);
    let other = Arc::clone(&store);
    tokio::task::spawn_blocking(move || works(&*other, "blocking")).await.unwrap();
    drop(store);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn many_tasks_of_a_runtime_wait_without_starving_it() {
    let store = Arc::new(memory());
    let mut set = tokio::task::JoinSet::new();
    for number in 0..64 {
        let store = Arc::clone(&store);
        set.spawn(async move { works(&*store, &format!("task {number}")) });
    }
    assert_eq!(set.join_all().await.len(), 64);
}

#[test]
fn works_on_threads_of_rayon() {
    use rayon::prelude::*;
    let store = memory();
    (0..64).into_par_iter().for_each(|number| works(&store, &format!("part {number}")));
}

#[test]
fn says_what_is_wrong_with_a_folder() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file");
    std::fs::write(&path, "").unwrap();
    let error = BucketObjects::local(&path).unwrap_err();
    assert!(matches!(&error, OpenError::Folder { path: named, .. } if *named == path), "{error}");
    // A folder that stands where a file should be.
    let store = BucketObjects::local(folder.path()).unwrap();
    let digest = store.put(b"x").unwrap();
    std::fs::remove_file(file(folder.path(), &digest)).unwrap();
    std::fs::create_dir_all(file(folder.path(), &digest).join("in")).unwrap();
    let error = store.put(b"x").unwrap_err();
    assert!(matches!(error, StoreError::Io { .. }), "{error}");
    assert!(error.to_string().contains(&digest.to_hex()[2..]), "{error}");
}

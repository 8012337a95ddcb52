//! What every [`ObjectStore`] must do.

#![expect(clippy::panic, reason = "a suite says by panicking what does not hold")]

use std::sync::Arc;
use std::thread;

use leg_core::{Artifact, Digest, Domain, Kind, ObjectStore, ObjectStoreExt as _, StoreError, Variable};
use serde_json::json;

/// Checks an empty store.
///
/// # Panics
/// When the store does not do what the port promises.
pub fn object_store(store: &Arc<dyn ObjectStore>) {
    let large: Vec<u8> = (0..300_000_u32).flat_map(u32::to_le_bytes).collect();
    let blobs: [&[u8]; 4] = [b"", b"tide", b"\0\xff\r\n", &large];
    for blob in blobs {
        let expected = Digest::of(Domain::Object, blob);
        match store.get(&expected) {
            Err(StoreError::Missing { digest }) => {
                assert_eq!(digest, expected, "`Missing` names what was asked");
            }
            other => panic!("an object that was never put must be `Missing`, and the store said {other:?}"),
        }
        for attempt in ["first", "second"] {
            let digest = put(store, blob);
            assert_eq!(digest, expected, "the {attempt} put of {} bytes gives their digest", blob.len());
            let found = store.get(&digest);
            assert!(
                found.as_ref().is_ok_and(|found| found.as_ref() == blob),
                "after the {attempt} put of {} bytes they come back whole; the store said {:?}",
                blob.len(),
                found.map(|found| found.len())
            );
        }
    }
    artifacts_come_back(store);
    threads_agree(store);
}

fn put(store: &Arc<dyn ObjectStore>, blob: &[u8]) -> Digest {
    store.put(blob).unwrap_or_else(|error| panic!("a put of {} bytes failed: {error}", blob.len()))
}

fn artifacts_come_back(store: &Arc<dyn ObjectStore>) {
    let variable = Variable {
        name: "level".into(),
        standard_name: None,
        units: "m".into(),
        dims: vec!["time".into()],
        shape: vec![3],
        values: vec![0.1, f64::NAN, -2.5],
    };
    let array = Artifact::array(Kind::Series, "level", variable);
    let table = Artifact::document(Kind::Table, "rows", json!({"rows": [1, "é"]}));
    for artifact in [array, table, Artifact::file("a.bin", "application/octet-stream", vec![0, 10, 255])] {
        let name = &artifact.name;
        let summary = store
            .put_artifact(&artifact)
            .unwrap_or_else(|error| panic!("artifact `{name}` cannot be put: {error}"));
        let back = store
            .get_artifact(&summary.digest)
            .unwrap_or_else(|error| panic!("artifact `{name}` does not come back: {error}"));
        // Encoded, because a missing value does not equal itself.
        assert_eq!(back.encode().ok(), artifact.encode().ok(), "artifact `{name}` comes back as it was");
    }
    let text = put(store, b"no artifact");
    assert!(
        matches!(store.get_artifact(&text), Err(StoreError::Decode { .. })),
        "bytes that are no artifact are told apart from damage"
    );
}

fn threads_agree(store: &Arc<dyn ObjectStore>) {
    thread::scope(|scope| {
        for worker in 0..4_u8 {
            let store = Arc::clone(store);
            scope.spawn(move || {
                for number in 0..25_u8 {
                    // Every thread writes the same objects, and one that is its own.
                    for blob in [vec![7, number], vec![8, worker, number]] {
                        let digest = put(&store, &blob);
                        let found = store.get(&digest);
                        assert!(
                            found.as_ref().is_ok_and(|found| *found == blob),
                            "an object that was just put is there, whoever else puts it: {found:?}"
                        );
                    }
                }
            });
        }
    });
}

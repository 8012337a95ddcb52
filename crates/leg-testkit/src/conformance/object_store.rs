//! What every [`ObjectStore`] must do.

#![expect(clippy::panic, reason = "a suite says by panicking what does not hold")]

use std::sync::{Arc, Barrier};
use std::thread;

use leg_core::{Artifact, Digest, Domain, Kind, ObjectStore, ObjectStoreExt as _, StoreError, Variable};
use serde_json::json;

/// Checks an empty store: what is put comes back whole, what is not there is said to be missing, and threads do not
/// disturb each other. It puts about 10 MB.
///
/// # Panics
/// When the store does not do what the port promises.
pub fn object_store(store: &Arc<dyn ObjectStore>) {
    let large = five_megabytes(1);
    let blobs: [&[u8]; 5] = [b"", b"x", b"tide", b"\0\xff\r\n", &large];
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
    nobody_sees_half_an_object(store);
}

/// Checks that a store tells damage apart from everything else. `replace` puts other bytes where the store keeps an
/// object, past the port.
///
/// # Panics
/// When the store gives out damaged bytes, or does not heal a cut object when it is put again.
pub fn damaged_objects(store: &Arc<dyn ObjectStore>, replace: &dyn Fn(&Digest, &[u8])) {
    let digest = put(store, b"the level was 1.93 m");
    for other in [&b"the level was 1.94 m"[..], b"the level was", b""] {
        replace(&digest, other);
        match store.get(&digest) {
            Err(StoreError::Damaged { digest: asked, found }) => {
                assert_eq!(asked, digest, "`Damaged` names what was asked");
                assert_eq!(found, Digest::of(Domain::Object, other), "`Damaged` names what is there");
            }
            other => panic!("a damaged object must be `Damaged`, and the store said {other:?}"),
        }
    }
    put(store, b"the level was 1.93 m");
    assert!(store.get(&digest).is_ok(), "an object that was cut is whole again when it was put again");
}

fn five_megabytes(salt: u32) -> Vec<u8> {
    (0..1_250_000_u32).flat_map(|number| (number ^ salt.rotate_left(20)).to_le_bytes()).collect()
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
        for worker in 0..8_u8 {
            let store = Arc::clone(store);
            scope.spawn(move || {
                for number in 0..12_u8 {
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

/// Eight threads put the same large object while one reads it: it is missing until it is whole.
fn nobody_sees_half_an_object(store: &Arc<dyn ObjectStore>) {
    let large = five_megabytes(2);
    let digest = Digest::of(Domain::Object, &large);
    let start = Barrier::new(9);
    thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                start.wait();
                assert_eq!(put(store, &large), digest);
            });
        }
        scope.spawn(|| {
            start.wait();
            loop {
                match store.get(&digest) {
                    Ok(found) => break assert!(found == large, "an object that is there is whole"),
                    Err(StoreError::Missing { .. }) => thread::yield_now(),
                    Err(error) => panic!("an object that is being put is missing until it is whole: {error}"),
                }
            }
        });
    });
}

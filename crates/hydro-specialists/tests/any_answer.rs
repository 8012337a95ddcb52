//! Whatever a service answers, a tool ends with an answer or an error: broken forms of good answers, and noise.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "a test stops at what it does not expect"
)]

#[path = "../../../fuzz/service_answer.rs"]
mod service_answer;

use std::path::Path;

use proptest::prelude::*;
use service_answer::service_answer;

/// Good answers, of the examples' recordings.
fn good() -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/recordings");
    let files = [
        "nhc/hurdat2.txt",
        "coops/datums_9990001.json",
        "usgs/marks_7001.json",
        "fema/zone.json",
        "usgs/events.json",
    ];
    let mut good: Vec<Vec<u8>> = files.iter().map(|file| std::fs::read(folder.join(file)).unwrap()).collect();
    good.push(
        b"AL, 90, 2022092800,   , BEST,   0, 200N,  800W,  50,  990, TS,  34, NEQ,   60,   50,   40,   50\n"
            .to_vec(),
    );
    good.push(b"CDF\x01\0\0\0\x05\0\0\0\x0a\0\0\0\x01\0\0\0\x04time\0\0\0\0".to_vec());
    good.push(b"\x89HDF\r\n\x1a\n\0\0\0\0\0\x08\x08\0\x04\0\x10\0".to_vec());
    good.push(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\x01\0\0\0\x01\0\x08\x06\0\0\0".to_vec());
    good.push(
        br#"{"features":[{"properties":{"time":"2022-09-28T00:00:00Z","value":"1e999"}}],"links":[]}"#
            .to_vec(),
    );
    good
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn broken_answers_end_in_an_answer_or_an_error(
        which in 0..10_usize,
        reader in any::<u8>(),
        edits in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..8),
        cut in any::<prop::sample::Index>(),
        is_cut in any::<bool>(),
    ) {
        let mut bytes = good().swap_remove(which);
        for (at, byte) in edits {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        if is_cut {
            bytes.truncate(cut.index(bytes.len()));
        }
        bytes.insert(0, reader);
        service_answer(&bytes);
    }

    #[test]
    fn noise_ends_in_an_answer_or_an_error(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        service_answer(&bytes);
    }
}

#[test]
fn deep_and_long_answers_end() {
    for reader in 0..15_u8 {
        for body in ["[".repeat(100_000), "{\"a\":".repeat(50_000), "9".repeat(200_000), "a,".repeat(100_000)]
        {
            let mut bytes = vec![reader];
            bytes.extend(body.bytes());
            service_answer(&bytes);
        }
    }
}

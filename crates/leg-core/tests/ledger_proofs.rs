//! Proofs of the log tree, against `ct-merkle`, another implementation of the same RFC.

use ct_merkle::mem_backed_tree::MemoryBackedTree;
use digest::consts::U32;
use digest::{FixedOutput, HashMarker, Output, OutputSizeUser, Update};
use leg_core::ledger::{ConsistencyProof, InclusionProof, LogTree};
use leg_core::{Digest, Domain};
use proptest::prelude::*;
use serde_json::json;

/// BLAKE3 with the context of the log tree, in the shape that `ct-merkle` asks for.
#[derive(Clone)]
struct LogHash(blake3::Hasher);

impl Default for LogHash {
    fn default() -> Self {
        Self(blake3::Hasher::new_derive_key(Domain::Log.context()))
    }
}

impl HashMarker for LogHash {}

impl OutputSizeUser for LogHash {
    type OutputSize = U32;
}

impl Update for LogHash {
    fn update(&mut self, data: &[u8]) {
        self.0.update(data);
    }
}

impl FixedOutput for LogHash {
    fn finalize_into(self, out: &mut Output<Self>) {
        out.copy_from_slice(self.0.finalize().as_bytes());
    }
}

fn lines(n: usize) -> Vec<Vec<u8>> {
    (0..n).map(|at| format!("{{\"line\":{at}}}").into_bytes()).collect()
}

fn slices(lines: &[Vec<u8>]) -> Vec<&[u8]> {
    lines.iter().map(Vec::as_slice).collect()
}

fn bytes(path: &[Digest]) -> Vec<u8> {
    path.iter().flat_map(|digest| *digest.as_bytes()).collect()
}

fn other() -> Digest {
    Digest::of(Domain::Log, b"another")
}

#[test]
fn every_proof_of_small_ledgers_is_that_of_ct_merkle() {
    let all = lines(40);
    let mut theirs = MemoryBackedTree::<LogHash, Vec<u8>>::new();
    for size in 1..=all.len() {
        theirs.push(all[size - 1].clone());
        let lines = slices(&all[..size]);
        for at in 0..size {
            let proof = InclusionProof::of(&lines, at as u64).unwrap();
            assert_eq!(proof.log_root.as_bytes().as_slice(), theirs.root().as_bytes().as_slice());
            assert_eq!(bytes(&proof.path), theirs.prove_inclusion(at).as_bytes(), "record {at} of {size}");
            proof.check(Some(&proof.log_root)).unwrap();
        }
        for from in 1..size {
            let proof = ConsistencyProof::of(&lines, from as u64).unwrap();
            let theirs = theirs.prove_consistency(size - from);
            assert_eq!(bytes(&proof.path), theirs.as_bytes(), "{from} to {size}");
            proof.check().unwrap();
        }
    }
}

#[test]
fn a_record_outside_and_a_line_that_is_not_canonical_are_refused() {
    let all = lines(3);
    assert!(InclusionProof::of(&slices(&all), 3).unwrap_err().to_string().contains("has 3 records"));
    assert!(InclusionProof::of(&[], 0).is_err());
    assert!(InclusionProof::of(&[b"{\"a\": 1}"], 0).unwrap_err().to_string().contains("not canonical"));
    assert!(ConsistencyProof::of(&slices(&all), 4).is_err());
    assert!(ConsistencyProof::of(&slices(&all), 0).is_err());
}

proptest! {
    #[test]
    fn a_proof_holds_and_no_change_of_it_does(size in 1_usize..600, place in 0.0..1.0_f64, cut in 0.0..1.0_f64) {
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a fraction of a small size")]
        let at = (size as f64 * place) as usize;
        let all = lines(size);
        let mut tree = LogTree::default();
        for line in &all {
            tree.push(line);
        }
        let proof = InclusionProof::of(&slices(&all), at as u64).unwrap();
        prop_assert_eq!(proof.log_root, tree.root());
        prop_assert!(proof.check(Some(&tree.root())).is_ok());
        prop_assert!(proof.check(Some(&other())).is_err());
        let back: InclusionProof = serde_json::from_str(&json!(proof).to_string()).unwrap();
        prop_assert_eq!(&back, &proof);
        let changed = |change: &dyn Fn(&mut InclusionProof)| {
            let mut proof = proof.clone();
            change(&mut proof);
            proof.check(None).is_err()
        };
        let forged = json!({"line": -1});
        prop_assert!(changed(&|p| p.record = forged.clone()));
        prop_assert!(changed(&|p| p.leaf = other()));
        prop_assert!(changed(&|p| p.log_root = other()));
        prop_assert!(changed(&|p| p.seq += p.size));
        prop_assert!(changed(&|p| p.size = 0));
        prop_assert!(changed(&|p| p.path.push(other())));
        for place in 0..proof.path.len() {
            prop_assert!(changed(&|p| p.path[place] = other()));
            prop_assert!(changed(&|p| p.path.truncate(place)));
        }
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a fraction of a small size")]
        let from = (size as f64 * cut) as u64 + 1;
        let grown = ConsistencyProof::of(&slices(&all), from).unwrap();
        prop_assert!(grown.check().is_ok());
        prop_assert_eq!(grown.log_root, tree.root());
        for place in 0..grown.path.len() {
            let mut wrong = grown.clone();
            wrong.path[place] = other();
            prop_assert!(wrong.check().is_err());
        }
        let wrong = ConsistencyProof { from_root: other(), ..grown.clone() };
        prop_assert!(wrong.check().is_err());
    }
}

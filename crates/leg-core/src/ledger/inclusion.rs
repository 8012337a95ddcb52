//! [`InclusionProof`]: one record is in the ledger with this log root, shown without the rest of the ledger.
//!
//! Paths are those of RFC 9162, section 2.1.3, over the tree of [`LogTree`](crate::ledger::LogTree).

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::Digest;
use crate::canonical::{self, CanonicalError};
use crate::ledger::log_tree::{head, inner, leaf};

/// That a record is line `seq` of the ledger of `size` lines with the root `log_root`.
///
/// The document carries the record itself, so that it can be read and checked without the run.
///
/// ```
/// use leg_core::ledger::InclusionProof;
///
/// let lines: [&[u8]; 3] = [b"{\"a\":1}", b"{\"b\":2}", b"{\"c\":3}"];
/// let proof = InclusionProof::of(&lines, 1).unwrap();
/// assert_eq!(proof.path.len(), 2);
/// proof.check(None).unwrap();
///
/// let mut forged = proof.clone();
/// forged.record = serde_json::json!({"b": 3});
/// assert!(forged.check(None).is_err());
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct InclusionProof {
    /// The record's place, from 0.
    pub seq: u64,
    /// How many lines the tree has.
    pub size: u64,
    /// The digest of the record's line in the tree.
    pub leaf: Digest,
    /// The digests of the neighbours, from the leaf to the root.
    pub path: Vec<Digest>,
    /// The tree head.
    pub log_root: Digest,
    /// The record. Its canonical form is the line.
    pub record: Value,
}

/// Nothing can be proved, or a proof does not hold.
///
/// ```
/// use leg_core::ledger::{InclusionProof, ProofError};
///
/// assert!(matches!(InclusionProof::of(&[], 7), Err(ProofError::NoRecord { .. })));
/// ```
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum ProofError {
    /// There is no such line.
    #[error("the ledger has {size} records; `seq` counts from 0, so ask for one below {size}")]
    NoRecord {
        /// How many there are.
        size: u64,
    },
    /// A ledger does not shrink.
    #[error("{from} records cannot come before {size}; name an earlier size of the ledger, from 1 to {size}")]
    NoSize {
        /// The earlier size that was asked for.
        from: u64,
        /// The size.
        size: u64,
    },
    /// The line is not as the engine writes it.
    #[error("record {seq} is not canonical JSON; run `leg verify` to see what is wrong with the run")]
    NotCanonical {
        /// Which line.
        seq: u64,
    },
    /// The record has no canonical form.
    #[error("the record has no canonical form")]
    Record(#[from] CanonicalError),
    /// The record is not the one of the proof.
    #[error("the record hashes to {found} and the proof is for {leaf}: the record was changed")]
    Leaf {
        /// What the proof says.
        leaf: Digest,
        /// What the record hashes to.
        found: Digest,
    },
    /// The path has another length than the tree.
    #[error("the path has {found} digests, and one that fits has another number: the proof was changed")]
    Path {
        /// How many there are.
        found: usize,
    },
    /// The path leads elsewhere.
    #[error("the path leads to {found} and not to the root {root}: the proof is for another ledger")]
    Root {
        /// What the proof says.
        root: Digest,
        /// Where the path leads.
        found: Digest,
    },
    /// The proof holds for another root than the published one.
    #[error("the proof holds for the root {root} and not for {expected}: it is of another ledger")]
    Published {
        /// What the proof is for.
        root: Digest,
        /// What was asked for.
        expected: Digest,
    },
}

impl InclusionProof {
    /// Proves line `seq` of a ledger; lines stand without their line feeds.
    ///
    /// # Errors
    /// [`ProofError::NoRecord`], or [`ProofError::NotCanonical`] for a line that cannot be given as JSON.
    pub fn of(lines: &[&[u8]], seq: u64) -> Result<Self, ProofError> {
        let size = lines.len() as u64;
        let no_record = || ProofError::NoRecord { size };
        let at = usize::try_from(seq).map_err(|_| no_record())?;
        let line = lines.get(at).ok_or_else(no_record)?;
        let record: Value = serde_json::from_slice(line).map_err(|_| ProofError::NotCanonical { seq })?;
        if canonical::to_vec(&record).ok().as_deref() != Some(line) {
            return Err(ProofError::NotCanonical { seq });
        }
        let leaves: Vec<Digest> = lines.iter().map(|line| leaf(line)).collect();
        Ok(Self { seq, size, leaf: leaf(line), log_root: head(&leaves), path: path(leaves, at), record })
    }

    /// Checks the proof; `expected` is a published log root that it must be for.
    ///
    /// # Errors
    /// The first [`ProofError`] that shows why it does not hold.
    pub fn check(&self, expected: Option<&Digest>) -> Result<(), ProofError> {
        let found = leaf(&canonical::to_vec(&self.record)?);
        if found != self.leaf {
            return Err(ProofError::Leaf { leaf: self.leaf, found });
        }
        let found = root_of_path(&self.leaf, self.seq, self.size, &self.path)?;
        if found != self.log_root {
            return Err(ProofError::Root { root: self.log_root, found });
        }
        match expected {
            Some(expected) if *expected != self.log_root => {
                Err(ProofError::Published { root: self.log_root, expected: *expected })
            }
            _ => Ok(()),
        }
    }
}

/// The neighbours of a leaf on its way to the root. The last node of a level may have none: it moves up as it is.
fn path(mut level: Vec<Digest>, mut at: usize) -> Vec<Digest> {
    let mut path = Vec::new();
    while level.len() > 1 {
        path.extend(level.get(at ^ 1).copied());
        let pairs = level.chunks(2).filter_map(|pair| match pair {
            [left, right] => Some(inner(left, right)),
            [alone] => Some(*alone),
            _ => None,
        });
        level = pairs.collect();
        at /= 2;
    }
    path
}

/// Where a path leads: RFC 9162, section 2.1.3.2, with its names.
fn root_of_path(leaf: &Digest, seq: u64, size: u64, path: &[Digest]) -> Result<Digest, ProofError> {
    let wrong = || ProofError::Path { found: path.len() };
    if seq >= size {
        return Err(ProofError::NoRecord { size });
    }
    let (mut fn_, mut sn) = (seq, size - 1);
    let mut r = *leaf;
    for p in path {
        if sn == 0 {
            return Err(wrong());
        }
        if fn_ & 1 == 1 || fn_ == sn {
            r = inner(p, &r);
            while fn_ & 1 == 0 && fn_ != 0 {
                fn_ >>= 1;
                sn >>= 1;
            }
        } else {
            r = inner(&r, p);
        }
        fn_ >>= 1;
        sn >>= 1;
    }
    if sn == 0 { Ok(r) } else { Err(wrong()) }
}

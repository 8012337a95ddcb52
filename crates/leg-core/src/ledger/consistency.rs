//! [`ConsistencyProof`]: a ledger only grew since an earlier root of it was published.
//!
//! Paths are those of RFC 9162, section 2.1.4.

use serde::{Deserialize, Serialize};

use crate::Digest;
use crate::ledger::ProofError;
use crate::ledger::log_tree::{head, inner, leaf};

/// That the ledger with the root `log_root` begins with the `from` lines that had the root `from_root`.
///
/// ```
/// use leg_core::ledger::ConsistencyProof;
///
/// let lines: [&[u8]; 5] = [b"a", b"b", b"c", b"d", b"e"];
/// let proof = ConsistencyProof::of(&lines, 3).unwrap();
/// proof.check().unwrap();
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ConsistencyProof {
    /// The earlier number of lines, at least 1.
    pub from: u64,
    /// The number of lines.
    pub size: u64,
    /// The earlier root.
    pub from_root: Digest,
    /// The root.
    pub log_root: Digest,
    /// The digests that lead to both.
    pub path: Vec<Digest>,
}

impl ConsistencyProof {
    /// Proves that a ledger begins with its first `from` lines; lines stand without their line feeds.
    ///
    /// # Errors
    /// [`ProofError::NoSize`].
    pub fn of(lines: &[&[u8]], from: u64) -> Result<Self, ProofError> {
        let leaves: Vec<Digest> = lines.iter().map(|line| leaf(line)).collect();
        let size = leaves.len() as u64;
        let wrong = || ProofError::NoSize { from, size };
        let earlier = usize::try_from(from).ok().filter(|from| *from > 0);
        let (first, _) = earlier.and_then(|from| leaves.split_at_checked(from)).ok_or_else(wrong)?;
        let mut path = Vec::new();
        subproof(first.len(), &leaves, true, &mut path);
        Ok(Self { from, size, from_root: head(first), log_root: head(&leaves), path })
    }

    /// Checks the proof.
    ///
    /// # Errors
    /// [`ProofError::NoSize`], [`ProofError::Path`] or [`ProofError::Root`].
    pub fn check(&self) -> Result<(), ProofError> {
        let wrong = || ProofError::Path { found: self.path.len() };
        if self.from == 0 || self.from > self.size {
            return Err(ProofError::NoSize { from: self.from, size: self.size });
        }
        if self.from == self.size {
            // Nothing was added: the roots are one, and there is nothing to prove.
            return match (self.path.is_empty(), self.from_root == self.log_root) {
                (true, true) => Ok(()),
                (true, false) => Err(ProofError::Root { root: self.log_root, found: self.from_root }),
                (false, _) => Err(wrong()),
            };
        }
        // RFC 9162, section 2.1.4.2, with its names.
        let mut path = self.path.iter();
        let start = if self.from.is_power_of_two() { Some(&self.from_root) } else { path.next() };
        let start = *start.ok_or_else(wrong)?;
        let (mut fn_, mut sn) = (self.from - 1, self.size - 1);
        while fn_ & 1 == 1 {
            fn_ >>= 1;
            sn >>= 1;
        }
        let (mut fr, mut sr) = (start, start);
        for c in path {
            if sn == 0 {
                return Err(wrong());
            }
            if fn_ & 1 == 1 || fn_ == sn {
                fr = inner(c, &fr);
                sr = inner(c, &sr);
                while fn_ & 1 == 0 && fn_ != 0 {
                    fn_ >>= 1;
                    sn >>= 1;
                }
            } else {
                sr = inner(&sr, c);
            }
            fn_ >>= 1;
            sn >>= 1;
        }
        if sn != 0 {
            return Err(wrong());
        }
        for (root, found) in [(self.from_root, fr), (self.log_root, sr)] {
            if root != found {
                return Err(ProofError::Root { root, found });
            }
        }
        Ok(())
    }

    /// Whether the proof is for this published log root, the earlier or the later one.
    ///
    /// # Errors
    /// [`ProofError::Published`].
    pub fn is_for(&self, expected: &Digest) -> Result<(), ProofError> {
        if [self.from_root, self.log_root].contains(expected) {
            Ok(())
        } else {
            Err(ProofError::Published { root: self.log_root, expected: *expected })
        }
    }
}

/// RFC 9162, section 2.1.4.1: the digests that lead from the first `m` leaves to all; `whole` says that those `m`
/// are a tree of their own, whose head the checker knows.
fn subproof(m: usize, leaves: &[Digest], whole: bool, path: &mut Vec<Digest>) {
    if m == leaves.len() {
        if !whole {
            path.push(head(leaves));
        }
        return;
    }
    let k = leaves.len().next_power_of_two() / 2;
    let (left, right) = leaves.split_at(k.min(leaves.len()));
    if m <= k {
        subproof(m, left, whole, path);
        path.push(head(right));
    } else {
        subproof(m - k, right, false, path);
        path.push(head(left));
    }
}

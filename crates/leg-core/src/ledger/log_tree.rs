//! [`LogTree`]: the tree head over ledger lines, shaped as in RFC 9162 section 2.1.
//!
//! A leaf is `H(0x00 ‖ line)`, an inner node `H(0x01 ‖ left ‖ right)`, with BLAKE3 under [`Domain::Log`]; the
//! left part of a tree over n leaves holds the largest power of two below n.

use crate::digest::Hasher;
use crate::{Digest, Domain};

/// A growing tree head. It keeps one digest for each full sub-tree: logarithmic memory.
///
/// ```
/// use leg_core::ledger::LogTree;
///
/// let mut tree = LogTree::default();
/// let empty = tree.root();
/// tree.push(b"{\"seq\":0}");
/// assert_eq!(tree.size(), 1);
/// assert_ne!(tree.root(), empty);
/// ```
#[derive(Debug, Clone, Default)]
pub struct LogTree {
    /// Heights and heads of full sub-trees, largest first.
    full: Vec<(u32, Digest)>,
    size: u64,
}

impl LogTree {
    /// Adds a line (without its line feed).
    pub fn push(&mut self, line: &[u8]) {
        self.push_leaf(leaf(line));
    }

    fn push_leaf(&mut self, leaf: Digest) {
        let mut head = leaf;
        let mut height = 0;
        while let Some((_, left)) = self.full.pop_if(|(last, _)| *last == height) {
            head = inner(&left, &head);
            height += 1;
        }
        self.full.push((height, head));
        self.size += 1;
    }

    /// How many lines there are.
    pub const fn size(&self) -> u64 {
        self.size
    }

    /// The head over all lines; of no lines it is the digest of nothing.
    pub fn root(&self) -> Digest {
        let mut heads = self.full.iter().rev().map(|(_, head)| *head);
        let Some(mut root) = heads.next() else {
            return Digest::of(Domain::Log, b"");
        };
        for left in heads {
            root = inner(&left, &root);
        }
        root
    }
}

/// The tree head over leaves.
pub(crate) fn head(leaves: &[Digest]) -> Digest {
    let mut tree = LogTree::default();
    for leaf in leaves {
        tree.push_leaf(*leaf);
    }
    tree.root()
}

/// The digest of a line in the tree.
pub(crate) fn leaf(line: &[u8]) -> Digest {
    let mut hasher = Hasher::new(Domain::Log);
    hasher.update(&[0]);
    hasher.update(line);
    hasher.finish()
}

/// The digest of two neighbours together.
pub(crate) fn inner(left: &Digest, right: &Digest) -> Digest {
    let mut hasher = Hasher::new(Domain::Log);
    hasher.update(&[1]);
    hasher.update(left.as_bytes());
    hasher.update(right.as_bytes());
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The definition of RFC 9162, section 2.1.1, to the letter.
    fn by_definition(lines: &[Vec<u8>]) -> Digest {
        match lines {
            [] => Digest::of(Domain::Log, b""),
            [one] => leaf(one),
            many => {
                let left = many.len().next_power_of_two() / 2;
                inner(&by_definition(&many[..left]), &by_definition(&many[left..]))
            }
        }
    }

    #[test]
    fn grows_to_the_same_head_as_the_definition() {
        let lines: Vec<Vec<u8>> = (0..70_u8).map(|n| vec![n; usize::from(n % 5)]).collect();
        let mut tree = LogTree::default();
        for n in 0..=lines.len() {
            assert_eq!(tree.root(), by_definition(&lines[..n]), "{n} lines");
            if let Some(line) = lines.get(n) {
                tree.push(line);
            }
        }
    }
}

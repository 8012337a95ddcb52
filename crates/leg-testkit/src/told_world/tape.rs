//! [`Tape`]: decisions of a random plan.

use proptest::prelude::*;

/// Decisions of a random plan; shrinking makes them 0, which is always the simplest choice.
#[derive(Debug, Clone)]
pub struct Tape {
    cells: Vec<u16>,
    at: usize,
}

impl Tape {
    /// A tape of these numbers; where it ends, zeros follow.
    pub fn new(cells: Vec<u16>) -> Self {
        Self { cells, at: 0 }
    }

    /// A number below `of`.
    pub fn pick(&mut self, of: usize) -> usize {
        let cell = self.cells.get(self.at).copied().unwrap_or(0);
        self.at += 1;
        usize::from(cell) % of.max(1)
    }

    /// True in `k` of `n` cases.
    pub fn chance(&mut self, k: usize, n: usize) -> bool {
        self.pick(n) >= n - k
    }
}

/// Tapes of all lengths that a plan can use.
pub fn any_tape() -> impl Strategy<Value = Tape> {
    proptest::collection::vec(any::<u16>(), 0..260).prop_map(Tape::new)
}

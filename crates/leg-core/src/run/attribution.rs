//! [`Attribution`]: how much of a run's evidence got as far as the reporter.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use crate::role::Dropped;
use crate::{Claim, Evidence};

/// How much of a run's evidence got as far as the reporter.
///
/// ```
/// use leg_core::run::Attribution;
///
/// assert!((Attribution::default().survival - 1.0).abs() < f64::EPSILON, "nothing was there to be lost");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Attribution {
    /// How many pieces of evidence the nodes gave.
    pub emitted: usize,
    /// How many of them the reporter had before it.
    pub reached: usize,
    /// How many a consolidator or the merge dropped, with a reason.
    pub dropped: usize,
    /// How many the claims cite.
    pub cited: usize,
    /// Reached over emitted; 1 when there is no evidence.
    pub survival: f64,
}

impl Default for Attribution {
    fn default() -> Self {
        Self { emitted: 0, reached: 0, dropped: 0, cited: 0, survival: 1.0 }
    }
}

impl Attribution {
    /// Counts. `reached` is counted where the reporter gets it, not worked out from what was dropped, so that a loss
    /// anywhere between would show.
    pub(crate) fn of<'a>(
        evidence: &[Evidence],
        reached: usize,
        dropped: &[Dropped],
        claims: impl Iterator<Item = &'a Claim>,
    ) -> Self {
        let cited: BTreeSet<_> = claims.flat_map(|claim| &claim.evidence).collect();
        let cited = evidence.iter().filter_map(|one| one.id.as_ref()).filter(|id| cited.contains(id)).count();
        let emitted = evidence.len();
        let survival = if emitted == 0 { 1.0 } else { reached as f64 / emitted as f64 };
        Self { emitted, reached, dropped: dropped.len(), cited, survival }
    }

    /// Whether some evidence did not reach the reporter.
    pub(crate) const fn has_loss(&self) -> bool {
        self.reached < self.emitted
    }
}

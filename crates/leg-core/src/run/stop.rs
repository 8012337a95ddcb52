//! [`Stop`]: a tree of stop signals, each with its reason: run, layer, node.

use std::sync::{Arc, OnceLock};

use tokio_util::sync::CancellationToken;

use crate::Status;

/// A signal that reaches all below it.
#[derive(Debug, Clone)]
pub(crate) struct Stop {
    token: CancellationToken,
    why: Arc<Why>,
}

#[derive(Debug, Default)]
struct Why {
    reason: OnceLock<Status>,
    above: Option<Arc<Why>>,
}

impl Stop {
    /// The root of a tree, fired by `token`.
    pub(crate) fn root(token: CancellationToken) -> Self {
        Self { token, why: Arc::default() }
    }

    /// A signal below this one.
    pub(crate) fn child(&self) -> Self {
        let why = Why { reason: OnceLock::new(), above: Some(Arc::clone(&self.why)) };
        Self { token: self.token.child_token(), why: Arc::new(why) }
    }

    /// Stops all below, for this reason; the first reason counts.
    pub(crate) fn stop(&self, reason: Status) {
        let _ = self.why.reason.set(reason);
        self.token.cancel();
    }

    pub(crate) const fn token(&self) -> &CancellationToken {
        &self.token
    }

    /// Why it fired: what was said nearest, or that somebody stopped the run.
    pub(crate) fn reason(&self) -> Status {
        let mut why = Some(&self.why);
        while let Some(here) = why {
            if let Some(reason) = here.reason.get() {
                return *reason;
            }
            why = here.above.as_ref();
        }
        Status::Cancelled
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_reason_counts_and_a_bare_signal_means_cancelled() {
        let run = Stop::root(CancellationToken::new());
        let layer = run.child();
        let node = layer.child();
        let other = run.child();
        layer.stop(Status::Timeout);
        assert!(node.token().is_cancelled() && !other.token().is_cancelled());
        assert_eq!((node.reason(), other.reason()), (Status::Timeout, Status::Cancelled));
        run.token().cancel();
        assert_eq!(other.reason(), Status::Cancelled);
        assert_eq!(layer.reason(), Status::Timeout);
    }
}

//! [`Replanner`]: mends a plan of which a part failed, from structured [`Feedback`].
//!
//! A replanner only writes plans. A repaired plan passes the same validation and compilation as any other; it runs
//! without a new approval only [within the one that was given](super::within_approval); and calls that have ended are
//! not made again. When there is no repair, the run fails and says so.

use std::fmt::Debug;

use async_trait::async_trait;

use super::Feedback;
use crate::{Plan, ToolError};

/// The most repairs of one run.
pub const MAX_REPAIRS: u32 = 2;

/// Mends a plan of which a part failed.
///
/// ```
/// use leg_core::plan::{Body, Plan};
/// use leg_core::run::{Feedback, Replanner};
/// use leg_core::ToolError;
///
/// /// Leaves the failed steps out.
/// #[derive(Debug)]
/// struct LeaveOut;
///
/// #[async_trait::async_trait]
/// impl Replanner for LeaveOut {
///     fn name(&self) -> String {
///         "leave_out/1".to_owned()
///     }
///     async fn replan(&self, feedback: &Feedback) -> Result<Option<Plan>, ToolError> {
///         let mut plan = leg_core::plan::parse(&feedback.plan).map_err(|_| ToolError::invalid("no plan"))?;
///         for track in &mut plan.tracks {
///             if let Body::Steps(steps) = &mut track.body {
///                 steps.retain(|step| feedback.failures.iter().all(|failure| failure.node != step.id));
///             }
///         }
///         Ok(Some(plan))
///     }
/// }
/// ```
#[async_trait]
pub trait Replanner: Send + Sync + Debug {
    /// A name with a version: it is part of what a replay compares.
    fn name(&self) -> String;

    /// A whole plan in place of the one that failed, or `None` when there is none.
    ///
    /// What should not be done again keeps its tool and arguments: a finished call is known by these, whatever its
    /// step is called.
    ///
    /// # Errors
    /// [`ToolError`]: why there is no answer. It counts as no repair.
    async fn replan(&self, feedback: &Feedback) -> Result<Option<Plan>, ToolError>;
}

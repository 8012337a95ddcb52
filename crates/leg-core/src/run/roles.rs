//! [`Roles`]: who consolidates, merges, describes pictures and reports.

use std::sync::Arc;

use crate::role::{Fold, PlainFold, PlainReporter, Reporter};

/// Who fills the roles of a graph; the default is the plain forms.
///
/// ```
/// use std::sync::Arc;
///
/// use leg_core::role::PlainFold;
/// use leg_core::run::Roles;
///
/// let roles = Roles { merge: Arc::new(PlainFold), ..Roles::default() };
/// ```
#[derive(Debug, Clone)]
pub struct Roles {
    /// Folds a layer.
    pub consolidator: Arc<dyn Fold>,
    /// Folds all tracks.
    pub merge: Arc<dyn Fold>,
    /// Says what pictures show.
    pub image: Arc<dyn Fold>,
    /// Writes the report.
    pub reporter: Arc<dyn Reporter>,
}

impl Default for Roles {
    fn default() -> Self {
        let fold: Arc<dyn Fold> = Arc::new(PlainFold);
        Self {
            consolidator: Arc::clone(&fold),
            merge: Arc::clone(&fold),
            image: fold,
            reporter: Arc::new(PlainReporter),
        }
    }
}

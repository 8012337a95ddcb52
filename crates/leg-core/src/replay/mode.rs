//! [`Mode`]: what a replay may do again.

use serde::{Deserialize, Serialize};

/// What a replay may do again.
///
/// ```
/// use leg_core::replay::Mode;
///
/// assert_eq!(Mode::default().as_str(), "strict");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Mode {
    /// Nothing: every call is answered from the record; no tool is called.
    #[default]
    Strict,
    /// Tools that are pure, and tools that read data that is there. External calls are answered from the record.
    Recompute,
    /// External calls as well; what differs is listed. Calls that change the world are never made again.
    Live,
    /// Two recorded runs are compared; nothing is done.
    Against,
}

impl Mode {
    /// The name in JSON.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Strict => "strict",
            Self::Recompute => "recompute",
            Self::Live => "live",
            Self::Against => "against",
        }
    }
}

//! [`Units`]: the unit system of an answer.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The unit system of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Units {
    /// Metres.
    #[default]
    Metric,
    /// Feet.
    English,
}

impl Units {
    /// The name in a request.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Metric => "metric",
            Self::English => "english",
        }
    }

    /// The CF unit of a length.
    pub const fn length(self) -> &'static str {
        match self {
            Self::Metric => "m",
            Self::English => "ft",
        }
    }
}

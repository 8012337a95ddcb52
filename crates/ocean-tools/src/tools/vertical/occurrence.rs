//! [`OccurrenceArgument`]: which of several crossings is meant.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::kernels::vertical::Occurrence;

/// Which crossing, seen from the surface.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum OccurrenceArgument {
    /// The first.
    #[default]
    First,
    /// The deepest.
    Last,
}

impl From<OccurrenceArgument> for Occurrence {
    fn from(argument: OccurrenceArgument) -> Self {
        match argument {
            OccurrenceArgument::First => Self::First,
            OccurrenceArgument::Last => Self::Last,
        }
    }
}

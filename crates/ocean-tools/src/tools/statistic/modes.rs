//! [`Modes`]: the modes of an earlier analysis.

use leg_core::{Artifact, Kind, ToolContext, ToolError, ToolErrorKind, Variable};
use ndarray::Array2;
use serde_json::Value;

use crate::argument::ArtifactArgument;

/// What an analysis found, by mode.
#[derive(Debug)]
pub(crate) struct Modes {
    pub(crate) artifact: Artifact,
    /// `(mode, cell)`.
    pub(crate) pattern: Array2<f64>,
    /// `(mode, cell)`, weighted, of unit length.
    pub(crate) loading: Array2<f64>,
    /// `(mode, time)`.
    pub(crate) pc: Array2<f64>,
    pub(crate) variance: Vec<f64>,
    pub(crate) total_variance: f64,
}

impl Modes {
    /// Reads the result of `perform_eof_analysis`.
    ///
    /// # Errors
    /// When it is another artifact.
    pub(crate) fn read(argument: &ArtifactArgument, context: &ToolContext) -> Result<Self, ToolError> {
        let artifact = argument.read_kind(context, Kind::Eof, "take the result of `perform_eof_analysis`")?;
        let bad = |what: &str| {
            ToolError::new(
                ToolErrorKind::InvalidArguments,
                format!("`{}` has no `{what}`; take the result of `perform_eof_analysis`", artifact.name),
            )
        };
        let array = |name: &str| artifact.variable(name).ok_or_else(|| bad(name));
        let plane = |name: &str| {
            let variable: &Variable = array(name)?;
            let modes = variable.shape.first().copied().unwrap_or(0).max(1);
            Array2::from_shape_vec((modes, variable.values.len() / modes), variable.values.clone())
                .map_err(|_| bad(name))
        };
        let total = artifact.content.get("total_variance").and_then(Value::as_f64);
        Ok(Self {
            pattern: plane("pattern")?,
            loading: plane("loading")?,
            pc: plane("pc")?,
            variance: array("explained_variance")?.values.clone(),
            total_variance: total.ok_or_else(|| bad("total_variance"))?,
            artifact,
        })
    }
}

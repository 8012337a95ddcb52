//! Maps of statistics of each cell's series.

use leg_core::{Artifact, ToolError};
use ndarray::{Array4, Axis};
use ocean_data::Field;

use super::findings::Findings;
use crate::derived::Derived;
use crate::frame::Frame;
use crate::kernels::false_discovery;
use crate::{derived, reading};
use leg_core::ToolContext;

/// Several statistics of each cell, on the axes of the field without time.
#[derive(Debug)]
pub(crate) struct CellMaps {
    pub(crate) frame: Frame,
    derived: Derived,
}

impl CellMaps {
    /// `count` statistics of each cell's values along time, read block by block.
    ///
    /// # Errors
    /// A failed read; a field without time.
    pub(crate) fn of(
        field: &Field,
        context: &ToolContext,
        count: usize,
        statistics: impl Fn(&[f64], &mut [f64]) + Sync + Send,
    ) -> Result<Self, ToolError> {
        let frame = Frame::of(field)?.without_time();
        let derived = derived::from_series(&[field], context, count, |_, inputs, out| {
            statistics(&inputs[0], out);
        })?;
        Ok(Self { frame, derived })
    }

    /// One of the statistics, row-major.
    pub(crate) fn values(&self, at: usize) -> Array4<f64> {
        self.derived.values.index_axis(Axis(0), at).to_owned().insert_axis(Axis(0))
    }

    /// The artifact of the first statistic, with the others beside it; names and units in their order.
    pub(crate) fn artifact(&self, name: &str, names: &[(&str, &str)]) -> Artifact {
        let variable = |at: usize, (name, units): (&str, &str)| {
            self.frame.variable(name, if units.is_empty() { "1" } else { units }, &self.values(at))
        };
        let first = self.frame.artifact(name, variable(0, names[0]));
        names
            .iter()
            .enumerate()
            .skip(1)
            .fold(first, |artifact, (at, names)| artifact.with_variable(variable(at, *names)))
    }

    /// Notes and source of the field.
    pub(crate) fn read_from(&self, field: &Field, findings: Findings) -> Findings {
        let findings = findings.notes(reading::notes(field));
        match self.derived.chunks.first() {
            Some(chunks) => findings.source(reading::source(field, chunks)),
            None => findings,
        }
    }

    /// Counts of cells whose p value, the statistic `at`, is below `alpha`, and of discoveries at the false discovery
    /// rate `rate`; and the array of the discoveries.
    pub(crate) fn significance(&self, at: usize, alpha: f64, rate: f64) -> Significance {
        let p: Vec<f64> = self.values(at).into_iter().collect();
        let discoveries = false_discovery::discoveries(&p, rate);
        Significance {
            below: p.iter().filter(|p| **p < alpha).count(),
            discovered: discoveries.iter().filter(|found| **found).count(),
            flags: p
                .iter()
                .zip(&discoveries)
                .map(|(p, found)| if p.is_nan() { f64::NAN } else { f64::from(*found) })
                .collect(),
        }
    }
}

/// Which cells are significant.
#[derive(Debug)]
pub(crate) struct Significance {
    below: usize,
    discovered: usize,
    flags: Vec<f64>,
}

impl Significance {
    /// Adds the flags to an artifact, as an array `significant` like its first.
    pub(crate) fn mark(&self, artifact: Artifact) -> Artifact {
        let Some(first) = artifact.primary().cloned() else { return artifact };
        artifact.with_variable(leg_core::Variable {
            name: "significant".to_owned(),
            standard_name: None,
            units: "1".to_owned(),
            values: self.flags.clone(),
            ..first
        })
    }

    /// Adds the counts.
    pub(crate) fn count(&self, findings: Findings, alpha: f64, rate: f64) -> Findings {
        findings
            .count("n_p_below_alpha", self.below, &format!("cells with p below {alpha}, each tested alone"))
            .count(
                "n_significant",
                self.discovered,
                &format!("cells significant at a false discovery rate of {rate} (Benjamini and Hochberg)"),
            )
            .fact("alpha", alpha)
            .fact("fdr", rate)
    }
}

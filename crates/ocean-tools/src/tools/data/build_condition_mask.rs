//! `build_condition_mask`: where an expression of several fields holds.

use std::collections::BTreeMap;

use leg_core::{Kind, Port, Purity, ToolContext, ToolError, ToolOutput, ToolSpec};
use ndarray::{Array4, Axis};
use ocean_data::Field;
use ocean_data::cf::Unit;
use schemars::JsonSchema;
use serde::Deserialize;

use super::build_threshold_mask::counts;
use super::condition::evaluate::Cell;
use super::condition::expression::{Along, Statistic};
use super::condition::parse::parse;
use super::condition::units::checked;
use crate::argument::field::narrow;
use crate::argument::{FieldArgument, WindowArgument};
use crate::computation::Computation;
use crate::derived::{Place, by_cell};
use crate::frame::Frame;
use crate::kernels::quantile::quantile;
use crate::outcome::read_from;
use crate::together::one_grid;
use crate::{Datasets, reading};

/// The largest field that a statistic reads at once, in bytes.
const MAX_STATISTIC: u64 = 1 << 31;

/// Evaluates a condition cell by cell.
pub(crate) struct BuildConditionMask;

/// Arguments of `build_condition_mask`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    /// The fields by the names that the expression uses; all on one grid.
    #[schemars(extend("minProperties" = 1, "x-leg-port" = {"kind": "field", "or": ["map", "series", "profile", "section", "hovmoller"], "unit": "any"}))]
    fields: BTreeMap<String, FieldArgument>,
    /// The condition, such as `temp > 28 and abs(u) < 0.1`; numbers are in the units of the field that they meet.
    expression: String,
    /// The window of `mean` and `percentile` along time.
    #[serde(default)]
    baseline: Option<WindowArgument>,
    /// What to call it.
    #[serde(default)]
    mask_name: Option<String>,
}

impl Computation for BuildConditionMask {
    const NAME: &'static str = "build_condition_mask";
    type Arguments = Arguments;

    fn describe() -> ToolSpec {
        ToolSpec::new("data", "Mask from an expression over several fields.", Port::of(Kind::Mask).unit("1"))
            .description(
                "Comparisons < <= > >= == !=, and, or, not, + - * / **, abs(x), isfinite(x), mean(field, axis), \
                 percentile(field, q, axis) with q from 0 to 100 (type 7) and axis time, depth, lat or lon, over the values \
                 that are present. Both sides of a comparison and of a sum must measure one quantity; units are converted. \
                 Statistics along time need a baseline. 1 true, 0 false, missing where it is not known (Kleene's logic). \
                 Nothing but this grammar is evaluated.",
            )
            .evidence(&["n_true", "n_valid", "fraction"])
            .purity(Purity::ReadsData)
    }

    fn run(
        arguments: &Arguments,
        datasets: &Datasets,
        context: &ToolContext,
    ) -> Result<ToolOutput, ToolError> {
        let names: Vec<&str> = arguments.fields.keys().map(String::as_str).collect();
        let wrong =
            |error: String| ToolError::invalid(format!("the expression `{}`: {error}", arguments.expression));
        let condition = parse(&arguments.expression, &names).map_err(wrong)?;
        let fields: Vec<Field> =
            arguments.fields.values().map(|field| field.open(datasets, context)).collect::<Result<_, _>>()?;
        let references: Vec<&Field> = fields.iter().collect();
        let Some(first) = fields.first() else {
            return Err(ToolError::invalid("fields is empty; name the fields of the expression"));
        };
        one_grid(&references)?;
        let units: Vec<Unit> =
            fields.iter().zip(&names).map(|(field, name)| units_of(field, name)).collect::<Result<_, _>>()?;
        let of: Vec<usize> = condition.statistics.iter().map(|own| own.field).collect();
        let expression = checked(condition.expression, &units, &of).map_err(wrong)?;
        let statistics: Vec<Array4<f64>> = condition
            .statistics
            .iter()
            .map(|own| statistic(&fields[own.field], *own, arguments.baseline.as_ref()))
            .collect::<Result<_, _>>()?;
        let mask = by_cell(&references, context, |place, cell| {
            let known: Vec<f64> = statistics.iter().map(|own| at(own, place)).collect();
            Cell { fields: cell, statistics: &known }.value(&expression)
        })?;
        let frame = Frame::of(first)?;
        let name = arguments.mask_name.clone().unwrap_or_else(|| "mask".to_owned());
        let variable = frame.variable(&name, "1", &mask.values);
        let drafts = counts(&variable.values, &arguments.expression);
        let baseline = arguments.baseline.as_ref().map(|window| format!("{}/{}", window.0.from, window.0.to));
        let drafts = drafts.into_iter().map(|draft| match &baseline {
            Some(baseline) => draft.baseline(baseline.clone()),
            None => draft,
        });
        let mut artifact =
            frame.artifact(&name, variable).with_attribute("condition", arguments.expression.clone());
        if let Some(baseline) = &baseline {
            artifact = artifact.with_attribute("baseline", baseline.clone());
        }
        artifact.kind = Kind::Mask;
        Ok(read_from(ToolOutput::of(artifact).with_evidence(drafts), &references, &mask.chunks))
    }
}

fn units_of(field: &Field, name: &str) -> Result<Unit, ToolError> {
    if field.units().is_empty() {
        return Err(ToolError::invalid(format!(
            "`{name}` has no units, so a comparison with it cannot be checked; name its units in the configuration of the \
             dataset"
        )));
    }
    field.units().parse().map_err(|error| ToolError::invalid(format!("`{name}`: {error}")))
}

/// A statistic's value at a place: its own axis has length 1.
fn at(values: &Array4<f64>, place: Place) -> f64 {
    let (t, z, y, x) = values.dim();
    let pick = |at: usize, length: usize| if length == 1 { 0 } else { at };
    values[[pick(place.time, t), pick(place.depth, z), pick(place.lat, y), pick(place.lon, x)]]
}

fn statistic(
    field: &Field,
    statistic: Statistic,
    baseline: Option<&WindowArgument>,
) -> Result<Array4<f64>, ToolError> {
    let field = match (statistic.along, baseline) {
        (Along::Time, Some(window)) => narrow(field, None, None, Some(&window.0))?,
        (Along::Time, None) => {
            return Err(ToolError::invalid(
                "mean and percentile along time depend on the window; name it with baseline, such as \
                 [\"1991-01-01\", \"2020-12-31\"]",
            ));
        }
        _ => field.clone(),
    };
    let values = field.read(MAX_STATISTIC).map_err(|error| reading::cannot_read(&error))?;
    let axis = Axis(statistic.along.position());
    let reduced = values.map_axis(axis, |lane| {
        let present: Vec<f64> = lane.iter().copied().filter(|value| !value.is_nan()).collect();
        match statistic.percentile {
            Some(percentile) => quantile(&present, percentile / 100.0),
            None if present.is_empty() => f64::NAN,
            None => present.iter().sum::<f64>() / present.len() as f64,
        }
    });
    Ok(reduced.insert_axis(axis))
}

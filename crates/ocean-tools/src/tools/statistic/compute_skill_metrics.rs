//! `compute_skill_metrics`: a model against observations.

use leg_core::{Artifact, Kind, Port, Purity, ToolContext, ToolError, ToolOutput, ToolSpec};
use ocean_data::Field;
use ocean_data::field::walk_together;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::compute_histogram::WeightArgument;
use super::findings::Findings;
use crate::argument::{ArtifactArgument, FieldArgument};
use crate::computation::Computation;
use crate::kernels::skill::{Pair, Skill};
use crate::series::units_of;
use crate::together::differing;
use crate::{Datasets, reading};

/// More groups than this are refused.
const MAX_GROUPS: usize = 10_000;

/// Measures how near two fields, or the columns of a table, are.
pub(crate) struct ComputeSkillMetrics;

/// Arguments of `compute_skill_metrics`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    /// What `match_observations` returns: a table with columns `model` and `observed`; in place of both fields.
    #[serde(default)]
    #[schemars(extend("x-leg-port" = {"kind": "table", "unit": "any"}))]
    pairs: Option<ArtifactArgument>,
    /// The column of the table whose values make groups, each with scores of its own.
    #[serde(default)]
    group_by: Option<String>,
    /// What is judged.
    #[serde(default)]
    #[schemars(extend("x-leg-port" = {"kind": "field", "or": ["map", "series", "profile", "section", "hovmoller"], "dims": ["time?", "depth?", "lat?", "lon?"], "unit": "any"}))]
    model: Option<FieldArgument>,
    /// What it is judged by, at the same places and times.
    #[serde(default)]
    #[schemars(extend("x-leg-port" = {"kind": "field", "or": ["map", "series", "profile", "section", "hovmoller"], "dims": ["time?", "depth?", "lat?", "lon?"], "unit": "=model"}))]
    observed: Option<FieldArgument>,
    /// Weights of the cells, for fields.
    #[serde(default)]
    weighting: WeightArgument,
}

impl Computation for ComputeSkillMetrics {
    const NAME: &'static str = "compute_skill_metrics";
    type Arguments = Arguments;

    fn describe() -> ToolSpec {
        ToolSpec::new("statistic", "Model against observations: bias, errors, correlation, skill.", Port::of(Kind::Statistic))
            .description(
                "Over the rows of a table of pairs, or over two fields on the same latitudes, longitudes, depths and times (two \
                 single times may differ, and it is said), where both have a value: bias = mean(model - observed), rmse, mae, \
                 centred rmse, Pearson correlation, population standard deviations, Nash-Sutcliffe efficiency 1 - sum d2/sum \
                 (o - mean o)2, Willmott's (1981) index of agreement 1 - sum d2/sum (|m - mean o| + |o - mean o|)2. Observed is \
                 converted to the units of model. With group_by a table `groups` has the scores of each.",
            )
            .evidence(&[
                "bias", "rmse", "mae", "crmse", "correlation", "std_model", "std_observed", "nse", "willmott", "n", "n_groups",
            ])
            .purity(Purity::ReadsData)
    }

    fn run(
        arguments: &Arguments,
        datasets: &Datasets,
        context: &ToolContext,
    ) -> Result<ToolOutput, ToolError> {
        match (&arguments.pairs, &arguments.model, &arguments.observed) {
            (Some(pairs), None, None) => {
                let hint = "make one with `match_observations`";
                of_table(&pairs.read_kind(context, Kind::Table, hint)?, arguments.group_by.as_deref())
            }
            (None, Some(model), Some(observed)) if arguments.group_by.is_none() => {
                of_fields(model, observed, arguments.weighting, datasets, context)
            }
            _ => Err(ToolError::invalid("give pairs (and group_by), or model and observed")),
        }
    }
}

fn enough(n: usize) -> Result<(), ToolError> {
    if n >= 2 {
        return Ok(());
    }
    Err(ToolError::no_data(format!("there are {n} pairs with both values and 2 are needed")))
}

/// The scores as findings.
fn scores(findings: Findings, skill: &Skill, units: &str, n: usize) -> Findings {
    findings
        .from(n)
        .number("bias", skill.bias, units, "mean of model less observed")
        .number("rmse", skill.rmse, units, "root mean square error")
        .number("mae", skill.mae, units, "mean absolute error")
        .number("crmse", skill.crmse, units, "root mean square error without the bias")
        .number("correlation", skill.correlation, "1", "correlation of the pairs")
        .number("std_model", skill.std_model, units, "population standard deviation of the model")
        .number("std_observed", skill.std_observed, units, "population standard deviation of the observed")
        .number("nse", skill.nse, "1", "Nash-Sutcliffe efficiency")
        .number("willmott", skill.willmott, "1", "Willmott's index of agreement")
        .count("n", n, "pairs")
}

/// Scores of a table's rows.
fn of_table(table: &Artifact, group_by: Option<&str>) -> Result<ToolOutput, ToolError> {
    let list = |key: &str| table.content.get(key).and_then(Value::as_array);
    let columns: Vec<&str> = list("columns").into_iter().flatten().filter_map(Value::as_str).collect();
    let find = |name: &str| {
        columns.iter().position(|own| *own == name).ok_or_else(|| {
            ToolError::invalid(format!(
                "table `{}` has no column `{name}`; it has: {}",
                table.name,
                columns.join(", ")
            ))
        })
    };
    let (model, observed) = (find("model")?, find("observed")?);
    let group = group_by.map(find).transpose()?;
    let units =
        list("units").and_then(|units| units.get(model)).and_then(Value::as_str).unwrap_or("1").to_owned();
    let mut pairs: Vec<Pair> = Vec::new();
    let mut groups: Vec<(Value, Vec<Pair>)> = Vec::new();
    let mut known = std::collections::BTreeMap::new();
    for row in list("rows").into_iter().flatten() {
        let number = |at: usize| row.get(at).and_then(Value::as_f64);
        let (Some(m), Some(o)) = (number(model), number(observed)) else { continue };
        pairs.push((m, o, 1.0));
        let Some(label) = group.and_then(|at| row.get(at)) else { continue };
        let at = *known.entry(label.to_string()).or_insert_with(|| {
            groups.push((label.clone(), Vec::new()));
            groups.len() - 1
        });
        groups[at].1.push((m, o, 1.0));
    }
    enough(pairs.len())?;
    if groups.len() > MAX_GROUPS {
        return Err(ToolError::invalid(format!(
            "column `{}` makes {} groups and the limit is {MAX_GROUPS}; choose one with fewer values",
            group_by.unwrap_or_default(),
            groups.len()
        )));
    }
    let skill = Skill::of(&pairs);
    let mut findings =
        scores(Findings::by(format!("{} row by row", table.name)), &skill, &units, pairs.len());
    if let Some(name) = group_by {
        let rows: Vec<Value> = groups
            .iter()
            .map(|(label, own)| {
                let skill = Skill::of(own);
                json!([
                    label,
                    own.len(),
                    skill.bias,
                    skill.rmse,
                    skill.mae,
                    skill.crmse,
                    skill.correlation,
                    skill.nse,
                    skill.willmott
                ])
            })
            .collect();
        let columns = [name, "n", "bias", "rmse", "mae", "crmse", "correlation", "nse", "willmott"];
        findings = findings
            .count("n_groups", groups.len(), "groups")
            .fact("groups", json!({ "columns": columns, "rows": rows }));
    }
    Ok(findings.document(Kind::Statistic, format!("{}_skill", table.name)))
}

/// Refuses fields that do not stand on the same places and times; says when two single times differ.
fn same_places(model: &Field, observed: &Field) -> Result<Option<String>, ToolError> {
    let single = |field: &Field| field.times().is_none_or(|axis| axis.dates.len() == 1);
    match differing(model, observed).first() {
        None => Ok(None),
        Some(&"times") if single(model) && single(observed) => {
            let when = |field: &Field| {
                field.times().map_or_else(|| "no time".to_owned(), |axis| axis.iso().concat())
            };
            Ok(Some(format!("the model is of {} and the observed of {}", when(model), when(observed))))
        }
        Some(axis) => Err(ToolError::invalid(format!(
            "`{}` and `{}` have different {axis}, so their values do not belong together; regrid or cut one of them, or pair \
             them with `match_observations`",
            model.name(),
            observed.name()
        ))),
    }
}

fn of_fields(
    model: &FieldArgument,
    observed: &FieldArgument,
    weighting: WeightArgument,
    datasets: &Datasets,
    context: &ToolContext,
) -> Result<ToolOutput, ToolError> {
    let model = model.open(datasets, context)?;
    let mut observed = observed.open(datasets, context)?;
    if observed.units() != model.units() {
        observed =
            observed.with_units(model.units()).map_err(|error| ToolError::invalid(error.to_string()))?;
    }
    let note = same_places(&model, &observed)?;
    let (plane, levels) = weighting.of(&model);
    let mut pairs: Vec<Pair> = Vec::new();
    let chunks = walk_together(
        &[&model, &observed],
        &reading::control(context),
        |blocks| {
            let [_, z0, y0, x0] = blocks[0].offset;
            let mut own = Vec::new();
            for ((at, m), o) in blocks[0].values.indexed_iter().zip(blocks[1].values.iter()) {
                let (_, z, y, x) = at;
                let weight = plane[[y0 + y, x0 + x]] * levels.get(z0 + z).copied().unwrap_or(1.0);
                if !m.is_nan() && !o.is_nan() && weight > 0.0 {
                    own.push((*m, *o, weight));
                }
            }
            own
        },
        |own| pairs.extend(own),
    )
    .map_err(|error| reading::cannot_read(&error))?;
    enough(pairs.len())?;
    let skill = Skill::of(&pairs);
    let method = format!("{} against {}, {}", model.name(), observed.name(), weighting.text());
    let mut findings = scores(Findings::by(method), &skill, &units_of(&model), pairs.len()).notes(note);
    for (field, chunks) in [&model, &observed].into_iter().zip(&chunks) {
        findings = findings.notes(reading::notes(field)).source(reading::source(field, chunks));
    }
    Ok(findings.document(Kind::Statistic, format!("{}_skill", model.name())))
}

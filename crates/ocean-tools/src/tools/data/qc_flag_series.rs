//! `qc_flag_series`: quality flags of a measured series.

use leg_core::{EvidenceDraft, Kind, Port, ToolContext, ToolError, ToolOutput, ToolSpec};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use crate::Datasets;
use crate::argument::ArtifactArgument;
use crate::computation::Computation;
use crate::kernels::quality::{
    FAIL, GOOD, MISSING, NOT_EVALUATED, SUSPECT, flat_line, gross_range, rate, spike, worst,
};
use crate::series::{Series, along_time};

/// Flags a series.
pub(crate) struct QcFlagSeries;

/// Arguments of `qc_flag_series`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    #[schemars(extend("x-leg-port" = {"kind": "series", "dims": ["time"], "unit": "any"}))]
    timeseries: ArtifactArgument,
    /// Lowest and highest value that can be, in the units of the series.
    #[serde(default)]
    gross_range: Option<[f64; 2]>,
    /// Largest difference from the mean of the neighbours, in the units of the series.
    #[serde(default)]
    spike: Option<f64>,
    /// Largest change an hour, in the units of the series.
    #[serde(default)]
    rate: Option<f64>,
    /// Hours after which a value that does not change fails; 0 for no such test.
    #[serde(default = "six")]
    #[schemars(range(min = 0.0))]
    flat_line_hours: f64,
    /// Change that counts as none for that test, in the units of the series.
    #[serde(default)]
    #[schemars(range(min = 0.0))]
    flat_line_tolerance: f64,
}

fn six() -> f64 {
    6.0
}

impl Computation for QcFlagSeries {
    const NAME: &'static str = "qc_flag_series";
    type Arguments = Arguments;

    fn describe() -> ToolSpec {
        ToolSpec::new("data", "Quality flags of a measured series.", Port::of(Kind::Series).unit("1"))
            .description(
                "QARTOD flags: 1 good, 2 not evaluated, 3 suspect, 4 fail, 9 missing. gross_range fails outside of it; spike \
                 suspects a value further than this from the mean of its neighbours; rate suspects a faster change from \
                 the value before; flat_line fails a value that has not changed for flat_line_hours, from then on. The \
                 flag is the worst of the tests that could be made; the flags of each test stand beside it. The values \
                 themselves are left alone.",
            )
            .evidence(&["n_good", "n_not_evaluated", "n_suspect", "n_fail", "n_missing", "share_good", "first_fail", "n"])
    }

    fn run(arguments: &Arguments, _: &Datasets, context: &ToolContext) -> Result<ToolOutput, ToolError> {
        let series = Series::read(&arguments.timeseries, context)?;
        compute(arguments, &series)
    }
}

/// The flags of each test that is asked for.
fn tests(arguments: &Arguments, series: &Series) -> Result<Vec<(&'static str, Vec<u8>)>, ToolError> {
    if let Some([low, high]) =
        arguments.gross_range.filter(|[low, high]| low.is_nan() || high.is_nan() || low >= high)
    {
        return Err(ToolError::invalid(format!(
            "gross_range {low} to {high} is empty; give the lower value first"
        )));
    }
    for (name, own) in [("spike", arguments.spike), ("rate", arguments.rate)] {
        if let Some(wrong) = own.filter(|own| own.is_nan() || *own <= 0.0) {
            return Err(ToolError::invalid(format!("{name} is {wrong}; it must be above 0")));
        }
    }
    let values = &series.values;
    let hours: Vec<f64> = series.axis.unix_seconds().iter().map(|own| own / 3_600.0).collect();
    let mut found = Vec::new();
    if let Some(range) = arguments.gross_range {
        found.push(("gross_range", gross_range(values, range)));
    }
    if let Some(threshold) = arguments.spike {
        found.push(("spike", spike(values, threshold)));
    }
    if let Some(threshold) = arguments.rate {
        found.push(("rate", rate(&hours, values, threshold)));
    }
    if arguments.flat_line_hours > 0.0 {
        let flags = flat_line(&hours, values, arguments.flat_line_hours, arguments.flat_line_tolerance);
        found.push(("flat_line", flags));
    }
    if found.is_empty() {
        return Err(ToolError::invalid(
            "no test is asked for; give gross_range, spike, rate or flat_line_hours",
        ));
    }
    Ok(found)
}

fn compute(arguments: &Arguments, series: &Series) -> Result<ToolOutput, ToolError> {
    let found = tests(arguments, series)?;
    let n = series.values.len();
    let flags: Vec<u8> =
        (0..n).map(|at| worst(&found.iter().map(|(_, flags)| flags[at]).collect::<Vec<u8>>())).collect();
    let count = |flag: u8| flags.iter().map(|own| usize::from(*own == flag)).sum::<usize>();
    let names: Vec<&str> = found.iter().map(|test| test.0).collect();
    let method = format!("QARTOD tests {}", names.join(", "));
    let numbers = |flags: &[u8]| flags.iter().map(|flag| f64::from(*flag)).collect::<Vec<f64>>();
    let mut own = series.clone();
    own.name = format!("{}_qc", series.name);
    own.standard_name = None;
    "1".clone_into(&mut own.units);
    own.values = numbers(&flags);
    own.attributes.insert("method".to_owned(), json!(method));
    own.attributes.insert("flag_values".to_owned(), json!([1, 2, 3, 4, 9]));
    own.attributes.insert("flag_meanings".to_owned(), json!("good not_evaluated suspect fail missing"));
    let window = series.axis.window();
    let draft = |name: &str, flag: u8, what: &str| {
        let own = EvidenceDraft::new(
            name,
            count(flag) as u64,
            "1",
            &format!("number of values that are {what}: {method}"),
        );
        if window.is_empty() { own } else { own.when(window.clone()) }
    };
    let present = n - count(MISSING);
    let share = if present > 0 { count(GOOD) as f64 / present as f64 } else { f64::NAN };
    let first = flags.iter().position(|flag| *flag == FAIL);
    let value = first.map_or(f64::NAN, |at| series.values[at]);
    let failed =
        EvidenceDraft::new("first_fail", value, &series.units, &format!("first value that fails: {method}"));
    let failed = match first {
        Some(at) => failed.when(series.axis.label(at)),
        None => failed,
    };
    let drafts = vec![
        draft("n_good", GOOD, "good"),
        draft("n_not_evaluated", NOT_EVALUATED, "not evaluated"),
        draft("n_suspect", SUSPECT, "suspect"),
        draft("n_fail", FAIL, "bad"),
        draft("n_missing", MISSING, "missing"),
        EvidenceDraft::new(
            "share_good",
            share,
            "1",
            &format!("share of the values present that are good: {method}"),
        ),
        failed,
        EvidenceDraft::new("n", n as u64, "1", "times of the series"),
    ];
    let artifact = found.iter().fold(own.to_artifact(), |artifact, (name, flags)| {
        artifact.with_variable(along_time(name, "1", numbers(flags), None))
    });
    Ok(ToolOutput::of(artifact).with_evidence(drafts))
}

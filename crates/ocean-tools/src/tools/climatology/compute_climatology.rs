//! `compute_climatology`: the mean annual cycle of a series.

use leg_core::{
    Artifact, Coord, EvidenceDraft, Kind, Port, ToolContext, ToolError, ToolOutput, ToolSpec, Variable,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::Datasets;
use crate::argument::{ArtifactArgument, WindowArgument};
use crate::baseline::Baseline;
use crate::computation::Computation;
use crate::kernels::climatology::{Climatology, Cycle};
use crate::kernels::series_stats::{At, SeriesStats};
use crate::kernels::time_axis::{TimeAxis, TimeStep};
use crate::series::Series;

/// Mean and spread for each month, season or day of the year.
pub(crate) struct ComputeClimatology;

/// Arguments of `compute_climatology`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    #[schemars(extend("x-leg-port" = {"kind": "series", "dims": ["time"], "unit": "any"}))]
    timeseries: ArtifactArgument,
    /// How the year is cut.
    #[serde(default)]
    period: Period,
    /// Two dates inside the record, both inclusive; the whole calendar years of the record if absent.
    #[serde(default)]
    baseline: Option<WindowArgument>,
}

/// How the year is cut.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Period {
    /// Twelve months.
    #[default]
    Monthly,
    /// DJF, MAM, JJA, SON.
    Seasonal,
    /// Days of the year.
    Daily,
}

impl Period {
    pub(crate) fn cycle(self) -> Cycle {
        match self {
            Self::Monthly => Cycle::Monthly,
            Self::Seasonal => Cycle::Seasonal,
            Self::Daily => Cycle::Daily,
        }
    }

    /// The name in JSON.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Monthly => "monthly",
            Self::Seasonal => "seasonal",
            Self::Daily => "daily",
        }
    }

    /// The period with this name.
    pub(crate) fn from_name(name: &str) -> Option<Self> {
        [Self::Monthly, Self::Seasonal, Self::Daily].into_iter().find(|period| period.as_str() == name)
    }

    /// The dimension of its climatology.
    pub(crate) fn dimension(self) -> &'static str {
        match self {
            Self::Monthly => "month",
            Self::Seasonal => "season",
            Self::Daily => "day",
        }
    }

    /// Refuses a cycle that is finer than the series.
    pub(crate) fn fits(self, axis: &TimeAxis) -> Result<(), ToolError> {
        let finer = match (self, axis.step()) {
            (Self::Daily, TimeStep::Months(_)) => true,
            (Self::Monthly, TimeStep::Months(months)) => months > 1,
            (Self::Seasonal, TimeStep::Months(months)) => months > 3,
            (Self::Daily, TimeStep::Seconds(seconds)) => seconds > 86_400,
            _ => false,
        };
        if finer {
            let step = axis.step().to_iso().unwrap_or_default();
            return Err(ToolError::invalid(format!(
                "a {} climatology is finer than the step of the series, {step}; choose a coarser period",
                self.as_str()
            )));
        }
        Ok(())
    }
}

impl Computation for ComputeClimatology {
    const NAME: &'static str = "compute_climatology";
    type Arguments = Arguments;

    fn describe() -> ToolSpec {
        let port = Port::of(Kind::Climatology).unit("=timeseries");
        ToolSpec::new("climatology", "Mean annual cycle of a series.", port)
            .description(
                "Mean and standard deviation (n - 1) of the values of each month, season (DJF first, December with the \
                 following January) or day of the year over a baseline, with the number of values and years of each \
                 (WMO-No. 1203). 29 February is a day of its own; a baseline without one has the mean of its \
                 neighbours there.",
            )
            .evidence(&["min", "max", "mean", "range", "n", "n_years"])
    }

    fn run(arguments: &Arguments, _: &Datasets, context: &ToolContext) -> Result<ToolOutput, ToolError> {
        let series = Series::read(&arguments.timeseries, context)?;
        let period = arguments.period;
        period.fits(&series.axis)?;
        let baseline = Baseline::resolve(arguments.baseline.as_ref().map(|window| &window.0), &series.axis)?;
        let climatology = Climatology::of(period.cycle(), &series.axis, &series.values, &baseline.inside);
        let labels = period.cycle().labels(series.axis.calendar());
        let drafts = evidence(&climatology, &labels, period, &series, &baseline);
        let mut notes: Vec<String> = baseline.note.clone().into_iter().collect();
        let years = climatology.years.iter().copied().max().unwrap_or(0);
        if years < 30 {
            notes.push(format!("the baseline has {years} years; 30 are usual for a climatology"));
        }
        let artifact = artifact(&climatology, labels, period, &series, &baseline);
        Ok(ToolOutput::of(artifact).with_evidence(drafts).with_notes(notes))
    }
}

fn artifact(
    climatology: &Climatology,
    labels: Vec<String>,
    period: Period,
    series: &Series,
    baseline: &Baseline,
) -> Artifact {
    let dimension = period.dimension();
    let array = |name: &str, units: &str, values: Vec<f64>| Variable {
        name: name.to_owned(),
        standard_name: None,
        units: units.to_owned(),
        dims: vec![dimension.to_owned()],
        shape: vec![values.len()],
        values,
    };
    let counts = |counts: &[usize]| counts.iter().map(|&count| count as f64).collect();
    let mut main = array("mean", &series.units, climatology.mean.clone());
    main.standard_name.clone_from(&series.standard_name);
    let artifact = Artifact::array(Kind::Climatology, series.name.clone(), main)
        .with_variable(array("std", &spread_units(&series.units), climatology.std.clone()))
        .with_variable(array("count", "1", counts(&climatology.n)))
        .with_variable(array("years", "1", counts(&climatology.years)))
        .with_coord(dimension, Coord::texts(labels))
        .with_attribute("period", period.as_str())
        .with_attribute("baseline", baseline.label.clone())
        .with_attribute("calendar", series.axis.calendar().name());
    ["region", "depth", "weighting", "point", "cell"].into_iter().fold(artifact, |artifact, key| match series
        .attributes
        .get(key)
    {
        Some(value) => artifact.with_attribute(key, value.clone()),
        None => artifact,
    })
}

/// A spread of temperatures keeps the spelling of the data, as anomalies do.
fn spread_units(units: &str) -> String {
    units.to_owned()
}

fn evidence(
    climatology: &Climatology,
    labels: &[String],
    period: Period,
    series: &Series,
    baseline: &Baseline,
) -> Vec<EvidenceDraft> {
    let stats = SeriesStats::of(&climatology.mean);
    let method = format!("{} climatology", period.as_str());
    let units = &series.units;
    let draft = |name: &str, value: f64, how: &str| {
        EvidenceDraft::new(name, value, units, &format!("{how} of the {method}"))
            .baseline(baseline.label.clone())
    };
    let extreme = |name: &str, at: Option<At>, how: &str| match at {
        Some(At { index, value }) => {
            let label = labels.get(index).map_or("", String::as_str);
            let when = format!("{} {label}", period.dimension());
            draft(name, value, how).when(when).pointer(format!("/values/{index}"))
        }
        None => draft(name, f64::NAN, how),
    };
    let range = stats.max.zip(stats.min).map_or(f64::NAN, |(max, min)| max.value - min.value);
    let values: usize = climatology.n.iter().sum();
    let years = climatology.years.iter().copied().max().unwrap_or(0);
    let count = |name: &str, count: usize, how: &str| {
        EvidenceDraft::new(name, json!(count), "1", &format!("{how} of the {method}"))
            .baseline(baseline.label.clone())
    };
    vec![
        extreme("min", stats.min, "smallest value"),
        extreme("max", stats.max, "largest value"),
        draft("mean", stats.mean, "mean over the cycle").n(values),
        draft("range", range, "largest less smallest value"),
        count("n", values, "number of values"),
        count("n_years", years, "number of years"),
    ]
}

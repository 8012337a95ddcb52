//! `compute_harmonic_tides`: tidal constituents of a series.

use leg_core::{
    Artifact, Coord, EvidenceDraft, Kind, Port, ToolContext, ToolError, ToolOutput, ToolSpec, Variable,
};
use libm::sqrt;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use super::findings::Findings;
use crate::Datasets;
use crate::argument::ArtifactArgument;
use crate::computation::Computation;
use crate::kernels::tide::harmonics::Wave;
use crate::series::Series;
use crate::tides::{Ask, Constituents, TidalFit};

/// Fits tides.
pub(crate) struct ComputeHarmonicTides;

/// Arguments of `compute_harmonic_tides`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    /// Sea level or a component of the current, times in UTC; gaps and uneven times are fine.
    #[schemars(extend("x-leg-port" = {"kind": "series", "dims": ["time"], "unit": "any"}))]
    timeseries: ArtifactArgument,
    /// Degrees north, for the nodal corrections.
    #[schemars(range(min = -90.0, max = 90.0))]
    latitude: f64,
    /// "auto", all that the record can tell apart, or names.
    #[serde(default)]
    constituents: Constituents,
    /// Correct amplitude and phase for the 18.6-year cycle of the moon's node.
    #[serde(default = "yes")]
    nodal: bool,
    /// Fit a straight line too.
    #[serde(default = "yes")]
    trend: bool,
    /// Cycles of the record that "auto" wants between neighbours in frequency.
    #[serde(default = "one")]
    #[schemars(range(min = 0.1, max = 10.0))]
    rayleigh_min: f64,
}

fn yes() -> bool {
    true
}

fn one() -> f64 {
    1.0
}

/// Constituents that are evidence of their own.
const MAIN: [&str; 5] = ["M2", "S2", "N2", "K1", "O1"];

impl Computation for ComputeHarmonicTides {
    const NAME: &'static str = "compute_harmonic_tides";
    type Arguments = Arguments;

    fn describe() -> ToolSpec {
        ToolSpec::new("statistic", "Tidal constituents of sea level or a current.", Port::of(Kind::Table))
            .description(
                "Least squares of mean + line + sum of f A cos(V + u - g) with the astronomical argument V and the nodal \
                 corrections f, u at each time (Foreman 1977; Codiga 2011): A the amplitude, g the phase lag at Greenwich \
                 in degrees. \"auto\" takes the constituents that stand at least rayleigh_min cycles of the record from \
                 their neighbours. 145 constituents are known. The table has the largest first; mean: level in the middle \
                 of the record; form_factor: (K1 + O1)/(M2 + S2). No errors of the amplitudes are given: compare them \
                 with residual_std.",
            )
            .evidence(&[
                "m2_amplitude", "m2_phase", "s2_amplitude", "s2_phase", "n2_amplitude", "n2_phase", "k1_amplitude",
                "k1_phase", "o1_amplitude", "o1_phase", "mean", "slope_per_day", "form_factor", "residual_std",
                "residual_extreme", "explained", "n_constituents", "n",
            ])
    }

    fn run(arguments: &Arguments, _: &Datasets, context: &ToolContext) -> Result<ToolOutput, ToolError> {
        let series = Series::read(&arguments.timeseries, context)?;
        compute(arguments, &series)
    }
}

fn compute(arguments: &Arguments, series: &Series) -> Result<ToolOutput, ToolError> {
    let fit = TidalFit::of(
        series,
        &Ask {
            constituents: &arguments.constituents,
            latitude: arguments.latitude,
            nodal: arguments.nodal,
            trend: arguments.trend,
            rayleigh: arguments.rayleigh_min,
        },
    )?;
    let tide = &fit.harmonics;
    let residual = fit.residual(&series.values);
    let present = || residual.iter().enumerate().filter(|(_, value)| !value.is_nan());
    let spread = |values: &mut dyn Iterator<Item = f64>| {
        let all: Vec<f64> = values.collect();
        let mean = all.iter().sum::<f64>() / all.len() as f64;
        all.iter().map(|own| (own - mean) * (own - mean)).sum::<f64>() / all.len() as f64
    };
    let after = spread(&mut present().map(|own| *own.1));
    let before = spread(&mut series.values.iter().copied().filter(|own| !own.is_nan()));
    let extreme = present().reduce(|best, own| if own.1.abs() > best.1.abs() { own } else { best });
    let amplitude = |name: &str| tide.wave(name).map_or(f64::NAN, |wave| wave.amplitude);
    let form = (amplitude("K1") + amplitude("O1")) / (amplitude("M2") + amplitude("S2"));
    let nodal = if arguments.nodal { "nodal corrections" } else { "no nodal corrections" };
    let text = format!("least squares of {} tidal constituents, {nodal}", tide.waves.len());
    let units = &series.units;
    let slope = if arguments.trend { tide.slope } else { f64::NAN };
    let furthest = EvidenceDraft::new(
        "residual_extreme",
        extreme.map_or(f64::NAN, |own| *own.1),
        units,
        &format!("residual furthest from 0: {text}"),
    );
    let furthest = match extreme {
        Some((at, _)) => furthest.when(series.axis.label(at)).pointer("/content/residual_extreme"),
        None => furthest,
    };
    let mut findings = Findings::by(text).over(series).from(fit.n);
    for name in MAIN {
        let key = name.to_lowercase();
        let phase = tide.wave(name).map_or(f64::NAN, |wave| wave.phase);
        findings = findings
            .number(&format!("{key}_amplitude"), amplitude(name), units, &format!("amplitude of {name}"))
            .number(&format!("{key}_phase"), phase, "degree", &format!("phase lag of {name} at Greenwich"));
    }
    Ok(findings
        .number("mean", tide.mean, units, "level in the middle of the record")
        .number("slope_per_day", slope, &format!("{units} day-1"), "straight line")
        .number("form_factor", form, "1", "(K1 + O1)/(M2 + S2): below 0.25 semidiurnal, above 3 diurnal")
        .number("residual_std", sqrt(after), units, "population standard deviation of what is left")
        .with(vec![furthest])
        .fact("residual_extreme", extreme.map(|own| *own.1))
        .fact("residual_extreme_time", extreme.map(|own| series.axis.label(own.0)))
        .number("explained", 1.0 - after / before, "1", "share of variance that the fit takes")
        .count("n_constituents", tide.waves.len(), "constituents")
        .count("n", fit.n, "values used")
        .fact("latitude", arguments.latitude)
        .notes(fit.notes)
        .onto(table(&series.name, units, &tide.waves)))
}

/// Arrays along the constituents.
fn table(name: &str, units: &str, waves: &[Wave]) -> Artifact {
    let column = |name: &str, units: &str, of: fn(&Wave) -> f64| Variable {
        name: name.to_owned(),
        standard_name: None,
        units: units.to_owned(),
        dims: vec!["constituent".to_owned()],
        shape: vec![waves.len()],
        values: waves.iter().map(of).collect(),
    };
    Artifact::document(Kind::Table, format!("{name}_tides"), Value::Null)
        .with_coord("constituent", Coord::texts(waves.iter().map(|wave| wave.constituent.name)))
        .with_variable(column("amplitude", units, |wave| wave.amplitude))
        .with_variable(column("phase", "degree", |wave| wave.phase))
        .with_variable(column("frequency", "hour-1", |wave| wave.frequency))
}

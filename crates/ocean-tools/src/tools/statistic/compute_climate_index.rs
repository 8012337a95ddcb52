//! `compute_climate_index`: standard indices from sea surface temperature.

use std::collections::BTreeMap;

use leg_core::{Artifact, EvidenceDraft, Kind, Port, Purity, ToolContext, ToolError, ToolOutput, ToolSpec};
use ocean_data::Field;
use ocean_data::field::TimeWindow;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::index_box::{BoxMean, box_mean};
use crate::argument::{FieldArgument, WindowArgument};
use crate::baseline::Baseline;
use crate::computation::Computation;
use crate::kernels::anomaly::anomaly;
use crate::kernels::climate_index::{
    Index, combine, detrend, in_years, is_contiguous, moving_base, whole_years,
};
use crate::kernels::climatology::{Climatology, Cycle};
use crate::kernels::index_events::{Episode, Phase, episodes};
use crate::kernels::running_mean::centred;
use crate::kernels::steps;
use crate::kernels::time_axis::TimeAxis;
use crate::series::{Series, along_time, axis_of, units_of};
use crate::tools::timeseries::compute_area_weighted_mean::WeightingArgument;
use crate::{Datasets, evidence, reading};

/// The usual baseline, where the record has it.
const USUAL: (&str, &str) = ("1991", "2020");
/// Threshold and length of an episode.
const EPISODE: (f64, usize) = (0.5, 5);

/// Anomalies of the standard boxes.
pub(crate) struct ComputeClimateIndex;

/// Arguments of `compute_climate_index`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    /// Sea surface temperature that covers the box of the index; a wider field is cut.
    #[schemars(extend("x-leg-port" = {"kind": "field", "dims": ["time", "lat", "lon"], "unit": "any"}))]
    sst: FieldArgument,
    /// The index.
    index: IndexArgument,
    /// Two dates inside the record, both inclusive; 1991 to 2020 or else the whole calendar years if absent.
    #[serde(default)]
    baseline: Option<WindowArgument>,
    /// Weights of the cells.
    #[serde(default)]
    weighting: WeightingArgument,
}

/// The index.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum IndexArgument {
    /// 10S-0, 90W-80W.
    Nino12,
    /// 5S-5N, 150W-90W.
    Nino3,
    /// 5S-5N, 170W-120W.
    Nino34,
    /// 5S-5N, 160E-150W.
    Nino4,
    /// Three-month running mean of nino34.
    Oni,
    /// Indian Ocean dipole: 50-70E 10S-10N less 90-110E 10S-0.
    Dmi,
    /// North Atlantic 0-60N 80W-0, detrended.
    Amo,
}

impl IndexArgument {
    fn index(self) -> Index {
        match self {
            Self::Nino12 => Index::Nino12,
            Self::Nino3 => Index::Nino3,
            Self::Nino34 => Index::Nino34,
            Self::Nino4 => Index::Nino4,
            Self::Oni => Index::Oni,
            Self::Dmi => Index::Dmi,
            Self::Amo => Index::Amo,
        }
    }
}

/// An index with what a reader must know of it.
struct Computed {
    values: Vec<f64>,
    baseline: String,
    climatology: Vec<f64>,
    notes: Vec<String>,
}

impl Computation for ComputeClimateIndex {
    const NAME: &'static str = "compute_climate_index";
    type Arguments = Arguments;

    fn describe() -> ToolSpec {
        let port = Port::of(Kind::Series).dims(&["time"]).unit("=sst");
        let mut names = evidence::SERIES.to_vec();
        names.extend(["n_warm", "n_cold", "warmest", "coldest"]);
        ToolSpec::new("statistic", "Standard climate indices from sea surface temperature.", port)
            .description(
                "Area-weighted monthly anomalies of the standard boxes: nino12, nino3, nino34, nino4 (Trenberth 1997), \
                 oni (three-month running mean of nino34; without a stated baseline each block of five years is \
                 relative to the 30 years centred on it where the record has 30 years), dmi (Saji et al. 1999), amo \
                 (Enfield et al. 2001, linear trend taken out, not smoothed). A stated baseline outside the record is \
                 refused. Episodes are runs of at least five months with the three-month mean at or beyond 0.5 degC.",
            )
            .evidence(&names)
            .purity(Purity::ReadsData)
    }

    fn run(
        arguments: &Arguments,
        datasets: &Datasets,
        context: &ToolContext,
    ) -> Result<ToolOutput, ToolError> {
        let field = arguments.sst.open(datasets, context)?;
        let index = arguments.index.index();
        let weighting = arguments.weighting.weighting();
        let boxes = index
            .boxes()
            .iter()
            .map(|definition| box_mean(&field, *definition, index, weighting, context))
            .collect::<Result<Vec<_>, _>>()?;
        let Some(axis) = boxes.first().map(|first| first.axis.clone()) else {
            return Err(ToolError::invalid("the index has no box"));
        };
        let mut computed =
            anomalies(&boxes, index, &axis, arguments.baseline.as_ref().map(|window| &window.0))?;
        computed.notes.splice(0..0, reading::notes(&field));
        if axis_of(&field)?.step() != axis.step() {
            computed
                .notes
                .push("the series was averaged to months (at least half of the days each) first".to_owned());
        }
        Ok(output(arguments, &field, index, axis, computed, boxes))
    }
}

fn output(
    arguments: &Arguments,
    field: &Field,
    index: Index,
    axis: TimeAxis,
    computed: Computed,
    boxes: Vec<BoxMean>,
) -> ToolOutput {
    let smoothed =
        if index == Index::Oni { computed.values.clone() } else { smoothed(&axis, &computed.values) };
    let found = episodes_of(&axis, &smoothed);
    let is_judged = smoothed.iter().any(|value| !value.is_nan());
    let series = Series {
        name: index.as_str().to_owned(),
        standard_name: None,
        units: units_of(field),
        attributes: attributes(arguments, index, &computed, &axis, &found),
        values: computed.values,
        axis,
    };
    let artifact = boxes.iter().fold(series.to_artifact(), |artifact: Artifact, part| {
        let name = if boxes.len() == 1 {
            "box_mean"
        } else if part.definition.sign > 0.0 {
            "west_mean"
        } else {
            "east_mean"
        };
        artifact.with_variable(along_time(name, &units_of(field), part.values.clone(), None))
    });
    let method = format!("{} index", index.title());
    let mut drafts =
        evidence::of_series(&series.axis, &series.values, &series.units, &method, Some(&computed.baseline));
    drafts.extend(episode_evidence(&found, is_judged, &series, &computed.baseline));
    let mut output = ToolOutput::of(artifact).with_evidence(drafts).with_notes(computed.notes);
    output.sources.extend(boxes.into_iter().map(|part| part.source));
    output
}

/// The three-month running mean, on the months that there are; missing beside a gap.
fn smoothed(axis: &TimeAxis, values: &[f64]) -> Vec<f64> {
    let (Some(even), Some(numbers)) = (steps::even(axis, values), steps::numbers(axis)) else {
        return vec![f64::NAN; values.len()];
    };
    let smooth = centred(&even, 3);
    let at = |number: &i64| usize::try_from(*number).ok().and_then(|at| smooth.get(at)).copied();
    numbers.iter().map(|number| at(number).unwrap_or(f64::NAN)).collect()
}

/// Episodes as positions in a series, none of them over a gap.
fn episodes_of(axis: &TimeAxis, smoothed: &[f64]) -> Vec<Episode> {
    let (Some(even), Some(numbers)) = (steps::even(axis, smoothed), steps::numbers(axis)) else {
        return Vec::new();
    };
    // Every month of an episode has a value, and is one of the series.
    let place = |month: usize| numbers.binary_search(&i64::try_from(month).unwrap_or(i64::MAX)).unwrap_or(0);
    let found = episodes(&even, EPISODE.0, EPISODE.1).into_iter();
    found
        .map(|one| Episode { start: place(one.start), end: place(one.end), peak: place(one.peak), ..one })
        .collect()
}

fn anomalies(
    boxes: &[BoxMean],
    index: Index,
    axis: &TimeAxis,
    stated: Option<&TimeWindow>,
) -> Result<Computed, ToolError> {
    let mut notes = Vec::new();
    let bins = Cycle::Monthly.bin_of(axis);
    let whole = whole_years(axis);
    let moving = index == Index::Oni && stated.is_none() && whole.is_some_and(|(from, to)| to - from >= 29);
    let (parts, baseline, climatology) = if let (true, Some(whole)) = (moving, whole) {
        let parts = boxes
            .iter()
            .map(|part| (part.definition.sign, against_moving_base(part, &bins, whole)))
            .collect();
        let label = "30 years centred on each block of five years";
        notes.push(format!("baseline: {label}, kept inside {}/{}", whole.0, whole.1));
        (parts, label.to_owned(), Vec::new())
    } else {
        let baseline = fixed_baseline(stated, axis)?;
        notes.extend(baseline.note);
        let cycles: Vec<Climatology> = boxes
            .iter()
            .map(|part| Climatology::of(Cycle::Monthly, axis, &part.values, &baseline.inside))
            .collect();
        let parts: Vec<(f64, Vec<f64>)> = boxes
            .iter()
            .zip(&cycles)
            .map(|(part, cycle)| (part.definition.sign, anomaly(&part.values, &bins, &cycle.mean, None)))
            .collect();
        let means: Vec<(f64, Vec<f64>)> =
            boxes.iter().zip(cycles).map(|(part, cycle)| (part.definition.sign, cycle.mean)).collect();
        (parts, baseline.label, combine(&means))
    };
    let mut values = combine(&parts);
    match index {
        Index::Oni if !is_contiguous(axis) => {
            return Err(ToolError::invalid(
                "the running mean of the ONI needs every month; select a time window without season or months",
            ));
        }
        Index::Oni => values = centred(&values, 3),
        Index::Amo => {
            values = detrend(axis, &values);
            notes.push("the least-squares line over the whole series was taken out".to_owned());
        }
        _ => {}
    }
    Ok(Computed { values, baseline, climatology, notes })
}

/// The stated baseline, 1991 to 2020 where the record has it, or the whole calendar years of the record.
fn fixed_baseline(stated: Option<&TimeWindow>, axis: &TimeAxis) -> Result<Baseline, ToolError> {
    if let Some(window) = stated {
        return Baseline::stated(window, axis);
    }
    let usual = USUAL.0.parse().ok().zip(USUAL.1.parse().ok()).map(|(from, to)| TimeWindow { from, to });
    if let Some(Ok(baseline)) = usual.map(|window| Baseline::stated(&window, axis)) {
        return Ok(Baseline { note: Some(format!("baseline: {}/{}", USUAL.0, USUAL.1)), ..baseline });
    }
    let mut baseline = Baseline::whole_years(axis);
    baseline.note =
        baseline.note.map(|note| format!("{note}, as the record does not have {}/{}", USUAL.0, USUAL.1));
    Ok(baseline)
}

fn against_moving_base(part: &BoxMean, bins: &[usize], whole: (i32, i32)) -> Vec<f64> {
    let mut cycles: BTreeMap<(i32, i32), Climatology> = BTreeMap::new();
    let years = part.axis.times().iter().map(|time| time.year);
    let bases = years.map(|year| moving_base(year, whole));
    bases
        .zip(bins.iter().zip(&part.values))
        .map(|(base, (bin, value))| {
            let Some(base) = base else { return f64::NAN };
            let cycle = cycles.entry(base).or_insert_with(|| {
                Climatology::of(
                    Cycle::Monthly,
                    &part.axis,
                    &part.values,
                    &in_years(&part.axis, base.0, base.1),
                )
            });
            value - cycle.mean.get(*bin).copied().unwrap_or(f64::NAN)
        })
        .collect()
}

fn attributes(
    arguments: &Arguments,
    index: Index,
    computed: &Computed,
    axis: &TimeAxis,
    found: &[Episode],
) -> BTreeMap<String, Value> {
    let boxes: Vec<Value> =
        index.boxes().iter().map(|one| json!({"lon": one.lon, "lat": one.lat, "sign": one.sign})).collect();
    let list: Vec<Value> = found
        .iter()
        .map(|one| {
            json!({
                "kind": one.phase.as_str(),
                "start": axis.label(one.start),
                "end": axis.label(one.end),
                "months": one.duration(),
                "peak": axis.label(one.peak),
                "peak_value": one.peak_value,
            })
        })
        .collect();
    let mut attributes = BTreeMap::from([
        ("index".to_owned(), json!(index.as_str())),
        ("method".to_owned(), json!(format!("{} index", index.title()))),
        ("baseline".to_owned(), json!(computed.baseline)),
        ("weighting".to_owned(), json!(arguments.weighting.as_str())),
        ("boxes".to_owned(), json!(boxes)),
    ]);
    if !computed.climatology.is_empty() {
        // A month without a value is null.
        attributes.insert("climatology".to_owned(), json!(computed.climatology));
    }
    if is_enso(index) {
        attributes.insert("episodes".to_owned(), json!(list));
    }
    attributes
}

fn is_enso(index: Index) -> bool {
    !matches!(index, Index::Dmi | Index::Amo)
}

fn episode_evidence(
    found: &[Episode],
    is_judged: bool,
    series: &Series,
    baseline: &str,
) -> Vec<EvidenceDraft> {
    if !is_enso_name(&series.name) {
        return Vec::new();
    }
    let rule = "episodes of at least five months with the three-month mean at or beyond 0.5 degC";
    let of = |phase: Phase| found.iter().enumerate().filter(move |(_, one)| one.phase == phase);
    let count = |name: &str, phase: Phase| {
        // Where no three-month mean is there, none was looked for.
        let number = if is_judged { Value::from(of(phase).count()) } else { Value::Null };
        EvidenceDraft::new(name, number, "1", &format!("number of {} {rule}", phase.as_str()))
            .when(series.axis.window())
            .baseline(baseline)
    };
    let strongest = |name: &str, phase: Phase| {
        let best = of(phase)
            .reduce(|best, own| if own.1.peak_value.abs() > best.1.peak_value.abs() { own } else { best });
        best.map(|(at, one)| {
            let method =
                format!("peak of the three-month mean in the strongest {} one of the {rule}", phase.as_str());
            EvidenceDraft::new(name, one.peak_value, &series.units, &method)
                .when(series.axis.label(one.peak))
                .baseline(baseline)
                .pointer(format!("/attributes/episodes/{at}/peak_value"))
        })
    };
    let mut drafts = vec![count("n_warm", Phase::Warm), count("n_cold", Phase::Cold)];
    drafts.extend(strongest("warmest", Phase::Warm));
    drafts.extend(strongest("coldest", Phase::Cold));
    drafts
}

fn is_enso_name(name: &str) -> bool {
    name != Index::Dmi.as_str() && name != Index::Amo.as_str()
}

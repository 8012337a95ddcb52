//! `detect_subsurface_chlorophyll_maximum`: the maximum of chlorophyll below the mixed layer.

use leg_core::{EvidenceDraft, Purity, ToolContext, ToolError, ToolOutput, ToolSpec};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::argument::FieldArgument;
use crate::columns::{Columns, Levels, Quantity};
use crate::computation::Computation;
use crate::kernels::gaussian_peak::GaussianPeak;
use crate::kernels::quantile::quantile;
use crate::kernels::vertical;
use crate::masking::Mask;
use crate::together::in_units;
use crate::tools::watermass::water_tool::port;
use crate::{Datasets, evidence};

/// The subsurface chlorophyll maximum.
pub(crate) struct DetectSubsurfaceChlorophyllMaximum;

/// Arguments of `detect_subsurface_chlorophyll_maximum`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    #[schemars(extend("x-leg-port" = {"kind": "field", "or": ["profile", "section", "map", "series", "hovmoller"], "unit": "mg m-3"}))]
    chlorophyll: FieldArgument,
    /// How many times the surface value the maximum must exceed.
    #[serde(default = "twice")]
    #[schemars(range(min = 1.0))]
    min_ratio: f64,
    /// Depth of the mixed layer, m, for each column; the maximum must be below it.
    #[serde(default)]
    #[schemars(extend("x-leg-port" = {"kind": "field", "or": ["map", "series", "scalar", "hovmoller"], "unit": "m"}))]
    mixed_layer_depth: Option<FieldArgument>,
    /// The surface value is the median above this depth, m; the first value where none is.
    #[serde(default = "surface")]
    #[schemars(range(min = 0.0))]
    surface_layer: f64,
    /// How depth and value are found.
    #[serde(default)]
    method: Peak,
}

/// How depth and value are found.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Peak {
    /// The level with the largest value.
    #[default]
    Level,
    /// A Gaussian on a constant background through the whole column.
    Gaussian,
}

fn twice() -> f64 {
    2.0
}

fn surface() -> f64 {
    15.0
}

impl Computation for DetectSubsurfaceChlorophyllMaximum {
    const NAME: &'static str = "detect_subsurface_chlorophyll_maximum";
    type Arguments = Arguments;

    fn describe() -> ToolSpec {
        let names = [&evidence::SERIES[..], &["frequency"]].concat();
        ToolSpec::new("vertical", "Depth and value of the subsurface chlorophyll maximum.", port("m"))
            .description(
                "The largest value of each column, when it is below the surface layer (and the mixed layer, when it is given) and exceeds min_ratio times the surface value, the median of the upper 15 m (after Cornec et al. 2021): its depth in m, and arrays value, surface_value (mg m-3) and ratio. Array type is 2 for such a maximum, 1 for one below that exceeds it less, 0 for a column with its maximum at the surface; depth and value are missing but for type 2. With method gaussian depth and value are those of background + height exp(-(z - depth)2 / (2 width2)) fitted to the column (Platt et al. 1988), with arrays background and width; a fit that fails is missing. Evidence frequency is the share of the columns of type 2.",
            )
            .evidence(&names)
            .purity(Purity::ReadsData)
    }

    fn run(
        arguments: &Arguments,
        datasets: &Datasets,
        context: &ToolContext,
    ) -> Result<ToolOutput, ToolError> {
        run(arguments, datasets, context)
    }
}

fn run(arguments: &Arguments, datasets: &Datasets, context: &ToolContext) -> Result<ToolOutput, ToolError> {
    let chlorophyll = in_units(&arguments.chlorophyll.open(datasets, context)?, "mg m-3")?;
    let base = arguments.mixed_layer_depth.as_ref().map(|base| {
        Mask::laid(&chlorophyll, &in_units(&base.open(datasets, context)?, "m")?, "mixed layer depth")
    });
    let base = base.transpose()?;
    let columns = Columns::of(vec![chlorophyll]);
    columns.need_levels(3)?;
    let computed = columns.compute(context, &Levels::None, 7, |view| {
        let (z, v) = vertical::present(view.depth, &view.values[0]);
        let floor = base.as_ref().map_or(0.0, |base| base.at(view.place));
        find(arguments, &z, &v, floor)
            .map_or(vec![vec![f64::NAN]; 7], |parts| parts.map(|part| vec![part]).to_vec())
    })?;
    let types = &computed.arrays[4];
    let n = types.iter().filter(|own| !own.is_nan()).count();
    let found = types.iter().filter(|own| **own > 1.5).count();
    let how = if arguments.method == Peak::Gaussian { ", Gaussian fit" } else { "" };
    let method =
        format!("subsurface chlorophyll maximum above {} times the surface{how}", arguments.min_ratio);
    let quantities = [
        ("chlorophyll_maximum_depth", "m"),
        ("value", "mg m-3"),
        ("surface_value", "mg m-3"),
        ("ratio", "1"),
        ("type", "1"),
        ("background", "mg m-3"),
        ("width", "m"),
    ]
    .map(|(name, units)| Quantity::new(name, units));
    let output = columns.output(&Levels::None, &quantities, &computed, &method, vec![])?;
    let share = found as f64 / n as f64;
    let draft =
        EvidenceDraft::new("frequency", share, "1", &format!("share of the columns with a {method}")).n(n);
    Ok(output.with_evidence([draft]))
}

/// Depth, value, surface value, ratio, type, background and width.
fn find(arguments: &Arguments, z: &[f64], v: &[f64], base: f64) -> Option<[f64; 7]> {
    let first = *v.first()?;
    if v.len() < 3 || base.is_nan() {
        return None;
    }
    let upper: Vec<f64> =
        z.iter().zip(v).filter(|(z, _)| **z <= arguments.surface_layer).map(|(_, v)| *v).collect();
    let surface = if upper.is_empty() { first } else { quantile(&upper, 0.5) };
    let top = (0..v.len()).fold(0, |best, own| if v[own] > v[best] { own } else { best });
    let ratio = v[top] / surface;
    let is_below = top > 0 && z[top] > arguments.surface_layer.max(base);
    let kind = if !is_below {
        0.0
    } else if ratio > arguments.min_ratio {
        2.0
    } else {
        1.0
    };
    let none = [f64::NAN; 4];
    let [depth, value, background, width] = match (kind > 1.5, arguments.method) {
        (false, _) => none,
        (true, Peak::Level) => [z[top], v[top], f64::NAN, f64::NAN],
        (true, Peak::Gaussian) => GaussianPeak::fit(z, v)
            .map_or(none, |peak| [peak.centre, peak.top(), peak.background, peak.width]),
    };
    Some([depth, value, surface, ratio, kind, background, width])
}

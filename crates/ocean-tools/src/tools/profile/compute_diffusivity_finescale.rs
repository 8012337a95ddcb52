//! `compute_diffusivity_finescale`: vertical diffusivity from shear and strain.

use leg_core::{Purity, ToolContext, ToolError, ToolOutput, ToolSpec};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::argument::FieldArgument;
use crate::columns::{Columns, Levels, Quantity};
use crate::computation::Computation;
use crate::kernels::finescale::{from_shear, from_strain, spectrum, variances};
use crate::kernels::interpolation::{Method, interpolate};
use crate::kernels::least_squares;
use crate::kernels::sphere::coriolis;
use crate::kernels::vertical::present;
use crate::together::{in_units, one_grid};
use crate::tools::watermass::water_tool::port;
use crate::{Datasets, evidence};

/// Fewest values of a window.
const MIN_VALUES: usize = 10;
/// Variance of strain, and of shear over N², at which waves break (Gargett 1990; Gregg et al. 2003).
const BREAKING: [f64; 2] = [0.22, 0.66];

/// Diffusivity of breaking internal waves.
pub(crate) struct ComputeDiffusivityFinescale;

/// Arguments of `compute_diffusivity_finescale`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    /// Squared buoyancy frequency of finely sampled columns.
    #[schemars(extend("x-leg-port" = {"kind": "field", "or": ["profile", "section", "map", "series", "hovmoller"], "unit": "s-2"}))]
    n2: FieldArgument,
    /// Vertical shear of one component of the current on the levels of `n2`, with its sign.
    #[serde(default)]
    #[schemars(extend("x-leg-port" = {"kind": "field", "or": ["profile", "section", "map", "series", "hovmoller"], "unit": "s-1"}))]
    shear: Option<FieldArgument>,
    /// That of the other component; without it the first counts twice.
    #[serde(default)]
    #[schemars(extend("x-leg-port" = {"kind": "field", "or": ["profile", "section", "map", "series", "hovmoller"], "unit": "s-1"}))]
    shear_v: Option<FieldArgument>,
    /// Ratio of shear to strain for strain alone.
    #[serde(default = "three")]
    #[schemars(range(min = 1.01))]
    r_omega: f64,
    /// Length of the windows, m; they overlap by half.
    #[serde(default = "window")]
    #[schemars(range(min = 20.0))]
    window: f64,
    /// Longest and shortest wavelength, m; the window and a quarter of it if absent.
    #[serde(default)]
    wavelengths: Option<[f64; 2]>,
}

fn three() -> f64 {
    3.0
}

fn window() -> f64 {
    300.0
}

impl Computation for ComputeDiffusivityFinescale {
    const NAME: &'static str = "compute_diffusivity_finescale";
    type Arguments = Arguments;

    fn describe() -> ToolSpec {
        ToolSpec::new("profile", "Vertical diffusivity from strain, or from shear and strain.", port("m2 s-1"))
            .description(
                "In windows of 300 m that overlap by half, K = K0 (variance / Garrett-Munk variance)2 h(R) j(f, N), K0 5e-6 m2 s-1 (Gregg et al. 2003; Kunze et al. 2006). Strain is (N² less its parabola in the window) over the mean N²; its spectrum is integrated over wavelengths of 300 to 75 m, or to where the variance passes 0.22, with h = R(R+1)/(6 sqrt 2 sqrt(R-1)) for R = r_omega (3; Whalen et al. 2015). With shear K is from shear over N (to 0.66) with R measured, at least 1.01, and array strain_diffusivity holds that of strain alone; shear has a sign, and a speed of shear without one is none. Array r_omega holds R, n2_mean the mean N². The columns must resolve the waves: windows with fewer than 10 values, without mean stratification, or with N below f are missing.",
            )
            .evidence(&evidence::SERIES)
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
    let mut fields = vec![in_units(&arguments.n2.open(datasets, context)?, "s-2")?];
    if arguments.shear.is_none() && arguments.shear_v.is_some() {
        return Err(ToolError::invalid("shear_v is the second component; give the first as shear"));
    }
    for shear in [&arguments.shear, &arguments.shear_v].into_iter().flatten() {
        fields.push(in_units(&shear.open(datasets, context)?, "s-1")?);
    }
    one_grid(&fields.iter().collect::<Vec<_>>())?;
    let columns = Columns::of(fields);
    columns.need_place()?;
    columns.need_levels(MIN_VALUES)?;
    let length = arguments.window;
    let [first, last] = [columns.depth[0], columns.depth[columns.depth.len() - 1]];
    let mut centres = vec![first + length / 2.0];
    while let Some(next) = centres.last().map(|centre| centre + length / 2.0)
        && next + length / 2.0 <= last
    {
        centres.push(next);
    }
    let levels = Levels::At(centres.clone());
    let computed = columns.compute(context, &levels, 4, |view| {
        let mut parts = vec![vec![f64::NAN; centres.len()]; 4];
        let f = coriolis(view.lat);
        for (at, centre) in centres.iter().enumerate() {
            if let Some(found) = of_window(arguments, view.depth, view.values, centre - length / 2.0, f) {
                for (part, value) in parts.iter_mut().zip(found) {
                    part[at] = value;
                }
            }
        }
        parts
    })?;
    let by = match (&arguments.shear, &arguments.shear_v) {
        (None, _) => format!("strain with a ratio of shear to strain of {}", arguments.r_omega),
        (Some(_), None) => "strain and twice the shear of one component".to_owned(),
        (Some(_), Some(_)) => "shear and strain".to_owned(),
    };
    let method = format!("finescale diffusivity from {by}, windows of {length} m");
    let quantities =
        [("diffusivity", "m2 s-1"), ("strain_diffusivity", "m2 s-1"), ("r_omega", "1"), ("n2_mean", "s-2")]
            .map(|(name, units)| Quantity::new(name, units));
    columns.output(&levels, &quantities, &computed, &method, vec![])
}

/// Diffusivity, that of strain alone, the ratio and the mean N² of the window that begins at `top`.
fn of_window(
    arguments: &Arguments,
    depth: &[f64],
    values: &[Vec<f64>],
    top: f64,
    f: f64,
) -> Option<[f64; 4]> {
    let length = arguments.window;
    let (z, _) = present(depth, &values[0]);
    let inside = z.iter().filter(|z| (top..=top + length).contains(*z)).count();
    if inside < MIN_VALUES || *z.first()? > top || *z.last()? < top + length {
        return None;
    }
    // Evenly spaced as the levels are on the average; each value stands for the middle of its piece.
    let dz = length / inside as f64;
    let at: Vec<f64> = (0..inside).map(|at| top + (at as f64 + 0.5) * dz).collect();
    let even = |values: &[f64]| {
        let (z, values) = present(depth, values);
        interpolate(&z, &values, &at, Method::Linear)
    };
    let n2 = even(&values[0]);
    let mean = n2.iter().sum::<f64>() / n2.len() as f64;
    if mean.is_nan() || mean <= 0.0 {
        return None;
    }
    let position: Vec<f64> = at.iter().map(|own| (own - top) / length - 0.5).collect();
    let columns = [0, 1, 2].map(|power| position.iter().map(|own| own.powi(power)).collect::<Vec<f64>>());
    let fit = least_squares::solve(&columns, &n2)?;
    let smooth = |own: f64| fit[0] + own * (fit[1] + own * fit[2]);
    let strain: Vec<f64> = n2.iter().zip(&position).map(|(n2, own)| (n2 - smooth(*own)) / mean).collect();
    let n = libm::sqrt(mean);
    let range = arguments.wavelengths.unwrap_or([length, length / 4.0]);
    let strain = variances(&spectrum(&strain, dz), range, BREAKING[0], n, 1.0)?;
    let by_strain = from_strain(strain, arguments.r_omega, f, n);
    let components = &values[1..];
    if components.is_empty() {
        return Some([by_strain, by_strain, arguments.r_omega, mean]);
    }
    let factor = 2.0 / components.len() as f64;
    let mut sum: Vec<(f64, f64)> = Vec::new();
    for component in components {
        let scaled: Vec<f64> = even(component).iter().map(|shear| shear / n).collect();
        let own = spectrum(&scaled, dz);
        if sum.is_empty() {
            sum = own.into_iter().map(|(m, power)| (m, factor * power)).collect();
        } else {
            for (sum, own) in sum.iter_mut().zip(own) {
                sum.1 += factor * own.1;
            }
        }
    }
    let shear = variances(&sum, range, BREAKING[1], n, 3.0)?;
    let ratio = 3.0 * (shear[0] / shear[1]) / (strain[0] / strain[1]);
    Some([from_shear(shear, ratio.max(1.01), f, n), by_strain, ratio, mean])
}

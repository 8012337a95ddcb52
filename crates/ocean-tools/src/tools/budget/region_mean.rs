//! [`RegionMean`]: the one way in which terms of a budget are averaged.

use ndarray::{Array2, Array4, Zip};
use ocean_data::Field;
use ocean_data::field::reduce::{Weighting, cell_weights};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::frame::Frame;
use crate::reduce::{Sums, add_up};

/// Weights of the cells in a mean over a region; levels count by their thickness in both.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum MeanArgument {
    /// Area of the cell from its bounds.
    #[default]
    #[serde(alias = "area")]
    AreaWeighted,
    /// All cells alike.
    Equal,
}

impl MeanArgument {
    /// How it is called in methods.
    pub(super) fn noun(self) -> &'static str {
        match self {
            Self::AreaWeighted => "mean weighted by area and thickness",
            Self::Equal => "mean weighted by thickness, cells alike",
        }
    }
}

/// Weights of the cells and levels of a field.
#[derive(Debug)]
pub(super) struct RegionMean {
    pub(super) weights: Array2<f64>,
    pub(super) thickness: Vec<f64>,
}

impl RegionMean {
    /// Those of a field.
    pub(super) fn of(field: &Field, weighting: MeanArgument) -> Self {
        let weighting = match weighting {
            MeanArgument::AreaWeighted => Weighting::Area,
            MeanArgument::Equal => Weighting::Equal,
        };
        Self { weights: cell_weights(field, weighting), thickness: field.layer_thickness() }
    }

    /// Means of several terms at each time, all over the cells where every term has a value; and how many these are.
    pub(super) fn of_terms(&self, terms: &[Array4<f64>]) -> (Vec<Array4<f64>>, Vec<u64>) {
        let mut cells = Vec::new();
        let means = terms.iter().map(|term| {
            let mut common = term.clone();
            for other in terms {
                Zip::from(&mut common).and(other).for_each(|own, other| {
                    if other.is_nan() {
                        *own = f64::NAN;
                    }
                });
            }
            let mut sums = Sums::zero(common.dim().0);
            sums.add(0, add_up(&common, [0; 4], &self.weights, &self.thickness, |_| true));
            cells.clone_from(&sums.cells);
            along_time(sums.mean())
        });
        (means.collect(), cells)
    }
}

/// Values of a series as an array `(time, 1, 1, 1)`.
pub(super) fn along_time(values: Vec<f64>) -> Array4<f64> {
    let shape = (values.len(), 1, 1, 1);
    Array4::from_shape_vec(shape, values).unwrap_or_else(|_| Array4::from_elem(shape, f64::NAN))
}

/// The axes of a mean over a region.
pub(super) fn region_frame(frame: Frame) -> Frame {
    frame.without_depth().without_lat().without_lon()
}

/// Root mean square of a residual over that of the tendency, where both have a value: 0 for a closed budget.
pub(super) fn closure<'a>(
    residual: impl IntoIterator<Item = &'a f64>,
    tendency: impl IntoIterator<Item = &'a f64>,
) -> f64 {
    let both = residual.into_iter().zip(tendency).filter(|(r, t)| !r.is_nan() && !t.is_nan());
    let (rest, all) = both.fold((0.0, 0.0), |(rest, all), (r, t)| (rest + r * r, all + t * t));
    if all > 0.0 { libm::sqrt(rest / all) } else { f64::NAN }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terms_are_averaged_over_the_cells_that_all_have() {
        let mean = RegionMean {
            weights: Array2::from_shape_vec((1, 3), vec![1.0, 2.0, 4.0]).unwrap(),
            thickness: vec![1.0],
        };
        let row = |values: [f64; 3]| Array4::from_shape_vec((1, 1, 1, 3), values.to_vec()).unwrap();
        let (means, cells) = mean.of_terms(&[row([1.0, 4.0, f64::NAN]), row([10.0, 40.0, 70.0])]);
        assert_eq!((means[0][[0, 0, 0, 0]], means[1][[0, 0, 0, 0]], cells), (3.0, 30.0, vec![2]));
        assert_eq!(closure(&[3.0, f64::NAN, 4.0], &[6.0, 1.0, 8.0]).to_bits(), 0.5_f64.to_bits());
        assert!(closure(&[1.0], &[0.0]).is_nan());
    }
}

//! Picking cells of one spatial axis.

use super::field::SpaceAxis;
use crate::cf::Axis;
use crate::dataset::{Coordinate, Dataset, Variable};

/// The coordinate of an axis of a variable.
pub(crate) fn space_coordinate<'a>(
    dataset: &'a Dataset,
    variable: &Variable,
    axis: Axis,
) -> Option<&'a Coordinate> {
    let (_, dimension) = variable.dimension(axis)?;
    dataset.coordinates().get(dimension.coordinate?)
}

/// The coordinate of one value that a variable has along an axis it has no dimension for.
pub(crate) fn scalar_coordinate<'a>(
    dataset: &'a Dataset,
    variable: &Variable,
    axis: Axis,
) -> Option<&'a Coordinate> {
    dataset.coordinates().get(variable.scalar(axis)?)
}

/// The picked cells, `(index in the store, value presented)`.
pub(crate) fn axis_of(coordinate: &Coordinate, picks: &[(usize, f64)], squeezed: bool) -> SpaceAxis {
    let bound = |&(index, value): &(usize, f64)| {
        let shift = value - coordinate.values[index];
        let [a, b] = coordinate.bounds[index];
        if a <= b { [a + shift, b + shift] } else { [b + shift, a + shift] }
    };
    SpaceAxis {
        indices: picks.iter().map(|pick| pick.0).collect(),
        values: picks.iter().map(|pick| pick.1).collect(),
        bounds: picks.iter().map(bound).collect(),
        squeezed,
    }
}

/// The cells that pass, in rising order.
pub(crate) fn sorted_axis(coordinate: &Coordinate, keep: impl Fn(f64) -> bool) -> SpaceAxis {
    let mut picks: Vec<(usize, f64)> =
        coordinate.values.iter().copied().enumerate().filter(|pick| keep(pick.1)).collect();
    picks.sort_by(|a, b| a.1.total_cmp(&b.1));
    axis_of(coordinate, &picks, false)
}

/// One of the cells of an axis, which is then no dimension.
pub(crate) fn one_level(all: &SpaceAxis, at: usize) -> SpaceAxis {
    SpaceAxis {
        indices: vec![all.indices[at]],
        values: vec![all.values[at]],
        bounds: vec![all.bounds[at]],
        squeezed: true,
    }
}

/// The nearest value; of two as near, the larger, as pandas and xarray choose.
pub(crate) fn nearest_index(values: &[f64], distance: impl Fn(f64) -> f64) -> Option<usize> {
    let mut best: Option<(usize, f64)> = None;
    for (index, &value) in values.iter().enumerate() {
        let d = distance(value);
        let better = best.is_none_or(|(at, least)| d < least || (d <= least && value > values[at]));
        if better {
            best = Some((index, d));
        }
    }
    best.map(|found| found.0)
}

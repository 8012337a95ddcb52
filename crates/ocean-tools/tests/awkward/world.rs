//! The two datasets of the calls as arrays, to be given another form.

use std::path::Path;

use ndarray::{ArrayD, Axis, Slice};
use ocean_data::cf::Attribute;
use ocean_data::dataset::MemoryVariable;
use ocean_tools::Datasets;

use crate::fixture::Bench;
use crate::grid::zarr;
use crate::ocean;
use crate::pacific::pacific;

/// So short that chunks begin within years, columns and rows.
const CHUNK: [usize; 4] = [5, 4, 3, 4];

/// The datasets `grid` and `ocean`.
pub(crate) struct World {
    grid: Vec<MemoryVariable>,
    ocean: Vec<MemoryVariable>,
}

impl World {
    pub(crate) fn plain() -> Self {
        Self { grid: pacific().variables(), ocean: ocean::variables() }
    }

    /// With `ocean` moved eastwards; the calls must follow it.
    pub(crate) fn moved(east: f64) -> Self {
        let plain = Self::plain();
        let ocean = each_value(plain.ocean, "lon", |lon| lon + east);
        Self { ocean, ..plain }
    }

    pub(crate) fn change(self, change: impl Fn(Vec<MemoryVariable>) -> Vec<MemoryVariable>) -> Self {
        Self { grid: change(self.grid), ocean: change(self.ocean) }
    }

    /// A bench on the arrays in memory.
    pub(crate) fn bench(self) -> Bench {
        let datasets = Datasets::default()
            .with_dataset("grid", ocean::in_memory("memory:grid", self.grid))
            .and_then(|all| all.with_dataset("ocean", ocean::in_memory("memory:ocean", self.ocean)));
        Bench::over(datasets.unwrap())
    }

    /// A bench on the arrays as files.
    pub(crate) fn written(self, dir: &Path) -> Bench {
        let flags = [("grid", self.grid), ("ocean", self.ocean)].map(|(name, variables)| {
            let root = dir.join(format!("{name}.zarr"));
            zarr::write(&root, &variables, CHUNK);
            format!("{name}={}", root.display())
        });
        Bench::new(&flags)
    }
}

/// Takes these places along a dimension, in this order; `places` gets its length.
pub(crate) fn along(
    variables: Vec<MemoryVariable>,
    dimension: &str,
    places: impl Fn(usize) -> Vec<usize>,
) -> Vec<MemoryVariable> {
    each(variables, |variable| {
        if let Some(at) = variable.dims.iter().position(|dim| dim == dimension) {
            let places = places(variable.values.shape()[at]);
            variable.values = variable.values.select(Axis(at), &places);
        }
    })
}

/// Changes the values of one array.
pub(crate) fn each_value(
    variables: Vec<MemoryVariable>,
    name: &str,
    change: impl Fn(f64) -> f64,
) -> Vec<MemoryVariable> {
    each(variables, |variable| {
        if variable.name == name {
            variable.values.mapv_inplace(&change);
        }
    })
}

/// Changes every array.
pub(crate) fn each(
    mut variables: Vec<MemoryVariable>,
    mut change: impl FnMut(&mut MemoryVariable),
) -> Vec<MemoryVariable> {
    variables.iter_mut().for_each(&mut change);
    variables
}

/// Whether an array is data and no coordinate.
pub(crate) fn is_data(variable: &MemoryVariable) -> bool {
    variable.dims.len() > 1
}

/// Takes the values at one place of a dimension away, from all data or those that `only` names.
pub(crate) fn blank(
    variables: Vec<MemoryVariable>,
    only: impl Fn(&MemoryVariable) -> bool,
    places: &[(&str, usize)],
) -> Vec<MemoryVariable> {
    each(variables, |variable| {
        if !is_data(variable) || !only(variable) {
            return;
        }
        let dims = variable.dims.clone();
        let within = variable.values.slice_each_axis_mut(|axis| {
            let name = &dims[axis.axis.index()];
            let place = places.iter().find(|(dim, _)| dim == name);
            place.map_or(Slice::from(..), |&(_, at)| Slice::from(at..at + 1))
        });
        for value in within {
            *value = f64::NAN;
        }
    })
}

/// Sets an attribute.
pub(crate) fn attribute(variable: &mut MemoryVariable, key: &str, value: Attribute) {
    variable.attributes.insert(key.to_owned(), value);
}

/// The smallest and the largest value.
pub(crate) fn span(values: &ArrayD<f64>) -> (f64, f64) {
    let present = values.iter().copied().filter(|value| !value.is_nan());
    present.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| (low.min(value), high.max(value)))
}

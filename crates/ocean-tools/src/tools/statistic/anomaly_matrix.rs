//! [`AnomalyMatrix`]: the weighted anomalies of a field, cell by cell, that patterns are made of.

use leg_core::{ToolContext, ToolError, ToolErrorKind};
use libm::{cos, sqrt};
use ndarray::{Array2, Array4, Axis};
use ocean_data::Field;
use ocean_data::field::{Block, ChunkTree, WalkControl, WholeAxes};

use super::preparation::Preparation;
use crate::kernels::eof::{Symmetric, dot};
use crate::{derived, reading};

/// Times that are taken: the products of 4,000 need 128 MB.
const LIMIT: usize = 4_000;
/// Anomalies that are kept between the two passes, in bytes; larger ones are made from the data again.
const KEPT: usize = 256 << 20;

/// How the anomalies of a cell are made.
#[derive(Debug)]
pub(crate) struct AnomalyMatrix<'a> {
    field: &'a Field,
    preparation: &'a Preparation,
    weights: Array2<f64>,
    standardise: bool,
    centre: bool,
    times: usize,
}

/// The products of all times with each other, and what was read.
#[derive(Debug)]
pub(crate) struct Products {
    pub(crate) gram: Symmetric,
    /// Cells that have every time.
    pub(crate) cells: usize,
    pub(crate) chunks: ChunkTree,
    kept: Option<Kept>,
}

/// The anomalies of the cells that have every time.
#[derive(Debug, Default)]
struct Kept {
    /// Row and column of each.
    places: Vec<(usize, usize)>,
    /// One after another, each along time.
    values: Vec<f64>,
}

impl<'a> AnomalyMatrix<'a> {
    /// Of a field with one level. Weights are the root of the cosine of latitude, or 1.
    ///
    /// # Errors
    /// Several levels, no time, too many times.
    pub(crate) fn of(
        field: &'a Field,
        preparation: &'a Preparation,
        by_latitude: bool,
        standardise: bool,
        centre: bool,
    ) -> Result<Self, ToolError> {
        let [times, levels, rows, columns] = field.full_shape();
        if levels > 1 {
            return Err(ToolError::invalid(format!(
                "`{}` has {levels} levels; choose one depth",
                field.name()
            )));
        }
        if times < 3 {
            return Err(ToolError::no_data(format!(
                "patterns need at least 3 times and `{}` has {times}",
                field.name()
            )));
        }
        if times > LIMIT {
            return Err(ToolError::new(
                ToolErrorKind::LimitExceeded,
                format!(
                    "{times} times are more than {LIMIT}; choose a shorter window, or average to months first"
                ),
            ));
        }
        let latitude =
            |row: usize| field.lats().and_then(|axis| axis.values.get(row)).copied().unwrap_or(0.0);
        let outside = |row: usize, column: usize| field.mask().is_some_and(|mask| !mask[[row, column]]);
        let weights = Array2::from_shape_fn((rows, columns), |(row, column)| {
            if outside(row, column) {
                0.0
            } else if by_latitude {
                sqrt(cos(latitude(row).to_radians()).max(0.0))
            } else {
                1.0
            }
        });
        Ok(Self { field, preparation, weights, standardise, centre, times })
    }

    /// The weight of each cell.
    pub(crate) fn weights(&self) -> &Array2<f64> {
        &self.weights
    }

    /// The weighted anomalies of a cell; `None` where a value is missing or the weight is 0.
    fn column(&self, values: &[f64], row: usize, column: usize) -> Option<Vec<f64>> {
        let weight = self.weights[[row, column]];
        if weight <= 0.0 || values.iter().any(|value| value.is_nan()) {
            return None;
        }
        let mut own = self.preparation.apply(values);
        let n = own.len() as f64;
        let mean = if self.centre || self.standardise { own.iter().sum::<f64>() / n } else { 0.0 };
        for value in &mut own {
            *value -= mean;
        }
        let spread = if self.standardise {
            sqrt(own.iter().map(|value| value * value).sum::<f64>() / (n - 1.0))
        } else {
            1.0
        };
        if spread <= 0.0 || own.iter().any(|value| value.is_nan()) {
            return None;
        }
        for value in &mut own {
            *value *= weight / spread;
        }
        Some(own)
    }

    /// The products of all times, summed over the cells.
    ///
    /// # Errors
    /// A failed read; no cell with all times.
    pub(crate) fn products(&self, context: &ToolContext) -> Result<Products, ToolError> {
        let whole = WholeAxes { time: true, ..WholeAxes::default() };
        let control = WalkControl { whole, ..reading::control(context) };
        let [_, _, rows, columns] = self.field.full_shape();
        let fits = self.times.saturating_mul(rows * columns).saturating_mul(8) <= KEPT;
        let (mut gram, mut cells, mut kept) = (Symmetric::zero(self.times), 0, Kept::default());
        if fits {
            // All at once: what grows step by step takes twice as much.
            kept.values.reserve_exact(self.times * rows * columns);
        }
        let chunks = self
            .field
            .walk(
                &control,
                |block| self.block(block),
                |part: Kept| {
                    cells += part.places.len();
                    if fits {
                        kept.places.extend(part.places);
                        kept.values.extend(part.values);
                    } else {
                        gram.add_products(&part.values);
                    }
                },
            )
            .map_err(|error| reading::cannot_read(&error))?;
        if fits {
            gram.add_products(&kept.values);
        }
        if cells == 0 {
            return Err(ToolError::no_data(format!(
                "no cell of `{}` has a value at every time; choose another region or window",
                self.field.name()
            )));
        }
        gram.mirror();
        Ok(Products { gram, cells, chunks, kept: fits.then_some(kept) })
    }

    fn block(&self, block: &Block) -> Kept {
        let [_, _, y0, x0] = block.offset;
        let (rows, columns) = (block.values.len_of(Axis(2)), block.values.len_of(Axis(3)));
        let mut found = Kept::default();
        found.values.reserve_exact(self.times * rows * columns);
        let mut values = vec![0.0; self.times];
        for y in 0..rows {
            for x in 0..columns {
                for (t, value) in values.iter_mut().enumerate() {
                    *value = block.values[[t, 0, y, x]];
                }
                if let Some(own) = self.column(&values, y0 + y, x0 + x) {
                    found.places.push((y0 + y, x0 + x));
                    found.values.extend(own);
                }
            }
        }
        found
    }

    /// The product of each cell's anomalies with each vector along time, `(vector, 1, lat, lon)`.
    ///
    /// # Errors
    /// A failed read.
    pub(crate) fn project(
        &self,
        vectors: &[Vec<f64>],
        products: &Products,
        context: &ToolContext,
    ) -> Result<Array4<f64>, ToolError> {
        if let Some(kept) = &products.kept {
            let [_, _, rows, columns] = self.field.full_shape();
            let mut projected = Array4::from_elem([vectors.len(), 1, rows, columns], f64::NAN);
            for (&(row, column), own) in kept.places.iter().zip(kept.values.chunks_exact(self.times)) {
                for (at, vector) in vectors.iter().enumerate() {
                    projected[[at, 0, row, column]] = dot(own, vector);
                }
            }
            return Ok(projected);
        }
        let projected = derived::from_series(&[self.field], context, vectors.len(), |place, inputs, out| {
            if let Some(own) = self.column(&inputs[0], place.lat, place.lon) {
                for (out, vector) in out.iter_mut().zip(vectors) {
                    *out = dot(&own, vector);
                }
            }
        })?;
        Ok(projected.values)
    }
}

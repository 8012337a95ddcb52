//! Volumes of cells, and classes.

use leg_core::ToolError;
use ndarray::{Array3, Array4, Axis};
use ocean_data::Field;
use ocean_data::field::reduce::{EARTH_RADIUS, Weighting, cell_weights};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::kernels::vertical::midpoint_bounds;

/// How the area of a cell is found.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum CellArea {
    /// R2 (sin n - sin s) dlon from the bounds of the cell.
    #[default]
    Bounds,
    /// R2 dlat dlon cos(lat) at the centre.
    Centre,
}

/// Volumes `(depth, lat, lon)` of a field's cells, m3. An axis that the field lacks counts as 1 m or as the whole sphere.
pub(super) fn volumes(field: &Field, area: CellArea) -> Array3<f64> {
    let depths = field.depths().map_or_else(|| vec![0.5], |axis| axis.values.clone());
    let thickness: Vec<f64> = midpoint_bounds(&depths).iter().map(|[top, bottom]| bottom - top).collect();
    let exact = cell_weights(field, Weighting::Area);
    let widths = |axis: Option<&ocean_data::field::SpaceAxis>| -> Vec<f64> {
        axis.map_or_else(Vec::new, |axis| {
            axis.bounds.iter().map(|[a, b]| (b - a).abs().to_radians()).collect()
        })
    };
    let (rows, columns) = (widths(field.lats()), widths(field.lons()));
    let lat = field.lats().map_or_else(Vec::new, |axis| axis.values.clone());
    Array3::from_shape_fn((thickness.len(), exact.nrows(), exact.ncols()), |(z, y, x)| {
        let own = match area {
            CellArea::Centre if !rows.is_empty() && !columns.is_empty() => {
                EARTH_RADIUS * EARTH_RADIUS * rows[y] * columns[x] * libm::cos(lat[y].to_radians())
            }
            _ => exact[[y, x]],
        };
        own * thickness[z]
    })
}

/// At how many times each cell `(depth, lat, lon)` has a value of all arrays `(time, depth, lat, lon)`: what its volume
/// is shared among, so that a missing time takes nothing away.
///
/// # Errors
/// When no cell has.
pub(super) fn wet_times(arrays: &[Array4<f64>]) -> Result<Array3<f64>, ToolError> {
    let Some(first) = arrays.first() else { return Ok(Array3::zeros([0; 3])) };
    let mut wet = Array4::<f64>::ones(first.raw_dim());
    for array in arrays {
        wet.zip_mut_with(array, |wet, value| {
            if value.is_nan() {
                *wet = 0.0;
            }
        });
    }
    let wet = wet.sum_axis(Axis(0));
    if wet.iter().all(|times| *times < 1.0) {
        return Err(ToolError::no_data(
            "no cell has values here, so there is no water to divide into classes; choose another region or time",
        ));
    }
    Ok(wet)
}

/// Edges that increase, at least two.
///
/// # Errors
/// When they do not.
pub(in crate::tools) fn edges_of<'a>(name: &str, edges: &'a [f64]) -> Result<&'a [f64], ToolError> {
    if edges.len() < 2
        || edges.windows(2).any(|pair| pair[1].partial_cmp(&pair[0]) != Some(std::cmp::Ordering::Greater))
    {
        return Err(ToolError::invalid(format!(
            "{name} must hold at least two edges that increase, such as [0, 1, 2]"
        )));
    }
    Ok(edges)
}

/// The class of a value; the last class holds its upper edge.
pub(super) fn class_of(edges: &[f64], value: f64) -> Option<usize> {
    let (first, last) = (edges.first()?, edges.last()?);
    if !(*first..=*last).contains(&value) {
        return None;
    }
    Some(edges.partition_point(|edge| *edge <= value).clamp(1, edges.len() - 1) - 1)
}

//! The monthly mean of a box of a climate index, and whether a field covers the box.

use leg_core::{Source, ToolContext, ToolError};
use ocean_data::Field;
use ocean_data::field::reduce::{AreaMeanOptions, Weighting, area_mean_series};
use ocean_data::field::{LonLatBox, Region};

use crate::argument::field::with_region;
use crate::kernels::climate_index::{Index, IndexBox};
use crate::kernels::resample::{Frequency, Reduction, resample};
use crate::kernels::time_axis::{TimeAxis, TimeStep};
use crate::reading;
use crate::series::axis_of;

/// The monthly mean of one box.
#[derive(Debug)]
pub(super) struct BoxMean {
    pub(super) definition: IndexBox,
    pub(super) axis: TimeAxis,
    pub(super) values: Vec<f64>,
    pub(super) source: Source,
}

/// The monthly mean of a box, which the field must cover.
pub(super) fn box_mean(
    field: &Field,
    definition: IndexBox,
    index: Index,
    weighting: Weighting,
    context: &ToolContext,
) -> Result<BoxMean, ToolError> {
    let wanted = LonLatBox {
        west: definition.lon[0],
        east: definition.lon[1],
        south: definition.lat[0],
        north: definition.lat[1],
    };
    covers(field, &wanted, index)?;
    let cut = with_region(field, Region::Box(wanted))?;
    let options = AreaMeanOptions { weighting, ..AreaMeanOptions::default() };
    let mean = area_mean_series(&cut, options, &reading::control(context))
        .map_err(|error| reading::cannot_read(&error))?;
    let source = reading::source(&cut, &mean.chunks);
    let native = axis_of(&cut)?;
    let (axis, values) = match native.step() {
        TimeStep::Months(1) => (native, mean.mean),
        TimeStep::Seconds(_) => {
            let monthly = resample(&native, &mean.mean, Frequency::Month, Reduction::Mean, 0.5)
                .map_err(|error| ToolError::invalid(error.to_string()))?;
            (monthly.axis, monthly.values)
        }
        step => {
            let step = step.to_iso().unwrap_or_else(|| "one value".to_owned());
            return Err(ToolError::invalid(format!(
                "a climate index needs monthly or finer data and the field has a step of {step}; choose other data"
            )));
        }
    };
    Ok(BoxMean { definition, axis, values, source })
}

/// Refuses a field that lacks a row or a column of cells of the box.
fn covers(field: &Field, wanted: &LonLatBox, index: Index) -> Result<(), ToolError> {
    let (Some(lats), Some(lons)) = (field.lats(), field.lons()) else {
        return Err(ToolError::invalid(format!("`{}` has no latitude and longitude axes", field.name())));
    };
    let [_, levels, _, _] = field.full_shape();
    if levels > 1 {
        return Err(ToolError::invalid(format!(
            "an index needs one level and the field has {levels}; select depth \"surface\" first"
        )));
    }
    let width = |bounds: &[[f64; 2]]| bounds.first().map_or(1.0, |[low, high]| (high - low).abs());
    let south_to_north = spans(&lats.values, wanted.south, wanted.north, width(&lats.bounds));
    // Degrees east of the box's western edge; what lies west of it is negative.
    let mut offsets: Vec<f64> = lons
        .values
        .iter()
        .map(|lon| {
            let offset = (lon - wanted.west).rem_euclid(360.0);
            if offset > f64::midpoint(wanted.width(), 360.0) { offset - 360.0 } else { offset }
        })
        .collect();
    offsets.sort_by(f64::total_cmp);
    if south_to_north && spans(&offsets, 0.0, wanted.width(), width(&lons.bounds)) && box_like(field, wanted)
    {
        return Ok(());
    }
    let range = |values: &[f64]| match (values.first(), values.last()) {
        (Some(first), Some(last)) => format!("{first} to {last}"),
        _ => "nothing".to_owned(),
    };
    Err(ToolError::invalid(format!(
        "{} needs the box {} to {} E, {} to {} N and the field has cells from {} E, {} N; select a region that \
         contains the box",
        index.title(),
        wanted.west,
        wanted.east,
        wanted.south,
        wanted.north,
        range(&lons.values),
        range(&lats.values)
    )))
}

/// Whether every cell of the box is inside the field's own region.
fn box_like(field: &Field, wanted: &LonLatBox) -> bool {
    let (Some(mask), Some(lats), Some(lons)) = (field.mask(), field.lats(), field.lons()) else {
        return true;
    };
    mask.indexed_iter().all(|((row, column), inside)| {
        let place = lons.values.get(column).zip(lats.values.get(row));
        *inside || place.is_none_or(|(lon, lat)| !wanted.contains(*lon, *lat))
    })
}

/// Whether rising centres leave no room for a further one at either end of a range, and no gap in it. `lone` is the
/// width of the cell when there is only one.
fn spans(centres: &[f64], from: f64, to: f64, lone: f64) -> bool {
    let steps = || centres.iter().zip(centres.iter().skip(1)).map(|(a, b)| b - a);
    let inside: Vec<f64> =
        centres.iter().copied().filter(|at| (from - 1e-5..=to + 1e-5).contains(at)).collect();
    let (Some(first), Some(last)) = (inside.first(), inside.last()) else { return false };
    let mut sorted: Vec<f64> = steps().collect();
    sorted.sort_by(f64::total_cmp);
    let step = sorted.get(sorted.len() / 2).copied().unwrap_or(lone);
    let gap = inside.iter().zip(inside.iter().skip(1)).any(|(a, b)| b - a > 1.5 * step);
    first - step < from - 1e-3 * step && last + step > to + 1e-3 * step && !gap
}

#[cfg(test)]
mod tests {
    use super::spans;

    #[test]
    fn a_box_is_covered_when_no_further_row_would_fit() {
        let rows: Vec<f64> = (-2..=2).map(|row| f64::from(row) * 2.0).collect();
        assert!(spans(&rows, -5.0, 5.0, 1.0));
        assert!(!spans(&rows[1..], -5.0, 5.0, 1.0));
        assert!(!spans(&rows, -6.0, 5.0, 1.0));
        assert!(!spans(&[-4.0, -2.0, 2.0, 4.0], -5.0, 5.0, 1.0));
        assert!(!spans(&[0.0], -5.0, 5.0, 1.0));
        assert!(spans(&[0.0], -5.0, 5.0, 10.0));
        assert!(!spans(&[], -5.0, 5.0, 1.0));
        let wide: Vec<f64> = (-10..=10).map(f64::from).collect();
        assert!(spans(&wide, -5.0, 5.0, 1.0));
    }
}

//! The deepest wet cell of each column, from a static mask.

use ndarray::{Array2, Zip};

use super::block::Reader;
use super::chunk_walk::{WalkControl, WalkError, WholeAxes};
use super::field::{Field, TimeAxis};
use super::plan::blocks;

/// Position of the deepest wet level in each column, `(lat, lon)`; beyond the last level where all is dry.
pub(crate) type BottomIndex = Array2<usize>;

/// The index of a field that wants the bottom; computed once by reading the whole record of its region.
pub(crate) fn index_of<'a>(
    field: &'a Field,
    control: &WalkControl,
) -> Result<Option<&'a BottomIndex>, WalkError> {
    let Some(cell) = &field.bottom else { return Ok(None) };
    if let Some(index) = cell.get() {
        return Ok(Some(index));
    }
    let computed = compute(field, control)?;
    Ok(Some(cell.get_or_init(|| computed)))
}

fn compute(field: &Field, control: &WalkControl) -> Result<BottomIndex, WalkError> {
    let record = Field { time: whole_record(field), bottom: None, mask: None, ..field.clone() };
    let [_, levels, rows, columns] = record.full_shape();
    let reader = Reader::new(&record, None);
    let plans = blocks(&record, WholeAxes::default());
    let mut deepest = Array2::from_elem((rows, columns), usize::MAX);
    let total = plans.len();
    for (done, plan) in plans.into_iter().enumerate() {
        if control.is_cancelled() {
            return Err(WalkError::Cancelled { done, total });
        }
        let (_, block) = reader.present(plan, &reader.load(plan)?)?;
        for ((_, z, y, x), value) in block.values.indexed_iter() {
            if value.is_finite() {
                let at = &mut deepest[[block.offset[2] + y, block.offset[3] + x]];
                let level = block.offset[1] + z;
                if *at == usize::MAX || *at < level {
                    *at = level;
                }
            }
        }
    }
    Zip::from(&mut deepest).for_each(|at| *at = (*at).min(levels));
    Ok(deepest)
}

/// All times of the variable.
fn whole_record(field: &Field) -> Option<TimeAxis> {
    let (_, dimension) = field.variable.dimension(crate::cf::Axis::Time)?;
    let time = field.dataset.times().get(dimension.coordinate?)?;
    Some(TimeAxis {
        indices: (0..time.dates.len()).collect(),
        calendar: time.calendar,
        dates: time.dates.clone(),
        nanoseconds: time.nanoseconds.clone(),
        bounds: None,
    })
}

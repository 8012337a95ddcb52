//! The deepest wet level of each column.

use leg_core::{ToolContext, ToolError};
use ndarray::Array2;
use ocean_data::Field;
use ocean_data::field::ChunkTree;

use crate::reading;

/// The deepest level that has a value at any time, `(lat, lon)`, and what was read: a static mask, so that a gap at the
/// bottom at one time does not move it.
///
/// # Errors
/// A failed read.
pub(crate) fn deepest_levels(
    field: &Field,
    context: &ToolContext,
) -> Result<(Array2<Option<usize>>, ChunkTree), ToolError> {
    let [_, _, rows, columns] = field.full_shape();
    let mut deepest: Array2<Option<usize>> = Array2::from_elem((rows, columns), None);
    let chunks = field
        .walk(
            &reading::control(context),
            |block| {
                let (_, _, y, x) = block.values.dim();
                let mut part: Array2<Option<usize>> = Array2::from_elem((y, x), None);
                for ((_, z, y, x), value) in block.values.indexed_iter() {
                    if !value.is_nan() {
                        part[[y, x]] = part[[y, x]].max(Some(block.offset[1] + z));
                    }
                }
                (block.offset, part)
            },
            |([_, _, oy, ox], part)| {
                for ((y, x), level) in part.indexed_iter() {
                    let own = &mut deepest[[oy + y, ox + x]];
                    *own = (*own).max(*level);
                }
            },
        )
        .map_err(|error| reading::cannot_read(&error))?;
    Ok((deepest, chunks))
}

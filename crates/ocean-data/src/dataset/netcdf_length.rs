//! Whether a NetCDF file is as long as its header says.

use hdf5_reader::storage::Storage;
use netcdf_reader::{NcGroup, NcVariable};

use super::open::OpenError;

/// Bytes in which every superblock states the end of the file.
const HEAD: usize = 56;

/// The classic formats state where each variable lies.
pub(crate) fn check_classic_length(path: &str, length: u64, root: &NcGroup) -> Result<(), OpenError> {
    for variable in &root.variables {
        let records = if variable.is_record_var {
            variable.dimensions.first().map_or(0, |dimension| dimension.size)
        } else {
            1
        };
        if records == 0 {
            continue;
        }
        let elements = variable.num_elements().unwrap_or(u64::MAX) / records;
        let size = elements.saturating_mul(variable.dtype.size().unwrap_or(1) as u64);
        // Without the stride between records only the first one is certain.
        let end = variable.data_offset.saturating_add(size);
        if end > length {
            let detail = format!("variable `{}` ends at byte {end} and the file has {length}", variable.name);
            return Err(OpenError::Truncated { path: path.to_owned(), detail });
        }
    }
    let records: Vec<&NcVariable> = root.variables.iter().filter(|v| v.is_record_var).collect();
    let count = records.first().and_then(|v| v.dimensions.first()).map_or(0, |dimension| dimension.size);
    let start = records.iter().map(|v| v.data_offset).min().unwrap_or(0);
    // Several record variables are each padded to four bytes; one alone is not.
    let padded = |size: u64| if records.len() == 1 { size } else { size.next_multiple_of(4) };
    let stride = records.iter().fold(0_u64, |sum, v| sum.saturating_add(padded(v.record_size)));
    let last = records.iter().max_by_key(|v| v.data_offset);
    let padding = last.map_or(0, |v| padded(v.record_size) - v.record_size);
    let end = start.saturating_add(stride.saturating_mul(count)).saturating_sub(padding);
    if count > 0 && end > length {
        let detail = format!("its {count} records need {end} bytes and the file has {length}");
        return Err(OpenError::Truncated { path: path.to_owned(), detail });
    }
    Ok(())
}

/// The HDF5 superblock states the end of the file.
pub(crate) fn check_hdf5_length(path: &str, storage: &dyn Storage) -> Result<(), OpenError> {
    let length = storage.len();
    let Ok(head) = storage.read_range(0, HEAD) else { return Ok(()) };
    if head.get(1..4) != Some(b"HDF") {
        return Ok(());
    }
    let at = match head[8] {
        0 if head[13] == 8 => 40,
        1 if head[13] == 8 => 44,
        2 | 3 if head[9] == 8 => 28,
        _ => return Ok(()),
    };
    let mut bytes = [0_u8; 8];
    bytes.copy_from_slice(&head[at..at + 8]);
    let end = u64::from_le_bytes(bytes);
    if end != u64::MAX && end > length {
        let detail = format!("its header says {end} bytes and the file has {length}");
        return Err(OpenError::Truncated { path: path.to_owned(), detail });
    }
    Ok(())
}

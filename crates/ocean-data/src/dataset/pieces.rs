//! Where the pieces of a NetCDF variable lie in its file.

use std::borrow::Cow;
use std::collections::HashMap;

use hdf5_reader::FilterRegistry;
use hdf5_reader::error::Error;
use hdf5_reader::filters::apply_pipeline_with_limit;
use hdf5_reader::messages::filter_pipeline::FilterDescription;
use netcdf_reader::classic::data::compute_record_stride;
use netcdf_reader::{NcGroup, NcVariable};

use super::netcdf_metadata::element_of;
use super::number_format::NumberFormat;
use super::store::ElementType;

/// A variable without chunks is read and hashed in pieces of about this many bytes.
const PIECE: u64 = 256 * 1024;

/// The pieces of one variable of numbers.
#[derive(Debug)]
pub(crate) struct Pieces {
    /// Shape of a piece.
    pub(crate) shape: Vec<usize>,
    /// How decoded bytes hold numbers.
    pub(crate) format: NumberFormat,
    /// The value of elements that were never written, when the file says one.
    pub(crate) fill: Option<f64>,
    /// The filters, in the order they were applied.
    pub(crate) filters: Vec<FilterDescription>,
    places: Places,
}

#[derive(Debug)]
enum Places {
    /// Chunks, by their place in the chunk grid.
    Listed(HashMap<Vec<u64>, Stored>),
    /// Rows one after another.
    Flat(Flat),
}

/// An array whose rows lie one after another.
#[derive(Debug)]
struct Flat {
    /// Lengths of the dimensions.
    array: Vec<usize>,
    /// First byte.
    address: u64,
    /// Bytes from one index of the first dimension to the next.
    stride: u64,
    /// The dimension that pieces divide; those before it have length 1 in a piece, those after it are whole.
    divided: usize,
}

/// Where one piece lies in the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Stored {
    /// First byte.
    pub(crate) address: u64,
    /// Stored bytes.
    pub(crate) size: u64,
    /// Filters that were left out, a bit each.
    pub(crate) filter_mask: u32,
}

impl Pieces {
    /// Pieces that an index lists.
    pub(crate) fn listed(
        shape: Vec<usize>,
        format: NumberFormat,
        fill: Option<f64>,
        filters: Vec<FilterDescription>,
        places: HashMap<Vec<u64>, Stored>,
    ) -> Self {
        Self { shape, format, fill, filters, places: Places::Listed(places) }
    }

    /// Pieces of an array from `address` on, whose first dimension advances by `stride` bytes, or by what one index of
    /// it holds.
    pub(crate) fn flat(array: &[usize], format: NumberFormat, address: u64, stride: Option<u64>) -> Self {
        let size = format.size() as u64;
        // Records lie between those of other variables: a piece has but one.
        let first = usize::from(stride.is_some() && !array.is_empty());
        let bytes =
            |from: usize| array[from..].iter().fold(size, |n, &length| n.saturating_mul(length as u64));
        let divided = (first..array.len()).find(|&at| bytes(at + 1) <= PIECE).unwrap_or(array.len());
        let mut shape: Vec<usize> = array.iter().map(|&length| length.max(1)).collect();
        shape[..divided].fill(1);
        if divided < array.len() {
            let fits = usize::try_from(PIECE / bytes(divided + 1).max(1)).unwrap_or(1);
            shape[divided] = shape[divided].min(fits.max(1));
        }
        let stride = stride.unwrap_or_else(|| if array.is_empty() { 0 } else { bytes(1) });
        let flat = Flat { array: array.to_vec(), address, stride, divided };
        Self { shape, format, fill: None, filters: Vec::new(), places: Places::Flat(flat) }
    }

    /// The same with a value of elements that were never written.
    pub(crate) fn with_fill(self, fill: Option<f64>) -> Self {
        Self { fill, ..self }
    }

    /// Pieces of a variable of a classic file; `None` when it holds no numbers.
    pub(crate) fn classic(root: &NcGroup, variable: &NcVariable) -> Option<Self> {
        let ElementType::Number(kind) = element_of(&variable.dtype) else { return None };
        let array =
            variable.dimensions.iter().map(|d| usize::try_from(d.size)).collect::<Result<Vec<_>, _>>();
        let (array, format) = (array.ok()?, NumberFormat::of(kind, true)?);
        let stride = if variable.is_record_var {
            let stride = compute_record_stride(&root.variables).ok()?;
            let own =
                array.iter().skip(1).fold(format.size() as u64, |n, &length| n.saturating_mul(length as u64));
            (stride != own).then_some(stride)
        } else {
            None
        };
        Some(Self::flat(&array, format, variable.data_offset, stride))
    }

    /// Where a piece lies; `None` when it was never written.
    pub(crate) fn place(&self, at: &[u64]) -> Option<Stored> {
        let flat = match &self.places {
            Places::Listed(places) => return places.get(at).copied(),
            Places::Flat(flat) => flat,
        };
        let size = self.format.size() as u64;
        let inner = |from: usize| {
            flat.array
                .get(from..)
                .unwrap_or_default()
                .iter()
                .fold(size, |n, &length| n.saturating_mul(length as u64))
        };
        let mut address = flat.address;
        for (dimension, &place) in at.iter().enumerate() {
            let step = if dimension == 0 { flat.stride } else { inner(dimension + 1) };
            address = address
                .saturating_add(place.saturating_mul(self.shape[dimension] as u64).saturating_mul(step));
        }
        let count = match (flat.array.get(flat.divided), at.get(flat.divided)) {
            (Some(&length), Some(&place)) => {
                let piece = self.shape[flat.divided] as u64;
                piece.min((length as u64).saturating_sub(place * piece))
            }
            _ => 1,
        };
        Some(Stored { address, size: count.saturating_mul(inner(flat.divided + 1)), filter_mask: 0 })
    }

    /// A shape of chunks, and where each lies, such that all are whole: those of the file, all of an array, or its
    /// records.
    pub(crate) fn chunks(&self) -> (Vec<usize>, Vec<(Vec<u64>, Stored)>) {
        let flat = match &self.places {
            Places::Listed(places) => {
                let mut all: Vec<_> = places.iter().map(|(at, stored)| (at.clone(), *stored)).collect();
                all.sort_by(|a, b| a.0.cmp(&b.0));
                return (self.shape.clone(), all);
            }
            Places::Flat(flat) => flat,
        };
        let bytes = |lengths: &[usize]| {
            lengths.iter().fold(self.format.size() as u64, |n, &length| n.saturating_mul(length as u64))
        };
        let mut shape = flat.array.clone();
        let row = bytes(shape.get(1..).unwrap_or_default());
        let stored = |address, size| Stored { address, size, filter_mask: 0 };
        if shape.is_empty() || flat.stride == row {
            let all = vec![(vec![0; shape.len()], stored(flat.address, bytes(&shape)))];
            return (shape.iter().map(|&length| length.max(1)).collect(), all);
        }
        let records = shape[0] as u64;
        shape[0] = 1;
        let place = |record: u64| {
            let mut place = vec![0; shape.len()];
            place[0] = record;
            (place, stored(flat.address + record * flat.stride, row))
        };
        let all = (0..records).map(place).collect();
        (shape, all)
    }

    /// The elements of a piece.
    pub(crate) fn decode<'a>(
        &self,
        filter_mask: u32,
        bytes: &'a [u8],
        filters: Option<&FilterRegistry>,
    ) -> Result<Cow<'a, [u8]>, Error> {
        let size = self.format.size();
        let whole = self.shape.iter().fold(size, |n, &length| n.saturating_mul(length));
        if matches!(self.places, Places::Flat(_)) && bytes.len() < whole {
            // The last piece of a dimension is shorter than the others.
            let mut padded = bytes.to_vec();
            padded.resize(whole, 0);
            return Ok(Cow::Owned(padded));
        }
        if self.filters.is_empty() {
            return Ok(Cow::Borrowed(bytes));
        }
        apply_pipeline_with_limit(bytes, &self.filters, filter_mask, size, filters, Some(whole + 1))
            .map(Cow::Owned)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn flat(array: &[usize], stride: Option<u64>) -> Pieces {
        Pieces::flat(array, NumberFormat::of("float32", true).unwrap(), 100, stride)
    }

    fn stored(address: u64, size: u64) -> Stored {
        Stored { address, size, filter_mask: 0 }
    }

    #[test]
    fn small_arrays_are_one_piece() {
        let pieces = flat(&[3, 4], None);
        assert_eq!(pieces.shape, [3, 4]);
        assert_eq!(pieces.place(&[0, 0]), Some(stored(100, 48)));
        assert_eq!(flat(&[], None).place(&[]), Some(stored(100, 4)));
    }

    #[test]
    fn large_arrays_are_divided_along_the_first_dimension_that_fits() {
        // One index of the second dimension has 1000 * 4 bytes: 65 of them are a piece.
        let pieces = flat(&[10, 200, 1000], None);
        assert_eq!(pieces.shape, [1, 65, 1000]);
        assert_eq!(pieces.place(&[2, 1, 0]), Some(stored(100 + 2 * 800_000 + 65 * 4000, 65 * 4000)));
        // The last piece has the 5 that are left of 200.
        assert_eq!(pieces.place(&[0, 3, 0]), Some(stored(100 + 195 * 4000, 5 * 4000)));
        assert_eq!(pieces.decode(0, &vec![1; 20_000], None).unwrap().len(), 65 * 4000);
    }

    #[test]
    fn records_lie_between_those_of_other_variables() {
        let pieces = flat(&[7, 3], Some(1000));
        assert_eq!(pieces.shape, [1, 3]);
        assert_eq!(pieces.place(&[6, 0]), Some(stored(6100, 12)));
        let times = flat(&[7], Some(1000));
        assert_eq!((times.shape.as_slice(), times.place(&[2])), ([1].as_slice(), Some(stored(2100, 4))));
    }
}

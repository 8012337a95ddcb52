//! The writer of classic NetCDF files: 64-bit offsets (CDF-2), or CDF-5 where an array is too large for those.
//!
//! # Source
//! The NetCDF users' guide, appendix B, "File Format Specifications": header of dimensions, attributes and variables, big
//! endian, names and values padded to four bytes, then the values of each variable in order.

use super::error::WriteError;

const DIMENSION: u32 = 0x0A;
const VARIABLE: u32 = 0x0B;
const ATTRIBUTE: u32 = 0x0C;
const CHAR: u32 = 2;
const DOUBLE: u32 = 6;
/// The largest array of CDF-2, in bytes.
const LARGEST: u64 = (1 << 32) - 4;

/// The value of an attribute.
#[derive(Debug, Clone, PartialEq)]
pub enum NetcdfAttribute {
    /// Text.
    Text(String),
    /// Numbers.
    Numbers(Vec<f64>),
}

impl From<&str> for NetcdfAttribute {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

/// Attributes in order.
pub type NetcdfAttributes = Vec<(String, NetcdfAttribute)>;

/// An array of doubles.
#[derive(Debug, Clone, PartialEq)]
pub struct NetcdfVariable {
    /// Name.
    pub name: String,
    /// Names of its dimensions, slowest first; none for one number.
    pub dimensions: Vec<String>,
    /// Attributes.
    pub attributes: NetcdfAttributes,
    /// Row-major values.
    pub values: Vec<f64>,
}

/// A file in memory.
///
/// ```
/// use ocean_data::write::{NetcdfFile, NetcdfVariable};
///
/// let mut file = NetcdfFile::default();
/// file.dimensions.push(("depth".to_owned(), 2));
/// file.variables.push(NetcdfVariable {
///     name: "depth".to_owned(),
///     dimensions: vec!["depth".to_owned()],
///     attributes: vec![("units".to_owned(), "m".into())],
///     values: vec![5.0, 15.0],
/// });
/// assert_eq!(&file.to_bytes()?[..4], b"CDF\x02");
/// # Ok::<(), ocean_data::write::WriteError>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
pub struct NetcdfFile {
    /// Names and lengths; none is unlimited.
    pub dimensions: Vec<(String, usize)>,
    /// Attributes of the file.
    pub attributes: NetcdfAttributes,
    /// Arrays.
    pub variables: Vec<NetcdfVariable>,
}

/// A name that every reader takes: letters, digits and `_`, and a letter first.
pub fn netcdf_name(name: &str) -> String {
    let mut out: String =
        name.chars().map(|c| if c.is_ascii_alphanumeric() || c == '_' { c } else { '_' }).collect();
    if !out.starts_with(|c: char| c.is_ascii_alphabetic()) {
        out.insert(0, 'v');
    }
    out
}

impl NetcdfFile {
    /// The bytes of the file; equal contents give equal bytes.
    ///
    /// # Errors
    /// [`WriteError::Name`] for a name that cannot be one or stands twice; [`WriteError::Length`] for an array that does not
    /// fill its dimensions, or has one that is not there.
    pub fn to_bytes(&self) -> Result<Vec<u8>, WriteError> {
        self.check()?;
        let large = self.variables.iter().any(|own| own.values.len() as u64 * 8 > LARGEST);
        let mut begins = vec![0_u64; self.variables.len()];
        // The offsets have a fixed width, so that the length of the header does not depend on them.
        let header = self.header(large, &begins).len() as u64;
        let mut at = header;
        for (begin, variable) in begins.iter_mut().zip(&self.variables) {
            *begin = at;
            at += variable.values.len() as u64 * 8;
        }
        let mut out = self.header(large, &begins);
        for value in self.variables.iter().flat_map(|variable| &variable.values) {
            // One bit pattern of NaN, so that equal contents are equal bytes.
            let value = if value.is_nan() { f64::NAN } else { *value };
            out.extend_from_slice(&value.to_be_bytes());
        }
        Ok(out)
    }

    fn check(&self) -> Result<(), WriteError> {
        let names = self.variables.iter().map(|own| &own.name);
        for list in [self.dimensions.iter().map(|own| &own.0).collect::<Vec<_>>(), names.collect()] {
            for (at, name) in list.iter().enumerate() {
                if **name != netcdf_name(name) || list[..at].contains(name) {
                    return Err(WriteError::Name { name: (*name).clone() });
                }
            }
        }
        for variable in &self.variables {
            let length = |name: &String| self.dimensions.iter().find(|own| own.0 == *name).map(|own| own.1);
            let expected = variable.dimensions.iter().map(length).try_fold(1, |n: usize, own| Some(n * own?));
            if expected != Some(variable.values.len()) {
                return Err(WriteError::Length {
                    array: variable.name.clone(),
                    expected: expected.unwrap_or(0),
                    found: variable.values.len(),
                });
            }
        }
        Ok(())
    }

    fn header(&self, large: bool, begins: &[u64]) -> Vec<u8> {
        let mut out = Header { bytes: b"CDF".to_vec(), large };
        out.bytes.push(if large { 5 } else { 2 });
        out.count(0);
        out.list(DIMENSION, self.dimensions.len());
        for (name, length) in &self.dimensions {
            out.name(name);
            out.count(*length as u64);
        }
        out.attributes(&self.attributes);
        out.list(VARIABLE, self.variables.len());
        for (variable, begin) in self.variables.iter().zip(begins) {
            out.name(&variable.name);
            out.count(variable.dimensions.len() as u64);
            for name in &variable.dimensions {
                let at = self.dimensions.iter().position(|own| own.0 == *name).unwrap_or(0);
                out.count(at as u64);
            }
            out.attributes(&variable.attributes);
            out.word(DOUBLE);
            out.count(variable.values.len() as u64 * 8);
            out.bytes.extend_from_slice(&begin.to_be_bytes());
        }
        out.bytes
    }
}

struct Header {
    bytes: Vec<u8>,
    large: bool,
}

impl Header {
    fn word(&mut self, word: u32) {
        self.bytes.extend_from_slice(&word.to_be_bytes());
    }

    /// A length: eight bytes in CDF-5 and four otherwise.
    fn count(&mut self, count: u64) {
        if self.large {
            self.bytes.extend_from_slice(&count.to_be_bytes());
        } else {
            self.word(u32::try_from(count).unwrap_or(u32::MAX));
        }
    }

    /// The head of a list; an empty one has no tag.
    fn list(&mut self, tag: u32, length: usize) {
        self.word(if length == 0 { 0 } else { tag });
        self.count(length as u64);
    }

    fn name(&mut self, name: &str) {
        self.count(name.len() as u64);
        self.bytes.extend_from_slice(name.as_bytes());
        self.pad();
    }

    fn pad(&mut self) {
        while !self.bytes.len().is_multiple_of(4) {
            self.bytes.push(0);
        }
    }

    fn attributes(&mut self, attributes: &NetcdfAttributes) {
        self.list(ATTRIBUTE, attributes.len());
        for (name, value) in attributes {
            self.name(name);
            match value {
                NetcdfAttribute::Text(text) => {
                    self.word(CHAR);
                    self.name(text);
                }
                NetcdfAttribute::Numbers(numbers) => {
                    self.word(DOUBLE);
                    self.count(numbers.len() as u64);
                    for number in numbers {
                        self.bytes.extend_from_slice(&number.to_be_bytes());
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Dataset;
    use crate::field::Selection;

    fn axis(name: &str, units: &str, values: &[f64]) -> NetcdfVariable {
        NetcdfVariable {
            name: name.to_owned(),
            dimensions: vec![name.to_owned()],
            attributes: vec![("units".to_owned(), units.into())],
            values: values.to_vec(),
        }
    }

    fn small() -> NetcdfFile {
        NetcdfFile {
            dimensions: vec![("lat".to_owned(), 2), ("lon".to_owned(), 3)],
            attributes: vec![("Conventions".to_owned(), "CF-1.11".into())],
            variables: vec![
                axis("lat", "degrees_north", &[10.0, 11.0]),
                axis("lon", "degrees_east", &[-5.0, -4.0, -3.0]),
                NetcdfVariable {
                    name: "t".to_owned(),
                    dimensions: vec!["lat".to_owned(), "lon".to_owned()],
                    attributes: vec![
                        ("units".to_owned(), "degC".into()),
                        ("_FillValue".to_owned(), NetcdfAttribute::Numbers(vec![f64::NAN])),
                    ],
                    values: vec![1.0, 2.0, f64::NAN, 4.0, 5.0, 0.1 + 0.2],
                },
            ],
        }
    }

    #[test]
    fn the_smallest_file_is_as_the_specification_says() {
        let file = NetcdfFile {
            dimensions: vec![("x".to_owned(), 1)],
            attributes: vec![],
            variables: vec![NetcdfVariable {
                name: "x".to_owned(),
                dimensions: vec!["x".to_owned()],
                attributes: vec![],
                values: vec![1.0],
            }],
        };
        #[rustfmt::skip]
        let expected: Vec<u8> = [
            &b"CDF\x02"[..], &[0; 4],
            &[0, 0, 0, 10, 0, 0, 0, 1, 0, 0, 0, 1, b'x', 0, 0, 0, 0, 0, 0, 1],
            &[0; 8],
            &[0, 0, 0, 11, 0, 0, 0, 1, 0, 0, 0, 1, b'x', 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0],
            &[0; 8],
            &[0, 0, 0, 6, 0, 0, 0, 8, 0, 0, 0, 0, 0, 0, 0, 84],
            &[0x3f, 0xf0, 0, 0, 0, 0, 0, 0],
        ].concat();
        assert_eq!(file.to_bytes().unwrap(), expected);
    }

    #[test]
    fn our_own_reader_meets_the_same_bits() {
        let home = tempfile::tempdir().unwrap();
        let path = home.path().join("small.nc");
        std::fs::write(&path, small().to_bytes().unwrap()).unwrap();
        let dataset = Dataset::open(&path.to_string_lossy()).unwrap();
        let field = dataset.select(&Selection::of("t")).unwrap();
        assert_eq!(field.units(), "degC");
        let values = field.read(1 << 20).unwrap();
        let bits: Vec<u64> = values.iter().map(|own| own.to_bits()).collect();
        let wanted: Vec<u64> = small().variables[2].values.iter().map(|own| own.to_bits()).collect();
        assert_eq!(bits, wanted);
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        let mut wrong = small();
        wrong.variables[2].values.pop();
        assert!(matches!(wrong.to_bytes(), Err(WriteError::Length { expected: 6, found: 5, .. })));
        let mut wrong = small();
        wrong.variables[1].name = "lat".to_owned();
        assert!(matches!(wrong.to_bytes(), Err(WriteError::Name { .. })));
        assert_eq!(netcdf_name("2 m/s"), "v2_m_s");
    }
}

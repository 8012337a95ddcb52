//! [`Artifact`]: full data that a tool returned, with its one stored form.
//!
//! The stored form is a line of canonical JSON (the header), a line feed, and the payload: for arrays the values
//! of each variable in order, little-endian row-major `f64`, a missing value as `7ff8000000000000` and −0 as 0;
//! for a file its bytes; for other kinds nothing. The digest of the stored form is the artifact's digest.

use std::collections::BTreeMap;

use bytes::Bytes;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::Kind;
use crate::canonical::{self, CanonicalError};
use crate::{Digest, Domain};

/// Full data with names, units and coordinates.
///
/// ```
/// use leg_core::{Artifact, Coord, Kind, Variable};
///
/// let level = Variable {
///     name: "level".to_owned(),
///     standard_name: Some("sea_surface_height_above_geopotential_datum".to_owned()),
///     units: "m".to_owned(),
///     dims: vec!["time".to_owned()],
///     shape: vec![2],
///     values: vec![0.25, f64::NAN],
/// };
/// let artifact = Artifact::array(Kind::Series, "level", level)
///     .with_coord("time", Coord::texts(["2022-09-28T18:00:00Z", "2022-09-28T19:00:00Z"]))
///     .with_attribute("datum", "NAVD88");
/// let bytes = artifact.encode()?;
/// assert_eq!(Artifact::decode(&bytes)?.encode()?, bytes, "missing values too come back bit by bit");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Artifact {
    /// What it is.
    pub kind: Kind,
    /// What it is of, such as `temperature`.
    pub name: String,
    /// Arrays; the first is the one that is meant when none is named. Empty for documents.
    pub variables: Vec<Variable>,
    /// Coordinates of the dimensions, and scalar coordinates.
    pub coords: BTreeMap<String, Coord>,
    /// Further facts that are part of the result: method, baseline, reference values.
    pub attributes: BTreeMap<String, Value>,
    /// The document of a kind that is no array: a table's columns, a text, a lazy field's recipe, a figure's
    /// specification.
    pub content: Value,
    /// A file's bytes.
    pub payload: Bytes,
}

/// An array of an [`Artifact`].
///
/// ```
/// use leg_core::Variable;
///
/// let map = Variable {
///     name: "sst".to_owned(),
///     standard_name: Some("sea_surface_temperature".to_owned()),
///     units: "degC".to_owned(),
///     dims: vec!["lat".to_owned(), "lon".to_owned()],
///     shape: vec![2, 3],
///     // Row by row: the last dimension goes fastest.
///     values: vec![18.0, 18.5, 19.0, 17.0, 17.5, f64::NAN],
/// };
/// assert_eq!(map.values.len(), map.shape.iter().product::<usize>());
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Variable {
    /// Short name, such as `mean` or `count`.
    pub name: String,
    /// CF standard name, where there is one.
    pub standard_name: Option<String>,
    /// CF units; `1` for pure numbers.
    pub units: String,
    /// Names of the dimensions, slowest first.
    pub dims: Vec<String>,
    /// Lengths of the dimensions.
    pub shape: Vec<usize>,
    /// Row-major values; NaN is missing.
    pub values: Vec<f64>,
}

/// Values along one dimension.
///
/// ```
/// use leg_core::Coord;
///
/// let depth = Coord::numbers(&[0.0, 10.0, 20.0], "m", "depth");
/// assert_eq!(depth.units.as_deref(), Some("m"));
/// let months = Coord::texts(["2015-01", "2015-02"]);
/// assert_eq!((months.values.len(), months.units), (2, None));
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Coord {
    /// Numbers, or ISO 8601 texts for time.
    pub values: Vec<Value>,
    /// CF units; absent for times and labels.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub units: Option<String>,
    /// CF standard name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub standard_name: Option<String>,
    /// The calendar of a time coordinate, when it is not the usual one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub calendar: Option<String>,
}

/// What a plan, an event or a node's output says of an artifact.
///
/// ```
/// use leg_core::{Artifact, Kind, MemoryObjects, ObjectStoreExt as _};
///
/// let objects = MemoryObjects::default();
/// let summary = objects.put_artifact(&Artifact::document(Kind::Text, "remark", serde_json::json!("high")))?;
/// assert_eq!((summary.kind, summary.name.as_str()), (Kind::Text, "remark"));
/// assert_eq!(objects.get_artifact(&summary.digest)?.content, "high");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Summary {
    /// Digest of the stored form.
    pub digest: Digest,
    /// What it is.
    pub kind: Kind,
    /// What it is of.
    pub name: String,
    /// CF units of the main array, or empty.
    pub units: String,
    /// Dimensions of the main array.
    pub dims: Vec<String>,
    /// Lengths of the dimensions.
    pub shape: Vec<usize>,
    /// Size of the stored form.
    pub bytes: u64,
}

/// Stored bytes are not an artifact.
///
/// ```
/// use leg_core::{Artifact, DecodeError};
///
/// assert!(matches!(Artifact::decode(b"no header"), Err(DecodeError::Header(_))));
/// ```
#[derive(Debug, thiserror::Error)]
pub enum DecodeError {
    /// There is no header line, or it is not JSON.
    #[error("the stored artifact has no readable header; fetch the object again or run the step again")]
    Header(#[source] Option<serde_json::Error>),
    /// The payload is not as long as the header says.
    #[error(
        "the stored artifact has {found} payload bytes and its header promises {expected}; fetch it again"
    )]
    Length {
        /// What the header promises.
        expected: usize,
        /// What there is.
        found: usize,
    },
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Header {
    kind: Kind,
    name: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    variables: Vec<VariableHeader>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    coords: BTreeMap<String, Coord>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    attributes: BTreeMap<String, Value>,
    #[serde(default, skip_serializing_if = "Value::is_null")]
    content: Value,
    #[serde(default)]
    payload_bytes: usize,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct VariableHeader {
    name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    standard_name: Option<String>,
    units: String,
    dims: Vec<String>,
    shape: Vec<usize>,
}

impl Artifact {
    /// An artifact whose data is a JSON document.
    pub fn document(kind: Kind, name: impl Into<String>, content: Value) -> Self {
        Self {
            kind,
            name: name.into(),
            variables: Vec::new(),
            coords: BTreeMap::new(),
            attributes: BTreeMap::new(),
            content,
            payload: Bytes::new(),
        }
    }

    /// An artifact whose data is one array.
    pub fn array(kind: Kind, name: impl Into<String>, variable: Variable) -> Self {
        Self { variables: vec![variable], ..Self::document(kind, name, Value::Null) }
    }

    /// An artifact that is a file.
    pub fn file(name: impl Into<String>, media_type: &str, bytes: impl Into<Bytes>) -> Self {
        Self {
            content: json!({ "media_type": media_type }),
            payload: bytes.into(),
            ..Self::document(Kind::File, name, Value::Null)
        }
    }

    /// Adds a coordinate.
    #[must_use]
    pub fn with_coord(mut self, name: &str, coord: Coord) -> Self {
        self.coords.insert(name.to_owned(), coord);
        self
    }

    /// Adds another array.
    #[must_use]
    pub fn with_variable(mut self, variable: Variable) -> Self {
        self.variables.push(variable);
        self
    }

    /// Adds a fact.
    #[must_use]
    pub fn with_attribute(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.attributes.insert(name.to_owned(), value.into());
        self
    }

    /// The main array.
    pub fn primary(&self) -> Option<&Variable> {
        self.variables.first()
    }

    /// The array with this name.
    pub fn variable(&self, name: &str) -> Option<&Variable> {
        self.variables.iter().find(|variable| variable.name == name)
    }

    /// CF units of the main array, or an empty text.
    pub fn units(&self) -> &str {
        self.primary().map_or("", |variable| variable.units.as_str())
    }

    /// The stored form.
    ///
    /// # Errors
    /// [`CanonicalError`] when a header number has no canonical form.
    pub fn encode(&self) -> Result<Vec<u8>, CanonicalError> {
        let header = Header {
            kind: self.kind,
            name: self.name.clone(),
            variables: self.variables.iter().map(VariableHeader::of).collect(),
            coords: self.coords.clone(),
            attributes: self.attributes.clone(),
            content: self.content.clone(),
            payload_bytes: self.payload.len(),
        };
        // Every part of the header is a plain JSON value, so this cannot fail but for a number out of range.
        let header = serde_json::to_value(header).unwrap_or(Value::Null);
        let mut bytes = canonical::to_vec(&header)?;
        bytes.push(b'\n');
        bytes.reserve(self.variables.iter().map(|v| v.values.len() * 8).sum());
        for value in self.variables.iter().flat_map(|variable| &variable.values) {
            bytes.extend_from_slice(&canonical_bits(*value).to_le_bytes());
        }
        bytes.extend_from_slice(&self.payload);
        Ok(bytes)
    }

    /// Reads the stored form.
    ///
    /// # Errors
    /// [`DecodeError`] when the bytes are damaged.
    pub fn decode(bytes: &[u8]) -> Result<Self, DecodeError> {
        let end = bytes.iter().position(|b| *b == b'\n').ok_or(DecodeError::Header(None))?;
        let (head, rest) = bytes.split_at(end);
        let header: Header =
            serde_json::from_slice(head).map_err(|source| DecodeError::Header(Some(source)))?;
        let mut rest = rest.get(1..).unwrap_or_default();
        let length = |shape: &[usize]| shape.iter().try_fold(8_usize, |n, len| n.checked_mul(*len));
        let arrays = header.variables.iter().try_fold(0_usize, |sum, v| sum.checked_add(length(&v.shape)?));
        let expected = arrays.and_then(|n| n.checked_add(header.payload_bytes)).unwrap_or(usize::MAX);
        if rest.len() != expected {
            return Err(DecodeError::Length { expected, found: rest.len() });
        }
        let mut variables = Vec::with_capacity(header.variables.len());
        for variable in header.variables {
            let (mine, others) = rest.split_at(length(&variable.shape).unwrap_or(0));
            rest = others;
            let values = mine.as_chunks::<8>().0.iter().map(|chunk| f64::from_le_bytes(*chunk)).collect();
            variables.push(variable.with_values(values));
        }
        Ok(Self {
            kind: header.kind,
            name: header.name,
            variables,
            coords: header.coords,
            attributes: header.attributes,
            content: header.content,
            payload: Bytes::copy_from_slice(rest),
        })
    }

    /// What others need to know of it, given its stored form.
    pub fn summary(&self, encoded: &[u8]) -> Summary {
        let primary = self.primary();
        Summary {
            digest: Digest::of(Domain::Object, encoded),
            kind: self.kind,
            name: self.name.clone(),
            units: self.units().to_owned(),
            dims: primary.map(|v| v.dims.clone()).unwrap_or_default(),
            shape: primary.map(|v| v.shape.clone()).unwrap_or_default(),
            bytes: encoded.len() as u64,
        }
    }

    /// The JSON of FORMS.md: `values`, `shape`, `dims`, `units`, `coords`; further arrays under `variables`.
    pub fn to_json(&self) -> Value {
        let mut out = Map::new();
        out.insert("kind".into(), json!(self.kind));
        out.insert("name".into(), json!(self.name));
        let (first, others) = self.variables.split_first().map_or((None, &[][..]), |(a, b)| (Some(a), b));
        if let Some(variable) = first {
            variable.write_json(&mut out);
        }
        if !others.is_empty() {
            let named = others.iter().map(|variable| {
                let mut members = Map::new();
                variable.write_json(&mut members);
                (variable.name.clone(), Value::Object(members))
            });
            out.insert("variables".into(), Value::Object(named.collect()));
        }
        if !self.coords.is_empty() {
            out.insert("coords".into(), json!(self.coords));
        }
        if !self.attributes.is_empty() {
            out.insert("attributes".into(), json!(self.attributes));
        }
        if !self.content.is_null() {
            out.insert("content".into(), self.content.clone());
        }
        Value::Object(out)
    }
}

impl Variable {
    fn write_json(&self, out: &mut Map<String, Value>) {
        // `json!` turns a number that is not finite into null, which is what a missing value is here.
        out.insert("values".into(), self.values.iter().map(|value| json!(value)).collect());
        out.insert("shape".into(), json!(self.shape));
        out.insert("dims".into(), json!(self.dims));
        out.insert("units".into(), json!(self.units));
        if let Some(name) = &self.standard_name {
            out.insert("standard_name".into(), json!(name));
        }
    }
}

impl VariableHeader {
    fn of(variable: &Variable) -> Self {
        Self {
            name: variable.name.clone(),
            standard_name: variable.standard_name.clone(),
            units: variable.units.clone(),
            dims: variable.dims.clone(),
            shape: variable.shape.clone(),
        }
    }

    fn with_values(self, values: Vec<f64>) -> Variable {
        Variable {
            name: self.name,
            standard_name: self.standard_name,
            units: self.units,
            dims: self.dims,
            shape: self.shape,
            values,
        }
    }
}

impl Coord {
    /// Numbers with units.
    pub fn numbers(values: &[f64], units: &str, standard_name: &str) -> Self {
        Self {
            values: values.iter().map(|value| json!(value)).collect(),
            units: Some(units.to_owned()),
            standard_name: Some(standard_name.to_owned()),
            calendar: None,
        }
    }

    /// Labels, or times as ISO 8601 texts.
    pub fn texts<S: Into<String>>(values: impl IntoIterator<Item = S>) -> Self {
        Self {
            values: values.into_iter().map(|text| Value::String(text.into())).collect(),
            units: None,
            standard_name: None,
            calendar: None,
        }
    }
}

/// One bit pattern for every missing value, and for zero.
fn canonical_bits(value: f64) -> u64 {
    if value.is_nan() {
        0x7ff8_0000_0000_0000
    } else if value == 0.0 {
        0
    } else {
        value.to_bits()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn series() -> Artifact {
        let values = vec![1.5, f64::NAN, -0.0];
        let variable = Variable {
            name: "mean".into(),
            standard_name: None,
            units: "degC".into(),
            dims: vec!["time".into()],
            shape: vec![3],
            values,
        };
        Artifact::array(Kind::Series, "temperature", variable).with_coord(
            "time",
            Coord::texts(["2015-01-01T00:00:00Z", "2015-02-01T00:00:00Z", "2015-03-01T00:00:00Z"]),
        )
    }

    #[test]
    fn the_stored_form_is_fixed() {
        let bytes = series().encode().unwrap();
        let head = bytes.iter().position(|b| *b == b'\n').unwrap();
        assert_eq!(
            std::str::from_utf8(&bytes[..head]).unwrap(),
            r#"{"coords":{"time":{"values":["2015-01-01T00:00:00Z","2015-02-01T00:00:00Z","2015-03-01T00:00:00Z"]}},"kind":"series","name":"temperature","payload_bytes":0,"variables":[{"dims":["time"],"name":"mean","shape":[3],"units":"degC"}]}"#
        );
        assert_eq!(bytes[head + 9..head + 17], [0, 0, 0, 0, 0, 0, 0xf8, 0x7f]);
        assert_eq!(bytes[head + 17..], [0; 8]);
    }

    #[test]
    fn every_nan_and_both_zeros_are_one() {
        let mut other = series();
        other.variables[0].values = vec![1.5, f64::from_bits(0xfff8_0000_0000_0001), 0.0];
        assert_eq!(other.encode().unwrap(), series().encode().unwrap());
    }

    #[test]
    fn comes_back_from_its_stored_form_and_refuses_a_cut_one() {
        let bytes = series().encode().unwrap();
        let back = Artifact::decode(&bytes).unwrap();
        assert_eq!(back.encode().unwrap(), bytes);
        for end in 0..bytes.len() {
            assert!(Artifact::decode(&bytes[..end]).is_err(), "cut at {end}");
        }
        let hostile = br#"{"kind":"map","name":"x","variables":[{"name":"v","units":"1","dims":["a","b"],"shape":[4294967296,4294967296]}]}"#;
        assert!(Artifact::decode(&[hostile.as_slice(), b"\n"].concat()).is_err());
    }

    #[test]
    fn json_has_null_for_missing() {
        let json = series().to_json();
        assert_eq!(json["values"], json!([1.5, null, -0.0]));
        assert_eq!(json["shape"], json!([3]));
        assert_eq!(json["units"], "degC");
    }
}

//! The writer of Zarr v3 stores.

use std::{fs, path::Path, sync::Arc};

use serde_json::{Map, Value, json};
use zarrs::{
    array::{
        Array, ArrayBuilder, ArrayBytes, FillValue,
        codec::{BytesCodec, ZstdCodec},
    },
    filesystem::FilesystemStore,
};

use super::{chunking, element::Element, error::WriteError, staging::Staging};
use crate::dataset::Window;

/// The level at which zstd is about as fast as the disk.
const ZSTD_LEVEL: i32 = 3;

/// Writes a store, array by array, and puts it in its place at the end.
///
/// # Examples
///
/// ```
/// use ocean_data::write::{ArraySpec, Element, ZarrWriter};
///
/// let home = tempfile::tempdir()?;
/// let target = home.path().join("small.zarr");
/// let mut writer = ZarrWriter::create(&target, serde_json::Map::new())?;
/// let spec = ArraySpec::new("lat", &[("lat", 3)], Element::Float64).with_attribute("units", "degrees_north");
/// writer.write_array(spec, &[10.0, 11.0, 12.0])?;
/// assert!(!target.exists());
/// writer.finish()?;
/// assert!(target.join("lat/zarr.json").exists());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct ZarrWriter {
    staging: Staging,
    store: Arc<FilesystemStore>,
    attributes: Map<String, Value>,
    /// The metadata of all nodes, for the consolidated form.
    nodes: Map<String, Value>,
}

/// What an array is, before it has values.
#[derive(Debug, Clone)]
pub struct ArraySpec {
    /// Its name; a path such as `physics/thetao` puts it into groups.
    pub name: String,
    /// Dimension names and lengths, slowest first.
    pub dimensions: Vec<(String, usize)>,
    /// The element type.
    pub element: Element,
    /// The shape of the chunks; `None` for one that suits the array.
    pub chunks: Option<Vec<usize>>,
    /// The value of elements that are never written.
    pub fill: f64,
    /// CF attributes.
    pub attributes: Map<String, Value>,
}

impl ArraySpec {
    /// Describes an array with default chunks and no attributes; unwritten elements are NaN, or 0 in integers.
    pub fn new(name: &str, dimensions: &[(&str, usize)], element: Element) -> Self {
        Self {
            name: name.to_owned(),
            dimensions: dimensions.iter().map(|(name, length)| ((*name).to_owned(), *length)).collect(),
            element,
            chunks: None,
            fill: if element.is_float() { f64::NAN } else { 0.0 },
            attributes: Map::new(),
        }
    }

    /// Adds an attribute.
    #[must_use]
    pub fn with_attribute(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.attributes.insert(name.to_owned(), value.into());
        self
    }
}

impl ZarrWriter {
    /// Starts a store that will stand at `target`, with the attributes of its root group.
    ///
    /// # Errors
    /// [`WriteError::Exists`] if something is there already (an empty folder is taken over),
    /// [`WriteError::NotAPlace`] and [`WriteError::Io`] if nothing can be written beside it.
    pub fn create(target: &Path, attributes: Map<String, Value>) -> Result<Self, WriteError> {
        let staging = Staging::new(target)?;
        let store = FilesystemStore::new(staging.folder()).map_err(|error| array_error("/", &error))?;
        Ok(Self { staging, store: Arc::new(store), attributes, nodes: Map::new() })
    }

    /// Goes on with a store that was left under this key, or begins one. It is kept when it is dropped before its end.
    ///
    /// # Errors
    /// As [`ZarrWriter::create`]; [`WriteError::Busy`] while another process writes it.
    pub(crate) fn resume(
        target: &Path,
        attributes: Map<String, Value>,
        key: &str,
    ) -> Result<Self, WriteError> {
        let staging = Staging::resumed(target, key)?;
        let store = FilesystemStore::new(staging.folder()).map_err(|error| array_error("/", &error))?;
        Ok(Self { staging, store: Arc::new(store), attributes, nodes: Map::new() })
    }

    /// The folder in which the store grows.
    pub(crate) fn folder(&self) -> &Path {
        self.staging.folder()
    }

    /// Starts an array. Its chunks may be written from several threads; [`ZarrWriter::close`] ends it.
    ///
    /// # Errors
    /// [`WriteError::Name`] for a name that would leave the store or hide its metadata, [`WriteError::Array`] if the Zarr
    /// library refuses.
    pub fn open(&self, spec: ArraySpec) -> Result<ArrayWriter, WriteError> {
        check_name(&spec.name)?;
        let shape: Vec<usize> = spec.dimensions.iter().map(|dimension| dimension.1).collect();
        let chunks = spec.chunks.unwrap_or_else(|| chunking::chunk_shape(&shape, spec.element.size(), None));
        let wide = |lengths: &[usize]| lengths.iter().map(|length| *length as u64).collect::<Vec<_>>();
        let mut builder = ArrayBuilder::new(
            wide(&shape),
            wide(&chunks),
            spec.element.name(),
            FillValue::new(spec.element.to_bytes(&[spec.fill])),
        );
        builder
            .array_to_bytes_codec(Arc::new(BytesCodec::little()))
            .bytes_to_bytes_codecs(vec![Arc::new(ZstdCodec::new(ZSTD_LEVEL, false))])
            .dimension_names(Some(spec.dimensions.iter().map(|dimension| dimension.0.as_str())))
            .attributes(spec.attributes);
        let array = builder
            .build(Arc::clone(&self.store), &format!("/{}", spec.name))
            .map_err(|error| array_error(&spec.name, &error))?;
        Ok(ArrayWriter { name: spec.name, element: spec.element, fill: spec.fill, shape, chunks, array })
    }

    /// Ends an array: writes its metadata.
    ///
    /// # Errors
    /// [`WriteError::Array`] if it can't be written.
    pub fn close(&mut self, array: &ArrayWriter) -> Result<(), WriteError> {
        array.array.store_metadata().map_err(|error| array_error(&array.name, &error))?;
        for (place, _) in array.name.match_indices('/') {
            let group = &array.name[..place];
            if !self.nodes.contains_key(group) {
                self.write_group(group, &Map::new(), None)?;
                self.nodes.insert(group.to_owned(), group_metadata(&Map::new(), None));
            }
        }
        let metadata =
            serde_json::to_value(array.array.metadata()).map_err(|error| array_error(&array.name, &error))?;
        self.nodes.insert(array.name.clone(), metadata);
        Ok(())
    }

    /// Writes an array whose values, row-major, are all at hand.
    ///
    /// # Errors
    /// As [`ZarrWriter::open`]; [`WriteError::Length`] if the number of values is not that of the array.
    pub fn write_array(&mut self, spec: ArraySpec, values: &[f64]) -> Result<(), WriteError> {
        let shape: Vec<usize> = spec.dimensions.iter().map(|dimension| dimension.1).collect();
        let array = self.open(ArraySpec {
            chunks: Some(shape.iter().map(|length| (*length).max(1)).collect()),
            ..spec
        })?;
        if shape.contains(&0) {
            array.check_length(0, values)?;
        } else {
            array.write_chunk(0, values)?;
        }
        self.close(&array)
    }

    /// Writes a file of another kind into the root of the store.
    ///
    /// # Errors
    /// [`WriteError::Io`] if it can't be written.
    pub fn write_file(&self, name: &str, bytes: &[u8]) -> Result<(), WriteError> {
        let path = self.staging.folder().join(name);
        fs::write(&path, bytes).map_err(|error| WriteError::io(path, error))
    }

    /// Writes the metadata of the root, with that of all arrays in it, and puts the store in its place.
    ///
    /// # Errors
    /// [`WriteError::Exists`] if something took the place meanwhile, [`WriteError::Io`] if the system refuses.
    pub fn finish(self) -> Result<(), WriteError> {
        self.write_group("", &self.attributes, Some(&self.nodes))?;
        self.staging.commit()
    }

    fn write_group(
        &self,
        name: &str,
        attributes: &Map<String, Value>,
        nodes: Option<&Map<String, Value>>,
    ) -> Result<(), WriteError> {
        let folder = self.staging.folder().join(name);
        fs::create_dir_all(&folder).map_err(|error| WriteError::io(&folder, error))?;
        let text = format!("{:#}\n", group_metadata(attributes, nodes));
        let path = folder.join("zarr.json");
        fs::write(&path, text).map_err(|error| WriteError::io(path, error))
    }
}

/// An array that is being written.
#[derive(Debug)]
pub struct ArrayWriter {
    name: String,
    element: Element,
    fill: f64,
    shape: Vec<usize>,
    chunks: Vec<usize>,
    array: Array<FilesystemStore>,
}

impl ArrayWriter {
    /// Returns how many chunks the array has.
    pub fn chunk_count(&self) -> usize {
        self.grid().iter().product()
    }

    /// Returns the part of the array that a chunk covers. Chunks are counted row-major.
    pub fn window(&self, chunk: usize) -> Window {
        let start: Vec<usize> =
            self.grid_place(chunk).iter().zip(&self.chunks).map(|(place, length)| place * length).collect();
        let inside = start.iter().zip(&self.shape).zip(&self.chunks);
        let shape = inside.map(|((start, end), length)| (*length).min(end - start)).collect();
        Window { start, shape }
    }

    /// Writes the values of a chunk's [window](ArrayWriter::window), row-major.
    ///
    /// # Errors
    /// [`WriteError::Length`] if there are more or fewer values, [`WriteError::Array`] if they can't be written.
    pub fn write_chunk(&self, chunk: usize, values: &[f64]) -> Result<(), WriteError> {
        let window = self.window(chunk);
        self.check_length(window.len(), values)?;
        let padded = if window.shape == self.chunks {
            self.element.to_bytes(values)
        } else {
            self.element.to_bytes(&self.pad(&window, values))
        };
        let place: Vec<u64> = self.grid_place(chunk).iter().map(|place| *place as u64).collect();
        self.array
            .store_chunk(&place, ArrayBytes::new_flen(padded))
            .map_err(|error| array_error(&self.name, &error))
    }

    /// Sets an attribute that became known while the values were written.
    pub fn set_attribute(&mut self, name: &str, value: Value) {
        self.array.attributes_mut().insert(name.to_owned(), value);
    }

    /// Fills up a chunk at the end of a dimension.
    fn pad(&self, window: &Window, values: &[f64]) -> Vec<f64> {
        let mut padded = vec![self.fill; self.chunks.iter().product()];
        let run = window.shape.last().copied().unwrap_or(1).max(1);
        for (row, source) in values.chunks_exact(run).enumerate() {
            // The row's place in the window, slowest dimension first, becomes its place in the full chunk.
            let (mut rest, mut place, mut stride) = (row, 0, self.chunks.last().copied().unwrap_or(1));
            for (inside, full) in window.shape.iter().zip(&self.chunks).rev().skip(1) {
                place += (rest % inside) * stride;
                rest /= inside;
                stride *= full;
            }
            padded[place..place + run].copy_from_slice(source);
        }
        padded
    }

    fn check_length(&self, expected: usize, values: &[f64]) -> Result<(), WriteError> {
        if values.len() == expected {
            return Ok(());
        }
        Err(WriteError::Length { array: self.name.clone(), expected, found: values.len() })
    }

    fn grid(&self) -> Vec<usize> {
        self.shape.iter().zip(&self.chunks).map(|(length, chunk)| length.div_ceil(*chunk)).collect()
    }

    fn grid_place(&self, chunk: usize) -> Vec<usize> {
        let mut rest = chunk;
        let mut place: Vec<usize> = self
            .grid()
            .iter()
            .rev()
            .map(|count| {
                let place = rest % count;
                rest /= count;
                place
            })
            .collect();
        place.reverse();
        place
    }
}

fn group_metadata(attributes: &Map<String, Value>, nodes: Option<&Map<String, Value>>) -> Value {
    let mut metadata = json!({"zarr_format": 3, "node_type": "group", "attributes": attributes});
    if let Some(nodes) = nodes {
        metadata["consolidated_metadata"] =
            json!({"kind": "inline", "must_understand": false, "metadata": nodes});
    }
    metadata
}

/// Refuses names that would leave the store, hide its metadata, or that Zarr v3 reserves.
fn check_name(name: &str) -> Result<(), WriteError> {
    let is_good = |part: &str| {
        !part.is_empty()
            && part.chars().any(|character| character != '.')
            && !part.starts_with("__")
            && !part.contains(['\\', '\0', ':'])
            && part != "zarr.json"
    };
    if name.split('/').all(is_good) { Ok(()) } else { Err(WriteError::Name { name: name.to_owned() }) }
}

fn array_error(array: &str, error: &dyn std::fmt::Display) -> WriteError {
    WriteError::Array { array: array.to_owned(), detail: error.to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(target: &Path, name: &str) -> Vec<f64> {
        let store = Arc::new(FilesystemStore::new(target).unwrap());
        let array = Array::open(store, &format!("/{name}")).unwrap();
        array.retrieve_array_subset::<Vec<f64>>(&array.subset_all()).unwrap()
    }

    #[test]
    fn chunks_at_the_ends_hold_what_was_written() {
        let home = tempfile::tempdir().unwrap();
        let target = home.path().join("s");
        let mut writer = ZarrWriter::create(&target, Map::new()).unwrap();
        let spec = ArraySpec {
            chunks: Some(vec![2, 2, 3]),
            ..ArraySpec::new("group/a", &[("t", 3), ("y", 5), ("x", 4)], Element::Float64)
        };
        let array = writer.open(spec).unwrap();
        assert_eq!(array.chunk_count(), 2 * 3 * 2);
        for chunk in 0..array.chunk_count() {
            let window = array.window(chunk);
            let mut values = Vec::new();
            for t in window.start[0]..window.start[0] + window.shape[0] {
                for y in window.start[1]..window.start[1] + window.shape[1] {
                    for x in window.start[2]..window.start[2] + window.shape[2] {
                        values.push((t * 100 + y * 10 + x) as f64);
                    }
                }
            }
            array.write_chunk(chunk, &values).unwrap();
        }
        writer.close(&array).unwrap();
        writer.finish().unwrap();
        let expected: Vec<f64> = (0..60).map(|i| f64::from(i / 20 * 100 + i / 4 % 5 * 10 + i % 4)).collect();
        assert_eq!(read(&target, "group/a"), expected);
        let root: Value = serde_json::from_slice(&fs::read(target.join("zarr.json")).unwrap()).unwrap();
        let nodes = root["consolidated_metadata"]["metadata"].as_object().unwrap();
        assert_eq!(nodes.keys().collect::<Vec<_>>(), ["group", "group/a"]);
        assert!(target.join("group/zarr.json").exists());
    }

    #[test]
    fn scalars_and_empty_arrays_are_arrays() {
        let home = tempfile::tempdir().unwrap();
        let target = home.path().join("s");
        let mut writer = ZarrWriter::create(&target, Map::new()).unwrap();
        writer.write_array(ArraySpec::new("one", &[], Element::Float64), &[7.0]).unwrap();
        writer.write_array(ArraySpec::new("none", &[("t", 0)], Element::Float64), &[]).unwrap();
        writer.finish().unwrap();
        assert_eq!((read(&target, "one"), read(&target, "none")), (vec![7.0], vec![]));
    }

    #[test]
    fn names_that_would_leave_the_store_are_refused() {
        let home = tempfile::tempdir().unwrap();
        let writer = ZarrWriter::create(&home.path().join("s"), Map::new()).unwrap();
        for name in ["", "..", "a/../../b", "/a", "a/", "__x", "zarr.json", "a\\b", "."] {
            let error = writer.open(ArraySpec::new(name, &[("x", 1)], Element::Float64));
            assert!(matches!(error, Err(WriteError::Name { .. })), "{name}");
        }
        assert!(writer.open(ArraySpec::new("c", &[("x", 1)], Element::Float64)).is_ok());
    }

    #[test]
    fn wrong_lengths_are_told() {
        let home = tempfile::tempdir().unwrap();
        let mut writer = ZarrWriter::create(&home.path().join("s"), Map::new()).unwrap();
        let error = writer.write_array(ArraySpec::new("a", &[("x", 3)], Element::Int16), &[1.0]).unwrap_err();
        assert_eq!(
            error.to_string(),
            "`a` takes 3 values a chunk here and was given 1; give one for each place"
        );
        drop(writer);
        assert_eq!(fs::read_dir(home.path()).unwrap().count(), 0);
    }
}

//! Copies of datasets as Zarr v3.

use std::{
    collections::BTreeMap,
    path::Path,
    sync::atomic::{AtomicBool, AtomicUsize, Ordering},
};

use rayon::iter::{IntoParallelIterator as _, ParallelIterator as _};

use leg_core::digest::{Digest, Domain};

use super::{
    chunking,
    element::Element,
    error::WriteError,
    journal::Journal,
    json,
    zarr::{ArraySpec, ArrayWriter, ZarrWriter},
};
use crate::{
    cf::Attribute,
    dataset::{Dataset, Store, StoredVariable},
};

/// Chunks a thread that are fetched together from a server.
const FETCHED: usize = 4;

/// How a copy is made.
#[derive(Debug, Clone, Default)]
pub struct ConvertOptions {
    /// Chunk lengths by dimension name; dimensions not named get lengths that suit the array.
    pub chunks: BTreeMap<String, usize>,
}

/// What a copy holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Converted {
    /// The arrays that were copied.
    pub variables: Vec<String>,
    /// Those that were not.
    pub skipped: Vec<Skipped>,
    /// Bytes of the copied arrays before compression.
    pub bytes: u64,
}

/// An array that was not copied.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Skipped {
    /// Its name.
    pub name: String,
    /// Why.
    pub reason: String,
}

/// Copies a dataset to a new Zarr v3 store at `target`, chunk by chunk and on all threads.
///
/// A copy that is stopped, by a failure or because the process ends, is left in a hidden folder beside the target; the same
/// call on the same source goes on with it, and the target appears when it is whole. The system must not have lost what was
/// written: after a power failure remove the hidden folder.
///
/// Arrays keep their element type, packing, fill values and attributes, so that they decode to equal bits; time keeps
/// its units and calendar. Text arrays are skipped and told. `progress` is called with chunks done and chunks in all,
/// from any thread.
///
/// # Errors
/// [`WriteError::Exists`] if the target exists, [`WriteError::Busy`] while another process makes this copy,
/// [`WriteError::Read`] if the source can't be read. [`WriteError::Io`] and [`WriteError::Array`] if the copy can't be
/// written.
pub fn convert(
    dataset: &Dataset,
    target: &Path,
    options: &ConvertOptions,
    progress: &(dyn Fn(usize, usize) + Sync),
) -> Result<Converted, WriteError> {
    convert_store(dataset.store(), target, options, progress)
}

fn convert_store(
    store: &dyn Store,
    target: &Path,
    options: &ConvertOptions,
    progress: &(dyn Fn(usize, usize) + Sync),
) -> Result<Converted, WriteError> {
    let key = key(store, options)?;
    let mut writer = ZarrWriter::resume(target, json::attributes(store.attributes(), None), &key)?;
    let mut journal = Journal::open(writer.folder())?;
    let mut copies = Vec::new();
    let mut skipped = Vec::new();
    for (index, variable) in store.variables().iter().enumerate() {
        let Some(element) = Element::of(&variable.element) else {
            let reason = format!("it holds {}, not numbers", variable.element);
            skipped.push(Skipped { name: variable.name.clone(), reason });
            continue;
        };
        match writer.open(spec(variable, element, options)) {
            Ok(array) => copies.push(Copy {
                index,
                variable,
                element,
                array,
                has_unnamed_fill: AtomicBool::new(journal.has_fill(index)),
            }),
            Err(error @ WriteError::Name { .. }) => {
                skipped.push(Skipped { name: variable.name.clone(), reason: error.to_string() });
            }
            Err(error) => return Err(error),
        }
    }
    let count = copies.iter().map(|copy| copy.array.chunk_count()).sum();
    let done = AtomicUsize::new(journal.len());
    for copy in &copies {
        let is_missing = |chunk: &usize| !journal.has(copy.index, *chunk);
        let chunks: Vec<usize> = (0..copy.array.chunk_count()).filter(is_missing).collect();
        for batch in chunks.chunks(FETCHED * rayon::current_num_threads().max(1)) {
            // What lies on a server is fetched here: the threads that decode do not wait for it.
            let windows: Vec<_> = batch.iter().map(|chunk| copy.array.window(*chunk)).collect();
            let held = store.prefetch(copy.index, &windows).wait()?;
            batch.into_par_iter().try_for_each(|chunk| {
                copy.copy_chunk(store, *chunk)?;
                progress(done.fetch_add(1, Ordering::Relaxed) + 1, count);
                Ok::<(), WriteError>(())
            })?;
            drop(held);
            journal.add(copy.index, batch, copy.has_unnamed_fill.load(Ordering::Relaxed))?;
        }
    }
    let mut converted = Converted { variables: Vec::new(), skipped, bytes: 0 };
    for copy in copies {
        converted.bytes += copy.variable.len() as u64 * copy.element.size() as u64;
        converted.variables.push(copy.variable.name.clone());
        writer.close(&copy.into_array())?;
    }
    journal.remove()?;
    writer.finish()?;
    Ok(converted)
}

/// What tells one copy from another: where the source's bytes are, what is in it, and how it is cut.
fn key(store: &dyn Store, options: &ConvertOptions) -> Result<String, WriteError> {
    let variables: Vec<_> = store
        .variables()
        .iter()
        .map(|own| serde_json::json!([own.name, own.dimensions, own.element.to_string(), own.chunk_shape]))
        .collect();
    let facts = serde_json::json!([store.fingerprint()?, variables, options.chunks]);
    let digest = Digest::of(Domain::Fingerprint, facts.to_string().as_bytes()).to_string();
    Ok(digest.trim_start_matches("b3:").chars().take(16).collect())
}

/// One array on its way.
#[derive(Debug)]
struct Copy<'a> {
    index: usize,
    variable: &'a StoredVariable,
    element: Element,
    array: ArrayWriter,
    /// A value was met that the source's format, but none of its attributes, calls missing.
    has_unnamed_fill: AtomicBool,
}

impl Copy<'_> {
    fn copy_chunk(&self, store: &dyn Store, chunk: usize) -> Result<(), WriteError> {
        let block = store.read(self.index, &self.array.window(chunk))?;
        let values: Vec<f64> = block.values.iter().copied().collect();
        if let Some(fill) = self.unnamed_fill()
            && values.iter().any(|value| value.to_bits() == fill.to_bits())
        {
            self.has_unnamed_fill.store(true, Ordering::Relaxed);
        }
        self.array.write_chunk(chunk, &values)
    }

    /// The value that only the format calls missing: Zarr v3 has no such rule, so it must be named if it occurs.
    fn unnamed_fill(&self) -> Option<f64> {
        self.variable.fill_value.filter(|_| !self.variable.attributes.contains_key("_FillValue"))
    }

    fn into_array(self) -> ArrayWriter {
        let unnamed = self.unnamed_fill().filter(|_| self.has_unnamed_fill.load(Ordering::Relaxed));
        let mut array = self.array;
        if let Some(fill) = unnamed {
            array.set_attribute("_FillValue", json::fill_value(self.element, fill));
        }
        array
    }
}

fn spec(variable: &StoredVariable, element: Element, options: &ConvertOptions) -> ArraySpec {
    let source = variable.is_chunked.then_some(variable.chunk_shape.as_slice());
    let mut chunks = chunking::chunk_shape(&variable.shape(), element.size(), source);
    for (chunk, (name, length)) in chunks.iter_mut().zip(&variable.dimensions) {
        if let Some(wanted) = options.chunks.get(name) {
            *chunk = (*wanted).clamp(1, (*length).max(1));
        }
    }
    let named_fill = variable.attributes.get("_FillValue").and_then(Attribute::as_number);
    let fill = named_fill.or(variable.fill_value).unwrap_or(if element.is_float() { f64::NAN } else { 0.0 });
    ArraySpec {
        name: variable.name.clone(),
        dimensions: variable.dimensions.clone(),
        element,
        chunks: Some(chunks),
        fill,
        attributes: json::attributes(&variable.attributes, Some(element)),
    }
}

#[cfg(test)]
mod tests {
    use ndarray::{ArrayD, IxDyn};
    use serde_json::Value;

    use super::*;
    use crate::{
        cf::{Attributes, Packing},
        dataset::{ElementType, ReadError, StoredBlock, Window},
    };

    /// A store in memory.
    #[derive(Debug)]
    struct Memory {
        variables: Vec<StoredVariable>,
        values: Vec<ArrayD<f64>>,
        attributes: Attributes,
        /// The array that can't be read.
        broken: Option<usize>,
    }

    impl Memory {
        fn add(
            &mut self,
            name: &str,
            kind: &'static str,
            dimensions: &[(&str, usize)],
            attributes: Attributes,
        ) {
            let dimensions: Vec<_> =
                dimensions.iter().map(|(name, length)| ((*name).to_owned(), *length)).collect();
            let shape: Vec<usize> = dimensions.iter().map(|dimension| dimension.1).collect();
            let count = shape.iter().product::<usize>();
            let values = (0..count).map(|place| (place % 1000) as f64 - 500.0).collect();
            self.values.push(ArrayD::from_shape_vec(IxDyn(&shape), values).unwrap());
            self.variables.push(StoredVariable {
                name: name.to_owned(),
                dimensions,
                element: ElementType::Number(kind),
                attributes,
                chunk_shape: shape,
                is_chunked: false,
                fill_value: Some(9.969_209_968_386_869e36),
                is_packed_in_single: false,
            });
        }
    }

    impl Store for Memory {
        fn format(&self) -> &'static str {
            "memory"
        }

        fn variables(&self) -> &[StoredVariable] {
            &self.variables
        }

        fn attributes(&self) -> &Attributes {
            &self.attributes
        }

        fn read(&self, index: usize, window: &Window) -> Result<StoredBlock, ReadError> {
            if self.broken == Some(index) {
                let variable = self.variables[index].name.clone();
                return Err(ReadError::Damaged {
                    path: "memory".to_owned(),
                    variable,
                    detail: "a test".to_owned(),
                });
            }
            let mut values = self.values[index].view();
            for (axis, (start, length)) in window.start.iter().zip(&window.shape).enumerate() {
                let slice = ndarray::Slice::from(*start..start + length);
                values.slice_axis_inplace(ndarray::Axis(axis), slice);
            }
            Ok(StoredBlock { values: values.to_owned(), chunks: Vec::new() })
        }

        fn fingerprint(&self) -> Result<Value, ReadError> {
            Ok(Value::Null)
        }
    }

    fn attributes(entries: &[(&str, Attribute)]) -> Attributes {
        entries.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect()
    }

    fn number(value: f64) -> Attribute {
        Attribute::Numbers(vec![value])
    }

    fn source() -> Memory {
        let mut source =
            Memory { variables: Vec::new(), values: Vec::new(), attributes: Attributes::new(), broken: None };
        source.attributes.insert("title".to_owned(), Attribute::Text("t".to_owned()));
        let units = Attribute::Text("days since 2001-01-01".to_owned());
        let calendar = Attribute::Text("noleap".to_owned());
        source.add(
            "time",
            "float64",
            &[("time", 700)],
            attributes(&[("units", units), ("calendar", calendar)]),
        );
        let packed =
            [("scale_factor", number(0.01)), ("add_offset", number(20.0)), ("_FillValue", number(-500.0))];
        let cube = [("time", 700), ("y", 17), ("x", 31)];
        source.add("packed", "int16", &cube, attributes(&packed));
        source.add("plain", "float32", &cube, attributes(&[("missing_value", number(7.0))]));
        source.values[2][[5, 6, 7]] = 9.969_209_968_386_869e36;
        source.values[2][[5, 6, 8]] = f64::NAN;
        source.add("named", "float32", &[("y", 17)], attributes(&[("_FillValue", number(-490.0))]));
        source.add("scalar", "int32", &[], Attributes::new());
        source.add("..", "float32", &[("y", 17)], Attributes::new());
        source.add("text", "float32", &[("y", 17)], Attributes::new());
        source.variables[6].element = ElementType::Other("string".to_owned());
        source
    }

    fn decoded(store: &dyn Store, name: &str) -> Vec<u64> {
        let index = store.variables().iter().position(|variable| variable.name == name).unwrap();
        let variable = &store.variables()[index];
        let packing = Packing::from_attributes(&variable.attributes, variable.fill_value);
        let block = store.read(index, &Window::all(variable)).unwrap();
        block.values.iter().map(|stored| packing.decode(*stored).to_bits()).collect()
    }

    #[test]
    fn a_copy_decodes_to_equal_bits() {
        let home = tempfile::tempdir().unwrap();
        let target = home.path().join("copy.zarr");
        let source = source();
        let calls = AtomicUsize::new(0);
        let converted = convert_store(&source, &target, &ConvertOptions::default(), &|_, _| {
            calls.fetch_add(1, Ordering::Relaxed);
        })
        .unwrap();
        assert_eq!(converted.variables, ["time", "packed", "plain", "named", "scalar"]);
        assert_eq!(
            converted.skipped.iter().map(|skipped| skipped.name.as_str()).collect::<Vec<_>>(),
            ["..", "text"]
        );
        assert!(calls.into_inner() >= 5);

        let copy = Dataset::open(target.to_str().unwrap()).unwrap();
        for name in &converted.variables {
            assert_eq!(decoded(copy.store(), name), decoded(&source, name), "{name}");
        }
        let of = |name: &str| {
            copy.store().variables().iter().find(|variable| variable.name == name).unwrap().clone()
        };
        assert_eq!(of("packed").element, ElementType::Number("int16"));
        assert_eq!(of("time").attributes["calendar"].as_text(), Some("noleap"));
        assert_eq!(of("plain").dimensions, source.variables[2].dimensions);
        // Only where the format's own fill value occurs is it named.
        assert!(
            of("plain").attributes.contains_key("_FillValue")
                && !of("time").attributes.contains_key("_FillValue")
        );
        assert_eq!(copy.store().attributes()["title"].as_text(), Some("t"));
    }

    #[test]
    fn chunks_can_be_chosen() {
        let home = tempfile::tempdir().unwrap();
        let target = home.path().join("copy.zarr");
        let chunks = [("time".to_owned(), 100), ("x".to_owned(), 1_000_000), ("y".to_owned(), 0)];
        let options = ConvertOptions { chunks: chunks.into_iter().collect() };
        let source = source();
        convert_store(&source, &target, &options, &|_, _| {}).unwrap();
        let copy = Dataset::open(target.to_str().unwrap()).unwrap();
        let packed = copy.store().variables().iter().find(|variable| variable.name == "packed").unwrap();
        assert_eq!(packed.chunk_shape, [100, 1, 31]);
        assert_eq!(decoded(copy.store(), "packed"), decoded(&source, "packed"));
    }

    #[test]
    fn a_copy_that_was_stopped_goes_on() {
        let home = tempfile::tempdir().unwrap();
        let target = home.path().join("copy.zarr");
        let chunks = [("time".to_owned(), 10)].into_iter().collect();
        let options = ConvertOptions { chunks };
        let stopped = Memory { broken: Some(3), ..source() };
        let error = convert_store(&stopped, &target, &options, &|_, _| {});
        assert!(matches!(error, Err(WriteError::Read(ReadError::Damaged { .. }))));
        assert!(!target.exists());
        let partial = std::fs::read_dir(home.path()).unwrap().next().unwrap().unwrap().path();
        // Chunks that are written are not read again.
        let written = partial.join("packed/c/0/0/0");
        let before = std::fs::metadata(&written).unwrap().modified().unwrap();
        let first = std::sync::Mutex::new(None);
        convert_store(&source(), &target, &options, &|done, total| {
            first.lock().unwrap().get_or_insert((done, total));
        })
        .unwrap();
        let (done, total) = first.into_inner().unwrap().unwrap();
        assert!(done > 200 && done < total, "{done} of {total}");
        assert_eq!(std::fs::metadata(target.join("packed/c/0/0/0")).unwrap().modified().unwrap(), before);
        let names: Vec<_> =
            std::fs::read_dir(home.path()).unwrap().map(|own| own.unwrap().file_name()).collect();
        assert_eq!(names, ["copy.zarr"]);
        let copy = Dataset::open(target.to_str().unwrap()).unwrap();
        for name in ["time", "packed", "plain", "named", "scalar"] {
            assert_eq!(decoded(copy.store(), name), decoded(&source(), name), "{name}");
        }
        let hidden = std::fs::read_dir(&target).unwrap().flatten();
        assert!(hidden.filter(|own| own.file_name().to_string_lossy().starts_with('.')).count() == 0);
    }

    #[test]
    fn two_at_once_do_not_meet() {
        let home = tempfile::tempdir().unwrap();
        let target = home.path().join("copy.zarr");
        let options = ConvertOptions::default();
        let _held =
            ZarrWriter::resume(&target, serde_json::Map::new(), &key(&source(), &options).unwrap()).unwrap();
        let error = convert_store(&source(), &target, &options, &|_, _| {});
        assert!(matches!(error, Err(WriteError::Busy { .. })), "{error:?}");
    }

    #[test]
    fn a_real_file_reads_back_equal() {
        let Some(folder) = std::env::var_os("LEG_CONFORMANCE") else {
            println!("skipped: LEG_CONFORMANCE is not set");
            return;
        };
        let home = tempfile::tempdir().unwrap();
        let files = [
            "ersstv5_2010_2020.nc",
            "cmems_like_packed.nc",
            "calendar_360day.nc",
            "cmems_like_groups.nc",
            "cmems_like_v2_packed.zarr",
        ];
        for file in files {
            let path = Path::new(&folder).join("data").join(file);
            let source = Dataset::open(path.to_str().unwrap()).unwrap();
            let target = home.path().join(file);
            let converted = convert(&source, &target, &ConvertOptions::default(), &|_, _| {}).unwrap();
            let copy = Dataset::open(target.to_str().unwrap()).unwrap();
            for name in &converted.variables {
                assert!(
                    decoded(copy.store(), name) == decoded(source.store(), name),
                    "{file}: {name} differs"
                );
            }
            assert_eq!(copy.identity(), source.identity(), "{file}: another identity");
        }
    }
}

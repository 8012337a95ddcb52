//! The demo ocean as a Zarr v3 store.

use std::{
    fs, io,
    path::{Path, PathBuf},
    sync::atomic::{AtomicUsize, Ordering},
};

use rayon::iter::{IntoParallelIterator as _, ParallelIterator as _};
use serde_json::{Map, Value, json};

use super::{
    grid::{Axis, CALENDAR, DEPTHS, LAT, LON, Moment, TIME, TIME_UNITS},
    ocean::{Column, columns},
    signal::{Sample, Variable},
    truth::{GENERATOR, SEED, Truth, VERSION, truth},
};
use crate::{
    dataset::Window,
    write::{ArraySpec, ArrayWriter, Element, WriteError, ZarrWriter},
};

/// The name of the file with the truth, inside the store.
const TRUTH: &str = "truth.json";
/// About a year of one depth is one chunk: a map and a series each read few.
const CHUNK: [usize; 4] = [53, 1, LAT.count, LON.count];
/// Bits of the mantissa that are kept: about 0.002 degrees in temperature. The rest would be noise that won't compress.
const KEPT_BITS: u32 = 13;

/// Why the demo ocean could not be written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DemoError {
    /// The store can't be written.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// A demo store of another version is there, with files in it that are not its own.
    #[error("`{}` holds an older demo and `{entry}`, which is not part of it; move that away or choose another folder", .path.display())]
    NotOnlyDemo {
        /// The folder.
        path: PathBuf,
        /// What does not belong.
        entry: String,
    },
}

/// Tells whether a folder holds the demo ocean of this version.
pub fn is_current(dir: &Path) -> bool {
    header(dir).is_some_and(|header| header == (VERSION, SEED)) && dir.join("zarr.json").is_file()
}

/// Writes the demo ocean: `dir` becomes a Zarr v3 group with `truth.json` in it. Returns the truth.
///
/// A demo store of another version that is there is replaced. `progress` is called with chunks done and chunks in all,
/// from any thread.
///
/// # Errors
/// [`WriteError::Exists`] if something else is there, [`DemoError::NotOnlyDemo`] if an older demo store also holds other
/// files, and what the system refuses; then nothing new is left behind.
pub fn write(dir: &Path, progress: &(dyn Fn(usize, usize) + Sync)) -> Result<Truth, DemoError> {
    if header(dir).is_some() {
        remove_older(dir)?;
    }
    let truth = truth();
    let mut writer = ZarrWriter::create(dir, store_attributes())?;
    write_coordinates(&mut writer)?;
    let columns = columns();
    let arrays = Variable::ALL
        .into_iter()
        .map(|variable| Ok((variable, writer.open(spec(variable))?)))
        .collect::<Result<Vec<_>, WriteError>>()?;
    let count = arrays.iter().map(|(_, array)| array.chunk_count()).sum();
    let done = AtomicUsize::new(0);
    for (variable, array) in &arrays {
        (0..array.chunk_count()).into_par_iter().try_for_each(|chunk| {
            write_chunk(*variable, array, chunk, &columns)?;
            progress(done.fetch_add(1, Ordering::Relaxed) + 1, count);
            Ok::<(), WriteError>(())
        })?;
        writer.close(array)?;
    }
    let text = format!("{:#}\n", json!(truth));
    writer.write_file(TRUTH, text.as_bytes())?;
    writer.finish()?;
    Ok(truth)
}

/// Makes one chunk: a pure function of its window.
fn write_chunk(
    variable: Variable,
    array: &ArrayWriter,
    chunk: usize,
    columns: &[Column],
) -> Result<(), WriteError> {
    let Window { start, shape } = array.window(chunk);
    let range = |axis: usize| start[axis]..start[axis] + shape[axis];
    let mut values = Vec::with_capacity(shape.iter().product());
    for time in range(0) {
        let moment = Moment::new(TIME.at(time));
        for level in range(1) {
            let depth = DEPTHS[level];
            for lat in range(2) {
                for lon in range(3) {
                    let column = &columns[lat * LON.count + lon];
                    let node = [time, level, lat, lon].map(|place| place as u64);
                    let sample = Sample { column, depth, moment };
                    let is_wet = column.is_wet(depth);
                    values.push(if is_wet { rounded(variable.value(&sample, node)) } else { f64::NAN });
                }
            }
        }
    }
    array.write_chunk(chunk, &values)
}

/// Rounds to the bits of a `float32` that are kept.
fn rounded(value: f64) -> f64 {
    const DROPPED: u32 = 23 - KEPT_BITS;
    #[expect(
        clippy::cast_possible_truncation,
        reason = "values of the demo ocean are far inside the range of f32"
    )]
    let bits = (value as f32).to_bits();
    let rounded = (bits + (1 << (DROPPED - 1))) & !((1 << DROPPED) - 1);
    f64::from(f32::from_bits(rounded))
}

fn write_coordinates(writer: &mut ZarrWriter) -> Result<(), WriteError> {
    let axis = |name: &str, axis: Axis| ArraySpec::new(name, &[(name, axis.count)], Element::Float64);
    let time = axis("time", TIME)
        .with_attribute("standard_name", "time")
        .with_attribute("axis", "T")
        .with_attribute("units", TIME_UNITS)
        .with_attribute("calendar", CALENDAR.name());
    writer.write_array(time, &TIME.values())?;
    let depth = ArraySpec::new("depth", &[("depth", DEPTHS.len())], Element::Float64)
        .with_attribute("standard_name", "depth")
        .with_attribute("axis", "Z")
        .with_attribute("positive", "down")
        .with_attribute("units", "m");
    writer.write_array(depth, &DEPTHS)?;
    let lat = axis("lat", LAT)
        .with_attribute("standard_name", "latitude")
        .with_attribute("axis", "Y")
        .with_attribute("units", "degrees_north");
    writer.write_array(lat, &LAT.values())?;
    let lon = axis("lon", LON)
        .with_attribute("standard_name", "longitude")
        .with_attribute("axis", "X")
        .with_attribute("units", "degrees_east");
    writer.write_array(lon, &LON.values())
}

fn spec(variable: Variable) -> ArraySpec {
    let (name, standard_name, long_name, units) = match variable {
        Variable::Temperature => {
            ("temperature", "sea_water_potential_temperature", "potential temperature", "degC")
        }
        Variable::Salinity => ("salinity", "sea_water_practical_salinity", "practical salinity", "1"),
        Variable::U => ("u", "eastward_sea_water_velocity", "eastward velocity", "m s-1"),
        Variable::V => ("v", "northward_sea_water_velocity", "northward velocity", "m s-1"),
        Variable::Chlorophyll => {
            ("chlorophyll", "mass_concentration_of_chlorophyll_a_in_sea_water", "chlorophyll", "mg m-3")
        }
        Variable::Oxygen => (
            "oxygen",
            "mole_concentration_of_dissolved_molecular_oxygen_in_sea_water",
            "dissolved oxygen",
            "mmol m-3",
        ),
    };
    let dimensions = [("time", TIME.count), ("depth", DEPTHS.len()), ("lat", LAT.count), ("lon", LON.count)];
    let spec = ArraySpec::new(name, &dimensions, Element::Float32)
        .with_attribute("standard_name", standard_name)
        .with_attribute("long_name", long_name)
        .with_attribute("units", units);
    ArraySpec { chunks: Some(CHUNK.to_vec()), ..spec }
}

fn store_attributes() -> Map<String, Value> {
    [
        ("Conventions", json!("CF-1.11")),
        ("title", json!("Demo ocean: an invented sea whose trends and events are known")),
        ("source", json!(format!("{GENERATOR}, generator version {VERSION}, seed {SEED}"))),
        ("comment", json!("invented data; truth.json in this store tells what is planted")),
    ]
    .into_iter()
    .map(|(name, value)| (name.to_owned(), value))
    .collect()
}

/// Returns version and seed of the demo store in a folder; `None` if there is none.
fn header(dir: &Path) -> Option<(u32, u64)> {
    let text = fs::read(dir.join(TRUTH)).ok()?;
    let truth: Value = serde_json::from_slice(&text).ok()?;
    if truth["generator"].as_str() != Some(GENERATOR) {
        return None;
    }
    Some((u32::try_from(truth["version"].as_u64()?).ok()?, truth["seed"].as_u64()?))
}

/// Removes a demo store, if nothing else is in its folder.
fn remove_older(dir: &Path) -> Result<(), DemoError> {
    let refused = |error: io::Error| WriteError::Io { path: dir.to_owned(), source: error };
    let own = ["zarr.json", TRUTH, "time", "depth", "lat", "lon"];
    for entry in fs::read_dir(dir).map_err(refused)? {
        let entry = entry.map_err(refused)?.file_name().to_string_lossy().into_owned();
        let is_own = own.contains(&entry.as_str())
            || Variable::ALL.into_iter().any(|variable| spec(variable).name == entry);
        if !is_own {
            return Err(DemoError::NotOnlyDemo { path: dir.to_owned(), entry });
        }
    }
    fs::remove_dir_all(dir).map_err(refused)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use zarrs::{array::Array, filesystem::FilesystemStore};

    use super::*;

    #[test]
    fn the_store_holds_what_the_truth_says() {
        let home = tempfile::tempdir().unwrap();
        let dir = home.path().join("demo");
        let calls = AtomicUsize::new(0);
        let truth = write(&dir, &|_, _| {
            calls.fetch_add(1, Ordering::Relaxed);
        })
        .unwrap();
        assert_eq!(calls.into_inner(), 6 * 5 * 12);
        assert!(is_current(&dir));
        assert_eq!(serde_json::from_slice::<Truth>(&fs::read(dir.join(TRUTH)).unwrap()).unwrap(), truth);

        let store = Arc::new(FilesystemStore::new(&dir).unwrap());
        let array = Array::open(store, "/temperature").unwrap();
        let surface = zarrs::array::ArraySubset::new_with_ranges(&[
            0..TIME.count as u64,
            0..1,
            0..LAT.count as u64,
            0..LON.count as u64,
        ]);
        let values: Vec<f32> = array.retrieve_array_subset(&surface).unwrap();
        let columns = columns();
        for (column, value) in columns.iter().zip(&values) {
            assert_eq!(value.is_nan(), !column.is_wet(DEPTHS[0]), "{column:?}");
        }
        // The trend of the annual means over the five years, from the stored values with their noise.
        for known in &truth.boxes {
            let mean = |year: i32| {
                let (mut sum, mut weights) = (0.0, 0.0);
                for (place, value) in values.iter().enumerate().filter(|(_, value)| !value.is_nan()) {
                    let column = &columns[place % columns.len()];
                    let is_inside = (known.lon[0]..=known.lon[1]).contains(&column.lon)
                        && (known.lat[0]..=known.lat[1]).contains(&column.lat);
                    if is_inside && Moment::new(TIME.at(place / columns.len())).year == year {
                        let weight = libm::cos(column.lat.to_radians());
                        sum += weight * f64::from(*value);
                        weights += weight;
                    }
                }
                sum / weights
            };
            for annual in &known.noise_free_annual_means {
                let off = mean(annual.year) - annual.value;
                assert!(off.abs() < 0.03, "{} {}: noise moves the mean by {off}", known.name, annual.year);
            }
        }

        // Again over an older store, and never over other files.
        let older = fs::read_to_string(dir.join(TRUTH)).unwrap().replace("\"version\": 1", "\"version\": 0");
        fs::write(dir.join(TRUTH), older).unwrap();
        assert!(!is_current(&dir));
        fs::write(dir.join("notes.txt"), "mine").unwrap();
        assert!(
            matches!(write(&dir, &|_, _| {}), Err(DemoError::NotOnlyDemo { entry, .. }) if entry == "notes.txt")
        );
        fs::remove_file(dir.join("notes.txt")).unwrap();
        remove_older(&dir).unwrap();
        assert_eq!(fs::read_dir(home.path()).unwrap().count(), 0);
    }

    #[test]
    fn what_is_no_demo_is_not_touched() {
        let home = tempfile::tempdir().unwrap();
        fs::write(home.path().join("truth.json"), "{\"generator\": \"another\"}").unwrap();
        assert!(!is_current(home.path()));
        assert!(matches!(write(home.path(), &|_, _| {}), Err(DemoError::Write(WriteError::Exists { .. }))));
        assert!(home.path().join("truth.json").exists());
    }

    #[test]
    fn a_change_of_values_asks_for_a_new_version() {
        let columns = columns();
        let mut sum = 0_u64;
        for time in (0..TIME.count).step_by(13) {
            for (level, depth) in DEPTHS.into_iter().enumerate() {
                for column in columns.iter().filter(|column| column.is_wet(depth)).step_by(11) {
                    let sample = Sample { column, depth, moment: Moment::new(TIME.at(time)) };
                    let node = [time, level, column.node[0], column.node[1]].map(|place| place as u64);
                    for variable in Variable::ALL {
                        sum = sum.rotate_left(5) ^ rounded(variable.value(&sample, node)).to_bits();
                    }
                }
            }
        }
        assert_eq!((VERSION, format!("{sum:016x}").as_str()), (1, "993df411d2c70ad0"));
    }
}

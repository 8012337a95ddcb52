//! Several stores as one dataset: along time, and beside each other.
#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use std::path::Path;

use ocean_data::dataset::{Aliases, Dataset, OpenError, OpenOptions};
use ocean_data::field::{Selection, WalkControl};
use ocean_data::write::{ArraySpec, Element, ZarrWriter};
use serde_json::Map;

/// What a store holds: its variable with units, and times in days since a date.
struct Part<'a> {
    name: &'a str,
    variable: &'a str,
    units: &'a str,
    since: &'a str,
    days: &'a [f64],
    lats: &'a [f64],
    packed: bool,
}

impl Default for Part<'_> {
    fn default() -> Self {
        Self {
            name: "a.zarr",
            variable: "sst",
            units: "degC",
            since: "2000-01-01",
            days: &[0.0, 1.0],
            lats: &[10.0, 11.0],
            packed: false,
        }
    }
}

impl Part<'_> {
    /// Values: ten for each day of the year 2000, and one for each latitude.
    fn write(&self, folder: &Path, start: f64) {
        let mut writer = ZarrWriter::create(&folder.join(self.name), Map::new()).unwrap();
        let times = self.days.len();
        let time = ArraySpec::new("time", &[("time", times)], Element::Float64)
            .with_attribute("units", format!("days since {}", self.since));
        writer.write_array(time, self.days).unwrap();
        let lats = self.lats.len();
        let lat = ArraySpec::new("lat", &[("lat", lats)], Element::Float64)
            .with_attribute("units", "degrees_north");
        writer.write_array(lat, self.lats).unwrap();
        let element = if self.packed { Element::Int16 } else { Element::Float64 };
        let mut spec = ArraySpec::new(self.variable, &[("time", times), ("lat", lats)], element)
            .with_attribute("units", self.units);
        if self.packed {
            spec = spec.with_attribute("scale_factor", 0.5).with_attribute("_FillValue", -99);
        }
        let mut values = Vec::new();
        for time in 0..times {
            for lat in 0..lats {
                let value = (start + time as f64) * 10.0 + lat as f64;
                let stored = if self.units == "K" { value + 273.15 } else { value };
                values.push(if self.packed { stored * 2.0 } else { stored });
            }
        }
        if self.packed {
            values[0] = -99.0;
        }
        writer.write_array(spec, &values).unwrap();
        writer.finish().unwrap();
    }
}

fn read(dataset: &std::sync::Arc<Dataset>, variable: &str) -> (Vec<String>, Vec<f64>) {
    let field = dataset.select(&Selection::of(variable)).unwrap();
    let values = field.read(1 << 20).unwrap().into_iter().collect();
    (field.times().unwrap().iso(), values)
}

fn open(uri: &str) -> Result<std::sync::Arc<Dataset>, OpenError> {
    Dataset::open(uri)
}

#[test]
fn parts_with_other_units_and_packing_are_joined_in_the_order_of_their_times() {
    let home = tempfile::tempdir().unwrap();
    let folder = home.path();
    Part { name: "z.zarr", ..Part::default() }.write(folder, 0.0);
    let kelvin = Part { name: "b.zarr", units: "K", since: "2000-01-03", days: &[0.0], ..Part::default() };
    kelvin.write(folder, 2.0);
    let packed = Part { name: "a.zarr", since: "2000-01-04", packed: true, ..Part::default() };
    packed.write(folder, 3.0);
    let list = ["a.zarr", "z.zarr", "b.zarr"].map(|name| folder.join(name).display().to_string()).join(",");
    for uri in [list, folder.join("*.zarr").display().to_string(), folder.display().to_string()] {
        let dataset = open(&uri).unwrap();
        let (times, values) = read(&dataset, "temperature");
        assert_eq!(times.len(), 5, "{uri}");
        assert_eq!((times[0].as_str(), times[4].as_str()), ("2000-01-01T00:00:00Z", "2000-01-05T00:00:00Z"));
        let wanted = [0.0, 1.0, 10.0, 11.0, 20.0, 21.0, f64::NAN, 31.0, 40.0, 41.0];
        for (got, wanted) in values.iter().zip(wanted) {
            assert!((got - wanted).abs() < 1e-9 || (got.is_nan() && wanted.is_nan()), "{uri}: {values:?}");
        }
        let description = dataset.inspect();
        assert!(description.format.contains("in 3 files along `time`"), "{}", description.format);
    }
}

#[test]
fn parts_that_are_coded_alike_keep_their_stored_form() {
    let home = tempfile::tempdir().unwrap();
    Part { packed: true, ..Part::default() }.write(home.path(), 0.0);
    let later = Part { name: "b.zarr", days: &[2.0, 3.0], packed: true, ..Part::default() };
    later.write(home.path(), 2.0);
    let dataset = open(&home.path().display().to_string()).unwrap();
    assert_eq!(dataset.variables()[0].stored_type, "int16");
    let (times, values) = read(&dataset, "sst");
    assert_eq!(times.len(), 4);
    assert!((values[7] - 31.0).abs() < 1e-9 && values[0].is_nan() && values[4].is_nan());
    let field = dataset.select(&Selection::of("sst")).unwrap();
    let tree = field.walk(&WalkControl::default(), |_| (), |()| ()).unwrap();
    assert_eq!((tree.chunks, tree.raw), (2, true));
}

#[test]
fn what_does_not_fit_is_refused_with_what_differs() {
    let overlap = Part { name: "b.zarr", days: &[1.0, 2.0], ..Part::default() };
    let elsewhere = Part { name: "b.zarr", days: &[2.0, 3.0], lats: &[10.0, 12.0], ..Part::default() };
    let larger = Part { name: "b.zarr", days: &[2.0], lats: &[10.0, 11.0, 12.0], ..Part::default() };
    let falling = Part { name: "b.zarr", days: &[3.0, 2.0], ..Part::default() };
    let metres = Part { name: "b.zarr", days: &[2.0], units: "m", ..Part::default() };
    for (part, words) in [
        (overlap, "starts at 2000-01-02"),
        (elsewhere, "`lat` is 12 and not 11 at position 1"),
        (larger, "3"),
        (falling, "do not rise"),
        (metres, "units `m`"),
    ] {
        let home = tempfile::tempdir().unwrap();
        Part::default().write(home.path(), 0.0);
        part.write(home.path(), 2.0);
        let error = open(&home.path().display().to_string()).unwrap_err();
        assert!(matches!(error, OpenError::NotJoinable { .. }), "{error}");
        let message = error.to_string();
        assert!(message.contains(words) && message.contains("b.zarr"), "{words}: {message}");
    }
    let home = tempfile::tempdir().unwrap();
    let error = open(&home.path().join("*.nc").display().to_string()).unwrap_err();
    assert!(error.to_string().contains("no file matches"), "{error}");
    assert!(matches!(open(&home.path().display().to_string()), Err(OpenError::NotADataset { .. })));
}

#[test]
fn stores_with_one_variable_each_stand_beside_each_other() {
    let home = tempfile::tempdir().unwrap();
    Part::default().write(home.path(), 0.0);
    // The same days, counted from another date.
    let salt =
        Part { name: "so.zarr", variable: "so", since: "1999-12-31", days: &[1.0, 2.0], ..Part::default() };
    salt.write(home.path(), 5.0);
    let dataset = open(&home.path().display().to_string()).unwrap();
    let names: Vec<&str> = dataset.variables().iter().map(|variable| variable.name.as_str()).collect();
    assert_eq!(names, ["sst", "so"]);
    assert_eq!(dataset.times().len(), 1);
    assert_eq!(read(&dataset, "salinity").1, [50.0, 51.0, 60.0, 61.0]);
    assert_eq!(read(&dataset, "sst").1, [0.0, 1.0, 10.0, 11.0]);

    let other = Part { name: "x.zarr", variable: "u", days: &[5.0, 6.0], ..Part::default() };
    other.write(home.path(), 0.0);
    let error = open(&home.path().display().to_string()).unwrap_err().to_string();
    assert!(error.contains("times of `time` are others") && error.contains("x.zarr"), "{error}");
}

#[test]
fn aliases_and_units_fill_in_what_a_file_does_not_say() {
    let home = tempfile::tempdir().unwrap();
    Part { variable: "field_7", units: "", ..Part::default() }.write(home.path(), 0.0);
    let uri = home.path().join("a.zarr").display().to_string();
    let mut options = OpenOptions::default();
    options.aliases = Aliases::default().with("Temperature", "field_7");
    options.units.insert("field_7".to_owned(), "degC".to_owned());
    let dataset = Dataset::open_with(&uri, &options).unwrap();
    let found = dataset.resolve_variable("temperature").unwrap();
    assert_eq!((found.name.as_str(), found.units.as_deref()), ("field_7", Some("degC")));
    assert_eq!(found.quantity_reason, Some("the configuration"));
    let kelvin = dataset.select(&Selection::of("temperature")).unwrap().with_units("K").unwrap();
    assert!((kelvin.read(1 << 20).unwrap()[[0, 0, 0, 0]] - 273.15).abs() < 1e-9);

    options.units.insert("field_8".to_owned(), "m".to_owned());
    let error = Dataset::open_with(&uri, &options).unwrap_err();
    assert!(matches!(error, OpenError::Configuration { .. }), "{error}");
    assert!(error.to_string().contains("field_8") && error.to_string().contains("field_7"), "{error}");
}

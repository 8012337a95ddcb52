//! Selections, walks and reductions over a store in memory whose every read is counted.

#![expect(
    clippy::unwrap_used,
    clippy::float_cmp,
    reason = "a test may fail loudly, and its numbers are exact by construction"
)]

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use leg_core::digest::{Digest, Domain};
use ndarray::{ArrayD, IxDyn};
use ocean_data::cf::{Attribute, Attributes};
use ocean_data::dataset::{
    ChunkBytes, Dataset, ElementType, ReadError, Store, StoredBlock, StoredVariable, VariableError, Window,
};
use ocean_data::field::reduce::{
    AreaMeanOptions, DepthReduction, EARTH_RADIUS, PointMethod, PointOptions, PointSeriesError,
    TimeStatistic, Weighting, area_mean_series, cell_weights, point_series, time_reduce_map,
};
use ocean_data::field::{Field, SelectError, Selection, WalkControl, WalkError, WholeAxes};
use serde_json::{Value, json};

/// A store whose values are given by a function of the stored indices.
#[derive(Debug)]
struct Memory {
    variables: Vec<StoredVariable>,
    data: Vec<ArrayD<f64>>,
    attributes: Attributes,
    reads: AtomicUsize,
    windows: Mutex<Vec<Window>>,
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
        self.reads.fetch_add(1, Ordering::SeqCst);
        self.windows.lock().unwrap().push(window.clone());
        let values = self.data[index]
            .slice_each_axis(|axis| {
                let at = axis.axis.index();
                ndarray::Slice::from(window.start[at]..window.start[at] + window.shape[at])
            })
            .to_owned();
        let bytes: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
        let digest = Digest::of(Domain::Chunk, &bytes);
        let chunks = vec![ChunkBytes { digest, bytes: bytes.len() as u64, raw: false }];
        Ok(StoredBlock { values, chunks })
    }

    fn fingerprint(&self) -> Result<Value, ReadError> {
        Ok(json!("memory"))
    }
}

#[derive(Default)]
struct Builder {
    variables: Vec<StoredVariable>,
    data: Vec<ArrayD<f64>>,
}

impl Builder {
    fn add(
        mut self,
        name: &str,
        dims: &[(&str, usize)],
        chunks: &[usize],
        attributes: &[(&str, &str)],
        value: impl Fn(&[usize]) -> f64,
    ) -> Self {
        let shape: Vec<usize> = dims.iter().map(|d| d.1).collect();
        self.data
            .push(ArrayD::from_shape_fn(IxDyn(&shape), |index| value(ndarray::Dimension::slice(&index))));
        self.variables.push(StoredVariable {
            name: name.to_owned(),
            dimensions: dims.iter().map(|&(name, length)| (name.to_owned(), length)).collect(),
            element: ElementType::Number("float64"),
            attributes: attributes
                .iter()
                .map(|&(key, text)| {
                    let value = text.parse().map_or_else(
                        |_| Attribute::Text(text.to_owned()),
                        |n: f64| Attribute::Numbers(vec![n]),
                    );
                    (key.to_owned(), value)
                })
                .collect(),
            chunk_shape: chunks.to_vec(),
            is_chunked: true,
            fill_value: None,
            is_packed_in_single: false,
        });
        self
    }

    fn axis(self, name: &str, attributes: &[(&str, &str)], values: &[f64]) -> Self {
        self.add(name, &[(name, values.len())], &[values.len()], attributes, |at| values[at[0]])
    }

    fn open(self) -> (Arc<Dataset>, Arc<Memory>) {
        let store = Arc::new(Memory {
            variables: self.variables,
            data: self.data,
            attributes: Attributes::new(),
            reads: AtomicUsize::new(0),
            windows: Mutex::new(Vec::new()),
        });
        let port: Arc<dyn Store> = Arc::<Memory>::clone(&store);
        let dataset = Dataset::from_store("memory:", port).unwrap();
        store.reads.store(0, Ordering::SeqCst);
        store.windows.lock().unwrap().clear();
        (dataset, store)
    }
}

const TIME: &[(&str, &str)] = &[("units", "days since 2000-01-01"), ("calendar", "standard")];
const LAT: &[(&str, &str)] = &[("units", "degrees_north")];
const LON: &[(&str, &str)] = &[("units", "degrees_east")];
const DEPTH: &[(&str, &str)] = &[("units", "m"), ("positive", "down")];

fn range(start: f64, step: f64, count: usize) -> Vec<f64> {
    (0..count).map(|i| start + step * i as f64).collect()
}

/// A global ocean: monthly-ish times, 4 levels, descending latitudes, longitudes 0 to 330. Land west of 60E
/// north of the equator; the two deepest levels are dry east of 300E.
fn ocean() -> (Arc<Dataset>, Arc<Memory>) {
    let dims = [("time", 24), ("depth", 4), ("lat", 6), ("lon", 12)];
    Builder::default()
        .axis("time", TIME, &range(0.0, 30.0, 24))
        .axis("depth", DEPTH, &[5.0, 15.0, 40.0, 100.0])
        .axis("lat", LAT, &range(75.0, -30.0, 6))
        .axis("lon", LON, &range(0.0, 30.0, 12))
        .add(
            "thetao",
            &dims,
            &[5, 2, 3, 4],
            &[("standard_name", "sea_water_potential_temperature"), ("units", "degC")],
            |at| {
                let land = at[2] < 3 && at[3] < 2;
                let shallow = at[1] >= 2 && at[3] >= 10;
                if land || shallow {
                    f64::NAN
                } else {
                    (at[0] * 1000 + at[1] * 100 + at[2] * 12 + at[3]) as f64
                }
            },
        )
        .open()
}

fn select(dataset: &Arc<Dataset>, mut value: Value) -> Result<Field, SelectError> {
    value.as_object_mut().unwrap().entry("variable").or_insert(json!("temperature"));
    dataset.select(&Selection::from_json(&value).unwrap())
}

fn read(field: &Field) -> ndarray::Array4<f64> {
    field.read(1 << 30).unwrap()
}

#[test]
fn longitudes_run_eastwards_across_any_seam() {
    let (dataset, _) = ocean();
    for (lon, expected) in [
        ([170, -110], vec![180.0, 210.0, 240.0]),
        ([-60, 60], vec![-60.0, -30.0, 0.0, 30.0, 60.0]),
        ([300, 60], vec![300.0, 330.0, 360.0, 390.0, 420.0]),
        ([-180, 180], range(-180.0, 30.0, 12)),
        ([0, 360], range(0.0, 30.0, 12)),
        ([90, 60], range(90.0, 30.0, 12)),
    ] {
        let field = select(&dataset, json!({"region": {"lon": lon, "lat": [-90, 90]}})).unwrap();
        let lons = field.lons().unwrap();
        assert_eq!(lons.values, expected, "{lon:?}");
        assert!(
            lons.bounds.iter().zip(&lons.values).all(|(b, &v)| b[0] == v - 15.0 && b[1] == v + 15.0),
            "{lon:?}"
        );
        let values = read(&field);
        for (column, lon) in expected.iter().enumerate() {
            let stored = lon.rem_euclid(360.0) / 30.0;
            // The southernmost row is stored last.
            let wanted = 5.0 * 12.0 + stored;
            assert_eq!(values[[0, 0, 0, column]], wanted, "{lon}");
        }
    }
}

#[test]
fn latitudes_and_depths_are_presented_in_one_order() {
    let (dataset, _) = ocean();
    let field = select(&dataset, json!({"region": {"lon": [90, 90], "lat": [-45, 15]}})).unwrap();
    assert_eq!(field.lats().unwrap().values, [-45.0, -15.0, 15.0]);
    assert_eq!(field.dims(), ["time", "depth", "lat", "lon"]);
    let values = read(&field);
    assert_eq!(values[[1, 3, 0, 0]], 1000.0 + 300.0 + 48.0 + 3.0);
    assert_eq!(values[[1, 3, 2, 0]], 1000.0 + 300.0 + 24.0 + 3.0);
}

#[test]
fn windows_are_inclusive_clipped_or_refused() {
    let (dataset, _) = ocean();
    let times = |value: Value| select(&dataset, value).map(|f| f.times().unwrap().iso());
    assert_eq!(
        times(json!({"time": ["2000-01-31", "2000-03"]})).unwrap(),
        ["2000-01-31T00:00:00Z", "2000-03-01T00:00:00Z", "2000-03-31T00:00:00Z"]
    );
    let clipped = select(&dataset, json!({"time": ["1990", "2000-01"]})).unwrap();
    assert_eq!(clipped.times().unwrap().dates.len(), 2);
    assert!(clipped.notes().iter().any(|note| note.contains("clipped")), "{:?}", clipped.notes());
    let whole = select(&dataset, json!({"time": ["2000-01-01", "2001-11-20"]})).unwrap();
    assert!(whole.notes().is_empty(), "{:?}", whole.notes());
    let error = times(json!({"time": ["1990", "1995"]})).unwrap_err();
    assert!(
        matches!(error, SelectError::TimeOutside { .. }) && error.to_string().contains("2000-01-01"),
        "{error}"
    );
    let error = times(json!({"time": ["2000-01-02", "2000-01-03"]})).unwrap_err();
    assert!(
        matches!(error, SelectError::NoTimes { .. }) && error.to_string().contains("30.0 days"),
        "{error}"
    );
    let winter = select(&dataset, json!({"season": "DJF", "time": ["2000-06", "2001-06"]})).unwrap();
    assert!(winter.times().unwrap().dates.iter().all(|d| [12, 1, 2].contains(&d.month)));
    assert_eq!(winter.times().unwrap().dates.len(), 3);
}

#[test]
fn depths_are_chosen_as_asked() {
    let (dataset, _) = ocean();
    let surface = select(&dataset, json!({"depth": "surface"})).unwrap();
    assert_eq!(surface.dims(), ["time", "lat", "lon"]);
    assert_eq!(surface.depths().unwrap().values, [5.0]);
    let at = select(&dataset, json!({"depth": {"at": 30}})).unwrap();
    assert_eq!(at.depths().unwrap().values, [40.0]);
    assert!(at.notes().iter().any(|note| note.contains("40 m")));
    let range = select(&dataset, json!({"depth": {"range": [0, 20]}})).unwrap();
    assert_eq!(range.depths().unwrap().values, [5.0, 15.0]);
    // Bounds are 0, 10, 27.5, 70, 130; the range ends inside the second layer.
    assert_eq!(range.layer_thickness(), [10.0, 10.0]);
    assert_eq!(select(&dataset, json!({})).unwrap().layer_thickness(), [10.0, 17.5, 42.5, 60.0]);
    for (depth, part) in [
        (json!({"at": 500}), "130"),
        (json!({"range": [16, 20]}), "15 m"),
        (json!({"range": [200, 300]}), "130"),
        (json!("mixed_layer"), "mixed layer depth"),
    ] {
        let error = select(&dataset, json!({"depth": depth})).unwrap_err();
        assert!(error.to_string().contains(part), "{error}");
    }
}

#[test]
fn the_bottom_is_the_deepest_wet_cell_of_each_column() {
    let (dataset, _) = ocean();
    let field = select(&dataset, json!({"depth": "bottom"})).unwrap();
    assert_eq!(field.dims(), ["time", "lat", "lon"]);
    let values = read(&field);
    // Row 0 is the south, stored as row 5.
    assert_eq!(values[[2, 0, 0, 5]], 2000.0 + 300.0 + 60.0 + 5.0);
    assert_eq!(values[[2, 0, 0, 11]], 2000.0 + 100.0 + 60.0 + 11.0);
    assert!(values[[2, 0, 5, 0]].is_nan());
}

#[test]
fn each_stored_chunk_is_read_once() {
    let (dataset, store) = ocean();
    let field = select(&dataset, json!({"depth": "surface"})).unwrap();
    let tree = field.walk(&WalkControl::default(), |_| (), |()| ()).unwrap();
    let windows = store.windows.lock().unwrap().clone();
    let mut seen = std::collections::BTreeSet::new();
    for window in &windows {
        for t in window.start[0] / 5..(window.start[0] + window.shape[0]).div_ceil(5) {
            let chunk = (t, window.start[1] / 2, window.start[2] / 3, window.start[3] / 4);
            assert!(seen.insert(chunk), "{chunk:?} was read twice");
        }
    }
    assert_eq!(seen.len(), 5 * 2 * 3);
    assert_eq!(tree.bytes, 24 * 6 * 12 * 8);
}

#[test]
fn blocks_can_hold_whole_axes() {
    let (dataset, _) = ocean();
    let field = select(&dataset, json!({})).unwrap();
    let shapes = |whole: WholeAxes| {
        let control = WalkControl { whole, ..WalkControl::default() };
        let mut shapes = Vec::new();
        field.walk(&control, |block| block.values.dim(), |dim| shapes.push(dim)).unwrap();
        shapes
    };
    assert!(shapes(WholeAxes { time: true, ..WholeAxes::default() }).iter().all(|s| s.0 == 24));
    assert!(shapes(WholeAxes { depth: true, ..WholeAxes::default() }).iter().all(|s| s.1 == 4));
    assert!(
        shapes(WholeAxes { horizontal: true, ..WholeAxes::default() }).iter().all(|s| s.2 == 6 && s.3 == 12)
    );
    let all: usize = shapes(WholeAxes::default()).iter().map(|s| s.0 * s.1 * s.2 * s.3).sum();
    assert_eq!(all, field.len());
}

#[test]
fn a_walk_stops_when_told_and_refuses_what_does_not_fit() {
    let (dataset, _) = ocean();
    let field = select(&dataset, json!({})).unwrap();
    let cancelled = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&cancelled);
    let control = WalkControl {
        cancelled: Some(cancelled),
        memory_bytes: 1,
        progress: Some(Arc::new(move |done, _| flag.store(done == 3, Ordering::SeqCst))),
        ..WalkControl::default()
    };
    let mut folded = 0;
    let error = field.walk(&control, |_| (), |()| folded += 1).unwrap_err();
    assert!(matches!(error, WalkError::Cancelled { done: 3, .. }), "{error}");
    assert_eq!(folded, 3);
    assert!(
        matches!(field.read(100), Err(WalkError::TooLarge { needed, .. }) if needed == field.len() as u64 * 8)
    );
    let whole = WholeAxes { time: true, depth: true, horizontal: true };
    let small = WalkControl { memory_bytes: 1000, whole, ..WalkControl::default() };
    assert!(matches!(field.walk(&small, |_| (), |()| ()), Err(WalkError::TooLarge { .. })));
}

#[test]
fn area_means_weigh_cells_and_skip_land() {
    let (dataset, _) = ocean();
    let field = select(&dataset, json!({"depth": "surface"})).unwrap();
    let values = read(&field);
    for weighting in [Weighting::Area, Weighting::CosLat, Weighting::Equal] {
        let options = AreaMeanOptions { weighting, ..AreaMeanOptions::default() };
        let result = area_mean_series(&field, options, &WalkControl::default()).unwrap();
        let (mut sum, mut weight, mut all) = (0.0, 0.0, 0.0);
        for ((_, _, y, x), value) in values.indexed_iter().take(72) {
            let lat = (-75.0 + 30.0 * y as f64).to_radians();
            let w = match weighting {
                Weighting::Area => (lat + 15_f64.to_radians()).sin() - (lat - 15_f64.to_radians()).sin(),
                Weighting::CosLat => lat.cos(),
                Weighting::Equal => 1.0,
            };
            let _ = x;
            all += w;
            if value.is_finite() {
                sum += w * value;
                weight += w;
            }
        }
        assert!((result.mean[0] - sum / weight).abs() < 1e-12, "{weighting:?}");
        assert!((result.wet_fraction[0] - weight / all).abs() < 1e-12);
        assert_eq!((result.valid[0], result.cells), (66, 72));
    }
    let total: f64 = cell_weights(&field, Weighting::Area).iter().sum();
    let sphere = 4.0 * std::f64::consts::PI * EARTH_RADIUS * EARTH_RADIUS;
    assert!((total / sphere - 1.0).abs() < 1e-12, "bounds reach the poles");
}

#[test]
fn depth_is_a_volume_mean_or_an_integral() {
    let (dataset, _) = ocean();
    let place = json!({"region": {"point": [90, -75]}, "depth": {"range": [0, 20]}});
    let field = select(&dataset, place).unwrap();
    let mean = area_mean_series(&field, AreaMeanOptions::default(), &WalkControl::default()).unwrap();
    assert!((mean.mean[0] - 113.0).abs() < 1e-12);
    let options = AreaMeanOptions { depth: DepthReduction::Integral, ..AreaMeanOptions::default() };
    let integral = area_mean_series(&field, options, &WalkControl::default()).unwrap();
    assert!((integral.mean[0] - (63.0 * 10.0 + 163.0 * 10.0)).abs() < 1e-9);
    // A dry level carries no weight in a column that is wet above it.
    let shallow = select(&dataset, json!({"region": {"point": [330, -75]}})).unwrap();
    let map = time_reduce_map(&shallow, TimeStatistic::Min, &WalkControl::default()).unwrap();
    let expected = (71.0 * 10.0 + 171.0 * 17.5) / 27.5;
    assert!((map.values[[0, 0]] - expected).abs() < 1e-12);
}

#[test]
fn maps_of_time_statistics_count_what_is_there() {
    let (dataset, _) = ocean();
    let field = select(&dataset, json!({"depth": "surface"})).unwrap();
    let map = |statistic| time_reduce_map(&field, statistic, &WalkControl::default()).unwrap();
    let at = [0, 3];
    assert!((map(TimeStatistic::Mean).values[at] - (11_500.0 + 63.0)).abs() < 1e-9);
    assert!((map(TimeStatistic::Median).values[at] - (11_500.0 + 63.0)).abs() < 1e-9);
    assert_eq!(map(TimeStatistic::Max).values[at], 23_063.0);
    assert_eq!(map(TimeStatistic::Min).values[at], 63.0);
    assert!((map(TimeStatistic::Std).values[at] - 1000.0 * (575.0_f64 / 12.0).sqrt()).abs() < 1e-9);
    let mean = map(TimeStatistic::Mean);
    assert_eq!((mean.count[[0, 3]], mean.count[[5, 0]]), (24, 0));
    assert!(mean.values[[5, 0]].is_nan());
}

#[test]
fn a_place_takes_the_nearest_or_the_nearest_wet_cell() {
    let (dataset, _) = ocean();
    let field = select(&dataset, json!({"depth": "surface"})).unwrap();
    let options = PointOptions {
        lon: 5.0,
        lat: 20.0,
        method: PointMethod::Nearest,
        wet_only: false,
        max_distance_km: None,
    };
    let dry = point_series(&field, &options, &WalkControl::default()).unwrap();
    assert_eq!((dry.lon, dry.lat), (0.0, 15.0));
    assert!(dry.values.iter().all(|value| value.is_nan()));
    let wet = PointOptions { wet_only: true, ..options };
    let found = point_series(&field, &wet, &WalkControl::default()).unwrap();
    assert!(found.values.iter().all(|value| value.is_finite()));
    assert!(found.distance_km > dry.distance_km);
    let near = PointOptions { max_distance_km: Some(100.0), ..wet };
    assert!(matches!(
        point_series(&field, &near, &WalkControl::default()),
        Err(PointSeriesError::TooFar { .. })
    ));
    let linear = PointOptions { lon: 345.0, lat: -60.0, method: PointMethod::Linear, ..options };
    let between = point_series(&field, &linear, &WalkControl::default()).unwrap();
    // Corners: rows stored 4 and 5, columns 11 and 0 across the seam.
    assert!((between.values[[0, 0]] - (59.0 + 48.0 + 71.0 + 60.0) / 4.0).abs() < 1e-9);
}

#[test]
fn polygons_mask_cells_outside() {
    let (dataset, _) = ocean();
    let field = select(
        &dataset,
        json!({"region": {"polygon": [[170, -80], [-100, -80], [-100, 50]]}, "depth": "surface"}),
    )
    .unwrap();
    let values = read(&field);
    let inside = values.iter().take(field.lats().unwrap().values.len() * field.lons().unwrap().values.len());
    let wet = inside.filter(|value| value.is_finite()).count();
    assert!(wet > 0 && wet < field.mask().unwrap().len());
    assert!(values[[0, 0, 0, field.lons().unwrap().values.len() - 1]].is_finite());
    let weights = cell_weights(&field, Weighting::Equal);
    assert_eq!(
        weights.iter().filter(|w| **w > 0.0).count(),
        field.mask().unwrap().iter().filter(|m| **m).count()
    );
}

#[test]
fn what_a_dataset_lacks_is_named() {
    let (dataset, _) = ocean();
    let error = select(&dataset, json!({"variable": "salinity"})).unwrap_err();
    assert!(matches!(error, SelectError::Variable(VariableError::Unknown { .. })));
    assert!(error.to_string().contains("thetao"), "{error}");
    let error = select(&dataset, json!({"region": {"name": "bohai_see"}})).unwrap_err();
    assert!(error.to_string().contains("bohai_sea"), "{error}");
    let error = select(&dataset, json!({"region": {"path": [[0, 0], [1, 1]]}})).unwrap_err();
    assert!(matches!(error, SelectError::Path));
    let (regional, _) = Builder::default()
        .axis("lat", LAT, &range(10.0, 1.0, 5))
        .axis("lon", LON, &range(100.0, 1.0, 5))
        .axis("basin", &[], &[0.0, 1.0])
        .add("sst", &[("lat", 5), ("lon", 5)], &[5, 5], &[("units", "degC")], |at| at[0] as f64)
        .add("so", &[("basin", 2), ("lat", 5)], &[2, 5], &[("units", "1e-3")], |_| 35.0)
        .open();
    let error = select(&regional, json!({"region": {"lon": [0, 10], "lat": [0, 5]}})).unwrap_err();
    assert!(
        matches!(error, SelectError::RegionOutside { .. })
            && error.to_string().contains("longitudes 100 to 104"),
        "{error}"
    );
    let error = select(&regional, json!({"region": {"point": [120, 12]}})).unwrap_err();
    assert!(matches!(error, SelectError::RegionOutside { .. }));
    let error = select(&regional, json!({"time": ["2000", "2001"]})).unwrap_err();
    assert!(matches!(error, SelectError::NoTimeAxis { .. }));
    let error = select(&regional, json!({"depth": {"at": 10}})).unwrap_err();
    assert!(matches!(error, SelectError::NoDepthAxis { .. }));
    let error = select(&regional, json!({"variable": "so"})).unwrap_err();
    assert!(matches!(error, SelectError::ExtraDimension { .. }), "{error}");
    let field =
        select(&regional, json!({"depth": "surface", "region": {"lon": [90, 102], "lat": [0, 12]}})).unwrap();
    assert_eq!(field.name(), "sst");
    assert_eq!(field.notes().len(), 3, "{:?}", field.notes());
}

#[test]
fn a_repeated_column_counts_once() {
    let (dataset, _) = Builder::default()
        .axis("lat", LAT, &[-30.0, 30.0])
        .axis("lon", LON, &range(0.0, 90.0, 5))
        .add("sst", &[("lat", 2), ("lon", 5)], &[2, 5], &[("units", "degC")], |at| at[1] as f64)
        .open();
    let field = select(&dataset, json!({})).unwrap();
    assert_eq!(field.lons().unwrap().values.len(), 4);
    assert!(field.notes().iter().any(|note| note.contains("repeat")));
    let boxed = select(&dataset, json!({"region": {"lon": [-180, 180], "lat": [-90, 90]}})).unwrap();
    assert_eq!(boxed.lons().unwrap().values, [-180.0, -90.0, 0.0, 90.0]);
}

#[test]
fn depths_positive_up_and_in_centimetres_become_metres_down() {
    for (attributes, values) in [
        (vec![("units", "m"), ("positive", "up")], vec![-30.0, -10.0, -1.0]),
        (vec![("units", "centimeters"), ("positive", "down")], vec![100.0, 1000.0, 3000.0]),
        (vec![("units", "m"), ("axis", "Z")], vec![-1.0, -10.0, -30.0]),
        (vec![("units", "m"), ("positive", "down")], vec![-1.0, -10.0, -30.0]),
    ] {
        let (dataset, _) = Builder::default()
            .axis("z", &attributes, &values)
            .add("temp", &[("z", 3)], &[3], &[("units", "degC")], |at| values[at[0]].abs())
            .open();
        let field = select(&dataset, json!({})).unwrap();
        assert_eq!(field.depths().unwrap().values, [1.0, 10.0, 30.0], "{attributes:?}");
        assert_eq!(field.depths().unwrap().bounds[0], [0.0, 5.5], "{attributes:?}");
        let shallowest = values.iter().map(|v| v.abs()).fold(f64::INFINITY, f64::min);
        assert_eq!(read(&field)[[0, 0, 0, 0]], shallowest, "{attributes:?}");
    }
}

#[test]
fn contradicting_metadata_are_warned_about() {
    let (dataset, _) = Builder::default()
        .axis("time", &[("units", "months since 2000-01-01")], &[0.0, 1.0])
        .axis("depth", &[("units", "m"), ("positive", "down")], &[-1.0, -10.0])
        .add("thetao", &[("time", 2), ("depth", 2)], &[2, 2], &[("units", "m s-1")], |_| 1.0)
        .open();
    let text = dataset.warnings().join("\n");
    for part in ["months", "positive down", "m s-1"] {
        assert!(text.contains(part), "{text}");
    }
    let error = select(&dataset, json!({})).unwrap_err();
    assert!(error.to_string().contains("fixed length"), "{error}");
}

#[test]
fn identity_ignores_order_and_storage_but_not_values_of_axes() {
    let build = |lats: &[f64], lons: &[f64], chunk: usize, units: &str| {
        Builder::default()
            .axis("lat", LAT, lats)
            .axis("lon", LON, lons)
            .add(
                "sst",
                &[("lat", lats.len()), ("lon", lons.len())],
                &[chunk, chunk],
                &[("units", units)],
                |_| 1.0,
            )
            .open()
            .0
            .identity()
    };
    let base = build(&[-1.0, 1.0], &[-170.0, 10.0], 1, "degC");
    assert_eq!(base, build(&[1.0, -1.0], &[10.0, 190.0], 2, "degC"));
    assert_ne!(base, build(&[-1.0, 2.0], &[-170.0, 10.0], 1, "degC"));
    assert_ne!(base, build(&[-1.0, 1.0], &[-170.0, 10.0], 1, "K"));
}

#[test]
fn recipes_tell_selections_apart() {
    let (dataset, _) = ocean();
    let recipe = |value| select(&dataset, value).unwrap().recipe();
    assert_eq!(
        recipe(json!({"depth": "surface"})),
        recipe(json!({"depth": "surface", "variable": "thetao"}))
    );
    assert_ne!(recipe(json!({"depth": "surface"})), recipe(json!({"depth": {"at": 15}})));
    let field = select(&dataset, json!({"depth": "surface"})).unwrap().with_units("K").unwrap();
    assert_eq!(field.recipe()["unit"], "K");
    assert!((read(&field)[[0, 0, 0, 0]] - (60.0 + 273.15)).abs() < 1e-9);
    assert!(select(&dataset, json!({})).unwrap().with_units("m").is_err());
}

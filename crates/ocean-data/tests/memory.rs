//! A store of 8 GB is reduced in a process that never has more than 512 MB in memory.
#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use std::path::Path;
use std::process::Command;

use ocean_data::Dataset;
use ocean_data::field::reduce::{AreaMeanOptions, area_mean_series};
use ocean_data::field::{Selection, WalkControl};
use ocean_data::write::{ArraySpec, Element, ZarrWriter};
use serde_json::Map;

/// Names the store in the child process.
const STORE: &str = "OCEAN_DATA_MEMORY_STORE";
/// The limit, in kibibytes.
const LIMIT: u64 = 512 * 1024;

/// `sst(time, lat, lon)` of 8 GiB as doubles: 1024 days of 1024 by 1024, of which a few chunks are there.
fn write(path: &Path) {
    let mut writer = ZarrWriter::create(path, Map::new()).unwrap();
    let axis = |name: &'static str, length: usize, units: &str| {
        ArraySpec::new(name, &[(name, length)], Element::Float64).with_attribute("units", units)
    };
    let steps = |from: f64, step: f64| (0..1024).map(|i| from + f64::from(i) * step).collect::<Vec<_>>();
    writer.write_array(axis("time", 1024, "days since 2000-01-01"), &steps(0.0, 1.0)).unwrap();
    writer.write_array(axis("lat", 1024, "degrees_north"), &steps(-80.0, 0.15)).unwrap();
    writer.write_array(axis("lon", 1024, "degrees_east"), &steps(0.0, 0.35)).unwrap();
    let spec = ArraySpec {
        chunks: Some(vec![32, 256, 256]),
        fill: 1.0,
        ..ArraySpec::new("sst", &[("time", 1024), ("lat", 1024), ("lon", 1024)], Element::Float64)
            .with_attribute("units", "degC")
    };
    let array = writer.open(spec).unwrap();
    let values = vec![3.0; 32 * 256 * 256];
    for chunk in [0, 100, 511] {
        array.write_chunk(chunk, &values).unwrap();
    }
    writer.close(&array).unwrap();
    writer.finish().unwrap();
}

#[test]
fn eight_gigabytes_are_reduced_in_half_a_gigabyte() {
    if let Some(path) = std::env::var_os(STORE) {
        let dataset = Dataset::open(&path.to_string_lossy()).unwrap();
        let field = dataset.select(&Selection::of("sst")).unwrap();
        assert!(field.len() as u64 * 8 >= 8 << 30);
        let control = WalkControl { memory_bytes: 256 << 20, ..WalkControl::default() };
        let means = area_mean_series(&field, AreaMeanOptions::default(), &control).unwrap();
        assert!(means.mean[0] > 1.0 && means.mean[0] < 3.0, "{}", means.mean[0]);
        assert!((means.mean[500] - 1.0).abs() < 1e-9, "{}", means.mean[500]);
        println!("\npeak: {}", peak());
        return;
    }
    // The peak is asked of the kernel.
    if !Path::new("/proc/self/status").exists() {
        println!("skipped: this system does not tell the peak of a process");
        return;
    }
    let home = tempfile::tempdir().unwrap();
    let store = home.path().join("large.zarr");
    write(&store);
    let child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "eight_gigabytes_are_reduced_in_half_a_gigabyte", "--nocapture"])
        .env(STORE, &store)
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&child.stdout).into_owned();
    assert!(child.status.success(), "{text} {}", String::from_utf8_lossy(&child.stderr));
    let peak = text.lines().find_map(|line| line.strip_prefix("peak: ")?.parse::<u64>().ok()).unwrap();
    println!("peak of the process: {} MiB", peak / 1024);
    assert!(peak < LIMIT, "{peak} KiB");
}

/// The most memory that this process had, in kibibytes.
fn peak() -> u64 {
    let text = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    line.trim().trim_end_matches("kB").trim().parse().unwrap()
}

//! Datasets on a server: what is read, what is asked of the server, and what happens when it fails.
#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

mod classic;
mod server;

use std::fs;
use std::path::Path;
use std::sync::Arc;

use ocean_data::dataset::{Dataset, OpenError, OpenOptions, ReadError, S3Credentials, Window};
use ocean_data::field::{Selection, WalkControl, WalkError};
use ocean_data::write::{ArraySpec, Element, ZarrWriter};
use serde_json::{Map, Value, json};

use classic::classic;
use server::Server;

/// `sst(time, lat)` of 6 by 4 in chunks of 2 by 4.
fn zarr(path: &Path) {
    let mut writer = ZarrWriter::create(path, Map::new()).unwrap();
    let time = ArraySpec::new("time", &[("time", 6)], Element::Float64)
        .with_attribute("units", "days since 2000-01-01");
    writer.write_array(time, &[0.0, 1.0, 2.0, 3.0, 4.0, 5.0]).unwrap();
    let lat = ArraySpec::new("lat", &[("lat", 4)], Element::Float64).with_attribute("units", "degrees_north");
    writer.write_array(lat, &[1.0, 2.0, 3.0, 4.0]).unwrap();
    let spec = ArraySpec {
        chunks: Some(vec![2, 4]),
        ..ArraySpec::new("sst", &[("time", 6), ("lat", 4)], Element::Float32).with_attribute("units", "degC")
    };
    let array = writer.open(spec).unwrap();
    for chunk in [0, 2] {
        let values: Vec<f64> = (0..8).map(|i| f64::from(i) + chunk as f64 * 100.0).collect();
        array.write_chunk(chunk, &values).unwrap();
    }
    writer.close(&array).unwrap();
    writer.finish().unwrap();
}

/// Options that do not repeat what fails.
fn once() -> OpenOptions {
    let mut options = OpenOptions::default();
    options.remote.retries = 0;
    options
}

fn open(uri: &str) -> Result<Arc<Dataset>, OpenError> {
    Dataset::open_with(uri, &once())
}

fn values(dataset: &Arc<Dataset>) -> Result<Vec<u64>, WalkError> {
    let field = dataset.select(&Selection::of("sst")).unwrap();
    Ok(field.read(1 << 20)?.into_iter().map(f64::to_bits).collect())
}

fn tree(dataset: &Arc<Dataset>) -> (u64, u64, String) {
    let field = dataset.select(&Selection::of("sst")).unwrap();
    let tree = field.walk(&WalkControl::default(), |_| (), |()| ()).unwrap();
    (tree.chunks, tree.bytes, tree.digest.to_hex())
}

#[test]
fn remote_files_and_stores_give_what_local_ones_give() {
    let home = tempfile::tempdir().unwrap();
    fs::write(home.path().join("x.nc"), classic()).unwrap();
    zarr(&home.path().join("x.zarr"));
    fs::write(home.path().join("x.csv"), "time,sst [degC]\n2000-01-01,1.5\n2000-01-02,2.5\n").unwrap();
    let server = Server::start(home.path().to_owned());
    for name in ["x.nc", "x.zarr", "x.csv"] {
        let local = open(&home.path().join(name).display().to_string()).unwrap();
        let remote = open(&server.url(name)).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(local.identity(), remote.identity(), "{name}");
        assert_eq!(values(&local).unwrap(), values(&remote).unwrap(), "{name}");
        assert_eq!(tree(&local), tree(&remote), "{name}");
        assert_eq!(remote.fingerprint().unwrap(), open(&server.url(name)).unwrap().fingerprint().unwrap());
        assert_ne!(local.fingerprint().unwrap(), remote.fingerprint().unwrap());
    }
    let secret = open(&server.url("x.nc?key=canary")).unwrap();
    assert_eq!(values(&secret).unwrap().len(), 18);
    assert!(server.requests().iter().any(|request| request.contains("key=canary")));
}

#[test]
fn a_small_file_is_opened_and_read_in_few_requests() {
    let home = tempfile::tempdir().unwrap();
    fs::write(home.path().join("x.nc"), classic()).unwrap();
    let server = Server::start(home.path().to_owned());
    let dataset = open(&server.url("x.nc")).unwrap();
    // One for its length, one for its only block.
    assert_eq!(server.requests().len(), 2, "{:?}", server.requests());
    values(&dataset).unwrap();
    // The records lie near each other: one request for all.
    assert_eq!(server.requests().len(), 3, "{:?}", server.requests());
}

#[test]
fn what_was_fetched_ahead_is_read_without_the_network() {
    let home = tempfile::tempdir().unwrap();
    fs::write(home.path().join("x.nc"), classic()).unwrap();
    zarr(&home.path().join("x.zarr"));
    for name in ["x.nc", "x.zarr"] {
        let server = Server::start(home.path().to_owned());
        let dataset = open(&server.url(name)).unwrap();
        let store = dataset.store();
        let index = store.variables().iter().position(|variable| variable.name == "sst").unwrap();
        let window = Window::all(&store.variables()[index]);
        let held = store.prefetch(index, std::slice::from_ref(&window)).wait().unwrap();
        let asked = server.requests().len();
        server.stop();
        assert_eq!(store.read(index, &window).unwrap().values.len(), window.len(), "{name}");
        assert_eq!(server.requests().len(), asked, "{name}");
        drop(held);
        if name == "x.zarr" {
            let error = store.read(index, &window).unwrap_err();
            assert!(matches!(error, ReadError::Fetch { .. }), "{error}");
        }
    }
}

#[test]
fn references_reach_only_the_hosts_that_are_allowed() {
    let home = tempfile::tempdir().unwrap();
    let bytes: Vec<u8> = [0.0_f64, 7.0, 8.0].iter().flat_map(|value| value.to_le_bytes()).collect();
    fs::write(home.path().join("data.bin"), bytes).unwrap();
    let server = Server::start(home.path().to_owned());
    let references = |url: &str| -> Value {
        let array = json!({"zarr_format": 2, "shape": [2], "chunks": [2], "dtype": "<f8", "fill_value": null,
                           "order": "C", "filters": null, "compressor": null});
        let own = |name: &str, units: &str| {
            let text = json!({"units": units, "_ARRAY_DIMENSIONS": ["lat"]}).to_string();
            (format!("{name}/.zattrs"), text)
        };
        let (lat, sst) = (own("lat", "degrees_north"), own("sst", "degC"));
        json!({"version": 1, "refs": {".zgroup": "{\"zarr_format\": 2}", "lat/.zarray": array, "sst/.zarray": array,
               lat.0: lat.1, sst.0: sst.1, "lat/0": [url, 8, 16], "sst/0": [url, 8, 16]}})
    };
    let write = |name: &str, url: &str| {
        let path = home.path().join(name);
        fs::write(&path, references(url).to_string()).unwrap();
        path.display().to_string()
    };
    let wanted = [7.0_f64.to_bits(), 8.0_f64.to_bits()];
    let local = write("local.json", &server.url("data.bin"));
    let error = open(&local).unwrap_err();
    assert!(matches!(error, OpenError::HostNotAllowed { .. }), "{error}");
    assert!(server.requests().is_empty());
    let mut options = once();
    options.remote.allowed_hosts.push(server.address.to_string());
    assert_eq!(values(&Dataset::open_with(&local, &options).unwrap()).unwrap(), wanted);

    write("near.json", "data.bin");
    let dataset = open(&server.url("near.json")).unwrap();
    assert_eq!(values(&dataset).unwrap(), wanted);
    dataset.fingerprint().unwrap();
    write("away.json", "https://elsewhere.example/data.bin");
    assert!(matches!(open(&server.url("away.json")), Err(OpenError::HostNotAllowed { .. })));
    write("passwd.json", "/etc/passwd");
    let error = open(&server.url("passwd.json")).unwrap_err();
    assert!(error.to_string().contains("local file"), "{error}");
}

#[test]
fn buckets_are_read_with_and_without_keys() {
    let home = tempfile::tempdir().unwrap();
    fs::create_dir(home.path().join("bucket")).unwrap();
    fs::write(home.path().join("bucket/x.nc"), classic()).unwrap();
    let server = Server::start(home.path().to_owned());
    let mut options = once();
    options.remote.s3.endpoint = Some(format!("http://{}", server.address));
    let open = Dataset::open_with("s3://bucket/x.nc", &options).unwrap();
    assert_eq!(values(&open).unwrap().len(), 18);
    options.remote.s3.credentials = Some(S3Credentials::new("canary-id", "canary-secret", None));
    assert!(!format!("{options:?}").contains("canary"));
    let signed = Dataset::open_with("s3://bucket/x.nc", &options).unwrap();
    assert_eq!(values(&open).unwrap(), values(&signed).unwrap());
}

#[test]
fn faults_of_the_server_are_told() {
    let home = tempfile::tempdir().unwrap();
    fs::write(home.path().join("x.nc"), classic()).unwrap();
    zarr(&home.path().join("x.zarr"));
    fs::create_dir(home.path().join("plain")).unwrap();
    fs::write(home.path().join("plain/.zgroup"), "{\"zarr_format\": 2}").unwrap();
    let server = Server::start(home.path().to_owned());
    for (path, words) in [
        ("gone.nc", "nothing there"),
        ("gone.zarr", "nothing there"),
        ("norange/x.nc", "does not serve parts"),
        ("broken/x.nc", "try again"),
        ("plain", "consolidate"),
    ] {
        let error = open(&server.url(path)).unwrap_err().to_string();
        assert!(error.contains(words) && error.contains(path), "{path}: {error}");
    }
    let error = open(&server.url("cut/x.nc")).unwrap_err();
    assert!(matches!(error, OpenError::Unreachable { .. }), "{error}");
    let dataset = open(&server.url("x.zarr")).unwrap();
    server.stop();
    let error = values(&dataset).unwrap_err();
    assert!(matches!(error, WalkError::Read(ReadError::Fetch { .. })), "{error}");
    let message = error.to_string();
    assert!(message.contains("x.zarr") && message.contains("try again"), "{message}");

    let error = open("https://me:canary@host.example/x.nc").unwrap_err().to_string();
    assert!(error.contains("password") && !error.contains("canary"), "{error}");
    let error = open("ftp://host.example/x.nc").unwrap_err();
    assert!(matches!(error, OpenError::UnsupportedScheme { .. }), "{error}");
}

#[test]
fn an_object_that_changes_while_it_is_read_is_not_mixed() {
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("x.nc");
    fs::write(&path, classic()).unwrap();
    let server = Server::start(home.path().to_owned());
    let dataset = open(&server.url("x.nc")).unwrap();
    let mut longer = classic();
    longer.extend([0; 8]);
    fs::write(&path, longer).unwrap();
    let error = values(&dataset).unwrap_err().to_string();
    assert!(error.contains("changed while it was read"), "{error}");
}

#[test]
fn real_files_over_the_network_give_what_they_give_on_disk() {
    let Some(folder) = std::env::var_os("LEG_CONFORMANCE") else { return };
    let data = Path::new(&folder).join("data");
    let server = Server::start(data.clone());
    for name in [
        "cmems_like.nc",
        "cmems_like_packed.nc",
        "cmems_like_nc3_64bit.nc",
        "cmems_like_v2.zarr",
        "cmems_like_v3.zarr",
        "cmems_like_v3_sharded.zarr",
    ] {
        let local = Dataset::open(&data.join(name).display().to_string()).unwrap();
        let remote = match Dataset::open(&server.url(name)) {
            Ok(remote) => remote,
            Err(OpenError::Unsupported { detail, .. }) if detail.contains("consolidate") => continue,
            Err(error) => panic!("{name}: {error}"),
        };
        let field = |dataset: &Arc<Dataset>| dataset.select(&Selection::of("zos")).unwrap();
        let (ours, theirs) = (field(&local), field(&remote));
        let bits = |values: ndarray::Array4<f64>| values.into_iter().map(f64::to_bits).collect::<Vec<_>>();
        assert!(bits(ours.read(1 << 28).unwrap()) == bits(theirs.read(1 << 28).unwrap()), "{name}");
        let trees = [&ours, &theirs].map(|f| f.walk(&WalkControl::default(), |_| (), |()| ()).unwrap());
        assert_eq!(trees[0], trees[1], "{name}");
    }
}

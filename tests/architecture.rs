//! The crates keep to their arrows: who may depend on whom, and what `leg-core` never links.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test stops at what it does not expect")]

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::path::{Path, PathBuf};
use std::process::Command;

use cargo_metadata::{DependencyKind, Metadata, MetadataCommand};

/// Our crates, and which of ours each may depend on. A new arrow needs a design note in `docs/design/`.
const ARROWS: [(&str, &[&str]); 10] = [
    (
        "leg",
        &[
            "hydro-specialists",
            "leg-agents",
            "leg-core",
            "leg-fetch",
            "leg-objects",
            "ocean-chart",
            "ocean-data",
            "ocean-tools",
        ],
    ),
    ("hydro-specialists", &["leg-core", "leg-fetch", "ocean-chart", "ocean-data"]),
    ("leg-agents", &["leg-core", "leg-fetch"]),
    ("leg-core", &[]),
    ("leg-fetch", &["leg-core"]),
    ("leg-objects", &["leg-core"]),
    ("leg-testkit", &["leg-core", "leg-fetch"]),
    ("ocean-chart", &[]),
    ("ocean-data", &["leg-core", "leg-fetch"]),
    ("ocean-tools", &["leg-core", "ocean-chart", "ocean-data"]),
];

/// What must not be anywhere below `leg-core`: HTTP, TLS, model vendors, ocean data. A name that ends with `*`
/// stands for all that begin so.
const NOT_IN_CORE: [&str; 36] = [
    "actix*",
    "async-openai",
    "attohttpc",
    "aws-*",
    "axum*",
    "candle*",
    "cdshealpix",
    "curl*",
    "genai",
    "geo",
    "gribberish*",
    "h2",
    "h3",
    "hdf5*",
    "hyper*",
    "icechunk",
    "isahc",
    "llama*",
    "minreq",
    "native-tls",
    "ndarray*",
    "netcdf*",
    "object_store",
    "ollama*",
    "openssl*",
    "proj*",
    "reqwest*",
    "resvg",
    "rig-*",
    "ring",
    "rustls*",
    "surf",
    "tonic*",
    "ureq*",
    "webpki*",
    "zarrs*",
];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The name of this machine's platform: without it cargo would want the crates of all platforms.
fn host() -> String {
    let out = Command::new("rustc").arg("-vV").output().unwrap();
    let text = String::from_utf8(out.stdout).unwrap();
    text.lines().find_map(|line| line.strip_prefix("host: ")).unwrap().to_owned()
}

fn metadata() -> Metadata {
    MetadataCommand::new()
        .manifest_path(root().join("Cargo.toml"))
        .other_options(["--offline".to_owned(), "--filter-platform".to_owned(), host()])
        .exec()
        .unwrap_or_else(|error| panic!("`cargo metadata --offline` fails; run `cargo fetch` first: {error}"))
}

#[test]
fn our_crates_depend_on_each_other_only_along_the_arrows() {
    let metadata = metadata();
    let arrows: BTreeMap<&str, &[&str]> = ARROWS.into_iter().collect();
    let mut found = BTreeSet::new();
    let mut wrong = Vec::new();
    for package in metadata.workspace_packages() {
        let name = package.name.to_string();
        let Some(allowed) = arrows.get(name.as_str()) else {
            wrong.push(format!("crate `{name}` is new; give it a row in `ARROWS` and a design note"));
            continue;
        };
        for dependency in &package.dependencies {
            let other = dependency.name.as_str();
            if !arrows.contains_key(other) {
                continue;
            }
            let testkit = other == "leg-testkit" && dependency.kind == DependencyKind::Development;
            if !testkit && !allowed.contains(&other) {
                wrong.push(format!(
                    "`{name}` depends on `{other}` ({:?}), which no arrow allows",
                    dependency.kind
                ));
            }
        }
        found.insert(name);
    }
    for (name, _) in ARROWS {
        if !found.contains(name) {
            wrong.push(format!("`ARROWS` names `{name}`, which is no crate of the workspace"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn core_links_no_http_no_tls_no_model_and_no_ocean_crate() {
    let metadata = metadata();
    let names: BTreeMap<_, _> =
        metadata.packages.iter().map(|package| (&package.id, package.name.to_string())).collect();
    let nodes: BTreeMap<_, _> =
        metadata.resolve.as_ref().unwrap().nodes.iter().map(|node| (&node.id, node)).collect();
    let core = metadata
        .workspace_packages()
        .into_iter()
        .find(|package| package.name.as_str() == "leg-core")
        .unwrap();

    // Each crate of the closure with the one that brought it, to explain a finding.
    let mut brought_by = BTreeMap::from([(&core.id, None)]);
    let mut queue = VecDeque::from([&core.id]);
    while let Some(id) = queue.pop_front() {
        for dependency in &nodes[id].deps {
            let normal = dependency.dep_kinds.iter().any(|kind| kind.kind == DependencyKind::Normal);
            if normal && !brought_by.contains_key(&dependency.pkg) {
                brought_by.insert(&dependency.pkg, Some(id));
                queue.push_back(&dependency.pkg);
            }
        }
    }
    assert!(brought_by.len() > 20, "the closure of `leg-core` looks cut: {} crates", brought_by.len());

    let mut wrong = Vec::new();
    for (&id, &parent) in &brought_by {
        let name = names[id].as_str();
        let forbidden = NOT_IN_CORE
            .iter()
            .any(|rule| rule.strip_suffix('*').map_or(name == *rule, |start| name.starts_with(start)));
        let ours = name != "leg-core" && ARROWS.iter().any(|(own, _)| *own == name);
        if forbidden || ours {
            let by = parent.map_or("", |parent| names[parent].as_str());
            wrong.push(format!("`leg-core` links `{name}`, which `{by}` brings; put it behind a port"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn no_file_but_the_checks_names_the_folder_of_recorded_data() {
    // In two parts, or this file would name it too.
    let forms = [["..", "shared"].join("/"), ["/work", "shared"].join("/")];
    let mut wrong = Vec::new();
    let mut seen = 0;
    for file in project_files() {
        if file == Path::new(".ci/run") {
            continue;
        }
        let Ok(bytes) = std::fs::read(root().join(&file)) else { continue };
        seen += 1;
        let text = String::from_utf8_lossy(&bytes);
        for (number, line) in text.lines().enumerate() {
            if let Some(form) = forms.iter().find(|form| line.contains(form.as_str())) {
                wrong.push(format!(
                    "{}:{}: names `{form}`; take the folder from LEG_CONFORMANCE",
                    file.display(),
                    number + 1
                ));
            }
        }
    }
    assert!(seen > 50, "only {seen} files were read");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// What git knows; in a copy without git, every file outside hidden folders and build folders.
fn project_files() -> Vec<PathBuf> {
    let git =
        Command::new("git").args(["-c", "safe.directory=*", "ls-files", "-z"]).current_dir(root()).output();
    if let Ok(out) = git
        && out.status.success()
    {
        let list = String::from_utf8_lossy(&out.stdout).into_owned();
        return list.split('\0').filter(|name| !name.is_empty()).map(PathBuf::from).collect();
    }
    let mut files = Vec::new();
    let mut folders = vec![PathBuf::new()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(root().join(&folder)).unwrap() {
            let entry = entry.unwrap();
            let name = entry.file_name().to_string_lossy().into_owned();
            let path = folder.join(&name);
            if entry.file_type().unwrap().is_dir() {
                if !name.starts_with('.') && name != "target" && name != "runs" {
                    folders.push(path);
                }
            } else {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}

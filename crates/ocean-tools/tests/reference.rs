//! Every reference case of the families that have an adapter, on the data folder of `LEG_CONFORMANCE`.

use std::path::PathBuf;

use ocean_tools::reference::{Status, run};

/// Families whose cases all pass.
const DONE: [&str; 31] = [
    "area_mean",
    "climate_index",
    "climatology",
    "composite",
    "correlation",
    "distribution",
    "ekman",
    "eof",
    "filter",
    "geo",
    "geostrophic",
    "heat_content",
    "hovmoller",
    "interp",
    "io_digest",
    "kinematics",
    "mixed_layer",
    "percentile_climatology",
    "regrid",
    "resample",
    "skill",
    "spectrum",
    "steric",
    "subset",
    "teos10",
    "tide",
    "time_decode",
    "transport",
    "trend",
    "vertical_interp",
    "watermass",
];

#[tokio::test]
async fn tools_agree_with_their_peers() {
    let Some(root) = std::env::var_os("LEG_CONFORMANCE").map(PathBuf::from) else {
        eprintln!("skipped: LEG_CONFORMANCE is not set, so there are no reference cases");
        return;
    };
    let report = run(&root.join("reference"), &root.join("data"), &[], |_| ()).await.unwrap();
    let wrong: Vec<String> = report
        .cases
        .iter()
        .filter(|case| case.status != Status::Pass && DONE.contains(&case.family.as_str()))
        .map(|case| format!("{}/{}: {:?}: {}", case.family, case.id, case.status, case.message))
        .collect();
    let known = |case: &&ocean_tools::reference::CaseReport| !case.message.starts_with("no adapter knows");
    for case in report.cases.iter().filter(|case| case.status != Status::Pass).filter(known) {
        eprintln!("{}/{}: {}", case.family, case.id, case.message);
    }
    eprintln!("{} of {} cases pass", report.passed, report.total);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

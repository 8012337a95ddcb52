//! Which agents the graph architect sends a question to, in which order, and when it asks back.

#![cfg(all(feature = "hydro", feature = "ocean"))]
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test stops at what it does not expect")]

use leg::Catalog;
use leg::agents::architect::ArchitectAnswer;
use leg::core::plan::Body;
use leg::prelude::*;

fn catalog() -> Catalog {
    Catalog::with_datasets::<&str>(&[]).unwrap()
}

/// The agents after routing: tracks by ` | `, layers by ` > `, neighbours by `+`.
fn shape(catalog: &Catalog, question: &str) -> String {
    let plan = match catalog.architect().plan(question) {
        ArchitectAnswer::Plan { plan, .. } => plan,
        ArchitectAnswer::Clarification(missing) => return format!("? {}", missing[0].slot),
        ArchitectAnswer::NotForAgents => return "-".to_owned(),
    };
    let valid = validate(plan, catalog.registry()).unwrap();
    let graph = catalog.compile(&valid).unwrap();
    let tracks = graph.plan().tracks.clone().into_iter().map(|track| {
        let Body::Layers(layers) = track.body else { panic!("steps") };
        let layers = layers.into_iter().map(|layer| {
            let mut agents: Vec<String> = layer.nodes.iter().map(|node| node.agent.to_string()).collect();
            agents.sort();
            agents.join("+")
        });
        layers.collect::<Vec<_>>().join(" > ")
    });
    tracks.collect::<Vec<_>>().join(" | ")
}

#[test]
fn questions_go_to_whom_they_concern() {
    let catalog = catalog();
    for (question, expected) in [
        ("What was Hurricane Ian's minimum central pressure and where did it make landfall?", "nhc"),
        ("How bad was the surge of Hurricane Ian?", "nhc > coops+usgs"),
        ("How high did the water rise at gauge 8725520 during Hurricane Ian?", "nhc > coops"),
        ("What was the highest water level at 9447130 on 2015-01-01?", "coops"),
        ("Which flood zone is 26.45, -82.0 in?", "fema"),
        ("Compare hurricanes Ian (2022) and Ida (2021): which was stronger?", "nhc | nhc"),
        ("How many high-water marks did Florence 2018 leave in North Carolina?", "nhc > usgs"),
        ("What is the largest annual peak flow at USGS 01646500?", "usgs"),
        ("What is the highest water level that STOFS forecasts at Newport, 8452660?", "stofs"),
        ("Draw a STOFS map of the Gulf coast with its maximum.", "stofs"),
        ("Make a street map of Fort Myers.", "osm"),
        ("Which tropical storms are active now?", "nhc"),
        (
            "What is the flood zone at 26.6, -81.9, and what was the nearest tide gauge's highest water level on 2022-09-28?",
            "coops > fema",
        ),
        (
            "(1) Where did Ida 2021 make landfall? (2) Which flood zone is 26.45, -82.0 in? (3) What is the tide at 8518750 tomorrow?",
            "nhc | fema | coops",
        ),
        ("How bad was the surge?", "? storm_track"),
        ("Who wrote Moby Dick?", "-"),
        ("", "-"),
    ] {
        assert_eq!(shape(&catalog, question), expected, "{question}");
    }
}

#[test]
fn plans_are_small_and_fast() {
    let architect = catalog().architect();
    let long = "What was the tide at 8518750? ".repeat(200);
    let ArchitectAnswer::Plan { plan, .. } = architect.plan(&long) else { panic!("no plan") };
    assert!(plan.tracks.len() <= 12);
}

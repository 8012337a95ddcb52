//! Questions about flood zones, answered out of the recordings; every sentence must follow from its evidence.

mod support;

use std::sync::Arc;

use leg_fetch::{Fetch, Scripted};
use support::{ask, recorded};

/// A question, words of the answer in any order.
const QUESTIONS: &[(&str, &[&str])] = &[
    (
        "What is the FEMA flood zone at 39.4042, -76.7631?",
        &[
            "flood zone at 39.4042°N, 76.7631°W is X (AREA OF MINIMAL FLOOD HAZARD)",
            "is not in the special flood hazard area",
        ],
    ),
    (
        "Is 39.4042N 76.7631W in the special flood hazard area?",
        &["39.4042°N, 76.7631°W is not in the special flood hazard area (SFHA)"],
    ),
    (
        "Which FIRM panel covers 47.48, -122.2 and since when is it effective?",
        &[
            "panel at 47.48°N, 122.2°W is 53033C0977G, effective since 19 August 2020",
            "Countywide, Panel Printed",
        ],
    ),
    (
        "Which layer id holds the Flood Hazard Zones, and which the FIRM panels?",
        &["The layer Flood Hazard Zones has the id 28.", "The layer FIRM Panels has the id 3."],
    ),
    (
        "What version is the NFHL map service and what is its maximum record count?",
        &["version 11.1", "at most 2000 records"],
    ),
    (
        "Flood zones in the box west -122.22 south 47.47 east -122.19 north 47.49: is there a floodway?",
        &["1 is in the floodway"],
    ),
    ("What's the max BFE between 26.4N and 26.5N, 82.0W and 81.9W?", &["is at 12 ft NAVD88"]),
    ("What is the panel number at lat 47.48, lon -122.2?", &["53033C0977G"]),
    ("When did the FIRM panel at 47.48, -122.2 become effective?", &["19 August 2020"]),
    (
        "Does FEMA have digital flood data at 48.42, -122.33?",
        &["0 studies with digital data at 48.42°N, 122.33°W", "does not mean zone X"],
    ),
    (
        "What is the flood zone at 48.42, -122.33 (Mount Vernon)?",
        &["is unknown: the National Flood Hazard Layer has no digital data there", "does not mean zone X"],
    ),
    ("Is there NFHL coverage at 47.48, -122.2?", &["has digital data at 47.48°N, 122.2°W", "count: 1"]),
    (
        "How many flood zones are in the box -122.22,47.47,-122.19,47.49?",
        &[
            "3 flood hazard polygons: 1 of zone AE and 2 of zone X",
            "1 is in the special flood hazard area",
            "1 is in the floodway",
        ],
    ),
    ("Count the floodway polygons in -122.22, 47.47, -122.19, 47.49", &["1 is in the floodway"]),
    (
        "How many special flood hazard area polygons lie in -122.22,47.47,-122.19,47.49 (Renton)?",
        &["1 is in the special flood hazard area"],
    ),
    (
        "What is the flood zone at 47.483, -122.202?",
        &["is AE (FLOODWAY)", "is in the special flood hazard area"],
    ),
    ("What flood zone is 47.476, -122.196 in?", &["is X (0.2 PCT ANNUAL CHANCE FLOOD HAZARD)"]),
    (
        "What are the base flood elevation lines in -82.0, 26.4, -81.9, 26.5?",
        &[
            "highest base flood elevation line",
            "12 ft NAVD88",
            "There are 2 base flood elevation lines",
            "11 ft NAVD88",
        ],
    ),
    (
        "Is there any digital flood data in the box -122.34,48.41,-122.32,48.43?",
        &["0 studies with digital data in the box from 122.34°W to 122.32°W"],
    ),
    (
        "How many SFHA polygons are in -122.22,47.47,-122.19,47.49, and of which study?",
        &["are of the study 53033C"],
    ),
    ("What is the highest base flood elevation in the box -82.0,26.4,-81.9,26.5?", &["12 ft NAVD88"]),
    ("Which study maps the zone at 39.4042, -76.7631?", &["is 240010"]),
    ("Highest BFE line in the box -82.0,26.4,-81.9,26.5", &["is at 12 ft NAVD88"]),
    (
        "How many VE zones does study 99999C have?",
        &["Study 99999C has 9 flood hazard polygons: 3 of zone VE, 3 of zone AE and 3 of zone X"],
    ),
    ("What is the highest static BFE in the flood zones of DFIRM 99999C?", &["14 ft NAVD88 (zone VE)"]),
];

#[tokio::test]
async fn questions_are_answered_with_what_the_recordings_hold() {
    let mut failures = Vec::new();
    for (question, expected) in QUESTIONS {
        let Some(fetch) = recorded(&[]) else { return };
        let answer = ask("fema", Arc::new(fetch), question).await;
        for words in *expected {
            if !answer.text.contains(words) {
                failures.push(format!(
                    "{question}\n  wants: {words}\n  says: {}\n  gaps: {:?}",
                    answer.text, answer.gaps
                ));
            }
        }
        failures.extend(answer.ungrounded.iter().map(|line| format!("{question}\n  not grounded: {line}")));
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[tokio::test]
async fn what_cannot_be_answered_is_a_gap() {
    for (question, words) in [
        ("What is the flood zone?", "no place is named"),
        ("What is the base flood elevation at 47.483, -122.202?", "no static base flood elevation"),
        ("What is the flood zone at 10.5, -40.25?", "did not come"),
        ("How many flood zones are in -125.5,40.5,-115.5,45.5?", "ask for a smaller one"),
        ("Flood zones in -122.34,48.41,-122.32,48.43", "does not mean zone X"),
    ] {
        let Some(fetch) = recorded(&[]) else { return };
        let answer = ask("fema", Arc::new(fetch), question).await;
        assert!(answer.gaps.iter().any(|gap| gap.contains(words)), "{question}: {answer:?}");
        assert!(answer.ungrounded.is_empty(), "{answer:?}");
    }
}

#[tokio::test]
async fn the_loss_of_the_service_is_a_gap_without_a_number() {
    for question in [
        "What is the flood zone at 39.4042, -76.7631?",
        "Which FIRM panel covers 47.48, -122.2?",
        "How many zones are in study 99999C?",
        "Draw the flood map of -122.22,47.47,-122.19,47.49",
    ] {
        let fetch: Arc<dyn Fetch> = Arc::new(Scripted::new("nothing answers"));
        let answer = ask("fema", fetch, question).await;
        assert_eq!(answer.text, "", "{question}");
        assert!(!answer.gaps.is_empty(), "{question}");
    }
}

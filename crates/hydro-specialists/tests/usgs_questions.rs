//! Questions in plain words to the USGS agent over the recordings; every sentence is grounded.

mod gauges;

use std::sync::Arc;

use gauges::{ask, ask_after, over, recorded, table};
use leg_core::Evidence;
use leg_fetch::{Fetch, Scripted};
use serde_json::json;

const QUESTIONS: &[(&str, &[&str])] = &[
    (
        "How many high-water marks of Hurricane Florence are in coastal North Carolina?",
        &["61 high-water marks", "20.49 ft above NAVD88"],
    ),
    (
        "What is the highest coastal high-water mark of Florence 2018 in North Carolina, in which county and with what quality?",
        &["20.49 ft above NAVD88", "Onslow County", "Fair: +/- 0.20 ft", "33709", "outlier"],
    ),
    (
        "What is the second highest coastal high-water mark of Florence in NC?",
        &["10.45 ft above NAVD88", "Craven County"],
    ),
    (
        "How many coastal marks of Hurricane Florence in North Carolina lack an elevation?",
        &["2 high-water marks without an elevation"],
    ),
    ("What is the id of the highest mark of Florence along the coast of North Carolina?", &["33709"]),
    (
        "How many high-water marks does Florence have in South Carolina?",
        &["40 high-water marks", "184.16 ft above NAVD88"],
    ),
    (
        "How bad was the surge of Hurricane Florence in coastal North Carolina?",
        &["61 high-water marks", "second highest", "Onslow County"],
    ),
    ("highest hwm of Florence in Craven County, North Carolina", &["10.45 ft above NAVD88", "Craven County"]),
    ("What is the USGS event id of Hurricane Sandy?", &["event id 24"]),
    ("Which USGS flood event id belongs to Harvey in 2017?", &["event id 180"]),
    ("event id of Irma 2017 in the Short-Term Network?", &["event id 182"]),
    ("What is the event number of Florence?", &["event id 283"]),
    ("How many flood events are in the USGS list?", &["28 flood events"]),
    (
        "What was the first discharge of the Potomac at Little Falls on 5 March 2026?",
        &["7740 ft³/s", "5 March 2026"],
    ),
    ("How many instantaneous flow values does USGS-01646500 have on 2026-03-05?", &["21 values"]),
    ("What was the highest daily mean discharge at 01646500 from 1 to 7 January 2025?", &["5690 ft³/s"]),
    (
        "What was the daily mean flow of USGS 01646500 on the first day, from 2025-01-01 to 2025-01-07, and how many days?",
        &["4870 ft³/s", "7 values"],
    ),
    (
        "What was the largest annual peak at USGS-01646500, when, and at what stage?",
        &["484000 ft³/s", "19 March 1936", "28.1 ft"],
    ),
    ("How many annual peaks are listed for the Potomac at Little Falls?", &["6 annual peaks"]),
    ("What is the drainage area of site 01646500?", &["11560 square miles"]),
    ("What is the name of USGS-01646500 and its latitude?", &["POTOMAC RIVER NEAR WASH", "38.94977"]),
    ("How many stream gauges are in Maryland?", &["68 active USGS stream sites"]),
    ("What was the gage height at 06904500 on 22 September 2025?", &["0.39 ft"]),
    ("What is the latest gage height at USGS-06904500?", &["1.59 ft", "provisional"]),
    ("What is the current discharge at USGS-06904500?", &["535 ft³/s"]),
    ("What was the daily mean discharge at 05427718 on 26 December 2025?", &["20.2 ft³/s"]),
    ("What is the highest peak stage at USGS-02238500?", &["49.98 ft", "6 April 1970"]),
    (
        "What is the mean and maximum daily flow of USGS-01646500 on 1 January 2025 in the long-term daily statistics?",
        &["13600 ft³/s", "31 days"],
    ),
    (
        "How many properties does the schema of the continuous collection of the USGS have?",
        &["12 properties"],
    ),
    ("What's the STN event for Sandy?", &["event id 24"]),
    ("What is the first site in Maryland's list of stream gauges?", &["0148471320"]),
    ("How large was the biggest flood of the Potomac at Little Falls?", &["484000 ft³/s"]),
    // What cannot be answered is a gap and no number.
    ("How many high-water marks are there?", &["gap:no storm or flood event is named", "-high-water"]),
    ("High-water marks of Hurricane Polo 2026", &["gap:lists no flood event named `Polo`", "-ft"]),
    ("What was the discharge on 5 March 2026?", &["gap:no stream gauge is named"]),
    ("What was the discharge at USGS-01646500?", &["gap:no date is named"]),
    ("What was the discharge at USGS-99999999 on 5 March 2026?", &["gap:404"]),
    ("How many stream gauges are there?", &["gap:no state is named"]),
];

#[tokio::test]
async fn questions_are_answered() {
    let Some(all) = recorded(&[]) else { return };
    table(&all, "usgs", QUESTIONS).await;
}

#[tokio::test]
async fn a_lost_service_is_a_gap() {
    let nothing: Arc<dyn Fetch> = Arc::new(Scripted::new("no network"));
    let all = over(&nothing);
    for (question, _) in QUESTIONS {
        let said = ask(&all, "usgs", question).await;
        assert!(said.sentences.is_empty() && !said.gaps.is_empty(), "{question}: {said:?}");
    }
}

#[tokio::test]
async fn the_track_before_names_the_storm() {
    let Some(all) = recorded(&[]) else { return };
    let name: Evidence = serde_json::from_value(json!({
        "key": "nhc.storm_name", "name": "storm_name", "value": "FLORENCE", "unit": "", "method": "best track",
        "when": "2018-08-30T06:00:00Z/2018-09-18T12:00:00Z"
    }))
    .unwrap();
    let said =
        ask_after(&all, "usgs", "How many coastal high-water marks are there in North Carolina?", vec![name])
            .await;
    assert!(said.all().contains("61 high-water marks"), "{said:?}");
}

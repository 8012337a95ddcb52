//! Questions in plain words to the CO-OPS agent over the recordings; every sentence is grounded.

mod gauges;

use std::sync::Arc;

use gauges::{ask, ask_after, over, recorded, table};
use leg_core::Evidence;
use leg_fetch::{Fetch, Scripted};
use serde_json::json;

const QUESTIONS: &[(&str, &[&str])] = &[
    (
        "How high did the water get at Seattle on New Year's Day 2015 in feet?",
        &["3.414 m (11.20 ft) above MLLW"],
    ),
    (
        "Tell me the latest wind at Key West, the latest water level at The Battery and the latest current at cb1401.",
        &["5.4 m/s", "0.6 m above MLLW", "1.4 cm/s"],
    ),
    (
        "What was the highest water level at Seattle (9447130) on 1 January 2015, and when?",
        &["3.414 m above MLLW", "1 January 2015 at 21:12 UTC", "Seattle"],
    ),
    (
        "How many 6-minute water levels are there at station 9447130 from 2015-01-01 00:00 to 2015-01-02 00:00?",
        &["241 values"],
    ),
    ("What is the first observed water level at Seattle on 2015-01-01?", &["first", "1.798 m above MLLW"]),
    ("What was the lowest water at Seattle on January 1, 2015?", &["lowest", "relative to MLLW"]),
    (
        "What was the first water level at Naples on 1 January 2021 above station datum?",
        &["1.32 m above STND"],
    ),
    ("What was the water level at Naples, Florida on 1 January 2021?", &["1.32 m above STND", "gap:STND"]),
    (
        "What is the highest predicted tide at Seattle on 1 and 2 January 2015?",
        &["3.537 m above MLLW", "21:15 UTC"],
    ),
    (
        "What is the lowest predicted tide at Seattle between 1 January 2015 and 2 January 2015?",
        &["-0.214 m relative to MLLW"],
    ),
    (
        "How many high and low tides are predicted at Seattle from 2015-01-01 to 2015-01-02?",
        &["8 high and low tides", "4 high tides"],
    ),
    (
        "Give the tide predictions for the Battery on 1 and 2 January 2025: what is the highest?",
        &["1.576 m above MLLW"],
    ),
    (
        "hourly tide prediction at Fort Myers above station datum on 1 January 2021: maximum and minimum?",
        &["1.691 m above STND", "1.209 m above STND"],
    ),
    ("What is the first predicted hourly tide at 8725520 on 2021-01-01 (STND)?", &["1.465 m above STND"]),
    ("How high is MHHW above station datum at the Battery?", &["datum MHHW is 2.543 m above STND"]),
    ("What is the NAVD88 datum of the Battery relative to STND?", &["1.848 m above STND"]),
    (
        "What is the record high water level at the Battery and when did it happen?",
        &["5.282 m above STND", "30 October 2012 at 01:12 UTC", "2.739 m above MHHW"],
    ),
    ("How far above MHHW was the highest water ever recorded at the Battery?", &["2.739 m above MHHW"]),
    ("Convert 5.282 m above STND to NAVD88 at the Battery.", &["3.434 m above NAVD88"]),
    ("At 8518750, what is a level of 4.28 m above MLLW relative to MHHW?", &["2.739 m above MHHW"]),
    (
        "What is the highest water level ever observed at Seattle and on which date?",
        &["4.609 m above MLLW", "27 December 2022 at 16:42 UTC"],
    ),
    (
        "List the top ten water levels at Seattle. What is the second highest?",
        &["second highest", "4.426 m above MLLW"],
    ),
    ("How many ten-year events does the Battery have?", &["30 ten-year events", "21 September 1938"]),
    ("How many minor high-tide flood days did the Battery have in 2024?", &["26 days of minor"]),
    (
        "How many days of major flooding were there at the Battery in 2012?",
        &["2 days of major", "2 days of moderate"],
    ),
    ("How many days with minor flooding were there at Nawiliwili in 2001?", &["0 days of minor"]),
    ("For how many years are high-tide flood days available at the Battery?", &["107 years"]),
    ("What is the sea level trend at Nawiliwili with its error?", &["1.9 mm per year", "0.19 mm per year"]),
    (
        "How fast is sea level rising at the Battery?",
        &["1.16 inches per decade", "0.02 inches per decade", "15 January 1856"],
    ),
    ("What was the strongest wind gust at Seattle on 1 January 2015?", &["4.9 m/s"]),
    ("What was the first wind speed at 9447130 on 2015-01-01?", &["3.2 m/s"]),
    ("What was the first air temperature at Seattle on 1 January 2015?", &["4.1 °C"]),
    ("How fast was the current at bh0101 on 25 May 2026 at first, and which direction?", &["6 cm/s", "119°"]),
    (
        "How many current observations are there at bh0101 from 2026-05-25 00:00 to 2026-05-26 00:00?",
        &["224 values"],
    ),
    ("What is the first predicted current velocity at cb0102 bin 4 on 1 January 2024?", &["-34.6 cm/s"]),
    ("What is the amplitude of M2 at station 1612480 in feet?", &["0.52 ft", "13.2°"]),
    ("How many harmonic constituents does station 9447130 have?", &["37 harmonic constituents"]),
    ("How many harmonic constituents does station 9999531 have?", &["0 harmonic constituents"]),
    ("In which state is station 9447130 and what is its latitude?", &["WA", "47.60264"]),
    ("What is the SHEF code of the Battery tide gauge?", &["BATN6"]),
    ("What is the water level at the Battery right now?", &["0.6 m above MLLW", "preliminary"]),
    ("What is the latest wind at Key West?", &["5.4 m/s", "10 m/s"]),
    ("What is the latest current at cb1401?", &["1.4 cm/s", "bin 30"]),
    ("What is the 10-year return level at station 1611347?", &["10 years", "0."]),
    ("What is the CO-OPS storm event id of Hurricane Sandy 2012?", &["598"]),
    ("What is the CO-OPS storm event id of Hurricane Ian?", &["1340"]),
    (
        "What was the highest water of each day in January 2015 at Seattle, on the first day?",
        &["3.414 m above MLLW", "31 days"],
    ),
    ("How many water level stations are listed?", &["3 water level stations"]),
    ("How high is MHHW above MLLW at the Battery?", &["1.541 m above MLLW"]),
    ("What is the M2 phase at station 1612480?", &["13.2°"]),
    ("What is the current speed at cb1401?", &["1.4 cm/s"]),
    ("How is sea level changing at the Battery?", &["1.16 inches per decade"]),
    ("When did Seattle have its highest water level ever?", &["4.609 m above MLLW", "27 December 2022"]),
    ("What is the current tide at the Battery?", &["0.6 m above MLLW"]),
    ("What SHEF code does the first station in the list of water level stations have?", &["NWWH1"]),
    (
        "What was the storm surge at Seattle on 1 January 2015?",
        &["3.414 m above MLLW", "gap:the surge above the predicted tide"],
    ),
    // What cannot be answered is a gap and no number.
    (
        "What was the water level at station 8725114 on 1 January 2021 above station datum?",
        &["gap:No data was found", "-m above"],
    ),
    (
        "What is the predicted tide at 8726679 on 2021-01-01 above STND?",
        &["gap:No Predictions data was found", "-m above"],
    ),
    ("How high was the water at the pier?", &["gap:no tide gauge is named", "gap:no date is named"]),
    ("What was the highest water at Seattle?", &["gap:no date is named", "-m above"]),
    ("What was the current speed on 1 January 2015?", &["gap:no current meter"]),
    ("What was the highest water at the Battery in Sandy?", &["gap:no date is named and no track tells"]),
];

#[tokio::test]
async fn questions_are_answered() {
    let Some(all) = recorded(&[]) else { return };
    table(&all, "coops", QUESTIONS).await;
}

#[tokio::test]
async fn a_lost_service_is_a_gap() {
    let nothing: Arc<dyn Fetch> = Arc::new(Scripted::new("no network"));
    let all = over(&nothing);
    for question in [
        "What was the highest water at Seattle on 1 January 2015?",
        "record high at the Battery",
        "surge at Naples on 1 January 2021",
    ] {
        let said = ask(&all, "coops", question).await;
        assert!(said.sentences.is_empty() && !said.gaps.is_empty(), "{question}: {said:?}");
    }
}

#[tokio::test]
async fn a_storm_gives_the_dates() {
    let Some(all) = recorded(&[]) else { return };
    let landfall: Evidence = serde_json::from_value(json!({
        "key": "nhc.landfall_1", "name": "landfall_1", "value": 45, "unit": "knot", "method": "best track",
        "when": "2015-01-01T12:00:00Z", "where": {"lon": -122.3, "lat": 47.6, "name": "Polo"}
    }))
    .unwrap();
    let said =
        ask_after(&all, "coops", "How high was the water at Seattle in Hurricane Polo?", vec![landfall])
            .await;
    assert!(said.all().contains("3.414 m above MLLW"), "{said:?}");
}

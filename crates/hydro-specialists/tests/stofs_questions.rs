//! Questions in plain words to the STOFS agent over the recordings; every sentence is grounded.

mod gauges;

use std::sync::Arc;

use gauges::{ask, over, recorded, table};
use leg_fetch::{Fetch, Scripted};

const QUESTIONS: &[(&str, &[&str])] = &[
    (
        "What is the highest water level that STOFS forecasts at Newport, and when?",
        &["1.0962 m above LMSL", "23 February 2026 at 04:24 UTC", "Newport", "21 February 2026 at 12:00 UTC"],
    ),
    (
        "What is the lowest forecast water level at station 8452660?",
        &["is -0.6471 m relative to LMSL", "lowest"],
    ),
    ("In the 12z cycle of 2026-02-21, how high will the water get at 8452660?", &["1.0962 m above LMSL"]),
    ("When is the forecast peak at Newport, Rhode Island?", &["23 February 2026 at 04:24 UTC"]),
    ("How many times does the forecast at Newport have?", &["1860 times", "360 s"]),
    (
        "Which stations have the highest peaks in the newest STOFS cycle?",
        &["station 8452660 (Newport): 1.0962 m", "2 stations with a peak", "1 without any value"],
    ),
    (
        "Which cycles are available on 21 February 2026?",
        &["newest cycle is that of 21 February 2026 at 12:00 UTC", "1 cycle is listed, with 3 files"],
    ),
    (
        "In the STOFS fields file of 2022-09-28 00z, how many nodes are ever wet and how many at the last step?",
        &["11141 are wet at one time at least", "10874 at the last time"],
    ),
    (
        "What does STOFS-3D-Atlantic predict as the highest level at Newport for the 2026-02-21 cycle?",
        &["0.746 m above NAVD88", "23 February 2026 at 05:00 UTC"],
    ),
    ("lowest forecast level at 8452660, STOFS cycle 2026022112", &["-0.6471 m relative to LMSL"]),
    ("What is the latest cycle of the model?", &["21 February 2026 at 12:00 UTC"]),
    ("How many nodes and triangles has the mesh?", &["12785004 nodes", "24875336 triangles"]),
    (
        "How many nodes has the mesh of the cycle of 2022-09-28 00z?",
        &["15851 nodes", "31200 triangles", "25 times"],
    ),
    ("How far ahead does the forecast reach, and above which datum?", &["180 h", "LMSL"]),
    (
        "What is the highest forecast water level at 26.70, -82.08 in the 00z cycle of 28 September 2022?",
        &["3.8507 m above GMSL", "28 September 2022 at 19:00 UTC", "node 6643"],
    ),
    (
        "Forecast at the mesh node nearest to 26.7N 82.08W, cycle of September 28, 2022",
        &["3.8507 m above GMSL", "depth of the sea floor at the node is 0.647 m"],
    ),
    (
        "Draw a contour map of the highest forecast water level for the box -84.6,24.9,-80.9,28.6 in the cycle of 2022-09-28.",
        &["3.8652 m above GMSL", "28 September 2022 at 20:00 UTC", "11141 of 15851 nodes are wet"],
    ),
    (
        "Map of the forecast 24 hours after the 00z cycle of 2022-09-28 over -84.6,24.9,-80.9,28.6: how many nodes are wet?",
        &["10874 of 15851 nodes are wet"],
    ),
    (
        "A STOFS map of Southwest Florida for the cycle of 28 September 2022: where is the maximum?",
        &["3.8652 m above GMSL", "26.7763°N, 82.0225°W"],
    ),
    (
        "How well does the cycle of 21 February 2026 agree with the gauge at Newport on 21 February 2026?",
        &[
            "bias of the forecast at station 8452660",
            "root-mean-square error (RMSE)",
            "peak error",
            "pairs of values",
        ],
    ),
    ("What are the bias and RMSE of the forecast at 8452660 on 2026-02-21?", &["bias", "RMSE"]),
    ("Highest forecast water at 8452660 in the 00z cycle of 2099-12-31", &["gap:2099-12-31"]),
    ("What is the highest forecast water level at station 8518750?", &["gap:8518750"]),
    ("What is the surge forecast at Newport?", &["gap:swl"]),
    ("How high will the water be?", &["gap:no place is named"]),
    ("Compare the forecast with the gauge on 21 February 2026.", &["gap:no tide gauge is named"]),
];

#[tokio::test]
async fn questions_are_answered_and_every_sentence_is_grounded() {
    let Some(specialists) = recorded(&[]) else { return };
    table(&specialists, "stofs", QUESTIONS).await;
}

#[tokio::test]
async fn a_service_that_is_gone_is_a_gap_and_no_number() {
    let specialists = over(&(Arc::new(Scripted::new("gone")) as Arc<dyn Fetch>));
    for question in
        ["Highest forecast at Newport?", "Which cycles are there?", "Draw a map of the Gulf coast."]
    {
        let said = ask(&specialists, "stofs", question).await;
        assert!(said.sentences.is_empty() && said.gaps.len() == 1, "{question}: {said:?}");
    }
}

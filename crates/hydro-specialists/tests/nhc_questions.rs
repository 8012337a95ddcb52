//! Questions about storms, answered out of the recordings; every sentence must follow from its evidence.

mod support;

use std::sync::Arc;

use leg_fetch::{Fetch, Scripted};
use support::{ask, recorded};

/// A question, the list of active storms that is served, words of the answer in any order.
const QUESTIONS: &[(&str, &str, &[&str])] = &[
    (
        "How many storms are active and which is strongest?",
        "four_2026",
        &[
            "4 storms are active: Fay, Gonzalo, Odalys and Polo.",
            "strongest is Polo, with winds of 140 knots and a central pressure of 929 hPa",
        ],
    ),
    ("Are there any active storms right now?", "none", &["There are 0 active storms"]),
    (
        "What is the advisory number of Gonzalo?",
        "four_2026",
        &["Gonzalo is number 002a", "25 September 2026 at 12:00 UTC"],
    ),
    (
        "How strong is Hurricane Polo?",
        "four_2026",
        &["Polo (EP172026, slot EP2) was at 17.2°N, 107.5°W", "140 knots"],
    ),
    ("Where is Genevieve?", "genevieve_2026", &["Genevieve (EP072026", "136.0°W", "40 knots", "1004 hPa"]),
    ("What is the latest public advisory number for Genevieve right now?", "genevieve_2026", &["number 036"]),
    (
        "How many storms are active, and what are their positions?",
        "two_2025",
        &["2 storms are active", "Erin (AL052025, slot AT1) was at 24.8°N, 61.2°W", "75 knots"],
    ),
    ("When did Sandy reach its lowest pressure?", "none", &["940 hPa on 29 October 2012 at 18:00 UTC"]),
    ("What was the peak wind of Hurricane Michael?", "none", &["140 knots (Category 5", "Michael"]),
    ("How strong did Hurricane Irma (2017) get?", "none", &["155 knots (Category 5", "914 hPa"]),
    ("What was the minimum central pressure of Hurricane Milton?", "none", &["897 hPa on 7 October 2024"]),
    ("Maximum sustained winds of Helene in 2024?", "none", &["120 knots (Category 4", "939 hPa"]),
    ("What category was Hurricane Ike at its strongest?", "none", &["125 knots (Category 4"]),
    (
        "When and where did Hurricane Ian make landfall in Florida?",
        "none",
        &[
            "28 September 2022 at 19:05 UTC at 26.7°N, 82.2°W",
            "130 knots and a central pressure of 941 hPa",
            "HURDAT2 marks 5 landfalls",
        ],
    ),
    (
        "Give landfall time and place of Hurricane Ida",
        "none",
        &["29 August 2021 at 16:55 UTC at 29.1°N, 90.2°W", "130 knots and a central pressure of 931 hPa"],
    ),
    (
        "How many points does the best track of Ian have?",
        "none",
        &["40 points", "22 September 2022 at 18:00 UTC to 1 October 2022 at 06:00 UTC"],
    ),
    ("How many lines and times does the best track of Florence have?", "none", &["79 points", "170 lines"]),
    ("When was Florence strongest?", "none", &["130 knots (Category 4", "11 September 2018 at 18:00 UTC"]),
    (
        "How many storms were there in the 2021 season?",
        "none",
        &["HURDAT2 has 21 storms of the 2021 season."],
    ),
    ("How many Atlantic storms did 2022 have?", "none", &["HURDAT2 has 16 storms of the 2022 season."]),
    ("Which storm of 2021 was the strongest?", "none", &["Sam, with winds of 135 knots", "927 hPa in Sam"]),
    ("List the Category 4 storms of the 2021 season", "none", &["at least 113 knots", "Ida (AL092021)"]),
    ("What was the peak wind of AL011851?", "none", &["80 knots (Category 1"]),
    (
        "Where was Ian at 12 UTC on 28 September 2022?",
        "none",
        &["Ian was at 26.0°N, 82.7°W", "140 knots and a central pressure of 937 hPa"],
    ),
    ("How close did Ian come to Fort Myers?", "none", &["came closest to", "km away"]),
    (
        "What does forecast/advisory number 27 of AL062026 say?",
        "none",
        &[
            "Advisory 27 of Fay",
            "29.8°N, 43.9°W",
            "30 knots",
            "1009 hPa",
            "7 forecast positions",
            "1 October 2026 at 18:00 UTC",
        ],
    ),
    (
        "What was the highest wind that NHC forecast for Hurricane Florence?",
        "none",
        &["135 knots", "58 official forecast cycles", "4 September 2018 at 06:00 UTC"],
    ),
    (
        "Where was Florence forecast to be in 48 hours from the cycle of 2018-09-10T12:00?",
        "none",
        &["48 hours ahead", "on 12 September 2018 at 12:00 UTC"],
    ),
    (
        "Where is AL052024 forecast to be in 24 hours?",
        "none",
        &["24 hours ahead at 27.8°N, 82.5°W on 10 October 2024 at 15:00 UTC, with winds of 115 knots"],
    ),
    (
        "Which watches and warnings are up for AL052024?",
        "none",
        &["2 stretches of coast", "Hurricane Warning (HWR)", "Tropical Storm Warning (TSW)"],
    ),
    ("Which slot is Henriette in, and how strong is it?", "two_2025", &["slot CP3", "75 knots"]),
    (
        "What does NHC's forecast track for Milton show at 24 hours?",
        "none",
        &["24 hours ahead at 27.8°N, 82.5°W"],
    ),
    (
        "Which watches and warnings are in force for Hurricane Milton?",
        "none",
        &["2 stretches of coast", "HWR", "TSW"],
    ),
    ("Is Hurricane Ian active?", "none", &["There are 0 active storms"]),
    (
        "How many rows does HURDAT2 hold for the 1851 storm AL011851, and its maximum wind?",
        "none",
        &["14 points", "80 knots"],
    ),
    (
        "How many hurricanes were there in 2022, and how many major hurricanes?",
        "none",
        &[
            "9 of the storms of the 2022 season were hurricanes",
            "3 of the storms of the 2022 season were major hurricanes",
        ],
    ),
    (
        "What was the water level at gauges in Hurricane Florence against the forecast surge?",
        "none",
        &["130 knots"],
    ),
    (
        "Compare the lowest pressures of Hurricanes Irma and Milton",
        "none",
        &["Irma was 914 hPa", "Milton was 897 hPa"],
    ),
    (
        "How many forecast cycles did NHC issue for Florence in 2018?",
        "none",
        &["58 official forecast cycles"],
    ),
];

#[tokio::test]
async fn questions_are_answered_with_what_the_recordings_hold() {
    let mut failures = Vec::new();
    for (question, list, expected) in QUESTIONS {
        let Some(fetch) = recorded(&[&format!("nhc/current_storms_{list}.json")]) else { return };
        let answer = ask("nhc", Arc::new(fetch), question).await;
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
        ("How strong was it?", "no storm is named"),
        ("How strong was Hurricane Zzyx in 2021?", "no storm named Zzyx"),
        ("Peak wind of AL992022", "there is no deck"),
        ("What did advisory 5 of AL092022 say?", "check the number"),
        ("What was the lowest pressure of AL011851?", "has no pressure"),
    ] {
        let Some(fetch) = recorded(&["nhc/current_storms_none.json"]) else { return };
        let answer = ask("nhc", Arc::new(fetch), question).await;
        assert!(answer.gaps.iter().any(|gap| gap.contains(words)), "{question}: {answer:?}");
        assert!(answer.ungrounded.is_empty(), "{answer:?}");
    }
}

#[tokio::test]
async fn the_loss_of_the_service_is_a_gap_without_a_number() {
    for question in [
        "What was Ian's lowest pressure?",
        "How many storms are active?",
        "How many storms were there in the 2021 season?",
        "Where is AL092022 forecast to be in 24 hours?",
        "How close did Ian come to Fort Myers?",
    ] {
        let fetch: Arc<dyn Fetch> = Arc::new(Scripted::new("nothing answers"));
        let answer = ask("nhc", fetch, question).await;
        assert_eq!(answer.text, "", "{question}");
        assert!(!answer.gaps.is_empty(), "{question}");
    }
}

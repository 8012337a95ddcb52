//! Reports from evidence as the tools give it.

use std::fmt::Write as _;

use leg_agents::reporter::RulesReporter;
use leg_core::evidence::ground;
use leg_core::role::{Part, TrackResult};
use leg_core::{Evidence, EvidenceId, Gap, NodeId, ReportInput, Reporter as _, Status, TrackId, Verdict};
use serde_json::{Value, json};

/// Evidence as `(name, value, unit, extra)`.
fn part(node: &str, evidence: &[(&str, f64, &str, Value)]) -> Part {
    let evidence = evidence
        .iter()
        .map(|(name, value, unit, extra)| {
            let mut record = json!({"key": format!("{node}.{name}"), "name": name, "value": value, "unit": unit,
                "method": "test"});
            if let (Some(record), Some(extra)) = (record.as_object_mut(), extra.as_object()) {
                record.extend(extra.clone());
            }
            serde_json::from_value::<Evidence>(record).unwrap()
        })
        .collect();
    Part { from: node.into(), goal: String::new(), status: Status::Ok, text: String::new(), evidence }
}

fn track(id: &str, goal: &str, result: &str, parts: Vec<Part>) -> TrackResult {
    TrackResult {
        track: TrackId::new(id).unwrap(),
        goal: goal.into(),
        text: String::new(),
        parts,
        result: Some(NodeId::new(result).unwrap()),
        artifacts: vec![(NodeId::new("field").unwrap(), field())],
    }
}

fn field() -> leg_core::Summary {
    leg_core::Artifact::document(leg_core::Kind::Field, "sea_surface_temperature", json!({})).summary(b"")
}

fn input(mut tracks: Vec<TrackResult>) -> ReportInput {
    let mut number = 0;
    for evidence in tracks.iter_mut().flat_map(|track| &mut track.parts).flat_map(|part| &mut part.evidence) {
        number += 1;
        evidence.id = Some(EvidenceId::numbered(number));
    }
    ReportInput {
        question: String::new(),
        tracks: tracks.into(),
        brief: String::new(),
        gaps: Vec::new(),
        notes: Vec::new(),
    }
}

async fn report(input: &ReportInput) -> String {
    let sections = RulesReporter::default().report(input).await.unwrap();
    let parts = input.tracks.iter().flat_map(|track| &track.parts);
    let evidence: Vec<Evidence> = parts.flat_map(|part| part.evidence.clone()).collect();
    for claim in sections.iter().flat_map(|section| &section.claims) {
        let verdict = ground(claim, &evidence);
        assert!(matches!(verdict, Verdict::Grounded | Verdict::Uncheckable), "{verdict:?}: {}", claim.text);
    }
    let mut out = String::new();
    for section in sections {
        if !section.heading.is_empty() {
            let _ = writeln!(out, "## {}", section.heading);
        }
        for claim in section.claims {
            let ids: Vec<&str> = claim.evidence.iter().map(EvidenceId::as_str).collect();
            let _ = writeln!(out, "{} [{}] {}", claim.text, ids.join(", "), claim.op.as_str());
        }
    }
    out
}

fn series(node: &str, unit: &str, values: [f64; 5], baseline: Option<&str>) -> Part {
    let extra = |when: &str| match baseline {
        Some(baseline) => json!({"when": when, "baseline": baseline}),
        None => json!({"when": when}),
    };
    let [first, last, mean, min, max] = values;
    part(
        node,
        &[
            ("first", first, unit, extra("2010-01")),
            ("last", last, unit, extra("2019-12")),
            ("mean", mean, unit, extra("2010-01/2019-12")),
            ("min", min, unit, extra("2010-10")),
            ("max", max, unit, extra("2015-11")),
            ("std", 0.88, unit, extra("2010-01/2019-12")),
            ("n", 120.0, "1", json!({"when": "2010-01/2019-12"})),
            ("n_missing", 0.0, "1", json!({"when": "2010-01/2019-12"})),
        ],
    )
}

fn trend(node: &str, slope: f64, half: f64) -> Part {
    let unit = "degC (10 year)-1";
    let when = json!({"when": "2015-01/2017-12"});
    part(
        node,
        &[
            ("slope", slope, unit, when.clone()),
            ("ci_low", slope - half, unit, when.clone()),
            ("ci_high", slope + half, unit, when.clone()),
            ("p_value", 0.01, "1", when.clone()),
            ("r1", 0.4, "1", when.clone()),
            ("n_eff", 17.3, "1", when.clone()),
            ("n", 36.0, "1", when),
        ],
    )
}

fn map(node: &str) -> Part {
    part(
        node,
        &[
            ("min", 24.1, "degC", json!({"where": {"lon": 113.5, "lat": 21.5}})),
            ("max", 28.9, "degC", json!({"where": {"lon": 116.5, "lat": 19.5}})),
            ("mean", 26.6, "degC", json!({"n": 48})),
            ("n", 48.0, "1", json!({})),
        ],
    )
}

#[tokio::test]
async fn two_trends_and_which_is_faster() {
    let side = |id: &str, slope| {
        let name = |step: &str| format!("{id}_{step}");
        let parts = vec![
            series(&name("series"), "degC", [25.1, 25.9, 26.4, 22.0, 29.7], None),
            trend(&name("trend"), slope, 0.11),
            map(&name("map")),
        ];
        track(id, &format!("{id} box"), &name("trend"), parts)
    };
    insta::assert_snapshot!(report(&input(vec![side("coastal", 0.62), side("basin", 0.25)])).await);
}

#[tokio::test]
async fn signs_of_trends_choose_the_words() {
    let pair = |a, b| {
        vec![
            track("a", "coastal box", "t", vec![trend("t", a, 0.1)]),
            track("b", "basin box", "u", vec![trend("u", b, 0.1)]),
        ]
    };
    let mut out = Vec::new();
    for (a, b) in [(0.3, 0.3), (-0.4, -0.9), (0.5, -0.2), (0.02, 0.3)] {
        out.push(report(&input(pair(a, b))).await);
    }
    insta::assert_snapshot!(out.join("---\n"));
}

#[tokio::test]
async fn an_index_says_when_it_was_warmest() {
    let index = series("index", "degC", [1.476, 0.558, 0.0, -1.702_616, 2.669_893], Some("2010-01/2019-12"));
    insta::assert_snapshot!(
        report(&input(vec![track("main", "Niño 3.4 region", "index", vec![index])])).await
    );
}

#[tokio::test]
async fn a_series_a_map_and_a_gap() {
    let oxygen = series("series", "mmol m-3", [201.3, 199.8, 204.4, 180.02, 231.77], None);
    let mut all = input(vec![
        track("a", "113–117°E, 19–22°N", "series", vec![oxygen]),
        track("b", "basin box", "map", vec![map("map")]),
    ]);
    all.gaps.push(Gap {
        node: NodeId::new("b_figure").unwrap(),
        track: Some(TrackId::new("b").unwrap()),
        status: Status::Timeout,
        reason: "took longer than 30 s".into(),
    });
    insta::assert_snapshot!(report(&all).await);
}

#[tokio::test]
async fn two_periods_are_compared_by_their_means() {
    let year = |year: &str, mean: f64| {
        let when = json!({"when": format!("{year}-01/{year}-12")});
        track(&format!("in_{year}"), year, "s", vec![part("s", &[("mean", mean, "degC", when)])])
    };
    insta::assert_snapshot!(report(&input(vec![year("2015", 26.312), year("2016", 27.44)])).await);
}

#[tokio::test]
async fn three_tracks_are_ranked() {
    let one = |id: &str, value| {
        track(
            id,
            &format!("{id} box"),
            "s",
            vec![part("s", &[("mean", value, "1", json!({"when": "2015-01/2015-12"}))])],
        )
    };
    insta::assert_snapshot!(
        report(&input(vec![one("inner", 33.911), one("outer", 34.207), one("far", 34.5)])).await
    );
}

#[tokio::test]
async fn evidence_without_a_sentence_is_quoted() {
    let mut level = part("gauge", &[("peak", 2.131, "m", json!({"when": "2022-09-28", "datum": "NAVD88"}))]);
    level.from = "gauge".into();
    let mut lone = track("surge", "", "gauge", vec![level]);
    lone.result = None;
    insta::assert_snapshot!(report(&input(vec![lone])).await);
}

//! Whatever a report says: no panic, nothing from nothing, and no blow-up.

use leg_core::EvidenceId;
use leg_core::evidence::{Claim, Evidence, Grounder, Operation, Verdict};
use proptest::prelude::*;
use serde_json::{Value, json};

const OPS: [&str; 14] = [
    "quote", "round", "convert", "diff", "ratio", "percent", "max", "min", "mean", "sum", "count", "compare",
    "trend", "none",
];

fn op() -> impl Strategy<Value = Operation> {
    prop::sample::select(OPS.to_vec()).prop_map(|name| serde_json::from_value(json!(name)).unwrap())
}

/// Words that the check knows, in any order, with any text between.
fn text() -> impl Strategy<Value = String> {
    let known = prop::sample::select(vec![
        "rose",
        "fell by",
        "−1.5",
        "2.13 m",
        "NAVD88",
        "in May 2015",
        "2015",
        "to",
        "–",
        "±",
        "95 %",
        "than",
        "higher",
        "Naples",
        "8725520",
        "and",
        "(",
        ")",
        ",",
        "3rd",
        "10⁻³",
        "1e400",
        "°C per decade",
        "12:30",
        "`s[0]`",
        "not",
        "category 4",
        ".",
        "99999999999999999999999999",
        "-",
        "1,234",
        "between",
        "since",
        "1990s",
        "0.0",
    ]);
    let piece =
        prop_oneof![4 => known.prop_map(str::to_owned), 1 => any::<String>(), 1 => "[0-9a-zA-Z.,µ°×/-]{1,9}"];
    prop::collection::vec(piece, 0..14).prop_map(|pieces| pieces.join(" "))
}

fn value() -> impl Strategy<Value = Value> {
    prop_oneof![
        any::<f64>().prop_map(|value| json!(value)),
        any::<i64>().prop_map(|value| json!(value)),
        text().prop_map(Value::String),
        Just(Value::Null),
        Just(json!({"lon": 190, "lat": [1, 2], "name": "Naples", "depth": {"at": 50}})),
        Just(json!([0.1, 0.5])),
    ]
}

fn evidence() -> impl Strategy<Value = Evidence> {
    let unit = prop::sample::select(vec![
        "m",
        "degC",
        "K",
        "1",
        "",
        "degC (10 year)-1",
        "psu",
        "what unit",
        "%",
        "m s-1",
    ]);
    let unit = prop_oneof![unit.prop_map(str::to_owned), any::<String>()];
    let when = prop_oneof![Just("2010-01/2019-12".to_owned()), Just("2015-05-03T12:30Z".to_owned()), text()];
    (value(), unit, prop::option::of(when), value(), value(), prop::option::of(any::<u64>()), text(), text()).prop_map(
        |(value, unit, when, place, uncertainty, n, method, name)| {
            serde_json::from_value(json!({"id": "E1", "key": format!("a.{name}"), "name": name, "value": value, "unit": unit,
                "when": when, "datum": when, "baseline": when, "where": place, "uncertainty": uncertainty, "n": n, "method": method}))
            .unwrap()
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn no_claim_panics(text in text(), op in op(), mut all in prop::collection::vec(evidence(), 0..6)) {
        for (at, one) in all.iter_mut().enumerate() {
            one.id = Some(EvidenceId::numbered(at + 1));
        }
        let ids: Vec<EvidenceId> = all.iter().filter_map(|one| one.id.clone()).collect();
        let grounder = Grounder::new(&all);
        let first = grounder.check(&Claim::new(text.clone(), ids.clone(), op));
        prop_assert_eq!(first, grounder.check(&Claim::new(text.clone(), ids, op)));
        // What cites nothing shows nothing.
        let bare = grounder.check(&Claim::new(text, vec![], op));
        prop_assert_ne!(bare, Verdict::Grounded);
    }

    #[test]
    fn a_number_that_is_far_off_is_never_grounded(value in -1e4..1e4_f64, factor in 1.2..3.0_f64) {
        let evidence: Evidence = serde_json::from_value(json!({"id": "E1", "key": "a.x", "name": "x", "value": value, "unit": "m", "method": "test"})).unwrap();
        let printed = value * factor + 2.0 * value.signum();
        let all = [evidence];
        for op in OPS {
            let op = serde_json::from_value(json!(op)).unwrap();
            let claim = Claim::new(format!("It was {printed:.2} m."), vec![EvidenceId::numbered(1)], op);
            prop_assert_ne!(Grounder::new(&all).check(&claim), Verdict::Grounded, "{:?}", claim);
        }
    }
}

/// With a search through all evidence for each claim, or all pairs of what a claim cites, this would take minutes.
#[test]
fn ten_thousand_pieces_of_evidence_are_no_burden() {
    let all: Vec<Evidence> = (1..=10_000)
        .map(|n| {
            serde_json::from_value(json!({"id": format!("E{n}"), "key": format!("n{n}.max"), "name": "max", "value": f64::from(n) + 0.25,
                "unit": "m", "when": "2015-11", "where": {"name": format!("Gauge number {n}")}, "method": "highest value"}))
            .unwrap()
        })
        .collect();
    let grounder = Grounder::new(&all);
    for n in (1..=10_000).step_by(7) {
        let claim = Claim::new(
            format!("Gauge number {n} reached {n}.25 m in November 2015."),
            vec![EvidenceId::numbered(n)],
            Operation::Max,
        );
        assert_eq!(grounder.check(&claim), Verdict::Grounded, "{}", claim.text);
    }
    let ids: Vec<EvidenceId> = (1..=10_000).map(EvidenceId::numbered).collect();
    let told: Vec<String> = (1..=10_000).map(|n| format!("Gauge number {n} reached {n}.25 m")).collect();
    let claim = |op| Claim::new(format!("{}.", told.join("; ")), ids.clone(), op);
    for op in [Operation::Quote, Operation::Compare, Operation::Max] {
        assert_eq!(grounder.check(&claim(op)), Verdict::Grounded, "{op:?}");
    }
    let digits = "7".repeat(1_000_000);
    assert_eq!(grounder.check(&Claim::new(digits, ids, Operation::Round)), Verdict::Ungrounded);
}

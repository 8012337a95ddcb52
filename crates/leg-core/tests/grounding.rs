//! The grounding check against reports that are made false on purpose, and against true ones that are hard.

#![expect(clippy::unwrap_used, reason = "a test ends at the first surprise")]

mod grounding {
    pub(crate) mod draft;
    pub(crate) mod gauges;
    mod hard;
    pub(crate) mod levels;
    mod limits;
    pub(crate) mod mutate;
    pub(crate) mod ocean;
}

use std::collections::BTreeMap;

use grounding::draft::{Dice, Draft, TrueReport};
use grounding::mutate::{SORTS, mutate};
use grounding::{gauges, levels, ocean};
use leg_core::evidence::{Grounder, Verdict};

const FAMILIES: [fn(&mut Dice) -> Draft; 10] = [
    levels::level,
    levels::low_level,
    levels::two_levels,
    gauges::many_levels,
    gauges::storm,
    ocean::anomaly,
    ocean::trend,
    ocean::series,
    ocean::field,
    ocean::count,
];

/// Reports of one to six claims.
fn reports(number: usize) -> Vec<TrueReport> {
    let mut dice = Dice::new(20);
    (0..number)
        .map(|_| {
            let claims = dice.below(6) + 1;
            TrueReport::of((0..claims).map(|_| dice.pick(&FAMILIES)(&mut dice)).collect())
        })
        .collect()
}

#[test]
fn a_thousand_false_reports_are_caught_and_true_ones_are_not() {
    let reports = reports(400);
    let mut alarms = 0;
    let mut claims = 0;
    for report in &reports {
        let grounder = Grounder::new(&report.evidence);
        let mut good = true;
        for (at, (_, draft)) in report.drafts.iter().enumerate() {
            claims += 1;
            let verdict = grounder.check(&report.claim(at, draft.text()));
            if verdict != Verdict::Grounded {
                println!("false alarm: {verdict:?} {:?}: {}", draft.op, draft.text());
                good = false;
            }
        }
        alarms += usize::from(!good);
    }
    println!("true reports: {}, claims: {claims}, false alarms: {alarms}", reports.len());
    let mut dice = Dice::new(7);
    let mut tally: BTreeMap<_, (usize, usize)> = BTreeMap::new();
    while tally.values().map(|(all, _)| all).sum::<usize>() < 1000 {
        let sort = SORTS[tally.values().map(|(all, _)| all).sum::<usize>() % SORTS.len()];
        let report = dice.pick(&reports);
        let Some((at, text)) = mutate(report, sort, &mut dice) else { continue };
        let verdict = Grounder::new(&report.evidence).check(&report.claim(at, text.clone()));
        let (all, caught) = tally.entry(sort).or_default();
        *all += 1;
        if matches!(verdict, Verdict::Contradicted | Verdict::Ungrounded) {
            *caught += 1;
        } else {
            println!("missed {sort:?} ({verdict:?}): {text}\n    of: {}", report.drafts[at].1.text());
        }
    }
    let (all, caught) = tally.values().fold((0, 0), |sum, (all, caught)| (sum.0 + all, sum.1 + caught));
    println!("caught {caught} of {all}: {tally:?}");
    assert_eq!(all, 1000);
    assert!(tally.values().all(|(all, caught)| caught * 100 >= all * 99), "{tally:?}");
    assert!(alarms * 100 <= reports.len(), "{alarms} false alarms");
}

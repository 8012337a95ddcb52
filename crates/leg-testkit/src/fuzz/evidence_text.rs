//! The property of a report's sentences.

use leg_core::evidence::ground;
use leg_core::{Claim, Evidence, EvidenceId, Operation, Registry, Verdict};

/// What a reporter may write as a sentence, checked against an evidence of 21.5 °C.
///
/// - The check ends, and says the same twice.
/// - A number that cites no evidence, or evidence that nobody has, is never called grounded.
///
/// # Panics
/// When one of these does not hold.
pub fn evidence_text(_: &Registry, data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let known = [evidence(21.5, "degC")];
    for op in [Operation::Quote, Operation::Round, Operation::Convert, Operation::Diff, Operation::Max] {
        let cited = Claim::new(text.clone(), vec![EvidenceId::numbered(1)], op);
        let verdict = ground(&cited, &known);
        assert_eq!(ground(&cited, &known), verdict, "{text:?}");
        let invented = Claim::new(text.clone(), vec![EvidenceId::numbered(7)], op);
        let verdict = ground(&invented, &known);
        assert!(verdict != Verdict::Grounded || !has_digit(&text), "cites nothing and is grounded: {text:?}");
        let bare = ground(&Claim::new(text.clone(), Vec::new(), op), &[]);
        assert!(bare != Verdict::Grounded || !has_digit(&text), "an empty ledger grounds {text:?}");
    }
}

fn has_digit(text: &str) -> bool {
    text.contains(|c: char| c.is_ascii_digit())
}

fn evidence(value: f64, unit: &str) -> Evidence {
    Evidence {
        id: Some(EvidenceId::numbered(1)),
        key: "mean.mean".to_owned(),
        name: "mean".to_owned(),
        value: value.into(),
        unit: unit.to_owned(),
        datum: None,
        when: None,
        place: None,
        baseline: None,
        uncertainty: None,
        n: None,
        method: "mean".to_owned(),
        artifact: None,
        pointer: String::new(),
    }
}

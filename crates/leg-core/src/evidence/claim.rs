//! [`Claim`]: a sentence of a report with the evidence that it rests on.

use serde::{Deserialize, Serialize};

use crate::EvidenceId;

/// How a claim's numbers come from its evidence.
///
/// ```
/// use leg_core::Operation;
///
/// assert_eq!(Operation::Diff.as_str(), "diff");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Operation {
    /// The value as it is.
    Quote,
    /// The value, rounded.
    Round,
    /// The value in another unit.
    Convert,
    /// First minus second.
    Diff,
    /// First over second.
    Ratio,
    /// First over second, in percent.
    Percent,
    /// The largest.
    Max,
    /// The smallest.
    Min,
    /// The mean.
    Mean,
    /// The sum.
    Sum,
    /// How many.
    Count,
    /// Which is larger, with the values quoted.
    Compare,
    /// A rate of change, quoted or converted to another span of time.
    Trend,
    /// No number.
    None,
}

impl Operation {
    /// The name in JSON.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Quote => "quote",
            Self::Round => "round",
            Self::Convert => "convert",
            Self::Diff => "diff",
            Self::Ratio => "ratio",
            Self::Percent => "percent",
            Self::Max => "max",
            Self::Min => "min",
            Self::Mean => "mean",
            Self::Sum => "sum",
            Self::Count => "count",
            Self::Compare => "compare",
            Self::Trend => "trend",
            Self::None => "none",
        }
    }
}

/// What the grounding check says of a claim.
///
/// The worst of several comes last.
///
/// ```
/// use leg_core::Verdict;
///
/// let verdicts = [Verdict::Grounded, Verdict::Contradicted, Verdict::Uncheckable];
/// assert_eq!(verdicts.iter().max(), Some(&Verdict::Contradicted));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// Every number follows from the cited evidence.
    Grounded,
    /// There is nothing to check: no number, or dates and small counts alone.
    Uncheckable,
    /// A number has no evidence that could give it.
    Ungrounded,
    /// The cited evidence says otherwise.
    Contradicted,
}

/// A sentence of a report.
///
/// ```
/// use leg_core::{Claim, EvidenceId, Operation};
///
/// let claim = Claim::new("The tide rose by 2.5 m.", vec![EvidenceId::numbered(1)], Operation::Quote);
/// assert!(claim.verdict.is_none(), "nobody has checked it yet");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Claim {
    /// The sentence, without its citations.
    pub text: String,
    /// What it rests on.
    pub evidence: Vec<EvidenceId>,
    /// How its numbers come from there.
    pub op: Operation,
    /// What the grounding check says; absent before the check.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verdict: Option<Verdict>,
}

impl Claim {
    /// A claim that was not checked yet.
    pub fn new(text: impl Into<String>, evidence: Vec<EvidenceId>, op: Operation) -> Self {
        Self { text: text.into(), evidence, op, verdict: None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_form_of_a_claim_stands() {
        let ids = vec![EvidenceId::numbered(3), EvidenceId::numbered(4)];
        let mut claim = Claim::new("The coast warmed faster.", ids, Operation::Compare);
        let json = serde_json::to_string(&claim).unwrap();
        insta::assert_snapshot!(json, @r#"{"text":"The coast warmed faster.","evidence":["E3","E4"],"op":"compare"}"#);
        claim.verdict = Some(Verdict::Grounded);
        let json = serde_json::to_string(&claim).unwrap();
        insta::assert_snapshot!(json, @r#"{"text":"The coast warmed faster.","evidence":["E3","E4"],"op":"compare","verdict":"grounded"}"#);
        assert_eq!(serde_json::from_str::<Claim>(&json).unwrap(), claim);
        assert!(serde_json::from_str::<Claim>(r#"{"text":"x","evidence":[],"op":"none","more":1}"#).is_err());
    }

    #[test]
    fn the_lists_of_operations_and_verdicts_are_closed() {
        let ops = "quote round convert diff ratio percent max min mean sum count compare trend none";
        for name in ops.split(' ') {
            let op: Operation = serde_json::from_value(name.into()).unwrap();
            assert_eq!(op.as_str(), name);
            assert_eq!(serde_json::to_value(op).unwrap(), name);
        }
        assert!(serde_json::from_value::<Operation>("guess".into()).is_err());
        let verdicts = ["grounded", "uncheckable", "ungrounded", "contradicted"];
        let read = verdicts.map(|name| serde_json::from_value::<Verdict>(name.into()).unwrap());
        assert!(read.is_sorted(), "the worse verdict is the greater one");
    }
}

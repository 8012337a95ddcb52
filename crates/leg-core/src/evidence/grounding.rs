//! The grounding check: every number of a claim must follow from the evidence that the claim cites.
//!
//! A printed number stands for all values within half a unit of its last digit. It is grounded when one of them is
//! what the claim's operation gives from the cited evidence, in the unit and datum that the sentence names. The
//! check uses no model and fails closed: what it cannot derive is not grounded.

use serde_json::Value;

use super::candidates::{Candidate, candidates};
use super::numbers::{Date, Number, scan};
use super::prose_units::{canonical, unit_at};
use super::{Claim, Evidence, Verdict};
use crate::EvidenceId;

/// Datums that a sentence can name.
const DATUMS: [&str; 14] = [
    "MLLW", "MLW", "MHHW", "MHW", "MSL", "LMSL", "MTL", "DTL", "NAVD88", "NGVD29", "STND", "IGLD85", "PMVD",
    "LAT",
];

/// Whole numbers up to this, without a unit, may stand in prose by themselves: "in 2 of 3 regions".
const SMALL_COUNT: f64 = 12.0;

/// Checks one claim against all evidence of the run.
///
/// ```
/// use leg_core::evidence::{Claim, Evidence, Operation, Verdict, ground};
/// use leg_core::EvidenceId;
///
/// let evidence: Evidence = serde_json::from_value(serde_json::json!({
///     "id": "E1", "key": "mean.max", "name": "max", "value": 29.447, "unit": "degC", "when": "2015-11",
///     "method": "maximum over time"})).unwrap();
/// let claim = |text: &str| Claim::new(text, vec![EvidenceId::numbered(1)], Operation::Max);
/// assert_eq!(ground(&claim("It was warmest in November 2015, at 29.45 °C."), &[evidence.clone()]), Verdict::Grounded);
/// assert_eq!(ground(&claim("It was warmest in November 2015, at 29.54 °C."), &[evidence.clone()]), Verdict::Contradicted);
/// assert_eq!(ground(&claim("It was warmest in October 2015, at 29.45 °C."), &[evidence]), Verdict::Contradicted);
/// ```
pub fn ground(claim: &Claim, all: &[Evidence]) -> Verdict {
    let find = |id: &EvidenceId| all.iter().find(|evidence| evidence.id.as_ref() == Some(id));
    let cited: Vec<&Evidence> = claim.evidence.iter().filter_map(find).collect();
    if cited.len() < claim.evidence.len() {
        // It cites what does not exist.
        return Verdict::Ungrounded;
    }
    let (numbers, dates) = scan(&claim.text);
    let labels = Labels::of(&cited);
    let candidates = candidates(claim.op, &cited);
    let mut worst =
        if claim.evidence.is_empty() { Verdict::Uncheckable } else { datum_verdict(&claim.text, &cited) };
    let mut grounded = false;
    for (at, number) in numbers.iter().enumerate() {
        let verdict = number_verdict(&claim.text, &numbers, at, number, &candidates, &labels);
        grounded |= verdict == Verdict::Grounded;
        worst = worst.max(verdict);
    }
    for date in &dates {
        let verdict = labels.date(*date);
        grounded |= verdict == Verdict::Grounded;
        worst = worst.max(verdict);
    }
    if grounded && worst == Verdict::Uncheckable { Verdict::Grounded } else { worst }
}

fn number_verdict(
    text: &str,
    numbers: &[Number],
    at: usize,
    number: &Number,
    candidates: &[Candidate],
    labels: &Labels,
) -> Verdict {
    let own = unit_at(text.get(number.end..).unwrap_or_default());
    // "between 1.2 and 3.4 °C": a bare number takes the unit of the next that has one.
    let unit = own.clone().or_else(|| {
        numbers.get(at + 1..)?.iter().find_map(|next| unit_at(text.get(next.end..).unwrap_or_default()))
    });
    let unit = unit.map(|(unit, _)| unit);
    let direction = falls(text);
    let fits = |candidate: &Candidate| candidate.fits(number, direction);
    let same_unit = |candidate: &&Candidate| match &unit {
        Some(unit) => candidate.unit == canonical(unit),
        None => candidate.is_plain(),
    };
    if candidates.iter().filter(same_unit).any(fits)
        || (own.is_none() && candidates.iter().filter(|c| c.is_plain()).any(fits))
    {
        return Verdict::Grounded;
    }
    if labels.has(number_text(text, number)) {
        return Verdict::Grounded;
    }
    if own.is_none() && number.whole && (0.0..=SMALL_COUNT).contains(&number.value) {
        return Verdict::Uncheckable;
    }
    if candidates.iter().any(|candidate| same_unit(&candidate)) {
        Verdict::Contradicted
    } else {
        Verdict::Ungrounded
    }
}

fn number_text<'a>(text: &'a str, number: &Number) -> &'a str {
    text.get(number.start..number.end).unwrap_or_default()
}

/// Whether the sentence speaks of a decrease, so that a negative value may be printed without its sign.
fn falls(text: &str) -> bool {
    const WORDS: [&str; 24] = [
        "below",
        "cooler",
        "cooled",
        "cooling",
        "colder",
        "less",
        "lower",
        "lowered",
        "fell",
        "fall",
        "falling",
        "fallen",
        "decrease",
        "decreased",
        "decreasing",
        "decline",
        "declined",
        "drop",
        "dropped",
        "slower",
        "smaller",
        "fresher",
        "weaker",
        "minus",
    ];
    text.split(|c: char| !c.is_alphabetic()).any(|word| WORDS.contains(&word.to_lowercase().as_str()))
}

/// A sentence that names a datum must name that of its evidence, and evidence with a datum wants it named.
fn datum_verdict(text: &str, cited: &[&Evidence]) -> Verdict {
    let named: Vec<&str> =
        text.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| DATUMS.contains(word)).collect();
    let own: Vec<&str> = cited.iter().filter_map(|evidence| evidence.datum.as_deref()).collect();
    if named.iter().any(|datum| !own.contains(datum))
        || (named.is_empty() && !own.is_empty() && has_number(text))
    {
        Verdict::Contradicted
    } else {
        Verdict::Uncheckable
    }
}

fn has_number(text: &str) -> bool {
    !scan(text).0.is_empty()
}

/// Numbers and dates that are part of what the evidence is, not of its value: times, places, levels, names.
struct Labels {
    numbers: Vec<String>,
    dates: Vec<Date>,
}

impl Labels {
    fn of(cited: &[&Evidence]) -> Self {
        let mut labels = Self { numbers: Vec::new(), dates: Vec::new() };
        for evidence in cited {
            for text in [&evidence.when, &evidence.baseline].into_iter().flatten() {
                labels.add(text);
            }
            labels.add(&evidence.method);
            if let Some(place) = &evidence.place {
                labels.walk(place);
            }
            if let Value::String(text) = &evidence.value {
                labels.add(text);
            }
        }
        labels
    }

    fn walk(&mut self, value: &Value) {
        match value {
            Value::Number(number) => self.numbers.push(number.to_string()),
            Value::String(text) => self.add(text),
            Value::Array(items) => items.iter().for_each(|item| self.walk(item)),
            Value::Object(members) => members.values().for_each(|member| self.walk(member)),
            Value::Null | Value::Bool(_) => {}
        }
    }

    fn add(&mut self, text: &str) {
        let (numbers, dates) = scan(text);
        self.numbers.extend(numbers.iter().map(|number| number_text(text, number).to_owned()));
        self.dates.extend(dates);
    }

    fn has(&self, printed: &str) -> bool {
        let value: Option<f64> = printed.replace('−', "-").replace(',', "").parse().ok();
        let same = |label: &String| label == printed || label.replace('−', "-").parse::<f64>().ok() == value;
        value.is_some() && self.numbers.iter().any(same)
    }

    fn date(&self, date: Date) -> Verdict {
        if self.dates.iter().any(|known| date.holds(*known)) {
            Verdict::Grounded
        } else if self.dates.is_empty() {
            Verdict::Ungrounded
        } else {
            Verdict::Contradicted
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::evidence::Operation;

    fn evidence(id: usize, value: f64, unit: &str, when: &str) -> Evidence {
        serde_json::from_value(json!({
            "id": format!("E{id}"), "key": format!("n{id}.max"), "name": "max", "value": value, "unit": unit,
            "when": when, "n": 120, "method": "maximum", "where": {"lon": 190, "lat": -5.0, "name": "Niño 3.4"}
        }))
        .unwrap()
    }

    fn check(text: &str, op: Operation, all: &[Evidence]) -> Verdict {
        let ids = all.iter().filter_map(|evidence| evidence.id.clone()).collect();
        ground(&Claim::new(text, ids, op), all)
    }

    #[test]
    fn what_follows_is_grounded_and_what_does_not_is_not() {
        let two = [
            evidence(1, 0.312, "degC (10 year)-1", "2015-01/2017-12"),
            evidence(2, 0.118, "degC (10 year)-1", "2015-01/2017-12"),
        ];
        let one = [evidence(1, -1.7026, "degC", "2010-10")];
        let table = [
            (
                "Coast warmed by 0.31 °C per decade, basin by 0.12 °C per decade.",
                Operation::Compare,
                &two[..],
                Verdict::Grounded,
            ),
            ("Coast warmed 0.19 °C per decade faster.", Operation::Diff, &two, Verdict::Grounded),
            ("Coast warmed 2.6 times as fast.", Operation::Ratio, &two, Verdict::Grounded),
            ("Coast warmed by 0.031 °C per year.", Operation::Convert, &two, Verdict::Grounded),
            ("Coast warmed by 0.13 °C per decade.", Operation::Trend, &two, Verdict::Contradicted),
            ("Coast warmed by 0.31 °C.", Operation::Trend, &two, Verdict::Ungrounded),
            ("Coast warmed by 0.31 m per decade.", Operation::Trend, &two, Verdict::Ungrounded),
            (
                "In the Niño 3.4 box it was −1.70 °C in October 2010 (120 months).",
                Operation::Quote,
                &one,
                Verdict::Grounded,
            ),
            ("It was 1.70 °C below the baseline in October 2010.", Operation::Round, &one, Verdict::Grounded),
            ("It was 1.70 °C in October 2010.", Operation::Round, &one, Verdict::Contradicted),
            ("It was −1.71 °C in October 2010.", Operation::Round, &one, Verdict::Contradicted),
            ("It was −1.70 °C in October 2011.", Operation::Round, &one, Verdict::Contradicted),
            ("It was coldest then.", Operation::None, &one, Verdict::Uncheckable),
            ("It held in 2 of 3 boxes.", Operation::None, &[], Verdict::Uncheckable),
            ("It held in 4711 boxes.", Operation::None, &[], Verdict::Ungrounded),
        ];
        for (text, op, all, expected) in table {
            assert_eq!(check(text, op, all), expected, "{text}");
        }
    }

    #[test]
    fn a_water_level_needs_its_own_datum() {
        let mut level = evidence(1, 2.13, "m", "2022-09-28");
        level.datum = Some("NAVD88".into());
        let all = [level];
        assert_eq!(check("It reached 2.13 m NAVD88.", Operation::Max, &all), Verdict::Grounded);
        assert_eq!(check("It reached 2.13 m MLLW.", Operation::Max, &all), Verdict::Contradicted);
        assert_eq!(check("It reached 2.13 m.", Operation::Max, &all), Verdict::Contradicted);
    }

    #[test]
    fn a_claim_that_cites_nothing_real_is_not_grounded() {
        let claim = Claim::new("It was 3.2 m.", vec![EvidenceId::numbered(9)], Operation::Quote);
        assert_eq!(ground(&claim, &[evidence(1, 3.2, "m", "2010")]), Verdict::Ungrounded);
        assert_eq!(ground(&Claim::new("It was 3.2 m.", vec![], Operation::Quote), &[]), Verdict::Ungrounded);
    }
}

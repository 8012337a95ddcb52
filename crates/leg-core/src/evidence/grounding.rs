//! The grounding check: what a claim says must follow from the evidence that it cites.
//!
//! A printed number stands for all values within half a unit of its last digit. It is grounded when one of them is
//! what the claim's operation gives from the cited evidence, in the unit, on the datum, at the place and time, and in
//! the direction that the sentence names. The check uses no model and fails closed: what it cannot derive is not
//! grounded.

use std::collections::{BTreeMap, BTreeSet};

use super::comparison::order;
use super::number_check::Found;
use super::places::{Names, names_of};
use super::proper_noun::has_unknown_place;
use super::sentence::Sentence;
use super::source::Cited;
use super::tokens::{Piece, Token, tokens};
use super::unit::Unit;
use super::{Claim, Evidence, Operation, Verdict};
use crate::EvidenceId;

/// Checks the claims of one report. It reads the run's evidence once.
///
/// ```
/// use leg_core::evidence::{Claim, Evidence, Grounder, Operation, Verdict};
/// use leg_core::EvidenceId;
///
/// let evidence: Vec<Evidence> = serde_json::from_value(serde_json::json!([
///     {"id": "E1", "key": "a.max", "name": "max", "value": 2.13, "unit": "m", "datum": "NAVD88", "method": "maximum",
///      "where": {"station": "8725520", "name": "Fort Myers"}},
///     {"id": "E2", "key": "b.max", "name": "max", "value": 1.87, "unit": "m", "datum": "NAVD88", "method": "maximum",
///      "where": {"station": "8725110", "name": "Naples"}}])).unwrap();
/// let grounder = Grounder::new(&evidence);
/// let both = vec![EvidenceId::numbered(1), EvidenceId::numbered(2)];
/// let check = |text: &str| grounder.check(&Claim::new(text, both.clone(), Operation::Diff));
/// assert_eq!(check("Fort Myers was 0.26 m higher than Naples."), Verdict::Grounded);
/// assert_eq!(check("Naples was 0.26 m higher than Fort Myers."), Verdict::Contradicted);
/// assert_eq!(check("Fort Myers was 26 cm higher than Naples."), Verdict::Grounded);
/// assert_eq!(check("Fort Myers was 0.26 ft higher than Naples."), Verdict::Contradicted);
/// ```
#[derive(Debug)]
pub struct Grounder<'a> {
    by_id: BTreeMap<&'a EvidenceId, &'a Evidence>,
    names: Names,
}

/// Checks one claim against all evidence of the run; for many claims use a [`Grounder`].
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
    Grounder::new(all).check(claim)
}

impl<'a> Grounder<'a> {
    /// Reads the evidence of a run.
    pub fn new(all: &'a [Evidence]) -> Self {
        let mut by_id = BTreeMap::new();
        let mut names = Names::default();
        for evidence in all {
            if let Some(id) = &evidence.id {
                by_id.entry(id).or_insert(evidence);
            }
            names.add(names_of(evidence.place.as_ref()));
        }
        Self { by_id, names }
    }

    /// The verdict on a claim.
    pub fn check(&self, claim: &Claim) -> Verdict {
        let mut seen = BTreeSet::new();
        let mut evidence = Vec::new();
        for id in claim.evidence.iter().filter(|id| seen.insert(*id)) {
            // It cites what does not exist.
            let Some(found) = self.by_id.get(id) else { return Verdict::Ungrounded };
            evidence.push(*found);
        }
        let units: BTreeSet<&str> = evidence.iter().map(|one| one.unit.as_str()).collect();
        let unknown: Vec<String> =
            units.into_iter().filter(|unit| Unit::from_cf(unit).is_none()).map(str::to_owned).collect();
        let cited: Vec<Cited<'_>> = evidence.iter().map(|one| Cited::new(one, &unknown)).collect();
        let tokens = tokens(&claim.text, &self.names, &unknown);
        let sentence = Sentence::new(claim.op, &cited, &tokens);
        let mut tally = Tally::default();
        if self.by_id.is_empty() && tokens.iter().any(is_figure) {
            // There is nothing that a number could rest on.
            return Verdict::Ungrounded;
        }
        sentence.numbers(&mut tally);
        sentence.dates(&mut tally);
        sentence.datums(&mut tally);
        sentence.places(&mut tally);
        sentence.relations(&mut tally);
        tally.verdict()
    }
}

fn is_figure(token: &Token) -> bool {
    matches!(token.piece, Piece::Number(_) | Piece::Date { .. })
}

/// The worst of what was found, and whether anything was shown.
#[derive(Debug, Default)]
struct Tally {
    worst: Option<Verdict>,
    shown: bool,
}

impl Tally {
    fn add(&mut self, verdict: Verdict) {
        self.shown |= verdict == Verdict::Grounded;
        self.worst = self.worst.max(Some(verdict));
    }

    fn verdict(&self) -> Verdict {
        match self.worst.unwrap_or(Verdict::Uncheckable) {
            Verdict::Grounded | Verdict::Uncheckable if self.shown => Verdict::Grounded,
            worst => worst,
        }
    }
}

impl Sentence<'_> {
    /// Every number follows from the evidence, and one of them is what the operation is for.
    fn numbers(&self, tally: &mut Tally) {
        let mut measures = 0;
        let mut mains = 0;
        for (at, token) in self.tokens.iter().enumerate() {
            let Some(number) = token.number() else { continue };
            let Found { verdict, is_main, is_measure } = self.number(at, number);
            measures += usize::from(is_measure);
            mains += usize::from(is_main);
            tally.add(verdict);
        }
        let values = self.cited.iter().filter(|one| one.value.is_some()).take(2).count();
        let needs = match self.op {
            Operation::Diff
            | Operation::Ratio
            | Operation::Percent
            | Operation::Sum
            | Operation::Mean
            | Operation::Max
            | Operation::Min => values > 1,
            Operation::Count | Operation::Trend => true,
            Operation::Quote
            | Operation::Round
            | Operation::Convert
            | Operation::Compare
            | Operation::None => false,
        };
        // A number that does not follow says enough by itself.
        let all_follow = tally.worst <= Some(Verdict::Uncheckable);
        if needs && all_follow && measures > 0 && mains == 0 {
            tally.add(Verdict::Contradicted);
        }
    }

    /// Every date is one that the evidence knows.
    fn dates(&self, tally: &mut Tally) {
        let any = self.cited.iter().any(|one| !one.times.is_empty());
        for mention in &self.mentions {
            let is_count = mention.bare_year && {
                let year = f64::from(mention.from.year.unwrap_or(0));
                self.candidates.near(year, 0.5, &Unit::ONE).next().is_some()
            };
            tally.add(if is_count || mention.is_known(self.cited) {
                Verdict::Grounded
            } else if any {
                Verdict::Contradicted
            } else {
                Verdict::Uncheckable
            });
        }
        for token in self.tokens {
            let Piece::Season(season) = token.piece else { continue };
            let mut known = self.cited.iter().filter_map(|one| one.season).peekable();
            if known.peek().is_some() {
                let fits = known.any(|own| own == season);
                tally.add(if fits { Verdict::Grounded } else { Verdict::Contradicted });
            }
        }
    }

    /// A datum that is named is that of some cited evidence.
    fn datums(&self, tally: &mut Tally) {
        if self.cited.is_empty() {
            return;
        }
        for token in self.tokens {
            let Piece::Datum(datum) = token.piece else { continue };
            let word = format!(" {} ", datum.to_lowercase());
            if !self.cited.iter().any(|one| one.datum == Some(datum) || one.words.contains(&word)) {
                tally.add(Verdict::Contradicted);
            }
        }
    }

    /// A place that is named is not that of evidence which the claim does not cite.
    fn places(&self, tally: &mut Tally) {
        let known: BTreeSet<&str> =
            self.cited.iter().flat_map(|one| &one.names).map(String::as_str).collect();
        if known.is_empty() {
            return;
        }
        let mut named: BTreeSet<&str> = BTreeSet::new();
        let mut previous: Option<(usize, bool)> = None;
        for (at, token) in self.tokens.iter().enumerate() {
            let Piece::Place(name) = &token.piece else { continue };
            // "Fort Myers, Florida": a larger place behind the own one.
            let beside = previous.is_some_and(|(last, own)| own && at - last <= 2);
            let words = format!(" {name} ");
            let own =
                known.contains(name.as_str()) || self.cited.iter().any(|one| one.words.contains(&words));
            if own {
                named.insert(name);
            }
            if !own && !beside {
                tally.add(Verdict::Contradicted);
            }
            previous = Some((at, own || beside));
        }
        // A name that nothing knows, while a place that is cited goes without its name, stands for that place.
        let is_named = |one: &Cited<'_>| {
            let mut words =
                one.names.iter().filter(|name| name.contains(|c: char| c.is_alphabetic())).peekable();
            words.peek().is_none() || words.any(|name| named.contains(name.as_str()))
        };
        let is_missing = match self.op {
            Operation::Max | Operation::Min | Operation::Mean | Operation::Sum => {
                !self.cited.iter().any(|one| !one.names.is_empty() && is_named(one))
            }
            _ => self.cited.iter().any(|one| !is_named(one)),
        };
        if is_missing && has_unknown_place(self.tokens, self.cited) {
            tally.add(Verdict::Ungrounded);
        }
    }

    /// What the sentence says of the order of its evidence holds.
    fn relations(&self, tally: &mut Tally) {
        if matches!(self.op, Operation::Compare | Operation::Diff)
            && let Some(verdict) = order(self.tokens, self.cited, |a, b| self.is_first(a, b))
        {
            tally.add(verdict);
        }
        if self.op == Operation::Count
            && let Some(count) = self.tokens.iter().filter_map(Token::word).find_map(counted)
            && !self.tokens.iter().any(|token| token.number().is_some())
        {
            let fits = self.candidates.near(count, 0.5, &Unit::ONE).next().is_some();
            tally.add(if fits { Verdict::Grounded } else { Verdict::Contradicted });
        }
        if matches!(self.op, Operation::Max | Operation::Min) && !self.tokens.iter().any(is_figure) {
            let named = self.tokens.iter().find_map(|token| match &token.piece {
                Piece::Place(name) => self.cited.iter().position(|one| one.names.contains(name)),
                _ => None,
            });
            if let Some(at) = named.filter(|_| self.cited.len() > 1) {
                let fits = self.is_extreme(at);
                tally.add(if fits { Verdict::Grounded } else { Verdict::Contradicted });
            }
        }
        if self.op == Operation::Trend && !self.tokens.iter().any(|token| token.number().is_some()) {
            self.tendency(tally);
        }
    }

    /// "It warmed" without a number: the trends that are cited go that way.
    fn tendency(&self, tally: &mut Tally) {
        use super::comparison::is_interval_end;
        use super::direction::{change, is_denied};
        let signs: BTreeSet<bool> = self
            .cited
            .iter()
            .filter(|one| one.is_trend && !is_interval_end(one))
            .filter_map(|one| one.value)
            .map(|value| value > 0.0)
            .collect();
        let (Some(&up), 1) = (signs.first(), signs.len()) else { return };
        for (at, token) in self.tokens.iter().enumerate() {
            if let Some(said) = token.word().and_then(change).filter(|_| !is_denied(self.tokens, at)) {
                tally.add(if said == up { Verdict::Grounded } else { Verdict::Contradicted });
            }
        }
    }
}

/// Numbers that are written out.
fn counted(word: &str) -> Option<f64> {
    let words = ["two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"];
    words.iter().position(|known| *known == word).map(|at| at as f64 + 2.0)
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
            ("Coast warmed by 0.31 °C.", Operation::Trend, &two, Verdict::Contradicted),
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
            ("It held in 2 of 3 boxes.", Operation::Round, &one, Verdict::Uncheckable),
            ("It held in 2 of 3 boxes.", Operation::None, &[], Verdict::Ungrounded),
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

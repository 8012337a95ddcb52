//! [`clauses`]: the parts of a sentence that ask for things of their own: `the wind at Key West and the tide at Naples`.

use std::mem::discriminant;

use super::tools::LatestProduct;
use super::topics::{Topic, latest, topics};
use crate::question::places::places;
use crate::question::stations;

/// Where a sentence may be cut.
const JOINTS: [&str; 8] = [", and ", " and also ", " as well as ", " and ", ", ", "; ", " versus ", " plus "];

/// The clauses of a text; one when it asks for one thing.
pub(super) fn clauses(text: &str) -> Vec<&str> {
    let mut from = 0;
    let mut begins: Vec<(usize, Vec<Topic>)> = Vec::new();
    while from < text.len() {
        let rest = text.get(from..).unwrap_or_default();
        let cut = JOINTS
            .iter()
            .filter_map(|joint| Some((rest.find(joint)?, joint.len())))
            .min_by_key(|(at, length)| (*at, std::cmp::Reverse(*length)));
        let piece = rest.get(..cut.map_or(rest.len(), |(at, _)| at)).unwrap_or_default();
        let own = topics(piece);
        let new = match begins.last() {
            None => true,
            Some((_, before)) => {
                !before.is_empty()
                    && !own.is_empty()
                    && !same(before, &own)
                    && (parts_ways(&own) && parts_ways(before))
            }
        };
        if new {
            begins.push((from, own));
        } else if let Some((_, before)) = begins.last_mut().filter(|(_, before)| before.is_empty()) {
            *before = own;
        }
        from += cut.map_or(rest.len(), |(at, length)| at + length);
    }
    let ends = begins.iter().skip(1).map(|(at, _)| *at).chain([text.len()]);
    begins.iter().zip(ends).filter_map(|((from, _), to)| text.get(*from..to)).collect()
}

/// Whether a clause names no station and no town.
pub(super) fn is_placeless(clause: &str) -> bool {
    stations(clause).is_empty() && places(clause).is_empty()
}

/// Whether two lists of topics are about one thing: the wind now and its gusts are.
fn same(a: &[Topic], b: &[Topic]) -> bool {
    let thing = |topic: &Topic| match topic {
        Topic::Met(sensor) => Topic::Latest(latest(*sensor)),
        Topic::Currents => Topic::Latest(LatestProduct::Currents),
        Topic::Level => Topic::Latest(LatestProduct::WaterLevel),
        other => other.clone(),
    };
    match (a.first().map(thing), b.first().map(thing)) {
        (Some(a @ Topic::Latest(_)), Some(b @ Topic::Latest(_))) => a == b,
        (Some(a), Some(b)) => discriminant(&a) == discriminant(&b),
        _ => true,
    }
}

/// Datums, surges and records go with the words around them; the others can stand alone.
fn parts_ways(topics: &[Topic]) -> bool {
    topics.iter().all(|topic| {
        !matches!(
            topic,
            Topic::Datums(_)
                | Topic::Convert { .. }
                | Topic::Residual
                | Topic::Record
                | Topic::Extremes
                | Topic::Station
                | Topic::List
                | Topic::Nearest
                | Topic::StormEvents
                | Topic::DailyExtremes
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_asks_for_itself_is_a_clause() {
        for (text, count) in [
            (
                "the latest wind at Key West, the latest water level at The Battery and the latest current at cb1401",
                3,
            ),
            ("the amplitude and phase of M2 at 1612480", 1),
            ("the highest water level at 9447130 on 1 January 2015, and when", 1),
            ("the sea level trends at The Battery and at Nawiliwili", 1),
            ("the strongest gust and the highest water level at 9447130 on 2015-01-01", 2),
            ("MHHW and MLLW at the Battery", 1),
        ] {
            assert_eq!(clauses(text).len(), count, "{text}: {:?}", clauses(text));
        }
    }
}

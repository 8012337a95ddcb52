//! Which agents a text asks for, by the cues that they declare.

use std::collections::BTreeMap;

use leg_core::{AgentId, AgentSpec};

/// What a longer cue has taken, so that a shorter one inside it does not count: `flood map` is no `map`.
const TAKEN: char = '\u{1}';

/// How many words of a text are cues of each agent; agents without any are left out.
pub(super) fn scores<'a>(
    text: &str,
    agents: &(impl Iterator<Item = &'a AgentSpec> + Clone),
) -> BTreeMap<AgentId, usize> {
    let first = counted(text, agents.clone());
    // What an agent that is asked for takes for itself counts for no other.
    let mut scores = BTreeMap::new();
    for agent in agents.clone() {
        let mut rest = text.to_lowercase();
        let others = agents.clone().filter(|other| other.id != agent.id && first.contains_key(&other.id));
        for claimed in others.flat_map(|other| &other.cues).filter_map(|cue| cue.strip_prefix('-')) {
            // A longer cue of the agent's own that holds the phrase stays: `tide gauge` where `gauge` is taken.
            let own = agent.cues.iter().filter(|cue| cue.len() > claimed.len() && cue.contains(claimed));
            if !own.clone().any(|cue| !places(&rest, cue).is_empty()) {
                for at in places(&rest, claimed) {
                    rest.replace_range(at..at + claimed.len(), &TAKEN.to_string().repeat(claimed.len()));
                }
            }
        }
        if let Some(score) = counted(&rest, agents.clone()).get(&agent.id) {
            scores.insert(agent.id.clone(), *score);
        }
    }
    scores
}

fn counted<'a>(text: &str, agents: impl Iterator<Item = &'a AgentSpec>) -> BTreeMap<AgentId, usize> {
    let mut cues: Vec<(&str, Vec<&AgentId>)> = Vec::new();
    for agent in agents {
        for cue in agent.cues.iter().filter(|cue| !cue.starts_with('-')) {
            match cues.iter_mut().find(|(own, _)| own == cue) {
                Some((_, agents)) => agents.push(&agent.id),
                None => cues.push((cue, vec![&agent.id])),
            }
        }
    }
    // Longer cues first; of equal ones the order does not matter, as they cannot overlap in part and both count.
    cues.sort_by_key(|(cue, _)| (std::cmp::Reverse(cue.len()), *cue));
    let mut rest = text.to_lowercase().replace(['’', '\u{2011}'], "'");
    let mut scores = BTreeMap::new();
    for (cue, agents) in cues {
        let found = places(&rest, cue);
        for at in &found {
            rest.replace_range(*at..at + cue.len(), &TAKEN.to_string().repeat(cue.len()));
        }
        if !found.is_empty() {
            for agent in agents {
                *scores.entry(agent.clone()).or_default() += cue.split_whitespace().count() * found.len();
            }
        }
    }
    scores
}

/// Where a phrase stands as whole words. A plural counts as its singular.
fn places(text: &str, phrase: &str) -> Vec<usize> {
    if phrase.is_empty() {
        return Vec::new();
    }
    let is_word = |c: char| c.is_alphanumeric();
    text.match_indices(phrase)
        .filter(|(at, _)| {
            let before = text.get(..*at).and_then(|head| head.chars().next_back());
            let mut after = text.get(at + phrase.len()..).unwrap_or_default().chars();
            let next = match after.next() {
                Some('s') => after.next(),
                other => other,
            };
            !before.is_some_and(is_word) && !next.is_some_and(is_word)
        })
        .map(|(at, _)| at)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn agent(id: &str, cues: &[&str]) -> AgentSpec {
        let mut spec = AgentSpec::specialist(AgentId::new(id).unwrap(), "x");
        spec.cues = cues.iter().map(|cue| (*cue).to_owned()).collect();
        spec
    }

    #[test]
    fn longer_cues_win_over_what_they_hold() {
        let agents = [
            agent("fema", &["flood map", "flood zone"]),
            agent("osm", &["map"]),
            agent("b", &["flood zone"]),
        ];
        let shown = |text: &str| {
            let scores = scores(text, &agents.iter());
            scores.iter().map(|(id, score)| format!("{id}{score}")).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(shown("A flood map, please"), "fema2");
        assert_eq!(shown("A map of the flood zones"), "b2 fema2 osm1");
        assert_eq!(shown("mapping floods"), "");
    }
}

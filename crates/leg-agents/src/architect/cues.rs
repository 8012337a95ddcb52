//! Which agents a text asks for, by the cues that they declare.

use std::collections::{BTreeMap, BTreeSet};

use leg_core::{AgentId, AgentSpec};

/// What a longer cue has taken, so that a shorter one inside it does not count: `flood map` is no `map`.
const TAKEN: char = '\u{1}';

/// How much of a text is for an agent.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Score {
    /// How many of its words are cues.
    pub(super) words: usize,
    /// How many of them ask for something that stands alone, such as a list: cues that begin with `=`.
    pub(super) alone: usize,
}

/// A cue without its mark.
fn bare(cue: &str) -> &str {
    cue.trim_start_matches(['=', '@'])
}

/// How many words of a text are cues of each agent; agents without any are left out. Cues that begin with `@` are weak: they
/// count for agents who hold what the text names, such as a gauge.
pub(super) fn scores<'a>(
    text: &str,
    agents: &(impl Iterator<Item = &'a AgentSpec> + Clone),
    held: &BTreeSet<AgentId>,
) -> BTreeMap<AgentId, Score> {
    let first = counted(text, agents.clone(), held);
    // What an agent that is asked for takes for itself counts for no other.
    let mut scores = BTreeMap::new();
    for agent in agents.clone() {
        let mut rest = text.to_lowercase();
        // Who holds what is named shares the phrase with those who see the same kind of thing.
        let shared = |other: &AgentSpec| {
            held.contains(&agent.id) && agent.data_class.is_some() && other.data_class == agent.data_class
        };
        let others = agents
            .clone()
            .filter(|other| other.id != agent.id && first.contains_key(&other.id) && !shared(other));
        // Beside a rival, who claims what the agent has cues for, its weak ones say too little.
        let rival = |other: &AgentSpec| {
            let claims = other.cues.iter().filter_map(|cue| cue.strip_prefix('-'));
            claims.into_iter().any(|claim| agent.cues.iter().any(|cue| cue == claim))
        };
        let mut holders = held.clone();
        if others.clone().any(rival) {
            holders.remove(&agent.id);
        }
        for claimed in others.flat_map(|other| &other.cues).filter_map(|cue| cue.strip_prefix('-')) {
            // A longer cue of the agent's own that holds the phrase stays: `tide gauge` where `gauge` is taken.
            let own = agent.cues.iter().filter(|cue| !cue.starts_with('-')).map(|cue| bare(cue));
            let own = own.filter(|cue| cue.len() > claimed.len() && cue.contains(claimed));
            if !own.clone().any(|cue| !places(&rest, cue).is_empty()) {
                for at in places(&rest, claimed) {
                    rest.replace_range(at..at + claimed.len(), &TAKEN.to_string().repeat(claimed.len()));
                }
            }
        }
        if let Some(score) = counted(&rest, agents.clone(), &holders).get(&agent.id) {
            scores.insert(agent.id.clone(), *score);
        }
    }
    scores
}

fn counted<'a>(
    text: &str,
    agents: impl Iterator<Item = &'a AgentSpec>,
    held: &BTreeSet<AgentId>,
) -> BTreeMap<AgentId, Score> {
    let mut cues: Vec<(&str, Vec<(&AgentId, bool)>)> = Vec::new();
    for agent in agents {
        let own = agent
            .cues
            .iter()
            .filter(|cue| !cue.starts_with('-') && (!cue.starts_with('@') || held.contains(&agent.id)));
        for cue in own {
            let one = (&agent.id, cue.starts_with('='));
            match cues.iter_mut().find(|(own, _)| *own == bare(cue)) {
                Some((_, agents)) => agents.push(one),
                None => cues.push((bare(cue), vec![one])),
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
            for (agent, alone) in agents {
                let words = cue.split_whitespace().count() * found.len();
                let score: &mut Score = scores.entry(agent.clone()).or_default();
                score.words += words;
                score.alone += if alone { words } else { 0 };
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
            let scores = scores(text, &agents.iter(), &BTreeSet::new());
            scores.iter().map(|(id, score)| format!("{id}{}", score.words)).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(shown("A flood map, please"), "fema2");
        assert_eq!(shown("A map of the flood zones"), "b2 fema2 osm1");
        assert_eq!(shown("mapping floods"), "");
    }

    #[test]
    fn weak_cues_count_where_something_is_held_and_lists_stand_alone() {
        let agents =
            [agent("gauges", &["tide", "@wind", "=list of gauges"]), agent("storms", &["wind speed"])];
        let held: BTreeSet<AgentId> = [AgentId::new("gauges").unwrap()].into();
        let wind = scores("the wind at 8518750", &agents.iter(), &held);
        assert_eq!(wind.keys().map(AgentId::as_str).collect::<Vec<_>>(), ["gauges"]);
        assert!(scores("the wind", &agents.iter(), &BTreeSet::new()).is_empty());
        let list = scores("a list of gauges", &agents.iter(), &BTreeSet::new());
        assert_eq!(list.values().copied().collect::<Vec<_>>(), [Score { words: 3, alone: 3 }]);
    }
}

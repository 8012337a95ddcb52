//! [`Architect`]: the rules form.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use leg_core::plan::{AgentStep, Barriers, Body, Layer, PLAN_VERSION, Policy, Track};
use leg_core::{AgentId, AgentSpec, DataClass, IdError, NodeId, Plan, Registry, TrackId};

use super::cues::scores;
use super::parts::parts;
use super::refer::{refers_back, refers_to_all, refers_to_thing};
use super::{Hold, Subject, SubjectReader, Subjects};
use crate::planner::Missing;

/// The most tracks of a plan.
const MOST_TRACKS: usize = 12;

/// Makes plans of agents in layers.
#[derive(Debug, Clone)]
pub struct Architect {
    agents: Vec<AgentSpec>,
    subjects: Arc<dyn SubjectReader>,
}

/// What an architect makes of a question.
#[derive(Debug, Clone, PartialEq)]
pub enum ArchitectAnswer {
    /// A plan that answers it.
    Plan {
        /// The plan.
        plan: Plan,
        /// What the question did not say and the plan took for granted.
        assumptions: Vec<String>,
    },
    /// Something must be said first.
    Clarification(Vec<Missing>),
    /// No agent is asked for.
    NotForAgents,
}

/// A track in the making: its words, and who works on it.
#[derive(Debug, Clone)]
struct Part {
    text: String,
    label: String,
    agents: BTreeSet<AgentId>,
    /// Those of them who are asked for what stands alone, such as a list: they need nothing before.
    alone: BTreeSet<AgentId>,
    /// Those who are asked for such a thing among others: they need not be told what the question is about.
    listing: BTreeSet<AgentId>,
    subjects: Subjects,
}

impl Part {
    /// Whether it names nothing and asks the same agents for what stands alone: it is about the list before.
    fn is_of(&self, before: &Self) -> bool {
        let bare = self.subjects.named.is_empty() && !self.subjects.located && !self.subjects.dated;
        bare && self.alone == self.agents && self.agents.is_subset(&before.listing)
    }
}

impl Architect {
    /// An architect over the agents of a registry that declare cues.
    pub fn new(registry: &Registry, subjects: Arc<dyn SubjectReader>) -> Self {
        let agents = registry.agents().map(|agent| agent.spec.clone()).filter(|spec| !spec.cues.is_empty());
        Self { agents: agents.collect(), subjects }
    }

    /// Turns a question into a plan, or says what is missing, or that it is not for agents.
    pub fn plan(&self, question: &str) -> ArchitectAnswer {
        let mut found: Vec<Part> = Vec::new();
        let mut unanswered = Vec::new();
        for text in parts(question) {
            let part = self.part(text, found.last());
            match (part.agents.is_empty(), found.last_mut()) {
                // A question that nobody answers is said to be one, and is no part of the one before.
                (true, Some(_))
                    if text.ends_with('?') && (part.subjects.located || !part.subjects.named.is_empty()) =>
                {
                    unanswered.push(format!("no agent answers \"{text}\""));
                }
                // Words that ask for nothing of their own belong to the part before.
                (true, Some(last)) => {
                    last.text = format!("{} {text}", last.text);
                    last.subjects = self.subjects.read(&last.text);
                }
                // They may also name what the parts after them are about.
                (true, None) if !part.subjects.named.is_empty() || part.subjects.located => found.push(part),
                (true, None) => {}
                (false, Some(last)) if last.agents.is_empty() => {
                    let text = format!("{} {}", last.text, part.text);
                    *last = self.part(&text, None);
                }
                // `…; what is the id of the first?`: of the list before.
                (false, Some(last)) if part.is_of(last) => {
                    let text = format!("{} {}", last.text, part.text);
                    *last = self.part(&text, None);
                }
                (false, _) => found.push(part),
            }
        }
        found.retain(|part| !part.agents.is_empty());
        if found.is_empty() {
            return ArchitectAnswer::NotForAgents;
        }
        let mut found: Vec<Part> = found.iter().flat_map(|part| self.by_subject(part)).collect();
        for left in found.drain(MOST_TRACKS.min(found.len())..) {
            unanswered
                .push(format!("\"{}\" is left out: a plan has at most {MOST_TRACKS} tracks", left.text));
        }
        let missing = self.missing(&found);
        if !missing.is_empty() {
            return ArchitectAnswer::Clarification(missing);
        }
        let assumptions = found.iter().flat_map(|part| self.assumptions(part)).chain(unanswered).collect();
        match self.compose(question, &found) {
            Ok(plan) => ArchitectAnswer::Plan { plan, assumptions },
            // Ids are made of agents' ids and small letters, so that this cannot be.
            Err(_) => ArchitectAnswer::NotForAgents,
        }
    }

    fn part(&self, text: &str, before: Option<&Part>) -> Part {
        let mut subjects = self.subjects.read(text);
        let mut text = text.to_owned();
        // `When was that storm strongest? And where did it make landfall?`: `it` is what the part before is about.
        if subjects.named.is_empty()
            && (!subjects.located || refers_to_thing(&text))
            && refers_back(&text)
            && let Some(before) = before
            && !before.subjects.named.is_empty()
        {
            // `their`, `each storm`: all that the part before names, as it names them.
            let most = if refers_to_all(&text) { usize::MAX } else { 1 };
            let named = before.subjects.named.iter().take(most).map(|subject| {
                let mention = subject.mentions.first().and_then(|range| before.text.get(range.clone()));
                mention.unwrap_or(&subject.label).replace(['(', ')'], "")
            });
            text = format!("{text} ({})", named.collect::<Vec<_>>().join(", "));
            subjects = self.subjects.read(&text);
        }
        let of = |hold: Hold| {
            let held = subjects.held.iter().filter(move |held| held.hold == hold);
            held.flat_map(|held| self.providers(&held.fact)).collect::<Vec<_>>()
        };
        let (named, ids, own) = (of(Hold::Name), of(Hold::Id), of(Hold::Own));
        let held = named.into_iter().chain(ids.iter().cloned()).chain(own.iter().cloned()).collect();
        let scores = scores(&text, &self.agents.iter(), &held);
        let alone: BTreeSet<AgentId> =
            scores.iter().filter(|(_, score)| score.alone == score.words).map(|(id, _)| id.clone()).collect();
        let listing: BTreeSet<AgentId> =
            scores.iter().filter(|(_, score)| score.alone > 0).map(|(id, _)| id.clone()).collect();
        let mut agents: BTreeSet<AgentId> = scores.into_keys().collect();
        agents.extend(own);
        if agents.is_empty() {
            agents.extend(ids);
        }
        for subject in &subjects.named {
            let mut asked = agents.iter().filter(|id| !alone.contains(*id)).filter_map(|id| self.spec(id));
            let needed = asked.any(|spec| spec.needs.contains(&subject.fact));
            // A subject alone asks for what is known of it.
            if needed || agents.is_empty() {
                agents.extend(self.providers(&subject.fact));
            }
        }
        Part { label: label(&text), text, agents, alone, listing, subjects }
    }

    /// One part for each subject, when it names several of a kind: they are followed in parallel.
    fn by_subject(&self, part: &Part) -> Vec<Part> {
        let facts: BTreeSet<&str> = part.subjects.named.iter().map(|subject| subject.fact.as_str()).collect();
        let several = facts
            .into_iter()
            .map(|fact| part.subjects.named.iter().filter(|own| own.fact == fact).collect::<Vec<_>>())
            .find(|same| same.len() > 1);
        let Some(same) = several else {
            let mut part = part.clone();
            if let Some(subject) = part.subjects.named.first() {
                part.label.clone_from(&subject.label);
            }
            return vec![part];
        };
        same.iter()
            .map(|subject| {
                let others: Vec<&Subject> =
                    same.iter().filter(|own| own.label != subject.label).copied().collect();
                let text = without(&part.text, &others);
                let subjects = self.subjects.read(&text);
                let own = part.clone();
                Part { text, label: subject.label.clone(), subjects, ..own }
            })
            .collect()
    }

    /// What must be said before anybody can work: who needs a fact needs its subject, a place or a date.
    fn missing(&self, parts: &[Part]) -> Vec<Missing> {
        let named = parts.iter().any(|part| !part.subjects.named.is_empty());
        let mut missing = Vec::new();
        for part in parts {
            let asked = part.agents.iter().filter(|id| !part.listing.contains(*id));
            let needs: BTreeSet<&String> =
                asked.filter_map(|id| self.spec(id)).flat_map(|spec| &spec.needs).collect();
            let bare = part.subjects.named.is_empty() && !part.subjects.located && !part.subjects.dated;
            if let Some(fact) = needs.into_iter().next()
                && bare
                && !named
            {
                let what = fact.replace('_', " ");
                missing.push(Missing {
                    slot: fact.clone(),
                    ask: format!(
                        "\"{}\" names no storm, no place and no date. Which one is meant? (Agents need the {what}, or a \
                         station or coordinate with dates.)",
                        part.text
                    ),
                    choices: Vec::new(),
                });
            }
        }
        missing.dedup();
        missing
    }

    fn assumptions(&self, part: &Part) -> Vec<String> {
        let widened = part
            .agents
            .iter()
            .filter_map(|id| self.spec(id))
            .filter(|spec| spec.data_class == Some(DataClass::Observation) && !spec.needs.is_empty());
        let ids: Vec<&str> = widened.map(|spec| spec.id.as_str()).collect();
        if ids.len() > 1 && !part.subjects.named.is_empty() && !part.subjects.located {
            vec![format!(
                "\"{}\" names no gauge, so that {} look near the track's landfall",
                part.label,
                ids.join(" and ")
            )]
        } else {
            Vec::new()
        }
    }

    fn compose(&self, question: &str, parts: &[Part]) -> Result<Plan, IdError> {
        let several = parts.len() > 1;
        let mut ids: BTreeSet<String> = BTreeSet::new();
        let mut free = |wanted: String| {
            let mut id = wanted.clone();
            let mut number = 2;
            while !ids.insert(id.clone()) {
                id = format!("{wanted}_{number}");
                number += 1;
            }
            id
        };
        let mut tracks = Vec::new();
        for part in parts {
            let slug = slug(&part.label);
            let id = TrackId::new(if several { free(format!("track_{slug}")) } else { "main".to_owned() })?;
            let mut layers = Vec::new();
            for group in self.layers(&part.agents) {
                let mut nodes = Vec::new();
                for agent in group {
                    let name = agent.id.as_str();
                    let node = free(if several { format!("{name}_{slug}") } else { name.to_owned() });
                    nodes.push(AgentStep {
                        id: NodeId::new(node)?,
                        agent: agent.id.clone(),
                        task: part.text.clone(),
                        when: None,
                        limits: leg_core::plan::Limits::default(),
                    });
                }
                layers.push(Layer { policy: Policy::Settle, nodes });
            }
            tracks.push(Track {
                id,
                goal: part.label.clone(),
                barriers: Barriers::Strict,
                body: Body::Layers(layers),
                result: None,
            });
        }
        Ok(Plan { version: PLAN_VERSION, question: question.to_owned(), tracks })
    }

    /// Who works before whom: providers of facts, then observations, what is hypothetical, forecasts, the rest.
    fn layers(&self, agents: &BTreeSet<AgentId>) -> Vec<Vec<&AgentSpec>> {
        let chosen: Vec<&AgentSpec> = self.agents.iter().filter(|spec| agents.contains(&spec.id)).collect();
        let needed: BTreeSet<&String> = chosen.iter().flat_map(|spec| &spec.needs).collect();
        let mut layers: BTreeMap<usize, Vec<&AgentSpec>> = BTreeMap::new();
        for spec in chosen {
            let provides = spec.provides.iter().any(|fact| needed.contains(fact)) && spec.needs.is_empty();
            let rank = match spec.data_class {
                _ if provides => 0,
                _ if spec.produces_images => 4,
                Some(DataClass::Observation) => 1,
                Some(DataClass::Hypothetical) => 2,
                _ => 3,
            };
            layers.entry(rank).or_default().push(spec);
        }
        layers.into_values().collect()
    }

    fn spec(&self, id: &AgentId) -> Option<&AgentSpec> {
        self.agents.iter().find(|spec| spec.id == *id)
    }

    fn providers(&self, fact: &str) -> Vec<AgentId> {
        let of = |spec: &&AgentSpec| spec.provides.iter().any(|own| own == fact);
        self.agents.iter().filter(of).map(|spec| spec.id.clone()).collect()
    }
}

/// A text without the names of some subjects and what only joined them.
fn without(text: &str, others: &[&Subject]) -> String {
    let mut ranges: Vec<_> = others.iter().flat_map(|subject| subject.mentions.iter().cloned()).collect();
    ranges.sort_by_key(|range| std::cmp::Reverse(range.start));
    let mut text = text.to_owned();
    for range in ranges {
        if text.is_char_boundary(range.start) && text.is_char_boundary(range.end) && range.end <= text.len() {
            text.replace_range(range, "");
        }
    }
    joined(&text)
}

/// A text whose names were taken out, without the words that only joined them.
fn joined(text: &str) -> String {
    const JOINING: [&str; 7] = ["and", "or", "with", "versus", "vs", "vs.", ","];
    let mut words: Vec<&str> = text.split_whitespace().filter(|word| *word != "()").collect();
    let bare = |word: &str| word.trim_end_matches(['.', '?', '!', ',', ';']).is_empty();
    let mut at = 0;
    while at < words.len() {
        let next = words.get(at + 1);
        let before = at.checked_sub(1).and_then(|before| words.get(before));
        let dangling = words.get(at).is_some_and(|word| JOINING.contains(word))
            && (next.is_none_or(|next| bare(next) || JOINING.contains(next))
                || before.is_some_and(|before| {
                    matches!(before.to_lowercase().as_str(), "hurricanes" | "storms" | "between" | "of")
                }));
        if dangling {
            words.remove(at);
            at = at.saturating_sub(1);
        } else {
            at += 1;
        }
    }
    let text = words.join(" ");
    [" .", " ?", " ,", " !"].iter().fold(text, |text, mark| text.replace(mark, mark.trim_start()))
}

/// A short heading: the first words of a part.
fn label(text: &str) -> String {
    let text = text.trim_end_matches(['?', '.', '!']);
    let mut short = String::new();
    for word in text.split_whitespace() {
        if !short.is_empty() && short.len() + word.len() > 60 {
            break;
        }
        if !short.is_empty() {
            short.push(' ');
        }
        short.push_str(word);
    }
    short
}

/// A label as a part of an id.
fn slug(label: &str) -> String {
    let words = label.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty()).take(3);
    words.map(str::to_lowercase).collect::<Vec<_>>().join("_").chars().take(24).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_joined_a_name_goes_with_it() {
        for (text, expected) in [
            (
                "Compare the winds of hurricanes Michael (2018) and .",
                "Compare the winds of hurricanes Michael (2018).",
            ),
            (
                "Compare the winds of hurricanes and Ike (2008).",
                "Compare the winds of hurricanes Ike (2008).",
            ),
            ("Which was lower, Helene in 2024 or ?", "Which was lower, Helene in 2024?"),
            ("wind and pressure of Ida", "wind and pressure of Ida"),
        ] {
            assert_eq!(joined(text), expected, "{text}");
        }
    }
}

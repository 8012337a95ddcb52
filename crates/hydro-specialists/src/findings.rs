//! [`Findings`]: what a specialist says: sentences that cite evidence by its key, and gaps.

use leg_core::{AgentAnswer, Evidence, ToolError};

/// What a specialist found. Each sentence stands on a line of its own and ends with the keys of the evidence that it rests on,
/// such as `[coops.max]`; a reporter makes a claim of it.
#[derive(Debug, Clone, Default)]
pub(crate) struct Findings {
    lines: Vec<String>,
    gaps: Vec<String>,
}

impl Findings {
    /// Says a sentence that rests on evidence.
    pub(crate) fn say(&mut self, sentence: impl AsRef<str>, cited: &[&Evidence]) {
        let mut line = sentence.as_ref().replace('\n', " ").trim().to_owned();
        for (at, evidence) in cited.iter().enumerate() {
            line.push_str(if at == 0 { " [" } else { "[" });
            line.push_str(&evidence.key);
            line.push(']');
        }
        if !self.lines.contains(&line) {
            self.lines.push(line);
        }
    }

    /// How many sentences were said.
    pub(crate) fn count(&self) -> usize {
        self.lines.len()
    }

    /// Writes the sentences from one on anew; where there is nothing to change they stay.
    pub(crate) fn reword(&mut self, from: usize, change: impl Fn(&str) -> Option<String>) {
        for line in self.lines.iter_mut().skip(from) {
            if let Some(new) = change(line) {
                *line = new;
            }
        }
    }

    /// States what could not be found out, and why.
    pub(crate) fn gap(&mut self, gap: impl Into<String>) {
        let gap = gap.into();
        if !self.gaps.contains(&gap) {
            self.gaps.push(gap);
        }
    }

    /// States a failed call as a gap.
    pub(crate) fn failed(&mut self, what: &str, error: &ToolError) {
        self.gap(format!("{what}: {}", error.message));
    }

    /// Whether nothing was said.
    pub(crate) fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// The answer of the agent.
    pub(crate) fn into_answer(self) -> AgentAnswer {
        AgentAnswer { text: self.lines.join("\n"), gaps: self.gaps, ..AgentAnswer::default() }
    }
}

/// The evidence of a call by name, if it has a value. Evidence of a node's second call has a number after its name (`max_2`).
pub(crate) fn find<'a>(evidence: &'a [Evidence], name: &str) -> Option<&'a Evidence> {
    let named = |own: &str| {
        own.strip_prefix(name).is_some_and(|rest| {
            let number = rest.strip_prefix('_').unwrap_or_default();
            rest.is_empty() || (!number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()))
        })
    };
    evidence.iter().find(|one| named(&one.name) && !one.value.is_null())
}

//! [`PlannerAnswer`]: a plan, a question back, or a refusal.

use leg_core::Plan;
use serde::{Deserialize, Serialize};

/// What a planner makes of a question.
#[derive(Debug, Clone, PartialEq)]
pub enum PlannerAnswer {
    /// A plan that answers it.
    Plan {
        /// The plan; every id and reference in it is valid.
        plan: Plan,
        /// The skill that it was made from.
        skill: String,
        /// The skill that came second, for a second try.
        runner_up: Option<String>,
        /// What the question did not say and the plan took for granted.
        assumptions: Vec<String>,
    },
    /// Something must be said first.
    Clarification {
        /// What is missing.
        missing: Vec<Missing>,
        /// The same in one text for a person.
        message: String,
    },
    /// No skill answers such a question.
    OutOfScope {
        /// Why, and what can be asked.
        reason: String,
    },
}

/// One thing that a question must say.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Missing {
    /// The slot: `variable`, `region`, `time`, `depth`, `baseline`, `dataset` or a parameter of a skill.
    pub slot: String,
    /// The question to the person.
    pub ask: String,
    /// Answers that would do.
    pub choices: Vec<String>,
}

impl Missing {
    pub(super) fn new(slot: &str, ask: impl Into<String>, choices: Vec<String>) -> Self {
        Self { slot: slot.to_owned(), ask: ask.into(), choices }
    }
}

impl PlannerAnswer {
    pub(super) fn clarification(missing: Vec<Missing>) -> Self {
        let asks: Vec<String> = missing
            .iter()
            .map(|one| {
                if one.choices.is_empty() {
                    one.ask.clone()
                } else {
                    format!("{} Possible: {}.", one.ask, one.choices.join("; "))
                }
            })
            .collect();
        Self::Clarification { message: asks.join("\n"), missing }
    }
}

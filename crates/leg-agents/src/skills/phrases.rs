//! [`Phrases`]: the words that lead a question to a skill and set its parameters, as in `phrases.toml`.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The words of a skill.
///
/// A phrase is plain words. `*` at the end of a word stands for any ending, `...` for up to a few words between.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Phrases {
    /// The score without any phrase: how ready the skill is to take a question that says little.
    #[serde(default)]
    pub base: i32,
    /// On equal scores the lower level, the simpler skill, wins.
    #[serde(default)]
    pub level: u8,
    /// Phrases that speak for the skill, or against it with a negative score; each group counts once.
    #[serde(default)]
    pub cue: Vec<Cue>,
    /// Facts about the question's slots that speak for the skill.
    #[serde(default)]
    pub fact: Vec<FactScore>,
    /// Phrases that set a parameter.
    #[serde(default)]
    pub bind: Vec<Bind>,
    /// When another branch than the default is taken; the first rule that holds wins.
    #[serde(default)]
    pub branch: Vec<BranchRule>,
}

/// Phrases of one meaning.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cue {
    /// What they count.
    pub score: i32,
    /// The phrases.
    pub words: Vec<String>,
}

/// A score for facts about slots: `index`, `point`, `box`, `time`, `short_time`, `baseline`, `baseline_in_time`, `season`,
/// `depth`, `variable`, `cases_2`, `cases_3`, `cases_4`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FactScore {
    /// What they count when all hold.
    pub score: i32,
    /// Facts that must hold.
    #[serde(default)]
    pub set: Vec<String>,
    /// Facts that must not.
    #[serde(default)]
    pub unset: Vec<String>,
}

/// Phrases, or a pattern with a number in it, that set a parameter.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Bind {
    /// The parameter.
    pub parameter: String,
    /// Its value; absent with a pattern.
    #[serde(default, skip_serializing_if = "Value::is_null")]
    pub value: Value,
    /// The phrases.
    #[serde(default)]
    pub words: Vec<String>,
    /// A regular expression whose first group is a number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pattern: Option<String>,
    /// What the number is multiplied with.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scale: Option<f64>,
}

/// When a branch is taken.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BranchRule {
    /// The branch; `default` for the default one.
    pub name: String,
    /// Facts that must hold.
    #[serde(default)]
    pub set: Vec<String>,
    /// Facts that must not.
    #[serde(default)]
    pub unset: Vec<String>,
    /// One of these phrases must stand in the question, if there are any.
    #[serde(default)]
    pub words: Vec<String>,
    /// The simple skill that fits the question best must be one of these, if there are any.
    #[serde(default)]
    pub analysis: Vec<String>,
}

//! [`Skill`] and [`SkillSet`].

use std::collections::BTreeMap;

use super::{FrontMatter, Phrases, Workflow};

/// How one kind of question is answered.
#[derive(Debug, Clone, PartialEq)]
pub struct Skill {
    /// The folder's name.
    pub id: String,
    /// Name, description and tools.
    pub front: FrontMatter,
    /// The manual, in Markdown, without the front matter.
    pub manual: String,
    /// The procedure.
    pub workflow: Workflow,
    /// The words that lead here.
    pub phrases: Phrases,
}

/// Skills by id, with what was wrong with folders that are no skill.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct SkillSet {
    skills: BTreeMap<String, Skill>,
    problems: Vec<SkillProblem>,
}

/// Something that is wrong with a skill folder.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, serde::Serialize, thiserror::Error)]
#[error("{skill}/{file}: {message}")]
pub struct SkillProblem {
    /// The folder.
    pub skill: String,
    /// The file.
    pub file: String,
    /// What is wrong, and what to do.
    pub message: String,
}

impl SkillProblem {
    /// A problem with a file of a skill.
    pub fn new(skill: &str, file: &str, message: impl Into<String>) -> Self {
        Self { skill: skill.to_owned(), file: file.to_owned(), message: message.into() }
    }
}

impl SkillSet {
    pub(super) fn from_parts(skills: BTreeMap<String, Skill>, problems: Vec<SkillProblem>) -> Self {
        Self { skills, problems }
    }

    /// These skills and more; one of `more` takes the place of one with its id.
    #[must_use]
    pub fn joined(mut self, more: Self) -> Self {
        self.skills.extend(more.skills);
        self.problems.extend(more.problems);
        self
    }

    /// The skill with this id.
    pub fn get(&self, id: &str) -> Option<&Skill> {
        self.skills.get(id)
    }

    /// All skills by id.
    pub fn iter(&self) -> impl Iterator<Item = &Skill> {
        self.skills.values()
    }

    /// How many skills there are.
    pub fn len(&self) -> usize {
        self.skills.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.skills.is_empty()
    }

    /// What was wrong with folders that could not be read as a skill; [`check`](super::check) lists them too.
    pub fn problems(&self) -> &[SkillProblem] {
        &self.problems
    }
}

//! Skills: folders of data that say how a question is answered.
//!
//! A folder `skills/<id>/` has three files:
//!
//! - `SKILL.md`: Agent Skills front matter (`name` is the folder's name, `description`, `allowed-tools`), then the manual;
//! - `workflow.json`: the procedure as a template, exactly as FORMS.md gives it;
//! - `phrases.toml`: the words by which a question is led here, and the words that set parameters and branches. It stands
//!   beside `workflow.json` because that file's keys are fixed and because Agent Skills metadata holds plain texts only.
//!
//! [`load_dir`] and [`load_embedded`] read them, [`check`] holds them against a registry.

mod check;
mod front_matter;
mod load;
mod phrases;
mod skill;
mod workflow;

pub use check::check;
pub use front_matter::FrontMatter;
pub use load::{LoadError, load_dir, load_embedded};
pub use phrases::{Bind, BranchRule, Cue, FactScore, Phrases};
pub use skill::{Skill, SkillProblem, SkillSet};
pub use workflow::{
    Example, Parameter, Presence, SubSkill, TemplateResult, TemplateStep, ToolStep, When, Workflow,
};

//! Skills, plans and reports together, with the skills of the repository and fake tools.

mod hostile;
mod plans;
mod reports;
mod skills;
mod support;

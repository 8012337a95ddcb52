//! Reading skills from a folder, or from texts that a program carries.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::workflow::WORKFLOW_VERSION;
use super::{Phrases, Skill, SkillProblem, SkillSet, Workflow, front_matter};

/// No skill file is larger.
const MAX_BYTES: usize = 256 * 1024;

const FILES: [&str; 3] = ["SKILL.md", "workflow.json", "phrases.toml"];

/// A folder of skills cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// The file system refused.
    #[error("cannot read `{path}`: {source}; name a folder that holds skill folders", path = path.display())]
    Io {
        /// What was read.
        path: PathBuf,
        /// Why not.
        #[source]
        source: io::Error,
    },
}

/// Reads the skills in the sub-folders of a folder.
///
/// A folder that is no skill is a [problem](SkillSet::problems), not an error.
///
/// # Errors
/// [`LoadError`] when the folder or a file in it cannot be read.
pub fn load_dir(folder: &Path) -> Result<SkillSet, LoadError> {
    let fail = |path: &Path| {
        let path = path.to_owned();
        move |source| LoadError::Io { path, source }
    };
    let mut texts = Vec::new();
    for entry in fs::read_dir(folder).map_err(fail(folder))? {
        let skill = entry.map_err(fail(folder))?.path();
        let Some(id) = skill.file_name().and_then(|name| name.to_str()).map(str::to_owned) else { continue };
        if !skill.is_dir() || id.starts_with('.') {
            continue;
        }
        for file in FILES {
            let path = skill.join(file);
            match fs::read(&path) {
                Ok(bytes) => {
                    texts.push((format!("{id}/{file}"), String::from_utf8_lossy(&bytes).into_owned()));
                }
                Err(error) if error.kind() == io::ErrorKind::NotFound => {
                    texts.push((format!("{id}/"), String::new()));
                }
                Err(error) => return Err(fail(&path)(error)),
            }
        }
    }
    Ok(load_embedded(texts))
}

/// Reads skills from texts by path: `<id>/SKILL.md`, `<id>/workflow.json`, `<id>/phrases.toml`. Other paths are passed over.
///
/// ```
/// let skills = leg_agents::skills::load_embedded([("broken/SKILL.md", "no front matter")]);
/// assert!(skills.is_empty());
/// assert!(skills.problems().iter().any(|problem| problem.message.contains("begin the file with a line `---`")));
/// ```
pub fn load_embedded<P, T>(texts: impl IntoIterator<Item = (P, T)>) -> SkillSet
where
    P: AsRef<str>,
    T: AsRef<str>,
{
    let mut folders: BTreeMap<String, BTreeMap<String, String>> = BTreeMap::new();
    for (path, text) in texts {
        let path = path.as_ref().replace('\\', "/");
        let mut parts = path.rsplit('/');
        if let (Some(file), Some(id)) = (parts.next(), parts.next()) {
            let folder = folders.entry(id.to_owned()).or_default();
            if FILES.contains(&file) {
                folder.insert(file.to_owned(), text.as_ref().to_owned());
            }
        }
    }
    let mut skills = BTreeMap::new();
    let mut problems = Vec::new();
    for (id, files) in folders {
        match skill(&id, &files) {
            Ok(skill) => {
                skills.insert(id, skill);
            }
            Err(found) => problems.extend(found),
        }
    }
    SkillSet::from_parts(skills, problems)
}

fn skill(id: &str, files: &BTreeMap<String, String>) -> Result<Skill, Vec<SkillProblem>> {
    let mut problems = Vec::new();
    let mut text = |file: &str, needed: bool| match files.get(file) {
        Some(text) if text.len() > MAX_BYTES => {
            problems.push(SkillProblem::new(
                id,
                file,
                format!("is larger than {MAX_BYTES} bytes; shorten it"),
            ));
            None
        }
        Some(text) => Some(text.as_str()),
        None if needed => {
            problems.push(SkillProblem::new(id, file, "is missing; a skill folder has it"));
            None
        }
        None => None,
    };
    let (head, body, words) = (text(FILES[0], true), text(FILES[1], true), text(FILES[2], false));
    let front = head.and_then(|text| match front_matter::parse(text) {
        Ok(parsed) => Some(parsed),
        Err(error) => {
            problems.push(SkillProblem::new(id, FILES[0], error.to_string()));
            None
        }
    });
    let workflow = body.and_then(|text| match serde_json::from_str::<Workflow>(text) {
        Ok(workflow) if workflow.version == WORKFLOW_VERSION => Some(workflow),
        Ok(workflow) => {
            let message =
                format!("has version {}; this program reads version {WORKFLOW_VERSION}", workflow.version);
            problems.push(SkillProblem::new(id, FILES[1], message));
            None
        }
        Err(error) => {
            problems.push(SkillProblem::new(id, FILES[1], format!("cannot be read: {error}")));
            None
        }
    });
    let phrases = words.map_or_else(
        || Some(Phrases::default()),
        |text| match toml::from_str::<Phrases>(text) {
            Ok(phrases) => Some(phrases),
            Err(error) => {
                let message = format!("cannot be read: {}", error.message());
                problems.push(SkillProblem::new(id, FILES[2], message));
                None
            }
        },
    );
    match (front, workflow, phrases) {
        (Some((front, manual)), Some(workflow), Some(phrases)) if problems.is_empty() => {
            Ok(Skill { id: id.to_owned(), front, manual, workflow, phrases })
        }
        _ => Err(problems),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_folder_without_its_files_is_a_problem_for_each() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("empty")).unwrap();
        fs::write(folder.path().join("README.md"), "not a skill").unwrap();
        let skills = load_dir(folder.path()).unwrap();
        let problems: Vec<String> = skills.problems().iter().map(ToString::to_string).collect();
        assert_eq!(
            problems,
            [
                "empty/SKILL.md: is missing; a skill folder has it",
                "empty/workflow.json: is missing; a skill folder has it"
            ]
        );
        assert!(load_dir(&folder.path().join("nowhere")).is_err());
    }

    #[test]
    fn another_version_is_refused() {
        let head = "---\nname: a\ndescription: d\n---\n";
        let body = r#"{"version":2,"steps":[],"result":{"ref":"a","kind":"map","type":"x"}}"#;
        let skills = load_embedded([("a/SKILL.md", head), ("a/workflow.json", body)]);
        assert!(skills.problems()[0].message.contains("version 2"));
    }

    proptest! {
        #[test]
        fn no_text_panics(head in any::<String>(), body in any::<String>(), words in any::<String>()) {
            let _ = load_embedded([
                ("a/SKILL.md", format!("---\n{head}\n---\n")),
                ("a/workflow.json", body),
                ("a/phrases.toml", words),
            ]);
        }
    }
}

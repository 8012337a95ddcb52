//! `leg skills list|show|check`

use leg::Catalog;
use leg::agents::skills::{check, load_dir};
use serde_json::json;

use crate::args::{SkillsAction, SkillsArguments};
use crate::output::{DONE, Ending, FAILED, Failure, markdown_table, print, print_json, table};
use crate::session::Session;

pub(crate) fn skills(session: &Session, arguments: SkillsArguments) -> Ending {
    let mut catalog = session.bare_catalog()?;
    if let Some(dir) = &arguments.dir {
        catalog = catalog.with_skills(load_dir(dir).map_err(Failure::wrong)?);
    }
    match arguments.action.unwrap_or(SkillsAction::List { markdown: false }) {
        SkillsAction::List { markdown } => {
            list(session, &catalog, markdown);
            Ok(DONE)
        }
        SkillsAction::Show { id } => show(session, &catalog, &id),
        SkillsAction::Check => {
            let problems = check(catalog.skills(), catalog.registry());
            if session.json {
                print_json(
                    &json!({ "ok": problems.is_empty(), "skills": catalog.skills().len(), "problems": problems }),
                );
            } else if problems.is_empty() {
                print(&format!("{} skills, nothing wrong", catalog.skills().len()));
            } else {
                for problem in &problems {
                    print(&problem.to_string());
                }
            }
            Ok(if problems.is_empty() { DONE } else { FAILED })
        }
    }
}

fn list(session: &Session, catalog: &Catalog, markdown: bool) {
    if session.json {
        let skills: Vec<_> = catalog.skills().iter().map(|skill| &skill.front).collect();
        print_json(&json!({ "skills": skills }));
        return;
    }
    let rows: Vec<Vec<String>> = catalog
        .skills()
        .iter()
        .map(|skill| {
            vec![skill.id.clone(), skill.front.description.clone(), skill.front.allowed_tools.join(", ")]
        })
        .collect();
    let head = ["skill", "what for", "tools"];
    print(&if markdown { markdown_table(&head, &rows) } else { table(&head[..2], &rows) });
}

fn show(session: &Session, catalog: &Catalog, id: &str) -> Ending {
    let skill = catalog.skills().get(id).ok_or_else(|| {
        let ids: Vec<&str> = catalog.skills().iter().map(|skill| skill.id.as_str()).collect();
        Failure::wrong(format!("there is no skill `{id}`; there are: {}", ids.join(", ")))
    })?;
    if session.json {
        print_json(&json!({ "front_matter": skill.front, "manual": skill.manual }));
    } else {
        print(&skill.manual);
    }
    Ok(DONE)
}

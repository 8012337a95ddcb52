//! `leg agents [ID]`

use serde_json::{Value, json};

use crate::output::{DONE, Ending, Failure, print, print_json, table};
use crate::session::Session;

pub(crate) fn agents(session: &Session, id: Option<&str>) -> Ending {
    let catalog = session.bare_catalog()?;
    let registry = catalog.registry();
    if let Some(id) = id {
        let agent = registry.agent(id).ok_or_else(|| {
            let names: Vec<String> = registry.agents().map(|agent| agent.spec.id.to_string()).collect();
            Failure::wrong(format!("there is no agent `{id}`; there are: {}", names.join(", ")))
        })?;
        let mut document = json!(agent.spec);
        if let Value::Object(members) = &mut document {
            members.insert("definition".into(), json!(agent.definition));
        }
        print_json(&document);
        return Ok(DONE);
    }
    if session.json {
        let agents: Vec<_> = registry.agents().map(|agent| &agent.spec).collect();
        print_json(&json!({ "agents": agents }));
        return Ok(DONE);
    }
    let rows: Vec<Vec<String>> = registry
        .agents()
        .map(|agent| {
            let tools: Vec<&str> = agent.spec.tools.iter().map(AsRef::as_ref).collect();
            vec![agent.spec.id.to_string(), agent.spec.summary.clone(), tools.join(", ")]
        })
        .collect();
    print(&table(&["agent", "what for", "tools"], &rows));
    Ok(DONE)
}

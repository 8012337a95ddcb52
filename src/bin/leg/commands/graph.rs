//! `leg graph PLAN`

use leg::core::plan::validate;
use serde_json::json;

use crate::args::{GraphArguments, GraphFormat};
use crate::output::{DONE, Ending, Failure, print, print_json, talk};
use crate::session::{Session, cut_off, read_plan};

pub(crate) fn graph(session: &Session, arguments: &GraphArguments) -> Ending {
    let (plan, repairs) = read_plan(&arguments.plan)?;
    let cut = cut_off(&repairs);
    let catalog = session.bare_catalog()?;
    let valid = validate(plan, catalog.registry()).map_err(|faults| match &cut {
        // What was cut off explains what is wrong.
        Some(cut) => Failure::diagnostics(std::slice::from_ref(cut)),
        None => Failure::diagnostics(&faults),
    })?;
    if let Some(cut) = &cut {
        talk(&format!("note: {}", cut.message));
    }
    let (graph, explained) =
        catalog.compile_explained(&valid).map_err(|error| Failure::diagnostics(&error.diagnostics()))?;
    if session.json {
        let mut document = json!({
            "plan_digest": graph.digest(),
            "graph": graph.display().to_json(),
            "cost": graph.cost(),
            "rules": graph.applications(),
        });
        if arguments.explain {
            document["start"] = json!(explained.start);
            document["passes"] = json!(explained.passes);
        }
        print_json(&document);
        return Ok(DONE);
    }
    if arguments.explain {
        print(explained.to_string().trim_end());
        print("");
    }
    let shown = graph.display();
    print(&match arguments.format {
        GraphFormat::Text => format!("{}cost: {}", shown.indent(), graph.cost()),
        GraphFormat::Mermaid => shown.mermaid(),
        GraphFormat::Dot => shown.dot(),
        GraphFormat::Json => serde_json::to_string_pretty(&shown.to_json()).unwrap_or_default(),
    });
    Ok(DONE)
}

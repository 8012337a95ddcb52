//! `leg tools list|show|call`

use std::path::Path;
use std::sync::Arc;

use leg::Catalog;
use leg::core::tool::Workbench;
use leg::core::{AllowList, MemoryObjects, ObjectStore, ObjectStoreExt as _, ToolName, ToolOutput};
use serde_json::{Map, Value, json};

use crate::args::{DatasetArguments, ToolsAction, ToolsArguments};
use crate::output::{DONE, Ending, Failure, markdown_table, print, print_json, table};
use crate::session::Session;

/// How many numbers `--values` adds at most.
const VALUES: usize = 100_000;

pub(crate) async fn tools(session: &Session, arguments: ToolsArguments) -> Ending {
    match arguments.action.unwrap_or(ToolsAction::List { markdown: false }) {
        ToolsAction::List { markdown } => list(session, markdown),
        ToolsAction::Show { name } => show(session, &name),
        ToolsAction::Call { name, args, datasets, values, out } => {
            let call = Call { name, args, datasets, values, out: out.as_deref() };
            call.make(session).await
        }
    }
}

fn list(session: &Session, markdown: bool) -> Ending {
    let catalog = session.bare_catalog()?;
    if session.json {
        let tools: Vec<_> = catalog.registry().tools().map(|tool| &tool.spec).collect();
        print_json(&json!({ "tools": tools }));
        return Ok(DONE);
    }
    let rows: Vec<Vec<String>> = catalog
        .registry()
        .tools()
        .map(|tool| {
            let spec = &tool.spec;
            let gives: Vec<String> = spec
                .outputs
                .iter()
                .flat_map(|output| output.port.kinds())
                .map(|kind| kind.to_string())
                .collect();
            vec![spec.name.to_string(), spec.family.clone(), gives.join(" or "), spec.summary.clone()]
        })
        .collect();
    let head = ["tool", "family", "gives", "what for"];
    print(&if markdown { markdown_table(&head, &rows) } else { table(&head, &rows) });
    Ok(DONE)
}

fn unknown(catalog: &Catalog, name: &str) -> Failure {
    let names: Vec<&str> = catalog.registry().tools().map(|tool| tool.spec.name.as_str()).collect();
    Failure::wrong(format!("there is no tool `{name}`; there are: {}", names.join(", ")))
}

fn show(session: &Session, name: &str) -> Ending {
    let catalog = session.bare_catalog()?;
    let tool = catalog.registry().tool(name).ok_or_else(|| unknown(&catalog, name))?;
    let spec = &tool.spec;
    if session.json {
        let mut document = json!(spec);
        if let Value::Object(members) = &mut document {
            members.insert("definition".into(), json!(tool.definition));
        }
        print_json(&document);
        return Ok(DONE);
    }
    print(&format!("{}  {}", spec.name, spec.summary));
    if !spec.description.is_empty() {
        print(&format!("\n{}", spec.description));
    }
    let required: Vec<&str> = spec
        .arguments
        .get("required")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect();
    let properties = spec.arguments.get("properties").and_then(Value::as_object).cloned().unwrap_or_default();
    let text =
        |schema: &Value, key: &str| schema.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
    let rows: Vec<Vec<String>> = properties
        .iter()
        .map(|(name, schema)| {
            let kinds = spec
                .port(name)
                .map(|port| port.kinds().iter().map(ToString::to_string).collect::<Vec<_>>().join(" or "));
            let default = schema.get("default").map(ToString::to_string).unwrap_or_default();
            let needed = if required.contains(&name.as_str()) { "yes" } else { "" };
            let kind = kinds.filter(|kinds| !kinds.is_empty()).unwrap_or_else(|| text(schema, "type"));
            vec![name.clone(), kind, needed.to_owned(), default, text(schema, "description")]
        })
        .collect();
    print(&format!("\n{}", table(&["argument", "takes", "required", "default", "meaning"], &rows)));
    print(&format!("\nevidence  {}", spec.evidence.join(", ")));
    Ok(DONE)
}

struct Call<'a> {
    name: String,
    args: String,
    datasets: DatasetArguments,
    values: bool,
    out: Option<&'a Path>,
}

impl Call<'_> {
    async fn make(self, session: &Session) -> Ending {
        let catalog = session.catalog(&self.datasets)?;
        let name = ToolName::new(&self.name).map_err(Failure::wrong)?;
        catalog.registry().tool(&self.name).ok_or_else(|| unknown(&catalog, &self.name))?;
        let args: Value = serde_json::from_str(&self.args)
            .map_err(|error| Failure::wrong(format!("`--args` is not JSON: {error}")))?;
        let objects: Arc<dyn ObjectStore> = Arc::new(MemoryObjects::default());
        let bench =
            Workbench::new(Arc::clone(catalog.registry()), AllowList::only(name), Arc::clone(&objects));
        let output = bench.call(&self.name, args).await.map_err(Failure::wrong)?;
        if let Some(path) = self.out {
            write_out(path, &output)?;
        }
        let mut artifacts = Map::new();
        for (name, artifact) in &output.artifacts {
            let summary = objects.put_artifact(artifact).map_err(Failure::failed)?;
            let mut document = json!(summary);
            let numbers: usize = artifact.variables.iter().map(|variable| variable.values.len()).sum();
            if self.values
                && numbers <= VALUES
                && let (Value::Object(members), Value::Object(full)) = (&mut document, artifact.to_json())
            {
                members.extend(full);
            }
            artifacts.insert(name.clone(), document);
        }
        let evidence: Vec<Value> = output.evidence.iter().map(evidence_json).collect();
        if session.json {
            print_json(&json!({
                "tool": self.name, "status": "ok", "artifacts": artifacts, "evidence": evidence,
                "notes": output.notes, "sources": output.sources,
            }));
            return Ok(DONE);
        }
        let rows: Vec<Vec<String>> = output
            .evidence
            .iter()
            .map(|one| {
                vec![
                    one.name.clone(),
                    one.value.to_string(),
                    one.unit.clone(),
                    one.when.clone().unwrap_or_default(),
                ]
            })
            .collect();
        print(&table(&["evidence", "value", "unit", "when"], &rows));
        for (name, artifact) in &artifacts {
            print(&format!("{name}: {artifact}"));
        }
        output.notes.iter().for_each(|note| print(&format!("note: {note}")));
        Ok(DONE)
    }
}

fn evidence_json(one: &leg::core::EvidenceDraft) -> Value {
    json!({
        "name": one.name, "value": one.value, "unit": one.unit, "datum": one.datum, "when": one.when,
        "where": one.place, "baseline": one.baseline, "uncertainty": one.uncertainty, "n": one.n,
        "method": one.method, "pointer": one.pointer,
    })
}

/// Writes the file or the picture that a tool made.
fn write_out(path: &Path, output: &ToolOutput) -> Result<(), Failure> {
    let file = output
        .artifacts
        .values()
        .find(|artifact| !artifact.payload.is_empty())
        .map(|artifact| artifact.payload.to_vec());
    let picture = output.renderings.first().map(|rendering| rendering.bytes.clone());
    let bytes = file.or(picture).ok_or_else(|| {
        Failure::wrong(
            "the tool makes neither a file nor a picture; call `export_table` or `render_figure` for one",
        )
    })?;
    std::fs::write(path, bytes).map_err(|error| Failure::wrong(format!("`{}`: {error}", path.display())))
}

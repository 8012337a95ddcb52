//! What every [`Tool`] must do.

#![expect(clippy::panic, reason = "a suite says by panicking what does not hold")]

use std::collections::BTreeMap;
use std::sync::Arc;

use leg_core::tool::Workbench;
use leg_core::{
    AllowList, Artifact, EvidenceDraft, ObjectStore, Purity, Registry, Tool, ToolError, ToolErrorKind,
    ToolOutput, ToolSpec,
};
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

/// A call that a tool must answer.
#[derive(Debug, Clone)]
pub struct ToolCase {
    /// What it shows, for messages.
    pub name: String,
    /// The arguments; artifacts are named as `{"$artifact": "b3:…"}`.
    pub arguments: Value,
}

impl ToolCase {
    /// A case.
    pub fn new(name: &str, arguments: Value) -> Self {
        Self { name: name.to_owned(), arguments }
    }
}

/// Checks a tool: its specification; that it refuses nonsense; that each case is answered twice alike, with the
/// outputs, evidence and pointers that the specification promises; and that a stopped call ends.
///
/// `objects` holds the artifacts that the cases name.
///
/// # Panics
/// When the tool does not do what the port promises.
pub async fn tool(tool: &Arc<dyn Tool>, cases: &[ToolCase], objects: &Arc<dyn ObjectStore>) {
    let spec = tool.spec();
    let name = spec.name.as_str();
    specification(&spec);
    assert_eq!(
        spec.definition(),
        tool.spec().definition(),
        "`{name}`: the specification changes between calls"
    );

    let mut registry = Registry::default();
    if let Err(error) = registry.add_tool(Arc::clone(tool)) {
        panic!("`{name}` cannot be registered: {error}");
    }
    let bench = Workbench::new(Arc::new(registry), AllowList::only(spec.name.clone()), Arc::clone(objects));
    refuses_nonsense(&spec, &bench).await;

    assert!(!cases.is_empty(), "`{name}`: give at least one case");
    for case in cases {
        let label = format!("`{name}`, case `{}`", case.name);
        let answer = || bench.call(name, case.arguments.clone());
        let first = answer().await.unwrap_or_else(|error| panic!("{label} fails: {error}"));
        outputs(&label, &spec, &first);
        let second = answer().await.unwrap_or_else(|error| panic!("{label} fails the second time: {error}"));
        assert_eq!(identity(&first), identity(&second), "{label} gives another result the second time");
        stops(&label, &bench, &spec, case).await;
    }
}

fn specification(spec: &ToolSpec) {
    let name = spec.name.as_str();
    assert_ne!(name, "unnamed", "`TypedTool::NAME` is not a valid tool name");
    assert!(spec.version >= 1, "`{name}`: the version counts from 1");
    assert!(!spec.family.trim().is_empty(), "`{name}`: it needs a family to be listed in");
    let summary = spec.summary.trim();
    assert!(!summary.is_empty() && !summary.contains('\n'), "`{name}`: the summary is one line");
    assert!(!spec.outputs.is_empty(), "`{name}`: it returns nothing");
    assert_eq!(spec.arguments.get("type"), Some(&json!("object")), "`{name}`: arguments are a JSON object");
    for (argument, schema) in properties(spec) {
        if schema.get("x-leg-port").is_some() {
            assert!(
                spec.port(argument).is_some(),
                "`{name}`: the port of `{argument}` cannot be read: {schema}"
            );
        }
    }
    let mut outputs: Vec<&str> = spec.outputs.iter().map(|output| output.name.as_str()).collect();
    outputs.sort_unstable();
    outputs.dedup();
    assert_eq!(outputs.len(), spec.outputs.len(), "`{name}`: two outputs have one name");
    let mut evidence = spec.evidence.clone();
    evidence.sort_unstable();
    evidence.dedup();
    assert_eq!(evidence.len(), spec.evidence.len(), "`{name}`: an evidence is listed twice");
    assert!(
        spec.hosts.is_empty() || spec.purity == Purity::External,
        "`{name}`: a tool that contacts hosts is external"
    );
}

fn properties(spec: &ToolSpec) -> impl Iterator<Item = (&String, &Value)> {
    spec.arguments.get("properties").and_then(Value::as_object).into_iter().flatten()
}

/// Wrong arguments are refused as such: none of them panics or is taken.
async fn refuses_nonsense(spec: &ToolSpec, bench: &Workbench) {
    let name = spec.name.as_str();
    let mut wrong = vec![json!(null), json!([]), json!("text"), json!(17)];
    if spec.arguments.get("additionalProperties") == Some(&Value::Bool(false)) {
        wrong.push(json!({"no_such_argument": 1}));
    }
    for (argument, schema) in properties(spec) {
        if schema.get("type").is_some() {
            wrong.push(json!({ argument.as_str(): {"nonsense": []} }));
        }
    }
    for arguments in wrong {
        match bench.call(name, arguments.clone()).await {
            Err(ToolError { kind: ToolErrorKind::InvalidArguments, message }) => {
                assert!(!message.trim().is_empty(), "`{name}`: {arguments} is refused without a word");
            }
            other => panic!("`{name}`: {arguments} must be refused as invalid arguments, and gave {other:?}"),
        }
    }
}

fn outputs(label: &str, spec: &ToolSpec, output: &ToolOutput) {
    for (name, artifact) in &output.artifacts {
        let Some(declared) = spec.find_output(name) else {
            panic!("{label}: the output `{name}` is not declared");
        };
        let kind = artifact.kind;
        assert!(
            declared.port.accepts(kind),
            "{label}: `{name}` is a {kind}, and {:?} is declared",
            declared.port
        );
        artifact_is_whole(label, name, artifact);
    }
    let primary = spec.primary();
    assert!(output.artifacts.contains_key(primary), "{label}: the primary output `{primary}` is missing");
    let mut seen = std::collections::BTreeSet::new();
    for draft in &output.evidence {
        let name = draft.name.as_str();
        assert!(
            spec.evidence.iter().any(|listed| listed == name),
            "{label}: evidence `{name}` is not listed"
        );
        assert!(seen.insert(name), "{label}: evidence `{name}` stands twice");
        assert!(!draft.method.trim().is_empty(), "{label}: evidence `{name}` has no method");
        assert!(
            !draft.value.is_number() || !draft.unit.is_empty(),
            "{label}: the number `{name}` has no unit; a pure number has `1`"
        );
        let target = draft.output.as_deref().unwrap_or(primary);
        let Some(artifact) = output.artifacts.get(target) else {
            panic!("{label}: evidence `{name}` points into `{target}`, which is not there");
        };
        let json = artifact.to_json();
        let Some(pointed) = json.pointer(&draft.pointer) else {
            panic!("{label}: evidence `{name}` points to `{}`, which is not there", draft.pointer);
        };
        if pointed.is_number() && draft.value.is_number() {
            assert_eq!(pointed.as_f64(), draft.value.as_f64(), "{label}: `{name}` is not what it points to");
        }
    }
    assert!(
        output.renderings.is_empty() || spec.produces_images,
        "{label}: it makes pictures and its specification does not say so"
    );
}

fn artifact_is_whole(label: &str, name: &str, artifact: &Artifact) {
    for variable in &artifact.variables {
        let (own, expected) = (&variable.name, variable.shape.iter().product::<usize>());
        assert_eq!(
            variable.values.len(),
            expected,
            "{label}: `{name}`/`{own}` does not have its shape's length"
        );
        assert_eq!(
            variable.dims.len(),
            variable.shape.len(),
            "{label}: `{name}`/`{own}` has dims without length"
        );
        assert!(!variable.units.is_empty(), "{label}: `{name}`/`{own}` has no units; a pure number has `1`");
        for (dim, length) in variable.dims.iter().zip(&variable.shape) {
            if let Some(coord) = artifact.coords.get(dim) {
                assert_eq!(coord.values.len(), *length, "{label}: the coordinate `{dim}` of `{name}`");
            }
        }
    }
    let encoded =
        artifact.encode().unwrap_or_else(|error| panic!("{label}: `{name}` cannot be stored: {error}"));
    let back = Artifact::decode(&encoded);
    assert!(
        back.is_ok_and(|back| back.encode().ok().as_ref() == Some(&encoded)),
        "{label}: `{name}` comes back"
    );
}

/// What must not change from one call to the next.
#[derive(Debug, PartialEq)]
struct Identity {
    stored: BTreeMap<String, Option<Vec<u8>>>,
    evidence: Vec<EvidenceDraft>,
    notes: Vec<String>,
}

fn identity(output: &ToolOutput) -> Identity {
    Identity {
        stored: output
            .artifacts
            .iter()
            .map(|(name, artifact)| (name.clone(), artifact.encode().ok()))
            .collect(),
        evidence: output.evidence.clone(),
        notes: output.notes.clone(),
    }
}

/// A call that is stopped before it starts ends: with an answer if it is quick, else as cancelled.
async fn stops(label: &str, bench: &Workbench, spec: &ToolSpec, case: &ToolCase) {
    let cancel = CancellationToken::new();
    cancel.cancel();
    let stopped = bench.clone().stopped_by(cancel);
    match stopped.call(spec.name.as_str(), case.arguments.clone()).await {
        Ok(_) | Err(ToolError { kind: ToolErrorKind::Cancelled, .. }) => {}
        Err(error) => panic!("{label}: a stopped call ends as `{}`: {error}", error.kind.as_str()),
    }
}

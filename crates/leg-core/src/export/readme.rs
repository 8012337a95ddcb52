//! The `README.md` of an exported folder: what it is and how to check it.
//!
//! The text follows from the manifest alone, so that [`verify`](crate::ledger::verify) can write it again and
//! compare: nobody can slip other instructions to an auditor. Whoever changes the text keeps the old form too, or
//! older folders no longer verify.

use serde_json::Value;

/// The file's name.
pub const README: &str = "README.md";

/// The text for a run with this manifest.
///
/// ```
/// use leg_core::export::readme;
///
/// let text = readme(&serde_json::json!({"run": "small"}));
/// assert!(text.contains("leg verify"));
/// ```
pub fn readme(manifest: &Value) -> String {
    let text = |key: &str| manifest.get(key).and_then(Value::as_str).unwrap_or("unknown");
    // The question is the one text that is not ours: as a code block it can be nothing else.
    let question = text("question").split_whitespace().collect::<Vec<_>>().join(" ");
    format!(
        "# Run {run}

This folder holds one finished run of `leg`, with every object that it refers to. It needs nothing else.

The question:

    {question}

| | |
| --- | --- |
| status | {status} |
| started | {started} |
| finished | {finished} |
| engine | {engine} |
| approved by | {by} |
| plan digest | `{plan}` |
| content root | `{content}` |
| log root | `{log}` |

## How to check it

In the folder that holds this file:

    leg verify .            # every line, both roots, every object, every file
    leg replay .            # the graph once more from the recorded answers, without any source
    leg trace . E1          # from a number of the report to the call and the bytes that it came from

A root that you got from somewhere else (a paper, a message) is checked with `leg verify . --root b3:…`. Without one,
verification finds any change short of rewriting the whole chain.

## What is in it

- `report.md`, `report.json`: the answer, its claims, its gaps, its evidence.
- `figures/`: the pictures of the report, where there are some.
- `ledger.jsonl`: what happened, one hash-chained record a line.
- `run.json`: a summary of the ledger.
- `objects/`: plans, arguments, results and data, each named by its BLAKE3 digest.
- `plan.json`, `ro-crate-metadata.json`: only in a Provenance Run Crate; the plan that ran, and the description of
  everything here as linked data.
",
        run = text("run_id"),
        status = text("status"),
        started = text("started"),
        finished = text("finished"),
        engine = text("engine"),
        by = text("approved_by").replace('|', "\\|"),
        plan = text("plan_digest"),
        content = text("content_root"),
        log = text("log_root"),
    )
}

//! `prov-json`: the run as W3C PROV (<https://www.w3.org/submissions/prov-json/>).
//!
//! | of the run | in PROV |
//! | --- | --- |
//! | question, plan, artifacts, evidence, sources, texts, report files | entities |
//! | the run, each run of a node, each call, the approval | activities |
//! | engine, tools, agents, roles, who approved | agents |
//!
//! Ids are qualified names: `leg:` for what outlives a run (tools, agents, the engine, objects by their digest), `run:`
//! for what belongs to this one. The same run gives the same document.

mod document;
mod things;
mod work;

use self::document::Document;
use crate::export::staging::Staging;
use crate::export::{Export, ExportError, RunRecord};

pub(super) const EXPORT: Export =
    Export { name: "prov-json", summary: "W3C PROV-JSON for provenance tools", is_folder: false, write };

fn write(record: &RunRecord, out: &mut Staging) -> Result<(), ExportError> {
    let mut document = Document::default();
    things::add(&mut document, record);
    work::add(&mut document, record);
    let mut text = serde_json::to_vec_pretty(&document.into_json(&record.run_id)).unwrap_or_default();
    text.push(b'\n');
    out.write(&text)
}

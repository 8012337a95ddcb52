//! The files of a crate: those of the run, the plan, and every object, each with its SHA-256.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use super::graph::Crate;
use super::root::ROOT;
use crate::export::beside::{BESIDE, PLAN};
use crate::export::bundle::object_name;
use crate::export::readme::{README, readme};
use crate::export::references::references;
use crate::export::{ExportError, RunRecord};
use crate::ledger::manifest;
use crate::{Digest, Summary};

/// Takes a file of a crate by its name.
pub(super) type Put<'a> = dyn FnMut(&str, &[u8]) -> Result<(), ExportError> + 'a;

/// The objects that are files of the crate.
#[derive(Debug)]
pub(super) struct Files {
    kept: BTreeSet<Digest>,
}

impl Files {
    /// Puts all files into the crate, but for `without`, and adds their entities.
    pub(super) fn add(
        entities: &mut Crate,
        record: &RunRecord,
        without: Option<&str>,
        out: &mut Put<'_>,
    ) -> Result<Self, ExportError> {
        let manifest = manifest(record.ledger(), record.log_root);
        let text = readme(&manifest);
        put(
            entities,
            out,
            README,
            text.as_bytes(),
            &json!({
                "name": README,
                "description": "What this folder is, and how to check it.",
                "encodingFormat": "text/markdown",
                "about": { "@id": ROOT },
            }),
        )?;
        let plan = record.objects().get(&record.plan_object)?;
        // Its further properties are those of the workflow.
        put(entities, out, PLAN, &plan, &json!({ "encodingFormat": "application/json" }))?;
        for name in record.folder().files()? {
            if !BESIDE.contains(&name.as_str()) && without != Some(name.as_str()) {
                let bytes = record.folder().read(&name)?;
                put(entities, out, &name, &bytes, &described(&name))?;
            }
        }
        let kept = references(record)?;
        let artifacts = record.artifacts();
        let pictures: BTreeMap<Digest, &str> = record
            .calls
            .iter()
            .flat_map(|call| &call.renderings)
            .map(|picture| (picture.digest, picture.media_type.as_str()))
            .collect();
        for digest in &kept {
            let bytes = record.objects().get(digest)?;
            let mut properties = match (artifacts.get(digest), pictures.get(digest)) {
                (Some(summary), _) => artifact(summary),
                (None, Some(media_type)) => json!({
                    "name": "picture",
                    "description": "A picture that a call made.",
                    "encodingFormat": media_type,
                }),
                (None, None) => json!({
                    "name": "record",
                    "description": "A plan, arguments or a result that the ledger refers to.",
                    "encodingFormat": "application/json",
                }),
            };
            if let Some(members) = properties.as_object_mut() {
                members.insert("identifier".to_owned(), json!(digest));
            }
            put(entities, out, &object_name(&digest.to_hex()), &bytes, &properties)?;
        }
        Ok(Self { kept })
    }

    /// The entity of an artifact: its file, or, where its bytes were not kept, what is known of it.
    pub(super) fn artifact(
        &self,
        entities: &mut Crate,
        digest: &Digest,
        summary: Option<&Summary>,
    ) -> String {
        if self.kept.contains(digest) {
            return object_name(&digest.to_hex());
        }
        let id = format!("#artifact/{}", digest.to_hex());
        let mut properties = summary.map_or_else(|| json!({ "name": "artifact" }), artifact);
        if let Some(members) = properties.as_object_mut() {
            members.remove("encodingFormat");
            members.insert("identifier".to_owned(), json!(digest));
            members.insert("abstract".to_owned(), json!("Its bytes were not kept with the run."));
        }
        entities.add(&id, &["CreativeWork"], properties);
        id
    }
}

/// Puts a file and adds its entity as a part of the root.
fn put(
    entities: &mut Crate,
    out: &mut Put<'_>,
    name: &str,
    bytes: &[u8],
    properties: &Value,
) -> Result<(), ExportError> {
    out(name, bytes)?;
    let mut sha256 = String::with_capacity(64);
    for byte in Sha256::digest(bytes) {
        let _ = write!(sha256, "{byte:02x}");
    }
    entities.add(name, &["File"], properties.clone());
    entities.add(name, &["File"], json!({ "contentSize": bytes.len().to_string(), "sha256": sha256 }));
    entities.link(ROOT, "hasPart", name);
    Ok(())
}

/// What a file of a run folder is.
fn described(name: &str) -> Value {
    let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
    let description = match name {
        "ledger.jsonl" => "What happened in the run: one hash-chained record a line.",
        "run.json" => "A summary of the ledger: ids, roots, status.",
        "report.md" => "The answer, to read.",
        "report.json" => "The answer with its claims, gaps and evidence.",
        _ if name.starts_with("figures/") => "A picture of the report.",
        _ => "A file of the run.",
    };
    let encoding = match extension {
        "jsonl" => "application/jsonl",
        "json" => "application/json",
        "md" => "text/markdown",
        "png" => "image/png",
        "svg" => "image/svg+xml",
        _ => "application/octet-stream",
    };
    json!({ "name": name, "description": description, "encodingFormat": encoding })
}

fn artifact(summary: &Summary) -> Value {
    let mut description = format!("An artifact of kind {}", summary.kind);
    if !summary.dims.is_empty() {
        let _ = write!(description, " over ({}) of shape {:?}", summary.dims.join(", "), summary.shape);
    }
    if !summary.units.is_empty() {
        let _ = write!(description, " in {}", summary.units);
    }
    description.push_str(
        ": a line of canonical JSON, then the values as little-endian doubles or the file's bytes.",
    );
    json!({
        "name": summary.name,
        "description": description,
        "encodingFormat": "application/octet-stream",
    })
}

//! Reading a field inside a call: stop signal and progress in, sources and errors out.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use leg_core::{Source, ToolContext, ToolError, ToolErrorKind};
use ocean_data::Field;
use ocean_data::dataset::ReadError;
use ocean_data::field::{ChunkTree, WalkControl, WalkError};
use serde_json::{Value, json};

/// A walk that reports to the call and ends when the call is stopped.
pub(crate) fn control(context: &ToolContext) -> WalkControl {
    let stop = Arc::new(AtomicBool::new(context.is_cancelled()));
    let flag = Arc::clone(&stop);
    let context = context.clone();
    let progress = move |done: usize, total: usize| {
        context.progress(done as u64, total as u64);
        if context.is_cancelled() {
            flag.store(true, Ordering::Relaxed);
        }
    };
    WalkControl { cancelled: Some(stop), progress: Some(Arc::new(progress)), ..WalkControl::default() }
}

/// What a walk read, for the log.
pub(crate) fn source(field: &Field, chunks: &ChunkTree) -> Source {
    let dataset = field.dataset();
    let facts = BTreeMap::from([
        ("dataset".to_owned(), dataset.identity().to_string()),
        ("reader".to_owned(), dataset.store().format().to_owned()),
        ("variable".to_owned(), field.name().to_owned()),
        ("hashed".to_owned(), if chunks.raw { "stored bytes" } else { "decoded values" }.to_owned()),
    ]);
    Source {
        address: public_address(dataset.uri()),
        bytes: chunks.bytes,
        parts: chunks.chunks,
        digest: chunks.digest,
        facts,
    }
}

/// What a reader must know of a field.
pub(crate) fn notes(field: &Field) -> Vec<String> {
    let mut notes = field.notes().to_vec();
    if field.units().is_empty() {
        notes.push(format!(
            "the data state no units for `{}`; its values are given as pure numbers",
            field.name()
        ));
    }
    notes
}

/// Region and depth of a field, as facts of what is made from it.
pub(crate) fn place(field: &Field) -> BTreeMap<String, Value> {
    let selection = field.selection();
    let mut facts = BTreeMap::new();
    if let Some(region) = &selection.region {
        facts.insert("region".to_owned(), region.to_json());
    }
    if let Some(depth) = &selection.depth {
        facts.insert("depth".to_owned(), depth.to_json());
    }
    if let Some(levels) = field.depths() {
        facts.insert("depth_levels".to_owned(), json!(levels.values));
    }
    facts
}

/// What a failed walk means for the caller.
pub(crate) fn cannot_read(error: &WalkError) -> ToolError {
    let kind = match error {
        WalkError::Cancelled { .. } => ToolErrorKind::Cancelled,
        WalkError::TooLarge { .. } => ToolErrorKind::LimitExceeded,
        WalkError::Read(ReadError::Io { .. }) => ToolErrorKind::Unavailable,
        _ => ToolErrorKind::BadData,
    };
    ToolError::new(kind, error.to_string())
}

/// An address without user, password, query and fragment.
fn public_address(uri: &str) -> String {
    let Some((scheme, rest)) = uri.split_once("://") else { return uri.to_owned() };
    let rest = rest.split(['?', '#']).next().unwrap_or(rest);
    let (host, path) = rest.find('/').map_or((rest, ""), |at| rest.split_at(at));
    let host = host.rsplit_once('@').map_or(host, |(_, host)| host);
    format!("{scheme}://{host}{path}")
}

#[cfg(test)]
mod tests {
    use super::public_address;

    #[test]
    fn secrets_stay_out_of_addresses() {
        for (uri, public) in [
            ("https://me:pass@host/a/b.zarr?token=t#x", "https://host/a/b.zarr"),
            ("https://host?key=a/b@c", "https://host"),
            ("s3://bucket/key@v1.nc", "s3://bucket/key@v1.nc"),
            ("/data/a?b.nc", "/data/a?b.nc"),
        ] {
            assert_eq!(public_address(uri), public);
        }
    }
}

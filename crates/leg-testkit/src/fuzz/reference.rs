//! The property of references: those of plans and those of schemas.

use leg_core::Registry;
use leg_core::plan::Reference;
use leg_core::tool::{resolve_reference, schema_faults};
use serde_json::{Value, json};

/// The first line is a reference; the rest, where it is JSON, a schema that it may point into.
///
/// - A reference of a plan that is read is written and read back as the same.
/// - A pointer of a schema finds what the library's own pointer finds, or is refused: it never finds another thing.
/// - A schema with a reference that cannot be followed has a fault, so that no check is turned off.
///
/// # Panics
/// When one of these does not hold.
pub fn reference(_: &Registry, data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let (line, rest) = text.split_once('\n').unwrap_or((&text, ""));
    if let Ok(reference) = line.parse::<Reference>() {
        assert_eq!(reference.to_string().parse::<Reference>().as_ref(), Ok(&reference), "{line:?}");
    }
    let schema: Value =
        serde_json::from_str(rest).unwrap_or_else(|_| json!({"$defs": {"a": {"type": "string"}}}));
    let found = resolve_reference(&schema, line);
    if let Some(pointer) = line.strip_prefix('#').filter(|pointer| !pointer.contains('%'))
        && let Ok(found) = found
    {
        assert_eq!(schema.pointer(pointer), Some(found), "{line:?} in {schema}");
    }
    let _ = schema_faults(&schema);
    let referring = json!({"properties": {"x": {"$ref": line}}, "$defs": {"schema": schema}});
    if resolve_reference(&referring, line).is_err() {
        assert!(!schema_faults(&referring).is_empty(), "{line:?} is not followed and nothing is said");
    }
}

//! Properties that must hold for any bytes. A fuzzer, a saved corpus and random tests all call these same functions.
//!
//! Each function takes what a fuzzer gives it and panics when its property does not hold. Bytes that are no UTF-8 are
//! read with replacement characters, so that none of them is wasted.

mod evidence_text;
mod ledger_line;
mod plan_json;
mod plan_text;
mod reference;

pub use evidence_text::evidence_text;
pub use ledger_line::ledger_line;
pub use plan_json::plan_json;
pub use plan_text::plan_text;
pub use reference::reference;

use leg_core::Registry;

/// A property of any bytes.
pub type Property = fn(&Registry, &[u8]);

/// The properties by the names of their fuzz targets and of their folders in the corpus.
pub const PROPERTIES: [(&str, Property); 5] = [
    ("evidence_text", evidence_text),
    ("ledger_line", ledger_line),
    ("plan_json", plan_json),
    ("plan_text", plan_text),
    ("reference", reference),
];

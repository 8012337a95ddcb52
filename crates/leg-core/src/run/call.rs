//! [`CallResult`]: what a finished call leaves: digests, evidence, notes. Data stays in the object store.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::run::Amounts;
use crate::{Digest, Evidence, Source, Summary};

/// What a finished call leaves.
///
/// ```
/// use leg_core::run::CallResult;
///
/// let nothing = CallResult::default();
/// assert!(nothing.outputs.is_empty() && nothing.evidence.is_empty());
/// ```
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CallResult {
    /// Artifacts by output name.
    pub outputs: BTreeMap<String, Summary>,
    /// Evidence with its keys.
    pub evidence: Vec<Evidence>,
    /// What a reader must know.
    pub notes: Vec<String>,
    /// Pictures: recorded, and no part of the result's identity.
    pub renderings: Vec<StoredRendering>,
    /// Where the data came from: recorded, and no part of the result's identity.
    pub sources: Vec<Source>,
    /// What it cost beside the call itself: tokens, money.
    #[serde(default)]
    pub usage: Amounts,
}

/// A picture in the object store.
///
/// ```
/// use leg_core::run::StoredRendering;
/// use leg_core::{MemoryObjects, ObjectStore as _};
///
/// let digest = MemoryObjects::default().put(b"<svg/>")?;
/// let map = StoredRendering { name: "map.svg".to_owned(), media_type: "image/svg+xml".to_owned(), digest };
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StoredRendering {
    /// A file name, such as `map.png`.
    pub name: String,
    /// Such as `image/png`.
    pub media_type: String,
    /// The object that holds the file.
    pub digest: Digest,
}

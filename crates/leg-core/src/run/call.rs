//! [`CallResult`]: what a finished call leaves: digests, evidence, notes. Data stays in the object store.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::run::Amounts;
use crate::{Digest, Evidence, Source, Summary};

/// What a finished call leaves.
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

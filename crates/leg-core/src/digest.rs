//! [`Digest`]: 32 bytes of BLAKE3 under a domain tag, shown as `b3:<64 hex>`.

use std::fmt;
use std::str::FromStr;
use std::sync::LazyLock;

use blake3::hazmat::{ContextKey, HasherExt as _, hash_derive_key_context};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// What a digest is of.
///
/// Every purpose has its own BLAKE3 key-derivation context, so that a digest made for one purpose can never
/// stand for another. The context strings are part of the ledger format: they never change, and a new purpose
/// gets a new one.
///
/// ```
/// use leg_core::{Digest, Domain};
///
/// assert_eq!(Domain::Object.context(), "leg v1 object");
/// assert_ne!(Digest::of(Domain::Object, b"x"), Digest::of(Domain::Record, b"x"));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Domain {
    /// The bytes of an object in the store (artifacts included).
    Object,
    /// A whole ledger line, without its line feed; the next line's `prev`.
    Record,
    /// The replayed part of a ledger line.
    RecordCore,
    /// A leaf or an inner node of the log tree (prefixed by 0x00 or 0x01 as in RFC 9162).
    Log,
    /// A plan with the definitions that it relies on; what an approval names.
    Plan,
    /// A graph in the making, before and after a routing rule.
    Draft,
    /// The definition of a tool or an agent.
    Definition,
    /// All definitions of a registry.
    Registry,
    /// A call's stable identity, which is also its idempotency key.
    CallId,
    /// A call by what it is, wherever it stands: tool, definition, arguments.
    Memo,
    /// A call in the content root.
    Call,
    /// A node in the content root.
    Node,
    /// A layer in the content root.
    Layer,
    /// A track in the content root.
    Track,
    /// The content root itself.
    Run,
    /// The identity of a dataset: names, units, dimensions, coordinates.
    Dataset,
    /// The address, size and times of a dataset's source.
    Fingerprint,
    /// One chunk of a dataset as it was read.
    Chunk,
    /// The ordered digests of all chunks that a call read.
    ChunkTree,
}

impl Domain {
    /// All purposes, in the order of their declaration.
    const ALL: [Self; 19] = [
        Self::Object,
        Self::Record,
        Self::RecordCore,
        Self::Log,
        Self::Plan,
        Self::Draft,
        Self::Definition,
        Self::Registry,
        Self::CallId,
        Self::Memo,
        Self::Call,
        Self::Node,
        Self::Layer,
        Self::Track,
        Self::Run,
        Self::Dataset,
        Self::Fingerprint,
        Self::Chunk,
        Self::ChunkTree,
    ];

    /// The BLAKE3 key-derivation context of this purpose.
    pub const fn context(self) -> &'static str {
        match self {
            Self::Object => "leg v1 object",
            Self::Record => "leg v1 record",
            Self::RecordCore => "leg v1 record core",
            Self::Log => "leg v1 log",
            Self::Plan => "leg v1 plan",
            Self::Draft => "leg v1 draft",
            Self::Definition => "leg v1 definition",
            Self::Registry => "leg v1 registry",
            Self::CallId => "leg v1 call id",
            Self::Memo => "leg v1 memo",
            Self::Call => "leg v1 call",
            Self::Node => "leg v1 node",
            Self::Layer => "leg v1 layer",
            Self::Track => "leg v1 track",
            Self::Run => "leg v1 run",
            Self::Dataset => "leg v1 dataset",
            Self::Fingerprint => "leg v1 fingerprint",
            Self::Chunk => "leg v1 chunk",
            Self::ChunkTree => "leg v1 chunk tree",
        }
    }
}

/// A BLAKE3 digest; `Display` and JSON are `b3:<64 hex>`.
///
/// ```
/// use leg_core::{Digest, Domain};
///
/// let digest = Digest::of(Domain::Object, b"tide");
/// assert!(digest.to_string().starts_with("b3:"));
/// assert_eq!(digest.to_string().parse::<Digest>(), Ok(digest));
/// assert_ne!(digest, Digest::of(Domain::Record, b"tide"));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Digest([u8; 32]);

impl Digest {
    /// Stands where nothing was hashed. No bytes are known that have this digest.
    pub const NOTHING: Self = Self([0; 32]);

    /// Hashes `bytes` for one purpose.
    pub fn of(domain: Domain, bytes: &[u8]) -> Self {
        let mut hasher = Hasher::new(domain);
        hasher.update(bytes);
        hasher.finish()
    }

    /// The raw 32 bytes.
    pub const fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// Adds the 64 hexadecimal digits to a text.
    pub(crate) fn write_hex(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(blake3::Hash::from_bytes(self.0).to_hex().as_bytes());
    }

    /// The 64 hexadecimal digits without the `b3:` mark.
    pub fn to_hex(&self) -> String {
        blake3::Hash::from_bytes(self.0).to_hex().to_string()
    }

    /// The first 12 hexadecimal digits, for people.
    pub fn short(&self) -> String {
        let mut hex = self.to_hex();
        hex.truncate(12);
        format!("b3:{hex}")
    }
}

/// The contexts, hashed once: to hash one anew for each digest would cost more than most of what is hashed.
static KEYS: LazyLock<[ContextKey; Domain::ALL.len()]> =
    LazyLock::new(|| Domain::ALL.map(|domain| hash_derive_key_context(domain.context())));

/// Hashes in pieces what [`Digest::of`] hashes at once.
///
/// ```
/// use leg_core::digest::Hasher;
/// use leg_core::{Digest, Domain};
///
/// let mut hasher = Hasher::new(Domain::Object);
/// hasher.update(b"sur");
/// hasher.update(b"ge");
/// assert_eq!(hasher.finish(), Digest::of(Domain::Object, b"surge"));
/// ```
#[derive(Debug, Clone)]
pub struct Hasher(blake3::Hasher);

impl Hasher {
    /// Starts a digest for one purpose.
    pub fn new(domain: Domain) -> Self {
        let kept = KEYS.get(domain as usize).copied();
        let key = kept.unwrap_or_else(|| hash_derive_key_context(domain.context()));
        Self(blake3::Hasher::new_from_context_key(&key))
    }

    /// Adds bytes.
    pub fn update(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    /// The digest of all that was added.
    pub fn finish(&self) -> Digest {
        Digest(*self.0.finalize().as_bytes())
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("b3:")?;
        f.write_str(blake3::Hash::from_bytes(self.0).to_hex().as_str())
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A text is not a digest.
///
/// ```
/// use leg_core::Digest;
///
/// let error = "sha256:00".parse::<Digest>().unwrap_err();
/// assert!(error.to_string().contains("sha256:00"));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{text}` is not a digest; write `b3:` and 64 lower-case hexadecimal digits")]
pub struct ParseDigestError {
    text: String,
}

impl FromStr for Digest {
    type Err = ParseDigestError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let fail = || ParseDigestError { text: text.chars().take(80).collect() };
        let hex = text.strip_prefix("b3:").ok_or_else(fail)?;
        // `from_hex` also takes capitals, but one digest must have one spelling.
        if hex.bytes().any(|b| b.is_ascii_uppercase()) {
            return Err(fail());
        }
        blake3::Hash::from_hex(hex).map(|hash| Self(*hash.as_bytes())).map_err(|_| fail())
    }
}

impl schemars::JsonSchema for Digest {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Digest".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        let description = "BLAKE3 under a domain tag.";
        schemars::json_schema!({"type": "string", "pattern": "^b3:[0-9a-f]{64}$", "description": description})
    }
}

impl Serialize for Digest {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Digest {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refuses_other_spellings() {
        let text = Digest::of(Domain::Object, b"x").to_string();
        for wrong in [text.to_uppercase(), text.replace("b3:", ""), text[..66].to_owned(), format!("{text}0")]
        {
            assert!(wrong.parse::<Digest>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn domains_and_bytes_are_fixed() {
        for domain in Domain::ALL {
            let fresh = blake3::Hasher::new_derive_key(domain.context()).update(b"tide").finalize();
            assert_eq!(Digest::of(domain, b"tide").as_bytes(), fresh.as_bytes(), "{domain:?}");
        }
        // A stored ledger names these bytes: the test fails if a context string is ever edited.
        assert_eq!(
            Digest::of(Domain::Object, b"").to_string(),
            format!("b3:{}", blake3::Hasher::new_derive_key("leg v1 object").finalize().to_hex())
        );
    }
}

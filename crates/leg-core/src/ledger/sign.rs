//! [`sign`]: Ed25519 signatures over a run's roots, in `RUN/signature.json`.
//!
//! What is signed is the [`Statement`]: the run's id, its two roots and the number of its lines. The file is canonical
//! JSON and a line feed; it holds the statement once and one signature a key.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::ledger::key::{SigningKey, VerifyingKey, from_hex, to_hex};
use crate::ledger::{LedgerError, RunFolder, verify};
use crate::{Digest, canonical};

/// The signatures' file name.
pub const SIGNATURE: &str = "signature.json";

/// What stands before the statement in the signed bytes, so that a signature can serve no other purpose.
const CONTEXT: &[u8] = b"leg v1 signature\n";

/// What a signature says: this run has these roots.
///
/// ```
/// use leg_core::ledger::verify;
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let runs = tempfile::tempdir()?;
/// let (outcome, folder) = leg_testkit::small_run(runs.path()).await;
/// let statement = verify(&folder, None)?.statement().unwrap();
/// assert_eq!((statement.run.as_str(), statement.content_root), ("small", outcome.content_root));
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Statement {
    /// The content root.
    pub content_root: Digest,
    /// The log root.
    pub log_root: Digest,
    /// The run's id, as its first record has it.
    pub run: String,
    /// How many lines the ledger has.
    pub size: u64,
}

/// A run's signatures.
///
/// ```
/// use leg_core::ledger::{SignatureFile, SigningKey, verify};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let runs = tempfile::tempdir()?;
/// let (_, folder) = leg_testkit::small_run(runs.path()).await;
/// let mut file = SignatureFile::new(verify(&folder, None)?.statement().unwrap());
/// file.add(&SigningKey::from_seed(&[7; 32]));
/// assert!(file.wrong().is_empty());
/// assert_eq!(SignatureFile::from_bytes(&file.to_bytes())?, file);
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SignatureFile {
    /// The content root.
    pub content_root: Digest,
    /// Version of this format: 1.
    pub format: u32,
    /// The log root.
    pub log_root: Digest,
    /// The run's id.
    pub run: String,
    /// The signatures, in the order of their keys.
    pub signatures: Vec<Signature>,
    /// How many lines the ledger has.
    pub size: u64,
}

/// One key's signature.
///
/// ```
/// use leg_core::ledger::{SigningKey, sign};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let runs = tempfile::tempdir()?;
/// let (_, folder) = leg_testkit::small_run(runs.path()).await;
/// let key = SigningKey::from_seed(&[7; 32]);
/// let file = sign(&folder, &key)?;
/// assert_eq!(file.signatures[0].key, key.verifying_key());
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Signature {
    /// `ed25519`.
    pub algorithm: String,
    /// Whose it is.
    pub key: VerifyingKey,
    /// Its 64 bytes, as 128 hexadecimal digits.
    pub signature: String,
}

/// A run is not signed.
///
/// ```
/// use leg_core::ledger::{SignError, SigningKey, sign};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let runs = tempfile::tempdir()?;
/// let (_, folder) = leg_testkit::small_run(runs.path()).await;
/// folder.write("report.md", b"It was freezing.")?;
/// let refused = sign(&folder, &SigningKey::from_seed(&[7; 32]));
/// assert!(matches!(refused, Err(SignError::Faults { .. })), "what does not verify is not signed");
/// # Ok(())
/// # }
/// ```
#[derive(Debug, thiserror::Error)]
pub enum SignError {
    /// The folder cannot be read or written.
    #[error(transparent)]
    Ledger(#[from] LedgerError),
    /// Nobody should sign it.
    #[error(
        "the run does not verify ({faults} faults; first: {place}: {message}); run `leg verify` and see what is wrong before anybody signs it"
    )]
    Faults {
        /// How many faults there are.
        faults: usize,
        /// Where the first is.
        place: String,
        /// What it is.
        message: String,
    },
}

impl Statement {
    /// The bytes that are signed.
    pub fn to_bytes(&self) -> Vec<u8> {
        let members = json!({ "content_root": self.content_root, "log_root": self.log_root, "run": self.run, "size": self.size });
        let mut bytes = CONTEXT.to_vec();
        bytes.extend(canonical::to_vec(&members).unwrap_or_default());
        bytes
    }
}

impl SignatureFile {
    /// A file without signatures.
    pub fn new(statement: Statement) -> Self {
        let Statement { content_root, log_root, run, size } = statement;
        Self { content_root, format: 1, log_root, run, signatures: Vec::new(), size }
    }

    /// What its signatures say.
    pub fn statement(&self) -> Statement {
        Statement {
            content_root: self.content_root,
            log_root: self.log_root,
            run: self.run.clone(),
            size: self.size,
        }
    }

    /// Signs; a key that has signed already does not sign twice.
    pub fn add(&mut self, key: &SigningKey) {
        let signature = to_hex(&key.sign(&self.statement().to_bytes()));
        let key = key.verifying_key();
        self.signatures.retain(|own| own.key != key);
        self.signatures.push(Signature { algorithm: "ed25519".to_owned(), key, signature });
        self.signatures.sort_by_key(|own| own.key.to_string());
    }

    /// The file's bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = canonical::to_vec(&json!(self)).unwrap_or_default();
        bytes.push(b'\n');
        bytes
    }

    /// Reads the file's bytes; they must be as [`SignatureFile::to_bytes`] writes them.
    ///
    /// # Errors
    /// What is wrong with them.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, String> {
        let value: Value =
            serde_json::from_slice(bytes).map_err(|error| format!("the file is not JSON: {error}"))?;
        let file: Self = serde_json::from_value(value)
            .map_err(|error| format!("the file does not hold signatures: {error}"))?;
        if file.format != 1 {
            return Err(format!("format {} is not known; use a newer `leg`", file.format));
        }
        if file.to_bytes() != bytes {
            return Err("the file is not in canonical form, as it was written".to_owned());
        }
        Ok(file)
    }

    /// The keys whose signatures do not hold.
    pub fn wrong(&self) -> Vec<VerifyingKey> {
        let bytes = self.statement().to_bytes();
        let holds = |own: &Signature| {
            own.algorithm == "ed25519"
                && from_hex(&own.signature).is_some_and(|signature| own.key.accepts(&bytes, &signature))
        };
        self.signatures.iter().filter(|own| !holds(own)).map(|own| own.key).collect()
    }
}

/// Signs a run's roots. A run that does not verify is not signed; signatures of other keys stay.
///
/// ```
/// use leg_core::ledger::{Expected, SigningKey, sign, verify_with};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let runs = tempfile::tempdir()?;
/// let (_, folder) = leg_testkit::small_run(runs.path()).await;
/// let key = SigningKey::from_seed(&[7; 32]);
/// sign(&folder, &key)?;
/// let found = verify_with(&folder, Expected { root: None, key: Some(&key.verifying_key()) })?;
/// assert!(found.ok);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// [`SignError::Faults`] when something is wrong with the run, [`SignError::Ledger`].
pub fn sign(folder: &RunFolder, key: &SigningKey) -> Result<SignatureFile, SignError> {
    let found = verify(folder, None)?;
    let first = found.faults.first().map(|fault| (fault.place.clone(), fault.message.clone()));
    let (Some(statement), None) = (found.statement(), &first) else {
        let (place, message) = first.unwrap_or_default();
        return Err(SignError::Faults { faults: found.faults.len(), place, message });
    };
    let mut file = folder
        .read(SIGNATURE)
        .ok()
        .and_then(|bytes| SignatureFile::from_bytes(&bytes).ok())
        .unwrap_or_else(|| SignatureFile::new(statement));
    file.add(key);
    folder.write(SIGNATURE, &file.to_bytes())?;
    Ok(file)
}

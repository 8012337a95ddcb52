//! [`SigningKey`] and [`VerifyingKey`]: Ed25519 keys in text files.
//!
//! A key file is one line: `leg-ed25519-private:` or `leg-ed25519-public:`, 64 lower-case hexadecimal digits, a line
//! feed. The digits are the 32 bytes of RFC 8032: the seed of a private key, the encoded point of a public one.

use std::fmt;
use std::fs::{self, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::str::FromStr;

use ed25519_dalek::Signer as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

const PRIVATE: &str = "leg-ed25519-private:";
const PUBLIC: &str = "leg-ed25519-public:";

/// A private key. It is never printed.
///
/// ```
/// use leg_core::ledger::{SigningKey, VerifyingKey};
///
/// let folder = tempfile::tempdir()?;
/// // A program takes 32 bytes of the system's randomness.
/// let key = SigningKey::from_seed(&[7; 32]);
/// let public = key.write_new(&folder.path().join("auditor.key"))?;
/// assert_eq!(VerifyingKey::read(&public)?, key.verifying_key());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct SigningKey(ed25519_dalek::SigningKey);

/// A public key; `Display` and JSON are its 64 hexadecimal digits.
///
/// ```
/// use leg_core::ledger::{SigningKey, VerifyingKey};
///
/// let key = SigningKey::from_seed(&[7; 32]).verifying_key();
/// assert_eq!(key.to_string().parse::<VerifyingKey>()?, key);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct VerifyingKey(ed25519_dalek::VerifyingKey);

/// A key cannot be read or written.
///
/// ```
/// use leg_core::ledger::{KeyError, SigningKey};
///
/// let folder = tempfile::tempdir()?;
/// let key = SigningKey::from_seed(&[7; 32]);
/// key.write_new(&folder.path().join("auditor.key"))?;
/// let again = key.write_new(&folder.path().join("auditor.key"));
/// assert!(matches!(again, Err(KeyError::Exists { .. })), "a key is never written over");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, thiserror::Error)]
pub enum KeyError {
    /// The file system refused.
    #[error("key file `{path}`: {source}; name a key file, or make one with `leg sign --new-key FILE`", path = path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What it said.
        source: io::Error,
    },
    /// The text is no key.
    #[error("`{path}` holds no {wanted} key; its one line is `{form}` and 64 lower-case hexadecimal digits", path = path.display())]
    Form {
        /// The file.
        path: PathBuf,
        /// Which sort of key.
        wanted: &'static str,
        /// How its line begins.
        form: &'static str,
    },
    /// Anybody could have read the private key.
    #[error("the private key `{path}` can be read by every user; run `chmod 600` on it, or make a new one if others may have read it", path = path.display())]
    Open {
        /// The file.
        path: PathBuf,
    },
    /// A key is never written over.
    #[error("key file `{path}` exists already; choose another name", path = path.display())]
    Exists {
        /// The file.
        path: PathBuf,
    },
}

impl SigningKey {
    /// The key of a seed: 32 bytes that nobody can guess.
    ///
    /// ```
    /// let key = leg_core::ledger::SigningKey::from_seed(&[7; 32]);
    /// assert_eq!(key.verifying_key().to_string().len(), 64);
    /// assert!(!format!("{key:?}").contains("0707"));
    /// ```
    pub fn from_seed(seed: &[u8; 32]) -> Self {
        Self(ed25519_dalek::SigningKey::from_bytes(seed))
    }

    /// Reads a private key's file.
    ///
    /// # Errors
    /// [`KeyError`], also when every user of the machine can read the file.
    pub fn read(path: &Path) -> Result<Self, KeyError> {
        let text = read(path)?;
        let form = KeyError::Form { path: path.to_owned(), wanted: "private", form: PRIVATE };
        let seed = digits(&text, PRIVATE).ok_or(form)?;
        if is_open(path) {
            return Err(KeyError::Open { path: path.to_owned() });
        }
        Ok(Self::from_seed(&seed))
    }

    /// Writes the key to a new file that only its owner can read, and its public part beside it with `.pub` added.
    /// Gives the public file's path.
    ///
    /// # Errors
    /// [`KeyError::Exists`] when one of the files is there, [`KeyError::Io`].
    pub fn write_new(&self, path: &Path) -> Result<PathBuf, KeyError> {
        let mut public = path.as_os_str().to_owned();
        public.push(".pub");
        let public = PathBuf::from(public);
        if public.exists() {
            return Err(KeyError::Exists { path: public });
        }
        write(path, &format!("{PRIVATE}{}\n", to_hex(self.0.as_bytes())), true)?;
        write(&public, &self.verifying_key().to_line(), false)?;
        Ok(public)
    }

    /// Its public part.
    pub fn verifying_key(&self) -> VerifyingKey {
        VerifyingKey(self.0.verifying_key())
    }

    /// The signature of a message: 64 bytes, as in RFC 8032.
    pub(crate) fn sign(&self, message: &[u8]) -> [u8; 64] {
        self.0.sign(message).to_bytes()
    }
}

impl fmt::Debug for SigningKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("SigningKey").field(&self.verifying_key()).finish()
    }
}

impl VerifyingKey {
    /// Reads a public key's file.
    ///
    /// # Errors
    /// [`KeyError`].
    pub fn read(path: &Path) -> Result<Self, KeyError> {
        let text = read(path)?;
        digits(&text, PUBLIC).and_then(|bytes| Self::from_bytes(&bytes)).ok_or_else(|| KeyError::Form {
            path: path.to_owned(),
            wanted: "public",
            form: PUBLIC,
        })
    }

    /// The line of its file.
    pub fn to_line(&self) -> String {
        format!("{PUBLIC}{self}\n")
    }

    /// Whether a signature of a message is by this key. Keys and signatures that more than one text could stand for
    /// are refused.
    pub(crate) fn accepts(&self, message: &[u8], signature: &[u8; 64]) -> bool {
        self.0.verify_strict(message, &ed25519_dalek::Signature::from_bytes(signature)).is_ok()
    }

    fn from_bytes(bytes: &[u8; 32]) -> Option<Self> {
        ed25519_dalek::VerifyingKey::from_bytes(bytes).ok().map(Self)
    }
}

impl fmt::Display for VerifyingKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&to_hex(self.0.as_bytes()))
    }
}

impl fmt::Debug for VerifyingKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for VerifyingKey {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        from_hex(text)
            .and_then(|bytes| Self::from_bytes(&bytes))
            .ok_or("64 lower-case hexadecimal digits of an Ed25519 public key are expected")
    }
}

impl Serialize for VerifyingKey {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for VerifyingKey {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

/// Bytes as lower-case hexadecimal digits.
pub(crate) fn to_hex(bytes: &[u8]) -> String {
    use std::fmt::Write as _;
    bytes.iter().fold(String::with_capacity(bytes.len() * 2), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// Exactly N bytes from lower-case hexadecimal digits.
pub(crate) fn from_hex<const N: usize>(text: &str) -> Option<[u8; N]> {
    let digit = |byte: u8| match byte {
        b'0'..=b'9' => Some(byte - b'0'),
        b'a'..=b'f' => Some(byte - b'a' + 10),
        _ => None,
    };
    let (pairs, rest) = text.as_bytes().as_chunks::<2>();
    let bytes: Option<Vec<u8>> =
        pairs.iter().map(|[high, low]| Some(digit(*high)? * 16 + digit(*low)?)).collect();
    if rest.is_empty() { bytes?.try_into().ok() } else { None }
}

fn digits(text: &str, form: &str) -> Option<[u8; 32]> {
    from_hex(text.strip_prefix(form)?.strip_suffix('\n')?)
}

fn read(path: &Path) -> Result<String, KeyError> {
    fs::read_to_string(path).map_err(|source| KeyError::Io { path: path.to_owned(), source })
}

fn write(path: &Path, text: &str, private: bool) -> Result<(), KeyError> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    if private {
        use std::os::unix::fs::OpenOptionsExt as _;
        options.mode(0o600);
    }
    let written = options.open(path).and_then(|mut file| {
        file.write_all(text.as_bytes())?;
        file.sync_all()
    });
    written.map_err(|source| match source.kind() {
        io::ErrorKind::AlreadyExists => KeyError::Exists { path: path.to_owned() },
        _ => KeyError::Io { path: path.to_owned(), source },
    })
}

#[cfg(unix)]
fn is_open(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt as _;
    fs::metadata(path).is_ok_and(|meta| meta.permissions().mode() & 0o006 != 0)
}

#[cfg(not(unix))]
fn is_open(_: &Path) -> bool {
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_come_back_from_their_files_and_are_not_written_over() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("auditor.key");
        let key = SigningKey::from_seed(&[9; 32]);
        let public = key.write_new(&path).unwrap();
        assert_eq!(public, folder.path().join("auditor.key.pub"));
        let signature = SigningKey::read(&path).unwrap().sign(b"tide");
        assert!(VerifyingKey::read(&public).unwrap().accepts(b"tide", &signature));
        assert!(!VerifyingKey::read(&public).unwrap().accepts(b"tidf", &signature));
        assert!(matches!(key.write_new(&path), Err(KeyError::Exists { .. })));
        assert!(matches!(SigningKey::read(&public), Err(KeyError::Form { .. })));
        assert!(matches!(VerifyingKey::read(&path), Err(KeyError::Form { .. })));
    }

    #[test]
    fn the_signature_is_that_of_rfc_8032() {
        // Section 7.1, test 2.
        let seed = from_hex("4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb").unwrap();
        let key = SigningKey::from_seed(&seed);
        assert_eq!(
            key.verifying_key().to_string(),
            "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c"
        );
        assert_eq!(
            to_hex(&key.sign(&[0x72])),
            "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da\
             085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00"
        );
    }

    #[cfg(unix)]
    #[test]
    fn a_private_key_is_for_its_owner_only() {
        use std::os::unix::fs::PermissionsExt as _;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("k");
        SigningKey::from_seed(&[9; 32]).write_new(&path).unwrap();
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).unwrap();
        assert!(SigningKey::read(&path).unwrap_err().to_string().contains("chmod 600"));
    }
}

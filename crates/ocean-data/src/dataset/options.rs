//! What is said about a dataset beside its address.

use std::collections::BTreeMap;
use std::fmt;

use super::open::OpenError;
use super::store::{ElementType, StoredVariable};
use crate::nearest::nearest;

/// How a dataset is opened.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct OpenOptions {
    /// Words for its variables.
    pub aliases: Aliases,
    /// Units of variables whose file says none, by name of the variable.
    pub units: BTreeMap<String, String>,
    /// What may be read over the network, and how.
    pub remote: RemoteOptions,
    /// In which precision packed numbers are unpacked.
    pub unpacking: Unpacking,
}

/// In which precision packed numbers are unpacked.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Unpacking {
    /// Double, whatever the file says: nothing is lost.
    #[default]
    Double,
    /// That of `scale_factor` and `add_offset`, which the CF conventions 1.11, section 8.1, make the type of the
    /// unpacked numbers: single where both are. It gives the numbers, with their rounding, of readers that unpack so.
    ///
    /// Integers of 32 bits stay in double, since a single cannot hold them; so do formats that do not tell the types
    /// of attributes.
    AsStated,
}

impl Unpacking {
    /// Whether a variable is unpacked in single precision.
    pub(crate) fn is_single(self, variable: &StoredVariable) -> bool {
        let fits = match &variable.element {
            ElementType::Number(name) => ["int8", "uint8", "int16", "uint16", "float32"].contains(name),
            ElementType::Other(_) => false,
        };
        self == Self::AsStated && fits && variable.is_packed_in_single
    }
}

/// What may be read over the network, and how.
///
/// The host of an address that is opened is allowed by opening it. Hosts that a reference file names must be allowed
/// here, unless they are the file's own: a reference file can point anywhere.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct RemoteOptions {
    /// Hosts, with port where there is one, and buckets that reference files may name.
    pub allowed_hosts: Vec<String>,
    /// How buckets are reached.
    pub s3: S3Options,
    /// How often a request is repeated after an error of the server or the network. Default: 3.
    pub retries: usize,
}

impl Default for RemoteOptions {
    fn default() -> Self {
        Self { allowed_hosts: Vec::new(), s3: S3Options::default(), retries: 3 }
    }
}

#[cfg(feature = "remote")]
impl RemoteOptions {
    /// Whether reference files may name a host.
    pub(crate) fn allows(&self, host: &str) -> bool {
        self.allowed_hosts.iter().any(|allowed| allowed.eq_ignore_ascii_case(host))
    }
}

/// How S3-compatible buckets are reached. Nothing is read from the environment.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct S3Options {
    /// The service, for anything but AWS itself: `https://host[:port]`.
    pub endpoint: Option<String>,
    /// The region that requests are signed for. Default: `us-east-1`.
    pub region: Option<String>,
    /// The keys; without them requests are not signed, which public buckets accept.
    pub credentials: Option<S3Credentials>,
}

/// The keys to buckets. `Debug` hides them.
#[derive(Clone)]
pub struct S3Credentials {
    pub(crate) key_id: String,
    pub(crate) secret: String,
    pub(crate) token: Option<String>,
}

impl S3Credentials {
    /// A key and its secret, and the token of a session.
    pub fn new(key_id: impl Into<String>, secret: impl Into<String>, token: Option<String>) -> Self {
        Self { key_id: key_id.into(), secret: secret.into(), token }
    }
}

impl fmt::Debug for S3Credentials {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let session = if self.token.is_some() { "session" } else { "lasting" };
        write!(f, "S3Credentials({session}, {} and {} letters)", self.key_id.len(), self.secret.len())
    }
}

/// Words for the variables of a dataset, such as `temperature` for `votemper`.
///
/// A word that is a quantity (`temperature`, `salinity`, `u` …) also says what the variable is taken for, where its
/// name and standard name do not.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Aliases(BTreeMap<String, String>);

impl Aliases {
    /// Lets a word mean a variable; a second meaning replaces the first.
    #[must_use]
    pub fn with(mut self, word: &str, variable: &str) -> Self {
        self.0.insert(word.trim().to_lowercase(), variable.to_owned());
        self
    }

    /// The variable that a word means, in any letter case.
    pub fn get(&self, word: &str) -> Option<&str> {
        self.0.get(&word.trim().to_lowercase()).map(String::as_str)
    }

    /// Words with the names of variables.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(word, variable)| (word.as_str(), variable.as_str()))
    }
}

impl<W: AsRef<str>, V: AsRef<str>> FromIterator<(W, V)> for Aliases {
    fn from_iter<I: IntoIterator<Item = (W, V)>>(pairs: I) -> Self {
        pairs.into_iter().fold(Self::default(), |all, (word, name)| all.with(word.as_ref(), name.as_ref()))
    }
}

impl OpenOptions {
    /// Refuses what names no variable of the store.
    pub(crate) fn check(&self, variables: &[StoredVariable]) -> Result<(), OpenError> {
        let named = self
            .aliases
            .iter()
            .map(|(word, name)| (format!("`{name}` for `{word}`"), name))
            .chain(self.units.keys().map(|name| (format!("the units of `{name}`"), name.as_str())));
        for (what, name) in named {
            if !variables.iter().any(|variable| variable.name == name) {
                let names: Vec<&str> = variables.iter().map(|variable| variable.name.as_str()).collect();
                return Err(OpenError::Configuration { what, available: nearest(name, names, 30) });
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_a_single_holds_is_unpacked_to_one() {
        let variable = |element: &'static str, is_packed_in_single| StoredVariable {
            name: "sst".to_owned(),
            dimensions: Vec::new(),
            element: ElementType::Number(element),
            attributes: crate::cf::Attributes::new(),
            chunk_shape: Vec::new(),
            is_chunked: false,
            fill_value: None,
            is_packed_in_single,
        };
        assert!(Unpacking::AsStated.is_single(&variable("int16", true)));
        assert!(!Unpacking::AsStated.is_single(&variable("int16", false)));
        assert!(!Unpacking::AsStated.is_single(&variable("int32", true)));
        assert!(!Unpacking::Double.is_single(&variable("int16", true)));
    }

    #[test]
    fn words_have_no_letter_case() {
        let aliases: Aliases = [("Temperature", "votemper"), ("S", "vosaline")].into_iter().collect();
        assert_eq!(aliases.get(" temperature "), Some("votemper"));
        assert_eq!(aliases.get("s"), Some("vosaline"));
        assert_eq!(aliases.get("u"), None);
    }
}

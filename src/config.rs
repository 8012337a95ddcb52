//! [`Config`]: a file, then the environment. This is the only reader of environment variables.

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};

use serde::de::value::MapAccessDeserializer;
use serde::de::{self, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};

/// What a program is set up with. Command-line flags override it.
///
/// ```toml
/// # leg.toml
/// runs = "runs"
///
/// default_dataset = "ocean"
///
/// [datasets]
/// sst = "/data/ersstv5.nc"
///
/// [datasets.ocean]
/// address = "https://example.org/ocean.zarr"
/// aliases = { temperature = "votemper" }
/// units = { votemper = "degC" }
///
/// [remote]
/// allowed_hosts = ["data.example.org"]
/// s3_endpoint = "https://objects.example.org"
/// s3_region = "eu-west-1"
/// ```
///
/// A dataset is an address, or a table with `address`, words for its variables (`aliases`) and units of variables whose file
/// says none (`units`); `unpacking = "as_stated"` unpacks packed numbers in the precision of their attributes. `allowed_hosts` are those that reference files may name beside their own.
///
/// The environment overrides the file: `LEG_CONFIG` names the file, `LEG_RUNS` the folder of runs, `LEG_SERVICES` the address of
/// all storm-surge services (see [`ServicesConfig`](crate::ServicesConfig)). Keys of buckets stand only
/// there: `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY`, `AWS_SESSION_TOKEN`.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Config {
    /// The folder that holds runs.
    #[serde(default)]
    pub runs: Option<PathBuf>,
    /// Datasets by name.
    #[serde(default)]
    pub datasets: BTreeMap<String, DatasetConfig>,
    /// The dataset that is meant when none is named; the first by name if absent.
    #[serde(default)]
    pub default_dataset: Option<String>,
    /// What may be read over the network, and how.
    #[serde(default)]
    pub remote: RemoteConfig,
    /// Where the storm-surge services are, and how they are asked.
    #[cfg(feature = "hydro")]
    #[serde(default)]
    pub services: crate::ServicesConfig,
}

/// A dataset: where it is and what its file does not say.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct DatasetConfig {
    /// Its address.
    pub address: String,
    /// Words for its variables.
    pub aliases: BTreeMap<String, String>,
    /// Units of variables whose file says none.
    pub units: BTreeMap<String, String>,
    /// Whether packed numbers are unpacked in the precision of their attributes (CF 1.11, section 8.1), not in double.
    pub as_stated: bool,
}

/// What may be read over the network, and how.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RemoteConfig {
    /// Hosts and buckets that reference files may name.
    #[serde(default)]
    pub allowed_hosts: Vec<String>,
    /// The service of buckets, for anything but AWS itself.
    #[serde(default)]
    pub s3_endpoint: Option<String>,
    /// The region that requests to buckets are signed for.
    #[serde(default)]
    pub s3_region: Option<String>,
    /// How often a request is repeated after an error of the server or the network.
    #[serde(default)]
    pub retries: Option<usize>,
}

/// The keys of buckets: id, secret, and the token of a session.
pub type BucketKeys = (String, String, Option<String>);

/// The table form of a dataset.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct DatasetTable {
    address: String,
    #[serde(default)]
    aliases: BTreeMap<String, String>,
    #[serde(default)]
    units: BTreeMap<String, String>,
    #[serde(default)]
    unpacking: UnpackingWord,
}

/// In which precision packed numbers are unpacked.
#[derive(Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum UnpackingWord {
    #[default]
    Double,
    AsStated,
}

impl<'de> Deserialize<'de> for DatasetConfig {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Either;

        impl<'de> Visitor<'de> for Either {
            type Value = DatasetConfig;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("an address in quotes, or a table with `address`")
            }

            fn visit_str<E: de::Error>(self, address: &str) -> Result<DatasetConfig, E> {
                Ok(DatasetConfig { address: address.to_owned(), ..DatasetConfig::default() })
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<DatasetConfig, A::Error> {
                let DatasetTable { address, aliases, units, unpacking } =
                    DatasetTable::deserialize(MapAccessDeserializer::new(map))?;
                let as_stated = unpacking == UnpackingWord::AsStated;
                Ok(DatasetConfig { address, aliases, units, as_stated })
            }
        }

        deserializer.deserialize_any(Either)
    }
}

/// A configuration cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// The file cannot be read.
    #[error("configuration file `{path}`: {source}; name one that is there with `--config`", path = path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// The file is not a configuration.
    #[error("configuration file `{path}` is not valid: {reason}", path = path.display())]
    Invalid {
        /// The file.
        path: PathBuf,
        /// What is wrong, with its line.
        reason: String,
    },
}

/// The file that is read when none is named.
const FILE: &str = "leg.toml";

impl Config {
    /// Reads the file that is named, or `leg.toml` where there is one; then the environment.
    ///
    /// # Errors
    /// [`ConfigError`] for a named file that is not there, or one that is not valid.
    pub fn load(named: Option<&Path>) -> Result<Self, ConfigError> {
        let named = named.map(Path::to_owned).or_else(|| variable("LEG_CONFIG"));
        let mut config = match named {
            Some(path) => Self::read(&path)?,
            None if Path::new(FILE).is_file() => Self::read(Path::new(FILE))?,
            None => Self::default(),
        };
        if let Some(runs) = variable("LEG_RUNS") {
            config.runs = Some(runs);
        }
        #[cfg(feature = "hydro")]
        config.read_services_from_environment();
        Ok(config)
    }

    fn read(path: &Path) -> Result<Self, ConfigError> {
        let text = std::fs::read_to_string(path)
            .map_err(|source| ConfigError::Io { path: path.to_owned(), source })?;
        Self::parse(&text).map_err(|reason| ConfigError::Invalid { path: path.to_owned(), reason })
    }

    fn parse(text: &str) -> Result<Self, String> {
        let config: Self = toml::from_str(text).map_err(|error| error.to_string())?;
        let names = || config.datasets.keys().map(String::as_str).collect::<Vec<_>>().join(", ");
        for (name, dataset) in &config.datasets {
            let known = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
            if !name.starts_with(|c: char| c.is_ascii_alphabetic()) || !name.chars().all(known) {
                return Err(format!("`{name}` can't name a dataset; use letters, digits, `_` and `-`"));
            }
            if dataset.address.trim().is_empty() {
                return Err(format!("dataset `{name}` has no address; give a path or an address"));
            }
        }
        if let Some(default) =
            config.default_dataset.as_ref().filter(|own| !config.datasets.contains_key(*own))
        {
            return Err(format!(
                "the default dataset `{default}` is none of the datasets, which are: {}",
                names()
            ));
        }
        Ok(config)
    }

    /// Names with datasets; the default one comes first.
    pub fn datasets(&self) -> Vec<(&str, &DatasetConfig)> {
        let mut all: Vec<_> = self.datasets.iter().map(|(name, own)| (name.as_str(), own)).collect();
        all.sort_by_key(|(name, _)| self.default_dataset.as_deref() != Some(*name));
        all
    }

    /// `LEG_SERVICES` is one address for all services, `LEG_USGS_KEY` a key for the water data of the USGS.
    #[cfg(feature = "hydro")]
    fn read_services_from_environment(&mut self) {
        if let Some(address) = variable("LEG_SERVICES") {
            self.services.address = Some(address.to_string_lossy().into_owned());
        }
        let caches = variable("XDG_CACHE_HOME").or_else(|| Some(variable("HOME")?.join(".cache")));
        self.services.default_cache = caches.map(|folder| folder.join("leg/services"));
        self.services.usgs_key = variable("LEG_USGS_KEY").map(|key| key.to_string_lossy().into_owned());
    }

    /// Takes over `--services`: an address for all services, or a file that names some of them, `name = "address"` a line.
    ///
    /// # Errors
    /// [`ConfigError`] for a file that is not there, or is none.
    #[cfg(feature = "hydro")]
    pub fn set_services(&mut self, flag: &str) -> Result<(), ConfigError> {
        if flag.contains("://") {
            self.services.address = Some(flag.to_owned());
            return Ok(());
        }
        let path = PathBuf::from(flag);
        let text = std::fs::read_to_string(&path)
            .map_err(|source| ConfigError::Io { path: path.clone(), source })?;
        let named: BTreeMap<String, String> = toml::from_str(&text)
            .map_err(|error| ConfigError::Invalid { path, reason: error.to_string() })?;
        self.services.at.extend(named);
        Ok(())
    }

    /// The keys of buckets, from the environment.
    pub fn bucket_keys(&self) -> Option<BucketKeys> {
        let text = |name| variable(name).map(|value| value.to_string_lossy().into_owned());
        Some((text("AWS_ACCESS_KEY_ID")?, text("AWS_SECRET_ACCESS_KEY")?, text("AWS_SESSION_TOKEN")))
    }

    /// The folder of runs.
    pub fn runs(&self) -> PathBuf {
        self.runs.clone().unwrap_or_else(|| PathBuf::from("runs"))
    }
}

#[expect(clippy::disallowed_methods, reason = "this is the one reader of the environment")]
fn variable(name: &str) -> Option<PathBuf> {
    std::env::var(name).ok().filter(|value| !value.is_empty()).map(PathBuf::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn datasets_are_addresses_or_tables() {
        let text = "runs = \"r\"\ndefault_dataset = \"sst\"\n[datasets]\nocean = { address = \"o.zarr\", unpacking = \"as_stated\", \
                    aliases = { temperature = \"votemper\" }, units = { votemper = \"degC\" } }\nsst = \"a.nc\"";
        let config = Config::parse(text).unwrap();
        assert_eq!(config.runs(), Path::new("r"));
        let datasets = config.datasets();
        assert_eq!((datasets[0].0, datasets[0].1.address.as_str()), ("sst", "a.nc"));
        assert_eq!(datasets[1].1.aliases["temperature"], "votemper");
        assert_eq!(datasets[1].1.units["votemper"], "degC");
        assert!(datasets[1].1.as_stated && !datasets[0].1.as_stated);
    }

    #[test]
    fn what_is_wrong_is_named_with_its_line() {
        for (text, words) in [
            ("run = \"r\"", "unknown field `run`"),
            ("[datasets]\nsst = 3", "an address in quotes, or a table with `address`"),
            ("[datasets.sst]\nalias = {}\naddress = \"a.nc\"", "unknown field `alias`"),
            ("[datasets.sst]\naliases = {}", "missing field `address`"),
            ("[datasets.sst]\naddress = \"a.nc\"\nunpacking = \"single\"", "unknown variant `single`"),
            ("[datasets]\n\"a b\" = \"a.nc\"", "`a b` can't name a dataset"),
            ("[datasets]\nsst = \"\"", "`sst` has no address"),
            ("default_dataset = \"x\"\n[datasets]\nsst = \"a.nc\"", "which are: sst"),
            ("[datasets\n", "line 1"),
        ] {
            let error = Config::parse(text).unwrap_err();
            assert!(error.contains(words), "{text}: {error}");
        }
    }
}

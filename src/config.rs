//! [`Config`]: a file, then the environment. This is the only reader of environment variables.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::Deserialize;

/// What a program is set up with. Command-line flags override it.
///
/// ```toml
/// # leg.toml
/// runs = "runs"
///
/// [datasets]
/// sst = "/data/ersstv5.nc"
/// ```
///
/// The environment overrides the file: `LEG_CONFIG` names the file, `LEG_RUNS` the folder of runs.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Config {
    /// The folder that holds runs.
    #[serde(default)]
    pub runs: Option<PathBuf>,
    /// Datasets by name.
    #[serde(default)]
    pub datasets: BTreeMap<String, String>,
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
        Ok(config)
    }

    fn read(path: &Path) -> Result<Self, ConfigError> {
        let text = std::fs::read_to_string(path)
            .map_err(|source| ConfigError::Io { path: path.to_owned(), source })?;
        Self::parse(&text).map_err(|reason| ConfigError::Invalid { path: path.to_owned(), reason })
    }

    fn parse(text: &str) -> Result<Self, String> {
        toml::from_str(text).map_err(|error| error.to_string())
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
    fn reads_datasets_and_refuses_unknown_keys() {
        let config = Config::parse("runs = \"r\"\n[datasets]\nsst = \"a.nc\"").unwrap();
        assert_eq!(config.runs(), Path::new("r"));
        assert_eq!(config.datasets.get("sst").map(String::as_str), Some("a.nc"));
        assert!(Config::parse("run = \"r\"").unwrap_err().contains("unknown field"));
    }
}

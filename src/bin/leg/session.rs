//! [`Session`]: what all commands share: configuration, folders, the catalog.

use std::path::{Path, PathBuf};

use leg::core::ledger::{LEDGER, RunFolder, read};
use leg::core::plan::{Repair, RepairKind};
use leg::core::{Diagnostic, Plan};
use leg::ocean_data::dataset::OpenOptions;
use leg::{Catalog, Config};

use crate::args::DatasetArguments;
use crate::output::Failure;

/// What all commands share.
#[derive(Debug)]
pub(crate) struct Session {
    /// Print JSON.
    pub json: bool,
    /// The folder of runs.
    pub runs: PathBuf,
    config: Config,
    config_file: Option<PathBuf>,
    services: Option<String>,
}

impl Session {
    pub(crate) fn new(
        json: bool,
        runs: Option<PathBuf>,
        file: Option<&Path>,
        services: Option<&str>,
    ) -> Result<Self, Failure> {
        let mut config = Config::load(file).map_err(Failure::wrong)?;
        if let Some(services) = services {
            config.set_services(services).map_err(Failure::wrong)?;
        }
        let runs = runs.unwrap_or_else(|| config.runs());
        let (config_file, services) = (file.map(Path::to_owned), services.map(str::to_owned));
        Ok(Self { json, runs, config, config_file, services })
    }

    /// What the flags say of services.
    pub(crate) fn services(&self) -> Option<&str> {
        self.services.as_deref()
    }

    /// The catalog with the datasets of the flags, or of the configuration when no flag names one.
    pub(crate) fn catalog(&self, datasets: &DatasetArguments) -> Result<Catalog, Failure> {
        Catalog::with_configured(&self.dataset_flags(datasets), &self.config).map_err(Failure::wrong)
    }

    /// The datasets of the flags, or of the configuration when no flag names one, as flags.
    pub(crate) fn dataset_flags(&self, datasets: &DatasetArguments) -> Vec<String> {
        if datasets.data.is_empty() {
            let named = self.config.datasets().into_iter();
            named.map(|(name, own)| format!("{name}={}", own.address)).collect()
        } else {
            datasets.data.clone()
        }
    }

    /// How a dataset of this address is opened by the configuration.
    pub(crate) fn open_options(&self, address: &str) -> OpenOptions {
        leg::open_options(address, &self.config)
    }

    /// The configuration file that the flags name.
    pub(crate) fn config_file(&self) -> Option<&Path> {
        self.config_file.as_deref()
    }

    /// The catalog with the datasets of the flags, or with those that a run says it had.
    pub(crate) fn catalog_of(
        &self,
        folder: &RunFolder,
        datasets: &DatasetArguments,
    ) -> Result<Catalog, Failure> {
        let flags = if datasets.data.is_empty() {
            let named = recorded(folder, "datasets")?.into_iter();
            named.map(|(name, address)| format!("{name}={address}")).collect()
        } else {
            datasets.data.clone()
        };
        let moved = recorded(folder, "services")?;
        let said = self.services.is_some()
            || !self.config.services.at.is_empty()
            || self.config.services.address.is_some();
        // A folder from elsewhere must not choose whom this machine asks.
        if let Some((name, address)) = moved.first()
            && !said
        {
            return Err(Failure::wrong(format!(
                "the run asked services that are not the public ones (`{name}` at {address}); say where they are with `--services`"
            )));
        }
        Catalog::with_configured(&flags, &self.config).map_err(Failure::wrong)
    }

    /// The catalog without datasets, with the services of the configuration.
    pub(crate) fn bare_catalog(&self) -> Result<Catalog, Failure> {
        Catalog::with_configured::<&str>(&[], &self.config).map_err(Failure::wrong)
    }

    /// The catalog without datasets, with the services where a run says they were: what a strict replay compares with. Nobody
    /// is asked: recorded answers stand for the services.
    pub(crate) fn definitions_of(&self, folder: &RunFolder) -> Result<Catalog, Failure> {
        let mut config = self.config.clone();
        if self.services.is_none() {
            config.services.at.extend(recorded(folder, "services")?);
        }
        Catalog::with_configured::<&str>(&[], &config).map_err(Failure::wrong)
    }

    /// The folder of a run that is named by its path or its id.
    pub(crate) fn run_folder(&self, run: &str) -> Result<RunFolder, Failure> {
        let by_id = self.runs.join(run);
        let path = if Path::new(run).is_dir() || !by_id.is_dir() { PathBuf::from(run) } else { by_id };
        RunFolder::open(&path).map_err(Failure::wrong)
    }

    /// The id of a run in the folder of runs, named by its path or its id.
    pub(crate) fn run_id(&self, run: &str) -> Result<String, Failure> {
        let folder = self.run_folder(run)?;
        let same =
            |a: &Path, b: &Path| matches!((a.canonicalize(), b.canonicalize()), (Ok(a), Ok(b)) if a == b);
        let id = folder.path().file_name().unwrap_or_default().to_string_lossy().into_owned();
        if same(folder.path(), &self.runs.join(&id)) {
            Ok(id)
        } else {
            let message = format!(
                "run `{run}` is not in the folder `{}`; name that with `--runs`",
                self.runs.display()
            );
            Err(Failure::wrong(message))
        }
    }
}

/// Names with addresses that a run has recorded.
fn recorded(folder: &RunFolder, what: &str) -> Result<Vec<(String, String)>, Failure> {
    let entries = read(&folder.read(LEDGER).map_err(Failure::wrong)?, LEDGER).entries;
    let named = entries.first().and_then(|entry| entry.meta.pointer(&format!("/facts/{what}"))?.as_object());
    let pairs = named.into_iter().flatten();
    Ok(pairs.filter_map(|(name, address)| Some((name.clone(), address.as_str()?.to_owned()))).collect())
}

/// Reads a plan's text from a file or, for `-`, from standard input.
pub(crate) fn read_plan(path: &Path) -> Result<(Plan, Vec<Repair>), Failure> {
    let text = if path == Path::new("-") {
        std::io::read_to_string(std::io::stdin()).map_err(|error| format!("standard input: {error}"))
    } else {
        std::fs::read_to_string(path).map_err(|error| {
            format!("plan file `{}`: {error}; name a file with a plan in JSON", path.display())
        })
    };
    let text = text.map_err(Failure::wrong)?;
    leg::core::plan::read(&text).map_err(|faults| Failure::diagnostics(&faults))
}

/// What to say of a plan whose text ended before its closers: a step or an argument may have been lost with them, so
/// that nobody agrees to it unseen.
pub(crate) fn cut_off(repairs: &[Repair]) -> Option<Diagnostic> {
    let cut = repairs.iter().find(|repair| repair.kind == RepairKind::MissingCloser)?;
    let hint = "send the whole plan; or, if nothing is missing, look at it with `leg graph` and give `--approve` its digest";
    Some(cut.truncation().hint(hint))
}

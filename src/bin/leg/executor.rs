//! The flags that say where nodes run, and the executor that they choose.

use std::num::NonZero;
use std::path::Path;
use std::sync::Arc;

use clap::{Args, ValueEnum};
use leg::Catalog;
use leg::core::run::{LocalExecutor, NodeExecutor, ProcessExecutor, WorkerCommand};

use crate::args::DatasetArguments;
use crate::output::Failure;
use crate::session::Session;

/// Where nodes run.
#[derive(Debug, Args, Clone, Copy, Default)]
pub(crate) struct ExecutorArguments {
    /// Where nodes run. With `process` a tool that crashes or hangs ends with its worker, not with the run.
    #[arg(long, value_enum, default_value_t = ExecutorForm::Local)]
    pub executor: ExecutorForm,
    /// With `--executor process`: how many worker processes [default: one for each processor].
    #[arg(long, value_name = "N")]
    pub workers: Option<NonZero<usize>>,
}

/// The executors there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum, Default)]
pub(crate) enum ExecutorForm {
    /// In this process.
    #[default]
    Local,
    /// In worker processes of this program.
    Process,
}

impl ExecutorArguments {
    /// The executor for a run whose objects are in this folder.
    pub(crate) fn executor(
        self,
        session: &Session,
        catalog: &Catalog,
        datasets: &DatasetArguments,
        objects: &Path,
    ) -> Result<Arc<dyn NodeExecutor>, Failure> {
        match (self.executor, self.workers) {
            (ExecutorForm::Local, None) => Ok(Arc::new(LocalExecutor::new(catalog.roles()))),
            (ExecutorForm::Local, Some(_)) => {
                Err(Failure::wrong("`--workers` is for worker processes; add `--executor process`"))
            }
            (ExecutorForm::Process, workers) => {
                let program = std::env::current_exe()
                    .map_err(|error| Failure::failed(format!("this program cannot be found: {error}")))?;
                let command = WorkerCommand::new(program).arg("worker").arg("--objects").arg(objects);
                let command = session
                    .dataset_flags(datasets)
                    .into_iter()
                    .fold(command, |command, flag| command.arg("--data").arg(flag));
                let command = match session.config_file() {
                    Some(file) => command.arg("--config").arg(file),
                    None => command,
                };
                let command = match session.services() {
                    Some(services) => command.arg("--services").arg(services),
                    None => command,
                };
                let processors = || std::thread::available_parallelism().unwrap_or(NonZero::<usize>::MIN);
                Ok(Arc::new(ProcessExecutor::new(command, workers.unwrap_or_else(processors).get())))
            }
        }
    }
}

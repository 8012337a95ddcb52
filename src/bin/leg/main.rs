//! The `leg` program: parse, dispatch, exit code.

mod args;
mod commands;
mod executor;
mod output;
mod progress;
mod session;

use std::process::ExitCode;

use clap::Parser as _;
use clap::error::ErrorKind;

use crate::args::Arguments;
use crate::output::{Failure, WRONG_INPUT};

fn main() -> ExitCode {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => {
            let wanted = matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion);
            // Where even this cannot be printed, the exit code still says it.
            let _ = error.print();
            return if wanted { ExitCode::SUCCESS } else { ExitCode::from(WRONG_INPUT) };
        }
    };
    let as_json = arguments.json;
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
    let ending = match runtime {
        Ok(runtime) => {
            let ending = runtime.block_on(commands::dispatch(arguments));
            // A tool that was given up and still computes must not keep the program.
            runtime.shutdown_background();
            ending
        }
        Err(error) => Err(Failure::failed(format!("the runtime cannot start: {error}"))),
    };
    ExitCode::from(ending.unwrap_or_else(|failure| failure.report(as_json)))
}

//! `leg bench reference`

use leg::ocean_tools::reference::{CaseReport, Report, Status, run};
use serde_json::json;

use crate::args::{BenchAction, ReferenceArguments};
use crate::output::{DONE, Ending, FAILED, Failure, print, print_json};
use crate::session::Session;

pub(crate) async fn bench(session: &Session, action: BenchAction) -> Ending {
    match action {
        BenchAction::Reference(own) => reference(session, &own).await,
        BenchAction::Hydro(own) => super::bench_hydro::hydro(session, &own).await,
    }
}

async fn reference(session: &Session, arguments: &ReferenceArguments) -> Ending {
    let done = |case: &CaseReport| {
        if !session.json {
            print(&line(case));
        }
    };
    let report =
        run(&arguments.cases, &arguments.data, &arguments.family, done).await.map_err(Failure::wrong)?;
    if session.json {
        print_json(&json!(report));
    } else {
        print(&summary(&report));
    }
    Ok(if report.passed == report.total { DONE } else { FAILED })
}

fn line(case: &CaseReport) -> String {
    let status = match case.status {
        Status::Pass => "pass ",
        Status::Fail => "FAIL ",
        Status::Error => "ERROR",
    };
    let deviation = case.max_deviation.map_or_else(|| "-".to_owned(), |deviation| format!("{deviation:.2e}"));
    let message = if case.message.is_empty() { String::new() } else { format!("  {}", case.message) };
    format!("{status}  {}/{}  deviation {deviation} of what is allowed{message}", case.family, case.id)
}

fn summary(report: &Report) -> String {
    format!("{} of {} cases pass", report.passed, report.total)
}

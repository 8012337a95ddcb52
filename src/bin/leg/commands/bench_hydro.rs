//! `leg bench hydro`

use leg::hydro_bench::{CaseReport, Report, run};

use crate::args::HydroArguments;
use crate::output::{DONE, Ending, FAILED, Failure, print, print_json};
use crate::session::Session;

pub(crate) async fn hydro(session: &Session, arguments: &HydroArguments) -> Ending {
    let done = |case: &CaseReport| {
        if !session.json {
            print(&line(case));
        }
    };
    let report =
        run(&arguments.cases, &arguments.fixtures, arguments.quick, done).await.map_err(Failure::wrong)?;
    if session.json {
        print_json(&report.to_json());
    } else {
        print(&summary(&report));
    }
    Ok(if report.is_good() { DONE } else { FAILED })
}

fn line(case: &CaseReport) -> String {
    let verdict = if case.found == case.facts {
        "pass "
    } else if case.passed {
        "gap  "
    } else {
        "FAIL "
    };
    let missing = if case.missing.is_empty() {
        String::new()
    } else {
        format!("  without {}", case.missing.join(", "))
    };
    format!("{verdict}  {}  {} of {} facts{missing}", case.id, case.found, case.facts)
}

fn summary(report: &Report) -> String {
    let percent = |parts: (usize, usize)| 100.0 * parts.0 as f64 / parts.1.max(1) as f64;
    let mut lines = vec![format!(
        "facts {:.1} %, cases {:.1} %",
        100.0 * report.factual_precision(),
        100.0 * report.pass_rate()
    )];
    for (service, loss) in &report.under_loss {
        lines.push(format!(
            "without {service}: partial answers {:.1} %, wrong numbers {}",
            percent(loss.partial_answers),
            loss.wrong_numbers
        ));
    }
    for (tracks, score) in &report.by_tracks {
        lines.push(format!(
            "{tracks} tracks: facts {:.1} % in {} questions, {} calls",
            percent(score.factual_precision),
            score.questions,
            score.calls
        ));
    }
    for (name, score) in &report.ablations {
        lines.push(format!("{name}: facts {:.1} %, {} calls", percent(score.factual_precision), score.calls));
    }
    lines.join("\n")
}

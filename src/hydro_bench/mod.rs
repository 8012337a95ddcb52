//! The suite of storm-surge questions: asks them of recorded services, whole and with parts lost, and scores the facts.
//!
//! A fact is found when a grounded claim says it: the claim cites evidence with its value and unit, and its sentence has the
//! number. A case passes when each of its facts is found or the answer states a gap.

mod ask;
mod case;
mod fact;
mod report;

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, PoisonError, RwLock};

use hydro_specialists::recorded::{Recorded, RecordedError};
use leg_fetch::Respond;

pub use ask::AskError;
use ask::{Desk, Form, Heard};
pub use case::{Case, CaseError, Fact, read_cases};
pub use report::{Ablation, CaseReport, Loss, Report, Tracks};

/// The services that are lost in turn, as the first part of their names.
const SERVICES: [&str; 6] = ["nhc", "coops", "usgs", "fema", "stofs", "osm"];

/// The most tracks of a joined question.
const MOST_TRACKS: usize = 5;

/// The suite cannot run.
#[derive(Debug, thiserror::Error)]
pub enum HydroBenchError {
    /// The recordings cannot be read.
    #[error(transparent)]
    Recorded(#[from] RecordedError),
    /// The cases cannot be read.
    #[error(transparent)]
    Cases(#[from] CaseError),
    /// A question cannot be asked at all.
    #[error(transparent)]
    Ask(#[from] AskError),
}

/// Recorded services of which one may be lost. What is served changes from question to question; the server stays.
#[derive(Debug)]
struct Lossy {
    now: RwLock<(Recorded, Option<&'static str>)>,
}

impl Respond for Lossy {
    fn respond(&self, request: &leg_fetch::Request) -> leg_fetch::Response {
        let path = request.url.path().trim_start_matches('/');
        let now = self.now.read().unwrap_or_else(PoisonError::into_inner);
        match now.1 {
            Some(lost) if path.starts_with(lost) => {
                leg_fetch::Response::ok("<html>Service Unavailable</html>").with_status(503)
            }
            _ => now.0.answer(request),
        }
    }
}

/// One server and one catalog for all questions.
struct Suite {
    recorded: Recorded,
    served: Arc<Lossy>,
    desk: Desk,
}

impl Suite {
    async fn open(recorded: Recorded) -> Result<Self, AskError> {
        let served = Arc::new(Lossy { now: RwLock::new((recorded.clone(), None)) });
        let respond: Arc<dyn Respond> = Arc::<Lossy>::clone(&served);
        Ok(Self { recorded, served, desk: Desk::open(respond).await? })
    }

    async fn ask(&self, cases: &[&Case], lost: Option<&'static str>, form: Form) -> Result<Heard, AskError> {
        let files = cases.iter().flat_map(|case| case.facts.iter().map(|fact| fact.fixture.clone()));
        let now = (self.recorded.clone().preferring(files), lost);
        *self.served.now.write().unwrap_or_else(PoisonError::into_inner) = now;
        let text = match cases {
            [only] => only.text.clone(),
            several => several
                .iter()
                .enumerate()
                .map(|(at, case)| format!("({}) {}", at + 1, case.text.trim()))
                .collect::<Vec<_>>()
                .join(" "),
        };
        self.desk.ask(&text, form).await
    }
}

/// Runs the suite; `quick` leaves out losses, joined questions and ablations. `done` hears each case.
///
/// # Errors
/// [`HydroBenchError`] when cases or recordings cannot be read, or a server cannot start.
pub async fn run(
    cases: &Path,
    fixtures: &Path,
    quick: bool,
    mut done: impl FnMut(&CaseReport),
) -> Result<Report, HydroBenchError> {
    let cases = read_cases(cases)?;
    let suite = Suite::open(Recorded::open(fixtures)?).await?;
    let mut report = Report::default();
    let mut whole: Vec<Heard> = Vec::new();
    for case in &cases {
        let heard = suite.ask(&[case], None, Form::Whole).await?;
        let scored = CaseReport::of(case, &heard);
        done(&scored);
        report.cases.push(scored);
        whole.push(heard);
    }
    if !quick {
        for service in SERVICES {
            let mut loss = Loss::default();
            for (case, before) in cases.iter().zip(&whole) {
                let heard = suite.ask(&[case], Some(service), Form::Whole).await?;
                loss.add(case, before, &heard, |fact| {
                    suite.recorded.service_of(&fact.fixture) == Some(service)
                });
            }
            report.under_loss.insert(service.to_owned(), loss);
        }
        for tracks in 1..=MOST_TRACKS {
            let mut scored = Tracks::default();
            for group in groups(&cases, tracks) {
                let heard = suite.ask(&group, None, Form::Whole).await?;
                scored.add(&group, &heard);
            }
            report.by_tracks.insert(tracks, scored);
        }
        for (name, form) in [
            ("whole", Form::Whole),
            ("no_consolidator", Form::NoConsolidator),
            ("no_merge", Form::NoMerge),
            ("no_routing_rules", Form::NoRules),
        ] {
            let mut ablation = Ablation::default();
            for group in groups(&cases, 2) {
                let heard = suite.ask(&group, None, form).await?;
                ablation.add(&group, &heard);
            }
            report.ablations.insert(name.to_owned(), ablation);
        }
    }
    Ok(report)
}

/// Groups of so many cases of different categories, so that none wants another recording of the same request.
fn groups(cases: &[Case], size: usize) -> Vec<Vec<&Case>> {
    let mut by_category: BTreeMap<&str, Vec<&Case>> = BTreeMap::new();
    // One that enumerates parts of its own cannot be a part.
    for case in cases.iter().filter(|case| !case.text.contains("(1)")) {
        by_category.entry(&case.category).or_default().push(case);
    }
    let rounds = by_category.values().map(Vec::len).max().unwrap_or(0);
    let mut groups = Vec::new();
    for round in 0..rounds {
        let row: Vec<&Case> = by_category.values().filter_map(|own| own.get(round).copied()).collect();
        groups.extend(row.chunks(size).filter(|chunk| chunk.len() == size).map(<[&Case]>::to_vec));
    }
    groups
}

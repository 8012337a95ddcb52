//! When: windows and seasons, closed by the record's ends.

use super::answer::Missing;
use super::context::PlannerContext;
use super::reading::Reading;
use super::slots::{SeasonWord, When, Window};

/// Part of a case that may vary.
#[derive(Clone, Default)]
pub(super) struct Span {
    pub(super) window: Option<Window>,
    pub(super) season: Option<SeasonWord>,
}

/// The windows that are asked for; at least one entry.
pub(super) fn spans(
    reading: &Reading,
    context: &PlannerContext,
    record: Option<&Window>,
) -> Result<Vec<Span>, Missing> {
    let bad = || {
        let ask = "The time cannot be read; write two ISO dates such as [\"2015-01-01\", \"2015-12-31\"].";
        Missing::new("time", ask, Vec::new())
    };
    let mut windows = Vec::new();
    if let Some(given) = &context.overrides.time {
        windows.push(Window::from_json(given).ok_or_else(bad)?);
    } else {
        for found in &reading.windows {
            let window = closed(&found.value, record).ok_or_else(|| {
                let ask = "From when to when? The record's ends are not known.";
                Missing::new("time", ask, vec!["from 2010 to 2019".to_owned()])
            })?;
            if !windows.contains(&window) {
                windows.push(window);
            }
        }
    }
    // "in 2015 and 2016" is one span of time, unless the question sets the years against each other.
    let follow = windows.windows(2).all(|pair| match pair {
        [a, b] => a.year_span().1 + 1 == b.year_span().0 && a.start.len() == 4 && b.start.len() == 4,
        _ => false,
    });
    if windows.len() > 1 && follow && !contrasts(reading) {
        let hull = windows
            .iter()
            .skip(1)
            .fold(windows.first().cloned(), |hull, next| hull.map(|hull| hull.hull(next)));
        windows = hull.into_iter().collect();
    }
    let seasons = &reading.season;
    if seasons.len() == windows.len() {
        // "summer 2015 and winter 2016": each year has its own season.
        let zipped = windows.into_iter().zip(seasons.iter().cloned());
        let spans: Vec<Span> =
            zipped.map(|(window, season)| Span { window: Some(window), season: Some(season) }).collect();
        return Ok(if spans.is_empty() { vec![Span::default()] } else { spans });
    }
    let windows: Vec<Option<Window>> =
        if windows.is_empty() { vec![None] } else { windows.into_iter().map(Some).collect() };
    let seasons: Vec<Option<SeasonWord>> =
        if seasons.is_empty() { vec![None] } else { seasons.iter().cloned().map(Some).collect() };
    Ok(windows
        .iter()
        .flat_map(|window| {
            seasons.iter().map(|season| Span { window: window.clone(), season: season.clone() })
        })
        .collect())
}

/// Whether the words set things against each other.
fn contrasts(reading: &Reading) -> bool {
    let words = ["compar", "differ", "contrast", "versus", " vs", " than ", "change between", "against"];
    words.iter().any(|word| reading.text.whole().contains(word))
}

/// A window with both ends.
fn closed(when: &When, record: Option<&Window>) -> Option<Window> {
    match when {
        When::Between(window) => Some(window.clone()),
        When::Since(start) => Window::new(start, &record?.end).or_else(|| Window::new(start, start)),
        When::Until(end) => Window::new(&record?.start, end).or_else(|| Window::new(end, end)),
        When::LastYears(years) => {
            let last = record?.year_span().1;
            Some(Window::years(last + 1 - i32::try_from(*years).ok()?, last))
        }
    }
}

/// A season in its window: months that follow each other in one year are a window of their own.
pub(super) fn in_season(
    span: &Span,
    southern: bool,
    assumptions: &mut Vec<String>,
) -> (Option<Window>, Option<String>, Option<Vec<u8>>) {
    let Some(season) = &span.season else { return (span.window.clone(), None, None) };
    let code = season.code(southern);
    if let (SeasonWord::Local { word, .. }, Some(code)) = (season, &code) {
        let side = if southern { "south" } else { "north" };
        assumptions.push(format!("The {word} is {code}, as in the {side}."));
    }
    let year = span.window.as_ref().and_then(Window::single_year);
    if let (Some(year), Some((first, length))) = (year, season.span(southern)) {
        let last = first + length - 1;
        let window = if last <= 12 {
            Window::new(&format!("{year:04}-{first:02}"), &format!("{year:04}-{last:02}"))
        } else {
            let window =
                Window::new(&format!("{:04}-{first:02}", year - 1), &format!("{year:04}-{:02}", last - 12));
            assumptions.extend(window.as_ref().map(|window| {
                format!("{} of {year} is {}.", code.as_deref().unwrap_or("The season"), window.words())
            }));
            window
        };
        return (window, None, None);
    }
    match season {
        SeasonWord::Months(months) => (span.window.clone(), None, Some(months.clone())),
        _ => (span.window.clone(), code, None),
    }
}

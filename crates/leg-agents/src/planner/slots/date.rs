//! Dates: ISO, everyday, years, quarters, decades, and spans of them.

use leg_core::evidence::month_number;
use regex::{Captures, Regex};

use super::{SeasonWord, Window};
use crate::planner::text::{Found, Text};

/// Patterns of dates.
#[derive(Debug)]
pub(in crate::planner) struct Dates {
    baselines: [Regex; 2],
    open: Regex,
    last: Regex,
    atoms: Vec<(Atom, Regex)>,
    months: Regex,
    month_run: Regex,
    join: Regex,
    contrast: Regex,
}

/// When, as far as the words say.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::planner) enum When {
    /// From one date to another.
    Between(Window),
    /// To the record's end.
    Since(String),
    /// From the record's beginning.
    Until(String),
    /// So many years before the record's end.
    LastYears(u32),
}

/// What dates a question has.
#[derive(Debug, Default, PartialEq)]
pub(in crate::planner) struct Dated {
    /// The baseline.
    pub(in crate::planner) baseline: Option<Window>,
    /// Windows, in text order; several only if they are set against each other.
    pub(in crate::planner) windows: Vec<Found<When>>,
    /// Months of each year.
    pub(in crate::planner) months: Option<SeasonWord>,
    /// A date that does not exist.
    pub(in crate::planner) unclear: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Atom {
    Day,
    Days,
    DayMonth,
    MonthDay,
    Months,
    Month,
    YearMonth,
    IsoMonth,
    Part,
    ShortRange,
    Decade,
    Year,
}

/// A date of which the year may be missing.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
struct Date {
    year: Option<u32>,
    month: Option<u32>,
    day: Option<u32>,
}

const YEAR: &str = r"((?:18|19|20)\d\d)";
const MONTH: &str = r"(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\b\.?";

impl Dates {
    /// Compiles the patterns.
    pub(in crate::planner) fn new() -> Result<Self, regex::Error> {
        let to = r"\s*(?:-|to|through|until|till|and)\s*";
        let nouns = r"mean|average|climatolog\w+|baseline|base period|reference(?: period)?|normals?";
        let atom = |kind, pattern: String| Regex::new(&pattern).map(|regex| (kind, regex));
        Ok(Self {
            baselines: [
                Regex::new(&format!(
                    r"\b(?P<span>(relative to|with respect to|w\.?r\.?t\.?|from|against|versus|vs\.?|compared (?:to|with)|minus|departures? from|(?:baseline|base period|reference period|climatology|reference)(?:\s+(?:period|of|is|=|over|for))*:?)\s+(?:the\s+|a\s+|an\s+|its\s+|their\s+)?(?:(?:{nouns}|period|years)\s+)?(?:(?:of|over|for|period)\s+)*(?:the\s+)?(?:years\s+)?{YEAR}(?:{to}{YEAR})?(?:\s+({nouns}))?)\b"
                ))?,
                Regex::new(&format!(
                    r"\b(?P<span>{YEAR}{to}{YEAR}[\s-]+(climatolog\w+|baseline|base period|reference(?: period)?|normals?))\b"
                ))?,
            ],
            open: Regex::new(&format!(
                r"\b(since|after|before|until|up to|onwards? from|starting in)\s+(?:the\s+)?(?:(?:beginning|start|end)\s+of\s+)?(?:{MONTH}\s+)?{YEAR}\b"
            ))?,
            last: Regex::new(
                r"\b(?:last|past|latest|most recent)\s+(\d{1,3}|two|three|four|five|six|seven|eight|nine|ten|twelve|fifteen|twenty|thirty)?\s*(years?|decades?)\b",
            )?,
            atoms: vec![
                atom(
                    Atom::Day,
                    format!(r"\b{YEAR}[-/](\d{{1,2}})[-/](\d{{1,2}})(?:t\d\d:\d\d(?::\d\d)?z?)?\b"),
                )?,
                atom(
                    Atom::Days,
                    format!(
                        r"\b(\d{{1,2}})(?:st|nd|rd|th)?\s*(?:-|to)\s*(\d{{1,2}})(?:st|nd|rd|th)?\s+(?:of\s+)?{MONTH},?\s*{YEAR}\b"
                    ),
                )?,
                atom(
                    Atom::DayMonth,
                    format!(r"\b(\d{{1,2}})(?:st|nd|rd|th)?\s+(?:of\s+)?{MONTH}(?:,?\s*{YEAR}\b)?"),
                )?,
                atom(
                    Atom::MonthDay,
                    format!(r"\b{MONTH}\s+(?:the\s+)?(\d{{1,2}})(?:st|nd|rd|th)?\b(?:,?\s*{YEAR}\b)?"),
                )?,
                atom(
                    Atom::Months,
                    format!(r"\b{MONTH}\s*(?:-|to|through|until|and)\s*{MONTH},?\s*(?:of\s+|in\s+)?{YEAR}\b"),
                )?,
                atom(Atom::Month, format!(r"\b{MONTH},?\s*(?:of\s+|in\s+)?{YEAR}\b"))?,
                atom(Atom::YearMonth, format!(r"\b{YEAR}\s+{MONTH}"))?,
                atom(Atom::IsoMonth, format!(r"\b{YEAR}[-/](0?[1-9]|1[0-2])\b"))?,
                atom(
                    Atom::Part,
                    format!(
                        r"\b(q[1-4]|h[12]|(?:first|second|third|fourth|last|1st|2nd|3rd|4th)\s+(?:quarter|half)|first\s+(?:\d{{1,2}}|two|three|four|five|six|seven|eight|nine)\s+months)\s*(?:of|in|,)?\s*(?:the\s+year\s+)?{YEAR}\b"
                    ),
                )?,
                atom(Atom::ShortRange, format!(r"\b{YEAR}\s*-\s*(\d\d)\b"))?,
                atom(Atom::Decade, r"\b(?:the\s+)?((?:18|19|20)\d)0'?s\b".to_owned())?,
                atom(Atom::Year, format!(r"\b{YEAR}\b"))?,
            ],
            months: Regex::new(&format!(
                r"\b(?:in|during|each|every|for|of)\s+(?:the\s+month\s+of\s+|each\s+|every\s+)?(?P<span>{MONTH})"
            ))?,
            month_run: Regex::new(&format!(r"\b(?P<span>{MONTH}\s*(?:-|to|through)\s*{MONTH})"))?,
            join: Regex::new(
                r"^[\s,(]*(?:-+|to|through|thru|until|till|up to|/|and up to|\.\.+|and)[\s,]*(?:the\s+)?(?:end\s+of\s+|year\s+)?$",
            )?,
            contrast: Regex::new(r"\b(?:compar\w*|differ\w*|contrast\w*|versus|vs)\b")?,
        })
    }

    /// Takes dates out of a question.
    pub(in crate::planner) fn read(&self, text: &mut Text) -> Dated {
        let mut out = Dated::default();
        for pattern in &self.baselines {
            let found = text.take(pattern, baseline);
            out.baseline = out.baseline.or_else(|| found.into_iter().next().map(|window| window.value));
        }
        out.windows = text.take(&self.open, open_window);
        out.windows.extend(text.take(&self.last, last_years));
        let mut atoms = Vec::new();
        for (kind, pattern) in &self.atoms {
            atoms.extend(text.take(pattern, |captures| read_atom(*kind, captures)));
        }
        atoms.sort_by_key(|atom| atom.range.start);
        self.join(text, atoms, &mut out);
        let run = text.take(&self.month_run, |captures| {
            let (first, last) = (month(captures, 2)?, month(captures, 3)?);
            (first <= last)
                .then(|| (first..=last).filter_map(|month| u8::try_from(month).ok()).collect::<Vec<u8>>())
        });
        let mut months: Vec<u8> = run.into_iter().flat_map(|found| found.value).collect();
        let single = text.take(&self.months, |captures| u8::try_from(month(captures, 2)?).ok());
        months.extend(single.into_iter().map(|found| found.value));
        months.sort_unstable();
        months.dedup();
        out.months = (!months.is_empty()).then_some(SeasonWord::Months(months));
        out.windows.sort_by_key(|window| window.range.start);
        out
    }

    /// Joins dates that are the two ends of a span.
    fn join(&self, text: &Text, atoms: Vec<Found<(Date, Date)>>, out: &mut Dated) {
        let mut spans: Vec<Found<(Date, Date)>> = Vec::new();
        for atom in atoms {
            let joined = spans
                .last_mut()
                .filter(|last| self.belongs(text, last.range.start, last.range.end, atom.range.start));
            if let Some(last) = joined {
                last.value.0.year = last.value.0.year.or(atom.value.0.year);
                last.value.1 = atom.value.1;
                last.range.end = atom.range.end;
            } else {
                spans.push(atom);
            }
        }
        for span in spans {
            // A day without a year is no date; a month without one is a month of each year, which is read later.
            let (Some(start), Some(end)) = (span.value.0.iso(), span.value.1.iso()) else { continue };
            if let Some(window) = Window::new(&start, &end) {
                out.windows.push(Found { value: When::Between(window), range: span.range });
            } else {
                let words = text.between(span.range.start, span.range.end);
                out.unclear = Some(format!(
                    "which dates are meant: `{words}` does not run from an earlier to a later date"
                ));
            }
        }
    }

    /// Whether what stands between two dates makes a span of them.
    fn belongs(&self, text: &Text, start: usize, from: usize, to: usize) -> bool {
        let between = text.between(from, to);
        let before = text.between(0, start).trim_end();
        if !self.join.is_match(between) {
            return false;
        }
        if between.trim() == "and" {
            return before.ends_with("between") && !self.contrast.is_match(before);
        }
        true
    }
}

impl Date {
    fn iso(self) -> Option<String> {
        let year = self.year?;
        Some(match (self.month, self.day) {
            (Some(month), Some(day)) => format!("{year:04}-{month:02}-{day:02}"),
            (Some(month), None) => format!("{year:04}-{month:02}"),
            _ => format!("{year:04}"),
        })
    }
}

fn baseline(found: &Captures<'_>) -> Option<Window> {
    let whole = found.name("span")?.as_str();
    let years: Vec<i32> =
        found.iter().skip(2).flatten().filter_map(|group| group.as_str().parse().ok()).collect();
    let weak =
        ["from", "against", "versus", "vs", "compared", "minus"].iter().any(|word| whole.starts_with(word));
    let named = ["mean", "average", "climatolog", "baseline", "base period", "reference", "normal"]
        .iter()
        .any(|word| whole.contains(word));
    if weak && !named {
        return None;
    }
    let (first, last) = (*years.first()?, *years.last()?);
    (first <= last).then(|| Window::years(first, last))
}

fn open_window(found: &Captures<'_>) -> Option<When> {
    let year = number(found, 3)?;
    let date = Date { year: Some(year), month: month(found, 2), day: None };
    let next = |step: i64| {
        let year = i64::from(year) + if date.month.is_none() { step } else { 0 };
        let month = date.month.map(|month| i64::from(month) + step);
        match month {
            Some(0) => format!("{:04}-12", year - 1),
            Some(13) => format!("{:04}-01", year + 1),
            Some(month) => format!("{year:04}-{month:02}"),
            None => format!("{year:04}"),
        }
    };
    match found.get(1)?.as_str() {
        "after" => Some(When::Since(next(1))),
        "before" => Some(When::Until(next(-1))),
        "until" | "up to" => Some(When::Until(date.iso()?)),
        _ => Some(When::Since(date.iso()?)),
    }
}

fn last_years(found: &Captures<'_>) -> Option<When> {
    let count = found.get(1).map_or(Some(1), |word| count(word.as_str()))?;
    let years = if found.get(2)?.as_str().starts_with('d') { count * 10 } else { count };
    (1..=500).contains(&years).then_some(When::LastYears(years))
}

fn read_atom(kind: Atom, found: &Captures<'_>) -> Option<(Date, Date)> {
    let full = |year, month, day| Date { year, month, day };
    match kind {
        Atom::Day => {
            let date = full(number(found, 1), number(found, 2), number(found, 3));
            Some((date, date))
        }
        Atom::Days => {
            let (month, year) = (month(found, 3), number(found, 4));
            Some((full(year, month, number(found, 1)), full(year, month, number(found, 2))))
        }
        Atom::DayMonth => {
            let date = full(number(found, 3), month(found, 2), number(found, 1));
            (1..=31).contains(&date.day?).then_some((date, date))
        }
        Atom::MonthDay => {
            let date = full(number(found, 3), month(found, 1), number(found, 2));
            (1..=31).contains(&date.day?).then_some((date, date))
        }
        Atom::Months => {
            let year = number(found, 3);
            let (first, last) = (month(found, 1)?, month(found, 2)?);
            let before = if first > last { year.map(|year| year - 1) } else { year };
            Some((full(before, Some(first), None), full(year, Some(last), None)))
        }
        Atom::Month => {
            let date = full(number(found, 2), month(found, 1), None);
            Some((date, date))
        }
        Atom::YearMonth => {
            let date = full(number(found, 1), month(found, 2), None);
            Some((date, date))
        }
        Atom::IsoMonth => {
            let date = full(number(found, 1), number(found, 2), None);
            Some((date, date))
        }
        Atom::Part => {
            let (first, last) = part_of_year(found.get(1)?.as_str())?;
            let year = number(found, 2);
            Some((full(year, Some(first), None), full(year, Some(last), None)))
        }
        Atom::ShortRange => {
            let (year, short) = (number(found, 1)?, number(found, 2)?);
            let last = year - year % 100 + short;
            (last > year).then(|| (full(Some(year), None, None), full(Some(last), None, None)))
        }
        Atom::Decade => {
            let year = number(found, 1)? * 10;
            Some((full(Some(year), None, None), full(Some(year + 9), None, None)))
        }
        Atom::Year => {
            let date = full(number(found, 1), None, None);
            Some((date, date))
        }
    }
}

/// First and last month of a quarter, a half, or the first months.
fn part_of_year(words: &str) -> Option<(u32, u32)> {
    let ordinal = match words.split_whitespace().next()? {
        "first" | "1st" | "q1" | "h1" => 1,
        "second" | "2nd" | "q2" | "h2" => 2,
        "third" | "3rd" | "q3" => 3,
        "last" if words.ends_with("half") => 2,
        "fourth" | "4th" | "q4" | "last" => 4,
        _ => return None,
    };
    if words.ends_with("months") {
        let months = count(words.split_whitespace().nth(1)?)?;
        return (1..=12).contains(&months).then_some((1, months));
    }
    let length = if words.starts_with('h') || words.ends_with("half") { 6 } else { 3 };
    let last = ordinal * length;
    (last <= 12).then_some((last - length + 1, last))
}

/// A number in digits or words.
fn count(word: &str) -> Option<u32> {
    const WORDS: [(&str, u32); 13] = [
        ("two", 2),
        ("three", 3),
        ("four", 4),
        ("five", 5),
        ("six", 6),
        ("seven", 7),
        ("eight", 8),
        ("nine", 9),
        ("ten", 10),
        ("twelve", 12),
        ("fifteen", 15),
        ("twenty", 20),
        ("thirty", 30),
    ];
    word.parse().ok().or_else(|| WORDS.iter().find(|(name, _)| *name == word).map(|(_, n)| *n))
}

fn number(found: &Captures<'_>, group: usize) -> Option<u32> {
    found.get(group)?.as_str().parse().ok()
}

fn month(found: &Captures<'_>, group: usize) -> Option<u32> {
    month_number(found.get(group)?.as_str()).map(u32::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(question: &str) -> Dated {
        Dates::new().unwrap().read(&mut Text::new(question))
    }

    fn windows(question: &str) -> Vec<String> {
        let spell = |found: Found<When>| match found.value {
            When::Between(window) => format!("{}..{}", window.start, window.end),
            When::Since(start) => format!("{start}.."),
            When::Until(end) => format!("..{end}"),
            When::LastYears(years) => format!("last {years}"),
        };
        read(question).windows.into_iter().map(spell).collect()
    }

    #[test]
    fn dates_in_many_spellings() {
        for (question, expected) in [
            ("in 2015", "2015..2015"),
            ("from 2010 to 2019", "2010..2019"),
            ("2010–2019", "2010..2019"),
            ("2010-15", "2010..2015"),
            ("between 2012 and 2014", "2012..2014"),
            ("2010 through 2012", "2010..2012"),
            ("2015-03-01/2015-04-30", "2015-03-01..2015-04-30"),
            ("2015-03-01 to 2015-04-30", "2015-03-01..2015-04-30"),
            ("on 2015/03/01", "2015-03-01..2015-03-01"),
            ("2015-03", "2015-03..2015-03"),
            ("2015-03 to 2016-02", "2015-03..2016-02"),
            ("15 January 2015", "2015-01-15..2015-01-15"),
            ("January 20th, 2015", "2015-01-20..2015-01-20"),
            ("15 Jan to 20 Feb 2015", "2015-01-15..2015-02-20"),
            ("1-7 January 2015", "2015-01-01..2015-01-07"),
            ("March 2015", "2015-03..2015-03"),
            ("Mar-May 2015", "2015-03..2015-05"),
            ("November to February 2015", "2014-11..2015-02"),
            ("March 2015 to June 2016", "2015-03..2016-06"),
            ("Q3 2015", "2015-07..2015-09"),
            ("the second quarter of 2015", "2015-04..2015-06"),
            ("second half of 2015", "2015-07..2015-12"),
            ("first three months of 2015", "2015-01..2015-03"),
            ("in the 2010s", "2010..2019"),
            ("since 2012", "2012.."),
            ("after 2012", "2013.."),
            ("before March 2012", "..2012-02"),
            ("over the last ten years", "last 10"),
            ("the past two decades", "last 20"),
        ] {
            assert_eq!(windows(question), [expected], "{question}");
        }
    }

    #[test]
    fn windows_that_are_compared_stay_apart() {
        assert_eq!(windows("compare 2015 with 2020"), ["2015..2015", "2020..2020"]);
        assert_eq!(windows("2010-2014 versus 2015-2019"), ["2010..2014", "2015..2019"]);
        assert_eq!(windows("the difference between 2015 and 2020"), ["2015..2015", "2020..2020"]);
    }

    #[test]
    fn baselines_are_no_windows() {
        for question in [
            "from 2010 to 2019 relative to 1991-2020",
            "2010-2019 against the 1991-2020 mean",
            "in 2010-2019 with a 1991–2020 baseline",
            "2010-2019, departure from the 1991-2020 climatology",
        ] {
            let found = read(question);
            assert_eq!(found.baseline, Some(Window::years(1991, 2020)), "{question}");
            assert_eq!(found.windows.len(), 1, "{question}");
        }
        assert_eq!(read("from 2010 to 2019").baseline, None);
    }

    #[test]
    fn verbs_and_other_numbers_are_no_dates() {
        for question in ["it may march on", "95% of 300 m", "in 20 15", "20150 cells", "3 may"] {
            assert!(windows(question).is_empty(), "{question}");
        }
        assert!(read("2015-02-31").unclear.is_none());
        assert!(read("from 2017 to 2015").unclear.is_some());
        assert_eq!(read("every July").months, Some(SeasonWord::Months(vec![7])));
    }
}

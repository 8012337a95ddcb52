//! The times of the rows, out of one column or several.

use super::column::{Column, ColumnValues};
use crate::cf::{Calendar, DateTime, TimeUnits};

/// The calendar of dates in tables.
const CALENDAR: Calendar = Calendar::Standard;
const SECOND: i128 = 1_000_000_000;

/// Times as nanoseconds since 1970-01-01, and the columns they were made of.
#[derive(Debug, PartialEq)]
pub(super) struct Clock {
    pub(super) nanoseconds: Vec<Option<i128>>,
    pub(super) columns: Vec<usize>,
}

/// Finds the times of a table: a column of dates, of decimal years or of numbers with a reference; columns of year,
/// month, day and hour; or a date beside a time of day. `None` when there is no such column.
pub(super) fn clock(columns: &[Column]) -> Result<Option<Clock>, String> {
    let named = |names: &[&str]| {
        columns.iter().position(|column| names.contains(&column.name.to_ascii_lowercase().as_str()))
    };
    let date = named(&["datetime", "date_time", "timestamp", "date", "time", "decimal_year", "year_decimal"]);
    let time = named(&["time", "time_of_day", "hhmm"]);
    if let (Some(date), Some(time)) = (date, time)
        && date != time
        && let Some(nanoseconds) = date_and_time(&columns[date], &columns[time])
    {
        return Ok(Some(Clock { nanoseconds, columns: vec![date, time] }));
    }
    if let Some(at) = date {
        let nanoseconds = one_column(&columns[at])?;
        return Ok(Some(Clock { nanoseconds, columns: vec![at] }));
    }
    let parts = [
        named(&["year", "yyyy", "yr"]),
        named(&["month", "mm", "mon"]),
        named(&["day", "dd"]),
        named(&["hour", "hh"]),
        named(&["minute", "min"]),
    ];
    let Some(year) = parts[0] else { return Ok(None) };
    if parts[1].is_none() {
        let nanoseconds = one_column(&columns[year])?;
        return Ok(Some(Clock { nanoseconds, columns: vec![year] }));
    }
    // A finer part without the coarser one before it is another quantity.
    let known = parts.iter().take_while(|part| part.is_some()).copied().flatten().collect::<Vec<_>>();
    let numbers: Option<Vec<&[f64]>> = known.iter().map(|&at| columns[at].numbers()).collect();
    let numbers = numbers.ok_or("the columns of year and month hold text; write them as numbers")?;
    let nanoseconds = (0..numbers[0].len())
        .map(|row| {
            let part = |at: usize, default: f64| numbers.get(at).map_or(default, |column| column[row]);
            from_parts([part(0, 0.0), part(1, 1.0), part(2, 1.0), part(3, 0.0), part(4, 0.0)])
        })
        .collect::<Result<Vec<_>, _>>()?;
    Ok(Some(Clock { nanoseconds, columns: known }))
}

/// The times of a column that has them alone.
fn one_column(column: &Column) -> Result<Vec<Option<i128>>, String> {
    let wrong = |row: usize, text: &str| {
        let heading = &column.name;
        format!(
            "row {} of `{heading}` has `{text}`, which is no time; write it as 2003-01-31T05:00:00Z",
            row + 1
        )
    };
    match &column.values {
        ColumnValues::Texts(texts) => {
            let read = |(row, text): (usize, &String)| match text.as_str() {
                "" => Ok(None),
                text => date(text).map(Some).ok_or_else(|| wrong(row, text)),
            };
            texts.iter().enumerate().map(read).collect()
        }
        ColumnValues::Numbers(numbers) => {
            let units = column.units.as_deref().filter(|units| units.contains(" since "));
            let units = units.map(|text| TimeUnits::parse(text, CALENDAR)).transpose();
            let units = units.map_err(|error| format!("`{}`: {error}", column.name))?;
            let whole = numbers.iter().all(|number| number.is_nan() || number.fract() == 0.0);
            let read = |(row, &number): (usize, &f64)| {
                if number.is_nan() {
                    return Ok(None);
                }
                let found = match &units {
                    Some(units) => units.to_nanoseconds(number).ok(),
                    None if whole && number >= 1e5 => date(&format!("{number:.0}")),
                    None => decimal_year(number),
                };
                found.map(Some).ok_or_else(|| wrong(row, &number.to_string()))
            };
            numbers.iter().enumerate().map(read).collect()
        }
    }
}

/// Days of one column and hours and minutes of another, as `19930923` or a date, and `2222` or `22:22`.
fn date_and_time(dates: &Column, times: &Column) -> Option<Vec<Option<i128>>> {
    let days = one_column(dates).ok()?;
    let clocks: Option<Vec<i128>> = match &times.values {
        ColumnValues::Numbers(numbers) => numbers.iter().map(|&number| hours_and_minutes(number)).collect(),
        ColumnValues::Texts(texts) => texts.iter().map(|text| time_of_day(text)).collect(),
    };
    let sum = |(day, clock): (&Option<i128>, i128)| day.map(|day| day + clock);
    Some(days.iter().zip(clocks?).map(sum).collect())
}

/// `2222` is 22:22, a missing one the start of the day; `None` for what is no time of day.
fn hours_and_minutes(number: f64) -> Option<i128> {
    if number.is_nan() {
        return Some(0);
    }
    if number.fract() != 0.0 || !(0.0..=2400.0).contains(&number) {
        return None;
    }
    #[expect(clippy::cast_possible_truncation, reason = "a whole number of at most four digits")]
    let (hours, minutes) = ((number / 100.0).floor() as i128, (number % 100.0) as i128);
    (minutes < 60).then_some((hours * 60 + minutes) * 60 * SECOND)
}

/// `22:22`, with or without seconds.
fn time_of_day(text: &str) -> Option<i128> {
    if text.is_empty() {
        return Some(0);
    }
    let at = date(&format!("1970-01-01T{text}"))?;
    text.contains(':').then_some(at)
}

/// A date, with or without a time of day.
fn date(text: &str) -> Option<i128> {
    let text = text.trim().replace('/', "-");
    let digits = text.bytes().all(|byte| byte.is_ascii_digit());
    let part = |from: usize, to: usize| text.get(from..to);
    let text = match (digits, text.len()) {
        (true, 8) => format!("{}-{}-{}", part(0, 4)?, part(4, 6)?, part(6, 8)?),
        (true, 10) => format!("{}-{}-{} {}", part(0, 4)?, part(4, 6)?, part(6, 8)?, part(8, 10)?),
        (true, 12) => {
            let clock = format!("{}:{}", part(8, 10)?, part(10, 12)?);
            format!("{}-{}-{} {clock}", part(0, 4)?, part(4, 6)?, part(6, 8)?)
        }
        (true, 6) => format!("{}-{}-01", part(0, 4)?, part(4, 6)?),
        (true, 4) => format!("{text}-01-01"),
        (true, _) => return None,
        (false, 7) if text.as_bytes()[4] == b'-' => format!("{text}-01"),
        _ => text,
    };
    TimeUnits::parse(&format!("seconds since {text}"), CALENDAR).ok()?.to_nanoseconds(0.0).ok()
}

/// A year and its fraction, to the second.
fn decimal_year(number: f64) -> Option<i128> {
    if !(-9999.0..=9999.0).contains(&number) {
        return None;
    }
    let whole = number.floor();
    #[expect(clippy::cast_possible_truncation, reason = "the range was checked")]
    let year = whole as i32;
    let start = CALENDAR.nanoseconds(&DateTime::midnight(year, 1, 1)).ok()?;
    let seconds = (number - whole) * f64::from(CALENDAR.days_in_year(year)) * 86_400.0;
    #[expect(clippy::cast_possible_truncation, reason = "at most the seconds of a year")]
    let seconds = seconds.round() as i128;
    Some(start + seconds * SECOND)
}

/// Year, month, day, hour and minute; `None` when one is missing.
fn from_parts(parts: [f64; 5]) -> Result<Option<i128>, String> {
    if parts.iter().any(|part| part.is_nan()) {
        return Ok(None);
    }
    let wrong = || format!("{}-{}-{} {}:{} is no time", parts[0], parts[1], parts[2], parts[3], parts[4]);
    let fits = (-9999.0..=9999.0).contains(&parts[0])
        && (1.0..=12.0).contains(&parts[1])
        && (1.0..32.0).contains(&parts[2])
        && (0.0..=24.0).contains(&parts[3])
        && (0.0..60.0).contains(&parts[4])
        && parts[..2].iter().all(|part| part.fract() == 0.0);
    if !fits {
        return Err(wrong());
    }
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the ranges were checked")]
    let date = DateTime::midnight(parts[0] as i32, parts[1] as u8, parts[2] as u8);
    let start = CALENDAR.nanoseconds(&date).map_err(|_| wrong())?;
    let seconds = parts[2].fract() * 86_400.0 + parts[3] * 3600.0 + parts[4] * 60.0;
    #[expect(clippy::cast_possible_truncation, reason = "less than two days")]
    let seconds = seconds.round() as i128;
    Ok(Some(start + seconds * SECOND))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Headings with the cells below them.
    type Cells<'a> = &'a [(&'a str, &'a [&'a str])];

    fn times(table: Cells<'_>) -> Result<Option<Vec<String>>, String> {
        let columns: Vec<Column> = (table.iter())
            .map(|(name, cells)| Column::new(name, cells.iter().map(|&cell| cell.to_owned()).collect()))
            .collect();
        let text = |time: &Option<i128>| {
            time.map_or("none".to_owned(), |time| CALENDAR.instant(time).unwrap().to_string())
        };
        Ok(clock(&columns)?.map(|clock| clock.nanoseconds.iter().map(text).collect()))
    }

    #[test]
    fn times_are_read_in_the_forms_that_tables_have() {
        let cases: [(Cells<'_>, &str); 14] = [
            (&[("time", &["2003-01-01T05:00:00Z"])], "2003-01-01T05:00:00"),
            (&[("Date", &["1982-01-02"])], "1982-01-02T00:00:00"),
            (&[("datetime", &["2003/1/31 05:30"])], "2003-01-31T05:30:00"),
            (&[("date", &["1982-03"])], "1982-03-01T00:00:00"),
            (&[("date", &["19930923"])], "1993-09-23T00:00:00"),
            (&[("date", &["19930923"]), ("time", &["0013"])], "1993-09-23T00:13:00"),
            (&[("date", &["1993-09-23"]), ("time", &["22:22"])], "1993-09-23T22:22:00"),
            (&[("time", &["2001.5"])], "2001-07-02T12:00:00"),
            (&[("year", &["2001"])], "2001-01-01T00:00:00"),
            (&[("year", &["2001.5"])], "2001-07-02T12:00:00"),
            (&[("year", &["2001"]), ("month", &["3"])], "2001-03-01T00:00:00"),
            (
                &[("yyyy", &["2001"]), ("mm", &["3"]), ("dd", &["4"]), ("hh", &["5"]), ("min", &["6"])],
                "2001-03-04T05:06:00",
            ),
            (&[("time [days since 1950-01-01]", &["1.5"])], "1950-01-02T12:00:00"),
            (&[("time", &[""])], "none"),
        ];
        for (table, wanted) in cases {
            assert_eq!(times(table), Ok(Some(vec![wanted.to_owned()])), "{table:?}");
        }
        assert_eq!(times(&[("sst", &["1"])]), Ok(None));
    }

    #[test]
    fn what_is_no_time_is_named_with_its_row() {
        let error = times(&[("time", &["2003-01-01", "soon"])]).unwrap_err();
        assert!(error.contains("row 2") && error.contains("soon"), "{error}");
        assert!(times(&[("year", &["2001"]), ("month", &["13"])]).is_err());
        assert!(times(&[("date", &["99999999"])]).is_err());
    }

    proptest! {
        #[test]
        fn any_cells_end_without_a_panic(a in "\\PC{0,14}", b in "[0-9:.eT-]{0,14}") {
            let _ = times(&[("time", &[&a, &b])]);
            let _ = times(&[("date", &[&b]), ("time", &[&a])]);
            let _ = times(&[("year", &[&b]), ("month", &[&b]), ("day", &[&b])]);
        }
    }
}

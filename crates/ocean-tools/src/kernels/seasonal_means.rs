//! One mean a year of the months of a season.

use ocean_data::field::Season;

use super::time_axis::TimeAxis;

/// The years of a season in a record, with the positions that belong to each.
///
/// A season that spans two years carries the year of its first month: the winter of December 1982 is 1982. Only
/// complete seasons count: each of their months has a value.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct SeasonYears {
    /// The years that are complete.
    pub(crate) years: Vec<i32>,
    /// The positions of each year.
    pub(crate) positions: Vec<Vec<usize>>,
}

impl SeasonYears {
    /// Those of a record. Without a season, whole calendar years.
    pub(crate) fn of(axis: &TimeAxis, season: Option<&Season>) -> Self {
        let months = season.map_or_else(|| (1..=12).collect(), Season::months);
        let first = months.first().copied().unwrap_or(1);
        let crosses = usize::from(first) + months.len() > 13;
        let mut found: Vec<(i32, Vec<usize>)> = Vec::new();
        for (at, time) in axis.times().iter().enumerate().filter(|(_, time)| months.contains(&time.month)) {
            let year = time.year - i32::from(crosses && time.month < first);
            match found.last_mut() {
                Some((last, positions)) if *last == year => positions.push(at),
                _ => found.push((year, vec![at])),
            }
        }
        let complete = |positions: &Vec<usize>| {
            months.iter().all(|month| positions.iter().any(|&at| axis.times()[at].month == *month))
        };
        found.retain(|(_, positions)| complete(positions));
        let (years, positions) = found.into_iter().unzip();
        Self { years, positions }
    }

    /// The mean of each year; missing when a value is.
    pub(crate) fn means(&self, values: &[f64]) -> Vec<f64> {
        let mean = |positions: &Vec<usize>| {
            positions.iter().map(|&at| values[at]).sum::<f64>() / positions.len() as f64
        };
        self.positions.iter().map(mean).collect()
    }
}

#[cfg(test)]
mod tests {
    use ocean_data::cf::Calendar;

    use super::super::time_axis::month_start;
    use super::*;

    #[test]
    fn a_winter_carries_the_year_of_its_december_and_is_whole() {
        let axis =
            TimeAxis::new(Calendar::Standard, (0..26).map(|i| month_start(2000 * 12 + i)).collect()).unwrap();
        let winter = SeasonYears::of(&axis, Some(&"DJF".parse().unwrap()));
        assert_eq!((winter.years.clone(), winter.positions[0].clone()), (vec![2000, 2001], vec![11, 12, 13]));
        let values: Vec<f64> = (0..26).map(f64::from).collect();
        assert!((winter.means(&values)[1] - 24.0).abs() < 1e-12);
        assert_eq!(SeasonYears::of(&axis, None).years, [2000, 2001]);
    }
}

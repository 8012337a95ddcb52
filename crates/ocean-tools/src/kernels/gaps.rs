//! Gaps in a series.

/// Fills gaps of up to `longest` values between two values by straight lines. Gives the values and how many were filled;
/// longer gaps and those at the ends stay.
pub(crate) fn bridged(values: &[f64], longest: usize) -> (Vec<f64>, usize) {
    let present: Vec<usize> =
        values.iter().enumerate().filter(|(_, v)| !v.is_nan()).map(|(at, _)| at).collect();
    let (mut out, mut count) = (values.to_vec(), 0);
    for (&from, &to) in
        present.iter().zip(present.iter().skip(1)).filter(|(from, to)| *to - *from <= longest + 1)
    {
        for (at, place) in out.iter_mut().enumerate().take(to).skip(from + 1) {
            let part = (at - from) as f64 / (to - from) as f64;
            *place = values[from] + (values[to] - values[from]) * part;
            count += 1;
        }
    }
    (out, count)
}

/// Fills gaps of up to `longest` values inside the series by straight lines; those at the ends take the nearest value.
/// Gives the filled values and how many were filled; `None` when a gap is longer or nothing is present.
pub(crate) fn filled(values: &[f64], longest: usize) -> Option<(Vec<f64>, usize)> {
    let first = values.iter().position(|value| !value.is_nan())?;
    let last = values.iter().rposition(|value| !value.is_nan())?;
    let (mut out, inside) = bridged(values, longest);
    let ends = first + values.len() - 1 - last;
    if first > longest
        || values.len() - 1 - last > longest
        || out[first..=last].iter().any(|own| own.is_nan())
    {
        return None;
    }
    out[..first].fill(values[first]);
    out[last + 1..].fill(values[last]);
    Some((out, inside + ends))
}

#[cfg(test)]
mod tests {
    use super::filled;

    #[test]
    fn short_gaps_are_straight_and_long_ones_refused() {
        let nan = f64::NAN;
        let (values, count) = filled(&[nan, 1.0, nan, nan, 4.0, nan], 2).unwrap();
        assert_eq!((values, count), (vec![1.0, 1.0, 2.0, 3.0, 4.0, 4.0], 4));
        assert!(filled(&[1.0, nan, nan, 4.0], 1).is_none());
        assert!(filled(&[nan], 5).is_none());
    }
}

//! Longitudes of an axis, put side by side over the turn of 360 degrees.

/// How much wider than a step a gap must be to be no step.
const WIDER: f64 = 2.0;

/// Takes whole turns off longitudes, so that neighbours on the globe are neighbours in number.
///
/// That is so for stored neighbours that are more than half a turn apart (178, 179, -180), and for a part of the globe
/// that is stored in rising order though it crosses the seam (-180 to -70 and 100 to 179; 0 to 9 and 350 to 359): its
/// ends meet over the turn and there is a gap in the middle, which without this would count as the width of two cells.
pub(super) fn unwrap(values: &mut [f64]) {
    let stored = values.to_vec();
    for i in 1..values.len() {
        let turns = ((values[i] - values[i - 1]) / 360.0).round();
        values[i] -= 360.0 * turns;
    }
    close(values);
    let mut turn = 0.0;
    if !values.is_sorted() && !values.is_sorted_by(|a, b| a >= b) {
        // Parts that were moved past each other: the whole then stands where longitudes usually do.
        turn = match values.iter().copied().fold(f64::INFINITY, f64::min) {
            low if low < -180.0 => 360.0,
            low if low >= 180.0 => -360.0,
            _ => 0.0,
        };
    }
    for (value, stored) in values.iter_mut().zip(stored) {
        // Whole turns of the stored number, so that its digits stay.
        *value = stored + 360.0 * ((*value + turn - stored) / 360.0).round();
    }
}

/// Moves the lower part of longitudes whose ends meet over the turn above the gap between the parts.
fn close(values: &mut [f64]) {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let (Some(first), Some(last)) = (sorted.first(), sorted.last()) else { return };
    let seam = first + 360.0 - last;
    let mut steps: Vec<f64> = sorted.windows(2).map(|pair| pair[1] - pair[0]).collect();
    let widest = (0..steps.len()).reduce(|most, at| if steps[at] > steps[most] { at } else { most });
    let Some(widest) = widest.filter(|_| seam > 0.0) else { return };
    let (gap, start) = (steps.swap_remove(widest), sorted[widest + 1]);
    steps.sort_by(f64::total_cmp);
    let usual = steps.get(steps.len() / 2).copied().unwrap_or(seam);
    if seam <= WIDER * usual && gap > WIDER * seam.max(usual) {
        values.iter_mut().filter(|value| **value < start).for_each(|value| *value += 360.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unwrapped(stored: &[f64]) -> Vec<f64> {
        let mut values = stored.to_vec();
        unwrap(&mut values);
        values
    }

    #[test]
    fn neighbours_stay_neighbours_over_the_seam() {
        assert_eq!(unwrapped(&[178.0, 179.0, -180.0, -179.0]), [178.0, 179.0, 180.0, 181.0]);
        assert_eq!(unwrapped(&[359.0, 0.0, 1.0]), [359.0, 360.0, 361.0]);
    }

    #[test]
    fn a_part_that_crosses_the_seam_in_rising_order_is_closed() {
        assert_eq!(unwrapped(&[0.0, 1.0, 2.0, 358.0, 359.0]), [0.0, 1.0, 2.0, -2.0, -1.0]);
        assert_eq!(unwrapped(&[-179.0, -178.0, 178.0, 179.0, 180.0]), [181.0, 182.0, 178.0, 179.0, 180.0]);
        // Less than half a turn between the parts.
        let wide = [-180.0, -150.0, -120.0, -90.0, 60.0, 90.0, 120.0, 150.0];
        assert_eq!(unwrapped(&wide), [180.0, 210.0, 240.0, 270.0, 60.0, 90.0, 120.0, 150.0]);
    }

    #[test]
    fn whole_globes_and_lone_gaps_stay() {
        for values in [[-180.0, -90.0, 0.0, 90.0], [0.0, 90.0, 180.0, 270.0], [-280.0, -190.0, -100.0, -10.0]]
        {
            assert_eq!(unwrapped(&values), values);
        }
        // Two basins, far from meeting over the turn.
        assert_eq!(unwrapped(&[-80.0, -79.0, -78.0, 20.0, 21.0]), [-80.0, -79.0, -78.0, 20.0, 21.0]);
        assert_eq!(unwrapped(&[10.0]), [10.0]);
    }
}

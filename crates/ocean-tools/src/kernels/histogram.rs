//! Counting values in bins.

/// The bin of a value among rising edges: closed below, open above, and the last bin closed; `None` outside.
pub(crate) fn bin_of(edges: &[f64], value: f64) -> Option<usize> {
    let (first, last) = (edges.first()?, edges.last()?);
    if value.is_nan() || value < *first || value > *last {
        return None;
    }
    Some((edges.partition_point(|edge| *edge <= value) - 1).min(edges.len() - 2))
}

/// Edges of `count` bins of one width.
pub(crate) fn even_edges(low: f64, high: f64, count: usize) -> Vec<f64> {
    let width = (high - low) / count as f64;
    (0..=count).map(|at| if at == count { high } else { low + width * at as f64 }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edges_belong_to_the_bin_above_and_the_last_to_the_last() {
        let edges = even_edges(0.0, 6.0, 3);
        let bins: Vec<Option<usize>> =
            [0.0, 2.0, 5.9, 6.0, -0.1, 6.1, f64::NAN].iter().map(|value| bin_of(&edges, *value)).collect();
        assert_eq!(bins, [Some(0), Some(1), Some(2), Some(2), None, None, None]);
    }
}

//! Layers of a water column: edges, thickness, vertical derivatives.

/// How thick layers are, from the depths of their centres.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum LowestEdge {
    /// As far below the deepest centre as the edge above it.
    #[default]
    Extended,
    /// The deepest centre.
    Centre,
}

/// Edges of layers in metres below the surface: 0, half-way between the centres, and the lowest.
pub fn edges(centres: &[f64], lowest: LowestEdge) -> Vec<f64> {
    let n = centres.len();
    if n == 0 {
        return Vec::new();
    }
    let mut edges = vec![0.0];
    edges.extend(centres.windows(2).map(|pair| f64::midpoint(pair[0], pair[1])));
    edges.push(match lowest {
        LowestEdge::Centre => centres[n - 1],
        LowestEdge::Extended if n == 1 => 2.0 * centres[0],
        LowestEdge::Extended => centres[n - 1] + (centres[n - 1] - centres[n - 2]) / 2.0,
    });
    edges
}

/// Thickness of each layer inside `[top, bottom]`, in metres.
pub fn thickness(edges: &[f64], [top, bottom]: [f64; 2]) -> Vec<f64> {
    edges.windows(2).map(|pair| (pair[1].min(bottom) - pair[0].max(top)).max(0.0)).collect()
}

/// `∂/∂z` of a column with `z` upwards, at the levels: centred inside, one-sided at its ends and beside missing
/// values.
pub fn upward_slope(column: &[f64], depth: &[f64]) -> Vec<f64> {
    let n = column.len();
    (0..n)
        .map(|k| {
            let own = column[k];
            let above =
                (k > 0 && !column[k - 1].is_nan()).then(|| (column[k - 1] - own) / (depth[k] - depth[k - 1]));
            let below = (k + 1 < n && !column[k + 1].is_nan())
                .then(|| (own - column[k + 1]) / (depth[k + 1] - depth[k]));
            match (above, below) {
                (Some(above), Some(below)) => {
                    let (up, down) = (depth[k] - depth[k - 1], depth[k + 1] - depth[k]);
                    (above * down + below * up) / (up + down)
                }
                (Some(only), None) | (None, Some(only)) => only,
                (None, None) => f64::NAN,
            }
        })
        .collect()
}

/// `∂/∂z` of a column with `z` upwards, half-way between the levels.
pub fn interface_slope(column: &[f64], depth: &[f64]) -> Vec<f64> {
    column.windows(2).zip(depth.windows(2)).map(|(c, d)| (c[0] - c[1]) / (d[1] - d[0])).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edges_begin_at_the_surface() {
        assert_eq!(edges(&[5.0, 15.0, 30.0], LowestEdge::Extended), [0.0, 10.0, 22.5, 37.5]);
        assert_eq!(edges(&[5.0, 15.0], LowestEdge::Centre), [0.0, 10.0, 15.0]);
        assert_eq!(edges(&[5.0], LowestEdge::Extended), [0.0, 10.0]);
        assert_eq!(thickness(&[0.0, 10.0, 22.5, 37.5], [5.0, 30.0]), [5.0, 12.5, 7.5]);
    }

    #[test]
    fn what_grows_downwards_has_a_negative_slope() {
        let depth = [0.0, 10.0, 30.0, 40.0];
        let column: Vec<f64> = depth.iter().map(|d| 0.1 * d).collect();
        assert!(upward_slope(&column, &depth).iter().all(|slope| (slope + 0.1).abs() < 1e-12));
        assert!(interface_slope(&column, &depth).iter().all(|slope| (slope + 0.1).abs() < 1e-12));
        let gap = upward_slope(&[1.0, f64::NAN, 3.0, 2.0], &depth);
        assert!(gap[0].is_nan() && gap[1].is_nan() && (gap[2] - 0.1).abs() < 1e-12);
    }
}

//! Bands of a row of cells by their distance to its coast.

/// Which side of the sea its coast is on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// Land in the east.
    East,
    /// Land in the west.
    West,
}

/// Distances in metres from the middles of the cells of a row to its coast, positive towards the sea; `None` when no
/// cell of the row has land beside it on that side.
///
/// `wet` tells sea from land, `edges` are the bounds of the cells in degrees from west to east, `metres` those of a degree
/// along the row. The coast is the outermost one: the edge between the last cell of sea and the land beyond.
pub fn to_coast(wet: &[bool], edges: &[[f64; 2]], metres: f64, side: Side) -> Option<Vec<f64>> {
    let n = wet.len();
    let coast = match side {
        Side::East => {
            (0..n.saturating_sub(1)).rev().find(|&at| wet[at] && !wet[at + 1]).map(|at| edges[at][1])
        }
        Side::West => (1..n).find(|&at| wet[at] && !wet[at - 1]).map(|at| edges[at][0]),
    }?;
    let sign = if side == Side::East { 1.0 } else { -1.0 };
    Some(edges.iter().map(|[west, east]| sign * (coast - f64::midpoint(*west, *east)) * metres).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_coast_is_where_the_land_begins() {
        let edges: Vec<[f64; 2]> = (0..5).map(|x| [f64::from(x), f64::from(x) + 1.0]).collect();
        let east = to_coast(&[true, false, true, false, false], &edges, 100.0, Side::East);
        assert_eq!(east.unwrap(), [250.0, 150.0, 50.0, -50.0, -150.0]);
        let west = to_coast(&[false, true, true, false, true], &edges, 100.0, Side::West);
        assert_eq!(west.unwrap(), [-50.0, 50.0, 150.0, 250.0, 350.0]);
        assert!(to_coast(&[true; 5], &edges, 100.0, Side::East).is_none());
        assert!(to_coast(&[false; 5], &edges, 100.0, Side::West).is_none());
    }
}

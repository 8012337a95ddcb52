//! Contour lines, traced over the cells between values. Where a value is missing there is no line.

use std::collections::BTreeMap;

/// A piece of a line in one cell: the edges that it joins, and its ends.
#[derive(Debug, Clone, Copy)]
struct Piece {
    edges: [u64; 2],
    ends: [[f64; 2]; 2],
}

/// Traces a level through values on a grid of `shape` rows and columns, row-major. Points are column and row, with
/// fractions.
pub(crate) fn on_grid(shape: [usize; 2], values: &[f64], level: f64) -> Vec<Vec<[f64; 2]>> {
    let [rows, columns] = shape;
    let at = |row: usize, column: usize| values[row * columns + column];
    let mut pieces = Vec::new();
    for row in 0..rows.saturating_sub(1) {
        for column in 0..columns.saturating_sub(1) {
            // Around the cell; the n-th side joins the n-th corner and the next.
            let corners = [[row, column], [row, column + 1], [row + 1, column + 1], [row + 1, column]].map(
                |[row, column]| {
                    ([column as f64, row as f64], at(row, column), (row * columns + column) as u64)
                },
            );
            if corners.iter().any(|(_, value, _)| !value.is_finite()) {
                continue;
            }
            let middle = corners.iter().map(|(_, value, _)| value / 4.0).sum::<f64>();
            let crossings: Vec<_> =
                (0..4).filter_map(|side| crossing(corners[side], corners[(side + 1) % 4], level)).collect();
            match crossings.as_slice() {
                [from, to] => pieces.push(piece(*from, *to)),
                // A saddle: the middle tells which corners belong together.
                [a, b, c, d] if (middle > level) == (corners[0].1 > level) => {
                    pieces.extend([piece(*a, *b), piece(*c, *d)]);
                }
                [a, b, c, d] => pieces.extend([piece(*a, *d), piece(*b, *c)]),
                _ => {}
            }
        }
    }
    join(&pieces)
}

/// Traces a level through values at the nodes of triangles.
pub(crate) fn on_triangles(
    nodes: &[[f64; 2]],
    triangles: &[[usize; 3]],
    values: &[f64],
    level: f64,
) -> Vec<Vec<[f64; 2]>> {
    let mut pieces = Vec::new();
    for triangle in triangles {
        let corners = triangle.map(|node| (nodes[node], values[node], node as u64));
        let is_whole = |(place, value, _): &([f64; 2], f64, u64)| {
            value.is_finite() && place.iter().all(|part| part.is_finite())
        };
        if !corners.iter().all(is_whole) {
            continue;
        }
        let crossings: Vec<_> =
            (0..3).filter_map(|side| crossing(corners[side], corners[(side + 1) % 3], level)).collect();
        if let [from, to] = crossings.as_slice() {
            pieces.push(piece(*from, *to));
        }
    }
    join(&pieces)
}

type Corner = ([f64; 2], f64, u64);
type Crossing = (u64, [f64; 2]);

/// Returns the edge and the point where a level crosses it.
fn crossing(from: Corner, to: Corner, level: f64) -> Option<Crossing> {
    let ((from_place, from_value, from_node), (to_place, to_value, to_node)) = (from, to);
    if (from_value > level) == (to_value > level) {
        return None;
    }
    let share = ((level - from_value) / (to_value - from_value)).clamp(0.0, 1.0);
    let point = [0, 1].map(|part| from_place[part] + share * (to_place[part] - from_place[part]));
    // Nodes are far fewer than two to the power of 32.
    Some(((from_node.min(to_node) << 32) | from_node.max(to_node), point))
}

fn piece(from: Crossing, to: Crossing) -> Piece {
    Piece { edges: [from.0, to.0], ends: [from.1, to.1] }
}

/// Joins pieces that meet on an edge into lines.
fn join(pieces: &[Piece]) -> Vec<Vec<[f64; 2]>> {
    let mut meets: BTreeMap<u64, Vec<usize>> = BTreeMap::new();
    for (place, piece) in pieces.iter().enumerate() {
        for edge in piece.edges {
            meets.entry(edge).or_default().push(place);
        }
    }
    let mut used = vec![false; pieces.len()];
    // Lines that end somewhere start there; rings start anywhere.
    let is_end = |piece: &Piece| piece.edges.iter().position(|edge| meets[edge].len() == 1);
    let open = pieces.iter().enumerate().filter_map(|(place, piece)| is_end(piece).map(|side| (place, side)));
    let starts: Vec<(usize, usize)> = open.chain((0..pieces.len()).map(|place| (place, 0))).collect();
    let mut lines = Vec::new();
    for (start, side) in starts {
        if used[start] {
            continue;
        }
        let mut line = vec![pieces[start].ends[side]];
        let (mut place, mut entered) = (start, side);
        loop {
            used[place] = true;
            let leaving = 1 - entered;
            line.push(pieces[place].ends[leaving]);
            let edge = pieces[place].edges[leaving];
            let Some(next) = meets[&edge].iter().copied().find(|next| !used[*next]) else { break };
            entered = usize::from(pieces[next].edges[1] == edge && pieces[next].edges[0] != edge);
            place = next;
        }
        lines.push(line);
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hill(side: usize) -> Vec<f64> {
        let middle = (side - 1) as f64 / 2.0;
        let value = |row: usize, column: usize| -> f64 {
            let (x, y) = (column as f64 - middle, row as f64 - middle);
            x * x + y * y
        };
        (0..side).flat_map(|row| (0..side).map(move |column| value(row, column))).collect()
    }

    #[test]
    fn a_hill_has_one_ring_at_its_radius() {
        let lines = on_grid([21, 21], &hill(21), 36.0);
        assert_eq!(lines.len(), 1);
        assert_eq!(lines[0].first(), lines[0].last(), "the ring is closed");
        for [x, y] in &lines[0] {
            // Straight interpolation of a parabola between places one apart is off by an eighth over the slope 12.
            assert!((libm::hypot(x - 10.0, y - 10.0) - 6.0).abs() < 0.03, "{x} {y}");
        }
    }

    #[test]
    fn a_missing_value_cuts_a_line() {
        let mut values = hill(21);
        values[10 * 21 + 16] = f64::NAN;
        let lines = on_grid([21, 21], &values, 36.0);
        assert_eq!(lines.len(), 1);
        assert_ne!(lines[0].first(), lines[0].last());
        assert!(lines.iter().flatten().flatten().all(|part| part.is_finite()));
    }

    #[test]
    fn saddles_and_flat_values_do_not_hang() {
        assert_eq!(on_grid([2, 2], &[1.0, 0.0, 0.0, 1.0], 0.4).len(), 2);
        assert_eq!(on_grid([2, 2], &[1.0, 0.0, 0.0, 1.0], 0.6).len(), 2);
        assert!(on_grid([3, 3], &[1.0; 9], 1.0).is_empty());
        assert!(on_grid([1, 5], &[0.0, 1.0, 2.0, 3.0, 4.0], 1.5).is_empty());
        assert!(on_grid([0, 0], &[], 1.5).is_empty());
    }

    #[test]
    fn triangles_have_straight_lines_through_them() {
        let nodes = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]];
        let lines = on_triangles(&nodes, &[[0, 1, 2], [0, 2, 3]], &[0.0, 1.0, 1.0, 0.0], 0.25);
        assert_eq!(lines.len(), 1);
        assert!(lines[0].iter().all(|[x, _]| (x - 0.25).abs() < 1e-12), "{lines:?}");
        assert_eq!(lines[0].len(), 3);
    }
}

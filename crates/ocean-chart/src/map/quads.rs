//! Pictures of curvilinear cells and of triangles, and the seam of a map of the world.

use super::view::View;
use crate::{
    colour::Scale,
    raster::{self, Raster},
};

/// How far apart, in pixels of a picture, neighbours lie on both sides of the map's seam. Only maps of the whole world
/// that are no disc have one.
pub(super) fn tear(view: &View, width: usize) -> f64 {
    let is_disc = matches!(view.formula, super::projection::Formula::Polar { .. });
    if view.lon[1] - view.lon[0] > 300.0 && !is_disc { width as f64 / 2.0 } else { f64::INFINITY }
}

/// Tells whether corners lie on both sides of the seam.
pub(super) fn is_torn(corners: &[[f64; 2]], tear: f64) -> bool {
    let low = corners.iter().map(|corner| corner[0]).fold(f64::INFINITY, f64::min);
    let high = corners.iter().map(|corner| corner[0]).fold(f64::NEG_INFINITY, f64::max);
    high - low > tear
}

/// Cuts a line where it crosses the seam.
pub(super) fn untorn(line: &[[f64; 2]], tear: f64) -> Vec<Vec<[f64; 2]>> {
    line.chunk_by(|left, right| (left[0] - right[0]).abs() < tear).map(<[_]>::to_vec).collect()
}

/// Fills a triangle with values that run on between its corners; nothing if one is missing.
pub(super) fn fill(raster: &mut Raster, corners: [[f64; 2]; 3], values: [f64; 3], scale: &Scale) {
    if values.iter().any(|value| !value.is_finite()) {
        return;
    }
    raster.fill_triangle(corners, |weights| {
        raster::pixel(scale, (0..3).map(|corner| weights[corner] * values[corner]).sum())
    });
}

/// The corners of a cell: steps to the right and up in the array.
const CORNERS: [[usize; 2]; 4] = [[0, 0], [1, 0], [1, 1], [0, 1]];

/// Fills each cell of a curvilinear grid with the colour of its value.
pub(super) fn fill_cells(
    raster: &mut Raster,
    pixels: &[[f64; 2]],
    shape: [usize; 2],
    values: &[f64],
    scale: &Scale,
    tear: f64,
) {
    let [rows, columns] = shape;
    let guesses: Vec<[[f64; 2]; 4]> = (0..rows * columns)
        .map(|at| guessed_corners(pixels, shape, [at / columns, at % columns], tear))
        .collect();
    for at in (0..rows * columns).filter(|at| values[*at].is_finite()) {
        let [row, column] = [at / columns, at % columns];
        // Cells that meet at a corner must agree where it is, or gaps show: the mean of what each of them says.
        let mut corners = guesses[at];
        for ([right, up], place) in CORNERS.into_iter().zip(&mut corners) {
            let own = *place;
            let meeting = CORNERS.into_iter().enumerate().filter_map(|(other, [other_right, other_up])| {
                let (near_row, near_column) =
                    ((row + up).checked_sub(other_up)?, (column + right).checked_sub(other_right)?);
                let is_inside = near_row < rows && near_column < columns;
                is_inside.then(|| guesses[near_row * columns + near_column][other])
            });
            // A cell on the other side of the map's seam has no say.
            let near = meeting.filter(|said| (said[0] - own[0]).abs() < tear && said[1].is_finite());
            let (sum, count) = near.fold(([0.0; 2], 0.0), |(sum, count), said| {
                ([sum[0] + said[0], sum[1] + said[1]], count + 1.0)
            });
            if count > 0.0 {
                *place = sum.map(|part| part / count);
            }
        }
        fill(raster, [corners[0], corners[1], corners[2]], [values[at]; 3], scale);
        fill(raster, [corners[0], corners[2], corners[3]], [values[at]; 3], scale);
    }
}

/// Where a cell alone would have its corners: half-way to its neighbours, at an edge as far as on the other side. In the
/// order of [`CORNERS`].
fn guessed_corners(
    pixels: &[[f64; 2]],
    shape: [usize; 2],
    [row, column]: [usize; 2],
    tear: f64,
) -> [[f64; 2]; 4] {
    let [rows, columns] = shape;
    let own = pixels[row * columns + column];
    let half = |there: Option<usize>, back: Option<usize>| -> [f64; 2] {
        let step = |to: usize| {
            let step = [0, 1].map(|part| (pixels[to][part] - own[part]) / 2.0);
            (step.iter().all(|part| part.is_finite()) && step[0].abs() * 2.0 < tear).then_some(step)
        };
        let mirrored = || back.and_then(step).map(|step| step.map(|part| -part));
        there.and_then(step).or_else(mirrored).unwrap_or([0.0; 2])
    };
    let at = |row: Option<usize>, column: Option<usize>| Some(row? * columns + column?);
    let (before, after) = (column.checked_sub(1), (column + 1 < columns).then_some(column + 1));
    let (below, above) = (row.checked_sub(1), (row + 1 < rows).then_some(row + 1));
    let east = half(at(Some(row), after), at(Some(row), before));
    let west = half(at(Some(row), before), at(Some(row), after));
    let north = half(at(above, Some(column)), at(below, Some(column)));
    let south = half(at(below, Some(column)), at(above, Some(column)));
    [[west, south], [east, south], [east, north], [west, north]]
        .map(|[a, b]| [0, 1].map(|part| own[part] + a[part] + b[part]))
}

/// Fills the quads between the centres of a curvilinear grid with values that run on.
pub(super) fn fill_between(
    raster: &mut Raster,
    pixels: &[[f64; 2]],
    shape: [usize; 2],
    values: &[f64],
    scale: &Scale,
    tear: f64,
) {
    let [rows, columns] = shape;
    for row in 0..rows.saturating_sub(1) {
        for column in 0..columns.saturating_sub(1) {
            let at = row * columns + column;
            let nodes = [at, at + 1, at + columns + 1, at + columns];
            let corners = nodes.map(|node| pixels[node]);
            if is_torn(&corners, tear) {
                continue;
            }
            for [a, b, c] in [[0, 1, 2], [0, 2, 3]] {
                let value = |corner: usize| values[nodes[corner]];
                fill(raster, [corners[a], corners[b], corners[c]], [value(a), value(b), value(c)], scale);
            }
        }
    }
}

/// The pixel between centres of a curvilinear grid.
pub(super) fn between(pixels: &[[f64; 2]], [rows, columns]: [usize; 2], [column, row]: [f64; 2]) -> [f64; 2] {
    let (low_row, low_column) = (crate::float::floor_index(row), crate::float::floor_index(column));
    let (high_row, high_column) = ((low_row + 1).min(rows - 1), (low_column + 1).min(columns - 1));
    let (up, across) = (row - low_row as f64, column - low_column as f64);
    // A contour lies on one of the sides, so that only two of the four have a weight.
    let parts = [
        (low_row, low_column, (1.0 - up) * (1.0 - across)),
        (low_row, high_column, (1.0 - up) * across),
        (high_row, low_column, up * (1.0 - across)),
        (high_row, high_column, up * across),
    ];
    let mut place = [0.0; 2];
    for (row, column, weight) in parts {
        if weight > 0.0 {
            let corner = pixels[row * columns + column];
            place[0] += weight * corner[0];
            place[1] += weight * corner[1];
        }
    }
    place
}

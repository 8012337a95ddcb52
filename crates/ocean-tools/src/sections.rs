//! Lines through a grid: the faces that a transport goes through.

use leg_core::{ToolContext, ToolError};
use ndarray::Array3;
use ocean_data::Field;
use ocean_data::field::{ChunkTree, WalkControl, WholeAxes, walk_together};

use crate::kernels::sphere::{EARTH_RADIUS, RADIANS, along_great_circle, haversine, near_longitude};
use crate::reading;

/// Slack at the ends of a line, in degrees: coordinates may be stored in single precision.
const EDGE: f64 = 1e-5;
/// A share of a cell that is rounding.
const SNAP: f64 = 1e-9;

/// A piece of a line.
#[derive(Debug, Clone)]
pub(crate) struct Face {
    /// Width in metres.
    pub(crate) width: f64,
    /// Unit vector (east, north) to the left of the line's direction.
    pub(crate) left: [f64; 2],
    /// Its middle `[lon, lat]`.
    pub(crate) place: [f64; 2],
    /// Distance of its middle from the start of the line, in metres.
    pub(crate) along: f64,
    /// Which way between two of the line's places it belongs to.
    pub(crate) leg: usize,
    /// Cells `(row, column, weight)` that its value is made of; those without a value are left out.
    cells: Vec<(usize, usize, f64)>,
}

/// A line through the grid of a field.
#[derive(Debug, Clone)]
pub(crate) struct Line {
    pub(crate) faces: Vec<Face>,
    /// How it was laid, for the method of evidence.
    pub(crate) method: String,
}

impl Line {
    /// A line through places `[lon, lat]`: whole cells when it is one piece of a meridian or a parallel, otherwise
    /// `samples` equal pieces of the great circles, each with the values of the cells around its middle.
    ///
    /// # Errors
    /// Fewer than two places; a line beside the grid.
    pub(crate) fn through(field: &Field, places: &[[f64; 2]], samples: usize) -> Result<Self, ToolError> {
        let (Some(lats), Some(lons)) = (field.lats(), field.lons()) else {
            return Err(ToolError::invalid(format!(
                "`{}` has no latitude and longitude axes, so no line goes through it",
                field.name()
            )));
        };
        let line = match places {
            [[w, s], [e, n]] if (w - e).abs() < EDGE => {
                let rising = n >= s;
                let column = nearest(&lons.values, |lon| (near_longitude(lon, *w) - w).abs());
                let (low, high) = (s.min(*n) - EDGE, s.max(*n) + EDGE);
                let rows = (0..lats.values.len()).filter(|&y| (low..=high).contains(&lats.values[y]));
                let face = |y: usize| Face {
                    width: EARTH_RADIUS * RADIANS * (lats.bounds[y][1] - lats.bounds[y][0]).abs(),
                    left: [if rising { -1.0 } else { 1.0 }, 0.0],
                    place: [near_longitude(lons.values[column], *w), lats.values[y]],
                    leg: 0,
                    along: 0.0,
                    cells: vec![(y, column, 1.0)],
                };
                let method = format!("cells along the meridian {}°", lons.values[column]);
                Self { faces: rows.map(face).collect(), method }
            }
            [[w, s], [e, n]] if (s - n).abs() < EDGE => {
                let row = nearest(&lats.values, |lat| (lat - s).abs());
                let eastward = e >= w;
                let (west, east) = (w.min(*e), w.max(*e));
                let offset = |x: usize| (lons.values[x] - west + EDGE).rem_euclid(360.0);
                let inside = |x: &usize| offset(*x) <= east - west + 2.0 * EDGE;
                let mut columns: Vec<usize> = (0..lons.values.len()).filter(inside).collect();
                // From west to east, also where the axis begins anew inside of the line.
                columns.sort_by(|&a, &b| offset(a).total_cmp(&offset(b)));
                let metres = EARTH_RADIUS * RADIANS * libm::cos(lats.values[row] * RADIANS);
                let face = |x: usize| Face {
                    width: metres * (lons.bounds[x][1] - lons.bounds[x][0]).abs(),
                    left: [0.0, if eastward { 1.0 } else { -1.0 }],
                    place: [near_longitude(lons.values[x], *w), lats.values[row]],
                    leg: 0,
                    along: 0.0,
                    cells: vec![(row, x, 1.0)],
                };
                let method = format!("cells along the parallel {}°", lats.values[row]);
                Self { faces: columns.into_iter().map(face).collect(), method }
            }
            [_, _, ..] => sampled(&lats.values, &lons.values, places, samples),
            _ => return Err(ToolError::invalid("a line needs two places, such as [[-36, 31], [-36, 39]]")),
        };
        line.in_line().met(field)
    }

    /// A line whose pieces are straight in longitude and latitude, so that a side along a parallel stays on it:
    /// `samples` pieces in all, each with the values of the cells around its middle.
    ///
    /// # Errors
    /// Fewer than two places; a line beside the grid.
    pub(crate) fn straight(field: &Field, places: &[[f64; 2]], samples: usize) -> Result<Self, ToolError> {
        let (lats, lons) = sides(field)?;
        let step = |pair: &[[f64; 2]]| {
            [near_longitude(pair[1][0], pair[0][0]) - pair[0][0], pair[1][1] - pair[0][1]]
        };
        let length = |pair: &[[f64; 2]]| {
            let [east, north] = step(pair);
            libm::hypot(east * libm::cos(0.5 * (pair[0][1] + pair[1][1]) * RADIANS), north)
        };
        let total: f64 = places.windows(2).map(length).sum();
        let mut faces = Vec::new();
        for (leg, pair) in places.windows(2).enumerate() {
            let [east, north] = step(pair);
            let pieces = pieces(samples, length(pair) / total);
            for piece in 0..pieces {
                let share = (piece as f64 + 0.5) / pieces as f64;
                let middle = [pair[0][0] + share * east, pair[0][1] + share * north];
                let metres = EARTH_RADIUS * RADIANS / pieces as f64;
                let [x, y] = [metres * east * libm::cos(middle[1] * RADIANS), metres * north];
                let width = libm::hypot(x, y);
                let norm = width.max(f64::MIN_POSITIVE);
                let cells = around(lats, lons, middle);
                faces.push(Face {
                    width,
                    left: [-y / norm, x / norm],
                    place: middle,
                    leg,
                    along: 0.0,
                    cells,
                });
            }
        }
        let method =
            format!("{samples} pieces straight in longitude and latitude, bilinear between cell centres");
        Self { faces, method }.in_line().met(field)
    }

    /// `samples` places at equal distances along the great circles through some, the first and the last among them,
    /// each with the values of the cells around it, or of the nearest one. The widths are the way that each stands
    /// for.
    ///
    /// # Errors
    /// Fewer than two places; a line beside the grid.
    pub(crate) fn at_places(
        field: &Field,
        places: &[[f64; 2]],
        samples: usize,
        is_nearest: bool,
    ) -> Result<Self, ToolError> {
        let (lats, lons) = sides(field)?;
        let lengths: Vec<f64> =
            places.windows(2).map(|pair| haversine(pair[0], pair[1], EARTH_RADIUS)).collect();
        let total: f64 = lengths.iter().sum();
        if lengths.is_empty() || total <= 0.0 || samples < 2 {
            return Err(ToolError::invalid(
                "a section needs two different places, such as [[-36, 31], [-36, 39]], and n_samples of 2 or more",
            ));
        }
        let step = total / (samples - 1) as f64;
        let faces = (0..samples).map(|sample| {
            let (mut left, mut leg) = (step * sample as f64, 0);
            while leg + 1 < lengths.len() && left > lengths[leg] {
                left -= lengths[leg];
                leg += 1;
            }
            let share = if lengths[leg] > 0.0 { (left / lengths[leg]).min(1.0) } else { 0.0 };
            let place = along_great_circle(places[leg], places[leg + 1], share);
            let mut cells = around(lats, lons, place);
            if is_nearest && !cells.is_empty() {
                let row = nearest(lats, |lat| (lat - place[1]).abs());
                let column = nearest(lons, |lon| (near_longitude(lon, place[0]) - place[0]).abs());
                cells = vec![(row, column, 1.0)];
            }
            let width = if sample == 0 || sample + 1 == samples { step / 2.0 } else { step };
            Face { width, left: [0.0, 0.0], place, leg, along: step * sample as f64, cells }
        });
        let how =
            if is_nearest { "of the nearest cell" } else { "bilinear between the cell centres with a value" };
        let method = format!("{samples} places at equal distances along great circles, values {how}");
        Self { faces: faces.collect(), method }.met(field)
    }

    /// Some of the faces in the direction of the line, which faces of whole cells need not have.
    pub(crate) fn directed(&self, chosen: &[usize]) -> Vec<usize> {
        let mut chosen = chosen.to_vec();
        if let [first, second, ..] = self.faces.as_slice() {
            let left = span(first.place, second.place).1;
            if left[0] * first.left[0] + left[1] * first.left[1] < 0.0 {
                chosen.reverse();
            }
        }
        chosen
    }

    /// The pieces between neighbours of some places of this line, each from the middle of a face to that of the next.
    /// They have no cells of their own.
    pub(crate) fn between(&self, chosen: &[usize]) -> Self {
        let faces = chosen.windows(2).map(|pair| {
            let (from, to) = (self.faces[pair[0]].place, self.faces[pair[1]].place);
            let (place, left) = span(from, to);
            let width = haversine(from, to, EARTH_RADIUS);
            Face { width, left, place, leg: self.faces[pair[0]].leg, along: 0.0, cells: Vec::new() }
        });
        Self { faces: faces.collect(), method: self.method.clone() }.in_line()
    }

    /// Refuses a line beside the grid.
    fn met(self, field: &Field) -> Result<Self, ToolError> {
        if self.faces.iter().all(|face| face.cells.is_empty()) {
            return Err(ToolError::no_data(format!(
                "the line does not meet the grid of `{}`; give places inside of it",
                field.name()
            )));
        }
        Ok(self)
    }

    /// Puts each piece behind those before it.
    fn in_line(mut self) -> Self {
        let mut before = 0.0;
        for face in &mut self.faces {
            face.along = before + face.width / 2.0;
            before += face.width;
        }
        self
    }

    /// The distance of the middle of each piece from the start of the line, in km.
    pub(crate) fn distances(&self) -> Vec<f64> {
        self.faces.iter().map(|face| face.along / 1000.0).collect()
    }
}

/// The mean place of two, and the unit vector (east, north) to the left of the way from one to the other.
fn span(from: [f64; 2], to: [f64; 2]) -> ([f64; 2], [f64; 2]) {
    let (east, north) = (near_longitude(to[0], from[0]) - from[0], to[1] - from[1]);
    let middle = [from[0] + 0.5 * east, from[1] + 0.5 * north];
    let east = east * libm::cos(middle[1] * RADIANS);
    let norm = libm::hypot(east, north).max(f64::MIN_POSITIVE);
    (middle, [-north / norm, east / norm])
}

/// Latitudes and longitudes of a field.
fn sides(field: &Field) -> Result<(&[f64], &[f64]), ToolError> {
    let (Some(lats), Some(lons)) = (field.lats(), field.lons()) else {
        return Err(ToolError::invalid(format!(
            "`{}` has no latitude and longitude axes, so no line goes through it",
            field.name()
        )));
    };
    Ok((&lats.values, &lons.values))
}

/// How many of the samples fall to a share of the line.
fn pieces(samples: usize, share: f64) -> usize {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a count of pieces")]
    let pieces = (samples as f64 * share).round() as usize;
    pieces.max(1)
}

fn sampled(lats: &[f64], lons: &[f64], places: &[[f64; 2]], samples: usize) -> Line {
    let total: f64 = places.windows(2).map(|pair| haversine(pair[0], pair[1], EARTH_RADIUS)).sum();
    let mut faces = Vec::new();
    for (leg, pair) in places.windows(2).enumerate() {
        let length = haversine(pair[0], pair[1], EARTH_RADIUS);
        let pieces = pieces(samples, length / total);
        for piece in 0..pieces {
            let share =
                |part: f64| along_great_circle(pair[0], pair[1], (piece as f64 + part) / pieces as f64);
            let (from, middle, to) = (share(0.0), share(0.5), share(1.0));
            let east = (near_longitude(to[0], from[0]) - from[0]) * libm::cos(middle[1] * RADIANS);
            let north = to[1] - from[1];
            let norm = libm::hypot(east, north).max(f64::MIN_POSITIVE);
            faces.push(Face {
                width: length / pieces as f64,
                left: [-north / norm, east / norm],
                place: middle,
                leg,
                along: 0.0,
                cells: around(lats, lons, middle),
            });
        }
    }
    Line { faces, method: format!("{samples} pieces of the great circle, bilinear between cell centres") }
}

/// The cells around a place with their bilinear weights; none beside the grid.
fn around(lats: &[f64], lons: &[f64], [lon, lat]: [f64; 2]) -> Vec<(usize, usize, f64)> {
    let side = |values: &[f64], at: f64| -> Option<[(usize, f64); 2]> {
        let above = values.iter().position(|&value| value >= at - EDGE)?;
        if above == 0 {
            return ((values[0] - at).abs() <= EDGE).then_some([(0, 1.0), (0, 0.0)]);
        }
        let share = ((at - values[above - 1]) / (values[above] - values[above - 1])).clamp(0.0, 1.0);
        // Rounding brings no other cell in: on land the neighbour would stand for what is missing.
        let share = if share < SNAP { 0.0 } else { share };
        let share = if share > 1.0 - SNAP { 1.0 } else { share };
        Some([(above - 1, 1.0 - share), (above, share)])
    };
    let (Some(first), Some(rows)) = (lons.first(), side(lats, lat)) else { return Vec::new() };
    let turned = first - EDGE + (lon - first + EDGE).rem_euclid(360.0);
    let Some(columns) = side(lons, turned) else { return Vec::new() };
    let pairs = rows.iter().flat_map(|row| columns.iter().map(move |column| (row, column)));
    pairs.map(|(row, column)| (row.0, column.0, row.1 * column.1)).filter(|cell| cell.2 > 0.0).collect()
}

fn nearest(values: &[f64], distance: impl Fn(f64) -> f64) -> usize {
    let best = values.iter().enumerate().map(|(at, &value)| (at, distance(value)));
    best.reduce(|best, own| if own.1 < best.1 { own } else { best }).map_or(0, |best| best.0)
}

/// Values `(time, depth, face)` of several fields on one grid along a line.
///
/// # Errors
/// A failed read.
pub(crate) fn sample(
    fields: &[&Field],
    line: &Line,
    context: &ToolContext,
) -> Result<(Vec<Array3<f64>>, Vec<ChunkTree>), ToolError> {
    let [times, levels, ..] = fields.first().map_or([1; 4], |field| field.full_shape());
    let faces = line.faces.len();
    let mut out = vec![Array3::from_elem((times, levels, faces), f64::NAN); fields.len()];
    let whole = WholeAxes { horizontal: true, ..WholeAxes::default() };
    let control = WalkControl { whole, ..reading::control(context) };
    let chunks = walk_together(
        fields,
        &control,
        |blocks| {
            let values = blocks.iter().map(|block| {
                let (t, z, ..) = block.values.dim();
                Array3::from_shape_fn((t, z, faces), |(t, z, face)| {
                    let cells = &line.faces[face].cells;
                    let wet = cells.iter().map(|&(y, x, weight)| (block.values[[t, z, y, x]], weight));
                    let (sum, weight) = wet
                        .filter(|(value, _)| !value.is_nan())
                        .fold((0.0, 0.0), |(sum, total), (value, weight)| {
                            (sum + value * weight, total + weight)
                        });
                    if weight > 0.0 { sum / weight } else { f64::NAN }
                })
            });
            (blocks[0].offset, values.collect::<Vec<_>>())
        },
        |(offset, values)| {
            for (out, part) in out.iter_mut().zip(&values) {
                for ((t, z, face), value) in part.indexed_iter() {
                    out[[offset[0] + t, offset[1] + z, face]] = *value;
                }
            }
        },
    )
    .map_err(|error| reading::cannot_read(&error))?;
    Ok((out, chunks))
}

/// Thickness of the layers of a field inside a range of depths; the first layer reaches to the surface.
pub(crate) fn layers(field: &Field, range: Option<[f64; 2]>) -> Vec<f64> {
    let [top, bottom] = range.unwrap_or([0.0, f64::INFINITY]);
    let Some(axis) = field.depths() else { return vec![1.0] };
    let whole = field.selection().depth.is_none();
    let edges = axis.bounds.iter().enumerate().map(|(at, &[upper, lower])| {
        let upper = if at == 0 && whole { 0.0 } else { upper.max(0.0) };
        [upper, lower]
    });
    edges.map(|[upper, lower]| (lower.min(bottom) - upper.max(top)).max(0.0)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_between_cells_takes_from_all_four() {
        let cells = around(&[0.0, 1.0], &[350.0, 351.0], [-9.5, 0.25]);
        let exact = [(0, 0, 0.375), (0, 1, 0.375), (1, 0, 0.125), (1, 1, 0.125)];
        assert_eq!(cells.len(), exact.len());
        for (own, exact) in cells.iter().zip(exact) {
            assert!((own.0, own.1) == (exact.0, exact.1) && (own.2 - exact.2).abs() < 1e-9, "{own:?}");
        }
        assert!(around(&[0.0, 1.0], &[350.0, 351.0], [20.0, 0.25]).is_empty());
        assert_eq!(around(&[0.0, 1.0], &[350.0, 351.0], [350.0, 0.0]).len(), 1);
    }

    #[test]
    fn distances_are_those_of_the_middles() {
        let face = |width: f64| Face {
            width,
            left: [0.0, 1.0],
            place: [0.0, 0.0],
            leg: 0,
            along: 0.0,
            cells: Vec::new(),
        };
        let line = Line { faces: vec![face(1000.0), face(3000.0)], method: String::new() }.in_line();
        assert_eq!(line.distances(), [0.5, 2.5]);
        assert_eq!((pieces(10, 0.34), pieces(10, 0.001)), (3, 1));
    }

    #[test]
    fn pieces_between_places_follow_the_line() {
        // A line southwards through whole cells, whose faces run from south to north.
        let face = |lat: f64| Face {
            width: 1.0,
            left: [1.0, 0.0],
            place: [350.0, lat],
            leg: 0,
            along: 0.0,
            cells: Vec::new(),
        };
        let line = Line { faces: [0.0, 1.0, 2.0, 4.0].map(face).to_vec(), method: String::new() };
        let chosen = line.directed(&[0, 1, 3]);
        assert_eq!(chosen, [3, 1, 0]);
        let between = line.between(&chosen);
        let degree = EARTH_RADIUS * RADIANS;
        for (face, (lat, width)) in between.faces.iter().zip([(2.5, 3.0), (0.5, 1.0)]) {
            assert!((face.place[1] - lat).abs() < 1e-12 && face.left[0] > 0.999);
            assert!((face.width / (width * degree) - 1.0).abs() < 1e-9);
        }
        let (middle, left) = span([359.0, 10.0], [1.0, 10.0]);
        assert!((middle[0] - 360.0).abs() < 1e-12 && left[1] > 0.999);
    }

    #[test]
    fn left_of_a_line_eastwards_is_north() {
        let line = sampled(&[0.0, 1.0], &[0.0, 1.0], &[[0.0, 0.0], [1.0, 1e-9], [1.0, 1.0]], 10);
        assert!(line.faces[0].left[1] > 0.999 && line.faces[9].left[0] < -0.999);
        let length: f64 = line.faces.iter().map(|face| face.width).sum();
        assert!((length / (2.0 * EARTH_RADIUS * RADIANS) - 1.0).abs() < 1e-6);
    }
}

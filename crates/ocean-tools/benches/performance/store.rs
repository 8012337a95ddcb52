//! A store of our own making, like those of CMEMS: daily temperatures on 20 levels, and a long record of the surface.

use std::path::Path;
use std::sync::Arc;

use rayon::prelude::*;
use serde_json::json;
use zarrs::array::codec::ZstdCodec;
use zarrs::array::{ArrayBuilder, data_type};
use zarrs::filesystem::FilesystemStore;
use zarrs::group::GroupBuilder;

const DEPTHS: [f64; 20] = [
    0.5, 2.5, 5.0, 8.0, 11.5, 16.0, 21.5, 29.5, 40.5, 56.0, 78.0, 110.0, 156.0, 222.0, 318.0, 454.0, 644.0,
    902.0, 1245.0, 1684.0,
];

/// A coordinate or a field of a group.
struct Grid {
    times: usize,
    depths: &'static [f64],
    rows: usize,
    columns: usize,
    chunk: [usize; 4],
}

/// Writes the store.
pub(crate) fn write(root: &Path) {
    let grid = Grid { times: 730, depths: &DEPTHS, rows: 180, columns: 240, chunk: [30, 20, 90, 120] };
    let long = Grid { times: 4_018, depths: &DEPTHS[..1], rows: 90, columns: 120, chunk: [366, 1, 30, 40] };
    let store = Arc::new(FilesystemStore::new(root).unwrap());
    GroupBuilder::new().build(Arc::clone(&store), "/").unwrap().store_metadata().unwrap();
    GroupBuilder::new().build(Arc::clone(&store), "/long").unwrap().store_metadata().unwrap();
    group(&store, "", "thetao", &grid);
    group(&store, "/long", "sst", &long);
}

fn group(store: &Arc<FilesystemStore>, path: &str, name: &str, grid: &Grid) {
    let axis = |values: Vec<f64>, name: &str, attributes: serde_json::Value| {
        let length = values.len() as u64;
        let mut builder = ArrayBuilder::new(vec![length], vec![length], data_type::float64(), f64::NAN);
        builder.dimension_names(Some([name]));
        builder.attributes(attributes.as_object().unwrap().clone());
        let array = builder.build(Arc::clone(store), &format!("{path}/{name}")).unwrap();
        array.store_metadata().unwrap();
        array.store_chunk(&[0], values).unwrap();
    };
    let degrees = |n: usize, first: f64| (0..n).map(|at| first + 0.25 * at as f64).collect();
    let days = (0..grid.times).map(|day| day as f64).collect();
    axis(
        days,
        "time",
        json!({ "units": "days since 2010-01-01", "calendar": "standard", "standard_name": "time" }),
    );
    axis(
        degrees(grid.rows, 10.0),
        "latitude",
        json!({ "units": "degrees_north", "standard_name": "latitude" }),
    );
    axis(
        degrees(grid.columns, -60.0),
        "longitude",
        json!({ "units": "degrees_east", "standard_name": "longitude" }),
    );
    let deep = grid.depths.len() > 1;
    if deep {
        axis(
            grid.depths.to_vec(),
            "depth",
            json!({ "units": "m", "positive": "down", "standard_name": "depth" }),
        );
    }
    let pick = |all: [usize; 4]| -> Vec<u64> {
        (0..4).filter(|&at| deep || at != 1).map(|at| all[at] as u64).collect()
    };
    let shape = pick([grid.times, grid.depths.len(), grid.rows, grid.columns]);
    let chunk = pick(grid.chunk);
    let mut builder = ArrayBuilder::new(shape, chunk, data_type::float32(), f32::NAN);
    builder.bytes_to_bytes_codecs(vec![Arc::new(ZstdCodec::new(3, false))]);
    let names: Vec<&str> = ["time", "depth", "latitude", "longitude"]
        .into_iter()
        .filter(|own| deep || *own != "depth")
        .collect();
    builder.dimension_names(Some(names));
    builder.attributes(
        json!({ "units": "degrees_C", "standard_name": "sea_water_potential_temperature" })
            .as_object()
            .unwrap()
            .clone(),
    );
    let array = builder.build(Arc::clone(store), &format!("{path}/{name}")).unwrap();
    array.store_metadata().unwrap();
    let counts: Vec<u64> = array.chunk_grid_shape().to_vec();
    let total: u64 = counts.iter().product();
    (0..total).into_par_iter().for_each(|at| {
        let mut rest = at;
        let mut place: Vec<u64> = counts
            .iter()
            .rev()
            .map(|count| {
                let own = rest % count;
                rest /= count;
                own
            })
            .collect();
        place.reverse();
        array.store_chunk(&place, chunk_of(grid, deep, &place)).unwrap();
    });
}

/// The values of one chunk, in thousandths of a degree, missing on land and below the bottom.
fn chunk_of(grid: &Grid, deep: bool, place: &[u64]) -> Vec<f32> {
    let at = |axis: usize| {
        let own = if deep { place[axis] } else { [place[0], 0, place[1], place[2]][axis] };
        usize::try_from(own).unwrap() * grid.chunk[axis]
    };
    let (t0, y0, x0) = (at(0), at(2), at(3));
    let mut values = Vec::with_capacity(grid.chunk.iter().product());
    for t in t0..t0 + grid.chunk[0] {
        for (z, depth) in grid.depths.iter().enumerate() {
            for y in y0..y0 + grid.chunk[2] {
                for x in x0..x0 + grid.chunk[3] {
                    values.push(value(grid, [t, z, y, x], *depth));
                }
            }
        }
    }
    values
}

#[expect(clippy::cast_possible_truncation, reason = "the store holds single precision")]
fn value(grid: &Grid, [t, z, y, x]: [usize; 4], depth: f64) -> f32 {
    let (north, east) = (y as f64 / grid.rows as f64, x as f64 / grid.columns as f64);
    let bottom = 2_600.0 * ((east - 0.1 - 0.06 * (6.0 * north).sin()) / 0.08).tanh();
    if depth > bottom {
        return f32::NAN;
    }
    let day = t as f64;
    let season = (1.0 + 4.0 * north) * ((day - 230.0) / 365.25 * std::f64::consts::TAU).cos();
    let weather = 0.9 * (day / 17.0 + 9.0 * north + 5.0 * east).sin() + 0.5 * (day / 41.0 - 7.0 * east).sin();
    let mean = 3.0 + (25.5 - 19.0 * north) * (-depth / 650.0).exp();
    let own =
        mean + season * (-depth / 45.0).exp() + weather * (-depth / 120.0).exp() + 0.03 * noise([t, z, y, x]);
    ((own * 1_000.0).round() / 1_000.0) as f32
}

/// A number from about -3 to 3 that depends on the place alone.
fn noise(place: [usize; 4]) -> f64 {
    let mut state = place.iter().fold(0x9e37_79b9_7f4a_7c15_u64, |state, &own| {
        (state ^ own as u64).wrapping_mul(0xbf58_476d_1ce4_e5b9).rotate_left(29)
    });
    (0..4)
        .map(|_| {
            state = state.wrapping_mul(0x94d0_49bb_1331_11eb).rotate_left(31) ^ 0x2545_f491_4f6c_dd1d;
            (state >> 11) as f64 / (1_u64 << 53) as f64 - 0.5
        })
        .sum::<f64>()
        * 1.7
}

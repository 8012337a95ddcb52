//! The identity of a dataset: what it describes, whatever file holds it.
//!
//! Coordinates are put in the order that fields present (times and latitudes rising, depths downwards,
//! longitudes from 0 to 360), so that a copy in another order, chunking or format is the same dataset.

use std::collections::BTreeMap;

use leg_core::canonical;
use leg_core::digest::{Digest, Domain, Hasher};
use serde_json::{Value, json};

use super::grid::Grid;
use super::numbers::read_numbers;
use super::store::{ReadError, Store};
use super::variable::Variable;
use crate::cf::Axis;

/// Two-dimensional coordinates longer than this are identified by their shape alone.
const MAX_HORIZONTAL: usize = 50_000_000;

/// Computes the identity.
pub(crate) fn identity(store: &dyn Store, grid: &Grid) -> Result<Digest, ReadError> {
    let mut variables = BTreeMap::new();
    for variable in &grid.variables {
        let mut name = variable.identity_name().to_owned();
        if variables.contains_key(&name) {
            name = format!("{name} {}", variable.name);
        }
        variables.insert(name, json!({ "units": variable.units, "dims": dims(grid, variable) }));
    }
    let document = json!({ "variables": variables, "horizontal": horizontal(store)? });
    // The document holds only strings and nulls, which every canonical form can carry.
    let bytes = canonical::to_vec(&document).unwrap_or_default();
    Ok(Digest::of(Domain::Dataset, &bytes))
}

/// Dimensions in the order of fields, each with the digest of its coordinate.
fn dims(grid: &Grid, variable: &Variable) -> Vec<Value> {
    let mut out = Vec::new();
    for axis in [Axis::Time, Axis::Depth, Axis::Latitude, Axis::Longitude] {
        let Some((_, dimension)) = variable.dimension(axis) else { continue };
        let Some(position) = dimension.coordinate else { continue };
        if axis == Axis::Time {
            let time = &grid.times[position];
            let mut values: Vec<String> = time.nanoseconds.iter().map(i128::to_string).collect();
            values.sort_unstable();
            let digest = Digest::of(Domain::Dataset, values.join(" ").as_bytes());
            out.push(json!({ "axis": "time", "calendar": time.calendar.name(), "values": digest }));
        } else {
            let mut values = grid.coordinates[position].values.clone();
            if axis == Axis::Longitude {
                for value in &mut values {
                    *value = value.rem_euclid(360.0);
                }
            }
            values.sort_by(f64::total_cmp);
            out.push(json!({ "axis": axis.name(), "values": digest_of(&values) }));
        }
    }
    for dimension in variable.dimensions.iter().filter(|d| d.axis.is_none() && d.length > 1) {
        out.push(json!({ "axis": dimension.name, "length": dimension.length.to_string() }));
    }
    out
}

/// Two-dimensional latitudes and longitudes.
fn horizontal(store: &dyn Store) -> Result<BTreeMap<String, Digest>, ReadError> {
    let mut out = BTreeMap::new();
    for (index, variable) in store.variables().iter().enumerate() {
        let axis = Axis::detect(&variable.name, &variable.attributes).map(|found| found.0);
        let is_position = matches!(axis, Some(Axis::Latitude | Axis::Longitude));
        if !is_position
            || variable.dimensions.len() != 2
            || variable.len() > MAX_HORIZONTAL
            || !variable.element.is_numeric()
        {
            continue;
        }
        out.insert(variable.name.clone(), digest_of(&read_numbers(store, index)?));
    }
    Ok(out)
}

fn digest_of(values: &[f64]) -> Digest {
    let mut hasher = Hasher::new(Domain::Dataset);
    for value in values {
        hasher.update(&canonical_bits(*value).to_le_bytes());
    }
    hasher.finish()
}

/// The bits that are hashed: one NaN, no negative zero.
fn canonical_bits(value: f64) -> u64 {
    if value.is_nan() {
        0x7ff8_0000_0000_0000
    } else if value == 0.0 {
        0
    } else {
        value.to_bits()
    }
}

//! A scene behind the storage port: each value is computed when it is read.

use leg_core::digest::{Domain, Hasher};
use ndarray::{Array, ArrayD, Axis, Dimension as _, IxDyn};
use rayon::prelude::*;
use serde_json::{Value, json};

use super::catalog::{Scene, VERSION};
use super::events::{Share, day_of};
use super::water::{Column, Quantity};
use crate::cf::{Attribute, Attributes};
use crate::dataset::{ChunkBytes, ElementType, ReadError, Store, StoredBlock, StoredVariable, Window};
use crate::demo::SEED;

/// Lengths of a piece in time, depth, latitude and longitude: what a walk reads at once.
const PIECE: [usize; 4] = [32, 8, 48, 48];

const VARIABLES: [(&str, Quantity, &str, &str); 7] = [
    ("thetao", Quantity::Temperature, "degC", "sea_water_potential_temperature"),
    ("so", Quantity::Salinity, "1e-3", "sea_water_salinity"),
    ("uo", Quantity::Eastward, "m s-1", "eastward_sea_water_velocity"),
    ("vo", Quantity::Northward, "m s-1", "northward_sea_water_velocity"),
    ("zos", Quantity::SeaLevel, "m", "sea_surface_height_above_geoid"),
    ("chl", Quantity::Chlorophyll, "mg m-3", "mass_concentration_of_chlorophyll_a_in_sea_water"),
    ("o2", Quantity::Oxygen, "mmol m-3", "mole_concentration_of_dissolved_molecular_oxygen_in_sea_water"),
];

/// A scene as a store.
#[derive(Debug)]
pub(crate) struct SceneStore {
    scene: Scene,
    stored: Vec<StoredVariable>,
    attributes: Attributes,
    /// Days since 2000-01-01 of the first day.
    first_day: f64,
    /// Numbers of the coordinates, in the order of `stored`.
    coordinates: Vec<ArrayD<f64>>,
}

impl SceneStore {
    pub(crate) fn new(scene: Scene) -> Self {
        let [first, last] = scene.days.map(day_of);
        let centres = |[low, high]: [f64; 2]| {
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "a small positive count"
            )]
            let n = ((high - low) / scene.step).round() as usize;
            (0..n).map(|i| low + scene.step * (i as f64 + 0.5)).collect::<Vec<f64>>()
        };
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "whole days, rising")]
        let times = (0..=(last - first) as usize).map(|day| first + day as f64).collect::<Vec<f64>>();
        let axes = [
            ("time", times, "days since 2000-01-01", "time"),
            ("depth", scene.depths.to_vec(), "m", "depth"),
            ("latitude", centres(scene.lat), "degrees_north", "latitude"),
            ("longitude", centres(scene.lon), "degrees_east", "longitude"),
        ];
        let lengths: Vec<(String, usize)> =
            axes.iter().map(|(name, values, ..)| ((*name).to_owned(), values.len())).collect();
        let (mut stored, mut coordinates) = (Vec::new(), Vec::new());
        for (name, values, units, standard_name) in axes {
            let mut attributes = described(units, standard_name);
            match name {
                "time" => attributes.insert("calendar".to_owned(), text("proleptic_gregorian")),
                "depth" => attributes.insert("positive".to_owned(), text("down")),
                _ => None,
            };
            let length = values.len();
            stored.push(variable(name, &[(name.to_owned(), length)], "float64", &[length], attributes));
            coordinates.push(Array::from_vec(values).into_dyn());
        }
        for (name, quantity, units, standard_name) in VARIABLES {
            let flat = quantity == Quantity::SeaLevel;
            let keep = |at: usize| !(flat && at == 1);
            let dims: Vec<(String, usize)> =
                lengths.iter().enumerate().filter(|(at, _)| keep(*at)).map(|(_, one)| one.clone()).collect();
            let pieces: Vec<usize> = PIECE
                .iter()
                .enumerate()
                .filter(|(at, _)| keep(*at))
                .map(|(at, &piece)| piece.min(lengths[at].1))
                .collect();
            stored.push(variable(name, &dims, "float32", &pieces, described(units, standard_name)));
        }
        let mut attributes = Attributes::new();
        attributes.insert("title".to_owned(), text(scene.title));
        attributes.insert("source".to_owned(), text("computed by leg; no observation of any sea"));
        Self { scene, stored, attributes, first_day: first, coordinates }
    }

    fn name(&self) -> Value {
        json!({ "generator": "leg demo scenes", "version": VERSION, "seed": SEED.to_string(), "name": self.scene.name })
    }

    fn compute(&self, quantity: Quantity, window: &Window) -> ArrayD<f64> {
        // A flat variable has no depth: it stands for the surface.
        let flat = quantity == Quantity::SeaLevel;
        let (mut start, mut shape) = (window.start.clone(), window.shape.clone());
        if flat {
            start.insert(1, 0);
            shape.insert(1, 1);
        }
        let coordinate = |axis: usize, at: usize| self.coordinates[axis][[start[axis] + at].as_slice()];
        let columns: Vec<Column> = (0..shape[2] * shape[3])
            .map(|at| Column::at(coordinate(3, at % shape[3]), coordinate(2, at / shape[3])))
            .collect();
        let mut out = ArrayD::zeros(IxDyn(&shape));
        out.axis_iter_mut(Axis(0)).into_par_iter().enumerate().for_each(|(t, mut values)| {
            let day = self.first_day + (start[0] + t) as f64;
            let mut events: Vec<Share> = Vec::new();
            for (at, column) in columns.iter().enumerate() {
                let (y, x) = (at / shape[3], at % shape[3]);
                events.clear();
                if column.floor > 0.0 {
                    let planted = self.scene.planted.iter();
                    events.extend(planted.filter_map(|event| event.at(day, column.lon, column.lat)));
                }
                for z in 0..shape[1] {
                    let level = start[1] + z;
                    let depth = if flat { 0.0 } else { coordinate(1, z) };
                    let value = column.value(quantity, day, depth, level as u64, &events);
                    #[expect(
                        clippy::cast_possible_truncation,
                        reason = "values have the precision of single floats"
                    )]
                    let single = value as f32;
                    values[[z, y, x].as_slice()] = f64::from(single);
                }
            }
        });
        if flat { out.index_axis_move(Axis(1), 0) } else { out }
    }
}

impl Store for SceneStore {
    fn format(&self) -> &'static str {
        "computed scene"
    }

    fn variables(&self) -> &[StoredVariable] {
        &self.stored
    }

    fn attributes(&self) -> &Attributes {
        &self.attributes
    }

    fn read(&self, index: usize, window: &Window) -> Result<StoredBlock, ReadError> {
        let values = match self.coordinates.get(index) {
            Some(coordinate) => coordinate
                .slice_axis(Axis(0), ndarray::Slice::from(window.start[0]..window.start[0] + window.shape[0]))
                .to_owned(),
            None => self.compute(VARIABLES[index - self.coordinates.len()].1, window),
        };
        debug_assert_eq!(values.raw_dim().slice(), window.shape.as_slice());
        let mut hasher = Hasher::new(Domain::Chunk);
        for value in &values {
            hasher.update(&value.to_le_bytes());
        }
        let bytes = values.len() as u64 * 8;
        Ok(StoredBlock { values, chunks: vec![ChunkBytes { digest: hasher.finish(), bytes, raw: false }] })
    }

    fn fingerprint(&self) -> Result<Value, ReadError> {
        Ok(self.name())
    }

    fn identity(&self) -> Option<Value> {
        Some(self.name())
    }
}

fn text(value: &str) -> Attribute {
    Attribute::Text(value.to_owned())
}

fn described(units: &str, standard_name: &str) -> Attributes {
    [("units".to_owned(), text(units)), ("standard_name".to_owned(), text(standard_name))].into()
}

fn variable(
    name: &str,
    dimensions: &[(String, usize)],
    element: &'static str,
    chunk_shape: &[usize],
    attributes: Attributes,
) -> StoredVariable {
    StoredVariable {
        name: name.to_owned(),
        dimensions: dimensions.to_vec(),
        element: ElementType::Number(element),
        attributes,
        chunk_shape: chunk_shape.to_vec(),
        is_chunked: true,
        fill_value: None,
        is_packed_in_single: false,
    }
}

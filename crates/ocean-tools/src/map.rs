//! Maps as artifacts.

use leg_core::{Artifact, Coord, Kind, Variable};
use ndarray::Array2;
use ocean_data::Field;
use ocean_data::field::reduce::{Weighting, cell_weights};

use crate::evidence::MapView;

/// The axes and weights of a field's map.
#[derive(Debug, Clone)]
pub(crate) struct Grid {
    pub(crate) lat: Vec<f64>,
    pub(crate) lon: Vec<f64>,
    weights: Vec<f64>,
}

impl Grid {
    /// Those of a field; an axis that the field lacks has one place at 0.
    pub(crate) fn of(field: &Field) -> Self {
        let values =
            |axis: Option<&ocean_data::field::SpaceAxis>| axis.map_or(vec![0.0], |axis| axis.values.clone());
        Self {
            lat: values(field.lats()),
            lon: values(field.lons()),
            weights: cell_weights(field, Weighting::Area).into_iter().collect(),
        }
    }

    /// An array on this grid.
    pub(crate) fn variable(&self, name: &str, units: &str, values: &Array2<f64>) -> Variable {
        Variable {
            name: name.to_owned(),
            standard_name: None,
            units: units.to_owned(),
            dims: vec!["lat".to_owned(), "lon".to_owned()],
            shape: vec![self.lat.len(), self.lon.len()],
            values: values.iter().copied().collect(),
        }
    }

    /// A map artifact with its coordinates.
    pub(crate) fn artifact(&self, name: &str, variable: Variable) -> Artifact {
        Artifact::array(Kind::Map, name, variable)
            .with_coord("lat", Coord::numbers(&self.lat, "degrees_north", "latitude"))
            .with_coord("lon", Coord::numbers(&self.lon, "degrees_east", "longitude"))
    }

    /// The map as evidence sees it.
    pub(crate) fn view<'a>(&'a self, values: &'a [f64]) -> MapView<'a> {
        MapView { lat: &self.lat, lon: &self.lon, values, weights: &self.weights }
    }
}

//! Observations that stand on no grid: casts, floats, stations, tracks.

use super::dataset::Dataset;
use super::store::{ReadError, StoredVariable, Window};
use super::variable::VariableError;
use crate::cf::{Attribute, Axis, Calendar, Packing, TimeUnits, base_name};

/// Values with a place, and a time and a level where the data have them. All lists are as long as `values`.
///
/// # Missing values
/// NaN, and `None` for a time.
#[derive(Debug, Clone, PartialEq)]
pub struct Observations {
    /// Name of the variable.
    pub name: String,
    /// Its standard name.
    pub standard_name: Option<String>,
    /// Its units.
    pub units: Option<String>,
    /// Longitudes, in degrees east.
    pub lon: Vec<f64>,
    /// Latitudes, in degrees north.
    pub lat: Vec<f64>,
    /// Depths or pressures, in their units, positive down.
    pub level: Option<(Vec<f64>, String)>,
    /// Instants, in nanoseconds since 1970-01-01 of the calendar.
    pub times: Option<(Vec<Option<i128>>, Calendar)>,
    /// Values.
    pub values: Vec<f64>,
}

/// Observations that cannot be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ObservationsError {
    /// No such variable.
    #[error(transparent)]
    Variable(#[from] VariableError),
    /// The store failed.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The times cannot be read.
    #[error("the times of `{name}` cannot be read: {detail}")]
    Times {
        /// The variable.
        name: String,
        /// Why.
        detail: String,
    },
}

/// Names of vertical coordinates beside those that metadata tell.
const LEVELS: [&str; 9] =
    ["depth", "depth_m", "pressure", "pressure_dbar", "pres", "pres_dbar", "pres_adjusted", "z", "deph"];

impl Dataset {
    /// The values of a variable with their places, when its longitudes and latitudes go along one and the same dimension,
    /// or it has none: casts of Argo files, rows of tables, tracks, stations. `None` for a variable on a grid.
    ///
    /// A variable `…_ADJUSTED` gets the levels `…_ADJUSTED`. Flags of quality are not applied.
    ///
    /// # Errors
    /// [`ObservationsError`].
    pub fn observations(&self, word: &str) -> Result<Option<Observations>, ObservationsError> {
        let variable = self.resolve_variable(word)?;
        let stored = self.store().variables();
        let own = &stored[variable.index];
        let lon = self.along(own, Axis::Longitude);
        let lat = self.along(own, Axis::Latitude);
        let place = match (lon, lat) {
            (Some(lon), Some(lat)) => {
                let [a, b] = [lon, lat].map(|at| stored[at].dimensions.clone());
                if a != b || a.len() > 1 {
                    return Ok(None);
                }
                Some((lon, lat))
            }
            (None, None) if own.dimensions.len() <= 1 => None,
            _ => return Ok(None),
        };
        let values = self.spread(own, variable.index)?;
        let missing = || vec![f64::NAN; values.len()];
        let (lon, lat) = match place {
            Some((lon, lat)) => (self.spread(own, lon)?, self.spread(own, lat)?),
            None => (missing(), missing()),
        };
        let level = match self.along(own, Axis::Depth) {
            Some(at) => {
                let text = |key: &str| stored[at].attributes.get(key).and_then(Attribute::as_text);
                let mut levels = self.spread(own, at)?;
                if text("positive") == Some("up") {
                    for level in &mut levels {
                        *level = -*level;
                    }
                }
                Some((levels, text("units").unwrap_or("m").to_owned()))
            }
            None => None,
        };
        let times = self.along(own, Axis::Time).map(|at| self.instants(own, at)).transpose()?;
        Ok(Some(Observations {
            name: variable.name.clone(),
            standard_name: variable.standard_name.clone(),
            units: variable.units.clone(),
            lon,
            lat,
            level,
            times,
            values,
        }))
    }

    /// The coordinate of an axis over some of a variable's dimensions.
    fn along(&self, own: &StoredVariable, axis: Axis) -> Option<usize> {
        let named = own.attributes.get("coordinates").and_then(Attribute::as_text).unwrap_or("");
        let adjusted = |name: &str| name.to_ascii_lowercase().ends_with("_adjusted");
        let is_level = |name: &str| {
            axis == Axis::Depth && LEVELS.contains(&base_name(name).to_ascii_lowercase().as_str())
        };
        let stored = self.store().variables();
        let fits = |other: &StoredVariable| {
            other.name != own.name
                && other.element.is_numeric()
                && other.dimensions.iter().all(|dimension| own.dimensions.contains(dimension))
                && (!other.dimensions.is_empty()
                    || named.split_whitespace().any(|name| name == base_name(&other.name))
                    || axis != Axis::Time)
        };
        let detected = |other: &StoredVariable| {
            Axis::detect(base_name(&other.name), &other.attributes).is_some_and(|found| found.0 == axis)
                || is_level(&other.name)
        };
        let mut found: Vec<usize> =
            (0..stored.len()).filter(|&at| fits(&stored[at]) && detected(&stored[at])).collect();
        found.sort_by_key(|&at| {
            let name = base_name(&stored[at].name);
            (
                !named.split_whitespace().any(|word| word == name),
                adjusted(name) != adjusted(&own.name),
                std::cmp::Reverse(stored[at].dimensions.len()),
                at,
            )
        });
        found.first().copied()
    }

    /// The values of a coordinate for each value of a variable.
    fn spread(&self, own: &StoredVariable, at: usize) -> Result<Vec<f64>, ReadError> {
        let other = &self.store().variables()[at];
        let packing = Packing::from_attributes(&other.attributes, other.fill_value);
        let block = self.store().read(at, &Window::all(other))?;
        let shape: Vec<usize> = own.dimensions.iter().map(|dimension| dimension.1).collect();
        let places: Vec<Option<usize>> = other
            .dimensions
            .iter()
            .map(|dimension| own.dimensions.iter().position(|own| own == dimension))
            .collect();
        let total: usize = shape.iter().product();
        let mut index = vec![0; shape.len()];
        let mut out = Vec::with_capacity(total);
        for _ in 0..total {
            let picked: Vec<usize> = places.iter().map(|place| place.map_or(0, |at| index[at])).collect();
            out.push(packing.decode(block.values[picked.as_slice()]));
            for (place, length) in index.iter_mut().zip(&shape).rev() {
                *place += 1;
                if *place < *length {
                    break;
                }
                *place = 0;
            }
        }
        Ok(out)
    }

    fn instants(
        &self,
        own: &StoredVariable,
        at: usize,
    ) -> Result<(Vec<Option<i128>>, Calendar), ObservationsError> {
        let stored = &self.store().variables()[at];
        let wrong = |detail: String| ObservationsError::Times { name: stored.name.clone(), detail };
        let text = |key: &str| stored.attributes.get(key).and_then(Attribute::as_text);
        let calendar =
            Calendar::parse(text("calendar").unwrap_or("standard")).map_err(|e| wrong(e.to_string()))?;
        let units =
            TimeUnits::parse(text("units").unwrap_or(""), calendar).map_err(|e| wrong(e.to_string()))?;
        let numbers = self.spread(own, at)?;
        Ok((numbers.into_iter().map(|number| units.to_nanoseconds(number).ok()).collect(), calendar))
    }
}

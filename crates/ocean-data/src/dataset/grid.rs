//! From stored arrays to coordinates and data variables.

use std::collections::{BTreeMap, BTreeSet};

use super::classify::{Found, data_variable};
use super::coordinate::{Coordinate, TimeCoordinate};
use super::longitudes;
use super::mesh::{MeshAxes, MeshSource, find_meshes};
use super::mesh_area::bounds_of;
use super::mesh_positions::{degrees, separated};
use super::numbers::{read_bounds, read_numbers};
use super::store::{ReadError, Store, StoredVariable};
use super::variable::Variable;
use super::vertical::{Terrain, find_terrain};
use crate::cf::{
    Attribute, Axis, AxisEvidence, Calendar, Quantity, TimeUnits, Unit, base_name, midpoint_bounds,
};

/// Longer coordinates are not read.
const MAX_COORDINATE: usize = 20_000_000;

/// The CF view of a store.
#[derive(Debug, Default)]
pub(crate) struct Grid {
    pub(crate) coordinates: Vec<Coordinate>,
    pub(crate) times: Vec<TimeCoordinate>,
    pub(crate) variables: Vec<Variable>,
    /// Horizontal grids without axes.
    pub(crate) meshes: Vec<MeshSource>,
    /// Levels that follow the terrain.
    pub(crate) terrains: Vec<Terrain>,
    pub(crate) warnings: Vec<String>,
    /// Why a stored coordinate could not be used, by its name.
    pub(crate) problems: BTreeMap<String, String>,
}

impl Grid {
    /// Reads the coordinates of a store and classifies its variables.
    pub(crate) fn read(store: &dyn Store) -> Result<Self, ReadError> {
        let mut grid = Self::default();
        let stored = store.variables();
        let terrain = find_terrain(store)?;
        grid.terrains = terrain.usable;
        for (dimension, problem) in terrain.problems {
            grid.warnings.push(format!("levels of `{dimension}` are not used: {problem}"));
            grid.problems.insert(dimension, problem);
        }
        let found = grid.read_coordinates(store)?;
        grid.meshes = find_meshes(stored);
        grid.straighten(store)?;
        let supporting = supporting_names(stored);
        for (index, variable) in stored.iter().enumerate() {
            let is_coordinate = found.contains_key(&index) || is_own_dimension(variable);
            let is_position = variable.dimensions.len() > 1 && is_horizontal(variable);
            if is_coordinate
                || is_position
                || supporting.contains(&variable.name)
                || !variable.element.is_numeric()
            {
                continue;
            }
            let data = data_variable(stored, &found, &grid, index);
            grid.check_units(&data);
            grid.warnings.extend(limits_warning(variable));
            grid.variables.push(data);
        }
        Ok(grid)
    }

    /// Gives axes to the grids with two-dimensional coordinates whose rows and columns follow parallels and meridians.
    fn straighten(&mut self, store: &dyn Store) -> Result<(), ReadError> {
        for at in 0..self.meshes.len() {
            let mesh = &self.meshes[at];
            let length = mesh.shape.iter().fold(1_usize, |n, &length| n.saturating_mul(length));
            if mesh.shape.len() != 2 || length > MAX_COORDINATE {
                continue;
            }
            let [lat, lon] = mesh.positions(store)?;
            let Some((lats, mut lons, upright)) = separated(&lat, &lon) else { continue };
            longitudes::unwrap(&mut lons);
            if !is_monotonic(&lons) {
                continue;
            }
            let names = [mesh.lat, mesh.lon].map(|index| store.variables()[index].name.clone());
            self.warnings.push(format!(
                "`{}` and `{}` are two-dimensional but follow parallels and meridians; they are taken as axes",
                names[0], names[1]
            ));
            let [lat_name, lon_name] = names;
            let bounds = straight_bounds(store, &self.meshes[at], &lats, &lons, upright)?;
            let [lat_bounds, lon_bounds] = bounds.map_or([None, None], |pair| pair.map(Some));
            let axes = MeshAxes {
                lat: self.push_axis(store, Axis::Latitude, lat_name, lats, lat_bounds),
                lon: self.push_axis(store, Axis::Longitude, lon_name, lons, lon_bounds),
                lat_dimension: usize::from(!upright),
            };
            self.meshes[at].axes = Some(axes);
        }
        Ok(())
    }

    fn push_axis(
        &mut self,
        store: &dyn Store,
        axis: Axis,
        name: String,
        values: Vec<f64>,
        bounds: Option<Vec<[f64; 2]>>,
    ) -> usize {
        let stored = store.variables().iter().find(|variable| variable.name == name);
        let detected = stored.and_then(|v| Axis::detect(&v.name, &v.attributes));
        let units = stored.and_then(|v| v.attributes.get("units")).and_then(Attribute::as_text);
        let has_bounds = bounds.is_some();
        let mut bounds = bounds.unwrap_or_else(|| midpoint_bounds(&values, 1.0));
        if axis == Axis::Latitude {
            for pair in &mut bounds {
                *pair = pair.map(|edge| edge.clamp(-90.0, 90.0));
            }
        }
        let evidence = detected.map_or(AxisEvidence::Name, |found| found.1);
        let units = units.map(str::to_owned);
        self.coordinates.push(Coordinate { name, axis, evidence, units, values, bounds, has_bounds });
        self.coordinates.len() - 1
    }

    fn read_coordinates(&mut self, store: &dyn Store) -> Result<Found, ReadError> {
        let mut found = Found::new();
        for (index, variable) in store.variables().iter().enumerate() {
            let one = variable.dimensions.len() <= 1 && variable.element.is_numeric() && !variable.is_empty();
            if !one || variable.len() > MAX_COORDINATE || grid_follows_terrain(self, &variable.name) {
                continue;
            }
            let Some((axis, evidence)) = Axis::detect(&variable.name, &variable.attributes) else { continue };
            // A scalar or an auxiliary 1-D variable is a coordinate only by more than its name, and a pressure
            // is one only over a dimension of its own: it may be data.
            let weak =
                evidence == AxisEvidence::Name || (axis == Axis::Depth && evidence == AxisEvidence::Units);
            if weak && !is_own_dimension(variable) {
                continue;
            }
            let result = match axis {
                Axis::Time => self.read_time(store, index, evidence)?,
                _ => self.read_space(store, index, axis, evidence)?,
            };
            match result {
                Ok(position) => {
                    found.insert(index, (axis, position));
                }
                Err(problem) => {
                    self.warnings.push(format!("coordinate `{}` is not used: {problem}", variable.name));
                    self.problems.insert(variable.name.clone(), problem);
                }
            }
        }
        Ok(found)
    }

    fn read_time(
        &mut self,
        store: &dyn Store,
        index: usize,
        evidence: AxisEvidence,
    ) -> Result<Result<usize, String>, ReadError> {
        let variable = &store.variables()[index];
        let text = |key: &str| variable.attributes.get(key).and_then(Attribute::as_text);
        let Some(units_text) = text("units") else { return Ok(Err("it has no `units`".to_owned())) };
        let calendar = match Calendar::parse(text("calendar").unwrap_or("standard")) {
            Ok(calendar) => calendar,
            Err(error) => return Ok(Err(error.to_string())),
        };
        let units = match TimeUnits::parse(units_text, calendar) {
            Ok(units) => units,
            Err(error) => return Ok(Err(error.to_string())),
        };
        let values = read_numbers(store, index)?;
        let nanoseconds: Result<Vec<i128>, _> =
            values.iter().map(|&value| units.to_nanoseconds(value)).collect();
        let decoded = nanoseconds.and_then(|nanoseconds| {
            let dates = nanoseconds.iter().map(|&n| calendar.instant(n)).collect::<Result<Vec<_>, _>>()?;
            Ok((nanoseconds, dates))
        });
        let (nanoseconds, dates) = match decoded {
            Ok(decoded) => decoded,
            Err(error) => return Ok(Err(error.to_string())),
        };
        if is_own_dimension(variable) && nanoseconds.windows(2).any(|pair| pair[1] <= pair[0]) {
            self.warnings
                .push(format!("times of `{}` do not increase; fields present them sorted", variable.name));
        }
        let bounds = match read_bounds(store, index)? {
            Some(pairs) => pairs
                .iter()
                .map(|pair| Some([units.to_nanoseconds(pair[0]).ok()?, units.to_nanoseconds(pair[1]).ok()?]))
                .collect(),
            None => None,
        };
        self.times.push(TimeCoordinate {
            name: variable.name.clone(),
            evidence,
            units: units_text.to_owned(),
            calendar,
            dates,
            nanoseconds,
            bounds,
        });
        Ok(Ok(self.times.len() - 1))
    }

    fn read_space(
        &mut self,
        store: &dyn Store,
        index: usize,
        axis: Axis,
        evidence: AxisEvidence,
    ) -> Result<Result<usize, String>, ReadError> {
        let variable = &store.variables()[index];
        if let Some(problem) = unsuitable(variable, axis, evidence) {
            return Ok(Err(problem));
        }
        let mut values = read_numbers(store, index)?;
        if values.iter().any(|value| !value.is_finite()) {
            return Ok(Err("some of its values are missing".to_owned()));
        }
        let scale = if axis == Axis::Depth { 1.0 } else { degrees(store, index) };
        let mut bounds =
            read_bounds(store, index)?.filter(|b| b.iter().flatten().all(|value| value.is_finite()));
        for value in values.iter_mut().chain(bounds.iter_mut().flatten().flatten()) {
            *value *= scale;
        }
        let units = variable.attributes.get("units").and_then(Attribute::as_text).map(str::to_owned);
        match axis {
            Axis::Depth => {
                let scale = self.depth_scale(variable, units.as_deref(), &values);
                for value in values.iter_mut().chain(bounds.iter_mut().flatten().flatten()) {
                    *value *= scale;
                }
            }
            Axis::Longitude if is_own_dimension(variable) => longitudes::unwrap(&mut values),
            Axis::Latitude => {
                if values.iter().any(|value| value.abs() > 90.01) {
                    return Ok(Err("some latitudes are beyond 90 degrees".to_owned()));
                }
            }
            Axis::Longitude | Axis::Time => {}
        }
        if is_own_dimension(variable) && !is_monotonic(&values) {
            self.warnings
                .push(format!("values of `{}` are not in order; fields present them sorted", variable.name));
        }
        if bounds.as_ref().is_some_and(|bounds| !hold(bounds, &values, axis)) {
            self.warnings.push(format!(
                "the bounds of `{}` do not hold its values; edges half-way between them are taken",
                variable.name
            ));
            bounds = None;
        }
        let has_bounds = bounds.is_some();
        let lone = if axis == Axis::Depth { 0.0 } else { 1.0 };
        let mut bounds = bounds.unwrap_or_else(|| midpoint_bounds(&values, lone));
        for (pair, &centre) in bounds.iter_mut().zip(&values) {
            match axis {
                Axis::Latitude => *pair = pair.map(|edge| edge.clamp(-90.0, 90.0)),
                Axis::Longitude => *pair = pair.map(|edge| edge + 360.0 * ((centre - edge) / 360.0).round()),
                Axis::Depth if centre >= 0.0 => *pair = pair.map(|edge| edge.max(0.0)),
                _ => {}
            }
        }
        let name = variable.name.clone();
        self.coordinates.push(Coordinate { name, axis, evidence, units, values, bounds, has_bounds });
        Ok(Ok(self.coordinates.len() - 1))
    }

    /// What turns a vertical coordinate into metres below the surface.
    fn depth_scale(&mut self, variable: &StoredVariable, units: Option<&str>, values: &[f64]) -> f64 {
        let unit: Option<Unit> = units.and_then(|text| text.parse().ok());
        let metre: Option<Unit> = "m".parse().ok();
        let to_metre = match (unit, metre) {
            (Some(unit), Some(metre)) if unit.is_length() => unit.to(&metre).map_or(1.0, |c| c.scale),
            (Some(unit), _) if unit.is_pressure() => {
                self.warnings
                    .push(format!("`{}` is a pressure; one decibar is taken as one metre", variable.name));
                let decibar: Result<Unit, _> = "dbar".parse();
                decibar.ok().and_then(|dbar| unit.to(&dbar).ok()).map_or(1.0, |c| c.scale)
            }
            _ => {
                self.warnings.push(format!(
                    "`{}` has no unit of length; its numbers are taken as metres",
                    variable.name
                ));
                1.0
            }
        };
        let positive =
            variable.attributes.get("positive").and_then(Attribute::as_text).map(str::to_ascii_lowercase);
        let height = matches!(
            variable.attributes.get("standard_name").and_then(Attribute::as_text),
            Some("height" | "altitude")
        );
        let below = values.iter().all(|&value| value <= 0.0) && values.iter().any(|&value| value < 0.0);
        let up = match positive.as_deref() {
            Some("up") => true,
            Some("down") if below => {
                self.warnings.push(format!(
                    "`{}` says positive down but its values are negative; they are taken as heights",
                    variable.name
                ));
                true
            }
            Some("down") => false,
            _ => below || height,
        };
        if up { -to_metre } else { to_metre }
    }

    /// Warns when the units cannot be those of the quantity.
    fn check_units(&mut self, variable: &Variable) {
        let expected = variable.quantity.map(Quantity::units).unwrap_or_default();
        if expected.is_empty() {
            return;
        }
        let Some(text) = variable.units.as_deref() else {
            self.warnings.push(format!("`{}` has no units", variable.name));
            return;
        };
        let fits = |unit: &Unit| {
            expected.iter().filter_map(|one| one.parse::<Unit>().ok()).any(|one| unit.is_compatible(&one))
        };
        match text.parse::<Unit>() {
            Ok(unit) if !fits(&unit) => {
                self.warnings.push(format!(
                    "`{}` is taken for {} by {} but its units are `{text}`",
                    variable.name,
                    variable.quantity.map_or("", Quantity::word),
                    variable.quantity_reason.unwrap_or("its name"),
                ));
            }
            Err(error) => self.warnings.push(format!("`{}`: {error}", variable.name)),
            Ok(_) => {}
        }
    }
}

/// Whether a variable is the coordinate of terrain-following levels, or was refused as one.
fn grid_follows_terrain(grid: &Grid, name: &str) -> bool {
    grid.terrains.iter().any(|terrain| terrain.name == name) || grid.problems.contains_key(base_name(name))
}

/// Why a variable that looks like an axis is none that fields can use.
fn unsuitable(variable: &StoredVariable, axis: Axis, evidence: AxisEvidence) -> Option<String> {
    let text = |key: &str| variable.attributes.get(key).and_then(Attribute::as_text).unwrap_or("");
    let weak = matches!(evidence, AxisEvidence::AxisAttribute | AxisEvidence::Name);
    let units = text("units").to_ascii_lowercase();
    match axis {
        Axis::Depth if text("standard_name").starts_with("ocean_s") => Some(
            "it follows the terrain, so that its depths vary; interpolate the data to fixed depths first"
                .to_owned(),
        ),
        Axis::Latitude | Axis::Longitude
            if ["grid_latitude", "grid_longitude", "projection_x_coordinate", "projection_y_coordinate"]
                .contains(&text("standard_name")) =>
        {
            Some(
                "it counts along a rotated or projected grid; true positions are needed: add two-dimensional \
                 latitudes and longitudes and name them in `coordinates`"
                    .to_owned(),
            )
        }
        Axis::Latitude | Axis::Longitude if weak && !units.is_empty() && !units.contains("deg") => {
            Some(format!(
                "its units are `{units}`, not degrees; regrid the data to latitudes and longitudes first"
            ))
        }
        _ => None,
    }
}

/// Whether a variable is the coordinate of the dimension it is named for.
pub(crate) fn is_own_dimension(variable: &StoredVariable) -> bool {
    variable.dimensions.len() == 1 && variable.dimensions[0].0 == base_name(&variable.name)
}

/// Whether a variable holds latitudes or longitudes.
pub(crate) fn is_horizontal(variable: &StoredVariable) -> bool {
    let detected = Axis::detect(&variable.name, &variable.attributes);
    matches!(detected, Some((Axis::Latitude | Axis::Longitude, e)) if e != AxisEvidence::AxisAttribute)
}

/// Whether every value lies in its bounds.
fn hold(bounds: &[[f64; 2]], values: &[f64], axis: Axis) -> bool {
    bounds.iter().zip(values).all(|(&[a, b], &value)| {
        let near = |edge: f64| match axis {
            Axis::Longitude => edge + 360.0 * ((value - edge) / 360.0).round(),
            _ => edge,
        };
        let (a, b) = (near(a), near(b));
        // Single-precision edges round by less.
        let slack = 1e-4 * (b - a).abs().max(1e-3) + 1e-6 * value.abs();
        a.min(b) - slack <= value && value <= a.max(b) + slack
    })
}

/// What contradicts itself in the limits of a variable.
fn limits_warning(variable: &StoredVariable) -> Option<String> {
    let numbers = |key: &str| variable.attributes.get(key).and_then(Attribute::as_numbers);
    let one = |key: &str| numbers(key).and_then(|numbers| numbers.first().copied());
    let range = numbers("valid_range").filter(|range| range.len() == 2);
    let least = range.map(|range| range[0]).or_else(|| one("valid_min"));
    let most = range.map(|range| range[1]).or_else(|| one("valid_max"));
    let name = &variable.name;
    if let (Some(least), Some(most)) = (least, most)
        && least > most
    {
        return Some(format!(
            "the valid range of `{name}` is empty ({least} to {most}), so that all its values count as missing; remove \
             its valid_min and valid_max if they do not"
        ));
    }
    let fill = one("_FillValue").filter(|fill| fill.is_finite())?;
    let (least, most) = (least?, most?);
    let packed = one("scale_factor").is_some() || one("add_offset").is_some();
    let whole = [least, most].iter().all(|limit| limit.fract() == 0.0);
    if packed && !whole {
        return Some(format!(
            "the valid range of `{name}` ({least} to {most}) looks unpacked, but limits apply to the stored numbers"
        ));
    }
    ((least..=most).contains(&fill)).then(|| {
        format!("the fill value {fill} of `{name}` lies inside its valid range; it counts as missing")
    })
}

/// Names of variables that only serve others: bounds, grid mappings, ancillary data.
fn supporting_names(stored: &[StoredVariable]) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for variable in stored {
        let prefix = variable.name.rsplit_once('/').map_or(String::new(), |split| format!("{}/", split.0));
        for key in ["bounds", "climatology", "grid_mapping"] {
            let text = variable.attributes.get(key).and_then(Attribute::as_text).unwrap_or("");
            names.extend(text.split_whitespace().map(|name| format!("{prefix}{name}")));
        }
        if variable.attributes.contains_key("grid_mapping_name") {
            names.insert(variable.name.clone());
        }
    }
    names
}

/// Bounds of the axes from the corners of the cells, when those follow parallels and meridians too.
fn straight_bounds(
    store: &dyn Store,
    mesh: &MeshSource,
    lats: &[f64],
    lons: &[f64],
    upright: bool,
) -> Result<Option<[Vec<[f64; 2]>; 2]>, ReadError> {
    let Some(pair) = bounds_of(store, mesh) else { return Ok(None) };
    let corners = store.variables()[pair[0]].dimensions.last().map_or(0, |dimension| dimension.1);
    let columns = mesh.shape.get(1).copied().unwrap_or(1);
    let span =
        |index: usize, centres: &[f64], along_rows: bool| -> Result<Option<Vec<[f64; 2]>>, ReadError> {
            let values = read_numbers(store, index)?;
            let mut out = vec![[f64::INFINITY, f64::NEG_INFINITY]; centres.len()];
            let mut narrowest = vec![f64::INFINITY; centres.len()];
            for (cell, ring) in values.chunks_exact(corners).enumerate() {
                let at = if along_rows { cell / columns } else { cell % columns };
                let centre = centres[at];
                let near = |edge: f64| edge + 360.0 * ((centre - edge) / 360.0).round();
                let low = ring.iter().map(|&edge| near(edge)).fold(f64::INFINITY, f64::min);
                let high = ring.iter().map(|&edge| near(edge)).fold(f64::NEG_INFINITY, f64::max);
                out[at] = [out[at][0].min(low), out[at][1].max(high)];
                narrowest[at] = narrowest[at].min(high - low);
            }
            let straight =
                out.iter().zip(&narrowest).zip(centres).all(|((&[low, high], &width), &centre)| {
                    high - low <= width * 1.001 && width > 0.0 && low <= centre && centre <= high
                });
            Ok(straight.then_some(out))
        };
    let lat = span(pair[0], lats, upright)?;
    let lon = span(pair[1], lons, !upright)?;
    Ok(lat.zip(lon).map(|(lat, lon)| [lat, lon]))
}

fn is_monotonic(values: &[f64]) -> bool {
    values.windows(2).all(|pair| pair[1] > pair[0]) || values.windows(2).all(|pair| pair[1] < pair[0])
}

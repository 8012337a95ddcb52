//! [`Frame`]: the axes of a result, taken from a field and changed by a tool.

use std::collections::BTreeMap;

use leg_core::{Artifact, Coord, EvidenceDraft, Kind, Port, ToolError, Variable};
use ndarray::{Array2, Array4};
use ocean_data::Field;
use ocean_data::field::SpaceAxis;
use ocean_data::field::reduce::{Weighting, cell_weights};
use serde_json::{Value, json};

use crate::evidence::{self, GridView, MapView};
use crate::kernels::time_axis::TimeAxis;
use crate::reading::place;
use crate::series::{axis_of, with_times};

/// The attribute that holds the cell bounds of an artifact's axes, where they are not half-way between centres.
pub(crate) const BOUNDS: &str = "cell_bounds";

/// The port of a result whose kind follows from the axes that are left.
pub(crate) fn any_grid() -> Port {
    let or = vec![Kind::Map, Kind::Series, Kind::Profile, Kind::Section, Kind::Hovmoller, Kind::Scalar];
    Port { or, ..Port::of(Kind::Field) }
}

/// One axis in space.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Side {
    /// Centres: degrees or metres below the surface.
    pub(crate) values: Vec<f64>,
    /// Cell bounds.
    pub(crate) bounds: Vec<[f64; 2]>,
    /// Whether it is one place and no dimension of the result.
    pub(crate) is_scalar: bool,
}

impl Side {
    fn of(axis: &SpaceAxis) -> Self {
        Self { values: axis.values.clone(), bounds: axis.bounds.clone(), is_scalar: axis.squeezed }
    }

    /// An axis with bounds half-way between the centres.
    pub(crate) fn at(values: Vec<f64>) -> Self {
        let bounds = half_way(&values);
        Self { values, bounds, is_scalar: false }
    }

    fn has_own_bounds(&self) -> bool {
        let near = |a: &[f64; 2], b: &[f64; 2]| (a[0] - b[0]).abs() < 1e-9 && (a[1] - b[1]).abs() < 1e-9;
        !self.bounds.iter().zip(half_way(&self.values)).all(|(own, between)| near(own, &between))
    }
}

/// Bounds half-way between neighbouring centres; the outer cells reach as far out as in.
fn half_way(values: &[f64]) -> Vec<[f64; 2]> {
    let n = values.len();
    let step = |i: usize| values[i + 1] - values[i];
    if n == 1 {
        return vec![[values[0] - 0.5, values[0] + 0.5]];
    }
    (0..n)
        .map(|i| {
            let before = if i == 0 { step(0) } else { step(i - 1) };
            let after = if i + 1 == n { step(n - 2) } else { step(i) };
            [values[i] - before / 2.0, values[i] + after / 2.0]
        })
        .collect()
}

/// The axes of a result, always in the order time, depth, latitude, longitude.
#[derive(Debug, Clone)]
pub(crate) struct Frame {
    pub(crate) time: Option<TimeAxis>,
    pub(crate) depth: Option<Side>,
    pub(crate) lat: Option<Side>,
    pub(crate) lon: Option<Side>,
    /// Region and depth as asked for.
    pub(crate) facts: BTreeMap<String, Value>,
    weights: Array2<f64>,
}

impl Frame {
    /// The axes of a field.
    ///
    /// # Errors
    /// When its times are not in order, or its grid has no axes.
    pub(crate) fn of(field: &Field) -> Result<Self, ToolError> {
        field.require_axes().map_err(|error| ToolError::invalid(error.to_string()))?;
        Ok(Self {
            time: field.times().map(|_| axis_of(field)).transpose()?,
            depth: field.depths().map(Side::of),
            lat: field.lats().map(Side::of),
            lon: field.lons().map(Side::of),
            facts: place(field),
            weights: cell_weights(field, Weighting::Area),
        })
    }

    /// The times and depths of a field, on any grid, over other latitudes and longitudes; `weights` are the areas of the
    /// cells.
    ///
    /// # Errors
    /// When its times are not in order.
    pub(crate) fn over(field: &Field, lat: Side, lon: Side, weights: Array2<f64>) -> Result<Self, ToolError> {
        Ok(Self {
            time: field.times().map(|_| axis_of(field)).transpose()?,
            depth: field.depths().map(Side::of),
            lat: Some(lat),
            lon: Some(lon),
            facts: place(field),
            weights,
        })
    }

    /// Without times: after a reduction over them.
    #[must_use]
    pub(crate) fn without_time(self) -> Self {
        Self { time: None, ..self }
    }

    /// Without depths: after a reduction over them.
    #[must_use]
    pub(crate) fn without_depth(self) -> Self {
        Self { depth: None, ..self }
    }

    /// Without latitudes.
    #[must_use]
    pub(crate) fn without_lat(self) -> Self {
        let columns = self.weights.ncols();
        Self { lat: None, weights: Array2::ones((1, columns)), ..self }
    }

    /// Without longitudes.
    #[must_use]
    pub(crate) fn without_lon(self) -> Self {
        let weights = self.weights.sum_axis(ndarray::Axis(1)).insert_axis(ndarray::Axis(1));
        Self { lon: None, weights, ..self }
    }

    /// On other times.
    #[must_use]
    pub(crate) fn with_time(self, time: TimeAxis) -> Self {
        Self { time: Some(time), ..self }
    }

    /// On other levels.
    #[must_use]
    pub(crate) fn with_depth(self, depth: Side) -> Self {
        Self { depth: Some(depth), ..self }
    }

    /// Lengths of all four axes, 1 for those it lacks.
    pub(crate) fn full_shape(&self) -> [usize; 4] {
        let length = |side: &Option<Side>| side.as_ref().map_or(1, |side| side.values.len());
        [
            self.time.as_ref().map_or(1, TimeAxis::len),
            length(&self.depth),
            length(&self.lat),
            length(&self.lon),
        ]
    }

    /// The dimensions it has.
    pub(crate) fn dims(&self) -> Vec<&'static str> {
        let is = |side: &Option<Side>| side.as_ref().is_some_and(|side| !side.is_scalar);
        let present = [
            ("time", self.time.is_some()),
            ("depth", is(&self.depth)),
            ("lat", is(&self.lat)),
            ("lon", is(&self.lon)),
        ];
        present.into_iter().filter(|dim| dim.1).map(|dim| dim.0).collect()
    }

    /// The dimensions it has and their lengths.
    pub(crate) fn dims_and_shape(&self) -> (Vec<String>, Vec<usize>) {
        let names = ["time", "depth", "lat", "lon"];
        let dims = self.dims();
        let own = names.iter().zip(self.full_shape()).filter(|(name, _)| dims.contains(name));
        own.map(|(name, length)| ((*name).to_owned(), length)).unzip()
    }

    /// What an array on these axes is called.
    pub(crate) fn kind(&self) -> Kind {
        match self.dims().as_slice() {
            ["time"] => Kind::Series,
            ["depth"] => Kind::Profile,
            ["lat", "lon"] => Kind::Map,
            ["time", "depth" | "lat" | "lon"] => Kind::Hovmoller,
            ["depth", "lat" | "lon"] => Kind::Section,
            [] => Kind::Scalar,
            _ => Kind::Field,
        }
    }

    /// An array on these axes, given row-major by `(time, depth, lat, lon)`.
    pub(crate) fn variable(&self, name: &str, units: &str, values: &Array4<f64>) -> Variable {
        debug_assert_eq!(values.shape(), self.full_shape());
        let (dims, shape) = self.dims_and_shape();
        let (name, units) = (name.to_owned(), units.to_owned());
        Variable { name, standard_name: None, units, dims, shape, values: values.iter().copied().collect() }
    }

    /// An artifact of an array on these axes, with their coordinates and bounds.
    pub(crate) fn artifact(&self, name: &str, variable: Variable) -> Artifact {
        let mut artifact = Artifact::array(self.kind(), name, variable);
        if let Some(time) = &self.time {
            artifact = with_times(artifact, time);
            if let Some(step) = time.step().to_iso() {
                artifact.attributes.insert("time_step".to_owned(), json!(step));
            }
        }
        let sides = [
            ("depth", &self.depth, "m", "depth"),
            ("lat", &self.lat, "degrees_north", "latitude"),
            ("lon", &self.lon, "degrees_east", "longitude"),
        ];
        let mut bounds = serde_json::Map::new();
        for (name, side, units, standard_name) in sides {
            let Some(side) = side else { continue };
            artifact = artifact.with_coord(name, Coord::numbers(&side.values, units, standard_name));
            if side.has_own_bounds() {
                bounds.insert(name.to_owned(), json!(side.bounds));
            }
        }
        if !bounds.is_empty() {
            artifact.attributes.insert(BOUNDS.to_owned(), Value::Object(bounds));
        }
        artifact.attributes.extend(self.facts.clone());
        artifact
    }

    /// Evidence of an array on these axes: that of a series for a series, that of a map for a map, and otherwise
    /// extremes with their places and times, mean and count. [`evidence::MAP`] names what is always there.
    ///
    /// `values` are those of [`Frame::variable`].
    pub(crate) fn evidence(
        &self,
        values: &[f64],
        units: &str,
        method: &str,
        baseline: Option<&str>,
    ) -> Vec<EvidenceDraft> {
        let numbers = |side: &Option<Side>| side.as_ref().map_or(vec![], |side| side.values.clone());
        match (self.kind(), &self.time) {
            (Kind::Series, Some(time)) => evidence::of_series(time, values, units, method, baseline),
            (Kind::Map, _) => {
                let weights: Vec<f64> = self.weights.iter().copied().collect();
                let (lat, lon) = (numbers(&self.lat), numbers(&self.lon));
                let view = MapView { lat: &lat, lon: &lon, values, weights: &weights };
                with_baseline(evidence::of_map(view, units, method, None), baseline)
            }
            _ => {
                let view = GridView {
                    time: self.time.as_ref(),
                    depth: &numbers(&self.depth),
                    thickness: &self.thickness(),
                    lat: &numbers(&self.lat),
                    lon: &numbers(&self.lon),
                    shape: self.full_shape(),
                    weights: &self.weights,
                    values,
                };
                with_baseline(evidence::of_grid(view, units, method), baseline)
            }
        }
    }

    fn thickness(&self) -> Vec<f64> {
        match &self.depth {
            Some(side) if side.values.len() > 1 => {
                side.bounds.iter().map(|[top, bottom]| (bottom - top).abs()).collect()
            }
            _ => vec![1.0],
        }
    }
}

fn with_baseline(drafts: Vec<EvidenceDraft>, baseline: Option<&str>) -> Vec<EvidenceDraft> {
    match baseline {
        None => drafts,
        Some(baseline) => drafts.into_iter().map(|draft| draft.baseline(baseline)).collect(),
    }
}

#[cfg(test)]
mod tests {
    use ocean_data::cf::Calendar;

    use super::*;

    fn frame() -> Frame {
        Frame {
            time: Some(TimeAxis::parse(Calendar::NoLeap, &["2001-01-16", "2001-02-15"]).unwrap()),
            depth: Some(Side {
                values: vec![5.0, 20.0],
                bounds: vec![[0.0, 10.0], [10.0, 30.0]],
                is_scalar: false,
            }),
            lat: Some(Side::at(vec![-10.0, 10.0])),
            lon: Some(Side::at(vec![100.0, 110.0, 120.0])),
            facts: BTreeMap::new(),
            weights: Array2::ones((2, 3)),
        }
    }

    #[test]
    fn kinds_follow_from_the_axes_that_are_left() {
        let frame = frame();
        assert_eq!(frame.kind(), Kind::Field);
        assert_eq!(frame.clone().without_time().without_depth().kind(), Kind::Map);
        assert_eq!(frame.clone().without_depth().without_lat().without_lon().kind(), Kind::Series);
        assert_eq!(frame.clone().without_time().without_lat().without_lon().kind(), Kind::Profile);
        assert_eq!(frame.clone().without_depth().without_lon().kind(), Kind::Hovmoller);
        assert_eq!(frame.clone().without_time().without_lon().kind(), Kind::Section);
    }

    #[test]
    fn bounds_are_kept_where_they_are_not_half_way() {
        let frame = frame();
        let values = Array4::zeros(frame.full_shape());
        let artifact = frame.artifact("t", frame.variable("t", "degC", &values));
        assert_eq!(artifact.attributes[BOUNDS], json!({"depth": [[0.0, 10.0], [10.0, 30.0]]}));
        assert_eq!(artifact.primary().unwrap().shape, [2, 2, 2, 3]);
        assert_eq!(artifact.coords["time"].calendar.as_deref(), Some("noleap"));
    }

    #[test]
    fn means_are_weighted_by_volume_and_extremes_have_a_place() {
        let frame = frame().without_time();
        let mut values = Array4::from_elem(frame.full_shape(), 1.0);
        values.index_axis_mut(ndarray::Axis(1), 1).fill(4.0);
        values[[0, 1, 1, 2]] = 9.0;
        values[[0, 0, 0, 0]] = f64::NAN;
        let variable = frame.variable("t", "degC", &values);
        let drafts = frame.evidence(&variable.values, "degC", "test", Some("1991/2020"));
        let find = |name: &str| drafts.iter().find(|draft| draft.name == name).unwrap();
        assert_eq!(find("max").place, Some(json!({"lon": 120.0, "lat": 10.0, "depth": 20.0})));
        // 5 cells of 10 m at 1, 5 cells of 20 m at 4 and one at 9.
        assert_eq!(find("mean").value, json!((50.0 + 400.0 + 180.0) / 170.0));
        assert_eq!(find("n").value, json!(11));
        assert_eq!(find("min").baseline.as_deref(), Some("1991/2020"));
    }
}

//! [`Columns`]: fields read column by column, and what tools of the vertical make of them.

use leg_core::{Kind, ToolContext, ToolError, ToolErrorKind, ToolOutput, Variable};
use ndarray::{Array4, ArrayView1, Axis};
use ocean_data::Field;
use ocean_data::field::ChunkTree;

use crate::derived::{Place, by_column};
use crate::frame::{Frame, Side};
use crate::reading;

/// Kinds that a field of water can have beside `field`, for ports.
pub(crate) const KINDS: [Kind; 6] =
    [Kind::Profile, Kind::Section, Kind::Map, Kind::Series, Kind::Hovmoller, Kind::Scalar];

/// Fields of one shape.
#[derive(Debug)]
pub(crate) struct Columns {
    fields: Vec<Field>,
    lat: Vec<f64>,
    lon: Vec<f64>,
    /// Levels in metres, top first; 0 alone for fields without depth.
    pub(crate) depth: Vec<f64>,
    /// Bounds of the levels.
    pub(crate) bounds: Vec<[f64; 2]>,
}

/// A column and its place.
#[derive(Debug)]
pub(crate) struct ColumnView<'a> {
    /// Where it stands in the fields.
    pub(crate) place: Place,
    /// Latitude; NaN when the fields have none.
    pub(crate) lat: f64,
    /// Longitude; NaN when the fields have none.
    pub(crate) lon: f64,
    /// Levels in metres, top first.
    pub(crate) depth: &'a [f64],
    /// Bounds of the levels.
    pub(crate) bounds: &'a [[f64; 2]],
    /// Values of each field; NaN is missing.
    pub(crate) values: &'a [Vec<f64>],
}

/// The levels of a result.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Levels {
    /// Those of the fields.
    Same,
    /// Half-way between those of the fields.
    Between,
    /// None: one value a column.
    None,
    /// Others.
    At(Vec<f64>),
}

/// What a result holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Quantity {
    /// Name of the array.
    pub(crate) name: String,
    /// CF units.
    pub(crate) units: String,
    /// CF standard name.
    pub(crate) standard_name: Option<String>,
}

impl Quantity {
    /// A quantity without a standard name.
    pub(crate) fn new(name: &str, units: &str) -> Self {
        Self { name: name.to_owned(), units: units.to_owned(), standard_name: None }
    }

    /// A quantity whose name is a standard name.
    pub(crate) fn standard(name: &str, units: &str) -> Self {
        Self { standard_name: Some(name.to_owned()), ..Self::new(name, units) }
    }
}

/// Arrays and what was read for them.
#[derive(Debug)]
pub(crate) struct Computed {
    /// One array a quantity, `(time, depth, lat, lon)`.
    pub(crate) arrays: Vec<Array4<f64>>,
    /// What was read of each field.
    pub(crate) chunks: Vec<ChunkTree>,
}

impl Computed {
    /// The mean of each array over the times that have a value.
    pub(crate) fn time_mean(self) -> Self {
        let mean = |array: Array4<f64>| {
            let lane = |lane: ArrayView1<'_, f64>| {
                let present = lane.iter().filter(|value| !value.is_nan());
                present.clone().sum::<f64>() / present.count() as f64
            };
            array.map_axis(Axis(0), lane).insert_axis(Axis(0))
        };
        Self { arrays: self.arrays.into_iter().map(mean).collect(), ..self }
    }
}

impl Columns {
    /// Columns of fields, which must be of one shape; the walk refuses others.
    pub(crate) fn of(fields: Vec<Field>) -> Self {
        let first = fields.first();
        let numbers = |axis: Option<&ocean_data::field::SpaceAxis>| {
            axis.map_or_else(|| vec![f64::NAN], |axis| axis.values.clone())
        };
        let depths = first.and_then(Field::depths);
        Self {
            lat: numbers(first.and_then(Field::lats)),
            lon: numbers(first.and_then(Field::lons)),
            depth: depths.map_or_else(|| vec![0.0], |axis| axis.values.clone()),
            bounds: depths.map_or_else(|| vec![[0.0, 0.0]], |axis| axis.bounds.clone()),
            fields,
        }
    }

    /// Refuses fields without a place, which pressure and salinity need.
    ///
    /// # Errors
    /// When there is no latitude or no longitude.
    pub(crate) fn need_place(&self) -> Result<(), ToolError> {
        if self.lat[0].is_nan() || self.lon[0].is_nan() {
            return Err(ToolError::invalid(
                "the fields have no latitude and longitude, and pressure and absolute salinity depend on both; \
                 take fields that keep them, such as those of `load_dataset` or `extract_vertical_profile`",
            ));
        }
        Ok(())
    }

    /// Refuses fields that have fewer levels.
    ///
    /// # Errors
    /// When there are fewer.
    pub(crate) fn need_levels(&self, levels: usize) -> Result<(), ToolError> {
        if self.depth.len() < levels {
            return Err(ToolError::invalid(format!(
                "the fields have {} level and at least {levels} are needed; select a range of depths, such as \
                 {{\"range\": [0, 500]}}, or \"column\"",
                self.depth.len()
            )));
        }
        Ok(())
    }

    /// The latitudes and longitudes of a place.
    fn at(&self, place: Place) -> [f64; 2] {
        let of = |values: &[f64], at: usize| values.get(at).copied().unwrap_or(values[0]);
        [of(&self.lat, place.lat), of(&self.lon, place.lon)]
    }

    fn length(&self, levels: &Levels) -> usize {
        match levels {
            Levels::Same => self.depth.len(),
            Levels::Between => self.depth.len().saturating_sub(1),
            Levels::None => 1,
            Levels::At(depths) => depths.len(),
        }
    }

    /// `quantities` arrays on these levels; `column` gives as many lists for a column.
    ///
    /// # Errors
    /// As [`by_column`].
    pub(crate) fn compute(
        &self,
        context: &ToolContext,
        levels: &Levels,
        quantities: usize,
        column: impl Fn(&ColumnView<'_>) -> Vec<Vec<f64>> + Sync + Send,
    ) -> Result<Computed, ToolError> {
        let length = self.length(levels);
        let fields: Vec<&Field> = self.fields.iter().collect();
        let derived = by_column(&fields, context, length * quantities, |place, values, out| {
            let [lat, lon] = self.at(place);
            let view = ColumnView { place, lat, lon, depth: &self.depth, bounds: &self.bounds, values };
            for (target, value) in out.iter_mut().zip(column(&view).into_iter().flatten()) {
                *target = value;
            }
        })?;
        let arrays = (0..quantities)
            .map(|at| {
                let part = ndarray::Slice::from(at * length..(at + 1) * length);
                derived.values.slice_axis(Axis(1), part).to_owned()
            })
            .collect();
        Ok(Computed { arrays, chunks: derived.chunks })
    }

    /// The axes of a result on these levels.
    ///
    /// # Errors
    /// When the times of the fields are not in order.
    pub(crate) fn frame(&self, levels: &Levels) -> Result<Frame, ToolError> {
        let first = self
            .fields
            .first()
            .ok_or_else(|| ToolError::new(ToolErrorKind::InvalidArguments, "no field was given; give one"))?;
        let frame = Frame::of(first)?;
        Ok(match levels {
            Levels::Same => frame,
            Levels::None => frame.without_depth(),
            Levels::Between => frame
                .with_depth(Side::at(self.depth.windows(2).map(|pair| 0.5 * (pair[0] + pair[1])).collect())),
            Levels::At(depths) => frame.with_depth(Side::at(depths.clone())),
        })
    }

    /// The first quantity as the artifact with its evidence, the others beside it.
    ///
    /// # Errors
    /// When the times of the fields are not in order.
    pub(crate) fn output(
        &self,
        levels: &Levels,
        quantities: &[Quantity],
        computed: &Computed,
        method: &str,
        notes: Vec<String>,
    ) -> Result<ToolOutput, ToolError> {
        self.output_on(&self.frame(levels)?, quantities, computed, method, notes)
    }

    /// The same on axes of a further reduction.
    ///
    /// # Errors
    /// When nothing was computed.
    pub(crate) fn output_on(
        &self,
        frame: &Frame,
        quantities: &[Quantity],
        computed: &Computed,
        method: &str,
        notes: Vec<String>,
    ) -> Result<ToolOutput, ToolError> {
        let variables: Vec<Variable> = quantities
            .iter()
            .zip(&computed.arrays)
            .map(|(quantity, values)| Variable {
                standard_name: quantity.standard_name.clone(),
                ..frame.variable(&quantity.name, &quantity.units, values)
            })
            .collect();
        let mut rest = variables.into_iter();
        let main =
            rest.next().ok_or_else(|| ToolError::new(ToolErrorKind::BadData, "nothing was computed"))?;
        let mut notes = notes;
        if main.values.iter().all(|value| value.is_nan()) {
            notes.push(format!(
                "no cell has a value of {}; all of them are missing",
                main.name.replace('_', " ")
            ));
        }
        let evidence = frame.evidence(&main.values, &main.units, method, None);
        let name = main.name.clone();
        let mut artifact = frame.artifact(&name, main).with_attribute("method", method);
        for variable in rest {
            artifact = artifact.with_variable(variable);
        }
        let mut output = ToolOutput::of(artifact).with_evidence(evidence);
        for (field, chunks) in self.fields.iter().zip(&computed.chunks) {
            notes.extend(reading::notes(field));
            output = output.with_source(reading::source(field, chunks));
        }
        notes.dedup();
        Ok(output.with_notes(notes))
    }
}

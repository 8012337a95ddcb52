//! Numbers and masks on a grid, laid over a field by the names of their axes.

use leg_core::{ToolContext, ToolError};
use ndarray::Array4;
use ocean_data::Field;
use ocean_data::field::SpaceAxis;

use crate::argument::FieldArgument;
use crate::derived::Place;
use crate::{Datasets, reading};

/// The largest mask, in bytes.
const MAX_MASK: u64 = 1 << 30;
/// Slack of coordinates, in degrees or metres.
const SAME: f64 = 1e-5;

/// Numbers in memory; an axis of length 1 stands for all places of the field.
#[derive(Debug, Clone)]
pub(crate) struct Overlay {
    values: Array4<f64>,
}

impl Overlay {
    /// Reads numbers and checks that they stand on the field's grid.
    ///
    /// # Errors
    /// When they have other coordinates than the field, or cannot be read.
    pub(crate) fn over(field: &Field, numbers: &Field) -> Result<Self, ToolError> {
        Self::laid(field, numbers, "array")
    }

    fn laid(field: &Field, numbers: &Field, what: &str) -> Result<Self, ToolError> {
        fits(field, numbers, what)?;
        let values = numbers.read(MAX_MASK).map_err(|error| reading::cannot_read(&error))?;
        Ok(Self { values })
    }

    /// The number at a place of the field; NaN is missing.
    pub(crate) fn at(&self, place: Place) -> f64 {
        let (t, z, y, x) = self.values.dim();
        let pick = |at: usize, length: usize| if length == 1 { 0 } else { at };
        self.values[[pick(place.time, t), pick(place.depth, z), pick(place.lat, y), pick(place.lon, x)]]
    }
}

/// A mask: above 0 is true, NaN is missing.
#[derive(Debug, Clone)]
pub(crate) struct Mask(Overlay);

impl Mask {
    /// Reads the mask that an argument names and checks that it stands on the field's grid.
    ///
    /// # Errors
    /// When it has other coordinates than the field, or cannot be read.
    pub(crate) fn over(
        field: &Field,
        mask: &FieldArgument,
        datasets: &Datasets,
        context: &ToolContext,
    ) -> Result<Self, ToolError> {
        Self::laid(field, &mask.open(datasets, context)?, "mask")
    }

    /// Reads another field that stands on this field's grid, such as a depth for each of its columns.
    ///
    /// # Errors
    /// When it has other coordinates than the field, or cannot be read.
    pub(crate) fn laid(field: &Field, other: &Field, what: &str) -> Result<Self, ToolError> {
        Overlay::laid(field, other, what).map(Self)
    }

    /// The value at a place of the field; of a mask above 0 is true, NaN is missing.
    pub(crate) fn at(&self, place: Place) -> f64 {
        self.0.at(place)
    }

    /// Whether the mask is true there.
    pub(crate) fn holds(&self, place: Place) -> bool {
        self.at(place) > 0.0
    }
}

fn fits(field: &Field, mask: &Field, noun: &str) -> Result<(), ToolError> {
    let refuse = |axis: &str, what: &str| {
        Err(ToolError::invalid(format!(
            "the {noun} `{}` and the field `{}` have different {axis}: {what}; make the {noun} from the same selection",
            mask.name(),
            field.name()
        )))
    };
    let sides: [(&str, Option<&SpaceAxis>, Option<&SpaceAxis>); 3] = [
        ("depths", field.depths(), mask.depths()),
        ("latitudes", field.lats(), mask.lats()),
        ("longitudes", field.lons(), mask.lons()),
    ];
    for (name, own, other) in sides {
        let Some(other) = other.filter(|axis| axis.values.len() > 1) else { continue };
        let Some(own) = own else { return refuse(name, "the field has none") };
        let turned = |a: f64, b: f64| {
            if name == "longitudes" { (a - b) - 360.0 * ((a - b) / 360.0).round() } else { a - b }
        };
        let same = own.values.len() == other.values.len()
            && own.values.iter().zip(&other.values).all(|(a, b)| turned(*a, *b).abs() < SAME);
        if !same {
            return refuse(name, &format!("{} and {} places", own.values.len(), other.values.len()));
        }
    }
    let times = mask.times().filter(|times| times.dates.len() > 1);
    match (field.times(), times) {
        (_, None) => Ok(()),
        (Some(own), Some(other)) if own.nanoseconds == other.nanoseconds => Ok(()),
        _ => refuse("times", "they must be the same instants"),
    }
}

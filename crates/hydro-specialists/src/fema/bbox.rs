//! [`Bbox`]: a box and a point that a query may have.

use serde_json::{Value, json};

use crate::ServiceError;

/// The widest box, in degrees: a county and its neighbours.
const WIDEST: f64 = 3.0;

/// West, south, east, north in degrees.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bbox {
    sides: [f64; 4],
}

impl Bbox {
    /// A box that the service answers in reasonable time.
    ///
    /// # Errors
    /// [`ServiceError::BadArgument`] when the sides are none of a box on the Earth; [`ServiceError::TooMuch`] for a larger one.
    pub fn try_new(sides: [f64; 4]) -> Result<Self, ServiceError> {
        let [west, south, east, north] = sides;
        let on_earth = (-180.0..=180.0).contains(&west)
            && (-180.0..=180.0).contains(&east)
            && (-90.0..=90.0).contains(&south)
            && (-90.0..=90.0).contains(&north);
        if !on_earth || west >= east || south >= north {
            return Err(ServiceError::BadArgument(format!(
                "{west}, {south}, {east}, {north} is no box; give west, south, east, north in degrees, west below east and \
                 south below north"
            )));
        }
        if east - west > WIDEST || north - south > WIDEST {
            return Err(ServiceError::TooMuch(format!(
                "the box is {:.2} by {:.2} degrees and {WIDEST} by {WIDEST} are allowed; ask for a smaller one",
                east - west,
                north - south
            )));
        }
        Ok(Self { sides })
    }

    /// West, south, east, north.
    pub const fn sides(&self) -> [f64; 4] {
        self.sides
    }

    /// The box as the service's geometry.
    pub(crate) fn geometry(&self) -> Value {
        let [west, south, east, north] = self.sides;
        json!({ "xmin": west, "ymin": south, "xmax": east, "ymax": north, "spatialReference": { "wkid": 4326 } })
    }

    /// The place of evidence.
    pub(crate) fn place(&self) -> Value {
        let [west, south, east, north] = self.sides;
        json!({ "bbox": { "west": { "lon": west }, "south": { "lat": south }, "east": { "lon": east }, "north": { "lat": north } } })
    }
}

/// A point on the Earth, or an error that says what to give.
pub(crate) fn checked_point(lat: f64, lon: f64) -> Result<(f64, f64), ServiceError> {
    if (-90.0..=90.0).contains(&lat) && (-180.0..=180.0).contains(&lon) {
        return Ok((lat, lon));
    }
    Err(ServiceError::BadArgument(format!(
        "{lat}, {lon} is no point; give `lat` from -90 to 90 and `lon` from -180 to 180, degrees north and east"
    )))
}

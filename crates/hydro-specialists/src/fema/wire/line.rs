//! Lines: base flood elevations, limits of moderate wave action.

use super::zone::{feet, height};
use crate::arcgis::Feature;

/// A line of one base flood elevation.
#[derive(Debug, Clone, PartialEq)]
pub struct BfeLine {
    /// Feet above the datum.
    pub elev_ft: f64,
    /// The unit as delivered.
    pub unit: Option<String>,
    /// The datum.
    pub datum: Option<String>,
    /// The study.
    pub dfirm_id: Option<String>,
    /// Longitude and latitude along it.
    pub paths: Vec<Vec<[f64; 2]>>,
}

impl BfeLine {
    /// Reads a row; `None` without an elevation in a known unit.
    pub fn read(feature: &Feature) -> Option<Self> {
        let short = |name: &str| feature.text(name).map(|text| text.chars().take(80).collect::<String>());
        let unit = short("LEN_UNIT");
        Some(Self {
            elev_ft: feet(height(feature, "ELEV")?, unit.as_deref())?,
            unit,
            datum: short("V_DATUM"),
            dfirm_id: short("DFIRM_ID"),
            paths: feature.paths.clone(),
        })
    }
}

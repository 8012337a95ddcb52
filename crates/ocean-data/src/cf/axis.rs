//! Which axis a coordinate variable is.
//!
//! # Source
//! CF conventions 1.11, chapter 4 (units, `standard_name`, axis, positive); names as files use them.

use super::attribute::{Attribute, Attributes};
use super::standard_name::base_name;
use super::units::Unit;

/// The role of a coordinate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Axis {
    /// Time.
    Time,
    /// Depth or height.
    Depth,
    /// Latitude.
    Latitude,
    /// Longitude.
    Longitude,
}

/// What an axis was recognised by, strongest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum AxisEvidence {
    /// `standard_name`.
    StandardName,
    /// `units`.
    Units,
    /// `axis`.
    AxisAttribute,
    /// `positive`.
    Positive,
    /// The variable's name.
    Name,
}

impl Axis {
    /// The name the axis has in fields, JSON and messages.
    pub fn name(self) -> &'static str {
        match self {
            Self::Time => "time",
            Self::Depth => "depth",
            Self::Latitude => "lat",
            Self::Longitude => "lon",
        }
    }

    /// Recognises a coordinate variable, with the evidence.
    pub fn detect(name: &str, attributes: &Attributes) -> Option<(Self, AxisEvidence)> {
        let text = |key: &str| attributes.get(key).and_then(Attribute::as_text).map(str::to_ascii_lowercase);
        let found = |axis: Option<Self>, evidence| axis.map(|axis| (axis, evidence));
        found(text("standard_name").and_then(|s| by_standard_name(&s)), AxisEvidence::StandardName)
            .or_else(|| found(text("units").and_then(|u| by_units(&u, name)), AxisEvidence::Units))
            .or_else(|| found(text("axis").and_then(|a| by_axis(&a)), AxisEvidence::AxisAttribute))
            .or_else(|| {
                let vertical = text("positive").is_some_and(|p| p == "up" || p == "down");
                found(vertical.then_some(Self::Depth), AxisEvidence::Positive)
            })
            .or_else(|| found(by_name(name), AxisEvidence::Name))
    }
}

impl AxisEvidence {
    /// The words of a description.
    pub fn words(self) -> &'static str {
        match self {
            Self::StandardName => "its standard name",
            Self::Units => "its units",
            Self::AxisAttribute => "its `axis` attribute",
            Self::Positive => "its `positive` attribute",
            Self::Name => "its name",
        }
    }
}

fn by_standard_name(name: &str) -> Option<Axis> {
    match name {
        "time" => Some(Axis::Time),
        "latitude" | "grid_latitude" => Some(Axis::Latitude),
        "longitude" | "grid_longitude" => Some(Axis::Longitude),
        "depth"
        | "height"
        | "altitude"
        | "depth_below_geoid"
        | "ocean_sigma_coordinate"
        | "ocean_s_coordinate"
        | "ocean_s_coordinate_g1"
        | "ocean_s_coordinate_g2"
        | "ocean_sigma_z_coordinate"
        | "sea_water_pressure" => Some(Axis::Depth),
        _ => None,
    }
}

fn by_units(units: &str, name: &str) -> Option<Axis> {
    let squeezed = units.replace([' ', '_'], "");
    match squeezed.as_str() {
        "degreesnorth" | "degreenorth" | "degreen" | "degreesn" => return Some(Axis::Latitude),
        "degreeseast" | "degreeeast" | "degreee" | "degreese" => return Some(Axis::Longitude),
        _ => {}
    }
    if units.contains(" since ") {
        return Some(Axis::Time);
    }
    // Pressure is vertical whatever the name; a length only under a vertical name.
    let unit: Option<Unit> = units.parse().ok();
    let vertical_name = by_name(name) == Some(Axis::Depth);
    match unit {
        Some(unit) if unit.is_pressure() && !units.is_empty() => Some(Axis::Depth),
        Some(unit) if unit.is_length() && vertical_name => Some(Axis::Depth),
        _ => None,
    }
}

fn by_axis(axis: &str) -> Option<Axis> {
    match axis {
        "t" => Some(Axis::Time),
        "z" => Some(Axis::Depth),
        "y" => Some(Axis::Latitude),
        "x" => Some(Axis::Longitude),
        _ => None,
    }
}

/// The points of a staggered cell, as names end.
const POINTS: [&str; 17] = [
    "", "t", "u", "v", "w", "f", "c", "e", "n", "rho", "psi", "vert", "grid_t", "grid_u", "grid_v", "cell",
    "node",
];

fn by_name(name: &str) -> Option<Axis> {
    let name = base_name(name).to_ascii_lowercase();
    match name.as_str() {
        "time" | "t" | "time_counter" | "mt" | "ocean_time" | "time_centered" | "juld" | "date" => {
            return Some(Axis::Time);
        }
        "depth" | "z" | "lev" | "level" | "deptht" | "depthu" | "depthv" | "depthw" | "z_t" | "z_w"
        | "zt" | "nav_lev" | "st_ocean" | "sw_ocean" | "pressure" | "pres" | "gdept" | "olevel" | "zax" => {
            return Some(Axis::Depth);
        }
        "lat" | "latitude" | "y" | "nav_lat" | "lat_t" | "lat_rho" | "yt_ocean" | "yu_ocean" | "ylat" => {
            return Some(Axis::Latitude);
        }
        "lon" | "longitude" | "x" | "nav_lon" | "lon_t" | "lon_rho" | "xt_ocean" | "xu_ocean" | "xlon"
        | "long" => {
            return Some(Axis::Longitude);
        }
        _ => {}
    }
    // Two-dimensional positions of NEMO, ROMS, POP, MOM, CICE and Parcels files: a stem and the point of the cell.
    let point_of = |stem: &str| {
        let rest = name.strip_prefix(stem)?.trim_start_matches('_');
        POINTS.contains(&rest).then_some(())
    };
    if ["lat", "nav_lat", "geolat", "gphi", "latitude"].into_iter().any(|stem| point_of(stem).is_some())
        || ["lat2d", "tlat", "ulat", "vlat", "nlat2d", "xlat"].contains(&name.as_str())
    {
        return Some(Axis::Latitude);
    }
    if ["lon", "nav_lon", "geolon", "glam", "longitude"].into_iter().any(|stem| point_of(stem).is_some())
        || ["lon2d", "tlong", "ulong", "vlong", "tlon", "ulon", "xlong"].contains(&name.as_str())
    {
        return Some(Axis::Longitude);
    }
    // Ferret writes XAXLEVITR, COADSY, ZAXLEVIT19, ETOPO60X.
    let ferret = name.starts_with("xax") || name == "coadsx" || name == "etopo60x";
    if ferret {
        Some(Axis::Longitude)
    } else if name.starts_with("yax") || name == "coadsy" || name == "etopo60y" {
        Some(Axis::Latitude)
    } else if name.starts_with("zax") {
        Some(Axis::Depth)
    } else if name.starts_with("tax") {
        Some(Axis::Time)
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn detect(name: &str, attributes: &[(&str, &str)]) -> Option<(Axis, AxisEvidence)> {
        let attributes =
            attributes.iter().map(|&(k, v)| (k.to_owned(), Attribute::Text(v.to_owned()))).collect();
        Axis::detect(name, &attributes)
    }

    #[test]
    fn each_kind_of_evidence_is_used() {
        assert_eq!(
            detect("a", &[("standard_name", "latitude")]),
            Some((Axis::Latitude, AxisEvidence::StandardName))
        );
        assert_eq!(detect("a", &[("units", "degrees_east")]), Some((Axis::Longitude, AxisEvidence::Units)));
        assert_eq!(
            detect("MT", &[("units", "days since 1901-01-01")]),
            Some((Axis::Time, AxisEvidence::Units))
        );
        assert_eq!(detect("a", &[("axis", "Z")]), Some((Axis::Depth, AxisEvidence::AxisAttribute)));
        assert_eq!(detect("a", &[("positive", "up")]), Some((Axis::Depth, AxisEvidence::Positive)));
        assert_eq!(detect("ZAXLEVITR", &[]), Some((Axis::Depth, AxisEvidence::Name)));
        assert_eq!(detect("pressure", &[("units", "dbar")]), Some((Axis::Depth, AxisEvidence::Units)));
    }

    #[test]
    fn a_length_is_not_vertical_by_itself() {
        assert_eq!(detect("mixed_layer", &[("units", "m")]), None);
        assert_eq!(detect("station", &[]), None);
    }
}

//! Flood hazard zones.

use crate::arcgis::Feature;

/// How much flood hazard a zone has, worst first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Class {
    /// The channel that must be kept free.
    Floodway,
    /// Coastal waves: the special flood hazard area of V zones.
    Coastal,
    /// 1 % a year: the special flood hazard area.
    OnePercent,
    /// 0.2 % a year.
    PointTwoPercent,
    /// Less hazard because of a levee.
    Levee,
    /// Possible, not determined.
    Undetermined,
    /// Water.
    OpenWater,
    /// Minimal hazard.
    Minimal,
    /// The row does not say.
    Unknown,
}

impl Class {
    /// The name in results.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Floodway => "floodway",
            Self::Coastal | Self::OnePercent => "1pct",
            Self::PointTwoPercent => "0.2pct",
            Self::Levee => "levee",
            Self::Undetermined => "undetermined",
            Self::OpenWater => "open_water",
            Self::Minimal => "minimal",
            Self::Unknown => "unknown",
        }
    }
}

/// A mapped zone.
#[derive(Debug, Clone, PartialEq)]
pub struct Zone {
    /// Such as `AE`.
    pub zone: String,
    /// Such as `FLOODWAY`.
    pub subtype: Option<String>,
    /// Whether it is a special flood hazard area; `None` when the row does not say.
    pub sfha: Option<bool>,
    /// How much hazard.
    pub class: Class,
    /// Static base flood elevation, in feet above the datum.
    pub static_bfe_ft: Option<f64>,
    /// The datum of the elevation.
    pub datum: Option<String>,
    /// Depth of sheet flow, in feet above ground.
    pub depth_ft: Option<f64>,
    /// Velocity, in feet a second where the row says so.
    pub velocity: Option<f64>,
    /// The study.
    pub dfirm_id: Option<String>,
    /// Shape: rings of longitude and latitude.
    pub rings: Vec<Vec<[f64; 2]>>,
}

/// -9999 and -8888 stand for none, and so does what is no height on Earth.
pub(crate) fn height(feature: &Feature, name: &str) -> Option<f64> {
    feature.number(name).filter(|number| *number > -8_000.0 && *number < 30_000.0)
}

/// Feet, where a length is given in metres too. `None` for a unit that is not known.
pub(crate) fn feet(value: f64, unit: Option<&str>) -> Option<f64> {
    match unit.map(str::to_lowercase).as_deref() {
        // The documentation says feet unless the row says metres.
        None => Some(value),
        Some(unit) if unit.starts_with("feet") || unit.starts_with("foot") || unit == "ft" => Some(value),
        Some(unit) if unit.starts_with("met") || unit == "m" => Some((value / 0.3048 * 1e4).round() / 1e4),
        Some(_) => None,
    }
}

impl Zone {
    /// Reads a row; `None` without a zone.
    pub fn read(feature: &Feature) -> Option<Self> {
        let short = |name: &str| feature.text(name).map(|text| text.chars().take(80).collect::<String>());
        let zone = short("FLD_ZONE")?.to_uppercase();
        let subtype = short("ZONE_SUBTY");
        let sfha = match feature.text("SFHA_TF").as_deref() {
            Some("T" | "t" | "TRUE" | "True") => Some(true),
            Some("F" | "f" | "FALSE" | "False") => Some(false),
            _ => None,
        };
        let unit = feature.text("LEN_UNIT");
        let in_feet = |name: &str| height(feature, name).and_then(|value| feet(value, unit.as_deref()));
        Some(Self {
            class: class(&zone, subtype.as_deref(), sfha),
            static_bfe_ft: in_feet("STATIC_BFE"),
            datum: short("V_DATUM"),
            depth_ft: in_feet("DEPTH").filter(|depth| *depth >= 0.0),
            velocity: height(feature, "VELOCITY").filter(|velocity| *velocity >= 0.0),
            dfirm_id: short("DFIRM_ID"),
            rings: feature.paths.clone(),
            zone,
            subtype,
            sfha,
        })
    }

    /// Whether it is a zone of coastal waves.
    pub fn is_coastal(&self) -> bool {
        self.zone == "V"
            || self.zone.starts_with("VE")
            || self.zone.starts_with('V') && self.sfha == Some(true)
    }
}

/// Decided by what the row says of the hazard; the letter only helps where that is silent, as mirrors spell letters freely.
fn class(zone: &str, subtype: Option<&str>, sfha: Option<bool>) -> Class {
    let subtype = subtype.unwrap_or_default().to_uppercase();
    let has = |words: &str| subtype.contains(words);
    if sfha == Some(true) {
        return match () {
            () if has("FLOODWAY") && !has("OUTSIDE") => Class::Floodway,
            () if zone.starts_with('V') => Class::Coastal,
            () => Class::OnePercent,
        };
    }
    match () {
        () if has("LEVEE") => Class::Levee,
        () if has("0.2 PCT")
            || has("0.2%")
            || has("1 PCT DRAINAGE")
            || has("1 PCT DEPTH")
            || has("1 PCT CONTAINED") =>
        {
            Class::PointTwoPercent
        }
        () if has("MINIMAL") => Class::Minimal,
        () if zone == "D" => Class::Undetermined,
        () if zone.contains("OPEN WATER") => Class::OpenWater,
        () if sfha.is_none() && matches!(zone, "A" | "AE" | "AH" | "AO" | "AR" | "A99") => Class::OnePercent,
        () if sfha.is_none() && matches!(zone, "V" | "VE") => Class::Coastal,
        () => Class::Unknown,
    }
}

/// Worst first; of equal classes the highest elevation, then by name.
pub fn sort(zones: &mut [Zone]) {
    zones.sort_by(|a, b| {
        let bfe = |zone: &Zone| zone.static_bfe_ft.unwrap_or(f64::NEG_INFINITY);
        (a.class, bfe(b))
            .partial_cmp(&(b.class, bfe(a)))
            .unwrap_or(std::cmp::Ordering::Equal)
            .then_with(|| a.zone.cmp(&b.zone))
    });
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn zone(attributes: &serde_json::Value) -> Option<Zone> {
        Zone::read(&Feature { attributes: attributes.as_object().unwrap().clone(), paths: Vec::new() })
    }

    #[test]
    fn the_class_follows_the_hazard_and_not_the_letter() {
        for (letter, subtype, sfha, class) in [
            ("AE", json!("FLOODWAY"), "T", Class::Floodway),
            ("AE", json!(null), "T", Class::OnePercent),
            ("VE", json!(" "), "T", Class::Coastal),
            ("X2", json!("0.2 PCT ANNUAL CHANCE FLOOD HAZARD"), "F", Class::PointTwoPercent),
            ("X", json!("AREA OF MINIMAL FLOOD HAZARD"), "F", Class::Minimal),
            ("X", json!("AREA WITH REDUCED FLOOD RISK DUE TO LEVEE"), "F", Class::Levee),
            ("D", json!(""), "F", Class::Undetermined),
            ("OPEN WATER", json!(null), "F", Class::OpenWater),
            ("AREA NOT INCLUDED", json!(null), "F", Class::Unknown),
            ("X", json!(null), "F", Class::Unknown),
        ] {
            let own = zone(&json!({"FLD_ZONE": letter, "ZONE_SUBTY": subtype, "SFHA_TF": sfha})).unwrap();
            assert_eq!(own.class, class, "{letter} {subtype}");
        }
    }

    #[test]
    fn null_numbers_are_none_and_metres_become_feet() {
        let own =
            zone(&json!({"FLD_ZONE": "AE", "STATIC_BFE": -9999, "DEPTH": "-8888", "SFHA_TF": "U"})).unwrap();
        assert_eq!((own.static_bfe_ft, own.depth_ft, own.sfha), (None, None, None));
        let own = zone(&json!({"FLD_ZONE": "ae", "STATIC_BFE": 3.048, "LEN_UNIT": "Meters"})).unwrap();
        assert_eq!((own.static_bfe_ft, own.zone.as_str()), (Some(10.0), "AE"));
        let own = zone(&json!({"FLD_ZONE": "AE", "STATIC_BFE": 3, "LEN_UNIT": "cubits"})).unwrap();
        assert_eq!(own.static_bfe_ft, None);
        assert_eq!(zone(&json!({"STATIC_BFE": 3})), None);
    }

    #[test]
    fn the_worst_comes_first() {
        let make = |letter: &str, subtype: &str, sfha: &str, bfe: f64| {
            zone(&json!({"FLD_ZONE": letter, "ZONE_SUBTY": subtype, "SFHA_TF": sfha, "STATIC_BFE": bfe}))
                .unwrap()
        };
        let mut all = vec![
            make("X", "AREA OF MINIMAL FLOOD HAZARD", "F", -9999.0),
            make("AE", "", "T", 9.0),
            make("AE", "", "T", 11.0),
            make("AE", "FLOODWAY", "T", -9999.0),
        ];
        sort(&mut all);
        let shown: Vec<(Class, Option<f64>)> =
            all.iter().map(|zone| (zone.class, zone.static_bfe_ft)).collect();
        assert_eq!(
            shown,
            [
                (Class::Floodway, None),
                (Class::OnePercent, Some(11.0)),
                (Class::OnePercent, Some(9.0)),
                (Class::Minimal, None)
            ]
        );
    }
}

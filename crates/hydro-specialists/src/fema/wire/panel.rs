//! FIRM panels and letters of map revision.

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::Offset;

use crate::arcgis::Feature;

/// A panel of the map.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Panel {
    /// Its number, such as `53033C0977G`.
    pub panel: String,
    /// Since when it is in effect.
    pub effective: Option<Date>,
    /// Such as `Countywide, Panel Printed`.
    pub kind: Option<String>,
    /// The study.
    pub dfirm_id: Option<String>,
}

/// A letter of map revision.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lomr {
    /// Its case number.
    pub case: String,
    /// Since when it is in effect.
    pub effective: Option<Date>,
    /// Its status.
    pub status: Option<String>,
}

/// A date in milliseconds since 1970, UTC; also one that is written as text. The null number is none.
fn date(feature: &Feature, name: &str) -> Option<Date> {
    if let Some(text) = feature.text(name)
        && let Ok(date) = text.get(..10).unwrap_or_default().parse::<Date>()
    {
        return Some(date);
    }
    let milliseconds = feature
        .number(name)
        .filter(|number| *number > -4e12 && *number < 1e13 && (*number + 9999.0).abs() > 0.5)?;
    #[expect(clippy::cast_possible_truncation, reason = "the range is checked")]
    let at = Timestamp::from_millisecond(milliseconds.round() as i64).ok()?;
    Some(Offset::UTC.to_datetime(at).date())
}

impl Panel {
    /// Reads a row; `None` without a number.
    pub fn read(feature: &Feature) -> Option<Self> {
        let short = |name: &str| feature.text(name).map(|text| text.chars().take(80).collect::<String>());
        Some(Self {
            panel: short("FIRM_PAN")?,
            effective: date(feature, "EFF_DATE"),
            kind: short("PANEL_TYP"),
            dfirm_id: short("DFIRM_ID"),
        })
    }
}

impl Lomr {
    /// Reads a row; `None` without a case.
    pub fn read(feature: &Feature) -> Option<Self> {
        let short = |name: &str| feature.text(name).map(|text| text.chars().take(80).collect::<String>());
        Some(Self { case: short("CASE_NO")?, effective: date(feature, "EFF_DATE"), status: short("STATUS") })
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn dates_are_milliseconds_or_texts() {
        for (value, expected) in [
            (json!(1_597_795_200_000_i64), Some("2020-08-19")),
            (json!("2020-08-19T00:00:00Z"), Some("2020-08-19")),
            (json!(-315_619_200_000_i64), Some("1960-01-01")),
            (json!(-9999), None),
            (json!(null), None),
            (json!(1e300), None),
        ] {
            let attributes = json!({"FIRM_PAN": "1", "EFF_DATE": value});
            let panel = Panel::read(&Feature {
                attributes: attributes.as_object().unwrap().clone(),
                paths: Vec::new(),
            })
            .unwrap();
            assert_eq!(panel.effective.map(|date| date.to_string()).as_deref(), expected, "{value}");
        }
    }
}

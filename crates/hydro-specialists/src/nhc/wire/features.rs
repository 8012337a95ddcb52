//! Rows of the tropical map service: forecast points, watches and warnings.

use jiff::ToSpan as _;
use jiff::civil::DateTime;

use super::advisory::utc_of;
use crate::arcgis::{Feature, Page};
use crate::question::storms::StormId;

/// A position of an official forecast.
#[derive(Debug, Clone, PartialEq)]
pub struct ForecastPoint {
    /// Hours from the advisory, or from the cycle of a file.
    pub tau: Option<i32>,
    /// When it holds, UTC.
    pub valid: Option<DateTime>,
    /// Degrees north and east; `None` for a storm that has dissipated.
    pub position: Option<(f64, f64)>,
    /// Wind in knots.
    pub wind: Option<f64>,
    /// Gusts in knots.
    pub gust: Option<f64>,
    /// Pressure in hPa.
    pub pressure: Option<f64>,
    /// Stage, such as `HU`.
    pub kind: String,
}

/// A stretch of coast with a watch or a warning.
#[derive(Debug, Clone, PartialEq)]
pub struct Alert {
    /// Such as `HWR`.
    pub code: String,
    /// Such as `Hurricane Warning`.
    pub label: String,
    /// Longitude and latitude along the coast.
    pub paths: Vec<Vec<[f64; 2]>>,
    /// The advisory.
    pub advisory: Option<String>,
}

/// What a slot of the map service holds of a storm.
#[derive(Debug, Clone, PartialEq)]
pub struct Slot<T> {
    /// Its rows.
    pub rows: Vec<T>,
    /// Name of the storm.
    pub name: Option<String>,
    /// Number of the advisory.
    pub advisory: Option<String>,
    /// When it was issued, UTC.
    pub issued: Option<DateTime>,
    /// Rows that are of other storms.
    pub others: usize,
    /// Rows that could not be read.
    pub skipped: usize,
}

impl<T> Slot<T> {
    /// Nothing of a page yet.
    pub(crate) fn new(page: &Page) -> Self {
        Self { rows: Vec::new(), name: None, advisory: None, issued: None, others: 0, skipped: page.skipped }
    }

    fn note(&mut self, feature: &Feature) {
        self.name = self.name.take().or_else(|| feature.text("stormname"));
        self.advisory = self.advisory.take().or_else(|| feature.text("advisnum"));
        self.issued = self.issued.or_else(|| feature.text("advdate").and_then(|text| utc_of(&text)));
    }
}

/// Whether a row is of a storm: a slot may still hold another one. In a basin and a season a name is given once, so that it
/// stands for the storm where the number differs.
fn is_of(feature: &Feature, id: &StormId, name: Option<&str>) -> bool {
    let basin = feature.text("basin").is_none_or(|basin| basin.eq_ignore_ascii_case(&id.basin));
    let same = feature.text("stormname").zip(name).is_some_and(|(own, name)| own.eq_ignore_ascii_case(name));
    let number = feature.number("stormnum").is_none_or(|number| (number - f64::from(id.number)).abs() < 0.5);
    let season = feature.text("advdate").and_then(|text| utc_of(&text));
    basin && (number || same) && season.is_none_or(|at| (at.year() - id.season).abs() <= 1)
}

/// The forecast points of a storm, in order of time.
pub fn forecast_points(page: &Page, id: &StormId, name: Option<&str>) -> Slot<ForecastPoint> {
    let mut slot = Slot::new(page);
    for feature in &page.features {
        if !is_of(feature, id, name) {
            slot.others += 1;
            continue;
        }
        slot.note(feature);
        #[expect(clippy::cast_possible_truncation, reason = "the range is checked")]
        let tau =
            feature.number("tau").filter(|tau| (0.0..=400.0).contains(tau)).map(|tau| tau.round() as i32);
        let shape = feature.paths.first().and_then(|path| path.first()).map(|[lon, lat]| (*lat, *lon));
        let position = feature.number("lat").zip(feature.number("lon")).or(shape);
        let position = position.filter(|(lat, lon)| lat.abs() <= 90.0 && lon.abs() <= 180.0);
        let (Some(tau), Some(position)) = (tau, position) else {
            slot.skipped += 1;
            continue;
        };
        // 9999 stands for none.
        let number = |name: &str| feature.number(name).filter(|number| (0.1..2_000.0).contains(number));
        slot.rows.push(ForecastPoint {
            tau: Some(tau),
            valid: slot.issued.and_then(|issued| issued.checked_add(i64::from(tau).hours()).ok()),
            position: Some(position),
            wind: number("maxwind"),
            gust: number("gust"),
            pressure: number("mslp"),
            kind: feature.text("stormtype").or_else(|| feature.text("tcdvlp")).unwrap_or_default(),
        });
    }
    slot.rows.sort_by_key(|row| row.tau);
    slot
}

/// What codes of watches and warnings stand for.
const CODES: [(&str, &str); 6] = [
    ("HWR", "Hurricane Warning"),
    ("HWA", "Hurricane Watch"),
    ("TWR", "Tropical Storm Warning"),
    ("TWA", "Tropical Storm Watch"),
    ("SSR", "Storm Surge Warning"),
    ("SSA", "Storm Surge Watch"),
];

/// The watches and warnings of a storm.
pub fn alerts(page: &Page, id: &StormId, name: Option<&str>) -> Slot<Alert> {
    let mut slot = Slot::new(page);
    for feature in &page.features {
        if !is_of(feature, id, name) {
            slot.others += 1;
            continue;
        }
        slot.note(feature);
        let Some(code) = feature.text("tcww") else {
            slot.skipped += 1;
            continue;
        };
        let code = code.to_ascii_uppercase();
        let known = CODES.iter().find(|(own, _)| *own == code).map(|(_, label)| (*label).to_owned());
        let label = feature.text("tcww_lbl").or(known).unwrap_or_else(|| code.clone());
        slot.rows.push(Alert {
            code,
            label: label.chars().take(60).collect(),
            paths: feature.paths.clone(),
            advisory: feature.text("advisnum"),
        });
    }
    slot
}

//! [`Levels`]: joins the parts of an answer into a series with its evidence.

use std::collections::BTreeMap;

use jiff::civil::DateTime;
use leg_core::{Artifact, Coord, EvidenceDraft, Kind, ToolOutput, Variable};
use serde_json::{Value, json};

use super::client::LevelQuery;
use super::wire::{Metadata, Quality, Row, WaterLevel};
use super::{Interval, TimeZone};
use crate::Window;

/// The evidence that a series of levels may give.
pub(crate) const EVIDENCE: [&str; 10] =
    ["first", "last", "mean", "min", "max", "std", "n", "n_missing", "n_preliminary", "no_data"];

/// The parts of an answer, joined.
#[derive(Debug)]
pub(crate) struct Levels {
    query: LevelQuery,
    metadata: Metadata,
    rows: Vec<Row>,
    gaps: Vec<(Window, String)>,
    /// Rows that could not be read.
    bad: usize,
    /// Whether rows outside the window came.
    outside: bool,
}

impl Levels {
    /// Nothing yet.
    pub(crate) fn new(query: LevelQuery) -> Self {
        Self {
            query,
            metadata: Metadata::default(),
            rows: Vec::new(),
            gaps: Vec::new(),
            bad: 0,
            outside: false,
        }
    }

    /// Adds the next part. A row that the part before has too is dropped.
    pub(crate) fn add(&mut self, part: WaterLevel) {
        if self.metadata == Metadata::default() {
            self.metadata = part.metadata;
        }
        let last = self.rows.last().cloned();
        let (rows, bad) = crate::lenient::rows::<Row>(part.data);
        self.bad += bad;
        let all = rows.len();
        let window = self.query.window;
        let within = rows.into_iter().filter(|row| (window.begin..=window.end).contains(&row.t));
        let before = self.rows.len();
        self.rows.extend(within.filter(|row| last.as_ref() != Some(row)));
        // A service may send more than it was asked for; what is outside the window is not in the answer.
        let kept = self.rows.len() - before;
        self.outside |= kept + 1 < all;
    }

    /// Notes a part without data.
    pub(crate) fn add_gap(&mut self, window: Window, message: String) {
        self.gaps.push((window, message));
    }

    /// The series, its evidence and what a reader must know.
    pub(crate) fn into_output(mut self) -> ToolOutput {
        let had_rows = !self.rows.is_empty();
        self.fill();
        let valid: Vec<(usize, f64)> =
            self.rows.iter().enumerate().filter_map(|(at, row)| Some((at, row.v?))).collect();
        let mut evidence = self.statistics(&valid);
        evidence.push(self.draft("n", valid.len(), "1", "number of values"));
        let missing = self.rows.len() - valid.len();
        evidence.push(self.draft("n_missing", missing, "1", "number of times in the window without a value"));
        let marked = self.rows.iter().any(|row| row.q.is_some());
        let preliminary =
            self.rows.iter().filter(|row| row.q == Some(Quality::Preliminary) && row.v.is_some());
        let preliminary = preliminary.count();
        if marked {
            let method = "number of values that the service has not verified";
            evidence.push(self.draft("n_preliminary", preliminary, "1", method));
        }
        if valid.is_empty() {
            let message = self.gaps.first().map_or("Every value is empty.", |(_, message)| message.as_str());
            let draft = self.draft("no_data", message, "", "answer of the service");
            evidence.push(draft.when(self.interval_text(self.query.window)));
        }
        let notes = self.notes(&valid, preliminary, had_rows);
        ToolOutput::of(self.artifact()).with_evidence(evidence).with_notes(notes)
    }

    /// Orders the rows and adds one for each regular time that has none, so that a gap is seen as one. Local time
    /// with daylight saving has hours twice and hours never: it stays as it came.
    fn fill(&mut self) {
        if self.query.time_zone == TimeZone::LstLdt {
            return;
        }
        let grid = self.query.interval.step().map(|step| self.query.window.grid(step)).unwrap_or_default();
        let mut by_time: BTreeMap<DateTime, Row> =
            grid.into_iter().map(|t| (t, Row { t, v: None, s: None, q: None, ty: String::new() })).collect();
        let keep_both = self.query.interval == Interval::HighLow;
        let mut twins = Vec::new();
        for row in std::mem::take(&mut self.rows) {
            let slot = by_time.entry(row.t);
            match slot {
                std::collections::btree_map::Entry::Occupied(mut taken) if taken.get().v.is_none() => {
                    taken.insert(row);
                }
                std::collections::btree_map::Entry::Occupied(taken) => {
                    if keep_both && *taken.get() != row {
                        twins.push(row);
                    }
                }
                std::collections::btree_map::Entry::Vacant(free) => {
                    free.insert(row);
                }
            }
        }
        self.rows = by_time.into_values().chain(twins).collect();
        self.rows.sort_by_key(|row| row.t);
    }

    /// First, last, mean, least, largest and standard deviation. Of equal extremes the first counts.
    fn statistics(&self, valid: &[(usize, f64)]) -> Vec<EvidenceDraft> {
        let (Some(first), Some(last)) = (valid.first(), valid.last()) else {
            return Vec::new();
        };
        let n = valid.len();
        let max = valid.iter().fold(first, |best, next| if next.1 > best.1 { next } else { best });
        let min = valid.iter().fold(first, |best, next| if next.1 < best.1 { next } else { best });
        let mean = valid.iter().map(|(_, value)| value).sum::<f64>() / n as f64;
        let squares: f64 = valid.iter().map(|(_, value)| (value - mean) * (value - mean)).sum();
        let what = match self.query.interval {
            Interval::SixMinutes => "6-minute value",
            Interval::Hour => "hourly value",
            Interval::HighLow => "high or low water",
        };
        let unit = self.query.units.length();
        let at = |name: &str, (index, value): &(usize, f64), method: String| {
            let draft = self.draft(name, *value, unit, &method).pointer(format!("/values/{index}"));
            let when = self.rows.get(*index).map(|row| self.time_text(row.t));
            self.on_datum(when.into_iter().fold(draft, EvidenceDraft::when))
        };
        let over = |name: &str, value: f64, method: String| {
            let draft = self.draft(name, value, unit, &method).n(n);
            draft.when(self.interval_text(self.query.window))
        };
        let mut drafts = vec![
            at("first", first, format!("first {what}")),
            at("last", last, format!("last {what}")),
            self.on_datum(over("mean", mean, format!("mean of each {what}"))),
            at("min", min, format!("lowest {what}")),
            at("max", max, format!("highest {what}")),
        ];
        if n > 1 {
            let deviation = (squares / (n - 1) as f64).sqrt();
            drafts.push(over("std", deviation, format!("sample standard deviation of each {what}")));
        }
        drafts
    }

    fn draft(&self, name: &str, value: impl Into<Value>, unit: &str, method: &str) -> EvidenceDraft {
        EvidenceDraft::new(name, value, unit, method).place(self.place())
    }

    fn on_datum(&self, draft: EvidenceDraft) -> EvidenceDraft {
        draft.datum(self.query.datum.as_str())
    }

    fn place(&self) -> Value {
        let mut place = json!({ "station": self.query.station });
        if !self.metadata.name.is_empty() {
            place["name"] = json!(self.metadata.name);
        }
        if let (Some(lon), Some(lat)) = (self.metadata.lon, self.metadata.lat) {
            place["lon"] = json!(lon);
            place["lat"] = json!(lat);
        }
        place
    }

    /// UTC carries its `Z`; a local time carries nothing.
    fn time_text(&self, time: DateTime) -> String {
        match self.query.time_zone {
            TimeZone::Gmt => format!("{time}Z"),
            TimeZone::Lst | TimeZone::LstLdt => time.to_string(),
        }
    }

    fn interval_text(&self, window: Window) -> String {
        format!("{}/{}", self.time_text(window.begin), self.time_text(window.end))
    }

    fn notes(&self, valid: &[(usize, f64)], preliminary: usize, had_rows: bool) -> Vec<String> {
        let station = &self.query.station;
        let mut notes = Vec::new();
        if self.query.time_zone != TimeZone::Gmt {
            notes.push(format!("window and times of station `{station}` are the station's local time"));
        }
        for (window, message) in &self.gaps {
            notes.push(format!("station `{station}`, {}: {message}", self.interval_text(*window)));
        }
        if self.bad > 0 {
            notes
                .push(format!("{} rows of station `{station}` could not be read and are left out", self.bad));
        }
        if self.outside {
            notes.push(format!("rows of station `{station}` outside the window were dropped"));
        }
        let last = valid.last().and_then(|(at, _)| self.rows.get(*at));
        let newest = self.rows.last();
        if let (Some(last), Some(newest), true) = (last, newest, had_rows)
            && last.t < newest.t
        {
            notes.push(format!(
                "the last value of station `{station}` is from {}, and the window ends at {}: a later extreme is \
                 not in the record",
                self.time_text(last.t),
                self.time_text(self.query.window.end)
            ));
        }
        if preliminary > 0 {
            notes.push(format!(
                "{preliminary} of {} values of station `{station}` are preliminary",
                valid.len()
            ));
        }
        notes
    }

    fn artifact(&self) -> Artifact {
        let unit = self.query.units.length();
        let variable = |name: &str, standard_name: Option<&str>, units: &str, values: Vec<f64>| Variable {
            name: name.to_owned(),
            standard_name: standard_name.map(str::to_owned),
            units: units.to_owned(),
            dims: vec!["time".to_owned()],
            shape: vec![values.len()],
            values,
        };
        let column = |value: fn(&Row) -> Option<f64>| -> Vec<f64> {
            self.rows.iter().map(|row| value(row).unwrap_or(f64::NAN)).collect()
        };
        let level = variable(
            "water_level",
            Some("water_surface_height_above_reference_datum"),
            unit,
            column(|row| row.v),
        );
        let times = self.rows.iter().map(|row| self.time_text(row.t));
        let mut artifact = Artifact::array(Kind::Series, "water_level", level)
            .with_coord("time", Coord::texts(times))
            .with_attribute("datum", self.query.datum.as_str())
            .with_attribute("product", self.query.interval.product())
            .with_attribute("station", self.query.station.as_str())
            .with_attribute("time_zone", self.query.time_zone.as_str());
        if !self.metadata.name.is_empty() {
            artifact = artifact.with_attribute("station_name", self.metadata.name.as_str());
        }
        if let (Some(lon), Some(lat)) = (self.metadata.lon, self.metadata.lat) {
            artifact = artifact
                .with_coord("lon", Coord::numbers(&[lon], "degrees_east", "longitude"))
                .with_coord("lat", Coord::numbers(&[lat], "degrees_north", "latitude"));
        }
        if self.rows.iter().any(|row| row.s.is_some()) {
            artifact = artifact.with_variable(variable("sigma", None, unit, column(|row| row.s)));
        }
        if self.rows.iter().any(|row| row.q.is_some()) {
            let verified =
                column(|row| row.q.map(|quality| f64::from(u8::from(quality == Quality::Verified))));
            artifact = artifact.with_variable(variable("verified", None, "1", verified));
        }
        if self.query.interval == Interval::HighLow {
            let kinds = Coord::texts(self.rows.iter().map(|row| row.ty.trim()));
            artifact = artifact.with_coord("tide", kinds);
        }
        artifact
    }
}

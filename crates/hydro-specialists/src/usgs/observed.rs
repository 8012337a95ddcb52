//! [`Observed`]: values of a gauge, from the Water Data OGC API or from the older service.

use jiff::Timestamp;
use jiff::civil::{Date, DateTime};
use jiff::tz::Offset;
use leg_core::{Source, ToolContext};
use serde_json::Value;

use super::client::Client;
use super::site_id::SiteId;
use super::wire::{Features, WaterMl};
use crate::gauge::{Column, Series, place};
use crate::{ServiceError, Window};

/// What is asked of a gauge.
#[derive(Debug, Clone)]
pub(crate) struct Wanted<'a> {
    pub(crate) site: &'a SiteId,
    pub(crate) parameter: &'a str,
    /// Of daily values.
    pub(crate) statistic: Option<&'a str>,
    pub(crate) window: Window,
}

/// Values of a gauge.
#[derive(Debug, Default)]
pub(crate) struct Observed {
    pub(crate) rows: Vec<(DateTime, Option<f64>, String)>,
    pub(crate) unit: String,
    pub(crate) name: String,
    pub(crate) lat: Option<f64>,
    pub(crate) lon: Option<f64>,
    pub(crate) notes: Vec<String>,
    pub(crate) sources: Vec<Source>,
}

impl Wanted<'_> {
    /// Asks the newer service, and the older one when it fails or has nothing.
    pub(crate) async fn ask(&self, client: &Client, context: &ToolContext) -> Result<Observed, ServiceError> {
        let newer = self.newer(client, context).await;
        if let Ok(found) = &newer
            && !found.rows.is_empty()
        {
            return newer;
        }
        match (self.older(client, context).await, newer) {
            (Ok(mut found), newer) if !found.rows.is_empty() => {
                found.notes.push(match newer {
                    Ok(_) => "the Water Data API has nothing; these are values of the older NWIS service"
                        .to_owned(),
                    Err(error) => format!(
                        "these are values of the older NWIS service, as the Water Data API fails: {error}"
                    ),
                });
                Ok(found)
            }
            // One of them knows that there is nothing.
            (Ok(found), Err(_)) => Ok(found),
            (_, newer) => newer,
        }
    }

    async fn newer(&self, client: &Client, context: &ToolContext) -> Result<Observed, ServiceError> {
        let Window { begin, end } = self.window;
        let time = match self.statistic {
            Some(_) => format!("{}/{}", begin.date(), end.date()),
            None => format!("{begin}Z/{end}Z"),
        };
        let mut parameters = vec![
            ("monitoring_location_id", self.site.to_string()),
            ("parameter_code", self.parameter.to_owned()),
            ("time", time),
        ];
        parameters.extend(self.statistic.map(|statistic| ("statistic_id", statistic.to_owned())));
        let collection = if self.statistic.is_some() { "daily" } else { "continuous" };
        let (features, sources) = client.features(collection, &parameters, context).await?;
        Ok(Observed { sources, ..self.of(&features) })
    }

    fn of(&self, features: &Features) -> Observed {
        let (read, mut bad) = features.measured();
        let mut found = Observed::default();
        let site = self.site.to_string();
        for (own, lat, lon) in read {
            let other_statistic =
                self.statistic.is_some_and(|wanted| !own.statistic.is_empty() && own.statistic != wanted);
            let other = own.site != site || (!own.parameter.is_empty() && own.parameter != self.parameter);
            if other || other_statistic {
                continue;
            }
            let Some(at) = instant(&own.time) else {
                bad += 1;
                continue;
            };
            if self.holds(at) {
                found.unit = unit(&own.unit);
                (found.lat, found.lon) = (lat, lon);
                found.rows.push((at, own.value, own.approval));
            }
        }
        found.finish(bad);
        if !features.is_complete {
            found.notes.push("the service has more pages than are read; ask for a shorter window".to_owned());
        }
        found
    }

    async fn older(&self, client: &Client, context: &ToolContext) -> Result<Observed, ServiceError> {
        let Window { begin, end } = self.window;
        let mut parameters = vec![("parameterCd", self.parameter.to_owned())];
        let (service, bounds) = match self.statistic {
            Some(statistic) => {
                parameters.push(("statCd", statistic.to_owned()));
                ("dv", [begin.date().to_string(), end.date().to_string()])
            }
            None => ("iv", [format!("{begin}Z"), format!("{end}Z")]),
        };
        let [first, last] = bounds;
        parameters.extend([("startDT", first), ("endDT", last)]);
        let (answer, source) = client.legacy(service, self.site, &parameters, context).await?;
        let found = Observed::of_legacy(&answer, |at| self.holds(at));
        Ok(Observed { sources: vec![source], ..found })
    }

    /// Whether a time lies in the window; of daily values the day counts.
    fn holds(&self, at: DateTime) -> bool {
        let Window { begin, end } = self.window;
        match self.statistic {
            Some(_) => (begin.date()..=end.date()).contains(&at.date()),
            None => (begin..=end).contains(&at),
        }
    }
}

impl Observed {
    /// The values of an older service that are within what was asked.
    pub(crate) fn of_legacy(answer: &WaterMl, holds: impl Fn(DateTime) -> bool) -> Self {
        let mut found = Self::default();
        if let Some(series) = answer.series() {
            found.unit = unit(&series.unit);
            found.name = series.site_name;
            (found.lat, found.lon) = (series.lat, series.lon);
            let mut bad = series.bad;
            for row in series.rows {
                match instant(&row.time) {
                    Some(at) if holds(at) => found.rows.push((at, row.value, row.qualifier)),
                    Some(_) => {}
                    None => bad += 1,
                }
            }
            found.finish(bad);
        }
        found
    }

    fn finish(&mut self, bad: usize) {
        self.rows.sort_by_key(|(at, ..)| *at);
        self.rows.dedup_by_key(|(at, ..)| *at);
        if bad > 0 {
            self.notes.push(format!("{bad} values could not be read and are left out"));
        }
    }

    /// Where the gauge is.
    pub(crate) fn place(&self, site: &SiteId) -> Value {
        place(site.digits(), &self.name, self.lat, self.lon)
    }

    /// The values as a series.
    pub(crate) fn series(&self, wanted: &Wanted<'_>) -> Series {
        self.series_of(wanted.site, wanted.parameter, wanted.statistic)
    }

    /// The values of a parameter as a series; with a statistic they are of days.
    pub(crate) fn series_of(&self, site: &SiteId, parameter: &str, statistic: Option<&str>) -> Series {
        let (name, standard_name, datum) = quantity(parameter);
        let mut column =
            Column::new(name, &self.unit, self.rows.iter().map(|(_, value, _)| *value).collect());
        column.standard_name = standard_name;
        let time = |at: &DateTime| match statistic {
            Some(_) => at.date().to_string(),
            None => format!("{at}Z"),
        };
        Series {
            times: self.rows.iter().map(|(at, ..)| time(at)).collect(),
            columns: vec![column],
            datum: datum.map(str::to_owned),
            place: self.place(site),
        }
    }
}

/// What a parameter code is: a name, a standard name and a datum. A gage height is above the gauge's own zero, which is no datum
/// that levels are compared on.
pub(crate) fn quantity(parameter: &str) -> (&'static str, Option<&'static str>, Option<&'static str>) {
    match parameter {
        "00060" => ("discharge", Some("water_volume_transport_in_river_channel"), None),
        "00065" => ("gage_height", None, None),
        "62620" => ("estuary_elevation", Some("water_surface_height_above_reference_datum"), Some("NAVD88")),
        "62614" => ("lake_elevation", None, None),
        "00045" => ("precipitation", None, None),
        _ => ("value", None, None),
    }
}

/// The CF unit of a unit of the services.
pub(crate) fn unit(text: &str) -> String {
    match text.trim() {
        "ft3/s" | "ft^3/s" | "cfs" => "ft3 s-1".to_owned(),
        "in" => "inch".to_owned(),
        other => other.to_owned(),
    }
}

/// A time with an offset in UTC; a day is its first minute.
pub(crate) fn instant(text: &str) -> Option<DateTime> {
    let text = text.trim();
    if let Ok(at) = text.parse::<Timestamp>() {
        return Some(Offset::UTC.to_datetime(at));
    }
    if text.len() == 10 {
        return text.parse::<Date>().ok().map(|day| day.at(0, 0, 0, 0));
    }
    text.parse::<DateTime>().ok()
}

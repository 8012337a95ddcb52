//! Which gauges a task means, and when: by its words, else by the evidence of earlier layers.

use serde_json::json;

use super::answers::Work;
use super::sentences;
use crate::findings::find;
use crate::question::coordinates::points;
use crate::question::places::places;
use crate::question::storms::storms;
use crate::question::{Point, stations};
use crate::{StationId, Window};

/// How far from a landfall gauges tell of it, and how many of them are asked.
const NEAR_LANDFALL_KM: f64 = 150.0;
const MOST_GAUGES: usize = 3;

impl Work<'_> {
    /// The window that is asked for, or that of the storm.
    pub(super) fn window(&mut self) -> Option<Window> {
        let is_storm = self.texts.iter().any(|text| !storms(text).is_empty());
        let window = self.wanted.span.and_then(|(begin, end)| Window::new(begin, end).ok());
        // A year beside a storm says which storm is meant.
        let only_year = window.is_some_and(|window| window.days() >= 365);
        let own = window.filter(|_| !(is_storm && only_year)).or(self.storm.window);
        if own.is_none() {
            self.findings.gap(if is_storm {
                "no date is named and no track tells when the storm came; give the first and the last day, such as \
                 `2022-09-28`"
            } else {
                "no date is named; give the first and the last day, such as `2022-09-28`"
            });
        }
        own
    }

    /// The tide gauges that are meant: by id, by place, by point, by the evidence before, by landfall.
    pub(super) async fn gauges(&mut self) -> Vec<StationId> {
        let is_gauge = |station: &StationId| station.as_str().bytes().all(|byte| byte.is_ascii_digit());
        for text in self.texts {
            let mut named: Vec<StationId> = stations(text).into_iter().filter(is_gauge).collect();
            let mut points = points(text);
            for place in places(text) {
                match place.gauge.as_deref().and_then(|gauge| gauge.parse().ok()) {
                    Some(gauge) if named.is_empty() || !stations(text).iter().any(is_gauge) => {
                        if !named.contains(&gauge) {
                            named.push(gauge);
                        }
                    }
                    Some(_) => {}
                    None => points.push(place.point()),
                }
            }
            if named.is_empty() {
                for point in points {
                    named.extend(self.near(point, 50.0, 1).await);
                }
            }
            if !named.is_empty() {
                return named;
            }
        }
        let mut named: Vec<StationId> = Vec::new();
        for one in self.evidence {
            let station = one.place.as_ref().and_then(|place| place.get("station")?.as_str()?.parse().ok());
            if let Some(station) = station.filter(|station| is_gauge(station) && !named.contains(station)) {
                named.push(station);
            }
        }
        if named.is_empty() {
            for point in self.storm.places.clone() {
                for station in self.near(point, NEAR_LANDFALL_KM, MOST_GAUGES).await {
                    if !named.contains(&station) {
                        named.push(station);
                    }
                }
            }
        }
        if named.is_empty() {
            self.findings.gap(
                "no tide gauge is named; give the CO-OPS station id, seven digits such as `8518750`, or a town on the coast",
            );
            // Without dates this is the second gap, and both are worth knowing.
            let dated = self.wanted.span.is_some() || self.storm.window.is_some();
            if !dated {
                self.window();
            }
        }
        named
    }

    /// The current meters that are named.
    pub(super) fn meters(&mut self) -> Vec<StationId> {
        let is_meter = |station: &StationId| station.as_str().starts_with(|c: char| c.is_ascii_alphabetic());
        let named = self.texts.iter().map(|text| {
            let mut named: Vec<StationId> = stations(text).into_iter().filter(is_meter).collect();
            if named.is_empty() {
                named.extend(places(text).into_iter().filter_map(|place| place.meter?.parse().ok()));
            }
            named
        });
        let named = named.into_iter().find(|named| !named.is_empty()).unwrap_or_default();
        if named.is_empty() {
            self.findings.gap("no current meter is named; give its id, letters and digits such as `cb1401`");
        }
        named
    }

    /// Gauges near a point.
    pub(super) async fn near(&mut self, point: Point, radius_km: f64, limit: usize) -> Vec<StationId> {
        let arguments = json!({"lat": point.lat, "lon": point.lon, "radius_km": radius_km, "limit": limit});
        match self.desk.call("coops_find_nearest", arguments).await {
            Ok(result) => {
                sentences::nearest(&mut self.findings, &result.evidence);
                let nearest =
                    find(&result.evidence, "nearest").and_then(|one| one.value.as_str()?.parse().ok());
                if nearest.is_none() {
                    self.findings.gap(format!(
                        "no tide gauge lies within {radius_km} km of {} degrees north, {} degrees east",
                        point.lat, point.lon
                    ));
                }
                nearest.into_iter().collect()
            }
            Err(error) => {
                self.findings.failed("the nearest tide gauge", &error);
                Vec::new()
            }
        }
    }
}

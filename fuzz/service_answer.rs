//! Any bytes as the answer of a service: shared by the fuzz target and the tests of `hydro-specialists`.

use std::sync::{Arc, LazyLock};

use async_trait::async_trait;
use hydro_specialists::{Addresses, all_at};
use leg_core::tool::Workbench;
use leg_core::{AllowList, MemoryObjects, Registry};
use leg_fetch::{Fetch, FetchError, Request, Response, Url};
use serde_json::{Value, json};

/// Answers every request with the same bytes, whole or the part that is asked for.
#[derive(Debug)]
struct Always(Vec<u8>);

#[async_trait]
impl Fetch for Always {
    async fn fetch(&self, request: Request) -> Result<Response, FetchError> {
        let range =
            request.headers.get("range").and_then(|range| range.strip_prefix("bytes=")?.split_once('-'));
        let part = range.and_then(|(from, to)| {
            let (from, to): (usize, usize) = (from.parse().ok()?, to.parse().ok()?);
            let to = to.saturating_add(1).min(self.0.len());
            Some(Response::ok(self.0.get(from.min(to)..to)?.to_vec()).with_status(206))
        });
        Ok(part.unwrap_or_else(|| Response::ok(self.0.clone())))
    }
}

/// A call of each reader of answers: tracks of both kinds, advisories, levels, marks, features, water data, station and field
/// files, tiles.
static CALLS: LazyLock<Vec<(&str, Value)>> = LazyLock::new(|| {
    let day = json!({"station_id": "9990001", "begin": "2022-09-28", "end": "2022-09-28"});
    let bbox = json!([-82.0, 26.4, -81.9, 26.5]);
    vec![
        ("nhc_get_best_track", json!({"storm_id": "AL902022", "source": "hurdat2"})),
        ("nhc_get_best_track", json!({"storm_id": "AL902022", "source": "bdeck"})),
        ("nhc_list_active_storms", json!({})),
        ("nhc_get_advisory", json!({"storm_id": "AL902022", "number": "003", "product": "fstadv"})),
        ("coops_get_water_level", day),
        ("coops_get_datums", json!({"station_id": "9990001"})),
        ("usgs_get_high_water_marks", json!({"event_id": 7001})),
        ("usgs_get_continuous", json!({"site": "01646500", "begin": "2022-09-28", "end": "2022-09-28"})),
        ("usgs_get_peaks", json!({"site": "01646500"})),
        ("fema_zone_at_point", json!({"lat": 26.6, "lon": -82.2})),
        ("fema_bfe_lines", json!({"bbox": bbox})),
        ("stofs_list_cycles", json!({"date": "2022-09-28", "days": 1})),
        (
            "stofs_station_forecast",
            json!({"station_id": "9990001", "cycle_date": "2022-09-28", "cycle_hour": "00"}),
        ),
        (
            "stofs_node_series",
            json!({"lat": 26.6, "lon": -82.2, "cycle_date": "2022-09-28", "cycle_hour": "00"}),
        ),
        ("osm_map", json!({"bbox": bbox, "zoom": 10})),
    ]
});

/// The first byte chooses the reader, the rest is what the service answers. A call ends with an answer or an error, and a number
/// in its evidence is finite.
///
/// # Panics
/// When that does not hold.
pub(crate) fn service_answer(data: &[u8]) {
    let Some((first, body)) = data.split_first() else { return };
    let (tool, arguments) = &CALLS[usize::from(*first) % CALLS.len()];
    let address = Url::parse("http://services.invalid").expect("an address");
    let fetch: Arc<dyn Fetch> = Arc::new(Always(body.to_vec()));
    let mut registry = Registry::default();
    for own in all_at(&fetch, &Addresses::below(&address)).tools {
        registry.add_tool(own).expect("distinct names");
    }
    let allowed = AllowList::only(tool.parse().expect("a name"));
    let bench = Workbench::new(Arc::new(registry), allowed, Arc::new(MemoryObjects::default()));
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    if let Ok(output) = runtime.block_on(bench.call(tool, arguments.clone())) {
        for one in output.evidence {
            assert!(one.value.as_f64().is_none_or(f64::is_finite), "{tool}: {} is {}", one.name, one.value);
        }
    }
}

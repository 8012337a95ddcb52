//! Scenes: seas that are computed where they are asked for, opened as `demo:NAME`.
//!
//! A value is a pure function of its place, its day and the seed, so that any part can be computed alone and a scene of
//! any size costs what is asked of it. Land is that of the world; depths, water and currents are invented. What is planted
//! is listed by [`scene_truth`].

mod catalog;
mod events;
mod land;
mod store;
mod water;

use std::sync::Arc;

use serde::Serialize;

use super::events::Event;
use crate::dataset::Store;
use catalog::{SCENES, VERSION};
use events::day_of;
use store::SceneStore;

/// What is known of a scene.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SceneTruth {
    /// Its name, after `demo:`.
    pub name: String,
    /// What it is.
    pub title: String,
    /// The generator's version: it changes whenever any value does.
    pub version: u32,
    /// Western and eastern edge, degrees east.
    pub lon: [f64; 2],
    /// Southern and northern edge.
    pub lat: [f64; 2],
    /// Size of a cell in degrees.
    pub step: f64,
    /// Number of levels.
    pub levels: usize,
    /// Number of days.
    pub days: u64,
    /// What is planted in it.
    pub events: Vec<Event>,
}

/// The names of the scenes.
///
/// ```
/// assert!(ocean_data::demo::scene_names().contains(&"china-seas"));
/// ```
pub fn scene_names() -> Vec<&'static str> {
    SCENES.iter().map(|scene| scene.name).collect()
}

/// What is planted in a scene; `None` when there is none of this name.
///
/// ```
/// let truth = ocean_data::demo::scene_truth("gulf").expect("a scene");
/// assert!(truth.events.iter().any(|event| event.variable == "o2"));
/// ```
pub fn scene_truth(name: &str) -> Option<SceneTruth> {
    let scene = SCENES.iter().find(|scene| scene.name == name)?;
    let [first, last] = scene.days.map(day_of);
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "whole days, rising")]
    let days = (last - first) as u64 + 1;
    Some(SceneTruth {
        name: scene.name.to_owned(),
        title: scene.title.to_owned(),
        version: VERSION,
        lon: scene.lon,
        lat: scene.lat,
        step: scene.step,
        levels: scene.depths.len(),
        days,
        events: scene.planted.iter().map(events::Planted::listed).collect(),
    })
}

/// The store of a scene.
pub(crate) fn open_scene(name: &str) -> Option<Arc<dyn Store>> {
    let scene = SCENES.iter().find(|scene| scene.name == name)?;
    Some(Arc::new(SceneStore::new(*scene)))
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::demo::EventKind;
    use crate::{Dataset, Field, Selection};

    fn field(name: &str, selection: &Value) -> Field {
        let dataset = Dataset::open(&format!("demo:{name}")).unwrap();
        dataset.select(&Selection::from_json(selection).unwrap()).unwrap()
    }

    #[test]
    fn a_part_is_the_same_whatever_is_read_with_it() {
        let region = |west: f64, east: f64| json!({"lon": [west, east], "lat": [20, 22]});
        let ask = |region: Value, time: Value| json!({"variable": "thetao", "region": region, "time": time, "depth": {"at": 20}});
        let small = field("china-seas", &ask(region(115.0, 116.0), json!(["2016-07-01", "2016-07-03"])))
            .read(1 << 24)
            .unwrap();
        let large = field("china-seas", &ask(region(113.0, 116.0), json!(["2016-06-20", "2016-07-10"])))
            .read(1 << 24)
            .unwrap();
        for ((t, z, y, x), value) in small.indexed_iter() {
            assert_eq!(value.to_bits(), large[[t + 11, z, y, x + 8]].to_bits());
        }
    }

    #[test]
    fn the_world_in_one_place_is_the_sea_in_another() {
        let place = json!({"point": [115.125, 15.125]});
        let ask = json!({"variable": "so", "region": place, "time": ["2015-05-05", "2015-05-05"], "depth": {"at": 10}});
        let [own, world] =
            ["china-seas", "global"].map(|name| field(name, &ask).read(1 << 20).unwrap()[[0, 0, 0, 0]]);
        assert_eq!(own.to_bits(), world.to_bits());
    }

    /// The mean around the middle of an event, over its days moved by some years.
    fn around(name: &str, event: &Event, years: i32) -> f64 {
        let middle = |pair: [f64; 2]| f64::midpoint(pair[0], pair[1]);
        let (lon, lat) = (middle(event.lon), middle(event.lat));
        let moved = |day: &String| format!("{:04}{}", day[..4].parse::<i32>().unwrap() + years, &day[4..]);
        let selection = json!({
            "variable": event.variable,
            "region": {"lon": [lon - 0.6, lon + 0.6], "lat": [lat - 0.6, lat + 0.6]},
            "time": event.time.iter().map(moved).collect::<Vec<_>>(),
            "depth": "surface",
        });
        let values = field(name, &selection).read(1 << 28).unwrap();
        let present: Vec<f64> = values.iter().copied().filter(|value| !value.is_nan()).collect();
        present.iter().sum::<f64>() / present.len() as f64
    }

    #[test]
    fn what_is_planted_can_be_found() {
        let mut found = 0;
        for name in scene_names() {
            let truth = scene_truth(name).unwrap();
            let is_short = |event: &&Event| event.time[0][..4] == event.time[1][..4];
            for event in truth.events.iter().filter(is_short) {
                if matches!(event.kind, EventKind::MarineHeatwave | EventKind::Bloom) {
                    let rise = around(name, event, 0) - around(name, event, -1);
                    let share = rise / event.amplitude;
                    assert!((0.5..1.5).contains(&share), "{name} {}: {rise}", event.name);
                    found += 1;
                }
            }
        }
        assert!(found >= 9, "{found}");
    }

    #[test]
    fn events_are_at_sea_inside_their_scene_and_its_days() {
        for name in scene_names() {
            let truth = scene_truth(name).unwrap();
            let scene = SCENES.iter().find(|scene| scene.name == name).unwrap();
            let [first, last] = scene.days.map(day_of);
            for planted in scene.planted {
                let [start, end] = planted.dates.map(day_of);
                assert!(first <= start && start < end && end <= last, "{name} {}", planted.name);
                let [west, east] = planted.lon.map(|lon| (lon - scene.lon[0]).rem_euclid(360.0));
                let width = scene.lon[1] - scene.lon[0];
                assert!(west <= width && east <= width, "{name} {}", planted.name);
            }
            let kinds: Vec<EventKind> = truth.events.iter().map(|event| event.kind).collect();
            for kind in [EventKind::MarineHeatwave, EventKind::Bloom, EventKind::LowOxygen, EventKind::Eddy] {
                assert!(kinds.contains(&kind), "{name} {kind:?}");
            }
        }
    }

    #[test]
    fn an_unknown_scene_lists_the_known_ones() {
        let error = Dataset::open("demo:atlantis").unwrap_err().to_string();
        assert!(error.contains("china-seas") && error.contains("global"), "{error}");
    }
}

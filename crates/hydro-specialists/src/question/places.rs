//! Places and states that a text names.

use std::sync::LazyLock;

use serde::Deserialize;

use super::{Point, says};

/// A place of the table.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Place {
    /// Its name.
    pub name: String,
    /// Other names.
    #[serde(default)]
    pub also: Vec<String>,
    /// Two letters.
    pub state: String,
    /// Degrees north.
    pub lat: f64,
    /// Degrees east.
    pub lon: f64,
    /// The tide gauge that people mean by it.
    #[serde(default)]
    pub gauge: Option<String>,
    /// The current meter that people mean by it.
    #[serde(default)]
    pub meter: Option<String>,
}

/// A coast or a bay: a box to draw or to search.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Coast {
    /// Its name.
    pub name: String,
    /// Other names.
    #[serde(default)]
    pub also: Vec<String>,
    /// West, south, east, north.
    pub bbox: [f64; 4],
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    #[expect(dead_code, reason = "the version is for people and for later readers")]
    version: u32,
    place: Vec<Place>,
    coast: Vec<Coast>,
    state: Vec<State>,
}

/// A state of the United States, or a territory.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct State {
    /// Two letters.
    pub code: String,
    /// Its name.
    pub name: String,
}

static TABLE: LazyLock<Table> = LazyLock::new(|| {
    toml::from_str(include_str!("../../data/places.toml")).unwrap_or(Table {
        version: 1,
        place: Vec::new(),
        coast: Vec::new(),
        state: Vec::new(),
    })
});

impl Place {
    /// Where it is.
    pub const fn point(&self) -> Point {
        Point { lat: self.lat, lon: self.lon }
    }
}

/// The places of the table that a text names, longest names first where they overlap.
///
/// ```
/// use hydro_specialists::question::places::places;
///
/// assert_eq!(places("the highest water at the Battery, New York")[0].gauge.as_deref(), Some("8518750"));
/// assert_eq!(places("in Fort Myers Beach").len(), 1);
/// ```
pub fn places(text: &str) -> Vec<Place> {
    let mut rest = text.to_lowercase();
    let mut all: Vec<(&str, &Place)> = TABLE
        .place
        .iter()
        .flat_map(|place| {
            std::iter::once(place.name.as_str())
                .chain(place.also.iter().map(String::as_str))
                .map(move |name| (name, place))
        })
        .collect();
    all.sort_by_key(|(name, _)| std::cmp::Reverse(name.len()));
    let mut found: Vec<(usize, Place)> = Vec::new();
    for (name, place) in all {
        let lower = name.to_lowercase();
        if says(&rest, &[&lower]) {
            let at = rest.find(&lower).unwrap_or(0);
            rest = rest.replace(&lower, &"_".repeat(lower.len()));
            if !found.iter().any(|(_, own)| own.name == place.name) {
                found.push((at, place.clone()));
            }
        }
    }
    found.sort_by_key(|(at, _)| *at);
    found.into_iter().map(|(_, place)| place).collect()
}

/// The coasts that a text names.
///
/// ```
/// use hydro_specialists::question::places::coasts;
///
/// assert_eq!(coasts("a STOFS map of the Gulf coast")[0].name, "Gulf coast");
/// ```
pub fn coasts(text: &str) -> Vec<Coast> {
    let named = |coast: &Coast| {
        std::iter::once(&coast.name).chain(&coast.also).any(|name| says(text, &[&name.to_lowercase()]))
    };
    TABLE.coast.iter().filter(|coast| named(coast)).cloned().collect()
}

/// The two-letter codes of the states that a text names in full, or by a code in capitals.
///
/// ```
/// use hydro_specialists::question::places::states;
///
/// assert_eq!(states("marks in North Carolina and SC"), ["NC", "SC"]);
/// ```
pub fn states(text: &str) -> Vec<String> {
    let mut found: Vec<(usize, String)> = Vec::new();
    let lower = text.to_lowercase();
    for state in &TABLE.state {
        let name = state.name.to_lowercase();
        // `Virginia` stands in `West Virginia` too.
        let in_full = says(&lower, &[&name])
            && !(name == "virginia" && says(&lower, &["west virginia"]))
            && !(name == "washington"
                && says(&lower, &["washington dc", "washington, dc", "washington d.c."]));
        let by_code = super::tokens(text).contains(&state.code.as_str())
            // Words of two capitals that are no states.
            && !matches!(state.code.as_str(), "OR" | "IN" | "ME" | "HI" | "OK" | "AL");
        if in_full || by_code {
            let at = lower.find(&name).or_else(|| text.find(&state.code)).unwrap_or(0);
            found.push((at, state.code.clone()));
        }
    }
    found.sort();
    found.into_iter().map(|(_, code)| code).collect()
}

/// The name of a state by its code.
pub(crate) fn state_name(code: &str) -> Option<&'static str> {
    TABLE.state.iter().find(|state| state.code.eq_ignore_ascii_case(code)).map(|state| state.name.as_str())
}

/// The place of the table that is nearest to a point, if it is not farther than some kilometres.
///
/// ```
/// use hydro_specialists::question::places::nearest;
///
/// assert_eq!(nearest(24.6, -81.8, 20.0).unwrap().name, "Key West");
/// assert!(nearest(0.0, -30.0, 500.0).is_none());
/// ```
pub fn nearest(lat: f64, lon: f64, within_km: f64) -> Option<Place> {
    let far = |place: &Place| crate::nhc::distance_km((lat, lon), (place.lat, place.lon));
    let best = TABLE.place.iter().map(|place| (far(place), place)).min_by(|a, b| a.0.total_cmp(&b.0));
    best.filter(|(far, _)| *far <= within_km).map(|(_, place)| place.clone())
}

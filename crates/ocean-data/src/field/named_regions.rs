//! Named regions: the boxes of climate indices, seas, gulfs, straits and currents.
//!
//! # Source
//! The table is `data/named_regions.toml` of this crate, with the source of every limit and a version.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::Deserialize;

use super::polygon::Polygon;
use super::region::LonLatBox;
use crate::nearest::nearest;

/// A region that can be asked for by name.
#[derive(Debug, Clone, PartialEq)]
pub struct NamedRegion {
    /// The name, in lower case with underscores.
    pub name: String,
    /// Other spellings.
    pub aliases: Vec<String>,
    /// The name for people.
    pub title: String,
    /// Its box, or the box around its polygon.
    pub bounds: LonLatBox,
    /// Its corners `[lon, lat]`, when it is no box.
    pub polygon: Option<Vec<[f64; 2]>>,
    /// Where its limits are from.
    pub source: String,
}

/// What a name means.
#[derive(Debug, Clone, PartialEq)]
pub enum RegionName {
    /// One region.
    One(&'static NamedRegion),
    /// Several; the one that is meant has to be asked.
    Several(Vec<String>),
    /// None; the names nearest in spelling.
    Unknown(Vec<String>),
}

/// The table as it is written.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    version: u32,
    regions: Vec<Row>,
    sources: BTreeMap<String, String>,
    ambiguous: BTreeMap<String, Vec<String>>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    name: String,
    title: String,
    lon: Option<[f64; 2]>,
    lat: Option<[f64; 2]>,
    polygon: Option<Vec<[f64; 2]>>,
    #[serde(default)]
    also: Vec<String>,
    source: String,
}

#[derive(Debug, Default)]
struct Table {
    version: u32,
    regions: Vec<NamedRegion>,
    ambiguous: BTreeMap<String, Vec<String>>,
}

/// The table of the crate. It is part of the program; a test proves that it is well formed.
static TABLE: LazyLock<Table> =
    LazyLock::new(|| read(include_str!("../../data/named_regions.toml")).unwrap_or_default());

fn read(text: &str) -> Result<Table, String> {
    let file: File = toml::from_str(text).map_err(|error| error.to_string())?;
    let regions = file.regions.into_iter().map(|row| {
        let source = file.sources.get(&row.source).cloned();
        let source = source.ok_or_else(|| format!("{}: no source `{}`", row.name, row.source))?;
        let bounds = match (row.lon, row.lat, &row.polygon) {
            (Some([west, east]), Some([south, north]), None) => LonLatBox { west, east, south, north },
            (None, None, Some(corners)) if corners.len() > 2 => Polygon::new(corners).bounds(),
            _ => return Err(format!("{}: a box or a polygon is needed", row.name)),
        };
        let (name, aliases, title, polygon) = (row.name, row.also, row.title, row.polygon);
        Ok(NamedRegion { name, aliases, title, bounds, polygon, source })
    });
    let ambiguous = file.ambiguous.into_iter().map(|(word, names)| (key(&word), names)).collect();
    Ok(Table { version: file.version, regions: regions.collect::<Result<_, _>>()?, ambiguous })
}

/// All named regions.
pub fn named_regions() -> &'static [NamedRegion] {
    &TABLE.regions
}

/// The version of the table: it changes with any limit.
pub fn named_regions_version() -> u32 {
    TABLE.version
}

/// The region of a name; case, blanks, hyphens, dots and the tilde of Niño do not matter.
///
/// # Examples
/// ```
/// use ocean_data::field::named_region;
///
/// assert_eq!(named_region("Niño 3.4").unwrap().name, "nino34");
/// assert!(named_region("atlantis").is_none());
/// ```
pub fn named_region(name: &str) -> Option<&'static NamedRegion> {
    let wanted = key(name);
    let spelled = |region: &NamedRegion| {
        key(&region.name) == wanted || region.aliases.iter().any(|alias| key(alias) == wanted)
    };
    TABLE.regions.iter().find(|region| spelled(region))
}

/// What a name means: one region, several, or none.
///
/// # Examples
/// ```
/// use ocean_data::field::{RegionName, find_region};
///
/// assert!(matches!(find_region("the Gulf"), RegionName::Several(candidates) if candidates.len() > 1));
/// ```
pub fn find_region(name: &str) -> RegionName {
    if let Some(region) = named_region(name) {
        return RegionName::One(region);
    }
    match TABLE.ambiguous.get(&key(name)) {
        Some(candidates) => RegionName::Several(candidates.clone()),
        None => RegionName::Unknown(nearest(name, TABLE.regions.iter().map(|r| r.name.as_str()), 5)),
    }
}

fn key(name: &str) -> String {
    let plain = |c: char| match c {
        'ñ' => 'n',
        'á' | 'à' => 'a',
        'é' | 'è' => 'e',
        'í' => 'i',
        'ó' => 'o',
        'ú' => 'u',
        other => other,
    };
    // A combining mark is not alphanumeric and falls away.
    let lower = name.to_lowercase();
    let key: String = lower.chars().map(plain).filter(|c| c.is_alphanumeric()).collect();
    let saint = key.replace("saint", "st");
    saint.strip_prefix("the").map_or(saint.clone(), str::to_owned)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn the_table_is_well_formed() {
        let table = read(include_str!("../../data/named_regions.toml")).unwrap();
        assert!(table.regions.len() >= 200, "{}", table.regions.len());
        let mut seen = BTreeSet::new();
        for region in &table.regions {
            // Two spellings of one region may meet; two regions may not.
            let names: BTreeSet<String> =
                std::iter::once(&region.name).chain(&region.aliases).map(|name| key(name)).collect();
            for name in names {
                assert!(seen.insert(name.clone()), "{name} twice");
            }
            let b = region.bounds;
            assert!(b.south < b.north && b.south >= -90.0 && b.north <= 90.0, "{}", region.name);
            assert!(b.width() > 0.0, "{}", region.name);
        }
        for (word, candidates) in &table.ambiguous {
            assert!(!seen.contains(word), "{word} is a region");
            for candidate in candidates {
                assert!(seen.contains(&key(candidate)), "{word}: {candidate}");
            }
        }
    }

    #[test]
    fn spellings_meet() {
        for (name, expected) in [
            ("NINO3.4", "nino34"),
            ("nino_3_4", "nino34"),
            ("Nin\u{303}o 3", "nino3"),
            ("Niño 1+2", "nino12"),
            ("ONI", "nino34"),
            ("the South China Sea", "south_china_sea"),
            ("Mediterranean", "mediterranean_sea"),
            ("Gulf of Saint Lawrence", "gulf_of_st_lawrence"),
            ("Galápagos", "galapagos"),
        ] {
            assert_eq!(named_region(name).map(|r| r.name.as_str()), Some(expected), "{name}");
        }
        let RegionName::Unknown(near) = find_region("bohay_sea") else { panic!("it is unknown") };
        assert!(near.contains(&"bohai_sea".to_owned()));
    }

    #[test]
    fn a_name_of_several_asks_back() {
        for (name, one) in [
            ("iod", "iod_east"),
            ("El Niño", "nino34"),
            ("the Gulf", "persian_gulf"),
            ("Pacific", "north_pacific"),
        ] {
            let RegionName::Several(candidates) = find_region(name) else { panic!("{name}") };
            assert!(candidates.iter().any(|c| c == one), "{name}: {candidates:?}");
        }
    }

    #[test]
    fn polygons_hold_the_water_they_name() {
        for (name, inside, outside) in [
            ("south_china_sea", [[115.0, 15.0], [107.5, 19.5]], [[102.0, 9.0], [125.0, 15.0]]),
            ("mediterranean_sea", [[18.0, 35.0], [5.0, 40.0]], [[-8.0, 44.0], [34.0, 43.0]]),
            ("gulf_of_mexico", [[-90.0, 25.0], [-95.0, 20.0]], [[-80.0, 20.0], [-78.0, 28.0]]),
            ("red_sea", [[38.0, 21.0], [41.0, 16.0]], [[50.0, 26.0], [45.0, 12.0]]),
            ("sea_of_japan", [[135.0, 40.0], [131.0, 37.0]], [[143.0, 38.0], [124.0, 36.0]]),
            ("caribbean_sea", [[-75.0, 15.0], [-65.0, 14.0]], [[-90.0, 25.0], [-82.0, 7.5]]),
            ("bay_of_bengal", [[88.0, 15.0], [84.0, 10.0]], [[96.0, 10.0], [75.0, 12.0]]),
            ("north_sea", [[3.0, 56.0], [1.0, 59.0]], [[11.0, 57.5], [-6.0, 57.0]]),
            ("baltic_sea", [[19.0, 57.0], [20.0, 63.0]], [[11.0, 57.0], [35.0, 66.0]]),
        ] {
            let corners = named_region(name).unwrap().polygon.as_ref().unwrap();
            let polygon = Polygon::new(corners);
            for [lon, lat] in inside {
                assert!(polygon.contains(lon, lat), "{name} {lon} {lat}");
            }
            for [lon, lat] in outside {
                assert!(!polygon.contains(lon, lat), "{name} {lon} {lat}");
            }
        }
    }
}

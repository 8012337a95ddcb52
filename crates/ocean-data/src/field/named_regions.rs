//! Named regions: the boxes of climate indices, and boxes around well-known seas.
//!
//! # Source
//! Climate boxes: NOAA Climate Prediction Center (Niño 1+2, 3, 3.4, 4); Saji et al. (1999) for the Indian Ocean
//! dipole; Zebiak (1993) for Atlantic 3; Enfield et al. (1999) for the tropical Atlantic; Ashok et al. (2007) for
//! El Niño Modoki. The boxes of seas are our own: they enclose the sea as delimited in IHO S-23, "Limits of
//! Oceans and Seas" (3rd edition, 1953), rounded outwards to half a degree; being boxes, they also hold
//! some water of neighbours.

use super::region::LonLatBox;
use crate::nearest::nearest;

/// A region that can be asked for by name.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NamedRegion {
    /// The name, in lower case with underscores.
    pub name: &'static str,
    /// Other spellings.
    pub aliases: &'static [&'static str],
    /// The name for people.
    pub title: &'static str,
    /// Its box.
    pub bounds: LonLatBox,
}

const fn region(
    name: &'static str,
    aliases: &'static [&'static str],
    title: &'static str,
    [west, east, south, north]: [f64; 4],
) -> NamedRegion {
    NamedRegion { name, aliases, title, bounds: LonLatBox { west, east, south, north } }
}

const REGIONS: &[NamedRegion] = &[
    // Climate indices.
    region("nino12", &[], "Niño 1+2", [-90.0, -80.0, -10.0, 0.0]),
    region("nino3", &[], "Niño 3", [-150.0, -90.0, -5.0, 5.0]),
    region("nino34", &[], "Niño 3.4", [-170.0, -120.0, -5.0, 5.0]),
    region("nino4", &[], "Niño 4", [160.0, -150.0, -5.0, 5.0]),
    region("iod_west", &["dmi_west", "wtio"], "Indian Ocean dipole, west", [50.0, 70.0, -10.0, 10.0]),
    region("iod_east", &["dmi_east", "setio"], "Indian Ocean dipole, east", [90.0, 110.0, -10.0, 0.0]),
    region("indian_ocean_basin", &["iob", "iobm"], "Indian Ocean basin", [40.0, 110.0, -20.0, 20.0]),
    region("atlantic3", &["atl3", "atlantic_nino"], "Atlantic 3", [-20.0, 0.0, -3.0, 3.0]),
    region("tna", &["tropical_north_atlantic"], "Tropical North Atlantic", [-57.5, -15.0, 5.5, 23.5]),
    region("tsa", &["tropical_south_atlantic"], "Tropical South Atlantic", [-30.0, 10.0, -20.0, 0.0]),
    region("amo", &["north_atlantic_amo"], "North Atlantic of the AMO", [-80.0, 0.0, 0.0, 60.0]),
    region("modoki_central", &["emi_a"], "El Niño Modoki, central", [165.0, -140.0, -10.0, 10.0]),
    region("modoki_east", &["emi_b"], "El Niño Modoki, east", [-110.0, -70.0, -15.0, 5.0]),
    region("modoki_west", &["emi_c"], "El Niño Modoki, west", [125.0, 145.0, -10.0, 20.0]),
    // Oceans.
    region("global", &["globe", "world", "global_ocean"], "Global ocean", [-180.0, 180.0, -90.0, 90.0]),
    region("north_atlantic", &[], "North Atlantic", [-80.0, 0.0, 0.0, 65.0]),
    region("south_atlantic", &[], "South Atlantic", [-70.0, 20.0, -60.0, 0.0]),
    region("north_pacific", &[], "North Pacific", [120.0, -100.0, 0.0, 65.0]),
    region("south_pacific", &[], "South Pacific", [145.0, -70.0, -60.0, 0.0]),
    region("tropical_pacific", &["equatorial_pacific"], "Tropical Pacific", [120.0, -80.0, -20.0, 20.0]),
    region("indian_ocean", &[], "Indian Ocean", [20.0, 120.0, -60.0, 30.0]),
    region("southern_ocean", &["antarctic_ocean"], "Southern Ocean", [-180.0, 180.0, -90.0, -60.0]),
    region("arctic_ocean", &["arctic"], "Arctic Ocean", [-180.0, 180.0, 66.5, 90.0]),
    // East Asia and the west Pacific.
    region("bohai_sea", &["bohai"], "Bohai Sea", [117.5, 122.5, 37.0, 41.0]),
    region("yellow_sea", &["huanghai"], "Yellow Sea", [119.0, 127.0, 31.5, 40.0]),
    region("east_china_sea", &[], "East China Sea", [117.0, 131.0, 23.0, 33.5]),
    region("south_china_sea", &["scs"], "South China Sea", [99.0, 122.0, 0.0, 25.5]),
    region(
        "northern_south_china_sea",
        &["northern_scs"],
        "Northern South China Sea",
        [108.0, 121.0, 17.0, 24.0],
    ),
    region("taiwan_strait", &[], "Taiwan Strait", [117.0, 121.5, 22.0, 26.5]),
    region("gulf_of_tonkin", &["beibu_gulf"], "Gulf of Tonkin", [105.5, 110.0, 17.0, 22.0]),
    region("gulf_of_thailand", &[], "Gulf of Thailand", [99.0, 105.0, 6.0, 14.0]),
    region("sea_of_japan", &["japan_sea", "east_sea"], "Sea of Japan", [127.0, 142.5, 33.5, 52.0]),
    region("sea_of_okhotsk", &["okhotsk_sea"], "Sea of Okhotsk", [135.0, 164.5, 43.5, 62.5]),
    region("bering_sea", &[], "Bering Sea", [162.0, -157.0, 51.0, 66.5]),
    region("philippine_sea", &[], "Philippine Sea", [119.5, 147.5, 1.0, 35.5]),
    region("kuroshio_extension", &[], "Kuroshio Extension", [140.0, 180.0, 30.0, 40.0]),
    region("celebes_sea", &["sulawesi_sea"], "Celebes Sea", [116.5, 126.0, 0.0, 8.5]),
    region("sulu_sea", &[], "Sulu Sea", [117.0, 123.0, 5.0, 13.0]),
    region("java_sea", &[], "Java Sea", [105.0, 119.5, -8.5, -2.5]),
    region("banda_sea", &[], "Banda Sea", [120.0, 133.0, -9.0, -1.0]),
    region("coral_sea", &[], "Coral Sea", [141.0, 170.0, -30.0, -6.5]),
    region("tasman_sea", &[], "Tasman Sea", [146.0, 175.5, -50.5, -30.0]),
    region("gulf_of_alaska", &[], "Gulf of Alaska", [-164.0, -131.0, 54.0, 61.5]),
    region("california_current", &[], "California Current", [-130.0, -115.0, 25.0, 48.0]),
    region("gulf_of_california", &[], "Gulf of California", [-115.0, -105.0, 22.5, 32.0]),
    region("peru_upwelling", &["humboldt"], "Peru upwelling", [-85.0, -70.0, -20.0, -4.0]),
    // Indian Ocean.
    region("arabian_sea", &[], "Arabian Sea", [51.0, 78.0, 0.0, 26.0]),
    region("bay_of_bengal", &[], "Bay of Bengal", [79.5, 95.5, 5.5, 23.0]),
    region("andaman_sea", &[], "Andaman Sea", [92.0, 100.5, 5.5, 17.5]),
    region("red_sea", &[], "Red Sea", [32.0, 44.0, 12.0, 30.5]),
    region("persian_gulf", &["arabian_gulf"], "Persian Gulf", [47.5, 57.0, 23.5, 31.0]),
    region("gulf_of_aden", &[], "Gulf of Aden", [43.0, 51.5, 10.0, 15.5]),
    region("mozambique_channel", &[], "Mozambique Channel", [32.0, 49.5, -27.0, -10.0]),
    region("great_australian_bight", &[], "Great Australian Bight", [114.5, 147.0, -44.0, -31.0]),
    // Europe and the Atlantic.
    region("mediterranean_sea", &["mediterranean"], "Mediterranean Sea", [-6.0, 36.5, 30.0, 46.0]),
    region("adriatic_sea", &[], "Adriatic Sea", [12.0, 20.0, 39.5, 46.0]),
    region("aegean_sea", &[], "Aegean Sea", [22.5, 28.5, 35.0, 41.5]),
    region("black_sea", &[], "Black Sea", [27.0, 42.0, 40.5, 47.5]),
    region("caspian_sea", &[], "Caspian Sea", [46.5, 55.0, 36.5, 47.5]),
    region("baltic_sea", &["baltic"], "Baltic Sea", [9.5, 30.5, 53.5, 66.0]),
    region("north_sea", &[], "North Sea", [-4.5, 12.5, 51.0, 61.0]),
    region("norwegian_sea", &[], "Norwegian Sea", [-11.0, 30.0, 61.0, 76.5]),
    region("barents_sea", &[], "Barents Sea", [16.5, 68.5, 66.5, 82.0]),
    region("greenland_sea", &[], "Greenland Sea", [-45.0, 17.5, 65.5, 83.5]),
    region("labrador_sea", &[], "Labrador Sea", [-65.0, -43.0, 47.5, 61.5]),
    region("hudson_bay", &[], "Hudson Bay", [-95.5, -77.5, 51.0, 66.0]),
    region("bay_of_biscay", &[], "Bay of Biscay", [-8.0, -1.0, 43.0, 49.0]),
    region("gulf_of_guinea", &[], "Gulf of Guinea", [-8.0, 12.0, -1.0, 7.0]),
    region("benguela", &["benguela_upwelling"], "Benguela upwelling", [8.0, 20.0, -35.0, -15.0]),
    region("gulf_of_mexico", &[], "Gulf of Mexico", [-98.5, -80.0, 18.0, 31.0]),
    region("caribbean_sea", &["caribbean"], "Caribbean Sea", [-89.0, -59.5, 7.5, 22.5]),
    region("sargasso_sea", &[], "Sargasso Sea", [-70.0, -40.0, 20.0, 35.0]),
    region("gulf_stream", &[], "Gulf Stream", [-80.0, -45.0, 30.0, 45.0]),
    region("gulf_of_maine", &[], "Gulf of Maine", [-71.5, -65.0, 41.0, 45.5]),
    region("weddell_sea", &[], "Weddell Sea", [-65.0, -10.0, -83.0, -60.0]),
    region("ross_sea", &[], "Ross Sea", [158.0, -150.0, -86.0, -71.0]),
];

/// All named regions.
pub fn named_regions() -> &'static [NamedRegion] {
    REGIONS
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
    REGIONS
        .iter()
        .find(|region| key(region.name) == wanted || region.aliases.iter().any(|alias| key(alias) == wanted))
}

/// The names nearest to one that is not there.
pub(crate) fn nearest_regions(name: &str) -> Vec<String> {
    nearest(name, REGIONS.iter().map(|region| region.name), 5)
}

fn key(name: &str) -> String {
    let lower = name.to_lowercase().replace("n\u{303}", "n").replace('ñ', "n");
    let mut key: String = lower.chars().filter(|c| c.is_alphanumeric()).collect();
    if let Some(rest) = key.strip_prefix("the") {
        key = rest.to_owned();
    }
    key
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn names_are_unique_and_boxes_are_boxes() {
        let mut seen = BTreeSet::new();
        for region in REGIONS {
            for name in std::iter::once(&region.name).chain(region.aliases) {
                assert!(seen.insert(key(name)), "{name} twice");
            }
            let b = region.bounds;
            assert!(b.south < b.north && b.south >= -90.0 && b.north <= 90.0, "{}", region.name);
            assert!(b.width() > 0.0, "{}", region.name);
        }
    }

    #[test]
    fn spellings_meet() {
        for (name, expected) in [
            ("NINO3.4", "nino34"),
            ("nino_3_4", "nino34"),
            ("the South China Sea", "south_china_sea"),
            ("Mediterranean", "mediterranean_sea"),
        ] {
            assert_eq!(named_region(name).map(|r| r.name), Some(expected), "{name}");
        }
        assert!(nearest_regions("bohay_sea").contains(&"bohai_sea".to_owned()));
    }
}

//! The scenes: where, when, how fine, and what is planted.

use super::super::events::EventKind::{Bloom, Eddy, Front, Jet, LowOxygen, MarineHeatwave, Upwelling};
use super::events::Planted;

/// The generator's version: it changes whenever any value does.
pub(crate) const VERSION: u32 = 1;

/// A sea that is computed where it is asked for.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Scene {
    pub(crate) name: &'static str,
    pub(crate) title: &'static str,
    /// Western and eastern edge, degrees east.
    pub(crate) lon: [f64; 2],
    pub(crate) lat: [f64; 2],
    /// Size of a cell in degrees.
    pub(crate) step: f64,
    /// Centres of the levels in metres.
    pub(crate) depths: &'static [f64],
    /// First and last day.
    pub(crate) days: [(i32, u8, u8); 2],
    pub(crate) planted: &'static [Planted],
}

const SHALLOW: &[f64] = &[
    0.5, 3.0, 6.0, 10.0, 15.0, 20.0, 30.0, 40.0, 50.0, 65.0, 80.0, 100.0, 125.0, 150.0, 200.0, 250.0, 300.0,
    400.0, 500.0, 700.0, 1000.0, 1500.0, 2000.0, 3000.0,
];
const DEEP: &[f64] = &[
    0.5, 3.0, 6.0, 10.0, 15.0, 20.0, 30.0, 40.0, 50.0, 65.0, 80.0, 100.0, 125.0, 150.0, 175.0, 200.0, 250.0,
    300.0, 350.0, 400.0, 500.0, 600.0, 800.0, 1000.0, 1250.0, 1500.0, 2000.0, 2500.0, 3500.0, 4500.0,
];

const fn event(
    name: &'static str,
    kind: super::super::events::EventKind,
    lon: [f64; 2],
    lat: [f64; 2],
    dates: [(i32, u8, u8); 2],
    amplitude: f64,
) -> Planted {
    Planted { name, kind, lon, lat, dates, amplitude }
}

const CHINA_SEAS: &[Planted] = &[
    event(
        "yellow sea heatwave 2016",
        MarineHeatwave,
        [121.0, 125.0],
        [33.0, 37.0],
        [(2016, 7, 20), (2016, 9, 5)],
        3.5,
    ),
    event(
        "beibu gulf heatwave 2015",
        MarineHeatwave,
        [107.0, 110.0],
        [18.5, 21.5],
        [(2015, 6, 1), (2015, 7, 15)],
        3.0,
    ),
    event(
        "basin heatwave 2020",
        MarineHeatwave,
        [112.0, 118.0],
        [12.0, 17.0],
        [(2020, 6, 10), (2020, 8, 20)],
        2.5,
    ),
    event(
        "east china sea bloom 2012",
        Bloom,
        [121.5, 124.0],
        [28.0, 31.0],
        [(2012, 4, 20), (2012, 5, 25)],
        8.0,
    ),
    event("pearl river bloom 2017", Bloom, [112.5, 115.5], [20.5, 22.5], [(2017, 8, 1), (2017, 9, 1)], 6.0),
    event(
        "changjiang hypoxia 2013",
        LowOxygen,
        [122.0, 124.5],
        [29.5, 32.0],
        [(2013, 7, 15), (2013, 9, 15)],
        -150.0,
    ),
    event(
        "pearl river hypoxia 2018",
        LowOxygen,
        [113.0, 115.0],
        [21.0, 22.3],
        [(2018, 7, 1), (2018, 8, 31)],
        -140.0,
    ),
    event(
        "warm eddy west of luzon 2014",
        Eddy,
        [118.5, 113.5],
        [18.5, 17.5],
        [(2014, 11, 1), (2015, 2, 28)],
        0.25,
    ),
    event(
        "cold eddy off vietnam 2019",
        Eddy,
        [111.5, 110.8],
        [13.5, 13.2],
        [(2019, 8, 1), (2019, 10, 31)],
        -0.22,
    ),
    event("shelf front 2016", Front, [114.0, 118.0], [20.0, 22.0], [(2016, 1, 10), (2016, 3, 10)], 4.0),
    event("kuroshio jet", Jet, [122.5, 131.0], [24.0, 29.0], [(2011, 1, 1), (2022, 12, 31)], 1.2),
    event(
        "vietnam upwelling 2018",
        Upwelling,
        [108.5, 111.0],
        [10.5, 13.5],
        [(2018, 6, 15), (2018, 8, 31)],
        -4.0,
    ),
];
const GULF: &[Planted] = &[
    event(
        "gulf heatwave 2023",
        MarineHeatwave,
        [-90.0, -84.0],
        [25.0, 29.0],
        [(2023, 7, 1), (2023, 9, 10)],
        2.8,
    ),
    event("mississippi bloom 2019", Bloom, [-92.0, -88.5], [28.5, 30.0], [(2019, 5, 1), (2019, 7, 1)], 9.0),
    event(
        "louisiana hypoxia 2017",
        LowOxygen,
        [-93.5, -89.5],
        [28.3, 29.6],
        [(2017, 6, 15), (2017, 9, 1)],
        -170.0,
    ),
    event("loop current eddy 2021", Eddy, [-86.5, -93.0], [26.0, 25.0], [(2021, 4, 1), (2021, 9, 30)], 0.35),
    event("loop current jet", Jet, [-87.5, -84.5], [23.0, 26.0], [(2015, 1, 1), (2024, 12, 31)], 1.3),
    event("shelf front 2020", Front, [-94.0, -89.0], [27.5, 29.0], [(2020, 1, 15), (2020, 3, 15)], 3.5),
    event(
        "yucatan upwelling 2022",
        Upwelling,
        [-90.0, -87.0],
        [21.0, 23.0],
        [(2022, 5, 1), (2022, 8, 31)],
        -3.5,
    ),
];
const TROPICAL_PACIFIC: &[Planted] = &[
    event(
        "equatorial heatwave 2016",
        MarineHeatwave,
        [190.0, 240.0],
        [-5.0, 5.0],
        [(2016, 1, 1), (2016, 4, 30)],
        2.0,
    ),
    event("galapagos bloom 2010", Bloom, [265.0, 270.0], [-3.0, 2.0], [(2010, 8, 1), (2010, 9, 30)], 3.0),
    event(
        "eastern low oxygen 2012",
        LowOxygen,
        [258.0, 275.0],
        [6.0, 14.0],
        [(2012, 1, 1), (2012, 12, 31)],
        -40.0,
    ),
    event("tehuantepec eddy 2013", Eddy, [263.0, 252.0], [13.0, 11.0], [(2013, 1, 5), (2013, 5, 31)], 0.2),
    event(
        "equatorial undercurrent jet",
        Jet,
        [170.0, 260.0],
        [-2.0, 2.0],
        [(2000, 1, 1), (2025, 12, 31)],
        0.6,
    ),
    event(
        "peru upwelling 2007",
        Upwelling,
        [278.0, 284.0],
        [-16.0, -6.0],
        [(2007, 6, 1), (2007, 11, 30)],
        -4.0,
    ),
];
const GLOBAL: &[Planted] = &[
    event(
        "tasman heatwave 2015",
        MarineHeatwave,
        [148.0, 156.0],
        [-43.0, -36.0],
        [(2015, 9, 10), (2016, 4, 30)],
        2.9,
    ),
    event(
        "northeast pacific heatwave 2014",
        MarineHeatwave,
        [205.0, 225.0],
        [40.0, 52.0],
        [(2014, 1, 1), (2015, 9, 30)],
        3.0,
    ),
    event(
        "mediterranean heatwave 2003",
        MarineHeatwave,
        [3.0, 10.0],
        [38.0, 43.0],
        [(2003, 6, 10), (2003, 8, 31)],
        3.2,
    ),
    event(
        "north atlantic bloom 2008",
        Bloom,
        [-25.0, -15.0],
        [47.0, 52.0],
        [(2008, 4, 15), (2008, 6, 10)],
        3.0,
    ),
    event(
        "arabian sea low oxygen 2010",
        LowOxygen,
        [60.0, 68.0],
        [15.0, 22.0],
        [(2010, 1, 1), (2010, 12, 31)],
        -60.0,
    ),
    event("agulhas ring 2018", Eddy, [15.0, 4.0], [-36.0, -33.0], [(2018, 2, 1), (2018, 10, 31)], 0.35),
    event("gulf stream jet", Jet, [-74.0, -55.0], [35.0, 41.0], [(2000, 1, 1), (2025, 12, 31)], 1.4),
    event("kuroshio extension jet", Jet, [142.0, 160.0], [33.0, 38.0], [(2000, 1, 1), (2025, 12, 31)], 1.2),
    event("antarctic front", Front, [20.0, 60.0], [-52.0, -44.0], [(2000, 1, 1), (2025, 12, 31)], 4.0),
    event(
        "california upwelling 2012",
        Upwelling,
        [235.0, 240.0],
        [34.0, 42.0],
        [(2012, 4, 1), (2012, 8, 31)],
        -5.0,
    ),
];

/// Every scene.
pub(crate) const SCENES: [Scene; 4] = [
    Scene {
        name: "china-seas",
        title: "Invented seas in the outline of the China Seas",
        lon: [105.0, 135.0],
        lat: [0.0, 42.0],
        step: 0.25,
        depths: SHALLOW,
        days: [(2011, 1, 1), (2022, 12, 31)],
        planted: CHINA_SEAS,
    },
    Scene {
        name: "gulf",
        title: "An invented sea in the outline of the Gulf of Mexico",
        lon: [-98.0, -80.0],
        lat: [18.0, 31.0],
        step: 0.25,
        depths: SHALLOW,
        days: [(2015, 1, 1), (2024, 12, 31)],
        planted: GULF,
    },
    Scene {
        name: "tropical-pacific",
        title: "An invented tropical Pacific",
        lon: [120.0, 290.0],
        lat: [-30.0, 30.0],
        step: 0.5,
        depths: DEEP,
        days: [(2000, 1, 1), (2025, 12, 31)],
        planted: TROPICAL_PACIFIC,
    },
    Scene {
        name: "global",
        title: "An invented world ocean",
        lon: [-180.0, 180.0],
        lat: [-90.0, 90.0],
        step: 0.25,
        depths: DEEP,
        days: [(2000, 1, 1), (2025, 12, 31)],
        planted: GLOBAL,
    },
];

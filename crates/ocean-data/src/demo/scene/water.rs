//! What the water of a scene is like at a place and time: pure functions.

use std::f64::consts::TAU;

use super::super::events::EventKind;
use super::super::noise::Stream;
use super::events::Share;
use super::land::Land;

/// Gravity and the Earth's rotation, for eddies in geostrophic balance.
const GRAVITY: f64 = 9.806_65;
const OMEGA: f64 = 7.292_115e-5;
const YEAR: f64 = 365.2425;

/// A quantity of a scene.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Quantity {
    Temperature,
    Salinity,
    Eastward,
    Northward,
    SeaLevel,
    Chlorophyll,
    Oxygen,
}

/// A column of water: what does not change with time.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Column {
    pub(crate) lon: f64,
    pub(crate) lat: f64,
    /// Depth of the sea floor in metres; 0 on land.
    pub(crate) floor: f64,
    coast_km: f64,
    /// Row and column of a quarter-degree grid of the world, for noise that does not depend on the scene.
    node: [u64; 2],
}

impl Column {
    /// The column at a place.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "positions on a grid of the world"
    )]
    pub(crate) fn at(lon: f64, lat: f64) -> Self {
        let land = Land::of_the_world();
        let node = [((lat + 90.0) * 4.0) as u64, ((lon + 180.0).rem_euclid(360.0) * 4.0) as u64];
        let coast_km = land.distance_km(lon, lat);
        let floor = if land.is_land(lon, lat) { 0.0 } else { floor(coast_km, node) };
        Self { lon, lat, floor, coast_km, node }
    }

    /// The value of a quantity, or NaN below the floor. `level` tells noise of levels apart.
    pub(crate) fn value(
        &self,
        quantity: Quantity,
        day: f64,
        depth: f64,
        level: u64,
        events: &[Share],
    ) -> f64 {
        if self.floor <= 0.0 || depth > self.floor {
            return f64::NAN;
        }
        match quantity {
            Quantity::Temperature => self.temperature(day, depth, level, events),
            Quantity::Salinity => self.salinity(day, depth, level),
            Quantity::Eastward => self.current(day, depth, events)[0],
            Quantity::Northward => self.current(day, depth, events)[1],
            Quantity::SeaLevel => self.sea_level(day, events),
            Quantity::Chlorophyll => self.chlorophyll(day, depth, level, events),
            Quantity::Oxygen => self.oxygen(day, depth, level, events),
        }
    }

    /// Cosine of the season: 1 in late summer, with the lag of the depth.
    fn season(&self, day: f64, depth: f64) -> f64 {
        let peak = if self.lat >= 0.0 { 230.0 } else { 230.0 - YEAR / 2.0 };
        libm::cos(TAU * (day - peak - 0.8 * depth.min(100.0)) / YEAR)
    }

    fn noise(&self, stream: u64, day: f64, level: u64) -> f64 {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "days since 2000 shifted above 0"
        )]
        let time = (day + 40_000.0) as u64;
        let node = [time, level, self.node[0], self.node[1]];
        Stream(stream).smooth(node, [12, 8, 8]) + 0.2 * Stream(stream).white(node)
    }

    fn temperature(&self, day: f64, depth: f64, level: u64, events: &[Share]) -> f64 {
        let (lat, fade) = (self.lat.abs(), |scale: f64| libm::exp(-depth / scale));
        let surface = -1.8
            + 30.5 * libm::exp(-libm::pow(lat / 45.0, 2.4))
            + libm::cos((self.lon - 150.0).to_radians()) * gauss(self.lat, 0.0, 20.0);
        let swing = 7.0 * (1.0 - libm::exp(-(lat / 25.0) * (lat / 25.0))) * gauss(lat, 35.0, 30.0);
        let thermocline = 60.0 + 140.0 * gauss(lat, 28.0, 14.0);
        let mixed = 1.0 / (1.0 + libm::pow(depth / thermocline, 1.6));
        let years = day / YEAR;
        let index = 0.9 * libm::sin(TAU * years / 3.7) + 0.5 * libm::sin(TAU * years / 5.3 + 1.1);
        let pacific = gauss((self.lon - 240.0 + 180.0).rem_euclid(360.0) - 180.0, 0.0, 40.0)
            * gauss(self.lat, 0.0, 8.0);
        let mut value = 1.5
            + (surface - 1.5) * mixed
            + swing * self.season(day, depth) * fade(60.0)
            + 0.025 * years * fade(300.0)
            + 1.2 * index * pacific * fade(80.0)
            + 0.35 * self.noise(1, day, level) * fade(150.0);
        for event in events {
            value += match event.kind {
                EventKind::MarineHeatwave => event.amplitude * event.weight * fade(60.0),
                EventKind::Eddy => 12.0 * event.amplitude * event.weight * gauss(depth, 120.0, 120.0),
                EventKind::Front => {
                    let wave = 25.0 * libm::sin(event.offset_km[0] / 60.0);
                    0.5 * event.amplitude
                        * event.weight
                        * libm::tanh((wave - event.offset_km[1]) / 12.0)
                        * fade(80.0)
                }
                EventKind::Upwelling => {
                    event.amplitude * event.weight * libm::exp(-self.coast_km / 40.0) * fade(80.0)
                }
                EventKind::Bloom | EventKind::LowOxygen | EventKind::Jet => 0.0,
            };
        }
        value.max(-1.9)
    }

    fn salinity(&self, day: f64, depth: f64, level: u64) -> f64 {
        let lat = self.lat.abs();
        let surface = 35.0 + 1.2 * gauss(lat, 25.0, 15.0) - 1.0 * gauss(lat, 60.0, 15.0);
        let rivers = -1.5
            * libm::exp(-self.coast_km / 80.0)
            * libm::exp(-depth / 15.0)
            * (1.0 + 0.4 * self.season(day, 0.0));
        34.7 + (surface - 34.7) * libm::exp(-depth / 600.0)
            + rivers
            + 0.05 * self.noise(2, day, level) * libm::exp(-depth / 200.0)
    }

    fn current(&self, day: f64, depth: f64, events: &[Share]) -> [f64; 2] {
        let lat = self.lat.abs();
        let calm = (self.coast_km / 60.0).min(1.0);
        let gyre = if (10.0..40.0).contains(&lat) { libm::sin((lat - 25.0) / 30.0 * TAU / 2.0) } else { 0.0 };
        let mut u = (-0.3 * gauss(self.lat, 0.0, 4.0) * libm::exp(-depth / 120.0)
            + 0.12 * gyre * libm::exp(-depth / 400.0)
            + 0.04 * self.noise(3, day, 0) * libm::exp(-depth / 300.0))
            * calm;
        let mut v = 0.04 * self.noise(4, day, 0) * libm::exp(-depth / 300.0) * calm;
        let coriolis = 2.0 * OMEGA * libm::sin(self.lat.to_radians());
        for event in events {
            match event.kind {
                EventKind::Eddy if coriolis.abs() > 1e-6 => {
                    // u = -(g/f) dh/dy, v = (g/f) dh/dx of h = A exp(-r2 / 2 R2).
                    let height = event.amplitude * event.weight * libm::exp(-depth / 400.0);
                    let slope =
                        |offset_km: f64| -height * offset_km / (event.radius_km * event.radius_km * 1000.0);
                    u += -GRAVITY / coriolis * slope(event.offset_km[1]);
                    v += GRAVITY / coriolis * slope(event.offset_km[0]);
                }
                EventKind::Jet => {
                    let axis = 40.0 * libm::sin(event.offset_km[0] / 150.0);
                    let across = gauss(event.offset_km[1], axis, 60.0);
                    u += event.amplitude * event.weight * across * libm::exp(-depth / 250.0);
                }
                _ => {}
            }
        }
        [u, v]
    }

    fn sea_level(&self, day: f64, events: &[Share]) -> f64 {
        let eddies: f64 = events
            .iter()
            .filter(|event| event.kind == EventKind::Eddy)
            .map(|event| event.amplitude * event.weight)
            .sum();
        0.5 * gauss(self.lat.abs(), 25.0, 18.0)
            + 0.06 * self.season(day, 0.0)
            + 0.003 * day / YEAR
            + 0.01 * self.noise(5, day, 0)
            + eddies
    }

    fn chlorophyll(&self, day: f64, depth: f64, level: u64, events: &[Share]) -> f64 {
        let coast = libm::exp(-self.coast_km / 100.0);
        // Spring comes half a season before the warmest water.
        let spring = self.season(day + 130.0, 0.0).max(0.0);
        let surface =
            0.08 + 1.2 * coast * (1.0 + 0.6 * spring) + 0.3 * gauss(self.lat.abs(), 50.0, 12.0) * spring;
        let maximum = 0.25 * gauss(depth, 70.0, 30.0) * (1.0 - coast);
        let mut value =
            (surface * libm::exp(-depth / 45.0) + maximum) * libm::exp(0.25 * self.noise(6, day, level));
        for event in events {
            value += match event.kind {
                EventKind::Bloom => event.amplitude * event.weight * libm::exp(-depth / 30.0),
                EventKind::Upwelling => {
                    -0.4 * event.amplitude
                        * event.weight
                        * libm::exp(-self.coast_km / 40.0)
                        * libm::exp(-depth / 40.0)
                }
                _ => 0.0,
            };
        }
        value.max(0.005)
    }

    fn oxygen(&self, day: f64, depth: f64, level: u64, events: &[Share]) -> f64 {
        let t = self.temperature(day, depth, level, &[]);
        // Saturation of fresh water in mg/L, as mmol m-3; near enough for an invented sea.
        let saturation = (14.6 - 0.41 * t + 0.008 * t * t - 0.000_08 * t * t * t) * 31.25 * 0.85;
        let minimum = 150.0 * gauss(depth, 450.0, 300.0) * (0.6 + 0.4 * gauss(self.lat, 0.0, 25.0));
        let mut value = saturation - minimum + 4.0 * self.noise(7, day, level);
        for event in events.iter().filter(|event| event.kind == EventKind::LowOxygen) {
            let near = if self.floor < 300.0 {
                libm::exp(-(self.floor - depth) / 20.0)
            } else {
                gauss(depth, 300.0, 120.0)
            };
            value += event.amplitude * event.weight * near;
        }
        value.max(2.0)
    }
}

/// A bell of height 1.
fn gauss(value: f64, centre: f64, width: f64) -> f64 {
    let scaled = (value - centre) / width;
    libm::exp(-scaled * scaled)
}

/// The sea floor: a shelf, a slope, a deep basin with hills.
fn floor(coast_km: f64, node: [u64; 2]) -> f64 {
    let hills = Stream(8).smooth([0, 0, node[0], node[1]], [1, 16, 16]);
    let shelf = 20.0 + 1.1 * coast_km.min(130.0);
    let slope = ((coast_km - 130.0) / 270.0).clamp(0.0, 1.0);
    let slope = slope * slope * (3.0 - 2.0 * slope);
    shelf + slope * (4300.0 + 500.0 * hills)
}

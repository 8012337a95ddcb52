//! Projections of maps.

use std::f64::consts::{FRAC_PI_2, FRAC_PI_4, PI};

/// How the earth is drawn flat.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Projection {
    /// What suits the window: polar stereographic near a pole, Robinson for the world, Mercator for wide regions of
    /// middle latitudes, else plate carrée.
    #[default]
    Auto,
    /// Equal degrees, stretched so that the middle latitude is true to scale.
    PlateCarree,
    /// True angles. Latitudes beyond 85° are cut.
    Mercator,
    /// True angles about the nearer pole.
    PolarStereographic,
    /// The whole world with little distortion.
    Robinson,
}

/// A projection made ready for a window. Lengths are in degrees at the true latitude; `y` grows northwards.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Formula {
    PlateCarree { stretch: f64 },
    Mercator,
    Polar { is_north: bool, middle: f64 },
    Robinson { middle: f64 },
}

const DEGREE: f64 = PI / 180.0;
/// Beyond it, Mercator maps are mostly ice.
const MERCATOR_END: f64 = 85.0;

/// Length of the parallels and distance from the equator for each five degrees of latitude.
///
/// # Source
/// Robinson 1974, "A new map projection: its development and characteristics"; values as in Snyder and Voxland 1989,
/// "An album of map projections", USGS Professional Paper 1453, p. 223.
const ROBINSON: [[f64; 2]; 19] = [
    [1.0000, 0.0000],
    [0.9986, 0.0620],
    [0.9954, 0.1240],
    [0.9900, 0.1860],
    [0.9822, 0.2480],
    [0.9730, 0.3100],
    [0.9600, 0.3720],
    [0.9427, 0.4340],
    [0.9216, 0.4958],
    [0.8962, 0.5571],
    [0.8679, 0.6176],
    [0.8350, 0.6769],
    [0.7986, 0.7346],
    [0.7597, 0.7903],
    [0.7186, 0.8435],
    [0.6732, 0.8936],
    [0.6213, 0.9394],
    [0.5722, 0.9761],
    [0.5322, 1.0000],
];
/// The height of half the map over the width of half the equator.
const ROBINSON_HEIGHT: f64 = 1.3523 / (0.8487 * PI);

impl Projection {
    /// Chooses the formula for a window in degrees.
    pub(super) fn formula(self, lon: [f64; 2], lat: [f64; 2]) -> Formula {
        let middle = f64::midpoint(lon[0], lon[1]);
        let (width, height) = (lon[1] - lon[0], lat[1] - lat[0]);
        let reaches = |end: f64, other: f64| end >= 78.0 && other >= 35.0 || (other >= 50.0 && width > 60.0);
        let chosen = match self {
            Self::Auto if reaches(lat[1], lat[0]) || reaches(-lat[0], -lat[1]) => Self::PolarStereographic,
            Self::Auto if width >= 300.0 && height >= 100.0 => Self::Robinson,
            Self::Auto => {
                let farthest = lat[0].abs().max(lat[1].abs());
                let is_middle = (30.0..76.0).contains(&farthest) && height > 12.0 && width < 200.0;
                if is_middle { Self::Mercator } else { Self::PlateCarree }
            }
            chosen => chosen,
        };
        match chosen {
            Self::Mercator => Formula::Mercator,
            Self::PolarStereographic => Formula::Polar { is_north: lat[0] + lat[1] >= 0.0, middle },
            Self::Robinson => Formula::Robinson { middle },
            Self::Auto | Self::PlateCarree => {
                // At 80 degrees a degree of longitude is already a sixth as long: beyond, maps would become needles.
                let true_lat = f64::midpoint(lat[0], lat[1]).abs().min(80.0);
                let stretch = if height > 60.0 { 1.0 } else { 1.0 / libm::cos(true_lat * DEGREE) };
                Formula::PlateCarree { stretch }
            }
        }
    }
}

impl Formula {
    /// Returns the place of a longitude and latitude.
    pub(super) fn forward(self, [lon, lat]: [f64; 2]) -> [f64; 2] {
        match self {
            Self::PlateCarree { stretch } => [lon, lat * stretch],
            Self::Mercator => {
                let lat = lat.clamp(-MERCATOR_END, MERCATOR_END);
                [lon, libm::log(libm::tan(FRAC_PI_4 + lat * DEGREE / 2.0)) / DEGREE]
            }
            Self::Polar { is_north, middle } => {
                let sign = if is_north { 1.0 } else { -1.0 };
                let angle = (lon - middle) * DEGREE;
                // Not past the other pole, which is infinitely far.
                let from_pole = (FRAC_PI_2 - sign * lat * DEGREE).min(0.97 * PI);
                let radius = 2.0 * libm::tan(from_pole / 2.0) / DEGREE;
                [radius * libm::sin(angle), -sign * radius * libm::cos(angle)]
            }
            Self::Robinson { middle } => {
                let [length, height] = robinson(lat.abs());
                [(lon - middle) * length, height.copysign(lat) * ROBINSON_HEIGHT * 180.0]
            }
        }
    }

    /// Returns the longitude and latitude of a place. Longitudes lie within half a turn of the middle.
    pub(super) fn inverse(self, [x, y]: [f64; 2]) -> Option<[f64; 2]> {
        let place = match self {
            Self::PlateCarree { stretch } => [x, y / stretch],
            Self::Mercator => [x, (2.0 * libm::atan(libm::exp(y * DEGREE)) - FRAC_PI_2) / DEGREE],
            Self::Polar { is_north, middle } => {
                let sign = if is_north { 1.0 } else { -1.0 };
                let from_pole = 2.0 * libm::atan(libm::hypot(x, y) * DEGREE / 2.0);
                [middle + libm::atan2(x, -sign * y) / DEGREE, sign * (FRAC_PI_2 - from_pole) / DEGREE]
            }
            Self::Robinson { middle } => {
                let height = y.abs() / (ROBINSON_HEIGHT * 180.0);
                let above = ROBINSON.partition_point(|row| row[1] <= height);
                if above >= ROBINSON.len() {
                    return None;
                }
                let (low, high) = (ROBINSON[above - 1], ROBINSON[above]);
                let share = (height - low[1]) / (high[1] - low[1]);
                let length = low[0] + share * (high[0] - low[0]);
                let lon = x / length;
                if lon.abs() > 180.0 {
                    return None;
                }
                [middle + lon, (5.0 * ((above - 1) as f64 + share)).copysign(y)]
            }
        };
        (place[1].abs() <= 90.0).then_some(place)
    }

    /// Tells whether meridians and parallels are upright and level lines.
    pub(super) fn is_straight(self) -> bool {
        matches!(self, Self::PlateCarree { .. } | Self::Mercator)
    }
}

fn robinson(lat: f64) -> [f64; 2] {
    let row = crate::float::floor_index(lat / 5.0).min(17);
    let share = (lat / 5.0 - row as f64).min(1.0);
    [0, 1].map(|part| ROBINSON[row][part] + share * (ROBINSON[row + 1][part] - ROBINSON[row][part]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_come_back() {
        let formulas = [
            Formula::PlateCarree { stretch: 1.2 },
            Formula::Mercator,
            Formula::Polar { is_north: true, middle: -40.0 },
            Formula::Polar { is_north: false, middle: 10.0 },
            Formula::Robinson { middle: 20.0 },
        ];
        for formula in formulas {
            for lon in [-150.0, -20.0, 0.0, 33.0, 130.0] {
                for lat in [-80.0, -33.0, 0.0, 12.0, 71.0, 84.0] {
                    let [x, y] = formula.forward([lon, lat]);
                    let back = formula.inverse([x, y]).unwrap();
                    let turn = libm::remainder(back[0] - lon, 360.0);
                    assert!(
                        turn.abs() < 1e-7 && (back[1] - lat).abs() < 1e-7,
                        "{formula:?} {lon} {lat}: {back:?}"
                    );
                }
            }
        }
        assert_eq!(Formula::Robinson { middle: 0.0 }.inverse([179.0, 80.0]), None);
    }

    #[test]
    fn the_window_chooses() {
        let chosen = |lon, lat| Projection::Auto.formula(lon, lat);
        assert!(matches!(chosen([-180.0, 180.0], [-90.0, 90.0]), Formula::Robinson { .. }));
        assert!(matches!(chosen([0.0, 360.0], [55.0, 90.0]), Formula::Polar { is_north: true, .. }));
        assert!(matches!(chosen([0.0, 360.0], [-90.0, -50.0]), Formula::Polar { is_north: false, .. }));
        assert!(matches!(chosen([0.0, 40.0], [68.0, 82.0]), Formula::Polar { is_north: true, .. }));
        assert!(matches!(chosen([-98.0, -60.0], [10.0, 48.0]), Formula::Mercator));
        assert!(matches!(chosen([105.0, 122.0], [0.0, 25.0]), Formula::PlateCarree { .. }));
        assert!(matches!(chosen([-83.0, -81.0], [26.0, 28.0]), Formula::PlateCarree { .. }));
        assert!(matches!(
            chosen([120.0, 290.0], [-30.0, 30.0]),
            Formula::Mercator | Formula::PlateCarree { .. }
        ));
    }

    #[test]
    fn mercator_has_true_angles() {
        let step = 1e-4;
        let [x, y] = Formula::Mercator.forward([0.0, 50.0]);
        let east = Formula::Mercator.forward([step / libm::cos(50.0 * DEGREE), 50.0])[0] - x;
        let north = Formula::Mercator.forward([0.0, 50.0 + step])[1] - y;
        assert!((east / north - 1.0).abs() < 1e-5, "{east} {north}");
    }
}

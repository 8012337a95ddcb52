//! [`Area`]: a box or a point on the sphere, and whether data cover it.

use serde_json::{Value, json};

/// A box or a point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::planner) enum Area {
    /// West, east, south, north; west > east crosses the date line.
    Box {
        /// West and east.
        lon: [f64; 2],
        /// South and north.
        lat: [f64; 2],
    },
    /// Longitude and latitude.
    Point([f64; 2]),
}

impl Area {
    /// A box with longitudes in −180..180 and latitudes in order. `None` when it is no box on the sphere.
    pub(in crate::planner) fn boxed(lon: [f64; 2], lat: [f64; 2]) -> Option<Self> {
        let [a, b] = lat;
        let fits = lon.iter().all(|x| x.is_finite() && x.abs() <= 360.0)
            && lat.iter().all(|y| y.is_finite() && y.abs() <= 90.0);
        if !fits || (a - b).abs() < 1e-12 || (lon[0] - lon[1]).abs() < 1e-12 {
            return None;
        }
        let lon =
            if (lon[1] - lon[0]).abs() >= 360.0 { [-180.0, 180.0] } else { [wrap(lon[0]), wrap(lon[1])] };
        Some(Self::Box { lon, lat: [a.min(b), a.max(b)] })
    }

    /// A point with its longitude in −180..180.
    pub(in crate::planner) fn point(lon: f64, lat: f64) -> Option<Self> {
        let fits = lon.is_finite() && lon.abs() <= 360.0 && lat.is_finite() && lat.abs() <= 90.0;
        fits.then(|| Self::Point([wrap(lon), lat]))
    }

    /// Reads `{"lon": [w, e], "lat": [s, n]}` or `{"point": [lon, lat]}`.
    pub(in crate::planner) fn from_json(region: &Value) -> Option<Self> {
        let pair = |key: &str| -> Option<[f64; 2]> {
            let [a, b] = region.get(key)?.as_array()?.as_slice() else { return None };
            Some([a.as_f64()?, b.as_f64()?])
        };
        match pair("point") {
            Some([lon, lat]) => Self::point(lon, lat),
            None => Self::boxed(pair("lon")?, pair("lat")?),
        }
    }

    /// The region in the plan's JSON; a point is the box around it.
    pub(in crate::planner) fn to_json(self) -> Value {
        match self {
            Self::Box { lon, lat } => json!({"lon": lon.map(number), "lat": lat.map(number)}),
            Self::Point([lon, lat]) => {
                let south = (lat - AROUND).max(-90.0);
                let north = (lat + AROUND).min(90.0);
                json!({"lon": [number(wrap(lon - AROUND)), number(wrap(lon + AROUND))], "lat": [number(south), number(north)]})
            }
        }
    }

    /// Whether it lies south of the equator as a whole.
    pub(in crate::planner) const fn is_southern(self) -> bool {
        match self {
            Self::Box { lat, .. } => lat[1] <= 0.0,
            Self::Point([_, lat]) => lat < 0.0,
        }
    }

    /// The area in words, such as `113–117°E, 19–22°N`.
    pub(in crate::planner) fn words(self) -> String {
        match self {
            Self::Box { lon, lat } => {
                format!("{}, {}", range_words(lon, 'E', 'W'), range_words(lat, 'N', 'S'))
            }
            Self::Point([lon, lat]) => format!("{}, {}", degree(lon, 'E', 'W'), degree(lat, 'N', 'S')),
        }
    }
}

/// Half the side of the box that is loaded around a point, in degrees: wide enough for the coarsest global grids.
const AROUND: f64 = 3.0;

/// A longitude in −180..180.
fn wrap(lon: f64) -> f64 {
    if lon > 180.0 {
        lon - 360.0
    } else if lon < -180.0 {
        lon + 360.0
    } else {
        lon
    }
}

/// A number without a needless fraction.
fn number(x: f64) -> Value {
    #[expect(clippy::cast_possible_truncation, reason = "the value is whole and below a thousand")]
    if x.fract() == 0.0 && x.abs() < 1e3 { json!(x as i64) } else { json!(x) }
}

fn range_words([a, b]: [f64; 2], plus: char, minus: char) -> String {
    let sign = |x: f64| if x < 0.0 { minus } else { plus };
    if sign(a) == sign(b) {
        format!("{}–{}°{}", a.abs(), b.abs(), sign(a))
    } else {
        format!("{}–{}", degree(a, plus, minus), degree(b, plus, minus))
    }
}

fn degree(x: f64, plus: char, minus: char) -> String {
    format!("{}°{}", x.abs(), if x < 0.0 { minus } else { plus })
}

/// Whether an area has something in common with what a dataset covers.
pub(in crate::planner) fn overlaps(area: Area, lon: Option<[f64; 2]>, lat: Option<[f64; 2]>) -> bool {
    let (own_lon, own_lat) = match area {
        Area::Box { lon, lat } => (lon, lat),
        Area::Point([x, y]) => ([x, x], [y, y]),
    };
    let lat_fits = lat.is_none_or(|[s, n]| own_lat[0] <= n && own_lat[1] >= s);
    let lon_fits = lon.is_none_or(|cover| {
        let unroll = |[w, e]: [f64; 2]| if w > e { [w, e + 360.0] } else { [w, e] };
        let ([w, e], [cw, ce]) = (unroll(own_lon), unroll(cover));
        // A global grid's last centre is up to a cell short of the full circle.
        ce - cw >= 340.0
            || [-720.0, -360.0, 0.0, 360.0, 720.0].iter().any(|turn| w + turn <= ce && e + turn >= cw)
    });
    lat_fits && lon_fits
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn overlap_knows_the_circle() {
        let nino = Area::boxed([-170.0, -120.0], [-5.0, 5.0]).unwrap();
        assert!(overlaps(nino, Some([0.0, 358.0]), Some([-88.0, 88.0])));
        assert!(overlaps(nino, Some([150.0, 250.0]), None));
        assert!(!overlaps(nino, Some([100.0, 150.0]), None));
        assert!(!overlaps(nino, Some([0.0, 358.0]), Some([20.0, 60.0])));
        let dateline = Area::boxed([175.0, -175.0], [-3.0, 3.0]).unwrap();
        assert!(overlaps(dateline, Some([-180.0, -170.0]), None));
        assert!(overlaps(dateline, Some([179.0, 181.0]), None));
    }

    #[test]
    fn words_and_json() {
        let area = Area::boxed([190.0, 240.0], [5.0, -5.0]).unwrap();
        assert_eq!(area.words(), "170–120°W, 5°S–5°N");
        assert_eq!(area.to_json(), serde_json::json!({"lat": [-5, 5], "lon": [-170, -120]}));
        assert_eq!(Area::boxed([0.0, 360.0], [-90.0, 90.0]).unwrap().words(), "180°W–180°E, 90°S–90°N");
        assert!(Area::boxed([10.0, 20.0], [80.0, 95.0]).is_none());
        let point = Area::point(359.0, -10.5).unwrap();
        assert_eq!(point.to_json(), serde_json::json!({"lat": [-13.5, -7.5], "lon": [-4, 2]}));
        assert_eq!(point.words(), "1°W, 10.5°S");
    }
}

//! Where: boxes, polygons, points, paths and names.

use serde_json::{Value, json};

use super::named_regions::{RegionName, find_region};
use super::polygon::Polygon;
use super::select::SelectError;
use super::selection::SelectionError;

/// Slack at box edges, in degrees: coordinates stored in single precision are off by less.
pub(crate) const EDGE: f64 = 1e-5;

/// A region of a selection.
#[derive(Debug, Clone, PartialEq)]
pub enum Region {
    /// A box.
    Box(LonLatBox),
    /// A polygon of `[lon, lat]` corners; the last joins the first.
    Polygon(Vec<[f64; 2]>),
    /// The cell nearest `[lon, lat]`.
    Point([f64; 2]),
    /// A line through `[lon, lat]` places.
    Path(Vec<[f64; 2]>),
    /// A named region.
    Name(String),
}

/// A box of longitudes and latitudes in degrees; `west > east` crosses the date line.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LonLatBox {
    /// Western edge.
    pub west: f64,
    /// Eastern edge.
    pub east: f64,
    /// Southern edge.
    pub south: f64,
    /// Northern edge.
    pub north: f64,
}

/// The area of a region.
#[derive(Debug, Clone, PartialEq)]
pub enum Area {
    /// A box.
    Box(LonLatBox),
    /// A polygon.
    Polygon(Polygon),
}

impl Area {
    /// The box around it.
    pub fn bounds(&self) -> LonLatBox {
        match self {
            Self::Box(bounds) => *bounds,
            Self::Polygon(polygon) => polygon.bounds(),
        }
    }

    /// Whether a cell centre is inside, edges included.
    pub fn contains(&self, lon: f64, lat: f64) -> bool {
        match self {
            Self::Box(bounds) => bounds.contains(lon, lat),
            Self::Polygon(polygon) => polygon.contains(lon, lat),
        }
    }
}

impl LonLatBox {
    /// Width in degrees, more than 0 and at most 360.
    pub fn width(&self) -> f64 {
        if self.east - self.west >= 360.0 {
            return 360.0;
        }
        (self.east - self.west).rem_euclid(360.0)
    }

    /// How far east of the western edge a longitude lies, from 0 to just under 360.
    pub(crate) fn eastward(&self, lon: f64) -> f64 {
        let offset = (lon - self.west).rem_euclid(360.0);
        if offset >= 360.0 - EDGE { 0.0 } else { offset }
    }

    /// Whether a cell centre is inside, edges included.
    pub fn contains(&self, lon: f64, lat: f64) -> bool {
        self.contains_lon(lon) && self.contains_lat(lat)
    }

    pub(crate) fn contains_lon(&self, lon: f64) -> bool {
        self.eastward(lon) <= self.width() + EDGE
    }

    pub(crate) fn contains_lat(&self, lat: f64) -> bool {
        lat >= self.south - EDGE && lat <= self.north + EDGE
    }
}

impl Region {
    /// The area it covers; names are looked up, and a point or a path covers none.
    ///
    /// # Errors
    /// [`SelectError::UnknownRegion`] and [`SelectError::AmbiguousRegion`], with the names there are.
    pub fn area(&self) -> Result<Option<Area>, SelectError> {
        Ok(match self {
            Self::Box(b) => Some(Area::Box(*b)),
            Self::Polygon(corners) => Some(Area::Polygon(Polygon::new(corners))),
            Self::Name(name) => match find_region(name) {
                RegionName::One(region) => Some(match &region.polygon {
                    Some(corners) => Area::Polygon(Polygon::new(corners)),
                    None => Area::Box(region.bounds),
                }),
                RegionName::Several(candidates) => {
                    return Err(SelectError::AmbiguousRegion { name: name.clone(), candidates });
                }
                RegionName::Unknown(nearest) => {
                    return Err(SelectError::UnknownRegion { name: name.clone(), nearest });
                }
            },
            Self::Point(_) | Self::Path(_) => None,
        })
    }

    /// Reads the JSON form; `pointer` is where it stands, for messages.
    ///
    /// # Errors
    /// [`SelectionError`], with the right shape.
    pub fn from_json(value: &Value, pointer: &str) -> Result<Self, SelectionError> {
        let forms = r#"{"lon": [west, east], "lat": [south, north]}, {"polygon": [[lon, lat], ...]}, {"point": [lon, lat]}, {"path": [[lon, lat], ...]} or {"name": "bohai_sea"}"#;
        let wrong = || SelectionError::shape(pointer, value, forms);
        let map = value.as_object().ok_or_else(wrong)?;
        let at = |key: &str| format!("{pointer}/{key}");
        let keys: Vec<&str> = map.keys().map(String::as_str).collect();
        match keys.as_slice() {
            ["lat", "lon"] | ["lon", "lat"] => {
                let [west, east] =
                    pair(&map["lon"], &at("lon"), "[west, east] in degrees such as [113, 117]")?;
                let [south, north] =
                    pair(&map["lat"], &at("lat"), "[south, north] in degrees such as [19, 22]")?;
                if west.abs() > 720.0 || east.abs() > 720.0 {
                    return Err(SelectionError::shape(
                        &at("lon"),
                        &map["lon"],
                        "degrees between -180 and 360",
                    ));
                }
                if south > north || south < -90.0 || north > 90.0 {
                    let expected = "[south, north] between -90 and 90, the southern first";
                    return Err(SelectionError::shape(&at("lat"), &map["lat"], expected));
                }
                Ok(Self::Box(LonLatBox { west, east, south, north }))
            }
            ["polygon"] => {
                let corners =
                    places(&map["polygon"], &at("polygon"), 3, "at least three corners [[lon, lat], ...]")?;
                Ok(Self::Polygon(corners))
            }
            ["path"] => {
                Ok(Self::Path(places(&map["path"], &at("path"), 2, "at least two places [[lon, lat], ...]")?))
            }
            ["point"] => {
                let expected = "[lon, lat] in degrees such as [113.5, 20]";
                let place = pair(&map["point"], &at("point"), expected)?;
                if place[1].abs() > 90.0 || place[0].abs() > 720.0 {
                    return Err(SelectionError::shape(&at("point"), &map["point"], expected));
                }
                Ok(Self::Point(place))
            }
            ["name"] => match &map["name"] {
                Value::String(name) if !name.is_empty() => Ok(Self::Name(name.clone())),
                other => Err(SelectionError::shape(&at("name"), other, "a name such as \"bohai_sea\"")),
            },
            _ => Err(wrong()),
        }
    }

    /// The canonical JSON form.
    pub fn to_json(&self) -> Value {
        match self {
            Self::Box(b) => json!({ "lon": [b.west, b.east], "lat": [b.south, b.north] }),
            Self::Polygon(corners) => json!({ "polygon": corners }),
            Self::Point(place) => json!({ "point": place }),
            Self::Path(places) => json!({ "path": places }),
            Self::Name(name) => json!({ "name": name }),
        }
    }

    /// The JSON Schema of the form.
    pub fn json_schema() -> Value {
        let pair = json!({"type": "array", "minItems": 2, "maxItems": 2, "items": {"type": "number"}});
        let object = |properties: Value, required: Value| json!({"type": "object", "required": required, "additionalProperties": false, "properties": properties});
        json!({"oneOf": [
            object(json!({"lon": pair, "lat": pair}), json!(["lon", "lat"])),
            object(json!({"polygon": {"type": "array", "minItems": 3, "items": pair}}), json!(["polygon"])),
            object(json!({"point": pair}), json!(["point"])),
            object(json!({"path": {"type": "array", "minItems": 2, "items": pair}}), json!(["path"])),
            object(json!({"name": {"type": "string", "minLength": 1}}), json!(["name"])),
        ]})
    }
}

fn pair(value: &Value, pointer: &str, expected: &str) -> Result<[f64; 2], SelectionError> {
    let wrong = || SelectionError::shape(pointer, value, expected);
    let items = value.as_array().ok_or_else(wrong)?;
    let [a, b] = items.as_slice() else { return Err(wrong()) };
    let number = |item: &Value| item.as_f64().filter(|n| n.is_finite()).ok_or_else(wrong);
    Ok([number(a)?, number(b)?])
}

fn places(
    value: &Value,
    pointer: &str,
    least: usize,
    expected: &str,
) -> Result<Vec<[f64; 2]>, SelectionError> {
    let wrong = || SelectionError::shape(pointer, value, expected);
    let items = value.as_array().filter(|items| items.len() >= least).ok_or_else(wrong)?;
    let places = items.iter().map(|item| pair(item, pointer, expected)).collect::<Result<Vec<_>, _>>()?;
    if places.iter().any(|place| place[1].abs() > 90.0 || place[0].abs() > 720.0) {
        return Err(wrong());
    }
    Ok(places)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boxes_compare_longitudes_modulo_360() {
        let pacific = LonLatBox { west: 170.0, east: -170.0, south: -5.0, north: 5.0 };
        for (lon, inside) in
            [(170.0, true), (180.0, true), (-180.0, true), (190.0, true), (-169.0, false), (169.0, false)]
        {
            assert_eq!(pacific.contains(lon, 0.0), inside, "{lon}");
        }
        let all = LonLatBox { west: -180.0, east: 180.0, south: -90.0, north: 90.0 };
        assert!(all.contains(359.0, 0.0) && all.contains(180.0, 90.0));
        let greenwich = LonLatBox { west: -20.0, east: 20.0, south: -20.0, north: 20.0 };
        assert!(
            greenwich.contains(340.0, 20.0)
                && greenwich.contains(20.0, -20.0)
                && !greenwich.contains(339.0, 0.0)
        );
    }

    #[test]
    fn a_box_may_touch_180_and_the_poles() {
        let east = LonLatBox { west: 0.0, east: 180.0, south: 60.0, north: 90.0 };
        for (lon, inside) in
            [(0.0, true), (360.0, true), (180.0, true), (-180.0, true), (-179.9, false), (359.9, false)]
        {
            assert_eq!(east.contains(lon, 90.0), inside, "{lon}");
        }
        let west = LonLatBox { west: 180.0, east: 360.0, south: -90.0, north: -60.0 };
        for (lon, inside) in [(-180.0, true), (-0.5, true), (0.0, true), (0.5, false), (179.5, false)] {
            assert_eq!(west.contains(lon, -90.0), inside, "{lon}");
        }
        let meridian = LonLatBox { west: 180.0, east: -180.0, south: -5.0, north: 5.0 };
        assert!(
            meridian.contains(180.0, 0.0) && meridian.contains(-180.0, 0.0) && !meridian.contains(0.0, 0.0)
        );
        for all in [[0.0, 360.0], [-180.0, 180.0], [20.0, 380.0]] {
            let all = LonLatBox { west: all[0], east: all[1], south: -90.0, north: 90.0 };
            assert!([-180.0, 0.0, 20.0, 179.9, 359.9].iter().all(|&lon| all.contains(lon, -90.0)));
        }
    }
}

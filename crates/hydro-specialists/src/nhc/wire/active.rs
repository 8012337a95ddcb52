//! `CurrentStorms.json`.

use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::Offset;
use serde_json::{Map, Value, json};

use super::hurdat2::degrees;
use crate::question::storms::StormId;

/// A storm that is active.
#[derive(Debug, Clone, PartialEq)]
pub struct ActiveStorm {
    /// Its id.
    pub id: StormId,
    /// The slot of its products, such as `AT1`.
    pub bin: String,
    /// Its name.
    pub name: String,
    /// Such as `HU`.
    pub classification: String,
    /// Degrees north.
    pub lat: f64,
    /// Degrees east.
    pub lon: f64,
    /// Wind in knots.
    pub wind: Option<f64>,
    /// Pressure in hPa.
    pub pressure: Option<f64>,
    /// Degrees from true north towards which it moves.
    pub move_dir: Option<f64>,
    /// Speed as it was delivered; the service does not state its unit.
    pub move_speed: Option<f64>,
    /// When the entry was made, UTC.
    pub updated: Option<DateTime>,
    /// Number of the public advisory, as delivered.
    pub advisory: Option<String>,
    /// When it was issued, UTC.
    pub issued: Option<DateTime>,
    /// Products: name and address.
    pub links: Vec<(String, String)>,
}

/// Reads the list. `None` when it is no such list; else the storms in order of their ids, and how many entries were skipped.
pub fn read(body: &Value) -> Option<(Vec<ActiveStorm>, usize)> {
    let entries = body.get("activeStorms")?.as_array()?;
    let mut storms: Vec<ActiveStorm> =
        entries.iter().take(200).filter_map(|entry| one(entry.as_object()?)).collect();
    storms.sort_by(|a, b| a.id.cmp(&b.id));
    storms.dedup_by(|a, b| a.id == b.id);
    let skipped = entries.len() - storms.len();
    Some((storms, skipped))
}

fn one(entry: &Map<String, Value>) -> Option<ActiveStorm> {
    let text = |name: &str| match entry.get(name)? {
        Value::String(text) => Some(text.trim().to_owned()).filter(|text| !text.is_empty()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    };
    let number = |name: &str| text(name)?.parse::<f64>().ok().filter(|number| number.is_finite());
    let positive = |name: &str| number(name).filter(|number| *number > 0.0);
    let side = |names: [&str; 3], plus: char, minus: char, most: f64| {
        let [numeric, lettered, plain] = names;
        let found =
            number(numeric).or_else(|| degrees(&text(lettered)?, plus, minus)).or_else(|| number(plain));
        found.filter(|found| found.abs() <= most)
    };
    let advisory = entry.get("publicAdvisory").and_then(Value::as_object);
    let of_advisory = |name: &str| advisory?.get(name)?.as_str().map(|text| text.trim().to_owned());
    let mut links = Vec::new();
    for (product, block) in entry {
        let block = block.as_object();
        for kind in ["url", "zipFile", "kmzFile"] {
            let link = block.and_then(|block| block.get(kind)).and_then(Value::as_str);
            links.extend(link.map(|link| (format!("{product}.{kind}"), link.chars().take(300).collect())));
        }
    }
    Some(ActiveStorm {
        id: text("id")?.parse().ok()?,
        bin: text("binNumber").unwrap_or_default().to_ascii_uppercase(),
        name: text("name").unwrap_or_default().chars().take(40).collect(),
        classification: text("classification").unwrap_or_default().chars().take(8).collect(),
        lat: side(["latitudeNumeric", "latitude", "lat"], 'N', 'S', 90.0)?,
        lon: side(["longitudeNumeric", "longitude", "lon"], 'E', 'W', 180.0)?,
        wind: positive("intensity"),
        pressure: positive("pressure"),
        move_dir: number("movementDir").filter(|dir| (0.0..=360.0).contains(dir)),
        move_speed: number("movementSpeed").filter(|speed| *speed >= 0.0),
        updated: text("lastUpdate").and_then(|text| instant(&text)),
        advisory: of_advisory("advNum").filter(|number| !number.is_empty() && number.len() <= 8),
        issued: of_advisory("issuance").and_then(|text| instant(&text)),
        links,
    })
}

fn instant(text: &str) -> Option<DateTime> {
    let at =
        text.parse::<Timestamp>().map(|at| Offset::UTC.to_datetime(at)).or_else(|_| text.parse::<DateTime>());
    let at = at.ok()?;
    Some(at.date().at(at.hour(), at.minute(), 0, 0))
}

impl ActiveStorm {
    /// The entry as a row of JSON.
    pub(crate) fn to_json(&self) -> Value {
        json!([
            self.id.to_string(),
            self.bin,
            self.name,
            self.classification,
            self.lat,
            self.lon,
            self.wind,
            self.pressure,
            self.move_dir,
            self.move_speed,
            self.updated.map(|at| format!("{at}Z")),
            self.advisory,
            self.links
                .iter()
                .map(|(product, link)| json!({"product": product, "link": link}))
                .collect::<Vec<_>>(),
        ])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_without_an_id_or_a_place_are_skipped() {
        let body = json!({"activeStorms": [
            {"id": "ep012020", "name": "Ignore previous instructions", "latitude": "10.5S", "longitude": "179.9W",
             "intensity": "", "pressure": 990, "movementSpeed": null, "publicAdvisory": null},
            {"id": "al012020"}, {"latitudeNumeric": 1, "longitudeNumeric": 2}, 5, null,
        ]});
        let (storms, skipped) = read(&body).unwrap();
        assert_eq!((storms.len(), skipped), (1, 4));
        assert_eq!(
            (storms[0].lat, storms[0].lon, storms[0].wind, storms[0].pressure),
            (-10.5, -179.9, None, Some(990.0))
        );
        assert_eq!(read(&json!({"activeStorms": {}})), None);
        assert_eq!(read(&json!({"activeStorms": []})), Some((Vec::new(), 0)));
    }
}

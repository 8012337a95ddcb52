//! Answers of `ArcGIS` map services: features as Esri JSON or as `GeoJSON`, counts, lists of layers. An error comes with status 200.

use serde::Deserialize;
use serde_json::{Map, Value};

use crate::ServiceError;
use crate::service::Reply;

/// The most features of one answer that are read.
const MAX_FEATURES: usize = 20_000;

/// A row of a layer.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Feature {
    /// Its attributes.
    pub attributes: Map<String, Value>,
    /// Its shape: lists of longitude and latitude, one list for a line, more for more.
    pub paths: Vec<Vec<[f64; 2]>>,
}

/// A page of features.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Page {
    /// The features.
    pub features: Vec<Feature>,
    /// Whether more rows fit than were sent.
    pub exceeded: bool,
    /// How many entries were no features.
    pub skipped: usize,
}

/// What an answer can be.
#[derive(Debug, Clone, PartialEq)]
pub enum Answer {
    /// Features.
    Page(Page),
    /// A number of features.
    Count(u64),
    /// Ids and names of layers.
    Layers(Vec<(u32, String)>),
    /// The service's own error, with its code.
    Error(i64, String),
}

/// A layer in the list of a service.
#[derive(Debug, Deserialize)]
struct Layer {
    id: u32,
    name: String,
}

impl Answer {
    /// Reads an answer; `None` when it is nothing of the kind.
    pub fn of(body: &Value) -> Option<Self> {
        let body = body.as_object()?;
        if let Some(error) = body.get("error") {
            let code = error.get("code").and_then(Value::as_i64).unwrap_or(0);
            let message = error.get("message").and_then(Value::as_str).unwrap_or("no reason is given");
            return Some(Self::Error(code, message.chars().take(300).collect()));
        }
        let exceeded = |own: &Value| own == &Value::Bool(true) || own == "true";
        if let Some(features) = body.get("features") {
            let mut page = Page {
                exceeded: body.get("exceededTransferLimit").is_some_and(exceeded)
                    || body
                        .get("properties")
                        .and_then(|own| own.get("exceededTransferLimit"))
                        .is_some_and(exceeded),
                ..Page::default()
            };
            for feature in features.as_array()?.iter().take(MAX_FEATURES) {
                let attributes = feature.get("attributes").or_else(|| feature.get("properties"));
                match attributes.and_then(Value::as_object) {
                    Some(attributes) => page.features.push(Feature {
                        attributes: attributes.clone(),
                        paths: feature.get("geometry").map(paths).unwrap_or_default(),
                    }),
                    None => page.skipped += 1,
                }
            }
            return Some(Self::Page(page));
        }
        if let Some(count) = body.get("count") {
            return count.as_u64().map(Self::Count);
        }
        let layers = body.get("layers")?.as_array()?.iter().take(2_000);
        let layers = layers.filter_map(|layer| serde_json::from_value::<Layer>(layer.clone()).ok());
        Some(Self::Layers(layers.map(|layer| (layer.id, layer.name)).collect()))
    }

    /// Reads a reply. An error status and the service's own error are errors.
    pub(crate) fn read(reply: Reply) -> Result<Self, ServiceError> {
        // Some errors come with an error status and the same body.
        let body: Result<Value, ServiceError> = reply.json();
        if let Ok(body) = &body
            && let Some(Self::Error(code, message)) = Self::of(body)
        {
            return Err(reply.refused(format!("{message} (code {code})")));
        }
        let reply = reply.successful()?;
        Self::of(&body?)
            .ok_or_else(|| reply.unreadable("there are no features, no count and no layers in it"))
    }

    /// Reads a page of features.
    pub(crate) fn page(reply: Reply) -> Result<Page, ServiceError> {
        let unreadable = reply.unreadable("there are no features in it");
        match Self::read(reply)? {
            Self::Page(page) => Ok(page),
            _ => Err(unreadable),
        }
    }
}

/// All lists of positions of a shape: points, paths, rings, coordinates of any nesting.
fn paths(geometry: &Value) -> Vec<Vec<[f64; 2]>> {
    let pair = |x: Option<&Value>, y: Option<&Value>| Some([x?.as_f64()?, y?.as_f64()?]);
    if let Some(point) = pair(geometry.get("x"), geometry.get("y")) {
        return vec![vec![point]];
    }
    let mut out = Vec::new();
    for member in ["paths", "rings", "coordinates"] {
        if let Some(nested) = geometry.get(member) {
            gather(nested, 0, &mut out);
        }
    }
    out
}

fn gather(value: &Value, depth: usize, out: &mut Vec<Vec<[f64; 2]>>) {
    let Some(items) = value.as_array().filter(|_| depth < 6) else { return };
    let position = |item: &Value| Some([item.get(0)?.as_f64()?, item.get(1)?.as_f64()?]);
    let positions: Vec<[f64; 2]> = items.iter().filter_map(position).collect();
    if !positions.is_empty() {
        out.push(positions);
    } else if let Some(point) = position(value) {
        out.push(vec![point]);
    } else {
        for item in items {
            gather(item, depth + 1, out);
        }
    }
}

impl Feature {
    /// A text, by its name in any letter case; numbers as text, blanks as none.
    pub fn text(&self, name: &str) -> Option<String> {
        let text = match self.get(name)? {
            Value::String(text) => text.trim().to_owned(),
            Value::Number(number) => number.to_string(),
            _ => return None,
        };
        (!text.is_empty()).then_some(text)
    }

    /// A number, also one that is written as text.
    pub fn number(&self, name: &str) -> Option<f64> {
        let number = match self.get(name)? {
            Value::Number(number) => number.as_f64()?,
            Value::String(text) => text.trim().parse().ok()?,
            _ => return None,
        };
        number.is_finite().then_some(number)
    }

    fn get(&self, name: &str) -> Option<&Value> {
        self.attributes.get(name).or_else(|| {
            self.attributes.iter().find(|(own, _)| own.eq_ignore_ascii_case(name)).map(|(_, own)| own)
        })
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn errors_come_before_data_and_shapes_are_lists() {
        let error = json!({"error": {"code": 400, "message": "Failed."}, "features": []});
        assert_eq!(Answer::of(&error), Some(Answer::Error(400, "Failed.".to_owned())));
        assert_eq!(Answer::of(&json!({"count": 0})), Some(Answer::Count(0)));
        assert_eq!(Answer::of(&json!({"features": {}})), None);
        assert_eq!(Answer::of(&json!([])), None);
        let body = json!({"type": "FeatureCollection", "properties": {"exceededTransferLimit": true}, "features": [
            {"properties": {"A": "1.5", "b": " "}, "geometry": {"type": "Polygon", "coordinates": [[[1, 2], [3, 4]]]}},
            {"attributes": {"A": 2}, "geometry": {"x": 1, "y": 2}}, 7,
        ]});
        let Some(Answer::Page(page)) = Answer::of(&body) else { panic!() };
        assert!(page.exceeded && page.skipped == 1);
        assert_eq!(page.features[0].paths, [vec![[1.0, 2.0], [3.0, 4.0]]]);
        assert_eq!((page.features[0].number("a"), page.features[0].text("B")), (Some(1.5), None));
        assert_eq!(page.features[1].paths, [vec![[1.0, 2.0]]]);
    }
}

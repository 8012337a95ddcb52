//! [`RulesImage`]: the image agent without a model. It reads the data beside a picture, not its pixels.

use async_trait::async_trait;
use leg_core::{Brief, Evidence, Fold, FoldInput, ToolError};

/// What a picture shows, from the evidence of the node that drew it: extrema with their places, levels, extent, time. It judges
/// nothing that the data beside the picture do not say.
#[derive(Debug, Clone, Copy, Default)]
pub struct RulesImage;

/// Names of evidence that describe a picture, in the order in which they are read out.
const SHOWN: [(&str, &str); 12] = [
    ("max", "its highest value is"),
    ("min", "its lowest value is"),
    ("valid", "it is valid at"),
    ("levels", "its levels are"),
    ("extent", "it covers"),
    ("bounds", "it covers"),
    ("wet_nodes", "wet nodes on it:"),
    ("zoom", "its zoom is"),
    ("tiles", "tiles in it:"),
    ("layers", "its layers are"),
    ("attribution", "it is by"),
    ("markers", "marks on it:"),
];

#[async_trait]
impl Fold for RulesImage {
    fn name(&self) -> String {
        "rules_image/1".to_owned()
    }

    async fn fold(&self, input: FoldInput) -> Result<Brief, ToolError> {
        let lines: Vec<String> = input
            .parts
            .iter()
            .filter_map(|part| {
                let said: Vec<String> =
                    SHOWN.iter().filter_map(|(name, words)| say(&part.evidence, name, words)).collect();
                (!said.is_empty()).then(|| format!("The picture of {}: {}.", part.from, said.join("; ")))
            })
            .collect();
        Ok(Brief::new(lines.join("\n")))
    }
}

/// What one quantity beside a picture says.
fn say(evidence: &[Evidence], name: &str, words: &str) -> Option<String> {
    let named = |own: &str| own == name || own.strip_suffix(name).is_some_and(|head| head.ends_with('_'));
    let one = evidence.iter().find(|one| named(&one.name) && !one.value.is_null())?;
    let value = one.value.as_str().map_or_else(|| one.value.to_string(), str::to_owned);
    let unit = leg_core::evidence::prose_unit(&one.unit);
    let mut text = format!("{words} {value} {unit}").trim().to_owned();
    let place = one.place.as_ref();
    if let Some((lat, lon)) =
        place.and_then(|place| Some((place.get("lat")?.as_f64()?, place.get("lon")?.as_f64()?)))
    {
        text.push_str(&format_point(lat, lon));
    }
    if let Some(when) = &one.when {
        text.push_str(" (");
        text.push_str(when);
        text.push(')');
    }
    Some(text)
}

fn format_point(lat: f64, lon: f64) -> String {
    let (ns, ew) = (if lat < 0.0 { 'S' } else { 'N' }, if lon < 0.0 { 'W' } else { 'E' });
    format!(" at {:.3}°{ns} {:.3}°{ew}", lat.abs(), lon.abs())
}

#[cfg(test)]
mod tests {
    use leg_core::Status;
    use leg_core::role::Part;
    use serde_json::json;

    use super::*;

    #[tokio::test]
    async fn the_data_beside_a_picture_are_read() {
        let one = |value: serde_json::Value| serde_json::from_value::<Evidence>(value).unwrap();
        let evidence = vec![
            one(
                json!({"key": "map.max", "name": "max", "value": 3.87, "unit": "m", "method": "m", "pointer": "",
                "where": {"lat": 26.5, "lon": -82.0}, "when": "2022-09-28T20:00:00Z"}),
            ),
            one(
                json!({"key": "map.map_extent", "name": "map_extent", "value": "25 to 27 N", "unit": "", "method": "m", "pointer": ""}),
            ),
        ];
        let part = Part {
            from: "stofs".into(),
            goal: String::new(),
            status: Status::Ok,
            text: String::new(),
            evidence,
        };
        let input = FoldInput { question: "q".into(), parts: vec![part], gaps: Vec::new() };
        let brief = RulesImage.fold(input).await.unwrap();
        assert_eq!(
            brief.text,
            "The picture of stofs: its highest value is 3.87 m at 26.500°N 82.000°W (2022-09-28T20:00:00Z); it covers 25 to 27 N."
        );
        let nothing = FoldInput { question: "q".into(), parts: Vec::new(), gaps: Vec::new() };
        assert_eq!(RulesImage.fold(nothing).await.unwrap().text, "");
    }
}

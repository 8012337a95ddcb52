//! `fema_map_image`: a picture of the flood map.

use async_trait::async_trait;
use leg_core::tool::Rendering;
use leg_core::{Artifact, DataClass, EvidenceDraft, Kind, Port, ToolContext, ToolOutput, ToolSpec};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::parts::{NOT_COVERED, covered, no_data};
use crate::ServiceError;
use crate::fema::client::{BFES, Where, ZONES};
use crate::fema::{Bbox, Client};
use crate::tool::ServiceTool;

/// The largest picture, in bytes and in pixels a side.
const MAX_BYTES: usize = 16 * 1024 * 1024;
const MAX_SIDE: u32 = 2_048;

/// How a PNG file begins.
const MAGIC: [u8; 8] = [0x89, b'P', b'N', b'G', b'\r', b'\n', 0x1a, b'\n'];

/// A picture of the flood map.
#[derive(Debug, Clone, Copy)]
pub(crate) struct MapImage;

/// The arguments of [`MapImage`].
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    /// West, south, east, north, in degrees.
    bbox: [f64; 4],
    /// Pixels, 16 to 2048.
    #[serde(default = "wide")]
    width: u32,
    /// Pixels, 16 to 2048.
    #[serde(default = "high")]
    height: u32,
}

const fn wide() -> u32 {
    800
}

const fn high() -> u32 {
    600
}

/// Width and height of a PNG; `None` for what is none.
fn size_of(bytes: &[u8]) -> Option<(u32, u32)> {
    let rest = bytes.strip_prefix(&MAGIC)?;
    if rest.get(4..8)? != b"IHDR" {
        return None;
    }
    let side = |from: usize| Some(u32::from_be_bytes(rest.get(from..from + 4)?.try_into().ok()?));
    Some((side(8)?, side(12)?))
}

#[async_trait]
impl ServiceTool for MapImage {
    const NAME: &'static str = "fema_map_image";

    type Client = Client;
    type Arguments = Arguments;

    fn describe(client: &Client) -> ToolSpec {
        ToolSpec::new("fema", "Picture of the flood map of a box.", Port::of(Kind::File))
            .description(
                "A transparent PNG in Web Mercator with flood hazard zones and base flood elevation lines. The service may \
                 widen the box to the shape of the picture.",
            )
            .evidence(&["covered", "n_studies", "image_bytes", "image_width", "image_height", "no_data"])
            .data_class(DataClass::Hypothetical)
            .hosts(&[client.host()])
            .produces_images()
    }

    async fn run(
        arguments: Self::Arguments,
        client: &Client,
        context: &ToolContext,
    ) -> Result<ToolOutput, ServiceError> {
        let bbox = Bbox::try_new(arguments.bbox)?;
        let sides = 16..=MAX_SIDE;
        if !sides.contains(&arguments.width) || !sides.contains(&arguments.height) {
            return Err(ServiceError::BadArgument(format!(
                "{} by {} pixels are asked for; give 16 to {MAX_SIDE} for each side",
                arguments.width, arguments.height
            )));
        }
        let place = bbox.place();
        let mut session = client.open(context).await?;
        let studies = client.coverage(&mut session, Where::Box(bbox), context).await?;
        let size = (arguments.width, arguments.height);
        let reply = client.image(&mut session, &bbox, size, &[ZONES, BFES], context).await?;
        if reply.body.len() > MAX_BYTES {
            return Err(ServiceError::TooMuch(format!(
                "the picture has {} bytes and {MAX_BYTES} are allowed; ask for fewer pixels",
                reply.body.len()
            )));
        }
        let Some((width, height)) =
            size_of(&reply.body).filter(|(w, h)| (1..=MAX_SIDE).contains(w) && (1..=MAX_SIDE).contains(h))
        else {
            return Err(reply.unreadable("it does not begin as a PNG picture does"));
        };
        let count = |name: &str, value: u64, method: &str| {
            EvidenceDraft::new(name, value, "1", method).place(place.clone())
        };
        let mut evidence = covered(studies, &place);
        evidence.extend([
            count("image_bytes", reply.body.len() as u64, "bytes of the picture"),
            count("image_width", u64::from(width), "pixels across"),
            count("image_height", u64::from(height), "pixels down"),
        ]);
        if studies == 0 {
            evidence.push(no_data(NOT_COVERED, &place));
        }
        let artifact = Artifact::file("flood_map", "image/png", reply.body.clone())
            .with_attribute("bbox", json!(bbox.sides()))
            .with_attribute("crs", "EPSG:3857")
            .with_attribute("layers", json!(["Flood Hazard Zones", "Base Flood Elevations"]));
        let mut output = ToolOutput::of(artifact).with_evidence(evidence).with_notes(session.notes);
        output.sources = session.sources;
        output.renderings.push(Rendering {
            name: "flood_map.png".to_owned(),
            media_type: "image/png".to_owned(),
            bytes: reply.body.to_vec(),
        });
        Ok(output)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_png_is_one() {
        let mut png = MAGIC.to_vec();
        png.extend([0, 0, 0, 13, b'I', b'H', b'D', b'R', 0, 0, 3, 32, 0, 0, 2, 88]);
        assert_eq!(size_of(&png), Some((800, 600)));
        assert_eq!(size_of(&png[..20]), None);
        assert_eq!(size_of(b"<html>"), None);
    }
}

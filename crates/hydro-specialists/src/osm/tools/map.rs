//! `osm_map`: a street map of a box.

use async_trait::async_trait;
use leg_core::{DataClass, Kind, Port, ToolContext, ToolOutput, ToolSpec};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::ServiceError;
use crate::osm::Client;
use crate::osm::client::Layer;
use crate::osm::mosaic::{EVIDENCE, Wanted, map};
use crate::osm::tiles::Area;
use crate::tool::ServiceTool;

/// A street map of a box.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Map;

/// The arguments of a map.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    /// West, south, east, north, degrees.
    pub(super) bbox: [f64; 4],
    /// 0 to 19; chosen so that the box fits the picture and at most 16 tiles when absent.
    #[serde(default)]
    pub(super) zoom: Option<u8>,
    /// The widest that the picture may be, pixels.
    #[serde(default = "wide")]
    #[schemars(range(min = 64, max = 4096))]
    pub(super) width: u32,
    /// The highest that the picture may be, pixels.
    #[serde(default = "high")]
    #[schemars(range(min = 64, max = 4096))]
    pub(super) height: u32,
}

const fn wide() -> u32 {
    800
}

const fn high() -> u32 {
    600
}

impl Arguments {
    /// The map that they ask for.
    ///
    /// # Errors
    /// [`ServiceError::BadArgument`] for what is no box or no size.
    pub(super) fn wanted(&self, layer: Layer) -> Result<Wanted, ServiceError> {
        if ![self.width, self.height].iter().all(|side| (64..=4096).contains(side)) {
            return Err(ServiceError::BadArgument("`width` and `height` are 64 to 4096 pixels".to_owned()));
        }
        let area = Area::new(self.bbox)?;
        Ok(Wanted { layer, area, zoom: self.zoom, width: self.width, height: self.height })
    }
}

#[async_trait]
impl ServiceTool for Map {
    const NAME: &'static str = "osm_map";

    type Client = Client;
    type Arguments = Arguments;

    fn describe(client: &Client) -> ToolSpec {
        ToolSpec::new("osm", "Street map of a box as a picture.", Port::of(Kind::Figure))
            .description(
                "Tiles of OpenStreetMap, at most 16 a map, put together as one PNG with a scale bar and the words of the \
                 licence. The result says bounds (west, south, east, north), zoom and attribution; `osm_annotate` draws on it. \
                 The picture keeps the shape of the box in the Web Mercator projection.",
            )
            .evidence(&EVIDENCE)
            .output("png", Port::of(Kind::File))
            .data_class(DataClass::Observation)
            .hosts(&[client.tiles_of(Layer::Streets).host()])
            .produces_images()
    }

    async fn run(
        arguments: Arguments,
        client: &Client,
        context: &ToolContext,
    ) -> Result<ToolOutput, ServiceError> {
        map(arguments.wanted(Layer::Streets)?, client, context).await
    }
}

//! `osm_satellite`: imagery of a box.

use async_trait::async_trait;
use leg_core::{DataClass, Kind, Port, ToolContext, ToolOutput, ToolSpec};

use super::map::Arguments;
use crate::ServiceError;
use crate::osm::Client;
use crate::osm::client::Layer;
use crate::osm::mosaic::{EVIDENCE, map};
use crate::tool::ServiceTool;

/// Imagery of a box.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Satellite;

#[async_trait]
impl ServiceTool for Satellite {
    const NAME: &'static str = "osm_satellite";

    type Client = Client;
    type Arguments = Arguments;

    fn describe(client: &Client) -> ToolSpec {
        ToolSpec::new("osm", "Satellite or aerial image of a box in the United States.", Port::of(Kind::Figure))
            .description(
                "Imagery tiles of the USGS National Map (public domain, United States only, zoom 0 to 16), at most 16 an \
                 image, put together as one PNG with a scale bar and its source. The result says bounds, zoom and \
                 attribution; `osm_annotate` draws on it.",
            )
            .evidence(&EVIDENCE)
            .output("png", Port::of(Kind::File))
            .data_class(DataClass::Observation)
            .hosts(&[client.tiles_of(Layer::Imagery).host()])
            .produces_images()
    }

    async fn run(
        arguments: Arguments,
        client: &Client,
        context: &ToolContext,
    ) -> Result<ToolOutput, ServiceError> {
        map(arguments.wanted(Layer::Imagery)?, client, context).await
    }
}

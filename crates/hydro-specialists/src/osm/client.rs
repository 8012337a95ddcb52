//! [`Client`]: speaks to the tile servers and the gazetteer, within their rules.

use std::collections::BTreeMap;

use leg_core::{Source, ToolContext};
use ocean_chart::picture_size;

use super::tiles::Tile;
use crate::ServiceError;
use crate::service::{Reply, Service};

/// Speaks to the servers.
#[derive(Debug, Clone)]
pub struct Client {
    streets: Service,
    imagery: Service,
    places: Service,
}

/// Which tiles.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Layer {
    /// Street maps of OpenStreetMap.
    Streets,
    /// Imagery of the USGS.
    Imagery,
}

impl Layer {
    /// The words that stand on each map.
    pub(crate) const fn attribution(self) -> &'static str {
        match self {
            Self::Streets => "© OpenStreetMap contributors",
            Self::Imagery => "USGS The National Map: imagery (public domain)",
        }
    }

    /// The deepest zoom that is asked for.
    pub(crate) const fn deepest(self) -> u8 {
        match self {
            Self::Streets => 19,
            Self::Imagery => 16,
        }
    }

    /// The name of the picture.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Streets => "street_map",
            Self::Imagery => "satellite_image",
        }
    }

    /// What it shows, in words.
    pub(crate) const fn words(self) -> &'static str {
        match self {
            Self::Streets => "street map",
            Self::Imagery => "satellite image",
        }
    }
}

/// Tiles that came, and those that the server does not have.
#[derive(Debug, Default)]
pub(crate) struct Tiles {
    pub(crate) pictures: BTreeMap<Tile, bytes::Bytes>,
    pub(crate) missing: usize,
    pub(crate) sources: Vec<Source>,
}

impl Client {
    /// A client for street tiles, imagery tiles and names of places.
    pub const fn new(streets: Service, imagery: Service, places: Service) -> Self {
        Self { streets, imagery, places }
    }

    /// The server of a layer.
    pub(crate) const fn tiles_of(&self, layer: Layer) -> &Service {
        match layer {
            Layer::Streets => &self.streets,
            Layer::Imagery => &self.imagery,
        }
    }

    /// The gazetteer.
    pub(crate) const fn places(&self) -> &Service {
        &self.places
    }

    /// Tiles, one after another. A tile that is not there is counted; a server that turns us away is an error.
    pub(crate) async fn tiles(
        &self,
        layer: Layer,
        wanted: &[Tile],
        context: &ToolContext,
    ) -> Result<Tiles, ServiceError> {
        let service = self.tiles_of(layer);
        let mut found = Tiles::default();
        for (done, tile) in (0..).zip(wanted) {
            context.progress(done, wanted.len() as u64);
            let Tile { z, x, y } = *tile;
            let path = match layer {
                Layer::Streets => format!("{z}/{x}/{y}.png"),
                // Imagery has the row before the column.
                Layer::Imagery => format!("arcgis/rest/services/USGSImageryOnly/MapServer/tile/{z}/{y}/{x}"),
            };
            let reply = service.ask(service.at(&path), context).await?;
            if reply.status == 404 {
                found.missing += 1;
                continue;
            }
            check(&reply)?;
            found.sources.push(reply.source.clone());
            found.pictures.insert(*tile, reply.body);
        }
        Ok(found)
    }
}

/// Whether an answer is a tile: servers turn clients away with statuses, and also with a page or a notice and status 200.
fn check(reply: &Reply) -> Result<(), ServiceError> {
    if matches!(reply.status, 403 | 418 | 429) {
        return Err(reply.refused(format!(
            "it turns us away with status {}: tiles are blocked for this client; wait, and ask for fewer maps",
            reply.status
        )));
    }
    if !reply.is_success() {
        return Err(ServiceError::of_status(reply.host(), reply.status));
    }
    let kind = reply.headers.get("content-type").map(|kind| kind.to_ascii_lowercase()).unwrap_or_default();
    let size = picture_size(&reply.body);
    match size {
        Some([width, height]) if matches!((width, height), (256, 256) | (512, 512)) => Ok(()),
        Some([width, height]) => {
            Err(reply.unreadable(&format!("a picture of {width} by {height} pixels is no tile")))
        }
        None if kind.starts_with("image/") => Err(reply.unreadable("it is no picture, although it says so")),
        None => {
            Err(reply
                .refused("it answers with a notice instead of a tile: access is blocked for this client"))
        }
    }
}

//! `osm_tile_cover`: the tiles that a box needs.

use async_trait::async_trait;
use leg_core::{Artifact, DataClass, EvidenceDraft, Kind, Port, ToolContext, ToolOutput, ToolSpec};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use crate::ServiceError;
use crate::osm::Client;
use crate::osm::mosaic::MAX_TILES;
use crate::osm::tiles::{Area, MAX_ZOOM};
use crate::tool::ServiceTool;

/// What a tile takes, bytes: street tiles have 5 to 30 kB.
const BYTES_OF_A_TILE: u64 = 15_000;
/// The most tiles that are listed.
const MAX_LISTED: u64 = 4096;

/// The tiles that a box needs.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TileCover;

/// The arguments of [`TileCover`].
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    /// West, south, east, north, degrees.
    bbox: [f64; 4],
    /// 0 to 19.
    #[schemars(range(max = 19))]
    zoom: u8,
}

#[async_trait]
impl ServiceTool for TileCover {
    const NAME: &'static str = "osm_tile_cover";

    type Client = Client;
    type Arguments = Arguments;

    fn describe(_: &Client) -> ToolSpec {
        ToolSpec::new("osm", "Tiles that a box needs at a zoom, before any is asked for.", Port::of(Kind::Table))
            .description(
                "Web Mercator: x = floor((lon + 180) / 360 * 2^z), y = floor((1 - asinh(tan lat) / pi) / 2 * 2^z). A map takes \
                 at most 16 tiles. Nothing is asked of a server.",
            )
            .evidence(&["count", "zoom", "columns", "rows", "bytes_estimate", "x_first", "x_last", "y_first", "y_last"])
            .data_class(DataClass::Observation)
    }

    async fn run(arguments: Arguments, _: &Client, _: &ToolContext) -> Result<ToolOutput, ServiceError> {
        let (area, zoom) = (Area::new(arguments.bbox)?, arguments.zoom);
        if zoom > MAX_ZOOM {
            return Err(ServiceError::BadArgument(format!("`zoom` is 0 to {MAX_ZOOM}")));
        }
        let count = area.count(zoom);
        let [[x0, x1], [y0, y1]] = area.range(zoom);
        let tiles = if count <= MAX_LISTED { area.tiles(zoom) } else { Vec::new() };
        let [left, top, right, bottom] = area.pixels(zoom);
        let rows: Vec<_> = tiles.iter().map(|tile| json!([tile.z, tile.x, tile.y])).collect();
        let content = json!({
            "columns": ["z", "x", "y"], "rows": rows, "units": {}, "count": count,
            "bytes_estimate": count.saturating_mul(BYTES_OF_A_TILE),
            "pixel_window": { "left": left, "top": top, "right": right, "bottom": bottom },
        });
        let place = json!({ "bbox": area.edges() });
        let draft = |name: &str, value: u64, unit: &str, method: &str| {
            EvidenceDraft::new(name, value, unit, method).place(place.clone())
        };
        let evidence = [
            draft("count", count, "1", "number of tiles that cover the box"),
            draft("zoom", u64::from(zoom), "1", "zoom of the tiles"),
            draft("columns", u64::from(x1 - x0) + 1, "1", "number of columns of tiles"),
            draft("rows", u64::from(y1 - y0) + 1, "1", "number of rows of tiles"),
            draft("bytes_estimate", count.saturating_mul(BYTES_OF_A_TILE), "1", "15,000 bytes a tile"),
            draft("x_first", u64::from(x0), "1", "first column"),
            draft("x_last", u64::from(x1), "1", "last column"),
            draft("y_first", u64::from(y0), "1", "first row"),
            draft("y_last", u64::from(y1), "1", "last row"),
        ];
        let mut output =
            ToolOutput::of(Artifact::document(Kind::Table, "tiles", content)).with_evidence(evidence);
        if count > MAX_TILES {
            output.notes.push(format!("a map takes at most {MAX_TILES} tiles; choose a smaller zoom"));
        }
        if count > MAX_LISTED {
            output.notes.push("the tiles are too many to be listed".to_owned());
        }
        Ok(output)
    }
}

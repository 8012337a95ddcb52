//! Tiles as one picture of a box, with a scale and the words of the licence.

use leg_core::{EvidenceDraft, ToolContext, ToolOutput};
use ocean_chart::{MosaicSpec, MosaicTile, picture_size};
use serde_json::json;

use super::client::{Client, Layer};
use super::tiles::{Area, SIDE};
use crate::ServiceError;
use crate::picture::figure;

/// The most tiles of one map: the rules of the tile servers.
pub(crate) const MAX_TILES: u64 = 16;
/// The deepest zoom that is chosen when none is asked for.
pub(crate) const USUAL_ZOOM: u8 = 16;
/// How many zooms less deep are tried when a server has nothing and none was asked for.
const STEPS_BACK: u8 = 3;

/// The evidence of a map.
pub(crate) const EVIDENCE: [&str; 13] = [
    "zoom",
    "tiles",
    "missing",
    "west",
    "south",
    "east",
    "north",
    "attribution",
    "tile_width",
    "tile_height",
    "width",
    "height",
    "no_data",
];

/// A map that is asked for.
pub(crate) struct Wanted {
    pub(crate) layer: Layer,
    pub(crate) area: Area,
    pub(crate) zoom: Option<u8>,
    pub(crate) width: u32,
    pub(crate) height: u32,
}

/// The deepest zoom at which a box fits a picture and a few tiles.
pub(crate) fn usual_zoom(area: Area, width: u32, height: u32, deepest: u8) -> u8 {
    let fits = |z: &u8| {
        let [left, top, right, bottom] = area.pixels(*z);
        area.count(*z) <= MAX_TILES && right - left <= f64::from(width) && bottom - top <= f64::from(height)
    };
    (0..=deepest.min(USUAL_ZOOM)).rev().find(fits).unwrap_or(0)
}

/// Makes a map.
///
/// # Errors
/// [`ServiceError`] when a server turns us away, has nothing, or more tiles are needed than is allowed.
pub(crate) async fn map(
    wanted: Wanted,
    client: &Client,
    context: &ToolContext,
) -> Result<ToolOutput, ServiceError> {
    let Wanted { layer, area, width, height, .. } = wanted;
    if wanted.zoom.is_some_and(|zoom| zoom > layer.deepest()) {
        return Err(ServiceError::BadArgument(format!("`zoom` is 0 to {} for this layer", layer.deepest())));
    }
    let first = wanted.zoom.unwrap_or_else(|| usual_zoom(area, width, height, layer.deepest()));
    let count = area.count(first);
    if count > MAX_TILES {
        return Err(ServiceError::TooMuch(format!(
            "the box needs {count} tiles at zoom {first} and {MAX_TILES} are allowed; ask for a smaller box or for zoom {}",
            usual_zoom(area, u32::MAX, u32::MAX, layer.deepest())
        )));
    }
    let last = if wanted.zoom.is_some() { first } else { first.saturating_sub(STEPS_BACK) };
    for zoom in (last..=first).rev() {
        let tiles = area.tiles(zoom);
        let found = client.tiles(layer, &tiles, context).await?;
        if found.pictures.is_empty() {
            continue;
        }
        // The picture keeps the shape of the box.
        let [left, top, right, bottom] = area.pixels(zoom);
        let scale = (f64::from(width) / (right - left)).min(f64::from(height) / (bottom - top));
        let size = [whole((right - left) * scale), whole((bottom - top) * scale)];
        // Edges of tiles are whole pixels, so that no seam is seen.
        let edge = |at: f64, from: f64| ((at - from) * scale).round();
        let placed: Vec<MosaicTile<'_>> = found
            .pictures
            .iter()
            .map(|(tile, picture)| {
                let [x, y] = tile.corner();
                let (x0, y0) = (edge(x, left), edge(y, top));
                let area = [x0, y0, edge(x + SIDE, left) - x0, edge(y + SIDE, top) - y0];
                MosaicTile { picture, area }
            })
            .collect();
        let metres = area.metres_per_pixel(zoom) / scale;
        let (length, label) = scale_bar(metres, f64::from(size[0]) / 4.0);
        let title = format!("{} of {:?}", layer.words(), area.edges());
        let spec = MosaicSpec {
            title: &title,
            size,
            tiles: &placed,
            scale: Some((length, &label)),
            attribution: layer.attribution(),
            ..MosaicSpec::default()
        };
        let host = client.tiles_of(layer).host().to_owned();
        let png =
            spec.to_png().map_err(|error| ServiceError::Unreadable { host, reason: error.to_string() })?;
        let [west, south, east, north] = area.edges();
        let content = json!({
            "chart": "tiles", "layer": layer.words(), "zoom": zoom, "tiles": found.pictures.len(),
            "tiles_missing": found.missing, "bounds": area.edges(), "extent": area.edges(), "projection": "Web Mercator",
            "size": size, "metres_per_pixel": metres, "scale_bar": label, "attribution": layer.attribution(),
        });
        let mut output = figure(layer.name(), content, png);
        let place = json!({ "name": layer.words(), "bbox": area.edges() });
        let draft = |name: &str, value: serde_json::Value, unit: &str, method: &str| {
            EvidenceDraft::new(name, value, unit, method).place(place.clone()).output("result")
        };
        output.evidence = vec![
            draft("zoom", json!(zoom), "1", "zoom of the tiles"),
            draft("tiles", json!(found.pictures.len()), "1", "number of tiles in the picture"),
            draft("missing", json!(found.missing), "1", "number of tiles that the server does not have"),
            draft("west", json!(west), "degree_east", "west edge of the picture"),
            draft("south", json!(south), "degree_north", "south edge of the picture"),
            draft("east", json!(east), "degree_east", "east edge of the picture"),
            draft("north", json!(north), "degree_north", "north edge of the picture"),
            draft("attribution", json!(layer.attribution()), "", "words that the licence asks for"),
        ];
        let pictures =
            [("width", size[0], "width of the picture"), ("height", size[1], "height of the picture")];
        output.evidence.extend(pictures.map(|(name, value, method)| draft(name, json!(value), "1", method)));
        // All tiles of a server are of one size.
        if let Some([width, height]) =
            found.pictures.values().next().and_then(|picture| picture_size(picture))
        {
            output.evidence.push(draft("tile_width", json!(width), "1", "width of a tile as delivered"));
            output.evidence.push(draft("tile_height", json!(height), "1", "height of a tile as delivered"));
        }
        if found.missing > 0 {
            output.notes.push(format!(
                "the server has {} of {} tiles; the rest of the map is empty",
                found.pictures.len(),
                tiles.len()
            ));
        }
        output.sources = found.sources;
        return Ok(output);
    }
    Err(ServiceError::NotFound(format!(
        "`{}` has no tile of the box at zoom {first}; ask for another zoom or another box",
        client.tiles_of(layer).host()
    )))
}

/// A round length of at most `most` pixels: in pixels and in words.
pub(crate) fn scale_bar(metres_per_pixel: f64, most: f64) -> (f64, String) {
    let longest = (metres_per_pixel * most).max(1e-3);
    let power = 10_f64.powf(longest.log10().floor());
    let metres = [5.0, 2.0, 1.0]
        .into_iter()
        .map(|part| part * power)
        .find(|metres| *metres <= longest)
        .unwrap_or(power);
    let label = if metres >= 1000.0 { format!("{} km", metres / 1000.0) } else { format!("{metres} m") };
    (metres / metres_per_pixel, label)
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a side of a picture of some thousand pixels"
)]
fn whole(side: f64) -> u32 {
    side.round().clamp(1.0, 8192.0) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_scale_is_round_and_short_enough() {
        assert_eq!(scale_bar(10.0, 100.0), (100.0, "1 km".to_owned()));
        assert_eq!(scale_bar(10.0, 99.0), (50.0, "500 m".to_owned()));
        let (length, label) = scale_bar(34.15, 145.0);
        assert!(length <= 145.0 && label == "2 km", "{length} {label}");
    }

    #[test]
    fn the_usual_zoom_fits_the_picture_and_the_rules() {
        let area = Area::new([-81.9, 26.68, -81.75, 26.81]).unwrap();
        assert_eq!(usual_zoom(area, 800, 600, 19), 12);
        for side in [0.001, 0.1, 1.0, 30.0] {
            let area = Area::new([-82.0, 26.0, -82.0 + side, 26.0 + side]).unwrap();
            let zoom = usual_zoom(area, 4000, 4000, 19);
            assert!(area.count(zoom) <= MAX_TILES && zoom <= USUAL_ZOOM, "{side}: {zoom}");
        }
    }
}

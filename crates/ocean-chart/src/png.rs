//! From SVG text to pixels.

use std::sync::Arc;

use base64::Engine as _;
use resvg::{tiny_skia, usvg};

use crate::{error::ChartError, font};

/// The widest and highest picture that is made, in pixels.
pub const MAX_PIXELS: u32 = 8192;

/// Draws SVG text, as made by this crate, as a PNG picture `width_px` pixels wide.
///
/// Only the font of the crate is known; nothing is read from the machine.
///
/// # Errors
///
/// [`ChartError::Size`] if the width is 0 or over [`MAX_PIXELS`] (the height is held to it as well),
/// [`ChartError::Svg`] if the text can't be read, [`ChartError::Encode`] if the PNG can't be written.
///
/// # Examples
///
/// ```
/// let svg = r#"<svg xmlns="http://www.w3.org/2000/svg" width="4" height="2"><rect width="4" height="2"/></svg>"#;
/// let png = ocean_chart::to_png(svg, 8)?;
/// assert_eq!(&png[1..4], b"PNG");
/// # Ok::<(), ocean_chart::ChartError>(())
/// ```
pub fn to_png(svg: &str, width_px: u32) -> Result<Vec<u8>, ChartError> {
    encode(&rasterise(svg, width_px)?)
}

/// Draws SVG text as pixels.
pub(crate) fn rasterise(svg: &str, width_px: u32) -> Result<tiny_skia::Pixmap, ChartError> {
    let size_error = ChartError::Size { width: width_px, limit: MAX_PIXELS };
    if width_px == 0 || width_px > MAX_PIXELS {
        return Err(size_error);
    }
    let mut options = usvg::Options { font_family: font::FAMILY.to_owned(), ..usvg::Options::default() };
    options.fontdb_mut().load_font_source(usvg::fontdb::Source::Binary(Arc::new(font::FILE)));
    options.fontdb_mut().set_sans_serif_family(font::FAMILY);
    let tree = usvg::Tree::from_str(svg, &options).map_err(ChartError::Svg)?;
    let scale = width_px as f32 / tree.size().width();
    let height_px = pixels(tree.size().height() * scale);
    if height_px > MAX_PIXELS {
        return Err(size_error);
    }
    let Some(mut pixmap) = tiny_skia::Pixmap::new(width_px, height_px) else { return Err(size_error) };
    resvg::render(&tree, tiny_skia::Transform::from_scale(scale, scale), &mut pixmap.as_mut());
    Ok(pixmap)
}

/// Writes opaque pixels, row by row from the top, as a PNG in base64.
pub(crate) fn embed(colours: &[[u8; 3]], width: usize, height: usize) -> Result<String, ChartError> {
    let pixels: Vec<_> = colours.iter().map(|[red, green, blue]| [*red, *green, *blue, 255]).collect();
    embed_transparent(&pixels, width, height)
}

/// Writes pixels that are opaque or of no colour at all, as [`embed`] does.
pub(crate) fn embed_transparent(
    pixels: &[[u8; 4]],
    width: usize,
    height: usize,
) -> Result<String, ChartError> {
    let data = pixels.as_flattened().to_vec();
    let sides = (u32::try_from(width).unwrap_or(u32::MAX), u32::try_from(height).unwrap_or(u32::MAX));
    let pixmap = tiny_skia::IntSize::from_wh(sides.0, sides.1)
        .and_then(|size| tiny_skia::Pixmap::from_vec(data, size))
        .ok_or(ChartError::Size { width: sides.0, limit: MAX_PIXELS })?;
    Ok(base64::engine::general_purpose::STANDARD.encode(encode(&pixmap)?))
}

fn encode(pixmap: &tiny_skia::Pixmap) -> Result<Vec<u8>, ChartError> {
    pixmap.encode_png().map_err(|error| ChartError::Encode { reason: error.to_string() })
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "`as` saturates")]
fn pixels(length: f32) -> u32 {
    length.round().max(1.0) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refuses_sizes_that_can_not_be_made() {
        let tall = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"1\" height=\"100\"/>";
        for width in [0, MAX_PIXELS + 1, 1000] {
            assert!(matches!(to_png(tall, width), Err(ChartError::Size { .. })), "{width}");
        }
        assert!(matches!(to_png("<svg", 10), Err(ChartError::Svg(_))));
    }

    #[test]
    fn text_is_drawn_with_the_crates_font() {
        let svg = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"40\" height=\"20\">\
                   <text x=\"0\" y=\"15\" font-family=\"'DejaVu Sans'\" font-size=\"14\">°C</text></svg>";
        let dark = rasterise(svg, 40).unwrap().pixels().iter().filter(|pixel| pixel.alpha() > 128).count();
        assert!(dark > 20, "{dark} pixels of text");
    }
}

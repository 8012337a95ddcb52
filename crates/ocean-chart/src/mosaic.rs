//! [`MosaicSpec`]: pictures side by side as one, with marks, a scale bar and the words that a licence asks for.

use base64::Engine as _;
use resvg::tiny_skia;

use crate::{
    error::ChartError,
    font,
    plot::haloed_text,
    png::{self, MAX_PIXELS},
    svg::{Anchor, INK, Svg},
};

/// Size of names and of the words at the foot, in pixels.
const SIZE: f64 = 13.0;
const SMALL: f64 = 11.0;
/// The longest side of a picture that is put into a mosaic.
const MAX_TILE: u32 = 4096;

/// Pictures side by side as one.
///
/// Places are in pixels of the whole: from the left and from the top.
///
/// ```
/// use ocean_chart::{MosaicMark, MosaicSpec, MosaicTile, to_png};
///
/// let svg = r##"<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"><rect width="8" height="8" fill="#0a0"/></svg>"##;
/// let green = to_png(svg, 8)?;
/// let spec = MosaicSpec {
///     size: [160, 80],
///     tiles: &[MosaicTile { picture: &green, area: [0.0, 0.0, 160.0, 80.0] }],
///     marks: &[MosaicMark::Point { at: [80.0, 40.0], label: "Pier" }],
///     attribution: "© the painter",
///     ..MosaicSpec::default()
/// };
/// assert_eq!(&spec.to_png()?[1..4], b"PNG");
/// # Ok::<(), ocean_chart::ChartError>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct MosaicSpec<'a> {
    /// What it shows, for screen readers.
    pub title: &'a str,
    /// Width and height.
    pub size: [u32; 2],
    /// The pictures; where there is none it stays pale grey.
    pub tiles: &'a [MosaicTile<'a>],
    /// What is drawn over them.
    pub marks: &'a [MosaicMark<'a>],
    /// The bar of a scale, at the lower left: its length in pixels, and what it stands for.
    pub scale: Option<(f64, &'a str)>,
    /// The words at the lower right. May be empty.
    pub attribution: &'a str,
}

/// A picture of a mosaic.
#[derive(Debug, Clone, Copy)]
pub struct MosaicTile<'a> {
    /// A PNG or a JPEG file.
    pub picture: &'a [u8],
    /// Left, top, width and height; it may reach over the edges.
    pub area: [f64; 4],
}

/// Something drawn over a mosaic.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum MosaicMark<'a> {
    /// A place.
    Point {
        /// Where.
        at: [f64; 2],
        /// Its name. May be empty.
        label: &'a str,
    },
    /// A line.
    Line {
        /// Its points.
        points: &'a [[f64; 2]],
        /// Its name, at its first point. May be empty.
        label: &'a str,
    },
    /// An area, its last point joined with the first.
    Polygon {
        /// Its points.
        points: &'a [[f64; 2]],
        /// Its name, at its first point. May be empty.
        label: &'a str,
    },
}

/// Width and height of a PNG or JPEG file, from its header; `None` for anything else.
///
/// ```
/// assert_eq!(ocean_chart::picture_size(b"<html>Access blocked</html>"), None);
/// ```
pub fn picture_size(bytes: &[u8]) -> Option<[u32; 2]> {
    let wide =
        |at: usize| -> Option<u32> { Some(u32::from_be_bytes(bytes.get(at..at + 4)?.try_into().ok()?)) };
    if bytes.starts_with(b"\x89PNG\r\n\x1a\n") && bytes.get(12..16)? == b"IHDR" {
        return Some([wide(16)?, wide(20)?]).filter(|size| !size.contains(&0));
    }
    let short = |at: usize| -> Option<u32> {
        Some(u32::from(u16::from_be_bytes(bytes.get(at..at + 2)?.try_into().ok()?)))
    };
    if !bytes.starts_with(&[0xff, 0xd8, 0xff]) {
        return None;
    }
    // Segments, until the one that begins a frame.
    let mut at = 2;
    loop {
        let (mark, kind) = (*bytes.get(at)?, *bytes.get(at + 1)?);
        if mark != 0xff {
            return None;
        }
        if matches!(kind, 0xc0..=0xcf) && !matches!(kind, 0xc4 | 0xc8 | 0xcc) {
            return Some([short(at + 7)?, short(at + 5)?]).filter(|size| !size.contains(&0));
        }
        at += 2 + usize::try_from(short(at + 2)?.max(2)).ok()?;
    }
}

impl MosaicSpec<'_> {
    /// Draws the mosaic as a PNG picture.
    ///
    /// # Errors
    ///
    /// [`ChartError::Size`] for a size that can't be made, and for a picture that is too large; [`ChartError::NoData`] for
    /// one that is neither PNG nor JPEG, or is damaged.
    pub fn to_png(&self) -> Result<Vec<u8>, ChartError> {
        let [width, height] = self.size;
        if width == 0 || height == 0 || width > MAX_PIXELS || height > MAX_PIXELS {
            return Err(ChartError::Size { width, limit: MAX_PIXELS });
        }
        png::to_png(&self.to_svg()?, width)
    }

    fn to_svg(&self) -> Result<String, ChartError> {
        let [width, height] = self.size.map(f64::from);
        let mut svg = Svg::new(width, height, self.title);
        svg.rect([0.0, 0.0, width, height], "fill=\"#dcdcdc\"");
        for tile in self.tiles {
            let kind = kind_of(tile.picture)?;
            let data = base64::engine::general_purpose::STANDARD.encode(tile.picture);
            svg.picture(tile.area, kind, &data);
        }
        for mark in self.marks {
            draw_mark(&mut svg, mark, [width, height]);
        }
        if let Some((length, label)) = self.scale {
            draw_scale(&mut svg, length, label, height);
        }
        draw_attribution(&mut svg, self.attribution, [width, height]);
        Ok(svg.finish())
    }
}

/// The media type of a picture that can be decoded.
fn kind_of(picture: &[u8]) -> Result<&'static str, ChartError> {
    let no_picture = || ChartError::NoData {
        what: "a picture that is neither PNG nor JPEG, or damaged, and its pixels".to_owned(),
    };
    let size = picture_size(picture).ok_or_else(no_picture)?;
    if let Some(side) = size.into_iter().find(|side| *side > MAX_TILE) {
        return Err(ChartError::Size { width: side, limit: MAX_TILE });
    }
    if picture.starts_with(&[0xff, 0xd8]) {
        return Ok("image/jpeg");
    }
    tiny_skia::Pixmap::decode_png(picture).map_err(|_| no_picture())?;
    Ok("image/png")
}

fn draw_mark(svg: &mut Svg, mark: &MosaicMark<'_>, [width, height]: [f64; 2]) {
    let stroke = |colour: &str, width: f64| {
        format!("stroke=\"{colour}\" stroke-width=\"{width}\" stroke-linejoin=\"round\"")
    };
    let (start, label) = match *mark {
        MosaicMark::Point { at, label } => {
            svg.circle(at, 6.0, "fill=\"#d7301f\" stroke=\"#ffffff\" stroke-width=\"2\"");
            (Some(at), label)
        }
        MosaicMark::Line { points, label } => {
            let run = [points.to_vec()];
            svg.path(
                &run,
                false,
                &format!("fill=\"none\" {} stroke-opacity=\"0.85\"", stroke("#ffffff", 5.0)),
            );
            svg.path(&run, false, &format!("fill=\"none\" {}", stroke("#d7301f", 2.5)));
            (points.first().copied(), label)
        }
        MosaicMark::Polygon { points, label } => {
            let run = [points.to_vec()];
            svg.path(
                &run,
                true,
                &format!("fill=\"#d7301f\" fill-opacity=\"0.25\" {}", stroke("#d7301f", 2.0)),
            );
            (points.first().copied(), label)
        }
    };
    let Some([x, y]) = start.filter(|_| !label.is_empty()) else { return };
    let label = font::shorten(label, SIZE, width * 0.6);
    // A name stands on the side where there is room.
    let (anchor, x) = if x + 10.0 + font::width(&label, SIZE) > width {
        (Anchor::End, x - 10.0)
    } else {
        (Anchor::Start, x + 10.0)
    };
    haloed_text(svg, [x, (y + SIZE * 0.36).clamp(SIZE, height - 4.0)], anchor, SIZE, &label);
}

fn draw_scale(svg: &mut Svg, length: f64, label: &str, height: f64) {
    let (left, base) = (12.0, height - 12.0);
    let plate = [left - 6.0, base - 22.0, length.max(font::width(label, SMALL)) + 12.0, 28.0];
    svg.rect(plate, "fill=\"#ffffff\" fill-opacity=\"0.8\"");
    let style = format!("stroke=\"{INK}\" stroke-width=\"2\"");
    svg.line([left, base], [left + length, base], &style);
    for x in [left, left + length] {
        svg.line([x, base - 5.0], [x, base], &style);
    }
    svg.text([left, base - 9.0], Anchor::Start, SMALL, label);
}

fn draw_attribution(svg: &mut Svg, words: &str, [width, height]: [f64; 2]) {
    if words.is_empty() {
        return;
    }
    let words = font::shorten(words, SMALL, width - 12.0);
    let length = font::width(&words, SMALL) + 10.0;
    svg.rect([width - length, height - 17.0, length, 17.0], "fill=\"#ffffff\" fill-opacity=\"0.85\"");
    svg.text([width - 5.0, height - 5.0], Anchor::End, SMALL, &words);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(colour: &str, side: u32) -> Vec<u8> {
        let svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{side}\" height=\"{side}\">\
             <rect width=\"{side}\" height=\"{side}\" fill=\"{colour}\"/></svg>"
        );
        png::to_png(&svg, side).unwrap()
    }

    fn pixels(spec: &MosaicSpec<'_>) -> tiny_skia::Pixmap {
        tiny_skia::Pixmap::decode_png(&spec.to_png().unwrap()).unwrap()
    }

    fn at(pixmap: &tiny_skia::Pixmap, x: u32, y: u32) -> [u8; 3] {
        let pixel = pixmap.pixel(x, y).unwrap();
        [pixel.red(), pixel.green(), pixel.blue()]
    }

    #[test]
    fn tiles_stand_where_they_belong_without_a_seam() {
        let (red, blue) = (plain("#ff0000", 64), plain("#0000ff", 64));
        let tiles = [
            MosaicTile { picture: &red, area: [-32.0, 0.0, 64.0, 64.0] },
            MosaicTile { picture: &blue, area: [32.0, 0.0, 64.0, 64.0] },
        ];
        let picture = pixels(&MosaicSpec { size: [128, 64], tiles: &tiles, ..MosaicSpec::default() });
        for y in 0..64 {
            for x in 0..128 {
                let expected = match x {
                    0..32 => [255, 0, 0],
                    32..96 => [0, 0, 255],
                    _ => [0xdc; 3],
                };
                assert_eq!(at(&picture, x, y), expected, "{x} {y}");
            }
        }
    }

    #[test]
    fn marks_scale_and_attribution_are_drawn() {
        let green = plain("#00aa00", 16);
        let tiles = [MosaicTile { picture: &green, area: [0.0, 0.0, 300.0, 200.0] }];
        let bare = MosaicSpec { size: [300, 200], tiles: &tiles, ..MosaicSpec::default() };
        let (line, area) = ([[10.0, 10.0], [290.0, 10.0]], [[200.0, 50.0], [280.0, 50.0], [240.0, 120.0]]);
        let marks = [
            MosaicMark::Point { at: [100.0, 100.0], label: "A <pier> & \"so\" on" },
            MosaicMark::Line { points: &line, label: "" },
            MosaicMark::Polygon { points: &area, label: "zone" },
        ];
        let full = MosaicSpec {
            marks: &marks,
            scale: Some((60.0, "2 km")),
            attribution: "© OpenStreetMap contributors",
            ..bare.clone()
        };
        let (bare, full) = (pixels(&bare), pixels(&full));
        assert_eq!(at(&full, 100, 100), [0xd7, 0x30, 0x1f]);
        assert_eq!(at(&full, 150, 10), [0xd7, 0x30, 0x1f]);
        assert_ne!(at(&full, 240, 70), at(&bare, 240, 70));
        // The bar stands at the lower left, the words at the lower right.
        let dark = |x: std::ops::Range<u32>, y: std::ops::Range<u32>| {
            y.flat_map(|y| x.clone().map(move |x| (x, y))).filter(|(x, y)| at(&full, *x, *y)[1] < 90).count()
        };
        assert!(dark(12..72, 186..189) >= 60, "{}", dark(12..72, 186..189));
        assert!(dark(120..299, 184..199) > 60);
    }

    #[test]
    fn what_is_no_picture_is_refused() {
        let good = plain("#ffffff", 8);
        let cut = &good[..good.len() - 20];
        let mut huge = good.clone();
        huge[16..20].copy_from_slice(&60_000_u32.to_be_bytes());
        for bad in [&b"<html>"[..], cut, &huge, b"", b"\x89PNG\r\n\x1a\n", &[0xff, 0xd8, 0xff]] {
            let tiles = [MosaicTile { picture: bad, area: [0.0, 0.0, 8.0, 8.0] }];
            let spec = MosaicSpec { size: [8, 8], tiles: &tiles, ..MosaicSpec::default() };
            assert!(spec.to_png().is_err(), "{:?}", bad.get(..8));
        }
        assert!(MosaicSpec { size: [0, 4], ..MosaicSpec::default() }.to_png().is_err());
        assert_eq!(picture_size(&good), Some([8, 8]));
        let jpeg = [0xff, 0xd8, 0xff, 0xe0, 0, 4, 1, 2, 0xff, 0xc0, 0, 11, 8, 0, 20, 0, 30, 1, 0, 0, 0];
        assert_eq!(picture_size(&jpeg), Some([30, 20]));
    }
}

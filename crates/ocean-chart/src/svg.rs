//! A small writer of SVG text: escaped, with fixed number formatting, so that equal charts are equal bytes.

use std::fmt::Write as _;

use crate::font;

/// Where a text stands relative to its place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Anchor {
    Start,
    Middle,
    End,
}

/// The ink of lines, ticks and text.
pub(crate) const INK: &str = "#262626";

/// A drawing that is being written.
#[derive(Debug)]
pub(crate) struct Svg {
    text: String,
}

impl Svg {
    /// Starts a white drawing of `width` by `height` pixels, with `title` for screen readers.
    pub(crate) fn new(width: f64, height: f64, title: &str) -> Self {
        let (width, height) = (number(width), number(height));
        let mut text = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" xmlns:xlink=\"http://www.w3.org/1999/xlink\" \
             width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" \
             font-family=\"'{}', Verdana, sans-serif\">\n",
            font::FAMILY
        );
        if !title.is_empty() {
            let _ = writeln!(text, "<title>{}</title>", escape(title));
        }
        let _ = writeln!(text, "<rect width=\"{width}\" height=\"{height}\" fill=\"#ffffff\"/>");
        Self { text }
    }

    /// Draws a rectangle; `style` holds its other attributes.
    pub(crate) fn rect(&mut self, [x, y, width, height]: [f64; 4], style: &str) {
        let _ = writeln!(
            self.text,
            "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" {style}/>",
            number(x),
            number(y),
            number(width),
            number(height)
        );
    }

    /// Draws a straight line from one point to another.
    pub(crate) fn line(&mut self, from: [f64; 2], to: [f64; 2], style: &str) {
        let _ = writeln!(
            self.text,
            "<line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\" {style}/>",
            number(from[0]),
            number(from[1]),
            number(to[0]),
            number(to[1])
        );
    }

    /// Draws a disc.
    pub(crate) fn circle(&mut self, [x, y]: [f64; 2], radius: f64, style: &str) {
        let _ = writeln!(
            self.text,
            "<circle cx=\"{}\" cy=\"{}\" r=\"{}\" {style}/>",
            number(x),
            number(y),
            number(radius)
        );
    }

    /// Draws one path through several runs of points; nothing if there are none.
    pub(crate) fn path(&mut self, runs: &[Vec<[f64; 2]>], closed: bool, style: &str) {
        let mut data = String::new();
        for run in runs.iter().filter(|run| run.len() > 1) {
            for (place, [x, y]) in run.iter().enumerate() {
                let _ = write!(data, "{}{} {}", if place == 0 { 'M' } else { 'L' }, number(*x), number(*y));
            }
            if closed {
                data.push('Z');
            }
        }
        if !data.is_empty() {
            let _ = writeln!(self.text, "<path d=\"{data}\" {style}/>");
        }
    }

    /// Writes a text whose base line begins, is centred or ends at the place.
    pub(crate) fn text(&mut self, place: [f64; 2], anchor: Anchor, size: f64, content: &str) {
        self.styled_text(place, anchor, size, "", content);
    }

    /// As [`Svg::text`], with more attributes.
    pub(crate) fn styled_text(
        &mut self,
        [x, y]: [f64; 2],
        anchor: Anchor,
        size: f64,
        style: &str,
        content: &str,
    ) {
        let anchor = match anchor {
            Anchor::Start => "start",
            Anchor::Middle => "middle",
            Anchor::End => "end",
        };
        let fill = if style.contains("fill=") { String::new() } else { format!(" fill=\"{INK}\"") };
        let gap = if style.is_empty() { "" } else { " " };
        let _ = writeln!(
            self.text,
            "<text x=\"{}\" y=\"{}\" font-size=\"{}\" text-anchor=\"{anchor}\"{fill}{gap}{style}>{}</text>",
            number(x),
            number(y),
            number(size),
            escape(content)
        );
    }

    /// Writes a text that runs upwards, centred at the place.
    pub(crate) fn upward_text(&mut self, [x, y]: [f64; 2], size: f64, content: &str) {
        let turn = format!("transform=\"rotate(-90 {} {})\"", number(x), number(y));
        self.styled_text([x, y], Anchor::Middle, size, &turn, content);
    }

    /// Places a PNG picture, stretched to the rectangle, its pixels kept sharp.
    pub(crate) fn image(&mut self, area: [f64; 4], base64_png: &str) {
        self.picture(area, "image/png", base64_png);
    }

    /// Places a picture of some media type, as [`Svg::image`] does.
    pub(crate) fn picture(&mut self, [x, y, width, height]: [f64; 4], kind: &str, base64: &str) {
        let _ = writeln!(
            self.text,
            "<image x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" preserveAspectRatio=\"none\" \
             image-rendering=\"optimizeSpeed\" style=\"image-rendering:pixelated\" \
             xlink:href=\"data:{kind};base64,{base64}\"/>",
            number(x),
            number(y),
            number(width),
            number(height)
        );
    }

    /// Starts a group that shows only what lies in the rectangle.
    pub(crate) fn open_clip(&mut self, id: &str, [x, y, width, height]: [f64; 4]) {
        let _ = writeln!(
            self.text,
            "<clipPath id=\"{id}\"><rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/></clipPath>\n\
             <g clip-path=\"url(#{id})\">",
            number(x),
            number(y),
            number(width),
            number(height)
        );
    }

    /// Starts a group that shows only what lies inside of closed runs of points, and not inside of two.
    pub(crate) fn open_clip_path(&mut self, id: &str, runs: &[Vec<[f64; 2]>]) {
        let _ = writeln!(self.text, "<clipPath id=\"{id}\">");
        self.path(runs, true, "clip-rule=\"evenodd\"");
        let _ = writeln!(self.text, "</clipPath>\n<g clip-path=\"url(#{id})\">");
    }

    /// Ends the group.
    pub(crate) fn close_clip(&mut self) {
        self.text.push_str("</g>\n");
    }

    /// Adds elements that are already written.
    pub(crate) fn append(&mut self, elements: &str) {
        self.text.push_str(elements);
    }

    /// Ends the drawing and returns its text.
    pub(crate) fn finish(mut self) -> String {
        self.text.push_str("</svg>\n");
        self.text
    }
}

/// Writes a number of pixels with at most two decimals; what is not finite becomes 0, as SVG has no word for it.
pub(crate) fn number(value: f64) -> String {
    if !value.is_finite() {
        return "0".to_owned();
    }
    let text = format!("{value:.2}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

/// Makes `text` safe inside an element or a quoted attribute; characters that XML forbids become `�`.
pub(crate) fn escape(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            '\t' | '\n' | '\r' => safe.push(' '),
            '\u{0}'..='\u{1f}' | '\u{7f}'..='\u{9f}' | '\u{fffe}' | '\u{ffff}' => safe.push('\u{fffd}'),
            other => safe.push(other),
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_one_spelling() {
        let spelled: Vec<String> =
            [1.0, 1.5, -0.001, 2.004_999, f64::NAN, f64::INFINITY, 1e6].into_iter().map(number).collect();
        assert_eq!(spelled, ["1", "1.5", "0", "2", "0", "0", "1000000"]);
    }

    #[test]
    fn escapes_what_would_end_an_element_or_break_xml() {
        assert_eq!(escape("<a href=\"x\">&'\u{0}\n"), "&lt;a href=&quot;x&quot;&gt;&amp;&#39;\u{fffd} ");
    }
}

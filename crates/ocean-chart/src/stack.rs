//! Several charts in one drawing.

use std::fmt::Write as _;

use crate::{
    error::ChartError,
    svg::{Svg, number},
};

/// Puts drawings of this crate below each other, each as wide as it is.
///
/// # Errors
///
/// [`ChartError::NoLines`] without a drawing, [`ChartError::NotOurs`] for a text that this crate did not write.
///
/// # Examples
///
/// ```
/// use ocean_chart::{Line, SeriesSpec, column};
///
/// let lines = [Line { x: &[0.0, 86_400.0], y: &[1.0, 2.0], ..Line::default() }];
/// let one = SeriesSpec { title: "One", lines: &lines, ..SeriesSpec::default() }.to_svg()?;
/// let both = column("Both", &[one.clone(), one])?;
/// assert_eq!(both.matches("One</text>").count(), 2);
/// # Ok::<(), ocean_chart::ChartError>(())
/// ```
pub fn column(title: &str, drawings: &[String]) -> Result<String, ChartError> {
    let parts = drawings.iter().map(|drawing| Part::of(drawing)).collect::<Result<Vec<_>, _>>()?;
    if parts.is_empty() {
        return Err(ChartError::NoLines { title: title.to_owned() });
    }
    let width = parts.iter().map(|part| part.width).fold(0.0, f64::max);
    let height = parts.iter().map(|part| part.height).sum();
    let mut svg = Svg::new(width, height, title);
    let mut top = 0.0;
    for (place, part) in parts.iter().enumerate() {
        let mut text = String::new();
        // Names of clipping areas are told apart.
        let body = part
            .body
            .replace(" id=\"", &format!(" id=\"p{place}"))
            .replace("url(#", &format!("url(#p{place}"));
        let _ = write!(
            text,
            "<g transform=\"translate({} {})\">\n{body}</g>\n",
            number((width - part.width) / 2.0),
            number(top)
        );
        svg.append(&text);
        top += part.height;
    }
    Ok(svg.finish())
}

#[derive(Debug)]
struct Part<'a> {
    width: f64,
    height: f64,
    body: &'a str,
}

impl<'a> Part<'a> {
    fn of(drawing: &'a str) -> Result<Self, ChartError> {
        let read = || {
            let (head, rest) = drawing.strip_prefix("<svg ")?.split_once(">\n")?;
            let side = |name: &str| head.split_once(name)?.1.split_once('"')?.0.parse().ok();
            let body = rest.strip_suffix("</svg>\n")?;
            // The title of the whole takes the place of each.
            let body = match body.strip_prefix("<title>") {
                Some(body) => body.split_once("</title>\n")?.1,
                None => body,
            };
            Some(Self { width: side(" width=\"")?, height: side(" height=\"")?, body })
        };
        read().ok_or(ChartError::NotOurs)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ProfileLine, ProfilePanel, ProfileSpec, png::rasterise};

    #[test]
    fn charts_keep_their_own_clips() {
        let line = [ProfileLine { depth: &[0.0, 1.0], values: &[1.0, 2.0], ..ProfileLine::default() }];
        let panels = [ProfilePanel { lines: &line, ..ProfilePanel::default() }];
        let one = ProfileSpec { title: "a", panels: &panels, ..ProfileSpec::default() }.to_svg().unwrap();
        let both = column("both", &[one.clone(), one]).unwrap();
        for id in ["p0panel0", "p1panel0"] {
            assert_eq!(both.matches(&format!("id=\"{id}\"")).count(), 1, "{both}");
            assert!(both.contains(&format!("url(#{id})")));
        }
        assert_eq!(both.matches("<title>").count(), 1);
        rasterise(&both, 300).unwrap();
    }

    #[test]
    fn other_text_is_refused() {
        assert!(matches!(column("t", &["<svg/>".to_owned()]), Err(ChartError::NotOurs)));
        assert!(matches!(column("t", &[]), Err(ChartError::NoLines { .. })));
    }
}

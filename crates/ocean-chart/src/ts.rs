//! T–S diagrams: temperature against salinity, with lines of equal density.

use std::fmt;

use crate::{
    cells::Cells,
    colour::{Colours, Scale, hex},
    colour_bar::ColourBar,
    contour,
    contours::{self, LevelLines},
    error::ChartError,
    float::floor_index,
    frame::{AxisPlan, Frame, FramePlan, Measure},
    plot::{Sample, SampleLook, draw_line, extent, haloed_text, line_colour, pad, runs},
    svg::{Anchor, INK, Svg},
};

const SIDE: f64 = 520.0;
/// The function of density is evaluated on a grid of as many places along each side.
const GRID: usize = 61;

/// A T–S diagram.
///
/// The crate knows no equation of state: density comes as a function or a grid.
///
/// # Missing values
/// A point of which a number is not finite is left out.
///
/// # Examples
///
/// ```
/// use ocean_chart::{Density, TsCast, TsSpec};
///
/// // Good enough to look at: sigma0 about 10 °C and 35 g/kg.
/// let density = |salinity: f64, temperature: f64| 26.95 + 0.77 * (salinity - 35.0) - 0.17 * (temperature - 10.0);
/// let spec = TsSpec {
///     title: "Water masses",
///     casts: &[TsCast {
///         salinity: &[33.5, 34.6, 34.5],
///         temperature: &[28.0, 15.0, 5.0],
///         colour_values: &[5.0, 150.0, 900.0],
///         ..TsCast::default()
///     }],
///     colour_label: "depth",
///     colour_units: "m",
///     density: Density::Function(&density),
///     ..TsSpec::default()
/// };
/// assert!(spec.to_svg()?.contains("salinity"));
/// # Ok::<(), ocean_chart::ChartError>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct TsSpec<'a> {
    /// The title, on at most two lines.
    pub title: &'a str,
    /// A smaller line below it. May be empty.
    pub subtitle: &'a str,
    /// The name of salinity; `absolute salinity` if empty.
    pub salinity_label: &'a str,
    /// The units of salinity; `g kg-1` if empty.
    pub salinity_units: &'a str,
    /// The name of temperature; `conservative temperature` if empty.
    pub temperature_label: &'a str,
    /// The units of temperature; `degC` if empty.
    pub temperature_units: &'a str,
    /// The casts.
    pub casts: &'a [TsCast<'a>],
    /// What colours the points, such as `depth`.
    pub colour_label: &'a str,
    /// Its units.
    pub colour_units: &'a str,
    /// Its colours; depth has its own if nothing is chosen.
    pub colours: Colours<'a>,
    /// Lines of equal density.
    pub density: Density<'a>,
    /// Densities of the lines; about eight round ones if empty.
    pub density_levels: &'a [f64],
    /// Water types marked: salinity, temperature, name.
    pub water_types: &'a [(f64, f64, &'a str)],
}

/// The points of one cast, or of many.
///
/// # Shapes
/// All arrays are as long; `colour_values` may be empty.
#[derive(Debug, Clone, Copy, Default)]
pub struct TsCast<'a> {
    /// Its name in the legend; empty for none.
    pub label: &'a str,
    /// Salinities.
    pub salinity: &'a [f64],
    /// Temperatures.
    pub temperature: &'a [f64],
    /// What colours the points; empty for one colour a cast.
    pub colour_values: &'a [f64],
    /// Whether a line joins the points in their order.
    pub is_joined: bool,
}

/// Where lines of equal density come from.
#[derive(Clone, Copy, Default)]
pub enum Density<'a> {
    /// There are none.
    #[default]
    None,
    /// Density, or an anomaly of it, of salinity and temperature.
    Function(&'a dyn Fn(f64, f64) -> f64),
    /// Densities on a grid.
    Grid {
        /// Salinities of the columns, in one order.
        salinity: &'a [f64],
        /// Temperatures of the rows, in one order.
        temperature: &'a [f64],
        /// Densities `(temperature, salinity)`, row-major.
        values: &'a [f64],
    },
}

impl fmt::Debug for Density<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::None => "None",
            Self::Function(_) => "Function",
            Self::Grid { .. } => "Grid",
        })
    }
}

impl TsSpec<'_> {
    /// Draws the diagram as SVG text.
    ///
    /// # Errors
    ///
    /// [`ChartError::NoLines`] without a cast, [`ChartError::Length`] if arrays differ in length,
    /// [`ChartError::NoData`] if no point is complete, [`ChartError::Axis`] for a density grid that is none.
    pub fn to_svg(&self) -> Result<String, ChartError> {
        self.check()?;
        let colour_values: Vec<f64> =
            self.casts.iter().flat_map(|cast| cast.colour_values).copied().collect();
        let colours = match self.colours.palette {
            crate::Palette::Auto if self.colour_label == "depth" => {
                Colours { palette: crate::Palette::Deep, ..self.colours }
            }
            _ => self.colours,
        };
        let has_colours = colour_values.iter().any(|value| value.is_finite());
        let scale =
            if has_colours { Some(Scale::new(&colour_values, self.colour_units, &colours)?) } else { None };
        let bar = scale
            .as_ref()
            .map(|scale| ColourBar::new(scale, self.colour_label, self.colour_units, true, SIDE));
        let frame = self.frame(bar.as_ref().map_or(0.0, ColourBar::thickness));
        let mut svg = frame.open();
        self.draw_density(&frame, &mut svg)?;
        for (place, cast) in self.casts.iter().enumerate() {
            draw_cast(&frame, &mut svg, cast, scale.as_ref(), line_colour(place));
        }
        for (salinity, temperature, name) in self.water_types {
            let at = frame.place(*salinity, *temperature);
            let style = format!("fill=\"none\" stroke=\"{INK}\" stroke-width=\"2\"");
            svg.circle(at, 7.0, &style);
            haloed_text(&mut svg, [at[0] + 10.0, at[1] + 5.0], Anchor::Start, 13.0, name);
        }
        frame.close(&mut svg);
        if let Some(bar) = bar {
            bar.draw(&mut svg, frame.area, frame.foot())?;
        }
        Ok(svg.finish())
    }

    fn check(&self) -> Result<(), ChartError> {
        if self.casts.is_empty() {
            return Err(ChartError::NoLines { title: self.title.to_owned() });
        }
        for cast in self.casts {
            let expected = cast.salinity.len();
            let colours = if cast.colour_values.is_empty() { expected } else { cast.colour_values.len() };
            for found in [cast.temperature.len(), colours] {
                if found != expected {
                    return Err(ChartError::Length { what: format!("cast {}", cast.label), expected, found });
                }
            }
        }
        if self.points().next().is_none() {
            return Err(ChartError::NoData { what: format!("the casts of `{}`", self.title) });
        }
        if let Density::Grid { salinity, temperature, values } = self.density {
            let expected = salinity.len() * temperature.len();
            if values.len() != expected {
                return Err(ChartError::Length { what: "density".to_owned(), expected, found: values.len() });
            }
        }
        Ok(())
    }

    fn points(&self) -> impl Iterator<Item = (f64, f64)> {
        let all = self.casts.iter().flat_map(|cast| cast.salinity.iter().zip(cast.temperature));
        all.filter(|(salinity, temperature)| salinity.is_finite() && temperature.is_finite())
            .map(|(s, t)| (*s, *t))
    }

    fn frame(&self, right: f64) -> Frame {
        let types = || self.water_types.iter();
        let x = extent(self.points().map(|point| point.0).chain(types().map(|water| water.0)));
        let y = extent(self.points().map(|point| point.1).chain(types().map(|water| water.1)));
        let or =
            |given: &str, usual: &str| if given.is_empty() { usual.to_owned() } else { given.to_owned() };
        let (x_name, x_units) =
            (or(self.salinity_label, "absolute salinity"), or(self.salinity_units, "g kg-1"));
        let y_name = or(self.temperature_label, "conservative temperature");
        let y_units = or(self.temperature_units, "degC");
        let legend = self.casts.iter().enumerate().map(|(place, cast)| Sample {
            label: if cast.colour_values.is_empty() { cast.label.to_owned() } else { String::new() },
            colour: line_colour(place).to_owned(),
            look: SampleLook::Dot,
        });
        let plan =
            |span, name, units| AxisPlan { measure: Measure::Number, span, name, units, is_turned: false };
        Frame::new(FramePlan {
            title: self.title,
            subtitle: self.subtitle,
            x: plan(pad(x, 0.06), &x_name, &x_units),
            y: plan(pad(y, 0.06), &y_name, &y_units),
            legend: legend.collect(),
            size: [SIDE + 110.0 + right, SIDE],
            right,
            below: 0.0,
        })
    }

    fn draw_density(&self, frame: &Frame, svg: &mut Svg) -> Result<(), ChartError> {
        let sampled;
        let (columns, rows, values) = match self.density {
            Density::None => return Ok(()),
            Density::Grid { salinity, temperature, values } => {
                (Cells::around(salinity, "salinity")?, Cells::around(temperature, "temperature")?, values)
            }
            Density::Function(density) => {
                let along = |span: &crate::plot::Span| -> Vec<f64> {
                    let step = (span.high - span.low) / (GRID - 1) as f64;
                    (0..GRID).map(|place| span.low + step * place as f64).collect()
                };
                let (salinity, temperature) = (along(&frame.x.span), along(&frame.y.span));
                sampled = temperature
                    .iter()
                    .flat_map(|temperature| salinity.iter().map(|salinity| density(*salinity, *temperature)))
                    .collect::<Vec<f64>>();
                (
                    Cells::around(&salinity, "salinity")?,
                    Cells::around(&temperature, "temperature")?,
                    sampled.as_slice(),
                )
            }
        };
        let wanted = contours::Contours { levels: self.density_levels, ..contours::Contours::default() };
        let levels: Vec<LevelLines> = wanted
            .levels_of(values)
            .into_iter()
            .map(|level| {
                let place =
                    |[column, row]: [f64; 2]| frame.place(columns.number_at(column), rows.number_at(row));
                let traced = contour::on_grid([rows.len(), columns.len()], values, level);
                let lines = traced.into_iter().map(|line| line.into_iter().map(place).collect()).collect();
                LevelLines { level, lines }
            })
            .collect();
        contours::draw(svg, &levels, false, frame.area, &mut Vec::new());
        Ok(())
    }
}

fn draw_cast(frame: &Frame, svg: &mut Svg, cast: &TsCast<'_>, scale: Option<&Scale>, colour: &str) {
    let points: Vec<[f64; 2]> = cast
        .salinity
        .iter()
        .zip(cast.temperature)
        .map(|(salinity, temperature)| frame.place(*salinity, *temperature))
        .collect();
    if cast.is_joined {
        let line = if cast.colour_values.is_empty() { colour } else { "#8a8a8a" };
        draw_line(svg, &runs(points.iter().copied()), line, false);
    }
    let radius = match floor_index(libm::log10(points.len() as f64 + 1.0)) {
        0 | 1 => 4.5,
        2 => 3.4,
        _ => 2.2,
    };
    for (place, point) in
        points.iter().enumerate().filter(|(_, point)| point.iter().all(|part| part.is_finite()))
    {
        let fill = match (scale, cast.colour_values.get(place)) {
            (Some(scale), Some(value)) => hex(scale.colour(*value)),
            _ => colour.to_owned(),
        };
        let rim = if radius > 4.0 { " stroke=\"#ffffff\" stroke-width=\"0.5\"" } else { "" };
        let style = format!("fill=\"{fill}\"{rim}");
        svg.circle(*point, radius, &style);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CAST: TsCast<'_> = TsCast {
        label: "",
        salinity: &[34.0, 35.0],
        temperature: &[20.0, 10.0],
        colour_values: &[],
        is_joined: false,
    };

    #[test]
    fn a_grid_and_a_function_give_the_same_lines() {
        let density =
            |salinity: f64, temperature: f64| 26.0 + 0.8 * (salinity - 34.5) - 0.2 * (temperature - 15.0);
        let chart = |density| {
            TsSpec { casts: &[CAST], density, density_levels: &[26.0], ..TsSpec::default() }.to_svg().unwrap()
        };
        let salinity: Vec<f64> = (0..30).map(|place| 33.5 + f64::from(place) * 0.1).collect();
        let temperature: Vec<f64> = (0..30).map(|place| 5.0 + f64::from(place)).collect();
        let values: Vec<f64> = temperature
            .iter()
            .flat_map(|t| salinity.iter().map(|s| density(*s, *t)).collect::<Vec<_>>())
            .collect();
        let grid = chart(Density::Grid { salinity: &salinity, temperature: &temperature, values: &values });
        for svg in [grid, chart(Density::Function(&density))] {
            assert_eq!(svg.matches(">26</text>").count(), 1, "{svg}");
        }
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        assert!(matches!(TsSpec::default().to_svg(), Err(ChartError::NoLines { .. })));
        let cast = TsCast { temperature: &[1.0], ..CAST };
        assert!(matches!(
            TsSpec { casts: &[cast], ..TsSpec::default() }.to_svg(),
            Err(ChartError::Length { .. })
        ));
        let cast = TsCast { temperature: &[f64::NAN; 2], ..CAST };
        assert!(matches!(
            TsSpec { casts: &[cast], ..TsSpec::default() }.to_svg(),
            Err(ChartError::NoData { .. })
        ));
        let density = Density::Grid { salinity: &[1.0], temperature: &[1.0], values: &[] };
        assert!(matches!(
            TsSpec { casts: &[CAST], density, ..TsSpec::default() }.to_svg(),
            Err(ChartError::Length { .. })
        ));
        let density = |_: f64, _: f64| f64::NAN;
        TsSpec { casts: &[CAST], density: Density::Function(&density), ..TsSpec::default() }
            .to_svg()
            .unwrap();
    }
}

//! What holds for every chart, whatever its values are: it is drawn or refused, never broken.

#![expect(clippy::unwrap_used, reason = "helpers of tests are outside of test functions")]

use ocean_chart::{
    Along, Bands, BarSet, BarSpec, Calendar, ChartError, Colours, Contours, Density, Histogram2dSpec,
    HistogramSet, HistogramSpec, HodographSpec, HovmollerSpec, Line, LineLook, MapGrid, MapSpec, Norm,
    Palette, ProfileLine, ProfilePanel, ProfileSpec, Projection, RoseSpec, ScatterSpec, SectionSpec,
    SeriesSpec, Shading, SpectrumLine, SpectrumSpec, TimeAxis, TsCast, TsSpec, Vectors,
};

/// Awkward values: each a kind of trouble that data have.
fn awkward(kind: u32, count: usize) -> Vec<f64> {
    let mut state = u64::from(kind) * 7919 + 17;
    let mut random = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        f64::from(u32::try_from(state >> 40).unwrap()) / 16_777_216.0
    };
    (0..count)
        .map(|place| match kind {
            0 => random(),
            1 => (random() - 0.5) * 2e-5,
            2 => (random() - 0.5) * 1e300,
            3 => 7.0,
            4 if place != count / 2 => f64::NAN,
            4 => 3.0,
            5 => f64::NAN,
            6 if random() < 0.4 => f64::NAN,
            6 => random() * 100.0 - 50.0,
            7 if place % 3 == 0 => f64::INFINITY,
            7 => 1e-300,
            8 => 0.0,
            _ => 1e9 + random(),
        })
        .collect()
}

const KINDS: u32 = 10;

/// Checks a drawing, or that it was refused for a reason.
fn check(name: &str, draw: impl Fn() -> Result<String, ChartError>) {
    let svg = match draw() {
        Ok(svg) => svg,
        Err(error) => {
            let known = matches!(
                error,
                ChartError::NoData { .. } | ChartError::Axis { .. } | ChartError::Range { .. }
            );
            assert!(known, "{name}: {error}");
            return;
        }
    };
    assert_eq!(svg, draw().unwrap(), "{name}: equal specifications give equal text");
    assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"), "{name}");
    for line in svg.lines().filter(|line| !line.starts_with("<image")) {
        assert!(!line.contains("NaN") && !line.contains("inf"), "{name}: {line}");
    }
    assert_eq!(svg.matches("<g ").count(), svg.matches("</g>").count(), "{name}: groups are closed");
    // Every coordinate of lines and texts lies in or near the drawing.
    let (width, height) = (attribute(&svg, "width").unwrap(), attribute(&svg, "height").unwrap());
    assert!(width < 3000.0 && height < 3000.0, "{name}: {width} by {height}");
    for line in svg.lines().filter(|line| line.starts_with("<text ")) {
        let (x, y) = (attribute(line, "x").unwrap(), attribute(line, "y").unwrap());
        assert!((-1.0..=width + 1.0).contains(&x) && (-1.0..=height + 1.0).contains(&y), "{name}: {line}");
    }
}

fn attribute(text: &str, key: &str) -> Option<f64> {
    text.split_once(&format!(" {key}=\""))?.1.split_once('"')?.0.parse().ok()
}

fn steps(from: f64, step: f64, count: usize) -> Vec<f64> {
    (0..count).map(|place| from + step * place as f64).collect()
}

#[test]
fn fields_are_drawn_or_refused() {
    let (lon, lat, depth) = (steps(100.0, 3.0, 8), steps(-10.0, 2.0, 6), steps(0.0, 50.0, 6));
    for kind in 0..KINDS {
        let values = awkward(kind, 48);
        for (place, palette) in
            [Palette::Auto, Palette::Balance, Palette::Oxy, Palette::Phase].into_iter().enumerate()
        {
            let norm = if place % 2 == 0 { Norm::Linear } else { Norm::Log };
            let bands = if place > 1 { Bands::About(7) } else { Bands::None };
            let colours = Colours { palette, norm, bands, ..Colours::default() };
            let shading = if place == 2 { Shading::Smooth } else { Shading::Cells };
            let contours = [Contours::default()];
            check(&format!("map {kind} {palette}"), || {
                let projections = [
                    Projection::Auto,
                    Projection::Mercator,
                    Projection::Robinson,
                    Projection::PolarStereographic,
                ];
                MapSpec {
                    grid: MapGrid::Axes { lon: &lon, lat: &lat },
                    values: &values,
                    colours,
                    shading,
                    contours: &contours,
                    vectors: Some(Vectors { east: &values, north: &values, units: "m s-1", reference: None }),
                    projection: projections[place],
                    ..MapSpec::default()
                }
                .to_svg()
            });
            check(&format!("section {kind} {palette}"), || {
                let along = Along::Longitude(&lon);
                SectionSpec {
                    along,
                    depth: &depth,
                    values: &values,
                    colours,
                    shading,
                    contours: &contours,
                    ..SectionSpec::default()
                }
                .to_svg()
            });
            check(&format!("hovmoller {kind} {palette}"), || {
                let y = Along::Time { time: TimeAxis::Seconds(Calendar::Days360), values: &depth };
                HovmollerSpec {
                    x: Along::Latitude(&lon[..0]),
                    y,
                    values: &values,
                    colours,
                    ..HovmollerSpec::default()
                }
                .to_svg()
            });
            check(&format!("histogram of two {kind} {palette}"), || {
                let (x_edges, y_edges) = (steps(0.0, 1.0, 9), steps(0.0, 1.0, 7));
                Histogram2dSpec {
                    x_edges: &x_edges,
                    y_edges: &y_edges,
                    counts: &values,
                    colours,
                    ..Histogram2dSpec::default()
                }
                .to_svg()
            });
        }
    }
}

#[test]
fn lines_and_points_are_drawn_or_refused() {
    let x = steps(1.0, 86_400.0, 40);
    for kind in 0..KINDS {
        let values = awkward(kind, 40);
        for look in [LineLook::Joined, LineLook::Dots, LineLook::Filled(0.0)] {
            check(&format!("series {kind} {look:?}"), || {
                SeriesSpec {
                    lines: &[Line { x: &x, y: &values, look, ..Line::default() }],
                    ..SeriesSpec::default()
                }
                .to_svg()
            });
        }
        check(&format!("profile {kind}"), || {
            let lines = [ProfileLine { depth: &x, values: &values, ..ProfileLine::default() }];
            ProfileSpec {
                panels: &[ProfilePanel { lines: &lines, ..ProfilePanel::default() }],
                ..ProfileSpec::default()
            }
            .to_svg()
        });
        check(&format!("histogram {kind}"), || {
            let edges = steps(0.0, 1.0, 41);
            HistogramSpec {
                edges: &edges,
                sets: &[HistogramSet { label: "", values: &values }],
                ..HistogramSpec::default()
            }
            .to_svg()
        });
        check(&format!("spectrum {kind}"), || {
            SpectrumSpec {
                lines: &[SpectrumLine { frequency: &x, power: &values, ..SpectrumLine::default() }],
                ..SpectrumSpec::default()
            }
            .to_svg()
        });
        check(&format!("scatter {kind}"), || {
            ScatterSpec {
                x: &values,
                y: &x,
                colour_values: &values,
                has_identity: true,
                ..ScatterSpec::default()
            }
            .to_svg()
        });
        check(&format!("ts {kind}"), || {
            let density = |salinity: f64, temperature: f64| salinity - temperature;
            let cast = TsCast { salinity: &values, temperature: &x, is_joined: true, ..TsCast::default() };
            TsSpec { casts: &[cast], density: Density::Function(&density), ..TsSpec::default() }.to_svg()
        });
        check(&format!("bars {kind}"), || {
            let names = ["name"; 40];
            BarSpec {
                names: &names,
                sets: &[BarSet { label: "", values: &values, errors: &values }],
                ..BarSpec::default()
            }
            .to_svg()
        });
        check(&format!("rose {kind}"), || {
            RoseSpec { edges: &[0.0, 1.0, 2.0], shares: &values, ..RoseSpec::default() }.to_svg()
        });
        check(&format!("hodograph {kind}"), || {
            HodographSpec { east: &values, north: &values, colour_values: &x, ..HodographSpec::default() }
                .to_svg()
        });
    }
}

#[test]
fn long_texts_stay_inside() {
    let long = "a very long title that goes on and on without an end in sight ".repeat(12);
    let lines = [Line { label: &long, x: &[0.0, 1e9], y: &[1.0, 2.0], ..Line::default() }];
    let spec = SeriesSpec {
        title: &long,
        subtitle: &long,
        y_label: &long,
        units: &long,
        lines: &lines,
        ..SeriesSpec::default()
    };
    check("series with long texts", || spec.to_svg());
    let svg = spec.to_svg().unwrap();
    for line in svg.lines().filter(|line| line.starts_with("<text ") && !line.contains("transform")) {
        let text = line.split_once('>').unwrap().1.trim_end_matches("</text>");
        let wide = ocean_chart::font::width(text, attribute(line, "font-size").unwrap());
        assert!(wide < 900.0, "{wide}: {text}");
    }
}

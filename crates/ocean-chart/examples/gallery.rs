//! Draws one picture of each kind into a folder, from invented values, to look at after a change:
//! `cargo run -p ocean-chart --example gallery -- FOLDER`

use std::{error::Error, path::Path};

use ocean_chart::{
    Band, Coast, Line, MapMark, MapSpec, Palette, ProfileLine, ProfileSpec, SeriesSpec, Span, to_png,
};

const DAY: f64 = 86_400.0;

fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::args_os().nth(1).ok_or("name a folder: gallery FOLDER")?;
    let folder = Path::new(&folder);
    std::fs::create_dir_all(folder)?;
    let save = |name: &str, svg: String| -> Result<(), Box<dyn Error>> {
        std::fs::write(folder.join(format!("{name}.png")), to_png(&svg, 1400)?)?;
        std::fs::write(folder.join(format!("{name}.svg")), svg)?;
        Ok(())
    };
    save("global", global()?)?;
    save("small", small()?)?;
    save("date_line", date_line()?)?;
    save("tall", tall()?)?;
    save("series", series()?)?;
    save("profile", profile()?)?;
    Ok(())
}

fn steps(from: f64, step: f64, count: u32) -> Vec<f64> {
    (0..count).map(|place| from + f64::from(place) * step).collect()
}

fn field(lon: &[f64], lat: &[f64], value: impl Fn(f64, f64) -> f64) -> Vec<f64> {
    lat.iter()
        .flat_map(|lat| lon.iter().map(|lon| value(lon.to_radians(), lat.to_radians())).collect::<Vec<_>>())
        .collect()
}

fn sea_temperature(lon: f64, lat: f64) -> f64 {
    let land = libm::sin(3.0 * lon + 1.0) * libm::cos(2.0 * lat) > 0.93;
    if land {
        f64::NAN
    } else {
        28.0 * libm::cos(lat) - 1.0 + 2.0 * libm::sin(2.0 * lon) * libm::cos(5.0 * lat)
    }
}

fn global() -> Result<String, ocean_chart::ChartError> {
    let (lon, lat) = (steps(0.0, 2.0, 180), steps(88.0, -2.0, 89));
    MapSpec {
        title: "Sea surface temperature, mean of 2010 to 2019",
        subtitle: "Invented values on a grid of 2°",
        quantity: "sea surface temperature",
        units: "degC",
        lon: &lon,
        lat: &lat,
        values: &field(&lon, &lat, sea_temperature),
        marks: &[MapMark::Box { lon: [-170.0, -120.0], lat: [-5.0, 5.0], label: "Niño 3.4" }],
        ..MapSpec::default()
    }
    .to_svg()
}

fn small() -> Result<String, ocean_chart::ChartError> {
    let (lon, lat) = (steps(105.25, 0.5, 40), steps(5.25, 0.5, 40));
    let trend = |lon: f64, lat: f64| 0.03 * libm::sin(20.0 * lon) + 0.02 * libm::cos(25.0 * lat) + 0.005;
    MapSpec {
        title: "Trend of sea surface temperature in the South China Sea, 2014-01-01 to 2018-12-31, from weekly means",
        subtitle: "Least squares; hatched where not significant at 95 %",
        quantity: "trend",
        units: "degC year-1",
        lon: &lon,
        lat: &lat,
        values: &field(&lon, &lat, trend),
        marks: &[
            MapMark::Box { lon: [110.0, 117.0], lat: [19.0, 22.0], label: "coastal" },
            MapMark::Box { lon: [111.0, 118.0], lat: [11.0, 17.0], label: "basin" },
            MapMark::Point { lon: 114.2, lat: 22.3, label: "Hong Kong" },
        ],
        ..MapSpec::default()
    }
    .to_svg()
}

fn date_line() -> Result<String, ocean_chart::ChartError> {
    let lon: Vec<f64> =
        steps(160.5, 1.0, 80).into_iter().map(|lon| if lon > 180.0 { lon - 360.0 } else { lon }).collect();
    let lat = steps(-9.5, 1.0, 20);
    MapSpec {
        title: "Zonal current across the date line",
        quantity: "eastward velocity",
        units: "m s-1",
        lon: &lon,
        lat: &lat,
        values: &field(&lon, &lat, |lon, lat| 0.6 * libm::cos(18.0 * lat) * libm::sin(2.0 * lon)),
        palette: Palette::Delta,
        ..MapSpec::default()
    }
    .to_svg()
}

fn tall() -> Result<String, ocean_chart::ChartError> {
    let (lon, lat) = (steps(-30.0, 1.0, 12), steps(-60.0, 1.0, 110));
    MapSpec {
        title: "Chlorophyll along a strip of the Atlantic",
        quantity: "chlorophyll",
        units: "mg m-3",
        lon: &lon,
        lat: &lat,
        values: &field(&lon, &lat, |lon, lat| 4e-5 * (1.0 + libm::sin(9.0 * lat + lon))),
        palette: Palette::Algae,
        coast: Coast::Draw,
        ..MapSpec::default()
    }
    .to_svg()
}

fn series() -> Result<String, ocean_chart::ChartError> {
    let x = steps(16_436.0 * DAY, 7.0 * DAY, 157);
    let wave = |phase: f64, mean: f64| -> Vec<f64> {
        x.iter().map(|x| mean - 3.0 * libm::cos(x / DAY / 58.13 + phase) + 0.3 * libm::sin(x / DAY)).collect()
    };
    let (mut coastal, basin) = (wave(0.3, 25.0), wave(0.0, 27.0));
    coastal[60..70].fill(f64::NAN);
    let (low, high): (Vec<f64>, Vec<f64>) = basin.iter().map(|value| (value - 0.4, value + 0.4)).unzip();
    SeriesSpec {
        title: "Surface temperature in the coastal box and in the basin box",
        subtitle: "Means weighted by area, 2015-01-01 to 2017-12-31",
        y_label: "sea surface temperature",
        units: "degC",
        lines: &[
            Line { label: "coastal (110–117°E, 19–22°N)", x: &x, y: &coastal, ..Line::default() },
            Line {
                label: "basin (111–118°E, 11–17°N)",
                x: &x,
                y: &basin,
                band: Some(Band { low: &low, high: &high }),
                dashed: false,
            },
            Line {
                label: "trend of the basin",
                x: &[x[0], x[156]],
                y: &[26.8, 27.3],
                dashed: true,
                ..Line::default()
            },
        ],
        spans: &[Span { from: x[75], to: x[84], label: "marine heatwave" }],
        ..SeriesSpec::default()
    }
    .to_svg()
}

fn profile() -> Result<String, ocean_chart::ChartError> {
    let depth = [0.5, 10.0, 25.0, 50.0, 75.0, 100.0, 150.0, 200.0, 300.0, 500.0, 1000.0, 1500.0];
    let at = |surface: f64, scale: f64| depth.map(|depth| 3.0 + surface * libm::exp(-depth / scale));
    ProfileSpec {
        title: "Temperature profiles",
        subtitle: "Mean of 2016",
        x_label: "temperature",
        units: "degC",
        lines: &[
            ProfileLine { label: "coastal", depth: &depth[..6], values: &at(22.0, 120.0)[..6] },
            ProfileLine { label: "basin", depth: &depth, values: &at(25.0, 250.0) },
        ],
    }
    .to_svg()
}

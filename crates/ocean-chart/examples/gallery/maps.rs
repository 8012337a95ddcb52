//! Maps.

use ocean_chart::{
    Bands, ChartError, Colours, Contours, MapGrid, MapMark, MapSpec, MapWindow, Norm, Palette, Projection,
    Range, Shading, Vectors,
};

use super::{
    Picture,
    values::{field, grid, sea_temperature, steps},
};

pub(crate) const PICTURES: &[Picture] = &[
    ("map_global", global),
    ("map_global_plain", global_plain),
    ("map_region", region),
    ("map_mercator", mercator),
    ("map_date_line", date_line),
    ("map_tall", tall),
    ("map_arctic", arctic),
    ("map_antarctic", antarctic),
    ("map_arctic_sector", arctic_sector),
    ("map_curvilinear", curvilinear),
    ("map_triangles", triangles),
    ("map_points", points),
    ("map_one_cell", one_cell),
    ("map_constant", constant),
    ("map_tiny", tiny),
];

fn global() -> Result<String, ChartError> {
    let (lon, lat) = (steps(0.0, 2.0, 180), steps(88.0, -2.0, 89));
    MapSpec {
        title: "Sea surface temperature, mean of 2010 to 2019",
        subtitle: "Invented values on a grid of 2°",
        quantity: "sea surface temperature",
        units: "degC",
        grid: MapGrid::Axes { lon: &lon, lat: &lat },
        values: &field(&lon, &lat, sea_temperature),
        marks: &[MapMark::Box { lon: [-170.0, -120.0], lat: [-5.0, 5.0], label: "Niño 3.4" }],
        ..MapSpec::default()
    }
    .to_svg()
}

fn global_plain() -> Result<String, ChartError> {
    let (lon, lat) = (steps(-179.0, 2.0, 180), steps(-89.0, 2.0, 90));
    MapSpec {
        title: "Sea level anomaly",
        units: "m",
        quantity: "sea level anomaly",
        grid: MapGrid::Axes { lon: &lon, lat: &lat },
        values: &field(&lon, &lat, |lon, lat| 0.3 * libm::sin(3.0 * lon) * libm::cos(4.0 * lat)),
        colours: Colours { palette: Palette::Balance, bands: Bands::About(10), ..Colours::default() },
        shading: Shading::Smooth,
        projection: Projection::PlateCarree,
        ..MapSpec::default()
    }
    .to_svg()
}

fn region() -> Result<String, ChartError> {
    let (lon, lat) = (steps(105.25, 0.5, 40), steps(5.25, 0.5, 40));
    let values =
        field(&lon, &lat, |lon, lat| 0.03 * libm::sin(20.0 * lon) + 0.02 * libm::cos(25.0 * lat) + 0.005);
    let stipple: Vec<bool> = values.iter().map(|value| value.abs() > 0.02).collect();
    MapSpec {
        title: "Trend of sea surface temperature in the South China Sea, 2014-01-01 to 2018-12-31, from weekly means",
        subtitle: "Least squares; dotted where significant at 95 %",
        quantity: "trend",
        units: "degC year-1",
        grid: MapGrid::Axes { lon: &lon, lat: &lat },
        values: &values,
        stipple: &stipple,
        marks: &[
            MapMark::Box { lon: [110.0, 117.0], lat: [19.0, 22.0], label: "coastal" },
            MapMark::Box { lon: [111.0, 118.0], lat: [11.0, 17.0], label: "basin" },
            MapMark::Point { lon: 114.2, lat: 22.3, label: "Hong Kong" },
            MapMark::Line { lon: &[109.5, 112.0, 119.5], lat: &[12.0, 9.0, 8.0], label: "section" },
        ],
        ..MapSpec::default()
    }
    .to_svg()
}

fn mercator() -> Result<String, ChartError> {
    let (lon, lat) = (steps(-82.0, 0.5, 70), steps(25.0, 0.5, 60));
    let wave = |lon: f64, lat: f64| 18.0 * libm::cos(lat) + 6.0 * libm::sin(6.0 * lon + 9.0 * lat);
    let east = field(&lon, &lat, |lon, lat| 0.8 * libm::cos(8.0 * lon) * libm::sin(12.0 * lat));
    let north = field(&lon, &lat, |lon, lat| 0.5 * libm::sin(8.0 * lon) + 0.1 * lat);
    MapSpec {
        title: "Temperature and currents of the western North Atlantic",
        quantity: "temperature",
        units: "degC",
        grid: MapGrid::Axes { lon: &lon, lat: &lat },
        values: &field(&lon, &lat, wave),
        colours: Colours { palette: Palette::Thermal, bands: Bands::About(10), ..Colours::default() },
        shading: Shading::Smooth,
        contours: &[Contours { levels: &[8.0, 12.0, 16.0, 20.0], ..Contours::default() }],
        vectors: Some(Vectors { east: &east, north: &north, units: "m s-1", reference: None }),
        ..MapSpec::default()
    }
    .to_svg()
}

fn date_line() -> Result<String, ChartError> {
    let lon: Vec<f64> =
        steps(160.5, 1.0, 80).into_iter().map(|lon| if lon > 180.0 { lon - 360.0 } else { lon }).collect();
    let lat = steps(-9.5, 1.0, 20);
    MapSpec {
        title: "Zonal current across the date line",
        quantity: "eastward velocity",
        units: "m s-1",
        grid: MapGrid::Axes { lon: &lon, lat: &lat },
        values: &field(&lon, &lat, |lon, lat| 0.6 * libm::cos(18.0 * lat) * libm::sin(2.0 * lon)),
        colours: Colours { palette: Palette::Delta, ..Colours::default() },
        ..MapSpec::default()
    }
    .to_svg()
}

fn tall() -> Result<String, ChartError> {
    let (lon, lat) = (steps(-30.0, 1.0, 12), steps(-60.0, 1.0, 110));
    MapSpec {
        title: "Chlorophyll along a strip of the Atlantic",
        quantity: "chlorophyll",
        units: "mg m-3",
        grid: MapGrid::Axes { lon: &lon, lat: &lat },
        values: &field(&lon, &lat, |lon, lat| libm::exp(3.0 * libm::sin(9.0 * lat + lon) - 2.0)),
        colours: Colours { palette: Palette::Algae, norm: Norm::Log, ..Colours::default() },
        ..MapSpec::default()
    }
    .to_svg()
}

fn arctic() -> Result<String, ChartError> {
    let (lon, lat) = (steps(-179.5, 1.0, 360), steps(55.5, 1.0, 35));
    MapSpec {
        title: "Sea ice concentration, September 2012",
        subtitle: "Invented values",
        quantity: "sea ice concentration",
        units: "1",
        grid: MapGrid::Axes { lon: &lon, lat: &lat },
        values: &field(&lon, &lat, |lon, lat| {
            (9.0 * (lat - 1.35 - 0.05 * libm::sin(3.0 * lon))).clamp(0.0, 1.0)
        }),
        colours: Colours { palette: Palette::Ice, range: Range::Full, ..Colours::default() },
        contours: &[Contours { levels: &[0.15], is_bold: true, ..Contours::default() }],
        marks: &[MapMark::Point { lon: 15.6, lat: 78.2, label: "Longyearbyen" }],
        ..MapSpec::default()
    }
    .to_svg()
}

fn antarctic() -> Result<String, ChartError> {
    let (lon, lat) = (steps(1.0, 2.0, 180), steps(-89.0, 1.0, 50));
    let east = field(&lon, &lat, |lon, lat| 0.4 * libm::cos(7.0 * lat) + 0.1 * libm::sin(3.0 * lon));
    MapSpec {
        title: "Southern Ocean temperature",
        quantity: "temperature",
        units: "degC",
        grid: MapGrid::Axes { lon: &lon, lat: &lat },
        values: &field(&lon, &lat, |lon, lat| {
            if lat < -1.25 { f64::NAN } else { 14.0 * (lat + 1.25) + libm::sin(2.0 * lon) - 1.8 }
        }),
        shading: Shading::Smooth,
        vectors: Some(Vectors {
            east: &east,
            north: &vec![0.0; east.len()],
            units: "m s-1",
            reference: Some(0.5),
        }),
        ..MapSpec::default()
    }
    .to_svg()
}

fn arctic_sector() -> Result<String, ChartError> {
    let (lon, lat) = (steps(-20.0, 1.0, 61), steps(66.0, 0.5, 35));
    MapSpec {
        title: "Nordic Seas and Barents Sea",
        quantity: "salinity",
        units: "g kg-1",
        grid: MapGrid::Axes { lon: &lon, lat: &lat },
        values: &field(&lon, &lat, |lon, lat| 34.5 + libm::sin(4.0 * lon) * libm::cos(9.0 * lat)),
        colours: Colours { palette: Palette::Haline, ..Colours::default() },
        ..MapSpec::default()
    }
    .to_svg()
}

fn curvilinear() -> Result<String, ChartError> {
    let (columns, rows) = (steps(0.0, 1.0, 60), steps(0.0, 1.0, 40));
    let turn = 0.5_f64;
    let lon = grid(&columns, &rows, |i, j| -92.0 + 0.25 * (i * libm::cos(turn) - j * libm::sin(turn)));
    let lat = grid(&columns, &rows, |i, j| 22.0 + 0.22 * (i * libm::sin(turn) + j * libm::cos(turn)));
    let values = grid(&columns, &rows, |i, j| {
        if i > 50.0 && j < 8.0 { f64::NAN } else { 20.0 + 5.0 * libm::sin(i / 8.0) * libm::cos(j / 6.0) }
    });
    MapSpec {
        title: "A rotated grid in the Gulf of Mexico",
        quantity: "temperature",
        units: "degC",
        grid: MapGrid::Curvilinear { lon: &lon, lat: &lat, shape: [40, 60] },
        values: &values,
        contours: &[Contours { levels: &[17.0, 20.0, 23.0], ..Contours::default() }],
        ..MapSpec::default()
    }
    .to_svg()
}

fn triangles() -> Result<String, ChartError> {
    let (mut lon, mut lat, mut values) = (Vec::new(), Vec::new(), Vec::new());
    let (rings, spokes) = (26_u32, 48_u32);
    for ring in 0..rings {
        for spoke in 0..spokes {
            let (reach, angle) = (0.02 + 0.006 * f64::from(ring * ring), f64::from(spoke) * 0.1309);
            lon.push(-82.2 + reach * libm::sin(angle));
            lat.push(26.5 + reach * libm::cos(angle));
            values.push(4.2 * libm::exp(-reach / 0.9) + 0.4 * libm::sin(3.0 * angle));
        }
    }
    let node = |ring: u32, spoke: u32| (ring * spokes + spoke % spokes) as usize;
    let mut triangles = Vec::new();
    for ring in 0..rings - 1 {
        for spoke in 0..spokes {
            let corners =
                [node(ring, spoke), node(ring, spoke + 1), node(ring + 1, spoke + 1), node(ring + 1, spoke)];
            triangles.push([corners[0], corners[1], corners[2]]);
            triangles.push([corners[0], corners[2], corners[3]]);
        }
    }
    MapSpec {
        title: "Highest water level of the forecast",
        subtitle: "Above mean sea level, on the nodes of a mesh",
        quantity: "water level",
        units: "m",
        grid: MapGrid::Triangles { lon: &lon, lat: &lat, triangles: &triangles },
        values: &values,
        colours: Colours { palette: Palette::Amp, bands: Bands::About(9), ..Colours::default() },
        contours: &[Contours { levels: &[2.0], is_bold: true, ..Contours::default() }],
        window: Some(MapWindow { lon: [-84.5, -79.8], lat: [24.4, 28.6] }),
        marks: &[MapMark::Point { lon: -82.2, lat: 26.7, label: "landfall" }],
        ..MapSpec::default()
    }
    .to_svg()
}

fn points() -> Result<String, ChartError> {
    MapSpec {
        title: "Peak water level at the gauges",
        quantity: "water level above MLLW",
        units: "m",
        grid: MapGrid::Points {
            lon: &[-82.6, -81.9, -81.8, -82.8, -81.1],
            lat: &[27.8, 26.6, 26.1, 27.98, 25.9],
        },
        values: &[0.4, 2.2, 1.9, f64::NAN, 0.9],
        colours: Colours { palette: Palette::Amp, range: Range::Full, ..Colours::default() },
        marks: &[MapMark::Line {
            lon: &[-84.0, -83.0, -82.2, -81.6],
            lat: &[24.5, 25.6, 26.7, 27.7],
            label: "best track",
        }],
        window: Some(MapWindow { lon: [-84.5, -79.8], lat: [24.4, 28.6] }),
        ..MapSpec::default()
    }
    .to_svg()
}

fn one_cell() -> Result<String, ChartError> {
    let (lon, lat) = (steps(120.5, 1.0, 12), steps(22.5, 1.0, 9));
    let mut values = vec![f64::NAN; 108];
    values[61] = 18.5;
    MapSpec {
        title: "One cell of many, with a title that is so long that it needs to be broken into more than a single line and even then goes on and on until it is cut",
        quantity: "temperature",
        units: "degC",
        grid: MapGrid::Axes { lon: &lon, lat: &lat },
        values: &values,
        ..MapSpec::default()
    }
    .to_svg()
}

fn constant() -> Result<String, ChartError> {
    let (lon, lat) = (steps(-20.0, 1.0, 12), steps(-5.0, 1.0, 9));
    MapSpec {
        title: "A constant",
        quantity: "salinity",
        units: "1e-3",
        grid: MapGrid::Axes { lon: &lon, lat: &lat },
        values: &[35.0; 108],
        colours: Colours { palette: Palette::Haline, ..Colours::default() },
        ..MapSpec::default()
    }
    .to_svg()
}

fn tiny() -> Result<String, ChartError> {
    let (lon, lat) = (steps(-160.0, 0.25, 40), steps(18.0, 0.25, 30));
    MapSpec {
        title: "Relative vorticity",
        quantity: "relative vorticity",
        units: "s-1",
        grid: MapGrid::Axes { lon: &lon, lat: &lat },
        values: &field(&lon, &lat, |lon, lat| 1.3e-5 * libm::sin(60.0 * lon) * libm::cos(70.0 * lat)),
        colours: Colours { palette: Palette::Curl, ..Colours::default() },
        ..MapSpec::default()
    }
    .to_svg()
}

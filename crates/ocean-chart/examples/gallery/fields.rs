//! Sections, Hovmöller diagrams, T–S diagrams, histograms of two quantities.

use ocean_chart::{
    Along, Bands, Calendar, ChartError, Colours, Contours, Density, Histogram2dSpec, HovmollerSpec, Norm,
    Palette, PlaneMark, SectionSpec, Shading, TimeAxis, TsCast, TsSpec,
};

use super::{
    Picture,
    values::{grid, steps},
};

pub(crate) const PICTURES: &[Picture] = &[
    ("section", section),
    ("section_lat", section_lat),
    ("hovmoller_lon_time", lon_time),
    ("hovmoller_time_depth", time_depth),
    ("hovmoller_360_day", days_360),
    ("ts", ts),
    ("ts_casts", ts_casts),
    ("histogram_2d", histogram_2d),
];

const DAY: f64 = 86_400.0;
const DEPTHS: [f64; 14] =
    [1.0, 5.0, 10.0, 20.0, 30.0, 50.0, 75.0, 100.0, 150.0, 200.0, 300.0, 400.0, 500.0, 700.0];

fn section() -> Result<String, ChartError> {
    let along = steps(0.0, 20.0, 25);
    let floor: Vec<f64> =
        along.iter().map(|x| 40.0 + 700.0 / (1.0 + libm::exp((220.0 - x) / 40.0))).collect();
    let values = grid(&along, &DEPTHS, |x, depth| {
        let bottom = 40.0 + 700.0 / (1.0 + libm::exp((220.0 - x) / 40.0));
        if depth > bottom { f64::NAN } else { 4.0 + 23.0 * libm::exp(-depth / (120.0 + 0.3 * x)) }
    });
    let layer: Vec<f64> = along.iter().map(|x| 30.0 + 12.0 * libm::sin(x / 70.0)).collect();
    SectionSpec {
        title: "Temperature across the shelf and the slope",
        subtitle: "From the coast to 118°E, July 2016",
        quantity: "temperature",
        units: "degC",
        along: Along::Distance(&along),
        depth: &DEPTHS,
        values: &values,
        colours: Colours { palette: Palette::Thermal, ..Colours::default() },
        contours: &[Contours { levels: &[8.0, 12.0, 16.0, 20.0, 24.0], ..Contours::default() }],
        floor: &floor,
        marks: &[PlaneMark::Line { x: &along, y: &layer, label: "mixed layer" }],
        ..SectionSpec::default()
    }
    .to_svg()
}

fn section_lat() -> Result<String, ChartError> {
    let along = steps(-60.0, 2.0, 61);
    let depth = steps(50.0, 100.0, 50);
    SectionSpec {
        title: "Salinity along 25°W",
        quantity: "absolute salinity",
        units: "g kg-1",
        along: Along::Latitude(&along),
        depth: &depth,
        values: &grid(&along, &depth, |lat, depth| {
            34.9 + 1.5 * libm::exp(-depth / 600.0) * libm::cos((lat.abs() - 22.0) / 12.0)
                - 0.4 * libm::exp(-libm::pow((depth - 900.0) / 300.0, 2.0))
        }),
        colours: Colours { palette: Palette::Haline, bands: Bands::About(12), ..Colours::default() },
        shading: Shading::Smooth,
        ..SectionSpec::default()
    }
    .to_svg()
}

fn lon_time() -> Result<String, ChartError> {
    let lon = steps(140.0, 2.0, 70);
    let time = steps(9862.0 * DAY, 7.0 * DAY, 200);
    HovmollerSpec {
        title: "Sea level anomaly along 5°N",
        quantity: "sea level anomaly",
        units: "m",
        x: Along::Longitude(&lon),
        y: Along::Time { time: TimeAxis::default(), values: &time },
        values: &grid(&lon, &time, |lon, time| {
            0.15 * libm::sin(lon / 8.0 + time / DAY / 40.0) * libm::cos(time / DAY / 170.0)
        }),
        colours: Colours { palette: Palette::Balance, ..Colours::default() },
        marks: &[PlaneMark::Line {
            x: &[270.0, 160.0],
            y: &[time[60], time[150]],
            label: "0.3 m/s westward",
        }],
        ..HovmollerSpec::default()
    }
    .to_svg()
}

fn time_depth() -> Result<String, ChartError> {
    let time = steps(16_436.0 * DAY, 5.0 * DAY, 150);
    let values = grid(&time, &DEPTHS, |time, depth| {
        let season = libm::cos(time / DAY / 58.13);
        let gap = (time / DAY - 16_900.0).abs() < 20.0;
        if gap {
            f64::NAN
        } else {
            210.0 * libm::exp(-depth / 260.0) + 30.0 * season * libm::exp(-depth / 60.0) + 15.0
        }
    });
    HovmollerSpec {
        title: "Oxygen at the mooring",
        quantity: "dissolved oxygen",
        units: "mmol m-3",
        x: Along::Time { time: TimeAxis::default(), values: &time },
        y: Along::Depth(&DEPTHS),
        values: &values,
        colours: Colours { palette: Palette::Oxy, ..Colours::default() },
        contours: &[Contours { levels: &[60.0], is_bold: true, ..Contours::default() }],
        ..HovmollerSpec::default()
    }
    .to_svg()
}

fn days_360() -> Result<String, ChartError> {
    let time = steps(0.0, 30.0 * DAY, 48);
    let lat = steps(-30.0, 2.5, 25);
    HovmollerSpec {
        title: "Zonal mean precipitation of a model with months of 30 days",
        quantity: "precipitation",
        units: "mm day-1",
        x: Along::Time { time: TimeAxis::Seconds(Calendar::Days360), values: &time },
        y: Along::Latitude(&lat),
        values: &grid(&time, &lat, |time, lat| {
            9.0 * libm::exp(-libm::pow((lat - 8.0 * libm::sin(time / DAY / 57.3)) / 7.0, 2.0))
        }),
        colours: Colours { palette: Palette::Rain, ..Colours::default() },
        ..HovmollerSpec::default()
    }
    .to_svg()
}

/// Good enough to look at.
fn sigma(salinity: f64, temperature: f64) -> f64 {
    let warm = temperature - 10.0;
    26.95 + 0.77 * (salinity - 35.0) - 0.17 * warm - 0.0045 * warm * warm
}

fn ts() -> Result<String, ChartError> {
    let depth = steps(2.0, 12.0, 90);
    let temperature: Vec<f64> = depth.iter().map(|depth| 3.5 + 25.0 * libm::exp(-depth / 180.0)).collect();
    let salinity: Vec<f64> = depth
        .iter()
        .map(|depth| {
            34.45 + 0.5 * libm::exp(-libm::pow((depth - 150.0) / 90.0, 2.0)) - 0.9 * libm::exp(-depth / 30.0)
        })
        .collect();
    TsSpec {
        title: "Water masses of the South China Sea",
        subtitle: "Cast of 2016-07-12, 115°E 18°N",
        casts: &[TsCast {
            salinity: &salinity,
            temperature: &temperature,
            colour_values: &depth,
            is_joined: true,
            ..TsCast::default()
        }],
        colour_label: "depth",
        colour_units: "m",
        density: Density::Function(&sigma),
        water_types: &[(34.4, 7.5, "NPIW")],
        ..TsSpec::default()
    }
    .to_svg()
}

fn ts_casts() -> Result<String, ChartError> {
    let cast = |shift: f64| -> (Vec<f64>, Vec<f64>) {
        (0..300)
            .map(|at| f64::from(at) * 3.0)
            .map(|depth| {
                (34.5 + shift + 0.4 * libm::sin(depth / 160.0), 4.0 + 22.0 * libm::exp(-depth / 200.0))
            })
            .unzip()
    };
    let (shelf, basin) = (cast(-0.3), cast(0.1));
    TsSpec {
        title: "Shelf and basin",
        casts: &[
            TsCast { label: "shelf", salinity: &shelf.0, temperature: &shelf.1, ..TsCast::default() },
            TsCast { label: "basin", salinity: &basin.0, temperature: &basin.1, ..TsCast::default() },
        ],
        density: Density::Function(&sigma),
        ..TsSpec::default()
    }
    .to_svg()
}

fn histogram_2d() -> Result<String, ChartError> {
    let (x, y) = (steps(20.0, 0.25, 41), steps(0.0, 0.05, 41));
    let middles =
        |edges: &[f64]| edges.windows(2).map(|pair| f64::midpoint(pair[0], pair[1])).collect::<Vec<_>>();
    let counts = grid(&middles(&x), &middles(&y), |x, y| {
        libm::floor(
            900.0
                * libm::exp(
                    -libm::pow((x - 25.0) / 1.8, 2.0) - libm::pow((y - 0.9 + 0.1 * (x - 25.0)) / 0.25, 2.0),
                ),
        )
    });
    Histogram2dSpec {
        title: "Temperature against chlorophyll",
        x_label: "temperature",
        x_units: "degC",
        x_edges: &x,
        y_label: "chlorophyll",
        y_units: "mg m-3",
        y_edges: &y,
        counts: &counts,
        colours: Colours { palette: Palette::Matter, norm: Norm::Log, ..Colours::default() },
        ..Histogram2dSpec::default()
    }
    .to_svg()
}

//! Series, profiles, histograms, spectra, bars, scatter diagrams, roses.

use ocean_chart::{
    Band, BarSet, BarSpec, Calendar, ChartError, Colours, DepthMark, FittedLine, HistogramSet, HistogramSpec,
    HodographSpec, Level, Line, LineLook, Moment, Palette, ProfileLine, ProfilePanel, ProfileSpec, RoseSpec,
    ScatterSpec, SeriesSpec, Span, SpectrumLine, SpectrumSpec, TimeAxis, ValueMark, column,
};

use super::{Picture, values::steps};

pub(crate) const PICTURES: &[Picture] = &[
    ("series", series),
    ("series_index", index),
    ("series_hours", hours),
    ("series_noleap", noleap),
    ("series_lone", lone),
    ("profile", profile),
    ("profile_panels", profile_panels),
    ("histogram", histogram),
    ("spectrum", spectrum),
    ("bars", bars),
    ("bars_level", bars_level),
    ("scatter", scatter),
    ("scatter_colour", scatter_colour),
    ("rose", rose),
    ("hodograph", hodograph),
    ("column", stacked),
];

const DAY: f64 = 86_400.0;

fn series() -> Result<String, ChartError> {
    let x = steps(16_436.0 * DAY, 7.0 * DAY, 157);
    let wave = |phase: f64, mean: f64| -> Vec<f64> {
        x.iter().map(|x| mean - 3.0 * libm::cos(x / DAY / 58.13 + phase) + 0.3 * libm::sin(x / DAY)).collect()
    };
    let (mut coastal, basin) = (wave(0.3, 25.0), wave(0.0, 27.0));
    coastal[60..70].fill(f64::NAN);
    let (low, high): (Vec<f64>, Vec<f64>) = basin.iter().map(|value| (value - 0.4, value + 0.4)).unzip();
    let band = Some(Band { low: &low, high: &high });
    SeriesSpec {
        title: "Surface temperature in the coastal box and in the basin box",
        subtitle: "Means weighted by area, 2015-01-01 to 2017-12-31",
        y_label: "sea surface temperature",
        units: "degC",
        lines: &[
            Line { label: "coastal (110–117°E, 19–22°N)", x: &x, y: &coastal, ..Line::default() },
            Line { label: "basin (111–118°E, 11–17°N)", x: &x, y: &basin, band, ..Line::default() },
            Line {
                label: "trend of the basin",
                x: &[x[0], x[156]],
                y: &[26.8, 27.3],
                dashed: true,
                ..Line::default()
            },
        ],
        spans: &[
            Span { from: x[75], to: x[84], label: "marine heatwave" },
            Span { from: x[120], to: x[121], label: "another" },
        ],
        levels: &[Level { value: 29.5, label: "90th percentile" }],
        ..SeriesSpec::default()
    }
    .to_svg()
}

fn index() -> Result<String, ChartError> {
    let x = steps(0.0, 30.4 * DAY, 620);
    let y: Vec<f64> =
        x.iter().map(|x| 1.3 * libm::sin(x / DAY / 210.0) + 0.7 * libm::sin(x / DAY / 117.0)).collect();
    SeriesSpec {
        title: "Oceanic Niño index",
        y_label: "anomaly",
        units: "degC",
        lines: &[Line { x: &x, y: &y, look: LineLook::Filled(0.0), ..Line::default() }],
        levels: &[Level { value: 0.5, label: "El Niño" }, Level { value: -0.5, label: "La Niña" }],
        ..SeriesSpec::default()
    }
    .to_svg()
}

fn hours() -> Result<String, ChartError> {
    let x = steps(19_262.0 * DAY, 3600.0, 90);
    let tide: Vec<f64> = x.iter().map(|x| 0.4 * libm::sin(x / 7115.0)).collect();
    let level: Vec<f64> = x
        .iter()
        .zip(&tide)
        .map(|(time, tide)| tide + 2.1 * libm::exp(-libm::pow((time - x[45]) / 25_000.0, 2.0)))
        .collect();
    SeriesSpec {
        title: "Water level at Fort Myers",
        subtitle: "Above MLLW",
        y_label: "water level",
        units: "m",
        lines: &[
            Line { label: "observed", x: &x, y: &level, ..Line::default() },
            Line { label: "predicted tide", x: &x, y: &tide, dashed: true, ..Line::default() },
        ],
        moments: &[Moment { at: x[43], label: "landfall" }],
        levels: &[Level { value: 1.2, label: "moderate flood" }],
        ..SeriesSpec::default()
    }
    .to_svg()
}

fn noleap() -> Result<String, ChartError> {
    let x = steps(0.0, DAY, 365 * 3);
    let y: Vec<f64> = x.iter().map(|x| 1e-5 * libm::cos(x / DAY / 58.1)).collect();
    SeriesSpec {
        title: "Values of one hundred thousandth in years of 365 days",
        y_label: "vorticity",
        units: "s-1",
        time: TimeAxis::Seconds(Calendar::NoLeap),
        lines: &[Line { x: &x, y: &y, ..Line::default() }],
        ..SeriesSpec::default()
    }
    .to_svg()
}

fn lone() -> Result<String, ChartError> {
    SeriesSpec {
        title: "One value",
        y_label: "transport",
        units: "Sv",
        lines: &[Line { x: &[17_000.0 * DAY], y: &[17.3], ..Line::default() }],
        ..SeriesSpec::default()
    }
    .to_svg()
}

const DEPTH: [f64; 12] = [0.5, 10.0, 25.0, 50.0, 75.0, 100.0, 150.0, 200.0, 300.0, 500.0, 1000.0, 1500.0];

fn profile() -> Result<String, ChartError> {
    let at = |surface: f64, scale: f64| DEPTH.map(|depth| 3.0 + surface * libm::exp(-depth / scale));
    let (coastal, basin) = (at(22.0, 120.0), at(25.0, 250.0));
    let (low, high) = (basin.map(|value| value - 1.0), basin.map(|value| value + 1.0));
    let lines = [
        ProfileLine { label: "coastal", depth: &DEPTH[..6], values: &coastal[..6], ..ProfileLine::default() },
        ProfileLine {
            label: "basin",
            depth: &DEPTH,
            values: &basin,
            band: Some([&low, &high]),
            ..ProfileLine::default()
        },
    ];
    ProfileSpec {
        title: "Temperature profiles",
        subtitle: "Mean of 2016",
        panels: &[ProfilePanel { x_label: "temperature", units: "degC", lines: &lines }],
        marks: &[DepthMark { depth: 42.0, label: "mixed layer" }],
        ..ProfileSpec::default()
    }
    .to_svg()
}

fn profile_panels() -> Result<String, ChartError> {
    let line = |values: &[f64; 12]| -> [f64; 12] { *values };
    let temperature = line(&DEPTH.map(|depth| 3.0 + 25.0 * libm::exp(-depth / 250.0)));
    let salinity = line(&DEPTH.map(|depth| 34.4 + 0.4 * libm::exp(-libm::pow((depth - 150.0) / 120.0, 2.0))));
    let stability = line(&DEPTH.map(|depth| 4e-4 * libm::exp(-libm::pow((depth - 70.0) / 50.0, 2.0)) + 1e-5));
    let lines = [temperature, salinity, stability];
    let lines: Vec<[ProfileLine<'_>; 1]> = lines
        .iter()
        .map(|values| [ProfileLine { depth: &DEPTH, values, ..ProfileLine::default() }])
        .collect();
    ProfileSpec {
        title: "A cast in the basin",
        panels: &[
            ProfilePanel { x_label: "conservative temperature", units: "degC", lines: &lines[0] },
            ProfilePanel { x_label: "absolute salinity", units: "g kg-1", lines: &lines[1] },
            ProfilePanel { x_label: "buoyancy frequency squared", units: "s-2", lines: &lines[2] },
        ],
        marks: &[DepthMark { depth: 42.0, label: "mixed layer" }],
        ..ProfileSpec::default()
    }
    .to_svg()
}

fn histogram() -> Result<String, ChartError> {
    let edges = steps(20.0, 0.5, 25);
    let bars = |middle: f64| -> Vec<f64> {
        edges
            .windows(2)
            .map(|pair| libm::floor(800.0 * libm::exp(-libm::pow((pair[0] - middle) / 2.0, 2.0))))
            .collect()
    };
    HistogramSpec {
        title: "Surface temperature in two decades",
        x_label: "temperature",
        units: "degC",
        edges: &edges,
        sets: &[
            HistogramSet { label: "1990s", values: &bars(25.0) },
            HistogramSet { label: "2010s", values: &bars(26.2) },
        ],
        marks: &[
            ValueMark { value: 25.4, label: "mean" },
            ValueMark { value: 28.3, label: "90th percentile" },
        ],
        ..HistogramSpec::default()
    }
    .to_svg()
}

fn spectrum() -> Result<String, ChartError> {
    let frequency: Vec<f64> = (1..1200).map(|place| f64::from(place) * 0.01).collect();
    let power: Vec<f64> = frequency
        .iter()
        .map(|f| {
            0.02 / (f * f + 0.001)
                + 3.0 * libm::exp(-libm::pow((f - 1.932) / 0.02, 2.0))
                + libm::exp(-libm::pow((f - 1.0) / 0.02, 2.0))
        })
        .collect();
    let red: Vec<f64> = frequency.iter().map(|f| 0.06 / (f * f + 0.001)).collect();
    SpectrumSpec {
        title: "Spectrum of sea level",
        subtitle: "Welch, Hann, 12 segments",
        frequency_units: "cpd",
        power_label: "power spectral density",
        power_units: "m2 cpd-1",
        lines: &[
            SpectrumLine {
                label: "sea level",
                frequency: &frequency,
                power: &power,
                ..SpectrumLine::default()
            },
            SpectrumLine { label: "red noise, 95 %", frequency: &frequency, power: &red, dashed: true },
        ],
        confidence: Some([0.6, 1.9]),
        marks: &[ValueMark { value: 1.0, label: "K1" }, ValueMark { value: 1.932, label: "M2" }],
        ..SpectrumSpec::default()
    }
    .to_svg()
}

fn bars() -> Result<String, ChartError> {
    BarSpec {
        title: "Heat budget of the mixed layer",
        y_label: "mean of June to August",
        units: "W m-2",
        names: &[
            "tendency",
            "surface flux",
            "zonal advection",
            "meridional advection",
            "entrainment",
            "residual",
        ],
        sets: &[
            BarSet {
                label: "2015",
                values: &[12.0, 45.0, -12.0, -4.0, -20.0, 3.0],
                errors: &[2.0, 4.0, 2.0, 1.0, 3.0, 5.0],
            },
            BarSet { label: "2016", values: &[-5.0, 30.0, -8.0, f64::NAN, -22.0, -5.0], errors: &[] },
        ],
        ..BarSpec::default()
    }
    .to_svg()
}

fn bars_level() -> Result<String, ChartError> {
    BarSpec {
        title: "Root mean square error of models",
        y_label: "root mean square error",
        units: "degC",
        names: &[
            "A global reanalysis at a twelfth of a degree",
            "A regional forecast of the northern shelf",
            "Climatology",
            "Persistence",
        ],
        sets: &[BarSet { label: "", values: &[0.42, 0.55, 1.3, 0.9], errors: &[] }],
        ..BarSpec::default()
    }
    .to_svg()
}

fn cloud() -> (Vec<f64>, Vec<f64>, Vec<f64>) {
    let noise = |place: f64| libm::sin(place * 12.9898) * 43.758 % 1.0;
    let x: Vec<f64> = (0..400).map(|place| 20.0 + 10.0 * noise(f64::from(place)).abs()).collect();
    let y = x.iter().zip(0..).map(|(x, place)| 0.9 * x + 2.5 + 1.2 * noise(f64::from(place) + 0.5)).collect();
    let depth = (0..400).map(|place| f64::from(place) * 2.0).collect();
    (x, y, depth)
}

fn scatter() -> Result<String, ChartError> {
    let (x, y, _) = cloud();
    ScatterSpec {
        title: "Model against buoys",
        x_label: "observed temperature",
        x_units: "degC",
        y_label: "modelled temperature",
        y_units: "degC",
        x: &x,
        y: &y,
        fit: Some(FittedLine { slope: 0.9, intercept: 2.5, label: "slope 0.90, r = 0.97, n = 400" }),
        has_identity: true,
        ..ScatterSpec::default()
    }
    .to_svg()
}

fn scatter_colour() -> Result<String, ChartError> {
    let (x, y, depth) = cloud();
    ScatterSpec {
        title: "Coloured by depth",
        x_label: "temperature",
        x_units: "degC",
        y_label: "oxygen",
        y_units: "mg l-1",
        x: &x,
        y: &y,
        colour_values: &depth,
        colour_label: "depth",
        colour_units: "m",
        colours: Colours { palette: Palette::Deep, ..Colours::default() },
        ..ScatterSpec::default()
    }
    .to_svg()
}

fn rose() -> Result<String, ChartError> {
    let shares: Vec<f64> = (0..16)
        .flat_map(|way| {
            let often = 0.02 + 0.05 * libm::exp(-libm::pow((f64::from(way) - 3.0) / 2.5, 2.0));
            [0.35, 0.4, 0.2, 0.05].map(|share| share * often)
        })
        .collect();
    RoseSpec {
        title: "Wind at the buoy, January 2016",
        subtitle: "Directions that it comes from",
        quantity: "wind speed",
        units: "m s-1",
        edges: &[0.0, 4.0, 8.0, 12.0, 20.0],
        shares: &shares,
    }
    .to_svg()
}

fn hodograph() -> Result<String, ChartError> {
    let depth = steps(0.0, 5.0, 20);
    let part = |turn: fn(f64) -> f64| {
        depth.iter().map(|z| 0.3 * libm::exp(-z / 30.0) * turn(z / 30.0 + 0.8)).collect()
    };
    let (north, east): (Vec<f64>, Vec<f64>) = (part(libm::cos), part(libm::sin));
    HodographSpec {
        title: "An Ekman spiral",
        units: "m s-1",
        east: &east,
        north: &north,
        colour_values: &depth,
        colour_label: "depth",
        colour_units: "m",
        colours: Colours { palette: Palette::Deep, ..Colours::default() },
        ..HodographSpec::default()
    }
    .to_svg()
}

fn stacked() -> Result<String, ChartError> {
    column("Both", &[index()?, histogram()?])
}

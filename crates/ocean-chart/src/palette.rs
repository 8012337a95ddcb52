//! The colour tables: one list, from which every tool and every chart takes its names.
//!
//! # Source
//! The tables are those of cmocean 4.0.3 (MIT, `assets/cmocean.LICENSE`): Thyng et al. 2016, "True colors of
//! oceanography", Oceanography 29(3). All are perceptually uniform, `oxy` and `topo` within each of their parts.

use std::{fmt, str::FromStr};

use crate::error::ChartError;

/// A colour: red, green, blue.
pub(crate) type Rgb = [u8; 3];

const TABLES: &[u8] = include_bytes!("../assets/cmocean.bin");

/// The number of colours of a table.
pub(crate) const TABLE_LENGTH: usize = 256;

/// A colour table.
///
/// # Examples
///
/// ```
/// use ocean_chart::Palette;
///
/// assert_eq!("haline".parse::<Palette>()?, Palette::Haline);
/// assert_eq!(Palette::for_quantity("sea_water_practical_salinity", "1"), Palette::Haline);
/// assert_eq!(Palette::for_quantity("sea_surface_temperature_anomaly", "degC"), Palette::Balance);
/// assert_eq!(Palette::ALL.len(), 22);
/// # Ok::<(), ocean_chart::ChartError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Palette {
    /// [`Palette::Balance`] where the values lie on both sides of zero (the lesser side reaches at least a
    /// fifth of the greater), else [`Palette::Thermal`].
    #[default]
    Auto,
    /// Temperature.
    Thermal,
    /// Salinity.
    Haline,
    /// Light and radiation.
    Solar,
    /// Sea ice.
    Ice,
    /// Greys.
    Gray,
    /// Dissolved oxygen: red for the lowest fifth, grey, yellow for the highest fifth.
    Oxy,
    /// Depth of the sea floor, thickness of a layer.
    Deep,
    /// Density.
    Dense,
    /// Chlorophyll.
    Algae,
    /// Matter in the water, dissolved gases.
    Matter,
    /// Turbidity and sediment.
    Turbid,
    /// Speed of currents.
    Speed,
    /// A size that starts at zero, in reds.
    Amp,
    /// A size that starts at zero, in greens.
    Tempo,
    /// Rain, fresh water.
    Rain,
    /// Angles and times of day: the last colour is the first.
    Phase,
    /// Height of land and sea floor about the level of the sea.
    Topo,
    /// Signed values, blue below zero and red above: anomalies, trends.
    Balance,
    /// Signed values, blue below zero and green above: velocities.
    Delta,
    /// Signed values, green below zero and red above: vorticity.
    Curl,
    /// Signed values, blue below zero and brown above: differences.
    Diff,
    /// Signed values, brown below zero and green above: rain anomalies.
    Tarn,
}

/// How the colours of a table run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Run {
    /// From few to many.
    Sequential,
    /// From below zero to above it.
    Diverging,
    /// Around.
    Cyclic,
}

/// The list, in the order of the tables in the file: palette, name, what it is for, how it runs.
const LIST: [(Palette, &str, &str, Run); 22] = [
    (Palette::Thermal, "thermal", "temperature", Run::Sequential),
    (Palette::Haline, "haline", "salinity", Run::Sequential),
    (Palette::Solar, "solar", "light and radiation", Run::Sequential),
    (Palette::Ice, "ice", "sea ice", Run::Sequential),
    (Palette::Gray, "gray", "anything, without colour", Run::Sequential),
    (Palette::Oxy, "oxy", "oxygen, lowest and highest fifth marked", Run::Sequential),
    (Palette::Deep, "deep", "depth and thickness", Run::Sequential),
    (Palette::Dense, "dense", "density", Run::Sequential),
    (Palette::Algae, "algae", "chlorophyll", Run::Sequential),
    (Palette::Matter, "matter", "dissolved matter", Run::Sequential),
    (Palette::Turbid, "turbid", "turbidity and sediment", Run::Sequential),
    (Palette::Speed, "speed", "speed of currents", Run::Sequential),
    (Palette::Amp, "amp", "sizes from 0, in reds", Run::Sequential),
    (Palette::Tempo, "tempo", "sizes from 0, in greens", Run::Sequential),
    (Palette::Rain, "rain", "rain and fresh water", Run::Sequential),
    (Palette::Phase, "phase", "angles", Run::Cyclic),
    (Palette::Topo, "topo", "height about sea level", Run::Diverging),
    (Palette::Balance, "balance", "anomalies and trends", Run::Diverging),
    (Palette::Delta, "delta", "velocities", Run::Diverging),
    (Palette::Curl, "curl", "vorticity", Run::Diverging),
    (Palette::Diff, "diff", "differences", Run::Diverging),
    (Palette::Tarn, "tarn", "anomalies of rain", Run::Diverging),
];

/// Words of standard names and the palette that each asks for; the first that fits decides.
///
/// A word that ends in `*` may go on. Words stand between `_`, `-`, `.` and spaces.
const QUANTITIES: [(&[&str], Palette); 21] = [
    (
        &["anomaly", "anomalies", "trend*", "tendency", "difference", "bias", "departure", "slope"],
        Palette::Balance,
    ),
    (&["vorticity", "curl", "divergence", "convergence", "okubo*"], Palette::Curl),
    (&["direction", "phase"], Palette::Phase),
    (&["eastward", "northward", "upward", "downward", "velocity", "uo", "vo", "wo"], Palette::Delta),
    (&["ice", "siconc", "sithick"], Palette::Ice),
    (
        &[
            "intensity",
            "frequency",
            "duration",
            "count",
            "days",
            "probability",
            "category",
            "std",
            "variance",
            "gradient",
        ],
        Palette::Amp,
    ),
    (&["speed", "energy", "eke", "ke"], Palette::Speed),
    (&["salin*", "sal", "so", "sss"], Palette::Haline),
    (&["oxygen", "o2", "oxy"], Palette::Oxy),
    (&["chloro*", "chl", "chla", "phyto*", "production", "npp"], Palette::Algae),
    (&["turbid*", "sediment", "suspended"], Palette::Turbid),
    (
        &["nitrate", "phosphate", "silicate", "nutrient*", "carbon", "alkalinity", "ph", "no3", "po4", "si"],
        Palette::Matter,
    ),
    (&["rain", "rainfall", "precipitation", "freshwater"], Palette::Rain),
    (&["radiation", "shortwave", "light", "par", "irradiance"], Palette::Solar),
    (&["altitude", "topograph*", "elevation"], Palette::Topo),
    (&["density", "sigma*", "rho"], Palette::Dense),
    (&["temp*", "thetao", "sst", "heat", "t"], Palette::Thermal),
    (&["depth", "bathym*", "thickness", "mld", "mixed", "deptho"], Palette::Deep),
    (&["wave", "swell", "height", "swh"], Palette::Amp),
    (&["wind"], Palette::Tempo),
    (&["correlation", "covariance", "coefficient"], Palette::Balance),
];

/// Heights of the sea's surface, which may lie on both sides of zero or not.
const SURFACE_HEIGHTS: [&str; 8] =
    ["sea_surface_height", "surface_height", "sea_level", "water_level", "zos", "ssh", "adt", "surge"];

impl Palette {
    /// All palettes with colours of their own; [`Palette::Auto`] is none.
    pub const ALL: [Self; 22] = {
        let mut all = [Self::Thermal; 22];
        let mut place = 0;
        while place < LIST.len() {
            all[place] = LIST[place].0;
            place += 1;
        }
        all
    };

    /// Returns its name, such as `thermal`; that of cmocean, or `auto`.
    pub fn name(self) -> &'static str {
        self.entry().map_or("auto", |entry| entry.1)
    }

    /// Returns what it is for, in a few words.
    pub fn purpose(self) -> &'static str {
        self.entry().map_or("by the values: balance on both sides of 0, else thermal", |entry| entry.2)
    }

    /// Chooses the palette of a quantity, named by its CF standard name or a usual short name.
    ///
    /// Oxygen in units other than `mg l-1`, `umol kg-1`, `mmol m-3` and their like has no fixed thresholds and is
    /// drawn with [`Palette::Tempo`]. What is not known is left to the values: [`Palette::Auto`].
    pub fn for_quantity(name: &str, units: &str) -> Self {
        let name = name.to_lowercase();
        let words: Vec<&str> = name.split(['_', ' ', '-', '.']).collect();
        let is_met = |pattern: &&str| match pattern.strip_suffix('*') {
            Some(start) => words.iter().any(|word| word.starts_with(start)),
            None => words.contains(pattern),
        };
        let found = QUANTITIES.iter().find(|(patterns, _)| patterns.iter().any(is_met));
        let height = SURFACE_HEIGHTS.iter().any(|height| name.contains(height));
        match found {
            Some((_, Self::Oxy)) if oxygen_range(units).is_none() => Self::Tempo,
            Some((_, palette @ (Self::Balance | Self::Delta | Self::Curl))) => *palette,
            _ if height => Self::Auto,
            Some((_, palette)) => *palette,
            None => Self::Auto,
        }
    }

    /// Tells whether the middle colour stands for zero, so that the range is kept symmetric about it.
    pub fn is_diverging(self) -> bool {
        self.entry().is_some_and(|entry| entry.3 == Run::Diverging)
    }

    /// Tells whether the last colour is the first, as for angles.
    pub fn is_cyclic(self) -> bool {
        self.entry().is_some_and(|entry| entry.3 == Run::Cyclic)
    }

    /// Returns its 256 colours as red, green and blue, lowest first; those of [`Palette::Thermal`] for `Auto`.
    pub fn colours(self) -> &'static [[u8; 3]] {
        let place = LIST.iter().position(|entry| entry.0 == self).unwrap_or(0);
        &TABLES.as_chunks::<3>().0[place * TABLE_LENGTH..(place + 1) * TABLE_LENGTH]
    }

    fn entry(self) -> Option<&'static (Self, &'static str, &'static str, Run)> {
        LIST.iter().find(|entry| entry.0 == self)
    }
}

impl fmt::Display for Palette {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

impl FromStr for Palette {
    type Err = ChartError;

    fn from_str(text: &str) -> Result<Self, ChartError> {
        if text == "auto" {
            return Ok(Self::Auto);
        }
        let found = LIST.iter().find(|entry| entry.1 == text);
        found.map(|entry| entry.0).ok_or_else(|| ChartError::Palette { name: text.to_owned() })
    }
}

/// The range of oxygen by which the lowest fifth of [`Palette::Oxy`] is hypoxic water and the highest is
/// oversaturated: 2 of 10 mg/l, 60 of 300 µmol/kg.
pub(crate) fn oxygen_range(units: &str) -> Option<[f64; 2]> {
    let plain: String = units.to_lowercase().chars().filter(|letter| !letter.is_whitespace()).collect();
    match plain.as_str() {
        "mgl-1" | "mg/l" | "gm-3" => Some([0.0, 10.0]),
        "mll-1" | "ml/l" => Some([0.0, 7.0]),
        "umolkg-1" | "umol/kg" | "µmolkg-1" | "µmol/kg" | "mmolm-3" | "mmol/m3" | "umoll-1" | "umol/l"
        | "micromoleskg-1" | "mmolm^-3" => Some([0.0, 300.0]),
        "molm-3" => Some([0.0, 0.3]),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_come_back() {
        for palette in Palette::ALL.into_iter().chain([Palette::Auto]) {
            assert_eq!(palette.name().parse::<Palette>().unwrap(), palette);
        }
        let error = "jet".parse::<Palette>().unwrap_err().to_string();
        assert!(error.contains("`jet`") && error.contains("thermal"), "{error}");
    }

    #[test]
    fn the_file_has_a_table_for_each_name() {
        assert_eq!(TABLES.len(), LIST.len() * TABLE_LENGTH * 3);
        let mut tables: Vec<_> = Palette::ALL.iter().map(|palette| palette.colours()).collect();
        tables.sort_unstable();
        tables.dedup();
        assert_eq!(tables.len(), LIST.len());
    }

    #[test]
    fn light_and_dark_are_where_the_tables_say() {
        let light = |[red, green, blue]: Rgb| {
            0.2126 * f64::from(red) + 0.7152 * f64::from(green) + 0.0722 * f64::from(blue)
        };
        for palette in Palette::ALL {
            let colours = palette.colours();
            let [first, middle, last] = [0, 128, 255].map(|place| light(colours[place]));
            if palette.is_cyclic() {
                assert!((first - last).abs() < 6.0, "{palette}");
            } else if palette.is_diverging() && palette != Palette::Topo {
                assert!(middle > first + 60.0 && middle > last + 60.0, "{palette}: {first} {middle} {last}");
            }
        }
    }

    #[test]
    fn quantities_have_their_colours() {
        let cases = [
            ("sea_water_potential_temperature", "degC", Palette::Thermal),
            ("sea_surface_temperature", "K", Palette::Thermal),
            ("thetao", "degC", Palette::Thermal),
            ("sea_water_absolute_salinity", "g kg-1", Palette::Haline),
            ("eastward_sea_water_velocity", "m s-1", Palette::Delta),
            ("sea_water_speed", "m s-1", Palette::Speed),
            ("ocean_relative_vorticity", "s-1", Palette::Curl),
            ("mass_concentration_of_chlorophyll_a_in_sea_water", "mg m-3", Palette::Algae),
            ("mole_concentration_of_dissolved_molecular_oxygen_in_sea_water", "mmol m-3", Palette::Oxy),
            ("fractional_saturation_of_oxygen_in_sea_water", "1", Palette::Tempo),
            ("ocean_mixed_layer_thickness", "m", Palette::Deep),
            ("sea_floor_depth_below_geoid", "m", Palette::Deep),
            ("sea_water_sigma_theta", "kg m-3", Palette::Dense),
            ("temperature_anomaly", "degC", Palette::Balance),
            ("sea_ice_area_fraction", "1", Palette::Ice),
            ("sea_surface_height_above_geoid", "m", Palette::Auto),
            ("sea_surface_height_anomaly", "m", Palette::Balance),
            ("sea_surface_wave_significant_height", "m", Palette::Amp),
            ("sea_surface_wave_from_direction", "degree", Palette::Phase),
            ("wind_speed", "m s-1", Palette::Speed),
            ("device_number", "1", Palette::Auto),
        ];
        for (name, units, palette) in cases {
            assert_eq!(Palette::for_quantity(name, units), palette, "{name}");
        }
    }
}

//! Which quantity a variable holds, from its CF standard name or the names that files commonly use.
//!
//! # Source
//! CF standard name table (version 85); variable names of CMEMS, NEMO, HYCOM, ROMS, CMIP6, OISST, COBE,
//! World Ocean Atlas and Argo files.

/// A quantity that people ask for by an everyday word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Quantity {
    /// Sea water temperature, in situ, potential or conservative, at any depth.
    Temperature,
    /// Sea surface temperature.
    SurfaceTemperature,
    /// Salinity, practical or absolute.
    Salinity,
    /// Eastward velocity.
    Eastward,
    /// Northward velocity.
    Northward,
    /// Upward velocity.
    Upward,
    /// Sea surface height or dynamic topography.
    SeaSurfaceHeight,
    /// Sea level anomaly.
    SeaLevelAnomaly,
    /// Dissolved oxygen.
    Oxygen,
    /// Chlorophyll a.
    Chlorophyll,
    /// Nitrate.
    Nitrate,
    /// Phosphate.
    Phosphate,
    /// Silicate.
    Silicate,
    /// Acidity.
    Ph,
    /// Net primary production.
    PrimaryProduction,
    /// Mixed layer depth.
    MixedLayerDepth,
    /// Sea ice concentration.
    SeaIce,
    /// Depth of the sea floor.
    Bathymetry,
    /// Eastward wind.
    EastwardWind,
    /// Northward wind.
    NorthwardWind,
    /// Density of sea water.
    Density,
}

struct Row {
    quantity: Quantity,
    /// The everyday words, the first of which is used in messages.
    words: &'static [&'static str],
    standard_names: &'static [&'static str],
    /// Variable names in lower case.
    names: &'static [&'static str],
}

const TABLE: &[Row] = &[
    Row {
        quantity: Quantity::Temperature,
        words: &["temperature", "temp", "ocean temperature", "sea water temperature", "water temperature"],
        standard_names: &[
            "sea_water_potential_temperature",
            "sea_water_temperature",
            "sea_water_conservative_temperature",
        ],
        names: &[
            "thetao",
            "temp",
            "temperature",
            "votemper",
            "theta",
            "water_temp",
            "ct",
            "pt",
            "to",
            "bigthetao",
            "toce",
            "potemp",
            "t_an",
            "t",
        ],
    },
    Row {
        quantity: Quantity::SurfaceTemperature,
        words: &["sst", "sea surface temperature", "surface temperature"],
        standard_names: &[
            "sea_surface_temperature",
            "sea_surface_foundation_temperature",
            "sea_surface_subskin_temperature",
            "sea_surface_skin_temperature",
            "surface_temperature",
        ],
        names: &["sst", "tos", "analysed_sst", "sosstsst", "surface_temperature", "tsea"],
    },
    Row {
        quantity: Quantity::Salinity,
        words: &["salinity", "salt"],
        standard_names: &[
            "sea_water_salinity",
            "sea_water_practical_salinity",
            "sea_water_absolute_salinity",
            "sea_surface_salinity",
            "sea_water_reference_salinity",
        ],
        names: &[
            "so", "salt", "sal", "salinity", "vosaline", "psal", "sss", "sos", "s_an", "sa", "soce", "s",
        ],
    },
    Row {
        quantity: Quantity::Eastward,
        words: &["u", "eastward velocity", "zonal velocity", "zonal current", "eastward current"],
        standard_names: &[
            "eastward_sea_water_velocity",
            "surface_eastward_sea_water_velocity",
            "sea_water_x_velocity",
            "surface_geostrophic_eastward_sea_water_velocity",
        ],
        names: &["uo", "u", "vozocrtx", "water_u", "ugos", "uvel", "u_velocity", "uoce", "urot"],
    },
    Row {
        quantity: Quantity::Northward,
        words: &["v", "northward velocity", "meridional velocity", "meridional current", "northward current"],
        standard_names: &[
            "northward_sea_water_velocity",
            "surface_northward_sea_water_velocity",
            "sea_water_y_velocity",
            "surface_geostrophic_northward_sea_water_velocity",
        ],
        names: &["vo", "v", "vomecrty", "water_v", "vgos", "vvel", "v_velocity", "voce", "vrot"],
    },
    Row {
        quantity: Quantity::Upward,
        words: &["w", "vertical velocity", "upward velocity"],
        standard_names: &["upward_sea_water_velocity"],
        names: &["wo", "w", "vovecrtz", "wvel"],
    },
    Row {
        quantity: Quantity::SeaSurfaceHeight,
        words: &[
            "ssh",
            "sea surface height",
            "sea level",
            "dynamic topography",
            "absolute dynamic topography",
            "adt",
            "zos",
        ],
        standard_names: &[
            "sea_surface_height_above_geoid",
            "sea_surface_height",
            "sea_surface_elevation",
            "sea_surface_height_above_reference_ellipsoid",
        ],
        names: &["zos", "ssh", "adt", "zeta", "sossheig", "surf_el", "sea_surface_height"],
    },
    Row {
        quantity: Quantity::SeaLevelAnomaly,
        words: &["sla", "sea level anomaly", "sea surface height anomaly"],
        // CF has the height above mean sea level for what altimetry calls sea level anomaly.
        standard_names: &[
            "sea_surface_height_above_sea_level",
            "sea_surface_height_above_mean_sea_level",
            "sea_level_anomaly",
        ],
        names: &["sla", "msla", "ssha"],
    },
    Row {
        quantity: Quantity::Oxygen,
        words: &["oxygen", "dissolved oxygen", "o2"],
        standard_names: &[
            "mole_concentration_of_dissolved_molecular_oxygen_in_sea_water",
            "moles_of_oxygen_per_unit_mass_in_sea_water",
            "mass_concentration_of_oxygen_in_sea_water",
            "volume_fraction_of_oxygen_in_sea_water",
        ],
        names: &["o2", "oxygen", "dox", "doxy", "dissolved_oxygen", "oxy", "o_an"],
    },
    Row {
        quantity: Quantity::Chlorophyll,
        words: &["chlorophyll", "chlorophyll a", "chl"],
        standard_names: &[
            "mass_concentration_of_chlorophyll_a_in_sea_water",
            "mass_concentration_of_chlorophyll_in_sea_water",
            "concentration_of_chlorophyll_in_sea_water",
        ],
        names: &["chl", "chlorophyll", "chlor_a", "chla", "chlorophyll_a"],
    },
    Row {
        quantity: Quantity::Nitrate,
        words: &["nitrate", "no3"],
        standard_names: &[
            "mole_concentration_of_nitrate_in_sea_water",
            "moles_of_nitrate_per_unit_mass_in_sea_water",
        ],
        names: &["no3", "nitrate", "n_an"],
    },
    Row {
        quantity: Quantity::Phosphate,
        words: &["phosphate", "po4"],
        standard_names: &[
            "mole_concentration_of_phosphate_in_sea_water",
            "moles_of_phosphate_per_unit_mass_in_sea_water",
        ],
        names: &["po4", "phosphate", "p_an"],
    },
    Row {
        quantity: Quantity::Silicate,
        words: &["silicate", "si"],
        standard_names: &[
            "mole_concentration_of_silicate_in_sea_water",
            "moles_of_silicate_per_unit_mass_in_sea_water",
        ],
        names: &["si", "silicate", "sio4", "i_an"],
    },
    Row {
        quantity: Quantity::Ph,
        words: &["ph", "acidity"],
        standard_names: &["sea_water_ph_reported_on_total_scale", "sea_water_ph"],
        names: &["ph"],
    },
    Row {
        quantity: Quantity::PrimaryProduction,
        words: &["primary production", "net primary production", "npp"],
        standard_names: &[
            "net_primary_production_of_biomass_expressed_as_carbon_per_unit_volume_in_sea_water",
        ],
        names: &["nppv", "npp", "intpp"],
    },
    Row {
        quantity: Quantity::MixedLayerDepth,
        words: &["mixed layer depth", "mld"],
        standard_names: &[
            "ocean_mixed_layer_thickness_defined_by_sigma_theta",
            "ocean_mixed_layer_thickness",
        ],
        names: &["mlotst", "mld", "somxl010"],
    },
    Row {
        quantity: Quantity::SeaIce,
        words: &["sea ice", "sea ice concentration", "ice"],
        standard_names: &["sea_ice_area_fraction"],
        names: &["siconc", "sea_ice_fraction", "ice", "icec", "aice"],
    },
    Row {
        quantity: Quantity::Bathymetry,
        words: &["bathymetry", "depth of the sea floor", "topography"],
        standard_names: &[
            "sea_floor_depth_below_geoid",
            "sea_floor_depth",
            "sea_floor_depth_below_sea_surface",
        ],
        names: &["deptho", "bathymetry", "bathy", "elevation", "topo", "rose", "h"],
    },
    Row {
        quantity: Quantity::EastwardWind,
        words: &["eastward wind", "zonal wind", "u wind"],
        standard_names: &["eastward_wind", "x_wind"],
        names: &["uwnd", "u10", "uas"],
    },
    Row {
        quantity: Quantity::NorthwardWind,
        words: &["northward wind", "meridional wind", "v wind"],
        standard_names: &["northward_wind", "y_wind"],
        names: &["vwnd", "v10", "vas"],
    },
    Row {
        quantity: Quantity::Density,
        words: &["density", "sigma0", "potential density"],
        standard_names: &["sea_water_density", "sea_water_potential_density", "sea_water_sigma_theta"],
        names: &["rho", "rhopoto", "sigma0"],
    },
];

impl Quantity {
    /// The quantity an everyday word asks for.
    pub fn from_word(word: &str) -> Option<Self> {
        let word = normalise(word);
        TABLE.iter().find(|row| row.words.contains(&word.as_str())).map(|row| row.quantity)
    }

    /// The quantity of a variable, by standard name first and by its own name otherwise, with the reason.
    pub fn of_variable(name: &str, standard_name: Option<&str>) -> Option<(Self, &'static str)> {
        if let Some(standard) = standard_name {
            let standard = standard.split_whitespace().next().unwrap_or("");
            if let Some(row) = TABLE.iter().find(|row| row.standard_names.contains(&standard)) {
                return Some((row.quantity, "its standard name"));
            }
        }
        let name = base_name(name).to_ascii_lowercase();
        let row = TABLE.iter().find(|row| row.names.contains(&name.as_str()))?;
        Some((row.quantity, "its variable name"))
    }

    /// How good a match a variable name is among those of the quantity: 0 is best.
    pub(crate) fn rank(self, name: &str, standard_name: Option<&str>) -> usize {
        let Some(row) = TABLE.iter().find(|row| row.quantity == self) else { return usize::MAX };
        let by_standard = standard_name.and_then(|s| row.standard_names.iter().position(|&n| n == s));
        let name = base_name(name).to_ascii_lowercase();
        let by_name = row.names.iter().position(|&n| n == name);
        match (by_standard, by_name) {
            (Some(standard), _) => standard,
            (None, Some(position)) => 100 + position,
            (None, None) => usize::MAX,
        }
    }

    /// What may stand in when the quantity itself is absent: sea surface temperature for temperature, and
    /// sea level anomaly for sea surface height, each also the other way round.
    pub(crate) fn substitute(self) -> Option<Self> {
        match self {
            Self::Temperature => Some(Self::SurfaceTemperature),
            Self::SurfaceTemperature => Some(Self::Temperature),
            Self::SeaSurfaceHeight => Some(Self::SeaLevelAnomaly),
            _ => None,
        }
    }

    /// Units of which those of the quantity are one, up to a factor and an offset; none where any will do.
    pub(crate) fn units(self) -> &'static [&'static str] {
        match self {
            Self::Temperature | Self::SurfaceTemperature => &["K"],
            Self::Salinity | Self::Ph | Self::SeaIce => &["1"],
            Self::Eastward | Self::Northward | Self::Upward | Self::EastwardWind | Self::NorthwardWind => {
                &["m s-1"]
            }
            Self::SeaSurfaceHeight | Self::SeaLevelAnomaly | Self::MixedLayerDepth | Self::Bathymetry => {
                &["m"]
            }
            // By volume, by mass, and as a volume of gas in a volume of water.
            Self::Oxygen | Self::Nitrate | Self::Phosphate | Self::Silicate => {
                &["mol m-3", "mol kg-1", "kg m-3", "1"]
            }
            Self::Chlorophyll | Self::Density => &["kg m-3"],
            // By volume and by area.
            Self::PrimaryProduction => &["kg m-3 s-1", "mol m-3 s-1", "kg m-2 s-1", "mol m-2 s-1"],
        }
    }

    /// The everyday word.
    pub fn word(self) -> &'static str {
        TABLE.iter().find(|row| row.quantity == self).and_then(|row| row.words.first()).copied().unwrap_or("")
    }
}

/// The last part of a path of groups.
pub(crate) fn base_name(name: &str) -> &str {
    name.rsplit('/').next().unwrap_or(name)
}

fn normalise(word: &str) -> String {
    word.trim().to_ascii_lowercase().replace(['_', '-'], " ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everyday_words_find_their_quantity() {
        assert_eq!(Quantity::from_word("Temperature"), Some(Quantity::Temperature));
        assert_eq!(Quantity::from_word("sea_surface_temperature"), Some(Quantity::SurfaceTemperature));
        assert_eq!(Quantity::from_word("dissolved oxygen"), Some(Quantity::Oxygen));
        assert_eq!(Quantity::from_word("phlogiston"), None);
    }

    #[test]
    fn a_standard_name_wins_over_a_variable_name() {
        let (quantity, reason) = Quantity::of_variable("temp", Some("sea_water_salinity")).unwrap();
        assert_eq!((quantity, reason), (Quantity::Salinity, "its standard name"));
        let (quantity, _) = Quantity::of_variable("physics/state/THETAO", None).unwrap();
        assert_eq!(quantity, Quantity::Temperature);
    }

    #[test]
    fn no_name_belongs_to_two_quantities() {
        let lists: [fn(&Row) -> &'static [&'static str]; 3] =
            [|r| r.names, |r| r.standard_names, |r| r.words];
        for list in lists {
            let mut seen = std::collections::BTreeSet::new();
            for name in TABLE.iter().flat_map(list) {
                assert!(seen.insert(*name), "{name}");
            }
        }
    }
}

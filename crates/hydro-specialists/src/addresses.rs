//! [`Addresses`]: where the services are.

use std::collections::BTreeMap;

use leg_fetch::{FetchError, Url};

/// Names of services with their public addresses: the one table.
const PUBLIC: [(&str, &str); 14] = [
    ("nhc", "https://www.nhc.noaa.gov"),
    ("nhc_ftp", "https://ftp.nhc.noaa.gov"),
    ("nhc_maps", "https://mapservices.weather.noaa.gov"),
    ("coops", "https://api.tidesandcurrents.noaa.gov"),
    ("usgs_stn", "https://stn.wim.usgs.gov"),
    ("usgs_ogc", "https://api.waterdata.usgs.gov"),
    ("usgs_nwis", "https://waterservices.usgs.gov"),
    ("usgs_nwis_peak", "https://nwis.waterdata.usgs.gov"),
    ("fema", "https://hazards.fema.gov"),
    ("stofs", "https://noaa-gestofs-pds.s3.amazonaws.com"),
    ("stofs_3d", "https://noaa-nos-stofs3d-pds.s3.amazonaws.com"),
    ("osm_tiles", "https://tile.openstreetmap.org"),
    ("osm_imagery", "https://basemap.nationalmap.gov"),
    ("osm_places", "https://nominatim.openstreetmap.org"),
];

/// Where the services are. Services move, and tests have their own.
///
/// ```
/// use hydro_specialists::Addresses;
/// use leg_fetch::Url;
///
/// let addresses = Addresses::below(&Url::parse("http://127.0.0.1:8080")?);
/// assert_eq!(addresses.get("coops").to_string(), "http://127.0.0.1:8080/coops");
/// assert!(Addresses::public()?.with("stofs", Url::parse("https://mirror.example")?).is_ok());
/// # Ok::<(), leg_fetch::FetchError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Addresses {
    services: BTreeMap<&'static str, Url>,
}

impl Addresses {
    /// The public addresses.
    ///
    /// # Errors
    /// [`FetchError::Url`] when one of them is not an address, which is a fault of this crate.
    pub fn public() -> Result<Self, FetchError> {
        let services = PUBLIC.iter().map(|(name, address)| Ok((*name, Url::parse(address)?)));
        Ok(Self { services: services.collect::<Result<_, FetchError>>()? })
    }

    /// All services below one address, each under its name.
    pub fn below(base: &Url) -> Self {
        Self { services: PUBLIC.iter().map(|(name, _)| (*name, base.clone().join(name))).collect() }
    }

    /// Moves a service.
    ///
    /// # Errors
    /// The names that there are, when `name` is none of them.
    pub fn with(mut self, name: &str, address: Url) -> Result<Self, String> {
        let Some((_, own)) = self.services.iter_mut().find(|(own, _)| **own == name) else {
            let names: Vec<&str> = Self::names().collect();
            return Err(format!("`{name}` is no service; the services are: {}", names.join(", ")));
        };
        *own = address;
        Ok(self)
    }

    /// The address of a service.
    ///
    /// # Panics
    /// Never for the names of [`Addresses::names`]; there is no other way to make one.
    #[expect(clippy::expect_used, reason = "all ways to make the table fill every name")]
    pub fn get(&self, name: &str) -> &Url {
        self.services.get(name).expect("a service of the table")
    }

    /// The names of the services.
    pub fn names() -> impl Iterator<Item = &'static str> {
        PUBLIC.iter().map(|(name, _)| *name)
    }

    /// The hosts of all services.
    pub fn hosts(&self) -> Vec<String> {
        let mut hosts: Vec<String> = self.services.values().map(|url| url.host().to_owned()).collect();
        hosts.sort();
        hosts.dedup();
        hosts
    }
}

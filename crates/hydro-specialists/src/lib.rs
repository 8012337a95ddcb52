//! Specialists for public storm-surge services: clients, tools, agents and domain routing rules.
//!
//! [`all`] gives everything with the public addresses, [`all_at`] with others. Requests go through the
//! [`Fetch`] that the caller gives, so that a cassette can answer them.
//!
//! | specialist | source | class |
//! | --- | --- | --- |
//! | `coops` | NOAA CO-OPS: levels, tides, datums, extremes, sensors, currents | observation |
//! | `nhc` | National Hurricane Center, storms and their forecasts | observation |
//! | `osm` | OpenStreetMap, USGS imagery: maps and places | observation |
//! | `stofs` | NOAA STOFS: forecasts of water level in object storage | forecast |
//! | `fema` | FEMA National Flood Hazard Layer, mapped flood zones | hypothetical |
//! | `usgs` | USGS: flood events, high-water marks, stream gauges | observation |
//!
//! ```
//! use std::sync::Arc;
//!
//! let specialists = hydro_specialists::all(Arc::new(leg_fetch::Scripted::new("no network")));
//! assert!(specialists.tools.iter().any(|tool| tool.spec().name.as_str() == "coops_get_water_level"));
//! ```

mod addresses;
pub mod arcgis;
pub mod coops;
mod datum;
mod error;
pub mod fema;
mod findings;
mod gauge;
mod lenient;
mod moment;
pub mod nhc;
pub mod osm;
mod picture;
mod prose;
pub mod question;
pub mod recorded;
pub mod rules;
mod service;
mod station_id;
pub mod stofs;
mod tool;
mod units;
pub mod usgs;
mod words;

pub use addresses::Addresses;
pub use datum::Datum;
pub use error::ServiceError;
pub use moment::{Moment, MomentError, Window};
pub use service::{Reply, Service};
pub use station_id::{StationId, StationIdError};
pub use units::Units;

use std::sync::Arc;

use leg_core::{Agent, Tool};
use leg_fetch::Fetch;

/// The tools and agents of this crate. Tools are registered first: agents name them.
#[derive(Debug, Clone, Default)]
pub struct Specialists {
    /// The tools.
    pub tools: Vec<Arc<dyn Tool>>,
    /// The agents.
    pub agents: Vec<Arc<dyn Agent>>,
}

impl Specialists {
    /// Adds a specialist.
    fn with(mut self, tools: Vec<Arc<dyn Tool>>, agent: impl Agent + 'static) -> Self {
        self.tools.extend(tools);
        self.agents.push(Arc::new(agent));
        self
    }
}

/// The cues of a specialist, from its file: a phrase a line.
pub(crate) fn cues(text: &str) -> Vec<String> {
    text.lines().map(str::trim).filter(|line| !line.is_empty()).map(str::to_owned).collect()
}

/// All specialists, at the public addresses.
#[expect(clippy::needless_pass_by_value, reason = "callers make a client for it alone")]
pub fn all(fetch: Arc<dyn Fetch>) -> Specialists {
    Addresses::public().map(|addresses| all_at(&fetch, &addresses)).unwrap_or_default()
}

/// All specialists, at these addresses.
pub fn all_at(fetch: &Arc<dyn Fetch>, addresses: &Addresses) -> Specialists {
    all_with(fetch, addresses, None)
}

/// All specialists, at these addresses, with a key for the water data of the USGS, which raises its hourly quota: the one table.
pub fn all_with(fetch: &Arc<dyn Fetch>, addresses: &Addresses, usgs_key: Option<&str>) -> Specialists {
    let at = |name: &str| Service::new(Arc::clone(fetch), addresses.get(name).clone());
    let coops = coops::Client::new(at("coops"));
    let fema = fema::Client::new(at("fema"));
    let nhc = nhc::Client::new(at("nhc"), at("nhc_ftp"), at("nhc_maps"));
    let stofs = stofs::Client::new(at("stofs"), at("stofs_3d"), at("coops"));
    let osm = osm::Client::new(at("osm_tiles"), at("osm_imagery"), at("osm_places"));
    let usgs = usgs::Client::new(at("usgs_stn"), at("usgs_ogc"), at("usgs_nwis"), at("usgs_nwis_peak"));
    let usgs = match usgs_key {
        Some(key) => usgs.with_key(key),
        None => usgs,
    };
    Specialists::default()
        .with(coops::tools(&coops), coops::Specialist)
        .with(nhc::tools(&nhc), nhc::Specialist)
        .with(stofs::tools(&stofs), stofs::Specialist)
        .with(osm::tools(&osm), osm::Specialist)
        .with(fema::tools(&fema), fema::Specialist)
        .with(usgs::tools(&usgs), usgs::Specialist)
}

//! Specialists for public storm-surge services: clients, tools and agents.
//!
//! [`all`] gives everything with the public addresses, [`all_at`] with others. Requests go through the
//! [`Fetch`] that the caller gives, so that a cassette can answer them.
//!
//! | specialist | source | class | tools |
//! | --- | --- | --- | --- |
//! | `coops` | NOAA CO-OPS, tides and currents | observation | `coops_get_water_level` |
//!
//! ```
//! use std::sync::Arc;
//!
//! let specialists = hydro_specialists::all(Arc::new(leg_fetch::Scripted::new("no network")));
//! assert_eq!(specialists.tools[0].spec().name.as_str(), "coops_get_water_level");
//! ```

pub mod coops;

use std::sync::Arc;

use leg_core::{Agent, Tool};
use leg_fetch::{Fetch, FetchError, Url};

/// The tools and agents of this crate. Tools are registered first: agents name them.
#[derive(Debug, Clone, Default)]
pub struct Specialists {
    /// The tools.
    pub tools: Vec<Arc<dyn Tool>>,
    /// The agents.
    pub agents: Vec<Arc<dyn Agent>>,
}

/// Where the services are. Services move, and tests have their own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Addresses {
    /// NOAA CO-OPS, without a path.
    pub coops: Url,
}

impl Addresses {
    /// The public addresses.
    ///
    /// # Errors
    /// [`FetchError::Url`] when one of them is not an address, which is a fault of this crate.
    pub fn public() -> Result<Self, FetchError> {
        Ok(Self { coops: Url::parse(coops::PUBLIC_ADDRESS)? })
    }
}

/// All specialists, at the public addresses.
pub fn all(fetch: Arc<dyn Fetch>) -> Specialists {
    Addresses::public().map(|addresses| all_at(fetch, &addresses)).unwrap_or_default()
}

/// All specialists, at these addresses: the one table.
pub fn all_at(fetch: Arc<dyn Fetch>, addresses: &Addresses) -> Specialists {
    let coops = coops::Client::new(fetch, addresses.coops.clone());
    Specialists {
        tools: vec![Arc::new(coops::GetWaterLevel::new(coops))],
        agents: vec![Arc::new(coops::Specialist)],
    }
}

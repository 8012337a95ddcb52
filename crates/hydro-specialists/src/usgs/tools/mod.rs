//! The tools of the specialist: a file each.

mod find_sites;
mod get_collection;
mod get_continuous;
mod get_daily;
mod get_high_water_marks;
mod get_latest;
mod get_peaks;
mod get_recent;
mod get_schema;
mod get_site;
mod get_statistics;
mod get_stn_peaks;
mod get_stn_sensors;
mod list_events;
mod marks;

pub use find_sites::{FindSites, FindSitesArguments, SiteType};
pub use get_collection::{GetCollection, GetCollectionArguments};
pub use get_continuous::{GetContinuous, GetContinuousArguments, Parameter};
pub use get_daily::{GetDaily, GetDailyArguments, Statistic};
pub use get_high_water_marks::{Environment, GetHighWaterMarks, GetHighWaterMarksArguments};
pub use get_latest::{GetLatest, GetLatestArguments};
pub use get_peaks::{GetPeaks, GetPeaksArguments};
pub use get_recent::{GetRecent, GetRecentArguments};
pub use get_schema::{CollectionName, GetSchema, GetSchemaArguments};
pub use get_site::{GetSite, GetSiteArguments};
pub use get_statistics::{GetStatistics, GetStatisticsArguments};
pub use get_stn_peaks::{GetStnPeaks, GetStnPeaksArguments};
pub use get_stn_sensors::{GetStnSensors, GetStnSensorsArguments};
pub use list_events::{EventType, ListEvents, ListEventsArguments};

/// The evidence of values of a gauge.
const SERIES: [&str; 9] =
    ["first", "last", "mean", "min", "max", "n", "n_missing", "n_provisional", "no_data"];

crate::tool::tools![
    super::Client;
    list_events::ListEvents,
    get_high_water_marks::GetHighWaterMarks,
    get_stn_sensors::GetStnSensors,
    get_stn_peaks::GetStnPeaks,
    find_sites::FindSites,
    get_site::GetSite,
    get_continuous::GetContinuous,
    get_latest::GetLatest,
    get_daily::GetDaily,
    get_peaks::GetPeaks,
    get_statistics::GetStatistics,
    get_schema::GetSchema,
    get_recent::GetRecent,
    get_collection::GetCollection,
];

//! [`Client`]: speaks to the buckets: listings, whole station files, ranges of field files.

use std::collections::BTreeMap;
use std::sync::Arc;

use jiff::civil::Date;
use leg_core::{Source, ToolContext};

use super::cycle::{Cycle, Wanted};
use super::listing::{self, Listing};
use super::model::Model;
use super::ranges::Kept;
use crate::ServiceError;
use crate::service::{Reply, Service};

/// The most pages of one listing: a page has a thousand entries.
const MAX_PAGES: usize = 20;
/// How many days back a newest cycle is looked for.
const MAX_DAYS: usize = 5;

/// Speaks to the buckets, and to the gauges for comparisons.
#[derive(Debug, Clone)]
pub struct Client {
    global: Service,
    atlantic: Service,
    coops: Service,
    kept: Arc<Kept>,
}

/// The files of a day: file and size, by cycle.
pub(crate) type Day = BTreeMap<Cycle, Vec<(String, u64)>>;

impl Client {
    /// A client for the buckets of the two models, and for the service of the gauges.
    pub fn new(global: Service, atlantic: Service, coops: Service) -> Self {
        Self { global, atlantic, coops, kept: Arc::default() }
    }

    /// The bucket of a model.
    pub(crate) const fn bucket(&self, model: Model) -> &Service {
        match model {
            Model::Global2d => &self.global,
            Model::Atlantic3d => &self.atlantic,
        }
    }

    /// The service of the gauges.
    pub(crate) const fn coops(&self) -> &Service {
        &self.coops
    }

    /// What was read of field files before.
    pub(crate) fn kept(&self) -> Arc<Kept> {
        Arc::clone(&self.kept)
    }

    /// The hosts of both buckets.
    pub(crate) fn hosts(&self) -> Vec<&str> {
        let mut hosts = vec![self.global.host(), self.atlantic.host()];
        hosts.dedup();
        hosts
    }

    /// All pages of a listing.
    async fn list(
        &self,
        model: Model,
        prefix: &str,
        by_folder: bool,
        context: &ToolContext,
    ) -> Result<(Listing, Vec<Source>), ServiceError> {
        let mut all = Listing::default();
        let mut sources = Vec::new();
        let mut next: Option<String> = None;
        for _ in 0..MAX_PAGES {
            let service = self.bucket(model);
            let mut url = service.at("").with_query("list-type", "2").with_query("prefix", prefix);
            if by_folder {
                url = url.with_query("delimiter", "/");
            } else {
                url = url.with_query("max-keys", "1000");
            }
            if let Some(token) = &next {
                url = url.with_query("continuation-token", token.as_str());
            }
            let reply = service.get(url, context).await?;
            let page = listing::parse(&reply.text())
                .ok_or_else(|| reply.unreadable("it is no listing of a bucket"))?;
            all.keys.extend(page.keys);
            all.prefixes.extend(page.prefixes);
            all.skipped += page.skipped;
            sources.push(reply.source);
            next = page.next;
            if next.is_none() {
                break;
            }
        }
        Ok((all, sources))
    }

    /// The days that there are, newest first.
    pub(crate) async fn days(
        &self,
        model: Model,
        context: &ToolContext,
    ) -> Result<(Vec<Date>, Vec<Source>), ServiceError> {
        let (listing, sources) = self.list(model, model.folder_prefix(), true, context).await?;
        let mut days: Vec<Date> = listing.prefixes.iter().filter_map(|prefix| model.date(prefix)).collect();
        days.sort_unstable();
        days.dedup();
        days.reverse();
        Ok((days, sources))
    }

    /// The files of a day.
    pub(crate) async fn day(
        &self,
        model: Model,
        date: Date,
        context: &ToolContext,
    ) -> Result<(Day, Vec<Source>), ServiceError> {
        let (listing, sources) = self.list(model, &model.folder(date), false, context).await?;
        let mut day = Day::new();
        for (key, bytes) in &listing.keys {
            if let (Some((hour, file)), Some(own)) = (Model::parts(key), model.date(key))
                && own == date
            {
                day.entry(Cycle { date, hour }).or_default().push((file.to_owned(), *bytes));
            }
        }
        for files in day.values_mut() {
            files.sort();
        }
        Ok((day, sources))
    }

    /// The cycles that are wanted and have a file, newest first; they may still lack it when nothing could be listed.
    pub(crate) async fn candidates(
        &self,
        model: Model,
        wanted: Wanted,
        file: &str,
        context: &ToolContext,
    ) -> Result<(Vec<Cycle>, Vec<Source>), ServiceError> {
        if let Wanted { date: Some(date), hour: Some(hour) } = wanted {
            return Ok((vec![Cycle { date, hour }], Vec::new()));
        }
        let fits = |cycle: &Cycle| wanted.hour.is_none_or(|hour| hour == cycle.hour);
        let has = |day: &Day| -> Vec<Cycle> {
            let with_file = day.iter().filter(|(_, files)| files.iter().any(|(own, _)| own == file));
            with_file.map(|(cycle, _)| *cycle).filter(fits).rev().collect()
        };
        if let Some(date) = wanted.date {
            return match self.day(model, date, context).await {
                Ok((day, sources)) => Ok((has(&day), sources)),
                // A bucket that is not listed may still be read.
                Err(error) if error.is_missing() => {
                    let all = model.hours().iter().map(|hour| Cycle { date, hour: *hour });
                    Ok((all.filter(fits).collect(), Vec::new()))
                }
                Err(error) => Err(error),
            };
        }
        let (days, mut sources) = self.days(model, context).await?;
        for date in days.into_iter().take(MAX_DAYS) {
            let (day, own) = self.day(model, date, context).await?;
            sources.extend(own);
            let cycles = has(&day);
            if !cycles.is_empty() {
                return Ok((cycles, sources));
            }
        }
        Ok((Vec::new(), sources))
    }

    /// The newest file of the cycles that are wanted; `None` when there is none.
    pub(crate) async fn file(
        &self,
        model: Model,
        wanted: Wanted,
        file: &str,
        context: &ToolContext,
    ) -> Result<(Option<(Cycle, Reply)>, Vec<Source>), ServiceError> {
        let (cycles, sources) = self.candidates(model, wanted, file, context).await?;
        for cycle in cycles {
            let service = self.bucket(model);
            let reply = service.ask(service.at(&model.key(cycle, file)), context).await?;
            if is_gone(&reply) {
                continue;
            }
            return Ok((Some((cycle, reply.successful()?)), sources));
        }
        Ok((None, sources))
    }
}

/// Whether a bucket says that it has no such key. Without the right to list it says 403 for that.
pub(crate) fn is_gone(reply: &Reply) -> bool {
    match reply.status {
        404 => true,
        403 => listing::error_code(&reply.text()).is_none_or(|code| code == "AccessDenied"),
        _ => false,
    }
}

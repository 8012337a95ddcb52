//! [`on_fields`]: work on the field file of a cycle, on a thread of its own.

use std::sync::Arc;

use jiff::ToSpan as _;
use jiff::civil::DateTime;
use leg_core::{Source, ToolContext};

use super::Client;
use super::cycle::{Cycle, Wanted};
use super::fields::Fields;
use super::model::{Model, Product};
use super::ranges::{Log, read};
use crate::ServiceError;

/// What work on a field file gave.
pub(crate) struct Done<T> {
    pub(crate) cycle: Cycle,
    pub(crate) result: T,
    /// Bytes of the ranges that it rests on.
    pub(crate) bytes_read: u64,
    pub(crate) sources: Vec<Source>,
}

/// Works on the newest field file of the cycles that are wanted; the words say that there is none.
///
/// # Errors
/// [`ServiceError`] when the bucket fails or the file cannot be read.
pub(crate) async fn on_fields<T: Send + 'static>(
    client: &Client,
    product: Product,
    wanted: Wanted,
    context: &ToolContext,
    work: impl Fn(&mut Fields, Cycle) -> Result<T, String> + Send + Sync + 'static,
) -> Result<Result<Done<T>, (String, Vec<Source>)>, ServiceError> {
    let model = Model::Global2d;
    let file = format!("fields.{}.nc", product.as_str());
    let (cycles, sources) = client.candidates(model, wanted, &file, context).await?;
    let work = Arc::new(work);
    let bucket = client.bucket(model);
    for cycle in cycles {
        let (key, kept, work) = (model.key(cycle, &file), client.kept(), Arc::clone(&work));
        let done = read(bucket, context, move |port| {
            let Some(mut fields) = Fields::open(&key, &port, &kept)? else { return Ok(None) };
            // What stands for another cycle must not answer for this one.
            let holds = |(first, last): (&DateTime, &DateTime)| {
                let early = first.checked_sub(1.day()).unwrap_or(DateTime::MIN);
                (early..=*last).contains(&cycle.time())
            };
            if !fields.times.first().zip(fields.times.last()).is_none_or(holds) {
                return Err(format!("its times do not hold the cycle {cycle}"));
            }
            let result = work(&mut fields, cycle)?;
            Ok(Some((result, fields.log())))
        });
        if let Some((result, log)) = done.await? {
            return Ok(Ok(finished(cycle, result, &log, sources, client)));
        }
    }
    Ok(Err((format!("{wanted} with a `{file}` of {} is not in the bucket", model.title()), sources)))
}

fn finished<T>(cycle: Cycle, result: T, log: &Log, mut sources: Vec<Source>, client: &Client) -> Done<T> {
    sources.extend(log.sources(client.bucket(Model::Global2d)));
    Done { cycle, result, bytes_read: log.bytes(), sources }
}

//! [`Hub`]: the run's own side of [`RunPort`]: the one ledger, the one list of events, the limits of all nodes.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio_util::sync::CancellationToken;

use crate::ledger::{EntryKind, Ledger, LedgerError};
use crate::run::event::Change;
use crate::run::event_log::EventLog;
use crate::run::played::Allowed;
use crate::run::port::{CallKey, HostPermits, RunPort};
use crate::run::{Amounts, Answers, CallMemo, CallResult, Durability, Firing, Meter, Recorded, RunLock};
use crate::{Clock, Digest, ToolError, ToolErrorKind};

/// The ledger, the events and the limits of one run.
#[derive(Debug)]
pub(crate) struct Hub {
    pub(crate) ledger: Option<Ledger>,
    pub(crate) events: Arc<EventLog>,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) durability: Durability,
    pub(crate) answers: Option<Arc<dyn Answers>>,
    /// What an earlier session of the run, or the run that is replayed, has left.
    pub(crate) recorded: Option<Arc<Recorded>>,
    /// The right to write into the run's folder.
    lock: Mutex<Option<RunLock>>,
    /// Calls that ended well, for a repaired plan: only where a planner may mend the plan.
    pub(crate) memo: Option<CallMemo>,
    /// How many calls each node made, and how many the budget refused it.
    drawn: Mutex<BTreeMap<Firing, (u64, usize)>>,
    /// How many calls may contact a host at a time.
    pub(crate) hosts: BTreeMap<String, Arc<Semaphore>>,
    pub(crate) cancel: CancellationToken,
    /// What the run may spend.
    pub(crate) meter: Meter,
    /// Meters of nodes with a budget.
    meters: Mutex<BTreeMap<Firing, Meter>>,
    /// The first reason why the ledger cannot be written. It stops the run.
    broken: Mutex<Option<LedgerError>>,
    /// Set with the last record: what ends after it is not written down.
    sealed: AtomicBool,
}

impl Hub {
    pub(crate) fn new(
        ledger: Option<Ledger>,
        clock: Arc<dyn Clock>,
        durability: Durability,
        cancel: CancellationToken,
        meter: Meter,
    ) -> Self {
        Self {
            ledger,
            events: Arc::new(EventLog::default()),
            clock,
            durability,
            answers: None,
            recorded: None,
            lock: Mutex::default(),
            memo: None,
            drawn: Mutex::default(),
            hosts: BTreeMap::new(),
            cancel,
            meter,
            meters: Mutex::default(),
            broken: Mutex::default(),
            sealed: AtomicBool::new(false),
        }
    }

    /// At most `each` calls at a time for each of the hosts.
    pub(crate) fn limit_hosts(&mut self, hosts: &BTreeSet<String>, each: usize) {
        let semaphore = |host: &String| (host.clone(), Arc::new(Semaphore::new(each.max(1))));
        self.hosts = hosts.iter().map(semaphore).collect();
    }

    /// A node draws on this meter from now on.
    pub(crate) fn open_meter(&self, firing: Firing, meter: Meter) {
        self.meters.lock().unwrap_or_else(PoisonError::into_inner).insert(firing, meter);
    }

    /// The meter of a node, if it has one of its own.
    pub(crate) fn meter_of(&self, firing: &Firing) -> Option<Meter> {
        self.meters.lock().unwrap_or_else(PoisonError::into_inner).get(firing).cloned()
    }

    /// A node has ended: what it reserved and did not use goes back.
    pub(crate) fn close_meter(&self, firing: &Firing) {
        let meter = self.meters.lock().unwrap_or_else(PoisonError::into_inner).remove(firing);
        if let Some(meter) = meter {
            meter.close();
        }
    }

    /// Tells listeners of something that happened at this moment, in nanoseconds.
    pub(crate) fn tell(&self, at: i64, change: Change) {
        self.events.push(at, change);
    }

    /// Holds a run folder until its end.
    pub(crate) fn hold(&self, lock: RunLock) {
        *self.lock.lock().unwrap_or_else(PoisonError::into_inner) = Some(lock);
    }

    /// Frees the run folder.
    pub(crate) fn release(&self) {
        let lock = self.lock.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(Err(error)) = lock.map(RunLock::release) {
            self.stop_for(error.into());
        }
    }

    /// A replay goes on with the next session of the recorded run.
    pub(crate) fn unseal(&self) {
        self.sealed.store(false, Ordering::Release);
    }

    /// The last record has been written.
    pub(crate) fn seal(&self) {
        self.sealed.store(true, Ordering::Release);
    }

    /// Makes all records survive a loss of power, unless the run does without.
    pub(crate) fn sync_now(&self) {
        let lock = self.lock.lock().unwrap_or_else(PoisonError::into_inner);
        let lost = lock.as_ref().map(RunLock::still_mine).and_then(Result::err);
        drop(lock);
        if let Some(lost) = lost {
            // Somebody else writes this folder now.
            self.seal();
            return self.stop_for(lost.into());
        }
        if self.durability == Durability::None {
            return;
        }
        if let Some(Err(error)) = self.ledger.as_ref().map(Ledger::sync) {
            self.stop_for(error);
        }
    }

    /// The tree head over all lines so far, and their number.
    pub(crate) fn log_root(&self) -> Option<(Digest, u64)> {
        self.ledger.as_ref().map(Ledger::log_root)
    }

    pub(crate) fn is_broken(&self) -> bool {
        self.broken.lock().unwrap_or_else(PoisonError::into_inner).is_some()
    }

    pub(crate) fn take_broken(&self) -> Option<LedgerError> {
        self.broken.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    pub(crate) fn stop_for(&self, error: LedgerError) {
        self.broken.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
        self.cancel.cancel();
    }
}

#[async_trait]
impl RunPort for Hub {
    fn is_recording(&self) -> bool {
        self.ledger.is_some()
    }

    fn append(&self, kind: EntryKind, core: &[u8], meta: &[u8]) {
        let Some(ledger) = &self.ledger else { return };
        if self.sealed.load(Ordering::Acquire) {
            return;
        }
        if let Err(error) = ledger.append(kind, core, meta) {
            self.stop_for(error);
        }
        if self.durability == Durability::Record {
            self.sync_now();
        }
    }

    async fn sync(&self) {
        self.sync_now();
    }

    fn emit(&self, change: Change) {
        self.tell(self.clock.now_nanos(), change);
    }

    async fn answer(&self, call: &CallKey) -> Option<Result<CallResult, ToolError>> {
        let recorded = self.answers.as_ref().and_then(|answers| answers.answer(call));
        // A repaired plan does not make again what an earlier revision of it made.
        recorded.or_else(|| self.memo.as_ref().filter(|_| call.firing.rev > 0)?.answer(call))
    }

    async fn settle(
        &self,
        call: &CallKey,
        now: Result<CallResult, ToolError>,
    ) -> Result<CallResult, ToolError> {
        let settled = match &self.answers {
            Some(answers) => answers.settle(call, now),
            None => now,
        };
        if let Some((memo, result)) = self.memo.as_ref().zip(settled.as_ref().ok()) {
            memo.keep(call, result);
        }
        settled
    }

    async fn draw(&self, firing: &Firing, amounts: &Amounts) -> Result<(), ToolError> {
        let mut drawn = self.drawn.lock().unwrap_or_else(PoisonError::into_inner);
        let (made, denied) = drawn.entry(firing.clone()).or_default();
        let before =
            self.recorded.as_ref().map_or(Allowed::Unknown, |recorded| recorded.draw(firing, *made, *denied));
        let answer = match before {
            Allowed::Yes => {
                self.spend(firing, amounts);
                Ok(())
            }
            Allowed::No(error) => Err(error),
            Allowed::Begun | Allowed::Unknown => {
                let own = self.meter_of(firing);
                let reserved = own.as_ref().unwrap_or(&self.meter).reserve(amounts);
                reserved
                    .map(|reservation| reservation.settle(amounts))
                    .map_err(|error| ToolError::new(ToolErrorKind::BudgetExhausted, error.to_string()))
            }
        };
        match &answer {
            Ok(()) => *made += 1,
            Err(_) => *denied += 1,
        }
        answer
    }

    fn spend(&self, firing: &Firing, amounts: &Amounts) {
        self.meter_of(firing).as_ref().unwrap_or(&self.meter).spend(amounts);
    }

    async fn enter(&self, hosts: &[String]) -> HostPermits {
        let mut permits: Vec<OwnedSemaphorePermit> = Vec::new();
        // One order for all, so that two calls with several hosts cannot wait for each other.
        let names: BTreeSet<&String> = hosts.iter().collect();
        for semaphore in names.into_iter().filter_map(|name| self.hosts.get(name)) {
            permits.extend(Arc::clone(semaphore).acquire_owned().await);
        }
        if permits.is_empty() { HostPermits::default() } else { HostPermits::holding(permits) }
    }
}

//! [`Sleep`]: the only way to wait.

use std::fmt::Debug;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use leg_core::FixedClock;

/// Waits. Wrappers take it from here only, so that tests do not wait.
#[async_trait]
pub trait Sleep: Send + Sync + Debug {
    /// Returns after this time. Dropping the future ends the wait.
    async fn sleep(&self, time: Duration);
}

/// Waits on tokio's timer.
#[derive(Debug, Clone, Copy, Default)]
pub struct TokioSleep;

#[async_trait]
impl Sleep for TokioSleep {
    async fn sleep(&self, time: Duration) {
        tokio::time::sleep(time).await;
    }
}

/// Does not wait: moves a clock by the time and keeps a list, for tests.
///
/// ```
/// use std::sync::Arc;
/// use std::time::Duration;
///
/// use leg_core::{Clock as _, FixedClock};
/// use leg_fetch::{NoSleep, Sleep as _};
///
/// # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
/// let clock = Arc::new(FixedClock::at(0));
/// let sleep = NoSleep::new(Arc::clone(&clock));
/// sleep.sleep(Duration::from_secs(3)).await;
/// assert_eq!(clock.now_nanos(), 3_000_000_000);
/// assert_eq!(sleep.slept(), [Duration::from_secs(3)]);
/// # });
/// ```
#[derive(Debug, Default)]
pub struct NoSleep {
    clock: Arc<FixedClock>,
    slept: Mutex<Vec<Duration>>,
}

impl NoSleep {
    /// Moves this clock.
    pub fn new(clock: Arc<FixedClock>) -> Self {
        Self { clock, slept: Mutex::default() }
    }

    /// The waits so far, in order.
    pub fn slept(&self) -> Vec<Duration> {
        self.slept.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

#[async_trait]
impl Sleep for NoSleep {
    async fn sleep(&self, time: Duration) {
        self.clock.advance(i64::try_from(time.as_nanos()).unwrap_or(i64::MAX));
        self.slept.lock().unwrap_or_else(PoisonError::into_inner).push(time);
        // Others go on, as they would in a true wait.
        tokio::task::yield_now().await;
    }
}

//! [`Bridge`]: waits for async work from code that is not async.

use std::io;
use std::sync::mpsc::sync_channel;

use tokio::runtime::{Builder, Handle, Runtime, RuntimeFlavor};
use tokio::task::block_in_place;

/// A small runtime that works while the caller waits. The caller's own runtime, where there is one, is not needed to
/// make progress: a single-threaded one can wait here without a deadlock.
#[derive(Debug)]
pub(crate) struct Bridge(Option<Runtime>);

impl Bridge {
    pub(crate) fn new() -> io::Result<Self> {
        let runtime = Builder::new_multi_thread()
            .worker_threads(1)
            // Local files are read and written on these.
            .max_blocking_threads(8)
            .thread_name("leg-objects")
            .enable_all()
            .build()?;
        Ok(Self(Some(runtime)))
    }

    /// The answer of the work; `None` when it panicked.
    pub(crate) fn wait<T: Send + 'static>(
        &self,
        work: impl Future<Output = T> + Send + 'static,
    ) -> Option<T> {
        let (send, receive) = sync_channel(1);
        self.0.as_ref()?.spawn(async move {
            // The channel has room for the only answer.
            let _ = send.send(work.await);
        });
        let answer = || receive.recv().ok();
        match Handle::try_current().map(|handle| handle.runtime_flavor()) {
            // The other tasks of this thread move to another one while it waits.
            Ok(RuntimeFlavor::MultiThread) => block_in_place(answer),
            _ => answer(),
        }
    }
}

impl Drop for Bridge {
    fn drop(&mut self) {
        if let Some(runtime) = self.0.take() {
            // A runtime may not be waited for inside another one; nothing is under way any more.
            runtime.shutdown_background();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_that_panics_gives_no_answer() {
        let bridge = Bridge::new().unwrap();
        assert_eq!(bridge.wait::<u8>(async { panic!("as it was told") }), None);
        assert_eq!(bridge.wait(async { 7 }), Some(7));
    }
}

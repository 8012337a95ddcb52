//! Running nodes in worker processes: [`ProcessExecutor`] on the side of the run, [`serve`] on the side of the worker.
//!
//! A worker is any program that calls [`serve`] with its standard input and output; `leg worker` is one. The two sides
//! exchange lines of JSON. The gate to the tools runs in the worker; its records, events, limits and recorded answers
//! go over the pipe to the process that owns the run, which keeps the one ledger. Artifacts stand in an object store
//! that both sides see: only digests travel.
//!
//! What a worker has said is never lost with it. When it is killed, the node goes to another worker; the calls that
//! had finished are served from the record, neither made nor recorded twice; a call that had started is made again,
//! unless it changes the world: then nobody knows whether it took effect, and the node is told so.

mod executor;
mod journal;
mod pool;
mod protocol;
mod remote_port;
mod session;
mod worker;

pub use executor::ProcessExecutor;
pub use pool::WorkerCommand;
pub use protocol::ProtocolError;
pub use worker::{WorkerParts, serve};

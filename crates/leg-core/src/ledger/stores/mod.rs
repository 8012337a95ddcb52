//! The ledgers that the engine ships.

mod jsonl;
mod memory;

pub use jsonl::JsonlLedger;
pub use memory::MemoryLedger;

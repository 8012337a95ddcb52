//! The stores that the engine ships.

mod folder;
mod memory;

pub use folder::FolderObjects;
pub use memory::MemoryObjects;

//! What the service sends, and how it is read: pure functions over text and bytes.

pub mod active;
pub mod advisory;
pub mod atcf;
pub mod features;
pub mod hurdat2;

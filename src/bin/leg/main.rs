//! The `leg` program.
fn main() {}

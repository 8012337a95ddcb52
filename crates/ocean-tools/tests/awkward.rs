//! Every tool, with the calls of `tests/cases`, on the same data in other forms, whose facts must not change, and on
//! data that lack what a tool counts on, where it must answer honestly.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test may fail loudly, and shows its answers when asked"
)]

mod cases;
mod fixture;
#[path = "fixture/grid.rs"]
mod grid;
#[path = "fixture/ocean.rs"]
mod ocean;
#[path = "fixture/pacific.rs"]
mod pacific;

#[path = "awkward/answers.rs"]
mod answers;
#[path = "awkward/degenerate.rs"]
mod degenerate;
#[path = "awkward/equal.rs"]
mod equal;
#[path = "awkward/metamorphic.rs"]
mod metamorphic;
#[path = "awkward/truth.rs"]
mod truth;
#[path = "awkward/world.rs"]
mod world;

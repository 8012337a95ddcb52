//! Tides: astronomical arguments, constituents, their fit, and filters that take them out.

pub(crate) mod argument;
pub(crate) mod astronomy;
pub(crate) mod constituents;
pub(crate) mod godin;
pub(crate) mod harmonics;

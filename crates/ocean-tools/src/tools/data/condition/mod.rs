//! A small language for conditions on fields.

pub(super) mod evaluate;
pub(super) mod expression;
pub(super) mod parse;
pub(super) mod units;

//! `html`: the run as one page that needs nothing else: no script, no style sheet, no picture from elsewhere.
//!
//! From a sentence a reader comes to its evidence, from there to the call, from there to what the call read. Everything
//! that is not ours is text: it is escaped, and a source is a link only where its address is `http` or `https`.

mod calls;
mod figures;
mod graph;
mod markup;
mod page;
mod report;

pub(super) use page::EXPORT;

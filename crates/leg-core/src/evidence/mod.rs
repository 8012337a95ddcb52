//! Evidence, the claims that rest on it, and the check of a report's numbers.

mod binding;
mod candidates;
mod claim;
mod comparison;
mod dates;
mod datum;
mod direction;
#[expect(clippy::module_inception, reason = "the file is named for the type that it holds")]
mod evidence;
mod fit;
mod grounding;
mod mentions;
mod month;
mod number_check;
mod numbers;
mod piece;
mod places;
mod proper_noun;
mod prose_unit;
mod sentence;
mod source;
mod tokens;
mod unit;
mod unit_product;
mod unit_table;

pub use claim::{Claim, Operation, Verdict};
pub use evidence::{Evidence, EvidenceDraft};
pub use grounding::{Grounder, ground};
pub use month::{month_name, month_number};
pub use prose_unit::prose_unit;

//! CSV series and station tables.

mod clock;
mod column;
mod records;
mod store;
#[expect(clippy::module_inception, reason = "the file is named for the type it holds")]
mod table;

pub use column::{Column, ColumnValues};
pub(crate) use store::TableStore;
pub use table::{Table, TableError};

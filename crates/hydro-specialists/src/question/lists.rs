//! Tables of phrases under `data/topics/`: a section for each list, `[name]`, with a phrase on each line.

use std::sync::LazyLock;

/// Phrases of one kind.
pub(crate) type List = LazyLock<Vec<&'static str>>;

/// A list of a table.
pub(crate) fn list(table: &'static str, name: &str) -> Vec<&'static str> {
    let is = |line: &str| line.strip_prefix('[').and_then(|line| line.strip_suffix(']')) == Some(name);
    let lines = table.lines().map(str::trim).skip_while(|line| !is(line)).skip(1);
    lines.take_while(|line| !line.starts_with('[')).filter(|line| !line.is_empty()).collect()
}

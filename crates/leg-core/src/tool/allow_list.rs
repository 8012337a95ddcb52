//! [`AllowList`]: which tools a node may call; what is not listed is denied.

use std::collections::BTreeSet;

use crate::ToolName;

/// Names of tools, compared byte by byte. An empty list allows none.
///
/// A [`ToolName`] is ASCII, which Unicode normalisation (NFC) leaves as it is: two names are equal after NFC exactly
/// if they are equal before. What would only become a tool's name by normalisation, such as one with a Kelvin sign
/// for its K, is refused.
///
/// ```
/// use leg_core::{AllowList, ToolName};
///
/// let allowed: AllowList = ["load", "mean"].into_iter().map(ToolName::new).collect::<Result<_, _>>()?;
/// assert!(allowed.allows("mean") && !allowed.allows("publish"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct AllowList(BTreeSet<ToolName>);

impl AllowList {
    /// Allows one tool.
    pub fn only(name: ToolName) -> Self {
        Self(BTreeSet::from([name]))
    }

    /// Whether the list has this name, to the letter.
    pub fn allows(&self, name: &str) -> bool {
        self.0.contains(name)
    }

    /// The names in order.
    pub fn names(&self) -> impl Iterator<Item = &ToolName> {
        self.0.iter()
    }
}

impl FromIterator<ToolName> for AllowList {
    fn from_iter<I: IntoIterator<Item = ToolName>>(names: I) -> Self {
        Self(names.into_iter().collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_exact_name_is_allowed() {
        let list = AllowList::only(ToolName::new("nhc_track").unwrap());
        assert!(list.allows("nhc_track"));
        for other in
            ["NHC_track", "nhc_track ", "nhc", "nhc_trасk", "nhc_track/../delete", "nhc_trac\u{212a}", ""]
        {
            assert!(!list.allows(other), "{other}");
        }
        assert!(!AllowList::default().allows("nhc_track"));
    }
}

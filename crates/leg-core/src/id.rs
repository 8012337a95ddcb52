//! Names and ids: checked strings with one type for each thing that is named. A clone shares the text: ids stand in
//! every task, record and event.

use std::borrow::Borrow;
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A text is not a valid id.
///
/// ```
/// use leg_core::NodeId;
///
/// let error = NodeId::new("Bad Id").unwrap_err();
/// assert!(error.to_string().contains("start with a small letter"));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{text}` is not a valid {what}; {rule}")]
pub struct IdError {
    what: &'static str,
    rule: &'static str,
    text: String,
}

macro_rules! id {
    ($(#[$doc:meta])* $name:ident, $what:literal, $rule:literal, $check:path) => {
        $(#[$doc])*
        #[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(Arc<str>);

        impl $name {
            #[doc = concat!("Checks that the text is a ", $what, ".")]
            ///
            /// # Errors
            /// [`IdError`] names the text and the rule.
            pub fn new(text: impl Into<String>) -> Result<Self, IdError> {
                let text = text.into();
                if $check(&text) {
                    Ok(Self(text.into()))
                } else {
                    Err(IdError { what: $what, rule: $rule, text: text.chars().take(80).collect() })
                }
            }

            /// The text.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl FromStr for $name {
            type Err = IdError;
            fn from_str(text: &str) -> Result<Self, IdError> {
                Self::new(text)
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }

        impl Borrow<str> for $name {
            fn borrow(&self) -> &str {
                &self.0
            }
        }

        impl AsRef<str> for $name {
            fn as_ref(&self) -> &str {
                &self.0
            }
        }

        impl schemars::JsonSchema for $name {
            fn schema_name() -> std::borrow::Cow<'static, str> {
                stringify!($name).into()
            }

            fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
                let description = concat!("A ", $what, ": ", $rule, ".");
                schemars::json_schema!({"type": "string", "description": description})
            }
        }

        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(&self.0)
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                Self::new(String::deserialize(deserializer)?).map_err(serde::de::Error::custom)
            }
        }
    };
}

id!(
    /// A step or an agent node of a plan: `[a-z][a-z0-9_]*`, or `s[3]` for the fourth of a fan-out.
    ///
    /// ```
    /// use leg_core::NodeId;
    ///
    /// assert!(NodeId::new("mean_sst").is_ok());
    /// assert!(NodeId::new("Mean SST").is_err());
    /// ```
    NodeId, "node id", "start with a small letter and use small letters, digits and `_` only", is_node
);
id!(
    /// A track of a plan.
    TrackId, "track id", "start with a small letter and use small letters, digits and `_` only", is_plain
);
id!(
    /// The name of a tool, as models and plans write it.
    ToolName, "tool name", "use letters, digits, `_` and `-` only, at most 64", is_tool
);
id!(
    /// The id of an agent.
    AgentId, "agent id", "start with a small letter and use small letters, digits and `_` only", is_plain
);
id!(
    /// A run, and the name of its folder.
    RunId, "run id", "use letters, digits, `_`, `-` and `.` only, at most 80, and do not start with `.`", is_run
);
id!(
    /// One approval of one plan; it is used once.
    ApprovalId, "approval id", "use letters, digits, `_`, `-` and `.` only, at most 80, and do not start with `.`", is_run
);
id!(
    /// The number of an evidence in a finished run: `E12`.
    EvidenceId, "evidence id", "write `E` and a number from 1", is_evidence
);

fn is_plain(text: &str) -> bool {
    text.len() <= 64
        && text.starts_with(|c: char| c.is_ascii_lowercase())
        && text.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_')
}

fn is_node(text: &str) -> bool {
    let (name, rest) = text.split_once('[').unwrap_or((text, ""));
    let index = rest.strip_suffix(']').unwrap_or(rest);
    let expanded = text.contains('[');
    is_plain(name)
        && (!expanded || rest.ends_with(']'))
        && (!expanded || (!index.is_empty() && index.len() <= 9 && index.bytes().all(|b| b.is_ascii_digit())))
}

fn is_tool(text: &str) -> bool {
    !text.is_empty()
        && text.len() <= 64
        && text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-')
}

fn is_run(text: &str) -> bool {
    !text.is_empty()
        && text.len() <= 80
        && !text.starts_with('.')
        && text.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'.'))
}

fn is_evidence(text: &str) -> bool {
    text.strip_prefix('E').is_some_and(|n| !n.starts_with('0') && n.parse::<u32>().is_ok())
}

impl ToolName {
    /// The name of a specification that was not given its name yet.
    pub(crate) fn unnamed() -> Self {
        Self("unnamed".into())
    }
}

impl ApprovalId {
    /// An id that no other approval has.
    pub(crate) fn fresh() -> Self {
        Self(uuid::Uuid::new_v4().to_string().into())
    }
}

impl RunId {
    /// The id in the outcome of a run that was lost.
    pub(crate) fn lost() -> Self {
        Self("lost".into())
    }
}

impl EvidenceId {
    /// The id with this number, which counts from 1.
    pub fn numbered(number: usize) -> Self {
        Self(format!("E{}", number.max(1)).into())
    }

    /// The number in the id.
    pub fn number(&self) -> u32 {
        self.0.get(1..).and_then(|n| n.parse().ok()).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn node_ids_may_be_expanded_once() {
        for good in ["a", "sst_2015", "s[0]", "s[12]"] {
            assert!(NodeId::new(good).is_ok(), "{good}");
        }
        for bad in ["", "S", "1a", "a-b", "s[", "s[]", "s[x]", "s[0][1]", "s]0[", "a.b", "ａ", "a "] {
            assert!(NodeId::new(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn run_ids_cannot_leave_their_folder() {
        for bad in ["..", "a/b", "", ".hidden", "a\\b"] {
            assert!(RunId::new(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn evidence_ids_count_from_one() {
        assert_eq!(EvidenceId::numbered(12).to_string(), "E12");
        assert_eq!(EvidenceId::new("E12").unwrap().number(), 12);
        for bad in ["E0", "E01", "12", "E", "e1", "E-1"] {
            assert!(EvidenceId::new(bad).is_err(), "{bad}");
        }
    }
}

//! [`Reference`]: the text of a `$ref`: a step, or a named part of its result.

use std::fmt;
use std::str::FromStr;

use serde_json::Value;

use crate::NodeId;
use crate::canonical::{Canonical, CanonicalError, Writer};

/// `step`, `step#/outputs/u` or `step#/evidence/max/value`.
///
/// ```
/// use leg_core::plan::{Part, Reference};
///
/// let reference: Reference = "mean#/evidence/max/value".parse().unwrap();
/// assert_eq!(reference.node.as_str(), "mean");
/// assert_eq!(reference.part, Part::Evidence { name: "max".into(), field: "value".into() });
/// assert_eq!(reference.to_string(), "mean#/evidence/max/value");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Reference {
    /// The step that it looks at.
    pub node: NodeId,
    /// Which part of its result.
    pub part: Part,
}

/// Which part of a result.
///
/// ```
/// use leg_core::plan::{Part, Reference};
///
/// let reference: Reference = "sst#/outputs/mask".parse().unwrap();
/// assert_eq!(reference.part, Part::Output("mask".to_owned()));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Part {
    /// The primary output.
    Primary,
    /// A named output.
    Output(String),
    /// A field of a named evidence.
    Evidence {
        /// The evidence's name.
        name: String,
        /// The field, such as `value`.
        field: String,
    },
    /// How the step ended.
    Status,
}

/// A text is not a reference.
///
/// ```
/// use leg_core::plan::Reference;
///
/// assert!("sst#nowhere".parse::<Reference>().is_err());
/// ```
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{text}` is not a reference; write `step`, `step#/outputs/name` or `step#/evidence/name/value`")]
pub struct ReferenceError {
    text: String,
}

/// Fields of an evidence that a reference can name.
const FIELDS: [&str; 4] = ["value", "unit", "n", "when"];

impl Reference {
    /// A reference to a step's primary output.
    pub const fn primary(node: NodeId) -> Self {
        Self { node, part: Part::Primary }
    }

    /// The reference in `{"$ref": "…"}`, if the value is just that.
    pub fn text_in(value: &Value) -> Option<&str> {
        match value {
            Value::Object(members) if members.len() == 1 => members.get("$ref")?.as_str(),
            _ => None,
        }
    }
}

impl FromStr for Reference {
    type Err = ReferenceError;

    fn from_str(text: &str) -> Result<Self, ReferenceError> {
        let fail = || ReferenceError { text: text.chars().take(80).collect() };
        let (node, pointer) =
            text.split_once('#').map_or((text, None), |(node, pointer)| (node, Some(pointer)));
        let node = NodeId::new(node).map_err(|_| fail())?;
        let Some(pointer) = pointer else {
            return Ok(Self::primary(node));
        };
        // `~` stands only before `0` and `1`: a pointer that is wrong must not point somewhere.
        if pointer.split('~').skip(1).any(|after| !after.starts_with(['0', '1'])) {
            return Err(fail());
        }
        let tokens: Vec<String> =
            pointer.split('/').skip(1).map(|token| token.replace("~1", "/").replace("~0", "~")).collect();
        let tokens: Vec<&str> = tokens.iter().map(String::as_str).collect();
        let part = match (pointer.starts_with('/'), tokens.as_slice()) {
            (true, ["outputs", name]) if !name.is_empty() => Part::Output((*name).to_owned()),
            (true, ["evidence", name, field]) if !name.is_empty() && FIELDS.contains(field) => {
                Part::Evidence { name: (*name).to_owned(), field: (*field).to_owned() }
            }
            (true, ["status"]) => Part::Status,
            _ => return Err(fail()),
        };
        Ok(Self { node, part })
    }
}

impl fmt::Display for Reference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let escape = |token: &str| token.replace('~', "~0").replace('/', "~1");
        f.write_str(self.node.as_str())?;
        match &self.part {
            Part::Primary => Ok(()),
            Part::Output(name) => write!(f, "#/outputs/{}", escape(name)),
            Part::Evidence { name, field } => write!(f, "#/evidence/{}/{}", escape(name), escape(field)),
            Part::Status => f.write_str("#/status"),
        }
    }
}

impl Canonical for Reference {
    fn write(&self, out: &mut Writer) -> Result<(), CanonicalError> {
        let mut object = out.object();
        object.key("$ref").display(self);
        object.end();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn refuses_what_points_nowhere() {
        for bad in [
            "",
            "#/outputs/u",
            "a#",
            "a#/outputs",
            "a#/outputs/",
            "a#outputs/u",
            "a#/evidence/max",
            "A",
            "a#/x",
            "a#/outputs/x~",
            "a#/outputs/x~2",
        ] {
            assert!(bad.parse::<Reference>().is_err(), "{bad}");
        }
    }

    #[test]
    fn an_object_with_more_keys_is_no_reference() {
        assert_eq!(Reference::text_in(&serde_json::json!({"$ref": "a"})), Some("a"));
        assert_eq!(Reference::text_in(&serde_json::json!({"$ref": "a", "b": 1})), None);
        assert_eq!(Reference::text_in(&serde_json::json!({"$ref": 1})), None);
    }

    proptest! {
        #[test]
        fn display_comes_back(name in "[a-z][a-z0-9_]{0,8}", output in "[^\\x00]{1,12}") {
            let reference = Reference { node: NodeId::new(name).unwrap(), part: Part::Output(output) };
            prop_assert_eq!(reference.to_string().parse::<Reference>(), Ok(reference));
        }

        #[test]
        fn no_text_panics(text in any::<String>()) {
            let _ = text.parse::<Reference>();
        }
    }
}

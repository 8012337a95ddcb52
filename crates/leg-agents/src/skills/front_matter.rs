//! [`FrontMatter`]: the YAML head of a `SKILL.md`, in the Agent Skills form.

use std::collections::BTreeMap;

use serde::{Deserialize, Deserializer, Serialize};

/// The YAML head of a `SKILL.md`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FrontMatter {
    /// The skill's name, which is its folder's name.
    pub name: String,
    /// What it does and when it is used; 1 to 1024 characters.
    pub description: String,
    /// The tools that it may call.
    #[serde(rename = "allowed-tools", default, deserialize_with = "names")]
    pub allowed_tools: Vec<String>,
    /// The licence of the folder.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub license: Option<String>,
    /// What it needs to run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub compatibility: Option<String>,
    /// Further texts by name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub metadata: BTreeMap<String, String>,
}

/// A `SKILL.md` has no readable head.
#[derive(Debug, thiserror::Error)]
pub(super) enum FrontMatterError {
    /// There is none.
    #[error("has no front matter; begin the file with a line `---`, YAML, and another line `---`")]
    Absent,
    /// It is not the YAML of a skill.
    #[error("front matter cannot be read: {0}; give `name`, `description` and `allowed-tools`")]
    Yaml(#[source] serde_yaml_ng::Error),
}

/// Splits a `SKILL.md` into its head and the manual.
pub(super) fn parse(text: &str) -> Result<(FrontMatter, String), FrontMatterError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text).replace("\r\n", "\n");
    let rest = text.strip_prefix("---\n").ok_or(FrontMatterError::Absent)?;
    let (head, body) = rest
        .split_once("\n---\n")
        .or_else(|| rest.strip_suffix("\n---").map(|head| (head, "")))
        .ok_or(FrontMatterError::Absent)?;
    let front = serde_yaml_ng::from_str(head).map_err(FrontMatterError::Yaml)?;
    Ok((front, body.trim_start_matches('\n').to_owned()))
}

/// Names as a YAML list, or in one text with spaces or commas between them.
fn names<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    use serde::de::Error as _;
    match serde_yaml_ng::Value::deserialize(deserializer)? {
        serde_yaml_ng::Value::String(text) => {
            Ok(text.split([' ', ',', '\n']).filter(|name| !name.is_empty()).map(str::to_owned).collect())
        }
        serde_yaml_ng::Value::Sequence(items) => items
            .iter()
            .map(|item| {
                item.as_str().map(str::to_owned).ok_or_else(|| D::Error::custom("a tool's name is a text"))
            })
            .collect(),
        serde_yaml_ng::Value::Null => Ok(Vec::new()),
        _ => Err(D::Error::custom("`allowed-tools` is a list of tool names, or a text with spaces between")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_tools_in_both_spellings() {
        for tools in ["a b", "a, b", "[a, b]", "\n  - a\n  - b"] {
            let text = format!("---\nname: x\ndescription: d\nallowed-tools: {tools}\n---\n\n# X\n");
            let (front, body) = parse(&text).unwrap();
            assert_eq!(front.allowed_tools, ["a", "b"], "{tools}");
            assert_eq!(body, "# X\n");
        }
    }

    #[test]
    fn refuses_what_is_no_head() {
        for bad in ["", "# X", "---\nname: x\n", "---\n- a\n---\n", "---\nname: x\n---\n", "---\n: :\n---\n"]
        {
            assert!(parse(bad).is_err(), "{bad:?}");
        }
    }
}

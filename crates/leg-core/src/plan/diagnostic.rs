//! [`Diagnostic`]: one thing that is wrong with a plan, for a person and for a model that repairs it.

use serde::{Deserialize, Serialize};

/// What is wrong, by a stable code.
///
/// ```
/// use leg_core::plan::Code;
///
/// assert_eq!(Code::UnknownTool.as_str(), "unknown_tool");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Code {
    /// The text is not JSON.
    NotJson,
    /// The text ends in the middle of the plan.
    Truncated,
    /// The text holds no plan.
    NoPlan,
    /// The text is larger or deeper than allowed.
    TooLarge,
    /// The version is not known.
    UnknownVersion,
    /// A key is missing.
    MissingKey,
    /// A key is not known.
    UnknownKey,
    /// A key stands twice in one object.
    DuplicateKey,
    /// A value has the wrong type.
    WrongType,
    /// A value is not one of those allowed, or is out of range.
    BadValue,
    /// An id is not well-formed.
    BadId,
    /// An id stands twice.
    DuplicateId,
    /// There is nothing to do.
    Empty,
    /// No tool has this name.
    UnknownTool,
    /// No agent has this id.
    UnknownAgent,
    /// An argument is not known to the tool.
    UnknownArgument,
    /// An argument that the tool needs is missing.
    MissingArgument,
    /// An argument does not fit the tool's schema.
    BadArgument,
    /// A reference is not well-formed.
    BadReference,
    /// A reference names no step.
    DanglingReference,
    /// A reference names an output or an evidence that the step's tool does not have.
    UnknownOutput,
    /// A reference names a step of another track.
    CrossTrackReference,
    /// The steps wait for each other.
    Cycle,
    /// A result of this kind does not fit the argument.
    KindMismatch,
    /// A unit does not fit the argument.
    UnitMismatch,
    /// The graph would break a rule that no rewrite can mend.
    BrokenRule,
}

impl Code {
    /// The name in JSON.
    pub fn as_str(self) -> String {
        serde_json::to_value(self).ok().and_then(|name| name.as_str().map(str::to_owned)).unwrap_or_default()
    }
}

/// One thing that is wrong with a plan.
///
/// ```
/// use leg_core::plan::{Code, Diagnostic, validate};
///
/// # let registry = leg_testkit::fake_registry().unwrap();
/// # let mut plan = leg_testkit::small_plan();
/// # let leg_core::plan::Body::Steps(steps) = &mut plan.tracks[0].body else { unreachable!() };
/// # steps[1].tool = "maen".parse().unwrap();
/// // The plan says `maen` where it means `mean`.
/// let faults: Vec<Diagnostic> = validate(plan, &registry).unwrap_err();
/// assert_eq!((faults[0].code, faults[0].pointer.as_str()), (Code::UnknownTool, "/tracks/0/steps/1/tool"));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[error("{at}: {message}{hint}", at = if self.pointer.is_empty() { "plan" } else { &self.pointer }, hint = self.hint_line())]
#[serde(deny_unknown_fields)]
pub struct Diagnostic {
    /// JSON pointer to the place in the plan.
    pub pointer: String,
    /// What is wrong.
    pub code: Code,
    /// What is wrong, in words.
    pub message: String,
    /// What to do: the nearest valid name, the allowed values, the expected type.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
}

impl Diagnostic {
    /// A diagnostic without a hint.
    pub fn new(pointer: impl Into<String>, code: Code, message: impl Into<String>) -> Self {
        Self { pointer: pointer.into(), code, message: message.into(), hint: None }
    }

    /// Adds a hint.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    fn hint_line(&self) -> String {
        self.hint.as_ref().map(|hint| format!("; {hint}")).unwrap_or_default()
    }
}

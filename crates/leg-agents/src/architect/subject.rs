//! [`Subjects`]: what a text is about, as a domain reads it.

use std::fmt::Debug;
use std::ops::Range;

/// Something that a text names and that a fact is about, such as a storm with its track.
///
/// ```
/// use leg_agents::architect::Subject;
///
/// let ian = Subject { label: "Ian".into(), fact: "storm_track".into(), mentions: vec![10..13] };
/// assert_eq!(&"Hurricane Ian"[ian.mentions[0].clone()], "Ian");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Subject {
    /// What it is called in a heading.
    pub label: String,
    /// The fact that agents provide about it.
    pub fact: String,
    /// Where the text names it, in bytes.
    pub mentions: Vec<Range<usize>>,
}

/// What a text is about.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Subjects {
    /// Things that facts are about.
    pub named: Vec<Subject>,
    /// Whether it names a place: a gauge, a town, a coordinate.
    pub located: bool,
    /// Whether it names a date.
    pub dated: bool,
}

/// Reads what a text is about.
pub trait SubjectReader: Send + Sync + Debug {
    /// The subjects of a text.
    fn read(&self, text: &str) -> Subjects;
}

/// A reader that knows no subject.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoSubjects;

impl SubjectReader for NoSubjects {
    fn read(&self, _: &str) -> Subjects {
        Subjects::default()
    }
}

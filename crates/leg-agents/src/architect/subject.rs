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

/// How surely something that a text names is for those who provide its fact.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Hold {
    /// A name that others know too, such as a town: it only lets weak cues count.
    Name,
    /// An identifier that others may read too: its holders are asked when nobody else is.
    Id,
    /// An identifier that nobody else can read: its holders are always asked.
    Own,
}

/// Something that a text names and that agents hold facts of, such as a gauge.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Held {
    /// The fact that its holders provide.
    pub fact: String,
    /// How surely it is theirs.
    pub hold: Hold,
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
    /// Gauges and the like, by who has them.
    pub held: Vec<Held>,
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

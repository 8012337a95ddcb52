//! The Graph Architect: from a question to tracks of agents in layers, without a model.
//!
//! It knows no specialist. Which agents a question needs follows from the [cues](leg_core::AgentSpec::cues) that they declare,
//! who works before whom from what they need and provide, and which work side by side from their data classes. What a text is
//! about (storms, gauges, places) is told by a [`SubjectReader`], which a domain brings.
//!
//! - A question with several parts, or about several storms, becomes parallel tracks; one part becomes a pipeline.
//! - An agent that needs a fact brings the agent that provides it, when the question names its subject.
//! - A question that names no subject at all is asked back for one.
//!
//! A cue may begin with a mark: `-` is a phrase that is its agent's own when another cue asks for it, `@` counts only when the
//! text names something that the agent holds, `=` asks for what stands alone and needs no subject, such as a list.

mod cues;
mod parts;
mod refer;
mod rules;
mod subject;

pub use rules::{Architect, ArchitectAnswer};
pub use subject::{Held, Hold, NoSubjects, Subject, SubjectReader, Subjects};

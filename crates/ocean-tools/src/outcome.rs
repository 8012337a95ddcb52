//! [`Quantity`]: arrays on a frame as a tool's answer.

use leg_core::tool::Output;
use leg_core::{Artifact, EvidenceDraft, Kind, Port, ToolOutput, ToolSpec};
use ndarray::Array4;
use ocean_data::Field;
use ocean_data::field::ChunkTree;

use crate::frame::Frame;
use crate::{evidence, reading};

/// What an array is.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Quantity<'a> {
    /// Name of the artifact and its variable.
    pub(crate) name: &'a str,
    /// CF standard name.
    pub(crate) standard_name: Option<&'a str>,
    /// CF units.
    pub(crate) units: &'a str,
    /// How it was made.
    pub(crate) method: &'a str,
}

impl Quantity<'_> {
    /// The artifact of an array on a frame.
    pub(crate) fn artifact(&self, frame: &Frame, values: &Array4<f64>) -> Artifact {
        let mut variable = frame.variable(self.name, self.units, values);
        variable.standard_name = self.standard_name.map(str::to_owned);
        frame.artifact(self.name, variable).with_attribute("method", self.method)
    }

    /// The evidence of an array on a frame.
    pub(crate) fn evidence(&self, frame: &Frame, values: &Array4<f64>) -> Vec<EvidenceDraft> {
        let flat: Vec<f64> = values.iter().copied().collect();
        frame.evidence(&flat, self.units, self.method, None)
    }

    /// Artifact and evidence as an answer.
    pub(crate) fn output(&self, frame: &Frame, values: &Array4<f64>) -> ToolOutput {
        ToolOutput::of(self.artifact(frame, values)).with_evidence(self.evidence(frame, values))
    }
}

/// A specification with one output a part, of these names; the first is the primary one.
pub(crate) fn parts_spec(mut spec: ToolSpec, parts: &[&str], units: &str) -> ToolSpec {
    spec.outputs =
        parts.iter().map(|name| Output { name: (*name).to_owned(), port: any_array(units) }).collect();
    let statistics = |part: &&str| {
        let part = (*part).to_owned();
        evidence::SERIES.iter().map(move |statistic| format!("{part}_{statistic}"))
    };
    spec.evidence = parts.iter().flat_map(statistics).collect();
    spec
}

/// An answer of several outputs, whose evidence is called `<output>_<statistic>`.
pub(crate) fn parts_output(frame: &Frame, parts: &[(&str, Quantity<'_>, &Array4<f64>)]) -> ToolOutput {
    let mut output = ToolOutput::default();
    for (name, quantity, values) in parts {
        output.artifacts.insert((*name).to_owned(), quantity.artifact(frame, values));
        for mut draft in quantity.evidence(frame, values) {
            draft.name = format!("{name}_{}", draft.name);
            output.evidence.push(draft.output(*name));
        }
    }
    output
}

/// Adds what was read, and what a reader must know of the fields; a note that several share stands once.
#[must_use]
pub(crate) fn read_from(output: ToolOutput, fields: &[&Field], chunks: &[ChunkTree]) -> ToolOutput {
    let mut notes: Vec<String> = Vec::new();
    for note in fields.iter().flat_map(|field| reading::notes(field)) {
        if !notes.contains(&note) {
            notes.push(note);
        }
    }
    let mut output = output.with_notes(notes);
    output.sources.extend(fields.iter().zip(chunks).map(|(field, chunks)| reading::source(field, chunks)));
    output
}

/// A port of an array on any of the axes.
pub(crate) fn any_array(units: &str) -> Port {
    let mut port = Port::of(Kind::Field).unit(units);
    port.or = vec![Kind::Map, Kind::Series, Kind::Profile, Kind::Section, Kind::Hovmoller, Kind::Scalar];
    port
}

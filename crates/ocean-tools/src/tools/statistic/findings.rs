//! [`Findings`]: named numbers that are the content of an artifact and its evidence at once.

use leg_core::{Artifact, EvidenceDraft, Kind, Source, ToolOutput};
use serde_json::{Map, Value, json};

use crate::series::Series;

/// Numbers of one statistic.
#[derive(Debug)]
pub(crate) struct Findings {
    content: Map<String, Value>,
    drafts: Vec<EvidenceDraft>,
    notes: Vec<String>,
    sources: Vec<Source>,
    method: String,
    window: String,
    n: Option<usize>,
    baseline: Option<String>,
}

impl Findings {
    /// Numbers found by this method.
    pub(crate) fn by(method: impl Into<String>) -> Self {
        let method = method.into();
        Self {
            content: Map::from_iter([("method".to_owned(), json!(method))]),
            drafts: Vec::new(),
            notes: Vec::new(),
            sources: Vec::new(),
            method,
            window: String::new(),
            n: None,
            baseline: None,
        }
    }

    /// Over the times of a series, with the facts that it carries.
    pub(crate) fn over(mut self, series: &Series) -> Self {
        self.baseline = series.attributes.get("baseline").and_then(Value::as_str).map(str::to_owned);
        for key in ["region", "depth", "baseline", "weighting", "point", "cell", "index"] {
            if let Some(value) = series.attributes.get(key) {
                self.content.insert(key.to_owned(), value.clone());
            }
        }
        self.during(series.axis.window())
    }

    /// Over this window.
    pub(crate) fn during(mut self, window: String) -> Self {
        if !window.is_empty() {
            self.content.insert("window".to_owned(), json!(window));
        }
        self.window = window;
        self
    }

    /// From so many values.
    pub(crate) fn from(mut self, n: usize) -> Self {
        self.n = Some(n);
        self
    }

    /// Relative to this baseline.
    pub(crate) fn relative_to(mut self, baseline: Option<&str>) -> Self {
        self.baseline = baseline.map(str::to_owned).or(self.baseline);
        self
    }

    /// A number with its unit and what it is.
    pub(crate) fn number(self, name: &str, value: f64, units: &str, what: &str) -> Self {
        self.draft(name, json!(value), units, what, |draft| draft)
    }

    /// A number with an interval of this confidence level.
    pub(crate) fn interval(
        self,
        name: &str,
        value: f64,
        [low, high]: [f64; 2],
        level: f64,
        units: &str,
        what: &str,
    ) -> Self {
        let interval = json!({"kind": "confidence_interval", "level": level, "low": low, "high": high});
        let ends = format!("{level} confidence interval of the {what}");
        self.draft(name, json!(value), units, what, |draft| draft.uncertainty(interval))
            .number("ci_low", low, units, &format!("lower end of the {ends}"))
            .number("ci_high", high, units, &format!("upper end of the {ends}"))
            .fact("confidence_level", level)
    }

    /// A count.
    pub(crate) fn count(self, name: &str, count: usize, what: &str) -> Self {
        self.draft(name, json!(count), "1", what, |draft| draft)
    }

    /// A text, such as a time or a decision.
    pub(crate) fn text(self, name: &str, text: &str, what: &str) -> Self {
        self.draft(name, json!(text), "1", what, |draft| draft)
    }

    /// A member of the content that is no evidence.
    pub(crate) fn fact(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.content.insert(name.to_owned(), value.into());
        self
    }

    /// What a reader must know.
    pub(crate) fn note(mut self, note: impl Into<String>) -> Self {
        self.notes.push(note.into());
        self
    }

    /// Several notes.
    pub(crate) fn notes(mut self, notes: impl IntoIterator<Item = String>) -> Self {
        self.notes.extend(notes);
        self
    }

    /// What was read.
    pub(crate) fn source(mut self, source: Source) -> Self {
        self.sources.push(source);
        self
    }

    /// Evidence made elsewhere.
    pub(crate) fn with(mut self, drafts: Vec<EvidenceDraft>) -> Self {
        self.drafts.extend(drafts);
        self
    }

    /// A document of the numbers.
    pub(crate) fn document(self, kind: Kind, name: impl Into<String>) -> ToolOutput {
        self.onto(Artifact::document(kind, name, Value::Null))
    }

    /// The numbers as the content of an artifact.
    pub(crate) fn onto(self, mut artifact: Artifact) -> ToolOutput {
        artifact.content = Value::Object(self.content);
        let mut output = ToolOutput::of(artifact).with_evidence(self.drafts).with_notes(self.notes);
        output.sources.extend(self.sources);
        output
    }

    fn draft(
        mut self,
        name: &str,
        value: Value,
        units: &str,
        what: &str,
        more: impl FnOnce(EvidenceDraft) -> EvidenceDraft,
    ) -> Self {
        // A value that is not finite is null, in the content and in the evidence.
        self.content.insert(name.to_owned(), value.clone());
        let units = if units.is_empty() { "1" } else { units };
        let mut draft = EvidenceDraft::new(name, value, units, &format!("{what}: {}", self.method))
            .pointer(format!("/content/{name}"));
        if !self.window.is_empty() {
            draft = draft.when(self.window.clone());
        }
        if let Some(n) = self.n {
            draft = draft.n(n);
        }
        if let Some(baseline) = &self.baseline {
            draft = draft.baseline(baseline.clone());
        }
        self.drafts.push(more(draft));
        self
    }
}

//! [`Feedback`]: what a replanner is told of a run of which a part failed.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::NodeOutput;
use super::overseer::WorkView;
use crate::canonical::{self, Canonical, CanonicalError, Writer};
use crate::graph::{LayeredGraph, NodeIndex, NodeKind};
use crate::{Diagnostic, Kind, NodeId, Plan, Status, ToolErrorKind, TrackId};

/// The most characters of a message, of an agent's task, or of arguments in a [`Feedback`].
pub const MAX_FEEDBACK_TEXT: usize = 600;
/// The most failures, and the most diagnostics, in a [`Feedback`].
pub const MAX_FEEDBACK_FAILURES: usize = 50;
/// The most finished nodes in a [`Feedback`], and the most evidence keys of one.
pub const MAX_FEEDBACK_FINISHED: usize = 200;

/// What a replanner is told: the plan, what failed and why, what is there.
///
/// Its size is bounded: texts are cut, long lists end early and say how much is missing. The plan is whole. Messages
/// come from tools and services: they are data, and never an order to whoever reads them.
///
/// ```
/// use leg_core::run::Feedback;
///
/// # let plan = leg_testkit::small_plan();
/// let feedback = Feedback::new("How warm was the water?", &plan, 2)
///     .after_refusal(&[], &["it may contact `other.example`, which the approved plan does not".to_owned()]);
/// assert_eq!((feedback.repairs_left, feedback.refused.len()), (2, 1));
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Feedback {
    /// The question of the run.
    pub question: String,
    /// The plan that is to be mended; [`parse`](crate::plan::parse()) reads it.
    pub plan: Value,
    /// How many more repairs there can be after this one.
    pub repairs_left: u32,
    /// What failed, in graph order.
    pub failures: Vec<Failure>,
    /// How many failures are not listed.
    #[serde(default)]
    pub more_failures: usize,
    /// What has ended well and will not be done again, in graph order.
    pub finished: Vec<Finished>,
    /// How many finished nodes are not listed.
    #[serde(default)]
    pub more_finished: usize,
    /// What was wrong with the repair before this one, if it was refused.
    #[serde(default)]
    pub diagnostics: Vec<Diagnostic>,
    /// How many diagnostics are not listed.
    #[serde(default)]
    pub more_diagnostics: usize,
    /// Why the repair before this one was not within the approval.
    #[serde(default)]
    pub refused: Vec<String>,
}

/// A node that did not give what the plan asks of it.
///
/// ```
/// use leg_core::run::{Failure, Feedback, WorkView};
/// use leg_core::{Status, ToolErrorKind};
///
/// # let plan = leg_testkit::small_plan();
/// let mut feedback = Feedback::new("How warm was the water?", &plan, 2);
/// feedback.add_failure(Failure {
///     node: "sst".parse()?,
///     track: Some("coast".parse()?),
///     work: WorkView::Tool { tool: "load".parse()? },
///     args: serde_json::json!({}),
///     status: Status::Failed,
///     code: ToolErrorKind::NoData,
///     message: "no data in 2031; the record ends in 2025".to_owned(),
///     hint: String::new(),
/// });
/// assert_eq!(feedback.failures[0].code, ToolErrorKind::NoData);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Failure {
    /// The node.
    pub node: NodeId,
    /// Its track.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub track: Option<TrackId>,
    /// What it was to do.
    pub work: WorkView,
    /// A step's arguments, as the plan has them; a text that is cut when they are long.
    #[serde(default, skip_serializing_if = "Value::is_null")]
    pub args: Value,
    /// How it ended.
    pub status: Status,
    /// What went wrong.
    pub code: ToolErrorKind,
    /// What went wrong, in words.
    pub message: String,
    /// What may help.
    pub hint: String,
}

/// A node that has ended well.
///
/// ```
/// use std::collections::BTreeMap;
///
/// use leg_core::run::{Finished, WorkView};
///
/// let finished = Finished {
///     node: "sst".parse()?,
///     track: Some("coast".parse()?),
///     work: WorkView::Tool { tool: "load".parse()? },
///     outputs: BTreeMap::new(),
///     evidence: vec!["sst.max".to_owned()],
///     more_evidence: 0,
/// };
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Finished {
    /// The node.
    pub node: NodeId,
    /// Its track.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub track: Option<TrackId>,
    /// What it did.
    pub work: WorkView,
    /// Its outputs by name.
    pub outputs: BTreeMap<String, OutputView>,
    /// The keys of its evidence.
    pub evidence: Vec<String>,
    /// How many keys are not listed.
    #[serde(default)]
    pub more_evidence: usize,
}

/// An output of a finished node.
///
/// ```
/// use leg_core::Kind;
/// use leg_core::run::OutputView;
///
/// let view = OutputView { kind: Kind::Series, dims: vec!["time".to_owned()], units: "degC".to_owned() };
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OutputView {
    /// What it is.
    pub kind: Kind,
    /// Dimensions of the main array.
    pub dims: Vec<String>,
    /// CF units of the main array, or empty.
    pub units: String,
}

impl Feedback {
    /// Tells of all nodes that have ended, with their outputs; a node that has none says nothing, and one that was
    /// skipped because of its condition is neither a failure nor a result.
    pub fn of<'a>(
        graph: &LayeredGraph,
        output: impl Fn(NodeIndex) -> Option<&'a NodeOutput>,
        repairs_left: u32,
    ) -> Self {
        let mut feedback = Self::new(graph.question(), graph.plan(), repairs_left);
        for index in graph.graph().node_indices() {
            let (Some(node), Some(output)) = (graph.node(index), output(index)) else { continue };
            let (work, args) = match &node.kind {
                NodeKind::Tool(step) => (WorkView::Tool { tool: step.tool.clone() }, step.args.clone()),
                NodeKind::Agent(step) => {
                    (WorkView::Agent { agent: step.agent.clone(), task: cut(&step.task) }, Value::Null)
                }
                _ => continue,
            };
            let (node, track) = (node.id.clone(), node.track.clone());
            if output.status.is_ok() {
                feedback.add_finished(finished(node, track, work, output));
            } else if let Some(error) = &output.error {
                let (status, code) = (output.status, error.kind);
                let (message, hint) = (error.message.clone(), hint(code).to_owned());
                feedback.add_failure(Failure { node, track, work, args, status, code, message, hint });
            }
        }
        feedback
    }

    /// Feedback that tells only of the plan.
    pub fn new(question: &str, plan: &Plan, repairs_left: u32) -> Self {
        Self {
            question: question.to_owned(),
            plan: plan.to_json(),
            repairs_left,
            failures: Vec::new(),
            more_failures: 0,
            finished: Vec::new(),
            more_finished: 0,
            diagnostics: Vec::new(),
            more_diagnostics: 0,
            refused: Vec::new(),
        }
    }

    /// Says why the repair before this one was refused.
    #[must_use]
    pub fn after_refusal(mut self, diagnostics: &[Diagnostic], reasons: &[String]) -> Self {
        self.more_diagnostics = diagnostics.len().saturating_sub(MAX_FEEDBACK_FAILURES);
        self.diagnostics = diagnostics.iter().take(MAX_FEEDBACK_FAILURES).map(shortened).collect();
        self.refused = reasons.iter().take(MAX_FEEDBACK_FAILURES).map(|reason| cut(reason)).collect();
        self
    }

    /// Adds a failure, cut to its bounds.
    pub fn add_failure(&mut self, mut failure: Failure) {
        if self.failures.len() >= MAX_FEEDBACK_FAILURES {
            self.more_failures += 1;
            return;
        }
        failure.message = cut(&failure.message);
        failure.hint = cut(&failure.hint);
        // In canonical order, so that the cut is at the same place in every run.
        let text = canonical::to_vec(&failure.args).ok().and_then(|bytes| String::from_utf8(bytes).ok());
        let text = text.unwrap_or_default();
        if text.chars().count() > MAX_FEEDBACK_TEXT {
            failure.args = Value::String(cut(&text));
        }
        self.failures.push(failure);
    }

    /// Adds a node that has ended well, cut to its bounds.
    pub fn add_finished(&mut self, mut finished: Finished) {
        if self.finished.len() >= MAX_FEEDBACK_FINISHED {
            self.more_finished += 1;
            return;
        }
        finished.more_evidence += finished.evidence.len().saturating_sub(MAX_FEEDBACK_FINISHED);
        finished.evidence.truncate(MAX_FEEDBACK_FINISHED);
        self.finished.push(finished);
    }
}

impl Canonical for Feedback {
    fn write(&self, out: &mut Writer) -> Result<(), CanonicalError> {
        // Every part is a plain JSON value or text, so that turning it into one value cannot fail.
        canonical::Canonical::write(&serde_json::to_value(self).unwrap_or(Value::Null), out)
    }
}

fn finished(node: NodeId, track: Option<TrackId>, work: WorkView, output: &NodeOutput) -> Finished {
    let view = |summary: &crate::Summary| OutputView {
        kind: summary.kind,
        dims: summary.dims.clone(),
        units: summary.units.clone(),
    };
    Finished {
        node,
        track,
        work,
        outputs: output.outputs.iter().map(|(name, summary)| (name.clone(), view(summary))).collect(),
        evidence: output.evidence.iter().map(|evidence| evidence.key.clone()).collect(),
        more_evidence: 0,
    }
}

fn shortened(diagnostic: &Diagnostic) -> Diagnostic {
    Diagnostic {
        pointer: cut(&diagnostic.pointer),
        code: diagnostic.code,
        message: cut(&diagnostic.message),
        hint: diagnostic.hint.as_deref().map(cut),
    }
}

/// A text of at most [`MAX_FEEDBACK_TEXT`] characters, with an ellipsis where it was cut.
fn cut(text: &str) -> String {
    match text.char_indices().nth(MAX_FEEDBACK_TEXT) {
        None => text.to_owned(),
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
    }
}

/// What a planner can do about an error of this kind.
const fn hint(kind: ToolErrorKind) -> &'static str {
    match kind {
        ToolErrorKind::InvalidArguments => "change the arguments as the message says",
        ToolErrorKind::NotFound => "name something that is there; the message or another tool lists what is",
        ToolErrorKind::NoData => "ask for another time, place or depth, or use another source",
        ToolErrorKind::Unavailable => "use another source, or leave the step out",
        ToolErrorKind::Timeout => "ask for less, or raise `timeout_s`",
        ToolErrorKind::Denied => "use a tool that the agent may call",
        ToolErrorKind::LimitExceeded => "ask for less",
        ToolErrorKind::BadData => "use another source",
        _ => "leave the step out, or take another way",
    }
}

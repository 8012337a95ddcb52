//! [`RulesOverseer`]: the plain form of an overseer, by fixed rules and without a model.

use async_trait::async_trait;

use super::overseer::{Action, Judgement, LayerView, NodeView, Overseer, OverseerVerdict, WorkView};
use crate::{Status, ToolError, ToolErrorKind};

/// Judges by what a node promised and gave.
///
/// | verdict | when |
/// | --- | --- |
/// | `gap` | it did not end well, or says what it could not find out |
/// | `empty` | it ended well, and there is neither text nor output nor evidence |
/// | `missing_output` | an output that its tool declares is not there |
/// | `too_little_evidence` | fewer evidences than promised |
///
/// An agent is fired again when it gave neither text nor evidence, or when its error is one that may pass. A tool is
/// not: it was tried again already as often as it may be, and would give the same. When its arguments were no good
/// and came from an agent, that agent is fired again. Everything else is accepted, and stands in the record.
///
/// ```
/// use std::sync::Arc;
///
/// use leg_core::run::{Engine, RulesOverseer};
///
/// # let (_, registry) = leg_testkit::small_graph();
/// let engine = Engine::new(registry).with_overseer(Arc::new(RulesOverseer));
/// ```
#[derive(Debug, Clone, Copy, Default)]
pub struct RulesOverseer;

#[async_trait]
impl Overseer for RulesOverseer {
    fn name(&self) -> String {
        "rules_overseer/1".to_owned()
    }

    async fn judge(&self, layer: &LayerView) -> Result<Vec<Judgement>, ToolError> {
        Ok(layer.nodes.iter().map(judge).collect())
    }
}

/// Words of a tool or a service are cut at this many characters before they are passed on.
const MAX_WORDS: usize = 300;

fn judge(node: &NodeView) -> Judgement {
    let (verdict, context) = verdict(node);
    let action = match verdict {
        OverseerVerdict::Fine => Action::Accept,
        verdict => action(node, verdict),
    };
    Judgement { node: node.node.clone(), verdict, action, context }
}

fn verdict(node: &NodeView) -> (OverseerVerdict, String) {
    if node.status == Status::Skipped && node.error.is_none() {
        return (OverseerVerdict::Fine, String::new());
    }
    if !node.status.is_ok() {
        let why =
            node.error.as_ref().map_or_else(String::new, |error| format!(": {}", words(&error.message)));
        return (OverseerVerdict::Gap, format!("`{}` ended as {}{why}", node.node, node.status));
    }
    let missing: Vec<&str> =
        node.promise.outputs.iter().filter(|name| !node.outputs.contains(name)).map(String::as_str).collect();
    let (found, promised) = (node.evidence.len(), node.promise.at_least);
    if !node.gaps.is_empty() {
        let gaps: Vec<String> = node.gaps.iter().map(|gap| words(gap)).collect();
        (OverseerVerdict::Gap, format!("`{}` could not find out: {}", node.node, gaps.join("; ")))
    } else if node.text.trim().is_empty() && node.outputs.is_empty() && node.evidence.is_empty() {
        (OverseerVerdict::Empty, format!("`{}` gave neither text nor output nor evidence", node.node))
    } else if !missing.is_empty() {
        (OverseerVerdict::MissingOutput, format!("`{}` did not give: {}", node.node, missing.join(", ")))
    } else if found < promised {
        let context = format!("`{}` gave {found} of {promised} promised evidences", node.node);
        (OverseerVerdict::TooLittleEvidence, context)
    } else {
        (OverseerVerdict::Fine, String::new())
    }
}

fn action(node: &NodeView, verdict: OverseerVerdict) -> Action {
    let kind = node.error.as_ref().map(|error| error.kind);
    match &node.work {
        WorkView::Agent { .. } => {
            let nothing = node.status.is_ok() && node.text.trim().is_empty() && node.evidence.is_empty();
            let may_pass = verdict == OverseerVerdict::Gap && kind.is_some_and(ToolErrorKind::is_transient);
            if node.promise.repeatable && (nothing || may_pass) { Action::Refire } else { Action::Accept }
        }
        WorkView::Tool { .. } => {
            let unusable = matches!(
                kind,
                Some(ToolErrorKind::InvalidArguments | ToolErrorKind::NotFound | ToolErrorKind::NoData)
            );
            let agent = node.upstream.iter().find(|upstream| upstream.agent && upstream.repeatable);
            match agent {
                Some(upstream) if unusable || verdict == OverseerVerdict::Empty => {
                    Action::RefireUpstream { node: upstream.node.clone() }
                }
                _ => Action::Accept,
            }
        }
    }
}

fn words(text: &str) -> String {
    text.chars().take(MAX_WORDS).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::{Promise, Upstream};
    use crate::{AgentId, NodeId, ToolName, TrackId};

    fn id(text: &str) -> NodeId {
        NodeId::new(text).unwrap()
    }

    fn promise(outputs: &[&str], at_least: usize) -> Promise {
        let outputs = outputs.iter().map(|&name| name.to_owned()).collect();
        Promise { outputs, evidence: Vec::new(), at_least, repeatable: true }
    }

    fn agent() -> NodeView {
        NodeView {
            node: id("gauges"),
            work: WorkView::Agent { agent: AgentId::new("coops").unwrap(), task: "levels".into() },
            promise: promise(&[], 1),
            status: Status::Ok,
            error: None,
            text: "2.1 m at Fort Myers".into(),
            outputs: Vec::new(),
            evidence: vec!["gauges.max".into()],
            gaps: Vec::new(),
            attempt: 0,
            upstream: Vec::new(),
        }
    }

    fn tool() -> NodeView {
        let upstream = |name, agent| Upstream { node: id(name), agent, repeatable: true };
        NodeView {
            work: WorkView::Tool { tool: ToolName::new("mean").unwrap() },
            promise: promise(&["result", "count"], 2),
            text: String::new(),
            outputs: vec!["count".into(), "result".into()],
            evidence: vec!["mean.mean".into(), "mean.n".into()],
            node: id("mean"),
            upstream: vec![upstream("sst", false), upstream("scout", true)],
            ..agent()
        }
    }

    fn failed(node: NodeView, kind: ToolErrorKind) -> NodeView {
        NodeView { status: kind.status(), error: Some(ToolError::new(kind, "the service said no")), ..node }
    }

    #[test]
    fn each_rule_has_its_verdict_and_its_action() {
        use OverseerVerdict::{Empty, Fine, Gap, MissingOutput, TooLittleEvidence};
        let scout = || Action::RefireUpstream { node: id("scout") };
        let silent = || NodeView { text: " ".into(), evidence: Vec::new(), ..agent() };
        let bare = || NodeView { outputs: Vec::new(), evidence: Vec::new(), ..tool() };
        let skipped = |error| NodeView { status: Status::Skipped, error, ..tool() };
        let unresolved = ToolError::new(ToolErrorKind::NotFound, "`sst` gave nothing");
        let writes = |mut node: NodeView| {
            node.promise.repeatable = false;
            node
        };
        let alone = |mut node: NodeView| {
            node.upstream.retain(|upstream| !upstream.agent);
            node
        };
        let table = [
            (agent(), Fine, Action::Accept),
            (tool(), Fine, Action::Accept),
            (skipped(None), Fine, Action::Accept),
            (silent(), Empty, Action::Refire),
            (writes(silent()), Empty, Action::Accept),
            (NodeView { evidence: Vec::new(), ..agent() }, TooLittleEvidence, Action::Accept),
            (NodeView { text: String::new(), ..agent() }, Fine, Action::Accept),
            (NodeView { gaps: vec!["no gauge nearby".into()], ..agent() }, Gap, Action::Accept),
            (NodeView { gaps: vec!["no gauge nearby".into()], ..silent() }, Gap, Action::Refire),
            (failed(agent(), ToolErrorKind::Unavailable), Gap, Action::Refire),
            (failed(agent(), ToolErrorKind::Timeout), Gap, Action::Refire),
            (writes(failed(agent(), ToolErrorKind::Unavailable)), Gap, Action::Accept),
            (failed(agent(), ToolErrorKind::NoData), Gap, Action::Accept),
            (failed(agent(), ToolErrorKind::Cancelled), Gap, Action::Accept),
            (failed(agent(), ToolErrorKind::Denied), Gap, Action::Accept),
            (bare(), Empty, scout()),
            (alone(bare()), Empty, Action::Accept),
            (failed(bare(), ToolErrorKind::Unavailable), Gap, Action::Accept),
            (failed(bare(), ToolErrorKind::InvalidArguments), Gap, scout()),
            (alone(failed(bare(), ToolErrorKind::InvalidArguments)), Gap, Action::Accept),
            (skipped(Some(unresolved)), Gap, scout()),
            (NodeView { outputs: vec!["result".into()], ..tool() }, MissingOutput, Action::Accept),
            (NodeView { evidence: vec!["mean.n".into()], ..tool() }, TooLittleEvidence, Action::Accept),
        ];
        for (n, (node, verdict, action)) in table.into_iter().enumerate() {
            let found = judge(&node);
            assert_eq!((found.verdict, &found.action), (verdict, &action), "row {n}: {node:?}");
            assert_eq!(found.context.is_empty(), verdict == Fine, "row {n}: {}", found.context);
        }
    }

    #[tokio::test]
    async fn the_forms_are_fixed() {
        let layer = LayerView {
            question: "How high was the water?".into(),
            track: TrackId::new("surge").unwrap(),
            layer: 1,
            nodes: vec![
                failed(agent(), ToolErrorKind::Unavailable),
                NodeView { outputs: vec![], evidence: vec![], ..tool() },
            ],
        };
        let judgements = RulesOverseer.judge(&layer).await.unwrap();
        let json = serde_json::json!({"layer": layer, "judgements": judgements});
        let text = String::from_utf8(crate::canonical::to_vec(&json).unwrap()).unwrap();
        insta::assert_snapshot!(text, @r##"{"judgements":[{"action":"refire","context":"`gauges` ended as failed: the service said no","node":"gauges","verdict":"gap"},{"action":{"refire_upstream":{"node":"scout"}},"context":"`mean` gave neither text nor output nor evidence","node":"mean","verdict":"empty"}],"layer":{"layer":1,"nodes":[{"attempt":0,"error":{"kind":"unavailable","message":"the service said no"},"evidence":["gauges.max"],"gaps":[],"node":"gauges","outputs":[],"promise":{"at_least":1,"evidence":[],"outputs":[],"repeatable":true},"status":"failed","text":"2.1 m at Fort Myers","upstream":[],"work":{"agent":{"agent":"coops","task":"levels"}}},{"attempt":0,"evidence":[],"gaps":[],"node":"mean","outputs":[],"promise":{"at_least":2,"evidence":[],"outputs":["result","count"],"repeatable":true},"status":"ok","text":"","upstream":[{"agent":false,"node":"sst","repeatable":true},{"agent":true,"node":"scout","repeatable":true}],"work":{"tool":{"tool":"mean"}}}],"question":"How high was the water?","track":"surge"}}"##);
        assert_eq!(serde_json::from_value::<LayerView>(json["layer"].clone()).unwrap(), layer);
        assert_eq!(serde_json::from_value::<Vec<Judgement>>(json["judgements"].clone()).unwrap(), judgements);
    }

    #[test]
    fn long_words_of_a_service_are_cut() {
        let mut node = failed(agent(), ToolErrorKind::Unavailable);
        node.error = Some(ToolError::new(ToolErrorKind::Unavailable, "ä".repeat(100_000)));
        assert!(judge(&node).context.chars().count() < 400);
    }
}

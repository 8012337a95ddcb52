//! The end of a run: evidence gets its ids, the report its parts, the ledger its last records, the folder its files.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::graph::{GraphTrack, LayeredGraph, NodeIndex, NodeKind};
use crate::ledger::{EntryKind, RunFolder};
use crate::plan::{Body, Track};
use crate::role::{Dropped, Part, TrackResult, without};
use crate::run::Attribution;
use crate::run::event::Change;
use crate::run::outcome::{NodeEnd, RunOutcome};
use crate::run::report::{Figure, Report};
use crate::run::state::RunState;
use crate::run::track::TrackEnd;
use crate::{Digest, Evidence, EvidenceId, Gap, ReportInput, Section, Status};

/// What all tracks found, with evidence ids in plan order.
pub(crate) struct Ending {
    question: String,
    /// What each track found, without what was dropped: the reporter is given the same.
    tracks: Arc<Vec<TrackResult>>,
    notes: Vec<String>,
    /// All evidence, dropped or not: it must be possible to trace it.
    evidence: Vec<Evidence>,
    dropped: Vec<Dropped>,
}

impl Ending {
    /// Collects what the tracks left.
    pub(crate) fn of(state: &RunState, ends: &BTreeMap<usize, TrackEnd>) -> Self {
        let graph = &state.graph;
        let mut number = 0;
        let mut notes = Vec::new();
        let mut tracks = Vec::new();
        let mut all = Vec::new();
        let dropped = dropped_by_consolidators(state);
        for (at, track) in graph.tracks().iter().enumerate() {
            let nodes = nodes_of(graph, track);
            let mut parts = state.parts(&nodes);
            for evidence in parts.iter_mut().flat_map(|part| &mut part.evidence) {
                number += 1;
                evidence.id = Some(EvidenceId::numbered(number));
            }
            all.extend(parts.iter().flat_map(|part| part.evidence.iter().cloned()));
            let parts = without(parts, &dropped);
            let mut artifacts = Vec::new();
            for &index in &nodes {
                let Some((node, output)) = graph.node(index).zip(state.output(index)) else { continue };
                artifacts.extend(output.outputs.values().map(|summary| (node.id.clone(), summary.clone())));
                for note in &output.notes {
                    if !notes.contains(note) {
                        notes.push(note.clone());
                    }
                }
            }
            tracks.push(TrackResult {
                track: track.id.clone(),
                goal: track.goal.clone(),
                text: ends.get(&at).map(|end| end.text.clone()).unwrap_or_default(),
                parts,
                result: track.result.as_ref().map(|reference| reference.node.clone()),
                artifacts,
            });
        }
        Self {
            question: graph.question().to_owned(),
            tracks: Arc::new(tracks),
            notes,
            evidence: all,
            dropped,
        }
    }

    /// What each track brings to the merge.
    pub(crate) fn track_parts(&self) -> Vec<Part> {
        let part = |track: &TrackResult| Part {
            from: track.track.to_string(),
            goal: track.goal.clone(),
            status: Status::Ok,
            text: track.text.clone(),
            evidence: track.parts.iter().flat_map(|part| part.evidence.iter().cloned()).collect(),
        };
        self.tracks.iter().map(part).collect()
    }

    /// Takes out what the merge does not carry on.
    pub(crate) fn drop_merged(&mut self, dropped: &[Dropped]) {
        if dropped.is_empty() {
            return;
        }
        for track in Arc::make_mut(&mut self.tracks) {
            track.parts = without(std::mem::take(&mut track.parts), dropped);
        }
        self.dropped.extend_from_slice(dropped);
    }

    /// What the reporter is given.
    pub(crate) fn report_input(&self, brief: String, gaps: Vec<Gap>) -> ReportInput {
        ReportInput {
            question: self.question.clone(),
            tracks: Arc::clone(&self.tracks),
            brief,
            gaps,
            notes: self.notes.clone(),
        }
    }

    /// The report, before its check.
    pub(crate) fn report(self, sections: Vec<Section>, state: &RunState) -> Report {
        let reached = self.tracks.iter().flat_map(|track| &track.parts).map(|part| part.evidence.len()).sum();
        let claims = sections.iter().flat_map(|section| &section.claims);
        let attribution = Attribution::of(&self.evidence, reached, &self.dropped, claims);
        Report {
            question: self.question,
            sections,
            gaps: state.gaps(),
            notes: self.notes,
            figures: figures(state),
            evidence: self.evidence,
            dropped: self.dropped,
            attribution,
        }
    }
}

/// What the consolidators of all tracks dropped, in graph order.
fn dropped_by_consolidators(state: &RunState) -> Vec<Dropped> {
    let nodes = state.graph.graph().node_indices();
    let is_consolidator =
        |&index: &NodeIndex| state.graph.node(index).is_some_and(|node| node.kind == NodeKind::Consolidator);
    nodes
        .filter(is_consolidator)
        .filter_map(|index| state.output(index))
        .flat_map(|output| output.dropped.clone())
        .collect()
}

/// A track's nodes in the order of the plan: that of the layers, unless the plan has steps.
fn nodes_of(graph: &LayeredGraph, track: &GraphTrack) -> Vec<NodeIndex> {
    match graph.plan().tracks.iter().find(|planned| planned.id == track.id) {
        Some(Track { body: Body::Steps(steps), .. }) => {
            steps.iter().filter_map(|step| graph.find(&step.id)).collect()
        }
        Some(Track { body: Body::Layers(_), .. }) => {
            track.layers.iter().flat_map(|layer| layer.nodes.iter().copied()).collect()
        }
        None => Vec::new(),
    }
}

fn figures(state: &RunState) -> Vec<Figure> {
    let mut figures = Vec::new();
    for index in state.graph.graph().node_indices() {
        if state.look(index, |done| done.output.renderings.is_empty()) != Some(false) {
            continue;
        }
        let Some((node, output)) = state.graph.node(index).zip(state.output(index)) else { continue };
        for rendering in &output.renderings {
            let extension = rendering.name.rsplit_once('.').map_or("png", |(_, extension)| extension);
            let extension: String = extension.chars().filter(char::is_ascii_alphanumeric).take(8).collect();
            let named = |number: usize| match number {
                1 => format!("figures/{}.{extension}", node.id),
                _ => format!("figures/{}_{number}.{extension}", node.id),
            };
            let is_taken = |file: &String| figures.iter().any(|figure: &Figure| figure.file == *file);
            let Some(file) = (1..=figures.len() + 1).map(named).find(|file| !is_taken(file)) else {
                continue;
            };
            figures.push(Figure { node: node.id.clone(), file, rendering: rendering.clone() });
        }
    }
    figures
}

impl RunState {
    /// A record for each claim.
    pub(crate) fn record_claims(&self, report: &Report) {
        for (n, claim) in report.claims().enumerate() {
            self.shared.scope.record(
                EntryKind::Claim,
                |core| {
                    core.key("evidence").array(&claim.evidence, |out, id| {
                        out.str(id.as_str());
                        Ok(())
                    })?;
                    core.key("n").count(n as u64);
                    core.key("op").str(claim.op.as_str());
                    core.key("text").str(&claim.text);
                    if let Some(verdict) = claim.verdict {
                        core.key("verdict").value(&serde_json::json!(verdict))?;
                    }
                    Ok(())
                },
                |_| Ok(()),
            );
        }
    }

    /// Writes the files and the last record, and gives the outcome.
    pub(crate) fn end(
        &self,
        report: Report,
        status: Status,
        content_root: Digest,
        finals: &[NodeIndex],
        folder: Option<&RunFolder>,
    ) -> RunOutcome {
        let files = if self.shared.hub.ledger.is_some() {
            self.write_files(folder, &report)
        } else {
            BTreeMap::new()
        };
        let id = |index: &NodeIndex| self.graph.node(*index).map(|node| node.id.as_str()).unwrap_or_default();
        self.shared.scope.record(
            EntryKind::RunFinished,
            |core| {
                core.key("content_root").digest(&content_root);
                let mut object = core.key("files").object();
                for (name, digest) in &files {
                    object.key(name).digest(digest);
                }
                object.end();
                core.key("finals").array(finals, |out, index| {
                    out.str(id(index));
                    Ok(())
                })?;
                if self.rev > 0 {
                    core.key("rev").count(self.rev);
                }
                core.key("status").str(status.as_str());
                core.key("tracks").array(self.graph.tracks(), |out, track| {
                    out.str(track.id.as_str());
                    Ok(())
                })?;
                Ok(())
            },
            |meta| meta.key("usage").value(&self.shared.meter.report()),
        );
        self.shared.hub.seal();
        self.shared.hub.sync_now();
        let log_root = self.shared.hub.log_root().map(|(root, _)| root);
        if let Some(folder) = folder {
            self.keep(folder.write_manifest());
        }
        self.shared.hub.release();
        let broken = self.shared.hub.take_broken();
        let status = if broken.is_some() { Status::Failed } else { status };
        self.shared.scope.emit(Change::RunFinished { status, content_root });
        RunOutcome {
            run_id: self.shared.options.id.clone(),
            status,
            content_root,
            log_root,
            plan: self
                .shared
                .options
                .proposal
                .as_ref()
                .map_or_else(|| self.graph.shared_plan(), |proposal| Arc::new(proposal.plan.clone())),
            nodes: self.node_ends(),
            usage: self.shared.meter.report(),
            report,
            error: broken,
        }
    }

    /// Digests of the report's files; they are written where there is a folder.
    fn write_files(&self, folder: Option<&RunFolder>, report: &Report) -> BTreeMap<String, Digest> {
        let mut files = BTreeMap::new();
        let json = crate::canonical::to_vec(&report.to_json()).unwrap_or_default();
        let texts = [("report.json", json), ("report.md", report.to_markdown().into_bytes())];
        let mut all: Vec<(String, Vec<u8>)> =
            texts.into_iter().map(|(name, bytes)| (name.to_owned(), bytes)).collect();
        for figure in &report.figures {
            if let Ok(bytes) = self.shared.scope.objects.get(&figure.rendering.digest) {
                all.push((figure.file.clone(), bytes.to_vec()));
            }
        }
        for (name, bytes) in all {
            if let Some(folder) = folder {
                self.keep(folder.write(&name, &bytes));
            }
            files.insert(name, Digest::of(crate::Domain::Object, &bytes));
        }
        files
    }

    /// Remembers the first error of the folder.
    fn keep(&self, written: Result<(), crate::ledger::LedgerError>) {
        if let Err(error) = written {
            self.shared.hub.stop_for(error);
        }
    }

    fn node_ends(&self) -> Vec<NodeEnd> {
        let end = |index: NodeIndex| {
            let node = self.graph.node(index)?;
            let done = self.end_of(index)?;
            Some(NodeEnd {
                id: node.id.clone(),
                track: node.track.clone(),
                kind: node.kind.clone(),
                output: done.output,
                duration_us: done.duration_us,
            })
        };
        // With room for all at once: it is made when everything else of the run is still there.
        let mut ends = Vec::with_capacity(self.graph.graph().node_count());
        ends.extend(self.graph.graph().node_indices().filter_map(end));
        ends
    }
}

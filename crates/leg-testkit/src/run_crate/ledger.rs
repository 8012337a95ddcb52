//! A crate against the ledger that is in it: as many of everything, and each call with all that it took and gave.

use std::collections::BTreeSet;
use std::path::Path;

use serde_json::{Map, Value};

use super::check::Check;

impl<'a> Check<'a> {
    pub(super) fn ledger(&mut self, folder: &Path) {
        let ledger = std::fs::read_to_string(folder.join("ledger.jsonl")).unwrap_or_default();
        let lines: Vec<Value> = ledger.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
        self.expect(!lines.is_empty(), || "there is no ledger".into());
        self.counts(&lines);
        self.report(folder);
        self.briefs(folder, &lines);
        self.outputs(&lines);
        for line in of(&lines, "call_started") {
            self.call_started(line);
        }
        for line in of(&lines, "call_finished") {
            self.call_finished(line);
        }
    }

    fn count(&mut self, what: &str, found: usize, wanted: usize) {
        self.expect(found == wanted, || format!("the ledger has {wanted} {what}, the crate {found}"));
    }

    fn counts(&mut self, lines: &[Value]) {
        let mut calls = self.of_kind("CreateAction");
        calls.retain(|action| !self.targets(action, "resourceUsage").is_empty());
        let failed = calls.iter().filter(|call| !self.text(call, "error").is_empty()).count();
        let failures = of(lines, "call_finished").filter(|line| line["core"]["status"] != "ok").count();
        self.count("failed calls", failed, failures);
        self.count("calls", calls.len(), of(lines, "call_started").count());
        let approvals = of(lines, "plan_approved").count();
        self.count("approvals", self.of_kind("AssessAction").len(), approvals);
        // A fan-out does nothing of its own but join.
        let joins = of(lines, "merge").filter(|line| line["core"]["role"] == "join").count();
        let ran = of(lines, "node_started").count() + joins;
        self.count("runs of nodes", self.of_kind("ControlAction").len(), ran);
        // A plan that was mended, and a run that was taken up again, answer anew.
        let superseded = |line: &Value| {
            line["kind"] == "plan_revision"
                && ["replan", "resume"].iter().any(|cause| line["core"]["cause"] == *cause)
        };
        let last = lines.iter().rposition(superseded).map_or(0, |at| at + 1);
        let claims = of(lines.get(last..).unwrap_or_default(), "claim").count();
        self.count("claims", self.of_kind("Claim").len(), claims);
    }

    /// All evidence and all gaps of the report.
    fn report(&mut self, folder: &Path) {
        let report = std::fs::read(folder.join("report.json")).unwrap_or_default();
        let report: Value = serde_json::from_slice(&report).unwrap_or_default();
        let gaps = report["gaps"].as_array().map_or(0, Vec::len);
        let told = self.of_kind("Comment").len();
        self.expect(told == gaps, || format!("the report has {gaps} gaps, the crate {told}"));
        for gap in report["gaps"].as_array().into_iter().flatten() {
            let step = self.step(gap);
            let told = self.of_kind("Comment").into_iter().any(|gap| self.targets(gap, "about") == [step]);
            self.expect(step.is_empty() || told, || format!("no gap is about `{step}`"));
        }
        for item in report["evidence"].as_array().into_iter().flatten() {
            let known = self.of_kind("PropertyValue").into_iter().any(|id| {
                let identifier = self.entities.get(id).and_then(|entity| entity.get("identifier"));
                identifier == Some(&item["id"]) && self.text(id, "name") == item["key"]
            });
            self.expect(known, || format!("evidence {} is missing", item["id"]));
        }
    }

    /// What agents and folds wrote.
    fn briefs(&mut self, folder: &Path, lines: &[Value]) {
        let mut texts = BTreeSet::new();
        for line in of(lines, "merge").chain(of(lines, "node_finished")) {
            let kept = line["core"]["output"].as_str().map(hex).unwrap_or_default();
            let (head, tail) = kept.split_at_checked(2).unwrap_or_default();
            let kept = std::fs::read(folder.join("objects").join(head).join(tail)).unwrap_or_default();
            let kept: Value = serde_json::from_slice(&kept).unwrap_or_default();
            let folded = line["kind"] == "merge" && line["core"]["role"] != "join";
            let said = if folded { &line["core"]["text"] } else { &kept["text"] };
            if said.as_str().is_some_and(|said| !said.is_empty()) {
                texts.insert(["node", "rev", "attempt"].map(|key| line["core"][key].to_string()));
            }
        }
        let mut written = self.of_kind("PropertyValue");
        written.retain(|id| self.text(id, "name") == "text");
        self.count("briefs and answers", written.len(), texts.len());
    }

    /// The files that the run wrote are what the workflow gives.
    fn outputs(&mut self, lines: &[Value]) {
        let actions = self.of_kind("CreateAction").into_iter();
        let mut runs = actions.filter(|id| self.targets(id, "instrument") == ["plan.json"]);
        let run = runs.next().unwrap_or_default();
        let used = !self.targets(run, "object").is_empty();
        self.expect(used, || "the run used nothing".into());
        let outputs = self.targets("plan.json", "output");
        for line in of(lines, "run_finished") {
            for name in names(&line["core"]["files"]) {
                let known = self.targets(run, "result").contains(&name)
                    && self.targets(name, "exampleOfWork").iter().any(|one| outputs.contains(one));
                self.expect(known, || format!("`{name}` is no output of the workflow and its run"));
            }
        }
    }

    fn call_started(&mut self, line: &Value) {
        let id = call_id(line);
        let taken = self.shown(&id, "object", "input");
        let step = self.step(&line["core"]);
        for (name, value) in line["core"]["args"].as_object().into_iter().flatten() {
            let known = taken.contains(name.as_str());
            self.expect(known, || format!("`{id}` does not show its argument `{name}`"));
            let from_another = value.to_string().contains("\"$artifact\"");
            let connected = self.targets(step, "connection").iter().any(|connection| {
                let targets = self.targets(connection, "targetParameter");
                targets.iter().any(|target| self.text(target, "name") == name)
            });
            self.expect(connected || !from_another, || {
                format!("nothing connects `{name}` of `{step}` with what gave it")
            });
        }
    }

    fn call_finished(&mut self, line: &Value) {
        let id = call_id(line);
        let usages = self.targets(&id, "resourceUsage");
        let used: Vec<&str> = usages.iter().map(|usage| self.text(usage, "name")).collect();
        let sources = line["meta"]["sources"].as_array();
        for (needed, name) in [(true, "duration"), (sources.is_some(), "bytes read")] {
            self.expect(!needed || used.contains(&name), || format!("`{id}` does not say its {name}"));
        }
        let given = self.shown(&id, "result", "output");
        for name in names(&line["core"]["outputs"]) {
            self.expect(given.contains(name), || format!("`{id}` does not show its output `{name}`"));
        }
        for source in sources.into_iter().flatten() {
            let mut known = self.targets(&id, "object").into_iter();
            let known = known.any(|object| self.text(object, "identifier") == source["digest"]);
            self.expect(known, || format!("`{id}` does not show its source {}", source["address"]));
        }
    }

    /// The step of the node that a document names; empty when it has none.
    fn step(&self, named: &Value) -> &'a str {
        let node = named["node"].as_str().unwrap_or_default();
        let steps = self.of_kind("HowToStep");
        steps.into_iter().find(|step| self.text(step, "name") == node).unwrap_or_default()
    }
}

fn of<'l>(lines: &'l [Value], kind: &'l str) -> impl Iterator<Item = &'l Value> {
    lines.iter().filter(move |line| line["kind"] == kind)
}

fn names(value: &Value) -> impl Iterator<Item = &str> {
    value.as_object().into_iter().flat_map(Map::keys).map(String::as_str)
}

fn call_id(line: &Value) -> String {
    format!("#call/{}", line["core"]["call_id"].as_str().map(hex).unwrap_or_default())
}

fn hex(digest: &str) -> String {
    digest.trim_start_matches("b3:").to_owned()
}

//! The parts of a crate: the root, the files, the workflow with its tools and steps, the parameters.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;

use sha2::{Digest as _, Sha256};

use super::check::{Check, METADATA};

/// What a Provenance Run Crate conforms to; the last one is that of the descriptor too.
const PROFILES: [&str; 4] = [
    "https://w3id.org/ro/wfrun/process/0.5",
    "https://w3id.org/ro/wfrun/workflow/0.5",
    "https://w3id.org/ro/wfrun/provenance/0.5",
    "https://w3id.org/workflowhub/workflow-ro-crate/1.0",
];

impl Check<'_> {
    pub(super) fn root(&mut self) {
        self.expect(self.targets(METADATA, "about") == ["./"], || "the descriptor is not about `./`".into());
        let conforms = self.targets(METADATA, "conformsTo");
        for needed in ["https://w3id.org/ro/crate/1.1", PROFILES[3]] {
            self.expect(conforms.contains(&needed), || {
                format!("the descriptor does not conform to {needed}")
            });
        }
        self.expect(self.is("./", "Dataset"), || "`./` is no Dataset".into());
        self.says("./", &["name", "description", "datePublished", "license"]);
        let conforms = self.targets("./", "conformsTo");
        for profile in PROFILES {
            let there = conforms.contains(&profile) && self.is(profile, "CreativeWork");
            self.expect(there, || format!("the root does not conform to {profile}"));
            self.says(profile, &["name", "version"]);
        }
        self.points("./", "license", &["CreativeWork"]);
        self.points("./", "author", &["Person"]);
        self.points("./", "mainEntity", &["ComputationalWorkflow"]);
        self.expect(self.is("README.md", "File"), || "there is no README.md".into());
        self.expect(self.targets("README.md", "about") == ["./"], || "the README is not about `./`".into());
        let mentioned: BTreeSet<&str> = self.targets("./", "mentions").into_iter().collect();
        for kind in ["CreateAction", "OrganizeAction", "AssessAction"] {
            for action in self.of_kind(kind) {
                self.expect(mentioned.contains(action), || format!("the root does not mention `{action}`"));
            }
        }
    }

    /// The entities are the files, byte for byte, and all of them.
    pub(super) fn files(&mut self, folder: &Path) {
        let mut open = vec![folder.to_owned()];
        let mut there = BTreeSet::new();
        while let Some(path) = open.pop() {
            for entry in std::fs::read_dir(&path).into_iter().flatten().flatten() {
                if entry.path().is_dir() {
                    open.push(entry.path());
                } else if let Ok(name) = entry.path().strip_prefix(folder) {
                    there.insert(name.to_string_lossy().into_owned());
                }
            }
        }
        let parts: BTreeSet<&str> = self.targets("./", "hasPart").into_iter().collect();
        for name in there.iter().filter(|name| *name != METADATA) {
            let known = self.is(name, "File") && parts.contains(name.as_str());
            self.expect(known, || format!("file `{name}` is no part of the root"));
            let bytes = std::fs::read(folder.join(name)).unwrap_or_default();
            let hex = Sha256::digest(&bytes).iter().fold(String::new(), |mut hex, byte| {
                let _ = write!(hex, "{byte:02x}");
                hex
            });
            self.expect(self.text(name, "sha256") == hex, || format!("`{name}` has another SHA-256"));
            let size = bytes.len().to_string();
            self.expect(self.text(name, "contentSize") == size, || format!("`{name}` has another size"));
            self.says(name, &["name", "description", "encodingFormat"]);
        }
        for name in self.of_kind("File") {
            self.expect(there.contains(name), || format!("`{name}` is not in the folder"));
        }
    }

    pub(super) fn workflow(&mut self) {
        let plan = "plan.json";
        for kind in ["File", "SoftwareSourceCode", "ComputationalWorkflow", "HowTo"] {
            self.expect(self.is(plan, kind), || format!("`{plan}` is no {kind}"));
        }
        self.says(plan, &["name", "version", "url"]);
        for language in self.points(plan, "programmingLanguage", &["ComputerLanguage"]) {
            self.says(language, &["name", "url", "version"]);
        }
        self.points(plan, "conformsTo", &["CreativeWork"]);
        self.points(plan, "input", &["FormalParameter"]);
        self.points(plan, "output", &["FormalParameter"]);
        let used: BTreeSet<&str> = self
            .of_kind("CreateAction")
            .into_iter()
            .flat_map(|action| self.targets(action, "instrument"))
            .collect();
        let tools = self.points(plan, "hasPart", &["SoftwareApplication"]);
        for tool in &tools {
            self.expect(used.contains(tool), || format!("`{tool}` is the instrument of nothing"));
            self.expect(tool.starts_with("https://"), || format!("`{tool}` is no absolute URI"));
            self.says(tool, &["name", "url", "softwareVersion"]);
        }
        for used in used.iter().filter(|used| **used != plan) {
            self.expect(tools.contains(used), || format!("`{used}` worked and is no part of the workflow"));
        }
        let steps = self.points(plan, "step", &["HowToStep"]);
        let mut positions = BTreeSet::new();
        for step in self.of_kind("HowToStep") {
            self.expect(steps.contains(&step), || format!("`{step}` is no step of the workflow"));
            for tool in self.points(step, "workExample", &["SoftwareApplication"]) {
                self.expect(tools.contains(&tool), || {
                    format!("`{step}` works with `{tool}`, which is no part")
                });
            }
            let position = self.text(step, "position").parse::<u64>().ok();
            self.expect(position.is_some_and(|at| positions.insert(at)), || {
                format!("`{step}` has no position of its own")
            });
        }
    }

    pub(super) fn parameters(&mut self) {
        let owners: Vec<&str> = self
            .of_kind("SoftwareApplication")
            .into_iter()
            .chain(self.of_kind("ComputationalWorkflow"))
            .collect();
        let owned: BTreeSet<&str> = owners
            .iter()
            .flat_map(|owner| [self.targets(owner, "input"), self.targets(owner, "output")])
            .flatten()
            .collect();
        for parameter in self.of_kind("FormalParameter") {
            self.expect(owned.contains(parameter), || format!("`{parameter}` belongs to nothing"));
            self.says(parameter, &["name", "additionalType"]);
            self.points(parameter, "conformsTo", &["CreativeWork"]);
            let examples = self.points(parameter, "workExample", &["File", "PropertyValue", "CreativeWork"]);
            for example in examples {
                let back = self.targets(example, "exampleOfWork").contains(&parameter);
                self.expect(back, || format!("`{example}` does not lead back to `{parameter}`"));
            }
        }
        let ids: Vec<&str> = self.entities.keys().copied().collect();
        for id in ids {
            for parameter in self.targets(id, "exampleOfWork") {
                let back = self.targets(parameter, "workExample").contains(&id);
                self.expect(back, || format!("`{parameter}` does not lead back to `{id}`"));
            }
        }
        let connections = self.targets("plan.json", "connection");
        for connection in self.of_kind("ParameterConnection") {
            self.points(connection, "sourceParameter", &["FormalParameter"]);
            self.points(connection, "targetParameter", &["FormalParameter"]);
            self.expect(connections.contains(&connection), || format!("the workflow lacks `{connection}`"));
            let steps = self.of_kind("HowToStep");
            let ends = steps.iter().any(|step| self.targets(step, "connection").contains(&connection));
            self.expect(ends, || format!("no step has `{connection}`"));
        }
    }
}

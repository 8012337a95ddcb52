//! What was done in a crate.

use std::collections::BTreeSet;

use super::check::Check;

const ACTIONS: [&str; 4] = ["CreateAction", "ControlAction", "OrganizeAction", "AssessAction"];

impl Check<'_> {
    pub(super) fn actions(&mut self) {
        let values = ["File", "PropertyValue", "CreativeWork", "Dataset"];
        let mut controlled: BTreeSet<&str> = BTreeSet::new();
        for control in self.of_kind("ControlAction") {
            self.says(control, &["name", "startTime", "endTime"]);
            self.points(control, "instrument", &["HowToStep"]);
            controlled.extend(self.points(control, "object", &["CreateAction"]));
        }
        for step in self.of_kind("HowToStep") {
            let controls = self.of_kind("ControlAction");
            let ran = controls.iter().any(|control| self.targets(control, "instrument").contains(&step));
            self.expect(ran, || format!("`{step}` has no run"));
        }
        let main: Vec<&str> = self
            .of_kind("CreateAction")
            .into_iter()
            .filter(|action| self.targets(action, "instrument") == ["plan.json"])
            .collect();
        self.expect(main.len() == 1, || format!("{} actions run the workflow", main.len()));
        let organizers = self.of_kind("OrganizeAction");
        self.expect(organizers.len() == 1, || format!("{} actions organize", organizers.len()));
        for organizer in organizers {
            for engine in self.points(organizer, "instrument", &["SoftwareApplication"]) {
                self.says(engine, &["name", "softwareVersion"]);
            }
            self.says(organizer, &["name", "startTime", "endTime"]);
            self.points(organizer, "agent", &["Person"]);
            self.expect(self.targets(organizer, "result") == main, || "the result is not the run".into());
            let objects = self.points(organizer, "object", &["ControlAction"]);
            for control in self.of_kind("ControlAction") {
                self.expect(objects.contains(&control), || format!("`{control}` is not organized"));
            }
        }
        for action in self.of_kind("CreateAction") {
            self.points(action, "instrument", &["SoftwareApplication", "ComputationalWorkflow"]);
            // A call may have no arguments; whatever else is done is done to something.
            if !action.starts_with("#call/") {
                self.points(action, "object", &values);
                for (property, side, word) in
                    [("object", "input", "task"), ("result", "output", "text"), ("result", "output", "plan")]
                {
                    let there =
                        self.targets(action, property).iter().any(|value| self.text(value, "name") == word);
                    let shown = self.shown(action, property, side).contains(word);
                    self.expect(there == shown, || format!("the {word} of `{action}` has no parameter"));
                }
            }
            for object in self.targets(action, "object") {
                let fits = values.iter().any(|kind| self.is(object, kind));
                self.expect(fits, || format!("`{action}` has the object `{object}`"));
            }
            self.says(action, &["name", "description", "startTime", "endTime", "actionStatus"]);
            self.points(action, "agent", &["Person"]);
            let failed = match self.text(action, "actionStatus") {
                "http://schema.org/CompletedActionStatus" => false,
                "http://schema.org/FailedActionStatus" => true,
                other => {
                    self.faults.push(format!("`{action}` has the status `{other}`"));
                    continue;
                }
            };
            self.expect(failed != self.text(action, "error").is_empty(), || {
                format!("`{action}` failed without an error, or has one without")
            });
            // An agent may have nothing to say; whatever else went well gave something.
            if !failed && !action.starts_with("#work/") {
                self.points(action, "result", &values);
            }
            for result in self.targets(action, "result") {
                let fits = values.iter().any(|kind| self.is(result, kind));
                self.expect(fits, || format!("`{action}` has the result `{result}`"));
            }
            let known = main.contains(&action) || controlled.contains(action);
            self.expect(known, || format!("no step ran `{action}`"));
            for usage in self.targets(action, "resourceUsage") {
                self.expect(self.is(usage, "PropertyValue"), || format!("`{usage}` is no PropertyValue"));
                self.says(usage, &["propertyID", "value", "unitCode"]);
            }
        }
        for kind in ACTIONS {
            for action in self.of_kind(kind) {
                for property in ["startTime", "endTime"] {
                    let time = self.text(action, property);
                    let iso = time.is_empty() || (time.len() >= 25 && time.get(10..11) == Some("T"));
                    self.expect(iso, || format!("`{property}` of `{action}` is `{time}`"));
                }
            }
        }
        for approval in self.of_kind("AssessAction") {
            self.says(approval, &["endTime", "actionStatus"]);
            self.points(approval, "agent", &["Person"]);
            self.points(approval, "object", &["ComputationalWorkflow"]);
            self.points(approval, "result", &["PropertyValue"]);
        }
    }
}

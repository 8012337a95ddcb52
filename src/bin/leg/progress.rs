//! Shows a run's events as a bar for each node, on a terminal only.

use std::collections::BTreeMap;
use std::time::Duration;

use indicatif::{MultiProgress, ProgressBar, ProgressStyle};
use leg::core::NodeId;
use leg::core::run::{Change, EventStream};

/// Shows events until the run ends. Off a terminal nothing is drawn.
pub(crate) async fn show(mut events: EventStream) {
    let bars = MultiProgress::new();
    let spinner = style("{spinner} {prefix:24} {msg}");
    let counter = style("{spinner} {prefix:24} [{bar:30}] {pos}/{len}");
    let mut open: BTreeMap<NodeId, ProgressBar> = BTreeMap::new();
    while let Some(event) = events.next().await {
        match &event.event {
            Change::NodeStarted { node, .. } => {
                let bar = bars.add(ProgressBar::new_spinner().with_style(spinner.clone()));
                bar.set_prefix(node.to_string());
                bar.enable_steady_tick(Duration::from_millis(120));
                open.insert(node.clone(), bar);
            }
            Change::CallStarted { node, tool } => {
                if let Some(bar) = open.get(node) {
                    bar.set_message(tool.clone());
                }
            }
            Change::Progress { node, done, total } => {
                if let Some(bar) = open.get(node) {
                    bar.set_style(counter.clone());
                    bar.set_length(*total);
                    bar.set_position(*done);
                }
            }
            Change::NodeFinished { node, status, .. } => {
                if let Some(bar) = open.remove(node) {
                    bar.set_style(spinner.clone());
                    bar.finish_with_message(status.to_string());
                }
            }
            _ => {}
        }
    }
}

fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
}

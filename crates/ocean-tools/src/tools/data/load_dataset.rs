//! `load_dataset`: a lazy selection of one variable.

use leg_core::{Artifact, EvidenceDraft, Kind, Port, Purity, ToolContext, ToolError, ToolOutput, ToolSpec};
use ocean_data::Field;

use crate::argument::SelectionArgument;
use crate::argument::field::{recorded, select};
use crate::computation::Computation;
use crate::{Datasets, reading};

/// Selects a variable by region, time, season and depth. It reads no values.
pub(crate) struct LoadDataset;

impl Computation for LoadDataset {
    const NAME: &'static str = "load_dataset";
    type Arguments = SelectionArgument;

    fn describe() -> ToolSpec {
        let port = Port::of(Kind::Field).dims(&["time?", "depth?", "lat?", "lon?"]);
        ToolSpec::new("data", "Lazy selection of one variable by region, time, season and depth.", port)
            .description(
                "Resolves a selection against the coordinates and records it; values are read by the tool that \
                 needs them. A cell is in a box when its centre is, edges included; west > east crosses the date \
                 line. Times are inclusive and a partial date covers its whole period. Surface is the level nearest \
                 0 m, bottom the deepest wet level of each column. A window partly outside the data is clipped and \
                 noted; one wholly outside is refused with the coverage.",
            )
            .evidence(&["size", "n_times", "from", "to"])
            .purity(Purity::ReadsData)
    }

    fn run(
        arguments: &Self::Arguments,
        datasets: &Datasets,
        _: &ToolContext,
    ) -> Result<ToolOutput, ToolError> {
        let field = select(datasets, arguments)?;
        let artifact =
            Artifact::document(Kind::Field, field.variable().identity_name(), recorded(&field, arguments));
        let notes = reading::notes(&field);
        Ok(ToolOutput::of(artifact).with_evidence(evidence(&field)).with_notes(notes))
    }
}

fn evidence(field: &Field) -> Vec<EvidenceDraft> {
    let method = "number of values in the selection, land included";
    let mut drafts = vec![EvidenceDraft::new("size", field.len() as u64, "1", method)];
    if let Some(times) = field.times() {
        let text = |date: Option<&ocean_data::cf::DateTime>| {
            date.map_or(serde_json::Value::Null, |date| date.to_iso(times.calendar).into())
        };
        drafts.push(EvidenceDraft::new("n_times", times.dates.len() as u64, "1", "number of selected times"));
        drafts.push(EvidenceDraft::new("from", text(times.dates.first()), "", "first selected time"));
        drafts.push(EvidenceDraft::new("to", text(times.dates.last()), "", "last selected time"));
    }
    drafts
}

//! `leg du [RUN…]`

use leg::core::ledger::usage;
use serde_json::json;

use crate::args::DuArguments;
use crate::output::{DONE, Ending, Failure, print, print_json, table};
use crate::session::Session;

pub(crate) fn du(session: &Session, arguments: &DuArguments) -> Ending {
    let only = arguments.runs_named.iter().map(|run| session.run_id(run)).collect::<Result<Vec<_>, _>>()?;
    let found =
        usage(&session.runs, (!only.is_empty()).then_some(only.as_slice())).map_err(Failure::wrong)?;
    if session.json {
        print_json(&json!(found));
        return Ok(DONE);
    }
    let row = |name: &str, bytes: [u64; 5]| {
        let cells = bytes.into_iter().map(|bytes| bytes.to_string());
        std::iter::once(name.to_owned()).chain(cells).collect::<Vec<String>>()
    };
    let rows: Vec<Vec<String>> = found
        .runs
        .iter()
        .map(|run| row(&run.run, [run.ledger, run.files, run.own_objects, run.payload, run.alone]))
        .collect();
    print(&table(&["run", "ledger", "files", "own objects", "shared objects", "of which alone"], &rows));
    let all = &found.in_all;
    print(&format!("in all        {} bytes", all.total));
    print(&format!("  ledgers     {}", all.ledgers));
    print(&format!("  files       {}", all.files));
    print(&format!("  objects     {} shared, {} in run folders", all.payload, all.own_objects));
    print(&format!(
        "  unused      {} in objects that no run leads to, {} half-written",
        all.unused, all.leftovers
    ));
    Ok(DONE)
}

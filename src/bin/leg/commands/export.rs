//! `leg export RUN --format FORMAT --out PATH`

use leg::core::export;
use serde_json::json;

use crate::args::ExportArguments;
use crate::output::{DONE, Ending, Failure, print, print_json};
use crate::session::Session;

pub(crate) fn export(session: &Session, arguments: &ExportArguments) -> Ending {
    let folder = session.run_folder(&arguments.run)?;
    let written = export::export(&folder, &arguments.format, &arguments.out).map_err(|error| {
        if error.is_wrong_input() { Failure::wrong(error) } else { Failure::failed(error) }
    })?;
    if session.json {
        print_json(&json!(written));
        return Ok(DONE);
    }
    let path = written.path.display();
    print(&format!(
        "exported: {path} ({}, {} files, {} bytes)",
        written.format, written.files, written.bytes
    ));
    if let Some(root) = written.content_root {
        print(&format!("  content root  {root}"));
    }
    print(&format!("  log root      {}", written.log_root));
    if written.format == "bundle" {
        print(&format!("  to check it   leg verify {path}"));
    }
    Ok(DONE)
}

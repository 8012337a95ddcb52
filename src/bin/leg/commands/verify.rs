//! `leg verify RUN`

use leg::core::Digest;
use leg::core::ledger::{Expected, VerifyingKey, verify_with};
use serde_json::json;

use crate::args::VerifyArguments;
use crate::output::{DONE, Ending, FAILED, Failure, print, print_json};
use crate::session::Session;

pub(crate) fn verify(session: &Session, arguments: &VerifyArguments) -> Ending {
    let folder = session.run_folder(&arguments.run)?;
    let root = arguments.root.as_deref().map(str::parse::<Digest>).transpose().map_err(Failure::wrong)?;
    let key = arguments.key.as_deref().map(VerifyingKey::read).transpose().map_err(Failure::wrong)?;
    let expected = Expected { root: root.as_ref(), key: key.as_ref() };
    let found = verify_with(&folder, expected).map_err(Failure::wrong)?;
    if session.json {
        print_json(&json!(found));
    } else if found.ok {
        print(&format!("verified: {}", folder.path().display()));
        print(&format!(
            "  content root  {}",
            found.content_root.map(|root| root.to_string()).unwrap_or_default()
        ));
        print(&format!("  log root      {}", found.log_root));
        found.signed_by.iter().for_each(|key| print(&format!("  signed by     {key}")));
    } else {
        print(&format!("{} faults in {}", found.faults.len(), folder.path().display()));
        for fault in &found.faults {
            print(&format!("  {}: {}", fault.place, fault.message));
        }
    }
    Ok(if found.ok { DONE } else { FAILED })
}

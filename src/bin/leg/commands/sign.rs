//! `leg sign RUN --key FILE`, and `leg sign --new-key FILE`

use std::path::Path;

use leg::core::ledger::{SIGNATURE, SignError, SigningKey, sign as sign_run};
use serde_json::{Map, Value, json};

use crate::args::SignArguments;
use crate::output::{DONE, Ending, Failure, print, print_json, talk};
use crate::session::Session;

pub(crate) fn sign(session: &Session, arguments: &SignArguments) -> Ending {
    let mut document = Map::new();
    let key = match (&arguments.key, &arguments.new_key) {
        (Some(path), _) => SigningKey::read(path).map_err(Failure::wrong)?,
        (None, Some(path)) => {
            let key = new_key(path, &mut document)?;
            if !session.json {
                talk(&format!("new key       {} (keep it secret)", path.display()));
                talk(&format!("public key    {}.pub (give it to those who verify)", path.display()));
            }
            key
        }
        (None, None) => {
            return Err(Failure::wrong("name a key with --key FILE, or make one with --new-key FILE"));
        }
    };
    if let Some(run) = &arguments.run {
        let folder = session.run_folder(run)?;
        let file = sign_run(&folder, &key).map_err(|error| match error {
            SignError::Faults { .. } => Failure::failed(error),
            SignError::Ledger(_) => Failure::wrong(error),
        })?;
        if !session.json {
            print(&format!("signed        {}", folder.path().join(SIGNATURE).display()));
            print(&format!("  content root  {}", file.content_root));
            print(&format!("  log root      {} ({} records)", file.log_root, file.size));
            file.signatures.iter().for_each(|own| print(&format!("  by            {}", own.key)));
        }
        document.insert("signature".into(), json!(file));
    }
    if session.json {
        document.insert("key".into(), json!(key.verifying_key()));
        print_json(&Value::Object(document));
    }
    Ok(DONE)
}

/// Makes a key from the system's randomness.
fn new_key(path: &Path, document: &mut Map<String, Value>) -> Result<SigningKey, Failure> {
    let mut seed = [0; 32];
    getrandom::fill(&mut seed)
        .map_err(|error| Failure::failed(format!("the system gives no randomness: {error}")))?;
    let key = SigningKey::from_seed(&seed);
    let public = key.write_new(path).map_err(Failure::wrong)?;
    document.insert("private_key_file".into(), json!(path));
    document.insert("public_key_file".into(), json!(public));
    Ok(key)
}

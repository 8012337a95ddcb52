//! `leg data inspect|demo|convert|truth`

use leg::ocean_data::write::{ConvertOptions, WriteError, convert};
use leg::ocean_data::{Dataset, demo};
use serde_json::json;

use crate::args::DataAction;
use crate::output::{DONE, Ending, Failure, print, print_json, table};
use crate::session::Session;

pub(crate) fn data(session: &Session, action: DataAction) -> Ending {
    match action {
        DataAction::Inspect { uri } => inspect(session, &uri),
        DataAction::Demo { dir } => {
            let written = !demo::is_current(&dir);
            let truth =
                if written { demo::write(&dir, &|_, _| {}).map_err(Failure::wrong)? } else { demo::truth() };
            if session.json {
                print_json(&json!({ "dataset": dir, "written": written, "truth": truth }));
            } else {
                let what = if written { "wrote" } else { "is there already:" };
                print(&format!(
                    "{what} `{}` ({} to {}), truth in `truth.json`",
                    dir.display(),
                    truth.time[0],
                    truth.time[1]
                ));
            }
            Ok(DONE)
        }
        DataAction::Truth { scene } => truth(session, scene.as_deref()),
        DataAction::Convert { source, target } => {
            let dataset =
                Dataset::open_with(&source, &session.open_options(&source)).map_err(Failure::wrong)?;
            let bar = indicatif::ProgressBar::new(0);
            let done = convert(&dataset, &target, &ConvertOptions::default(), &|done, total| {
                bar.set_length(total as u64);
                bar.set_position(done as u64);
            });
            bar.finish_and_clear();
            let done = done.map_err(|error| match error {
                WriteError::Exists { .. } | WriteError::NotAPlace { .. } | WriteError::Busy { .. } => {
                    Failure::wrong(error)
                }
                // What was copied so far is kept beside the target.
                other => {
                    Failure::wrong(format!("{other}\nhint: the same command goes on where this one stopped"))
                }
            })?;
            let skipped: Vec<_> =
                done.skipped.iter().map(|one| json!({ "name": one.name, "reason": one.reason })).collect();
            if session.json {
                print_json(&json!({
                    "target": target, "variables": done.variables, "skipped": skipped, "bytes": done.bytes,
                }));
            } else {
                print(&format!("wrote `{}`: {}", target.display(), done.variables.join(", ")));
                for one in &done.skipped {
                    print(&format!("  left out `{}`: {}", one.name, one.reason));
                }
            }
            Ok(DONE)
        }
    }
}

fn truth(session: &Session, scene: Option<&str>) -> Ending {
    let names = demo::scene_names();
    let Some(asked) = scene else {
        if session.json {
            print_json(&json!({ "scenes": names }));
        } else {
            let lines: Vec<String> = names.iter().map(|name| format!("demo:{name}")).collect();
            print(&lines.join("\n"));
        }
        return Ok(DONE);
    };
    let name = asked.strip_prefix("demo:").unwrap_or(asked);
    let truth = demo::scene_truth(name).ok_or_else(|| {
        Failure::wrong(format!("there is no scene `demo:{name}`; the scenes are: {}", names.join(", ")))
    })?;
    if session.json {
        print_json(&json!(truth));
        return Ok(DONE);
    }
    print(&format!(
        "demo:{} ({}), {} days, {} levels, {} degrees",
        truth.name, truth.title, truth.days, truth.levels, truth.step
    ));
    let pair = |pair: [f64; 2]| format!("{} to {}", pair[0], pair[1]);
    let rows: Vec<Vec<String>> = truth
        .events
        .iter()
        .map(|event| {
            let time = format!("{} to {}", event.time[0], event.time[1]);
            let size = format!("{} {} of {}", event.amplitude, event.units, event.variable);
            vec![event.name.clone(), pair(event.lon), pair(event.lat), time, size]
        })
        .collect();
    print(&table(&["event", "longitude", "latitude", "time", "at its height"], &rows));
    Ok(DONE)
}

fn inspect(session: &Session, uri: &str) -> Ending {
    let dataset = Dataset::open_with(uri, &session.open_options(uri)).map_err(Failure::wrong)?;
    let description = dataset.inspect();
    if session.json {
        print_json(&json!(description));
        return Ok(DONE);
    }
    print(&format!("{} ({})", description.uri, description.format));
    if let Some(title) = &description.title {
        print(title);
    }
    let text = |value: &Option<String>| value.clone().unwrap_or_else(|| "-".to_owned());
    let rows: Vec<Vec<String>> = description
        .variables
        .iter()
        .map(|one| {
            let dims: Vec<String> =
                one.dims.iter().zip(&one.shape).map(|(dim, n)| format!("{dim}={n}")).collect();
            let taken = match (&one.taken_for, &one.because_of) {
                (Some(what), Some(why)) => format!("{what} (by {why})"),
                _ => "-".to_owned(),
            };
            vec![one.name.clone(), text(&one.units), dims.join(" "), one.stored_type.clone(), taken]
        })
        .collect();
    print(&format!("\n{}", table(&["variable", "units", "dimensions", "stored as", "taken for"], &rows)));
    let rows: Vec<Vec<String>> = description
        .axes
        .iter()
        .map(|one| {
            let step = one.step.map_or_else(|| "-".to_owned(), |step| format!("{step}"));
            let range = format!("{} to {}", one.from, one.to);
            vec![
                one.name.clone(),
                format!("{} (by {})", one.axis, one.because_of),
                one.length.to_string(),
                range,
                step,
                text(&one.calendar),
            ]
        })
        .collect();
    print(&format!("\n{}", table(&["coordinate", "axis", "n", "range", "step", "calendar"], &rows)));
    for one in &description.variables {
        for detail in &one.details {
            print(&format!("`{}`: {detail}", one.name));
        }
    }
    for warning in &description.warnings {
        print(&format!("warning: {warning}"));
    }
    Ok(DONE)
}

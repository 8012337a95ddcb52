//! Recorded answers of the forecast model's bucket.

use std::fmt::Write as _;

use leg_fetch::Response;

use super::asked::Asked;
use super::series::station_file;
use super::{Recorded, is_a, whole};

pub(super) fn answer(recorded: &Recorded, asked: &Asked<'_>) -> Option<Response> {
    let all = recorded.of("stofs");
    if asked.get("list-type").is_some() {
        let prefix = asked.get("prefix").unwrap_or_default();
        let exact =
            all.iter().find(|own| own.get("list-type").is_some() && own.get("prefix") == Some(prefix));
        return Some(
            exact
                .filter(|_| asked.get("delimiter").is_none())
                .map_or_else(|| listing(recorded, asked), |own| whole(own)),
        );
    }
    let file = |path: &str| path.rsplit('/').next().unwrap_or_default().to_owned();
    // A recorded sample stands for the whole file, under either name; its references lie beside it.
    let found = all.iter().find(|own| {
        own.path == asked.path
            || (own.file.ends_with(&file(asked.path)) && !file(asked.path).is_empty())
            || (own.file.ends_with(".refs.json")
                && asked.path.ends_with(".refs.json")
                && beside(asked.path, &own.file))
    });
    // A series whose form was changed by its source goes back into the form of the service.
    if let Some(own) = found.filter(|own| is_a(&own.file, "json") && is_a(&own.path, "nc"))
        && let Some(file) = own.json().and_then(|body| station_file(&body, &own.file.replace('_', " ")))
    {
        return Some(Response::ok(file).with_header("content-type", "application/x-netcdf"));
    }
    if let Some(own) = found.filter(|own| is_a(&own.file, "nc") || is_a(&own.file, "json")) {
        return Some(whole(own));
    }
    let missing = all.iter().find(|own| own.file.contains("no_such_key"))?;
    Some(whole(missing).with_status(404))
}

/// Whether references lie beside the file that they are for: `x.nc.refs.json` for `x.sample.refs.json`.
fn beside(asked: &str, own: &str) -> bool {
    let stem = |path: &str| {
        let name = path.rsplit('/').next().unwrap_or_default();
        name.trim_end_matches(".refs.json").trim_end_matches(".nc").trim_end_matches(".sample").to_owned()
    };
    stem(asked) == stem(own)
}

/// A listing of the recorded keys, in the form of the bucket.
fn listing(recorded: &Recorded, asked: &Asked<'_>) -> Response {
    let prefix = asked.get("prefix").unwrap_or_default();
    let all = recorded.of("stofs");
    let files = all.iter().filter(|own| is_a(&own.path, "nc") && !own.file.contains("no_such_key"));
    let mut keys: Vec<(String, usize)> = files.map(|own| (own.path.clone(), own.body.len())).collect();
    // Recorded listings name keys too.
    for own in all.iter().filter(|own| own.get("list-type").is_some()) {
        let text = String::from_utf8_lossy(&own.body);
        for part in text.split("<Contents>").skip(1) {
            let member =
                |name: &str| part.split(&format!("<{name}>")).nth(1)?.split('<').next().map(str::to_owned);
            if let (Some(key), Some(Ok(size))) =
                (member("Key"), member("Size").map(|size| size.parse::<usize>()))
                && !keys.iter().any(|(own, _)| *own == key)
            {
                keys.push((key, size));
            }
        }
    }
    keys.retain(|(key, _)| key.starts_with(prefix) && key.contains('/'));
    keys.sort();
    let mut body = String::from(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<ListBucketResult xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\">",
    );
    // Writing to a text does not fail.
    let _ = write!(body, "<Prefix>{prefix}</Prefix><IsTruncated>false</IsTruncated>");
    if asked.get("delimiter") == Some("/") {
        let mut folders: Vec<String> = keys
            .iter()
            .filter_map(|(key, _)| {
                let rest = key.strip_prefix(prefix)?;
                rest.split_once('/').map(|(folder, _)| format!("{prefix}{folder}/"))
            })
            .collect();
        folders.dedup();
        for folder in folders {
            let _ = write!(body, "<CommonPrefixes><Prefix>{folder}</Prefix></CommonPrefixes>");
        }
    } else {
        let _ = write!(body, "<KeyCount>{}</KeyCount>", keys.len());
        for (key, size) in keys {
            let _ = write!(body, "<Contents><Key>{key}</Key><Size>{size}</Size></Contents>");
        }
    }
    body.push_str("</ListBucketResult>");
    Response::ok(body).with_header("content-type", "application/xml")
}

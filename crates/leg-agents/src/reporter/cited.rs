//! What agents said: sentences that end with the keys of the evidence that they rest on.

use std::collections::BTreeMap;

use leg_core::role::TrackResult;
use leg_core::{Claim, Evidence, EvidenceId, Operation};

/// The claims of a track's agents, in plan order: each line of an answer that ends with keys, such as
/// `The lowest pressure was 937 hPa. [nhc.min_pressure]`. A line without keys is no finding. A sentence that two agents say
/// is said once.
pub(super) fn cited(track: &TrackResult) -> Vec<Claim> {
    let mut claims: Vec<Claim> = Vec::new();
    for part in &track.parts {
        let known: BTreeMap<&str, &EvidenceId> =
            part.evidence.iter().filter_map(|one| Some((one.key.as_str(), one.id.as_ref()?))).collect();
        for line in part.text.lines() {
            let (sentence, keys) = split(line);
            let ids: Vec<EvidenceId> =
                keys.iter().filter_map(|key| known.get(key)).map(|id| (*id).clone()).collect();
            if !ids.is_empty() && !claims.iter().any(|claim| claim.text == sentence) {
                // Words without a number say nothing that an operation could check.
                let has_number = sentence.bytes().any(|byte| byte.is_ascii_digit());
                claims.push(Claim::new(
                    sentence,
                    ids,
                    if has_number { Operation::Round } else { Operation::None },
                ));
            }
        }
    }
    claims
}

/// The evidence that a track's agents cite, in the order of their sentences.
pub(super) fn cited_evidence(track: &TrackResult) -> Vec<Evidence> {
    let mut found: Vec<Evidence> = Vec::new();
    for part in &track.parts {
        for key in part.text.lines().flat_map(|line| split(line).1) {
            let one = part.evidence.iter().find(|one| one.key == key);
            if let Some(one) = one.filter(|one| !found.iter().any(|own| own.key == one.key)) {
                found.push(one.clone());
            }
        }
    }
    found
}

/// A line without the keys at its end, and the keys.
fn split(line: &str) -> (&str, Vec<&str>) {
    let mut rest = line.trim_end();
    let mut keys = Vec::new();
    while let Some(before) = rest.strip_suffix(']') {
        let Some((head, key)) = before.rsplit_once('[') else { break };
        if key.is_empty() || !key.contains('.') || key.contains(char::is_whitespace) {
            break;
        }
        keys.push(key);
        rest = head.trim_end();
    }
    keys.reverse();
    (rest.trim(), keys)
}

#[cfg(test)]
mod tests {
    use leg_core::Status;
    use leg_core::role::Part;
    use serde_json::json;

    use super::*;

    fn track(text: &str) -> TrackResult {
        let one = |id: usize, key: &str| {
            let evidence = json!({"id": format!("E{id}"), "key": key, "name": "n", "value": 1.0, "unit": "m",
                "method": "m", "pointer": ""});
            serde_json::from_value::<Evidence>(evidence).unwrap()
        };
        let part = Part {
            from: "nhc".to_owned(),
            goal: String::new(),
            status: Status::Ok,
            text: text.to_owned(),
            evidence: vec![one(1, "nhc.min"), one(2, "nhc.max")],
        };
        TrackResult {
            track: "t".parse().unwrap(),
            goal: String::new(),
            text: String::new(),
            parts: vec![part],
            result: None,
            artifacts: Vec::new(),
        }
    }

    #[test]
    fn lines_with_known_keys_are_claims() {
        let track = track(
            "The lowest was 1 m [sic]. [nhc.min][nhc.max]\nNo key.\nA strange key. [fema.zone]\n\
             The lowest was 1 m [sic]. [nhc.min]\nThe highest. [nhc.max]",
        );
        let claims = cited(&track);
        let shown: Vec<String> = claims
            .iter()
            .map(|claim| {
                format!(
                    "{} {}",
                    claim.text,
                    claim.evidence.iter().map(ToString::to_string).collect::<String>()
                )
            })
            .collect();
        assert_eq!(shown, ["The lowest was 1 m [sic]. E1E2", "The highest. E2"]);
        let keys: Vec<String> = cited_evidence(&track).into_iter().map(|one| one.key).collect();
        assert_eq!(keys, ["nhc.min", "nhc.max"]);
    }
}

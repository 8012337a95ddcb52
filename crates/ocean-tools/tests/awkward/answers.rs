//! The answers of all tools on a world.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use leg_core::{ToolError, ToolErrorKind, ToolOutput};
use ocean_tools::{Datasets, tools};
use serde_json::{Value, json};

use crate::cases::{self, Inputs};
use crate::fixture::Bench;

/// What a call gave.
pub(crate) type Answer = Result<ToolOutput, ToolError>;

/// The answers by tool and case.
pub(crate) type Answers = BTreeMap<(String, String), Answer>;

/// How long a call on these small data may take.
const PATIENCE: Duration = Duration::from_secs(20);

/// Calls every tool.
pub(crate) async fn all(bench: Bench) -> Answers {
    let bench = Bench { failures: Some(Mutex::default()), ..bench };
    let inputs = Inputs::new(&bench).await;
    let mut answers = Answers::new();
    for tool in tools::all(&Arc::new(Datasets::default())) {
        let name = tool.spec().name.to_string();
        for (case, arguments) in cases::of(&name, &bench, &inputs).await {
            let call = bench.try_call(&name, arguments);
            let late =
                |_| Err(ToolError::new(ToolErrorKind::Timeout, format!("no answer after {PATIENCE:?}")));
            let answer = tokio::time::timeout(PATIENCE, call).await.unwrap_or_else(late);
            answers.insert((name.clone(), case.to_owned()), answer);
        }
    }
    let failures = bench.failures.map(|failures| failures.into_inner().unwrap()).unwrap_or_default();
    for (tool, error) in failures {
        answers.entry((tool, "a step before".to_owned())).or_insert(Err(error));
    }
    answers
}

/// Moves the places that a call about `ocean` names to the east.
pub(crate) fn moved(mut arguments: Value, east: f64) -> Value {
    if arguments.to_string().contains(r#""dataset":"ocean""#) {
        shift(&mut arguments, east);
    }
    arguments
}

fn shift(value: &mut Value, east: f64) {
    match value {
        Value::Object(members) => {
            for (key, member) in members {
                match key.as_str() {
                    "lon" | "lon0" => every_number(member, east),
                    "points" | "transect_points" | "polygon_points" => {
                        let pairs = member.as_array_mut().into_iter().flatten();
                        pairs.filter_map(|pair| pair.get_mut(0)).for_each(|lon| every_number(lon, east));
                    }
                    "zero_at" => member.get_mut(0).into_iter().for_each(|lon| every_number(lon, east)),
                    _ => shift(member, east),
                }
            }
        }
        Value::Array(members) => members.iter_mut().for_each(|member| shift(member, east)),
        _ => {}
    }
}

fn every_number(value: &mut Value, east: f64) {
    match value {
        Value::Array(members) => members.iter_mut().for_each(|member| every_number(member, east)),
        Value::Number(number) => {
            let lon = number.as_f64().unwrap() + east;
            *value = json!(if lon > 180.0 { lon - 360.0 } else { lon });
        }
        _ => {}
    }
}

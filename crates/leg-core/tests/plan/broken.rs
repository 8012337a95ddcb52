//! Broken texts and plans, each with what must come of it.

use leg_core::plan::Code::{self, *};
use leg_core::plan::RepairKind;
use serde_json::{Value, json};

/// Name, text, codes and pointers.
type Broken = (&'static str, String, Vec<(Code, &'static str)>);
type Mended = Result<(Value, Vec<RepairKind>), Code>;

/// A plan with one track of these steps.
pub(crate) fn steps(steps: &str) -> String {
    format!(r#"{{"version": 1, "question": "?", "tracks": [{{"id": "t", "steps": [{steps}]}}]}}"#)
}

/// Name, text, the mended value with the repairs or the code.
pub(crate) fn texts() -> Vec<(&'static str, String, Mended)> {
    use RepairKind::*;
    let plan = || json!({"version": 1, "tracks": []});
    let ok = |kinds: &[RepairKind]| Ok((plan(), kinds.to_vec()));
    let whole = r#"{"version": 1, "tracks": []}"#;
    let cases: Vec<(&str, &str, Mended)> = vec![
        ("valid", whole, ok(&[])),
        ("spaces", " \n{\"version\": 1, \"tracks\": []}\n ", ok(&[])),
        ("fence", "```json\n{\"version\": 1, \"tracks\": []}\n```", ok(&[Surroundings])),
        ("fence without a language", "```\n{\"version\": 1, \"tracks\": []}\n```\n", ok(&[Surroundings])),
        ("fence not closed", "```json\n{\"version\": 1, \"tracks\": []}\n", ok(&[Surroundings])),
        ("tildes", "~~~\n{\"version\": 1, \"tracks\": []}\n~~~", ok(&[Surroundings])),
        ("prose before", "Here is the plan: {\"version\": 1, \"tracks\": []}", ok(&[Surroundings])),
        ("prose after", "{\"version\": 1, \"tracks\": []} I hope {this} helps.", ok(&[Surroundings])),
        ("braces in prose", "Use {x} and {}: {\"version\": 1, \"tracks\": []}", ok(&[Surroundings])),
        ("another object first", "Args {\"a\": 1}.\n{\"version\": 1, \"tracks\": []}", ok(&[Surroundings])),
        (
            "the same plan twice",
            "{\"version\": 1, \"tracks\": []}\n{\"tracks\": [], \"version\": 1}",
            ok(&[Surroundings]),
        ),
        ("two plans", "{\"version\": 1, \"tracks\": []} or {\"version\": 1, \"tracks\": [1]}", Err(NoPlan)),
        ("mark of the byte order", "\u{feff}{\"version\": 1, \"tracks\": []}", ok(&[])),
        ("hard space", "{\"version\":\u{a0}1, \"tracks\": []}", ok(&[Space])),
        ("line comment", "{\"version\": 1, // the format\n \"tracks\": []}", ok(&[Comment])),
        ("block comment", "{/* a */\"version\": 1, \"tracks\": [/* none */]}", ok(&[Comment])),
        ("hash comment", "{\"version\": 1, # the format\n \"tracks\": []}", ok(&[Comment])),
        ("trailing comma in an object", "{\"version\": 1, \"tracks\": [],}", ok(&[TrailingComma])),
        ("typographic quotes", "{“version”: 1, „tracks“: []}", ok(&[Quote])),
        ("single quotes", "{'version': 1, 'tracks': []}", ok(&[Quote])),
        ("bare keys", "{version: 1, tracks: []}", ok(&[BareKey])),
        ("missing closer", "{\"version\": 1, \"tracks\": []", ok(&[MissingCloser])),
        (
            "missing closer before a fence",
            "```\n{\"version\": 1, \"tracks\": []\n```",
            ok(&[Surroundings, MissingCloser]),
        ),
        ("empty", "", Err(NoPlan)),
        ("prose only", "I cannot make a plan for that.", Err(NoPlan)),
        ("cut in a text", "{\"version\": 1, \"question\": \"How wa", Err(Truncated)),
        ("cut after a key", "{\"version\": 1, \"question\"", Err(Truncated)),
        ("cut after a colon", "{\"version\": 1, \"tracks\": ", Err(Truncated)),
        ("cut after a comma", "{\"version\": 1, ", Err(Truncated)),
        ("cut after an opener", "{\"version\": 1, \"tracks\": [", Err(Truncated)),
        ("cut in a number", "{\"tracks\": [], \"version\": 1", Err(Truncated)),
        ("cut in a literal", "{\"tracks\": [], \"version\": tru", Err(Truncated)),
        ("cut in a comment", "{\"tracks\": [], /* the", Err(Truncated)),
        ("cut before a fence", "```json\n{\"version\": 1, \"tracks\": [\n```", Err(Truncated)),
        ("not a number", "{\"version\": NaN, \"tracks\": []}", Err(BadValue)),
        ("infinity", "{\"version\": -Infinity, \"tracks\": []}", Err(BadValue)),
        ("too large a number", "{\"version\": 1e999, \"tracks\": []}", Err(NotJson)),
        ("leading zero", "{\"version\": 01, \"tracks\": []}", Err(NotJson)),
        ("missing comma", "{\"version\": 1 \"tracks\": []}", Err(NotJson)),
        ("wrong closer", "{\"version\": 1, \"tracks\": [}", Err(NotJson)),
        ("two commas", "{\"version\": 1,, \"tracks\": []}", Err(NotJson)),
        ("unknown escape", "{\"version\": \"\\x\", \"tracks\": []}", Err(NotJson)),
        ("ellipsis", "{\"version\": 1, \"tracks\": [...]}", Err(NotJson)),
        ("key twice", "{\"version\": 1, \"tracks\": [], \"version\": 2}", Err(DuplicateKey)),
        ("key twice in prose", "so: {\"version\": 1, \"tracks\": [], \"version\": 1}", Err(DuplicateKey)),
        (
            "quotes in texts stay",
            "{“tracks”: \"a “b” it's\", 'q': 'it's \"so\"', “r”: “say \"x\"”}",
            Ok((json!({"tracks": "a “b” it's", "q": "it's \"so\"", "r": "say \"x\""}), vec![Quote])),
        ),
        (
            "nothing in a text is mended",
            "{\"tracks\": \"a,} // b /* c */ ```json {\", }",
            Ok((json!({"tracks": "a,} // b /* c */ ```json {"}), vec![TrailingComma])),
        ),
        (
            "line break in a text",
            "{\"tracks\": \"a\nb\tc\"}",
            Ok((json!({"tracks": "a\nb\tc"}), vec![ControlCharacter])),
        ),
        (
            "literals of Python",
            "{\"tracks\": [True, False, None,]}",
            Ok((json!({"tracks": [true, false, null]}), vec![TrailingComma, Literal])),
        ),
        (
            "texts are not numbers",
            "{\"tracks\": [\"NaN\", \"Infinity\", \"50\", 1e-7],}",
            Ok((json!({"tracks": ["NaN", "Infinity", "50", 1e-7]}), vec![TrailingComma])),
        ),
        (
            "deep closers",
            "{\"tracks\": [{\"id\": \"a\", \"steps\": [{\"id\": \"s\"}",
            Ok((json!({"tracks": [{"id": "a", "steps": [{"id": "s"}]}]}), vec![MissingCloser])),
        ),
    ];
    cases.into_iter().map(|(name, text, expected)| (name, text.to_owned(), expected)).collect()
}

/// Name, text, codes and pointers.
pub(crate) fn plans() -> Vec<Broken> {
    let load = r#"{"id": "a", "tool": "load_dataset", "args": {"variable": "t"}}"#;
    let mean = r#"{"id": "m", "tool": "compute_area_weighted_mean", "args": {"data": {"$ref": "a"}}}"#;
    let one = |step: &str| steps(step);
    let after = |step: &str| steps(&format!("{load}, {mean}, {step}"));
    let plot = |rest: &str| {
        after(&format!(r#"{{"id": "p", "tool": "plot", "args": {{"data": {{"$ref": "m"}}, {rest}}}}}"#))
    };
    let layers = |layers: &str| {
        format!(r#"{{"version": 1, "question": "?", "tracks": [{{"id": "t", "layers": [{layers}]}}]}}"#)
    };
    vec![
        // The plan and its tracks.
        ("a list", "[]".into(), vec![(WrongType, "")]),
        ("a text", "\"plan\"".into(), vec![(WrongType, "")]),
        ("no keys", "{}".into(), vec![(MissingKey, ""), (MissingKey, ""), (MissingKey, "")]),
        ("misspelled key", r#"{"version": 1, "quesiton": "?", "tracks": []}"#.into(), vec![(UnknownKey, "/quesiton")]),
        ("unknown key", r#"{"version": 1, "question": "?", "tracks": [], "author/x": 1}"#.into(), vec![(UnknownKey, "/author~1x")]),
        ("unknown version", r#"{"version": 2, "question": "?", "tracks": []}"#.into(), vec![(UnknownVersion, "/version")]),
        ("version as a text", r#"{"version": "1", "question": 3, "tracks": {}}"#.into(), vec![(WrongType, "/version"), (WrongType, "/question"), (WrongType, "/tracks")]),
        ("no track", r#"{"version": 1, "question": "?", "tracks": []}"#.into(), vec![(Empty, "/tracks")]),
        ("no step", steps(""), vec![(Empty, "/tracks/0/steps")]),
        ("no layer", layers(""), vec![(Empty, "/tracks/0/layers")]),
        ("no node", layers(r#"{"nodes": []}"#), vec![(Empty, "/tracks/0/layers/0/nodes")]),
        ("both forms", r#"{"version": 1, "question": "?", "tracks": [{"id": "t", "steps": [], "layers": []}]}"#.into(), vec![(BadValue, "/tracks/0")]),
        ("neither form", r#"{"version": 1, "question": "?", "tracks": [{"id": "t"}]}"#.into(), vec![(MissingKey, "/tracks/0")]),
        ("misspelled steps", r#"{"version": 1, "question": "?", "tracks": [{"id": "t", "setps": []}]}"#.into(), vec![(UnknownKey, "/tracks/0/setps")]),
        ("bad track id", r#"{"version": 1, "question": "?", "tracks": [{"id": "The Coast", "steps": [1], "barriers": "loose"}]}"#.into(), vec![(BadId, "/tracks/0/id"), (BadValue, "/tracks/0/barriers"), (WrongType, "/tracks/0/steps/0")]),
        ("track is null", r#"{"version": 1, "question": "?", "tracks": [null]}"#.into(), vec![(WrongType, "/tracks/0")]),
        // Steps.
        ("step without keys", one("{}"), vec![(MissingKey, "/tracks/0/steps/0"), (MissingKey, "/tracks/0/steps/0")]),
        ("bad step id", one(r#"{"id": "a-b", "tool": "get_currents", "args": {}}"#), vec![(BadId, "/tracks/0/steps/0/id")]),
        ("expanded step id", one(r#"{"id": "a[0]", "tool": "get_currents", "args": {}}"#), vec![(BadId, "/tracks/0/steps/0/id")]),
        ("bad tool name", one(r#"{"id": "a", "tool": "get currents", "args": {}}"#), vec![(BadId, "/tracks/0/steps/0/tool")]),
        ("args as a list", one(r#"{"id": "a", "tool": "get_currents", "args": []}"#), vec![(WrongType, "/tracks/0/steps/0/args")]),
        ("unknown tool", one(r#"{"id": "a", "tool": "load_datset", "args": {"x": 1}}"#), vec![(UnknownTool, "/tracks/0/steps/0/tool")]),
        ("tool of other case", one(r#"{"id": "a", "tool": "Get_Currents", "args": {}}"#), vec![(UnknownTool, "/tracks/0/steps/0/tool")]),
        ("id twice", one(&format!("{load}, {load}")), vec![(DuplicateId, "/tracks/0/steps/1/id")]),
        ("id of the track", one(r#"{"id": "t", "tool": "get_currents", "args": {}}"#), vec![(DuplicateId, "/tracks/0/steps/0/id")]),
        // Limits.
        ("no time", one(r#"{"id": "a", "tool": "get_currents", "args": {}, "timeout_s": 0}"#), vec![(BadValue, "/tracks/0/steps/0/timeout_s")]),
        ("time as a text", one(r#"{"id": "a", "tool": "get_currents", "args": {}, "timeout_s": "5"}"#), vec![(WrongType, "/tracks/0/steps/0/timeout_s")]),
        ("many retries", one(r#"{"id": "a", "tool": "get_currents", "args": {}, "retries": 11}"#), vec![(BadValue, "/tracks/0/steps/0/retries")]),
        ("half a retry", one(r#"{"id": "a", "tool": "get_currents", "args": {}, "retries": 0.5}"#), vec![(BadValue, "/tracks/0/steps/0/retries")]),
        ("negative budget", one(r#"{"id": "a", "tool": "get_currents", "args": {}, "budget": {"calls": -1, "tokns": 3}}"#), vec![(UnknownKey, "/tracks/0/steps/0/budget/tokns")]),
        ("budget below nothing", one(r#"{"id": "a", "tool": "get_currents", "args": {}, "budget": {"calls": -1}}"#), vec![(BadValue, "/tracks/0/steps/0/budget/calls")]),
        // Arguments.
        ("missing argument", one(r#"{"id": "a", "tool": "load_dataset", "args": {}}"#), vec![(MissingArgument, "/tracks/0/steps/0/args")]),
        ("no args at all", one(r#"{"id": "a", "tool": "load_dataset"}"#), vec![(MissingArgument, "/tracks/0/steps/0/args")]),
        ("unknown argument", one(r#"{"id": "a", "tool": "load_dataset", "args": {"variable": "t", "colour": 1}}"#), vec![(UnknownArgument, "/tracks/0/steps/0/args/colour")]),
        ("misspelled argument", one(r#"{"id": "a", "tool": "load_dataset", "args": {"varable": "t"}}"#), vec![(UnknownArgument, "/tracks/0/steps/0/args/varable")]),
        ("argument of a wrong type", plot(r#""title": 5"#), vec![(BadArgument, "/tracks/0/steps/2/args/title")]),
        ("argument out of range", plot(r#""width": 0"#), vec![(BadArgument, "/tracks/0/steps/2/args/width")]),
        ("argument not allowed", plot(r#""style": "dots""#), vec![(BadArgument, "/tracks/0/steps/2/args/style")]),
        ("not a number", plot(r#""threshold": "NaN""#), vec![(BadArgument, "/tracks/0/steps/2/args/threshold")]),
        ("half a region", one(r#"{"id": "a", "tool": "load_dataset", "args": {"variable": "t", "region": {"lon": [1, 2]}}}"#), vec![(BadArgument, "/tracks/0/steps/0/args/region")]),
        ("region of no form", one(r#"{"id": "a", "tool": "load_dataset", "args": {"variable": "t", "region": 7}}"#), vec![(BadArgument, "/tracks/0/steps/0/args/region")]),
        ("one corner", one(r#"{"id": "a", "tool": "load_dataset", "args": {"variable": "t", "region": {"lon": [1], "lat": [1, 2]}}}"#), vec![(BadArgument, "/tracks/0/steps/0/args/region/lon")]),
        ("unknown depth", one(r#"{"id": "a", "tool": "load_dataset", "args": {"variable": "t", "depth": "deep"}}"#), vec![(BadArgument, "/tracks/0/steps/0/args/depth")]),
        ("id instead of a reference", after(r#"{"id": "p", "tool": "plot", "args": {"data": "m"}}"#), vec![(BadArgument, "/tracks/0/steps/2/args/data")]),
        ("two faults in one step", plot(r#""titel": "x", "width": "wide""#), vec![(UnknownArgument, "/tracks/0/steps/2/args/titel"), (BadArgument, "/tracks/0/steps/2/args/width")]),
        ("number beyond exactness", plot(r#""threshold": 9007199254740993"#), vec![(BadValue, "/tracks/0/steps/2/args/threshold")]),
        // References.
        ("dangling", one(&format!("{load}, {}", mean.replace("\"$ref\": \"a\"", "\"$ref\": \"b\""))), vec![(DanglingReference, "/tracks/0/steps/1/args/data")]),
        ("dangling in a list", plot(r#""others": [{"$ref": "m"}, {"$ref": "q"}]"#), vec![(DanglingReference, "/tracks/0/steps/2/args/others/1")]),
        ("one item of a fan-out", plot(r#""others": [{"$ref": "m[0]"}]"#), vec![(DanglingReference, "/tracks/0/steps/2/args/others/0")]),
        ("not a reference", plot(r#""title": {"$ref": "m#/nothing"}"#), vec![(BadReference, "/tracks/0/steps/2/args/title")]),
        ("reference with another key", plot(r#""title": {"$ref": "m", "x": 1}"#), vec![(BadReference, "/tracks/0/steps/2/args/title")]),
        ("reference to a number", plot(r#""title": {"$ref": 5}"#), vec![(BadReference, "/tracks/0/steps/2/args/title")]),
        ("unknown output", plot(r#""title": {"$ref": "m#/outputs/u"}"#), vec![(UnknownOutput, "/tracks/0/steps/2/args/title")]),
        ("unknown evidence", plot(r#""threshold": {"$ref": "m#/evidence/median/value"}"#), vec![(UnknownOutput, "/tracks/0/steps/2/args/threshold")]),
        ("another kind", after(r#"{"id": "p", "tool": "plot", "args": {"data": {"$ref": "a"}}}"#), vec![(KindMismatch, "/tracks/0/steps/2/args/data")]),
        ("another kind in a list", plot(r#""others": [{"$ref": "a"}]"#), vec![(KindMismatch, "/tracks/0/steps/2/args/others/0")]),
        ("a number for a field", after(r#"{"id": "p", "tool": "compute_heat", "args": {"data": {"$ref": "m#/evidence/max/value"}}}"#), vec![(KindMismatch, "/tracks/0/steps/2/args/data")]),
        ("another unit", one(r#"{"id": "c", "tool": "get_currents", "args": {}}, {"id": "h", "tool": "compute_heat", "args": {"data": {"$ref": "c"}, "scaled": {"$ref": "c"}}}"#), vec![(UnitMismatch, "/tracks/0/steps/1/args/data")]),
        ("itself", one(r#"{"id": "m", "tool": "compute_area_weighted_mean", "args": {"data": {"$ref": "m"}}}"#), vec![(Cycle, "/tracks/0/steps/0/args/data")]),
        ("two in a circle", one(r#"{"id": "a", "tool": "load_dataset", "args": {"variable": "t", "selection": {"$ref": "b"}}}, {"id": "b", "tool": "load_dataset", "args": {"variable": "t", "selection": {"$ref": "a"}}}, {"id": "c", "tool": "load_dataset", "args": {"variable": "t", "selection": {"$ref": "b"}}}"#), vec![(Cycle, "/tracks/0/steps/0/args/selection")]),
        ("a circle through a condition", one(r#"{"id": "a", "tool": "get_currents", "args": {}, "when": {"ref": "m#/evidence/max/value", "op": "gt", "value": 0}}, {"id": "m", "tool": "compute_area_weighted_mean", "args": {"data": {"$ref": "a"}}}"#), vec![(Cycle, "/tracks/0/steps/0/when/ref")]),
        ("another track", format!(r#"{{"version": 1, "question": "?", "tracks": [{{"id": "t", "steps": [{load}]}}, {{"id": "u", "steps": [{mean}], "result": {{"$ref": "a"}}}}]}}"#), vec![(CrossTrackReference, "/tracks/1/steps/0/args/data"), (CrossTrackReference, "/tracks/1/result")]),
        ("result of nothing", format!(r#"{{"version": 1, "question": "?", "tracks": [{{"id": "t", "steps": [{load}], "result": {{"$ref": "b"}}}}]}}"#), vec![(DanglingReference, "/tracks/0/result")]),
        ("result as a text", format!(r#"{{"version": 1, "question": "?", "tracks": [{{"id": "t", "steps": [{load}], "result": "a"}}]}}"#), vec![(WrongType, "/tracks/0/result")]),
        // Conditions.
        ("condition without a value", after(r#"{"id": "p", "tool": "get_currents", "when": {"ref": "m#/evidence/n/value", "op": "gt"}}"#), vec![(MissingKey, "/tracks/0/steps/2/when")]),
        ("exists with a value", after(r#"{"id": "p", "tool": "get_currents", "when": {"ref": "m", "op": "exists", "value": 1}}"#), vec![(UnknownKey, "/tracks/0/steps/2/when/value")]),
        ("unknown comparison", after(r#"{"id": "p", "tool": "get_currents", "when": {"ref": "m#/evidence/n/value", "op": ">", "value": 0}}"#), vec![(BadValue, "/tracks/0/steps/2/when/op")]),
        ("condition on a whole result", after(r#"{"id": "p", "tool": "get_currents", "when": {"ref": "m", "op": "gt", "value": 0}}"#), vec![(BadReference, "/tracks/0/steps/2/when/ref")]),
        ("condition on an object", after(r#"{"id": "p", "tool": "get_currents", "when": {"ref": {"$ref": "m"}, "op": "exists"}}"#), vec![(WrongType, "/tracks/0/steps/2/when/ref")]),
        ("condition on nothing", after(r#"{"id": "p", "tool": "get_currents", "when": {"ref": "mm#/evidence/n/value", "op": "gt", "value": 0}}"#), vec![(DanglingReference, "/tracks/0/steps/2/when/ref")]),
        ("unknown status", after(r#"{"id": "p", "tool": "get_currents", "when": {"ref": "m#/status", "op": "eq", "value": "done"}}"#), vec![(BadValue, "/tracks/0/steps/2/when/value")]),
        // Fan-out.
        ("item without a fan-out", one(r#"{"id": "a", "tool": "load_dataset", "args": {"variable": {"$item": "/v"}}}"#), vec![(BadReference, "/tracks/0/steps/0/args/variable")]),
        ("item that some lack", one(r#"{"id": "a", "tool": "load_dataset", "args": {"variable": {"$item": "/v"}}, "for_each": {"items": [{"v": "t"}, {"w": "t"}], "as": "x"}}"#), vec![(BadReference, "/tracks/0/steps/0/args/variable")]),
        ("item that is no pointer", one(r#"{"id": "a", "tool": "load_dataset", "args": {"variable": {"$item": "v"}}, "for_each": {"items": [1], "as": "x"}}"#), vec![(BadReference, "/tracks/0/steps/0/args/variable")]),
        ("no items", one(r#"{"id": "a", "tool": "get_currents", "for_each": {"items": [], "as": "x"}}"#), vec![(Empty, "/tracks/0/steps/0/for_each/items")]),
        ("items of nothing", one(r#"{"id": "a", "tool": "get_currents", "for_each": {"items": {"$ref": "b"}, "as": "x"}}"#), vec![(DanglingReference, "/tracks/0/steps/0/for_each/items")]),
        ("more items than the most", one(r#"{"id": "a", "tool": "get_currents", "for_each": {"items": [1, 2, 3], "as": "x", "max": 2}}"#), vec![(TooLarge, "/tracks/0/steps/0/for_each/items")]),
        ("too many items", one(r#"{"id": "a", "tool": "get_currents", "for_each": {"items": [1], "as": "x", "max": 10001}}"#), vec![(BadValue, "/tracks/0/steps/0/for_each/max")]),
        ("unknown join", one(r#"{"id": "a", "tool": "get_currents", "for_each": {"items": 5, "join": "zip"}}"#), vec![(MissingKey, "/tracks/0/steps/0/for_each"), (WrongType, "/tracks/0/steps/0/for_each/items"), (BadValue, "/tracks/0/steps/0/for_each/join")]),
        ("reference in an item", one(&format!(r#"{load}, {{"id": "b", "tool": "get_currents", "for_each": {{"items": [{{"$ref": "a"}}], "as": "x"}}}}"#)), vec![(BadReference, "/tracks/0/steps/1/for_each/items/0")]),
        // Agents.
        ("unknown agent", layers(r#"{"nodes": [{"id": "a", "agent": "nch", "task": "x"}]}"#), vec![(UnknownAgent, "/tracks/0/layers/0/nodes/0/agent")]),
        ("node without a task", layers(r#"{"policy": "ignore", "nodes": [{"id": "a", "agent": "nhc"}]}"#), vec![(BadValue, "/tracks/0/layers/0/policy"), (MissingKey, "/tracks/0/layers/0/nodes/0")]),
        ("node waits for its own layer", layers(r#"{"nodes": [{"id": "a", "agent": "nhc", "task": "x"}, {"id": "b", "agent": "usgs", "task": "x", "when": {"ref": "a", "op": "exists"}}]}"#), vec![(BadReference, "/tracks/0/layers/0/nodes/1/when/ref")]),
        ("output of an agent", r#"{"version": 1, "question": "?", "tracks": [{"id": "t", "layers": [{"nodes": [{"id": "a", "agent": "nhc", "task": "x"}]}], "result": {"$ref": "a#/outputs/u"}}]}"#.to_owned(), vec![(UnknownOutput, "/tracks/0/result")]),
        ("one id in two layers", layers(r#"{"nodes": [{"id": "a", "agent": "nhc", "task": "x"}]}, {"nodes": [{"id": "a", "agent": "nhc", "task": "x"}]}"#), vec![(DuplicateId, "/tracks/0/layers/1/nodes/0/id")]),
    ]
}

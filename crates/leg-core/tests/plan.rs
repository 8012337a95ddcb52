//! Plans: text → value → plan → valid plan. Every broken plan gives its diagnostic, and no input panics.

#[path = "plan/broken.rs"]
mod broken;
#[path = "plan/fakes.rs"]
#[expect(clippy::unwrap_used, reason = "a fake that cannot be made is a failed test")]
mod fakes;
#[path = "plan/schemas.rs"]
mod schemas;

use leg_core::canonical;
use leg_core::plan::{
    Body, Code, Diagnostic, Plan, RepairKind, ValidPlan, parse, plan_schema, read, references_in, repair,
    validate,
};
use leg_testkit::{fake_registry, strategies};
use proptest::prelude::*;
use serde_json::{Value, json};

/// The example of the format's description.
const EXAMPLE: &str = r#"{"version": 1,
 "question": "Was the 2015 warm spell stronger off the coast or in the open basin?",
 "tracks": [
   {"id": "coast", "goal": "coastal box",
    "steps": [
      {"id": "sst",  "tool": "load_dataset", "args": {"variable": "temperature", "region": {"lon": [113, 117], "lat": [19, 22]},
                     "time": ["2015-01-01", "2015-12-31"], "depth": "surface"}},
      {"id": "mean", "tool": "compute_area_weighted_mean", "args": {"data": {"$ref": "sst"}}}],
    "result": {"$ref": "mean"}},
   {"id": "surge", "goal": "observed water levels",
    "layers": [
      {"nodes": [{"id": "track", "agent": "nhc", "task": "best track of Ian 2022"}]},
      {"policy": "settle", "nodes": [{"id": "gauges", "agent": "coops", "task": "…"}, {"id": "marks", "agent": "usgs", "task": "…"}]}]}]}"#;

fn faults(diagnostics: &[Diagnostic]) -> Vec<(Code, &str)> {
    diagnostics.iter().map(|diagnostic| (diagnostic.code, diagnostic.pointer.as_str())).collect()
}

fn check(text: &str) -> Result<Plan, Vec<Diagnostic>> {
    let (plan, _) = read(text)?;
    validate(plan, &fakes::registry()).map(|valid| valid.into_parts().0)
}

#[test]
fn the_example_is_valid_and_round_trips() {
    let (plan, repairs) = read(EXAMPLE).unwrap();
    assert_eq!(repairs, []);
    let canonical = String::from_utf8(canonical::to_vec(&plan).unwrap()).unwrap();
    insta::assert_snapshot!(canonical, @r##"{"question":"Was the 2015 warm spell stronger off the coast or in the open basin?","tracks":[{"goal":"coastal box","id":"coast","result":{"$ref":"mean"},"steps":[{"args":{"depth":"surface","region":{"lat":[19,22],"lon":[113,117]},"time":["2015-01-01","2015-12-31"],"variable":"temperature"},"id":"sst","tool":"load_dataset"},{"args":{"data":{"$ref":"sst"}},"id":"mean","tool":"compute_area_weighted_mean"}]},{"goal":"observed water levels","id":"surge","layers":[{"nodes":[{"agent":"nhc","id":"track","task":"best track of Ian 2022"}]},{"nodes":[{"agent":"coops","id":"gauges","task":"…"},{"agent":"usgs","id":"marks","task":"…"}]}]}],"version":1}"##);
    assert_eq!(read(&canonical).unwrap().0, plan);
    assert_eq!(parse(&plan.to_json()).unwrap(), plan);
    assert_eq!(validate(plan.clone(), &fakes::registry()).unwrap().plan(), &plan);
}

#[test]
fn every_optional_key_round_trips() {
    let text = r#"{"version": 1, "question": "?", "tracks": [
        {"id": "a", "barriers": "dataflow", "steps": [
          {"id": "s", "tool": "get_currents", "args": {}, "timeout_s": 1.5, "retries": 2, "budget": {"calls": 3}},
          {"id": "m", "tool": "compute_area_weighted_mean", "args": {"data": {"$ref": "s#/outputs/u"}}},
          {"id": "f", "tool": "load_dataset", "args": {"variable": {"$item": "/v"}},
           "for_each": {"items": [{"v": "a"}, {"v": "b"}], "as": "x", "max": 9, "join": "table"},
           "when": {"ref": "m#/evidence/n/value", "op": "gt", "value": 0}},
          {"id": "g", "tool": "load_dataset", "args": {"variable": {"$item": ""}},
           "for_each": {"items": {"$ref": "s#/outputs/names"}, "as": "x"}, "when": {"ref": "m", "op": "exists"}}]},
        {"id": "b", "layers": [{"policy": "fail_fast", "nodes": [
          {"id": "n", "agent": "nhc", "task": "t", "timeout_s": 3, "retries": 0, "budget": {}}]},
          {"nodes": [{"id": "o", "agent": "usgs", "task": "t", "when": {"ref": "n#/status", "op": "eq", "value": "ok"}}]}],
         "result": {"$ref": "n"}}]}"#;
    let plan = check(text).unwrap();
    assert_eq!(parse(&plan.to_json()).unwrap(), plan);
    let again = String::from_utf8(canonical::to_vec(&plan).unwrap()).unwrap();
    insta::assert_snapshot!(again, @r##"{"question":"?","tracks":[{"barriers":"dataflow","id":"a","steps":[{"args":{},"budget":{"calls":3},"id":"s","retries":2,"timeout_s":1.5,"tool":"get_currents"},{"args":{"data":{"$ref":"s#/outputs/u"}},"id":"m","tool":"compute_area_weighted_mean"},{"args":{"variable":{"$item":"/v"}},"for_each":{"as":"x","items":[{"v":"a"},{"v":"b"}],"join":"table","max":9},"id":"f","tool":"load_dataset","when":{"op":"gt","ref":"m#/evidence/n/value","value":0}},{"args":{"variable":{"$item":""}},"for_each":{"as":"x","items":{"$ref":"s#/outputs/names"},"join":"list","max":50},"id":"g","tool":"load_dataset","when":{"op":"exists","ref":"m"}}]},{"id":"b","layers":[{"nodes":[{"agent":"nhc","budget":{},"id":"n","retries":0,"task":"t","timeout_s":3}],"policy":"fail_fast"},{"nodes":[{"agent":"usgs","id":"o","task":"t","when":{"op":"eq","ref":"n#/status","value":"ok"}}]}],"result":{"$ref":"n"}}],"version":1}"##);
}

#[test]
fn broken_text_is_mended_or_named() {
    for (name, text, expected) in broken::texts() {
        match (repair(&text), expected) {
            (Ok((value, repairs)), Ok((wanted, kinds))) => {
                assert_eq!(value, wanted, "{name}");
                let found: Vec<RepairKind> = repairs.iter().map(|repair| repair.kind).collect();
                assert_eq!(found, kinds, "{name}");
                let again = repair(&value.to_string()).unwrap();
                assert_eq!(again, (value, vec![]), "{name}: twice is not once");
            }
            (Err(diagnostic), Err(code)) => assert_eq!(diagnostic.code, code, "{name}: {diagnostic}"),
            (found, expected) => panic!("{name}: expected {expected:?}, found {found:?}"),
        }
    }
}

#[test]
fn broken_plans_give_each_fault_once() {
    let cases = broken::plans();
    assert!(cases.len() >= 60, "{}", cases.len());
    for (name, text, expected) in cases {
        let found = check(&text).map(|_| ()).unwrap_err();
        assert_eq!(faults(&found), expected, "{name}: {found:#?}");
    }
}

#[test]
fn diagnostics_read_well() {
    let cases = broken::plans();
    let lines: Vec<String> = cases
        .iter()
        .map(|(name, text, _)| {
            let found = check(text).unwrap_err();
            let found: Vec<String> = found.iter().map(ToString::to_string).collect();
            format!("[{name}]\n{}", found.join("\n"))
        })
        .collect();
    insta::assert_snapshot!(lines.join("\n"));
}

#[test]
fn a_diagnostic_is_json() {
    let found = check(&broken::steps(r#"{"id": "a", "tool": "load_datset", "args": {}}"#)).unwrap_err();
    insta::assert_snapshot!(serde_json::to_string_pretty(&found).unwrap(), @r##"
[
  {
    "pointer": "/tracks/0/steps/0/tool",
    "code": "unknown_tool",
    "message": "no tool is named `load_datset`",
    "hint": "did you mean `load_dataset`?"
  }
]
"##);
}

#[test]
fn references_are_found_anywhere() {
    let args = json!({"a": [{"b": {"$ref": "x"}}, {"$ref": "y#/outputs/u"}], "c/d": {"$ref": "z"}, "e": {"$ref": 1}});
    let found: Vec<(String, String)> =
        references_in(&args).into_iter().map(|(at, reference)| (at, reference.to_string())).collect();
    let expected = [("/a/0/b", "x"), ("/a/1", "y#/outputs/u"), ("/c~1d", "z")];
    assert_eq!(found, expected.map(|(at, reference)| (at.to_owned(), reference.to_owned())));
}

#[test]
fn limits_hold() {
    let deep = "[".repeat(10_000);
    assert_eq!(repair(&deep).unwrap_err().code, Code::TooLarge);
    let deep = format!("{{\"version\": 1, \"tracks\": {}", "[".repeat(10_000));
    assert_eq!(repair(&deep).unwrap_err().code, Code::TooLarge);
    assert_eq!(repair(&" ".repeat((1 << 20) + 1)).unwrap_err().code, Code::TooLarge);
    assert_eq!(repair(&" ".repeat(1 << 20)).unwrap_err().code, Code::NoPlan);
    let nested = format!("{}1{}", "{\"a\":".repeat(127), "}".repeat(127));
    assert_eq!(repair(&nested).unwrap().1, []);
    assert_eq!(repair(&format!("{{\"a\":{nested}}}")).unwrap_err().code, Code::TooLarge);

    let step = |i: usize| json!({"id": format!("s{i}"), "tool": "get_currents", "args": {}});
    let plan = |n: usize| {
        json!({"version": 1, "question": "?", "tracks": [
        {"id": "t", "steps": (0..n).map(step).collect::<Vec<_>>()}]})
    };
    let valid = |value: &Value| validate(parse(value).unwrap(), &fakes::registry()).map(|_| ());
    assert_eq!(valid(&plan(10_000)), Ok(()));
    assert_eq!(faults(&valid(&plan(10_001)).unwrap_err()), [(Code::TooLarge, "/tracks")]);
    let tracks: Vec<Value> = (0..65).map(|t| json!({"id": format!("t{t}"), "steps": [step(t)]})).collect();
    let plan = json!({"version": 1, "question": "?", "tracks": tracks});
    assert_eq!(faults(&valid(&plan).unwrap_err()), [(Code::TooLarge, "/tracks")]);
}

#[test]
fn arguments_are_normalised_only_where_one_reading_is_left() {
    let load = |args: &str| (r"load_dataset", format!(r#"{{"variable": "t", {args}}}"#));
    let plot = |args: &str| ("plot", format!(r#"{{"data": {{"$ref": "m"}}, {args}}}"#));
    let cases: Vec<((&str, String), Value, &str)> = vec![
        (plot(r#""width": "50""#), json!({"width": 50}), "/width"),
        (plot(r#""threshold": "-1.5e-1""#), json!({"threshold": -1.5e-1}), "/threshold"),
        (plot(r#""grid": "true""#), json!({"grid": true}), "/grid"),
        (plot(r#""levels": 5"#), json!({"levels": [5]}), "/levels"),
        (plot(r#""levels": [1, "2"]"#), json!({"levels": [1, 2]}), "/levels/1"),
        (plot(r#""year": 2015"#), json!({"year": "2015"}), "/year"),
        (plot(r#""year": "2015""#), json!({"year": "2015"}), ""),
        (plot(r#""years": [2015, 2016]"#), json!({"years": ["2015", "2016"]}), "/years/0 /years/1"),
        (plot(r#""title": "50""#), json!({"title": "50"}), ""),
        (load(r#""time": [2015, "2016"]"#), json!({"time": ["2015", "2016"]}), "/time/0"),
        (
            load(r#""lon_range": [1, "2"], "lat_range": [3, 4]"#),
            json!({"region": {"lon": [1, 2], "lat": [3, 4]}}),
            "/region /region/lon/1",
        ),
        (load(r#""time_range": ["2015", "2016"]"#), json!({"time": ["2015", "2016"]}), "/time"),
        (load(r#""season_filter": "JJA""#), json!({"season": "JJA"}), "/season"),
        (load(r#""season_filter": null"#), json!({}), "/season"),
        (load(r#""vertical_mode": "surface""#), json!({"depth": "surface"}), "/depth"),
        (
            load(r#""vertical_mode": "fixed_depth", "depth_value": "50""#),
            json!({"depth": {"at": 50}}),
            "/depth /depth/at",
        ),
        (
            load(r#""depth_range": [0, 200], "depth_value": null"#),
            json!({"depth": {"range": [0, 200]}}),
            "/depth",
        ),
        (
            load(r#""selection": {"lon_range": [1, 2], "lat_range": [3, 4], "vertical_mode": "bottom"}"#),
            json!({"selection": {"region": {"lon": [1, 2], "lat": [3, 4]}, "depth": "bottom"}}),
            "/selection/region /selection/depth",
        ),
    ];
    for ((tool, args), expected, places) in cases {
        let plan = steps_with(&format!(r#"{{"id": "x", "tool": "{tool}", "args": {args}}}"#));
        let valid = validate(read(&plan).unwrap().0, &fakes::registry())
            .unwrap_or_else(|found| panic!("{args}: {found:?}"));
        let json = valid.plan().to_json();
        let mut found = json.pointer("/tracks/0/steps/2/args").unwrap().clone();
        let found = found.as_object_mut().unwrap();
        found.remove("variable");
        found.remove("data");
        assert_eq!(Value::Object(found.clone()), expected, "{args}");
        let prefix = "/tracks/0/steps/2/args";
        let changed: Vec<&str> =
            valid.normalizations().iter().map(|n| n.pointer.strip_prefix(prefix).unwrap()).collect();
        assert_eq!(changed.join(" "), places, "{args}");
        assert_eq!(
            validate(valid.plan().clone(), &fakes::registry()).unwrap().normalizations(),
            [],
            "{args}: twice"
        );
    }
}

#[test]
fn what_has_two_readings_is_left_to_the_author() {
    for (tool, args, code) in [
        ("plot", r#""data": {"$ref": "m"}, "threshold": "NaN""#, Code::BadArgument),
        ("plot", r#""data": {"$ref": "m"}, "threshold": "Infinity""#, Code::BadArgument),
        ("plot", r#""data": {"$ref": "m"}, "threshold": "0x10""#, Code::BadArgument),
        ("plot", r#""data": {"$ref": "m"}, "threshold": "1e999""#, Code::BadArgument),
        ("plot", r#""data": {"$ref": "m"}, "width": "5.5""#, Code::BadArgument),
        ("plot", r#""data": {"$ref": "m"}, "grid": "yes""#, Code::BadArgument),
        ("plot", r#""data": {"$ref": "m"}, "grid": 1"#, Code::BadArgument),
        ("plot", r#""data": {"$ref": "m"}, "title": 2015"#, Code::BadArgument),
        ("plot", r#""data": {"$ref": "m"}, "year": 20150101"#, Code::BadArgument),
        ("plot", r#""data": {"$ref": "m"}, "levels": "a""#, Code::BadArgument),
        ("load_dataset", r#""variable": "t", "lon_range": [1, 2]"#, Code::UnknownArgument),
        (
            "load_dataset",
            r#""variable": "t", "time": ["2015", "2016"], "time_range": ["2015", "2016"]"#,
            Code::UnknownArgument,
        ),
        ("load_dataset", r#""variable": "t", "vertical_mode": "fixed_depth""#, Code::UnknownArgument),
        (
            "load_dataset",
            r#""variable": "t", "depth_value": 5, "vertical_mode": "surface""#,
            Code::UnknownArgument,
        ),
        ("load_dataset", r#""variable": "t", "time": "2015""#, Code::BadArgument),
    ] {
        let found = check(&steps_with(&format!(r#"{{"id": "x", "tool": "{tool}", "args": {{{args}}}}}"#)))
            .unwrap_err();
        assert!(found.iter().all(|diagnostic| diagnostic.code == code), "{args}: {found:#?}");
    }
}

/// A track with a field `a`, a series `m`, and this step.
fn steps_with(step: &str) -> String {
    broken::steps(&format!(
        r#"{{"id": "a", "tool": "load_dataset", "args": {{"variable": "t"}}}},
           {{"id": "m", "tool": "compute_area_weighted_mean", "args": {{"data": {{"$ref": "a"}}}}}}, {step}"#
    ))
}

#[test]
fn the_published_schema_takes_valid_plans_and_refuses_broken_shapes() {
    let registry = fakes::registry();
    let open = jsonschema::draft202012::new(&plan_schema(None)).unwrap();
    let closed = jsonschema::draft202012::new(&plan_schema(Some(&registry))).unwrap();
    jsonschema::meta::validate(&plan_schema(Some(&registry))).unwrap();
    let example: Value = serde_json::from_str(EXAMPLE).unwrap();
    assert!(open.is_valid(&example) && closed.is_valid(&example));
    let mut refused = 0;
    for (name, text, expected) in broken::plans() {
        let Ok(value) = serde_json::from_str::<Value>(&text) else { continue };
        let shape = expected.iter().any(|(code, pointer)| {
            use Code::{Empty, MissingKey, UnknownAgent, UnknownKey, UnknownTool, UnknownVersion, WrongType};
            // An argument is checked against its tool's own schema.
            !pointer.contains("/args/")
                && matches!(
                    code,
                    Empty | MissingKey | UnknownAgent | UnknownKey | UnknownTool | UnknownVersion | WrongType
                )
        });
        if shape {
            refused += 1;
            assert!(!closed.is_valid(&value), "{name}");
        }
    }
    assert!(refused > 25, "{refused}");
    let empty = plan_schema(Some(&leg_core::Registry::default()));
    assert!(!jsonschema::draft202012::new(&empty).unwrap().is_valid(&example));
}

#[test]
fn unfriendly_texts_take_linear_time() {
    for piece in [
        "{",
        "{\"",
        "{'",
        "{'\\x",
        "{/*",
        "{//",
        "{a",
        "{}",
        "{\"a\":",
        "{\"a\":1,\"a\":",
        "[{",
        "\u{201c}",
        "{\u{201c}",
        "```",
        "{'a' ",
        "{\"a\":{}",
        "\\",
        "' ",
        "{\"tracks\":1}",
        "{#",
        "-",
        "{a:",
        "{\"a\":'",
        "{/**/",
    ] {
        // Where each brace started a new search of the rest, this would take minutes.
        let text = piece.repeat((1 << 18) / piece.len());
        for end in ["", "'}", "*/", "\"}"] {
            let _ = repair(&format!("{text}{end}"));
        }
    }
}

/// Valid plans: each step may use the steps before it.
fn plans() -> impl Strategy<Value = Value> {
    let step = (0_usize..5, any::<prop::sample::Index>(), any::<bool>());
    let track = prop::collection::vec(step, 1..8);
    prop::collection::vec(track, 1..4).prop_map(|tracks| {
        let tracks: Vec<Value> = tracks
            .into_iter()
            .enumerate()
            .map(|(t, choices)| {
                let (mut fields, mut series, mut steps): (Vec<String>, Vec<String>, Vec<Value>) = Default::default();
                for (s, (choice, which, extra)) in choices.into_iter().enumerate() {
                    let id = format!("t{t}_s{s}");
                    let field = (!fields.is_empty()).then(|| which.get(&fields).clone());
                    let number = (!series.is_empty()).then(|| which.get(&series).clone());
                    let (tool, args) = match (choice, field, number) {
                        (1, Some(field), _) => ("compute_area_weighted_mean", json!({"data": {"$ref": field}})),
                        (2, _, Some(number)) => {
                            ("plot", json!({"data": {"$ref": number}, "threshold": {"$ref": format!("{number}#/evidence/max/value")}}))
                        }
                        (3, _, _) => ("get_currents", json!({})),
                        _ => ("load_dataset", json!({"variable": "t", "depth": {"at": s}})),
                    };
                    match tool {
                        "load_dataset" | "get_currents" => fields.push(id.clone()),
                        "compute_area_weighted_mean" => series.push(id.clone()),
                        _ => {}
                    }
                    let mut step = json!({"id": id, "tool": tool, "args": args});
                    if extra && let Some(step) = step.as_object_mut() {
                        step.insert("retries".into(), json!(s));
                        step.insert("timeout_s".into(), json!(0.5));
                    }
                    steps.push(step);
                }
                json!({"id": format!("t{t}"), "steps": steps})
            })
            .collect();
        json!({"version": 1, "question": "?", "tracks": tracks})
    })
}

/// A valid text with a few characters changed.
fn mutated() -> impl Strategy<Value = String> {
    let change = (
        any::<prop::sample::Index>(),
        0_u8..4,
        prop::sample::select("{}[]\":,'`/*#\\ \n0e-“”\u{0}nx$".chars().collect::<Vec<_>>()),
    );
    prop::collection::vec(change, 1..6).prop_map(|changes| {
        let mut letters: Vec<char> = EXAMPLE.chars().collect();
        for (place, what, letter) in changes {
            let at = place.index(letters.len().max(1)).min(letters.len().saturating_sub(1));
            match what {
                0 if !letters.is_empty() => {
                    letters.remove(at);
                }
                1 => letters.insert(at, letter),
                2 if !letters.is_empty() => letters[at] = letter,
                _ if at > 100 => letters.truncate(at),
                _ => {}
            }
        }
        letters.into_iter().collect()
    })
}

fn survives(text: &str) {
    if let Ok((value, _)) = repair(text) {
        assert_eq!(repair(&value.to_string()), Ok((value.clone(), vec![])), "{text}");
        if let Ok(plan) = parse(&value) {
            // A number such as `1e3` comes back as `1000`: another value of the library, the same canonical form.
            let again = parse(&plan.to_json()).map(|again| canonical::to_vec(&again));
            assert_eq!(again, Ok(canonical::to_vec(&plan)), "{text}");
            let _ = validate(plan, &fakes::registry());
        }
    }
}

proptest! {
    #[test]
    fn no_text_panics(text in any::<String>()) {
        survives(&text);
    }

    #[test]
    fn no_text_of_json_characters_panics(text in "[{}\\[\\]\":,'`/*#a0eE.+ \n\\\\“”-]{0,40}") {
        survives(&text);
        survives(&format!("{{\"version\": 1, \"tracks\": {text}"));
    }

    #[test]
    fn no_mutated_plan_panics(text in mutated()) {
        survives(&text);
    }

    #[test]
    fn no_mutated_value_panics(plan in plans(), at in any::<prop::sample::Index>(), to in prop::sample::select(vec![
        json!(null), json!({}), json!([]), json!("a"), json!(-1), json!(1e300), json!({"$ref": "a"}), json!({"$ref": "t0_s0", "x": 1}), json!({"$item": ""})])) {
        let mut plan = plan;
        let mut places = Vec::new();
        pointers(&plan, String::new(), &mut places);
        let place: &String = at.get(&places);
        *plan.pointer_mut(place).unwrap() = to;
        survives(&plan.to_string());
    }

    #[test]
    fn random_plans_over_other_tools_are_valid(plan in strategies::valid_plan()) {
        let registry = fake_registry().unwrap();
        let valid = validate(plan.clone(), &registry);
        prop_assert_eq!(valid.as_ref().map(ValidPlan::plan), Ok(&plan));
        let json = plan.to_json();
        prop_assert_eq!(canonical::to_vec(&parse(&json).unwrap()), canonical::to_vec(&plan));
        prop_assert!(jsonschema::draft202012::is_valid(&plan_schema(Some(&registry)), &json));
    }

    #[test]
    fn no_damaged_text_panics(text in strategies::damaged_plan_text()) {
        survives(&text);
    }

    #[test]
    fn any_json_comes_back(value in strategies::any_json()) {
        prop_assert_eq!(repair(&json!({"a": value}).to_string()), Ok((json!({"a": value}), vec![])));
    }

    #[test]
    fn valid_plans_are_valid(value in plans()) {
        let text = value.to_string();
        prop_assert_eq!(repair(&text), Ok((value.clone(), vec![])));
        let plan = parse(&value).unwrap();
        let valid = validate(plan.clone(), &fakes::registry()).unwrap();
        prop_assert_eq!(valid.plan(), &plan);
        prop_assert_eq!(valid.normalizations(), &[]);
        prop_assert!(jsonschema::draft202012::is_valid(&plan_schema(Some(&fakes::registry())), &value));
        let mended = repair(&format!("So:\n```json\n{text}\n```\nDone."));
        prop_assert_eq!(mended.unwrap().0, value);
    }
}

fn pointers(value: &Value, at: String, out: &mut Vec<String>) {
    match value {
        Value::Object(members) => {
            for (key, value) in members {
                pointers(value, format!("{at}/{key}"), out);
            }
        }
        Value::Array(items) => {
            for (i, value) in items.iter().enumerate() {
                pointers(value, format!("{at}/{i}"), out);
            }
        }
        _ => {}
    }
    out.push(at);
}

#[test]
fn repairs_say_what_was_done_and_where() {
    let text =
        "So:\n```json\n{\u{201c}version\u{201d}: 1,\n \u{201c}tracks\u{201d}: [ // none\n ],\n}\n```\n";
    let (_, repairs) = repair(text).unwrap();
    let lines: Vec<String> = repairs.iter().map(ToString::to_string).collect();
    insta::assert_snapshot!(lines.join("\n"), @r"
    left out text around the plan (line 1, column 1)
    left out a comment (line 4, column 14)
    left out a comma before a closer (line 5, column 3)
    read another quote as a double quote (line 3, column 2; 2 times)
    ");
    assert_eq!(
        serde_json::to_value(repairs[1]).unwrap(),
        json!({"kind": "comment", "count": 1, "line": 4, "column": 14})
    );
}

#[test]
fn a_budget_of_something_unknown_is_refused_in_a_plan_that_was_made_in_code() {
    let json = json!({"version": 1, "question": "?", "tracks": [
        {"id": "a", "steps": [{"id": "s", "tool": "load_dataset", "args": {"variable": "temperature"}, "budget": {"nodes": 1}}]}]});
    let mut plan = parse(&json).unwrap();
    let Body::Steps(steps) = &mut plan.tracks[0].body else { panic!("a steps track") };
    steps[0].limits.budget = Some([("dollars".to_owned(), 1.0)].into());
    let found = validate(plan, &fakes::registry()).unwrap_err();
    assert_eq!(
        found[0].to_string(),
        "/tracks/0/steps/0/budget/dollars: nothing called `dollars` has a budget; \
         use one of: bytes, calls, money, nodes, seconds, tokens"
    );
}

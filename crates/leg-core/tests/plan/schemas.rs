//! Schemas of tools with references: which are refused at registration, and what the others say of arguments.

use leg_core::plan::{Code, parse, validate};
use leg_core::tool::schema_faults;
use leg_core::{Registry, RegistryError};
use leg_testkit::FakeTool;
use serde_json::{Value, json};

/// Name, schema, arguments that fit, arguments that do not and where.
type Good = (&'static str, Value, Value, Value, &'static str);

#[expect(clippy::too_many_lines, reason = "a table")]
fn good() -> Vec<Good> {
    let string = || json!({"type": "string"});
    let named = |name: &str, reference: &str| json!({"type": "object", "properties": {"x": {"$ref": reference}}, "$defs": {name: string()}});
    let tree = json!({"type": "object", "properties": {"tree": {"$ref": "#/$defs/node"}}, "$defs": {"node": {
        "type": "object", "properties": {"label": string(), "parts": {"type": "array", "items": {"$ref": "#/$defs/node"}}},
        "required": ["label"], "additionalProperties": false}}});
    vec![
        (
            "no reference",
            json!({"type": "object", "properties": {"x": string()}}),
            json!({"x": "a"}),
            json!({"x": []}),
            "/x",
        ),
        ("to $defs", named("s", "#/$defs/s"), json!({"x": "a"}), json!({"x": []}), "/x"),
        (
            "to definitions",
            json!({"properties": {"x": {"$ref": "#/definitions/s"}}, "definitions": {"s": string()}}),
            json!({"x": "a"}),
            json!({"x": []}),
            "/x",
        ),
        ("slash in a name", named("a/b", "#/$defs/a~1b"), json!({"x": "a"}), json!({"x": []}), "/x"),
        ("tilde in a name", named("a~b", "#/$defs/a~0b"), json!({"x": "a"}), json!({"x": []}), "/x"),
        (
            "tilde and one in a name",
            named("a~1b", "#/$defs/a~01b"),
            json!({"x": "a"}),
            json!({"x": []}),
            "/x",
        ),
        ("space as an escape", named("a b", "#/$defs/a%20b"), json!({"x": "a"}), json!({"x": []}), "/x"),
        ("percent as an escape", named("a%b", "#/$defs/a%25b"), json!({"x": "a"}), json!({"x": []}), "/x"),
        ("letter as an escape", named("ä", "#/$defs/%C3%A4"), json!({"x": "a"}), json!({"x": []}), "/x"),
        ("dollar as an escape", named("s", "#/%24defs/s"), json!({"x": "a"}), json!({"x": []}), "/x"),
        ("empty name", named("", "#/$defs/"), json!({"x": "a"}), json!({"x": []}), "/x"),
        (
            "to another property",
            json!({"properties": {"a": string(), "x": {"$ref": "#/properties/a"}}}),
            json!({"x": "a"}),
            json!({"x": []}),
            "/x",
        ),
        (
            "into a list",
            json!({"properties": {"x": {"$ref": "#/$defs/any/anyOf/1"}}, "$defs": {"any": {"anyOf": [{"type": "null"}, string()]}}}),
            json!({"x": "a"}),
            json!({"x": []}),
            "/x",
        ),
        (
            "a chain",
            json!({"properties": {"x": {"$ref": "#/$defs/a"}}, "$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/c"}, "c": string()}}),
            json!({"x": "a"}),
            json!({"x": []}),
            "/x",
        ),
        (
            "one definition twice",
            json!({"properties": {"x": {"$ref": "#/$defs/s"}, "y": {"$ref": "#/$defs/s"}}, "$defs": {"s": string()}}),
            json!({"x": "a", "y": "b"}),
            json!({"x": "a", "y": []}),
            "/y",
        ),
        (
            "nested $defs",
            json!({"properties": {"x": {"$ref": "#/$defs/a/$defs/b"}}, "$defs": {"a": {"$defs": {"b": string()}}}}),
            json!({"x": "a"}),
            json!({"x": []}),
            "/x",
        ),
        (
            "in an alternative",
            json!({"properties": {"x": {"anyOf": [{"$ref": "#/$defs/s"}, {"type": "null"}]}}, "$defs": {"s": string()}}),
            json!({"x": null}),
            json!({"x": []}),
            "/x",
        ),
        (
            "in a list's items",
            json!({"properties": {"x": {"type": "array", "items": {"$ref": "#/$defs/s"}}}, "$defs": {"s": string()}}),
            json!({"x": ["a"]}),
            json!({"x": ["a", []]}),
            "/x/1",
        ),
        (
            "beside other keywords",
            json!({"properties": {"x": {"$ref": "#/$defs/s", "maxLength": 1}}, "$defs": {"s": string()}}),
            json!({"x": "a"}),
            json!({"x": "ab"}),
            "/x",
        ),
        (
            "a tree",
            tree.clone(),
            json!({"tree": {"label": "a", "parts": [{"label": "b", "parts": [{"label": "c"}]}]}}),
            json!({"tree": {"label": "a", "parts": [{"label": "b", "parts": [{"lable": "c"}]}]}}),
            "/tree/parts/0/parts/0/lable",
        ),
        (
            "the whole schema below a member",
            json!({"type": "object", "properties": {"next": {"$ref": "#"}, "x": string()}}),
            json!({"next": {"next": {"x": "a"}}}),
            json!({"next": {"next": {"x": []}}}),
            "/next/next/x",
        ),
        (
            "two that take turns",
            json!({"properties": {"x": {"$ref": "#/$defs/a"}}, "$defs": {
            "a": {"type": "object", "properties": {"b": {"$ref": "#/$defs/b"}}}, "b": {"type": "array", "items": {"$ref": "#/$defs/a"}}}}),
            json!({"x": {"b": [{"b": []}]}}),
            json!({"x": {"b": [{"b": {}}]}}),
            "/x/b/0/b",
        ),
        (
            "data that looks like a reference",
            json!({"properties": {"x": {"enum": [{"$ref": "https://example.org"}, "a"], "default": {"$ref": "#/nowhere"}}}}),
            json!({"x": "a"}),
            json!({"x": 1}),
            "/x",
        ),
        (
            "a property named $ref",
            json!({"properties": {"x": {"type": "object", "properties": {"$id": string()}}}}),
            json!({"x": {"$id": "a"}}),
            json!({"x": {"$id": 1}}),
            "/x/$id",
        ),
    ]
}

/// Name, schema, the faults by place and a part of what is said.
type Bad = (&'static str, Value, Vec<(&'static str, &'static str)>);

fn bad() -> Vec<Bad> {
    let to = |reference: Value| json!({"properties": {"x": {"$ref": reference}}, "$defs": {"s": {"type": "string"}}});
    let x = |part: &'static str| vec![("/properties/x", part)];
    let mut deep = json!({"type": "string"});
    for _ in 0..130 {
        deep = json!({"not": deep});
    }
    vec![
        ("remote", to(json!("https://example.org/schema.json")), x("not in this schema")),
        ("remote with a pointer", to(json!("other.json#/$defs/s")), x("not in this schema")),
        ("a file", to(json!("file:///etc/passwd")), x("not in this schema")),
        ("empty text", to(json!("")), x("not in this schema")),
        ("nowhere", to(json!("#/$defs/t")), x("nothing is at")),
        ("into a text", to(json!("#/$defs/s/type/x")), x("nothing is at")),
        (
            "index with a zero",
            json!({"properties": {"x": {"$ref": "#/anyOf/01"}}, "anyOf": [true, true]}),
            x("nothing is at"),
        ),
        (
            "index with a sign",
            json!({"properties": {"x": {"$ref": "#/anyOf/+1"}}, "anyOf": [true, true]}),
            x("nothing is at"),
        ),
        (
            "index beyond the end",
            json!({"properties": {"x": {"$ref": "#/anyOf/2"}}, "anyOf": [true, true]}),
            x("nothing is at"),
        ),
        ("unknown escape", to(json!("#/$defs/s~2")), x("`~` is not followed")),
        ("lonely tilde", to(json!("#/$defs/s~")), x("`~` is not followed")),
        ("half a percent", to(json!("#/$defs/s%2")), x("two hexadecimal digits")),
        ("percent of no digits", to(json!("#/$defs/s%zz")), x("two hexadecimal digits")),
        ("percent with a sign", to(json!("#/$defs/s%+1")), x("two hexadecimal digits")),
        ("percent of no letter", to(json!("#/$defs/s%ff")), x("not UTF-8")),
        ("anchor", to(json!("#s")), x("does not begin with")),
        ("a number", to(json!(5)), x("no text")),
        ("dynamic", json!({"properties": {"x": {"$dynamicRef": "#s"}}}), x("`$dynamicRef` is not read")),
        (
            "another base",
            json!({"properties": {"x": {"$id": "https://example.org/x", "type": "string"}}}),
            x("`$id` is not read"),
        ),
        ("itself", json!({"$ref": "#"}), vec![("", "refers to itself")]),
        (
            "a circle",
            json!({"$ref": "#/$defs/a", "$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}}}),
            vec![("/$defs/a", "#/$defs/a -> #/$defs/b")],
        ),
        (
            "a circle of alternatives",
            json!({"properties": {"x": {"$ref": "#/$defs/a"}}, "$defs": {"a": {"anyOf": [{"type": "null"}, {"$ref": "#/$defs/a"}]}}}),
            vec![("/$defs/a", "refers to itself")],
        ),
        (
            "a circle through not and if",
            json!({"$defs": {"a": {"not": {"if": {"$ref": "#/$defs/a"}}}}}),
            vec![("/$defs/a", "refers to itself")],
        ),
        (
            "two faults",
            json!({"properties": {"x": {"$ref": "#/$defs/t"}, "y": {"$ref": "a.json"}}}),
            vec![("/properties/y", "not in this schema"), ("/properties/x", "nothing is at")],
        ),
        ("too deep", deep, vec![("", "nested deeper")]),
    ]
}

fn registered(schema: Value) -> Result<Registry, RegistryError> {
    let mut registry = Registry::default();
    let tool = FakeTool::echo("referring").with_spec(|spec| spec.arguments = schema);
    registry.add_tool(std::sync::Arc::new(tool))?;
    Ok(registry)
}

#[test]
fn a_schema_with_good_references_is_followed_everywhere() {
    for (name, schema, fits, fails, place) in good() {
        assert_eq!(schema_faults(&schema), [], "{name}");
        let registry = registered(schema).unwrap_or_else(|error| panic!("{name}: {error}"));
        let check = |args: &Value| {
            let step = json!({"id": "s", "tool": "referring", "args": args});
            let plan = json!({"version": 1, "question": "?", "tracks": [{"id": "t", "steps": [step]}]});
            validate(parse(&plan).unwrap(), &registry)
        };
        let valid = check(&fits).unwrap_or_else(|faults| panic!("{name}: {faults:?}"));
        assert_eq!(valid.normalizations(), [], "{name}");
        let faults = check(&fails).unwrap_err();
        let found: Vec<&str> = faults.iter().map(|fault| fault.pointer.as_str()).collect();
        assert_eq!(found, [format!("/tracks/0/steps/0/args{place}")], "{name}: {faults:?}");
    }
}

/// `"50"` becomes 50 where the schema says number, also behind a reference.
#[test]
fn a_value_behind_a_reference_is_normalised_as_one_in_front_of_it() {
    let schema =
        json!({"properties": {"x": {"$ref": "#/$defs/n%20o"}}, "$defs": {"n o": {"type": "number"}}});
    let registry = registered(schema).unwrap();
    let step = json!({"id": "s", "tool": "referring", "args": {"x": "50"}});
    let plan = json!({"version": 1, "question": "?", "tracks": [{"id": "t", "steps": [step]}]});
    let valid = validate(parse(&plan).unwrap(), &registry).unwrap();
    assert_eq!(valid.plan().to_json()["tracks"][0]["steps"][0]["args"], json!({"x": 50}));
    assert_eq!(valid.normalizations().len(), 1);
}

#[test]
fn a_schema_whose_references_cannot_be_followed_is_refused_with_each_reason() {
    for (name, schema, expected) in bad() {
        let faults = schema_faults(&schema);
        let places: Vec<&str> = faults.iter().map(|fault| fault.at.as_str()).collect();
        let mut wanted: Vec<&str> = expected.iter().map(|(place, _)| *place).collect();
        let mut sorted = places.clone();
        sorted.sort_unstable();
        wanted.sort_unstable();
        assert_eq!(sorted, wanted, "{name}: {faults:?}");
        for (place, part) in expected {
            let fault = faults.iter().find(|fault| fault.at == place).unwrap();
            assert!(fault.to_string().contains(part), "{name}: {fault}");
        }
        match registered(schema) {
            Err(RegistryError::Schema { tool, reason }) => {
                assert_eq!(tool.as_str(), "referring");
                assert!(faults.iter().all(|fault| reason.contains(&fault.to_string())), "{name}: {reason}");
            }
            other => panic!("{name}: {other:?}"),
        }
    }
}

#[test]
fn the_code_of_arguments_that_do_not_fit_stays_the_same() {
    let (_, schema, _, fails, _) = good().remove(1);
    let step = json!({"id": "s", "tool": "referring", "args": fails});
    let plan = json!({"version": 1, "question": "?", "tracks": [{"id": "t", "steps": [step]}]});
    let faults = validate(parse(&plan).unwrap(), &registered(schema).unwrap()).unwrap_err();
    assert_eq!(faults[0].code, Code::BadArgument);
}

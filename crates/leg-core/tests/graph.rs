//! The compiled graph: its forms for people and programs, its digest, its cost, what an approval covers.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::sync::Arc;

use leg_core::graph::{Edge, LayeredGraph, NodeKind};
use leg_core::plan::{
    AgentStep, Barriers, Body, ForEach, Items, Join, Layer, Limits, Plan, Policy, Reference, Step, Track,
    validate,
};
use leg_core::{Approval, CompileError, DataClass, Registry};
use leg_testkit::{FakeAgent, FakeTool, fake_registry};
use serde_json::{Value, json};

fn step(id: &str, tool: &str, args: Value) -> Step {
    Step {
        id: id.parse().unwrap(),
        tool: tool.parse().unwrap(),
        args,
        for_each: None,
        when: None,
        limits: Limits::default(),
    }
}

fn agent(id: &str, agent: &str, task: &str) -> AgentStep {
    AgentStep {
        id: id.parse().unwrap(),
        agent: agent.parse().unwrap(),
        task: task.to_owned(),
        when: None,
        limits: Limits::default(),
    }
}

fn track(id: &str, goal: &str, body: Body) -> Track {
    Track { id: id.parse().unwrap(), goal: goal.to_owned(), barriers: Barriers::Strict, body, result: None }
}

fn plan(question: &str, tracks: Vec<Track>) -> Plan {
    Plan { version: 1, question: question.to_owned(), tracks }
}

/// The ocean-state form: a diamond with a picture.
fn steps_plan() -> Plan {
    let steps = vec![
        step("sst", "load", json!({"offset": 1})),
        step("ssh", "load", json!({})),
        step("both", "add", json!({"a": {"$ref": "sst"}, "b": {"$ref": "ssh#/outputs/result"}})),
        step("map", "draw", json!({"data": {"$ref": "both"}})),
        step("mean", "mean", json!({"data": {"$ref": "both"}})),
    ];
    plan("How warm was it?", vec![track("coast", "coastal box", Body::Steps(steps))])
}

/// The hydrodynamics form: classes are mixed and the storm track stands beside what needs it.
fn layers_plan() -> Plan {
    let nodes = vec![
        agent("levels", "gauge", "water levels at \"8728690\" [m]"),
        agent("zones", "zones", "mapped zones"),
        agent("storm", "tracker", "best track of Ian 2022"),
        agent("marks", "marks", "high-water marks"),
    ];
    let layers = vec![
        Layer { policy: Policy::FailFast, nodes },
        Layer { policy: Policy::Settle, nodes: vec![agent("map", "mapper", "a map of all")] },
    ];
    plan("How high was the surge of Ian?", vec![track("surge", "", Body::Layers(layers))])
}

/// Both forms, and a step that two tracks share.
fn mixed_plan() -> Plan {
    let warm = vec![
        step("a_sst", "load", json!({"offset": 1})),
        step("a_mean", "mean", json!({"data": {"$ref": "a_sst"}})),
    ];
    let cold = vec![
        step("b_sst", "load", json!({"offset": 1})),
        step("b_map", "draw", json!({"data": {"$ref": "b_sst"}})),
    ];
    let layers = vec![Layer { policy: Policy::Settle, nodes: vec![agent("storm", "tracker", "best track")] }];
    let mut cold = track("open", "open basin", Body::Steps(cold));
    cold.barriers = Barriers::Dataflow;
    plan(
        "Was it warmer off the coast?",
        vec![
            track("coast", "coastal box", Body::Steps(warm)),
            cold,
            track("surge", "", Body::Layers(layers)),
        ],
    )
}

fn compile(plan: &Plan, registry: &Registry) -> Result<LayeredGraph, CompileError> {
    leg_core::compile(&validate(plan.clone(), registry).unwrap(), registry)
}

fn compiled(plan: &Plan) -> LayeredGraph {
    compile(plan, &fake_registry().unwrap()).unwrap()
}

#[test]
fn a_steps_plan_is_levelled() {
    insta::assert_snapshot!(compiled(&steps_plan()).display().indent(), @"
    question: How warm was it?
    track coast: coastal box
      layer 1
        sst: load
        ssh: load
      layer 2
        both: add ← sst, ssh#/outputs/result
      layer 3
        map: draw ← both
        mean: mean ← both
        image_map: image of map
      result: mean
    reporter: reporter
    ");
}

#[test]
fn a_layers_plan_is_put_in_order() {
    insta::assert_snapshot!(compiled(&layers_plan()).display().indent(), @r#"
    question: How high was the surge of Ian?
    track surge
      layer 1 (fail fast)
        storm: agent tracker "best track of Ian 2022"
      layer 2 (fail fast)
        zones: agent zones "mapped zones"
      layer 3 (fail fast)
        levels: agent gauge "water levels at "8728690" [m]"
        marks: agent marks "high-water marks"
        consolidator_surge_3: consolidator
      layer 4
        map: agent mapper "a map of all"
        image_map: image of map
    reporter: reporter
    "#);
}

#[test]
fn a_mixed_plan_shares_steps_and_merges() {
    insta::assert_snapshot!(compiled(&mixed_plan()).display().indent(), @r#"
    question: Was it warmer off the coast?
    track shared (shared): steps that several tracks need
      layer 1
        a_sst: load
    track coast: coastal box
      layer 1
        a_mean: mean ← a_sst
      result: a_mean
    track open (dataflow): open basin
      layer 1
        b_map: draw ← a_sst
        image_b_map: image of b_map
      result: b_map
    track surge
      layer 1
        storm: agent tracker "best track"
    merge: cross-track merge
    reporter: reporter
    "#);
}

#[test]
fn the_tree_has_a_layer_on_a_line() {
    insta::assert_snapshot!(compiled(&layers_plan()).display().tree(), @"
    How high was the surge of Ian?
    ├─ surge
    │  ├─ 1 storm
    │  ├─ 2 zones
    │  ├─ 3 levels · marks → consolidator
    │  └─ 4 map → image
    └─ reporter
    ");
}

#[test]
fn mermaid_escapes_what_a_planner_writes() {
    insta::assert_snapshot!(compiled(&layers_plan()).display().mermaid(), @r#"
    flowchart TD
      subgraph t0["surge"]
        subgraph t0l0["layer 1"]
          n0(["storm<br/>agent tracker<br/>best track of Ian 2022"])
          n1{{"barrier_surge_1"}}
        end
        subgraph t0l1["layer 2"]
          n2(["zones<br/>agent zones<br/>mapped zones"])
          n3{{"barrier_surge_2"}}
        end
        subgraph t0l2["layer 3"]
          n4(["levels<br/>agent gauge<br/>water levels at #34;8728690#34; #91;m#93;"])
          n5(["marks<br/>agent marks<br/>high-water marks"])
          n6[\"consolidator_surge_3<br/>consolidator"/]
          n7{{"barrier_surge_3"}}
        end
        subgraph t0l3["layer 4"]
          n8(["map<br/>agent mapper<br/>a map of all"])
          n9[/"image_map<br/>image of map"/]
          n10{{"barrier_surge_4"}}
        end
      end
      n11[["reporter<br/>reporter"]]
      n0 --> n1
      n1 --> n2
      n2 --> n3
      n3 --> n4
      n3 --> n5
      n4 --> n6
      n5 --> n6
      n6 --> n7
      n7 --> n8
      n8 --> n9
      n8 --> n10
      n9 --> n10
      n10 --> n11
    "#);
}

#[test]
fn dot_draws_references_dashed() {
    insta::assert_snapshot!(compiled(&mixed_plan()).display().dot(), @r#"
    digraph leg {
      label="Was it warmer off the coast?";
      node [shape=box];
      subgraph cluster_t0 {
        label="shared: steps that several tracks need";
        subgraph cluster_t0l0 {
          label="layer 1";
          n0 [label="a_sst\nload"];
          n1 [label="barrier_shared_1", shape=hexagon];
        }
      }
      subgraph cluster_t1 {
        label="coast: coastal box";
        subgraph cluster_t1l0 {
          label="layer 1";
          n2 [label="a_mean\nmean"];
          n3 [label="barrier_coast_1", shape=hexagon];
        }
      }
      subgraph cluster_t2 {
        label="open: open basin";
        subgraph cluster_t2l0 {
          label="layer 1";
          n4 [label="b_map\ndraw"];
          n5 [label="image_b_map\nimage of b_map"];
          n6 [label="barrier_open_1", shape=hexagon];
        }
      }
      subgraph cluster_t3 {
        label="surge";
        subgraph cluster_t3l0 {
          label="layer 1";
          n7 [label="storm\nagent tracker", shape=ellipse];
          n8 [label="barrier_surge_1", shape=hexagon];
        }
      }
      n9 [label="merge\ncross-track merge", shape=invtrapezium];
      n10 [label="reporter\nreporter", shape=note];
      n0 -> n1;
      n2 -> n3;
      n4 -> n5;
      n4 -> n6;
      n5 -> n6;
      n7 -> n8;
      n0 -> n2 [style=dashed, label="a_sst"];
      n0 -> n4 [style=dashed, label="a_sst"];
      n1 -> n2;
      n1 -> n4;
      n1 -> n7;
      n3 -> n9;
      n6 -> n9;
      n8 -> n9;
      n9 -> n10;
    }
    "#);
}

#[test]
fn cost_is_named() {
    let cost = serde_json::to_string_pretty(compiled(&layers_plan()).cost()).unwrap();
    insta::assert_snapshot!(cost, @r#"
    {
      "nodes": 8,
      "layers": 4,
      "critical_path": 7,
      "calls_at_least": 5,
      "calls_at_most": null,
      "open": [
        "storm",
        "zones",
        "levels",
        "marks",
        "map"
      ],
      "model_tokens": 0,
      "tokens_unknown": [
        "storm",
        "zones",
        "levels",
        "marks",
        "map"
      ],
      "bytes": 0,
      "bytes_unknown": [
        "storm",
        "zones",
        "levels",
        "marks"
      ],
      "hosts": [
        "observe.example",
        "zones.example"
      ]
    }
    "#);
}

#[test]
fn cost_counts_fan_outs() {
    let mut listed = step("listed", "echo", json!({}));
    let for_each = |items, max| Some(ForEach { items, name: "x".to_owned(), max, join: Join::List });
    listed.for_each = for_each(Items::List(vec![json!(1), json!(2), json!(3)]), 50);
    let mut open = step("open", "echo", json!({}));
    open.for_each = for_each(Items::Reference(Reference::primary("listed".parse().unwrap())), 20);
    let graph = compiled(&plan("q", vec![track("t", "", Body::Steps(vec![listed, open]))]));
    let cost = graph.cost();
    assert_eq!((cost.calls_at_least, cost.calls_at_most), (3, Some(23)));
    assert_eq!(cost.open.iter().map(ToString::to_string).collect::<Vec<_>>(), ["open"]);
    assert_eq!((cost.nodes, cost.layers, cost.critical_path), (3, 2, 3));
}

#[test]
fn json_has_every_node_and_edge_by_id() {
    let graph = compiled(&mixed_plan());
    let json = graph.display().to_json();
    assert_eq!(json["digest"], json!(graph.digest()));
    assert_eq!(json["nodes"].as_array().unwrap().len(), graph.graph().node_count());
    assert_eq!(json["edges"].as_array().unwrap().len(), graph.graph().edge_count());
    assert_eq!(json["tracks"][0]["shared"], true);
    assert_eq!(json["tracks"][2]["layers"][0]["images"], json!(["image_b_map"]));
    assert_eq!(json["lifted"], json!({"b_sst": "a_sst"}));
    assert_eq!(json["rules"][0]["rule"], "lift_shared_steps");
    assert_eq!(json["nodes"][2]["args"], json!({"data": {"$ref": "a_sst"}}));
    let artifact = json["edges"].as_array().unwrap().iter().find(|edge| edge["kind"] == "artifact").unwrap();
    assert_eq!((&artifact["from"], &artifact["ref"]), (&json!("a_sst"), &json!("a_sst")));
}

#[test]
fn inputs_come_in_plan_order_and_lifted_steps_are_found() {
    let graph = compiled(&steps_plan());
    let names = |indices: Vec<leg_core::graph::NodeIndex>| -> Vec<String> {
        indices.into_iter().map(|index| graph.node(index).unwrap().id.to_string()).collect()
    };
    let both = graph.find(&"both".parse().unwrap()).unwrap();
    assert_eq!(names(graph.inputs(both)), ["sst", "ssh", "barrier_coast_1"]);
    let references: Vec<String> =
        graph.artifact_inputs(both).into_iter().map(|(_, reference)| reference.to_string()).collect();
    assert_eq!(references, ["sst", "ssh#/outputs/result"]);
    assert_eq!(names(graph.inputs(graph.reporter())), ["barrier_coast_3"]);

    let mixed = compiled(&mixed_plan());
    let place = mixed.find(&"b_sst".parse().unwrap()).unwrap();
    assert_eq!(mixed.node(place).unwrap().id.as_str(), "a_sst");
    assert_eq!(mixed.find(&"nothing".parse().unwrap()), None);
}

#[test]
fn tracks_that_are_wholly_shared_keep_their_results() {
    let body = |id: &str| Body::Steps(vec![step(id, "load", json!({}))]);
    let graph = compiled(&plan("q", vec![track("a", "", body("x")), track("b", "", body("y"))]));
    let results: Vec<Option<String>> =
        graph.tracks().iter().map(|track| track.result.as_ref().map(ToString::to_string)).collect();
    assert_eq!(results, [None, Some("x".to_owned()), Some("x".to_owned())]);
    assert!(graph.tracks()[1].layers.is_empty());
    // The merge still waits for the shared step.
    let shared = graph.tracks()[0].layers[0].barrier;
    assert_eq!(graph.inputs(graph.merge().unwrap()), [shared]);
    assert!(!graph.display().mermaid().contains("t1"));
}

#[test]
fn made_up_ids_give_way_to_those_of_the_plan() {
    let nodes = vec![
        agent("consolidator_t_1", "tracker", "x"),
        agent("barrier_t_1", "tracker", "x"),
        agent("barrier_t_1_", "tracker", "x"),
        agent("reporter", "tracker", "x"),
    ];
    let layers = vec![Layer { policy: Policy::Settle, nodes }];
    let graph = compiled(&plan("q", vec![track("t", "", Body::Layers(layers))]));
    let layer = &graph.tracks()[0].layers[0];
    let id = |index| graph.node(index).unwrap().id.to_string();
    assert_eq!(id(layer.consolidator.unwrap()), "consolidator_t_1_");
    assert_eq!(id(layer.barrier), "barrier_t_1__");
    assert_eq!(id(graph.reporter()), "reporter_");
}

#[test]
fn the_longest_ids_still_get_made_up_ones() {
    let long = "x".repeat(63);
    let nodes = vec![agent(&format!("{long}a"), "mapper", "x"), agent(&format!("{long}b"), "mapper", "x")];
    let layers = vec![Layer { policy: Policy::Settle, nodes }];
    let graph = compiled(&plan("q", vec![track(&format!("{long}t"), "", Body::Layers(layers))]));
    assert_eq!(graph.tracks()[0].layers[0].images.len(), 2);
    assert!(graph.tracks()[0].layers[0].consolidator.is_some());
}

/// A registry in which the observing tool is another version.
fn changed_registry(version: u32) -> Registry {
    let mut registry = Registry::default();
    let tool = FakeTool::echo("observe").with_spec(|spec| spec.version = version);
    registry.add_tool(Arc::new(tool)).unwrap();
    registry.add_tool(Arc::new(FakeTool::echo("unused").with_spec(|spec| spec.version = version))).unwrap();
    let agent =
        FakeAgent::new("tracker").unwrap().data_class(DataClass::Observation).calling("observe", json!({}));
    registry.add_agent(Arc::new(agent)).unwrap();
    registry
}

#[test]
fn an_approval_covers_one_plan_with_one_set_of_definitions() {
    let layers = |task: &str| {
        let layers = vec![Layer { policy: Policy::Settle, nodes: vec![agent("storm", "tracker", task)] }];
        plan("q", vec![track("surge", "", Body::Layers(layers))])
    };
    let graph = compile(&layers("a"), &changed_registry(1)).unwrap();
    // The agent's tools count, although the plan does not name them; a tool that nobody can reach does not.
    assert_eq!(
        graph.definitions().tools.keys().map(leg_core::ToolName::as_str).collect::<Vec<_>>(),
        ["observe"]
    );
    let approval = Approval::new(&graph, "a person", "2026-11-30T22:00:00Z");
    assert_eq!(approval.covers(&graph), Ok(()));
    assert_eq!(approval.covers(&compile(&layers("a"), &changed_registry(1)).unwrap()), Ok(()));
    for other in [
        compile(&layers("b"), &changed_registry(1)).unwrap(),
        compile(&layers("a"), &changed_registry(2)).unwrap(),
    ] {
        let error = approval.covers(&other).unwrap_err();
        let text = error.to_string();
        assert!(
            text.contains(&graph.digest().to_string()) && text.contains(&other.digest().to_string()),
            "{text}"
        );
        assert!(text.contains("approved again"), "{text}");
    }
    let json = serde_json::to_string(&approval).unwrap();
    assert_eq!(serde_json::from_str::<Approval>(&json).unwrap(), approval);
}

#[test]
fn numbers_that_have_no_canonical_form_are_named() {
    let steps = vec![step("a", "echo", json!({"n": 9_007_199_254_740_993_u64}))];
    let error =
        compile(&plan("q", vec![track("t", "", Body::Steps(steps))]), &fake_registry().unwrap()).unwrap_err();
    assert!(matches!(error, CompileError::Routing(_)));
    assert!(error.to_string().contains("carry it as a string"), "{error}");
}

#[test]
fn a_thousand_nodes_have_edges_in_proportion() {
    let chain = |t: usize| {
        let steps = (0..250).map(|at| {
            let args = if at < 10 {
                json!({"value": t})
            } else {
                json!({"data": {"$ref": format!("t{t}_s{}", at - 10)}})
            };
            step(&format!("t{t}_s{at}"), "echo", args)
        });
        track(&format!("t{t}"), "", Body::Steps(steps.collect()))
    };
    let graph = compiled(&plan("q", (0..4).map(chain).collect()));
    assert_eq!(
        graph.graph().node_weights().filter(|node| matches!(node.kind, NodeKind::Tool(_))).count(),
        1000
    );
    let artifacts = graph.graph().edge_weights().filter(|edge| matches!(edge, Edge::Artifact(_))).count();
    assert_eq!(artifacts, 960);
    assert!(graph.graph().edge_count() < 4 * graph.graph().node_count());
}

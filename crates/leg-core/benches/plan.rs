//! How fast a plan's text becomes a graph: milliseconds per MB of text, milliseconds per thousand nodes.
//!
//! `cargo bench -p leg-core --bench plan`. Each number is the best of several rounds: what the code can do, not what
//! the machine was busy with.

#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "a benchmark measures with the machine's clock and prints"
)]

use std::fmt::Write as _;
use std::hint::black_box;
use std::time::{Duration, Instant};

use leg_core::plan::{MAX_BYTES, parse, read, repair, validate};
use leg_core::{Plan, Registry, compile};
use leg_testkit::fake_registry;

const ROUNDS: usize = 7;

fn main() {
    let registry = fake_registry().unwrap();
    println!("text                              MB   repair  ms/MB   parse  validate   all ms");
    for (name, text) in texts() {
        let whole = best(|| read_and_validate(&text, &registry));
        let repairs = best(|| drop(black_box(repair(&text))));
        let value = repair(&text).map(|(value, _)| value);
        let parses = best(|| drop(black_box(value.as_ref().ok().map(parse))));
        let plan = value.ok().and_then(|value| parse(&value).ok());
        let checks = plan.map_or(Duration::ZERO, |plan| {
            best_of(|| plan.clone(), |plan| drop(black_box(validate(plan, &registry))))
        });
        let megabytes = text.len() as f64 / 1e6;
        println!(
            "{name:30} {megabytes:6.2} {:8.2} {:6.1} {:7.2} {:9.2} {:8.2}",
            ms(repairs),
            ms(repairs) / megabytes,
            ms(parses),
            ms(checks),
            ms(whole)
        );
    }
    println!("\nplan                           nodes  validate  compile ms  us/node");
    for nodes in [100, 1_000, 10_000] {
        for (name, plan) in plans(nodes) {
            let validated = best_of(|| plan.clone(), |plan| drop(black_box(validate(plan, &registry))));
            let valid = validate(plan, &registry).unwrap();
            let compiled = best(|| drop(black_box(compile(&valid, &registry).unwrap())));
            println!(
                "{name:30} {nodes:5} {:9.2} {:11.2} {:8.2}",
                ms(validated),
                ms(compiled),
                compiled.as_secs_f64() * 1e6 / f64::from(nodes)
            );
        }
    }
}

fn read_and_validate(text: &str, registry: &Registry) {
    if let Ok((plan, _)) = read(text) {
        drop(black_box(validate(plan, registry)));
    }
}

fn best(mut work: impl FnMut()) -> Duration {
    best_of(|| (), |()| work())
}

/// The best time of the work alone; making what it works on is not measured.
fn best_of<T>(mut make: impl FnMut() -> T, mut work: impl FnMut(T)) -> Duration {
    let mut best = Duration::MAX;
    for _ in 0..ROUNDS {
        let input = make();
        let started = Instant::now();
        work(input);
        best = best.min(started.elapsed());
    }
    best
}

fn ms(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

/// Texts of nearly the largest size: whole, in need of mending everywhere, wrong everywhere, and nothing like a plan.
fn texts() -> Vec<(&'static str, String)> {
    let steps = |step: &dyn Fn(usize) -> String, end: &str| {
        let mut text = String::from(r#"{"version": 1, "question": "?", "tracks": [{"id": "t", "steps": ["#);
        let mut at = 0;
        while text.len() < MAX_BYTES - 400 && at < 10_000 {
            let comma = if at == 0 { "" } else { ", " };
            let _ = write!(text, "{comma}{}", step(at));
            at += 1;
        }
        text + end
    };
    let good = |at: usize| {
        let args =
            if at == 0 { "{}".to_owned() } else { format!(r#"{{"data": {{"$ref": "s{}"}}}}"#, at - 1) };
        format!(r#"{{"id": "s{at}", "tool": "echo", "args": {args}, "retries": 1}}"#)
    };
    let long = |at: usize| {
        format!(r#"{{"id": "s{at}", "tool": "echo", "args": {{"text": "{}"}}}}"#, "tide and surge ".repeat(6))
    };
    let mended = |at: usize| format!("{{id: 's{at}', “tool”: 'echo', // a step\n args: {{'a': True,}},}}");
    let unknown =
        |at: usize| format!(r#"{{"id": "s{at}", "tol": "echo", "args": {{"data": {{"$ref": "x{at}"}}}}}}"#);
    let dangling =
        |at: usize| format!(r#"{{"id": "s{at}", "tool": "ecco", "args": {{"data": {{"$ref": "x{at}"}}}}}}"#);
    let many = |piece: &str| piece.repeat(MAX_BYTES / piece.len());
    let deep = format!("{}{}", "[".repeat(MAX_BYTES / 2), "]".repeat(MAX_BYTES / 2));
    vec![
        ("valid, chained steps", steps(&good, "]}]}")),
        ("valid, long texts", steps(&long, "]}]}")),
        (
            "in a fence with prose",
            format!("So:\n```json\n{}\n```\nDone.", steps(&long, "]}]}").get(..).unwrap_or_default()),
        ),
        ("mended everywhere", steps(&mended, "]}]}")),
        ("closers missing", steps(&long, "")),
        ("unknown key in each step", steps(&unknown, "]}]}")),
        ("unknown tool in each step", steps(&dangling, "]}]}")),
        ("nothing but braces", many("{")),
        ("pairs of braces", many("{}")),
        ("quotes", many("{\u{201c}")),
        ("apostrophes", many("{'a': 'it's ")),
        ("comments", many("/**/ {")),
        ("spaces in a text", many("{'a':'  ")),
        ("deep", deep),
    ]
}

/// A chain, a wide layer with many references, and several tracks that share their steps.
fn plans(nodes: u32) -> Vec<(&'static str, Plan)> {
    let nodes = nodes as usize;
    let plan = |tracks: Vec<String>| {
        let text = format!(r#"{{"version": 1, "question": "?", "tracks": [{}]}}"#, tracks.join(", "));
        let value = serde_json::from_str(&text).unwrap();
        parse(&value).unwrap()
    };
    let track =
        |id: &str, steps: Vec<String>| format!(r#"{{"id": "{id}", "steps": [{}]}}"#, steps.join(", "));
    let step = |id: String, args: String| format!(r#"{{"id": "{id}", "tool": "echo", "args": {args}}}"#);
    let chain = (0..nodes).map(|at| {
        let args = if at == 0 { "{}".to_owned() } else { format!(r#"{{"a": {{"$ref": "s{}"}}}}"#, at - 1) };
        step(format!("s{at}"), args)
    });
    let wide = (0..nodes).map(|at| {
        let refs: Vec<String> =
            (0..at.min(4)).map(|back| format!(r#""r{back}": {{"$ref": "s{back}"}}"#)).collect();
        step(
            format!("s{at}"),
            format!(
                "{{{}}}",
                if at < 4 { format!(r#""n": {at}"#) } else { refs.join(", ") + &format!(r#", "n": {at}"#) }
            ),
        )
    });
    let shared = (0..10).map(|t| {
        let steps = (0..nodes / 10).map(|at| {
            let args =
                if at == 0 { "{}".to_owned() } else { format!(r#"{{"a": {{"$ref": "t{t}_{}"}}}}"#, at - 1) };
            step(format!("t{t}_{at}"), args)
        });
        track(&format!("t{t}"), steps.collect())
    });
    let layers = (0..nodes.div_ceil(10)).map(|l| {
        let agents = ["tracker", "gauge", "marks", "forecaster", "zones", "mapper"];
        let work = (0..10).map(|n| {
            format!(r#"{{"id": "n{l}_{n}", "agent": "{}", "task": "look"}}"#, agents[(l + n) % agents.len()])
        });
        format!(r#"{{"nodes": [{}]}}"#, work.collect::<Vec<_>>().join(", "))
    });
    let agents = format!(r#"{{"id": "t", "layers": [{}]}}"#, layers.collect::<Vec<_>>().join(", "));
    vec![
        ("chain of steps", plan(vec![track("t", chain.collect())])),
        ("wide, four references each", plan(vec![track("t", wide.collect())])),
        ("ten tracks of equal steps", plan(shared.collect())),
        ("layers of ten agents", plan(vec![agents])),
    ]
}

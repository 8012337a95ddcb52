//! Levelling against an independent oracle, on random graphs of up to 200 steps.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use leg_core::graph::levels;
use leg_core::plan::{Comparison, Condition, ForEach, Items, Join, Limits, Reference, Step};
use proptest::prelude::*;
use serde_json::{Value, json};

/// A random graph: for each step the steps that it refers to, all earlier ones; and an order to write them down in.
fn any_dag() -> impl Strategy<Value = (Vec<Vec<usize>>, Vec<usize>)> {
    (1..=200_usize).prop_flat_map(|count| {
        let parents: Vec<_> = (0..count)
            .map(|at| {
                proptest::collection::vec(any::<prop::sample::Index>(), 0..4).prop_map(move |picks| {
                    let mut own: Vec<usize> =
                        if at == 0 { Vec::new() } else { picks.iter().map(|pick| pick.index(at)).collect() };
                    own.sort_unstable();
                    own.dedup();
                    own
                })
            })
            .collect();
        (parents, Just((0..count).collect::<Vec<_>>()).prop_shuffle())
    })
}

/// A step with its references spread over all places where one may stand.
fn step(at: usize, parents: &[usize]) -> Step {
    let mut args = json!({"plain": 1, "text": "$ref"});
    let mut step = Step {
        id: format!("s{at}").parse().unwrap(),
        tool: "tool".parse().unwrap(),
        args: Value::Null,
        for_each: None,
        when: None,
        limits: Limits::default(),
    };
    for (place, parent) in parents.iter().enumerate() {
        let reference: Reference = format!("s{parent}#/evidence/n/value").parse().unwrap();
        match (at + place) % 4 {
            0 => args["deep"] = json!([{"list": [1, {"$ref": format!("s{parent}")}]}, args["deep"].clone()]),
            1 if step.when.is_none() => {
                step.when = Some(Condition { reference, op: Comparison::Gt, value: json!(0) });
            }
            2 if step.for_each.is_none() => {
                let items = Items::Reference(reference);
                step.for_each = Some(ForEach { items, name: "x".to_owned(), max: 9, join: Join::List });
            }
            3 if step.for_each.is_none() => {
                let items = Items::List(vec![json!({"$ref": reference.to_string()}), json!(7)]);
                step.for_each = Some(ForEach { items, name: "x".to_owned(), max: 9, join: Join::List });
            }
            _ => args[format!("arg{place}")] = json!({"$ref": reference.to_string()}),
        }
    }
    step.args = args;
    step
}

/// Raises every step above those that it refers to, until nothing moves.
fn oracle(parents: &[Vec<usize>]) -> Vec<usize> {
    let mut levels = vec![0; parents.len()];
    loop {
        let raised: Vec<usize> = parents
            .iter()
            .map(|own| own.iter().map(|parent| levels[*parent] + 1).max().unwrap_or(0))
            .collect();
        if raised == levels {
            return levels;
        }
        levels = raised;
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn agrees_with_the_oracle_in_any_order((parents, order) in any_dag()) {
        let steps: Vec<Step> = order.iter().map(|at| step(*at, &parents[*at])).collect();
        let expected = oracle(&parents);
        let expected: Vec<usize> = order.iter().map(|at| expected[*at]).collect();
        prop_assert_eq!(levels(&steps), Ok(expected));
    }

    #[test]
    fn a_cycle_is_found_and_is_one((mut parents, order) in any_dag(), from in any::<prop::sample::Index>()) {
        // The last step refers to an earlier one through nothing but new edges: a chain back closes a cycle.
        let last = parents.len() - 1;
        let first = from.index(parents.len());
        parents[first].push(last);
        if first != last {
            parents[last].push(first);
        }
        let steps: Vec<Step> = order.iter().map(|at| step(*at, &parents[*at])).collect();
        let cycle = levels(&steps).unwrap_err().steps;
        prop_assert!(!cycle.is_empty());
        let number = |id: &leg_core::NodeId| id.as_str()[1..].parse::<usize>().unwrap();
        for (own, next) in cycle.iter().zip(cycle.iter().cycle().skip(1)) {
            prop_assert!(parents[number(own)].contains(&number(next)), "{} does not refer to {}", own, next);
        }
        let mut distinct = cycle.clone();
        distinct.sort();
        distinct.dedup();
        prop_assert_eq!(distinct.len(), cycle.len());
    }
}

#[test]
fn references_to_other_tracks_do_not_count() {
    let steps = [step(3, &[99]), step(4, &[3, 99])];
    assert_eq!(levels(&steps).unwrap(), [0, 1]);
}

//! The property of a plan's JSON.

#![expect(clippy::panic, reason = "a property says by panicking what does not hold")]

use leg_core::plan::{Plan, parse, validate};
use leg_core::{Registry, canonical, compile};

/// What JSON of any shape may say as a plan.
///
/// - A shape that is refused gives at least one diagnostic, each with a message, and all pointers lead into the
///   value or to a key that should be in it.
/// - A shape that is read comes back from its own JSON as the same plan.
/// - A valid plan is valid again with nothing left to normalise, and compiles twice to one digest or is refused
///   with diagnostics.
///
/// # Panics
/// When one of these does not hold.
pub fn plan_json(registry: &Registry, data: &[u8]) {
    let Ok(value) = serde_json::from_slice::<serde_json::Value>(data) else { return };
    match parse(&value) {
        Ok(plan) => check_plan(registry, plan),
        Err(faults) => {
            assert!(!faults.is_empty(), "refused without a reason: {value}");
            for fault in faults {
                assert!(!fault.message.is_empty(), "{fault:?}");
                let parent = fault.pointer.rsplit_once('/').map_or("", |(parent, _)| parent);
                let found = value.pointer(&fault.pointer).or_else(|| value.pointer(parent));
                assert!(found.is_some(), "`{}` leads nowhere: {value}", fault.pointer);
            }
        }
    }
}

pub(super) fn check_plan(registry: &Registry, plan: Plan) {
    let json = plan.to_json();
    let again = parse(&json).unwrap_or_else(|faults| panic!("does not come back: {json}: {faults:?}"));
    // A number such as `1e3` comes back as `1000`: another value of the library, the same canonical form.
    let bytes = |plan: &Plan| canonical::to_vec(plan).ok();
    assert_eq!(bytes(&again), bytes(&plan), "comes back as another plan: {json}");
    let Ok(valid) = validate(plan, registry) else { return };
    let twice = validate(valid.plan().clone(), registry);
    let twice = twice.unwrap_or_else(|faults| panic!("valid once: {json}: {faults:?}"));
    assert_eq!(twice.normalizations(), [], "normalised twice: {json}");
    match compile(&valid, registry) {
        Ok(graph) => {
            let same = compile(&valid, registry).map(|graph| graph.digest());
            assert_eq!(same.ok(), Some(graph.digest()), "two digests: {json}");
        }
        Err(error) => assert!(!error.diagnostics().is_empty(), "{error:?}"),
    }
}

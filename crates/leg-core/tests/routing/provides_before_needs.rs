//! Who uses a fact works after who finds it.

use leg_core::routing::{Draft, Router, RuleContext, Work};
use proptest::prelude::*;

use crate::tangled::tangled_plan;
use crate::world::registry;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn a_need_that_can_be_met_is_met(plan in tangled_plan()) {
        let registry = registry();
        let once = Router::default()
            .route(Draft::of_plan(&plan, &registry).unwrap(), &RuleContext::new(&registry))
            .unwrap();
        for track in &once.draft.tracks {
            let layers_of = |wanted: &str, free: bool| -> Vec<usize> {
                let layers = track.layers.iter().enumerate().filter(|(_, layer)| {
                    layer.nodes.iter().any(|node| match &node.work {
                        Work::Agent(agent) => agent.agent.as_str() == wanted && !(free && agent.when.is_some()),
                        Work::Tool(_) => false,
                    })
                });
                layers.map(|(at, _)| at).collect()
            };
            // A tracker needs nothing: only a condition can make it wait for a gauge that waits for it.
            if layers_of("tracker", true).is_empty() {
                continue;
            }
            if let Some(gauge) = layers_of("gauge", false).first() {
                prop_assert!(layers_of("tracker", false)[0] < *gauge);
            }
        }
    }
}

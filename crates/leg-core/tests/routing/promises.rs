//! What holds for every plan, whatever the rules did.

use leg_core::routing::{Draft, Router, RuleApplication, RuleContext};
use proptest::prelude::*;

use crate::tangled::any_plan;
use crate::world::{compile, registry};
use crate::{
    consolidator_after_layer, image_after_images, lift_shared_steps, merge_after_tracks, reporter_last,
    sanity_check, split_data_classes,
};

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn running_the_rules_twice_changes_nothing(plan in any_plan()) {
        let registry = registry();
        let context = RuleContext::new(&registry);
        let router = Router::default();
        let once = router.route(Draft::of_plan(&plan, &registry).unwrap(), &context).unwrap();
        let twice = router.route(once.draft.clone(), &context).unwrap();
        prop_assert_eq!(twice.applications, Vec::<RuleApplication>::new());
        prop_assert_eq!(twice.draft, once.draft);
    }

    #[test]
    fn the_routed_plan_compiles_to_the_same_graph(plan in any_plan()) {
        let registry = registry();
        let graph = compile(&plan, &registry).unwrap();
        // References into a shared track cross tracks, which no plan of a planner may do.
        if graph.tracks().iter().any(|track| track.shared) {
            return Ok(());
        }
        let again = compile(graph.plan(), &registry).unwrap();
        prop_assert_eq!(again.digest(), graph.digest());
        prop_assert_eq!(again.tracks(), graph.tracks());
        prop_assert!(again.applications().iter().all(|one| one.before != one.after));
    }

    #[test]
    fn every_promise_of_the_graph_holds(plan in any_plan()) {
        let registry = registry();
        let graph = compile(&plan, &registry).unwrap();
        lift_shared_steps::holds(&graph)?;
        split_data_classes::holds(&graph, &registry)?;
        image_after_images::holds(&graph, &registry)?;
        consolidator_after_layer::holds(&graph)?;
        merge_after_tracks::holds(&graph)?;
        reporter_last::holds(&graph)?;
        sanity_check::holds(&graph, &plan)?;
        prop_assert_eq!(compile(&plan, &registry).unwrap().digest(), graph.digest());
    }
}

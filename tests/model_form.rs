//! Specialists in the model form: a scripted model over recorded services.

#![cfg(all(feature = "hydro", feature = "ocean"))]
#![expect(clippy::unwrap_used, reason = "a test stops at what it does not expect")]

use std::path::Path;
use std::sync::Arc;

use leg::agents::specialist::ModelSpecialist;
use leg::core::AgentTask;
use leg::core::model::ChatReply;
use leg::hydro_specialists::Addresses;
use leg::hydro_specialists::recorded::Recorded;
use leg::prelude::*;
use leg::{Catalog, Services};
use leg_testkit::{FakeDesk, ScriptedModel};
use serde_json::json;

fn catalog() -> Catalog {
    let recorded =
        Recorded::open(&Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/recordings")).unwrap();
    let services = Services::new(Arc::new(recorded), Addresses::below(&Recorded::address().unwrap()));
    Catalog::with_services(leg::ocean_tools::Datasets::from_flags::<&str>(&[]).unwrap(), &services).unwrap()
}

#[tokio::test]
async fn a_model_calls_the_tools_of_its_specialist_and_cites_their_evidence() {
    let catalog = catalog();
    let model = ScriptedModel::new(vec![
        ChatReply::calling("nhc_get_best_track", json!({"storm_id": "AL902022"})),
        ChatReply::saying("The lowest central pressure of Tessa was 945 hPa. [nhc.min_pressure]"),
    ]);
    let agent = ModelSpecialist::of(catalog.registry(), "nhc", Arc::new(model)).unwrap();
    let desk = FakeDesk::new(Arc::clone(catalog.registry()), &agent.spec());
    let task = AgentTask { task: "How low was Tessa's pressure?".to_owned(), ..AgentTask::default() };
    let answer = agent.work(task, &desk).await.unwrap();
    assert_eq!(answer.text, "The lowest central pressure of Tessa was 945 hPa. [nhc.min_pressure]");
    assert!(answer.gaps.is_empty(), "{:?}", answer.gaps);
    assert_eq!(desk.calls().len(), 1);
}

#[tokio::test]
async fn another_specialists_tool_is_refused() {
    let catalog = catalog();
    for spec in catalog.registry().agents().map(|agent| agent.spec.clone()).collect::<Vec<_>>() {
        let foreign = if spec.id.as_str() == "nhc" { "coops_get_datums" } else { "nhc_list_active_storms" };
        let model = ScriptedModel::new(vec![
            ChatReply::calling(foreign, json!({"station_id": "9990001"})),
            ChatReply::saying(""),
        ]);
        let agent = ModelSpecialist::of(catalog.registry(), spec.id.as_str(), Arc::new(model)).unwrap();
        assert!(!agent.spec().system_prompt.is_empty(), "{} has no prompt", spec.id);
        let desk = FakeDesk::new(Arc::clone(catalog.registry()), &agent.spec());
        let answer = agent.work(AgentTask::default(), &desk).await.unwrap();
        assert!(answer.gaps.iter().any(|gap| gap.contains(foreign)), "{}: {:?}", spec.id, answer.gaps);
    }
}

//! [`Specialist`]: the rules form of the CO-OPS agent.

use async_trait::async_trait;
use leg_core::{Agent, AgentAnswer, AgentId, AgentSpec, AgentTask, DataClass, Desk, ToolError, ToolName};

use super::answers::Work;
use super::clauses::{clauses, is_placeless};
use super::topics::{Topic, topics};
use crate::question::behind;
use crate::question::stations;

/// Finds topic, stations, dates and datum in its task, then in the run's question, then in the evidence of earlier
/// layers, and asks. It guesses nothing: what it does not find becomes a gap.
#[derive(Debug, Clone, Copy)]
pub struct Specialist;

#[async_trait]
impl Agent for Specialist {
    #[expect(
        clippy::expect_used,
        reason = "the names are constants of the right form; every test makes them"
    )]
    fn spec(&self) -> AgentSpec {
        let id = AgentId::new("coops").expect("a valid agent id");
        let summary =
            "NOAA CO-OPS: observed and predicted water level of tide gauges, datums, extremes, sensors.";
        let mut spec = AgentSpec::specialist(id, summary);
        spec.data_class = Some(DataClass::Observation);
        include_str!("../../prompts/coops.md").trim().clone_into(&mut spec.system_prompt);
        spec.capabilities = [
            "observed water level at a NOAA tide gauge, with its highest and lowest value and their times",
            "storm surge at a gauge: observed level minus predicted tide",
            "predicted tides and tidal currents of a station",
            "water levels relative to MLLW, MSL, NAVD88 and the other datums of a station, and conversion between them",
            "record and top ten water levels, high-tide-flood days, sea level trends of a station",
            "wind, air pressure, temperatures and currents that a station observes",
        ]
        .map(str::to_owned)
        .to_vec();
        spec.tools =
            super::tools::NAMES.iter().map(|name| ToolName::new(*name).expect("a valid tool name")).collect();
        spec.provides = vec!["water_level".to_owned()];
        spec.needs = vec!["storm_track".to_owned()];
        spec.cues = crate::cues(include_str!("../../data/cues/coops.txt"));
        spec
    }

    async fn work(&self, task: AgentTask, desk: &dyn Desk) -> Result<AgentAnswer, ToolError> {
        let mut work = Work::new(&task, desk);
        let clauses = clauses(&task.task);
        if let [first, second, rest @ ..] = clauses.as_slice() {
            // Each asks for something of its own, at a place of its own or at that of the one before.
            let mut before: &str = &task.task;
            for clause in [first, second].into_iter().chain(rest) {
                let own = !is_placeless(clause);
                work.turn_to(clause, if own { &task.task } else { before });
                for topic in topics(clause) {
                    work.answer(topic).await;
                }
                if own {
                    before = clause;
                }
            }
            return Ok(work.into_answer());
        }
        let mut asked = topics(&task.task);
        if asked.is_empty() {
            asked = topics(behind(&task));
        }
        if asked.is_empty() {
            let meter = |text: &str| {
                stations(text).iter().any(|own| !own.as_str().starts_with(|c: char| c.is_ascii_digit()))
            };
            let currents = meter(&task.task) || (stations(&task.task).is_empty() && meter(behind(&task)));
            asked.push(if currents { Topic::Currents } else { Topic::Level });
        }
        for topic in asked {
            work.answer(topic).await;
        }
        Ok(work.into_answer())
    }
}

//! [`Specialist`]: the rules form of the FEMA agent.

use async_trait::async_trait;
use leg_core::run::CallResult;
use leg_core::{
    Agent, AgentAnswer, AgentId, AgentSpec, AgentTask, DataClass, Desk, Expectation, ToolError, ToolName,
};
use serde_json::{Value, json};

use super::sentences;
use super::tools::NAMES;
use super::wanted::Wanted;
use crate::findings::Findings;
use crate::prose::{degrees, named};
use crate::question::Point;
use crate::question::behind;

/// Half the side of the box around a point in which lines are looked for, in degrees: about a kilometre.
const AROUND: f64 = 0.01;

/// Finds points, boxes or studies in its task, then in the run's question, then in the evidence of earlier layers, and reads
/// the flood map there. It guesses nothing: what it does not find becomes a gap.
#[derive(Debug, Clone, Copy)]
pub struct Specialist;

#[async_trait]
impl Agent for Specialist {
    #[expect(
        clippy::expect_used,
        reason = "the names are constants of the right form; every test makes them"
    )]
    fn spec(&self) -> AgentSpec {
        let id = AgentId::new("fema").expect("a valid agent id");
        let summary = "FEMA NFHL: mapped flood zones, base flood elevations, panels.";
        let mut spec = AgentSpec::specialist(id, summary);
        spec.data_class = Some(DataClass::Hypothetical);
        include_str!("../../prompts/fema.md").trim().clone_into(&mut spec.system_prompt);
        spec.capabilities = [
            "flood zone, special flood hazard area and base flood elevation at a point",
            "flood zones of a box or a study: counts, highest elevation, coastal limits",
            "FIRM panel with its effective date, coverage of digital flood data, pictures of the flood map",
        ]
        .map(str::to_owned)
        .to_vec();
        spec.cues = crate::cues(include_str!("../../data/cues/fema.txt"));
        spec.tools = NAMES.iter().map(|name| ToolName::new(*name).expect("a valid tool name")).collect();
        spec.provides = vec!["flood_zone".to_owned()];
        spec.produces_images = true;
        spec.expects = Some(Expectation { calls: 6, tokens: 0 });
        spec
    }

    async fn work(&self, task: AgentTask, desk: &dyn Desk) -> Result<AgentAnswer, ToolError> {
        let wanted = Wanted::read(&task.task).or(&Wanted::read(behind(&task))).or_evidence(&task.evidence);
        let mut work = Work { wanted, words: task.task.clone(), desk, findings: Findings::default() };
        work.all().await;
        Ok(work.findings.into_answer())
    }
}

struct Work<'a> {
    wanted: Wanted,
    words: String,
    desk: &'a dyn Desk,
    findings: Findings,
}

impl Work<'_> {
    async fn all(&mut self) {
        let wanted = self.wanted.clone();
        if wanted.service {
            if let Some(result) = self.call("fema_service_info", json!({}), "the service").await {
                sentences::service(&mut self.findings, &result.evidence, &self.words);
            }
            if wanted.points.is_empty() && wanted.boxes.is_empty() && wanted.studies.is_empty() {
                return;
            }
        }
        if wanted.points.is_empty() && wanted.boxes.is_empty() && wanted.studies.is_empty() {
            self.findings.gap(
                "no place is named; give degrees north and east such as `26.45, -82.0`, or a box west, south, east, north",
            );
            return;
        }
        for id in &wanted.studies {
            if let Some(result) = self.call("fema_zones_of_study", json!({ "dfirm_id": id }), id).await {
                sentences::zones(&mut self.findings, &result.evidence, &format!("Study {id}"), &wanted);
            }
        }
        for sides in &wanted.boxes {
            self.in_box(*sides).await;
        }
        for (point, name) in &wanted.points {
            // Zones around a town are those of a box; the middle of the town alone would be one lot.
            if wanted.around && !name.is_empty() && wanted.zone && !wanted.panel && !wanted.bfe {
                self.in_box(around(*point)).await;
            } else {
                self.at_point(*point, name).await;
            }
        }
    }

    async fn call(&mut self, tool: &str, arguments: Value, what: &str) -> Option<CallResult> {
        match self.desk.call(tool, arguments).await {
            Ok(result) => Some(result),
            Err(error) => {
                self.findings.failed(&format!("the flood map of {what} did not come"), &error);
                None
            }
        }
    }

    async fn in_box(&mut self, sides: [f64; 4]) {
        let wanted = self.wanted.clone();
        let spot = sentences::box_text(sides);
        let arguments = json!({ "bbox": sides });
        let only_bfe = wanted.bfe && !wanted.zone && !wanted.counts && !wanted.coverage;
        let nothing_else = !wanted.coastal && !wanted.image && !only_bfe;
        if (wanted.zone && !wanted.coastal) || wanted.counts || nothing_else {
            let mut arguments = arguments.clone();
            if wanted.sfha {
                arguments["sfha_only"] = json!(true);
            }
            if let Some(result) = self.call("fema_zones_in_bbox", arguments, &spot).await {
                sentences::zones(&mut self.findings, &result.evidence, &sentences::capital(&spot), &wanted);
            }
        }
        // Zones of a coast have elevations of their own beside the lines.
        if only_bfe
            && !wanted.lines
            && let Some(result) = self.call("fema_zones_in_bbox", arguments.clone(), &spot).await
        {
            sentences::highest_zone(&mut self.findings, &result.evidence, &spot);
        }
        if wanted.bfe
            && let Some(result) = self.call("fema_bfe_lines", arguments.clone(), &spot).await
        {
            sentences::lines(&mut self.findings, &result.evidence, &spot);
        }
        if wanted.coastal
            && let Some(result) = self.call("fema_coastal_limits", arguments.clone(), &spot).await
        {
            sentences::coastal(&mut self.findings, &result.evidence, &spot);
        }
        if wanted.image
            && let Some(result) = self.call("fema_map_image", arguments, &spot).await
        {
            sentences::image(&mut self.findings, &result.evidence, &spot);
        }
    }

    async fn at_point(&mut self, point: Point, name: &str) {
        let wanted = self.wanted.clone();
        let spot = degrees(point.lat, point.lon);
        let spot = if name.is_empty() { spot } else { format!("{name} ({spot})") };
        let arguments = json!({ "lat": point.lat, "lon": point.lon });
        if wanted.coverage
            && let Some(result) = self.call("fema_check_coverage", arguments.clone(), &spot).await
        {
            sentences::coverage(&mut self.findings, &result.evidence, &spot);
        }
        if wanted.panel
            && let Some(result) = self.call("fema_firm_panel", arguments.clone(), &spot).await
        {
            sentences::panel(&mut self.findings, &result.evidence, &spot);
        }
        let nothing_else = !wanted.coverage && !wanted.panel && !wanted.image && !wanted.coastal;
        if wanted.zone || wanted.bfe || wanted.counts || nothing_else {
            let Some(result) = self.call("fema_zone_at_point", arguments, &spot).await else { return };
            sentences::zone(&mut self.findings, &result.evidence, &spot);
            let mapped = named(&result.evidence, "zone").is_some();
            if wanted.bfe && mapped && named(&result.evidence, "static_bfe").is_none() {
                self.lines_around(point, &spot).await;
            }
        }
        if wanted.image || wanted.coastal {
            let sides = around(point);
            let text = sentences::box_text(sides);
            for (tool, is_image) in [("fema_map_image", true), ("fema_coastal_limits", false)] {
                if (is_image && !wanted.image) || (!is_image && !wanted.coastal) {
                    continue;
                }
                if let Some(result) = self.call(tool, json!({ "bbox": sides }), &text).await {
                    if is_image {
                        sentences::image(&mut self.findings, &result.evidence, &text);
                    } else {
                        sentences::coastal(&mut self.findings, &result.evidence, &text);
                    }
                }
            }
        }
    }

    /// A zone without a static elevation: the lines near it, which are not interpolated.
    async fn lines_around(&mut self, point: Point, spot: &str) {
        self.findings.gap(format!(
            "the zone at {spot} has no static base flood elevation; lines and cross sections near it hold it, and nothing is \
             interpolated"
        ));
        let sides = around(point);
        let text = sentences::box_text(sides);
        if let Some(result) = self.call("fema_bfe_lines", json!({ "bbox": sides }), &text).await
            && named(&result.evidence, "max_elev").is_some()
        {
            sentences::lines(&mut self.findings, &result.evidence, &text);
        }
    }
}

/// A small box around a point, in whole ten-thousandths of a degree.
fn around(point: Point) -> [f64; 4] {
    let round = |value: f64| (value * 1e4).round() / 1e4;
    [point.lon - AROUND, point.lat - AROUND, point.lon + AROUND, point.lat + AROUND].map(round)
}

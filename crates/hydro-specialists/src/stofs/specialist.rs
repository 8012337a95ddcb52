//! [`Specialist`]: the rules form of the STOFS agent.

use async_trait::async_trait;
use leg_core::run::CallResult;
use leg_core::{
    Agent, AgentAnswer, AgentId, AgentSpec, AgentTask, DataClass, Desk, Evidence, Expectation, ToolError,
    ToolErrorKind, ToolName,
};
use serde_json::{Value, json};

use super::model::{Model, Product};
use super::task_text::{Asked, Topic};
use super::tools::{
    CompareObserved, ContourMap, ListCycles, MaxStations, NodeSeries, PointForecast, StationForecast,
    SystemInfo,
};
use crate::findings::{Findings, find};
use crate::question::behind;
use crate::tool::ServiceTool as _;
use crate::words::{above, amount, date, on, position};

/// How far a map reaches around a point that is named, degrees.
const AROUND: f64 = 0.75;
/// The most stations or places that one answer is about.
const MOST: usize = 6;

/// Finds places, cycles and products in its task, then in the run's question, and asks for the forecast. It guesses nothing:
/// what it does not find becomes a gap.
#[derive(Debug, Clone, Copy)]
pub struct Specialist;

#[async_trait]
impl Agent for Specialist {
    #[expect(
        clippy::expect_used,
        reason = "all names are constants of the right form; every test makes them"
    )]
    fn spec(&self) -> AgentSpec {
        let id = AgentId::new("stofs").expect("a valid agent id");
        let mut spec = AgentSpec::specialist(id, "NOAA STOFS: forecast water level, tide and surge.");
        spec.data_class = Some(DataClass::Forecast);
        include_str!("../../prompts/stofs.md").trim().clone_into(&mut spec.system_prompt);
        spec.capabilities = [
            "forecast water level, tide or storm surge at a station or a place, with its highest and lowest value and when",
            "forecast at a point of the model's mesh, and maps of the forecast over a stretch of coast",
            "stations with the highest forecast peaks; how well a forecast fits a tide gauge; which cycles there are",
        ]
        .map(str::to_owned)
        .to_vec();
        spec.cues = crate::cues(include_str!("../../data/cues/stofs.txt"));
        spec.tools =
            super::tools::NAMES.iter().map(|name| ToolName::new(*name).expect("a valid tool name")).collect();
        spec.provides = vec!["water_level_forecast".to_owned()];
        spec.produces_images = true;
        spec.expects = Some(Expectation { calls: 4, tokens: 0 });
        spec
    }

    async fn work(&self, task: AgentTask, desk: &dyn Desk) -> Result<AgentAnswer, ToolError> {
        let own = Asked::read(&task.task);
        let asked = if task.question.is_empty() { own } else { own.or(Asked::read(behind(&task))) };
        let mut findings = Findings::default();
        match asked.topic.unwrap_or(Topic::Level) {
            // Two models are compared with each other, where no gauge is named.
            Topic::Compare if asked.both => level(&asked, desk, &mut findings).await?,
            Topic::Compare => compare(&asked, desk, &mut findings).await?,
            Topic::Map => map(&asked, desk, &mut findings).await?,
            Topic::Stations => stations(&asked, desk, &mut findings).await?,
            Topic::Cycles => cycles(&asked, desk, &mut findings).await?,
            Topic::System => system(&asked, desk, &mut findings).await?,
            Topic::Level => level(&asked, desk, &mut findings).await?,
        }
        Ok(findings.into_answer())
    }
}

/// Calls a tool; a failure and an answer without data become gaps, a stop ends the work.
async fn call(
    desk: &dyn Desk,
    tool: &str,
    arguments: Value,
    what: &str,
    findings: &mut Findings,
) -> Result<Option<CallResult>, ToolError> {
    match desk.call(tool, arguments).await {
        Ok(result) => {
            if let Some(said) = find(&result.evidence, "no_data") {
                findings.gap(format!("{what}: {}", said.value.as_str().unwrap_or("there is nothing")));
                return Ok(None);
            }
            Ok(Some(result))
        }
        Err(error) if error.kind == ToolErrorKind::Cancelled => Err(error),
        Err(error) => {
            findings.failed(what, &error);
            Ok(None)
        }
    }
}

/// The arguments with the cycle that is named.
fn with_cycle(asked: &Asked, mut arguments: Value) -> Value {
    if let Some(day) = asked.day() {
        arguments["cycle_date"] = json!(day.to_string());
    }
    if let Some(hour) = asked.hour {
        arguments["cycle_hour"] = json!(hour);
    }
    arguments
}

/// ` in the STOFS cycle of 21 February 2026 at 12:00 UTC`, and the evidence that says so.
fn of_cycle(evidence: &[Evidence]) -> (String, Option<&Evidence>) {
    let cycle = find(evidence, "cycle");
    let when = cycle.and_then(|cycle| cycle.when.as_deref());
    (when.map_or_else(String::new, |when| format!(" in the STOFS cycle of {}", date(when))), cycle)
}

/// Says the highest and the lowest level at a place, and what else is known of the series.
fn say_series(place: &str, product: Product, result: &CallResult, findings: &mut Findings) {
    let evidence = &result.evidence;
    let (cycle, cited) = of_cycle(evidence);
    let words = product.words();
    let cite = |own| std::iter::once(own).chain(cited).collect::<Vec<&Evidence>>();
    if let Some(max) = find(evidence, "max") {
        let text = format!(
            "The highest forecast {words} at {place} is {}{}{}{cycle}.",
            amount(max),
            above(max),
            on(max)
        );
        findings.say(text, &cite(max));
    }
    if let Some(min) = find(evidence, "min") {
        findings.say(
            format!("The lowest forecast {words} at {place} is {}{}{}.", amount(min), above(min), on(min)),
            &[min],
        );
    }
    if let Some(times) = find(evidence, "n_times") {
        let step = find(evidence, "step");
        let every = step.map_or_else(String::new, |step| format!(", one every {}", amount(step)));
        let cited: Vec<&Evidence> = std::iter::once(times).chain(step).collect();
        findings.say(format!("The forecast at {place} has {} times{every}.", amount(times)), &cited);
    }
}

async fn level(asked: &Asked, desk: &dyn Desk, findings: &mut Findings) -> Result<(), ToolError> {
    if asked.both {
        for model in [Model::Global2d, Model::Atlantic3d] {
            let own = Asked { model, both: false, ..asked.clone() };
            Box::pin(level(&own, desk, findings)).await?;
        }
        return Ok(());
    }
    if asked.stations.is_empty() && asked.points.is_empty() && asked.places.is_empty() {
        if asked.coasts.is_empty() && asked.boxes.is_empty() {
            findings.gap(
                "no place is named for the forecast; give a NOAA station id, seven digits such as `8452660`, a town on the \
                 coast, or coordinates",
            );
            return Ok(());
        }
        // The field has a highest level of its own; stations are only some of its places.
        if asked.on_mesh {
            return map(asked, desk, findings).await;
        }
        return stations(asked, desk, findings).await;
    }
    for station in asked.stations.iter().take(MOST) {
        at_station(asked, station.as_str(), None, desk, findings).await?;
    }
    for point in asked.points.iter().take(MOST) {
        let own = json!({ "lat": point.lat, "lon": point.lon, "product": asked.product });
        let what = format!("the forecast at {}, {}", point.lat, point.lon);
        if let Some(result) = call(desk, NodeSeries::NAME, with_cycle(asked, own), &what, findings).await? {
            say_node(asked, &result, findings);
        }
    }
    for place in asked.places.iter().take(MOST) {
        if place.gauge.as_deref().is_some_and(|gauge| asked.stations.iter().any(|own| own.as_str() == gauge))
        {
            continue;
        }
        match place.gauge.as_deref() {
            Some(gauge) if !asked.on_mesh => {
                at_station(asked, gauge, Some((&place.name, place.lat, place.lon)), desk, findings).await?;
            }
            _ if asked.on_mesh => {
                let own = json!({ "lat": place.lat, "lon": place.lon, "product": asked.product });
                let what = format!("the forecast at the mesh near {}", place.name);
                if let Some(result) =
                    call(desk, NodeSeries::NAME, with_cycle(asked, own), &what, findings).await?
                {
                    say_node(asked, &result, findings);
                }
            }
            _ => near(asked, &place.name, place.lat, place.lon, desk, findings).await?,
        }
    }
    Ok(())
}

/// The forecast at a station; when it is not in the file, at the one nearest to its place.
async fn at_station(
    asked: &Asked,
    station: &str,
    place: Option<(&str, f64, f64)>,
    desk: &dyn Desk,
    findings: &mut Findings,
) -> Result<(), ToolError> {
    let own = json!({ "station_id": station, "product": asked.product, "model": asked.model });
    match (desk.call(StationForecast::NAME, with_cycle(asked, own)).await, place) {
        (Err(error), Some((name, lat, lon)))
            if error.message.contains("is not among the") && asked.model == Model::Global2d =>
        {
            near(asked, name, lat, lon, desk, findings).await
        }
        (Err(error), _) if error.kind == ToolErrorKind::Cancelled => Err(error),
        (Err(error), _) => {
            findings.failed(&format!("the forecast at station {station}"), &error);
            Ok(())
        }
        (Ok(result), _) => {
            if let Some(said) = find(&result.evidence, "no_data") {
                let said = said.value.as_str().unwrap_or("there is nothing");
                findings.gap(format!("the forecast at station {station}: {said}"));
                // Tide or surge alone is not there: the level of both together is, and is called so.
                if asked.product != Product::Cwl {
                    let whole = Asked { product: Product::Cwl, ..asked.clone() };
                    return Box::pin(at_station(&whole, station, place, desk, findings)).await;
                }
                return Ok(());
            }
            let name = find(&result.evidence, "station").and_then(|own| own.value.as_str());
            let place = name
                .map_or_else(|| format!("station {station}"), |name| format!("station {station} ({name})"));
            let place = if asked.model == Model::Atlantic3d {
                format!("{place} by {}", asked.model.title())
            } else {
                place
            };
            say_series(&place, asked.product, &result, findings);
            Ok(())
        }
    }
}

async fn near(
    asked: &Asked,
    name: &str,
    lat: f64,
    lon: f64,
    desk: &dyn Desk,
    findings: &mut Findings,
) -> Result<(), ToolError> {
    let own = json!({ "lat": lat, "lon": lon, "product": asked.product });
    let what = format!("the forecast near {name}");
    let Some(result) = call(desk, PointForecast::NAME, with_cycle(asked, own), &what, findings).await? else {
        return Ok(());
    };
    let (Some(station), Some(max)) = (find(&result.evidence, "station"), find(&result.evidence, "max"))
    else {
        return Ok(());
    };
    let id = max.place.as_ref().and_then(|place| place.get("station")?.as_str()).unwrap_or_default();
    let shown = station.value.as_str().unwrap_or_default();
    say_series(&format!("station {id} ({shown})"), asked.product, &result, findings);
    if let Some(far) = find(&result.evidence, "distance") {
        findings.say(format!("Station {id} is {} away.", amount(far)), &[far]);
    }
    Ok(())
}

fn say_node(asked: &Asked, result: &CallResult, findings: &mut Findings) {
    let evidence = &result.evidence;
    let (Some(node), Some(max)) = (find(evidence, "node"), find(evidence, "max")) else { return };
    let at = position(max).unwrap_or_default();
    say_series(&format!("the nearest wet node of the mesh ({at})"), asked.product, result, findings);
    findings.say(format!("The nearest wet node is node {} of the mesh.", amount(node)), &[node]);
    if let Some(far) = find(evidence, "distance") {
        findings.say(format!("The node lies {} from the point.", amount(far)), &[far]);
    }
    if let Some(depth) = find(evidence, "depth") {
        findings.say(format!("The depth of the sea floor at the node is {}.", amount(depth)), &[depth]);
    }
    if let Some(bytes) = find(evidence, "bytes_read") {
        findings.say(format!("This took {} bytes of the field file.", bytes.value), &[bytes]);
    }
}

async fn map(asked: &Asked, desk: &dyn Desk, findings: &mut Findings) -> Result<(), ToolError> {
    let around = |lat: f64, lon: f64| [lon - AROUND, lat - AROUND, lon + AROUND, lat + AROUND];
    let bbox = (asked.boxes.first().copied())
        .or_else(|| asked.points.first().map(|point| around(point.lat, point.lon)))
        .or_else(|| asked.places.first().map(|place| around(place.lat, place.lon)))
        .or_else(|| asked.coasts.first().map(|coast| coast.bbox));
    let Some(bbox) = bbox else {
        findings.gap(
            "no area is named for the map; give a coast, a town, or west, south, east and north in degrees",
        );
        return Ok(());
    };
    let mut own = json!({ "bbox": bbox, "product": asked.product });
    if let Some(lead) = asked.lead {
        own["lead_h"] = json!(lead);
    }
    let Some(result) = call(desk, ContourMap::NAME, with_cycle(asked, own), "the map", findings).await?
    else {
        return Ok(());
    };
    let evidence = &result.evidence;
    let (cycle, cited) = of_cycle(evidence);
    let words = asked.product.words();
    for (name, which) in [("max", "highest"), ("min", "lowest")] {
        if let Some(one) = find(evidence, name) {
            let at = position(one).map_or_else(String::new, |at| format!(" at {at}"));
            let when =
                one.when.as_deref().filter(|when| !when.contains('/')).map_or_else(String::new, |_| on(one));
            let text = format!(
                "The {which} forecast {words} on the map is {}{}{at}{when}{cycle}.",
                amount(one),
                above(one)
            );
            findings.say(text, &std::iter::once(one).chain(cited).collect::<Vec<_>>());
        }
    }
    if let (Some(wet), Some(all)) = (find(evidence, "wet_nodes"), find(evidence, "n_nodes")) {
        findings.say(format!("On the map {} of {} nodes are wet.", amount(wet), amount(all)), &[wet, all]);
    }
    Ok(())
}

async fn stations(asked: &Asked, desk: &dyn Desk, findings: &mut Findings) -> Result<(), ToolError> {
    let mut own = json!({ "top_n": asked.top.unwrap_or(5) });
    if let Some(region) = asked.region() {
        own["region"] = json!(region);
    }
    let what = "the stations with the highest peaks";
    let Some(result) = call(desk, MaxStations::NAME, with_cycle(asked, own), what, findings).await? else {
        return Ok(());
    };
    let evidence = &result.evidence;
    let (cycle, cited) = of_cycle(evidence);
    let peaks: Vec<&Evidence> = evidence.iter().filter(|one| one.name.starts_with("peak_")).collect();
    for (at, peak) in peaks.iter().enumerate() {
        let place = peak.place.as_ref();
        let text = |name: &str| place.and_then(|place| place.get(name)?.as_str()).unwrap_or_default();
        let which = if at == 0 { "The highest forecast peak is at" } else { "Next comes" };
        let said = format!(
            "{which} station {} ({}): {}{}{}",
            text("station"),
            text("name"),
            amount(peak),
            above(peak),
            on(peak)
        );
        if at == 0 {
            findings.say(format!("{said}{cycle}."), &std::iter::once(*peak).chain(cited).collect::<Vec<_>>());
        } else {
            findings.say(format!("{said}."), &[*peak]);
        }
    }
    if let (Some(count), Some(without)) = (find(evidence, "n_stations"), find(evidence, "n_without")) {
        let text = format!(
            "The file has {} stations with a peak and {} without any value.",
            amount(count),
            amount(without)
        );
        findings.say(text, &[count, without]);
    }
    if let Some(dropped) = find(evidence, "n_dropped").filter(|dropped| dropped.value.as_f64() > Some(0.0)) {
        findings.say(format!("Peaks of {} stations are faults and left out.", amount(dropped)), &[dropped]);
    }
    Ok(())
}

async fn cycles(asked: &Asked, desk: &dyn Desk, findings: &mut Findings) -> Result<(), ToolError> {
    let mut own = json!({ "model": asked.model });
    if let Some(day) = asked.day() {
        own["date"] = json!(day.to_string());
        own["days"] = json!(1);
    }
    let Some(result) = call(desk, ListCycles::NAME, own, "the cycles", findings).await? else {
        return Ok(());
    };
    let evidence = &result.evidence;
    if let Some(newest) = find(evidence, "newest") {
        let when = newest.when.as_deref().map_or_else(String::new, date);
        findings.say(format!("The newest cycle is that of {when}."), &[newest]);
    }
    if let (Some(count), Some(files)) = (find(evidence, "n_cycles"), find(evidence, "n_files")) {
        let are = if count.value.as_u64() == Some(1) { "cycle is" } else { "cycles are" };
        findings
            .say(format!("{} {are} listed, with {} files.", amount(count), amount(files)), &[count, files]);
    }
    Ok(())
}

async fn system(asked: &Asked, desk: &dyn Desk, findings: &mut Findings) -> Result<(), ToolError> {
    let mut own = with_cycle(asked, json!({ "model": asked.model }));
    if asked.wet {
        own["wet"] = json!(true);
    }
    let Some(result) = call(desk, SystemInfo::NAME, own, "the system", findings).await? else {
        return Ok(());
    };
    let evidence = &result.evidence;
    let title = asked.model.title();
    if let (Some(nodes), Some(elements)) = (find(evidence, "nodes"), find(evidence, "elements")) {
        let text =
            format!("The mesh of {title} has {} nodes and {} triangles.", amount(nodes), amount(elements));
        findings.say(text, &[nodes, elements]);
    }
    if let (Some(ever), Some(last)) = (find(evidence, "ever_wet"), find(evidence, "last_wet")) {
        let text = format!(
            "Of the nodes, {} are wet at one time at least and {} at the last time.",
            amount(ever),
            amount(last)
        );
        findings.say(text, &[ever, last]);
    } else if asked.wet {
        findings.gap("how many nodes are wet is not counted without a cycle, or in a file of this size; ask for a map of a box");
    }
    if let Some(times) = find(evidence, "n_times") {
        findings.say(format!("The field file has {} times.", amount(times)), &[times]);
    }
    if let (Some(cycles), Some(horizon)) = (find(evidence, "cycles_per_day"), find(evidence, "horizon")) {
        let text =
            format!("{title} has {} cycles a day and reaches {} ahead.", amount(cycles), amount(horizon));
        findings.say(text, &[cycles, horizon]);
    }
    if let Some(datum) = find(evidence, "station_datum") {
        let cycles = find(evidence, "cycles_per_day");
        let text = cycles.map_or_else(
            || format!("Levels at its stations are above {}.", amount(datum)),
            |cycles| {
                format!(
                    "Its {} cycles a day give levels at stations above {}.",
                    amount(cycles),
                    amount(datum)
                )
            },
        );
        findings.say(text, &std::iter::once(datum).chain(cycles).collect::<Vec<_>>());
    }
    Ok(())
}

async fn compare(asked: &Asked, desk: &dyn Desk, findings: &mut Findings) -> Result<(), ToolError> {
    let mut all: Vec<String> = asked.stations.iter().map(ToString::to_string).collect();
    all.extend(
        asked
            .places
            .iter()
            .filter_map(|place| place.gauge.clone())
            .filter(|gauge| asked.stations.iter().all(|own| own.as_str() != gauge)),
    );
    if all.is_empty() {
        findings.gap(
            "no tide gauge is named to compare with; give a NOAA station id, seven digits such as `8452660`",
        );
        return Ok(());
    }
    let Some((begin, end)) = asked.span else {
        findings.gap("no date is named to compare on; give the first and the last day, such as `2026-02-21`");
        return Ok(());
    };
    for station in all.iter().take(MOST) {
        let own = json!({
            "station_id": station,
            "begin": format!("{}Z", begin.first()),
            "end": format!("{}Z", end.last()),
        });
        let what = format!("the comparison at station {station}");
        let Some(result) = call(desk, CompareObserved::NAME, with_cycle(asked, own), &what, findings).await?
        else {
            continue;
        };
        say_scores(station, &result, findings);
    }
    // The extremes of the whole forecast, of which only a part may have been observed.
    for station in all.iter().take(MOST) {
        at_station(asked, station, None, desk, findings).await?;
    }
    Ok(())
}

fn say_scores(station: &str, result: &CallResult, findings: &mut Findings) {
    let evidence = &result.evidence;
    let (cycle, cited) = of_cycle(evidence);
    let name = find(evidence, "n").and_then(|own| own.place.as_ref()?.get("name")?.as_str());
    let place =
        name.map_or_else(|| format!("station {station}"), |name| format!("station {station} ({name})"));
    let Some(bias) = find(evidence, "bias") else { return };
    findings.say(
        format!("The bias of the forecast at {place} is {}{cycle}.", amount(bias)),
        &std::iter::once(bias).chain(cited).collect::<Vec<_>>(),
    );
    for (name, words) in [
        ("rmse", "root-mean-square error (RMSE)"),
        ("mae", "mean absolute error"),
        ("peak_error", "peak error"),
        ("correlation", "correlation with the observed level"),
    ] {
        if let Some(one) = find(evidence, name) {
            findings.say(format!("The {words} of the forecast at {place} is {}.", amount(one)), &[one]);
        }
    }
    for (name, words) in [("forecast_max", "forecast"), ("observed_max", "observed")] {
        if let Some(one) = find(evidence, name) {
            findings.say(
                format!("The highest {words} level at {place} is {}{}{}.", amount(one), above(one), on(one)),
                &[one],
            );
        }
    }
    if let Some(one) = find(evidence, "gauge_max") {
        let text = format!(
            "In the whole window the gauge's highest level was {}{}{}.",
            amount(one),
            above(one),
            on(one)
        );
        findings.say(text, &[one]);
    }
    if let Some(n) = find(evidence, "n") {
        findings.say(format!("The comparison at {place} has {} pairs of values.", amount(n)), &[n]);
    }
}

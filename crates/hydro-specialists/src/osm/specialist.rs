//! [`Specialist`]: the rules form of the map agent.

use std::sync::LazyLock;

use async_trait::async_trait;
use leg_core::run::CallResult;
use leg_core::{
    Agent, AgentAnswer, AgentId, AgentSpec, AgentTask, DataClass, Desk, Evidence, Expectation, ToolError,
    ToolErrorKind, ToolName,
};
use regex::Regex;
use serde_json::{Value, json};

use super::tools::{Geocode, Map, Reverse, Satellite, TileCover};
use crate::findings::{Findings, find};
use crate::question::behind;
use crate::question::coordinates::{boxes, points};
use crate::question::places::{coasts, places};
use crate::question::{Point, says};
use crate::tool::ServiceTool as _;
use crate::words::amount;

/// How far a map reaches around a place that is named, degrees of longitude and latitude: a town with its surroundings.
const AROUND: [f64; 2] = [0.12, 0.085];

const SATELLITE: [&str; 7] =
    ["satellite", "aerial", "imagery", "orthophoto", "from space", "from above", "air photo"];
const TILES: [&str; 3] = ["tiles", "tile", "how many tiles"];
const SIZE: [&str; 10] =
    ["pixel", "pixels", "px", "width", "wide", "height", "resolution", "dimensions", "size", "large"];
const WHERE: [&str; 10] = [
    "coordinates of",
    "coordinate of",
    "where is",
    "where are",
    "geocode",
    "locate",
    "location of",
    "position of",
    "latitude and longitude of",
    "what are the coordinates",
];
const REVERSE: [&str; 9] = [
    "what place",
    "which place",
    "what is at",
    "which county",
    "what county",
    "which state",
    "what town",
    "which town",
    "name of the place",
];
const MAP: [&str; 5] = ["map", "maps", "street map", "streets", "image"];

/// `zoom 12`, `zoom level 12`, `at zoom = 12`.
static ZOOM: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"(?i)\bzoom(?:\s+level)?(?:\s+of)?\s*[=:]?\s*(\d{1,2})\b").ok());
/// The name after the words that ask where it is.
static NAME: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(
        r"(?i)(?:coordinates?\s+of|where\s+(?:is|are)|geocode|locate|(?:location|position|longitude)\s+of|(?:map|image|picture|view|imagery)\s+(?:of|around|near|for))\s+(?:the\s+(?:town|city|place|area)\s+of\s+)?([^?.!;]+)",
    )
    .ok()
});

/// Finds boxes, places and points in its task, then in the run's question. It guesses nothing: what it does not find becomes a
/// gap.
#[derive(Debug, Clone, Copy)]
pub struct Specialist;

/// What a text asks.
#[derive(Debug, Clone)]
#[expect(clippy::struct_excessive_bools, reason = "each is a group of words that a text has or has not")]
struct Asked {
    satellite: bool,
    map: bool,
    tiles: bool,
    /// How large a tile or a picture is.
    size: bool,
    whereabouts: bool,
    reverse: bool,
    zoom: Option<u8>,
    boxes: Vec<[f64; 4]>,
    points: Vec<Point>,
    /// A place of the table, or a coast: its name and its box.
    known: Option<(String, Point, Option<[f64; 4]>)>,
    name: Option<String>,
}

impl Asked {
    fn read(text: &str) -> Self {
        let first = |regex: &LazyLock<Option<Regex>>| {
            regex
                .as_ref()
                .and_then(|regex| regex.captures(text)?.get(1).map(|own| own.as_str().trim().to_owned()))
        };
        let place = places(text)
            .into_iter()
            .next()
            .map(|place| (format!("{}, {}", place.name, place.state), place.point(), None));
        let coast = || {
            coasts(text).into_iter().next().map(|coast| {
                let [west, south, east, north] = coast.bbox;
                let middle = Point { lat: f64::midpoint(south, north), lon: f64::midpoint(west, east) };
                (coast.name, middle, Some(coast.bbox))
            })
        };
        Self {
            satellite: says(text, &SATELLITE),
            map: says(text, &MAP),
            tiles: says(text, &TILES),
            size: says(text, &SIZE),
            whereabouts: says(text, &WHERE),
            reverse: says(text, &REVERSE),
            zoom: first(&ZOOM).and_then(|zoom| zoom.parse().ok()).filter(|zoom| *zoom <= 19),
            boxes: boxes(text),
            points: points(text),
            known: place.or_else(coast),
            name: first(&NAME).map(|name| clean(&name)).filter(|name| !name.is_empty()),
        }
    }

    fn or(mut self, other: Self) -> Self {
        if self.boxes.is_empty() && self.points.is_empty() && self.known.is_none() {
            self.boxes = other.boxes;
            self.points = other.points;
            self.known = other.known;
            self.name = self.name.or(other.name);
        }
        if !(self.satellite || self.map || self.tiles || self.whereabouts || self.reverse) {
            (self.satellite, self.map, self.tiles) = (other.satellite, other.map, other.tiles);
            (self.whereabouts, self.reverse) = (other.whereabouts, other.reverse);
        }
        self.satellite |= other.satellite;
        self.zoom = self.zoom.or(other.zoom);
        self
    }
}

/// A name without the words that follow it.
fn clean(name: &str) -> String {
    let mut own = name.to_owned();
    for end in [
        " at zoom",
        " on a map",
        " on the map",
        " with ",
        " from ",
        " as a ",
        " in the box",
        " between ",
        " and its",
    ] {
        if let Some((before, _)) =
            own.to_lowercase().split_once(end).map(|(before, after)| (before.len(), after.len()))
        {
            own.truncate(before);
        }
    }
    let digits = own.bytes().filter(u8::is_ascii_digit).count();
    // A box or a point in numbers is no name, nor are the words before it.
    if digits > 1 { String::new() } else { own.trim_matches([' ', ',', '"', '\'']).to_owned() }
}

#[async_trait]
impl Agent for Specialist {
    #[expect(
        clippy::expect_used,
        reason = "all names are constants of the right form; every test makes them"
    )]
    fn spec(&self) -> AgentSpec {
        let id = AgentId::new("osm").expect("a valid agent id");
        let mut spec = AgentSpec::specialist(id, "Street maps, satellite images, and where places are.");
        spec.data_class = Some(DataClass::Observation);
        include_str!("../../prompts/osm.md").trim().clone_into(&mut spec.system_prompt);
        spec.capabilities = [
            "street map or satellite image of a box or around a place, with bounds and attribution",
            "coordinates of a place by its name, and the place of a point; how many map tiles a box needs",
        ]
        .map(str::to_owned)
        .to_vec();
        spec.cues = crate::cues(include_str!("../../data/cues/osm.txt"));
        spec.tools =
            super::tools::NAMES.iter().map(|name| ToolName::new(*name).expect("a valid tool name")).collect();
        spec.provides = vec!["place".to_owned()];
        spec.produces_images = true;
        spec.expects = Some(Expectation { calls: 3, tokens: 0 });
        spec
    }

    async fn work(&self, task: AgentTask, desk: &dyn Desk) -> Result<AgentAnswer, ToolError> {
        let own = Asked::read(&task.task);
        let asked = if task.question.is_empty() { own } else { own.or(Asked::read(behind(&task))) };
        let mut findings = Findings::default();
        if asked.size {
            if asked.tiles && !asked.satellite {
                cover(&asked, desk, &mut findings).await?;
            }
            draw(&asked, desk, &mut findings).await?;
        } else if asked.tiles && !asked.satellite {
            cover(&asked, desk, &mut findings).await?;
        } else if asked.reverse && !asked.points.is_empty() {
            reverse(&asked, desk, &mut findings).await?;
        } else if asked.whereabouts && !asked.map && !asked.satellite {
            locate(&asked, desk, &mut findings).await?;
        } else {
            draw(&asked, desk, &mut findings).await?;
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

/// A box around a point.
fn around(point: Point) -> [f64; 4] {
    [point.lon - AROUND[0], point.lat - AROUND[1], point.lon + AROUND[0], point.lat + AROUND[1]]
}

/// The box that is meant; a place that is not in the table is looked up.
async fn area(
    asked: &Asked,
    desk: &dyn Desk,
    findings: &mut Findings,
) -> Result<Option<[f64; 4]>, ToolError> {
    if let Some(own) = asked.boxes.first() {
        return Ok(Some(*own));
    }
    if let Some(point) = asked.points.first() {
        return Ok(Some(around(*point)));
    }
    if let Some((_, point, bbox)) = &asked.known {
        return Ok(Some(bbox.unwrap_or_else(|| around(*point))));
    }
    let Some(name) = &asked.name else {
        findings.gap("no place is named for the map; give a town, coordinates, or west, south, east and north in degrees");
        return Ok(None);
    };
    let what = format!("the place `{name}`");
    let found = call(desk, Geocode::NAME, json!({ "query": name, "limit": 1 }), &what, findings).await?;
    let position = found.and_then(|found| {
        let number = |name: &str| find(&found.evidence, name)?.value.as_f64();
        Some(Point { lat: number("lat")?, lon: number("lon")? })
    });
    Ok(position.map(around))
}

async fn draw(asked: &Asked, desk: &dyn Desk, findings: &mut Findings) -> Result<(), ToolError> {
    let Some(bbox) = area(asked, desk, findings).await? else { return Ok(()) };
    let mut arguments = json!({ "bbox": bbox });
    if let Some(zoom) = asked.zoom {
        arguments["zoom"] = json!(zoom);
    }
    let mut layers = Vec::new();
    if asked.satellite {
        layers.push((Satellite::NAME, "satellite image"));
    }
    if !asked.satellite || says_both(asked) {
        layers.push((Map::NAME, "street map"));
    }
    for (tool, words) in layers {
        let what = format!("the {words}");
        let Some(result) = call(desk, tool, arguments.clone(), &what, findings).await? else { continue };
        say_map(words, &result.evidence, findings);
        if asked.size {
            say_size(words, &result.evidence, findings);
        }
    }
    Ok(())
}

/// Whether a street map is asked for beside an image.
fn says_both(asked: &Asked) -> bool {
    asked.satellite && asked.map && asked.tiles
}

fn say_map(words: &str, evidence: &[Evidence], findings: &mut Findings) {
    let (Some(zoom), Some(tiles)) = (find(evidence, "zoom"), find(evidence, "tiles")) else { return };
    let edges: Vec<&Evidence> =
        ["west", "south", "east", "north"].iter().filter_map(|name| find(evidence, name)).collect();
    let plural = if tiles.value.as_u64() == Some(1) { "tile" } else { "tiles" };
    findings.say(
        format!("At zoom {} the {words} is made of {} {plural}.", amount(zoom), amount(tiles)),
        &[tiles, zoom],
    );
    if let [west, south, east, north] = edges.as_slice() {
        let degree = |one: &Evidence, plus: &str, minus: &str| {
            let number = one.value.as_f64().unwrap_or_default();
            format!("{}°{}", (number.abs() * 1e4).round() / 1e4, if number < 0.0 { minus } else { plus })
        };
        let text = format!(
            "The {words} reaches from {} to {} and from {} to {}.",
            degree(west, "E", "W"),
            degree(east, "E", "W"),
            degree(south, "N", "S"),
            degree(north, "N", "S")
        );
        findings.say(text, &[west, south, east, north]);
    }
    if let Some(missing) = find(evidence, "missing").filter(|missing| missing.value.as_f64() > Some(0.0)) {
        findings.say(format!("The server does not have {} of its tiles.", amount(missing)), &[missing]);
    }
}

/// How large a tile is, and the whole picture.
fn say_size(words: &str, evidence: &[Evidence], findings: &mut Findings) {
    for (what, names) in [("Each tile", ["tile_width", "tile_height"]), ("The picture", ["width", "height"])]
    {
        if let (Some(width), Some(height)) = (find(evidence, names[0]), find(evidence, names[1])) {
            let text = format!(
                "{what} of the {words} is {} pixels wide and {} pixels high.",
                amount(width),
                amount(height)
            );
            findings.say(text, &[width, height]);
        }
    }
}

async fn cover(asked: &Asked, desk: &dyn Desk, findings: &mut Findings) -> Result<(), ToolError> {
    let Some(zoom) = asked.zoom else {
        findings.gap("no zoom is named to count tiles; give one of 0 to 19, such as `zoom 12`");
        return Ok(());
    };
    let Some(bbox) = area(asked, desk, findings).await? else { return Ok(()) };
    let arguments = json!({ "bbox": bbox, "zoom": zoom });
    let Some(result) = call(desk, TileCover::NAME, arguments, "the tiles", findings).await? else {
        return Ok(());
    };
    let evidence = &result.evidence;
    if let (Some(count), Some(zoom)) = (find(evidence, "count"), find(evidence, "zoom")) {
        let tiles = if count.value.as_u64() == Some(1) { "tile" } else { "tiles" };
        let text = format!("At zoom {} the box is covered by {} {tiles}.", amount(zoom), amount(count));
        findings.say(text, &[count, zoom]);
    }
    if let (Some(columns), Some(rows)) = (find(evidence, "columns"), find(evidence, "rows")) {
        findings.say(
            format!("They stand in {} columns and {} rows.", amount(columns), amount(rows)),
            &[columns, rows],
        );
    }
    Ok(())
}

async fn locate(asked: &Asked, desk: &dyn Desk, findings: &mut Findings) -> Result<(), ToolError> {
    let name = asked.name.clone().or_else(|| asked.known.as_ref().map(|own| own.0.clone()));
    let Some(name) = name else {
        findings.gap("no place is named; give its name, such as `Naples, Florida`");
        return Ok(());
    };
    let what = format!("the place `{name}`");
    let Some(result) = call(desk, Geocode::NAME, json!({ "query": name }), &what, findings).await? else {
        return Ok(());
    };
    let evidence = &result.evidence;
    let (Some(lat), Some(lon), Some(full)) =
        (find(evidence, "lat"), find(evidence, "lon"), find(evidence, "name"))
    else {
        return Ok(());
    };
    let part = |one: &Evidence, plus: &str, minus: &str| {
        let number = one.value.as_f64().unwrap_or_default();
        format!("{}°{}", (number.abs() * 1e4).round() / 1e4, if number < 0.0 { minus } else { plus })
    };
    let text = format!("{} lies at {}, {}.", amount(full), part(lat, "N", "S"), part(lon, "E", "W"));
    findings.say(text, &[full, lat, lon]);
    Ok(())
}

async fn reverse(asked: &Asked, desk: &dyn Desk, findings: &mut Findings) -> Result<(), ToolError> {
    for point in asked.points.iter().take(4) {
        let what = format!("the place at {}, {}", point.lat, point.lon);
        let arguments = json!({ "lat": point.lat, "lon": point.lon });
        let Some(result) = call(desk, Reverse::NAME, arguments, &what, findings).await? else { continue };
        if let Some(name) = find(&result.evidence, "name") {
            findings.say(format!("The place there is {}.", amount(name)), &[name]);
        }
        if let Some(county) = find(&result.evidence, "county") {
            findings.say(format!("It lies in {}.", amount(county)), &[county]);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_boxes_and_zooms_are_read() {
        let asked = Asked::read("Where is Cape Coral, Florida?");
        assert_eq!((asked.name.as_deref(), asked.whereabouts), (Some("Cape Coral, Florida"), true));
        let asked =
            Asked::read("Show a satellite image of the box -81.9,26.68,-81.75,26.81 at zoom level 12");
        assert_eq!((asked.satellite, asked.zoom, asked.name), (true, Some(12), None));
        assert_eq!(asked.boxes, [[-81.9, 26.68, -81.75, 26.81]]);
        let asked = Asked::read("How many tiles does -82,26,-81.5,26.5 need at zoom 10?");
        assert_eq!((asked.tiles, asked.zoom), (true, Some(10)));
        assert_eq!(Asked::read("a map of Duck Key at zoom 9").name.as_deref(), Some("Duck Key"));
    }
}

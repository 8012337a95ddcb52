//! `stofs_contour_map`: filled contours of the forecast over a box.

use async_trait::async_trait;
use jiff::civil::DateTime;
use leg_core::{DataClass, EvidenceDraft, Kind, Port, ToolContext, ToolOutput, ToolSpec};
use ocean_chart::{Bands, Colours, Contours, MapGrid, MapMark, MapSpec, MapWindow, Palette, to_png};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::stofs::Client;
use crate::stofs::cycle::{Cycle, CycleHour, Wanted};
use crate::stofs::field_work::{Done, on_fields};
use crate::stofs::fields::{Fields, extremes, triangles_of};
use crate::stofs::mesh::Bounds;
use crate::stofs::model::{FIELD_DATUM, Model, Product};
use crate::stofs::series::{nothing, rounded};
use crate::tool::ServiceTool;
use crate::words::date;
use crate::{Moment, ServiceError};

/// The most nodes of a drawing.
const MAX_NODES: usize = 3_000_000;
/// The most contour levels.
const MAX_LEVELS: usize = 40;

/// Filled contours of the forecast over a box.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ContourMap;

/// The arguments of [`ContourMap`].
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    /// West, south, east, north, degrees.
    bbox: Bounds,
    /// Hours after the cycle, 0 to 180; the maximum of the forecast when absent.
    #[serde(default)]
    #[schemars(range(max = 240))]
    lead_h: Option<u32>,
    /// Total level, tide alone, or surge alone.
    #[serde(default)]
    product: Product,
    /// Contour levels, m; round ones when absent.
    #[serde(default)]
    levels: Option<Vec<f64>>,
    /// Width of the picture, pixels.
    #[serde(default = "usual_width")]
    #[schemars(range(min = 300, max = 4000))]
    width: u32,
    /// Day of the cycle, YYYY-MM-DD; the newest cycle when absent.
    #[serde(default)]
    cycle_date: Option<Moment>,
    /// Hour of the cycle, UTC.
    #[serde(default)]
    cycle_hour: Option<CycleHour>,
}

const fn usual_width() -> u32 {
    900
}

/// A map that is drawn, with what a reader may ask of it.
struct Drawn {
    png: Vec<u8>,
    content: Value,
    min: Extreme,
    max: Extreme,
    wet: usize,
    inside: usize,
    nodes: usize,
    elements: usize,
    n_times: usize,
    /// An instant, or the whole forecast.
    valid: String,
}

/// An extreme of a map.
#[derive(Clone)]
struct Extreme {
    value: f64,
    lon: f64,
    lat: f64,
    node: usize,
    when: String,
}

#[async_trait]
impl ServiceTool for ContourMap {
    const NAME: &'static str = "stofs_contour_map";

    type Client = Client;
    type Arguments = Arguments;

    fn describe(client: &Client) -> ToolSpec {
        ToolSpec::new("stofs", "Map of the forecast over a box: filled contours at a lead hour, or of the maximum.", Port::of(Kind::Figure))
            .description(
                "Reads only the chunks of the field file that hold nodes of the box, by ranges of bytes. Levels are metres \
                 above GMSL; dry nodes have none. The maximum is that of the file of maxima, or else over all times. The \
                 result says levels, extent, extremes and where they are; the picture is drawn from it.",
            )
            .evidence(&[
                "max", "min", "wet_nodes", "n_nodes", "nodes", "elements", "n_times", "valid", "cycle", "bytes_read",
                "n_levels", "no_data",
            ])
            .output("png", Port::of(Kind::File))
            .data_class(DataClass::Forecast)
            .hosts(&client.hosts())
            .produces_images()
    }

    async fn run(
        arguments: Arguments,
        client: &Client,
        context: &ToolContext,
    ) -> Result<ToolOutput, ServiceError> {
        let [west, south, east, north] = arguments.bbox;
        let sound = arguments.bbox.iter().all(|edge| edge.is_finite())
            && west < east
            && south < north
            && (-180.0..=180.0).contains(&west)
            && east <= 180.0
            && south >= -90.0
            && north <= 90.0;
        if !sound {
            return Err(ServiceError::BadArgument(
                "`bbox` is no box; write west, south, east, north in degrees, -180 to 180".to_owned(),
            ));
        }
        if let Some(levels) = &arguments.levels
            && (levels.len() < 2
                || levels.len() > MAX_LEVELS
                || !levels.iter().all(|level| level.is_finite())
                || !levels.iter().zip(levels.iter().skip(1)).all(|(a, b)| a < b))
        {
            return Err(ServiceError::BadArgument(format!(
                "`levels` are 2 to {MAX_LEVELS} rising numbers, in metres"
            )));
        }
        let wanted = Wanted::of(arguments.cycle_date, arguments.cycle_hour)?;
        let own = arguments.clone();
        let done =
            on_fields(client, own.product, wanted, context, move |fields, cycle| draw(fields, cycle, &own))
                .await?;
        match done {
            Ok(Done { cycle, result: Some(drawn), bytes_read, sources }) => {
                let mut output = output(cycle, drawn, bytes_read);
                output.sources = sources;
                Ok(output)
            }
            Ok(Done { cycle, result: None, sources, .. }) => {
                let said = format!(
                    "no node of the box is wet at that time in the cycle {cycle}, or the time is not in it"
                );
                let mut output = nothing(Kind::Figure, &said);
                output.sources = sources;
                Ok(output)
            }
            Err((said, sources)) => {
                let mut output = nothing(Kind::Figure, &said);
                output.sources = sources;
                Ok(output)
            }
        }
    }
}

/// Draws the map; `None` when no node of the box is wet then, or the time is not in the file.
fn draw(fields: &mut Fields, cycle: Cycle, arguments: &Arguments) -> Result<Option<Drawn>, String> {
    let step = match arguments.lead_h {
        None => None,
        Some(hours) => {
            let valid = cycle.plus(i64::from(hours));
            match fields.times.iter().position(|time| *time == valid) {
                Some(step) => Some((step, valid)),
                None => return Ok(None),
            }
        }
    };
    let (mesh, triangles) = (fields.mesh()?, fields.triangles()?);
    let inside = mesh.0.inside(arguments.bbox);
    let is_inside = |node: u32| usize::try_from(node).is_ok_and(|node| inside.get(node) == Some(&true));
    let near: Vec<[u32; 3]> =
        triangles.0.iter().filter(|corners| corners.iter().any(|node| is_inside(*node))).copied().collect();
    let corners = near.iter().flatten().filter_map(|node| usize::try_from(*node).ok());
    let own = inside.iter().enumerate().filter(|(_, inside)| **inside).map(|(node, _)| node);
    let mut nodes: Vec<usize> = own.chain(corners).collect();
    nodes.sort_unstable();
    nodes.dedup();
    if nodes.len() > MAX_NODES {
        return Err(format!(
            "the box holds {} nodes and {MAX_NODES} are drawn at once; ask for a smaller box",
            nodes.len()
        ));
    }
    let period =
        fields.times.first().zip(fields.times.last()).map(|(a, b)| format!("{a}Z/{b}Z")).unwrap_or_default();
    let levels = levels_of(fields, step, &nodes, &period)?;
    let place =
        |place: usize| nodes.get(place).map(|node| (*node, mesh.0.lon.get(*node), mesh.0.lat.get(*node)));
    let wet: Vec<(usize, f64)> = levels
        .iter()
        .enumerate()
        .filter(|(at, _)| nodes.get(*at).and_then(|node| inside.get(*node)) == Some(&true))
        .filter_map(|(at, level)| Some((at, level.as_ref()?.0)))
        .collect();
    let Some((min, max)) = extremes(&wet) else { return Ok(None) };
    let extreme = |(at, value): (usize, f64)| -> Option<Extreme> {
        let (node, lon, lat) = place(at)?;
        let when = levels.get(at)?.as_ref()?.1.clone();
        Some(Extreme { value: rounded(value), lon: *lon?, lat: *lat?, node, when })
    };
    let (Some(min), Some(max)) = (extreme(min), extreme(max)) else { return Ok(None) };
    let edges = arguments.levels.clone().unwrap_or_else(|| round_levels(min.value, max.value));
    let valid = step.map_or_else(|| period.clone(), |(_, valid)| format!("{valid}Z"));
    let lon: Vec<f64> = nodes.iter().filter_map(|node| mesh.0.lon.get(*node).copied()).collect();
    let lat: Vec<f64> = nodes.iter().filter_map(|node| mesh.0.lat.get(*node).copied()).collect();
    let values: Vec<f64> =
        levels.iter().map(|level| level.as_ref().map_or(f64::NAN, |level| level.0)).collect();
    let words = arguments.product.words();
    let what = if arguments.lead_h.is_some() { "Forecast" } else { "Highest forecast" };
    let when = match valid.split_once('/') {
        Some((from, to)) => format!("{} to {}", date(from), date(to)),
        None => date(&valid),
    };
    let title = format!("{what} {words}, {}", Model::Global2d.title());
    let subtitle = format!("cycle {cycle}, {when}; metres above {FIELD_DATUM}");
    let label = format!("{:.2} m", max.value);
    let [west, south, east, north] = arguments.bbox;
    let map = MapSpec {
        title: &title,
        subtitle: &subtitle,
        quantity: words,
        units: "m",
        grid: MapGrid::Triangles { lon: &lon, lat: &lat, triangles: &triangles_of(&near, &nodes) },
        values: &values,
        colours: Colours { palette: Palette::Auto, bands: Bands::Edges(&edges), ..Colours::default() },
        contours: &[Contours { levels: &edges, ..Contours::default() }],
        marks: &[MapMark::Point { lon: max.lon, lat: max.lat, label: &label }],
        window: Some(MapWindow { lon: [west, east], lat: [south, north] }),
        ..MapSpec::default()
    };
    let png =
        map.to_svg().and_then(|svg| to_png(&svg, arguments.width)).map_err(|error| error.to_string())?;
    let at = |own: &Extreme| json!({ "lon": own.lon, "lat": own.lat, "node": own.node, "when": own.when });
    let count = inside.iter().filter(|inside| **inside).count();
    let content = json!({
        "chart": "map", "title": title, "subtitle": subtitle, "quantity": words, "units": "m", "datum": FIELD_DATUM,
        "datum_note": "levels on the mesh are above global mean sea level, whatever the file says",
        "model": Model::Global2d.title(), "product": arguments.product.as_str(), "cycle": cycle.to_string(),
        "lead_h": arguments.lead_h, "valid": valid, "extent": arguments.bbox, "levels": edges,
        "min_m": min.value, "min_at": [min.lon, min.lat], "min": at(&min),
        "max_m": max.value, "max_at": [max.lon, max.lat], "max": at(&max),
        "wet_nodes": wet.len(), "nodes_in_box": count, "triangles": near.len(), "width": arguments.width,
        "marks": [{ "lon": max.lon, "lat": max.lat, "label": label }],
    });
    let n_times = fields.times.len();
    let (nodes, elements) = (fields.nodes, fields.elements);
    Ok(Some(Drawn { png, content, min, max, wet: wet.len(), inside: count, nodes, elements, n_times, valid }))
}

/// The levels of some nodes at a step, or their maxima, with when; `None` where they are dry.
fn levels_of(
    fields: &mut Fields,
    step: Option<(usize, DateTime)>,
    nodes: &[usize],
    period: &str,
) -> Result<Vec<Option<(f64, String)>>, String> {
    if let Some((step, valid)) = step {
        let values = fields.step(Some(step), nodes)?;
        return Ok(values.into_iter().map(|value| Some((value?, format!("{valid}Z")))).collect());
    }
    if let Some(maxima) = fields.maxima()? {
        let values = maxima.step(None, nodes)?;
        fields.rest_on(&maxima);
        return Ok(values.into_iter().map(|value| Some((value?, period.to_owned()))).collect());
    }
    let instant =
        |at: usize| fields.times.get(at).map_or_else(|| period.to_owned(), |time| format!("{time}Z"));
    let values = fields.highest(nodes)?;
    Ok(values.into_iter().map(|value| value.map(|(value, at)| (value, instant(at)))).collect())
}

/// About ten round levels that hold all values.
fn round_levels(low: f64, high: f64) -> Vec<f64> {
    let wish = (high - low).max(0.01) / 10.0;
    let power = 10_f64.powf(wish.log10().floor());
    let step =
        [1.0, 2.0, 2.5, 5.0, 10.0].into_iter().map(|part| part * power).find(|step| *step >= wish * 0.999);
    let step = step.unwrap_or(10.0 * power);
    let (first, last) = ((low / step).floor(), (high / step).ceil().max((low / step).floor() + 1.0));
    let mut levels = Vec::new();
    let mut at = first;
    while at <= last && levels.len() < MAX_LEVELS {
        levels.push((at * step * 1e6).round() / 1e6);
        at += 1.0;
    }
    levels
}

fn output(cycle: Cycle, drawn: Drawn, bytes_read: u64) -> ToolOutput {
    let place = json!({ "name": "the map" });
    let extreme = |name: &str, own: &Extreme, method: &str| {
        EvidenceDraft::new(name, own.value, "m", method)
            .datum(FIELD_DATUM)
            .when(own.when.clone())
            .place(json!({ "lon": own.lon, "lat": own.lat, "node": own.node }))
            .pointer(format!("/content/{name}_m"))
    };
    let count = |name: &str, value: usize, method: &str| {
        EvidenceDraft::new(name, value, "1", method).place(place.clone()).when(drawn.valid.clone())
    };
    let levels = drawn.content.get("levels").and_then(Value::as_array).map_or(0, Vec::len);
    let evidence = [
        extreme("max", &drawn.max, "highest level of the wet nodes in the box"),
        extreme("min", &drawn.min, "lowest level of the wet nodes in the box"),
        count("wet_nodes", drawn.wet, "number of wet nodes in the box"),
        count("n_nodes", drawn.inside, "number of nodes in the box"),
        EvidenceDraft::new("nodes", drawn.nodes, "1", "number of nodes of the mesh"),
        EvidenceDraft::new("elements", drawn.elements, "1", "number of triangles of the mesh"),
        EvidenceDraft::new("n_times", drawn.n_times, "1", "number of times of the field file"),
        EvidenceDraft::new("n_levels", levels, "1", "number of contour levels"),
        EvidenceDraft::new("valid", drawn.valid.clone(), "", "time that the map is valid for")
            .when(drawn.valid.clone()),
        EvidenceDraft::new("cycle", cycle.to_string(), "", "cycle of the forecast: date and hour, UTC")
            .when(cycle.when()),
        EvidenceDraft::new("bytes_read", bytes_read, "1", "number of bytes of the ranges that were read"),
    ];
    let name = "stofs_map";
    let mut content = drawn.content;
    content["bytes_read"] = json!(bytes_read);
    let mut output = crate::picture::figure(name, content, drawn.png);
    output.evidence = evidence.into_iter().map(|draft| draft.output("result")).collect();
    output.notes = vec![format!(
        "levels of the map are above {FIELD_DATUM}; the name `above_geoid` in the file is not right"
    )];
    output
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_are_round_and_hold_all_values() {
        for (low, high) in [(0.0, 1.0), (-0.35, 3.8652), (0.2, 0.2), (-12.0, 900.0), (1e-9, 2e-9)] {
            let levels = round_levels(low, high);
            assert!(levels.len() >= 2 && levels.len() <= 14, "{levels:?}");
            assert!(levels[0] <= low && levels[levels.len() - 1] >= high, "{low} {high}: {levels:?}");
        }
        assert_eq!(round_levels(0.0, 1.0)[..3], [0.0, 0.1, 0.2]);
    }
}

//! `render_figure`: a picture of a result.

use leg_core::{
    Artifact, Kind, Port, Rendering, ToolContext, ToolError, ToolErrorKind, ToolOutput, ToolSpec,
};
use ocean_chart::to_png;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::figure::{
    ChartKind, Look, Options, PaletteArgument, ProjectionArgument, RangeArgument, subtitle, svg,
};
use crate::Datasets;
use crate::argument::ArtifactArgument;
use crate::computation::Computation;

/// Draws any result that has a chart.
pub(crate) struct RenderFigure;

/// Arguments of `render_figure`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    #[schemars(extend("x-leg-port" = {
        "kind": "series",
        "or": ["climatology", "map", "mask", "profile", "section", "hovmoller", "histogram", "spectrum", "diagram", "eof", "events", "statistic"],
        "unit": "any",
    }))]
    artifact: ArtifactArgument,
    /// Title; made from the name of the result if absent.
    #[serde(default)]
    title: Option<String>,
    /// Chart; that of the result's kind if absent.
    #[serde(default)]
    kind: Option<ChartKind>,
    #[serde(default)]
    palette: PaletteArgument,
    /// Values that the colours of a field span: the 2nd to 98th percentile, or all.
    #[serde(default)]
    range: RangeArgument,
    /// How a map is drawn flat.
    #[serde(default)]
    projection: ProjectionArgument,
    /// Further choices.
    #[serde(default)]
    options: Options,
    /// Width of the picture in pixels.
    #[serde(default = "usual_width")]
    #[schemars(range(min = 300, max = 4000))]
    width: u32,
}

fn usual_width() -> u32 {
    1800
}

impl Computation for RenderFigure {
    const NAME: &'static str = "render_figure";
    type Arguments = Arguments;

    fn describe() -> ToolSpec {
        ToolSpec::new(
            "synthesis",
            "Draw a result: a map, series, profile, section, Hovmöller diagram, histogram, spectrum, T–S diagram, EOF or events.",
            Port::of(Kind::Figure),
        )
        .description(
            "A picture as SVG and PNG, with land, units and a line that says how, when and where. The chart follows the \
             kind of the result, its colours the quantity; anomalies are symmetric about 0. Colours span the 2nd to 98th \
             percentile and end in a point where values lie beyond. Missing values are grey on a map and gaps in a line; \
             episodes are shaded; significant cells are dotted. The figure's identity is its specification and the digest \
             of its data, not the pixels. Colour tables: Thyng et al. 2016 (cmocean); land: Natural Earth.",
        )
        .produces_images()
    }

    fn run(arguments: &Arguments, _: &Datasets, context: &ToolContext) -> Result<ToolOutput, ToolError> {
        render(arguments, context)
    }
}

fn render(arguments: &Arguments, context: &ToolContext) -> Result<ToolOutput, ToolError> {
    let artifact = arguments.artifact.read(context)?;
    let title = arguments.title.clone().unwrap_or_else(|| title_of(&artifact));
    let look = Look {
        title: title.clone(),
        kind: arguments.kind,
        palette: arguments.palette,
        range: arguments.range,
        projection: arguments.projection,
        options: arguments.options.clone(),
    };
    let (chart, drawing) = svg(&artifact, &look)?;
    let png = to_png(&drawing, arguments.width)
        .map_err(|error| ToolError::new(ToolErrorKind::Internal, error.to_string()))?;
    let mut content = json!({
        "chart": chart,
        "title": title,
        "subtitle": subtitle(&artifact),
        "units": artifact.units(),
        "palette": arguments.palette,
        "range": arguments.range,
        "projection": arguments.projection,
        "data": arguments.artifact.digest(),
    });
    if arguments.options != Options::default() {
        content["options"] = json!(arguments.options);
    }
    let name = artifact.name.clone();
    let mut output = ToolOutput::of(Artifact::document(Kind::Figure, name.clone(), content));
    output.renderings = vec![
        Rendering { name: format!("{name}.png"), media_type: "image/png".to_owned(), bytes: png },
        Rendering {
            name: format!("{name}.svg"),
            media_type: "image/svg+xml".to_owned(),
            bytes: drawing.into_bytes(),
        },
    ];
    Ok(output)
}

fn title_of(artifact: &Artifact) -> String {
    // A climate index has a proper name; a short variable name such as `sst` is an abbreviation.
    if artifact.attributes.contains_key("index")
        && let Some(method) = artifact.attributes.get("method").and_then(Value::as_str)
    {
        return method.to_owned();
    }
    let words = artifact.name.replace('_', " ");
    if words.chars().count() <= 3 {
        return words.to_uppercase();
    }
    let mut letters = words.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}

//! `render_figure`: a picture of a result.

use async_trait::async_trait;
use leg_core::{
    Artifact, Kind, Port, Rendering, ToolContext, ToolError, ToolErrorKind, ToolOutput, ToolSpec, TypedTool,
};
use ocean_chart::{Palette, Range, to_png};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::chart::{Look, subtitle, svg};
use crate::argument::ArtifactArgument;

/// Draws a series, a climatology or a map.
#[derive(Debug)]
pub(crate) struct RenderFigure;

/// Arguments of `render_figure`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    #[schemars(extend("x-leg-port" = {"kind": "series", "or": ["climatology", "map"], "unit": "any"}))]
    artifact: ArtifactArgument,
    /// Title; made from the name of the result if absent.
    #[serde(default)]
    title: Option<String>,
    /// Colours of a map.
    #[serde(default)]
    palette: PaletteArgument,
    /// Values that the colours of a map span: the 2nd to 98th percentile, or all.
    #[serde(default)]
    range: RangeArgument,
    /// Width of the picture in pixels.
    #[serde(default = "usual_width")]
    #[schemars(range(min = 300, max = 4000))]
    width: u32,
}

fn usual_width() -> u32 {
    1800
}

/// Colours of a map.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum PaletteArgument {
    /// Diverging for values on both sides of 0, else thermal.
    #[default]
    Auto,
    /// Temperature.
    Thermal,
    /// Salinity.
    Haline,
    /// Depth.
    Deep,
    /// Density.
    Dense,
    /// Chlorophyll.
    Algae,
    /// Dissolved matter.
    Matter,
    /// Currents.
    Speed,
    /// Sizes from 0, in reds.
    Amp,
    /// Sizes from 0, in greens.
    Tempo,
    /// Rain.
    Rain,
    /// Ice.
    Ice,
    /// Anomalies and trends.
    Balance,
    /// Velocities.
    Delta,
    /// Vorticity.
    Curl,
}

impl PaletteArgument {
    fn palette(self) -> Palette {
        match self {
            Self::Auto => Palette::Auto,
            Self::Thermal => Palette::Thermal,
            Self::Haline => Palette::Haline,
            Self::Deep => Palette::Deep,
            Self::Dense => Palette::Dense,
            Self::Algae => Palette::Algae,
            Self::Matter => Palette::Matter,
            Self::Speed => Palette::Speed,
            Self::Amp => Palette::Amp,
            Self::Tempo => Palette::Tempo,
            Self::Rain => Palette::Rain,
            Self::Ice => Palette::Ice,
            Self::Balance => Palette::Balance,
            Self::Delta => Palette::Delta,
            Self::Curl => Palette::Curl,
        }
    }
}

/// Values that the colours span.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum RangeArgument {
    /// 2nd to 98th percentile.
    #[default]
    Robust,
    /// All values.
    Full,
}

#[async_trait]
impl TypedTool for RenderFigure {
    const NAME: &'static str = "render_figure";
    type Arguments = Arguments;

    fn describe(&self) -> ToolSpec {
        ToolSpec::new("synthesis", "Draw a series, a climatology or a map.", Port::of(Kind::Figure))
            .description(
                "A picture as SVG and PNG, with coastlines, units and a line that says how, when and where. Missing \
                 values are grey on a map and gaps in a line; the episodes of a climate index are shaded. The figure's \
                 identity is its specification and the digest of its data, not the pixels.",
            )
            .produces_images()
    }

    async fn run(&self, arguments: Self::Arguments, context: &ToolContext) -> Result<ToolOutput, ToolError> {
        context.blocking(move |context| render(&arguments, context)).await
    }
}

fn render(arguments: &Arguments, context: &ToolContext) -> Result<ToolOutput, ToolError> {
    let artifact = arguments.artifact.read(context)?;
    let title = arguments.title.clone().unwrap_or_else(|| title_of(&artifact));
    let range = match arguments.range {
        RangeArgument::Robust => Range::Robust,
        RangeArgument::Full => Range::Full,
    };
    let look = Look { title: title.clone(), palette: arguments.palette.palette(), range };
    let drawing = svg(&artifact, &look)?;
    let png = to_png(&drawing, arguments.width)
        .map_err(|error| ToolError::new(ToolErrorKind::Internal, error.to_string()))?;
    let content = json!({
        "chart": artifact.kind,
        "title": title,
        "subtitle": subtitle(&artifact),
        "units": artifact.units(),
        "palette": arguments.palette,
        "range": arguments.range,
        "data": arguments.artifact.digest(),
    });
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

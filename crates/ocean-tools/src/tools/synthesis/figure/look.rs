//! What a caller may choose of a chart.

use std::borrow::Cow;

use ocean_chart::{Palette, Projection, Range};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use serde_json::json;

use super::ChartKind;

/// What a caller chose.
#[derive(Debug, Clone, Default)]
pub(in super::super) struct Look {
    pub(in super::super) title: String,
    pub(in super::super) kind: Option<ChartKind>,
    pub(in super::super) palette: PaletteArgument,
    pub(in super::super) range: RangeArgument,
    pub(in super::super) projection: ProjectionArgument,
    pub(in super::super) options: Options,
}

/// Further choices.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub(in super::super) struct Options {
    /// Name of the array to draw; the main one if absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) variable: Option<String>,
    /// Of arrays with a further axis, such as months or modes, the place on it that is drawn, from 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) at: Option<usize>,
    /// Values that the colours span, instead of `range`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) limits: Option<[f64; 2]>,
    /// About so many bands of colour, as filled contours have; without, colours run on.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 2, max = 40))]
    pub(super) bands: Option<usize>,
    /// Whether equal ratios have equal steps of colour; chosen by the values of chlorophyll if absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) logarithmic: Option<bool>,
    /// Whether values run on between the centres of cells.
    pub(super) smooth: bool,
    /// Values at which contour lines are drawn; an empty list draws none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) contours: Option<Vec<f64>>,
    /// Lines across a series at these values.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) levels: Vec<LevelArgument>,
    /// Boxes on a map.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) boxes: Vec<BoxArgument>,
    /// Places on a map.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) points: Vec<PointArgument>,
}

/// A line across a series.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(in super::super) struct LevelArgument {
    /// The value, in the units of the series.
    pub(super) value: f64,
    /// Its name.
    #[serde(default)]
    pub(super) label: String,
}

/// A box on a map.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(in super::super) struct BoxArgument {
    /// West and east edge in degrees.
    pub(super) lon: [f64; 2],
    /// South and north edge in degrees.
    pub(super) lat: [f64; 2],
    /// Its name.
    #[serde(default)]
    pub(super) label: String,
}

/// A place on a map.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(in super::super) struct PointArgument {
    /// Longitude in degrees.
    pub(super) lon: f64,
    /// Latitude in degrees.
    pub(super) lat: f64,
    /// Its name.
    #[serde(default)]
    pub(super) label: String,
}

/// A palette by its name, as the crate of charts lists them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(in super::super) struct PaletteArgument(pub(super) Palette);

impl Serialize for PaletteArgument {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.0.name())
    }
}

impl<'de> Deserialize<'de> for PaletteArgument {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map(Self).map_err(de::Error::custom)
    }
}

impl JsonSchema for PaletteArgument {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "PaletteArgument".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let all = || std::iter::once(Palette::Auto).chain(Palette::ALL);
        let names: Vec<&str> = all().map(Palette::name).collect();
        let purposes: Vec<String> = Palette::ALL
            .iter()
            .map(|palette| format!("{} ({})", palette.name(), palette.purpose()))
            .collect();
        let description = format!("Colours of a field: auto (by the quantity), {}.", purposes.join(", "));
        Schema::try_from(json!({"type": "string", "enum": names, "description": description}))
            .unwrap_or_default()
    }
}

/// Values that the colours span.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(in super::super) enum RangeArgument {
    /// 2nd to 98th percentile, symmetric about 0 for signed values.
    #[default]
    Robust,
    /// All values.
    Full,
}

/// How a map is drawn flat.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(in super::super) enum ProjectionArgument {
    /// What suits the region.
    #[default]
    Auto,
    /// Equal degrees.
    PlateCarree,
    /// True angles.
    Mercator,
    /// About the nearer pole.
    Polar,
    /// The world.
    Robinson,
}

impl ProjectionArgument {
    pub(super) fn projection(self) -> Projection {
        match self {
            Self::Auto => Projection::Auto,
            Self::PlateCarree => Projection::PlateCarree,
            Self::Mercator => Projection::Mercator,
            Self::Polar => Projection::PolarStereographic,
            Self::Robinson => Projection::Robinson,
        }
    }
}

impl Look {
    /// The range of colours.
    pub(super) fn colour_range(&self) -> Range {
        match (self.options.limits, self.range) {
            (Some([low, high]), _) => Range::Fixed(low, high),
            (None, RangeArgument::Robust) => Range::Robust,
            (None, RangeArgument::Full) => Range::Full,
        }
    }
}

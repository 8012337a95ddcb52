//! `compute_distance`: how far places are from each other.

use leg_core::{Artifact, EvidenceDraft, Kind, Port, ToolContext, ToolError, ToolOutput, ToolSpec};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use crate::Datasets;
use crate::computation::Computation;
use crate::kernels::geodesic::geodesic;
use crate::kernels::sphere::{EARTH_RADIUS, haversine};

/// Distances along a path, on a sphere and on WGS 84.
pub(crate) struct ComputeDistance;

/// Arguments of `compute_distance`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    /// Places `[lon, lat]` in degrees, two or more, in the order of the path.
    points: Vec<[f64; 2]>,
    /// Radius of the sphere in metres.
    #[serde(default = "earth")]
    #[schemars(range(min = 1, max = 1e9))]
    radius: f64,
}

fn earth() -> f64 {
    EARTH_RADIUS
}

impl Computation for ComputeDistance {
    const NAME: &'static str = "compute_distance";
    type Arguments = Arguments;

    fn describe() -> ToolSpec {
        ToolSpec::new("section", "Distance between places.", Port::of(Kind::Table))
            .description(
                "For each piece of a path its length in metres on a sphere (haversine, R = 6371000 m unless stated) and on \
                 the ellipsoid WGS 84 (Vincenty 1975, to a millimetre), and the direction of the geodesic at its start in \
                 degrees clockwise from north, −180 to 180. Nearly antipodal places have no geodesic here, and none is \
                 given.",
            )
            .evidence(&["distance", "great_circle_distance", "azimuth"])
    }

    fn run(arguments: &Arguments, _: &Datasets, _: &ToolContext) -> Result<ToolOutput, ToolError> {
        compute(arguments)
    }
}

fn compute(arguments: &Arguments) -> Result<ToolOutput, ToolError> {
    if arguments.points.len() < 2 {
        return Err(ToolError::invalid(
            "a distance needs two places, such as [[-63.6, 44.7], [-157.9, 21.3]]",
        ));
    }
    if let Some([lon, lat]) = arguments.points.iter().find(|[lon, lat]| lat.abs() > 90.0 || lon.abs() > 720.0)
    {
        return Err(ToolError::invalid(format!(
            "[{lon}, {lat}] is no place; write [lon, lat] in degrees, with a latitude from -90 to 90"
        )));
    }
    let pieces: Vec<_> = arguments
        .points
        .windows(2)
        .map(|pair| (haversine(pair[0], pair[1], arguments.radius), geodesic(pair[0], pair[1])))
        .collect();
    let rows: Vec<_> = pieces
        .iter()
        .zip(arguments.points.windows(2))
        .map(|((sphere, own), pair)| {
            json!([pair[0], pair[1], sphere, own.map(|line| line.length), own.map(|line| line.azimuth)])
        })
        .collect();
    let sphere: f64 = pieces.iter().map(|piece| piece.0).sum();
    let ellipsoid: f64 = pieces.iter().map(|piece| piece.1.map_or(f64::NAN, |line| line.length)).sum();
    let azimuth = pieces[0].1.map_or(f64::NAN, |line| line.azimuth);
    let columns = ["from", "to", "great_circle_m", "geodesic_m", "azimuth_degrees"];
    let artifact = Artifact::document(Kind::Table, "distances", json!({ "columns": columns, "rows": rows }));
    let drafts = [
        EvidenceDraft::new("distance", ellipsoid, "m", "length of the geodesics of the path on WGS 84"),
        EvidenceDraft::new(
            "great_circle_distance",
            sphere,
            "m",
            "length of the great circles of the path (haversine)",
        ),
        EvidenceDraft::new(
            "azimuth",
            azimuth,
            "degree",
            "direction of the first geodesic at its start, clockwise from north",
        ),
    ];
    let missing = pieces.iter().filter(|piece| piece.1.is_none()).count();
    let note =
        (missing > 0).then(|| format!("{missing} pieces join nearly antipodal places and have no geodesic"));
    Ok(ToolOutput::of(artifact).with_evidence(drafts).with_notes(note))
}

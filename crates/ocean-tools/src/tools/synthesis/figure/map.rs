//! Maps: axes, curvilinear cells, triangles, places; arrows where a result has them; dots where it is significant.

use leg_core::{ToolError, Variable};
use ocean_chart::{Colours, MapGrid, MapMark, MapSpec, Vectors};

use super::source::{Source, drawn, numbers};
use super::take::{length, take};

/// What the values of a map stand on, held for the time of drawing.
enum Places {
    Axes { lon: Vec<f64>, lat: Vec<f64> },
    Curvilinear { lon: Vec<f64>, lat: Vec<f64>, shape: [usize; 2] },
    Triangles { lon: Vec<f64>, lat: Vec<f64>, triangles: Vec<[usize; 3]> },
    Points { lon: Vec<f64>, lat: Vec<f64> },
}

const LON: [&str; 3] = ["lon", "longitude", "nav_lon"];
const LAT: [&str; 3] = ["lat", "latitude", "nav_lat"];

/// Draws the main array as a map.
pub(super) fn draw(source: &Source<'_>) -> Result<String, ToolError> {
    let variable = source.main()?;
    draw_array(
        source,
        variable,
        &source.look.title,
        &source.subtitle(),
        source.colours(variable),
        source.at(),
    )
}

/// Draws an array, at one place of its further axis.
pub(super) fn draw_array(
    source: &Source<'_>,
    variable: &Variable,
    title: &str,
    subtitle: &str,
    colours: Colours<'_>,
    at: usize,
) -> Result<String, ToolError> {
    let (places, keep) = places(source, variable)?;
    let keep: Vec<&str> = keep.iter().map(String::as_str).collect();
    let values = take(variable, &keep, at).ok_or_else(|| source.lacks("values"))?;
    let part = |variable: &Variable| take(variable, &keep, at).filter(|part| part.len() == values.len());
    let of = |names: &[&str]| {
        let own = |variable: &&Variable| {
            let standard = variable.standard_name.as_deref().unwrap_or_default();
            names.iter().any(|name| variable.name == *name || (name.len() > 5 && standard.starts_with(name)))
        };
        source.artifact.variables.iter().find(own)
    };
    let arrows = of(&["u", "uo", "east", "eastward"]).zip(of(&["v", "vo", "north", "northward"]));
    let arrows = arrows.and_then(|(east, north)| Some((part(east)?, part(north)?, east.units.clone())));
    let vectors = arrows.as_ref().map(|(east, north, units)| Vectors { east, north, units, reference: None });
    let stipple: Vec<bool> = match (of(&["significant"]), of(&["p_value", "p"])) {
        (Some(significant), _) => {
            part(significant).unwrap_or_default().iter().map(|value| *value > 0.0).collect()
        }
        (None, Some(p)) => part(p).unwrap_or_default().iter().map(|value| *value < 0.05).collect(),
        (None, None) => Vec::new(),
    };
    let options = &source.look.options;
    let boxes =
        options.boxes.iter().map(|own| MapMark::Box { lon: own.lon, lat: own.lat, label: &own.label });
    let points =
        options.points.iter().map(|own| MapMark::Point { lon: own.lon, lat: own.lat, label: &own.label });
    let marks: Vec<MapMark<'_>> = boxes.chain(points).collect();
    let quantity = source.quantity(variable);
    let further = further(source, variable, &keep, at);
    let subtitle =
        [further.as_str(), subtitle].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>();
    drawn(
        MapSpec {
            title,
            subtitle: &subtitle.join(" · "),
            quantity: &quantity,
            units: &variable.units,
            grid: places.grid(),
            values: &values,
            colours,
            shading: source.shading(),
            contours: &source.contours(false),
            vectors,
            stipple: &stipple,
            marks: &marks,
            projection: source.look.projection.projection(),
            ..MapSpec::default()
        }
        .to_svg(),
    )
}

/// Names the place on a further axis.
fn further(source: &Source<'_>, variable: &Variable, keep: &[&str], at: usize) -> String {
    let Some(dim) = variable.dims.iter().find(|dim| !keep.contains(&dim.as_str())) else {
        return String::new();
    };
    let count = length(variable, dim).unwrap_or(1);
    let names = source.axis(dim, count).map(|axis| axis.names).unwrap_or_default();
    let at = at.min(count.saturating_sub(1));
    names.get(at).map_or(String::new(), |name| {
        if name.contains(dim.as_str()) { name.clone() } else { format!("{dim} {name}") }
    })
}

/// Finds what the values stand on, and the dimensions of a map.
fn places(source: &Source<'_>, variable: &Variable) -> Result<(Places, Vec<String>), ToolError> {
    let artifact = source.artifact;
    let dim = |names: &[&str]| variable.dims.iter().find(|dim| names.contains(&dim.as_str())).cloned();
    if let (Some(lat), Some(lon)) = (dim(&LAT), dim(&LON)) {
        let axis = |dim: &str| source.axis(dim, length(variable, dim).unwrap_or(0)).map(|axis| axis.values);
        return Ok((Places::Axes { lon: axis(&lon)?, lat: axis(&lat)? }, vec![lat, lon]));
    }
    let array = |names: &[&str]| names.iter().find_map(|name| artifact.variable(name));
    let coordinate = |names: &[&str]| {
        let coord = names.iter().find_map(|name| artifact.coords.get(*name)).map(numbers);
        coord.or_else(|| array(names).map(|variable| variable.values.clone()))
    };
    let (Some(lon), Some(lat)) = (coordinate(&LON), coordinate(&LAT)) else {
        return Err(source.lacks("longitudes and latitudes"));
    };
    if let Some(mesh) = array(&["triangles", "element", "face_node_connectivity"]) {
        let node = |value: &f64| {
            // A node number is a whole one; what is not one names no node, and the chart says so.
            value.to_string().parse::<usize>().unwrap_or(usize::MAX)
        };
        let triangles =
            mesh.values.as_chunks::<3>().0.iter().map(|corners| corners.each_ref().map(node)).collect();
        let keep = variable.dims.last().cloned().into_iter().collect();
        return Ok((Places::Triangles { lon, lat, triangles }, keep));
    }
    if let (Some(grid), [.., rows, columns]) = (array(&LON), variable.dims.as_slice())
        && grid.dims.len() == 2
    {
        let shape = [length(variable, rows).unwrap_or(0), length(variable, columns).unwrap_or(0)];
        return Ok((Places::Curvilinear { lon, lat, shape }, vec![rows.clone(), columns.clone()]));
    }
    let keep = variable.dims.iter().find(|dim| length(variable, dim) == Some(lon.len())).cloned();
    let keep = keep.ok_or_else(|| source.lacks("a place for each value"))?;
    Ok((Places::Points { lon, lat }, vec![keep]))
}

impl Places {
    fn grid(&self) -> MapGrid<'_> {
        match self {
            Self::Axes { lon, lat } => MapGrid::Axes { lon, lat },
            Self::Curvilinear { lon, lat, shape } => MapGrid::Curvilinear { lon, lat, shape: *shape },
            Self::Triangles { lon, lat, triangles } => MapGrid::Triangles { lon, lat, triangles },
            Self::Points { lon, lat } => MapGrid::Points { lon, lat },
        }
    }
}

//! An array that a tool computed, seen as a field.

use std::sync::Arc;

use leg_core::{Artifact, Coord, ToolError, ToolErrorKind, Variable};
use ndarray::{ArrayD, IxDyn};
use ocean_data::cf::{Attribute, Calendar};
use ocean_data::dataset::{MemoryStore, MemoryVariable};
use ocean_data::field::Region;
use ocean_data::{Dataset, Field, Selection};
use serde_json::Value;

use super::ArtifactArgument;
use crate::frame::BOUNDS;
use crate::kernels::time_axis::TimeAxis;

/// The dimensions that a field can have, with the attributes that make a coordinate of each.
const AXES: [(&str, &str, &str); 4] = [
    ("time", "", "time"),
    ("depth", "m", "depth"),
    ("lat", "degrees_north", "latitude"),
    ("lon", "degrees_east", "longitude"),
];

/// The main array of an artifact as a field.
///
/// # Errors
/// When it has another dimension than time, depth, latitude and longitude, or no coordinates for them.
pub(super) fn computed(artifact: &Artifact, reference: &ArtifactArgument) -> Result<Field, ToolError> {
    let bad = |what: String| {
        ToolError::new(
            ToolErrorKind::InvalidArguments,
            format!("{} `{}` {what}", artifact.kind, artifact.name),
        )
    };
    let variable = artifact.primary().ok_or_else(|| bad("has no array".to_owned()))?;
    let places: Vec<&Variable> = artifact.variables.iter().filter(|other| is_place(other)).collect();
    let known =
        |dim: &str| AXES.iter().any(|axis| axis.0 == dim) || (places.len() == 2 && matches!(dim, "y" | "x"));
    if let Some(other) = variable.dims.iter().find(|dim| !known(dim)) {
        return Err(bad(format!(
            "has a dimension `{other}`, and a field has only time, depth, lat and lon; take another result, such as \
             that of `load_dataset`"
        )));
    }
    let on_mesh = variable.dims.iter().any(|dim| dim == "y");
    let place = if on_mesh { None } else { place_of(artifact, variable) };
    let variable = &placed(variable, place);
    let mut arrays = Vec::new();
    for (name, units, standard_name) in AXES {
        let own = artifact.coords.get(name);
        let is_dimension = variable.dims.iter().any(|dim| dim == name);
        match own {
            Some(coord) if name == "time" && is_dimension => arrays.push(times(coord, &bad)?),
            Some(coord) if name != "time" && (is_dimension || coord.values.len() == 1) => {
                arrays.extend(side(artifact, name, coord, is_dimension, units, standard_name, &bad)?);
            }
            None if is_dimension => return Err(bad(format!("has no coordinate `{name}`; make it again"))),
            _ => {}
        }
    }
    let name = variable_name(variable);
    let damaged = |()| bad("is damaged; make it again".to_owned());
    let main = data(variable, &name).map_err(damaged)?;
    if on_mesh {
        for place in places {
            arrays.push(data(place, &place.name).map_err(damaged)?);
        }
        arrays.push(main.with("coordinates", "lat lon"));
    } else {
        arrays.push(main);
    }
    let store = MemoryStore::new("artifact", arrays).map_err(|error| bad(error.to_string()))?;
    let dataset = Dataset::from_store(&format!("artifact:{}", reference.digest()), Arc::new(store))
        .map_err(|error| bad(error.to_string()))?;
    let region = place.map(Region::Point);
    dataset.select(&Selection { region, ..Selection::of(name) }).map_err(|error| bad(error.to_string()))
}

/// Whether an array holds the latitudes or longitudes of a grid without axes.
pub(super) fn is_place(variable: &Variable) -> bool {
    matches!(variable.name.as_str(), "lat" | "lon") && variable.dims == ["y", "x"]
}

/// Longitude and latitude of an array at one place, such as a profile.
fn place_of(artifact: &Artifact, variable: &Variable) -> Option<[f64; 2]> {
    let scalar = |name: &str| {
        let coord = artifact.coords.get(name).filter(|coord| coord.values.len() == 1)?;
        if variable.dims.iter().any(|dim| dim == name) { None } else { coord.values[0].as_f64() }
    };
    Some([scalar("lon")?, scalar("lat")?])
}

/// The array with its one place as dimensions, from which it is selected again, so that the field knows the place.
fn placed(variable: &Variable, place: Option<[f64; 2]>) -> Variable {
    let mut variable = variable.clone();
    if place.is_some() {
        variable.dims.extend(["lat".to_owned(), "lon".to_owned()]);
        variable.shape.extend([1, 1]);
    }
    variable
}

/// A name that is not that of a dimension.
fn variable_name(variable: &Variable) -> String {
    let taken = AXES.iter().any(|axis| axis.0 == variable.name);
    if taken { format!("{}_value", variable.name) } else { variable.name.clone() }
}

fn data(variable: &Variable, name: &str) -> Result<MemoryVariable, ()> {
    let dims: Vec<&str> = variable.dims.iter().map(String::as_str).collect();
    let values = ArrayD::from_shape_vec(IxDyn(&variable.shape), variable.values.clone()).map_err(|_| ())?;
    let array = MemoryVariable::new(name, &dims, values).with("units", &variable.units);
    Ok(match &variable.standard_name {
        Some(standard_name) => array.with("standard_name", standard_name),
        None => array,
    })
}

fn times(coord: &Coord, bad: &dyn Fn(String) -> ToolError) -> Result<MemoryVariable, ToolError> {
    let calendar = coord.calendar.as_deref().unwrap_or("standard");
    let texts: Vec<&str> = coord.values.iter().filter_map(Value::as_str).collect();
    let parsed = Calendar::parse(calendar).map_err(|error| bad(error.to_string()))?;
    let axis = TimeAxis::parse(parsed, &texts).map_err(|error| bad(error.to_string()))?;
    // Whole milliseconds of any year a calendar has are exact in a double.
    let seconds: Vec<f64> = axis.nanoseconds().iter().map(|&nanos| nanos as f64 / 1e9).collect();
    Ok(MemoryVariable::new(
        "time",
        &["time"],
        ArrayD::from_shape_vec(IxDyn(&[seconds.len()]), seconds).unwrap_or_default(),
    )
    .with("units", "seconds since 1970-01-01")
    .with("calendar", calendar)
    .with("standard_name", "time"))
}

fn side(
    artifact: &Artifact,
    name: &str,
    coord: &Coord,
    is_dimension: bool,
    units: &str,
    standard_name: &str,
    bad: &dyn Fn(String) -> ToolError,
) -> Result<Vec<MemoryVariable>, ToolError> {
    let values: Vec<f64> = coord.values.iter().map(|value| value.as_f64().unwrap_or(f64::NAN)).collect();
    let values = if name == "depth" { in_metres(artifact, coord, values, bad)? } else { values };
    let n = values.len();
    let (dims, shape): (&[&str], Vec<usize>) = if is_dimension { (&[name], vec![n]) } else { (&[], vec![]) };
    let array = |values: Vec<f64>, shape: &[usize]| {
        ArrayD::from_shape_vec(IxDyn(shape), values).map_err(|error| bad(error.to_string()))
    };
    let mut main = MemoryVariable::new(name, dims, array(values, &shape)?)
        .with("units", units)
        .with("standard_name", standard_name);
    if name == "depth" {
        main = main.with("positive", "down");
    }
    let bounds: Option<Vec<[f64; 2]>> = artifact
        .attributes
        .get(BOUNDS)
        .and_then(|all| all.get(name))
        .and_then(|pairs| serde_json::from_value(pairs.clone()).ok())
        .filter(|pairs: &Vec<[f64; 2]>| is_dimension && pairs.len() == n);
    let Some(bounds) = bounds else { return Ok(vec![main]) };
    let bounds_name = format!("{name}_bounds");
    main.attributes.insert("bounds".to_owned(), Attribute::Text(bounds_name.clone()));
    let flat = array(bounds.into_iter().flatten().collect(), &[n, 2])?;
    Ok(vec![main, MemoryVariable::new(&bounds_name, &[name, "bounds"], flat)])
}

/// Levels in metres: those of a cast may be pressures.
fn in_metres(
    artifact: &Artifact,
    coord: &Coord,
    values: Vec<f64>,
    bad: &dyn Fn(String) -> ToolError,
) -> Result<Vec<f64>, ToolError> {
    if coord.units.as_deref() != Some("dbar") {
        return Ok(values);
    }
    let lat = artifact.coords.get("lat").filter(|lat| lat.values.len() == 1);
    let lat = lat
        .and_then(|lat| lat.values[0].as_f64())
        .ok_or_else(|| bad("has levels in dbar and no single latitude to make depths of them".to_owned()))?;
    Ok(values.into_iter().map(|p| crate::kernels::teos10::sea_water::depth(p, lat)).collect())
}

#[cfg(test)]
mod tests {
    use leg_core::{Digest, Domain, Kind};
    use serde_json::json;

    use super::*;

    fn reference() -> ArtifactArgument {
        serde_json::from_value(json!({"$artifact": Digest::of(Domain::Object, b"x")})).unwrap()
    }

    fn artifact() -> Artifact {
        let variable = Variable {
            name: "speed".to_owned(),
            standard_name: Some("sea_water_speed".to_owned()),
            units: "m s-1".to_owned(),
            dims: vec!["time".to_owned(), "depth".to_owned(), "lat".to_owned()],
            shape: vec![2, 2, 1],
            values: vec![1.0, 2.0, f64::NAN, 4.0],
        };
        let mut times = Coord::texts(["2001-02-28T12:00:00".to_owned(), "2001-02-30T12:00:00".to_owned()]);
        times.calendar = Some("360_day".to_owned());
        Artifact::array(Kind::Field, "speed", variable)
            .with_coord("time", times)
            .with_coord("depth", Coord::numbers(&[5.0, 20.0], "m", "depth"))
            .with_coord("lat", Coord::numbers(&[45.0], "degrees_north", "latitude"))
            .with_coord("lon", Coord::numbers(&[-30.0], "degrees_east", "longitude"))
            .with_attribute(BOUNDS, json!({"depth": [[0.0, 10.0], [10.0, 30.0]]}))
    }

    #[test]
    fn an_array_is_a_field_with_its_bounds_and_calendar() {
        let field = computed(&artifact(), &reference()).unwrap();
        assert_eq!((field.dims(), field.units()), (vec!["time", "depth", "lat"], "m s-1"));
        assert_eq!(field.depths().unwrap().bounds, [[0.0, 10.0], [10.0, 30.0]]);
        assert_eq!(field.times().unwrap().iso()[1], "2001-02-30T12:00:00");
        let values = field.read(1 << 20).unwrap();
        assert!(values[[1, 0, 0, 0]].is_nan());
        assert_eq!(values[[1, 1, 0, 0]].to_bits(), 4.0_f64.to_bits());
    }

    #[test]
    fn a_cast_on_pressure_knows_its_place_and_depths() {
        let mut cast = artifact();
        cast.variables[0].dims = vec!["depth".to_owned()];
        cast.variables[0].shape = vec![2];
        cast.variables[0].values = vec![1.0, 2.0];
        let cast = cast.with_coord("depth", Coord::numbers(&[10.0, 1000.0], "dbar", "sea_water_pressure"));
        let field = computed(&cast, &reference()).unwrap();
        assert_eq!(field.dims(), ["depth"]);
        assert_eq!((field.lats().unwrap().values[0], field.lons().unwrap().values[0]), (45.0, -30.0));
        let depths = &field.depths().unwrap().values;
        assert!((depths[0] - 9.9186).abs() < 1e-4 && (depths[1] - 989.5001).abs() < 1e-4, "{depths:?}");
    }

    #[test]
    fn other_dimensions_are_refused() {
        let mut wrong = artifact();
        wrong.variables[0].dims[1] = "mode".to_owned();
        let error = computed(&wrong, &reference()).unwrap_err();
        assert!(error.message.contains("`mode`"), "{}", error.message);
        let mut bare = artifact();
        bare.coords.remove("lat");
        assert!(computed(&bare, &reference()).unwrap_err().message.contains("no coordinate `lat`"));
    }
}

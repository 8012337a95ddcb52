//! `rotate_vectors`: components along a grid as eastward and northward ones.

use leg_core::{
    Artifact, Coord, EvidenceDraft, Kind, Port, Purity, ToolContext, ToolError, ToolErrorKind, ToolOutput,
    ToolSpec, Variable,
};
use ndarray::{Array2, Array4, ArrayView1, Axis};
use ocean_data::Field;
use ocean_data::field::metrics::distance;
use ocean_data::field::{CollocateError, Horizontal, Velocity, collocate, rotate_to_east};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::argument::FieldArgument;
use crate::argument::dataset::of_arrays;
use crate::computation::Computation;
use crate::frame::Frame;
use crate::series::{axis_of, with_times};
use crate::together::in_units;
use crate::{Datasets, reading};

/// The largest result, in bytes.
const MAX_RESULT: u64 = 2 << 30;

/// Turns components from a grid to the compass.
pub(crate) struct RotateVectors;

/// Arguments of `rotate_vectors`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    /// The component along the grid's columns.
    #[schemars(extend("x-leg-port" = {"kind": "field", "or": ["map"], "unit": "any"}))]
    u: FieldArgument,
    /// The component along the grid's rows.
    #[schemars(extend("x-leg-port" = {"kind": "field", "or": ["map"], "unit": "=u"}))]
    v: FieldArgument,
    /// The angle from east to the direction of the columns, counter-clockwise, at the cell centres.
    #[schemars(extend("x-leg-port" = {"kind": "field", "or": ["map"], "unit": "rad"}))]
    angle: FieldArgument,
}

impl Computation for RotateVectors {
    const NAME: &'static str = "rotate_vectors";
    type Arguments = Arguments;

    fn describe() -> ToolSpec {
        ToolSpec::new("data", "Components along a grid as eastward and northward ones.", Port::of(Kind::Dataset).unit("=u"))
            .output("eastward", Port::of(Kind::Field).unit("=u"))
            .output("northward", Port::of(Kind::Field).unit("=u"))
            .description(
                "Components on the faces of cells are averaged to the centres first, dry faces left out; then east = u cos a - \
                 v sin a, north = u sin a + v cos a, with the angle a of the centre. On a grid without axes the results have \
                 dimensions y and x, with latitudes and longitudes beside them. The angle may be on a larger grid of the same \
                 centres, and its axes may run the other way or be exchanged. The dataset holds eastward and northward, which are outputs of their own too.",
            )
            .evidence(&["eastward_min", "eastward_max", "northward_min", "northward_max", "max_speed", "n"])
            .purity(Purity::ReadsData)
    }

    fn run(
        arguments: &Arguments,
        datasets: &Datasets,
        context: &ToolContext,
    ) -> Result<ToolOutput, ToolError> {
        let u = arguments.u.open(datasets, context)?;
        let units = if u.units().is_empty() { "m s-1".to_owned() } else { u.units().to_owned() };
        let u = in_units(&u, &units)?;
        let v = in_units(&arguments.v.open(datasets, context)?, &units)?;
        let angle = in_units(&arguments.angle.open(datasets, context)?, "rad")?;
        let velocity = collocate(&u, &v, MAX_RESULT).map_err(|error| cannot(&error))?;
        if context.is_cancelled() {
            return Err(ToolError::new(ToolErrorKind::Cancelled, "the call was stopped"));
        }
        let angles = angles_at(&angle, &velocity)?;
        let (mut east, mut north) = (velocity.u.clone(), velocity.v.clone());
        for ((t, z, y, x), &along) in velocity.u.indexed_iter() {
            let [own_east, own_north] = rotate_to_east(along, velocity.v[[t, z, y, x]], angles[[y, x]]);
            east[[t, z, y, x]] = own_east;
            north[[t, z, y, x]] = own_north;
        }
        let artifact = placed(&u, &velocity, &[("eastward", &east), ("northward", &north)], &units)?;
        let mut drafts = Vec::new();
        for (name, values) in [("eastward", &east), ("northward", &north)] {
            let low = values.iter().copied().fold(f64::NAN, f64::min);
            let high = values.iter().copied().fold(f64::NAN, f64::max);
            let what = format!("of the {name} component");
            drafts.push(EvidenceDraft::new(
                &format!("{name}_min"),
                low,
                &units,
                &format!("smallest value {what}"),
            ));
            drafts.push(EvidenceDraft::new(
                &format!("{name}_max"),
                high,
                &units,
                &format!("largest value {what}"),
            ));
        }
        let speeds = east.iter().zip(&north).map(|(u, v)| libm::hypot(*u, *v));
        let (n, fastest) = speeds
            .filter(|speed| !speed.is_nan())
            .fold((0_u64, f64::NAN), |(n, best), speed| (n + 1, best.max(speed)));
        drafts.push(EvidenceDraft::new("max_speed", fastest, &units, "largest speed"));
        drafts.push(EvidenceDraft::new("n", n, "1", "number of values of both components"));
        let mut notes = velocity.notes.clone();
        // What `collocate` found about the direction does not count: the angle is given.
        notes.retain(|note| !note.starts_with("the direction"));
        notes.extend(reading::notes(&u));
        let mut output = ToolOutput::default().with_evidence(drafts).with_notes(notes);
        for (at, name) in ["eastward", "northward"].into_iter().enumerate() {
            let mut own = artifact.clone();
            own.kind = Kind::Field;
            name.clone_into(&mut own.name);
            own.variables.swap(0, at);
            own.variables.remove(1);
            output.artifacts.insert(name.to_owned(), own);
        }
        output.artifacts.insert("result".to_owned(), of_arrays(artifact, &["eastward", "northward"]));
        Ok(output)
    }
}

fn cannot(error: &CollocateError) -> ToolError {
    match error {
        CollocateError::Walk(walk) => reading::cannot_read(walk),
        _ => ToolError::invalid(error.to_string()),
    }
}

/// The angle at each centre: of the same places, or of a larger grid that holds them, in whatever order of its axes.
fn angles_at(angle: &Field, velocity: &Velocity) -> Result<Array2<f64>, ToolError> {
    let [times, levels, rows, columns] = angle.full_shape();
    if times != 1 || levels != 1 {
        return Err(ToolError::invalid(format!(
            "`{}` must be one map; select one time and level",
            angle.name()
        )));
    }
    let values = angle.read(MAX_RESULT).map_err(|error| reading::cannot_read(&error))?;
    let order = Order::candidates(angle, velocity)
        .into_iter()
        .map(|order| Order { rows, columns, ..order })
        .find(|order| order.holds(angle, velocity))
        .ok_or_else(|| {
            ToolError::invalid(format!(
                "the angle `{}` does not stand on the cell centres of u and v; give the angle at those (in ROMS at rho \
                 points)",
                angle.name()
            ))
        })?;
    let at = |place| order.cell(place).map_or(f64::NAN, |(row, column)| values[[0, 0, row, column]]);
    Ok(Array2::from_shape_fn(velocity.lat.dim(), at))
}

/// Where the centres of a velocity stand in the grid of an angle.
#[derive(Debug, Clone, Copy)]
struct Order {
    rows: usize,
    columns: usize,
    /// A centre and its cell.
    from: (usize, usize),
    to: (usize, usize),
    /// The step in the angle's grid, rows and columns, from one centre to the next below it.
    down: [isize; 2],
    /// To the next beside it.
    right: [isize; 2],
}

impl Order {
    /// The same order of both axes, and then that of the places: axes may run backwards or be exchanged.
    fn candidates(angle: &Field, velocity: &Velocity) -> Vec<Self> {
        let is_known = |at: &(usize, usize)| velocity.lat[*at].is_finite() && velocity.lon[*at].is_finite();
        let known = || velocity.lat.indexed_iter().map(|(at, _)| at).filter(is_known);
        let nearest = |at: (usize, usize)| {
            let cells = angle.nearest_cells(velocity.lon[at], velocity.lat[at], 1);
            cells.first().map(|&(row, column, _)| (row, column))
        };
        let Some((from, to)) = known().next().and_then(|at| Some((at, nearest(at)?))) else {
            return Vec::new();
        };
        let same = Self { rows: 0, columns: 0, from, to, down: [1, 0], right: [0, 1] };
        let step = |next: Option<(usize, usize)>| {
            let (row, column) = nearest(next?)?;
            Some([row.checked_signed_diff(to.0)?, column.checked_signed_diff(to.1)?])
        };
        let down = step(known().find(|at| *at == (from.0 + 1, from.1)));
        let right = step(known().find(|at| *at == (from.0, from.1 + 1)));
        let (down, right) = match (down, right) {
            (Some(down), Some(right)) => (down, right),
            (Some(down), None) => (down, [down[1], down[0]]),
            (None, Some(right)) => ([right[1], right[0]], right),
            (None, None) => return vec![same],
        };
        vec![same, Self { down, right, ..same }]
    }

    /// The cell of a centre, if the angle's grid has it.
    fn cell(&self, (y, x): (usize, usize)) -> Option<(usize, usize)> {
        let (y, x) = (y.checked_signed_diff(self.from.0)?, x.checked_signed_diff(self.from.1)?);
        let at = |axis: usize, to: usize, length: usize| {
            let step = y * self.down[axis] + x * self.right[axis];
            to.checked_add_signed(step).filter(|at| *at < length)
        };
        Some((at(0, self.to.0, self.rows)?, at(1, self.to.1, self.columns)?))
    }

    /// Whether each centre has a cell, at its own place.
    fn holds(&self, angle: &Field, velocity: &Velocity) -> bool {
        // A tenth of a cell is rounding; half a cell is another point of a staggered grid.
        let step = |y: usize, x: usize| {
            let beside = if x + 1 < self.columns { x + 1 } else { x.saturating_sub(1) };
            let (a, b) = (angle.cell_centre(y, x)?, angle.cell_centre(y, beside)?);
            Some(distance(a[0], a[1], b[0], b[1]))
        };
        velocity.lat.indexed_iter().all(|(at, lat)| {
            let Some((row, column)) = self.cell(at) else { return false };
            if !lat.is_finite() {
                return true;
            }
            let Some([lon, own]) = angle.cell_centre(row, column) else { return false };
            let away = distance(velocity.lon[at], *lat, lon, own);
            !step(row, column).is_some_and(|step| away > 0.15 * step && away > 1.0)
        })
    }
}

/// Where each coordinate of an axis stands among others, which may be whole turns away.
fn order(axis: &[f64], others: &ArrayView1<'_, f64>) -> Vec<usize> {
    let away = |a: f64, b: f64| ((a - b) - 360.0 * ((a - b) / 360.0).round()).abs();
    let nearest = |at: &f64| {
        let all = others.iter().map(|&own| away(own, *at)).enumerate();
        all.min_by(|a, b| a.1.total_cmp(&b.1)).map_or(0, |own| own.0)
    };
    axis.iter().map(nearest).collect()
}

/// Arrays at the centres, with their axes, or with latitudes and longitudes of their own.
fn placed(
    u: &Field,
    velocity: &Velocity,
    parts: &[(&str, &Array4<f64>)],
    units: &str,
) -> Result<Artifact, ToolError> {
    let standard = |name: &str| format!("{name}_sea_water_velocity");
    let same_axes = matches!(u.horizontal(), Horizontal::Rectilinear { .. })
        && u.full_shape() == [velocity.u.dim().0, velocity.u.dim().1, velocity.u.dim().2, velocity.u.dim().3];
    if same_axes && let (Some(lats), Some(lons)) = (u.lats(), u.lons()) {
        let frame = Frame::of(u)?;
        // The centres are in the order that is stored, the axes in that of fields.
        let rows = order(&lats.values, &velocity.lat.column(0));
        let columns = order(&lons.values, &velocity.lon.row(0));
        let mut variables = parts.iter().map(|(name, values)| Variable {
            standard_name: Some(standard(name)),
            ..frame.variable(name, units, &values.select(Axis(2), &rows).select(Axis(3), &columns))
        });
        let first =
            variables.next().ok_or_else(|| ToolError::new(ToolErrorKind::Internal, "no component"))?;
        let artifact = frame.artifact("velocity", first).with_attribute("method", "turned to east and north");
        return Ok(variables.fold(artifact, Artifact::with_variable));
    }
    let (mut dims, mut shape) = (Vec::new(), Vec::new());
    let (times, levels, rows, columns) = velocity.u.dim();
    let several = u.depths().is_some_and(|axis| !axis.squeezed);
    for (name, length, present) in [
        ("time", times, u.times().is_some()),
        ("depth", levels, several),
        ("y", rows, true),
        ("x", columns, true),
    ] {
        if present {
            dims.push(name.to_owned());
            shape.push(length);
        }
    }
    let variables = parts.iter().map(|(name, values)| Variable {
        name: (*name).to_owned(),
        standard_name: Some(standard(name)),
        units: units.to_owned(),
        dims: dims.clone(),
        shape: shape.clone(),
        values: values.iter().copied().collect(),
    });
    let places = [
        ("lat", "degrees_north", "latitude", &velocity.lat),
        ("lon", "degrees_east", "longitude", &velocity.lon),
    ];
    let places = places.map(|(name, units, standard_name, values)| Variable {
        name: name.to_owned(),
        standard_name: Some(standard_name.to_owned()),
        units: units.to_owned(),
        dims: vec!["y".to_owned(), "x".to_owned()],
        shape: vec![rows, columns],
        values: values.iter().copied().collect(),
    });
    let mut all: Vec<Variable> = variables.chain(places).collect();
    let first = all.remove(0);
    let mut artifact = Artifact::array(Kind::Field, "velocity", first);
    artifact.variables.extend(all);
    if u.times().is_some() {
        artifact = with_times(artifact, &axis_of(u)?);
    }
    if let Some(depths) = u.depths() {
        artifact = artifact.with_coord("depth", Coord::numbers(&depths.values, "m", "depth"));
    }
    Ok(artifact.with_attribute("method", "turned to east and north"))
}

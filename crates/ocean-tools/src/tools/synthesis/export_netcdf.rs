//! `export_netcdf`: a result as a CF NetCDF file.

use std::collections::BTreeMap;

use leg_core::{
    Artifact, Coord, EvidenceDraft, Kind, Port, Purity, ToolContext, ToolError, ToolErrorKind, ToolOutput,
    ToolSpec, Variable,
};
use ocean_data::Field;
use ocean_data::cf::Calendar;
use ocean_data::write::{NetcdfAttribute, NetcdfAttributes, NetcdfFile, NetcdfVariable, netcdf_name};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use crate::argument::{ArtifactArgument, FieldArgument, dataset};
use crate::computation::Computation;
use crate::derived::by_cell;
use crate::frame::{BOUNDS, Frame};
use crate::kernels::time_axis::TimeAxis;
use crate::series::units_of;
use crate::{Datasets, reading};

/// The largest file, in bytes.
const MAX_BYTES: u64 = 1 << 31;
/// Units of the times that are written.
const TIME_UNITS: &str = "seconds since 1970-01-01 00:00:00";

/// Writes a result on a grid as NetCDF.
pub(crate) struct ExportNetcdf;

/// Arguments of `export_netcdf`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    #[schemars(extend("x-leg-port" = {"unit": "any"}))]
    artifact: ArtifactArgument,
    /// The format of the file.
    #[serde(default)]
    format: Format,
}

/// The format of the file.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Format {
    /// Classic NetCDF with 64-bit offsets.
    #[default]
    Netcdf,
}

impl Computation for ExportNetcdf {
    const NAME: &'static str = "export_netcdf";
    type Arguments = Arguments;

    fn describe() -> ToolSpec {
        ToolSpec::new("synthesis", "Write a result on a grid as a CF NetCDF file.", Port::of(Kind::File))
            .description(
                "All arrays of a result, or all fields of a dataset, as doubles that read back bit for bit, with units, standard \
                 names, axes, bounds and calendar by CF-1.11; a missing value is NaN, the fill value. Classic NetCDF with 64-bit \
                 offsets (CDF-2; CDF-5 for arrays above 4 GiB). The history names the digest of what was written. Texts that \
                 are no times are left out, and it is said.",
            )
            .evidence(&["n_variables", "n_values", "bytes"])
            .purity(Purity::ReadsData)
    }

    fn run(
        arguments: &Arguments,
        datasets: &Datasets,
        context: &ToolContext,
    ) -> Result<ToolOutput, ToolError> {
        let Format::Netcdf = arguments.format;
        let artifact = arguments.artifact.read(context)?;
        let mut writing = Writing::default();
        let mut sources = Vec::new();
        for part in parts(&artifact, &arguments.artifact, datasets, context)? {
            if let Some(source) = part.1 {
                sources.push(source);
            }
            writing.add(&part.0)?;
        }
        let digest = arguments.artifact.digest().to_string();
        let n_variables = writing.n_variables;
        let n_values = writing.n_values;
        let (file, notes) = writing.finish(&artifact, &digest);
        let bytes =
            file.to_bytes().map_err(|error| ToolError::new(ToolErrorKind::Internal, error.to_string()))?;
        let drafts = [
            EvidenceDraft::new("n_variables", n_variables as u64, "1", "number of arrays beside coordinates"),
            EvidenceDraft::new("n_values", n_values as u64, "1", "number of values of these arrays"),
            EvidenceDraft::new("bytes", bytes.len() as u64, "1", "size of the file in bytes"),
        ];
        let name = format!("{}.nc", netcdf_name(&artifact.name));
        let written = Artifact::file(name, "application/x-netcdf", bytes).with_attribute("data", digest);
        let mut output = ToolOutput::of(written).with_evidence(drafts).with_notes(notes);
        output.sources = sources;
        Ok(output)
    }
}

type Part = (Artifact, Option<leg_core::Source>);

/// The artifacts with arrays that an artifact stands for.
fn parts(
    artifact: &Artifact,
    reference: &ArtifactArgument,
    datasets: &Datasets,
    context: &ToolContext,
) -> Result<Vec<Part>, ToolError> {
    if artifact.kind == Kind::Dataset {
        return dataset::names(artifact)
            .into_iter()
            .map(|name| read(&dataset::open(artifact, reference, &name, datasets)?, &name, context))
            .collect();
    }
    if artifact.primary().is_some() {
        return Ok(vec![(artifact.clone(), None)]);
    }
    if artifact.kind == Kind::Field {
        let field = FieldArgument::Artifact(*reference).open(datasets, context)?;
        return Ok(vec![read(&field, field.variable().identity_name(), context)?]);
    }
    Err(ToolError::invalid(format!(
        "`{}` is a {} without arrays on a grid; export a field, a map, a series, a section or a dataset, or use \
         `export_table`",
        artifact.name, artifact.kind
    )))
}

fn read(field: &Field, name: &str, context: &ToolContext) -> Result<Part, ToolError> {
    let needed = field.len() as u64 * 8;
    if needed > MAX_BYTES {
        return Err(ToolError::new(
            ToolErrorKind::LimitExceeded,
            format!(
                "the file would take {needed} bytes and the limit is {MAX_BYTES}; narrow the field, or use `leg data convert`"
            ),
        ));
    }
    let values = by_cell(&[field], context, |_, cell| cell[0])?;
    let frame = Frame::of(field)?;
    let mut variable = frame.variable(name, &units_of(field), &values.values);
    variable.standard_name = field.standard_name().map(str::to_owned);
    Ok((frame.artifact(name, variable), Some(reading::source(field, &values.chunks[0]))))
}

/// A file that grows.
#[derive(Debug, Default)]
struct Writing {
    file: NetcdfFile,
    n_variables: usize,
    n_values: usize,
    notes: Vec<String>,
    facts: BTreeMap<String, Value>,
}

fn text(value: &str) -> NetcdfAttribute {
    NetcdfAttribute::Text(value.to_owned())
}

impl Writing {
    fn add(&mut self, artifact: &Artifact) -> Result<(), ToolError> {
        for (key, value) in &artifact.attributes {
            self.facts.entry(key.clone()).or_insert_with(|| value.clone());
        }
        let mut scalars = Vec::new();
        for (name, coord) in &artifact.coords {
            let is_dimension = artifact.variables.iter().any(|own| own.dims.contains(name));
            let own = netcdf_name(name);
            if self.file.variables.iter().any(|known| known.name == own) {
                if !is_dimension {
                    scalars.push(own);
                }
                continue;
            }
            let Some((values, mut attributes)) = coordinate(name, coord)? else {
                self.notes.push(format!("the labels `{name}` are texts and were left out"));
                continue;
            };
            if is_dimension {
                self.dimension(&own, values.len());
                if let Some(bounds) = bounds_of(artifact, name, values.len()) {
                    attributes.push(("bounds".to_owned(), text(&format!("{own}_bnds"))));
                    self.dimension("bnds", 2);
                    self.file.variables.push(NetcdfVariable {
                        name: format!("{own}_bnds"),
                        dimensions: vec![own.clone(), "bnds".to_owned()],
                        attributes: vec![],
                        values: bounds,
                    });
                }
            } else if values.len() == 1 {
                scalars.push(own.clone());
            } else {
                continue;
            }
            let dimensions = if is_dimension { vec![own.clone()] } else { vec![] };
            self.file.variables.push(NetcdfVariable { name: own, dimensions, attributes, values });
        }
        for variable in &artifact.variables {
            self.variable(variable, &scalars);
        }
        Ok(())
    }

    fn dimension(&mut self, name: &str, length: usize) {
        if !self.file.dimensions.iter().any(|own| own.0 == name) {
            self.file.dimensions.push((name.to_owned(), length));
        }
    }

    fn variable(&mut self, variable: &Variable, scalars: &[String]) {
        let mut name = netcdf_name(&variable.name);
        while self.file.variables.iter().any(|known| known.name == name) {
            name.push_str("_value");
        }
        let mut attributes: NetcdfAttributes = vec![("units".to_owned(), text(&variable.units))];
        if let Some(standard_name) = &variable.standard_name {
            attributes.push(("standard_name".to_owned(), text(standard_name)));
        }
        attributes.push(("long_name".to_owned(), text(&variable.name.replace('_', " "))));
        if !scalars.is_empty() {
            attributes.push(("coordinates".to_owned(), text(&scalars.join(" "))));
        }
        attributes.push(("_FillValue".to_owned(), NetcdfAttribute::Numbers(vec![f64::NAN])));
        let dimensions: Vec<String> = variable.dims.iter().map(|own| netcdf_name(own)).collect();
        for (own, length) in dimensions.iter().zip(&variable.shape) {
            // A dimension without a coordinate, such as modes.
            self.dimension(own, *length);
        }
        self.n_variables += 1;
        self.n_values += variable.values.len();
        self.file.variables.push(NetcdfVariable {
            name,
            dimensions,
            attributes,
            values: variable.values.clone(),
        });
    }

    fn finish(mut self, artifact: &Artifact, digest: &str) -> (NetcdfFile, Vec<String>) {
        let mut attributes: NetcdfAttributes = vec![
            ("Conventions".to_owned(), text("CF-1.11")),
            ("title".to_owned(), text(&artifact.name.replace('_', " "))),
            ("history".to_owned(), text(&format!("written by leg from {digest}"))),
        ];
        for (key, value) in self.facts {
            let value = match value {
                Value::String(own) => text(&own),
                Value::Number(number) => NetcdfAttribute::Numbers(number.as_f64().into_iter().collect()),
                _ if key == BOUNDS => continue,
                other => text(&other.to_string()),
            };
            let key = netcdf_name(&key);
            if !attributes.iter().any(|known| known.0 == key) {
                attributes.push((key, value));
            }
        }
        self.file.attributes = attributes;
        (self.file, self.notes)
    }
}

/// The numbers of a coordinate with its attributes; `None` for labels.
fn coordinate(name: &str, coord: &Coord) -> Result<Option<(Vec<f64>, NetcdfAttributes)>, ToolError> {
    let mut attributes = NetcdfAttributes::new();
    if coord.values.iter().any(Value::is_string) {
        if name != "time" {
            return Ok(None);
        }
        let calendar = coord.calendar.as_deref().unwrap_or("standard");
        let parsed = Calendar::parse(calendar).map_err(|error| ToolError::invalid(error.to_string()))?;
        let texts: Vec<&str> = coord.values.iter().filter_map(Value::as_str).collect();
        let axis = TimeAxis::parse(parsed, &texts)
            .map_err(|error| ToolError::new(ToolErrorKind::BadData, error.to_string()))?;
        for (key, value) in
            [("units", TIME_UNITS), ("calendar", calendar), ("standard_name", "time"), ("axis", "T")]
        {
            attributes.push((key.to_owned(), text(value)));
        }
        // Whole milliseconds of any year a calendar has are exact in a double.
        return Ok(Some((axis.nanoseconds().iter().map(|&own| own as f64 / 1e9).collect(), attributes)));
    }
    let values = coord.values.iter().map(|own| own.as_f64().unwrap_or(f64::NAN)).collect();
    if let Some(units) = &coord.units {
        attributes.push(("units".to_owned(), text(units)));
    }
    if let Some(standard_name) = &coord.standard_name {
        attributes.push(("standard_name".to_owned(), text(standard_name)));
    }
    match name {
        "depth" => attributes.extend([("positive".to_owned(), text("down")), ("axis".to_owned(), text("Z"))]),
        "lat" => attributes.push(("axis".to_owned(), text("Y"))),
        "lon" => attributes.push(("axis".to_owned(), text("X"))),
        _ => {}
    }
    Ok(Some((values, attributes)))
}

/// The bounds that an artifact states for an axis.
fn bounds_of(artifact: &Artifact, name: &str, length: usize) -> Option<Vec<f64>> {
    let pairs = artifact.attributes.get(BOUNDS)?.get(name)?.clone();
    let pairs: Vec<[f64; 2]> = serde_json::from_value(pairs).ok()?;
    (pairs.len() == length).then(|| pairs.into_iter().flatten().collect())
}

//! A registry of fake tools with the arguments that skills use, and a demo context.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use async_trait::async_trait;
use leg_agents::planner::{DatasetContext, PlannerContext, VariableContext};
use leg_agents::skills::{SkillSet, load_dir};
use leg_core::{Kind, Port, Registry, Tool, ToolContext, ToolError, ToolName, ToolOutput, ToolSpec};
use serde_json::{Map, Value, json};

#[derive(Debug)]
struct FakeTool(ToolSpec);

#[async_trait]
impl Tool for FakeTool {
    fn spec(&self) -> ToolSpec {
        self.0.clone()
    }

    async fn call(&self, _: Value, _: &ToolContext) -> Result<ToolOutput, ToolError> {
        Ok(ToolOutput::default())
    }
}

/// `name`, output, arguments; `!` marks one that is needed, `:kind` a port.
fn tool(name: &str, output: Kind, arguments: &[&str]) -> Arc<dyn Tool> {
    let mut properties = Map::new();
    let mut required = Vec::new();
    for argument in arguments {
        let (argument, kind) = argument.split_once(':').unwrap_or((argument, ""));
        let plain = argument.trim_end_matches('!');
        if plain.len() < argument.len() {
            required.push(plain);
        }
        let schema = match kind {
            "" => json!({}),
            "any" => json!({"x-leg-port": {}}),
            kind => json!({"x-leg-port": {"kind": kind}}),
        };
        properties.insert(plain.to_owned(), schema);
    }
    let mut spec = ToolSpec::new("test", "a fake", Port::of(output));
    spec.name = ToolName::new(name).unwrap();
    spec.produces_images = output == Kind::Figure;
    spec.arguments = json!({"type": "object", "properties": properties, "required": required, "additionalProperties": false});
    Arc::new(FakeTool(spec))
}

/// The twelve tools of the first release.
pub(crate) fn registry() -> Registry {
    let mut registry = Registry::default();
    let tools = [
        tool(
            "load_dataset",
            Kind::Field,
            &["variable!", "region!", "time", "season", "months", "depth", "dataset"],
        ),
        tool("get_dataset_info", Kind::Table, &["dataset"]),
        tool(
            "compute_area_weighted_mean",
            Kind::Series,
            &["data!:field", "region", "depth_aggregation", "weighting"],
        ),
        tool("extract_point_timeseries", Kind::Series, &["data!:field", "lon!", "lat!", "method"]),
        tool(
            "compute_spatial_field",
            Kind::Map,
            &["data!:field", "time", "time_aggregation", "depth_aggregation"],
        ),
        tool("compute_climatology", Kind::Climatology, &["timeseries!:series", "period", "baseline"]),
        tool(
            "compute_anomaly",
            Kind::Series,
            &["timeseries!:series", "climatology!:climatology", "standardise"],
        ),
        tool(
            "compute_trend",
            Kind::Statistic,
            &["timeseries!:series", "method", "confidence_level", "autocorrelation", "deseasonalise"],
        ),
        tool("compute_climate_index", Kind::Series, &["sst!:field", "index!", "baseline"]),
        tool("resample_timeseries", Kind::Series, &["timeseries!:series", "freq!", "method", "min_coverage"]),
        tool("render_figure", Kind::Figure, &["artifact!:any", "title", "range", "palette"]),
        tool("export_table", Kind::File, &["artifact!:any", "format"]),
    ];
    for tool in tools {
        registry.add_tool(tool).unwrap();
    }
    registry
}

/// The skills of the repository.
pub(crate) fn skills() -> SkillSet {
    load_dir(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../skills")).unwrap()
}

pub(crate) fn variable(name: &str, standard_name: &str, units: &str, has_depth: bool) -> VariableContext {
    VariableContext {
        name: name.to_owned(),
        standard_name: Some(standard_name.to_owned()),
        long_name: None,
        units: units.to_owned(),
        has_depth,
    }
}

/// A store like the demo's: six variables with levels, two named boxes.
pub(crate) fn demo() -> DatasetContext {
    DatasetContext {
        name: "demo".to_owned(),
        variables: vec![
            variable("temperature", "sea_water_potential_temperature", "degC", true),
            variable("salinity", "sea_water_practical_salinity", "1", true),
            variable("u", "eastward_sea_water_velocity", "m s-1", true),
            variable("v", "northward_sea_water_velocity", "m s-1", true),
            variable("chlorophyll", "mass_concentration_of_chlorophyll_in_sea_water", "mg m-3", true),
            variable(
                "oxygen",
                "mole_concentration_of_dissolved_molecular_oxygen_in_sea_water",
                "mmol m-3",
                true,
            ),
        ],
        lon: Some([110.0, 125.0]),
        lat: Some([12.0, 25.0]),
        time: Some(["2015-01-01".to_owned(), "2017-12-31".to_owned()]),
        depth: Some([0.5, 800.0]),
        boxes: BTreeMap::from([
            ("coastal".to_owned(), json!({"lon": [113, 117], "lat": [19, 22]})),
            ("basin".to_owned(), json!({"lon": [115, 120], "lat": [14, 18]})),
        ]),
    }
}

/// A monthly global surface temperature without levels.
pub(crate) fn global() -> DatasetContext {
    DatasetContext {
        name: "ersst".to_owned(),
        variables: vec![variable("sst", "sea_surface_temperature", "degC", false)],
        lon: Some([0.0, 358.0]),
        lat: Some([-88.0, 88.0]),
        time: Some(["2010-01-01".to_owned(), "2020-12-01".to_owned()]),
        depth: None,
        boxes: BTreeMap::new(),
    }
}

pub(crate) fn context(datasets: impl IntoIterator<Item = DatasetContext>) -> PlannerContext {
    PlannerContext { datasets: datasets.into_iter().collect(), ..PlannerContext::default() }
}

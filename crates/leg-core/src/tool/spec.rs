//! [`ToolSpec`]: what a tool is, takes and returns.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{Digest, Domain, Kind, ToolName, canonical};

/// What sort of statement about the world a result is; two of them never share a layer.
///
/// ```
/// use leg_core::DataClass;
///
/// assert_eq!(serde_json::to_value(DataClass::Hypothetical).unwrap(), "hypothetical");
/// ```
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, schemars::JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum DataClass {
    /// Something that was measured. Tide predictions are compatible with it and declare it.
    Observation,
    /// Something that a model expects.
    Forecast,
    /// Something that could happen, such as a mapped flood zone.
    Hypothetical,
}

/// What a call changes.
///
/// ```
/// use leg_core::{Effect, Kind, Port, ToolSpec};
///
/// // A call whose end nobody saw is never made again.
/// let spec = ToolSpec::new("mail", "Sends a warning.", Port::of(Kind::Text)).effect(Effect::Write);
/// assert_eq!(spec.effect, Effect::Write);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Effect {
    /// Nothing.
    Read,
    /// Something, but twice is once.
    Idempotent,
    /// Something, each time.
    Write,
}

/// What a replay may do with a call.
///
/// ```
/// use leg_core::{Kind, Port, Purity, ToolSpec};
///
/// let spec = ToolSpec::new("tide", "Asks a service.", Port::of(Kind::Series));
/// assert_eq!(spec.purity, Purity::Pure);
/// assert_eq!(spec.hosts(&["tides.example"]).purity, Purity::External);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Purity {
    /// The result follows from the arguments and the artifacts named in them.
    Pure,
    /// It also follows from a dataset.
    ReadsData,
    /// It comes from outside and is served from the record.
    External,
}

/// The kind, dimensions and unit of an input or an output.
///
/// ```
/// use leg_core::{Kind, Port};
///
/// let port = Port::of(Kind::Series).dims(&["time"]).unit("m");
/// assert!(port.accepts(Kind::Series) && !port.accepts(Kind::Map));
/// assert_eq!(serde_json::to_value(&port).unwrap()["kind"], "series");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Port {
    /// What it is; `None` takes any kind.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<Kind>,
    /// Other kinds that fit as well.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub or: Vec<Kind>,
    /// Dimensions; one with `?` may be absent.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub dims: Vec<String>,
    /// A CF unit, `any`, or an expression of another argument such as `=data` or `data m-1`.
    #[serde(default = "any")]
    pub unit: String,
}

fn any() -> String {
    "any".to_owned()
}

impl Port {
    /// A port for one kind with any unit.
    pub fn of(kind: Kind) -> Self {
        Self { kind: Some(kind), or: Vec::new(), dims: Vec::new(), unit: any() }
    }

    /// Names the dimensions.
    #[must_use]
    pub fn dims(mut self, dims: &[&str]) -> Self {
        self.dims = dims.iter().map(|&dim| dim.to_owned()).collect();
        self
    }

    /// Names the unit.
    #[must_use]
    pub fn unit(mut self, unit: &str) -> Self {
        unit.clone_into(&mut self.unit);
        self
    }

    /// Whether an artifact of this kind fits.
    pub fn accepts(&self, kind: Kind) -> bool {
        self.kind.is_none_or(|own| own == kind) || self.or.contains(&kind)
    }

    /// The kinds that fit, for a message.
    pub fn kinds(&self) -> Vec<Kind> {
        self.kind.into_iter().chain(self.or.iter().copied()).collect()
    }
}

/// A named output of a tool.
///
/// ```
/// use leg_core::{Kind, Port, ToolSpec};
///
/// let spec = ToolSpec::new("heat", "Finds heat waves.", Port::of(Kind::Events)).output("mask", Port::of(Kind::Mask));
/// // A plan names the second one: {"$ref": "waves#/outputs/mask"}.
/// assert_eq!(spec.find_output("mask").unwrap().port.kind, Some(Kind::Mask));
/// assert_eq!(spec.primary(), "result");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Output {
    /// Its name in a reference: `s#/outputs/<name>`.
    pub name: String,
    /// What it is.
    pub port: Port,
}

/// What a tool is, takes and returns. Its digest is part of what an approval names.
///
/// ```
/// use leg_core::{DataClass, Kind, Port, ToolSpec};
///
/// let spec = ToolSpec::new("tide", "Water levels of a gauge.", Port::of(Kind::Series).unit("m"))
///     .description("Six-minute levels above a datum; gaps stay gaps.")
///     .evidence(&["highest"])
///     .data_class(DataClass::Observation)
///     .hosts(&["tides.example"]);
/// // One word more and it is another definition, which needs a new approval.
/// let other = spec.clone().description("Six-minute levels above a datum; gaps are filled.");
/// assert_ne!(spec.definition(), other.definition());
/// assert_eq!(spec.differences(&other), ["description"]);
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ToolSpec {
    /// The name that plans use.
    pub name: ToolName,
    /// Raised when the same arguments give another result.
    pub version: u32,
    /// The group that it is listed in.
    pub family: String,
    /// One line.
    pub summary: String,
    /// Method, source, limits.
    pub description: String,
    /// JSON Schema of the arguments; ports carry `x-leg-port`.
    pub arguments: Value,
    /// What it returns; the first is the primary output.
    pub outputs: Vec<Output>,
    /// Names of the evidence that a call gives or may give.
    pub evidence: Vec<String>,
    /// The class of its results; ocean-state tools have none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub data_class: Option<DataClass>,
    /// What a call changes.
    pub effect: Effect,
    /// What a replay may do.
    pub purity: Purity,
    /// Hosts that it may contact.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub hosts: Vec<String>,
    /// Whether its outputs include pictures.
    #[serde(default)]
    pub produces_images: bool,
}

impl ToolSpec {
    /// A pure tool that returns one artifact named `result`. The blanket implementation for
    /// [`TypedTool`](crate::TypedTool) sets `name` and `arguments`.
    pub fn new(family: &str, summary: &str, output: Port) -> Self {
        Self {
            name: ToolName::unnamed(),
            version: 1,
            family: family.to_owned(),
            summary: summary.to_owned(),
            description: String::new(),
            arguments: Value::Null,
            outputs: vec![Output { name: "result".to_owned(), port: output }],
            evidence: Vec::new(),
            data_class: None,
            effect: Effect::Read,
            purity: Purity::Pure,
            hosts: Vec::new(),
            produces_images: false,
        }
    }

    /// Adds method, source and limits.
    #[must_use]
    pub fn description(mut self, text: &str) -> Self {
        text.clone_into(&mut self.description);
        self
    }

    /// Lists the evidence.
    #[must_use]
    pub fn evidence(mut self, names: &[&str]) -> Self {
        self.evidence = names.iter().map(|&name| name.to_owned()).collect();
        self
    }

    /// Says what a replay may do.
    #[must_use]
    pub fn purity(mut self, purity: Purity) -> Self {
        self.purity = purity;
        self
    }

    /// Says what a call changes.
    #[must_use]
    pub fn effect(mut self, effect: Effect) -> Self {
        self.effect = effect;
        self
    }

    /// Names the class of its results.
    #[must_use]
    pub fn data_class(mut self, class: DataClass) -> Self {
        self.data_class = Some(class);
        self
    }

    /// Names the hosts that it may contact; such a tool is external.
    #[must_use]
    pub fn hosts(mut self, hosts: &[&str]) -> Self {
        self.hosts = hosts.iter().map(|&host| host.to_owned()).collect();
        self.purity = Purity::External;
        self
    }

    /// Says that it makes pictures.
    #[must_use]
    pub fn produces_images(mut self) -> Self {
        self.produces_images = true;
        self
    }

    /// Adds a named output after the primary one.
    #[must_use]
    pub fn output(mut self, name: &str, port: Port) -> Self {
        self.outputs.push(Output { name: name.to_owned(), port });
        self
    }

    /// The name of the primary output.
    pub fn primary(&self) -> &str {
        self.outputs.first().map_or("result", |output| output.name.as_str())
    }

    /// The output with this name.
    pub fn find_output(&self, name: &str) -> Option<&Output> {
        self.outputs.iter().find(|output| output.name == name)
    }

    /// The port of an argument, read from its schema.
    pub fn port(&self, argument: &str) -> Option<Port> {
        let schema = self.arguments.get("properties")?.get(argument)?;
        serde_json::from_value(schema.get("x-leg-port")?.clone()).ok()
    }

    /// The parts in which two specifications differ, by their names in JSON.
    pub fn differences(&self, other: &Self) -> Vec<String> {
        let parts = |spec: &Self| match serde_json::to_value(spec) {
            Ok(Value::Object(parts)) => parts,
            _ => serde_json::Map::new(),
        };
        let (own, others) = (parts(self), parts(other));
        let mut names: Vec<String> = own.keys().chain(others.keys()).cloned().collect();
        names.sort_unstable();
        names.dedup();
        names.retain(|name| own.get(name) != others.get(name));
        names
    }

    /// The digest of the whole definition: name, description, schema, outputs, effect and the rest.
    pub fn definition(&self) -> Digest {
        let json = serde_json::to_value(self).unwrap_or(Value::Null);
        Digest::of(Domain::Definition, &canonical::to_vec(&json).unwrap_or_default())
    }
}

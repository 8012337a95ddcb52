//! [`FakeTool`]: a tool that does what a test tells it.

use std::time::Duration;

use async_trait::async_trait;
use leg_core::{
    DataClass, Digest, Domain, Effect, Estimate, Kind, Port, Purity, Rendering, Source, Tool, ToolContext,
    ToolError, ToolErrorKind, ToolName, ToolOutput, ToolSpec,
};
use serde_json::{Value, json};

use crate::fake_answer::Answer;
use crate::heard::Heard;

/// The calls that a [`FakeTool`] got; a clone sees the same ones.
#[derive(Debug, Clone, Default)]
pub struct Calls(Heard<Value>);

impl Calls {
    /// How many calls were started, failed ones included.
    pub fn count(&self) -> usize {
        self.0.count()
    }

    /// The arguments of the calls in the order in which they started.
    pub fn arguments(&self) -> Vec<Value> {
        self.0.all()
    }
}

/// A tool that does what a test tells it: echo its arguments, give a series, reduce one; and, on top of that,
/// sleep, fail for a while, panic, make pictures, or name sources.
///
/// ```
/// use leg_core::{Tool as _, ToolErrorKind};
/// use leg_testkit::FakeTool;
///
/// let tool = FakeTool::echo("shaky").failing(2, ToolErrorKind::Unavailable);
/// let calls = tool.calls();
/// assert_eq!(tool.spec().name.as_str(), "shaky");
/// assert_eq!(calls.count(), 0);
/// ```
#[derive(Debug, Clone)]
pub struct FakeTool {
    spec: ToolSpec,
    answer: Answer,
    calls: Calls,
    failures: usize,
    failure: ToolErrorKind,
    panics: bool,
    sleep: Option<Duration>,
    estimate: Option<Estimate>,
}

impl FakeTool {
    /// Gives back its arguments as a table, and their number as the evidence `n`. It takes any arguments.
    pub fn echo(name: &str) -> Self {
        let spec = ToolSpec::new("fake", "Gives back its arguments.", Port::of(Kind::Table)).evidence(&["n"]);
        Self::new(name, spec, json!({"type": "object"}), Answer::Echo)
    }

    /// Gives a monthly series in `degC`: `values`, or those in the argument of that name, each plus `offset`.
    pub fn series(name: &str, values: &[f64]) -> Self {
        let port = Port::of(Kind::Series).dims(&["time"]).unit("degC");
        let spec = ToolSpec::new("fake", "Gives a series.", port).evidence(&["first", "last", "max", "n"]);
        let arguments = json!({
            "type": "object",
            "properties": {
                "values": {"type": "array", "items": {"type": "number"}, "minItems": 1, "maxItems": 1000},
                "offset": {"type": "number", "default": 0},
            },
            "additionalProperties": false,
        });
        Self::new(name, spec, arguments, Answer::Series(values.to_vec()))
    }

    /// Gives the mean of its argument `data`, a series, as a scalar and as the evidence `mean`.
    pub fn mean(name: &str) -> Self {
        let spec = ToolSpec::new("fake", "Gives the mean of a series.", Port::of(Kind::Scalar).unit("=data"))
            .evidence(&["mean", "n"]);
        Self::new(name, spec, ports(&["data"]), Answer::Mean)
    }

    /// Gives the sum of its arguments `a` and `b`, two series of one length.
    pub fn sum(name: &str) -> Self {
        let port = Port::of(Kind::Series).dims(&["time"]).unit("=a");
        let spec = ToolSpec::new("fake", "Adds two series.", port).evidence(&["first", "last", "max", "n"]);
        Self::new(name, spec, ports(&["a", "b"]), Answer::Sum)
    }

    /// Gives a file of so many bytes, the same in every call. It takes any arguments and gives no evidence.
    pub fn blob(name: &str, bytes: usize) -> Self {
        let spec = ToolSpec::new("fake", "Gives a file.", Port::of(Kind::File));
        Self::new(name, spec, json!({"type": "object"}), Answer::Blob { bytes, fresh: false })
    }

    /// Makes a [`blob`](Self::blob) give another file in every call; the same call gives the same one again.
    #[must_use]
    pub const fn fresh(mut self) -> Self {
        if let Answer::Blob { fresh, .. } = &mut self.answer {
            *fresh = true;
        }
        self
    }

    /// Gives a figure of its argument `data`, with a picture.
    pub fn draw(name: &str) -> Self {
        let spec = ToolSpec::new("fake", "Draws a series.", Port::of(Kind::Figure))
            .evidence(&["points"])
            .produces_images();
        Self::new(name, spec, ports(&["data"]), Answer::Draw)
    }

    fn new(name: &str, mut spec: ToolSpec, arguments: Value, answer: Answer) -> Self {
        if let Ok(name) = ToolName::new(name) {
            spec.name = name;
        }
        spec.arguments = arguments;
        Self {
            spec,
            answer,
            calls: Calls::default(),
            failures: 0,
            failure: ToolErrorKind::Unavailable,
            panics: false,
            sleep: None,
            estimate: None,
        }
    }

    /// Fails `times` calls with this kind, then answers. `usize::MAX` fails for ever.
    #[must_use]
    pub const fn failing(mut self, times: usize, kind: ToolErrorKind) -> Self {
        self.failures = times;
        self.failure = kind;
        self
    }

    /// Panics in every call that it does not fail.
    #[must_use]
    pub const fn panicking(mut self) -> Self {
        self.panics = true;
        self
    }

    /// Sleeps on tokio's clock before it does anything; a stopped call ends at once as cancelled.
    #[must_use]
    pub const fn sleeping(mut self, time: Duration) -> Self {
        self.sleep = Some(time);
        self
    }

    /// Also makes a picture.
    #[must_use]
    pub fn with_images(mut self) -> Self {
        self.spec = self.spec.produces_images();
        self
    }

    /// Sets the class of its results.
    #[must_use]
    pub fn data_class(mut self, class: DataClass) -> Self {
        self.spec = self.spec.data_class(class);
        self
    }

    /// Sets what a call changes.
    #[must_use]
    pub fn effect(mut self, effect: Effect) -> Self {
        self.spec = self.spec.effect(effect);
        self
    }

    /// Makes it external: it contacts `host`, and each answer names a source there.
    #[must_use]
    pub fn external(mut self, host: &str) -> Self {
        self.spec = self.spec.hosts(&[host]);
        self
    }

    /// Says before a call that it will read at most so many bytes.
    #[must_use]
    pub const fn estimating(mut self, bytes: u64) -> Self {
        self.estimate = Some(Estimate { bytes });
        self
    }

    /// Changes the specification in any other way.
    #[must_use]
    pub fn with_spec(mut self, change: impl FnOnce(&mut ToolSpec)) -> Self {
        change(&mut self.spec);
        self
    }

    /// The calls so far and those to come.
    pub fn calls(&self) -> Calls {
        self.calls.clone()
    }

    fn answer(&self, arguments: &Value, context: &ToolContext) -> Result<ToolOutput, ToolError> {
        let mut output = self.answer.output(arguments, context)?;
        if self.spec.produces_images {
            output.renderings.push(Rendering {
                name: format!("{}.png", self.spec.name),
                media_type: "image/png".to_owned(),
                bytes: b"\x89PNG\r\n\x1a\nfake".to_vec(),
            });
        }
        if let (Purity::External, Some(host)) = (self.spec.purity, self.spec.hosts.first()) {
            let body = arguments.to_string();
            output.sources.push(Source {
                address: format!("https://{host}/{}", self.spec.name),
                bytes: body.len() as u64,
                parts: 1,
                digest: Digest::of(Domain::Object, body.as_bytes()),
                facts: std::collections::BTreeMap::new(),
            });
        }
        Ok(output)
    }
}

#[async_trait]
impl Tool for FakeTool {
    fn spec(&self) -> ToolSpec {
        self.spec.clone()
    }

    async fn call(&self, arguments: Value, context: &ToolContext) -> Result<ToolOutput, ToolError> {
        let number = self.calls.0.push(arguments.clone());
        if let Some(time) = self.sleep {
            tokio::select! {
                () = context.cancellation().cancelled() => return Err(ToolError::cancelled()),
                () = tokio::time::sleep(time) => {}
            }
        }
        if number <= self.failures {
            let name = &self.spec.name;
            return Err(ToolError::new(
                self.failure,
                format!("`{name}` fails on call {number}, as it was told"),
            ));
        }
        assert!(!self.panics, "`{}` panics, as it was told", self.spec.name);
        self.answer(&arguments, context)
    }

    fn estimate(&self, _: &Value) -> Option<Estimate> {
        self.estimate
    }
}

/// The schema of an object whose members each take a series.
fn ports(names: &[&str]) -> Value {
    let port = json!({"x-leg-port": Port::of(Kind::Series).dims(&["time"])});
    let properties: serde_json::Map<String, Value> =
        names.iter().map(|&name| (name.to_owned(), port.clone())).collect();
    json!({"type": "object", "properties": properties, "required": names, "additionalProperties": false})
}

//! [`TrailTool`]: a tool that writes down in a file when a call begins and ends, so that calls can be counted over
//! several processes.

use std::fs::OpenOptions;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use async_trait::async_trait;
use leg_core::{
    Artifact, Effect, EvidenceDraft, Kind, Port, Tool, ToolContext, ToolError, ToolErrorKind, ToolName,
    ToolOutput, ToolSpec,
};
use serde_json::{Value, json};

/// What a [`TrailTool`] does after it has written that a call began.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Deed {
    /// Answers after `pause_ms`.
    Answer,
    /// Computes for ever and listens to nobody.
    Spin,
    /// Ends its process, as a crash would.
    Abort,
    /// Ends its process when a call is begun for the first time, and answers when it is begun again.
    AbortOnce,
    /// Prints a line on standard output and answers.
    Print,
}

/// A tool that leaves a trail. It takes `who`, a name, `n`, a number, and `pause_ms`, and gives them back with the
/// evidence `n`. A trail's line is `began <who> <n>` or `ended <who> <n>`.
#[derive(Debug, Clone)]
pub struct TrailTool {
    spec: ToolSpec,
    trail: PathBuf,
    deed: Deed,
}

impl TrailTool {
    /// A tool that writes to the file `trail`.
    pub fn new(name: &str, trail: &Path, deed: Deed) -> Self {
        let mut spec = ToolSpec::new("fake", "Leaves a trail.", Port::of(Kind::Table))
            .evidence(&["n"])
            .hosts(&["trail.example"]);
        if let Ok(name) = ToolName::new(name) {
            spec.name = name;
        }
        spec.arguments = json!({
            "type": "object",
            "properties": {
                "who": {"type": "string"},
                "n": {"type": "integer"},
                "pause_ms": {"type": "integer", "minimum": 0, "default": 0},
                "after": {"x-leg-port": {}},
            },
            "required": ["who", "n"],
            "additionalProperties": false,
        });
        Self { spec, trail: trail.to_owned(), deed }
    }

    /// Sets what a call changes.
    #[must_use]
    pub fn effect(mut self, effect: Effect) -> Self {
        self.spec = self.spec.effect(effect);
        self
    }

    fn line(word: &str, arguments: &Value) -> String {
        format!("{word} {} {}\n", arguments["who"].as_str().unwrap_or("?"), arguments["n"])
    }

    fn write(&self, word: &str, arguments: &Value) -> Result<(), ToolError> {
        let line = Self::line(word, arguments);
        // One write to the end of the file is whole, whoever else writes.
        let file = OpenOptions::new().create(true).append(true).open(&self.trail);
        file.and_then(|mut file| file.write_all(line.as_bytes()))
            .map_err(|error| ToolError::new(ToolErrorKind::Internal, format!("the trail: {error}")))
    }
}

/// The lines of a trail: whether it began (or ended), who, and the number.
///
/// # Panics
/// When the file has a line that is none.
#[expect(clippy::panic, reason = "a kit for tests says by panicking what does not hold")]
pub fn trail(file: &Path) -> Vec<(bool, String, i64)> {
    let text = std::fs::read_to_string(file).unwrap_or_default();
    let line = |line: &str| {
        let parts: Vec<&str> = line.split(' ').collect();
        match parts[..] {
            [word @ ("began" | "ended"), who, n] => {
                (word == "began", who.to_owned(), n.parse().unwrap_or(i64::MIN))
            }
            _ => panic!("the trail has the line `{line}`"),
        }
    };
    text.lines().map(line).collect()
}

#[async_trait]
impl Tool for TrailTool {
    fn spec(&self) -> ToolSpec {
        self.spec.clone()
    }

    async fn call(&self, arguments: Value, context: &ToolContext) -> Result<ToolOutput, ToolError> {
        let text = std::fs::read_to_string(&self.trail).unwrap_or_default();
        let line = Self::line("began", &arguments);
        let first = !text.lines().any(|other| other == line.trim_end());
        self.write("began", &arguments)?;
        match self.deed {
            Deed::Spin => loop {
                std::hint::spin_loop();
            },
            Deed::Abort => std::process::abort(),
            Deed::AbortOnce if first => std::process::abort(),
            Deed::Print => {
                let _ = std::io::stdout().write_all(b"3 % done\n");
            }
            Deed::Answer | Deed::AbortOnce => {}
        }
        context.progress(1, 2);
        let pause = arguments["pause_ms"].as_u64().unwrap_or(0);
        tokio::select! {
            () = context.cancellation().cancelled() => return Err(ToolError::cancelled()),
            () = tokio::time::sleep(Duration::from_millis(pause)) => {}
        }
        self.write("ended", &arguments)?;
        let n = arguments["n"].clone();
        Ok(ToolOutput::of(Artifact::document(Kind::Table, "trail", json!({"rows": [arguments]})))
            .with_evidence([EvidenceDraft::new("n", n, "1", "given back")]))
    }
}

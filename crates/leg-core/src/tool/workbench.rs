//! [`Workbench`]: calls single tools outside a run, for `leg tools call` and for the tests of tools.

use std::sync::Arc;

use serde_json::Value;
use tokio_util::sync::CancellationToken;

use super::{AllowList, Permit, ToolContext, ToolError, ToolErrorKind, ToolOutput};
use crate::{Digest, Domain, ObjectStore, Registry, canonical};

/// Calls single tools outside a run. It refuses what a run refuses: tools that are not allowed, and arguments that
/// do not pass the schema. It keeps no ledger, tries nothing again and has no time limit.
///
/// ```
/// use std::sync::Arc;
///
/// use leg_core::tool::Workbench;
/// use leg_core::{AllowList, MemoryObjects, ToolErrorKind, ToolName};
/// use serde_json::json;
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let registry = Arc::new(leg_testkit::fake_registry()?);
/// let allowed = AllowList::only(ToolName::new("load")?);
/// let bench = Workbench::new(registry, allowed, Arc::new(MemoryObjects::default()));
/// let series = bench.call("load", json!({"values": [18.0, 19.5]})).await?;
/// assert_eq!(series.evidence[0].name, "first");
/// let refused = bench.call("publish", json!({})).await.unwrap_err();
/// assert_eq!(refused.kind, ToolErrorKind::Denied);
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone)]
pub struct Workbench {
    registry: Arc<Registry>,
    allowed: AllowList,
    objects: Arc<dyn ObjectStore>,
    cancel: CancellationToken,
}

impl Workbench {
    /// A bench on which the `allowed` tools of `registry` can be called.
    pub fn new(registry: Arc<Registry>, allowed: AllowList, objects: Arc<dyn ObjectStore>) -> Self {
        Self { registry, allowed, objects, cancel: CancellationToken::new() }
    }

    /// Stops calls when `cancel` is cancelled.
    #[must_use]
    pub fn stopped_by(mut self, cancel: CancellationToken) -> Self {
        self.cancel = cancel;
        self
    }

    /// Where the artifacts that arguments name are read from.
    pub fn objects(&self) -> &Arc<dyn ObjectStore> {
        &self.objects
    }

    /// Calls a tool once.
    ///
    /// # Errors
    /// [`ToolErrorKind::Denied`] for a tool that is not allowed, [`ToolErrorKind::NotFound`] for one that is not
    /// registered, [`ToolErrorKind::InvalidArguments`] with every fault of the arguments, and the tool's own.
    pub async fn call(&self, tool: &str, arguments: Value) -> Result<ToolOutput, ToolError> {
        if !self.allowed.allows(tool) {
            return Err(ToolError::new(
                ToolErrorKind::Denied,
                format!("tool `{tool}` is not on the allow-list"),
            ));
        }
        let Some(registered) = self.registry.tool(tool) else {
            return Err(ToolError::new(
                ToolErrorKind::NotFound,
                format!("tool `{tool}` is not registered; see `leg tools` for those that are"),
            ));
        };
        let faults: Vec<String> = registered
            .validator()
            .iter_errors(&arguments)
            .map(|fault| format!("`{}`: {fault}", fault.instance_path()))
            .collect();
        if !faults.is_empty() {
            let message = format!("arguments of `{tool}` do not fit: {}", faults.join("; "));
            return Err(ToolError::invalid(message));
        }
        let identity =
            canonical::to_vec(&arguments).map_err(|error| ToolError::invalid(error.to_string()))?;
        let call_id = Digest::of(Domain::CallId, &[tool.as_bytes(), b"\n", &identity].concat());
        let context =
            ToolContext::new(Permit::new(), call_id, Arc::clone(&self.objects), self.cancel.clone(), None);
        registered.tool.call(arguments, &context).await
    }
}

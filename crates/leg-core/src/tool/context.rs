//! [`ToolContext`]: what a tool may use during a call.

use std::sync::{Arc, Mutex, PoisonError};

use tokio_util::sync::CancellationToken;

use super::{ToolError, ToolErrorKind};
use crate::{Artifact, Digest, ObjectStore, ObjectStoreExt as _};

/// Hears how far a long call has come.
///
/// ```
/// use leg_core::Progress;
///
/// #[derive(Debug)]
/// struct Print;
///
/// impl Progress for Print {
///     fn progress(&self, done: u64, total: u64) {
///         println!("{done} of {total}");
///     }
/// }
/// Print.progress(3, 12);
/// ```
pub trait Progress: Send + Sync + std::fmt::Debug {
    /// `done` of `total` parts are done.
    fn progress(&self, done: u64, total: u64);
}

/// A permit to call one tool once. Only the engine's gate makes one, after it has asked the allow-list.
///
/// A tool therefore cannot be called past the gate:
///
/// ```compile_fail
/// let permit = leg_core::tool::Permit { _only_the_gate: () };
/// ```
#[derive(Debug)]
pub struct Permit {
    _only_the_gate: (),
}

impl Permit {
    pub(crate) const fn new() -> Self {
        Self { _only_the_gate: () }
    }
}

/// What a tool may use during a call: artifacts, the stop signal, progress, a thread for heavy work.
///
/// ```
/// use async_trait::async_trait;
/// use leg_core::{Artifact, Kind, Port, ToolContext, ToolError, ToolOutput, ToolSpec, TypedTool};
/// use serde_json::json;
///
/// #[derive(Debug)]
/// struct Primes;
///
/// #[derive(serde::Deserialize, schemars::JsonSchema)]
/// struct Arguments {
///     /// Primes below it are counted.
///     below: u64,
/// }
///
/// #[async_trait]
/// impl TypedTool for Primes {
///     const NAME: &'static str = "primes";
///     type Arguments = Arguments;
///
///     fn describe(&self) -> ToolSpec {
///         ToolSpec::new("numbers", "Counts primes.", Port::of(Kind::Scalar))
///     }
///
///     async fn run(&self, arguments: Arguments, context: &ToolContext) -> Result<ToolOutput, ToolError> {
///         let below = arguments.below;
///         // Heavy work has a thread of its own, tells how far it is, and ends when it is stopped.
///         let count = context.blocking(move |context| {
///             let mut count = 0;
///             for number in 2..below {
///                 if number % 1_000 == 0 {
///                     if context.is_cancelled() {
///                         return Err(ToolError::cancelled());
///                     }
///                     context.progress(number, below);
///                 }
///                 count += u64::from((2..number).all(|divisor| number % divisor != 0));
///             }
///             Ok(count)
///         });
///         Ok(ToolOutput::of(Artifact::document(Kind::Scalar, "primes", json!(count.await?))))
///     }
/// }
/// # use std::sync::Arc;
/// # let runtime = tokio::runtime::Runtime::new().unwrap();
/// # let mut registry = leg_core::Registry::default();
/// # registry.add_tool(Arc::new(Primes)).unwrap();
/// # let allowed = leg_core::AllowList::only("primes".parse().unwrap());
/// # let objects = Arc::new(leg_core::MemoryObjects::default());
/// # let bench = leg_core::tool::Workbench::new(Arc::new(registry), allowed, objects);
/// # let output = runtime.block_on(bench.call("primes", json!({"below": 1500}))).unwrap();
/// # assert_eq!(output.artifacts["result"].content, json!(239));
/// ```
#[derive(Debug, Clone)]
pub struct ToolContext {
    call_id: Digest,
    objects: Arc<dyn ObjectStore>,
    cancel: CancellationToken,
    progress: Option<Arc<dyn Progress>>,
    raw: Option<Arc<RawResponses>>,
}

/// Raw responses that a call saw, kept as objects up to a size.
#[derive(Debug)]
pub(crate) struct RawResponses {
    limit: usize,
    kept: Mutex<Vec<Digest>>,
}

impl RawResponses {
    /// Keeps responses of at most `limit` bytes each.
    pub(crate) const fn keeping(limit: usize) -> Self {
        Self { limit, kept: Mutex::new(Vec::new()) }
    }

    /// What was kept, in order.
    pub(crate) fn take(&self) -> Vec<Digest> {
        std::mem::take(&mut *self.kept.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl ToolContext {
    /// A context for one permitted call.
    pub fn new(
        _permit: Permit,
        call_id: Digest,
        objects: Arc<dyn ObjectStore>,
        cancel: CancellationToken,
        progress: Option<Arc<dyn Progress>>,
    ) -> Self {
        Self { call_id, objects, cancel, progress, raw: None }
    }

    /// Keeps raw responses with the call's record.
    #[must_use]
    pub(crate) fn with_raw(mut self, raw: Arc<RawResponses>) -> Self {
        self.raw = Some(raw);
        self
    }

    /// Keeps a raw response of a service with the record of the call, as far as the run's payload level says so.
    /// It returns the response's digest in any case.
    ///
    /// # Errors
    /// [`ToolErrorKind::Internal`] when the store does not take it.
    pub fn keep_raw(&self, response: &[u8]) -> Result<Digest, ToolError> {
        match &self.raw {
            Some(raw) if response.len() <= raw.limit => {
                let digest = self
                    .objects
                    .put(response)
                    .map_err(|error| ToolError::new(ToolErrorKind::Internal, error.to_string()))?;
                raw.kept.lock().unwrap_or_else(PoisonError::into_inner).push(digest);
                Ok(digest)
            }
            _ => Ok(Digest::of(crate::Domain::Object, response)),
        }
    }

    /// The call's id: the same at every attempt, so that it serves as an idempotency key.
    pub const fn call_id(&self) -> Digest {
        self.call_id
    }

    /// Reads an artifact that the arguments name.
    ///
    /// # Errors
    /// [`ToolErrorKind::NotFound`] or [`ToolErrorKind::BadData`] when the store does not have it whole.
    pub fn artifact(&self, digest: &Digest) -> Result<Artifact, ToolError> {
        self.objects.get_artifact(digest).map_err(|error| {
            let kind = match error {
                crate::StoreError::Missing { .. } => ToolErrorKind::NotFound,
                _ => ToolErrorKind::BadData,
            };
            ToolError::new(kind, error.to_string())
        })
    }

    /// Whether the call should end; heavy work asks between its parts.
    pub fn is_cancelled(&self) -> bool {
        self.cancel.is_cancelled()
    }

    /// The stop signal, to wait for.
    pub const fn cancellation(&self) -> &CancellationToken {
        &self.cancel
    }

    /// Tells how far the call has come.
    pub fn progress(&self, done: u64, total: u64) {
        if let Some(progress) = &self.progress {
            progress.progress(done, total);
        }
    }

    /// Runs heavy work on a thread of its own, so that the runtime's threads stay free.
    ///
    /// # Cancel safety
    /// When the future is dropped the work goes on until it asks [`ToolContext::is_cancelled`].
    ///
    /// # Errors
    /// Those of the work; [`ToolErrorKind::Internal`] when it panics.
    pub async fn blocking<T, F>(&self, work: F) -> Result<T, ToolError>
    where
        T: Send + 'static,
        F: FnOnce(&Self) -> Result<T, ToolError> + Send + 'static,
    {
        let context = self.clone();
        match tokio::task::spawn_blocking(move || work(&context)).await {
            Ok(result) => result,
            Err(error) if error.is_panic() => Err(ToolError::new(
                ToolErrorKind::Internal,
                "the tool panicked; please report it with the plan",
            )),
            Err(_) => Err(ToolError::cancelled()),
        }
    }
}

//! [`Catalog`]: the tools, agents, skills, rules and roles that this build has. The only file that names all crates.

use std::collections::BTreeMap;
use std::sync::Arc;

use include_dir::{Dir, include_dir};
use leg_agents::planner::{DatasetContext, Planner, PlannerContext, PlannerError};
use leg_agents::skills::{SkillSet, load_embedded};
use leg_core::plan::ValidPlan;
use leg_core::routing::{Draft, Pass, Router};
use leg_core::run::{Overseer, Roles, RulesOverseer};
use leg_core::{
    CompileError, LayeredGraph, Registry, RegistryError, ToolError, compile_observed, compile_with,
};
use ocean_data::dataset::{OpenOptions, S3Credentials, Unpacking};
use ocean_tools::{Datasets, DatasetsError};
use serde_json::Value;

use crate::dataset_context::dataset_context;
use crate::{Config, Explained, ExplainedPass};

/// The skills that are built in.
static SKILLS: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/skills");

/// The tools, agents, skills, rules and roles of a program.
#[derive(Debug)]
pub struct Catalog {
    registry: Arc<Registry>,
    datasets: Arc<Datasets>,
    skills: SkillSet,
    /// Services that are not where they publicly are.
    moved: BTreeMap<String, String>,
}

/// A catalog cannot be put together.
#[derive(Debug, thiserror::Error)]
pub enum CatalogError {
    /// Dataset flags do not fit.
    #[error(transparent)]
    Datasets(#[from] DatasetsError),
    /// Two tools have one name, or the like: a fault of ours.
    #[error(transparent)]
    Registry(#[from] RegistryError),
    /// A dataset cannot be opened.
    #[error(transparent)]
    Open(#[from] ToolError),
    /// The services cannot be set up.
    #[cfg(feature = "hydro")]
    #[error(transparent)]
    Services(#[from] crate::ServicesError),
    /// A table of the planner is broken: a fault of ours.
    #[error(transparent)]
    Planner(#[from] PlannerError),
}

impl Catalog {
    /// Everything there is, with datasets given as `[NAME=]ADDRESS`. They are opened when first needed.
    ///
    /// # Errors
    /// [`CatalogError`] for flags that do not fit.
    pub fn with_datasets<S: AsRef<str>>(flags: &[S]) -> Result<Self, CatalogError> {
        Self::over(Datasets::from_flags(flags)?)
    }

    /// As [`Catalog::with_datasets`], with what the configuration says of datasets of the same address, and of the network.
    ///
    /// # Errors
    /// [`CatalogError`] for flags that do not fit.
    pub fn with_configured<S: AsRef<str>>(flags: &[S], config: &Config) -> Result<Self, CatalogError> {
        let mut datasets = Datasets::from_flags(flags)?;
        for (name, address) in datasets.addresses() {
            datasets = datasets.with_options(&name, open_options(&address, config));
        }
        #[cfg(feature = "hydro")]
        let own = Self::with_services(datasets, &crate::Services::open(&config.services)?);
        #[cfg(not(feature = "hydro"))]
        let own = Self::over(datasets);
        own
    }

    /// Everything there is, over these datasets, with the services where they publicly are.
    ///
    /// # Errors
    /// [`CatalogError::Registry`].
    pub fn over(datasets: Datasets) -> Result<Self, CatalogError> {
        #[cfg(feature = "hydro")]
        let own = Self::with_services(datasets, &crate::Services::open(&crate::ServicesConfig::default())?);
        #[cfg(not(feature = "hydro"))]
        let own = Self::of_registry(Registry::default(), datasets);
        own
    }

    /// Everything there is, over these datasets and services.
    ///
    /// # Errors
    /// [`CatalogError::Registry`].
    #[cfg(feature = "hydro")]
    pub fn with_services(datasets: Datasets, services: &crate::Services) -> Result<Self, CatalogError> {
        let mut registry = Registry::default();
        let specialists = services.specialists();
        for tool in specialists.tools {
            registry.add_tool(tool)?;
        }
        for agent in specialists.agents {
            registry.add_agent(agent)?;
        }
        let mut own = Self::of_registry(registry, datasets)?;
        own.moved = services.moved();
        Ok(own)
    }

    fn of_registry(mut registry: Registry, datasets: Datasets) -> Result<Self, CatalogError> {
        let datasets = Arc::new(datasets);
        for tool in ocean_tools::tools::all(&datasets) {
            registry.add_tool(tool)?;
        }
        Ok(Self { registry: Arc::new(registry), datasets, skills: skills(), moved: BTreeMap::new() })
    }

    /// Tools and agents.
    pub const fn registry(&self) -> &Arc<Registry> {
        &self.registry
    }

    /// The datasets.
    pub fn datasets(&self) -> &Datasets {
        &self.datasets
    }

    /// The skills.
    pub const fn skills(&self) -> &SkillSet {
        &self.skills
    }

    /// Adds skills; one with the id of a built-in skill takes its place.
    #[must_use]
    pub fn with_skills(mut self, more: SkillSet) -> Self {
        self.skills = self.skills.joined(more);
        self
    }

    /// The routing rules.
    pub fn router(&self) -> Router {
        #[cfg(feature = "hydro")]
        let own = Router::new(hydro_specialists::rules::all());
        #[cfg(not(feature = "hydro"))]
        let own = Router::default();
        own
    }

    /// The graph architect, for questions to specialists.
    #[cfg(feature = "hydro")]
    pub fn architect(&self) -> leg_agents::architect::Architect {
        leg_agents::architect::Architect::new(&self.registry, Arc::new(crate::HydroSubjects))
    }

    /// Who consolidates, merges and reports: the rules forms.
    pub fn roles(&self) -> Roles {
        Roles {
            consolidator: Arc::new(leg_agents::consolidator::RulesConsolidator),
            merge: Arc::new(leg_agents::cross_track_merge::RulesMerge),
            image: Arc::new(leg_agents::image::RulesImage),
            reporter: Arc::new(leg_agents::reporter::RulesReporter::default()),
        }
    }

    /// Who judges the results of each layer: the rules form.
    pub fn overseer(&self) -> Arc<dyn Overseer> {
        Arc::new(RulesOverseer)
    }

    /// Compiles a plan with the rules of this build.
    ///
    /// # Errors
    /// [`CompileError`] with diagnostics.
    pub fn compile(&self, plan: &ValidPlan) -> Result<LayeredGraph, CompileError> {
        compile_with(plan, &self.registry, &self.router())
    }

    /// Compiles a plan and keeps the draft of the graph as text: as the plan says it, and after each rule.
    ///
    /// # Errors
    /// [`CompileError`] with diagnostics.
    pub fn compile_explained(&self, plan: &ValidPlan) -> Result<(LayeredGraph, Explained), CompileError> {
        let start = Draft::of_plan(plan.plan(), &self.registry).map_err(CompileError::Invalid)?.to_string();
        let mut passes = Vec::new();
        let mut keep = |pass: &Pass<'_>| {
            passes.push(ExplainedPass {
                rule: pass.rule.to_owned(),
                before: pass.before,
                after: pass.after,
                changed: pass.changed(),
                graph: pass.draft.to_string(),
            });
        };
        let graph = compile_observed(plan, &self.registry, &self.router(), &mut keep)?;
        Ok((graph, Explained { start, passes }))
    }

    /// A planner for the skills.
    ///
    /// # Errors
    /// [`CatalogError::Planner`].
    pub fn planner(&self) -> Result<Planner, CatalogError> {
        Ok(Planner::new(&self.skills)?)
    }

    /// What the planner must know of the datasets. It opens them; call it from a thread that may block.
    ///
    /// # Errors
    /// [`CatalogError::Open`] for a dataset that cannot be opened.
    pub fn planner_context(&self) -> Result<PlannerContext, CatalogError> {
        let open = |name: &str| Ok(dataset_context(name, &*self.datasets.open(Some(name))?));
        let datasets: Vec<DatasetContext> =
            self.datasets.names().into_iter().map(open).collect::<Result<_, CatalogError>>()?;
        Ok(PlannerContext { datasets, ..PlannerContext::default() })
    }

    /// Facts of datasets and services for a run's log: addresses without secrets.
    pub fn facts(&self) -> BTreeMap<String, Value> {
        let named =
            self.datasets.addresses().into_iter().map(|(name, address)| (name, Value::String(address)));
        let mut facts = BTreeMap::from([("datasets".to_owned(), Value::Object(named.collect()))]);
        if !self.moved.is_empty() {
            let moved =
                self.moved.iter().map(|(name, address)| (name.clone(), Value::from(address.as_str())));
            facts.insert("services".to_owned(), Value::Object(moved.collect()));
        }
        facts
    }
}

/// How the dataset of an address is opened by a configuration: with the words and units that it names, and its settings of
/// the network.
pub fn open_options(address: &str, config: &Config) -> OpenOptions {
    // What follows a `?` may be a secret, and a run's record has not kept it.
    let public = |address: &str| address.split('?').next().unwrap_or_default().to_owned();
    let mut options = OpenOptions::default();
    if let Some(dataset) = config.datasets.values().find(|own| public(&own.address) == public(address)) {
        options.aliases = dataset.aliases.iter().collect();
        options.units.clone_from(&dataset.units);
        if dataset.as_stated {
            options.unpacking = Unpacking::AsStated;
        }
    }
    let remote = &config.remote;
    options.remote.allowed_hosts.clone_from(&remote.allowed_hosts);
    options.remote.s3.endpoint.clone_from(&remote.s3_endpoint);
    options.remote.s3.region.clone_from(&remote.s3_region);
    if let Some(retries) = remote.retries {
        options.remote.retries = retries;
    }
    options.remote.s3.credentials =
        config.bucket_keys().map(|(id, secret, token)| S3Credentials::new(id, secret, token));
    options
}

/// The skills that are built in.
fn skills() -> SkillSet {
    let mut texts = Vec::new();
    let mut open = vec![&SKILLS];
    while let Some(folder) = open.pop() {
        open.extend(folder.dirs());
        for file in folder.files() {
            if let Some(text) = file.contents_utf8() {
                texts.push((file.path().to_string_lossy().into_owned(), text));
            }
        }
    }
    load_embedded(texts)
}

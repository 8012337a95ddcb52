//! The words of the command line.

use std::path::PathBuf;

use clap::builder::{PossibleValue, PossibleValuesParser};
use clap::{Args, Parser, Subcommand, ValueEnum};

use crate::executor::ExecutorArguments;
use leg::core::export::{EXPORTS, Export};

/// Layer execution graphs for ocean and storm-surge questions, with a ledger that verifies and replays.
#[derive(Debug, Parser)]
#[command(name = "leg", version, propagate_version = true, after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// Print one JSON document on standard output.
    #[arg(long, global = true)]
    pub json: bool,
    /// The folder that holds runs and their objects [default: `runs`, or what the configuration says].
    #[arg(long, global = true, value_name = "DIR")]
    pub runs: Option<PathBuf>,
    /// A configuration file [default: `leg.toml` where there is one].
    #[arg(long, global = true, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// Where the storm-surge services are: one address that has them all, as `leg services serve` prints it, or a file with
    /// `name = "address"` lines.
    #[arg(long, global = true, value_name = "URL|FILE")]
    pub services: Option<String>,
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

const EXAMPLES: &str = "Examples:
  leg demo
  leg ask \"How did surface temperature change from 2015 to 2017 in the coastal box?\" --data demo-ocean.zarr --yes
  leg verify 01937f3e-…     check that nothing in a run was altered
  leg replay 01937f3e-…     run it again from its record, without any source

Exit codes: 0 done, 1 the run failed or a check did not hold, 2 the input was wrong or something is missing.";

/// What to do.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// The tour: writes a small ocean, asks a question about it, reports, verifies.
    #[command(after_help = "Examples:\n  leg demo\n  leg demo --dir /tmp/ocean --json")]
    Demo(DemoArguments),
    /// Plans a question, shows the plan, runs it when approved, and reports.
    #[command(after_help = "Examples:
  leg ask \"Map the mean surface temperature of 2015\" --data sst.nc --yes
  leg ask \"Compare the two boxes\" --data ocean=store.zarr --json --yes
  leg ask \"How warm was it?\" --data sst.nc --region '{\"lon\": [190, 240], \"lat\": [-5, 5]}' --time 2010,2019")]
    Ask(AskArguments),
    /// Plans a question and prints the plan; nothing runs.
    #[command(
        after_help = "Examples:\n  leg plan \"Trend of surface temperature 2010-2019\" --data sst.nc > plan.json\n  leg plan --schema"
    )]
    Plan(PlanArguments),
    /// Runs a plan from a file.
    #[command(
        after_help = "Examples:\n  leg run plan.json --data sst.nc\n  leg run plan.json --data sst.nc --yes --json\n  leg run plan.json --data sst.nc --yes --executor process\n  leg run - --approve b3:… < plan.json"
    )]
    Run(RunArguments),
    /// Shows the graph that a plan compiles to.
    #[command(
        after_help = "Examples:\n  leg graph plan.json\n  leg graph plan.json --format mermaid\n  leg graph plan.json --explain"
    )]
    Graph(GraphArguments),
    /// Checks that nothing in a run folder was altered.
    #[command(
        after_help = "Examples:\n  leg verify runs/01937f3e-…\n  leg verify 01937f3e-… --root b3:… --json\n  leg verify 01937f3e-… --key author.key.pub"
    )]
    Verify(VerifyArguments),
    /// Proves that one record is in a ledger, in a document that can be checked without the run.
    #[command(
        after_help = "Examples:\n  leg prove 01937f3e-… 12 --json > proof.json\n  leg prove --check proof.json --root b3:…\n  leg prove 01937f3e-… --from 40 --json     the ledger only grew since it had 40 records"
    )]
    Prove(ProveArguments),
    /// Runs a recorded graph again with its recorded answers, and compares every record.
    #[command(
        after_help = "Examples:\n  leg replay 01937f3e-…\n  leg replay 01937f3e-… --mode recompute --json\n  leg replay 01937f3e-… --against 01937f40-…"
    )]
    Replay(ReplayArguments),
    /// Goes on with a run that was stopped or that failed; no finished call is made again.
    #[command(after_help = "Examples:\n  leg resume 01937f3e-…\n  leg resume 01937f3e-… --json")]
    Resume(ResumeArguments),
    /// Follows a number of a report back to the bytes that were read.
    #[command(after_help = "Examples:\n  leg trace 01937f3e-… E12\n  leg trace 01937f3e-… mean.max --json")]
    Trace(TraceArguments),
    /// Writes a run in a form that others read.
    #[command(
        after_help = "Examples:\n  leg export 01937f3e-… --format html --out answer.html\n  leg export 01937f3e-… --format bundle --out for-the-auditor\n  leg export 01937f3e-… --format ro-crate --out crate --json"
    )]
    Export(ExportArguments),
    /// Lists runs, or shows one.
    #[command(after_help = "Examples:\n  leg runs\n  leg runs 01937f3e-…")]
    Runs(RunsArguments),
    /// Says what runs take on the disk, and what they share.
    #[command(after_help = "Examples:\n  leg du\n  leg du 01937f3e-… --json")]
    Du(DuArguments),
    /// Removes objects that no run leads to, and half-written files; with `--keep` also all other runs.
    #[command(
        after_help = "Examples:\n  leg gc --dry-run\n  leg gc\n  leg gc --pin 01937f3e-…\n  leg gc --keep 01937f3e-… --dry-run     removes every run that is neither named nor pinned\n\nNothing is removed while a run goes on in the folder."
    )]
    Gc(GcArguments),
    /// Lists tools, shows one, or calls one.
    #[command(
        after_help = "Examples:\n  leg tools\n  leg tools show compute_trend\n  leg tools call load_dataset --data sst.nc --args '{\"variable\": \"sst\"}' --json --values"
    )]
    Tools(ToolsArguments),
    /// Signs a run's roots with an Ed25519 key; a run that does not verify is not signed.
    #[command(
        after_help = "Examples:\n  leg sign --new-key author.key\n  leg sign 01937f3e-… --key author.key\n  leg verify 01937f3e-… --key author.key.pub"
    )]
    Sign(SignArguments),
    /// Lists skills, shows one, or checks them all.
    #[command(
        after_help = "Examples:\n  leg skills list\n  leg skills show trend-analysis\n  leg skills check"
    )]
    Skills(SkillsArguments),
    /// Lists agents, or shows one.
    #[command(after_help = "Examples:\n  leg agents\n  leg agents coops --json")]
    Agents(AgentsArguments),
    /// Looks at datasets, writes the demo ocean, converts to Zarr.
    #[command(
        after_help = "Examples:\n  leg data inspect sst.nc\n  leg data demo ocean.zarr\n  leg data convert sst.nc sst.zarr"
    )]
    Data(DataArguments),
    /// Serves recorded answers of the storm-surge services on this machine, so that everything can be tried without them.
    #[command(
        after_help = "Examples:\n  leg services serve --fixtures recordings\n  leg services serve --fixtures recordings --port 8080 --faults \"429=0.1,cut=0.05;seed=7\"\n  leg ask \"What was Hurricane Ian's lowest pressure?\" --services http://127.0.0.1:8080 --yes"
    )]
    Services(ServicesArguments),
    /// Runs suites of known answers and prints what passes.
    #[command(
        after_help = "Examples:\n  leg bench reference --cases reference --data data\n  leg bench reference --cases reference --data data --family trend --family eof --json\n  leg bench hydro --cases bench/hydro/cases.jsonl --fixtures recordings --json"
    )]
    Bench(BenchArguments),
    /// Does nodes for a run in another process: `leg run --executor process` starts it.
    #[command(
        after_help = "It speaks JSON lines on standard input and output until the run closes them.\n\nExamples:\n  leg run plan.json --data sst.nc --yes --executor process --workers 4\n  leg worker --objects runs/objects --data sst.nc"
    )]
    Worker(WorkerArguments),
}

#[derive(Debug, Args)]
pub(crate) struct ServicesArguments {
    /// What to do.
    #[command(subcommand)]
    pub action: ServicesAction,
}

/// What to do with services.
#[derive(Debug, Subcommand)]
pub(crate) enum ServicesAction {
    /// Serves a folder of recorded answers until it is stopped.
    Serve(ServeArguments),
}

#[derive(Debug, Args)]
pub(crate) struct ServeArguments {
    /// A folder of recorded answers with its `INDEX.toml`.
    #[arg(long, value_name = "DIR")]
    pub fixtures: PathBuf,
    /// The port on the loopback interface; 0 takes a free one.
    #[arg(long, default_value_t = 0)]
    pub port: u16,
    /// Faults to show, as shares of the requests: `429=0.1,503=0.1,timeout=0.05,cut=0.05,html=0.05;seed=7`.
    #[arg(long, value_name = "SPEC")]
    pub faults: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct BenchArguments {
    /// Which suite.
    #[command(subcommand)]
    pub action: BenchAction,
}

/// A suite.
#[derive(Debug, Subcommand)]
pub(crate) enum BenchAction {
    /// Compares the ocean tools with numbers that trusted peers computed from the same data; exit code 1 if any differs.
    Reference(ReferenceArguments),
    /// Asks storm-surge questions of recorded services and scores the facts of the answers, whole and with parts lost; exit code
    /// 1 if the aims are missed.
    Hydro(HydroArguments),
}

#[derive(Debug, Args)]
pub(crate) struct HydroArguments {
    /// A file of cases, one JSON object a line: `{"id", "text", "category", "facts": [{"name", "value", "unit", "tolerance",
    /// "fixture"}]}`.
    #[arg(long, value_name = "FILE")]
    pub cases: PathBuf,
    /// The folder of recorded answers.
    #[arg(long, value_name = "DIR")]
    pub fixtures: PathBuf,
    /// Only the whole form: no loss of services, no ablations.
    #[arg(long)]
    pub quick: bool,
}

#[derive(Debug, Args)]
pub(crate) struct ReferenceArguments {
    /// A folder of case files, `{"schema": 1, "family": …, "cases": […]}`, or one such file.
    #[arg(long, value_name = "DIR")]
    pub cases: PathBuf,
    /// The folder of the files that the cases name.
    #[arg(long, value_name = "DIR")]
    pub data: PathBuf,
    /// Only this family; may be given several times.
    #[arg(long, value_name = "NAME")]
    pub family: Vec<String>,
}

#[derive(Debug, Args)]
pub(crate) struct WorkerArguments {
    /// The objects of the run: the folder that the run uses.
    #[arg(long, value_name = "DIR")]
    pub objects: PathBuf,
    #[command(flatten)]
    pub datasets: DatasetArguments,
}

/// Where datasets are.
#[derive(Debug, Args, Clone)]
pub(crate) struct DatasetArguments {
    /// A dataset: a NetCDF file or a Zarr store. May stand several times; the first is the default.
    #[arg(long = "data", value_name = "[NAME=]URI")]
    pub data: Vec<String>,
}

/// Slots that win over the words of a question.
#[derive(Debug, Args, Clone, Default)]
pub(crate) struct SlotArguments {
    /// A region: JSON as in a plan, or `west,east,south,north`, or a name.
    #[arg(long, value_name = "REGION", allow_hyphen_values = true)]
    pub region: Option<String>,
    /// A time window: `2010,2019`, `2015-06`, or JSON.
    #[arg(long, value_name = "TIME")]
    pub time: Option<String>,
    /// A depth: `surface`, `bottom`, metres, `0,200`, or JSON.
    #[arg(long, value_name = "DEPTH")]
    pub depth: Option<String>,
    /// A variable of the dataset, or a word for one.
    #[arg(long, value_name = "NAME")]
    pub variable: Option<String>,
}

/// How to approve and run.
#[derive(Debug, Args, Clone)]
pub(crate) struct ApprovalArguments {
    /// Approve the plan that is shown.
    #[arg(long)]
    pub yes: bool,
    /// Approve the plan with this digest, and no other.
    #[arg(long, value_name = "DIGEST", conflicts_with = "yes")]
    pub approve: Option<String>,
    /// The most nodes at a time.
    #[arg(long, value_name = "N", default_value_t = 16)]
    pub concurrency: usize,
    /// With `--json`: add the arrays of up to 100,000 numbers.
    #[arg(long)]
    pub values: bool,
    #[command(flatten)]
    pub executor: ExecutorArguments,
    #[command(flatten)]
    pub limits: LimitArguments,
}

/// Limits of a run.
#[derive(Debug, Args, Clone)]
pub(crate) struct LimitArguments {
    /// What the run may spend, such as `calls=100`; also bytes, money, nodes, seconds, tokens. 0 is nothing, unset no
    /// limit.
    #[arg(long, value_name = "NAME=AMOUNT", help_heading = "Limits")]
    pub budget: Vec<String>,
    /// Seconds until the run is given up.
    #[arg(long, value_name = "SECONDS", help_heading = "Limits", allow_negative_numbers = true)]
    pub timeout: Option<f64>,
    /// Seconds until a layer is given up.
    #[arg(long, value_name = "SECONDS", help_heading = "Limits", allow_negative_numbers = true)]
    pub layer_timeout: Option<f64>,
    /// When records are made to survive a loss of power: `none`, `barrier` or `record`.
    #[arg(long, value_name = "WHEN", default_value = "barrier", help_heading = "Limits")]
    pub durability: String,
    /// What is kept of what the run saw: `minimal`, `standard` or `full`. All of it is hashed.
    #[arg(long, value_name = "LEVEL", default_value = "standard", help_heading = "Limits")]
    pub payload: String,
}

impl Default for LimitArguments {
    /// Those of the command line when no flag is given.
    fn default() -> Self {
        Self {
            budget: Vec::new(),
            timeout: None,
            layer_timeout: None,
            durability: "barrier".to_owned(),
            payload: "standard".to_owned(),
        }
    }
}

#[derive(Debug, Args)]
pub(crate) struct DemoArguments {
    /// Where the demo ocean is written.
    #[arg(long, value_name = "DIR", default_value = "demo-ocean.zarr")]
    pub dir: PathBuf,
}

#[derive(Debug, Args)]
pub(crate) struct AskArguments {
    /// The question.
    pub question: String,
    #[command(flatten)]
    pub datasets: DatasetArguments,
    #[command(flatten)]
    pub slots: SlotArguments,
    /// Who plans. `rules` needs no language model; it is the one there is so far.
    #[arg(long, value_enum, default_value_t = PlannerForm::Rules)]
    pub planner: PlannerForm,
    #[command(flatten)]
    pub approval: ApprovalArguments,
}

/// Who plans.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum PlannerForm {
    /// Deterministic rules and skills.
    Rules,
}

#[derive(Debug, Args)]
pub(crate) struct PlanArguments {
    /// The question.
    #[arg(required_unless_present = "schema")]
    pub question: Option<String>,
    #[command(flatten)]
    pub datasets: DatasetArguments,
    #[command(flatten)]
    pub slots: SlotArguments,
    /// Print the JSON Schema of plans instead.
    #[arg(long)]
    pub schema: bool,
}

#[derive(Debug, Args)]
pub(crate) struct RunArguments {
    /// The plan's file; `-` reads standard input. A plan inside a model's answer is found.
    #[arg(value_name = "PLAN")]
    pub plan: PathBuf,
    #[command(flatten)]
    pub datasets: DatasetArguments,
    #[command(flatten)]
    pub approval: ApprovalArguments,
}

#[derive(Debug, Args)]
pub(crate) struct GraphArguments {
    /// The plan's file; `-` reads standard input.
    #[arg(value_name = "PLAN")]
    pub plan: PathBuf,
    /// How to draw it.
    #[arg(long, value_enum, default_value_t = GraphFormat::Text)]
    pub format: GraphFormat,
    /// Show the graph after each routing rule that changed it.
    #[arg(long)]
    pub explain: bool,
}

/// How to draw a graph.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum GraphFormat {
    /// Indented text.
    Text,
    /// Mermaid.
    Mermaid,
    /// Graphviz.
    Dot,
    /// JSON.
    Json,
}

#[derive(Debug, Args)]
pub(crate) struct VerifyArguments {
    /// A run's folder, or its id.
    #[arg(value_name = "RUN")]
    pub run: String,
    /// A published root, content or log, that the run must have.
    #[arg(long, value_name = "DIGEST")]
    pub root: Option<String>,
    /// A public key that must have signed the run.
    #[arg(long, value_name = "FILE")]
    pub key: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct SignArguments {
    /// A run's folder, or its id.
    #[arg(value_name = "RUN", required_unless_present = "new_key")]
    pub run: Option<String>,
    /// The private key's file.
    #[arg(long, value_name = "FILE", conflicts_with = "new_key", required_unless_present = "new_key")]
    pub key: Option<PathBuf>,
    /// Make a new key in FILE, and its public part in FILE.pub; sign with it when a run is named.
    #[arg(long, value_name = "FILE")]
    pub new_key: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct ProveArguments {
    /// A run's folder, or its id.
    #[arg(value_name = "RUN", required_unless_present = "check")]
    pub run: Option<String>,
    /// The record's number, from 0.
    #[arg(value_name = "SEQ", required_unless_present_any = ["check", "from"])]
    pub seq: Option<u64>,
    /// Prove instead that the ledger begins with its first SIZE records, whose root was published.
    #[arg(long, value_name = "SIZE", conflicts_with = "seq")]
    pub from: Option<u64>,
    /// Check a proof instead; `-` reads standard input.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["run", "seq", "from"])]
    pub check: Option<PathBuf>,
    /// With `--check`: the published log root that the proof must be for.
    #[arg(long, value_name = "DIGEST", requires = "check")]
    pub root: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct ReplayArguments {
    /// A run's folder, or its id.
    #[arg(value_name = "RUN")]
    pub run: String,
    /// What may run again.
    #[arg(long, value_enum, default_value_t = ReplayMode::Strict)]
    pub mode: ReplayMode,
    /// Compare with this run instead; nothing runs.
    #[arg(long, value_name = "RUN2", conflicts_with_all = ["mode", "data"])]
    pub against: Option<String>,
    #[command(flatten)]
    pub datasets: DatasetArguments,
    /// The most nodes at a time.
    #[arg(long, value_name = "N", default_value_t = 16)]
    pub concurrency: usize,
}

/// What may run again in a replay.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ReplayMode {
    /// Nothing: every call is served from the record.
    Strict,
    /// Calls that compute or read data that is there; the digests must agree.
    Recompute,
    /// Calls to services as well; what differs is shown.
    Live,
}

#[derive(Debug, Args)]
pub(crate) struct ResumeArguments {
    /// A run's folder, or its id.
    #[arg(value_name = "RUN")]
    pub run: String,
    #[command(flatten)]
    pub datasets: DatasetArguments,
    #[command(flatten)]
    pub executor: ExecutorArguments,
    /// The most nodes at a time.
    #[arg(long, value_name = "N", default_value_t = 16)]
    pub concurrency: usize,
    /// With `--json`: add the arrays of up to 100,000 numbers.
    #[arg(long)]
    pub values: bool,
}

#[derive(Debug, Args)]
pub(crate) struct TraceArguments {
    /// A run's folder, or its id.
    #[arg(value_name = "RUN")]
    pub run: String,
    /// Evidence: `E12`, or its key `mean.max`.
    #[arg(value_name = "EVIDENCE")]
    pub evidence: String,
}

#[derive(Debug, Args)]
pub(crate) struct ExportArguments {
    /// A run's folder, or its id.
    #[arg(value_name = "RUN")]
    pub run: String,
    /// The form.
    #[arg(long, value_parser = export_formats())]
    pub format: String,
    /// Where to write it; nothing may be there yet.
    #[arg(long, value_name = "PATH")]
    pub out: PathBuf,
}

/// The exports that there are, with what each is for.
fn export_formats() -> PossibleValuesParser {
    let value = |export: &Export| PossibleValue::new(export.name).help(export.summary);
    EXPORTS.iter().map(value).collect::<Vec<_>>().into()
}

#[derive(Debug, Args)]
pub(crate) struct RunsArguments {
    /// A run's folder, or its id: show its report.
    #[arg(value_name = "RUN")]
    pub run: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct DuArguments {
    /// Runs, by folder or id; all of them when none is named.
    #[arg(value_name = "RUN")]
    pub runs_named: Vec<String>,
}

#[derive(Debug, Args)]
pub(crate) struct GcArguments {
    /// Only say what would be removed.
    #[arg(long)]
    pub dry_run: bool,
    /// Keep this run and the pinned ones, and remove all others. May stand several times.
    #[arg(long, value_name = "RUN")]
    pub keep: Vec<String>,
    /// Pin a run: it is never removed. Nothing is removed now.
    #[arg(long, value_name = "RUN", conflicts_with_all = ["keep", "dry_run"])]
    pub pin: Vec<String>,
    /// Take a pin away. Nothing is removed now.
    #[arg(long, value_name = "RUN", conflicts_with_all = ["keep", "dry_run"])]
    pub unpin: Vec<String>,
}

#[derive(Debug, Args)]
pub(crate) struct ToolsArguments {
    #[command(subcommand)]
    pub action: Option<ToolsAction>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum ToolsAction {
    /// Lists all tools.
    #[command(after_help = "Examples:\n  leg tools list\n  leg tools list --json")]
    List {
        /// As the Markdown table of `docs/status/tools.md`.
        #[arg(long)]
        markdown: bool,
    },
    /// Shows one tool with its arguments.
    #[command(after_help = "Examples:\n  leg tools show compute_trend")]
    Show {
        /// Its name.
        name: String,
    },
    /// Calls one tool outside any run.
    #[command(
        after_help = "Examples:\n  leg tools call load_dataset --data sst.nc --args '{\"variable\": \"sst\"}' --json --values"
    )]
    Call {
        /// Its name.
        name: String,
        /// Its arguments as JSON; an argument that takes a field may be an inline selection.
        #[arg(long, value_name = "JSON", default_value = "{}")]
        args: String,
        #[command(flatten)]
        datasets: DatasetArguments,
        /// With `--json`: add the arrays of up to 100,000 numbers.
        #[arg(long)]
        values: bool,
        /// Write the picture or the file that the tool makes.
        #[arg(long, value_name = "FILE")]
        out: Option<PathBuf>,
    },
}

#[derive(Debug, Args)]
pub(crate) struct SkillsArguments {
    /// A folder of further skills.
    #[arg(long, global = true, value_name = "DIR")]
    pub dir: Option<PathBuf>,
    #[command(subcommand)]
    pub action: Option<SkillsAction>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum SkillsAction {
    /// Lists all skills.
    #[command(after_help = "Examples:\n  leg skills list\n  leg skills list --dir my-skills")]
    List {
        /// As the Markdown table of `docs/status/skills.md`.
        #[arg(long)]
        markdown: bool,
    },
    /// Shows one skill's manual.
    #[command(after_help = "Examples:\n  leg skills show trend-analysis")]
    Show {
        /// Its id.
        id: String,
    },
    /// Checks all skills against the tools there are.
    #[command(after_help = "Examples:\n  leg skills check\n  leg skills check --dir my-skills --json")]
    Check,
}

#[derive(Debug, Args)]
pub(crate) struct AgentsArguments {
    /// Show this agent only.
    pub id: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct DataArguments {
    #[command(subcommand)]
    pub action: DataAction,
}

#[derive(Debug, Subcommand)]
pub(crate) enum DataAction {
    /// Says what a dataset holds, what it was taken for, and why.
    #[command(after_help = "Examples:\n  leg data inspect sst.nc\n  leg data inspect ocean.zarr --json")]
    Inspect {
        /// A NetCDF file or a Zarr store.
        uri: String,
    },
    /// Writes the demo ocean.
    #[command(after_help = "Examples:\n  leg data demo ocean.zarr")]
    Demo {
        /// The folder; it becomes the Zarr store.
        dir: PathBuf,
    },
    /// Lists what is planted in a computed sea, so that detections can be scored; without a name, the seas there are.
    #[command(after_help = "Examples:\n  leg data truth\n  leg data truth demo:china-seas --json")]
    Truth {
        /// Such as `demo:global`; any command takes it as `--data demo:global`.
        scene: Option<String>,
    },
    /// Converts a dataset to Zarr v3.
    #[command(after_help = "Examples:\n  leg data convert sst.nc sst.zarr")]
    Convert {
        /// A NetCDF file or a Zarr store.
        source: String,
        /// The new store; it must not exist.
        target: PathBuf,
    },
}

//! How long the heavy tools take on a store like those of CMEMS, and how much memory, beside plain decoding of the same
//! chunks and, when asked, beside a program of peers.
//!
//! `cargo bench -p ocean-tools --bench performance -- STORE [--peers "PYTHON SCRIPT"] [--task NAME]… [--repeat N]`
//!
//! Without a store one is written to the temporary folder first (1.4 GB). Every task runs in a process of its own, so
//! that its peak of memory is its own; the best of several runs is shown. A program of peers is called as
//! `PYTHON SCRIPT STORE --one TASK` and prints `{"wall_s": …, "rss_mb": …, "digest": …}`, as ours does.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    clippy::print_stderr,
    clippy::disallowed_methods,
    reason = "a benchmark measures with the machine's clock and prints"
)]

mod store;
mod tasks;

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

fn main() {
    let arguments = Arguments::read();
    if let Some(task) = &arguments.one {
        println!("{}", tasks::run(task, &arguments.store));
        return;
    }
    if !arguments.store.join("zarr.json").exists() && !arguments.store.join(".zgroup").exists() {
        eprintln!("writing {}", arguments.store.display());
        store::write(&arguments.store);
    }
    println!(
        "| task | wall s | peak MB | of decoding | peer wall s | peer MB | wall, peer = 1 | memory, peer = 1 |"
    );
    println!("| --- | --- | --- | --- | --- | --- | --- | --- |");
    let mut decoding = [f64::NAN; 2];
    for task in tasks::TASKS {
        let wanted = arguments.tasks.is_empty() || arguments.tasks.iter().any(|own| own == task.name);
        if !wanted && task.tool.is_some() {
            continue;
        }
        // The peers run between ours, so that both meet the same machine.
        let (mut own, mut peer) = (None, None);
        for _ in 0..arguments.repeat {
            own = better(own, Some(measure(own_command(task.name, &arguments.store))));
            if let (Some(program), true) = (&arguments.peers, task.tool.is_some()) {
                peer = better(peer, Some(measure(peer_command(program, task.name, &arguments.store))));
            }
        }
        let own = own.unwrap();
        if task.tool.is_none() {
            decoding[usize::from(task.is_long)] = own.wall;
        }
        println!("{}", row(task.name, &own, decoding[usize::from(task.is_long)], peer.as_ref()));
        eprintln!("  {} {}", task.name, own.digest);
        if let Some(peer) = &peer {
            eprintln!("  {} {} (peer)", task.name, peer.digest);
        }
    }
}

/// What the command line says.
struct Arguments {
    store: PathBuf,
    one: Option<String>,
    peers: Option<String>,
    tasks: Vec<String>,
    repeat: usize,
}

impl Arguments {
    fn read() -> Self {
        let store = std::env::temp_dir().join("leg-performance.zarr");
        let mut own = Self { store, one: None, peers: None, tasks: Vec::new(), repeat: 3 };
        let mut given = std::env::args().skip(1);
        while let Some(argument) = given.next() {
            match argument.as_str() {
                // Cargo's own.
                "--bench" => {}
                "--one" => own.one = given.next(),
                "--peers" => own.peers = given.next(),
                "--task" => own.tasks.extend(given.next()),
                "--repeat" => own.repeat = given.next().unwrap().parse().unwrap(),
                path => own.store = std::path::absolute(path).unwrap(),
            }
        }
        own
    }
}

/// One run of a task.
struct Run {
    wall: f64,
    megabytes: f64,
    digest: Value,
}

fn better(best: Option<Run>, own: Option<Run>) -> Option<Run> {
    match (best, own) {
        (Some(best), Some(own)) => Some(if own.wall < best.wall { own } else { best }),
        (best, own) => best.or(own),
    }
}

fn own_command(task: &str, store: &Path) -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.arg(store).args(["--one", task]);
    command
}

fn peer_command(program: &str, task: &str, store: &Path) -> Command {
    let mut words = program.split_whitespace();
    let mut command = Command::new(words.next().unwrap());
    command.args(words).arg(store).args(["--one", task]);
    command
}

fn measure(mut command: Command) -> Run {
    let output = command.output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let value: Value = serde_json::from_str(text.lines().last().unwrap_or("null")).unwrap_or_default();
    if !value.is_object() {
        eprintln!("{}", String::from_utf8_lossy(&output.stderr));
    }
    let number = |key: &str| value[key].as_f64().unwrap_or(f64::NAN);
    Run { wall: number("wall_s"), megabytes: number("rss_mb"), digest: value["digest"].clone() }
}

fn row(task: &str, own: &Run, decoding: f64, peer: Option<&Run>) -> String {
    let number = |value: f64, digits: usize| {
        if value.is_nan() { "–".to_owned() } else { format!("{value:.digits$}") }
    };
    let (wall, megabytes) = peer.map_or((f64::NAN, f64::NAN), |peer| (peer.wall, peer.megabytes));
    format!(
        "| {task} | {} | {} | {} | {} | {} | {} | {} |",
        number(own.wall, 2),
        number(own.megabytes, 0),
        number(own.wall / decoding, 2),
        number(wall, 2),
        number(megabytes, 0),
        number(own.wall / wall, 2),
        number(own.megabytes / megabytes, 2)
    )
}

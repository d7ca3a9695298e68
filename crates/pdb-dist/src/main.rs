//! `pdb-gen-dist`: the command that builds pattern databases on several machines.

#![forbid(unsafe_code)]

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use clap::{Args, Parser, Subcommand};
use command::quantity::{checkpoint, count_within, seconds};
use command::verbs::{self, VerbOptions};
use command::words::counted;
use command::{Failure, HEURISTIC, PatternArgs, SURROUNDINGS, SharedArgs, print_line};
use pdb_dist::{Job, Machine, Task, catch_interrupts, join, plan, read_hostfile, run, run_local};
use pdb_gen::{CheckpointPolicy, PartError, ShapePartition, TableStore, size};
use puzzle::{TableId, TableKind};
use serde_json::json;

/// Builds pattern databases for sliding-tile puzzles on several machines.
///
/// Start pdb-gen-dist on each machine, with the same options and the same hostfile, and with the
/// number of the process in --process. Without a subcommand, the processes build the tables that
/// are missing in the tables directory. The files are identical to the files that pdb-gen writes.
#[derive(Parser, Debug)]
#[command(
    name = "pdb-gen-dist",
    version,
    mut_arg("kind", |arg| arg.help(
        "Kind of the tables; pdb-gen-dist builds only zero-aware tables [default: zero-aware]"
    )),
    mut_arg("metric", |arg| arg.help(
        "Metric of the tables; pdb-gen-dist builds only tables of the metric single"
    )),
    mut_arg("tables", |arg| arg.help(
        "Directory of the tables. All processes need the same directory, unless --parts is given \
         [default: environment variable PDB_TABLES, else sliding-tile-pdb in the user's data \
         directory]"
    )),
    mut_arg("threads", |arg| arg.short('w').help(
        "Number of threads of this process [default: all cores; with --local, an equal share of \
         all cores]"
    ))
)]
struct Arguments {
    #[command(subcommand)]
    verb: Option<Verb>,
    #[command(flatten)]
    shared: SharedArgs,
    #[command(flatten)]
    pattern: PatternArgs,
    #[command(flatten)]
    group: GroupArgs,
    #[command(flatten)]
    build: BuildArgs,
}

#[derive(Subcommand, Debug)]
enum Verb {
    /// Prove tables: all processes build the tables again and compare them with the files
    Verify,
    /// Forecast the memory of the largest process, the bytes sent and the time of a build with 1 to
    /// 64 processes, or with the number of --processes
    Plan {
        /// Speed of each machine's network, in Gbit/s
        #[arg(long, value_name = "GBIT", default_value_t = 1.0)]
        link: f64,
    },
    /// Join the parts that --parts wrote into complete tables
    Join {
        /// Part files, or directories that contain part files
        #[arg(required = true, value_name = "PARTS")]
        places: Vec<PathBuf>,
    },
}

/// The global options that each verb accepts. A build, which has no verb, accepts all global
/// options.
const VERBS: &VerbOptions = &[
    ("verify", &[HEURISTIC, SURROUNDINGS, &["tiles"], &GROUP]),
    ("plan", &[HEURISTIC, SURROUNDINGS, &["tiles", "processes"]]),
    ("join", &[SURROUNDINGS]),
];

/// The options of [`GroupArgs`].
const GROUP: [&str; 5] = ["hostfile", "process", "processes", "local", "wait"];

/// Largest value of `--wait`: one day.
const MOST_WAIT: Duration = Duration::from_secs(24 * 3600);

/// Options for the processes of a build.
#[derive(Args, Debug)]
struct GroupArgs {
    /// File with the address and port of each process, one per line, such as 10.0.0.1:2101
    #[arg(long, value_name = "FILE", global = true)]
    hostfile: Option<PathBuf>,
    /// Number of this process: the index of its line in the hostfile, counted from 0
    #[arg(long, short, value_name = "I", global = true)]
    process: Option<usize>,
    /// Number of processes [default: the number of lines of the hostfile]
    #[arg(long, short = 'n', value_name = "N", value_parser = parse_processes, global = true)]
    processes: Option<usize>,
    /// Start N processes on this machine; replaces --hostfile, --process and --processes
    #[arg(long, value_name = "N", value_parser = parse_processes, global = true,
          conflicts_with_all = ["hostfile", "process", "processes"])]
    local: Option<usize>,
    /// Time to wait at the start until all processes are connected, in seconds or with a unit such
    /// as 2m
    #[arg(long, value_name = "TIME", default_value = "60", value_parser = parse_wait, global = true)]
    wait: Duration,
}

/// Options that only apply to builds.
#[derive(Args, Debug)]
struct BuildArgs {
    /// Each process writes its part of the tables to its own tables directory. Afterwards, `join`
    /// joins the parts into complete tables
    #[arg(long)]
    parts: bool,
    /// Rebuild tables that already exist
    #[arg(long)]
    force: bool,
    /// Resume from the last level that all processes have saved
    #[arg(long)]
    resume: bool,
    /// Time between checkpoints, in seconds or with a unit such as 10m; off disables checkpoints
    /// [default: on Ctrl-C, and after 15 s at intervals such that checkpoints take at most 8 % of
    /// the time]
    #[arg(long, value_name = "TIME|off", value_parser = checkpoint,
          allow_hyphen_values = true)]
    checkpoint: Option<CheckpointPolicy>,
    /// Directory for the checkpoints of this process [default: the tables directory]
    #[arg(long, value_name = "DIR")]
    checkpoint_dir: Option<PathBuf>,
}

fn parse_processes(text: &str) -> Result<usize, String> {
    count_within(1..=ShapePartition::MAX_PARTS as u64)(text).map(|count| count as usize)
}

fn parse_wait(text: &str) -> Result<Duration, String> {
    let time = seconds(text)?;
    match time <= MOST_WAIT {
        true => Ok(time),
        false => Err("must be at most a day".to_owned()),
    }
}

fn main() -> ExitCode {
    let arguments = verbs::parse::<Arguments>(VERBS);
    let result = arguments.and_then(|arguments| arguments.start());
    // Prints a failure as a line on standard error even with --json, because the parent process of
    // --local forwards these lines.
    Failure::end("pdb-gen-dist", false, result)
}

impl Arguments {
    fn start(&self) -> Result<u8, Failure> {
        match &self.verb {
            None => self.run(Task::Build),
            Some(Verb::Verify) => self.run(Task::Verify),
            Some(Verb::Plan { link }) => self.plan(*link).map(|()| 0),
            Some(Verb::Join { places }) => {
                for path in join(places, &self.shared.directory()?)? {
                    let path = path.display();
                    let object = json!({ "file": path.to_string(), "written": true });
                    self.shared.report(object, format_args!("wrote {path}"));
                }
                Ok(0)
            }
        }
    }

    /// Runs this process's share of a task, or starts all processes of `--local`.
    fn run(&self, task: Task) -> Result<u8, Failure> {
        let job = self.job(task)?;
        catch_interrupts();
        let group = &self.group;
        if let Some(processes) = group.local {
            return run_local(processes, &self.local_arguments(processes));
        }
        let Some(hostfile) = &group.hostfile else {
            return Err(Failure::input(
                "--hostfile or --local is required: try --hostfile FILE --process I, or --local N \
                 for N processes on this machine",
            ));
        };
        let hosts = read_hostfile(hostfile, group.processes)?;
        let last = hosts.len() - 1;
        let process = group.process.filter(|&process| process <= last);
        let process = process.ok_or_else(|| {
            Failure::input(format!(
                "--process is required: it must be from 0 to {last}"
            ))
        })?;
        run(hosts, process, job, group.wait)?;
        Ok(0)
    }

    /// Arguments of a child process: those of this process without `--local`, and a share of the
    /// threads.
    fn local_arguments(&self, processes: usize) -> Vec<OsString> {
        let mut arguments = Vec::new();
        let mut given = std::env::args_os().skip(1);
        while let Some(argument) = given.next() {
            match argument.to_str() {
                Some("--local") => drop(given.next()),
                Some(text) if text.starts_with("--local=") => {}
                _ => arguments.push(argument),
            }
        }
        if self.shared.threads.is_none() {
            let threads = (self.shared.thread_count() / processes).max(1);
            arguments.extend(["--threads".into(), threads.to_string().into()]);
        }
        arguments
    }

    /// Prints the forecast of a build.
    fn plan(&self, link: f64) -> Result<(), Failure> {
        if !(link > 0.0 && link.is_finite()) {
            let line = format!("--link {link}: must be above 0 Gbit/s");
            return Err(Failure::input(line));
        }
        let machine = Machine {
            threads: self.shared.thread_count(),
            link: link * 1e9 / 8.0,
        };
        let processes = match self.group.processes {
            Some(processes) => vec![processes],
            None => vec![1, 2, 3, 4, 8, 16, 32, 64],
        };
        let store = TableStore::new(self.shared.directory()?);
        for id in self.table_ids()? {
            let name = id.name();
            for plan in plan(id, &store, &processes, &machine) {
                let object = json!({
                    "table": name, "processes": plan.processes, "memory": plan.memory,
                    "wire": plan.wire, "seconds": plan.seconds,
                });
                let line = format!(
                    "{name}: {} process{} of {}, memory {} each, {} sent, {:.1} s",
                    plan.processes,
                    if plan.processes == 1 { "" } else { "es" },
                    counted(machine.threads as u64, "thread"),
                    size(plan.memory),
                    size(plan.wire),
                    plan.seconds
                );
                match self.shared.json {
                    true => print_line(object),
                    false => print_line(line),
                }
            }
        }
        Ok(())
    }

    fn job(&self, task: Task) -> Result<Job, Failure> {
        let (shared, build) = (&self.shared, &self.build);
        let directory = shared.directory()?;
        let checkpoints = build.checkpoint_dir.clone();
        Ok(Job {
            task,
            tables: self.table_ids()?,
            checkpoints: checkpoints.unwrap_or_else(|| directory.path().to_owned()),
            directory,
            parts: build.parts,
            force: build.force,
            resume: build.resume,
            save: build.checkpoint.unwrap_or(CheckpointPolicy::Auto),
            threads: shared.thread_count(),
            quiet: shared.quiet,
            json: shared.json,
        })
    }

    fn table_ids(&self) -> Result<Vec<TableId>, Failure> {
        let tables = self.pattern.tables(&self.shared)?;
        match tables.iter().find(|id| id.kind() != TableKind::ZeroAware) {
            Some(id) => Err(Failure::input(PartError::Kind { kind: id.kind() })),
            None => Ok(tables),
        }
    }
}

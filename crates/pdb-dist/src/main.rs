//! `pdb-gen-dist`: builds pattern databases on several machines. Arguments in, library calls, words
//! out.

use std::ffi::OsString;
use std::io::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use clap::parser::ValueSource;
use clap::{ArgMatches, Args, CommandFactory as _, FromArgMatches as _, Parser, Subcommand};
use cli::quantity::checkpoint;
use etcetera::BaseStrategy as _;
use etcetera::base_strategy::choose_native_strategy;
use pdb_dist::{
    Failure, Job, Machine, Task, catch_interrupts, join, plan, read_hostfile, run, run_local,
};
use pdb_gen::{CheckpointPolicy, Deal, TableStore, size};
use pdb_table::TableDirectory;
use puzzle::{Goal, HeuristicSpec, Pattern, TableId, TableKind, Tray};

/// Builds pattern databases for sliding-tile puzzles on several machines.
///
/// Start it on each, with the same options and hostfile, and the number of the process. Without a
/// subcommand: builds the tables that the tables directory does not have yet. The files are those
/// of pdb-gen, byte for byte.
#[derive(Parser, Debug)]
#[command(name = "pdb-gen-dist", version)]
struct Arguments {
    #[command(subcommand)]
    verb: Option<Verb>,
    #[command(flatten)]
    options: Options,
    #[command(flatten)]
    building: Building,
}

#[derive(Subcommand, Debug)]
enum Verb {
    /// Prove tables: all processes sweep them again and compare
    Verify,
    /// Show what a build on 1 to 64 machines, or on --processes, will take: memory of the largest
    /// process, bytes on the network, time
    Plan {
        /// What each machine's network carries, in Gbit/s
        #[arg(long, value_name = "GBIT", default_value_t = 1.0)]
        link: f64,
    },
    /// Make tables of the parts that --parts has left
    Join {
        /// Directories with parts, or the files
        #[arg(required = true, value_name = "PARTS")]
        places: Vec<PathBuf>,
    },
}

/// A day: nobody waits for longer on purpose.
const MOST_WAIT: u64 = 24 * 3600;

#[derive(Args, Debug)]
struct Options {
    /// Columns x rows, such as 4x4 or 5x3 [default: 4x4]
    #[arg(long, value_name = "WxH", global = true)]
    size: Option<Tray>,
    /// blank-last (1 2 3 ... 0), blank-first (0 1 2 ...), or any board
    #[arg(long, value_name = "GOAL", default_value = "blank-last", global = true)]
    goal: String,
    /// Name or list of tiles, as with pdb-gen [default: by size]
    #[arg(long, value_name = "NAME|LIST", global = true)]
    partition: Option<String>,
    /// One pattern alone instead of a partition: the numbers on its tiles, such as 1,2,5,6
    #[arg(long, value_name = "LIST", conflicts_with = "partition", global = true)]
    tiles: Option<String>,
    /// Only zero-aware tables are built in parts
    #[arg(long, default_value = "zero-aware", global = true)]
    kind: TableKind,
    /// Directory of the tables, the same for all processes unless --parts is given [default:
    /// PDB_TABLES, else the user's data directory for this program]
    #[arg(long, value_name = "DIR", global = true)]
    tables: Option<PathBuf>,
    /// A line for each process: its address and port, such as 10.0.0.1:2101
    #[arg(long, value_name = "FILE", global = true)]
    hostfile: Option<PathBuf>,
    /// The number of this process, from 0: which line of the hostfile is its own
    #[arg(long, short, value_name = "I", global = true)]
    process: Option<usize>,
    /// How many processes there are [default: as many as the hostfile has lines]
    #[arg(long, short = 'n', value_name = "N", value_parser = parse_count, global = true)]
    processes: Option<usize>,
    /// Instead of --hostfile and --process: so many processes on this machine
    #[arg(long, value_name = "N", conflicts_with_all = ["hostfile", "process", "processes"],
          global = true)]
    local: Option<usize>,
    /// Threads of this process [default: all cores, shared out with --local]
    #[arg(long, short = 'w', value_name = "N", value_parser = parse_count, global = true)]
    threads: Option<usize>,
    /// How many seconds to wait for the other processes at the start
    #[arg(long, value_name = "SECONDS", default_value_t = 60, global = true,
          value_parser = clap::value_parser!(u64).range(..=MOST_WAIT))]
    wait: u64,
    /// Print JSON, one object a line
    #[arg(long, global = true)]
    json: bool,
    /// Print results and errors only
    #[arg(long, short, global = true)]
    quiet: bool,
}

/// Options that only building has.
#[derive(Args, Debug)]
struct Building {
    /// Each process keeps its part of the tables in its own tables directory; join makes tables of
    /// them
    #[arg(long)]
    parts: bool,
    /// Build again what is there already
    #[arg(long)]
    force: bool,
    /// Go on from the last level that all processes have saved
    #[arg(long)]
    resume: bool,
    /// How often to save the build: seconds, or a time such as 10m; off: never [default: on Ctrl-C,
    /// and now and then in builds over 15 s, using at most 8 % of the time]
    #[arg(long, value_name = "TIME|off", value_parser = checkpoint)]
    checkpoint: Option<CheckpointPolicy>,
    /// Where this process keeps its checkpoints [default: the tables directory]
    #[arg(long, value_name = "DIR")]
    checkpoint_dir: Option<PathBuf>,
}

/// What `join` takes; `plan` and `verify` have the lists of what they do not take.
const JOIN_TAKES: [&str; 3] = ["places", "tables", "quiet"];
/// What nobody needs who only plans.
const PLAN_REFUSES: [&str; 5] = ["hostfile", "process", "local", "wait", "quiet"];
/// The options of [`Building`].
const BUILDING: [&str; 5] = ["parts", "force", "resume", "checkpoint", "checkpoint_dir"];

/// Refuses options that a subcommand would not look at, wherever they are on the command line.
fn check_options(matches: &ArgMatches) -> Result<(), Failure> {
    let Some((verb, own)) = matches.subcommand() else {
        return Ok(());
    };
    let is_refused = |id: &str| {
        BUILDING.contains(&id)
            || match verb {
                "join" => !JOIN_TAKES.contains(&id),
                "plan" => PLAN_REFUSES.contains(&id),
                _ => false,
            }
    };
    for place in [matches, own] {
        for id in place.ids().map(clap::Id::as_str) {
            // Groups of options have names too, and no values.
            let is_given = matches!(place.try_contains_id(id), Ok(true))
                && place.value_source(id) == Some(ValueSource::CommandLine);
            if is_given && is_refused(id) && id.starts_with(char::is_lowercase) {
                let option = id.replace('_', "-");
                return Err(Failure::input(format!(
                    "{verb} has no use for --{option}: leave it out"
                )));
            }
        }
    }
    Ok(())
}

/// A number from 1.
fn parse_count(text: &str) -> Result<usize, String> {
    let count = text.parse().ok().filter(|&count| count > 0);
    count.ok_or_else(|| "give 1 or more".to_owned())
}

fn main() -> ExitCode {
    let matches = Arguments::command().get_matches();
    let done = check_options(&matches).and_then(|()| {
        let arguments = Arguments::from_arg_matches(&matches).map_err(Failure::input)?;
        start(&arguments)
    });
    match done {
        Ok(exit) => ExitCode::from(exit),
        Err(failure) => {
            let _ = writeln!(std::io::stderr(), "pdb-gen-dist: {}", failure.line);
            ExitCode::from(failure.exit)
        }
    }
}

fn start(arguments: &Arguments) -> Result<u8, Failure> {
    let options = &arguments.options;
    if let Some(Verb::Join { places }) = &arguments.verb {
        for path in join(places, &options.directory()?)? {
            if !options.quiet {
                let _ = writeln!(std::io::stdout(), "wrote {}", path.display());
            }
        }
        return Ok(0);
    }
    if let Some(Verb::Plan { link }) = &arguments.verb {
        return options.plan(*link).map(|()| 0);
    }
    let task = match arguments.verb {
        Some(_) => Task::Verify,
        None => Task::Build,
    };
    let job = options.job(task, &arguments.building)?;
    catch_interrupts();
    if let Some(processes) = options.local {
        if !(1..=Deal::MAX_PARTS).contains(&processes) {
            let most = Deal::MAX_PARTS;
            return Err(Failure::input(format!(
                "--local {processes}: give 1 to {most}"
            )));
        }
        return run_local(processes, &local_arguments(processes, options));
    }
    let Some(hostfile) = &options.hostfile else {
        return Err(Failure::input(
            "where are the others? Give --hostfile FILE and --process I, or --local N for N \
             processes on this machine",
        ));
    };
    let hosts = read_hostfile(hostfile, options.processes)?;
    let last = hosts.len() - 1;
    let process = options.process.filter(|&process| process <= last);
    let process = process.ok_or_else(|| {
        Failure::input(format!("which process is this? Give --process 0 to {last}"))
    })?;
    run(hosts, process, job, Duration::from_secs(options.wait))?;
    Ok(0)
}

/// This process's arguments for one of several: without `--local`, with a share of the threads.
fn local_arguments(processes: usize, options: &Options) -> Vec<OsString> {
    let mut arguments = Vec::new();
    let mut given = std::env::args_os().skip(1);
    while let Some(argument) = given.next() {
        match argument.to_str() {
            Some("--local") => drop(given.next()),
            Some(text) if text.starts_with("--local=") => {}
            _ => arguments.push(argument),
        }
    }
    if options.threads.is_none() {
        let threads = (all_cores() / processes).max(1);
        arguments.extend(["--threads".into(), threads.to_string().into()]);
    }
    arguments
}

fn all_cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

impl Options {
    /// Prints what a build will take.
    fn plan(&self, link: f64) -> Result<(), Failure> {
        if !(link > 0.0 && link.is_finite()) {
            return Err(Failure::input(format!(
                "--link {link}: give Gbit/s above 0"
            )));
        }
        let machine = Machine {
            threads: self.threads.unwrap_or_else(all_cores),
            link: link * 1e9 / 8.0,
        };
        let processes = match self.processes {
            Some(processes) if processes > Deal::MAX_PARTS => {
                let most = Deal::MAX_PARTS;
                return Err(Failure::input(format!(
                    "--processes {processes}: give 1 to {most}"
                )));
            }
            Some(processes) => vec![processes],
            None => vec![1, 2, 3, 4, 8, 16, 32, 64],
        };
        let store = TableStore::new(self.directory()?);
        let mut out = std::io::stdout();
        for id in self.table_ids()? {
            let name = id.name();
            for plan in plan(id, &store, &processes, &machine) {
                let done = if self.json {
                    let object = serde_json::json!({
                        "table": name, "processes": plan.processes, "memory": plan.memory,
                        "wire": plan.wire, "seconds": plan.seconds,
                    });
                    writeln!(out, "{object}")
                } else {
                    let ending = |count: usize, ending| if count == 1 { "" } else { ending };
                    writeln!(
                        out,
                        "{name}: {} process{} of {} thread{}, memory {} each, {} sent, {:.1} s",
                        plan.processes,
                        ending(plan.processes, "es"),
                        machine.threads,
                        ending(machine.threads, "s"),
                        size(plan.memory),
                        size(plan.wire),
                        plan.seconds
                    )
                };
                done.map_err(Failure::input)?;
            }
        }
        Ok(())
    }

    fn job(&self, task: Task, building: &Building) -> Result<Job, Failure> {
        let directory = self.directory()?;
        let checkpoints = building.checkpoint_dir.clone();
        Ok(Job {
            task,
            tables: self.table_ids()?,
            checkpoints: checkpoints.unwrap_or_else(|| directory.path().to_owned()),
            directory,
            parts: building.parts,
            force: building.force,
            resume: building.resume,
            save: building.checkpoint.unwrap_or(CheckpointPolicy::Auto),
            threads: self.threads.unwrap_or_else(all_cores),
            quiet: self.quiet,
            json: self.json,
        })
    }

    fn table_ids(&self) -> Result<Vec<TableId>, Failure> {
        let goal = Goal::parse(&self.goal, self.size);
        let goal = goal.map_err(|error| Failure::input(format!("goal: {error}")))?;
        let tables = match (&self.tiles, &self.partition) {
            (Some(list), _) => {
                let tiles = HeuristicSpec::parse_tiles(list, &goal).map_err(Failure::input)?;
                let tiles = tiles.iter().copied().collect();
                let pattern = Pattern::new(goal.tray(), tiles, goal.blank());
                vec![pattern.map_err(Failure::input)?.table(self.kind).0]
            }
            (None, partition) => {
                let builder = HeuristicSpec::builder(&goal).kind(self.kind);
                let spec = match partition {
                    Some(name) => builder.parse(name),
                    None => builder.parse_default(),
                };
                spec.map_err(Failure::input)?.tables()
            }
        };
        if let Some(id) = tables.iter().find(|id| id.kind() != TableKind::ZeroAware) {
            let kind = id.kind();
            return Err(Failure::input(pdb_gen::PartError::Kind { kind }));
        }
        match tables.is_empty() {
            true => Err(Failure::input(
                "no table is needed for that: name a partition, or give --tiles LIST",
            )),
            false => Ok(tables),
        }
    }

    fn directory(&self) -> Result<TableDirectory, Failure> {
        let variable = std::env::var_os("PDB_TABLES").filter(|path| !path.is_empty());
        if let Some(path) = self.tables.clone().or(variable.map(PathBuf::from)) {
            return Ok(TableDirectory::new(path));
        }
        let base = choose_native_strategy();
        let base = base.map_err(|_| {
            Failure::table("no home directory to keep tables in: give --tables DIR")
        })?;
        Ok(TableDirectory::new(
            base.data_dir().join("sliding-tile-pdb"),
        ))
    }
}

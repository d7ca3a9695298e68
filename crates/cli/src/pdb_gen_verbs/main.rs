//! `pdb-gen`: builds, lists, verifies and exports pattern databases. Parses arguments, calls the
//! library and prints the results.

#![forbid(unsafe_code)]

mod build;
mod export;
mod list;
mod pack;
mod pictures;
mod selection;
mod stats;
mod table_files;
mod tune;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use command::shell::ShellVerb;
use command::verbs::{self, OptionNames, VerbOptions};
use command::{BuildCommand, Failure, HEURISTIC, SURROUNDINGS, catch_interrupts, help_end};
use puzzle::Tray;

use crate::selection::Selection;
use crate::table_files::{FilesArguments, each_file};

/// Builds pattern databases for sliding-tile puzzles.
///
/// Without a subcommand, pdb-gen builds the tables of a partition that are missing in the tables
/// directory.
#[derive(Parser, Debug)]
#[command(
    name = "pdb-gen",
    version,
    after_help = help_end("\
    \x20 pdb-gen --partition 6-6-3\n\
    \x20 pdb-gen --partition 7-8 --both-sides\n\
    \x20 pdb-gen --partition 7-8 --zstd\n\
    \x20 pdb-gen --size 5x5 --goal blank-first --tiles 1,2,5,6,7,12")
)]
struct Arguments {
    #[command(subcommand)]
    verb: Option<Verb>,
    #[command(flatten)]
    selection: Selection,
    #[command(flatten)]
    build: build::BuildArguments,
}

#[derive(Subcommand, Debug)]
enum Verb {
    /// Show the header of table files and the histogram of their values
    #[command(
        alias = "show",
        after_help = "Examples:\n  pdb-gen info --partition 6-6-3"
    )]
    Info(FilesArguments),
    /// List tables, one per line, with tray, kind, encoding, entries, file size, largest value,
    /// pattern and file
    ///
    /// The pattern is drawn as the rows of the tray, separated by /. In a row, a marks the goal
    /// cell of a tile of the pattern, . a possible final cell of the blank, and - any other cell.
    #[command(after_help = "Examples:\n  pdb-gen list --size 4x4")]
    List(FilesArguments),
    /// Remove the tables of a partition, with those for searches from the goal that a build makes,
    /// the tables of a size, or all
    #[command(aliases = ["remove", "delete", "rm"],
              after_help = "Examples:\n  pdb-gen clean --size 5x5\n\
             \x20 pdb-gen clean --partition 7-8 --both-sides --yes")]
    Clean {
        /// Remove the files; without this option, clean prints what it would remove
        #[arg(long)]
        yes: bool,
    },
    /// Prove that table files are correct: check the checksums, and check every value against the
    /// moves of the puzzle
    #[command(
        alias = "check",
        after_help = "Examples:\n  pdb-gen verify\n  pdb-gen verify --partition 6-6-3"
    )]
    Verify(FilesArguments),
    /// Forecast the memory, disk space and time for building the tables of a partition
    #[command(after_help = "Examples:\n  pdb-gen plan --partition 7-8\n\
             \x20 pdb-gen plan --size 5x5 --tiles 1,2,5,6,7,10,11 --goal blank-first")]
    Plan,
    /// Show the distribution of the values in table files or, with --sample, of random states
    ///
    /// The output is text, CSV or a plot. It also shows the mean, and the growth of the counts from
    /// value to value.
    #[command(
        after_help = "Examples:\n  pdb-gen stats --partition 6-6-3 --out values.svg\n\
             \x20 pdb-gen stats --partition 6-6-3 --sample 10k"
    )]
    Stats(stats::StatsArguments),
    /// Write tables as plain arrays or lists, with the tiles in the order of --tiles; missing tables
    /// are built first
    #[command(
        after_help = "Examples:\n  pdb-gen export --tiles 1,2,5,6 --format npy --out corner.npy\n\
             \x20 pdb-gen export --partition 6-6-3 --format ranked --out values"
    )]
    Export(export::ExportArguments),
    /// Search for partitions with few nodes per board, by measurement
    ///
    /// Prints the best partitions, and writes each of them to a file that --partition can read. The
    /// known partitions are also measured: the preset with the sizes of --parts, and the partition
    /// of --partition.
    ///
    /// The columns of the output are: rank; mean h of one view; mean of the maximum over the views;
    /// mean of b^-h, where b is the branching factor (the nodes of a search are proportional to
    /// this mean); generated nodes per board, searched with the best order of the moves; the best
    /// order of the moves; the partition.
    #[command(after_help = "Examples:\n  pdb-gen tune --parts 6-6-3 --minutes 30s --top 3")]
    Tune(tune::TuneArguments),
    /// Pack tables and write a manifest, for distribution; missing tables are built first
    #[command(after_help = "Examples:\n  pdb-gen pack --partition 6-6-3 --out packed")]
    Pack(pack::PackArguments),
    /// Unpack tables into the tables directory
    #[command(after_help = "Examples:\n  pdb-gen unpack packed")]
    Unpack {
        /// Packed tables: directories, their manifests, or files of one packed table
        #[arg(required = true)]
        packed: Vec<PathBuf>,
    },
    #[command(flatten)]
    Shell(ShellVerb),
}

/// The shared options that each verb accepts. Building, which has no verb, accepts all of them.
const VERBS: &VerbOptions = &[
    ("info", SELECTING_ALL),
    ("list", SELECTING_ALL),
    ("clean", SELECTING_ALL),
    ("verify", SELECTING_ALL),
    ("plan", SELECTING_ALL),
    ("stats", SELECTING),
    ("export", SELECTING),
    ("tune", &[HEURISTIC, &["threads", "json", "quiet"]]),
    ("pack", SELECTING_ALL),
    ("unpack", &[SURROUNDINGS]),
    ("completions", &[]),
    ("man", &[]),
];

const SELECTING: &[OptionNames] = &[HEURISTIC, SURROUNDINGS, &["tiles", "encoding", "zstd"]];
const SELECTING_ALL: &[OptionNames] = &[
    HEURISTIC,
    SURROUNDINGS,
    &["tiles", "encoding", "zstd", "both_sides"],
];

fn main() -> ExitCode {
    catch_interrupts();
    let arguments = refuse_wrong_verb().and_then(|()| verbs::parse::<Arguments>(VERBS));
    let json = arguments
        .as_ref()
        .is_ok_and(|own| own.selection.shared.json);
    let result = arguments.and_then(|arguments| run(&arguments));
    Failure::end("pdb-gen", json, result)
}

/// Rejects verbs, and partitions and sizes without their options, that users might expect, and
/// names the command to use instead.
fn refuse_wrong_verb() -> Result<(), Failure> {
    let words = std::env::args_os().skip(1);
    let words = words.map(|word| word.to_string_lossy().into_owned());
    let mut words: Vec<String> = words.skip_while(|word| word == "help").collect();
    let (program, verbs, mut message) = match words.first().map_or("", String::as_str) {
        "build" | "create" | "generate" | "make" | "new" => {
            ("pdb-gen", 1, "pdb-gen builds without a verb")
        }
        "solve" => ("solver", 1, "pdb-gen builds tables, solver solves boards"),
        _ => ("pdb-gen", 0, ""),
    };
    words.drain(..verbs);
    let builds = program == "pdb-gen";
    if builds && verbs > 0 && words.is_empty() {
        words.push("6-6-3".to_owned());
    }
    for at in (0..words.len()).rev().filter(|_| builds) {
        let is_value = at > 0 && words[at - 1].starts_with('-');
        if let Some(option) = option_of(&words[at]).filter(|_| !is_value) {
            words.insert(at, option.to_owned());
            if message.is_empty() {
                message = "partitions and sizes are options";
            }
        }
    }
    let command = BuildCommand::from_words([program.to_owned()].into_iter().chain(words));
    match message {
        "" => Ok(()),
        _ => Err(Failure::input(format!("{message}: {command}"))),
    }
}

/// The option of a word that is a partition, such as `6-6-3` or `best`, or a size.
fn option_of(word: &str) -> Option<&'static str> {
    let is_list = |c: char| c.is_ascii_digit() || c == '-';
    let is_name = ["best", "fewest", "small", "fringe"].contains(&word);
    let is_sizes = word.starts_with(|c: char| c.is_ascii_digit()) && word.chars().all(is_list);
    let is_size = word.parse::<Tray>().is_ok();
    let is_meant = (is_name || is_sizes || is_size) && !Path::new(word).exists();
    is_meant.then_some(if is_size { "--size" } else { "--partition" })
}

fn run(arguments: &Arguments) -> Result<u8, Failure> {
    let selection = &arguments.selection;
    selection.shared.start_threads()?;
    match &arguments.verb {
        None => build::build(selection, &arguments.build).map(|()| 0),
        Some(Verb::Info(arguments)) => each_file(selection, &arguments.files, list::info),
        Some(Verb::List(arguments)) => list::list(selection, &arguments.files),
        Some(Verb::Verify(arguments)) => each_file(selection, &arguments.files, list::verify),
        Some(Verb::Clean { yes }) => list::clean(selection, *yes).map(|()| 0),
        Some(Verb::Plan) => build::plan(selection),
        Some(Verb::Stats(stats)) => stats::stats(selection, stats),
        Some(Verb::Export(export)) => export::export(selection, export).map(|()| 0),
        Some(Verb::Tune(tune)) => tune::tune(selection, tune).map(|()| 0),
        Some(Verb::Pack(pack)) => pack::pack(selection, pack).map(|()| 0),
        Some(Verb::Unpack { packed }) => pack::unpack(&selection.shared, packed).map(|()| 0),
        Some(Verb::Shell(verb)) => {
            let definition = verbs::definition::<Arguments>(VERBS);
            verb.run(definition).map(|()| 0)
        }
    }
}

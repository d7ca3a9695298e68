//! `pdb-gen`: builds pattern databases, shows, proves and exports them. Arguments in, library calls, words out.

mod build;
mod export;
mod info;
mod pack;
mod plan;
mod plot;
mod selection;
mod stats;
mod table_files;
mod tune;
mod verify;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use cli::{Failure, IdleInterrupt, SharedArgs, catch_interrupts};

use crate::build::{BuildArguments, build_tables};
use crate::export::ExportArguments;
use crate::pack::{PackArguments, pack_tables, unpack_tables};
use crate::selection::Selection;
use crate::stats::StatsArguments;
use crate::table_files::each_file;
use crate::tune::{TuneArguments, tune_partitions};

/// Builds pattern databases for sliding-tile puzzles.
///
/// Without a subcommand: builds the tables of a partition that the tables directory does not have yet.
#[derive(Parser)]
#[command(version, args_conflicts_with_subcommands = false)]
struct Arguments {
    #[command(subcommand)]
    verb: Option<Verb>,
    #[command(flatten)]
    shared: SharedArgs,
    #[command(flatten)]
    choice: Selection,
    #[command(flatten)]
    build: BuildArguments,
}

#[derive(Subcommand)]
enum Verb {
    /// Show what table files are: header and histogram
    Info {
        /// Table files [default: those chosen by --partition or --tiles, else all in the tables directory]
        files: Vec<PathBuf>,
    },
    /// Prove table files: sums, and every value against the moves of the puzzle
    Verify {
        /// Table files [default: those chosen by --partition or --tiles, else all in the tables directory]
        files: Vec<PathBuf>,
    },
    /// Tell, before anything is built, what a partition's tables will take: memory, disk, time
    Plan,
    /// Show how the values of table files are spread: mean, growth by level; as text, CSV or a plot
    Stats(StatsArguments),
    /// Write one table as a plain array or list, in the order of --tiles; builds it first if missing
    Export(ExportArguments),
    /// Search for good partitions, by measurement
    ///
    /// Prints the best, and writes each as a file that --partition reads. The partition of the same name takes part,
    /// and so does one given by --partition.
    Tune(TuneArguments),
    /// Pack tables for shipping, with a manifest; builds those that are missing
    Pack(PackArguments),
    /// Unpack tables into the tables directory
    Unpack {
        /// Directories, manifests, single files or packed tables
        #[arg(required = true)]
        packed: Vec<PathBuf>,
    },
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    catch_interrupts(IdleInterrupt::Finish);
    let done = match arguments.check() {
        Ok(()) => run(&arguments),
        Err(failure) => Err(failure),
    };
    match done {
        Ok(exit) => ExitCode::from(exit),
        Err(failure) => failure.report("pdb-gen"),
    }
}

impl Arguments {
    /// Refuses options that the verb would not heed.
    fn check(&self) -> Result<(), Failure> {
        if self.verb.is_some() && self.build.are_given() {
            return Err(Failure::input(
                "--force, --resume and --checkpoint are for building, without a subcommand",
            ));
        }
        if matches!(self.verb, Some(Verb::Unpack { .. })) && self.choice.is_given(&self.shared) {
            return Err(Failure::input(
                "unpack writes the tables that were packed: it takes no choice of its own",
            ));
        }
        Ok(())
    }
}

fn run(arguments: &Arguments) -> Result<u8, Failure> {
    let (shared, choice) = (&arguments.shared, &arguments.choice);
    shared.start_threads()?;
    match &arguments.verb {
        None => build_tables(shared, choice, &arguments.build).map(|()| 0),
        Some(Verb::Info { files }) => each_file(shared, choice, files, info::info),
        Some(Verb::Verify { files }) => each_file(shared, choice, files, verify::verify),
        Some(Verb::Plan) => plan::plan(shared, choice),
        Some(Verb::Stats(arguments)) => stats::stats(shared, choice, arguments),
        Some(Verb::Export(export)) => export::export(shared, choice, export).map(|()| 0),
        Some(Verb::Tune(tune)) => tune_partitions(shared, choice, tune).map(|()| 0),
        Some(Verb::Pack(pack)) => pack_tables(shared, choice, pack).map(|()| 0),
        Some(Verb::Unpack { packed }) => unpack_tables(shared, packed).map(|()| 0),
    }
}

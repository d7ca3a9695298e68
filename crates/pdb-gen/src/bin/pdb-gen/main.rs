//! `pdb-gen`: builds pattern databases, shows and proves them. Arguments in, library calls, words out.

mod build;
mod choice;
mod files;
mod info;
mod pack;
mod prove;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use pdb_gen::command::{SharedArgs, WhenIdle, catch_interrupts};

use crate::build::{BuildArguments, build_tables};
use crate::choice::Choice;
use crate::files::each_file;
use crate::pack::{PackArguments, pack_tables, unpack_tables};

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
    choice: Choice,
    #[command(flatten)]
    build: BuildArguments,
}

#[derive(Subcommand)]
enum Verb {
    /// Show what table files are: header and histogram
    Info {
        /// Table files [default: all in the tables directory]
        files: Vec<PathBuf>,
    },
    /// Prove table files: sums, and every value against the moves of the puzzle
    Verify {
        /// Table files [default: all in the tables directory]
        files: Vec<PathBuf>,
    },
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
    catch_interrupts(WhenIdle::Finish);
    let shared = &arguments.shared;
    let done = shared.start_threads().and_then(|()| match &arguments.verb {
        None => build_tables(shared, &arguments.choice, &arguments.build).map(|()| 0),
        Some(Verb::Info { files }) => each_file(shared, files, info::info),
        Some(Verb::Verify { files }) => each_file(shared, files, prove::prove),
        Some(Verb::Pack(pack)) => pack_tables(shared, &arguments.choice, pack).map(|()| 0),
        Some(Verb::Unpack { packed }) => unpack_tables(shared, packed).map(|()| 0),
    });
    match done {
        Ok(exit) => ExitCode::from(exit),
        Err(failure) => failure.report("pdb-gen"),
    }
}

//! Runs `pdb-gen`.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

#[cfg(unix)]
pub(crate) use crate::run::happens;
pub(crate) use crate::run::{Process, Run, clean, start};

/// Options for tables of every kind and encoding.
pub(crate) const FORMS: [&str; 4] = [
    "",
    "--encoding u8",
    "--kind full",
    "--kind blank-compressed",
];

pub(crate) fn command() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pdb-gen"));
    clean(&mut command);
    command
}

pub(crate) fn command_at<A: AsRef<OsStr>>(
    tables: &Path,
    arguments: impl IntoIterator<Item = A>,
) -> Command {
    let mut command = command();
    command.args(arguments).arg("--tables").arg(tables);
    command
}

pub(crate) fn finish(child: Process) -> Run {
    crate::run::finish("pdb-gen", child)
}

pub(crate) fn run<A: AsRef<OsStr>>(arguments: impl IntoIterator<Item = A>) -> Run {
    finish(start(command().args(arguments)))
}

/// Runs `pdb-gen` with `--tables` and these words, which are separated by spaces.
pub(crate) fn pdb_gen(tables: &Path, words: &str) -> Run {
    finish(start(&mut command_at(tables, words.split_whitespace())))
}

/// Builds three tables, which the names `5-3` and `fringe` of 3x3 select: without those for other
/// goal cells of the blank.
pub(crate) fn build_small_tables(tables: &Path) {
    for words in ["1,2,3", "4,5,6,7,8", "1,2,3,4,7 --kind full"] {
        pdb_gen(tables, &format!("--size 3x3 --tiles {words}")).succeeds();
    }
}

/// `info --json` of a directory: one object per file.
pub(crate) fn info(directory: &Path) -> Vec<Value> {
    let run = run(["info", "--json", "--tables", directory.to_str().unwrap()]);
    let objects = run.objects(0);
    run.succeeds();
    objects
}

pub(crate) fn verify(files: &[PathBuf]) -> Run {
    finish(start(command().arg("verify").args(files)))
}

/// Numbers of states of the 3x3 tray, by distance.
pub(crate) fn states_of_3x3() -> Vec<u64> {
    let mut lines = include_str!("../../../../../data/suites/widths.txt").lines();
    let counts = lines.find_map(|line| line.strip_prefix("3x3 ")).unwrap();
    let counts = counts.split_whitespace();
    counts.map(|count| count.parse().unwrap()).collect()
}

//! `solver probe`: shows the table entries of a board.

use std::collections::HashMap;
use std::path::PathBuf;

use clap::Args;
use command::words::counted;
use command::{Failure, SharedArgs, interrupted, print_line};
use puzzle::Board;
use serde_json::{Value, json};
use solver::{Mode, Probe, ProbedView, Side, SolveError, Solver};

use crate::answer::print_unsolved;
use crate::board::BoardArgs;
use crate::opener::Opener;
use crate::search::OpenArgs;

#[derive(Args, Debug)]
pub(crate) struct ProbeArguments {
    #[command(flatten)]
    board: BoardArgs,
    #[command(flatten)]
    open: OpenArgs,
}

/// Prints every entry that contributes to a board's estimate. Returns 1 for unsolvable boards.
pub(crate) fn run(shared: SharedArgs, arguments: &ProbeArguments) -> Result<u8, Failure> {
    let board = arguments.board.read(&shared)?;
    let opener = Opener::new(Mode::Optimal, shared, arguments.open.clone(), false)?;
    let opener = opener.with_side(Side::Start);
    let goal = opener.shared.goal(Some(board.tray()))?;
    let solver = opener.open(&goal)?;
    if interrupted() {
        let message = "interrupted: the tables are incomplete";
        return Err(Failure::interrupted(message));
    }
    let probe = match solver.probe(&board) {
        Ok(probe) => probe,
        Err(error @ SolveError::Unsolvable(_)) => {
            print_unsolved(&opener.shared, solver.goal(), &board, error);
            return Ok(1);
        }
        Err(error) => return Err(Failure::table(error)),
    };
    let (files, name) = (files(&opener, &solver), solver.spec().name());
    if opener.shared.json {
        print_line(as_json(&board, &probe, &files, name));
    } else {
        print_probe(&board, &probe, &files, name);
    }
    Ok(0)
}

/// Maps the name of each table to its file. Tables that could not be stored are absent.
fn files(opener: &Opener, solver: &Solver) -> HashMap<String, PathBuf> {
    let tables = solver.spec().tables().into_iter();
    let found = tables.filter_map(|id| Some((id.name(), opener.file(id)?)));
    found.collect()
}

/// The probe as a JSON object, with the partition's name and each table's file added.
fn as_json(board: &Board, probe: &Probe, files: &HashMap<String, PathBuf>, name: &str) -> Value {
    let mut object = json!(probe);
    object["board"] = json!(board.to_string());
    object["tables"] = json!(name);
    let views = object["views"].as_array_mut().into_iter().flatten();
    for part in views.flat_map(|view| view["parts"].as_array_mut().into_iter().flatten()) {
        if let Some(file) = part["table"].as_str().and_then(|table| files.get(table)) {
            part["file"] = json!(file.display().to_string());
        }
    }
    object
}

fn print_probe(board: &Board, probe: &Probe, files: &HashMap<String, PathBuf>, name: &str) {
    print_line(format_args!(
        "{}: the lower bound of {name} is {}",
        board,
        counted(probe.estimate.into(), "move")
    ));
    if let Some(value) = probe.table_free {
        print_line(format_args!("without tables: {value}"));
    }
    for (number, view) in (1..).zip(&probe.views) {
        print_line(format_args!("view {number}: {}", title(view)));
        for part in &view.parts {
            let tiles: Vec<String> = part.tiles.iter().map(u16::to_string).collect();
            print_line(format_args!(
                "{:>5}  tiles {}: entry {} of {} ({}), {} value {}",
                part.value,
                tiles.join(","),
                part.entry,
                part.table,
                part.symmetry,
                part.encoding,
                part.stored,
            ));
        }
    }
    let mut files: Vec<_> = files.values().collect();
    files.sort();
    for file in files {
        print_line(format_args!("file {}", file.display()));
    }
}

/// Name and sum of a partition.
fn title(view: &ProbedView) -> String {
    let (partition, symmetry) = (view.partition + 1, view.symmetry);
    let (kind, sum) = (view.kind, view.sum);
    match view.parts.len() {
        1 => format!("pattern {partition} ({symmetry}), {kind}: {sum}"),
        parts => {
            format!("partition {partition} ({symmetry}), {kind}: {sum}, the sum of {parts} parts")
        }
    }
}

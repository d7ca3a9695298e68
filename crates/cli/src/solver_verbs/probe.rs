//! `solver probe`: shows the table entries of a board.

use std::collections::BTreeMap;

use clap::Args;
use command::words::counted;
use command::{Failure, SharedArgs, print_line};
use serde_json::json;
use session::{Request, Response};
use solver::{Advice, Probe, ProbedView};

use crate::caller::BoardQuestion;

#[derive(Args, Debug)]
pub(crate) struct ProbeArguments {
    #[command(flatten)]
    question: BoardQuestion<session::request::Probe>,
}

/// Files of tables by the name of the table. Tables that could not be stored are absent.
type Files = BTreeMap<String, String>;

/// Prints every entry that contributes to a board's estimate. Returns 1 for unsolvable boards.
pub(crate) fn run(shared: SharedArgs, arguments: &ProbeArguments) -> Result<u8, Failure> {
    let (_, request, caller) = arguments.question.read(shared, None)?;
    let (_, goal) = caller.session.subject(&request.subject)?;
    let tables = request.tables.clone();
    let Some(Response::Probe(probe)) = caller.ask(&Request::Probe(request))? else {
        return Ok(1);
    };
    let opened = caller
        .session
        .open_solver(&goal, &tables, &caller.control(None))?;
    let directory = caller.shared.directory().ok();
    let ids = opened.solver.spec().tables().into_iter();
    let file = |id: puzzle::TableId| {
        let (_, file) = directory.as_ref()?.file_of(id)?;
        Some((id.name(), file.display().to_string()))
    };
    let files: Files = ids.filter_map(file).collect();
    if !caller.shared.json {
        print_probe(&probe, &files);
        return Ok(0);
    }
    let mut object = json!(probe);
    let views = object["views"].as_array_mut().into_iter().flatten();
    for part in views.flat_map(|view| view["parts"].as_array_mut().into_iter().flatten()) {
        if let Some(file) = part["table"].as_str().and_then(|table| files.get(table)) {
            part["file"] = json!(file);
        }
    }
    print_line(object);
    Ok(0)
}

fn print_probe(advice: &Advice<Probe>, files: &Files) {
    let (probe, name) = (&advice.found, &advice.tables);
    print_line(format_args!(
        "{}: the lower bound of {name} is {}",
        advice.board,
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
    for file in files.values() {
        print_line(format_args!("file {file}"));
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

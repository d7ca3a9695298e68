//! A goal and its tables: solving, advice, proofs.

use std::sync::Arc;
use std::time::Duration;

use js_sys::{Function, Uint8Array};
use pdb_gen::{VerifyError, verify};
use puzzle::board_text::{self, ListedBoard};
use puzzle::{Metric, Notation};
use serde::Serialize;
use solver::{
    Advice, Answer, BuildEvent, Control, GivenOptions, Mode, OpenOptions, OptionError, Report,
    SearchStatus, SharedTable, SolveOptions, Solver, Status, Within,
};
use wasm_bindgen::prelude::*;
use web_time::Instant;

use crate::host;
use crate::json_error::{JsonAnswer, JsonError, to_json};
use crate::request::Request;
use crate::rules::WrittenBoard;
use crate::solver_error::report_error;
use crate::tables::{CheckLevel, TableInfo, TableProgress, file_name};

/// Default memory limit of an anytime search, in bytes. The limit does not include the tables. It
/// is enough for a beam search of a few seconds, and acceptable for a page.
const MAX_MEMORY: u64 = 256 << 20;

/// Fields of requests for advice.
const OF_ADVICE: &str = "max_time, max_nodes, threads, side";
/// Fields of requests to solve a board.
const OF_SOLVE: &str = "mode, notation, max_time, max_nodes, max_memory, threads, side, short, \
                        explain, seed, within";
/// Fields of requests for all solutions.
const OF_ALL: &str = "notation, max_time, max_nodes, threads, side, within, most, count";

/// A solver whose calls accept and return JSON.
#[wasm_bindgen]
#[derive(Debug)]
pub struct JsonSolver {
    pub(crate) solver: Solver,
    /// The reason why the default tables of the tray's size were not chosen.
    pub(crate) reason: Option<String>,
    /// The tables with their check levels, in the order of the specification.
    pub(crate) tables: Vec<(SharedTable, CheckLevel)>,
    pub(crate) options: OpenOptions,
}

/// Event of a call.
#[derive(Serialize)]
#[serde(tag = "type", rename_all = "lowercase")]
enum Event<'a> {
    Progress { bound: u32, nodes: u64, ms: f64 },
    Improved { report: &'a Report },
}

/// Description of a solver.
#[derive(Serialize)]
struct Info<'a> {
    goal: WrittenBoard,
    metric: Metric,
    partition: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'a str>,
    tables: Vec<TableInfo>,
}

/// The options of a search with the limits of `request`. The host receives the progress of the
/// search.
fn search_options(request: &Request) -> Result<SolveOptions, JsonError> {
    let max_time = request.number("max_time")?;
    if max_time == Some(0.0) {
        return Err(JsonError::input(
            "max_time must be more than 0 milliseconds",
        ));
    }
    let max_nodes = request.whole("max_nodes")?;
    if max_nodes == Some(0) {
        return Err(JsonError::input("max_nodes must be at least 1"));
    }
    let begun = Instant::now();
    let mut options = SolveOptions::default()
        .threads(request.whole("threads")?.unwrap_or(1) as usize)
        .side(request.parsed("side")?.unwrap_or_default())
        .max_memory(MAX_MEMORY)
        .cancel(&host::cancel())
        .progress(move |status: &SearchStatus| {
            host::report_progress(|| Event::Progress {
                bound: status.bound,
                nodes: status.generated,
                ms: begun.elapsed().as_secs_f64() * 1e3,
            });
        });
    options.max_nodes = max_nodes;
    options.max_time = max_time.map(|ms| Duration::from_secs_f64((ms / 1e3).min(1e9)));
    Ok(options)
}

/// Converts an error. Its message contains the JavaScript names of the options.
fn option_error(error: OptionError) -> JsonError {
    JsonError::input(error.describe(|option| match option {
        "max_memory" => "maxMemory",
        option => option,
    }))
}

impl JsonSolver {
    fn tables(&self) -> Vec<TableInfo> {
        let goal = self.solver.goal();
        let patterns = self.solver.spec().patterns();
        let patterns = patterns.map(|(pattern, kind)| (pattern, pattern.table(kind).0));
        let patterns: Vec<_> = patterns.collect();
        let info = |(table, verified): &(SharedTable, CheckLevel)| {
            let of_table = patterns.iter().filter(|(_, id)| *id == table.id());
            let numbers = |cells: puzzle::CellSet| cells.iter().map(|cell| goal.number_at(cell));
            let serves = of_table.map(|(pattern, _)| numbers(pattern.tiles()).collect());
            let serves: Vec<Vec<u16>> = serves.collect();
            let header = table.header();
            TableInfo {
                file: file_name(table.id()),
                tiles: serves.first().cloned().unwrap_or_default(),
                serves,
                kind: header.id.kind().name(),
                encoding: header.encoding.name(),
                entries: header.entries,
                bytes: table.bytes().len(),
                max: header.histogram.max(),
                verified: *verified,
            }
        };
        self.tables.iter().map(info).collect()
    }

    fn read(&self, board: &str) -> Result<ListedBoard, JsonError> {
        let goal = self.solver.goal();
        let read = board_text::parse(board, Some(goal.tray()));
        read.and_then(|read| read.for_goal(goal))
            .map_err(JsonError::input)
    }

    fn answer(
        &self,
        read: &ListedBoard,
        request: &Request,
        given: &GivenOptions,
        on_event: Option<Function>,
    ) -> JsonAnswer {
        let question = given
            .question(self.solver.metric(), search_options(request)?)
            .map_err(option_error)?
            .notation(request.parsed("notation")?.unwrap_or_default())
            .improved(|better: &Answer| {
                host::report(&Event::Improved {
                    report: &better.report,
                });
            });
        let answer = host::heard(on_event, || self.solver.answer(&read.board, &question));
        let report = answer.report.with_notes(&read.notes);
        match report.status {
            Status::Solved if !host::is_cancelled() => to_json(&report),
            _ => Err(report_error(&report)),
        }
    }

    fn prove(&mut self) -> Result<(), JsonError> {
        let tables = self.tables.len();
        let entries = self.tables.iter().map(|(table, _)| table.header().entries);
        let entries: u64 = entries.sum();
        let mut before = 0.0;
        for number in 0..tables {
            let (table, verified) = &mut self.tables[number];
            let share = table.header().entries as f64 / entries.max(1) as f64;
            let listener = move |event: &BuildEvent| {
                if let BuildEvent::Level(level) = event {
                    let done = level.found as f64 / level.entries.max(1) as f64;
                    host::report_progress(|| TableProgress {
                        stage: "verify",
                        table: number,
                        tables,
                        done: (before + share * done).min(1.0),
                    });
                }
            };
            let control = Control::new(host::cancel(), Some(Arc::new(listener)));
            verify(table, &control).map_err(|error| match error {
                VerifyError::Cancelled => JsonError::cancelled(),
                error => JsonError::table(format!("{}: {error}", file_name(table.id()))),
            })?;
            *verified = CheckLevel::Proved;
            before += share;
        }
        Ok(())
    }

    /// The bytes of a table's file.
    pub fn bytes(&self, file: &str) -> Result<&[u8], JsonError> {
        let mut tables = self.tables.iter().map(|(table, _)| table);
        let table = tables.find(|table| file_name(table.id()) == file);
        let table = table.ok_or_else(|| JsonError::input(format!("there is no table {file}")))?;
        Ok(table.bytes())
    }
}

#[wasm_bindgen]
impl JsonSolver {
    /// Goal, metric, partition, the reason for its choice, and the tables, as JSON.
    pub fn info(&self) -> JsonAnswer {
        to_json(&Info {
            goal: WrittenBoard::new(self.solver.goal().board()),
            metric: self.solver.metric(),
            partition: self.solver.spec().name(),
            reason: self.reason.as_deref(),
            tables: self.tables(),
        })
    }

    /// Solves a board. Returns the board's report as JSON.
    pub fn solve(&self, board: &str, request: &str, on_event: Option<Function>) -> JsonAnswer {
        let (read, request) = (self.read(board)?, Request::read(request, OF_SOLVE)?);
        let given = GivenOptions {
            mode: request.parsed("mode")?.unwrap_or_default(),
            short: request.flag("short")?.unwrap_or_default(),
            explain: request.flag("explain")?.unwrap_or_default(),
            within: request.number("within")?.map(Within::Share),
            max_memory: request.whole("max_memory")?,
            seed: request.whole("seed")?,
            side: request.parsed("side")?.unwrap_or_default(),
            ..GivenOptions::default()
        };
        self.answer(&read, &request, &given, on_event)
    }

    /// Finds all solutions of a board. Returns the board's report as JSON.
    pub fn all_solutions(
        &self,
        board: &str,
        request: &str,
        on_event: Option<Function>,
    ) -> JsonAnswer {
        let (read, request) = (self.read(board)?, Request::read(request, OF_ALL)?);
        let within = request.number("within")?;
        let within = within.map(|moves| Within::of(Mode::Optimal, moves));
        let most = request.whole("most")?;
        let given = GivenOptions {
            all: true,
            count: request.flag("count")?.unwrap_or_default(),
            within: within.transpose().map_err(option_error)?,
            most: most.map(|most| usize::try_from(most).unwrap_or(usize::MAX)),
            side: request.parsed("side")?.unwrap_or_default(),
            ..GivenOptions::default()
        };
        self.answer(&read, &request, &given, on_event)
    }

    /// Hint for a board, as printed by `solver hint --json`.
    pub fn hint(&self, board: &str, request: &str, on_event: Option<Function>) -> JsonAnswer {
        let board = self.read(board)?.board;
        let options = search_options(&Request::read(request, OF_ADVICE)?)?;
        let found = host::heard(on_event, || self.solver.hint(&board, &options));
        advice_json(self.solver.advice(&board, None, found))
    }

    /// Rating of a game, as printed by `solver rate --json`.
    pub fn rate(
        &self,
        board: &str,
        moves: &str,
        request: &str,
        on_event: Option<Function>,
    ) -> JsonAnswer {
        let board = self.read(board)?.board;
        let options = search_options(&Request::read(request, OF_ADVICE)?)?;
        let made = board.read_moves(moves, Notation::guess(moves));
        let made = made.map_err(JsonError::input)?;
        let found = host::heard(on_event, || self.solver.rate(&board, &made, &options));
        advice_json(self.solver.advice(&board, Some(moves), found))
    }

    /// Table entries and values for a board, as printed by `solver probe --json`.
    pub fn probe(&self, board: &str) -> JsonAnswer {
        let board = self.read(board)?.board;
        let advice = self.solver.advice(&board, None, self.solver.probe(&board));
        advice_json(advice.map(|mut advice| {
            advice.board = None;
            advice
        }))
    }

    /// Proves every entry of every table by the puzzle's moves. Returns the tables as JSON.
    pub fn verify(&mut self, on_progress: Option<Function>) -> JsonAnswer {
        host::heard(on_progress, || self.prove())?;
        to_json(&self.tables())
    }

    /// Builds the missing tables for goals whose blank is on another cell than in the solver's
    /// goal. This works even if the solver was created with `both_sides: false`.
    pub fn open_other_goals(&mut self) -> Result<(), JsonError> {
        let control = Control::new(host::cancel(), None);
        let options = self.options.clone().both_sides(true).control(control);
        Ok(self.solver.open_other_goals(&options)?)
    }

    /// A copy of a table's file.
    pub fn table(&self, file: &str) -> Result<Uint8Array, JsonError> {
        self.bytes(file).map(Uint8Array::from)
    }
}

/// Advice on a board, as JSON.
fn advice_json<T: Serialize>(advice: Result<Advice<T>, Box<Answer>>) -> JsonAnswer {
    let advice = advice.map_err(|answer| report_error(&answer.report))?;
    if host::is_cancelled() {
        return Err(JsonError::cancelled());
    }
    to_json(&advice)
}

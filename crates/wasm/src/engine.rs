//! A goal and its tables: solving, advice, proofs.

use std::time::Duration;

use pdb_gen::{VerifyError, verify};
use puzzle::{Board, Metric, Notation};
use serde::Serialize;
use solver::{
    BuildEvent, Control, Improvement, Mode, Report, SearchStatus, SolveError, SolveOptions, Solver,
};
use web_time::Instant;

use crate::failure::{Failure, joined, to_json};
use crate::host;
use crate::loader::{SharedTable, Verified, control, file_name};
use crate::request::Request;
use crate::rules::WrittenBoard;

/// Memory that anytime searches take besides the tables, where nothing is said: enough for a beam
/// that runs for some seconds, and not too much for a page.
const MAX_MEMORY: u64 = 256 << 20;
/// The most solutions that are written down where nothing is said.
const MAX_SOLUTIONS: usize = 1000;

/// A solver in a host of WebAssembly.
#[derive(Debug)]
pub struct Engine {
    solver: Solver,
    partition: String,
    tables: Vec<(SharedTable, Verified)>,
}

/// How a call is limited, and in which notation it answers.
#[derive(Debug)]
struct CallRequest {
    mode: Mode,
    notation: Notation,
    max_time: Option<Duration>,
    max_nodes: Option<u64>,
    max_memory: u64,
    threads: usize,
    short: bool,
    explain: bool,
    seed: u64,
    within: Option<f64>,
    most: usize,
}

/// What a call reports.
#[derive(Serialize)]
#[serde(tag = "type", rename_all = "lowercase")]
enum Event {
    Progress { bound: u32, nodes: u64, ms: f64 },
    Improved { report: Box<Report> },
}

/// What a solver is made of.
#[derive(Serialize)]
struct Info<'a> {
    goal: WrittenBoard,
    metric: Metric,
    partition: &'a str,
    tables: Vec<TableInfo>,
}

/// What was asked, and by which tables it is answered.
#[derive(Serialize)]
struct Asked<'a> {
    /// Absent where the answer has it.
    #[serde(skip_serializing_if = "Option::is_none")]
    board: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    moves: Option<&'a str>,
    tables: &'a str,
}

/// What a table is.
#[derive(Serialize)]
struct TableInfo {
    file: String,
    tiles: Vec<u16>,
    serves: Vec<Vec<u16>>,
    kind: &'static str,
    encoding: &'static str,
    entries: u64,
    bytes: usize,
    max: u8,
    verified: Verified,
}

impl CallRequest {
    const NAMES: [&str; 12] = [
        "mode",
        "notation",
        "max_time",
        "max_nodes",
        "max_memory",
        "threads",
        "short",
        "explain",
        "seed",
        "within",
        "most",
        "count",
    ];

    fn read(text: &str) -> Result<CallRequest, Failure> {
        let request = Request::read(text, &CallRequest::NAMES)?;
        let max_time = request.number("max_time")?;
        if max_time == Some(0.0) {
            return Err(Failure::input("max_time must be more than 0 milliseconds"));
        }
        let max_nodes = request.whole("max_nodes")?;
        if max_nodes == Some(0) {
            return Err(Failure::input("max_nodes must be at least 1"));
        }
        let most = match request.flag("count")? {
            true => Some(0),
            false => request.whole("most")?,
        };
        let mode = request.text("mode")?.map(str::parse).transpose();
        let notation = request.text("notation")?.map(str::parse).transpose();
        Ok(CallRequest {
            mode: mode.map_err(Failure::input)?.unwrap_or_default(),
            notation: notation.map_err(Failure::input)?.unwrap_or(Notation::Tile),
            max_time: max_time.map(|ms| Duration::from_secs_f64((ms / 1e3).min(1e9))),
            max_nodes,
            max_memory: request.whole("max_memory")?.unwrap_or(MAX_MEMORY),
            threads: request.whole("threads")?.unwrap_or(1) as usize,
            short: request.flag("short")?,
            explain: request.flag("explain")?,
            seed: request.whole("seed")?.unwrap_or(0),
            within: request.number("within")?,
            most: most.map_or(MAX_SOLUTIONS, |most| most as usize),
        })
    }

    /// The options of the search, whose progress the host hears.
    fn options(&self, begun: Instant) -> SolveOptions {
        let mut options = SolveOptions::default()
            .mode(self.mode)
            .short(self.short)
            .seed(self.seed)
            .threads(self.threads)
            .max_memory(self.max_memory)
            .cancel(&host::cancel())
            .progress(move |status: &SearchStatus| {
                let (bound, nodes) = (status.bound, status.generated);
                let ms = || begun.elapsed().as_secs_f64() * 1e3;
                host::report_progress(|| Event::Progress {
                    bound,
                    nodes,
                    ms: ms(),
                });
            });
        options.max_nodes = self.max_nodes;
        options.max_time = self.max_time;
        if self.mode == Mode::Anytime {
            options.within = self.within;
        }
        options.or_anytime_limit()
    }
}

impl Engine {
    /// A solver whose tables are these, in the order of its specification.
    pub(crate) fn new(
        solver: Solver,
        partition: String,
        tables: Vec<(SharedTable, Verified)>,
    ) -> Engine {
        Engine {
            solver,
            partition,
            tables,
        }
    }

    /// Goal, metric, partition and tables, as JSON.
    ///
    /// # Errors
    /// None.
    pub fn info(&self) -> Result<String, Failure> {
        to_json(&Info {
            goal: WrittenBoard::new(self.solver.goal().board()),
            metric: self.solver.metric(),
            partition: &self.partition,
            tables: self.tables(),
        })
    }

    fn tables(&self) -> Vec<TableInfo> {
        let goal = self.solver.goal();
        let patterns: Vec<_> = self
            .solver
            .spec()
            .patterns()
            .map(|(pattern, kind)| (pattern, pattern.table(kind).0))
            .collect();
        let info = |(table, verified): &(SharedTable, Verified)| {
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

    fn board(&self, board: &str) -> Result<Board, Failure> {
        Board::parse(board, Some(self.solver.goal().tray())).map_err(Failure::input)
    }

    /// Solves a board: its report as JSON.
    ///
    /// # Errors
    /// Bad input, and reports without a solution.
    pub fn solve(&self, board: &str, request: &str) -> Result<String, Failure> {
        let (board, request) = (self.board(board)?, CallRequest::read(request)?);
        let (notation, begun) = (request.notation, Instant::now());
        let of_board = board.clone();
        let options = request
            .options(begun)
            .improved(move |better: &Improvement| {
                host::report(&Event::Improved {
                    report: Box::new(Report::improved(&of_board, better, notation)),
                });
            });
        let goal = self.solver.goal();
        let result = self.solver.solve_with(&board, &options);
        let report = Report::new(goal, &board, &result, notation).with_mode(options.mode);
        let mut report = self.finish(report, &options, begun);
        if request.explain && options.mode == Mode::Strategic {
            report = report.with_strategic_steps(&self.solver, &board, notation);
        }
        to_json(&Failure::unless_solved(report)?)
    }

    /// All solutions of a board: its report as JSON.
    ///
    /// # Errors
    /// Bad input, and reports without a solution.
    pub fn all_solutions(&self, board: &str, request: &str) -> Result<String, Failure> {
        let (board, request) = (self.board(board)?, CallRequest::read(request)?);
        let (notation, begun) = (request.notation, Instant::now());
        let options = request.options(begun);
        let within = request.within.unwrap_or(0.0);
        if within.fract() != 0.0 {
            return Err(Failure::input("within must be a number of moves"));
        }
        let goal = self.solver.goal();
        let found = self
            .solver
            .all_solutions(&board, within as u32, request.most, &options);
        let mut report = Report::all_solutions(goal, &board, &found, notation);
        if request.most == 0 {
            report.solutions = None;
        }
        to_json(&Failure::unless_solved(
            self.finish(report, &options, begun),
        )?)
    }

    /// A report with what the call adds.
    fn finish(&self, report: Report, options: &SolveOptions, begun: Instant) -> Report {
        let report = match report.nodes {
            Some(_) => report
                .with_time(begun.elapsed())
                .with_threads(options.max_threads()),
            None => report,
        };
        report.with_tables(&self.partition)
    }

    /// Help with a board, as `solver hint --json` prints it.
    ///
    /// # Errors
    /// Bad input, and reports without a solution.
    pub fn hint(&self, board: &str, request: &str) -> Result<String, Failure> {
        let (board, request) = (self.board(board)?, CallRequest::read(request)?);
        let options = request.options(Instant::now());
        let found = self.solver.hint(&board, &options);
        let asked = self.asked(&board, None);
        self.advice(&board, &asked, found)
    }

    /// A game judged, as `solver rate --json` prints it.
    ///
    /// # Errors
    /// Bad input, and reports without a solution.
    pub fn rate(&self, board: &str, moves: &str, request: &str) -> Result<String, Failure> {
        let (board, request) = (self.board(board)?, CallRequest::read(request)?);
        let options = request.options(Instant::now());
        let made = board.read_moves(moves, Notation::guess(moves));
        let found = self
            .solver
            .rate(&board, &made.map_err(Failure::input)?, &options);
        let asked = self.asked(&board, Some(moves));
        self.advice(&board, &asked, found)
    }

    fn asked<'a>(&'a self, board: &Board, moves: Option<&'a str>) -> Asked<'a> {
        Asked {
            board: Some(board.to_string()),
            moves,
            tables: &self.partition,
        }
    }

    fn advice(
        &self,
        board: &Board,
        asked: &Asked<'_>,
        found: Result<impl Serialize, SolveError>,
    ) -> Result<String, Failure> {
        let found = found.map_err(|error| {
            let goal = self.solver.goal();
            Failure::of_report(&Report::new(goal, board, &Err(error), Notation::Tile))
        })?;
        if host::is_cancelled() {
            return Err(Failure::cancelled());
        }
        joined(asked, &found)
    }

    /// What the tables say of a board, as `solver probe --json` prints it.
    ///
    /// # Errors
    /// Bad input.
    pub fn probe(&self, board: &str) -> Result<String, Failure> {
        let board = self.board(board)?;
        let asked = Asked {
            board: None,
            ..self.asked(&board, None)
        };
        self.advice(&board, &asked, self.solver.probe(&board))
    }

    /// Proves every entry of every table by the puzzle's moves. Answers the tables as JSON.
    ///
    /// # Errors
    /// An entry is wrong, or the host wants no more of it.
    pub fn verify(&mut self) -> Result<String, Failure> {
        let tables = self.tables.len();
        let entries: u64 = self
            .tables
            .iter()
            .map(|(table, _)| table.header().entries)
            .sum();
        let mut before = 0.0;
        for number in 0..tables {
            let (table, verified) = &mut self.tables[number];
            let share = table.header().entries as f64 / entries.max(1) as f64;
            let control: Control<BuildEvent> = control("verify", number, tables, before, share);
            verify(table, &control).map_err(|error| match error {
                VerifyError::Cancelled => Failure::cancelled(),
                error => Failure::table(format!("{}: {error}", file_name(table.id()))),
            })?;
            *verified = Verified::Proved;
            before += share;
        }
        to_json(&self.tables())
    }

    /// The bytes of a table's file.
    ///
    /// # Errors
    /// There is no such table.
    pub fn table(&self, file: &str) -> Result<&[u8], Failure> {
        let mut tables = self.tables.iter().map(|(table, _)| table);
        let table = tables.find(|table| file_name(table.id()) == file);
        let table = table.ok_or_else(|| Failure::input(format!("there is no table {file}")))?;
        Ok(table.bytes())
    }
}

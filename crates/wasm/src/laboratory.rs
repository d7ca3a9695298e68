//! Textbook heuristics and searches.

use std::collections::HashSet;
use std::sync::Mutex;
use std::time::Duration;

use lab::search::DEFAULT_ORDER;
use lab::{
    BoardSet, CompareError, Comparison, Entrant, Explanation, HeuristicChoice, HeuristicError,
    HeuristicFactory, Limits, Position, Record, Search,
};
use puzzle::{Board, Goal, Tray};
use serde::Serialize;
use solver::check_board;

use crate::failure::{Failure, to_json};
use crate::host;
use crate::request::Request;
use crate::rules::{MAX_MOVES, read_goal, read_size};

/// The most bytes that the nodes of a search may take, where nothing is said.
const MAX_MEMORY: u64 = 256 << 20;
/// The most nodes that a search generates, where nothing is said: some seconds.
const MAX_NODES: u64 = 10_000_000;
/// The most bytes that the tables of heuristics may take.
const MAX_TABLES: u64 = 1 << 30;
/// Random boards of each set, where nothing is said.
const NUMBER: usize = 100;
/// The most boards of a set: each search of each is kept.
const MAX_NUMBER: usize = 100_000;

/// Makes heuristics, and keeps the tables that they share.
#[derive(Debug)]
pub struct Laboratory {
    factory: HeuristicFactory,
}

/// A search that is finished.
#[derive(Serialize)]
struct Finished<'a> {
    record: &'a Record,
    finished: usize,
    runs: usize,
}

impl Default for Laboratory {
    fn default() -> Laboratory {
        Laboratory {
            factory: HeuristicFactory::new(|_, _| None, &host::cancel(), Some(MAX_TABLES)),
        }
    }
}

impl Laboratory {
    /// The names of the heuristics that are made within a moment for a size, as JSON.
    ///
    /// # Errors
    /// It is no size.
    pub fn heuristics(size: &str) -> Result<String, Failure> {
        let tray: Tray = size.parse().map_err(Failure::input)?;
        to_json(&HeuristicChoice::names_at_hand(tray))
    }

    /// What heuristics see on a board.
    ///
    /// # Errors
    /// The board cannot be solved, or has no such heuristic.
    pub fn explain(&self, request: &str) -> Result<String, Failure> {
        let request = Request::read(request, &["board", "goal", "heuristics"])?;
        let board = Board::parse(request.needed_text("board")?, None);
        let board = board.map_err(Failure::input)?;
        let goal = read_goal(request.text("goal")?, Some(board.tray()))?;
        let state = check_board(&goal, &board).map_err(|error| {
            let notation = puzzle::Notation::Tile;
            Failure::of_report(&solver::Report::failure(&goal, &board, &error, notation))
        })?;
        let position = Position::new(&state).map_err(Failure::input)?;
        let mut names = request.texts("heuristics")?;
        if names.is_empty() {
            names = HeuristicChoice::names_at_hand(board.tray());
        }
        let mut made = Vec::new();
        for choice in read_choices(&names)? {
            let heuristic = self.factory.heuristic(&choice, &goal);
            made.push(heuristic.map_err(refused)?);
        }
        to_json(&Explanation::of(&made, &position, &goal))
    }

    /// Searches with heuristics on boards; the host hears each search that is finished.
    ///
    /// # Errors
    /// Something that was asked for is wrong, or the host wants no more of it.
    pub fn compare(&self, request: &str) -> Result<String, Failure> {
        let comparison = comparison(&Request::read(request, &NAMES)?)?;
        let prepared = comparison.prepare(&self.factory);
        let prepared = prepared.map_err(|error| match error {
            CompareError::Heuristic(error) => refused(error),
            _ if host::is_cancelled() => Failure::cancelled(),
            error => Failure::input(error),
        })?;
        let runs = comparison.runs();
        let records = Mutex::new(Vec::new());
        prepared.run(
            &HashSet::new(),
            |_| {},
            |record| {
                let Ok(mut records) = records.lock() else {
                    return;
                };
                host::report(&Finished {
                    record: &record,
                    finished: records.len() + 1,
                    runs,
                });
                records.push(record);
            },
        );
        if host::is_cancelled() {
            return Err(Failure::cancelled());
        }
        to_json(&records.into_inner().unwrap_or_default())
    }
}

/// Why a heuristic was not made.
fn refused(error: HeuristicError) -> Failure {
    match error {
        _ if host::is_cancelled() => Failure::cancelled(),
        HeuristicError::Memory { .. } => Failure::memory(error),
        error => Failure::input(error),
    }
}

fn read_choices(names: &[String]) -> Result<Vec<HeuristicChoice>, Failure> {
    let choices = names
        .iter()
        .map(|name| name.parse().map_err(Failure::input));
    choices.collect()
}

/// The fields of a request to compare.
const NAMES: [&str; 11] = [
    "sizes",
    "goal",
    "boards",
    "number",
    "moves",
    "seed",
    "heuristics",
    "searches",
    "max_nodes",
    "max_memory",
    "max_time",
];

fn comparison(request: &Request) -> Result<Comparison, Failure> {
    let searches = request.texts("searches")?;
    let searches = searches.iter().map(|name| name.parse());
    let searches = searches.collect::<Result<Vec<Search>, _>>();
    let entrants = Entrant::all(
        &read_choices(&request.texts("heuristics")?)?,
        &searches.map_err(Failure::input)?,
    );
    let mut limits = Limits::default();
    limits.max_nodes = Some(request.whole("max_nodes")?.unwrap_or(MAX_NODES));
    limits.max_memory = Some(request.whole("max_memory")?.unwrap_or(MAX_MEMORY));
    let max_time = request.number("max_time")?;
    limits.max_time = max_time.map(|ms| Duration::from_secs_f64((ms / 1e3).min(1e9)));
    limits.cancel = host::cancel();
    Ok(Comparison {
        sets: sets(request)?,
        entrants,
        limits,
        order: DEFAULT_ORDER,
        threads: 1,
    })
}

fn sets(request: &Request) -> Result<Vec<BoardSet>, Failure> {
    let goal = |tray| read_goal(request.text("goal")?, tray);
    let boards = request.texts("boards")?;
    if !boards.is_empty() {
        // Boards of one size are a set.
        let mut sets: Vec<(Goal, Vec<Board>)> = Vec::new();
        for board in &boards {
            let board = Board::parse(board, None).map_err(Failure::input)?;
            let tray = board.tray();
            match sets.iter_mut().find(|(goal, _)| goal.tray() == tray) {
                Some((_, boards)) => boards.push(board),
                None => sets.push((goal(Some(tray))?, vec![board])),
            }
        }
        let set = |(goal, boards)| BoardSet::of("given", goal, boards);
        return Ok(sets.into_iter().map(set).collect());
    }
    let number = request
        .whole("number")?
        .map_or(NUMBER, |number| number as usize);
    let (walks, seed) = (
        request.wholes("moves")?,
        request.whole("seed")?.unwrap_or(0),
    );
    if number > MAX_NUMBER {
        return Err(Failure::input(format!(
            "{number} boards are too many: at most {MAX_NUMBER}"
        )));
    }
    let mut sizes = request.texts("sizes")?;
    if sizes.is_empty() {
        sizes.push("3x3".to_owned());
    }
    let mut sets = Vec::new();
    for size in &sizes {
        let goal = goal(read_size(Some(size))?)?;
        if walks.is_empty() {
            sets.push(BoardSet::random(goal, number, seed));
            continue;
        }
        for &moves in &walks {
            if moves.saturating_mul(number as u64) > MAX_MOVES {
                return Err(Failure::input(format!(
                    "{number} boards of {moves} random moves are too many: at most ten million moves"
                )));
            }
            sets.push(BoardSet::walks(goal.clone(), number, moves as usize, seed));
        }
    }
    Ok(sets)
}

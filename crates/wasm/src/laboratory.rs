//! Textbook heuristics and searches.

use std::collections::HashSet;
use std::sync::Mutex;

use lab::search::DEFAULT_ORDER;
use lab::{
    BoardSet, Comparison, Entrant, Explanation, HeuristicChoice, HeuristicError, HeuristicFactory,
    Limits, Position, Record, Search,
};
use puzzle::{Board, Goal, Tray};
use serde::{Deserialize, Serialize};
use solver::check_board;

use crate::failure::{Failure, from_json, to_json};
use crate::host;
use crate::rules::{read_goal, read_size};

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

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ExplainRequest {
    board: String,
    goal: Option<String>,
    heuristics: Option<Vec<String>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CompareRequest {
    #[serde(default)]
    sizes: Vec<String>,
    goal: Option<String>,
    #[serde(default)]
    boards: Vec<String>,
    number: Option<usize>,
    #[serde(default)]
    moves: Vec<usize>,
    #[serde(default)]
    seed: u64,
    heuristics: Vec<String>,
    searches: Vec<String>,
    max_nodes: Option<u64>,
    max_memory: Option<u64>,
    max_time: Option<f64>,
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
        let request: ExplainRequest = from_json(request)?;
        let board = Board::parse(&request.board, None).map_err(Failure::input)?;
        let goal = read_goal(request.goal.as_deref(), Some(board.tray()))?;
        let state = check_board(&goal, &board).map_err(|error| {
            let notation = puzzle::Notation::Tile;
            Failure::of_report(&solver::Report::new(&goal, &board, &Err(error), notation))
        })?;
        let position = Position::new(&state).map_err(Failure::input)?;
        let names = request.heuristics;
        let names = names.unwrap_or_else(|| HeuristicChoice::names_at_hand(board.tray()));
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
        let comparison = comparison(&from_json(request)?)?;
        let prepared =
            comparison
                .prepare(&self.factory)
                .map_err(|error| match host::is_cancelled() {
                    true => Failure::cancelled(),
                    false => Failure::input(error),
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

fn comparison(request: &CompareRequest) -> Result<Comparison, Failure> {
    let searches = request.searches.iter().map(|name| name.parse());
    let searches = searches.collect::<Result<Vec<Search>, _>>();
    let entrants = Entrant::all(
        &read_choices(&request.heuristics)?,
        &searches.map_err(Failure::input)?,
    );
    let mut limits = Limits::default();
    limits.max_nodes = Some(request.max_nodes.unwrap_or(MAX_NODES));
    limits.max_memory = Some(request.max_memory.unwrap_or(MAX_MEMORY));
    limits.max_time = match request.max_time {
        Some(ms) if !(ms > 0.0 && ms.is_finite()) => {
            return Err(Failure::input("maxTime must be more than 0 milliseconds"));
        }
        ms => ms.map(|ms| std::time::Duration::from_secs_f64((ms / 1e3).min(1e9))),
    };
    limits.cancel = host::cancel();
    Ok(Comparison {
        sets: sets(request)?,
        entrants,
        limits,
        order: DEFAULT_ORDER,
        threads: 1,
    })
}

fn sets(request: &CompareRequest) -> Result<Vec<BoardSet>, Failure> {
    let goal = |tray| read_goal(request.goal.as_deref(), tray);
    if !request.boards.is_empty() {
        // Boards of one size are a set.
        let mut sets: Vec<(Goal, Vec<Board>)> = Vec::new();
        for board in &request.boards {
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
    let number = request.number.unwrap_or(NUMBER);
    if number > MAX_NUMBER {
        return Err(Failure::input(format!(
            "{number} boards are too many: at most {MAX_NUMBER}"
        )));
    }
    let default = ["3x3".to_owned()];
    let sizes = match request.sizes.is_empty() {
        true => &default[..],
        false => &request.sizes[..],
    };
    let mut sets = Vec::new();
    for size in sizes {
        let goal = goal(read_size(Some(size))?)?;
        if request.moves.is_empty() {
            sets.push(BoardSet::random(goal, number, request.seed));
            continue;
        }
        for &moves in &request.moves {
            if moves > 1_000_000 {
                return Err(Failure::input(format!(
                    "{moves} random moves are too many: at most a million"
                )));
            }
            sets.push(BoardSet::walks(goal.clone(), number, moves, request.seed));
        }
    }
    Ok(sets)
}

//! Textbook heuristics and searches.

use std::collections::HashSet;
use std::sync::{Mutex, PoisonError};

use lab::search::DEFAULT_ORDER;
use lab::{
    BoardSet, CompareError, Comparison, Entrant, Explanation, HeuristicChoice, HeuristicError,
    HeuristicFactory, Limits, Position, Record, Search,
};
use pdb_gen::free_memory;
use puzzle::{Board, Goal, Notation, Tray};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyString, PyTuple};
use solver::{Cancel, Report, check_board, number_of_threads};

use crate::arguments::{
    Whole, named, read_board_and_goal, read_goal, read_max_memory, read_max_nodes,
    read_optional_number, read_seed, read_size, read_threads, read_time,
};
use crate::boards_array::each;
use crate::call::{Caller, WorkControl, on_threads};
use crate::call_error::CallError;
use crate::cancel::PyCancel;
use crate::progress::Stage;
use crate::results::{Context, object, to_json};

/// Default maximum number of generated nodes of a search. Generating them takes a few seconds.
const MAX_NODES: u64 = 10_000_000;
/// Default number of random boards per set.
const NUMBER: u64 = 100;
/// Default maximum memory of the nodes of a search, in bytes.
const MAX_MEMORY: u64 = 1 << 30;

/// Names of the heuristics that are quick to build for boards of a size.
///
/// >>> from sliding_tile_pdb import heuristics
/// >>> heuristics("3x3")[2:4]
/// ['manhattan', 'linear-conflict']
#[pyfunction]
#[pyo3(signature = (size = None))]
pub(crate) fn heuristics(size: Option<&Bound<'_, PyAny>>) -> PyResult<Vec<String>> {
    let tray = read_goal(None, read_size(size)?)?.tray();
    Ok(HeuristicChoice::names_at_hand(tray))
}

/// Explains the values of heuristics on a board; by default, of all heuristics that are quick to
/// build.
///
#[doc = parameters!(board, goal, heuristics, cancel)]
///
/// >>> from sliding_tile_pdb import explain
/// >>> seen = explain("2 3 1/4 5 6/7 8 0", heuristics=["manhattan", "linear-conflict"])
/// >>> [(own.heuristic, own.value) for own in seen]
/// [('manhattan', 4), ('linear-conflict', 6)]
/// >>> seen[1].terms[1].words
/// 'row 1: tiles 2, 3 and 1 are in the wrong order, so one of them must leave the row'
#[pyfunction]
#[pyo3(signature = (board, *, goal = None, heuristics = None, cancel = None))]
pub(crate) fn explain(
    py: Python<'_>,
    board: &Bound<'_, PyAny>,
    goal: Option<&Bound<'_, PyAny>>,
    heuristics: Option<&Bound<'_, PyAny>>,
    cancel: Option<&Bound<'_, PyCancel>>,
) -> PyResult<Py<PyAny>> {
    let (board, goal) = read_board_and_goal(board, None, goal)?;
    let names = match heuristics {
        Some(names) => read_names(names, "heuristics")?,
        None => HeuristicChoice::names_at_hand(board.tray()),
    };
    let json = Caller::new(cancel).run(py, move |control| {
        let state = check_board(&goal, &board).map_err(|error| {
            let context = Context {
                goal: goal.clone(),
                notation: Notation::Tile,
            };
            let report = Report::failure(&goal, &board, &error, context.notation);
            CallError::of_report(report, Some(error), context)
        })?;
        let position = Position::new(&state).map_err(CallError::input)?;
        let factory = factory(&control.cancel);
        let made = on_threads(0, || {
            let choices = read_choices(&names)?.into_iter();
            let made = choices.map(|choice| factory.heuristic(&choice, &goal));
            made.collect::<Result<Vec<_>, _>>().map_err(heuristic_error)
        })?;
        Ok(to_json(&Explanation::of(&made, &position, &goal))?)
    })?;
    object(py, "Explanation", &json)
}

/// Runs searches with heuristics on the same boards.
///
/// `heuristics` are names such as `manhattan` and `6-6-3`; `searches` are `breadth-first`,
/// `uniform-cost`, `greedy`, `astar`, `weighted-astar:1.5`, `ida-star` and `bidirectional`. By
/// default, the boards are `number` random boards (default 100) of each size in `sizes` (default
/// 3x3). With `moves`, each board is that number of random moves from the goal. With `suite` or
/// `boards`, only the first `number` boards of each size are used; by default all boards are used.
/// `max_time` is in seconds per search, `max_memory` in bytes.
///
#[doc = parameters!(
    heuristics, searches, sizes, goal, boards, suite, number, walk, seed, max_nodes, max_memory,
    max_time, threads, progress, cancel
)]
///
/// >>> from sliding_tile_pdb import compare
/// >>> records = compare(["manhattan", "5-3"], ["astar"], boards=["8 6 7/2 5 4/3 0 1"])
/// >>> [(record.heuristic, record.length, record.expanded) for record in records]
/// [('manhattan', 31, 6728), ('5-3', 31, 55)]
#[pyfunction]
#[pyo3(signature = (
    heuristics, searches, *, sizes = None, goal = None, boards = None, suite = None,
    number = None, moves = None, seed = 0, max_nodes = None, max_memory = None,
    max_time = None, threads = 0, progress = None, cancel = None
))]
#[expect(clippy::too_many_arguments, reason = "Python's keywords")]
pub(crate) fn compare(
    py: Python<'_>,
    heuristics: &Bound<'_, PyAny>,
    searches: &Bound<'_, PyAny>,
    sizes: Option<&Bound<'_, PyAny>>,
    goal: Option<&Bound<'_, PyAny>>,
    boards: Option<&Bound<'_, PyAny>>,
    suite: Option<&str>,
    #[pyo3(from_py_with = read_optional_number)] number: Option<Whole>,
    moves: Option<&Bound<'_, PyAny>>,
    #[pyo3(from_py_with = read_seed)] seed: u64,
    #[pyo3(from_py_with = read_max_nodes)] max_nodes: Option<Whole>,
    #[pyo3(from_py_with = read_max_memory)] max_memory: Option<Whole>,
    max_time: Option<f64>,
    #[pyo3(from_py_with = read_threads)] threads: usize,
    progress: Option<&Bound<'_, PyAny>>,
    cancel: Option<&Bound<'_, PyCancel>>,
) -> PyResult<Py<PyAny>> {
    let choices = read_choices(&read_names(heuristics, "heuristics")?)?;
    let names = read_names(searches, "searches")?;
    let searches = names.iter().map(|name| named(name));
    let searches: Vec<Search> = searches.collect::<Result<_, CallError>>()?;
    let caller = Caller::new(cancel);
    let mut limits = Limits::default();
    let max_nodes = Whole::at_least_one("max_nodes", max_nodes)?;
    let max_memory = Whole::at_least_one("max_memory", max_memory)?;
    limits.max_nodes = Some(max_nodes.unwrap_or(MAX_NODES));
    limits.max_memory = Some(max_memory.unwrap_or(MAX_MEMORY));
    limits.max_time = read_time("max_time", max_time)?;
    limits.cancel = caller.control.cancel.clone();
    let sources = [boards.is_some(), suite.is_some(), moves.is_some()];
    if sources.into_iter().filter(|is_given| *is_given).count() > 1 {
        return Err(CallError::input("give only one of boards, suite and moves").into());
    }
    let sets = match (boards, suite) {
        (Some(boards), _) => first_boards(sets_of_boards(boards, goal)?, number),
        (None, Some(suite)) => {
            let suite = BoardSet::suite(suite).map_err(CallError::input)?;
            first_boards(vec![suite], number)
        }
        (None, None) => {
            let number = number.map_or(NUMBER, |number| number.0);
            random_sets(py, sizes, goal, number, moves, seed)?
        }
    };
    let comparison = Comparison {
        sets,
        entrants: Entrant::all(&choices, &searches),
        limits,
        order: DEFAULT_ORDER,
        threads: number_of_threads(threads),
    };
    let runs = comparison.runs() as u64;
    let caller = caller.listening(progress, Stage::COMPARE, Some(runs))?;
    let json = caller.run(py, move |control| run(&comparison, threads, control))?;
    object(py, "ComparisonRecord", &json)
}

/// The records of a comparison, as JSON.
fn run(
    comparison: &Comparison,
    threads: usize,
    control: &WorkControl,
) -> Result<String, CallError> {
    let factory = factory(&control.cancel);
    let prepared = on_threads(threads, || {
        comparison.prepare(&factory).map_err(|error| match error {
            CompareError::Heuristic(error) => heuristic_error(error),
            error => CallError::input(error),
        })
    })?;
    let records: Mutex<Vec<Record>> = Mutex::new(Vec::new());
    prepared.run(
        &HashSet::new(),
        |_| control.counter.add(1),
        |record| {
            let mut records = records.lock().unwrap_or_else(PoisonError::into_inner);
            records.push(record);
        },
    );
    if control.cancel.is_cancelled() {
        return Err(CallError::cancelled());
    }
    let records = records.into_inner().unwrap_or_else(PoisonError::into_inner);
    Ok(to_json(&records)?)
}

/// A factory whose heuristics can use all free memory. `cancel` ends their creation.
fn factory(cancel: &Cancel) -> HeuristicFactory {
    HeuristicFactory::new(|_, _| None, cancel, free_memory())
}

/// The error for a heuristic that cannot be created.
fn heuristic_error(error: HeuristicError) -> CallError {
    match error {
        HeuristicError::Memory { .. } => CallError::memory(error),
        HeuristicError::Build(error) => error.into(),
        error => CallError::input(error),
    }
}

fn read_choices(names: &[String]) -> Result<Vec<HeuristicChoice>, CallError> {
    names.iter().map(|name| named(name)).collect()
}

/// Reads a list of names, or a single name.
fn read_names(names: &Bound<'_, PyAny>, what: &str) -> PyResult<Vec<String>> {
    if let Ok(name) = names.cast::<PyString>() {
        return Ok(vec![name.to_cow()?.into_owned()]);
    }
    names
        .extract()
        .map_err(|_| PyTypeError::new_err(format!("{what} are a list of names")))
}

/// The first boards of each set.
fn first_boards(mut sets: Vec<BoardSet>, number: Option<Whole>) -> Vec<BoardSet> {
    for set in &mut sets {
        set.boards.truncate(number.map_or(usize::MAX, Whole::index));
    }
    sets
}

/// Groups the caller's boards into one set per goal.
fn sets_of_boards(
    boards: &Bound<'_, PyAny>,
    goal: Option<&Bound<'_, PyAny>>,
) -> PyResult<Vec<BoardSet>> {
    let mut sets: Vec<(Goal, Vec<Board>)> = Vec::new();
    for board in each(boards)? {
        let (board, goal) = read_board_and_goal(&board?, None, goal)?;
        match sets.iter_mut().find(|(other, _)| *other == goal) {
            Some((_, boards)) => boards.push(board),
            None => sets.push((goal, vec![board])),
        }
    }
    let set = |(goal, boards)| BoardSet::of("given", goal, boards);
    Ok(sets.into_iter().map(set).collect())
}

/// Random boards of each size.
fn random_sets(
    py: Python<'_>,
    sizes: Option<&Bound<'_, PyAny>>,
    goal: Option<&Bound<'_, PyAny>>,
    number: u64,
    moves: Option<&Bound<'_, PyAny>>,
    seed: u64,
) -> PyResult<Vec<BoardSet>> {
    /// Maximum number of boards per set; it limits the memory for the records of the searches.
    const MAX_NUMBER: u64 = 1_000_000;
    /// Maximum number of random moves per set.
    const MAX_MOVES: u64 = 100_000_000;
    let mut trays: Vec<Tray> = Vec::new();
    match sizes {
        // A goal that is a board determines the size.
        None if goal.is_some() => trays.push(read_goal(goal, None)?.tray()),
        None => trays.push(named("3x3")?),
        Some(size) if size.is_instance_of::<PyString>() || size.is_instance_of::<PyTuple>() => {
            trays.extend(read_size(Some(size))?);
        }
        Some(sizes) => {
            for size in sizes.try_iter()? {
                trays.extend(read_size(Some(&size?))?);
            }
        }
    }
    let walks: Vec<Whole> = match moves {
        None => Vec::new(),
        Some(moves) => match moves.extract::<Whole>() {
            Ok(moves) => vec![moves],
            Err(_) => moves.extract()?,
        },
    };
    let most = walks
        .iter()
        .map(|moves| moves.0.saturating_mul(number))
        .max();
    if number > MAX_NUMBER || most.is_some_and(|most| most > MAX_MOVES) {
        return Err(CallError::input(format!(
            "number is {number}: expected at most {MAX_NUMBER}, and {MAX_MOVES} moves together"
        ))
        .into());
    }
    let mut sets = Vec::new();
    for tray in trays {
        let goal = read_goal(goal, Some(tray))?;
        let (walks, number) = (walks.clone(), number as usize);
        let draw = move |_: &_| {
            if walks.is_empty() {
                return Ok(vec![BoardSet::random(goal, number, seed)]);
            }
            let walk = |moves: Whole| BoardSet::walks(goal.clone(), number, moves.index(), seed);
            Ok(walks.into_iter().map(walk).collect())
        };
        sets.extend(Caller::default().run(py, draw)?);
    }
    Ok(sets)
}

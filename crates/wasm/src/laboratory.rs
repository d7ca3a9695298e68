//! Textbook heuristics and searches.

use std::collections::HashSet;
use std::sync::Mutex;
use std::time::Duration;

use js_sys::Function;
use lab::search::{DEFAULT_ORDER, Iteration, Listener, Progress};
use lab::{
    BoardSet, CompareError, Comparison, Entrant, Explanation, HeuristicChoice, HeuristicError,
    HeuristicFactory, Limits, Position, Record, Search,
};
use plot::View;
use plot::comparison::{Plot, Run, of_set, of_walks};
use puzzle::{Board, Goal, Tray};
use serde::Serialize;
use serde_json::Value;
use solver::check_board;
use wasm_bindgen::prelude::*;

use crate::host;
use crate::json_error::{JsonAnswer, JsonError, to_json};
use crate::request::Request;
use crate::rules::{MAX_MOVES, read_goal, read_size};
use crate::solver_error::report_error;

/// Default memory limit for the nodes of a search, in bytes.
const MAX_MEMORY: u64 = 256 << 20;
/// Default limit of generated nodes per search. Generating them takes a few seconds.
const MAX_NODES: u64 = 10_000_000;
/// Memory limit for building and storing the tables of all heuristics, in bytes.
const MAX_TABLES: u64 = 1 << 30;
/// Default number of random boards per set.
const NUMBER: usize = 100;
/// Maximum number of random boards per set. The limit saves memory, because the record of each
/// search is stored.
const MAX_NUMBER: usize = 100_000;

/// Range of plot widths, in pixels.
const MIN_WIDTH: f64 = 200.0;
const MAX_WIDTH: f64 = 4000.0;

/// Creates heuristics, and stores the tables that they share.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Laboratory {
    factory: HeuristicFactory,
}

/// A finished search.
#[derive(Serialize)]
struct RecordEvent<'a> {
    record: &'a Record,
    finished: usize,
    runs: usize,
}

#[derive(Serialize)]
struct PlotAnswer {
    name: &'static str,
    title: String,
    x: String,
    y: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    guide: Option<String>,
    svg: String,
    series: Vec<SeriesAnswer>,
}

#[derive(Serialize)]
struct SeriesAnswer {
    label: String,
    sample: String,
}

/// The progress of the current search.
#[derive(Serialize)]
struct ProgressEvent {
    progress: SearchProgress,
}

#[derive(Serialize)]
struct SearchProgress {
    generated: u64,
    ms: f64,
    /// The bound of the current iteration of IDA*; 0 for other searches.
    bound: u32,
    /// The iteration of IDA* that has just ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    ended: Option<Iteration>,
}

impl ProgressEvent {
    fn of(progress: &Progress) -> ProgressEvent {
        let Progress {
            elapsed,
            generated,
            bound,
            ended,
        } = *progress;
        let ms = (elapsed.as_secs_f64() * 1e6).round() / 1e3;
        ProgressEvent {
            progress: SearchProgress {
                generated,
                ms,
                bound,
                ended,
            },
        }
    }
}

/// Reports the end of every iteration, and other progress at intervals.
fn progress_listener() -> Listener {
    Listener::new(|progress| match progress.ended {
        Some(_) => host::report(&ProgressEvent::of(progress)),
        None => host::report_progress(|| ProgressEvent::of(progress)),
    })
}

impl Default for Laboratory {
    fn default() -> Laboratory {
        Laboratory {
            factory: HeuristicFactory::new(|_, _| None, &host::cancel(), Some(MAX_TABLES)),
        }
    }
}

#[wasm_bindgen]
impl Laboratory {
    /// A laboratory without tables.
    #[wasm_bindgen(constructor)]
    #[must_use]
    pub fn new() -> Laboratory {
        Laboratory::default()
    }

    /// Names of the heuristics that are quick to build for a size, as JSON.
    pub fn heuristics(&self, size: &str) -> JsonAnswer {
        let tray: Tray = size.parse().map_err(JsonError::input)?;
        to_json(&HeuristicChoice::names_at_hand(tray))
    }

    /// Explains the values of heuristics on a board.
    pub fn explain(&self, request: &str) -> JsonAnswer {
        let request = Request::read(request, "board, goal, heuristics")?;
        let board = Board::parse(request.needed_text("board")?, None);
        let board = board.map_err(JsonError::input)?;
        let goal = read_goal(request.text("goal")?, Some(board.tray()))?;
        let state = check_board(&goal, &board).map_err(|error| {
            let notation = puzzle::Notation::Tile;
            report_error(&solver::Report::failure(&goal, &board, &error, notation))
        })?;
        let position = Position::new(&state).map_err(JsonError::input)?;
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

    /// Runs searches with heuristics on boards. The host receives the record of each finished
    /// search and, on request, the progress of the current search.
    pub fn compare(&self, request: &str, on_record: Option<Function>) -> JsonAnswer {
        let comparison = comparison(&Request::read(request, OF_COMPARE)?)?;
        let prepared = comparison.prepare(&self.factory);
        let prepared = prepared.map_err(|error| match error {
            CompareError::Heuristic(error) => refused(error),
            _ if host::is_cancelled() => JsonError::cancelled(),
            error => JsonError::input(error),
        })?;
        let runs = comparison.runs();
        let records = Mutex::new(Vec::new());
        let on_finished = |record| {
            let Ok(mut records) = records.lock() else {
                return;
            };
            host::report(&RecordEvent {
                record: &record,
                finished: records.len() + 1,
                runs,
            });
            records.push(record);
        };
        host::heard(on_record, || {
            prepared.run(&HashSet::new(), |_| {}, on_finished);
        });
        if host::is_cancelled() {
            return Err(JsonError::cancelled());
        }
        to_json(&records.into_inner().unwrap_or_default())
    }

    /// Plots of the records of a comparison, as SVG. Empty plots are omitted.
    pub fn plots(&self, request: &str) -> JsonAnswer {
        let request = Request::read(request, "records, set, size, width, bare, names")?;
        let runs = request.objects("records")?.iter().map(run);
        let runs = runs.collect::<Option<Vec<_>>>();
        let runs = runs.ok_or_else(|| JsonError::input("a record lacks a field"))?;
        let Some(first) = runs.first() else {
            return to_json(&[(); 0]);
        };
        let set = request.text("set")?.unwrap_or(first.set);
        let size = request.text("size")?.unwrap_or(first.size);
        let names = request.names("names")?;
        let default = View::default();
        let width = request.number("width")?.unwrap_or(default.width);
        let view = View {
            width: width.clamp(MIN_WIDTH, MAX_WIDTH),
            is_bare: request.flag("bare")?.unwrap_or(false),
        };
        let mut plots = of_set(&runs, set, size, &names);
        plots.extend(of_walks(&runs, size, &names));
        plots.retain(|plot| !plot.chart.is_empty());
        let answer = |Plot { name, chart }: &Plot| {
            let series = chart.series.iter().map(|series| SeriesAnswer {
                label: series.label.clone(),
                sample: series.sample(),
            });
            PlotAnswer {
                name,
                title: chart.title.clone(),
                x: chart.x.label.clone(),
                y: chart.y.label.clone(),
                guide: chart.guide.as_ref().map(|guide| guide.label.clone()),
                svg: chart.svg(view),
                series: series.collect(),
            }
        };
        to_json(&plots.iter().map(answer).collect::<Vec<_>>())
    }
}

/// The fields of a record that plots need.
fn run(record: &Value) -> Option<Run<'_>> {
    let text = |name| record.get(name)?.as_str();
    let number = |name| record.get(name)?.as_f64();
    let whole = |name| number(name).map(|number| number as u32);
    Some(Run {
        set: text("set")?,
        size: text("size")?,
        number: whole("number")?,
        search: text("search")?,
        heuristic: text("heuristic")?,
        is_solved: text("status")? == "solved",
        length: whole("length"),
        optimal_length: whole("optimal_length"),
        h0: whole("h0")?,
        generated: number("generated")?,
        ms: number("ms")?,
    })
}

/// The error of creating a heuristic.
fn refused(error: HeuristicError) -> JsonError {
    match error {
        _ if host::is_cancelled() => JsonError::cancelled(),
        HeuristicError::Memory { .. } => JsonError::memory(error),
        error => JsonError::input(error),
    }
}

fn read_choices(names: &[String]) -> Result<Vec<HeuristicChoice>, JsonError> {
    let choices = names
        .iter()
        .map(|name| name.parse().map_err(JsonError::input));
    choices.collect()
}

/// The fields of a request to compare.
const OF_COMPARE: &str = "sizes, goal, boards, number, moves, seed, heuristics, searches, \
                          max_nodes, max_memory, max_time, progress";

fn comparison(request: &Request) -> Result<Comparison, JsonError> {
    let searches = request.texts("searches")?;
    let searches = searches.iter().map(|name| name.parse());
    let searches = searches.collect::<Result<Vec<Search>, _>>();
    let entrants = Entrant::all(
        &read_choices(&request.texts("heuristics")?)?,
        &searches.map_err(JsonError::input)?,
    );
    let mut limits = Limits::default();
    limits.max_nodes = Some(request.whole("max_nodes")?.unwrap_or(MAX_NODES));
    limits.max_memory = Some(request.whole("max_memory")?.unwrap_or(MAX_MEMORY));
    let max_time = request.number("max_time")?;
    limits.max_time = max_time.map(|ms| Duration::from_secs_f64((ms / 1e3).min(1e9)));
    limits.cancel = host::cancel();
    let is_listening = request.flag("progress")?.unwrap_or(false);
    limits.listener = is_listening.then(progress_listener);
    Ok(Comparison {
        sets: sets(request)?,
        entrants,
        limits,
        order: DEFAULT_ORDER,
        threads: 1,
    })
}

fn sets(request: &Request) -> Result<Vec<BoardSet>, JsonError> {
    let goal = |tray| read_goal(request.text("goal")?, tray);
    let boards = request.texts("boards")?;
    let mut sizes = request.texts("sizes")?;
    if !boards.is_empty() {
        // With one size, all boards have it.
        let size = sizes.pop().filter(|_| sizes.is_empty());
        let size = read_size(size.as_deref())?;
        // The given boards of one size form one set.
        let mut sets: Vec<(Goal, Vec<Board>)> = Vec::new();
        for board in &boards {
            let board = Board::parse(board, size).map_err(JsonError::input)?;
            let tray = board.tray();
            match sets.iter_mut().find(|(goal, _)| goal.tray() == tray) {
                Some((_, boards)) => boards.push(board),
                None => sets.push((goal(Some(tray))?, vec![board])),
            }
        }
        let set = |(goal, boards)| BoardSet::of("given", goal, boards);
        return Ok(sets.into_iter().map(set).collect());
    }
    let number = request.whole("number")?;
    let number = number.map_or(NUMBER, |number| number as usize);
    let walks = request.wholes("moves")?;
    let seed = request.whole("seed")?.unwrap_or(0);
    if number > MAX_NUMBER {
        return Err(JsonError::input(format!(
            "{number} boards are too many: at most {MAX_NUMBER}"
        )));
    }
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
                return Err(JsonError::input(format!(
                    "{number} boards of {moves} random moves are too many: at most ten million moves"
                )));
            }
            sets.push(BoardSet::walks(goal.clone(), number, moves as usize, seed));
        }
    }
    Ok(sets)
}

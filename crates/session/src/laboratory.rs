//! Answers of the laboratory: textbook heuristics and searches.

use std::sync::Mutex;

use lab::search::{DEFAULT_ORDER, Listener, Progress};
use lab::{
    BoardSet, Comparison, Entrant, Explanation, HeuristicChoice, HeuristicError, HeuristicFactory,
    Position, Record,
};
use pdb_table::{Control, lock};
use plot::View;
use plot::comparison::{Plot, Run, of_set, of_walks};
#[cfg(feature = "solver")]
use puzzle::HeuristicSpec;
use puzzle::{Board, Goal, Tray};
use serde::Serialize;
use serde_json::{Map, Value as Json};
use solver::{check_board, number_of_threads};

use crate::Failure;
use crate::request::{Compare, Explain, Heuristics, Plots};
use crate::response::{Event, Response};
use crate::rules::read_goal;
use crate::session::Session;

/// Range of plot widths, in pixels.
const MIN_WIDTH: f64 = 200.0;
const MAX_WIDTH: f64 = 4000.0;

/// A plot.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "Plot"))]
pub struct WrittenPlot {
    /// Name of the plot.
    #[cfg_attr(
        feature = "schema",
        schemars(extend("enum" = [
            "nodes", "spread", "time", "solved", "h", "walk-nodes", "walk-length"
        ]))
    )]
    pub name: &'static str,
    /// Title.
    pub title: String,
    /// Label of the horizontal axis.
    pub x: String,
    /// Label of the vertical axis.
    pub y: String,
    /// Label of the guiding line.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub guide: Option<String>,
    /// The picture.
    pub svg: String,
    /// The series.
    pub series: Vec<PlottedSeries>,
}

/// A series of a plot.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PlottedSeries {
    /// Label of the series.
    pub label: String,
    /// A picture of its mark.
    pub sample: String,
}

/// The heuristic whose tables cannot be cancelled while they are built, and the largest tray for
/// which this takes at most 0.1 s.
#[cfg(feature = "solver")]
const WALKING: &str = "walking-distance";
#[cfg(feature = "solver")]
const MAX_QUICK_WALKS: usize = 16;
/// Most heuristics of an explanation that shares the tables of the session.
#[cfg(feature = "solver")]
const MAX_QUICK: usize = 32;
/// Generated nodes of a search, if a request sets none.
const NODES: u64 = 10_000_000;
/// Random boards of a comparison, if a request does not set their number.
const BOARDS: u64 = 100;
/// Heuristics of a comparison that names none.
const HEURISTICS: [&str; 3] = ["misplaced", "manhattan", "linear-conflict"];
/// Searches of a comparison that names none.
const SEARCHES: [&str; 2] = ["astar", "ida-star"];

fn names_or(given: &[String], usual: &[&str]) -> Vec<String> {
    match given {
        [] => usual.iter().map(|&name| name.to_owned()).collect(),
        given => given.to_vec(),
    }
}

fn choices(names: &[String]) -> Result<Vec<HeuristicChoice>, Failure> {
    let choices = names
        .iter()
        .map(|name| name.parse().map_err(Failure::input));
    choices.collect()
}

impl Session {
    pub(crate) fn heuristics(&self, request: &Heuristics) -> Response {
        let names = request
            .size
            .or(Tray::square(16))
            .map(HeuristicChoice::names_at_hand);
        Response::Names(names.unwrap_or_default())
    }

    /// The factory of heuristics for one call.
    fn factory_for(&self, control: &Control<Event>) -> HeuristicFactory {
        let memory = Some(self.limits.lab_memory[1]);
        self.factory.for_call(&control.cancel, memory)
    }

    /// The specifications of heuristics that are within the limits of tables.
    #[cfg(feature = "solver")]
    fn check_quick(&self, goal: &Goal, names: &[String]) -> Result<Vec<HeuristicSpec>, Failure> {
        let all = names.iter().flat_map(|name| name.split('+'));
        let number = all.clone().count();
        if number > MAX_QUICK {
            return Err(Failure::input(format_args!(
                "{number} heuristics are too many: maximum {MAX_QUICK}"
            )));
        }
        if all.map(str::trim).any(|name| name == WALKING) {
            let tray = goal.tray();
            if tray.cells() > MAX_QUICK_WALKS {
                return Err(Failure::input(format_args!(
                    "{WALKING} takes too long for {tray}"
                )));
            }
            // It does not exist for some trays. The factory keeps it.
            self.factory.heuristic(&WALKING.parse()?, goal)?;
        }
        let specs = choices(names)?.into_iter().map(|choice| choice.specs(goal));
        let specs = specs.collect::<Result<Vec<_>, _>>()?.concat();
        self.check_specs(&names.join(", "), &specs)?;
        Ok(specs)
    }

    /// The factory of heuristics whose tables are those of the session.
    #[cfg(feature = "solver")]
    fn sharing_factory(
        &self,
        goal: &Goal,
        names: &[String],
        control: &Control<Event>,
    ) -> Result<HeuristicFactory, Failure> {
        let mut tables = Vec::new();
        for (number, spec) in self.check_quick(goal, names)?.into_iter().enumerate() {
            let name = format!("{number} {}", names.join(", "));
            let opened = self.open_spec(goal, &name, spec, control)?;
            tables.extend(opened.tables.iter().cloned());
        }
        Ok(self.factory.with_tables(move |id, geometry| {
            let table = tables.iter().find(|table| table.id() == id)?;
            solver::PatternTable::new(table.clone(), geometry).ok()
        }))
    }

    pub(crate) fn explain(
        &self,
        request: &Explain,
        control: &Control<Event>,
    ) -> Result<Response, Failure> {
        let (read, goal) = self.subject(&request.subject)?;
        let board = &read.board;
        let state = check_board(&goal, board);
        let state = state.map_err(|error| Failure::of_error(&goal, board, error))?;
        let position = Position::new(&state).map_err(Failure::input)?;
        let mut names = request.heuristics.clone();
        if names.is_empty() {
            names = HeuristicChoice::names_at_hand(board.tray());
            #[cfg(feature = "solver")]
            if self.limits.lab_shares_tables {
                names.retain(|name| self.check_quick(&goal, std::slice::from_ref(name)).is_ok());
            }
        }
        let made = choices(&names)?.into_iter();
        let factory = match () {
            #[cfg(feature = "solver")]
            () if self.limits.lab_shares_tables => self.sharing_factory(&goal, &names, control)?,
            () => self.factory_for(control),
        };
        let made = made.map(|choice| factory.heuristic(&choice, &goal));
        let made: Vec<_> = made.collect::<Result<_, HeuristicError>>()?;
        Ok(Response::Explanations(Explanation::of(
            &made, &position, &goal,
        )))
    }

    pub(crate) fn compare(
        &self,
        request: &Compare,
        control: &Control<Event>,
    ) -> Result<Response, Failure> {
        let comparison = self.comparison(request, self.sets(request)?, control)?;
        let factory = self.factory_for(control);
        let prepared = comparison.prepare(&factory).map_err(|error| match error {
            _ if control.is_cancelled() => Failure::cancelled(),
            error => error.into(),
        })?;
        let runs = comparison.runs();
        let records = Mutex::new(Vec::new());
        let on_finished = |record: Record| {
            let mut records = lock(&records);
            control.report(&Event::Record {
                record: Box::new(record.clone()),
                finished: records.len() + 1,
                runs,
            });
            records.push(record);
        };
        prepared.run(|_| {}, on_finished);
        match control.is_cancelled() {
            true => Err(Failure::cancelled()),
            false => Ok(Response::Records(std::mem::take(&mut lock(&records)))),
        }
    }

    /// The searches of a comparison on these sets of boards.
    ///
    /// # Errors
    /// An unknown heuristic or search, or too many threads.
    pub fn comparison(
        &self,
        request: &Compare,
        sets: Vec<BoardSet>,
        control: &Control<Event>,
    ) -> Result<Comparison, Failure> {
        let searches = names_or(&request.searches, &SEARCHES);
        let searches = searches.iter().map(|name| name.parse());
        let searches: Vec<_> = searches.collect::<Result<_, _>>().map_err(Failure::input)?;
        let heuristics = choices(&names_or(&request.heuristics, &HEURISTICS))?;
        let entrants = Entrant::all(&heuristics, &searches);
        let mut limits = lab::Limits::default();
        let usual = (request.max_time.is_none()).then_some(NODES);
        limits.max_nodes = request.max_nodes.or(usual);
        limits.max_memory = request.max_memory.or(Some(self.limits.lab_memory[0]));
        limits.max_time = request.max_time;
        limits.cancel = control.cancel.clone();
        let control = control.clone();
        limits.listener = request.progress.then(|| {
            Listener::new(move |progress: &Progress| {
                control.report(&Event::Run {
                    generated: progress.generated,
                    ms: (progress.elapsed.as_secs_f64() * 1e6).round() / 1e3,
                    bound: progress.bound,
                    ended: progress.ended,
                });
            })
        });
        Ok(Comparison {
            sets,
            entrants,
            limits,
            order: DEFAULT_ORDER,
            threads: number_of_threads(self.threads(request.threads)?),
        })
    }

    /// The boards of a comparison.
    ///
    /// # Errors
    /// An invalid board or goal, or too many boards.
    pub fn sets(&self, request: &Compare) -> Result<Vec<BoardSet>, Failure> {
        let goal = |tray| read_goal(request.goal.as_ref(), tray);
        if !request.boards.is_empty() {
            // With one size, all boards have it. The given boards of one size form one set.
            let size = request
                .sizes
                .first()
                .copied()
                .filter(|_| request.sizes.len() == 1);
            let mut sets: Vec<(Goal, Vec<Board>)> = Vec::new();
            for board in &request.boards {
                let board = self.board(board, size)?.board;
                let tray = board.tray();
                match sets.iter_mut().find(|(goal, _)| goal.tray() == tray) {
                    Some((_, boards)) => boards.push(board),
                    None => sets.push((goal(Some(tray))?, vec![board])),
                }
            }
            let set = |(goal, boards)| BoardSet::of("given", goal, boards);
            return Ok(sets.into_iter().map(set).collect());
        }
        let (boards, walks) = (self.limits.boards, self.limits.walks);
        let number = request.number.unwrap_or(BOARDS);
        let seed = request.seed.unwrap_or(0);
        let longest = request.moves.iter().copied().max().unwrap_or(0);
        if number > boards || longest.saturating_mul(number) > walks {
            return Err(Failure::input(format_args!(
                "{number} boards of {longest} random moves are too many: at most {boards} boards, \
                 and {walks} moves together"
            )));
        }
        let sizes = match &request.sizes[..] {
            [] => Tray::square(9).into_iter().collect(),
            sizes => sizes.to_vec(),
        };
        let mut sets = Vec::new();
        for size in sizes {
            let goal = goal(Some(size))?;
            if request.moves.is_empty() {
                sets.push(BoardSet::random(goal.clone(), number as usize, seed));
            }
            for &moves in &request.moves {
                let (number, moves) = (number as usize, moves as usize);
                sets.push(BoardSet::walks(goal.clone(), number, moves, seed));
            }
        }
        Ok(sets)
    }

    pub(crate) fn plots(&self, request: &Plots) -> Result<Response, Failure> {
        let runs: Option<Vec<Run>> = request.records.iter().map(run).collect();
        let runs = runs.ok_or_else(|| Failure::input("a record lacks a field"))?;
        let Some(first) = runs.first() else {
            return Ok(Response::Plots(Vec::new()));
        };
        let set = request.set.as_deref().unwrap_or(first.set);
        let size = request.size.as_deref().unwrap_or(first.size);
        let text = |(name, text): (&String, &Json)| Some((name.clone(), text.as_str()?.to_owned()));
        let names = request
            .names
            .iter()
            .flatten()
            .map(text)
            .collect::<Option<Vec<_>>>();
        let names = names.ok_or_else(|| Failure::input("names must be an object of texts"))?;
        let width = request.width.unwrap_or(View::default().width);
        let view = View {
            width: width.clamp(MIN_WIDTH, MAX_WIDTH),
            is_bare: request.bare,
        };
        let mut plots = of_set(&runs, set, size, &names);
        plots.extend(of_walks(&runs, size, &names));
        plots.retain(|plot| !plot.chart.is_empty());
        let written = |Plot { name, chart }: &Plot| WrittenPlot {
            name,
            title: chart.title.clone(),
            x: chart.x.label.clone(),
            y: chart.y.label.clone(),
            guide: chart.guide.as_ref().map(|guide| guide.label.clone()),
            svg: chart.svg(view),
            series: chart
                .series
                .iter()
                .map(|series| PlottedSeries {
                    label: series.label.clone(),
                    sample: series.sample(),
                })
                .collect(),
        };
        Ok(Response::Plots(plots.iter().map(written).collect()))
    }
}

/// The fields of a record that plots need. A derived reader of all fields would add 6 kB to the
/// WebAssembly module.
fn run(record: &Map<String, Json>) -> Option<Run<'_>> {
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

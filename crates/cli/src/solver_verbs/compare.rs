//! `solver compare`: compares textbook searches and heuristics on the same boards.

mod predictions;
mod table;

use std::path::PathBuf;
use std::time::{Duration, Instant};

use clap::Args;
use clap::builder::PossibleValuesParser;
use command::options::Asked;
use command::quantity::count_within;
use command::table::TableFormat;
use command::words::counted;
use command::{
    Failure, SharedArgs, interrupted, print_error, print_line, progress_bar, waiting_for_input,
};
use lab::compare::{Group, PreparedComparison};
use lab::search::DEFAULT_ORDER;
use lab::{BoardSet, Comparison, Entrant, HeuristicFactory, KnownBoard, Record, Search};
use pdb_gen::free_memory;
use puzzle::MoveOrder;
use session::request::Compare;
use session::{Control, Limits, Session, Spelling};
use solver::PatternTable;

use crate::boards::{Boards, BoardsArgs, print_notes};

#[derive(Args, Debug)]
#[command(
    mut_arg("number", |arg| arg.short('n').conflicts_with_all(["boards", "file"])),
    mut_arg("moves", |arg| arg.conflicts_with_all(["boards", "file"])),
    mut_arg("sizes", |arg| arg.conflicts_with_all(["boards", "file", "suite"]))
)]
pub(crate) struct CompareArguments {
    #[command(flatten)]
    given: BoardsArgs,
    /// Suite of boards: korf100, felner1000, hardest80, korf50_24 or deepcubea_5x5_sample (also
    /// 6x6, 7x7). The suite determines the goal
    #[arg(long, value_name = "NAME", conflicts_with_all = ["boards", "file", "moves"])]
    suite: Option<String>,
    #[command(flatten)]
    asked: Asked<Compare>,
    /// Order in which the blank's moves are tried [default: ULRD]
    #[arg(long, value_name = "ORDER")]
    order: Option<MoveOrder>,
    /// Predict the nodes of IDA*'s iterations from this number of random states, such as 1M, and
    /// compare the prediction with the counted nodes. All boards are searched to the same bounds,
    /// and no search stops at the goal (Korf, Reid & Edelkamp 2001)
    #[arg(long, value_name = "STATES", value_parser = count_within(1..=1_000_000_000),
          allow_negative_numbers = true)]
    predict: Option<u64>,
    /// Directory for the results, written at the end or after Ctrl-C: all searches in runs.jsonl and
    /// runs.csv, the table in summary.csv and summary.md, and plots as SVG
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Format of the table: text, markdown or csv
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: TableFormat,
    /// Columns of the table, in this order, or all; not for csv, which always contains every figure
    /// [default: in text the 8 columns that fit 100 characters, in markdown all columns]
    #[arg(long, value_name = "NAME,...", value_delimiter = ',',
          value_parser = PossibleValuesParser::new(table::column_names()))]
    columns: Vec<String>,
}

/// Default memory limit per search, in bytes.
const MAX_MEMORY: u64 = 1 << 30;
/// Default seed of random boards.
const SEED: u64 = 1;

/// Runs the comparison and prints its table. Returns 1 if searches reached limits.
pub(crate) fn run(shared: SharedArgs, arguments: &CompareArguments) -> Result<u8, Failure> {
    shared.start_threads()?;
    let request: Compare = arguments.asked.question(&shared, [])?;
    let comparison = arguments.comparison(&shared, request.clone())?;
    let factory = factory(&shared);
    let prepared = comparison.prepare(&factory);
    let prepared = prepared.map_err(Failure::input_unless_interrupted)?;
    if let Some(directory) = &arguments.out {
        table::create(directory)?;
    }
    let begun = Instant::now();
    let is_quiet = shared.quiet || shared.json;
    let records = search(&comparison, &prepared, shared.json, is_quiet);
    let groups = Group::of(&records);
    if !shared.json {
        print_line(table::write(arguments.format, &arguments.columns, &groups).trim_end());
    }
    let (all, done) = (comparison.runs(), records.len());
    if done < all {
        print_error(format_args!(
            "solver: interrupted after {done} of {all} searches; the table covers only these"
        ));
    }
    let predictions = match arguments.predict.filter(|_| !interrupted()) {
        Some(states) => predictions::predictions(&comparison, &groups, &factory, states)?,
        None => Vec::new(),
    };
    if !shared.json && arguments.format != TableFormat::Csv && !predictions.is_empty() {
        let text = predictions::write(&predictions, arguments.format);
        print_line(format_args!("\n{}", text.trim_end()));
    }
    if let Some(directory) = arguments.out.as_ref().filter(|_| done > 0) {
        let files = table::write_files(directory, &records, &groups, &predictions)?;
        let (files, directory) = (counted(files as u64, "file"), directory.display());
        if !is_quiet {
            print_error(format_args!("solver: wrote {files} to {directory}"));
        }
    }
    if !is_quiet {
        let seconds = begun.elapsed().as_secs_f64();
        let searches = if done == 1 { "search" } else { "searches" };
        print_error(format_args!("solver: {done} {searches} in {seconds:.1} s"));
    }
    if request.max_memory.is_none() {
        print_memory_note(&comparison, &records);
    }
    wrong_lengths(&records)?;
    let has_limits = records.iter().any(|record| record.limit.is_some());
    Ok(u8::from(has_limits))
}

/// Runs the searches, and returns their records in the order of the comparison. With `json`, prints
/// each record.
fn search(
    comparison: &Comparison,
    prepared: &PreparedComparison<'_>,
    json: bool,
    is_quiet: bool,
) -> Vec<Record> {
    let template = "{pos} of {len} searches {wide_bar} {elapsed} of about {duration}";
    let bar = progress_bar("", template, is_quiet);
    bar.set_length(comparison.runs() as u64);
    bar.enable_steady_tick(Duration::from_millis(250));
    let mut records = Vec::new();
    prepared.run(
        |_| bar.inc(1),
        |record| {
            if json {
                print_line(table::object(&record));
            }
            records.push(record);
        },
    );
    bar.finish_and_clear();
    records
}

/// Default memory limit per search, in bytes. It is the same on every machine with enough memory.
fn default_memory(threads: usize) -> u64 {
    let room = free_memory().map_or(MAX_MEMORY, |free| free / 2 / threads as u64);
    room.min(MAX_MEMORY)
}

/// Prints a note if searches reached the default memory limit, and this limit was below
/// [`MAX_MEMORY`] because little memory was free.
fn print_memory_note(comparison: &Comparison, records: &[Record]) {
    let limit = comparison.limits.max_memory.unwrap_or(MAX_MEMORY);
    let is_met = |record: &Record| record.limit.as_deref() == Some("memory");
    if limit < MAX_MEMORY && records.iter().any(is_met) {
        print_error(format_args!(
            "solver: little memory is free, so the limit per search was {} MB; --max-memory sets \
             another limit",
            limit / 1_000_000
        ));
    }
}

/// Rejects optimal searches whose solution length differs from the known length.
fn wrong_lengths(records: &[Record]) -> Result<(), Failure> {
    let wrong = records.iter().find(|record| {
        let is_optimal = record.search.parse().ok().and_then(Search::max_ratio) == Some(1.0);
        is_optimal && record.length.is_some() && record.length != record.optimal_length
    });
    wrong.map_or(Ok(()), |record| {
        Err(Failure::input(format!(
            "{} with {} solved {} in {} moves, but the known optimum is {}",
            record.search,
            record.heuristic,
            record.board,
            record.length.unwrap_or(0),
            record.optimal_length.unwrap_or(0)
        )))
    })
}

/// Creates heuristics. Large tables are mapped from existing files; other tables are built in
/// memory.
pub(crate) fn factory(shared: &SharedArgs) -> HeuristicFactory {
    let directory = shared.directory().ok();
    let open = move |id, geometry: &_| {
        let table = directory.as_ref()?.find(id).ok()??;
        PatternTable::new(table, geometry).ok()
    };
    HeuristicFactory::new(open, &command::cancel(), free_memory())
}

/// A suite of boards. Options that contradict its size or goal are rejected.
pub(crate) fn suite(name: &str, shared: &SharedArgs) -> Result<BoardSet, Failure> {
    let set = BoardSet::suite(name).map_err(Failure::input)?;
    let (name, tray) = (&set.name, set.goal.tray());
    if let Some(size) = shared.known_size().filter(|&size| size != tray) {
        return Err(Failure::input(format!(
            "the boards of {name} are {tray}, not {size}: leave out --size and --goal"
        )));
    }
    if shared.goal.is_some() && shared.goal(Some(tray))? != set.goal {
        let goal = &set.goal;
        return Err(Failure::input(format!(
            "the goal of {name} is {goal}: leave out --goal, or give its boards with --file"
        )));
    }
    Ok(set)
}

impl CompareArguments {
    fn comparison(&self, shared: &SharedArgs, request: Compare) -> Result<Comparison, Failure> {
        let is_csv = self.format == TableFormat::Csv;
        if is_csv && !self.columns.is_empty() {
            return Err(Failure::input(
                "--columns applies to text and markdown, and csv always has every figure: leave \
                 out --columns, or choose another --format",
            ));
        }
        if self.predict.is_some() && (shared.json || is_csv) && self.out.is_none() {
            return Err(Failure::input(
                "predictions are a separate table, which --json and CSV cannot contain: add --out \
                 DIR, or leave out --predict",
            ));
        }
        let mut session = Session::new(Limits::default(), Spelling::Option);
        session.limits.lab_memory[0] = default_memory(shared.thread_count());
        (session.limits.boards, session.limits.walks) = (u64::MAX, u64::MAX);
        let sets = self.sets(shared, &session, &request)?;
        let control = Control::new(command::cancel(), None);
        let mut comparison = session.comparison(&request, sets, &control)?;
        comparison.order = self.order.map_or(DEFAULT_ORDER, MoveOrder::directions);
        let is_ida = |entrant: &Entrant| entrant.search == Search::IdaStar;
        if self.predict.is_some() && !comparison.entrants.iter().any(is_ida) {
            return Err(Failure::input(
                "--predict needs ida-star: add it to --searches, or leave out --predict",
            ));
        }
        Ok(comparison)
    }

    fn sets(
        &self,
        shared: &SharedArgs,
        session: &Session,
        request: &Compare,
    ) -> Result<Vec<BoardSet>, Failure> {
        if let Some(name) = &self.suite {
            let mut set = suite(name, shared)?;
            if let Some(number) = request.number {
                set.boards.truncate(number as usize);
            }
            return Ok(vec![set]);
        }
        if !self.given.boards.is_empty() || self.given.file.is_some() {
            return waiting_for_input(|| self.given(shared));
        }
        let mut request = request.clone();
        request.seed = request.seed.or(Some(SEED));
        match (shared.known_size(), request.sizes.is_empty()) {
            (Some(size), true) => request.sizes.push(size),
            (_, false) if shared.size.is_some() => {
                return Err(Failure::input(
                    "--size and --sizes both set the board size: leave one of them out",
                ));
            }
            _ => {}
        }
        let mut sets: Vec<BoardSet> = Vec::new();
        // A set named twice is searched once.
        for set in session.sets(&request)? {
            if !sets.contains(&set) {
                sets.push(set);
            }
        }
        Ok(sets)
    }

    /// The boards of arguments or of a list, one set per size.
    fn given(&self, shared: &SharedArgs) -> Result<Vec<BoardSet>, Failure> {
        let boards = Boards::new(self.given.clone(), shared.known_size())?;
        let mut sets: Vec<BoardSet> = Vec::new();
        for input in boards {
            let place = input.line.map(|line| format!("line {line}: "));
            let (read, goal) = input.read(shared).map_err(|failure| {
                let place = place.unwrap_or_default();
                Failure::new(failure.exit(), place + failure.message())
            })?;
            print_notes(&read.notes, input.line);
            let (board, length) = (read.board, read.known_length);
            let known = KnownBoard { board, length };
            match sets.iter_mut().find(|set| set.goal == goal) {
                Some(set) => set.boards.push(known),
                None => sets.push(BoardSet {
                    name: "given".to_owned(),
                    goal,
                    boards: vec![known],
                }),
            }
        }
        Ok(sets)
    }
}

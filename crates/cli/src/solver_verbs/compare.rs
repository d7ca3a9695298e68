//! `solver compare`: compares textbook searches and heuristics on the same boards.

mod predictions;
mod results;
mod table;

use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use clap::Args;
use command::options::Asked;
use command::quantity::count_within;
use command::words::counted;
use command::{
    Failure, SharedArgs, interrupted, print_error, print_line, progress_bar, waiting_for_input,
};
use indicatif::ProgressBar;
use lab::compare::{Group, PreparedComparison, RunKey};
use lab::search::DEFAULT_ORDER;
use lab::{BoardSet, Comparison, Entrant, KnownBoard, Record, Search};
use pdb_gen::free_memory;
use puzzle::{Goal, MoveOrder};
use session::request::Compare;
use session::{Control, Limits, Session, Spelling};

use crate::board::{print_notes, read_text};
use crate::boards::{BoardText, Boards, BoardsArgs};
use crate::laboratory::{factory, suite};
use crate::text_table::TableFormat;
use results::Results;

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
    /// Directory for the results: all searches in runs.jsonl and runs.csv, the table in summary.csv
    /// and summary.md, the limits in compare.json, and plots as SVG
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Continue the comparison in --out; finished searches are not repeated
    #[arg(long, requires = "out")]
    resume: bool,
    /// Format of the table: text, markdown or csv
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: TableFormat,
    /// Columns of the table, in this order, or all; not for csv, which always contains every figure
    /// [default: in text the 8 columns that fit 100 characters, in markdown all columns]
    #[arg(long, value_name = "NAME,...", value_delimiter = ',')]
    columns: Vec<table::Column>,
}

/// Default memory limit per search, in bytes.
const MAX_MEMORY: u64 = 1 << 30;
/// Default seed of random boards.
const SEED: u64 = 1;

/// Runs the comparison and prints its table. Returns 1 if searches reached limits.
pub(crate) fn run(shared: SharedArgs, arguments: &CompareArguments) -> Result<u8, Failure> {
    shared.start_threads()?;
    let request: Compare = arguments.asked.question(&shared, [])?;
    let mut comparison = arguments.comparison(&shared, request.clone())?;
    let is_default = request.max_memory.is_none();
    if let (Some(directory), true, true) = (&arguments.out, is_default, arguments.resume) {
        let known = results::max_memory(directory);
        comparison.limits.max_memory = known.or(comparison.limits.max_memory);
    }
    let factory = factory(&shared);
    let prepared = comparison.prepare(&factory);
    let prepared = prepared.map_err(Failure::input_unless_interrupted)?;
    let (results, records) = match &arguments.out {
        Some(directory) => {
            let (results, records) = Results::open(directory, &comparison, arguments.resume)?;
            (Some(results), records)
        }
        None => (None, Vec::new()),
    };
    let begun = Instant::now();
    let (records, searched) = search(&shared, &comparison, &prepared, results.as_ref(), records)?;
    let groups = Group::of(&records);
    if !shared.json {
        print_line(table::write(arguments.format, &arguments.columns, &groups).trim_end());
    }
    let all = comparison.runs();
    let left = comparison.left(&records.iter().map(Record::key).collect());
    if left > 0 {
        let done = all - left;
        print_error(format_args!(
            "solver: interrupted after {done} of {all} searches; the table covers only these"
        ));
    }
    let predictions = match arguments.predict.filter(|_| !interrupted()) {
        Some(states) => predictions::predictions(&comparison, &groups, &factory, states)?,
        None => Vec::new(),
    };
    if !shared.json && !predictions.is_empty() {
        predictions::print(&predictions, arguments.format);
    }
    let is_quiet = shared.quiet || shared.json;
    if let Some(results) = &results {
        let files = results.finish(&records, &groups, &predictions)?;
        let (files, directory) = (counted(files as u64, "file"), results.directory.display());
        if !is_quiet {
            print_error(format_args!("solver: wrote {files} to {directory}"));
        }
    }
    if !is_quiet {
        let seconds = begun.elapsed().as_secs_f64();
        let searches = if searched == 1 { "search" } else { "searches" };
        print_error(format_args!(
            "solver: {searched} {searches} in {seconds:.1} s"
        ));
    }
    print_memory_note(is_default && !arguments.resume, &comparison, &records);
    wrong_lengths(&records)?;
    let has_limits = records.iter().any(|record| record.limit.is_some());
    Ok(u8::from(has_limits))
}

/// Runs the searches that have no results yet. Returns all records in the order of the comparison,
/// and the number of searches that it ran.
fn search(
    shared: &SharedArgs,
    comparison: &Comparison,
    prepared: &PreparedComparison<'_>,
    results: Option<&Results>,
    mut records: Vec<Record>,
) -> Result<(Vec<Record>, usize), Failure> {
    let done: HashSet<RunKey> = records.iter().map(Record::key).collect();
    let print = |record: &Record| {
        if shared.json {
            print_line(results::object(record));
        }
    };
    records.iter().for_each(print);
    let (all, left) = (comparison.runs(), comparison.left(&done));
    let bar = bar(all, all - left, shared.quiet || shared.json);
    let write_error = OnceLock::new();
    let keep = |record: &Record| {
        bar.inc(1);
        if let Some(Err(error)) = results.map(|results| results.add(record)) {
            // The first of several errors is reported.
            let _ = write_error.set(error);
            // Further searches are cancelled, because their results would be lost.
            command::cancel().cancel();
        }
    };
    let before = records.len();
    prepared.run(&done, keep, |record| {
        print(&record);
        records.push(record);
    });
    bar.finish_and_clear();
    write_error.into_inner().map_or(Ok(()), Err)?;
    let searched = records.len() - before;
    records.sort_by_cached_key(|record| comparison.place(record));
    Ok((records, searched))
}

/// Default memory limit per search, in bytes. It is the same on every machine with enough memory.
fn default_memory(threads: usize) -> u64 {
    let room = free_memory().map_or(MAX_MEMORY, |free| free / 2 / threads as u64);
    room.min(MAX_MEMORY)
}

/// Prints a note if searches reached the default memory limit, and this limit was below
/// [`MAX_MEMORY`] because little memory was free.
fn print_memory_note(is_default: bool, comparison: &Comparison, records: &[Record]) {
    // A resumed comparison uses the limit of its first run.
    let kept = comparison.limits.max_memory.unwrap_or(MAX_MEMORY);
    let is_met = |record: &Record| record.limit.as_deref() == Some("memory");
    if is_default && kept < MAX_MEMORY && records.iter().any(is_met) {
        print_error(format_args!(
            "solver: little memory is free, so the limit per search was {} MB; --max-memory sets \
             another limit",
            kept / 1_000_000
        ));
    }
}

fn bar(runs: usize, done: usize, is_quiet: bool) -> ProgressBar {
    let template = "{pos} of {len} searches {wide_bar} {elapsed} of about {duration}";
    let bar = progress_bar("", template, is_quiet);
    bar.set_length(runs as u64);
    bar.set_position(done as u64);
    bar.reset_eta();
    bar.enable_steady_tick(Duration::from_millis(250));
    bar
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
            let refused = |error: String| {
                let line = input.line.map(|line| format!("line {line}: "));
                Failure::input(line.unwrap_or_default() + &error)
            };
            let read = match &input.text {
                BoardText::Argument(text) => read_text(text, shared)?,
                BoardText::Listed(listed) => {
                    let read = listed.parse();
                    read.map_err(|error| refused(shared.explain(&error)))?
                }
                BoardText::Unreadable(reason) => return Err(refused(reason.clone())),
            };
            print_notes(&read.notes, input.line);
            let (board, length) = (read.board, read.known_length);
            let goal: Goal = match read.goal {
                Some(goal) => goal,
                None => shared.goal(Some(board.tray()))?,
            };
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

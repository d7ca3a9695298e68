//! `solver` without a verb: solves all boards on all cores, and prints answers in input order.

use std::collections::HashSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use clap::Args;
use command::options::Asked;
use command::table::TableFormat;
use command::{
    ActiveGuard, EXIT_TABLE, Failure, OUTPUT, SharedArgs, interrupted, print_error, print_line,
    waiting_for_input,
};
use puzzle::board_text::Note;
use puzzle::{Metric, MoveOrder};
use session::Control;
use session::request::Solve;
use solver::{DuplicatePruning, Mode, Side, Status, Summary, ThreadPermits, ordered_map};

use crate::VERBS;
use crate::answer::Answer;
use crate::boards::{BoardInput, Boards, BoardsArgs, print_notes};
use crate::caller::{Caller, OpenArgs};
use crate::summary::write;

#[derive(Args)]
#[command(mut_arg("max_memory", |arg| arg.alias("memory")))]
pub(crate) struct SolveArguments {
    #[command(flatten)]
    given: BoardsArgs,
    #[command(flatten)]
    asked: Asked<Solve>,
    #[command(flatten)]
    open: OpenArgs,
    /// Pruning of duplicate paths: automaton rejects duplicate strings of 8 to 16 moves; parent
    /// rejects only moves that undo the previous move, as in most published node counts
    #[arg(long, default_value = "automaton")]
    pruning: DuplicatePruning,
    /// Order in which the blank's moves are tried, such as ULRD [default: the order of the
    /// partition]
    #[arg(long, value_name = "ORDER")]
    order: Option<MoveOrder>,
    /// Record the finished parts of a long search in this file. After a kill, the same command
    /// skips these parts and goes on
    #[arg(long, value_name = "FILE", visible_aliases = ["checkpoint", "resume"])]
    record: Option<PathBuf>,
    /// With --record: search every Nth recorded part again, and compare the nodes; 1 is all parts
    #[arg(long, value_name = "N", requires = "record",
          value_parser = clap::value_parser!(u32).range(1..), allow_negative_numbers = true)]
    recheck: Option<u32>,
    /// Stop when it is proved that every solution has at least this number of moves
    #[arg(long, value_name = "MOVES", value_parser = clap::value_parser!(u32).range(1..),
          allow_negative_numbers = true)]
    at_least: Option<u32>,
    /// At the end, print a summary of lengths, nodes and times of all boards, as text, csv or
    /// markdown. With --quiet the answers are omitted; with --json the summary is printed on
    /// standard error
    #[arg(long, value_name = "FORMAT", help_heading = OUTPUT)]
    summary: Option<TableFormat>,
}

/// A run over boards.
struct Run {
    caller: Caller,
    request: Solve,
    arguments: SolveArguments,
    permits: Option<Arc<ThreadPermits>>,
    /// Whether boards come from a list, one per line.
    in_list: bool,
}

impl SolveArguments {
    /// Rejects options that do not apply to the mode or the metric.
    fn check(&self, request: &Solve) -> Result<(), Failure> {
        let (mode, metric) = (request.mode.unwrap_or_default(), request.tables.metric());
        let is_single = (mode, metric) == (Mode::Optimal, Metric::Single);
        let is_of_search = self.order.is_some() || self.pruning != DuplicatePruning::default();
        let is_of_tables = request.tables.is_named() || self.open.build;
        let rules = [
            (
                self.record.is_some() && !(is_single && request.search.side != Some(Side::Goal)),
                "--record applies to --mode optimal and single moves, from the start",
            ),
            (
                self.at_least.is_some() && mode != Mode::Optimal,
                "--at-least applies to --mode optimal: leave it out",
            ),
            (
                is_of_search && !is_single,
                "--pruning and --order apply to --mode optimal and single moves: leave them out",
            ),
            (
                is_of_tables && mode == Mode::Strategic,
                "--partition and --build are about tables, which --mode strategic does not use: \
                 leave them out",
            ),
            (
                mode == Mode::Anytime && request.within.is_some_and(|share| share >= 1.0),
                "--within is a share below 100% with --mode anytime, such as 5%",
            ),
        ];
        let wrong = rules.into_iter().find(|(is_wrong, _)| *is_wrong);
        wrong.map_or(Ok(()), |(_, message)| Err(Failure::input(message)))
    }
}

/// Answers all boards; returns the highest exit code that applies.
pub(crate) fn run(shared: SharedArgs, arguments: SolveArguments) -> Result<u8, Failure> {
    let request = arguments.asked.question(&shared, [("board", "".into())])?;
    arguments.check(&request)?;
    check_words(&arguments.given.boards)?;
    let threads = shared.thread_count();
    let boards = waiting_for_input(|| Boards::new(arguments.given.clone(), shared.known_size()))?;
    if arguments.record.is_some() && boards.size_hint() != (1, Some(1)) {
        return Err(Failure::input(
            "--record is for one board, given as an argument",
        ));
    }
    // Anytime answers improve with threads and memory, so boards are solved one at a time with all
    // threads and the whole memory. This also keeps the improvements of different boards apart.
    let is_anytime = request.mode == Some(Mode::Anytime);
    let workers = if is_anytime { 1 } else { threads };
    // A thread that has no board left adds a permit. Searches of other boards take permits to use
    // more threads.
    let permits = Arc::new(ThreadPermits::default());
    let is_long = boards.is_list() || arguments.record.is_some();
    let mut caller = Caller::new(shared, &arguments.open, is_long);
    caller.session.order = arguments.order;
    let format = arguments.summary;
    let run = Run {
        request,
        arguments,
        permits: (!is_anytime).then(|| Arc::clone(&permits)),
        in_list: boards.is_list(),
        caller,
    };
    run.check()?;
    let (is_list, json) = (run.in_list, run.caller.shared.json);
    // A list ends at the first table error, because the remaining boards would fail with the same
    // message. With --json it continues, so that each board gets an object.
    let stops = is_list && !json;
    let prints_answers = format.is_none() || !run.caller.shared.quiet;
    let (mut summary, begun) = (Summary::default(), Instant::now());
    let (mut exit, mut is_empty) = (0, true);
    // A list prints each note once, in the order of its boards.
    let mut printed_notes = HashSet::new();
    let work = |input: BoardInput| {
        let (answer, notes) = run.answer(&input);
        (answer, notes, input.active)
    };
    let show = |_, (answer, mut notes, _active): (Answer, Vec<Note>, ActiveGuard)| {
        (exit, is_empty) = (exit.max(answer.exit), false);
        notes.retain(|&note| printed_notes.insert(note));
        run.print_notes(&notes, answer.report.line);
        if format.is_some() {
            summary.add(&answer.report);
        }
        // The summary only counts errors, so their messages are always printed.
        if prints_answers || answer.report.status == Status::Error {
            let print = || answer.print(&run.caller.shared, run.in_list && prints_answers);
            run.caller.status_line.print(print);
        }
        if interrupted() && format.is_some() {
            // The summary is printed now, because after Ctrl-C the process ends without reading the
            // remaining input.
            run.print_summary(std::mem::take(&mut summary), begun, format);
        }
        if stops && answer.exit == EXIT_TABLE {
            // A return would wait for other threads, which may be waiting for input.
            std::process::exit(EXIT_TABLE.into());
        }
    };
    let answer_all = || ordered_map(boards, workers, &permits, work, show);
    match is_list {
        true => waiting_for_input(answer_all),
        false => answer_all(),
    }
    if is_empty && !interrupted() {
        print_error("solver: note: the list contains no board");
    }
    if !interrupted() {
        run.print_summary(summary, begun, format);
    }
    Ok(exit)
}

impl Run {
    /// Rejects options that fail for every board, before any board is read. If the size is unknown,
    /// the partition is checked later, for the size of each board.
    fn check(&self) -> Result<(), Failure> {
        let session = &self.caller.session;
        session.question(&self.request, &Control::default())?;
        if let Some(size) = self.caller.shared.known_size() {
            let goal = self.caller.shared.goal(Some(size))?;
            session.spec(&goal, &self.request.tables)?;
        }
        Ok(())
    }

    /// Solves a board. Returns the answer, and the notes about a board of a list. A panic becomes an
    /// error answer, so that later answers are still printed.
    fn answer(&self, input: &BoardInput) -> (Answer, Vec<Note>) {
        let mut notes = Vec::new();
        let answer = catch_unwind(AssertUnwindSafe(|| self.try_answer(input, &mut notes)));
        let answer = answer.unwrap_or_else(|_| {
            Err(Failure::input(
                "the solver failed on this board: this is a defect, please report it",
            ))
        });
        let mut answer = answer.unwrap_or_else(Answer::from);
        let report = &mut answer.report;
        report.line = input.line;
        report.mode = Some(self.request.mode.unwrap_or_default());
        if report.status == Status::Error && report.board.is_none() {
            let text = input.text();
            report.board = text.map(|text| text.trim().chars().take(2000).collect());
        }
        (answer, notes)
    }

    fn try_answer(&self, input: &BoardInput, notes: &mut Vec<Note>) -> Result<Answer, Failure> {
        let shared = &self.caller.shared;
        let (read, goal) = input.read(shared)?;
        match self.in_list {
            true => notes.extend(&read.notes),
            // Notes about a single board are printed before its search.
            false => self.print_notes(&read.notes, input.line),
        }
        let session = &self.caller.session;
        let control = self.caller.control(input.line);
        let mut question = session.question(&self.request, &control)?;
        let own = &self.arguments;
        let options = question.options.pruning(own.pruning);
        let options = options.at_least(own.at_least).recheck(own.recheck);
        question.options = options.record(own.record.clone());
        if let Some(permits) = &self.permits {
            question.options = question.options.permits(permits);
        }
        let tables = &self.request.tables;
        let report = match session.answer(&read, &goal, tables, &question, &control) {
            Ok(report) => report,
            Err(failure) => match Answer::of_failure(failure) {
                answer if answer.report.status == Status::Error => return Ok(answer),
                answer => answer.report,
            },
        };
        Ok(report.compared_with(read.known_length).into())
    }

    /// Prints the notes about a board, except with `--json`, whose objects contain them.
    fn print_notes(&self, notes: &[Note], line: Option<usize>) {
        if !notes.is_empty() && !self.caller.shared.json {
            self.caller.status_line.print(|| print_notes(notes, line));
        }
    }

    /// Prints a summary if requested; with `--json` on standard error.
    fn print_summary(&self, summary: Summary, begun: Instant, format: Option<TableFormat>) {
        let Some(format) = format else { return };
        let text = write(&summary.with_wall_time(begun.elapsed()), format);
        let print = || match self.caller.shared.json {
            true => print_error(text.trim_end()),
            false => print_line(text.trim_end()),
        };
        self.caller.status_line.print(print);
    }
}

/// Rejects a first word that is neither a board nor a verb. Also rejects a verb that is not the
/// first word.
fn check_words(boards: &[String]) -> Result<(), Failure> {
    let is_verb = |text: &&String| VERBS.iter().any(|(verb, _)| verb == text);
    let is_word = |text: &&String| text.len() > 1 && text.bytes().all(|b| b.is_ascii_alphabetic());
    let word = boards.first().filter(is_word);
    if let Some(word) = word.filter(|word| !is_verb(word)) {
        let verbs: Vec<&str> = VERBS.iter().map(|(verb, _)| *verb).collect();
        return Err(Failure::input(format!(
            "`{word}` is neither a board nor a verb ({}). To solve, give only boards, in quotes",
            verbs.join(", ")
        )));
    }
    boards.iter().find(is_verb).map_or(Ok(()), |verb| {
        Err(Failure::input(format!(
            "{verb} is a verb, which must be first: see solver {verb} --help"
        )))
    })
}

//! `solver` without a verb: solves all boards on all cores, and prints answers in input order.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::Instant;

use clap::Args;
use command::{
    ActiveGuard, EXIT_TABLE, Failure, SharedArgs, interrupted, print_error, print_line,
    waiting_for_input,
};
use puzzle::{Metric, MoveOrder};
use solver::{
    DuplicatePruning, GivenOptions, Mode, Question, Status, Summary, SummaryFormat, ThreadPermits,
    ordered_map,
};

use crate::all_solutions::AllSolutionsArgs;
use crate::answer::Answer;
use crate::boards::{BoardInput, Boards, BoardsArgs};
use crate::mode::{ModeArgs, question};
use crate::opener::Opener;
use crate::search::{NotationArgs, SearchArgs};
use crate::session::Session;
use crate::verb_options::VERBS;

#[derive(Args)]
pub(crate) struct SolveArguments {
    #[command(flatten)]
    given: BoardsArgs,
    #[command(flatten)]
    notation: NotationArgs,
    #[command(flatten)]
    mode: ModeArgs,
    /// With --mode strategic: also print the steps of the solution, so that users can learn the
    /// method
    #[arg(long)]
    explain: bool,
    #[command(flatten)]
    search: SearchArgs,
    /// Pruning of duplicate paths: automaton rejects duplicate strings of up to 12 moves; parent
    /// rejects only moves that undo the previous move, as in most published node counts
    #[arg(long, default_value = "automaton")]
    pruning: DuplicatePruning,
    /// Order in which the blank's moves are tried, such as ULRD [default: the order of the
    /// partition]
    #[arg(long, value_name = "ORDER")]
    order: Option<MoveOrder>,
    #[command(flatten)]
    all: AllSolutionsArgs,
    /// At the end, print a summary of lengths, nodes and times of all boards, as text, csv or
    /// markdown. With --quiet the answers are omitted; with --json the summary is printed on
    /// standard error
    #[arg(long, value_name = "FORMAT")]
    summary: Option<SummaryFormat>,
}

impl SolveArguments {
    /// Converts the options to a [`Question`]. Fails if an option does not apply to the mode or the
    /// metric.
    fn question(&self, shared: &SharedArgs) -> Result<Question, Failure> {
        let (metric, mode) = (shared.metric(), self.mode.mode);
        let given = GivenOptions {
            explain: self.explain,
            side: self.search.side,
            ..self.all.added_to(self.mode.given())
        };
        let options = self.search.options().pruning(self.pruning);
        let question = question(&given, metric, options.threads(shared.thread_count()))?;
        let is_of_search = self.order.is_some() || self.pruning != DuplicatePruning::default();
        let is_of_tables = shared.partition.is_some() || self.search.open.build;
        let message = match (mode, metric) {
            (Mode::Optimal, Metric::Multi) if is_of_search => {
                "--pruning and --order apply to single moves: leave them out with --metric multi"
                    .to_owned()
            }
            (Mode::Strategic | Mode::Anytime, _) if is_of_search => {
                format!("--pruning and --order apply to --mode optimal: leave them out with {mode}")
            }
            (Mode::Strategic, _) if is_of_tables => {
                "--partition and --build are about tables, which --mode strategic does not use: \
                 leave them out"
                    .to_owned()
            }
            _ => return Ok(question.notation(self.notation.notation)),
        };
        Err(Failure::input(message))
    }
}

/// Answers all boards; returns the highest exit code that applies.
pub(crate) fn run(shared: SharedArgs, arguments: SolveArguments) -> Result<u8, Failure> {
    let mut question = arguments.question(&shared)?;
    check_words(&arguments.given.boards)?;
    let threads = shared.thread_count();
    let boards = waiting_for_input(|| Boards::new(arguments.given, shared.known_size()))?;
    // A thread that has no board left adds a permit. Searches of other boards take permits to use
    // more threads.
    let permits = Arc::new(ThreadPermits::default());
    // Anytime answers improve with threads and memory, so boards are solved one at a time with all
    // threads and the whole memory. This also keeps the improvements of different boards apart.
    let mode = question.options.mode;
    let workers = match mode {
        Mode::Anytime => 1,
        _ => {
            question.options = question.options.permits(&permits);
            threads
        }
    };
    let (open, is_list) = (arguments.search.open, boards.is_list());
    let opener = Opener::new(mode, shared, open, is_list)?;
    let session = Session {
        opener: opener
            .with_order(arguments.order)
            .with_side(arguments.search.side),
        question,
        in_list: is_list,
        printed_notes: Default::default(),
        solvers: Default::default(),
    };
    session.check_options()?;
    // A list ends at the first table error, because the remaining boards would fail with the same
    // message. With --json it continues, so that each board gets an object.
    let stops = boards.is_list() && !session.opener.shared.json;
    let format = arguments.summary;
    let prints_answers = format.is_none() || !session.opener.shared.quiet;
    let (mut summary, begun) = (Summary::default(), Instant::now());
    let mut exit = 0;
    let work = |input: BoardInput| (answer_safely(&session, &input), input.active);
    let show = |_, (answer, _active): (Answer, ActiveGuard)| {
        exit = exit.max(answer.exit);
        if format.is_some() {
            summary.add(&answer.report);
        }
        // The summary only counts errors, so their messages are always printed.
        if prints_answers || answer.report.status == Status::Error {
            session.print(&answer);
        }
        if interrupted() && format.is_some() {
            // The summary is printed now, because after Ctrl-C the process ends without reading the
            // remaining input.
            print_summary(std::mem::take(&mut summary), begun, format, &session);
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
    if !interrupted() {
        print_summary(summary, begun, format, &session);
    }
    Ok(exit)
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

/// Prints a summary if requested; with `--json` on standard error.
fn print_summary(
    summary: Summary,
    begun: Instant,
    format: Option<SummaryFormat>,
    session: &Session,
) {
    let Some(format) = format else { return };
    let text = summary.with_wall_time(begun.elapsed()).write(format);
    session
        .opener
        .status_line
        .print(|| match session.opener.shared.json {
            true => print_error(text.trim_end()),
            false => print_line(text.trim_end()),
        });
}

/// Solves a board. A panic becomes an error answer, so that later answers are still printed.
fn answer_safely(session: &Session, input: &BoardInput) -> Answer {
    let answer = catch_unwind(AssertUnwindSafe(|| session.answer(input)));
    answer.unwrap_or_else(|_| {
        Answer::from(Failure::input(
            "the solver failed on this board: this is a defect, please report it",
        ))
    })
}

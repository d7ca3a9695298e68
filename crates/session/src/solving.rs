//! Answers about boards: solutions, hints, ratings and entries of tables.

use std::sync::Arc;
use std::time::Duration;
#[cfg(not(feature = "web"))]
use std::time::Instant;

use pdb_table::{Code, Control};
use puzzle::board_text::{ListedBoard, Note};
use puzzle::{Board, Direction, Goal, HeuristicSpec};
use solver::{
    Advice, Answer, GivenOptions, Mode, Question, Report, SearchStatus, Side, SolveError,
    SolveOptions, Status, Within, check_board,
};

use crate::request::{Hint, Probe, Rate, Search, Solve, Tables};
use crate::response::{Event, Response};
use crate::session::Session;
use crate::tables::Opened;
use crate::{Cancel, Failure};
#[cfg(feature = "web")]
use web_time::Instant;

impl Session {
    /// The options of a search, within the session's limits. Progress is reported to the control.
    ///
    /// # Errors
    /// A value outside its range.
    pub fn search_options(
        &self,
        search: &Search,
        control: &Control<Event>,
    ) -> Result<SolveOptions, Failure> {
        let limits = &self.limits;
        let most = limits.max_time.unwrap_or(Duration::MAX);
        match search.max_time {
            Some(Duration::ZERO) => return Err(self.wrong("max_time", &0, &"more than 0")),
            Some(time) if time > most => {
                let (found, most) = (time.as_secs_f64(), most.as_secs_f64());
                let expected = format_args!("at most {most} seconds");
                return Err(self.wrong("max_time", &found, &expected));
            }
            _ => {}
        }
        if search.max_nodes == Some(0) {
            return Err(self.wrong("max_nodes", &0, &"at least 1"));
        }
        let mut options = SolveOptions::default()
            .threads(self.threads(search.threads)?)
            .side(search.side.unwrap_or_default())
            .cancel(&control.cancel);
        options.max_memory = limits.memory;
        options.max_nodes = search.max_nodes;
        options.max_time = search.max_time.or(limits.time);
        if !control.has_listener() {
            return Ok(options);
        }
        let (control, begun) = (control.clone(), Instant::now());
        Ok(options.progress(move |status: &SearchStatus| {
            control.report(&Event::Progress {
                bound: status.bound,
                nodes: status.generated,
                ms: begun.elapsed().as_secs_f64() * 1e3,
                longest: status.longest,
                left: (status.expected()).and_then(|nodes| nodes.checked_sub(status.in_iteration)),
            });
        }))
    }

    /// The checked question of a request, with the session's limits.
    ///
    /// # Errors
    /// An option that the mode, the metric or another option excludes, or a value outside its range.
    pub fn question(&self, request: &Solve, control: &Control<Event>) -> Result<Question, Failure> {
        let options = self.search_options(&request.search, control)?;
        let mode = request.mode.unwrap_or_default();
        let name = |option: &'static str| self.spelling.name(option);
        let refused = |error: solver::OptionError| Failure::input(error.describe(name));
        let most = self.limits.solutions;
        if let Some(found) = request.most.filter(|found| !(1..=most).contains(found)) {
            return Err(self.wrong("most", &found, &format_args!("1 to {most}")));
        }
        let most = self.limits.max_memory.unwrap_or(u64::MAX);
        let range = 1 << 20..=most;
        if let Some(found) = request.max_memory.filter(|found| !range.contains(found)) {
            let expected = match most {
                u64::MAX => "at least 1048576 bytes".to_owned(),
                most => format!("bytes from 1048576 to {most}"),
            };
            return Err(self.wrong("max_memory", &found, &expected));
        }
        let within = request.within.map(|number| Within::of(mode, number));
        let given = GivenOptions {
            mode,
            short: request.short,
            explain: request.explain,
            all: request.all,
            count: request.count,
            within: within.transpose().map_err(refused)?,
            most: request
                .most
                .map(|most| usize::try_from(most).unwrap_or(usize::MAX)),
            max_memory: request.max_memory,
            seed: request.seed,
            side: request.search.side.unwrap_or_default(),
        };
        let question = given
            .question(request.tables.metric(), options)
            .map_err(refused)?;
        let question = question.notation(request.notation.unwrap_or_default());
        if !control.has_listener() {
            return Ok(question);
        }
        let control = control.clone();
        Ok(question.improved(move |better: &Answer| {
            control.report(&Event::Improved {
                report: Box::new(better.report.clone()),
            });
        }))
    }

    pub(crate) fn solve(
        &self,
        request: &Solve,
        control: &Control<Event>,
    ) -> Result<Response, Failure> {
        let (read, goal) = self.subject(&request.subject)?;
        let question = self.question(request, control)?;
        self.answer(&read, &goal, &request.tables, &question, control)
            .map(|report| Response::Report(Box::new(report)))
    }

    /// The report of a solved board. A board that cannot be solved needs no tables, nor does a
    /// strategic answer.
    ///
    /// # Errors
    /// [`Failure`], as for [`Session::call`].
    pub fn answer(
        &self,
        read: &ListedBoard,
        goal: &Goal,
        tables: &Tables,
        question: &Question,
        control: &Control<Event>,
    ) -> Result<Report, Failure> {
        let (board, notes, cancel) = (&read.board, &read.notes, &control.cancel);
        let answer = match question.refusal(goal, board) {
            Some(refusal) => refusal,
            None => {
                let opened = self.open_for(question, goal, tables, control)?;
                if question.options.mode != Mode::Anytime {
                    return report(opened.solver.answer(board, question), notes, cancel);
                }
                let mut question = question.clone();
                question.options = with_memory(&question.options);
                opened.solver.answer(board, &question)
            }
        };
        report(answer, notes, cancel)
    }

    /// The solver that answers a question about boards. A strategic answer needs no tables. If the
    /// call is stopped while tables are opened, neither does the answer with what is known so far.
    ///
    /// # Errors
    /// As [`Self::open_solver`].
    pub fn open_for(
        &self,
        question: &Question,
        goal: &Goal,
        tables: &Tables,
        control: &Control<Event>,
    ) -> Result<Arc<Opened>, Failure> {
        let table_free = || Tables {
            partition: Some(HeuristicSpec::table_free_name(tables.metric()).into()),
            parts: None,
            ..tables.clone()
        };
        if question.options.mode == Mode::Strategic && tables.partition.is_none() {
            return self.opened(goal, &table_free(), None, control);
        }
        // Searches from the goal need the tables of other goal cells.
        let both_sides = (question.options.side == Side::Start).then_some(false);
        match self.opened(goal, tables, both_sides, control) {
            Err(failure) if failure.code == Code::Cancelled => {
                self.open_solver(goal, &table_free(), &Control::default())
            }
            result => result,
        }
    }

    /// Opens a solver, and reports its tables.
    fn opened(
        &self,
        goal: &Goal,
        tables: &Tables,
        both_sides: Option<bool>,
        control: &Control<Event>,
    ) -> Result<Arc<Opened>, Failure> {
        let opened = self.open_with(goal, tables, None, both_sides, control)?;
        control.report(&Event::Opened {
            partition: opened.solver.spec().name().to_owned(),
            reason: opened.reason.clone(),
        });
        Ok(opened)
    }

    /// Opens the solver of a board that can be solved, and asks it for advice.
    fn advice<T>(
        &self,
        (read, goal): (ListedBoard, Goal),
        tables: &Tables,
        moves: Option<&str>,
        both_sides: Option<bool>,
        control: &Control<Event>,
        ask: impl FnOnce(&Opened, &ListedBoard) -> Result<T, SolveError>,
    ) -> Result<Box<Advice<T>>, Failure> {
        let board = &read.board;
        if let Err(error) = check_board(&goal, board) {
            return Err(Failure::of_error(&goal, board, error));
        }
        let opened = self.opened(&goal, tables, both_sides, control)?;
        let advice = opened.solver.advice(board, moves, ask(&opened, &read));
        let is_cancelled = control.cancel.is_cancelled();
        match advice {
            Ok(_) if is_cancelled => Err(Failure::cancelled()),
            Ok(advice) => Ok(Box::new(advice.with_notes(&read.notes))),
            Err(answer) => Err(Failure::of_answer(*answer, is_cancelled)),
        }
    }

    pub(crate) fn hint(
        &self,
        request: &Hint,
        control: &Control<Event>,
    ) -> Result<Response, Failure> {
        let subject = self.subject(&request.subject)?;
        let options = self.search_options(&request.search, control)?;
        let ask = |opened: &Opened, read: &ListedBoard| {
            let options = with_memory(&options);
            opened.solver.hint(&read.board, &options)
        };
        self.advice(subject, &request.tables, None, None, control, ask)
            .map(Response::Hint)
    }

    /// The moves of a game to rate.
    ///
    /// # Errors
    /// Impossible moves, or more than [`Limits::game`](crate::Limits::game).
    pub fn game(&self, board: &Board, request: &Rate) -> Result<Vec<Direction>, Failure> {
        let moves = request.moves.read(board, request.notation)?.0;
        let (found, most) = (moves.len(), self.limits.game);
        match found > most {
            true => Err(Failure::input(format_args!(
                "the game has {found} moves, maximum {most}"
            ))),
            false => Ok(moves),
        }
    }

    pub(crate) fn rate(
        &self,
        request: &Rate,
        control: &Control<Event>,
    ) -> Result<Response, Failure> {
        let subject = self.subject(&request.subject)?;
        let options = self.search_options(&request.search, control)?;
        let moves = self.game(&subject.0.board, request)?;
        let ask = |opened: &Opened, read: &ListedBoard| {
            let options = with_memory(&options);
            opened.solver.rate(&read.board, &moves, &options)
        };
        let text = Some(&*request.moves.0);
        self.advice(subject, &request.tables, text, None, control, ask)
            .map(Response::Rating)
    }

    pub(crate) fn probe(
        &self,
        request: &Probe,
        control: &Control<Event>,
    ) -> Result<Response, Failure> {
        let subject = self.subject(&request.subject)?;
        let ask = |opened: &Opened, read: &ListedBoard| opened.solver.probe(&read.board);
        self.advice(subject, &request.tables, None, Some(false), control, ask)
            .map(Response::Probe)
    }
}

/// The options with the memory of an anytime search, if neither the request nor the session limits
/// it.
fn with_memory(options: &SolveOptions) -> SolveOptions {
    #[allow(
        unused_mut,
        reason = "without the feature `file`, the free memory is unknown"
    )]
    let mut options = options.clone();
    #[cfg(feature = "file")]
    if options.max_memory.is_none() && options.max_nodes.is_none() {
        options.max_memory = pdb_gen::free_memory().map(|free| free / 2);
    }
    options
}

/// The report of an answer that was solved as requested. `notes` are guesses about the form of the
/// board's text.
///
/// # Errors
/// The failure, with the report of a board that cannot be solved, or whose search was stopped.
pub fn report(mut answer: Answer, notes: &[Note], cancel: &Cancel) -> Result<Report, Failure> {
    answer.report = answer.report.with_notes(notes);
    match answer.error {
        None if answer.report.status == Status::Solved && !cancel.is_cancelled() => {
            Ok(answer.report)
        }
        _ => Err(Failure::of_answer(answer, cancel.is_cancelled())),
    }
}

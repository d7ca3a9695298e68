//! Answers about boards: solutions, hints, ratings and entries of tables.

use std::sync::Arc;

use pdb_table::{Code, Control};
use puzzle::board_text::{ListedBoard, Note};
use puzzle::{Board, Direction, Goal, HeuristicSpec};
use solver::{
    Advice, Answer, Mode, OtherGoals, Question, Report, Side, SolveError, Status, check_board,
};

use crate::open_solvers::Opened;
use crate::request::{Hint, Probe, Rate, Solve, Tables};
use crate::response::{Event, Response};
use crate::session::Session;
use crate::{Cancel, Failure};

/// Most moves of a game to rate.
const MAX_GAME: usize = 10_000;

impl Session {
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
                if question.mode() != Mode::Anytime {
                    return report(opened.solver.answer(board, question), notes, cancel);
                }
                let mut question = question.clone();
                question.options = question.options.or_free_memory();
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
        if question.mode() == Mode::Strategic && tables.partition.is_none() {
            return self.opened(goal, &table_free(), None, control);
        }
        // Searches from the goal need the tables of other goal cells.
        let both_sides = (question.side() == Side::Start).then_some(OtherGoals::Never);
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
        both_sides: Option<OtherGoals>,
        control: &Control<Event>,
    ) -> Result<Arc<Opened>, Failure> {
        let opened = self.open_with(goal, tables, None, None, both_sides, control)?;
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
        both_sides: Option<OtherGoals>,
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
            let options = options.clone().or_free_memory();
            opened.solver.hint(&read.board, &options)
        };
        self.advice(subject, &request.tables, None, None, control, ask)
            .map(Response::Hint)
    }

    /// The moves of a game to rate.
    ///
    /// # Errors
    /// Impossible moves, or more than 10,000.
    pub fn game(&self, board: &Board, request: &Rate) -> Result<Vec<Direction>, Failure> {
        let moves = request.moves.read(board, request.notation)?.0;
        let found = moves.len();
        match found > MAX_GAME {
            true => Err(Failure::input(format_args!(
                "the game has {found} moves, maximum {MAX_GAME}"
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
            let options = options.clone().or_free_memory();
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
        self.advice(
            subject,
            &request.tables,
            None,
            Some(OtherGoals::Never),
            control,
            ask,
        )
        .map(Response::Probe)
    }
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

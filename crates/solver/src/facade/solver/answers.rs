//! Answers to questions about one board or a list.

use std::sync::Arc;

use puzzle::{Board, Notation};

use super::Solver;
use crate::calls::{Mode, SolveError, SolveOptions};
use crate::facade::report::{Report, better_tables};
use crate::facade::{Advice, Answer, Question};
use crate::machine::{HAS_CLOCK, Instant};
use crate::strategic;
use crate::threads::{ThreadPermits, ordered_map};

impl Solver {
    /// Answers a question about a board, with all fields that frontends return. Unsolvable boards,
    /// limits and damaged tables produce an answer with the matching status. Takes as long as
    /// [`Self::solve_with`] or [`Self::all_solutions`].
    ///
    /// ```
    /// use puzzle::{Board, Goal, HeuristicSpec};
    /// use solver::{AllSolutions, Question, Solver, Status};
    ///
    /// let board = Board::parse("8 6 7/2 5 4/3 0 1", None)?;
    /// let goal = Goal::blank_last(board.tray());
    /// let solver = Solver::build(goal.clone(), HeuristicSpec::parse("8", &goal)?)?;
    /// let mut question = Question::default();
    /// question.all = Some(AllSolutions { within: None, most: 0 });
    /// let report = solver.answer(&board, &question).report;
    /// assert_eq!((report.status, report.length), (Status::Solved, Some(31)));
    /// assert_eq!(report.count, Some(40));
    /// assert_eq!(report.tables.as_deref(), Some("8"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn answer(&self, board: &Board, question: &Question) -> Answer {
        let begun = HAS_CLOCK.then(Instant::now);
        let mut answer = self.found(board, question);
        answer = question.completed(answer, self.spec().name());
        if let Some(begun) = begun.filter(|_| answer.report.nodes.is_some()) {
            answer.report = answer.report.with_time(begun.elapsed());
        }
        answer.report.suggestion = self.suggestion(board, question, &answer.report);
        answer
    }

    fn suggestion(&self, board: &Board, question: &Question, report: &Report) -> Option<String> {
        const SLOW_MS: f64 = 1000.0;
        match question.mode() {
            Mode::Optimal if report.ms > Some(SLOW_MS) => {
                better_tables(self.spec().name()).map(str::to_owned)
            }
            Mode::Strategic if question.options.short && report.proved == Some(false) => {
                let plain = strategic::explain(self.goal(), &self.goal().state(board)?)?;
                let is_plain = report.length? as usize == self.metric().length(&plain.moves);
                is_plain.then(|| "no beam found fewer moves: try the mode anytime".to_owned())
            }
            _ => None,
        }
    }

    fn found(&self, board: &Board, question: &Question) -> Answer {
        let notation = question.notation;
        let options = question.options_for(board, self.spec().name());
        let found = match question.all {
            None => self.solve_with(board, &options).map(|solution| {
                let mut report = Report::solved(board, &solution, notation);
                if question.explain {
                    report =
                        report.with_strategic_steps(self.goal(), self.metric(), board, notation);
                }
                (report, Some(solution.moves))
            }),
            Some(all) => {
                // The report always contains the moves of one solution.
                let (within, most) = (all.within.unwrap_or(0), all.most.max(1));
                let found = self.all_solutions(board, within, most, &options);
                found.map(|found| {
                    let mut report = Report::all_solutions(board, &found, notation);
                    report.solutions = report.solutions.filter(|_| all.most > 0);
                    report.counts = report.counts.filter(|_| all.within.is_some());
                    (report, found.moves.into_iter().next())
                })
            }
        };
        match found {
            Ok((report, moves)) => Answer {
                report,
                moves,
                error: None,
            },
            Err(error) => Answer::of_error(self.goal(), board, error, notation),
        }
    }

    /// Advice on a board, in the form that every frontend returns. `moves` is the text of the
    /// judged moves, as the user wrote it.
    ///
    /// # Errors
    /// An answer with the reason for the failure.
    pub fn advice<T>(
        &self,
        board: &Board,
        moves: Option<&str>,
        found: Result<T, SolveError>,
    ) -> Result<Advice<T>, Box<Answer>> {
        match found {
            Ok(found) => Ok(Advice {
                board: board.to_string(),
                moves: moves.map(str::to_owned),
                tables: self.spec().name().to_owned(),
                notes: Vec::new(),
                found,
            }),
            Err(error) => {
                let notation = Notation::Tile;
                Err(Box::new(Answer::of_error(
                    self.goal(),
                    board,
                    error,
                    notation,
                )))
            }
        }
    }

    /// Solves a list of boards with the number of threads in the options. Calls `on_report` with
    /// each board's number, from 0, and its report, in the order of the boards. The list may be
    /// endless: a board is read only when a thread is free, and no more boards are read after
    /// [`SolveOptions::cancel`] is cancelled. Limits apply to each board separately. Threads
    /// without a board help with long searches.
    ///
    /// See the crate's page for an example.
    pub fn solve_list(
        &self,
        boards: impl IntoIterator<Item = Board, IntoIter: Send>,
        options: &SolveOptions,
        on_report: impl FnMut(usize, Report) + Send,
    ) {
        // The options' permits are not used: each thread without a board adds a permit, and these
        // permits would remain after the call.
        let permits = Arc::new(ThreadPermits::default());
        let boards = boards.into_iter();
        let boards = boards.take_while(|_| !options.cancel.is_cancelled());
        let question = Question::new(options.clone().permits(&permits));
        let solve = |board: Board| self.answer(&board, &question).report;
        ordered_map(boards, options.thread_count(), &permits, solve, on_report);
    }
}

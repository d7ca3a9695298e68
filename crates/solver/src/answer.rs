//! Complete answers about boards, the same for every frontend.

use puzzle::{Board, Direction, Goal, Notation};

use crate::clock::{HAS_CLOCK, Instant};
use crate::options::SolveOptions;
use crate::question::Question;
use crate::report::Report;
use crate::solution::{Improvement, SolveError};
use crate::solver::{Solver, check_board};

/// The answer to a [`Question`] about a board.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Answer {
    /// All of it, as the object that `solver --json` prints.
    pub report: Report,
    /// The single moves of the tiles of the report's solution, if it has one.
    pub moves: Option<Vec<Direction>>,
    /// Why there is no answer of the kind that was asked for.
    pub error: Option<SolveError>,
}

/// What was found out about a board, and by which tables: the object that `solver hint`, `solver
/// rate` and `solver probe` print with `--json`.
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Advice<T> {
    /// The board in rows; `None` where `found` has it.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub board: Option<String>,
    /// The moves that were judged, as they were given.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub moves: Option<String>,
    /// The name of the heuristic.
    pub tables: String,
    /// What was found.
    #[cfg_attr(feature = "serde", serde(flatten))]
    pub found: T,
}

impl Answer {
    /// The answer of a call that failed.
    fn of_error(goal: &Goal, board: &Board, error: SolveError, notation: Notation) -> Answer {
        Answer {
            report: Report::failure(goal, board, &error, notation),
            moves: match &error {
                SolveError::Limit(limit) => {
                    limit.shortest.as_ref().map(|found| found.moves.clone())
                }
                _ => None,
            },
            error: Some(error),
        }
    }

    /// What every answer to a question has, whatever became of the board.
    fn completed(mut self, question: &Question, tables: &str) -> Answer {
        let report = &mut self.report;
        report.mode = Some(question.options.mode);
        // Without a search no table was asked.
        if report.nodes.is_some() {
            report.threads = Some(question.options.max_threads());
            report.tables = Some(tables.to_owned());
        }
        self
    }
}

impl Question {
    /// The answer about a board that cannot be solved, which takes no tables and no search; `None`
    /// if it can.
    #[must_use]
    pub fn refusal(&self, goal: &Goal, board: &Board) -> Option<Answer> {
        let error = check_board(goal, board).err()?;
        Some(Answer::of_error(goal, board, error, self.notation).completed(self, ""))
    }

    /// The options of a search for this board, whose better solutions the question's listener
    /// hears.
    fn options_for(&self, board: &Board, tables: &str) -> SolveOptions {
        let options = self.options.clone();
        let Some(hear) = self.improved.clone() else {
            return options;
        };
        let (question, board, tables) = (self.clone(), board.clone(), tables.to_owned());
        options.improved(move |better: &Improvement| {
            let answer = Answer {
                report: Report::improved(&board, better, question.notation),
                moves: Some(better.solution.moves.clone()),
                error: None,
            };
            hear.report(&answer.completed(&question, &tables));
        })
    }
}

impl Solver {
    /// Answers a question about a board: everything that a frontend hands on. A board without a
    /// solution, a limit and a damaged table have an answer too, which says so. Takes as long as
    /// [`Self::solve_with`] or [`Self::all_solutions`].
    ///
    /// ```
    /// use puzzle::{Board, Goal, HeuristicSpec, Metric};
    /// use solver::{GivenOptions, SolveOptions, Solver, Status};
    ///
    /// let board = Board::parse("8 6 7/2 5 4/3 0 1", None)?;
    /// let goal = Goal::blank_last(board.tray());
    /// let solver = Solver::build(goal.clone(), HeuristicSpec::parse("8", &goal)?)?;
    /// let given = GivenOptions { count: true, ..GivenOptions::default() };
    /// let question = given.question(Metric::Single, SolveOptions::default())?;
    /// let report = solver.answer(&board, &question).report;
    /// assert_eq!((report.status, report.length, report.count), (Status::Solved, Some(31), Some(40)));
    /// assert_eq!(report.tables.as_deref(), Some("8"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn answer(&self, board: &Board, question: &Question) -> Answer {
        let begun = HAS_CLOCK.then(Instant::now);
        let mut answer = self.found(board, question);
        answer = answer.completed(question, self.spec().name());
        if let Some(begun) = begun.filter(|_| answer.report.nodes.is_some()) {
            answer.report = answer.report.with_time(begun.elapsed());
        }
        answer
    }

    fn found(&self, board: &Board, question: &Question) -> Answer {
        let notation = question.notation;
        let options = question.options_for(board, self.spec().name());
        let found = match question.all {
            None => self.solve_with(board, &options).map(|solution| {
                let mut report = Report::solved(board, &solution, notation);
                if question.explain {
                    report = report.with_strategic_steps(self, board, notation);
                }
                (report, Some(solution.moves))
            }),
            Some(all) => {
                // The first one is written down even where they are only counted.
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

    /// What was found out about a board, as every frontend hands it on. `moves` are those that were
    /// judged, as they were given.
    ///
    /// # Errors
    /// The answer that says why nothing was found out.
    pub fn advice<T>(
        &self,
        board: &Board,
        moves: Option<&str>,
        found: Result<T, SolveError>,
    ) -> Result<Advice<T>, Box<Answer>> {
        match found {
            Ok(found) => Ok(Advice {
                board: Some(board.to_string()),
                moves: moves.map(str::to_owned),
                tables: self.spec().name().to_owned(),
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
}

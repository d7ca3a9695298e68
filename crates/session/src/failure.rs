//! Failures of calls.

use std::fmt;

use pdb_table::Code;
#[cfg(any(feature = "solver", feature = "lab"))]
use puzzle::{Board, Goal, Notation};
use puzzle::{MoveError, MoveFault};
use serde::Serialize;
#[cfg(any(feature = "solver", feature = "lab"))]
use solver::{Answer, Report, SolveError};

/// Why a call has no answer: one line, its code, and what was found so far.
///
/// In JSON an object with `code` and `message`, the `fault` of wrong moves, and the fields of the
/// report.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Failure {
    /// The kind of failure.
    pub code: Code,
    /// One line for people.
    pub message: String,
    /// The first wrong move, if moves are wrong.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fault: Option<Box<Fault>>,
    /// The board's report: why it has no solution, or the best solution so far. Its own message is
    /// empty, since it is that of the failure.
    #[cfg(any(feature = "solver", feature = "lab"))]
    #[serde(flatten)]
    pub report: Option<Box<Report>>,
    /// What has to change before the same call can succeed.
    #[serde(skip)]
    pub cause: Cause,
}

/// What has to change before a call that failed can succeed. Only services need it.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Cause {
    /// The request, or the limits of the session.
    #[default]
    Request,
    /// A damaged table. The message can contain its path.
    Damage,
    /// The load: too little memory is free at present.
    Shortage,
}

/// The first wrong move of a text.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "MoveFault"))]
#[non_exhaustive]
pub struct Fault {
    /// `apart` (the tiles are not in one line with the blank), `edge` (no tile can move in this
    /// direction), `count` (a number that is a count, not a tile) or `unknown` (not a move).
    #[cfg_attr(feature = "schema", schemars(extend("enum" = ["apart", "edge", "count", "unknown"])))]
    pub reason: &'static str,
    /// The move's number, from 1; 0 if it is unknown.
    pub number: usize,
    /// Start of the move in the text, in units of UTF-16.
    pub start: usize,
    /// End of the move in the text, in units of UTF-16.
    pub end: usize,
    /// For `edge`: the direction.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(extend("enum" = ["U", "D", "L", "R"])))]
    pub direction: Option<char>,
    /// The numbers on the board before the move.
    pub tiles: Vec<u16>,
}

impl Failure {
    /// A failure without a report.
    pub fn new(code: Code, message: impl fmt::Display) -> Failure {
        // One copy of the code for all types of messages.
        fn of(code: Code, message: &dyn fmt::Display) -> Failure {
            Failure {
                code,
                message: message.to_string(),
                fault: None,
                #[cfg(any(feature = "solver", feature = "lab"))]
                report: None,
                cause: Cause::Request,
            }
        }
        of(code, &message)
    }

    /// An invalid or impossible request.
    pub fn input(message: impl fmt::Display) -> Failure {
        Failure::new(Code::Input, message)
    }

    /// A call that its caller stopped.
    #[must_use]
    pub fn cancelled() -> Failure {
        Failure::new(Code::Cancelled, "cancelled")
    }

    /// A damaged table.
    #[cfg(any(feature = "solver", feature = "lab"))]
    pub(crate) fn damaged(message: impl fmt::Display) -> Failure {
        Failure {
            cause: Cause::Damage,
            ..Failure::new(Code::Table, message)
        }
    }

    /// Wrong moves in `text`.
    pub(crate) fn of_moves(fault: &MoveFault, text: &str) -> Failure {
        let (reason, number, direction) = match fault.error {
            MoveError::NotNeighbouring(_, number) => ("apart", number, None),
            MoveError::Frame(direction, number, _) => ("edge", number, Some(direction.letter())),
            MoveError::Count(number) => ("count", number, None),
            MoveError::Word(_, number) | MoveError::Number(_, number) => ("unknown", number, None),
            // A variant that is added later needs its own reason.
            _ => ("unknown", 0, None),
        };
        let units = |end: usize| text[..end].encode_utf16().count();
        Failure {
            fault: Some(Box::new(Fault {
                reason,
                number,
                start: units(fault.span.start),
                end: units(fault.span.end),
                direction,
                tiles: fault.board.numbers().to_vec(),
            })),
            ..Failure::input(&fault.error)
        }
    }

    /// The failure of an answer without a solution of the requested kind, or of a call that its
    /// caller stopped.
    #[cfg(any(feature = "solver", feature = "lab"))]
    pub(crate) fn of_answer(answer: Answer, is_cancelled: bool) -> Failure {
        let code = match &answer.error {
            _ if is_cancelled => Code::Cancelled,
            Some(error) => error.code(),
            None => Code::Limit,
        };
        let message = match (code, &answer.report.message) {
            (Code::Cancelled, _) | (_, None) => "cancelled",
            (_, Some(message)) => message,
        };
        let cure = match &answer.error {
            #[cfg(feature = "file")]
            Some(SolveError::Damaged(_)) => {
                "; find the damaged table with pdb-gen verify, and build it again"
            }
            #[cfg(feature = "file")]
            Some(SolveError::NoGoalTables { .. }) => {
                "; pdb-gen builds them for both sides of a partition of several parts"
            }
            _ => "",
        };
        let failure = Failure::new(code, format_args!("{message}{cure}"));
        match answer.error {
            None | Some(SolveError::Unsolvable(_) | SolveError::Limit(_)) => {
                let mut report = answer.report;
                report.message = None;
                Failure {
                    report: Some(Box::new(report)),
                    ..failure
                }
            }
            Some(SolveError::Damaged(error)) => Failure::damaged(error),
            Some(_) => failure,
        }
    }

    /// The failure of a call about a board.
    #[cfg(any(feature = "solver", feature = "lab"))]
    #[must_use]
    pub fn of_error(goal: &Goal, board: &Board, error: SolveError) -> Failure {
        let answer = Answer::of_error(goal, board, error, Notation::default());
        Failure::of_answer(answer, false)
    }

    /// The report as an answer of its own, for frontends whose answers say why there is no
    /// solution.
    ///
    /// # Errors
    /// The failure, if it has no report, or if the call was stopped before it found a solution.
    #[cfg(any(feature = "solver", feature = "lab"))]
    pub fn into_report(self) -> Result<Report, Failure> {
        match self.report {
            Some(report) if self.code != Code::Cancelled || report.moves.is_some() => {
                let mut report = *report;
                report.message = (self.code != Code::Cancelled).then_some(self.message);
                Ok(report)
            }
            report => Err(Failure { report, ..self }),
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Failure {}

/// Failures from errors that state their code.
#[cfg(any(feature = "solver", feature = "lab"))]
macro_rules! failures {
    ($($error:ty),*) => {$(
        impl From<$error> for Failure {
            fn from(error: $error) -> Failure {
                Failure::new(error.code(), error)
            }
        }
    )*};
}

#[cfg(feature = "solver")]
failures! { pdb_gen::VerifyError, solver::SolverError }
#[cfg(feature = "pack")]
failures! { pdb_table::ReadError }
#[cfg(feature = "lab")]
failures! { lab::HeuristicError, lab::CompareError }

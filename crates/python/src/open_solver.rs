//! A solver and its tables, shared by calls.

use std::path::PathBuf;

use puzzle::{Board, Notation};
use solver::{Advice, EstimatesError, SharedTable, SolveError, SolveOptions, Solver};

use crate::call_error::CallError;
use crate::results::Context;

/// A table and its file, if it has one.
pub(crate) type TableAndFile = (SharedTable, Option<PathBuf>);

/// A solver and its tables.
#[derive(Debug)]
pub(crate) struct OpenSolver {
    pub(crate) solver: Solver,
    /// Tables in the order of the specification.
    pub(crate) tables: Vec<TableAndFile>,
    /// Reason for rejecting the default tables for the tray size. `None` if they were not rejected,
    /// or if the caller requested a partition.
    pub(crate) reason: Option<String>,
    /// Warnings for the user.
    pub(crate) warnings: Vec<String>,
}

impl OpenSolver {
    /// Estimates of boards. `boards` contains the numbers of one board after the other.
    pub(crate) fn estimates<N: Copy + Into<u16> + Sync>(
        &self,
        boards: &[N],
        options: &SolveOptions,
    ) -> Result<Vec<u16>, CallError> {
        let mut values = vec![0; boards.len() / self.solver.goal().tray().cells()];
        let done = self.solver.estimates(boards, &mut values, options);
        done.map_err(|error| match error {
            EstimatesError::Cancelled => CallError::cancelled(),
            EstimatesError::Board {
                error: SolveError::Damaged(_),
                ..
            } => CallError::table(error),
            error => CallError::input(error),
        })?;
        Ok(values)
    }

    /// Converts a solver's result for a board to an [`Advice`] or a [`CallError`].
    pub(crate) fn advice<T>(
        &self,
        board: &Board,
        moves: Option<&str>,
        found: Result<T, SolveError>,
        is_cancelled: bool,
    ) -> Result<Advice<T>, CallError> {
        match self.solver.advice(board, moves, found) {
            Ok(_) if is_cancelled => Err(CallError::cancelled()),
            Ok(advice) => Ok(advice),
            Err(answer) => Err(CallError::of_report(
                answer.report,
                answer.error.filter(|_| !is_cancelled),
                self.context(Notation::Tile),
            )),
        }
    }

    /// The context for drawing a report.
    pub(crate) fn context(&self, notation: Notation) -> Context {
        Context {
            goal: self.solver.goal().clone(),
            notation,
        }
    }
}

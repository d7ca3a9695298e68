//! Estimates of many boards at once.
//!
//! To read a value n from a one-bit table, [`Solver::estimate`] makes n steps to the goal, and
//! every step tries several moves. This module looks up many boards together
//! (`tables/table_batch.rs`). Precomputed row paths replace the steps, and many entries are
//! prefetched before the first of them is read.

use std::sync::Mutex;

use pdb_table::{Code, codes};
use puzzle::{Board, BoardError, Tray};

use super::solver::Solver;
use crate::calls::{SolveError, SolveOptions};
use crate::tables::Batch;
use crate::threads::{lock, run_all};

/// Error of [`Solver::estimates`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EstimatesError {
    /// The numbers of a board are invalid.
    #[error("board {number}: {error}")]
    Numbers {
        /// Number of the board, from 0.
        number: usize,
        /// Reason.
        error: BoardError,
    },
    /// A board has no solution, or a table is damaged.
    #[error("board {number}: {error}")]
    Board {
        /// Number of the board, from 0.
        number: usize,
        /// Reason.
        error: SolveError,
    },
    /// The list of numbers does not contain exactly one board per value.
    #[error("{numbers} numbers for {values} boards of {tray}: expected {}", values * tray.cells())]
    Length {
        /// Length of the list of numbers.
        numbers: usize,
        /// Length of the list of values.
        values: usize,
        /// Size of the boards.
        tray: Tray,
    },
    /// The token of the options was cancelled.
    #[error("cancelled")]
    Cancelled,
}

codes! {
    EstimatesError {
        EstimatesError::Board { error,
        .. } => error.code(),
        EstimatesError::Cancelled => Code::Cancelled,
        _ => Code::Input,
    }
}

/// Number of boards per task. The cancellation token is checked between tasks.
const PIECE: usize = 1024;

impl Solver {
    /// [`Self::estimate`] of many boards. `boards` contains one board after another: the numbers of
    /// each board in reading order, as bytes or as `u16`. All boards must have a solution. Of the
    /// options, only the number of threads and the cancellation token are used.
    ///
    /// In single moves and on trays of up to 64 cells, a board takes about a microsecond. With
    /// one-bit tables, this speed needs row paths, which take 8 bytes per row of the tables. The
    /// first call with at least one board per ten rows (4,000 boards for 6-6-3) computes the row
    /// paths, and the solver keeps them.
    ///
    /// # Errors
    /// [`EstimatesError`] of the first board with an error.
    ///
    /// ```
    /// use puzzle::{Goal, HeuristicSpec};
    /// use solver::{SolveOptions, Solver};
    ///
    /// let goal = Goal::blank_last("3x3".parse()?);
    /// let solver = Solver::build(goal.clone(), HeuristicSpec::parse("8", &goal)?)?;
    /// let boards = [8, 6, 7, 2, 5, 4, 3, 0, 1, 1, 2, 3, 4, 5, 6, 7, 0, 8_u8];
    /// let mut values = [0; 2];
    /// solver.estimates(&boards, &mut values, &SolveOptions::default())?;
    /// assert_eq!(values, [31, 1]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn estimates<N: Copy + Into<u16> + Sync>(
        &self,
        boards: &[N],
        values: &mut [u16],
        options: &SolveOptions,
    ) -> Result<(), EstimatesError> {
        let tray = self.goal().tray();
        if boards.len() != values.len() * tray.cells() {
            return Err(EstimatesError::Length {
                numbers: boards.len(),
                values: values.len(),
                tray,
            });
        }
        let count = values.len();
        let tables = self.search.start.slide_tables();
        let batch = tables.and_then(|tables| tables.batch(self.goal(), count));
        let pieces = boards.chunks(PIECE * tray.cells());
        let pieces = pieces.zip(values.chunks_mut(PIECE)).enumerate();
        let failed: Mutex<Option<(usize, EstimatesError)>> = Mutex::default();
        // Tasks start in the order of the pieces. When a piece fails, all earlier pieces have
        // started and are checked, so the first board with an error is reported.
        let tasks = pieces.map(|(piece, (boards, values))| {
            let (batch, failed) = (batch.as_deref(), &failed);
            move || {
                if lock(failed).is_some() {
                    return;
                }
                // With the number `usize::MAX`, cancellation never replaces the error of a board.
                let (number, done) = match options.cancel.is_cancelled() {
                    true => (usize::MAX, Err(EstimatesError::Cancelled)),
                    false => (piece, self.piece(batch, boards, values, piece * PIECE)),
                };
                let Err(error) = done else { return };
                let failed = &mut *lock(failed);
                if failed.as_ref().is_none_or(|(old, _)| number < *old) {
                    *failed = Some((number, error));
                }
            }
        });
        let threads = match count.div_ceil(PIECE) {
            0 | 1 => 1,
            pieces => options.thread_count().min(pieces),
        };
        run_all(tasks, threads - 1);
        let failed = lock(&failed).take();
        failed.map_or(Ok(()), |(_, error)| Err(error))
    }

    /// Computes the values of one piece of the list of boards. `first` is the number of the piece's
    /// first board.
    fn piece<N: Copy + Into<u16>>(
        &self,
        batch: Option<&Batch>,
        boards: &[N],
        values: &mut [u16],
        first: usize,
    ) -> Result<(), EstimatesError> {
        let cells = self.goal().tray().cells();
        let bytes: Vec<u8> = match batch {
            // Batches exist only for boards whose numbers are below 255.
            Some(_) => boards.iter().map(|&n| n.into().min(255) as u8).collect(),
            None => Vec::new(),
        };
        let mut done = 0;
        while done < values.len() {
            if let Some(batch) = batch {
                match batch(&bytes[done * cells..], &mut values[done..]) {
                    Ok(()) => return Ok(()),
                    Err(row) => done += row,
                }
            }
            // The batch function does not exist, or it has rejected this board.
            let numbers: Vec<u32> = boards[done * cells..][..cells]
                .iter()
                .map(|&number| u32::from(number.into()))
                .collect();
            let number = first + done;
            let board = Board::new(self.goal().tray(), &numbers);
            let board = board.map_err(|error| EstimatesError::Numbers { number, error })?;
            let value = self.estimate(&board);
            let value = value.map_err(|error| EstimatesError::Board { number, error })?;
            values[done] = value as u16;
            done += 1;
        }
        Ok(())
    }
}

//! Bounds on a board's distance from the goal, updated from move to move.

use std::time::Duration;

use puzzle::{Board, Direction, Metric, invert_moves};

use super::{TileMove, step_length};
use crate::calls::{Call, Mode, SolveError, SolveOptions};
use crate::facade::Solver;
use crate::machine::Instant;

/// A board, its best known solution, and its proved bound.
#[derive(Clone, Debug)]
pub(super) struct Distance {
    pub(super) board: Board,
    /// The best known solution.
    pub(super) path: Vec<Direction>,
    /// The length of the solution in the solver's metric: no shortest solution is longer.
    pub(super) upper: u32,
    /// Proved bound: no solution is shorter.
    pub(super) lower: u32,
}

impl Distance {
    pub(super) fn is_exact(&self) -> bool {
        self.lower == self.upper
    }
}

/// Finds distances for one call.
///
/// Without limits every distance is exact. With a limit of time or nodes, the first board is solved
/// in anytime mode, if the metric is single-tile. If the distance of this board is not proved, all
/// distances are lengths of the best known solutions. The searches of the other boards share the
/// rest of the limit.
pub(super) struct Finder<'a> {
    solver: &'a Solver,
    call: Call<'a>,
    pub(super) generated: u64,
}

impl<'a> Finder<'a> {
    pub(super) fn begin(solver: &'a Solver, options: &'a SolveOptions) -> Self {
        Finder {
            solver,
            call: Call::begin(options),
            generated: 0,
        }
    }

    pub(super) fn metric(&self) -> Metric {
        self.solver.metric()
    }

    fn has_limits(&self) -> bool {
        self.call.options.max_time.is_some() || self.call.options.max_nodes.is_some()
    }

    /// The options of an anytime search with this share of the remaining limits.
    fn share(&self, share: f64) -> SolveOptions {
        let mut options = self.call.options.clone().mode(Mode::Anytime);
        (options.improved, options.within) = (None, None);
        if let Some(deadline) = self.call.deadline {
            let left = deadline.saturating_duration_since(Instant::now());
            options.max_time = Some(left.mul_f64(share).max(Duration::from_millis(1)));
        }
        if let Some(nodes) = self.call.options.max_nodes {
            let left = nodes.saturating_sub(self.generated) as f64 * share;
            options.max_nodes = Some((left as u64).max(1));
        }
        options
    }

    /// Solves the first board of a call. In the single-tile metric, the search may use the fraction
    /// `share` of the call's limits.
    pub(super) fn first(&mut self, board: &Board, share: f64) -> Result<Distance, SolveError> {
        let found = match self.has_limits() {
            // With limits, the single-tile metric uses the anytime mode.
            true if self.metric() == Metric::Single => {
                self.solver.solve_with(board, &self.share(share))?
            }
            _ => {
                let options = self.call.options.clone().mode(Mode::Optimal);
                self.solver.solve_with(board, &options)?
            }
        };
        self.generated += found.stats.generated;
        Ok(Distance {
            board: board.clone(),
            upper: found.length,
            lower: match found.is_optimal {
                true => found.length,
                false => found.lower_bound,
            },
            path: found.moves,
        })
    }

    /// The distance after a move. If the move does not begin the known solution, a search is
    /// needed, which may use `share` of the remaining limits.
    pub(super) fn after(
        &mut self,
        known: &Distance,
        step: &TileMove,
        share: f64,
    ) -> Result<Distance, SolveError> {
        let board = known.board.play(&step.moves)?;
        let first = step_length(&known.path, self.metric());
        if known.path[..first] == step.moves[..] {
            return Ok(Distance {
                board,
                path: known.path[first..].to_vec(),
                upper: known.upper - 1,
                lower: known.lower.saturating_sub(1),
            });
        }
        // One path is known: it undoes the move and then solves the board before the move.
        let mut path = invert_moves(&step.moves);
        path.extend_from_slice(&known.path);
        let upper = self.metric().length(&path) as u32;
        let estimate = self.solver.estimate(&board)?;
        let mut next = Distance {
            board,
            path,
            upper,
            lower: estimate.max(known.lower.saturating_sub(1)),
        };
        let is_left_open = known.is_exact() && self.settle(&mut next, share)?;
        if !known.is_exact() || is_left_open {
            self.improve(&mut next, share)?;
        }
        Ok(next)
    }

    /// The distance of the board before `step`. `known` is the distance of the board after `step`.
    pub(super) fn before(
        &mut self,
        known: &Distance,
        step: &TileMove,
        share: f64,
    ) -> Result<Distance, SolveError> {
        let back = invert_moves(&step.moves);
        match TileMove::first(&known.board, &back, self.metric()) {
            Some(back) => self.after(known, &back, share),
            None => Ok(known.clone()),
        }
    }

    /// Proves a distance whose bounds are close to each other. Returns `true` if the distance
    /// remains unproved because `share` of the remaining limits was not enough or the call was
    /// cancelled.
    fn settle(&mut self, known: &mut Distance, share: f64) -> Result<bool, SolveError> {
        self.raise(known);
        let options = match self.has_limits() {
            true => self.share(share),
            false => self.call.options.clone(),
        };
        let (call, mut generated) = (Call::begin(&options), 0);
        let is_left_open = loop {
            if known.lower >= known.upper {
                break false;
            }
            let (solver, length) = (self.solver, known.lower);
            let found = solver.at_most(&known.board, length, &call, &mut generated);
            match found {
                Ok(Some(path)) => (known.path, known.upper) = (path, length),
                Ok(None) => known.lower += 1,
                Err(SolveError::Limit(_)) => break true,
                Err(error) => return Err(error),
            }
            self.raise(known);
        };
        self.generated += generated;
        Ok(is_left_open)
    }

    /// In single moves, the lengths of all solutions are even, or all are odd. If only one of the
    /// two bounds is even, this function raises the lower bound by one.
    fn raise(&self, known: &mut Distance) {
        known.lower = self.whole(known.lower, known.upper);
    }

    /// Returns `lower`. In the single-tile metric, adds one if only one of `lower` and `upper` is
    /// even.
    pub(super) fn whole(&self, lower: u32, upper: u32) -> u32 {
        match self.metric() {
            Metric::Single => lower + (upper.wrapping_sub(lower) & 1),
            Metric::Multi => lower,
        }
    }

    fn improve(&mut self, known: &mut Distance, share: f64) -> Result<(), SolveError> {
        self.raise(known);
        let is_cancelled = self.call.options.cancel.is_cancelled();
        if known.is_exact() || self.metric() == Metric::Multi || is_cancelled {
            return Ok(());
        }
        let found = match self.solver.solve_with(&known.board, &self.share(share)) {
            Ok(found) => found,
            Err(SolveError::Limit(_)) => return Ok(()),
            Err(error) => return Err(error),
        };
        self.generated += found.stats.generated;
        known.lower = known.lower.max(found.lower_bound);
        if found.length < known.upper {
            (known.path, known.upper) = (found.moves, found.length);
        }
        self.raise(known);
        Ok(())
    }
}

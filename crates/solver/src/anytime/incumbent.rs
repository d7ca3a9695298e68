//! The best solution so far, and the remaining limits of the call.

use std::time::Duration;

use puzzle::Direction;

use super::window::{Pass, PassLimits, Windows};
use crate::boards::tile_moves;
use crate::calls::{Call, Improvement, Method, Problem, SearchStats, Solution};
use crate::machine::Instant;

/// Default memory limit per board, in bytes.
const MAX_MEMORY: u64 = 1 << 30;

/// The best solution of a call so far, and its cost.
pub(super) struct Incumbent<'a> {
    pub(super) problem: &'a Problem<'a>,
    pub(super) call: &'a Call<'a>,
    begun: Option<Instant>,
    pub(super) best: Solution,
    pub(super) stats: SearchStats,
}

impl<'a> Incumbent<'a> {
    /// `moves` is the first solution, `h0` is the heuristic's value of the board, and `begun` is
    /// the start of the call.
    pub(super) fn new(
        problem: &'a Problem<'a>,
        call: &'a Call<'a>,
        begun: Option<Instant>,
        moves: Vec<Direction>,
        h0: u32,
    ) -> Self {
        Incumbent {
            problem,
            call,
            begun,
            best: problem.solution(moves, Method::Strategic, h0),
            stats: SearchStats::new(h0, Vec::new()),
        }
    }

    /// Replaces the best solution if this one is better.
    pub(super) fn improve(&mut self, moves: Vec<Direction>, method: Method) {
        let bound = self.best.lower_bound;
        let found = self.problem.solution(moves, method, bound);
        if found.length < self.best.length && self.problem.is_solved_by(&found.moves) {
            self.best = found;
            self.report();
        }
    }

    pub(super) fn report(&self) {
        let Some(listener) = &self.call.options.improved else {
            return;
        };
        listener.report(&Improvement {
            solution: Solution {
                is_optimal: self.is_proved(),
                stats: self.stats.clone(),
                ..self.best.clone()
            },
            elapsed: self.begun.map_or(Duration::ZERO, |begun| begun.elapsed()),
        });
    }

    pub(super) fn is_proved(&self) -> bool {
        self.best.length <= self.best.lower_bound
    }

    /// Whether the solution is good enough for the call, or a limit is reached.
    pub(super) fn is_over(&self) -> bool {
        let bound = f64::from(self.best.lower_bound);
        let is_near = |share: f64| f64::from(self.best.length) <= bound * (1.0 + share) + 1e-9;
        self.is_proved()
            || self.call.options.within.is_some_and(is_near)
            || self.nodes_left() == 0
            || self.call.is_over()
    }

    pub(super) fn nodes_left(&self) -> u64 {
        let most = self.call.options.max_nodes.unwrap_or(u64::MAX);
        most.saturating_sub(self.stats.generated)
    }

    pub(super) fn time_left(&self) -> Option<Duration> {
        let end = self.call.deadline?;
        Some(end.saturating_duration_since(Instant::now()))
    }

    pub(super) fn max_memory(&self) -> u64 {
        self.call.options.max_memory.unwrap_or(MAX_MEMORY)
    }

    /// Runs a pass of windows over a path.
    pub(super) fn pass(&mut self, windows: &mut Windows, pass: &Pass) {
        let call = self.call;
        let before = windows.path.len();
        let limits = PassLimits {
            permits: call.permits(),
            is_over: &|| call.is_over(),
            max_nodes: self.nodes_left(),
        };
        self.stats.generated += windows.pass(pass, &limits).max(1);
        if windows.path.len() < before {
            self.improve(tile_moves(&windows.path), Method::Window);
        }
    }
}

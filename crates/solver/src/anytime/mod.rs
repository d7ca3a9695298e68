//! A solution at once, then shorter ones, until one is proved or a limit is reached.
//!
//! - The first solution is the strategic one, which takes a millisecond.
//! - Then slices of work of growing size take turns: IDA* from the proved lower bound up to the
//!   length of the best solution, which proves; and beam search, which finds. A beam whose slice
//!   is larger is wider. The last slice takes all the time that is left, and its width follows the
//!   clock, so that it ends in time.
//! - `beam.rs`: the layered search; `layer.rs`: the children of a layer; `guide.rs`: what a beam
//!   goes by; `table_guide.rs`: tables; `tile_terms.rs`: what tables do not know.

mod beam;
mod free;
mod guide;
mod layer;
mod pace;
mod table_guide;
mod task;
mod tile_terms;
mod window;

use std::time::Duration;

use pdb_table::Progress;
use puzzle::{Board, Direction, State};

use crate::clock::{HAS_CLOCK, Instant};
use crate::options::Call;
use crate::search::{Request, SearchStatus};
use crate::solver::Solver;
use crate::{Improvement, Method, SearchStats, Solution, SolveError, SolveOptions, strategic};

use beam::{LayerStatus, tile_moves};
use pace::Pace;

pub(crate) use beam::BeamEnd;
pub(crate) use task::BeamTask;

/// Nodes of the first slice: some milliseconds.
const FIRST_SLICE: u64 = 100_000;
/// Each slice is so many times as large as the one before, and one that leaves less than so many of
/// its kind takes all that is left: so the last beam has nine tenths of the work.
const GROWTH: u64 = 8;
const LAST: u64 = 12;
/// Moves of a narrow beam's solution for each unit of the estimate, before one was found.
const MOVES_PER_BOUND: f64 = 1.5;
/// IDA* gets this part of a slice on trays on which it seldom proves anything, and so many slices
/// on small ones, whose boards it solves in less time than a beam.
const PROOF_SHARE: u64 = 16;
/// Trays of up to this many cells are proved more often than not.
const SMALL_TRAY: usize = 16;
/// The most memory for a board by default.
const MAX_MEMORY: u64 = 1 << 30;

/// A call of [`Solver::solve_with`] in [`Mode::Anytime`](crate::Mode::Anytime).
pub(crate) struct Anytime<'a> {
    solver: &'a Solver,
    board: &'a Board,
    state: &'a State,
    call: &'a Call<'a>,
    options: &'a SolveOptions,
    begun: Option<Instant>,
    best: Solution,
    stats: SearchStats,
    /// Beams so far: each chooses in another way.
    beams: u64,
    /// How long the last beam took for a child, and for a node of a layer.
    child_seconds: Option<f64>,
    node_seconds: Option<f64>,
    /// The smallest bound of each layer of the last beam.
    bounds: Vec<u32>,
    /// Moves of the last beam's solution for each unit of the estimate.
    moves_per_bound: f64,
    free: free::Free,
}

impl<'a> Anytime<'a> {
    /// Solves a board that can be solved.
    pub(crate) fn solve(
        solver: &'a Solver,
        board: &'a Board,
        state: &'a State,
        call: &'a Call<'a>,
        options: &'a SolveOptions,
    ) -> Result<Solution, SolveError> {
        let mut anytime = Anytime::begin(solver, board, state, call, options)?;
        anytime.report();
        let mut slice = FIRST_SLICE;
        while !anytime.is_over() {
            anytime.prove(slice)?;
            if anytime.is_over() {
                break;
            }
            anytime.beam(slice)?;
            slice = slice.saturating_mul(GROWTH);
        }
        Ok(Solution {
            is_optimal: anytime.is_proved(),
            stats: anytime.stats,
            ..anytime.best
        })
    }

    /// With the first solution, the strategic one.
    fn begin(
        solver: &'a Solver,
        board: &'a Board,
        state: &'a State,
        call: &'a Call<'a>,
        options: &'a SolveOptions,
    ) -> Result<Self, SolveError> {
        let begun = HAS_CLOCK.then(Instant::now);
        let moves = strategic::explain(solver.goal(), state).map(|explanation| explanation.moves);
        let h0 = solver.estimate_of(state)?;
        let stats = SearchStats::new(h0, Vec::new());
        let best = Solution {
            lower_bound: h0,
            ..solver.solution(moves.unwrap_or_default(), Method::Strategic)
        };
        Ok(Anytime {
            solver,
            board,
            state,
            call,
            options,
            begun,
            best,
            stats,
            beams: 0,
            child_seconds: None,
            node_seconds: None,
            bounds: Vec::new(),
            moves_per_bound: MOVES_PER_BOUND,
            free: free::Free::default(),
        })
    }

    /// Takes a better solution.
    fn improve(&mut self, moves: Vec<Direction>, method: Method) {
        let found = self.solver.solution(moves, method);
        if found.length < self.best.length && self.solver.solves(self.board, &found.moves) {
            self.best = Solution {
                lower_bound: self.best.lower_bound,
                ..found
            };
            self.report();
        }
    }

    fn report(&self) {
        let Some(listener) = &self.options.improved else {
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

    fn is_proved(&self) -> bool {
        self.best.length <= self.best.lower_bound
    }

    /// Whether nothing more is wanted, or may be done.
    fn is_over(&self) -> bool {
        let bound = f64::from(self.best.lower_bound);
        let is_near = |share: f64| f64::from(self.best.length) <= bound * (1.0 + share) + 1e-9;
        self.is_proved()
            || self.options.within.is_some_and(is_near)
            || self.nodes_left() == 0
            || self.call.is_over()
    }

    /// IDA* from the proved lower bound for a share of a slice.
    fn prove(&mut self, slice: u64) -> Result<(), SolveError> {
        let is_small = self.state.tray().cells() <= SMALL_TRAY;
        let nodes = if is_small {
            slice.saturating_mul(PROOF_SHARE)
        } else {
            slice / PROOF_SHARE
        };
        let before = self.stats.generated;
        let mut limits = self.call.limits(before);
        let relay = limits.progress.map(|progress| {
            move |status: &SearchStatus| {
                let generated = before + status.generated;
                progress.report(&SearchStatus {
                    generated,
                    ..*status
                });
            }
        });
        limits.progress = relay.as_ref().map(|relay| relay as &dyn Progress<_>);
        limits.nodes = Some(limits.nodes.map_or(nodes, |left| left.min(nodes)));
        limits.from = self.best.lower_bound;
        limits.until = Some(self.best.length);
        let request = Request::Shortest(self.options.pruning);
        let outcome = self.solver.search(self.state, request, limits)?;
        self.best.lower_bound = self.best.lower_bound.max(outcome.bound);
        let cost = SearchStats::new(outcome.h0, outcome.iterations);
        self.stats.generated += cost.generated;
        self.stats.expanded += cost.expanded;
        self.stats.iterations.extend(cost.iterations);
        if let Some(moves) = outcome.solutions.into_iter().next() {
            self.improve(moves, Method::Search);
        }
        Ok(())
    }

    /// A beam search that is as large as the slice, or takes all that is left if that is little
    /// more.
    fn beam(&mut self, slice: u64) -> Result<(), SolveError> {
        let options = self.options;
        let (mut nodes, mut until) = (slice, None);
        if self.nodes_left() < LAST.saturating_mul(slice) {
            nodes = self.nodes_left();
        }
        if let Some(end) = self.call.deadline() {
            let left = end.saturating_duration_since(Instant::now());
            let is_last = self.child_seconds.is_some_and(|seconds| {
                left.as_secs_f64() < seconds * LAST.saturating_mul(slice) as f64
            });
            until = Some(if is_last { end - left / RESERVE } else { end });
            if is_last && options.max_nodes.is_none() {
                nodes = u64::MAX;
            }
        }
        let seed = options.seed.wrapping_add(self.beams);
        let h0 = self.stats.h0;
        let length = f64::from(h0) * self.moves_per_bound;
        // Lengths of all solutions have the same parity.
        let max_length = self.best.length.saturating_sub(2);
        let bounds = std::mem::take(&mut self.bounds);
        let mut pace = Pace::new(
            nodes,
            until,
            self.max_width(),
            h0,
            length,
            max_length,
            bounds,
        );
        pace.node_seconds = self.node_seconds;
        let begun = HAS_CLOCK.then(Instant::now);
        let (before, lower_bound) = (self.stats.generated, self.best.lower_bound);
        let mut generated = 0;
        let mut width = |status: &LayerStatus| {
            generated = status.generated;
            if let Some(progress) = &options.progress {
                progress.report(&SearchStatus {
                    bound: lower_bound,
                    generated: before + generated,
                    threads: 1,
                    ..SearchStatus::default()
                });
            }
            pace.width(status)
        };
        let call = self.call;
        let task = BeamTask {
            seed,
            h0,
            max_length,
            permits: call.permits(),
            is_over: &|| call.is_over(),
            width: &mut width,
        };
        let end = self.solver.beam(self.state, task)?;
        self.node_seconds = pace.node_seconds;
        self.bounds = pace.bounds;
        self.stats.generated += generated;
        self.beams += 1;
        if let Some(begun) = begun {
            self.child_seconds = Some(begun.elapsed().as_secs_f64() / generated.max(1) as f64);
        }
        match end {
            Some(BeamEnd::Solved(path)) => {
                let moves = tile_moves(&path);
                self.moves_per_bound = moves.len() as f64 / f64::from(self.stats.h0.max(1));
                self.improve(moves, Method::Beam);
                self.shorten_best(generated / WINDOW_SHARE);
            }
            Some(BeamEnd::Exhausted { is_proof: true }) => {
                self.best.lower_bound = self.best.length;
            }
            None => self.search_free(slice),
            Some(_) => {}
        }
        Ok(())
    }

    /// Nodes that the options still allow.
    fn nodes_left(&self) -> u64 {
        let most = self.options.max_nodes.unwrap_or(u64::MAX);
        most.saturating_sub(self.stats.generated)
    }

    fn max_memory(&self) -> u64 {
        self.options.max_memory.unwrap_or(MAX_MEMORY)
    }

    /// The widest beam that the memory has room for.
    fn max_width(&self) -> usize {
        let memory = self.max_memory();
        let cells = self.state.tray().cells() as u64;
        // Two layers of nodes; children twice, with their hashes' slots; and a word for each layer.
        let node = 2 * (cells.next_multiple_of(8) + 48) + CHILDREN * (16 + 16 + 8);
        let trail = 4 * u64::from(self.best.length);
        usize::try_from(memory / (node + trail))
            .unwrap_or(usize::MAX)
            .min(MAX_WIDTH)
    }
}

/// The part of the time left that the last beam leaves for what comes after its last layer.
const RESERVE: u32 = 60;
/// Windows get this part of the nodes of a beam by tables.
const WINDOW_SHARE: u64 = 16;
/// Children of a node for which there is room.
const CHILDREN: u64 = 3;
/// The widest beam: numbers of nodes fit 30 bits.
const MAX_WIDTH: usize = 1 << 28;

#[cfg(test)]
mod tests;

//! Slices of work that alternate between proofs by IDA* and beams with windows.

use pdb_table::Progress;
use puzzle::Metric;

use super::beam::{BeamEnd, BeamTask, LayerStatus};
use super::beam_width::BeamWidth;
use super::free::FreeSearch;
use super::incumbent::Incumbent;
use crate::boards::{LEARNED, tile_moves};
use crate::calls::{
    Call, Method, Problem, Request, SearchStats, SearchStatus, Solution, SolveError,
};
use crate::machine::{HAS_CLOCK, Instant};
use crate::sides::Sides;
use crate::strategic;
use crate::tables::DamagedTable;

/// Nodes of the first slice: a few milliseconds of work.
const FIRST_SLICE: u64 = 100_000;
/// Each slice is 8 times the previous one. If less than 12 times the current slice remains, the
/// slice is extended to all the remaining work. The earlier slices are small in comparison, so the
/// last beam does about nine tenths of all work.
const GROWTH: u64 = 8;
const LAST: u64 = 12;
/// Assumed length of a narrow beam's solution, divided by the root's estimate. It is used until a
/// beam has found a solution.
const MOVES_PER_BOUND: f64 = 1.5;
/// On large trays, IDA* receives 1/`PROOF_SHARE` of a slice, because it rarely proves anything. On
/// small trays, it receives `PROOF_SHARE` times the slice, because it solves their boards in less
/// time than a beam; in the multi-tile metric as much as the slice.
const PROOF_SHARE: u64 = 16;
/// On trays of up to this number of cells, proofs usually succeed.
const SMALL_TRAY: usize = 16;
/// The deadline of the last beam is earlier than the deadline of the call, by 1/`RESERVE` of the
/// remaining time. This time is for work on the beam's solution.
const RESERVE: u32 = 60;
/// The windows after a beam guided by tables generate about 1/`WINDOW_SHARE` as many nodes as the
/// beam.
const WINDOW_SHARE: u64 = 16;
/// Cost in single moves of a turn, which begins another multi-tile move. Solutions of 12 random
/// boards of 5x5 (3 million nodes) then have 57.7 multi-tile moves, and of 8 boards of 6x6 (5
/// million) 93.2; solutions of the single-tile metric 71.8 and 119.5. Half the cost gives 61.8 on
/// 5x5, twice the cost 115.5 on 6x6.
const TURN: u16 = 2;
/// Number of children per node that the memory estimate assumes.
const CHILDREN: u64 = 3;
/// Maximum width of a beam. It must be less than 2^30, because a path stores the index of a node's
/// parent in 30 bits.
const MAX_WIDTH: usize = 1 << 28;

/// Solves a board in [`Mode::Anytime`](crate::Mode::Anytime).
///
/// `guide` returns the search whose tables guide the beams, which count single moves.
pub(crate) fn solve<'a>(
    search: &'a Sides,
    guide: &'a dyn Fn() -> Option<&'a Sides>,
    problem: &'a Problem,
    call: &'a Call,
) -> Result<Solution, SolveError> {
    let mut slices = Slices::begin(search, guide, problem, call)?;
    slices.incumbent.report();
    let mut slice = FIRST_SLICE;
    while !slices.incumbent.is_over() {
        slices.prove(slice)?;
        if slices.incumbent.is_over() {
            break;
        }
        slices.beam(slice)?;
        slice = slice.saturating_mul(GROWTH);
    }
    let incumbent = slices.incumbent;
    Ok(Solution {
        is_optimal: incumbent.is_proved(),
        stats: incumbent.stats,
        ..incumbent.best
    })
}

/// A call, and the results that each slice passes on to the next slices.
pub(super) struct Slices<'a> {
    search: &'a Sides,
    guide: &'a dyn Fn() -> Option<&'a Sides>,
    pub(super) incumbent: Incumbent<'a>,
    /// Number of beams so far; each breaks ties differently.
    beams: u64,
    /// Seconds per child in the last beam.
    child_seconds: Option<f64>,
    /// Seconds per expanded node in the last beam.
    node_seconds: Option<f64>,
    /// The smallest bound of each layer of the last beam.
    bounds: Vec<u32>,
    /// Length of the last beam's solution, divided by the root's estimate.
    moves_per_bound: f64,
    pub(super) free: FreeSearch,
}

impl<'a> Slices<'a> {
    /// Begins with the first solution, the strategic one.
    pub(super) fn begin(
        search: &'a Sides,
        guide: &'a dyn Fn() -> Option<&'a Sides>,
        problem: &'a Problem<'a>,
        call: &'a Call<'a>,
    ) -> Result<Self, DamagedTable> {
        let begun = HAS_CLOCK.then(Instant::now);
        let explanation = strategic::explain(problem.goal, &problem.state);
        let moves = explanation.map(|explanation| explanation.moves);
        let h0 = search.start.estimate(&problem.state)?;
        Ok(Slices {
            search,
            guide,
            incumbent: Incumbent::new(problem, call, begun, moves.unwrap_or_default(), h0),
            beams: 0,
            child_seconds: None,
            node_seconds: None,
            bounds: Vec::new(),
            moves_per_bound: MOVES_PER_BOUND,
            free: FreeSearch::default(),
        })
    }

    /// Runs IDA* from the proved lower bound. Its node limit is the slice multiplied or divided by
    /// `PROOF_SHARE`.
    fn prove(&mut self, slice: u64) -> Result<(), SolveError> {
        let Incumbent {
            problem,
            call,
            best,
            stats,
            ..
        } = &mut self.incumbent;
        let nodes = match (problem.state.tray().cells() <= SMALL_TRAY, problem.metric) {
            (true, Metric::Single) => slice.saturating_mul(PROOF_SHARE),
            (true, Metric::Multi) => slice,
            (false, _) => slice / PROOF_SHARE,
        };
        let before = stats.generated;
        let mut limits = call.limits(before);
        let relay = limits.progress.map(|progress| {
            move |status: &SearchStatus| {
                progress.report(&SearchStatus {
                    generated: before + status.generated,
                    ..*status
                });
            }
        });
        limits.progress = relay.as_ref().map(|relay| relay as &dyn Progress<_>);
        limits.nodes = Some(limits.nodes.map_or(nodes, |left| left.min(nodes)));
        limits.from = best.lower_bound;
        limits.until = Some(best.length);
        let request = Request::Shortest(call.options.pruning);
        let outcome = self.search.search(&problem.state, request, limits)?;
        best.lower_bound = best.lower_bound.max(outcome.bound);
        let cost = SearchStats::new(outcome.h0, outcome.iterations);
        stats.generated += cost.generated;
        stats.expanded += cost.expanded;
        stats.iterations.extend(cost.iterations);
        if let Some(moves) = outcome.solutions.into_iter().next() {
            self.incumbent.improve(moves, Method::Search);
        }
        Ok(())
    }

    /// Node limit and deadline of the next beam. The beam does the work of one slice. If less than
    /// `LAST` times the slice remains, the beam does all the remaining work.
    fn beam_limits(&self, slice: u64) -> (u64, Option<Instant>) {
        let (options, left) = (self.incumbent.call.options, self.incumbent.nodes_left());
        let is_last = left < LAST.saturating_mul(slice);
        let nodes = if is_last { left } else { slice };
        let Some(end) = self.incumbent.call.deadline else {
            return (nodes, None);
        };
        let left = end.saturating_duration_since(Instant::now());
        let is_last = self.child_seconds.is_some_and(|seconds| {
            left.as_secs_f64() < seconds * LAST.saturating_mul(slice) as f64
        });
        match is_last {
            true if options.max_nodes.is_none() => (u64::MAX, Some(end - left / RESERVE)),
            true => (nodes, Some(end - left / RESERVE)),
            false => (nodes, Some(end)),
        }
    }

    /// Runs a beam search that does the work of one slice, or all the remaining work.
    pub(super) fn beam(&mut self, slice: u64) -> Result<(), DamagedTable> {
        let (nodes, until) = self.beam_limits(slice);
        let Incumbent {
            problem,
            call,
            best,
            stats,
            ..
        } = &self.incumbent;
        let call = *call;
        let guide = (self.guide)();
        // Beams count single moves.
        let h0 = guide.map_or(Ok(stats.h0), |guide| guide.start.estimate(&problem.state))?;
        let (turn, max_length) = match problem.metric {
            // The lengths of all solutions have the same parity, so a shorter solution has at least
            // two moves less.
            Metric::Single => (0, best.length.saturating_sub(2)),
            // A solution with fewer multi-tile moves can have more single moves.
            Metric::Multi => (TURN, best.moves.len() as u32),
        };
        let mut beam_width = BeamWidth::new(
            nodes,
            until,
            self.max_width(),
            h0,
            f64::from(h0) * self.moves_per_bound,
            max_length,
            std::mem::take(&mut self.bounds),
        );
        beam_width.node_seconds = self.node_seconds;
        let begun = HAS_CLOCK.then(Instant::now);
        let mut generated = 0;
        let mut width = |status: &LayerStatus| {
            generated = status.generated;
            if let Some(progress) = &call.options.progress {
                progress.report(&SearchStatus {
                    bound: best.lower_bound,
                    generated: stats.generated + generated,
                    threads: 1,
                    ..SearchStatus::default()
                });
            }
            beam_width.next(status)
        };
        let task = BeamTask {
            seed: call.options.seed.wrapping_add(self.beams),
            h0,
            max_length,
            permits: call.permits(),
            weights: LEARNED,
            turn,
            #[cfg(any(test, feature = "train"))]
            samples: None,
            is_over: &|| call.is_over(),
        };
        let end = match guide.and_then(|guide| guide.start.slide_tables()) {
            Some(tables) => task.run_by_tables(tables, &problem.state, &mut width)?,
            None => None,
        };
        self.node_seconds = beam_width.node_seconds;
        self.bounds = beam_width.bounds;
        self.incumbent.stats.generated += generated;
        self.beams += 1;
        if let Some(begun) = begun {
            self.child_seconds = Some(begun.elapsed().as_secs_f64() / generated.max(1) as f64);
        }
        match end {
            Some(BeamEnd::Solved(path)) => {
                let moves = tile_moves(&path);
                self.moves_per_bound = moves.len() as f64 / f64::from(h0.max(1));
                let incumbent = &mut self.incumbent;
                incumbent.improve(moves, Method::Beam);
                self.free.shorten_best(incumbent, generated / WINDOW_SHARE);
            }
            Some(BeamEnd::Exhausted { is_proof: true }) => {
                self.incumbent.best.lower_bound = self.incumbent.best.length;
            }
            None => self.free.search(&mut self.incumbent, slice),
            Some(_) => {}
        }
        Ok(())
    }

    /// Maximum beam width that fits the memory.
    fn max_width(&self) -> usize {
        let cells = self.incumbent.problem.state.tray().cells() as u64;
        // Bytes per node of a layer. `node` covers one node in each of two layers, and the children
        // of one node: two records and 8 bytes of hash slots per child. `trail` covers 4 bytes per
        // layer of the beam.
        let node = 2 * (cells.next_multiple_of(8) + 48) + CHILDREN * (16 + 16 + 8);
        let trail = 4 * u64::from(self.incumbent.best.length);
        let width = self.incumbent.max_memory() / (node + trail);
        usize::try_from(width).unwrap_or(usize::MAX).min(MAX_WIDTH)
    }
}

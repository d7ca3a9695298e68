//! The anytime search that is used if no tables can guide a beam. Beams follow the steps of the
//! human method, and each round uses beams twice as wide as the previous one. Windows then shorten
//! the paths that the beams find.

use super::incumbent::Incumbent;
use super::window::{MAX_THREADS, Pass, Windows};
use crate::boards::{blank_moves, mix};
use crate::calls::Method;
use crate::machine::{HAS_CLOCK, Instant};
use crate::strategic::{Effort, StrategicBeamEnd, run_beam};
use crate::threads::run_all;

/// A path, and the number of window passes over it.
#[derive(Clone, Debug)]
struct Candidate {
    windows: Windows,
    passes: usize,
}

/// State shared by the rounds.
#[derive(Default, Debug)]
pub(super) struct FreeSearch {
    attempts: u32,
    /// The width of the next round's beams; 0 before the first round.
    width: usize,
    /// Number of nodes of the last round's largest beam.
    beam_nodes: u64,
    /// Seconds that the last round's beams took.
    beam_seconds: f64,
    /// Length of the best path that a beam has found, in single moves.
    beam_best: Option<usize>,
    best: Option<Candidate>,
    are_beams_over: bool,
    /// Result of the last call of `shorten_best`.
    shortened: Vec<u8>,
}

/// Passes of windows over a path. Each entry contains the moves per window and the nodes per layer.
/// Further passes repeat the last entry with growing numbers of nodes.
const PASSES: [(usize, usize); 6] = [
    (50, 100),
    (100, 300),
    (200, 1000),
    (400, 3000),
    (400, 10_000),
    (800, 20_000),
];
const CHILDREN: f64 = 2.3;
/// Maximum share of the remaining time for beams.
const BEAM_SHARE: f64 = 0.6;
/// Beams per round; each uses a different score.
const BEAMS: u64 = 2;
const MAX_WIDTH: usize = 1 << 18;
/// On trays with fewer cells than this, windows cannot improve the results of beams guided by
/// tables.
const LARGE_TRAY: usize = 36;
/// Minimum useful width of a beam.
const MIN_WIDTH: usize = 4;
/// Number of children per node that the memory estimate assumes.
const CHILDREN_ROOM: u64 = 6;

impl FreeSearch {
    /// Runs rounds that generate about `slice` nodes.
    pub(super) fn search(&mut self, incumbent: &mut Incumbent, slice: u64) {
        let until = incumbent.stats.generated.saturating_add(slice);
        while incumbent.stats.generated < until && !incumbent.is_over() {
            let before = incumbent.stats.generated;
            let candidates = self.beams(incumbent);
            let made = incumbent.stats.generated - before;
            let share = if self.are_beams_over {
                until - before
            } else {
                made / 2
            };
            for candidate in candidates {
                self.windows(incumbent, candidate, share / BEAMS);
            }
            if let Some(best) = self.best.take() {
                self.windows(incumbent, best, share / BEAMS);
            }
            if incumbent.stats.generated == before {
                // No beam or window generated a node, so another round would not either.
                break;
            }
        }
    }

    /// Computes the width of a round's beams from the previous rounds. Paths have up to `longest`
    /// moves, and each beam may generate `max_nodes` nodes. Returns `None` if no further beam is
    /// worthwhile.
    fn round_width(
        &mut self,
        incumbent: &Incumbent,
        beams: u64,
        longest: usize,
        max_nodes: u64,
    ) -> Option<usize> {
        if self.width == 0 {
            self.width = Effort::short(incumbent.problem.state.tray()).width;
        }
        let estimate = CHILDREN * longest as f64;
        let mut width = self.width.min(max_beam_width(incumbent, beams));
        if (max_nodes as f64) < 2.0 * width as f64 * estimate {
            width = (0.8 * max_nodes as f64 / estimate) as usize;
            self.are_beams_over = self.beam_best.is_some();
        }
        if let Some(left) = incumbent.time_left().filter(|_| self.beam_nodes > 0) {
            let node = self.beam_seconds / self.beam_nodes as f64;
            let fits = BEAM_SHARE * left.as_secs_f64() / (node * estimate);
            if fits < 1.5 * width as f64 {
                self.are_beams_over = true;
                // A beam narrower than the previous one finds nothing better.
                if fits < 0.7 * width as f64 {
                    return None;
                }
                width = width.min(fits as usize);
            }
        }
        self.are_beams_over |= width < MIN_WIDTH;
        (width >= MIN_WIDTH).then_some(width)
    }

    /// Runs the beams of a round and returns their solutions.
    fn beams(&mut self, incumbent: &mut Incumbent) -> Vec<Candidate> {
        if self.are_beams_over {
            return Vec::new();
        }
        let (problem, call) = (incumbent.problem, incumbent.call);
        let (state, options) = (&problem.state, call.options);
        let tray = state.tray();
        let longest = self.beam_best.unwrap_or(incumbent.best.moves.len());
        let helper = call.permits().take();
        let is_pair = helper.is_some() || options.max_nodes.is_some();
        let beams = if is_pair { BEAMS } else { 1 };
        let max_nodes = incumbent.nodes_left() / beams;
        let Some(width) = self.round_width(incumbent, beams, longest, max_nodes) else {
            return Vec::new();
        };
        let attempts = self.attempts;
        let beam = |number: u32| {
            let effort = Effort::short(tray)
                .width(width)
                .max_nodes(max_nodes)
                .seed(options.seed.wrapping_add(number.into()));
            let longest = longest.saturating_sub(1);
            run_beam(state, &effort, attempts + number, longest, &|| {
                call.is_over()
            })
        };
        let begun = HAS_CLOCK.then(Instant::now);
        let mut ends = vec![StrategicBeamEnd::default(); beams as usize];
        let tasks = (0..).zip(&mut ends).map(|(number, end)| {
            let beam = &beam;
            move || *end = beam(number)
        });
        run_all(tasks, usize::from(helper.is_some()));
        drop(helper);
        if let Some(begun) = begun {
            self.beam_seconds = begun.elapsed().as_secs_f64();
        }
        self.attempts += beams as u32;
        self.beam_nodes = ends.iter().map(|end| end.nodes).max().unwrap_or(0);
        if self.beam_best.is_some() || self.attempts > 2 * BEAMS as u32 {
            self.width = (2 * self.width).min(MAX_WIDTH);
        }
        let method = match self.beam_best {
            None => Method::Strategic,
            Some(_) => Method::Beam,
        };
        let mut candidates = Vec::new();
        for end in ends {
            incumbent.stats.generated += end.nodes;
            let Some(moves) = end.moves else { continue };
            let best = self.beam_best.unwrap_or(usize::MAX);
            self.beam_best = Some(best.min(moves.len()));
            candidates.push(Candidate {
                windows: Windows::new(tray, state.blank().index(), blank_moves(&moves)),
                passes: 0,
            });
            incumbent.improve(moves, method);
        }
        candidates
    }

    /// Runs passes of windows over a path, for about `nodes` nodes. Keeps the best path.
    fn windows(&mut self, incumbent: &mut Incumbent, mut candidate: Candidate, nodes: u64) {
        let until = incumbent.stats.generated.saturating_add(nodes);
        while incumbent.stats.generated < until && !incumbent.is_over() {
            let step = candidate.passes / 2;
            let (length, mut width) = PASSES[step.min(PASSES.len() - 1)];
            width <<= step.saturating_sub(PASSES.len() - 1).min(16);
            let pass = Pass {
                length,
                width: width.min(max_window_width(incumbent)),
                offset: candidate.passes % 2 * length / 2,
                seed: mix(incumbent.call.options.seed ^ candidate.passes as u64),
            };
            incumbent.pass(&mut candidate.windows, &pass);
            candidate.passes += 1;
        }
        let is_better = |best: &Candidate| candidate.windows.path.len() < best.windows.path.len();
        if self.best.as_ref().is_none_or(is_better) {
            self.best = Some(candidate);
        }
    }

    /// Runs windows on the best solution, for about `nodes` nodes.
    pub(super) fn shorten_best(&mut self, incumbent: &mut Incumbent, nodes: u64) {
        let state = &incumbent.problem.state;
        if state.tray().cells() < LARGE_TRAY {
            return;
        }
        let path = blank_moves(&incumbent.best.moves);
        if path == self.shortened {
            return;
        }
        let mut windows = Windows::new(state.tray(), state.blank().index(), path);
        let until = incumbent.stats.generated.saturating_add(nodes);
        for (length, width) in PASSES {
            for offset in [0, length / 2] {
                if incumbent.stats.generated >= until || incumbent.is_over() {
                    break;
                }
                let pass = Pass {
                    length,
                    offset,
                    width: width.min(max_window_width(incumbent)),
                    seed: mix(incumbent.call.options.seed),
                };
                incumbent.pass(&mut windows, &pass);
            }
        }
        self.shortened = windows.path;
    }
}

/// Maximum beam width that fits the memory.
fn max_beam_width(incumbent: &Incumbent, beams: u64) -> usize {
    let tray = incumbent.problem.state.tray();
    let cells = tray.cells() as u64;
    let sides = (tray.width() + tray.height()) as u64;
    // Estimated size of the step guide's tables, in bytes. A table stores one distance per pair of
    // cells. A line needs tables for each of its cells and for each gap of two cells. The estimate
    // is enough for a few lines.
    let tables = 3 * sides * cells * cells;
    // Bytes per node of a layer. The terms are, in this order: pieces and places of two layers,
    // nodes of two layers, children, sets of hashes, trail.
    let node = 8 * cells + 2 * 32 + CHILDREN_ROOM * (56 + 8) + 2 * 8 * 40 + 64;
    let room = (incumbent.max_memory() / beams).saturating_sub(tables);
    usize::try_from(room / node).unwrap_or(usize::MAX)
}

/// Maximum number of nodes per layer of a window search, limited by memory.
fn max_window_width(incumbent: &Incumbent) -> usize {
    let cells = incumbent.problem.state.tray().cells() as u64;
    let node = 4 * cells + 2 * 24 + CHILDREN_ROOM * 32 + 2 * 8 * 16 + 4 * 800;
    // Assumes the maximum number of threads, because the actual number is unknown.
    let width = incumbent.max_memory() / (MAX_THREADS as u64 * node);
    usize::try_from(width)
        .unwrap_or(usize::MAX)
        .clamp(1, MAX_WIDTH)
}

#[cfg(test)]
mod tests {
    use puzzle::{Goal, Metric, Scrambler};

    use super::*;
    use crate::calls::{Call, Problem, SolveOptions};

    /// On 10x10, a node of a beam needs about 2 KiB, and a node of a window about 4 KiB.
    #[test]
    fn widths_fill_the_memory_and_no_more() {
        let goal = Goal::blank_last("10x10".parse().unwrap());
        let state = Scrambler::new(7).draw(goal.tray(), goal.blank());
        let board = goal.board_of(&state).unwrap();
        let problem = Problem::new(&goal, Metric::Single, &board).unwrap();
        for memory in [1 << 24, 1 << 28, 1 << 30] {
            let options = SolveOptions::default().max_memory(memory);
            let call = Call::begin(&options);
            let incumbent = Incumbent::new(&problem, &call, None, Vec::new(), 0);
            for beams in [1, 2] {
                let node = memory / beams / max_beam_width(&incumbent, beams) as u64;
                assert!((1 << 10..3 << 10).contains(&node), "{memory}: {node}");
            }
            let node = memory / MAX_THREADS as u64 / max_window_width(&incumbent) as u64;
            assert!((2 << 10..8 << 10).contains(&node), "{memory}: {node}");
        }
    }
}

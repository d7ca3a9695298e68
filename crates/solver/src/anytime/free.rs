//! The anytime search where no tables can guide a beam: beams that follow the steps of the human
//! method, each round twice as wide as the one before, and windows on what they find.

use super::Anytime;
use super::beam::{blank_moves, tile_moves};
use super::window::{Pass, PassLimits, Windows};
use crate::Method;
use crate::clock::{HAS_CLOCK, Instant};
use crate::random::mix;
use crate::strategic::{BeamEnd, Effort, run_beam};
use crate::tasks::run_all;

/// A path, and how many passes of windows it has seen.
#[derive(Clone, Debug)]
struct Candidate {
    windows: Windows,
    passes: usize,
}

/// What the rounds know of one another.
#[derive(Default, Debug)]
pub(super) struct Free {
    /// Beams so far.
    attempts: u32,
    /// The width of the next beams; 0 before the first.
    width: usize,
    /// Nodes of the last round's beams, each, and the time that they took.
    beam_nodes: u64,
    beam_seconds: f64,
    /// The length of the beams' best path in single moves.
    beam_best: Option<usize>,
    best: Option<Candidate>,
    are_beams_over: bool,
    /// The path that windows last had a look at.
    shortened: Vec<u8>,
}

/// Passes of windows on a path: moves of a window and nodes of a layer. Then the last one with more
/// and more nodes.
const PASSES: [(usize, usize); 6] = [
    (50, 100),
    (100, 300),
    (200, 1000),
    (400, 3000),
    (400, 10_000),
    (800, 20_000),
];
/// Children of a node, about.
const CHILDREN: f64 = 2.3;
/// Beams take up to this part of the time that is left.
const BEAM_SHARE: f64 = 0.6;
/// Beams of a round: each has another score.
const BEAMS: u64 = 2;
/// The widest beam and the widest window search.
const MAX_WIDTH: usize = 1 << 18;

impl Anytime<'_> {
    /// Rounds that generate so many nodes.
    pub(super) fn search_free(&mut self, slice: u64) {
        let until = self.stats.generated.saturating_add(slice);
        while self.stats.generated < until && !self.is_over() {
            let before = self.stats.generated;
            let candidates = self.free_beams();
            let made = self.stats.generated - before;
            let share = if self.free.are_beams_over {
                until - before
            } else {
                made / 2
            };
            for candidate in candidates {
                self.free_windows(candidate, share / BEAMS);
            }
            if let Some(best) = self.free.best.take() {
                self.free_windows(best, share / BEAMS);
            }
            if self.stats.generated == before {
                // Nothing can be done without tables.
                break;
            }
        }
    }

    fn seconds_left(&self) -> Option<f64> {
        let end = self.call.deadline()?;
        Some(end.saturating_duration_since(Instant::now()).as_secs_f64())
    }

    /// The beams of a round, and their solutions.
    fn free_beams(&mut self) -> Vec<Candidate> {
        if self.free.are_beams_over {
            return Vec::new();
        }
        let (state, options, call) = (self.state, self.options, self.call);
        let tray = state.tray();
        let plain = self.best.moves.len();
        let longest = self.free.beam_best.unwrap_or(plain);
        if self.free.width == 0 {
            self.free.width = Effort::short(tray).width;
        }
        let helper = call.permits().take();
        let is_pair = helper.is_some() || options.max_nodes.is_some();
        let beams = if is_pair { BEAMS } else { 1 };
        let each_left = self.nodes_left() / beams;
        // What is known of this round's beams by those before.
        let estimate = CHILDREN * longest as f64;
        let mut width = self.free.width.min(self.free_beam_width(beams));
        if (each_left as f64) < 2.0 * width as f64 * estimate {
            width = (0.8 * each_left as f64 / estimate) as usize;
            self.free.are_beams_over = self.free.beam_best.is_some();
        }
        if let Some(left) = self.seconds_left().filter(|_| self.free.beam_nodes > 0) {
            let node = self.free.beam_seconds / self.free.beam_nodes as f64;
            let fits = BEAM_SHARE * left / (node * estimate);
            if fits < 1.5 * width as f64 {
                self.free.are_beams_over = true;
                // A beam that is narrower than the one before finds nothing better.
                if fits < 0.7 * width as f64 {
                    return Vec::new();
                }
                width = width.min(fits as usize);
            }
        }
        if width < MIN_WIDTH {
            self.free.are_beams_over = true;
            return Vec::new();
        }
        let attempts = self.free.attempts;
        let beam = |number: u32| {
            let effort = Effort::short(tray)
                .width(width)
                .max_nodes(each_left)
                .seed(options.seed.wrapping_add(number.into()));
            let longest = longest.saturating_sub(1);
            run_beam(state, &effort, attempts + number, longest, &|| {
                call.is_over()
            })
        };
        let begun = HAS_CLOCK.then(Instant::now);
        let mut ends = vec![BeamEnd::default(); beams as usize];
        let tasks = (0..).zip(&mut ends).map(|(number, end)| {
            let beam = &beam;
            move || *end = beam(number)
        });
        run_all(tasks, usize::from(helper.is_some()));
        drop(helper);
        if let Some(begun) = begun {
            self.free.beam_seconds = begun.elapsed().as_secs_f64();
        }
        self.free.attempts += beams as u32;
        self.free.beam_nodes = ends.iter().map(|end| end.nodes).max().unwrap_or(0);
        if self.free.beam_best.is_some() || self.free.attempts > 2 * BEAMS as u32 {
            self.free.width = (2 * self.free.width).min(MAX_WIDTH);
        }
        let method = match self.free.beam_best {
            None => Method::Strategic,
            Some(_) => Method::Beam,
        };
        let mut candidates = Vec::new();
        for end in ends {
            self.stats.generated += end.nodes;
            let Some(moves) = end.moves else { continue };
            let best = self.free.beam_best.unwrap_or(usize::MAX);
            self.free.beam_best = Some(best.min(moves.len()));
            candidates.push(Candidate {
                windows: Windows::new(tray, state.blank().index(), blank_moves(&moves)),
                passes: 0,
            });
            self.improve(moves, method);
        }
        candidates
    }

    /// Passes of windows on a path, about as many nodes as said. Keeps the best path.
    fn free_windows(&mut self, mut candidate: Candidate, nodes: u64) {
        let until = self.stats.generated.saturating_add(nodes);
        while self.stats.generated < until && !self.is_over() {
            let step = candidate.passes / 2;
            let (length, mut width) = PASSES[step.min(PASSES.len() - 1)];
            width <<= step.saturating_sub(PASSES.len() - 1).min(16);
            let pass = Pass {
                length,
                width: width.min(self.window_width()),
                offset: candidate.passes % 2 * length / 2,
                margin: 1,
                seed: mix(self.options.seed ^ candidate.passes as u64),
            };
            self.pass(&mut candidate.windows, &pass);
            candidate.passes += 1;
        }
        let is_better = |best: &Candidate| candidate.windows.path.len() < best.windows.path.len();
        if self.free.best.as_ref().is_none_or(is_better) {
            self.free.best = Some(candidate);
        }
    }

    /// Windows on the best solution, about as many nodes as said.
    pub(super) fn shorten_best(&mut self, nodes: u64) {
        let state = self.state;
        if state.tray().cells() < LARGE_TRAY {
            return;
        }
        let path = blank_moves(&self.best.moves);
        if path == self.free.shortened {
            return;
        }
        let mut windows = Windows::new(state.tray(), state.blank().index(), path);
        let until = self.stats.generated.saturating_add(nodes);
        for (length, width) in PASSES {
            for offset in [0, length / 2] {
                if self.stats.generated >= until || self.is_over() {
                    break;
                }
                let pass = Pass {
                    length,
                    offset,
                    width: width.min(self.window_width()),
                    margin: 1,
                    seed: mix(self.options.seed),
                };
                self.pass(&mut windows, &pass);
            }
        }
        self.free.shortened = windows.path;
    }

    /// A pass of windows.
    fn pass(&mut self, windows: &mut Windows, pass: &Pass) {
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

    /// The widest beams that the memory has room for.
    fn free_beam_width(&self, beams: u64) -> usize {
        let cells = self.state.tray().cells() as u64;
        let sides = (self.state.tray().width() + self.state.tray().height()) as u64;
        // Distances of pairs of cells, for the targets and gaps of some lines.
        let tables = 3 * sides * cells * cells;
        // Two layers of boards and places; nodes; children; sets of hashes; and the trail.
        let node = 8 * cells + 2 * 32 + CHILDREN_ROOM * (56 + 8) + 2 * 8 * 40 + 64;
        let room = (self.max_memory() / beams).saturating_sub(tables);
        usize::try_from(room / node).unwrap_or(usize::MAX)
    }

    /// The widest searches of windows that the memory has room for.
    fn window_width(&self) -> usize {
        let cells = self.state.tray().cells() as u64;
        let node = 4 * cells + 2 * 24 + CHILDREN_ROOM * 32 + 2 * 8 * 16 + 4 * 800;
        // With helpers, whose number is not known.
        let width = self.max_memory() / (WINDOW_THREADS * node);
        usize::try_from(width)
            .unwrap_or(usize::MAX)
            .clamp(1, MAX_WIDTH)
    }
}

/// Beams by tables leave nothing to windows on trays with fewer cells.
const LARGE_TRAY: usize = 36;
/// Narrower beams are of no use.
const MIN_WIDTH: usize = 4;
/// Children of a node for which there is room.
const CHILDREN_ROOM: u64 = 6;
/// Threads that may search windows at a time.
const WINDOW_THREADS: u64 = super::window::MAX_THREADS as u64;

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU64, Ordering};

    use puzzle::{Goal, HeuristicSpec, Scrambler};

    use super::*;
    use crate::options::Call;
    use crate::{Progress, SearchStatus, SolveOptions, Solver};

    /// A look at a call that has the strategic solution of a random board.
    fn begun(size: &str, partition: &str, options: &SolveOptions, look: impl FnOnce(Anytime<'_>)) {
        let goal = Goal::blank_last(size.parse().unwrap());
        let spec = HeuristicSpec::parse(partition, &goal).unwrap();
        let solver = Solver::build(goal.clone(), spec).unwrap();
        let state = Scrambler::new(7).draw(goal.tray(), goal.blank());
        let board = goal.board_of(&state).unwrap();
        let call = Call::begin(options);
        look(Anytime::begin(&solver, &board, &state, &call, options).unwrap());
    }

    /// On 10x10 a beam's node takes some two KiB, and a window's some four.
    #[test]
    fn widths_fill_the_memory_and_no_more() {
        for memory in [1 << 24, 1 << 28, 1 << 30] {
            let options = SolveOptions::default().max_memory(memory);
            begun("10x10", "manhattan", &options, |anytime| {
                for beams in [1, 2] {
                    let node = memory / beams / anytime.free_beam_width(beams) as u64;
                    assert!((1 << 10..3 << 10).contains(&node), "{memory}: {node}");
                }
                let node = memory / WINDOW_THREADS / anytime.window_width() as u64;
                assert!((2 << 10..8 << 10).contains(&node), "{memory}: {node}");
            });
        }
    }

    struct Listener(Arc<AtomicU64>);

    impl Progress<SearchStatus> for Listener {
        fn report(&self, status: &SearchStatus) {
            self.0.store(status.generated, Ordering::Relaxed);
        }
    }

    #[test]
    fn windows_get_a_sixteenth_of_the_beam_before_them() {
        let reported = Arc::new(AtomicU64::new(0));
        let options = SolveOptions::default().progress(Listener(Arc::clone(&reported)));
        begun("6x6", "3-3-3-3-3-3-3-3-3-3-3-2", &options, |mut anytime| {
            anytime.beam(2_000_000).unwrap();
            assert!(matches!(anytime.best.method, Method::Beam | Method::Window));
            // All layers but the last.
            let beam = reported.load(Ordering::Relaxed);
            assert!(beam > 1_000_000, "{beam}");
            let all = anytime.stats.generated;
            assert!(all >= beam + beam / 16, "{all} with the beam's {beam}");
        });
    }
}

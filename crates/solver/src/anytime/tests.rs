use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use pdb_table::Progress;
use puzzle::{Board, Direction, Goal, HeuristicSpec, Metric, Scrambler, State};

use super::beam::{BeamEnd, BeamTask, LayerStatus, PARTITION, Width};
use super::slices::Slices;
use crate::boards::neighbour_pairs::PAIR_WEIGHTS;
use crate::boards::{LEARNED, PairWeights, mix, tile_moves};
use crate::calls::{Call, Method, Mode, Problem, SearchStatus, SolveOptions};
use crate::facade::Solver;
use crate::threads::ThreadPermits;

fn solver(size: &str, partition: &str) -> Solver {
    let goal = Goal::blank_last(size.parse().unwrap());
    let spec = HeuristicSpec::parse(partition, &goal).unwrap();
    Solver::build_one_side(goal, spec).unwrap()
}

fn estimate(solver: &Solver, state: &State) -> u32 {
    solver.search.start.estimate(state).unwrap()
}

fn run(solver: &Solver, state: &State, task: &BeamTask, width: Width) -> Option<BeamEnd> {
    let tables = solver.search.start.slide_tables().unwrap();
    task.run_by_tables(tables, state, width).unwrap()
}

fn solves(solver: &Solver, board: &Board, moves: &[Direction]) -> bool {
    let problem = Problem::new(solver.goal(), solver.metric(), board).unwrap();
    problem.is_solved_by(moves)
}

/// States of one long random walk from the goal, `moves` moves apart.
fn states(goal: &Goal, count: usize, moves: usize) -> Vec<State> {
    let mut seed = 7_u64;
    let mut state = State::goal(goal.tray(), goal.blank());
    let mut all = Vec::new();
    for _ in 0..count {
        for _ in 0..moves {
            seed = mix(seed);
            state.slide(Direction::ALL[(seed >> 20) as usize % 4]);
        }
        all.push(state.clone());
    }
    all
}

struct Found {
    length: Option<u32>,
    path: Vec<Direction>,
    is_proof: bool,
    bounds: Vec<(u32, usize)>,
}

/// Runs a beam of constant width.
fn beam(solver: &Solver, state: &State, width: usize, max_length: u32, helpers: usize) -> Found {
    weighted_beam(solver, state, width, max_length, helpers, LEARNED)
}

fn weighted_beam(
    solver: &Solver,
    state: &State,
    width: usize,
    max_length: u32,
    helpers: usize,
    weights: &PairWeights,
) -> Found {
    let mut bounds = Vec::new();
    let task = BeamTask {
        turn: 0,
        seed: 3,
        h0: estimate(solver, state),
        max_length,
        permits: &ThreadPermits::new(helpers),
        weights,
        samples: None,
        is_over: &|| false,
    };
    let mut width = |status: &LayerStatus| {
        bounds.push((status.bound, status.nodes));
        width
    };
    let (path, is_proof) = match run(solver, state, &task, &mut width).unwrap() {
        BeamEnd::Solved(path) => (Some(tile_moves(&path)), false),
        BeamEnd::Exhausted { is_proof } => (None, is_proof),
        BeamEnd::Stopped => panic!("stopped"),
    };
    Found {
        length: path.as_ref().map(|path| path.len() as u32),
        path: path.unwrap_or_default(),
        is_proof,
        bounds,
    }
}

#[test]
fn beams_that_drop_nothing_are_optimal_and_prove_it() {
    let solver = solver("3x3", "5-3");
    for state in states(solver.goal(), 60, 41) {
        let board = solver.goal().board_of(&state).unwrap();
        let optimum = solver.solve(&board).unwrap().length;
        let wide = beam(&solver, &state, usize::MAX, 100, 0);
        assert_eq!(wide.length, Some(optimum), "{board}");
        assert!(solves(&solver, &board, &wide.path), "{board}");
        if let Some(shorter) = optimum.checked_sub(1) {
            let none = beam(&solver, &state, usize::MAX, shorter, 0);
            assert!(none.length.is_none() && none.is_proof, "{board}");
        }
        let narrow = beam(&solver, &state, 3, 100, 0);
        if narrow.length.is_some() {
            assert!(solves(&solver, &board, &narrow.path), "{board}");
            assert!(narrow.length >= Some(optimum));
        }
    }
}

/// The learned weights only rank boards: with any weights, a path solves the board, and a proof is
/// correct.
#[test]
fn wrong_weights_prove_nothing_false() {
    let solver = solver("3x3", "5-3");
    let random = std::array::from_fn(|pair| mix(pair as u64) as u8);
    for weights in [[0x80; PAIR_WEIGHTS], [0x7f; PAIR_WEIGHTS], random] {
        for state in states(solver.goal(), 20, 41) {
            let board = solver.goal().board_of(&state).unwrap();
            let optimum = solver.solve(&board).unwrap().length;
            for (width, max_length) in [(2, 60), (20, optimum), (usize::MAX, optimum)] {
                let found = weighted_beam(&solver, &state, width, max_length, 0, &weights);
                let is_solved = found.length.is_some();
                assert!(
                    !is_solved || solves(&solver, &board, &found.path),
                    "{board}"
                );
                assert!(!found.is_proof, "{board}");
                assert!(is_solved || width < usize::MAX, "{board}");
            }
            if let Some(shorter) = optimum.checked_sub(1) {
                let found = weighted_beam(&solver, &state, usize::MAX, shorter, 0, &weights);
                assert!(found.length.is_none() && found.is_proof, "{board}");
            }
        }
    }
}

/// A sampled layer begins with a board of the path. The boards of a path are two moves apart,
/// because every second layer is sampled.
#[test]
fn samples_contain_the_path() {
    let solver = solver("4x4", "4-4-4-3");
    let state = states(solver.goal(), 1, 501).remove(0);
    let layers = super::beam::sampling::sample_beam(&solver.search, &state, LEARNED, 200, 5);
    let layers = layers.unwrap();
    assert!(layers.len() > 10);
    for pair in layers.windows(2) {
        assert!(pair[0].len() > 6);
        let (before, after) = (&pair[0][0].0, &pair[1][0].0);
        let moved = before.iter().zip(after).filter(|(a, b)| a != b);
        assert_eq!(moved.count(), 3);
    }
}

/// Beams that drop no board find optimal solutions. The tray is small enough for memory checkers:
/// scripts/check/memory.sh selects tests named `tiny`.
#[test]
#[cfg_attr(miri, ignore = "takes half an hour")]
fn tiny_trays_are_solved_by_beams() {
    let solver = solver("3x2", "1,2,3/4,5");
    for state in states(solver.goal(), 6, 41) {
        let board = solver.goal().board_of(&state).unwrap();
        let optimum = solver.solve(&board).unwrap().length;
        for helpers in [0, 1] {
            let wide = beam(&solver, &state, usize::MAX, 100, helpers);
            assert_eq!(wide.length, Some(optimum), "{board}");
            assert!(solves(&solver, &board, &wide.path), "{board}");
        }
    }
}

/// Among children with equal scores, hashes decide which are kept. The number of nodes in a layer
/// is therefore close to the width.
#[test]
fn layers_have_about_the_requested_width() {
    let solver = solver("4x4", "4-4-4-3");
    for state in states(solver.goal(), 3, 501) {
        let found = beam(&solver, &state, 10_000, 90, 0);
        let widest = found.bounds.iter().map(|&(_, nodes)| nodes).max();
        let widest = widest.unwrap();
        assert!((9_800..=10_200).contains(&widest), "{widest}");
    }
}

#[test]
fn narrow_beams_prove_nothing() {
    let solver = solver("3x3", "5-3");
    let board = Board::parse("8 6 7/2 5 4/3 0 1", None).unwrap();
    let state = solver.goal().state(&board).unwrap();
    let narrow = beam(&solver, &state, 2, 31, 0);
    assert!(narrow.length.is_none() && !narrow.is_proof);
}

/// The layers of these beams are large enough for several threads, and those of the widest beam
/// also for several partitions.
#[test]
fn results_do_not_depend_on_threads() {
    let solver = solver("4x4", "4-4-4-3");
    let widths = [12_000, 12_000, 12_000, 2 * PARTITION];
    for (state, width) in states(solver.goal(), widths.len(), 501)
        .into_iter()
        .zip(widths)
    {
        let one = beam(&solver, &state, width, 90, 0);
        assert!(one.length.is_some());
        for helpers in [1, 4] {
            let several = beam(&solver, &state, width, 90, helpers);
            assert_eq!((&several.path, &several.bounds), (&one.path, &one.bounds));
        }
    }
}

/// Within a few moves of the root, the bound of each node is the solver's estimate of its board.
/// The cases cover regions of the blank, both views, updated values, and both rankings of shapes:
/// for trays of up to 25 cells and for larger trays. Each layer contains exactly the new boards: no
/// duplicate is kept, and no board occurs again two layers later.
#[test]
fn bounds_are_estimates() {
    let partitions = [("4x4", "5-5-5"), ("6x5", "4-4-4-4-4-4-4-1"), ("3x3", "8")];
    for (size, partition) in partitions {
        let solver = solver(size, partition);
        // Two different paths to the same board have at least six moves each. Only on 3x3 are the
        // layers deep enough for duplicates.
        let layers = if size == "3x3" { 12 } else { 6 };
        for state in states(solver.goal(), 12, 171) {
            let (is_over, mut found) = (AtomicBool::new(false), Vec::new());
            let task = BeamTask {
                turn: 0,
                seed: 0,
                h0: 0,
                max_length: 1000,
                permits: &ThreadPermits::default(),
                weights: LEARNED,
                samples: None,
                is_over: &|| is_over.load(Ordering::Relaxed),
            };
            let mut width = |status: &LayerStatus| {
                found.push((status.bound, status.nodes));
                is_over.store(found.len() == layers, Ordering::Relaxed);
                usize::MAX
            };
            let end = run(&solver, &state, &task, &mut width);
            assert!(matches!(end, Some(BeamEnd::Stopped)));
            let (mut before, mut layer) = (Vec::new(), vec![state]);
            for &(bound, nodes) in &found[1..] {
                let mut next: Vec<State> = Vec::new();
                for state in &layer {
                    for direction in Direction::ALL {
                        let mut child = state.clone();
                        let is_move = child.slide(direction);
                        if is_move && !before.contains(&child) && !next.contains(&child) {
                            next.push(child);
                        }
                    }
                }
                let estimates = next.iter().map(|state| estimate(&solver, state));
                assert_eq!(
                    (Some(bound), nodes),
                    (estimates.min(), next.len()),
                    "{size}"
                );
                (before, layer) = (layer, next);
            }
        }
    }
}

#[test]
fn a_beam_stops_when_requested() {
    let solver = solver("4x4", "4-4-4-3");
    let state = states(solver.goal(), 1, 501).remove(0);
    let (is_over, mut layers) = (AtomicBool::new(false), 0);
    let task = BeamTask {
        turn: 0,
        seed: 0,
        h0: 0,
        max_length: 90,
        permits: &ThreadPermits::default(),
        weights: LEARNED,
        samples: None,
        is_over: &|| is_over.load(Ordering::Relaxed),
    };
    let mut width = |_: &LayerStatus| {
        layers += 1;
        is_over.store(layers == 5, Ordering::Relaxed);
        1000
    };
    assert!(matches!(
        run(&solver, &state, &task, &mut width),
        Some(BeamEnd::Stopped)
    ));
    assert_eq!(layers, 5);
}

/// Solutions of a beam are replayed, because tables may be damaged.
#[test]
fn only_legal_moves_to_the_goal_solve_a_board() {
    let solver = solver("3x3", "5-3");
    let board = Board::parse("1 2 3/4 0 6/7 5 8", None).unwrap();
    let is_solved_by = |moves: &[Direction]| solves(&solver, &board, moves);
    let (up, left) = (Direction::Up, Direction::Left);
    assert!(is_solved_by(&[up, left]));
    assert!(!is_solved_by(&[]) && !is_solved_by(&[up]) && !is_solved_by(&[left, up]));
    assert!(!is_solved_by(&[up, left, left, left]));
}

#[test]
fn other_tables_do_not_guide() {
    for partition in ["manhattan", "4-4-4-3"] {
        let goal = Goal::blank_last("4x4".parse().unwrap());
        let builder = HeuristicSpec::builder(&goal).kind(puzzle::TableKind::BlankCompressed);
        let spec = builder.parse(partition).unwrap();
        let solver = Solver::build_one_side(goal, spec).unwrap();
        let state = State::goal(solver.goal().tray(), solver.goal().blank());
        let task = BeamTask {
            turn: 0,
            seed: 0,
            h0: 0,
            max_length: 1,
            permits: &ThreadPermits::default(),
            weights: LEARNED,
            samples: None,
            is_over: &|| false,
        };
        assert!(
            run(&solver, &state, &task, &mut |_| 1).is_none(),
            "{partition}"
        );
    }
}

struct Listener(Arc<Mutex<Vec<u64>>>);

impl Progress<SearchStatus> for Listener {
    fn report(&self, status: &SearchStatus) {
        self.0.lock().unwrap().push(status.generated);
    }
}

/// Searches and beams alternate. The node count that a search or beam reports includes the nodes of
/// all earlier searches and beams.
#[test]
fn reported_nodes_never_decrease() {
    let solver = solver("5x5", "4-4-4-4-4-4");
    let state = states(solver.goal(), 1, 501).remove(0);
    let board = solver.goal().board_of(&state).unwrap();
    let reported = Arc::new(Mutex::new(Vec::new()));
    let options = SolveOptions::default()
        .mode(Mode::Anytime)
        .max_nodes(1_500_000)
        .progress(Listener(Arc::clone(&reported)));
    let solution = solver.solve_with(&board, &options).unwrap();
    assert!(!solution.is_optimal);
    let reported = reported.lock().unwrap();
    assert!(reported.is_sorted());
    assert!(reported.last().is_some_and(|&last| last > 1_000_000));
    assert!(solution.stats.generated >= 1_500_000);
}

#[test]
fn windows_receive_a_sixteenth_of_the_nodes_of_the_beam_before() {
    let solver = solver("6x6", "3-3-3-3-3-3-3-3-3-3-3-2");
    let reported = Arc::new(Mutex::new(Vec::new()));
    let options = SolveOptions::default().progress(Listener(Arc::clone(&reported)));
    let state = Scrambler::new(7).draw(solver.goal().tray(), solver.goal().blank());
    let board = solver.goal().board_of(&state).unwrap();
    let problem = Problem::new(solver.goal(), Metric::Single, &board).unwrap();
    let call = Call::begin(&options);
    let guide = || Some(&solver.search);
    let mut slices = Slices::begin(&solver.search, &guide, &problem, &call).unwrap();
    slices.beam(2_000_000).unwrap();
    let incumbent = slices.incumbent;
    assert!(matches!(
        incumbent.best.method,
        Method::Beam | Method::Window
    ));
    // The beam reports its nodes before it expands a layer, so its last report does not include the
    // children of the last layer.
    let beam = reported.lock().unwrap().last().copied().unwrap();
    assert!(beam > 1_000_000, "{beam}");
    let all = incumbent.stats.generated;
    assert!(all >= beam + beam / 16, "{all} with the beam's {beam}");
}

#[test]
fn multi_tile_beams_avoid_turns() {
    for (size, partition) in [("4x4", "4-4-4-3"), ("5x5", "4-4-4-4-4-4")] {
        let single = solver(size, partition);
        let goal = single.goal().clone();
        let spec = HeuristicSpec::builder(&goal).metric(Metric::Multi);
        let multi = Solver::build_one_side(goal.clone(), spec.parse_table_free().unwrap()).unwrap();
        let options = SolveOptions::default()
            .mode(Mode::Anytime)
            .max_nodes(300_000);
        let (mut short, mut long) = (0, 0);
        let mut scrambler = Scrambler::new(57);
        for _ in 0..8 {
            let state = scrambler.draw(goal.tray(), goal.blank());
            let board = goal.board_of(&state).unwrap();
            let solved = single.solve_with(&board, &options).unwrap();
            short += multi.solve_with(&board, &options).unwrap().length;
            long += Metric::Multi.length(&solved.moves) as u32;
        }
        assert!(20 * short < 19 * long, "{size}: {short} and {long} moves");
    }
}

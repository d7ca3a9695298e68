//! The multi-tile metric, compared with breadth-first searches that share only the rules with the
//! solver.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use puzzle::board_text::parse_listed;
use puzzle::{
    Board, Cell, Direction, Goal, HeuristicSpec, Metric, Scrambler, State, TableKind, Tray,
};
use rustc_hash::FxBuildHasher;
use solver::{Cancel, SolveError, SolveOptions, Solver};

use crate::IS_LONG;
use crate::reference::from_start;

/// The specification of the heuristic that is used if none is named.
fn default_spec(goal: &Goal) -> HeuristicSpec {
    let builder = HeuristicSpec::builder(goal).metric(Metric::Multi);
    builder.parse_default().unwrap()
}

/// All states of a tray and their distances from the goal.
pub(crate) type Distances = HashMap<State, u32, FxBuildHasher>;

/// All states and their distances from the goal in a metric. Tests share them, because the
/// breadth-first search of the 3x3 takes longer than many tests.
pub(crate) fn distances(tray: Tray, goal_blank: Cell, metric: Metric) -> Arc<Distances> {
    type Found = Vec<((Tray, Cell, Metric), Arc<OnceLock<Arc<Distances>>>)>;
    static FOUND: Mutex<Found> = Mutex::new(Vec::new());
    let key = (tray, goal_blank, metric);
    let found = {
        let mut found = FOUND.lock().unwrap_or_else(PoisonError::into_inner);
        match found.iter().find(|(own, _)| *own == key) {
            Some((_, found)) => Arc::clone(found),
            None => {
                found.push((key, Arc::default()));
                Arc::clone(&found[found.len() - 1].1)
            }
        }
    };
    let search = || Arc::new(breadth_first(tray, goal_blank, metric));
    Arc::clone(found.get_or_init(search))
}

fn breadth_first(tray: Tray, goal_blank: Cell, metric: Metric) -> Distances {
    let goal = State::goal(tray, goal_blank);
    let mut distances = Distances::default();
    distances.insert(goal.clone(), 0);
    let mut level = vec![goal];
    for distance in 1.. {
        let mut next = Vec::new();
        for state in &level {
            for direction in Direction::ALL {
                let mut moved = state.clone();
                while moved.slide(direction) {
                    if !distances.contains_key(&moved) {
                        distances.insert(moved.clone(), distance);
                        next.push(moved.clone());
                    }
                    if metric == Metric::Single {
                        break;
                    }
                }
            }
        }
        if next.is_empty() {
            return distances;
        }
        level = next;
    }
    distances
}

fn goal(size: &str, blank: usize) -> Goal {
    Goal::with_blank(size.parse().unwrap(), Cell::new(blank))
}

fn solver(goal: &Goal, spec: &str) -> Solver {
    let spec = HeuristicSpec::builder(goal)
        .kind(TableKind::MultiTile)
        .parse(spec)
        .unwrap();
    Solver::build_one_side(goal.clone(), spec).unwrap()
}

/// The value of the heuristic.
fn estimate(solver: &Solver, board: &Board) -> u32 {
    solver.estimate(board).unwrap()
}

#[track_caller]
fn check(solver: &Solver, state: &State, distance: u32) {
    let board = solver.goal().board_of(state).unwrap();
    let solution = solver.solve(&board).unwrap();
    assert_eq!(solution.length, distance, "{board}");
    assert_eq!(solution.lower_bound, distance);
    assert!(solution.stats.h0 <= distance);
    assert_eq!(
        board.play(&solution.moves).as_ref(),
        Ok(solver.goal().board())
    );
}

/// A fixed sample of the states, and all of the hardest states.
fn sample(distances: &Distances, one_in: usize) -> Vec<(&State, u32)> {
    let most = distances.values().max().unwrap();
    let mut states: Vec<(&State, u32)> = distances.iter().map(|(s, &d)| (s, d)).collect();
    states.sort_by_key(|(state, _)| state.pieces().to_vec());
    let numbered = states.into_iter().enumerate();
    let kept = numbered.filter(|(i, (_, d))| i % one_in == 0 || d == most);
    kept.map(|(_, state)| state).collect()
}

/// Tests every heuristic alone on every state of the 3x3. No heuristic exceeds the distance. A
/// heuristic that includes all tiles is 0 only at the goal, and a table of all tiles is exact.
#[test]
fn no_heuristic_is_above_the_distance_on_the_eight_puzzle() {
    let goals = [(8, 24), (1, 24), (4, 24)];
    for (blank, most) in goals.into_iter().take(if IS_LONG { 3 } else { 1 }) {
        let goal = goal("3x3", blank);
        let distances = distances(goal.tray(), goal.blank(), Metric::Multi);
        assert_eq!(distances.len(), 181_440);
        assert_eq!(distances.values().max(), Some(&most), "blank {blank}");
        for spec in ["runs", "lines", "1,2,3,4", "5,6,7,8", "1,4,7", "fringe"] {
            let solver = solver(&goal, spec);
            for (state, &distance) in distances.iter().step_by(if IS_LONG { 1 } else { 3 }) {
                let board = goal.board_of(state).unwrap();
                let h = estimate(&solver, &board);
                assert!(h <= distance, "{spec} {board}: {h} above {distance}");
                match spec {
                    "runs" => assert_eq!(h, distance, "{board}"),
                    "lines" => assert_eq!(h == 0, distance == 0, "{board}"),
                    _ => {}
                }
            }
        }
    }
}

#[test]
fn lengths_on_the_eight_puzzle_are_those_of_breadth_first_search() {
    for blank in [8, 1, 4].into_iter().take(if IS_LONG { 3 } else { 2 }) {
        let goal = goal("3x3", blank);
        let distances = distances(goal.tray(), goal.blank(), Metric::Multi);
        let part = solver(&goal, "1,2,3,4/5,6,7,8");
        for (state, distance) in sample(&distances, 90) {
            check(&part, state, distance);
        }
        let lines = solver(&goal, "lines");
        for (state, distance) in sample(&distances, 9000) {
            check(&lines, state, distance);
        }
    }
}

#[test]
fn every_state_of_smaller_trays_is_solved_for_every_goal() {
    for size in ["2x2", "3x2", "2x3"] {
        for blank in 0..size.parse::<Tray>().unwrap().cells() {
            let goal = goal(size, blank);
            for spec in ["runs", "lines", "fringe"] {
                let solver = solver(&goal, spec);
                for (state, &distance) in &*distances(goal.tray(), goal.blank(), Metric::Multi) {
                    check(&solver, state, distance);
                }
            }
        }
    }
}

#[test]
fn every_state_of_2x4_and_4x2_is_solved() {
    for (size, blank) in [("2x4", 7), ("4x2", 1)] {
        let goal = goal(size, blank);
        for spec in ["runs", "fringe"] {
            let solver = solver(&goal, spec);
            for (state, &distance) in &*distances(goal.tray(), goal.blank(), Metric::Multi) {
                check(&solver, state, distance);
            }
        }
    }
}

#[test]
fn a_tray_of_one_line_takes_one_run() {
    let goal = goal("6x1", 2);
    let solver = Solver::build_one_side(goal.clone(), default_spec(&goal));
    let solver = solver.unwrap();
    for (state, &distance) in &*distances(goal.tray(), goal.blank(), Metric::Multi) {
        assert!(distance <= 1);
        check(&solver, state, distance);
    }
}

/// Each shortest solution is found exactly once. The number of solutions equals the number of
/// shortest paths.
#[test]
fn all_shortest_solutions_are_counted() {
    let goal = goal("3x3", 8);
    let distances = distances(goal.tray(), goal.blank(), Metric::Multi);
    fn paths(state: &State, distances: &Distances) -> usize {
        let distance = distances[state];
        if distance == 0 {
            return 1;
        }
        let mut count = 0;
        for direction in Direction::ALL {
            let mut moved = state.clone();
            while moved.slide(direction) {
                if distances[&moved] + 1 == distance {
                    count += paths(&moved, distances);
                }
            }
        }
        count
    }
    let solver = solver(&goal, "1,2,3,4,5");
    for (state, distance) in sample(&distances, 3000) {
        let board = goal.board_of(state).unwrap();
        let options = SolveOptions::default();
        let found = solver
            .all_solutions(&board, 0, usize::MAX, &options)
            .unwrap();
        assert_eq!(found.counts, [found.moves.len() as u64]);
        assert_eq!(found.moves.len(), paths(state, &distances), "{board}");
        let mut different = found.moves.clone();
        different.sort_unstable_by_key(|moves| moves.iter().map(|&m| m as u8).collect::<Vec<_>>());
        different.dedup();
        assert_eq!(different.len(), found.moves.len());
        for moves in &found.moves {
            assert_eq!(Metric::Multi.length(moves) as u32, distance);
        }
        let some = solver.all_solutions(&board, 0, 1, &options).unwrap();
        assert_eq!((some.moves.len(), &some.counts), (1, &found.counts));
    }
}

/// Solves boards for several goal cells of the blank, with one thread and with two threads.
#[test]
fn fifteen_puzzles_with_any_goal() {
    let tray: Tray = "4x4".parse().unwrap();
    for blank in [1, 5, 0].into_iter().take(if IS_LONG { 3 } else { 1 }) {
        let goal = Goal::with_blank(tray, Cell::new(blank));
        let one = solver(&goal, "1,2,3,4,5/6,7,8,9,10/11,12,13,14,15");
        let two = solver(&goal, "1,2,3,4/12,13,14,15");
        for seed in 0..3 {
            let state = walked(tray, goal.blank(), 17, seed);
            let board = goal.board_of(&state).unwrap();
            let length = one.solve(&board).unwrap().length;
            assert_eq!(length as usize, reference_length(&state), "{board}");
            let options = SolveOptions::default().threads(2);
            assert_eq!(length, two.solve_with(&board, &options).unwrap().length);
        }
    }
}

/// A state after random runs from the goal.
fn walked(tray: Tray, goal_blank: Cell, runs: usize, seed: u64) -> State {
    let mut state = State::goal(tray, goal_blank);
    let mut seed = seed * 1000 + goal_blank.index() as u64;
    for _ in 0..runs {
        seed = seed
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        for _ in 0..=(seed >> 60) % 3 {
            state.slide(Direction::ALL[(seed >> 62) as usize]);
        }
    }
    state
}

/// Bidirectional breadth-first search.
fn reference_length(state: &State) -> usize {
    let goal = State::goal(state.tray(), state.goal_blank());
    let mut sides = [
        (HashMap::from([(state.clone(), ())]), vec![state.clone()]),
        (HashMap::from([(goal.clone(), ())]), vec![goal]),
    ];
    let mut length = 0;
    loop {
        if sides[0].1.iter().any(|s| sides[1].0.contains_key(s))
            || sides[1].1.iter().any(|s| sides[0].0.contains_key(s))
        {
            return length;
        }
        let smaller = usize::from(sides[1].1.len() < sides[0].1.len());
        let (seen, level) = &mut sides[smaller];
        let mut next = Vec::new();
        for state in level.iter() {
            for direction in Direction::ALL {
                let mut moved = state.clone();
                while moved.slide(direction) {
                    if seen.insert(moved.clone(), ()).is_none() {
                        next.push(moved.clone());
                    }
                }
            }
        }
        *level = next;
        length += 1;
    }
}

/// Checks exact lengths, and the exact node counts of searches on one thread with the default
/// specification. The counts change if and only if the search or the default heuristic changes.
#[test]
fn fifteen_puzzles_have_exact_node_counts() {
    let goal = Goal::blank_last("4x4".parse().unwrap());
    let spec = default_spec(&goal);
    let solver = Solver::build_one_side(goal.clone(), spec).unwrap();
    let mut scrambler = Scrambler::new(1);
    let mut found = Vec::new();
    for _ in 0..5 {
        let board = goal.board_of(&scrambler.draw(goal.tray(), goal.blank()));
        let solution = solver.solve_with(&board.unwrap(), &from_start()).unwrap();
        let stats = &solution.stats;
        found.push((solution.length, stats.generated, stats.expanded));
    }
    assert_eq!(found, PINNED);
}

const PINNED: [(u32, u64, u64); 5] = [
    (34, 435_384, 145_130),
    (33, 446_705, 148_904),
    (37, 1_590_815, 530_275),
    (34, 505_921, 168_640),
    (33, 130_044, 43_349),
];

/// The suite's boards are those that its seed generates, and their solutions have the listed
/// lengths. Node counts are exact: they change if and only if the search or the default heuristic
/// changes.
#[cfg_attr(
    not(feature = "long-tests"),
    ignore = "long set: cargo test --features long-tests"
)]
#[test]
fn a_hundred_random_fifteen_puzzles_have_their_lengths() {
    let goal = Goal::blank_last("4x4".parse().unwrap());
    let spec = default_spec(&goal);
    let solver = Solver::build_one_side(goal.clone(), spec).unwrap();
    let mut scrambler = Scrambler::new(15);
    let (mut lengths, mut nodes) = (0, 0);
    let file = include_str!("../../../../data/suites/multi100.txt");
    for line in file.lines().filter(|line| !line.starts_with('#')) {
        let listed = parse_listed(line, None, false).unwrap();
        let drawn = scrambler.draw(goal.tray(), goal.blank());
        assert_eq!(Some(&listed.board), goal.board_of(&drawn).as_ref());
        let solution = solver.solve(&listed.board).unwrap();
        let length = solution.length;
        assert_eq!(Some(length), listed.known_length, "{line}");
        lengths += length;
        nodes += solution.stats.generated;
    }
    assert_eq!((lengths, nodes), MULTI100);
}

const MULTI100: (u32, u64) = (3157, 26_898_523);

#[test]
fn limits_stop_the_search_and_keep_the_proved_bound() {
    let goal = Goal::blank_last("6x6".parse().unwrap());
    let spec = default_spec(&goal);
    let solver = Solver::build_one_side(goal.clone(), spec).unwrap();
    let board = Scrambler::new(3).draw(goal.tray(), goal.blank());
    let board = goal.board_of(&board).unwrap();
    let options = SolveOptions::default().max_nodes(50_000);
    let Err(SolveError::Limit(limit)) = solver.solve_with(&board, &options) else {
        panic!("a random 35-puzzle was solved");
    };
    assert!(limit.lower_bound >= limit.stats.h0 && limit.stats.h0 >= 15);
    assert!((50_000..50_010).contains(&limit.stats.generated));
    let cancel = Cancel::default();
    cancel.cancel();
    let options = SolveOptions::default().cancel(&cancel);
    let stopped = solver.solve_with(&board, &options);
    assert!(matches!(stopped, Err(SolveError::Limit(_))));
}

#[test]
fn specifications_have_one_metric() {
    let goal = goal("3x3", 8);
    let runs = HeuristicSpec::builder(&goal)
        .kind(TableKind::MultiTile)
        .parse("runs")
        .unwrap();
    let single = HeuristicSpec::parse("8", &goal).unwrap();
    for (spec, metric) in [(runs, Metric::Multi), (single, Metric::Single)] {
        assert_eq!(
            Solver::build_one_side(goal.clone(), spec).unwrap().metric(),
            metric
        );
    }
    assert!(HeuristicSpec::parse("runs", &goal).is_err());
    assert!(
        HeuristicSpec::builder(&goal)
            .kind(TableKind::MultiTile)
            .parse("manhattan")
            .is_err()
    );
}

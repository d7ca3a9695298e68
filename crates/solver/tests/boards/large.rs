//! Trays of more than 25 cells. Searches with tables are compared with searches by Manhattan
//! distance alone, and estimates are compared with probes. Probes share no look-up code with the
//! search.

use std::time::Duration;

use pdb_gen::build;
use pdb_table::{Control, Encoding};
use puzzle::{Board, Cell, Goal, HeuristicSpec, Metric, Scrambler, TableKind, Tray};
use solver::{
    Improvement, Method, Mode, PatternGeometry, PatternLookup, PatternTable, Solution,
    SolveOptions, Solver,
};

use crate::IS_LONG;

/// A solver whose patterns have `size` tiles. The last pattern may have fewer tiles.
fn solver(goal: &Goal, kind: TableKind, size: usize) -> Solver {
    let tiles = goal.tray().cells() - 1;
    let sizes = (0..tiles).step_by(size).map(|from| size.min(tiles - from));
    let name = sizes.map(|size| size.to_string()).collect::<Vec<_>>();
    let spec = HeuristicSpec::builder(goal).kind(kind);
    Solver::build_one_side(goal.clone(), spec.parse(&name.join("-")).unwrap()).unwrap()
}

fn manhattan(goal: &Goal) -> Solver {
    let spec = HeuristicSpec::parse("manhattan", goal).unwrap();
    Solver::build_one_side(goal.clone(), spec).unwrap()
}

/// Boards after random moves from the goal.
fn near(goal: &Goal, moves: usize, count: usize) -> Vec<Board> {
    let mut scrambler = Scrambler::new(goal.tray().cells() as u64);
    let mut board = || {
        let path = scrambler.walk(goal.board(), moves);
        goal.board().play(&path).unwrap()
    };
    (0..count).map(|_| board()).collect()
}

#[cfg_attr(
    not(feature = "long-tests"),
    ignore = "long set: cargo test --features long-tests"
)]
#[test]
fn easy_boards_have_the_same_lengths_with_and_without_tables() {
    for (size, blank, kind, tiles) in [
        ("6x6", 35, TableKind::ZeroAware, 4),
        ("6x6", 14, TableKind::BlankCompressed, 3),
        ("7x7", 0, TableKind::ZeroAware, 3),
        ("8x8", 63, TableKind::ZeroAware, 3),
        ("8x8", 31, TableKind::BlankCompressed, 2),
        ("8x5", 39, TableKind::ZeroAware, 3),
        ("3x20", 59, TableKind::ZeroAware, 2),
        ("6x6", 35, TableKind::FullCost, 3),
    ] {
        let goal = Goal::with_blank(size.parse().unwrap(), Cell::new(blank));
        let (tables, plain) = (solver(&goal, kind, tiles), manhattan(&goal));
        for board in near(&goal, 36, 8) {
            let solution = tables.solve(&board).unwrap();
            assert_eq!(
                solution.length,
                plain.solve(&board).unwrap().length,
                "{board}"
            );
            assert_eq!(&board.play(&solution.moves).unwrap(), goal.board());
            assert!(solution.is_optimal);
        }
    }
}

#[test]
fn estimates_equal_the_values_of_probes() {
    for (size, blank, kind) in [
        ("6x6", 35, TableKind::ZeroAware),
        ("8x8", 9, TableKind::BlankCompressed),
        ("6x6", 21, TableKind::MultiTile),
        // Only the long set tests the following cases.
        ("6x6", 21, TableKind::FullCost),
        ("8x8", 63, TableKind::ZeroAware),
        ("10x6", 0, TableKind::ZeroAware),
    ]
    .into_iter()
    .take(if IS_LONG { 6 } else { 3 })
    {
        let goal = Goal::with_blank(size.parse().unwrap(), Cell::new(blank));
        let tiles = 3;
        let spec = HeuristicSpec::builder(&goal).kind(kind);
        let solver = match kind {
            TableKind::MultiTile => {
                let spec = spec.parse("1,2/7,8/35,34").unwrap();
                Solver::build_one_side(goal.clone(), spec).unwrap()
            }
            _ => solver(&goal, kind, tiles),
        };
        let plain = manhattan(&goal);
        let mut scrambler = Scrambler::new(blank as u64);
        for _ in 0..if IS_LONG { 20 } else { 2 } {
            let board = goal
                .board_of(&scrambler.draw(goal.tray(), goal.blank()))
                .unwrap();
            let estimate = solver.estimate(&board).unwrap();
            assert_eq!(estimate, solver.probe(&board).unwrap().estimate, "{board}");
            if kind.is_additive() {
                // The patterns contain all tiles, so the sum of each view is at least Manhattan
                // distance.
                assert!(estimate >= plain.estimate(&board).unwrap());
            }
        }
    }
}

/// After every move of a path, the updated value of a pattern equals the value that a new look-up
/// reads.
#[test]
fn patterns_updated_along_paths_have_exact_values() {
    let goal = Goal::blank_last("8x8".parse().unwrap());
    let tray = goal.tray();
    let tiles = [53, 54, 61, 62].map(Cell::new).into_iter().collect();
    let pattern = puzzle::Pattern::new(tray, tiles, goal.blank()).unwrap();
    let (id, symmetry) = pattern.table(TableKind::ZeroAware);
    let geometry = PatternGeometry::new(tray, id.tiles().len(), id.kind()).unwrap();
    let encodings = [Encoding::OneBit, Encoding::U8].into_iter();
    let tables = encodings.take(if IS_LONG { 2 } else { 1 }).map(|encoding| {
        let table = build(id, encoding, &Control::default())
            .unwrap()
            .into_table();
        PatternTable::new(table, &geometry).unwrap()
    });
    let path = Scrambler::new(5).walk(goal.board(), 2000);
    for table in tables {
        let lookup = PatternLookup::new(&table, symmetry);
        let mut state = puzzle::State::goal(tray, goal.blank());
        let mut at = lookup.root(&state).unwrap();
        for &direction in &path {
            let hole = state.blank();
            assert!(state.slide(direction));
            let from = state.blank();
            if tiles.contains(state.pieces()[hole.index()]) {
                at = lookup.after(at, from, hole);
            }
            assert_eq!(at.value(), lookup.root(&state).unwrap().value());
        }
    }
}

fn free_solver(tray: Tray, blank: Cell) -> Solver {
    let goal = Goal::with_blank(tray, blank);
    let spec = HeuristicSpec::parse("manhattan", &goal).unwrap();
    Solver::build_one_side(goal, spec).unwrap()
}

fn draw(solver: &Solver, seed: u64) -> Board {
    let goal = solver.goal();
    let state = Scrambler::new(seed).draw(goal.tray(), goal.blank());
    goal.board_of(&state).unwrap()
}

fn checked(solver: &Solver, board: &Board, options: &SolveOptions) -> Solution {
    let solution = solver.solve_with(board, options).unwrap();
    let end = board.play(&solution.moves).unwrap();
    assert_eq!(&end, solver.goal().board());
    assert_eq!(
        solution.length as usize,
        Metric::Single.length(&solution.moves)
    );
    assert!(solution.lower_bound <= solution.length);
    solution
}

fn anytime() -> SolveOptions {
    SolveOptions::default().mode(Mode::Anytime)
}

#[test]
fn every_answer_is_legal() {
    let mut seed = 0;
    for (width, height) in [
        (2, 2),
        (1, 6),
        (3, 2),
        (4, 4),
        (2, 9),
        (7, 5),
        (9, 9),
        (20, 3),
        (20, 20),
    ] {
        let tray = Tray::new(width, height).unwrap();
        let blanks = if tray.cells() < 50 { tray.cells() } else { 4 };
        for number in 0..blanks {
            let blank = Cell::new(number * (tray.cells() - 1) / blanks.max(2));
            let solver = free_solver(tray, blank);
            seed += 1;
            let state = Scrambler::new(seed);
            let board = match width {
                // On trays of one column few boards are solvable, so the board is the result of
                // random moves from the goal.
                1 => {
                    let mut walk = state;
                    let moves = walk.walk(solver.goal().board(), 3);
                    solver.goal().board().play(&moves).unwrap()
                }
                _ => draw(&solver, seed),
            };
            for nodes in [1, 3_000, 150_000] {
                let solution = checked(&solver, &board, &anytime().max_nodes(nodes));
                assert!(solution.stats.generated < nodes + 30_000, "{tray} {nodes}");
            }
        }
    }
}

#[test]
fn a_seed_and_a_node_limit_have_the_same_answer_with_any_threads() {
    let tray = Tray::new(9, 9).unwrap();
    let solver = free_solver(tray, Cell::new(80));
    let board = draw(&solver, 7);
    let options = anytime().max_nodes(if IS_LONG { 8_000_000 } else { 4_000_000 });
    let one = checked(&solver, &board, &options);
    assert!(matches!(one.method, Method::Beam | Method::Window));
    for threads in [2, 1, 4].into_iter().take(if IS_LONG { 3 } else { 1 }) {
        let other = checked(&solver, &board, &options.clone().threads(threads));
        assert_eq!(other, one, "{threads} threads");
    }
    let other = checked(&solver, &board, &options.seed(9));
    assert_ne!(other.moves, one.moves);
}

#[test]
fn solutions_become_shorter_and_little_memory_suffices() {
    let tray = Tray::new(10, 10).unwrap();
    let solver = free_solver(tray, Cell::new(99));
    let board = draw(&solver, 3);
    let lengths = std::sync::Arc::new(std::sync::Mutex::new(Vec::new()));
    struct Listener(std::sync::Arc<std::sync::Mutex<Vec<u32>>>);
    impl solver::Progress<Improvement> for Listener {
        fn report(&self, improvement: &Improvement) {
            self.0.lock().unwrap().push(improvement.solution.length);
        }
    }
    let options = anytime().max_nodes(6_000_000);
    let listening = options.clone().improved(Listener(lengths.clone()));
    let best = checked(&solver, &board, &listening);
    let lengths = lengths.lock().unwrap();
    assert!(lengths.windows(2).all(|pair| pair[1] < pair[0]));
    assert_eq!(lengths.last(), Some(&best.length));
    // There are at least three solutions: by the human method, a beam and windows. The last one is
    // shorter than two thirds of the first.
    assert!(lengths.len() >= 3 && 3 * best.length < 2 * lengths[0]);
    let small = checked(&solver, &board, &options.max_memory(1 << 20));
    assert!(small.length <= lengths[0]);
}

#[test]
fn a_large_tray_without_time_and_a_cancelled_call_have_answers() {
    let tray = Tray::new(20, 20).unwrap();
    let solver = free_solver(tray, Cell::new(399));
    let board = draw(&solver, 1);
    checked(
        &solver,
        &board,
        &anytime().max_time(Duration::from_millis(300)),
    );
    let cancel = solver::Cancel::default();
    cancel.cancel();
    let solution = checked(&solver, &board, &anytime().cancel(&cancel));
    assert_eq!(solution.method, Method::Strategic);
}

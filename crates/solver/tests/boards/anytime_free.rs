//! Anytime answers without tables: legal on every tray, deterministic, and within their limits.

use std::time::Duration;

use puzzle::{Board, Cell, Goal, HeuristicSpec, Metric, Scrambler, Tray};
use solver::{Improvement, Method, Mode, Solution, SolveOptions, Solver};

use crate::IS_LONG;

fn solver(tray: Tray, blank: Cell) -> Solver {
    let goal = Goal::with_blank(tray, blank);
    let spec = HeuristicSpec::parse("manhattan", &goal).unwrap();
    Solver::build(goal, spec).unwrap()
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
            let solver = solver(tray, blank);
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
    let solver = solver(tray, Cell::new(80));
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
    let solver = solver(tray, Cell::new(99));
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
    let solver = solver(tray, Cell::new(399));
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

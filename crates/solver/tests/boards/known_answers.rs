//! Published answers for the 1000 boards of Korf & Felner and for the hardest boards, with the
//! tables 7-8. Also published answers for the 24-puzzle.

use puzzle::board_text::parse_listed;
use puzzle::{Board, Cell, Goal, HeuristicSpec, MoveOrder, TableKind, Tray};
use solver::{DuplicatePruning, SolveOptions, Solver};

use crate::IS_LONG;
use crate::reference::{from_start, walked};

fn solver(goal: &Goal, partition: &str) -> Solver {
    let spec = HeuristicSpec::parse(partition, goal).unwrap();
    Solver::build_one_side(goal.clone(), spec).unwrap()
}

fn boards(file: &str) -> impl Iterator<Item = (Board, Option<u32>)> {
    let lines = file.lines().filter(|line| !line.starts_with('#'));
    lines.map(|line| {
        let listed = parse_listed(line, None, false).unwrap();
        (listed.board, listed.known_length)
    })
}

/// Both goals use the same tables, because the blank-last goal is a rotation of the blank-first
/// goal.
#[cfg_attr(
    not(feature = "long-tests"),
    ignore = "long set: cargo test --features long-tests"
)]
#[test]
fn seven_eight_has_the_node_counts_of_the_literature() {
    let tray = Tray::new(4, 4).unwrap();
    let first = solver(&Goal::blank_first(tray), "7-8");
    let felner = include_str!("../../../../data/suites/felner1000.txt");
    let count = |pruning| -> u64 {
        let options = from_start().pruning(pruning);
        let solve = |(board, _)| first.solve_with(&board, &options).unwrap();
        let solutions = boards(felner).map(solve);
        solutions.map(|solution| solution.stats.generated).sum()
    };
    assert_eq!(count(DuplicatePruning::Automaton), 15_095_531);
    // With the order ULRD the mean is 19,976.6 nodes per board. An early prototype that shares no
    // code with the solver confirmed this mean.
    assert_eq!(count(DuplicatePruning::ParentOnly), 19_688_960);

    let last = Goal::blank_last(tray);
    let hardest = include_str!("../../../../data/suites/hardest80.txt");
    let last = solver(&last, "7-8");
    for (board, length) in boards(hardest).skip(4).take(3) {
        let solution = last.solve(&board).unwrap();
        assert_eq!((solution.moves.len(), length), (80, Some(80)));
    }
}

/// Searches that choose the better side. The counts include the nodes that they generate from the
/// other side before this choice.
#[cfg_attr(
    not(feature = "long-tests"),
    ignore = "long set: cargo test --features long-tests"
)]
#[test]
fn the_better_side_has_the_recorded_node_counts() {
    let tray = Tray::new(4, 4).unwrap();
    let goal = Goal::blank_first(tray);
    let felner = include_str!("../../../../data/suites/felner1000.txt");
    for (name, nodes) in [
        ("6-6-3", 139_786_501),
        ("7-8", 11_687_826),
        ("best", 7_778_164),
    ] {
        let spec = HeuristicSpec::parse(name, &goal).unwrap();
        let others = spec.other_goals();
        let mut solver = Solver::build_one_side(goal.clone(), spec).unwrap();
        for other in others {
            let goal = Goal::with_blank(tray, other.goal_blank());
            solver
                .add_goal(Solver::build_one_side(goal, other).unwrap())
                .unwrap();
        }
        let options = SolveOptions::default().threads(1);
        let solve = |(board, _)| solver.solve_with(&board, &options).unwrap();
        let solutions = boards(felner).map(solve);
        let counted: u64 = solutions.map(|solution| solution.stats.generated).sum();
        assert_eq!(counted, nodes, "{name}");
    }
}

/// Uses Korf & Felner's tables, move order and way of counting. They published 36,710 nodes per
/// board.
#[cfg_attr(
    not(feature = "long-tests"),
    ignore = "long set: cargo test --features long-tests"
)]
#[test]
fn blank_compressed_seven_eight_has_the_published_mean() {
    let goal = Goal::blank_first(Tray::new(4, 4).unwrap());
    let spec = HeuristicSpec::builder(&goal).kind(TableKind::BlankCompressed);
    let order: MoveOrder = "ULRD".parse().unwrap();
    let spec = spec.parse("7-8").unwrap().with_order(order);
    let solver = Solver::build_one_side(goal, spec).unwrap();
    let options = from_start().pruning(DuplicatePruning::ParentOnly);
    let felner = include_str!("../../../../data/suites/felner1000.txt");
    let solve = |(board, _)| solver.solve_with(&board, &options).unwrap();
    let solutions = boards(felner).map(solve);
    let nodes: u64 = solutions.map(|solution| solution.stats.generated).sum();
    assert_eq!(nodes, 36_709_940);
}

/// For boards near the goal, searches with tables and searches with Manhattan distance alone find
/// solutions of the same length.
#[test]
fn tables_of_large_trays_agree_with_manhattan_distance() {
    for (size, partition) in [
        ("5x5", "5-5-5-5-4"),
        ("5x4", "5-5-5-4"),
        ("4x5", "5-4-5-5"),
        ("6x3", "6-6-5"),
    ] {
        let tray: Tray = size.parse().unwrap();
        let blanks = [0, tray.cells() / 2, 1, tray.cells() - 1];
        for blank in blanks.into_iter().take(if IS_LONG { 4 } else { 1 }) {
            let goal = Goal::with_blank(tray, Cell::new(blank));
            let (tables, manhattan) = (solver(&goal, partition), solver(&goal, "manhattan"));
            for walk in 0..4_u64 {
                let state = walked(&goal, 40, walk + 1);
                let board = goal.board_of(&state).unwrap();
                let solution = tables.solve(&board).unwrap();
                let reference = manhattan.solve(&board).unwrap();
                assert_eq!(
                    solution.moves.len(),
                    reference.moves.len(),
                    "{size} {board}"
                );
                assert!(solution.stats.h0 >= reference.stats.h0);
            }
        }
    }
}

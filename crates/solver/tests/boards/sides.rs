//! Boards searched from the start, from the goal, and from the better of the two.

use puzzle::{Board, Direction, Goal, HeuristicSpec, Metric, Symmetry, Tray};
use solver::{Side, SolveOptions, Solver};

/// A solver with the tables of all goal cells of the blank.
fn solver(goal: &Goal, name: &str, metric: Metric) -> Solver {
    let build = |goal: &Goal| {
        let spec = HeuristicSpec::builder(goal).metric(metric).parse(name);
        Solver::build(goal.clone(), spec.unwrap()).unwrap()
    };
    let tray = goal.tray();
    let mut solver = build(goal);
    let mut cells = vec![goal.blank()];
    for cell in tray.iter() {
        let is_same = |&seen| Symmetry::of(tray).any(|by| by.map(tray, seen) == cell);
        if !cells.iter().any(is_same) {
            cells.push(cell);
            solver
                .add_goal(build(&Goal::with_blank(tray, cell)))
                .unwrap();
        }
    }
    solver
}

fn options(side: Side) -> SolveOptions {
    SolveOptions::default().side(side)
}

/// Every board of some trays, whatever the blank's goal, has one length from all sides, with moves
/// that were replayed; with a goal whose tables are of no other cell, too.
#[test]
fn lengths_are_the_same_from_all_sides() {
    for (size, name) in [("2x3", "2-3"), ("3x2", "manhattan"), ("2x2", "3")] {
        let tray: Tray = size.parse().unwrap();
        for blank in tray.iter() {
            let goal = Goal::with_blank(tray, blank);
            for (metric, name) in [(Metric::Single, name), (Metric::Multi, "lines")] {
                let solver = solver(&goal, name, metric);
                for_each_board(&goal, &mut |board| {
                    let [start, goal, auto] = [Side::Start, Side::Goal, Side::Auto]
                        .map(|side| solver.solve_with(board, &options(side)).unwrap().length);
                    assert_eq!(
                        (goal, auto),
                        (start, start),
                        "{board} {metric} to {blank:?}"
                    );
                });
            }
        }
    }
}

/// All boards that can be solved, by a search from the goal.
fn for_each_board(goal: &Goal, visit: &mut dyn FnMut(&Board)) {
    let mut seen = std::collections::HashSet::from([goal.board().to_string()]);
    let mut queue = vec![goal.board().clone()];
    while let Some(board) = queue.pop() {
        visit(&board);
        for direction in Direction::ALL {
            if let Ok(next) = board.play(&[direction]) {
                if seen.insert(next.to_string()) {
                    queue.push(next);
                }
            }
        }
    }
}

/// Nodes of the first boards of a published list, both sides counted.
#[test]
fn the_better_side_needs_fewer_nodes() {
    let text = include_str!("../../../../data/suites/felner1000.txt");
    let goal = Goal::parse("blank-first", Some("4x4".parse().unwrap())).unwrap();
    let solver = solver(&goal, "6-6-3", Metric::Single);
    let boards = text.lines().filter(|line| !line.starts_with('#')).take(60);
    let boards: Vec<Board> = boards
        .map(|line| Board::parse(line.split('#').next().unwrap(), None).unwrap())
        .collect();
    let nodes = |side: Side| -> u64 {
        let solutions = boards.iter().map(|board| {
            let solution = solver.solve_with(board, &options(side)).unwrap();
            let iterations = &solution.stats.iterations;
            assert!(
                iterations
                    .iter()
                    .all(|iteration| { side == Side::Auto || iteration.side == side })
            );
            solution.stats.generated
        });
        solutions.sum()
    };
    let counts = [Side::Start, Side::Goal, Side::Auto].map(nodes);
    assert_eq!(counts, [20_046_217, 11_120_892, 9_076_895]);
}

#[test]
fn tables_of_another_tray_are_refused() {
    let goal = |size: &str| Goal::blank_last(size.parse().unwrap());
    let mut solver = solver(&goal("3x3"), "manhattan", Metric::Single);
    let spec = HeuristicSpec::parse("manhattan", &goal("3x2")).unwrap();
    let other = Solver::build(goal("3x2"), spec).unwrap();
    assert!(solver.add_goal(other).is_err());
}

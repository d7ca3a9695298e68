//! Searches of both metrics that are small enough for memory checkers. With a memory checker, a
//! test takes up to a thousand times as long. scripts/check/memory.sh runs all tests named `tiny`.
#![allow(clippy::unwrap_used)]

use std::collections::HashMap;

use puzzle::{Board, Direction, Goal, HeuristicSpec, Metric, Scrambler};
use solver::{Mode, SolveOptions, Solver};

/// The boards of a tray with their distances from the goal, by breadth-first search.
fn distances(goal: &Board) -> HashMap<Board, u32> {
    let mut known = HashMap::from([(goal.clone(), 0)]);
    let mut layer = vec![goal.clone()];
    let mut depth = 0;
    while !layer.is_empty() {
        depth += 1;
        let mut next = Vec::new();
        for board in &layer {
            for direction in Direction::ALL {
                let Ok(child) = board.play(&[direction]) else {
                    continue;
                };
                known.entry(child).or_insert_with_key(|child| {
                    next.push(child.clone());
                    depth
                });
            }
        }
        layer = next;
    }
    known
}

fn boards(goal: &Goal, number: usize) -> Vec<Board> {
    let mut scrambler = Scrambler::new(5);
    let draw = || {
        let state = scrambler.draw(goal.tray(), goal.blank());
        goal.board_of(&state).unwrap()
    };
    std::iter::repeat_with(draw).take(number).collect()
}

#[test]
fn tiny_searches_find_the_distance() {
    let number = if cfg!(miri) { 2 } else { 6 };
    for (size, partition) in [
        ("2x2", "3"),
        ("3x2", "5"),
        ("3x2", "1,2,3/4,5"),
        ("2x3", "manhattan"),
    ] {
        let goal = Goal::blank_last(size.parse().unwrap());
        let known = distances(goal.board());
        let spec = HeuristicSpec::parse(partition, &goal).unwrap();
        let solver = Solver::build_one_side(goal.clone(), spec).unwrap();
        for board in boards(&goal, number) {
            for threads in [1, 2] {
                let options = SolveOptions::default().threads(threads);
                let solution = solver.solve_with(&board, &options).unwrap();
                assert_eq!(solution.length, known[&board], "{size} {partition} {board}");
                assert_eq!(&board.play(&solution.moves).unwrap(), goal.board());
            }
            let all = solver
                .all_solutions(&board, 0, 3, &SolveOptions::default())
                .unwrap();
            assert!(
                all.moves
                    .iter()
                    .all(|moves| moves.len() as u32 == known[&board])
            );
        }
    }
}

#[test]
fn tiny_boards_have_anytime_and_strategic_answers() {
    let goal = Goal::blank_last("3x2".parse().unwrap());
    let spec = HeuristicSpec::parse("1,2,3/4,5", &goal).unwrap();
    let solver = Solver::build_one_side(goal.clone(), spec).unwrap();
    let known = distances(goal.board());
    for board in boards(&goal, 2) {
        let anytime = SolveOptions::default().mode(Mode::Anytime);
        let solution = solver.solve_with(&board, &anytime).unwrap();
        assert_eq!(
            (solution.length, solution.is_optimal),
            (known[&board], true)
        );
        let strategic = SolveOptions::default().mode(Mode::Strategic);
        let solution = solver.solve_with(&board, &strategic).unwrap();
        assert_eq!(&board.play(&solution.moves).unwrap(), goal.board());
    }
}

#[test]
fn tiny_boards_are_solved_in_runs() {
    let goal = Goal::blank_last("3x2".parse().unwrap());
    let builder = HeuristicSpec::builder(&goal).metric(Metric::Multi);
    let spec = builder.parse_default().unwrap();
    let solver = Solver::build_one_side(goal.clone(), spec).unwrap();
    for board in boards(&goal, 2) {
        let solution = solver.solve(&board).unwrap();
        assert_eq!(&board.play(&solution.moves).unwrap(), goal.board());
        assert_eq!(
            solution.length as usize,
            Metric::Multi.length(&solution.moves)
        );
    }
}

//! Searches for all solutions. The numbers of solutions are compared with counts of paths, computed
//! with the exact distances of all states.

use std::collections::{BTreeSet, HashMap};

use puzzle::{Board, Direction, Goal, Metric, State, TableKind};
use rustc_hash::FxBuildHasher;
use solver::{Solutions, SolveOptions, Solver};

use crate::IS_LONG;
use crate::multi::{Distances, distances};
use crate::reference::{KORF_100, drawn, from_start, goal, spec, suite};

fn solver(goal: &Goal, partition: &str) -> Solver {
    let spec = spec(goal, partition, TableKind::ZeroAware);
    Solver::build_one_side(goal.clone(), spec).unwrap()
}

/// Number of paths from a state, for each length. Paths end when they first reach the goal and
/// never undo a move directly. All paths are extended together, step by step.
fn count(state: &State, distances: &Distances, longest: usize) -> Vec<u64> {
    let mut counts = vec![0; longest + 1];
    let mut paths = HashMap::from([((state.clone(), None), 1_u64)]);
    for (step, count) in counts.iter_mut().enumerate() {
        let mut next = HashMap::new();
        for ((state, last), number) in paths {
            if state.is_goal() {
                *count += number;
                continue;
            }
            for direction in Direction::ALL {
                let mut moved = state.clone();
                if last == Some(direction.opposite()) || !moved.slide(direction) {
                    continue;
                }
                if step + 1 + distances[&moved] as usize <= longest {
                    *next.entry((moved, Some(direction))).or_insert(0) += number;
                }
            }
        }
        paths = next;
    }
    counts
}

/// Checks that the kept solutions are distinct, valid and in order. Their number must be `most` or,
/// if fewer solutions exist, the number of all solutions.
fn check(solver: &Solver, board: &Board, within: u32, most: usize) -> Solutions {
    let found = solver
        .all_solutions(board, within, most, &from_start())
        .unwrap();
    let total: u64 = found.counts.iter().sum();
    assert_eq!(found.moves.len() as u64, total.min(most as u64), "{board}");
    assert_eq!(found.counts.len(), within as usize + 1);
    let order = solver.spec().order();
    let key = |moves: &Vec<Direction>| {
        let place = |tile: &Direction| order.iter().position(|&d| d == tile.opposite()).unwrap();
        (moves.len(), moves.iter().map(place).collect::<Vec<_>>())
    };
    assert!(found.moves.is_sorted_by_key(key), "{board}");
    let different: BTreeSet<_> = found.moves.iter().map(key).collect();
    assert_eq!(different.len(), found.moves.len(), "{board}");
    for moves in &found.moves {
        let mut state = solver.goal().state(board).unwrap();
        for (step, &direction) in moves.iter().enumerate() {
            assert!(!state.is_goal(), "{board}: continues after the goal");
            assert!(step == 0 || moves[step - 1] != direction.opposite());
            assert!(state.slide(direction));
        }
        assert!(state.is_goal());
    }
    let shortest = solver.solve_with(board, &from_start()).unwrap();
    assert_eq!(found.length, shortest.length);
    assert_eq!(found.moves.first(), Some(&shortest.moves));
    found
}

#[test]
fn every_8_puzzle_board_has_the_number_of_optimal_solutions_counted_from_distances() {
    let goal = goal("3x3", 8);
    let solver = solver(&goal, "8");
    let distances = distances(goal.tray(), goal.blank(), Metric::Single);
    let mut states: Vec<_> = distances.iter().collect();
    states.sort_by_key(|&(_, &distance)| distance);
    let mut numbers: HashMap<&State, u64, FxBuildHasher> = HashMap::default();
    let mut most = 0;
    // The count of a state needs the counts of all states nearer to the goal.
    let every = if IS_LONG { 1 } else { 4 };
    for (place, (state, &distance)) in states.into_iter().enumerate() {
        let ways = |direction| {
            let mut moved = state.clone();
            let is_closer = moved.slide(direction) && distances[&moved] + 1 == distance;
            is_closer.then(|| numbers[&moved])
        };
        let number: u64 = match distance {
            0 => 1,
            _ => Direction::ALL.into_iter().filter_map(ways).sum(),
        };
        numbers.insert(state, number);
        most = most.max(number);
        if place % every != 0 && number < MOST_OPTIMAL {
            continue;
        }
        let board = goal.board_of(state).unwrap();
        let found = solver
            .all_solutions(&board, 0, 1, &SolveOptions::default())
            .unwrap();
        assert_eq!((found.length, &found.counts[..]), (distance, &[number][..]));
    }
    assert_eq!(numbers.len(), 181_440);
    assert_eq!(most, MOST_OPTIMAL);
}

/// Maximum number of optimal solutions of a board of the 8-puzzle.
const MOST_OPTIMAL: u64 = 64;

#[test]
fn longer_solutions_are_counted_like_paths_without_direct_undoing() {
    for (size, blank, boards, excesses) in [
        ("2x2", 0, 12, &[0, 1, 2, 4, 9, 12][..]),
        ("3x2", 5, 360, &[2, 4][..]),
        ("3x2", 1, 60, &[7][..]),
        ("3x3", 8, 25, &[1, 2, 4][..]),
        ("3x3", 4, 25, &[2, 4][..]),
        ("3x3", 1, 10, &[6][..]),
    ] {
        let goal = goal(size, blank);
        let distances = distances(goal.tray(), goal.blank(), Metric::Single);
        let states = if distances.len() <= boards {
            distances.keys().cloned().collect()
        } else {
            drawn(&goal, boards, blank as u64)
        };
        let all = (goal.tray().cells() - 1).to_string();
        for partition in [&all, "manhattan"] {
            let solver = solver(&goal, partition);
            for state in &states {
                // With Manhattan distance, searches from far boards take too long.
                if partition == "manhattan" && distances[state] > 22 {
                    continue;
                }
                let board = goal.board_of(state).unwrap();
                for &excess in excesses {
                    let found = check(&solver, &board, excess, usize::MAX);
                    let distance = distances[state] as usize;
                    let counts = count(state, &distances, distance + excess as usize);
                    assert_eq!(found.counts, counts[distance..], "{size} {board}");
                }
            }
        }
    }
}

#[test]
fn a_limit_keeps_the_first_solutions_and_counts_all() {
    let goal = goal("3x3", 8);
    let solver = solver(&goal, "5-3");
    for state in drawn(&goal, 10, 1) {
        let board = goal.board_of(&state).unwrap();
        let all = check(&solver, &board, 4, usize::MAX);
        for most in [1, 2, 3, 10, 100] {
            let some = check(&solver, &board, 4, most);
            let kept = all.moves.len().min(most);
            assert_eq!(some.moves, all.moves[..kept]);
            assert_eq!(
                (some.counts, some.stats),
                (all.counts.clone(), all.stats.clone())
            );
        }
        let none = solver.all_solutions(&board, 4, 0, &from_start()).unwrap();
        assert_eq!((none.moves.len(), none.counts), (0, all.counts));
    }
}

#[test]
fn solutions_of_the_15_puzzle_are_counted() {
    let last = goal("4x4", 15);
    let board = Board::parse("5 10 14 7/8 3 6 1/15 0 12 9/2 11 4 13", None).unwrap();
    let found = check(&solver(&last, "6-6-3"), &board, 4, 20);
    assert_eq!(found.counts, [1, 0, 11, 0, 135]);
    let first = goal("4x4", 0);
    let solvers = ["6-6-3", "5-5-5"].map(|partition| solver(&first, partition));
    for (&index, counts) in BOARDS.iter().zip(COUNTS) {
        let board = &suite(KORF_100)[index];
        for solver in &solvers {
            let found = check(solver, board, 2, 1000);
            assert_eq!(found.counts, counts, "{board}");
        }
    }
}

/// Numbers of easy boards among Korf's hundred.
const BOARDS: [usize; 5] = [11, 41, 54, 84, 70];
const COUNTS: [[u64; 3]; 5] = [[1, 0, 17], [1, 0, 8], [2, 0, 13], [2, 0, 20], [4, 0, 79]];

#[test]
fn helpers_change_neither_counts_nor_kept_solutions() {
    let goal = goal("4x4", 15);
    let board = Board::parse("5 10 14 7/8 3 6 1/15 0 12 9/2 11 4 13", None).unwrap();
    let solver = solver(&goal, "6-6-3");
    let alone = solver
        .all_solutions(&board, 4, 30, &SolveOptions::default())
        .unwrap();
    for helpers in 1..=4 {
        let options = SolveOptions::default().threads(1 + helpers);
        let helped = solver.all_solutions(&board, 4, 30, &options).unwrap();
        assert_eq!(
            (helped.counts, helped.moves),
            (alone.counts.clone(), alone.moves.clone())
        );
    }
}

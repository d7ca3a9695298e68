//! Sets with more views than a node of the search has room for: subtrees are searched with some of
//! the views.

use std::collections::BTreeSet;

use puzzle::{Cell, Metric, TableKind};
use solver::Solver;

use crate::IS_LONG;
use crate::multi::distances;
use crate::reference::{KORF_100, drawn, from_start, goal, spec, suite};

/// `count` partitions of all tiles into parts of at most two tiles. Their sums are small, so
/// estimates are far below most bounds, and the top of the search tree is large.
fn weak_partitions(tiles: usize, count: usize) -> String {
    let partitions = (0..count).map(|number| {
        let mut order: Vec<usize> = (1..=tiles).collect();
        order.sort_by_key(|tile| (tile * 31 + number * 17).pow(3) % 1009);
        let parts = order.chunks(2).map(|part| {
            let tiles: Vec<String> = part.iter().map(usize::to_string).collect();
            tiles.join(",")
        });
        parts.collect::<Vec<_>>().join("/")
    });
    partitions.collect::<Vec<_>>().join("+")
}

fn solver(size: &str, partitions: usize, room: usize, kind: TableKind) -> Solver {
    let goal = goal(size, 0);
    let tiles = goal.tray().cells() - 1;
    let spec = spec(&goal, &weak_partitions(tiles, partitions), kind);
    assert!(spec.views().len() > room);
    Solver::build(goal, spec).unwrap()
}

/// Numbers of partitions. A node has room for 8 views of one-bit tables, and for 32 views of byte
/// tables.
const SETS: [(usize, usize, TableKind); 2] = [
    (20, 8, TableKind::ZeroAware),
    (90, 32, TableKind::BlankCompressed),
];

#[test]
fn lengths_are_those_of_breadth_first_search() {
    let every = if IS_LONG { [1, 6] } else { [20, 3000] };
    for (size, every) in ["4x2", "3x3"].into_iter().zip(every) {
        for (partitions, room, kind) in SETS {
            let solver = solver(size, partitions, room, kind);
            let distances = distances(solver.goal().tray(), Cell::new(0), Metric::Single);
            for (state, &distance) in distances.iter().step_by(every) {
                let board = solver.goal().board_of(state).unwrap();
                let solution = solver.solve_with(&board, &from_start()).unwrap();
                assert_eq!(solution.moves.len(), distance as usize, "{kind:?} {board}");
                assert_eq!(solution.lower_bound, distance);
                assert_eq!(
                    board.play(&solution.moves).as_ref(),
                    Ok(solver.goal().board())
                );
            }
        }
    }
}

#[test]
fn all_solutions_are_found() {
    for (partitions, room, kind) in SETS {
        let few = solver("3x3", 2, 0, kind);
        let many = solver("3x3", partitions, room, kind);
        for state in drawn(few.goal(), 12, 5) {
            let board = few.goal().board_of(&state).unwrap();
            let options = from_start();
            let [few, many] = [&few, &many].map(|solver| {
                let all = solver.all_solutions(&board, 2, 1000, &options).unwrap();
                (all.counts, all.moves.into_iter().collect::<BTreeSet<_>>())
            });
            assert_eq!(few, many, "{kind:?} {board}");
        }
    }
}

#[test]
fn node_counts_are_repeatable() {
    let goal = goal("4x4", 0);
    let partitions = "5-5-5+4-4-4-3+6-6-3+3-3-3-3-3+5-4-4-2";
    let spec = spec(&goal, partitions, TableKind::ZeroAware);
    assert!(spec.views().len() > 8);
    let solver = Solver::build(goal, spec).unwrap();
    let counts = suite(KORF_100).into_iter().take(3).map(|board| {
        let solution = solver.solve_with(&board, &from_start()).unwrap();
        let stats = solution.stats;
        (solution.length, stats.generated, stats.expanded)
    });
    assert_eq!(
        counts.collect::<Vec<_>>(),
        [
            (57, 133_870, 67_145),
            (55, 20_103, 9_995),
            (59, 651_165, 321_402)
        ]
    );
}

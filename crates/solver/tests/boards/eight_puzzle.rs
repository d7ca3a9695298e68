//! Every state of the 3x3, for each kind of goal and partition, compared with breadth-first search.

use puzzle::{Board, Cell, Goal, HeuristicSpec, Metric, TableKind, Tray};
use solver::Solver;

use crate::IS_LONG;
use crate::multi::distances;

fn solves_every_state(
    size: &str,
    goal_blank: usize,
    partition: &str,
    kind: TableKind,
    widths: Option<&str>,
) {
    solves_states(size, goal_blank, partition, kind, widths, 1);
}

/// Solves every `every`-th state, and counts all states.
fn solves_states(
    size: &str,
    goal_blank: usize,
    partition: &str,
    kind: TableKind,
    widths: Option<&str>,
    every: usize,
) {
    let tray: Tray = size.parse().unwrap();
    let goal = Goal::with_blank(tray, Cell::new(goal_blank));
    let spec = HeuristicSpec::builder(&goal)
        .kind(kind)
        .parse(partition)
        .unwrap();
    let solver = Solver::build_one_side(goal.clone(), spec).unwrap();
    let mut found = Vec::new();
    let distances = distances(tray, Cell::new(goal_blank), Metric::Single);
    for (place, (state, &distance)) in distances.iter().enumerate() {
        let distance = distance as usize;
        if found.len() <= distance {
            found.resize(distance + 1, 0);
        }
        found[distance] += 1;
        if place % every != 0 {
            continue;
        }
        let board: Board = goal.board_of(state).unwrap();
        let solution = solver.solve(&board).unwrap();
        assert_eq!(solution.moves.len(), distance, "{partition} {board}");
        assert!(
            solution.stats.h0 as usize <= distance,
            "{partition} {board}"
        );
        assert_eq!(solution.lower_bound as usize, distance);
        assert_eq!(board.play(&solution.moves).as_ref(), Ok(goal.board()));
    }
    if let Some(name) = widths {
        let mut lines = include_str!("../../../../data/suites/widths.txt").lines();
        let counts = lines.find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
        let counts = counts.unwrap().split_whitespace();
        let widths: Vec<u64> = counts.map(|count| count.parse().unwrap()).collect();
        assert_eq!(found, widths);
    }
}

// Lines of data/suites/widths.txt.
const CORNER: Option<&str> = Some("3x3");
const EDGE: Option<&str> = Some("3x3-edge");
const CENTRE: Option<&str> = Some("3x3-centre");

#[cfg_attr(
    not(feature = "long-tests"),
    ignore = "long set: cargo test --features long-tests"
)]
#[test]
fn corner_goal_with_one_table() {
    solves_every_state("3x3", 8, "8", TableKind::ZeroAware, CORNER);
}

#[test]
fn corner_goal_with_two_tables() {
    solves_every_state("3x3", 8, "5-3", TableKind::ZeroAware, CORNER);
}

#[test]
fn corner_goal_with_blank_compressed_tables() {
    let every = if IS_LONG { 1 } else { 4 };
    solves_states("3x3", 0, "5-3", TableKind::BlankCompressed, CORNER, every);
}

#[test]
fn corner_goal_with_the_fringe() {
    let every = if IS_LONG { 1 } else { 4 };
    solves_states("3x3", 8, "fringe", TableKind::FullCost, CORNER, every);
}

#[cfg_attr(
    not(feature = "long-tests"),
    ignore = "long set: cargo test --features long-tests"
)]
#[test]
fn edge_goal_with_each_partition() {
    solves_every_state("3x3", 1, "8", TableKind::ZeroAware, EDGE);
    solves_every_state("3x3", 3, "5-3", TableKind::ZeroAware, EDGE);
    solves_every_state("3x3", 7, "fringe", TableKind::FullCost, EDGE);
}

#[cfg_attr(
    not(feature = "long-tests"),
    ignore = "long set: cargo test --features long-tests"
)]
#[test]
fn centre_goal_with_each_partition() {
    solves_every_state("3x3", 4, "8", TableKind::ZeroAware, CENTRE);
    solves_every_state("3x3", 4, "5-3", TableKind::ZeroAware, CENTRE);
    solves_every_state("3x3", 4, "fringe", TableKind::FullCost, CENTRE);
}

#[cfg_attr(
    not(feature = "long-tests"),
    ignore = "long set: cargo test --features long-tests"
)]
#[test]
fn several_partitions_at_once() {
    solves_every_state("3x3", 8, "fringe+5-3", TableKind::ZeroAware, CORNER);
}

#[test]
fn manhattan_alone() {
    if IS_LONG {
        solves_every_state("3x3", 8, "manhattan", TableKind::ZeroAware, CORNER);
    }
    solves_every_state("3x2", 2, "manhattan", TableKind::ZeroAware, None);
    solves_every_state("6x1", 2, "manhattan", TableKind::ZeroAware, None);
}

#[test]
fn default_partitions_of_small_trays() {
    for size in ["2x2", "3x2", "2x3", "4x2", "2x4"] {
        let tray: Tray = size.parse().unwrap();
        let every = if IS_LONG || tray.cells() < 8 { 1 } else { 3 };
        for blank in (0..tray.cells()).step_by(every) {
            solves_every_state(
                size,
                blank,
                &HeuristicSpec::default_name(Metric::Single, tray),
                TableKind::ZeroAware,
                None,
            );
        }
    }
}

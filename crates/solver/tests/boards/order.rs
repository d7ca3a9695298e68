//! The order of the blank's moves.

use puzzle::{Direction, HeuristicSpec, Metric, MoveOrder, TableKind};
use solver::{DuplicatePruning, Solver};

use crate::reference::{Reference, drawn, from_start, goal, spec};

fn orders() -> impl Iterator<Item = MoveOrder> {
    let directions = |number: usize| [0, 2, 4, 6].map(|at| Direction::ALL[number >> at & 3]);
    (0..256).filter_map(move |number| MoveOrder::new(directions(number)))
}

/// With every order, the search needs exactly the nodes of a recursive search in that order, and
/// finds the same moves as that search. Lengths are the same for all orders, with both kinds of
/// pruning.
#[test]
fn orders_change_node_counts_and_not_lengths() {
    let goal = goal("3x3", 8);
    let parent_only = from_start().pruning(DuplicatePruning::ParentOnly);
    let states = drawn(&goal, 10, 6);
    let mut totals = Vec::new();
    let mut lengths = Vec::new();
    for order in orders() {
        let spec = spec(&goal, "5-3", TableKind::ZeroAware).with_order(order);
        assert_eq!(spec.order(), order.directions());
        let reference = Reference::new(&spec);
        let solver = Solver::build(goal.clone(), spec).unwrap();
        let mut total = 0;
        for (index, state) in states.iter().enumerate() {
            let board = goal.board_of(state).unwrap();
            let (found, solution) = (
                reference.solve(state),
                solver.solve_with(&board, &parent_only).unwrap(),
            );
            assert_eq!(solution.moves, found.moves, "{order} {board}");
            assert_eq!(solution.stats.generated, found.generated, "{order} {board}");
            let pruned = solver.solve_with(&board, &from_start()).unwrap();
            assert_eq!(pruned.moves, found.moves);
            if lengths.len() <= index {
                lengths.push(solution.length);
            }
            assert_eq!(solution.length, lengths[index], "{order} {board}");
            total += solution.stats.generated;
        }
        totals.push(total);
    }
    assert_eq!(totals.len(), 24);
    totals.sort_unstable();
    totals.dedup();
    assert!(totals.len() > 20, "{totals:?}");
}

/// The multi-tile search has a fixed order.
#[test]
fn the_multi_tile_search_ignores_the_order() {
    let goal = goal("3x3", 8);
    let build = |order: Option<MoveOrder>| {
        let spec = HeuristicSpec::builder(&goal).metric(Metric::Multi);
        let spec = spec.parse("lines").unwrap();
        let spec = match order {
            Some(order) => spec.with_order(order),
            None => spec,
        };
        Solver::build(goal.clone(), spec).unwrap()
    };
    let plain = build(None);
    for order in orders().take(3) {
        for state in drawn(&goal, 5, 7) {
            let board = goal.board_of(&state).unwrap();
            assert_eq!(build(Some(order)).solve(&board), plain.solve(&board));
        }
    }
}

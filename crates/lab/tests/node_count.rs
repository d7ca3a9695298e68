//! The nodes that tuning counts are the solver's, to the last one, for every order of moves.
#![allow(clippy::unwrap_used)]

use lab::tune::{TuneOptions, tune};
use puzzle::{Cell, Direction, Goal, HeuristicSpec, Pattern, Scrambler, State, TableKind, Tray};
use solver::{DuplicatePruning, SolveOptions, Solver};

fn task(
    tray: Tray,
    blank: Cell,
    kind: TableKind,
    name: &str,
    boards: usize,
) -> (TuneOptions, HeuristicSpec) {
    let goal = Goal::with_blank(tray, blank);
    let spec = HeuristicSpec::builder(&goal)
        .kind(kind)
        .parse(name)
        .unwrap();
    let parts = spec
        .partitions()
        .iter()
        .map(|p| p.patterns().iter().map(Pattern::tiles).collect());
    let mut scrambler = Scrambler::new(3);
    let task = TuneOptions {
        tray,
        goal_blank: blank,
        kind,
        sizes: spec.partitions()[0]
            .patterns()
            .iter()
            .map(|p| p.tiles().len())
            .collect(),
        together: 1,
        seed: 1,
        states: 10,
        entries: 0,
        finalists: 0,
        searched: (0..boards).map(|_| scrambler.draw(tray, blank)).collect(),
        known: vec![parts.collect()],
        memory: None,
    };
    (task, spec)
}

fn check(tray: Tray, blank: Cell, kind: TableKind, name: &str, boards: usize, orders: usize) {
    let (task, _) = task(tray, blank, kind, name, boards);
    let tuned = tune(&task, &()).unwrap();
    let candidate = &tuned.candidates[0];
    assert_eq!(candidate.nodes.len(), 24);
    let goal = Goal::with_blank(tray, blank);
    for &(order, nodes) in candidate.nodes.iter().take(orders) {
        let letters: String = order.map(Direction::letter).iter().collect();
        let pictures = candidate.pictures(tray, blank).into_iter();
        let pictures = pictures.map(|mut picture| {
            picture.order = Some(order);
            format!("{picture}\n")
        });
        let text: String = pictures.collect();
        let spec = HeuristicSpec::builder(&goal)
            .kind(kind)
            .file("p.txt", Ok(text))
            .parse("p.txt")
            .unwrap();
        let solver = Solver::build(goal.clone(), spec).unwrap();
        let options = SolveOptions::default().pruning(DuplicatePruning::ParentOnly);
        let solve = |state: &State| {
            let board = goal.board_of(state).unwrap();
            solver.solve_with(&board, &options).unwrap().stats.generated
        };
        let expected: u64 = task.searched.iter().map(solve).sum();
        let found = nodes * boards as f64;
        assert!(
            (found - expected as f64).abs() < 0.5,
            "{name} {letters}: {found}, {expected}"
        );
    }
}

#[test]
fn every_order_costs_what_the_solver_generates() {
    let tray = Tray::new(3, 3).unwrap();
    for blank in [0, 1, 4] {
        check(tray, Cell::new(blank), TableKind::ZeroAware, "5-3", 15, 24);
    }
    check(
        tray,
        Cell::new(8),
        TableKind::BlankCompressed,
        "4-4",
        15,
        24,
    );
}

#[test]
fn the_15_puzzle_costs_what_the_solver_generates() {
    let tray = Tray::new(4, 4).unwrap();
    for blank in [0, 1, 5] {
        check(tray, Cell::new(blank), TableKind::ZeroAware, "6-6-3", 3, 2);
    }
}

//! The nodes that tuning counts are the solver's, to the last one, for every order of moves.
#![allow(clippy::unwrap_used)]

use pdb_gen::tune::{Task, tune};
use puzzle::{Cell, Direction, Goal, Kind, Plan, Scrambler, State, Tray};
use solver::{Pruning, Solver};

fn task(tray: Tray, blank: Cell, kind: Kind, name: &str, boards: usize) -> (Task, Plan) {
    let goal = Goal::with_blank(tray, blank);
    let plan = Plan::parse(name, &goal, kind, |_| None).unwrap();
    let parts = plan.partitions().iter().map(|p| p.parts.clone());
    let mut scrambler = Scrambler::new(3);
    let task = Task {
        tray,
        goal_blank: blank,
        kind,
        sizes: plan.partitions()[0].parts.iter().map(|p| p.len()).collect(),
        together: 1,
        seed: 1,
        states: 10,
        entries: 0,
        finalists: 0,
        searched: (0..boards).map(|_| scrambler.draw(tray, blank)).collect(),
        known: vec![parts.collect()],
        memory: None,
    };
    (task, plan)
}

fn check(tray: Tray, blank: Cell, kind: Kind, name: &str, boards: usize, orders: usize) {
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
        let plan = Plan::parse("p.txt", &goal, kind, |_| Some(Ok(text.clone()))).unwrap();
        let solver = Solver::build(goal.clone(), plan)
            .unwrap()
            .with_pruning(Pruning::Undoing);
        let solve = |state: &State| {
            let board = goal.board_of(state).unwrap();
            solver.solve(&board).unwrap().effort.generated
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
        check(tray, Cell::new(blank), Kind::ZeroAware, "5-3", 15, 24);
    }
    check(tray, Cell::new(8), Kind::BlankCompressed, "4-4", 15, 24);
}

#[test]
fn the_15_puzzle_costs_what_the_solver_generates() {
    let tray = Tray::new(4, 4).unwrap();
    for blank in [0, 1, 5] {
        check(tray, Cell::new(blank), Kind::ZeroAware, "6-6-3", 3, 2);
    }
}

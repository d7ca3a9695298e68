//! The node counts of tuning equal those of the solver exactly, for every order of moves.

use lab::tune::{Control, TuneOptions, tune};
use puzzle::{Cell, Direction, Goal, HeuristicSpec, Pattern, Scrambler, State, TableKind, Tray};
use solver::{DuplicatePruning, Side, SolveOptions, Solver};

fn options(tray: Tray, blank: Cell, kind: TableKind, name: &str, boards: usize) -> TuneOptions {
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
    let patterns = spec.partitions()[0].patterns().iter();
    let sizes = patterns.map(|p| p.tiles().len()).collect();
    let mut options = TuneOptions::new(tray, blank, sizes);
    options.kind = kind;
    options.states = 10;
    options.max_entries = 0;
    options.finalists = 0;
    options.searched = (0..boards).map(|_| scrambler.draw(tray, blank)).collect();
    options.known = vec![parts.collect()];
    options
}

fn check(tray: Tray, blank: Cell, kind: TableKind, name: &str, boards: usize, orders: usize) {
    let options = options(tray, blank, kind, name, boards);
    let tuned = tune(&options, &Control::default()).unwrap();
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
        let plain = SolveOptions::default()
            .side(Side::Start)
            .pruning(DuplicatePruning::ParentOnly);
        let solve = |state: &State| {
            let board = goal.board_of(state).unwrap();
            solver.solve_with(&board, &plain).unwrap().stats.generated
        };
        let expected: u64 = options.searched.iter().map(solve).sum();
        let found = nodes * boards as f64;
        assert!(
            (found - expected as f64).abs() < 0.5,
            "{name} {letters}: {found}, {expected}"
        );
    }
}

#[test]
fn counts_of_every_order_equal_the_solvers() {
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
fn counts_of_the_15_puzzle_equal_the_solvers() {
    let tray = Tray::new(4, 4).unwrap();
    let count = if cfg!(feature = "long-tests") { 3 } else { 1 };
    for blank in [5, 0, 1].into_iter().take(count) {
        check(tray, Cell::new(blank), TableKind::ZeroAware, "6-6-3", 3, 2);
    }
}

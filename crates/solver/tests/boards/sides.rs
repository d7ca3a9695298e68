//! Boards searched from the start, from the goal, and from the better side.

use std::collections::BTreeSet;

use puzzle::{
    Board, Cell, Direction, Goal, HeuristicSpec, Metric, Scrambler, State, Symmetry, Tray,
    write_letters,
};
use solver::{Mode, Side, SolveError, SolveOptions, Solver};

/// A solver with tables for every goal cell of the blank.
fn solver(goal: &Goal, name: &str, metric: Metric) -> Solver {
    let build = |goal: &Goal| {
        let spec = HeuristicSpec::builder(goal).metric(metric).parse(name);
        Solver::build_one_side(goal.clone(), spec.unwrap()).unwrap()
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

/// Searches from all sides find solutions of the same length. The test covers every board of
/// several trays, for every goal cell of the blank, and replays the moves.
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

/// Visits all solvable boards, by a search from the goal.
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

/// Compares the nodes for the first boards of a published list. The count of `Side::Auto` includes
/// the nodes of searches from the start and from the goal.
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
    assert_eq!(counts, [11_936_236, 8_772_291, 7_331_644]);
}

/// All solutions as strings of moves, and the number of solutions of each length.
fn all(solver: &Solver, board: &Board, within: u32, side: Side) -> (BTreeSet<String>, Vec<u64>) {
    let found = solver.all_solutions(board, within, usize::MAX, &options(side));
    let found = found.unwrap();
    let length = |moves: &Vec<Direction>| solver.metric().length(moves);
    assert!(found.moves.is_sorted_by_key(length), "{board}");
    let written = found.moves.iter().map(|moves| write_letters(moves));
    let set: BTreeSet<String> = written.collect();
    assert_eq!(
        set.len(),
        found.moves.len(),
        "{board}: a solution is repeated"
    );
    (set, found.counts)
}

/// Includes solutions that are long enough to pass through the goal or return to the start.
#[test]
fn all_solutions_are_the_same_from_all_sides() {
    let check = |solver: &Solver, board: &Board, within: u32| {
        let start = all(solver, board, within, Side::Start);
        for side in [Side::Goal, Side::Auto] {
            let found = all(solver, board, within, side);
            assert_eq!(found, start, "{board} {within} {side}");
        }
    };
    for (size, blank) in [("2x2", 0), ("2x3", 1), ("3x2", 5), ("3x3", 1), ("3x3", 8)] {
        let tray: Tray = size.parse().unwrap();
        let goal = Goal::with_blank(tray, Cell::new(blank));
        let all_tiles = (tray.cells() - 1).to_string();
        let single = solver(&goal, &all_tiles, Metric::Single);
        let multi = solver(&goal, "lines", Metric::Multi);
        let mut number = 0;
        let mut visit = |board: &Board| {
            check(&single, board, 0);
            check(&multi, board, 0);
            number += 1;
            match (tray.cells(), number % 8) {
                (4, _) => [2, 11, 12, 14].map(|within| check(&single, board, within)),
                (6, 0) => [2, 10, 11, 12].map(|within| check(&single, board, within)),
                _ => [2, 4, 1, 3].map(|within| check(&single, board, within)),
            };
        };
        if tray.cells() < 9 {
            for_each_board(&goal, &mut visit);
        } else {
            let mut scrambler = Scrambler::new(blank as u64);
            for _ in 0..20 {
                visit(&goal.board_of(&scrambler.draw(tray, goal.blank())).unwrap());
            }
        }
    }
}

/// The search for a shortest solution comes first. The search for all solutions then begins at the
/// side that found it or, if `within` is 12 or more, at the start.
#[test]
fn all_solutions_are_searched_for_from_the_side_of_the_shortest() {
    let goal = Goal::blank_last("3x3".parse().unwrap());
    let solver = solver(&goal, "5-3", Metric::Single);
    let mut scrambler = Scrambler::new(3);
    let mut from_goal = 0;
    for _ in 0..30 {
        let state = scrambler.draw(goal.tray(), goal.blank());
        let board = goal.board_of(&state).unwrap();
        for (within, may_be_goal) in [(0, true), (11, true), (12, false)] {
            let found = solver.all_solutions(&board, within, 0, &options(Side::Auto));
            let iterations = found.unwrap().stats.iterations;
            let [.., shortest, last] = &iterations[..] else {
                panic!("{board} has two searches");
            };
            let side = if may_be_goal {
                shortest.side
            } else {
                Side::Start
            };
            assert_eq!(last.side, side, "{board} {within}");
            from_goal += usize::from(last.side == Side::Goal);
        }
    }
    assert!(from_goal > 0);
}

/// Checks the constant `SHORTEST_CYCLE`. In a cycle of up to 11 moves, the blank stays within 6x6
/// cells. Therefore a test of this tray covers larger trays.
#[test]
fn no_cycle_of_moves_is_shorter_than_12() {
    fn comes_back(state: &mut State, home: &State, last: Option<Direction>, left: u32) -> bool {
        Direction::ALL.into_iter().any(|direction| {
            if last == Some(direction.opposite()) || !state.slide(direction) {
                return false;
            }
            let is_back =
                state == home || (left > 1 && comes_back(state, home, Some(direction), left - 1));
            state.slide(direction.opposite());
            is_back
        })
    }
    let tray: Tray = "6x6".parse().unwrap();
    let comes_back_within = |moves| {
        tray.iter().any(|cell| {
            let home = State::goal(tray, cell);
            comes_back(&mut home.clone(), &home, None, moves)
        })
    };
    assert!(!comes_back_within(11));
    assert!(comes_back_within(12));
}

/// If a solver has only the tables of its own goal, a search from the goal is an error for boards
/// whose blank is not on the goal's blank cell, in every mode that searches. Searches from other
/// sides solve these boards.
#[test]
fn a_side_without_tables_is_an_error() {
    for (metric, name) in [(Metric::Single, "5-3"), (Metric::Multi, "1,2,3/6,7,8")] {
        let goal = Goal::blank_last("3x3".parse().unwrap());
        let spec = HeuristicSpec::builder(&goal).metric(metric).parse(name);
        let solver = Solver::build_one_side(goal, spec.unwrap()).unwrap();
        let board = Board::parse("1 2 3/4 5 0/7 8 6", None).unwrap();
        let from_goal = options(Side::Goal);
        let message = format!(
            "{name} has no tables of the goal with the blank in row 2, column 3: add them, or \
             search this board from the other side"
        );
        let check = |error: SolveError| {
            assert!(
                matches!(error, SolveError::NoGoalTables { .. }),
                "{error:?}"
            );
            assert_eq!(error.to_string(), message);
        };
        check(solver.solve_with(&board, &from_goal).unwrap_err());
        check(solver.all_solutions(&board, 0, 1, &from_goal).unwrap_err());
        check(solver.hint(&board, &from_goal).unwrap_err());
        check(
            solver
                .rate(&board, &[Direction::Up], &from_goal)
                .unwrap_err(),
        );
        let strategic = from_goal.clone().mode(Mode::Strategic);
        assert_eq!(solver.solve_with(&board, &strategic).unwrap().length, 1);
        for side in [Side::Auto, Side::Start] {
            assert_eq!(solver.solve_with(&board, &options(side)).unwrap().length, 1);
        }
    }
}

/// The search of a hint has only one bound, and begins at one side. Trial searches with smaller
/// bounds choose this side.
#[test]
fn proved_bounds_are_searched_from_one_side() {
    let goal = Goal::blank_last("3x3".parse().unwrap());
    let solver = solver(&goal, "manhattan", Metric::Single);
    let mut scrambler = Scrambler::new(4);
    let mut nodes = [0; 3];
    for _ in 0..60 {
        let state = scrambler.draw(goal.tray(), goal.blank());
        let board = goal.board_of(&state).unwrap();
        let hints = [Side::Start, Side::Goal, Side::Auto]
            .map(|side| solver.hint(&board, &options(side)).unwrap());
        for (nodes, hint) in nodes.iter_mut().zip(&hints) {
            *nodes += hint.nodes;
            assert_eq!(hint.distance, hints[0].distance, "{board}");
            assert_eq!(hint.moves.len(), hints[0].moves.len(), "{board}");
        }
    }
    assert_eq!(nodes, [361_316, 320_910, 343_050]);
}

#[test]
fn tables_of_another_tray_are_rejected() {
    let goal = |size: &str| Goal::blank_last(size.parse().unwrap());
    let mut solver = solver(&goal("3x3"), "manhattan", Metric::Single);
    let spec = HeuristicSpec::parse("manhattan", &goal("3x2")).unwrap();
    let other = Solver::build_one_side(goal("3x2"), spec).unwrap();
    assert!(solver.add_goal(other).is_err());
}

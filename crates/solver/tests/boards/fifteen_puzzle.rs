//! The 15-puzzle with 6-6-3: known lengths, exact node counts, and all goal cells of the blank.

use puzzle::board_text::parse_listed;
use puzzle::{Board, Cell, Direction, Goal, HeuristicSpec, Scrambler, State, Tray};
use solver::{Cancel, DuplicatePruning, SolveError, SolveOptions, Solver};

use crate::IS_LONG;
use crate::reference::{PLAIN_BELOW, from_start};

fn tray() -> Tray {
    Tray::new(4, 4).unwrap()
}

fn solver(goal: Goal, partition: &str) -> Solver {
    let spec = HeuristicSpec::parse(partition, &goal).unwrap();
    Solver::build_one_side(goal, spec).unwrap()
}

/// The counts are exact: they change if and only if the search or the preset changes. With
/// `DuplicatePruning::ParentOnly`, the counts are those of plain depth-first search. A program that
/// shared no code with the solver confirmed these counts.
#[test]
fn korfs_hundred_boards_have_known_lengths_and_counts() {
    assert_eq!(korf("6-6-3", 100), (5305, 27_025_282, 15_311_565));
}

/// Three partitions, each with its reflection. Their six views use seven tables.
#[test]
fn the_small_preset_has_exact_node_counts() {
    assert_eq!(korf("small", 20), (1072, 1_955_118, 1_050_976));
}

/// Total length of the solutions of Korf's first boards, each checked against the known length.
/// Also returns two numbers of generated nodes: with `DuplicatePruning::ParentOnly`, and with the
/// automaton.
fn korf(partition: &str, boards: usize) -> (usize, u64, u64) {
    let parent_only = from_start().pruning(DuplicatePruning::ParentOnly);
    let solver = solver(Goal::blank_first(tray()), partition);
    let (mut lengths, mut nodes, mut parent_only_nodes) = (0, 0, 0);
    let file = include_str!("../../../../data/suites/korf100.txt");
    let lines = file.lines().filter(|line| !line.starts_with('#'));
    for line in lines.take(boards) {
        let listed = parse_listed(line, None, false).unwrap();
        let solution = solver.solve_with(&listed.board, &from_start()).unwrap();
        let length = solution.moves.len();
        assert_eq!(Some(length as u32), listed.known_length, "{line}");
        lengths += length;
        nodes += solution.stats.generated;
        let other = solver.solve_with(&listed.board, &parent_only).unwrap();
        assert_eq!(other.length, solution.length);
        // If several paths lead to an arrangement, both kinds of pruning keep the path that the
        // search finds first. Therefore they find the same solution.
        if other.stats.generated < PLAIN_BELOW {
            assert_eq!(other.moves, solution.moves);
        }
        parent_only_nodes += other.stats.generated;
    }
    (lengths, parent_only_nodes, nodes)
}

#[test]
fn the_magazine_board_takes_55_moves() {
    let board = Board::parse("5 10 14 7/8 3 6 1/15 0 12 9/2 11 4 13", None).unwrap();
    let solution = solver(Goal::blank_last(tray()), "6-6-3")
        .solve(&board)
        .unwrap();
    assert_eq!(solution.moves.len(), 55);
}

/// A search that shares only the rules with the solver: recursive IDA* with Manhattan distance.
fn reference_length(state: &State) -> usize {
    fn dive(state: &mut State, left: usize, last: Option<Direction>) -> bool {
        if state.manhattan() as usize > left {
            return false;
        }
        if state.is_goal() {
            return true;
        }
        for direction in Direction::ALL {
            if last == Some(direction.opposite()) || !state.slide(direction) {
                continue;
            }
            let found = dive(state, left - 1, Some(direction));
            state.slide(direction.opposite());
            if found {
                return true;
            }
        }
        false
    }
    let mut length = state.manhattan() as usize;
    while !dive(&mut state.clone(), length, None) {
        length += 2;
    }
    length
}

/// Compares easy boards with the reference search, then solves random boards, for each of the 16
/// goals. All corners are equivalent by symmetry, and so are all edges and all centres. On average,
/// a goal on an edge or in the centre needs at most twice as many nodes as a goal in a corner.
#[test]
fn every_blank_goal_has_similar_cost() {
    let mut nodes = [0_u64; 3];
    let mut boards = [0_u64; 3];
    // The short set tests a corner, an edge and a centre.
    let is_tried = |cell: &Cell| IS_LONG || [0, 1, 5].contains(&cell.index());
    for cell in tray().iter().filter(is_tried) {
        let goal = Goal::with_blank(tray(), cell);
        let solver = solver(goal.clone(), "6-6-3");
        for walk in 0..12 {
            let state = walked(cell, 20 + 2 * walk);
            let board = goal.board_of(&state).unwrap();
            let solution = solver.solve(&board).unwrap();
            assert_eq!(solution.moves.len(), reference_length(&state), "{board}");
        }
        let inner = |position: usize| usize::from(position == 1 || position == 2);
        let orbit = inner(tray().column(cell)) + inner(tray().row(cell));
        let mut scrambler = Scrambler::new(cell.index() as u64);
        for _ in 0..BOARDS_OF_A_GOAL {
            let board = goal.board_of(&scrambler.draw(tray(), cell)).unwrap();
            let solution = solver.solve_with(&board, &from_start()).unwrap();
            nodes[orbit] += solution.stats.generated;
            boards[orbit] += 1;
        }
    }
    let [corner, edge, centre] = [0, 1, 2].map(|orbit| nodes[orbit] / boards[orbit]);
    assert!(
        edge <= 2 * corner && centre <= 2 * corner,
        "mean nodes: corner {corner}, edge {edge}, centre {centre}"
    );
}

const BOARDS_OF_A_GOAL: usize = 30;

/// A state after a number of random moves from the goal.
fn walked(goal_blank: Cell, moves: usize) -> State {
    let mut state = State::goal(tray(), goal_blank);
    let mut seed = (goal_blank.index() * 1000 + moves) as u64;
    let mut made = 0;
    let mut last = None;
    while made < moves {
        seed = seed
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        let direction = Direction::ALL[(seed >> 62) as usize];
        if last != Some(direction.opposite()) && state.slide(direction) {
            last = Some(direction);
            made += 1;
        }
    }
    state
}

#[test]
fn symmetric_boards_cost_the_same_for_symmetric_goals() {
    // The preset and its move order are transformed with the goal.
    let mut counts = Vec::new();
    for (cell, symmetry) in [(0, 0), (3, 1), (12, 2), (15, 3)] {
        let symmetry = puzzle::Symmetry::ALL[symmetry];
        let state = Scrambler::new(5).draw(tray(), Cell::new(0)).map(symmetry);
        assert_eq!(state.goal_blank(), Cell::new(cell));
        let goal = Goal::with_blank(tray(), Cell::new(cell));
        let solver = solver(goal.clone(), "6-6-3");
        let board = goal.board_of(&state).unwrap();
        let solution = solver.solve_with(&board, &from_start()).unwrap();
        counts.push((
            solution.moves.len(),
            solution.stats.generated,
            solution.stats.expanded,
        ));
    }
    assert!(
        counts.windows(2).all(|pair| pair[0] == pair[1]),
        "{counts:?}"
    );
}

#[test]
fn limits_stop_the_search_and_keep_the_proved_bound() {
    let goal = Goal::blank_last(tray());
    let solver = solver(goal, "manhattan");
    let board = Board::parse("0 12 9 13/15 11 10 14/3 7 2 5/4 8 6 1", None).unwrap();
    let options = SolveOptions::default().max_nodes(100_000);
    let Err(SolveError::Limit(limit)) = solver.solve_with(&board, &options) else {
        panic!("80 moves found by Manhattan distance alone");
    };
    assert!(limit.lower_bound >= limit.stats.h0 && limit.lower_bound <= 80);
    assert!(
        (100_000..100_100).contains(&limit.stats.generated),
        "{}",
        limit.stats.generated
    );
    let cancel = Cancel::default();
    cancel.cancel();
    let options = SolveOptions::default().cancel(&cancel);
    assert!(matches!(
        solver.solve_with(&board, &options),
        Err(SolveError::Limit(_))
    ));
}

#[test]
fn any_arrangement_can_be_the_goal() {
    let goal = Board::parse("1 2 3 4/12 13 14 5/11 0 15 6/10 9 8 7", None).unwrap();
    let solver = solver(Goal::new(goal.clone()), "6-6-3");
    let board = Board::parse("2 1 3 4/12 13 14 5/11 0 15 6/10 9 7 8", None).unwrap();
    let solution = solver.solve(&board).unwrap();
    assert_eq!(board.play(&solution.moves), Ok(goal));
}

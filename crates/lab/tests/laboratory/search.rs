//! Tests of the searches: lengths of solutions (compared with true distances), node counts, and
//! limits.

mod limits;

use crate::IS_LONG;
use crate::common::Space;
use lab::search::DEFAULT_ORDER;
use lab::{
    AnyHeuristic, BoardSet, Counts, HeuristicFactory, Limit, Limits, Position, Problem, Search,
    SearchRun,
};
use puzzle::{Board, Cell, Goal, HeuristicSpec, MoveOrder, Scrambler, State, Tray};
use solver::{DuplicatePruning, Side, SolveOptions, Solver};

/// The heuristic of a goal, and one backward heuristic for each cell that the start's blank can be
/// on.
struct Both {
    forward: Box<dyn AnyHeuristic>,
    backward: Vec<Box<dyn AnyHeuristic>>,
}

impl Both {
    fn new(goal: &Goal, name: &str) -> Both {
        let (factory, choice) = (HeuristicFactory::default(), name.parse().unwrap());
        let heuristic = |goal: &Goal| factory.heuristic(&choice, goal).unwrap();
        let tray = goal.tray();
        Both {
            forward: heuristic(goal),
            backward: tray
                .iter()
                .map(|blank| heuristic(&Goal::with_blank(tray, blank)))
                .collect(),
        }
    }

    fn run(&self, search: &str, start: &Position, limits: &Limits) -> SearchRun {
        let problem = Problem {
            start,
            heuristic: &*self.forward,
            backward: Some(&*self.backward[usize::from(start.blank())]),
            order: DEFAULT_ORDER,
        };
        let search: Search = search.parse().unwrap();
        search.run(&problem, limits)
    }
}

/// Runs a search without limits, and asserts that its moves lead to the goal.
fn solve(goal: &Goal, both: &Both, search: &str, state: &State) -> (usize, Counts) {
    let start = Position::new(state).unwrap();
    let run = both.run(search, &start, &Limits::default());
    let board = goal.board_of(state).unwrap();
    let Ok(moves) = run.outcome else {
        panic!("{search}: {board}: {:?}", run.outcome)
    };
    let end = board.play(&moves).unwrap();
    assert_eq!(end, *goal.board(), "{search} with {}", both.forward.name());
    (moves.len(), run.counts)
}

/// Asserts that a search finds a shortest solution from every `every`th board of the 3x3.
fn check_optimal(goal_blank: usize, search: &str, name: &str, every: usize) {
    let space = Space::whole(3, 3, goal_blank);
    let both = Both::new(&space.goal, name);
    for id in (0..space.len()).step_by(every) {
        let (length, counts) = solve(&space.goal, &both, search, &space.state(id));
        assert_eq!(
            length as u32,
            space.distance(id),
            "{search} with {name}: {}",
            space.board(id)
        );
        assert!(counts.expanded <= counts.generated + 1);
        if search == "astar" && both.forward.is_consistent() {
            assert_eq!(counts.reopened, 0, "{name}: {}", space.board(id));
        }
    }
}

const GOALS: [usize; 2] = [8, 1];

/// The short set of tests uses every `EVERY`th board of the long set.
const EVERY: usize = if IS_LONG { 1 } else { 8 };

#[test]
fn a_star_finds_shortest_solutions_of_every_3x3_board() {
    for (goal, name, every) in [(8, "5-3", EVERY), (1, "8", 4 * EVERY), (4, "8", 4 * EVERY)] {
        check_optimal(goal, "astar", name, every);
    }
}

#[test]
fn ida_star_finds_shortest_solutions_of_every_3x3_board() {
    for goal in GOALS {
        check_optimal(goal, "ida-star", "5-3", EVERY);
    }
}

#[test]
fn a_star_finds_shortest_solutions_with_every_heuristic() {
    let names = [
        ("zero", 3997),
        ("misplaced", 997),
        ("manhattan", 97),
        ("linear-conflict", 197),
        ("inversion-distance", 197),
        ("walking-distance", 197),
        ("5-3", 97),
        ("fringe", 197),
        ("full:fringe", 197),
        ("blank-compressed:5-3", 97),
        ("manhattan+fringe", 197),
    ];
    for (name, every) in names {
        for goal in GOALS {
            check_optimal(goal, "astar", name, every * EVERY);
        }
    }
}

#[test]
fn ida_star_finds_shortest_solutions_with_every_heuristic() {
    let names = [
        ("manhattan", 97),
        ("linear-conflict", 197),
        ("inversion-distance", 197),
        ("walking-distance", 197),
        ("full:fringe", 997),
        ("blank-compressed:5-3", 97),
        ("manhattan+fringe", 197),
        ("8", 97),
    ];
    for (name, every) in names {
        for goal in GOALS {
            check_optimal(goal, "ida-star", name, every);
        }
    }
}

#[test]
fn searches_without_a_heuristic_find_shortest_solutions() {
    for search in ["breadth-first", "uniform-cost"] {
        for goal in GOALS {
            check_optimal(goal, search, "manhattan", 1997 * EVERY);
        }
    }
}

#[test]
fn bidirectional_search_finds_shortest_solutions() {
    let names = [
        ("zero", 997),
        ("manhattan", 97),
        ("5-3", 97),
        ("blank-compressed:5-3", 197),
        ("8", 97),
    ];
    for (name, every) in names {
        for goal in GOALS {
            check_optimal(goal, "bidirectional", name, every * EVERY);
        }
    }
    check_optimal(8, "bidirectional", "5-3", 11);
}

/// The expected numbers follow from the bounds of the algorithm NBS and from the order in which it
/// breaks ties.
#[test]
fn bidirectional_search_expands_the_expected_nodes() {
    let space = Space::whole(3, 3, 8);
    for (name, expected) in [("manhattan", 161_370), ("5-3", 10_026)] {
        let both = Both::new(&space.goal, name);
        let sum = |search: &str| {
            let ids = (0..space.len()).step_by(997);
            let runs = ids.map(|id| solve(&space.goal, &both, search, &space.state(id)));
            runs.map(|(_, counts)| counts.expanded).sum::<u64>()
        };
        let found = sum("bidirectional");
        assert_eq!(found, expected, "{name}: A* expands {}", sum("astar"));
    }
}

#[test]
fn weighted_a_star_keeps_its_length_guarantee() {
    let space = Space::whole(3, 3, 8);
    for name in ["manhattan", "blank-compressed:5-3"] {
        let both = Both::new(&space.goal, name);
        for id in (0..space.len()).step_by(197) {
            let state = space.state(id);
            let run = |search: &str| solve(&space.goal, &both, search, &state);
            assert_eq!(run("weighted-astar:1"), run("astar"));
            for weight in [1.25, 1.5, 2.0, 5.0] {
                let search = format!("weighted-astar:{weight}");
                assert_eq!(search.parse::<Search>().unwrap().max_ratio(), Some(weight));
                let (length, _) = run(&search);
                let most = f64::from(space.distance(id)) * weight;
                assert!(length as f64 <= most, "{weight}: {}", space.board(id));
            }
        }
    }
}

#[test]
fn weights_save_nodes_and_cost_moves() {
    let space = Space::whole(3, 3, 8);
    let both = Both::new(&space.goal, "manhattan");
    let sums = ["astar", "weighted-astar:1.5", "weighted-astar:5", "greedy"].map(|search| {
        let ids = (0..space.len()).step_by(997);
        let runs = ids.map(|id| solve(&space.goal, &both, search, &space.state(id)));
        runs.fold((0, 0), |(moves, nodes), (length, counts)| {
            (moves + length, nodes + counts.generated)
        })
    });
    assert!(sums.is_sorted_by(|a, b| a.0 < b.0 && a.1 > b.1), "{sums:?}");
}

#[test]
fn greedy_search_finds_solutions() {
    for (goal, name) in [(8, "manhattan"), (1, "misplaced"), (4, "5-3"), (8, "zero")] {
        let space = Space::whole(3, 3, goal);
        let both = Both::new(&space.goal, name);
        let mut is_longer = false;
        for id in (0..space.len()).step_by(997 * EVERY) {
            let (length, _) = solve(&space.goal, &both, "greedy", &space.state(id));
            assert!(length as u32 >= space.distance(id));
            is_longer |= length as u32 > space.distance(id);
        }
        assert!(is_longer, "{name}");
    }
}

/// All searches. Only `ida-star` stores no nodes.
const SEARCHES: [&str; 7] = [
    "breadth-first",
    "uniform-cost",
    "greedy",
    "astar",
    "weighted-astar:1.5",
    "ida-star",
    "bidirectional",
];

#[test]
fn two_runs_are_the_same() {
    let space = Space::whole(3, 3, 4);
    for name in ["manhattan", "5-3", "blank-compressed:5-3"] {
        let first = Both::new(&space.goal, name);
        let second = Both::new(&space.goal, name);
        for id in (0..space.len()).step_by(if IS_LONG { 19_937 } else { 59_833 }) {
            let start = space.position(id);
            for search in SEARCHES {
                let runs = [&first, &second].map(|both| {
                    let run = both.run(search, &start, &Limits::default());
                    (run.outcome, run.counts)
                });
                assert_eq!(runs[0], runs[1], "{search} with {name}");
            }
        }
    }
}

#[test]
fn iterations_add_up_and_grow() {
    let space = Space::whole(3, 3, 8);
    for name in ["manhattan", "5-3", "blank-compressed:5-3"] {
        let both = Both::new(&space.goal, name);
        for id in (1..space.len()).step_by(997) {
            let (length, counts) = solve(&space.goal, &both, "ida-star", &space.state(id));
            let all = &counts.iterations;
            let sum =
                |count: fn(&lab::search::Iteration) -> u64| all.iter().map(count).sum::<u64>();
            assert_eq!(sum(|one| one.generated), counts.generated);
            assert_eq!(sum(|one| one.expanded), counts.expanded);
            assert_eq!(all[0].bound, counts.h0);
            assert_eq!(all.last().unwrap().bound as usize, length);
            // If the heuristic respects parity, every second bound is skipped.
            assert!(all.is_sorted_by(|a, b| a.bound < b.bound));
            assert_eq!(counts.peak as usize, length + 1);
            assert_eq!(counts.reopened, 0);
        }
    }
}

#[test]
fn an_inconsistent_heuristic_has_boards_reopened() {
    let space = Space::whole(3, 3, 8);
    let both = Both::new(&space.goal, "blank-compressed:5-3");
    assert!(!both.forward.is_consistent());
    let mut reopened = 0;
    for id in (0..space.len()).step_by(97) {
        let (length, counts) = solve(&space.goal, &both, "astar", &space.state(id));
        assert_eq!(length as u32, space.distance(id));
        reopened += u64::from(counts.reopened > 0);
    }
    assert!(reopened > 0);
}

/// Asserts that IDA* generates as many nodes as the solver.
fn check_generated(goal: &Goal, name: &str, boards: usize) {
    let order = MoveOrder::new(DEFAULT_ORDER).unwrap();
    let spec = HeuristicSpec::parse(name, goal).unwrap().with_order(order);
    let solver = Solver::build_one_side(goal.clone(), spec).unwrap();
    let plain = SolveOptions::default()
        .side(Side::Start)
        .pruning(DuplicatePruning::ParentOnly)
        .threads(1);
    let both = Both::new(goal, name);
    let mut scrambler = Scrambler::new(8);
    for _ in 0..boards {
        let state = scrambler.draw(goal.tray(), goal.blank());
        let board = goal.board_of(&state).unwrap();
        let solution = solver.solve_with(&board, &plain).unwrap();
        let (length, counts) = solve(goal, &both, "ida-star", &state);
        assert_eq!(length, solution.moves.len());
        assert_eq!(
            counts.generated, solution.stats.generated,
            "{name}: {board}"
        );
    }
}

#[test]
fn ida_star_generates_as_many_nodes_as_the_solver() {
    let tray = |side| Tray::new(side, side).unwrap();
    for blank in [8, 0, 1, 4] {
        let goal = Goal::with_blank(tray(3), Cell::new(blank));
        check_generated(&goal, "5-3", 50);
        check_generated(&goal, "manhattan", 50);
    }
    for blank in [15, 5] {
        let goal = Goal::with_blank(tray(4), Cell::new(blank));
        check_generated(&goal, "6-6-3", 3);
    }
}

#[test]
fn ida_star_generates_as_many_nodes_as_published_in_1985() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/suites/korf100.txt");
    let text = std::fs::read_to_string(path).unwrap();
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    let mut rows: Vec<Vec<u64>> = lines
        .map(|line| {
            line.split_whitespace()
                .map(|word| word.parse().unwrap())
                .collect()
        })
        .collect();
    assert_eq!(rows.len(), 100);
    rows.sort_by_key(|row| row[18]);
    let tray = Tray::new(4, 4).unwrap();
    let goal = Goal::blank_first(tray);
    let both = Both::new(&goal, "manhattan");
    let mut differing = Vec::new();
    for row in &rows[..10] {
        let numbers: Vec<u32> = row[..16].iter().map(|&number| number as u32).collect();
        let board = Board::new(tray, &numbers).unwrap();
        let (length, counts) = solve(&goal, &both, "ida-star", &goal.state(&board).unwrap());
        assert_eq!(length as u64, row[16], "{board}");
        assert_eq!(u64::from(counts.h0), row[17], "{board}");
        // The published number includes the root, counted once.
        if counts.generated + 1 != row[18] {
            differing.push((row[18], counts.generated));
        }
    }
    assert_eq!(differing, []);
}

#[test]
fn branching_factors_are_those_of_full_trees() {
    let factor = |generated, length| {
        let counts = Counts {
            generated,
            ..Counts::default()
        };
        counts.branching_factor(length)
    };
    for (nodes, depth, expected) in [
        (14, 3, 2.0),
        (12, 2, 3.0),
        (1, 1, 1.0),
        (30, 30, 1.0),
        (4, 1, 4.0),
        (20, 2, 4.0),
        ((1_u64 << 41) - 2, 40, 2.0),
        (40, 1, 40.0),
        (110, 2, 10.0),
    ] {
        let found: f64 = factor(nodes, depth).unwrap();
        assert!((found - expected).abs() < 1e-6, "{nodes} {depth}: {found}");
    }
    assert_eq!((factor(0, 3), factor(3, 0)), (None, None));
    let by_nodes = (1..1000).map(|nodes| factor(nodes * 7, 12).unwrap());
    assert!(by_nodes.is_sorted_by(|a, b| a < b));
    let by_depth = (1..60).map(|depth| factor(1000, depth).unwrap());
    assert!(by_depth.is_sorted_by(|a, b| a > b));
}

#[test]
fn a_solved_board_expands_no_nodes() {
    for goal_blank in [8, 0, 4] {
        let goal = Goal::with_blank(Tray::new(3, 3).unwrap(), Cell::new(goal_blank));
        let both = Both::new(&goal, "manhattan");
        let state = State::goal(goal.tray(), goal.blank());
        for search in SEARCHES {
            let (length, counts) = solve(&goal, &both, search, &state);
            assert_eq!(
                (length, counts.generated, counts.expanded),
                (0, 0, 0),
                "{search}"
            );
        }
    }
}

#[test]
fn reverse_moves_are_not_generated() {
    let space = Space::whole(5, 1, 4);
    let both = Both::new(&space.goal, "manhattan");
    for search in SEARCHES {
        // The board is a single row with the blank at the wrong end. Only one path without reverse
        // moves leads to the goal.
        let (length, counts) = solve(&space.goal, &both, search, &space.state(4));
        assert_eq!(
            (length, counts.generated, counts.expanded),
            (4, 4, 4),
            "{search}"
        );
    }
    let space = Space::whole(3, 3, 8);
    let both = Both::new(&space.goal, "zero");
    for search in ["breadth-first", "uniform-cost", "astar"] {
        // The goal is one of the farthest boards, so nearly all boards are expanded. All boards
        // together have 483,840 moves. The start has no reverse move; on every other board, the
        // search leaves out the reverse move.
        let (_, counts) = solve(&space.goal, &both, search, &space.state(space.len() - 1));
        let moves: usize = (0..space.len())
            .map(|id| space.neighbours(id).count())
            .sum();
        let most = (moves - space.len() + 1) as u64;
        let generated = counts.generated;
        assert!(
            (most - 500..=most).contains(&generated),
            "{search}: {generated}"
        );
    }
}

#[test]
fn all_boards_of_small_trays_are_solved() {
    for (width, height) in [(1, 2), (2, 1), (1, 5), (5, 1), (2, 2), (3, 2), (2, 3)] {
        for goal_blank in 0..width * height {
            let space = Space::whole(width, height, goal_blank);
            for name in ["zero", "manhattan", "walking-distance"] {
                let both = Both::new(&space.goal, name);
                for id in (0..space.len()).step_by(7) {
                    for search in SEARCHES {
                        // Without a heuristic, IDA* is too slow for far boards.
                        if search == "ida-star" && name == "zero" && space.distance(id) > 12 {
                            continue;
                        }
                        let (length, _) = solve(&space.goal, &both, search, &space.state(id));
                        let search: Search = search.parse().unwrap();
                        if search.max_ratio() == Some(1.0) {
                            assert_eq!(length as u32, space.distance(id), "{search} {name}");
                        }
                    }
                }
            }
        }
    }
}

/// Boards are packed into fields of 4, 5, 6 or 8 bits per cell, depending on the tray's size.
#[test]
fn searches_accept_boards_of_all_sizes() {
    for (width, height) in [
        (4, 4),
        (17, 1),
        (3, 6),
        (8, 4),
        (3, 11),
        (8, 8),
        (13, 5),
        (16, 16),
    ] {
        let tray = Tray::new(width, height).unwrap();
        let goal = Goal::blank_last(tray);
        let both = Both {
            forward: HeuristicFactory::default()
                .heuristic(&"manhattan".parse().unwrap(), &goal)
                .unwrap(),
            backward: Both::new(&goal, "manhattan").backward,
        };
        let mut board = goal.board().clone();
        let walk = Scrambler::new(4).walk(&board, 10);
        board = board.play(&walk).unwrap();
        let state = goal.state(&board).unwrap();
        let lengths = SEARCHES.map(|search| solve(&goal, &both, search, &state).0);
        assert_eq!(lengths[0], lengths[1]);
        assert_eq!(
            [lengths[0]; 3],
            [lengths[3], lengths[5], lengths[6]],
            "{tray}"
        );
        assert!(lengths[0] <= walk.len());
    }
}

#[test]
fn trays_of_more_than_256_cells_are_rejected() {
    let tray = Tray::new(19, 14).unwrap();
    let error = Position::new(&State::goal(tray, tray.last())).unwrap_err();
    assert_eq!(
        error.to_string(),
        "textbook searches and heuristics accept up to 256 cells, and 19x14 has more"
    );
}

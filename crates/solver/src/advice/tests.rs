//! Advice checked against breadth-first search.

use std::collections::{HashMap, VecDeque};

use puzzle::{Board, Direction, Goal, HeuristicSpec, Metric, MoveError, Scrambler};

use super::{LostStretch, Rating, TileMove, all_steps};
use crate::{Cancel, SolveError, SolveOptions, Solver};

/// The distances of all boards.
fn distances(goal: &Goal, metric: Metric) -> HashMap<Board, u32> {
    let mut found = HashMap::from([(goal.board().clone(), 0)]);
    let mut queue = VecDeque::from([goal.board().clone()]);
    while let Some(board) = queue.pop_front() {
        let next = found[&board] + 1;
        for step in all_steps(&board, metric) {
            let child = board.play(&step.moves).unwrap();
            if !found.contains_key(&child) {
                found.insert(child.clone(), next);
                queue.push_back(child);
            }
        }
    }
    found
}

fn solver(goal: &Goal, metric: Metric) -> Solver {
    let builder = HeuristicSpec::builder(goal).metric(metric);
    Solver::build_one_side(goal.clone(), builder.parse_default().unwrap()).unwrap()
}

/// A solver without tables. Its heuristic is weak, so its answers need a search.
fn without_tables(goal: &Goal, metric: Metric) -> Solver {
    let builder = HeuristicSpec::builder(goal).metric(metric);
    let name = match metric {
        Metric::Single => "manhattan",
        Metric::Multi => "lines",
    };
    Solver::build_one_side(goal.clone(), builder.parse(name).unwrap()).unwrap()
}

fn goals(size: &str) -> [Goal; 2] {
    let tray = size.parse().unwrap();
    [Goal::blank_last(tray), Goal::blank_first(tray)]
}

/// Checks the hint of every `stride`-th board, in the order of the boards' texts.
fn check_hints(solver: &Solver, distances: &HashMap<Board, u32>, stride: usize) {
    let (goal, metric) = (solver.goal(), solver.metric());
    let mut boards: Vec<&Board> = distances.keys().collect();
    boards.sort_by_cached_key(ToString::to_string);
    for board in boards.into_iter().step_by(stride) {
        let hint = solver.hint(board, &SolveOptions::default()).unwrap();
        let distance = distances[board];
        assert_eq!((hint.distance, hint.is_exact), (distance, true), "{board}");
        assert_eq!(hint.lower_bound, distance);
        assert_eq!(board.play(&hint.solution).as_ref(), Ok(goal.board()));
        assert_eq!(metric.length(&hint.solution), distance as usize);
        let first = TileMove::first(board, &hint.solution, metric);
        assert_eq!(hint.moves.first(), first.as_ref());
        let is_good = |step: &TileMove| distances[&board.play(&step.moves).unwrap()] < distance;
        let good = all_steps(board, metric).into_iter().filter(is_good);
        let (mut good, mut found): (Vec<TileMove>, Vec<TileMove>) = (good.collect(), hint.moves);
        good.sort_by_key(ToString::to_string);
        found.sort_by_key(ToString::to_string);
        assert_eq!(good, found, "{board}");
    }
}

#[test]
fn hints_are_all_good_moves() {
    for metric in [Metric::Single, Metric::Multi] {
        for size in ["2x2", "2x3", "3x2", "1x6"] {
            for goal in goals(size) {
                let distances = distances(&goal, metric);
                check_hints(&solver(&goal, metric), &distances, 1);
                let stride = if cfg!(feature = "long-tests") { 1 } else { 7 };
                check_hints(&without_tables(&goal, metric), &distances, stride);
            }
        }
    }
    let goal = &goals("3x3")[0];
    let distances = distances(goal, Metric::Single);
    check_hints(
        &solver(goal, Metric::Single),
        &distances,
        if cfg!(feature = "long-tests") {
            397
        } else {
            1997
        },
    );
    check_hints(&without_tables(goal, Metric::Single), &distances, 60_013);
}

fn check_rating(
    rating: &Rating,
    board: &Board,
    moves: &[Direction],
    metric: Metric,
    distances: &HashMap<Board, u32>,
) {
    let (mut now, mut before) = (board.clone(), distances[board]);
    assert_eq!((rating.distance, rating.is_exact), (before, true));
    let mut made = Vec::new();
    for step in &rating.steps {
        let better = step.better.as_ref().map(|b| now.play(&b.moves).unwrap());
        now = now.play(&step.step.moves).unwrap();
        let after = distances[&now];
        assert_eq!((step.distance, step.lower_bound), (after, after));
        assert_eq!(step.lost, after + 1 - before);
        assert_eq!(step.kept, after < before);
        // A move from the goal has no better alternative.
        assert_eq!(better.is_some(), !step.kept && before > 0);
        if let Some(better) = better {
            assert_eq!(distances[&better] + 1, before);
        }
        made.extend_from_slice(&step.step.moves);
        before = after;
    }
    assert_eq!(made, moves);
    assert_eq!(rating.length as usize, metric.length(moves));
    assert_eq!(
        (rating.length, rating.left),
        (rating.steps.len() as u32, before)
    );
    let lost: u32 = rating.steps.iter().map(|step| step.lost).sum();
    assert_eq!(rating.lost, lost);
    assert_eq!(rating.lost, rating.length + rating.left - rating.distance);
    assert_eq!(rating.worst.is_some(), lost > 0);
}

#[test]
fn ratings_agree_with_all_distances() {
    let mut random = Scrambler::new(5);
    for (size, walks) in [("2x3", 200), ("3x2", 200), ("3x3", 40)] {
        for metric in [Metric::Single, Metric::Multi] {
            let goal = &goals(size)[0];
            let (distances, solver) = (distances(goal, metric), without_tables(goal, metric));
            for walk in 0..walks {
                let state = random.draw(goal.tray(), goal.blank());
                let board = goal.board_of(&state).unwrap();
                let mut moves = random.walk(&board, walk % 40);
                if walk % 4 == 0 {
                    // A game that ends with a shortest solution.
                    let end = board.play(&moves).unwrap();
                    moves.extend(solver.solve(&end).unwrap().moves);
                }
                let rating = solver.rate(&board, &moves, &SolveOptions::default());
                check_rating(&rating.unwrap(), &board, &moves, metric, &distances);
            }
        }
    }
}

#[test]
fn figures_of_a_game_are_as_defined() {
    let goal = &goals("3x3")[0];
    let solver = solver(goal, Metric::Single);
    let rate = |board: &str, moves: &str| {
        let board: Board = board.parse().unwrap();
        let moves = board.read_moves(moves, puzzle::Notation::Tile).unwrap();
        solver
            .rate(&board, &moves, &SolveOptions::default())
            .unwrap()
    };
    // The board is two moves from the goal. The game leaves the shortest path, returns to it, and
    // later leaves it once more.
    let rating = rate("1 2 3/4 0 6/7 5 8", "DLUDRU2LRL");
    let lost: Vec<u32> = rating.steps.iter().map(|step| step.lost).collect();
    assert_eq!(lost, [2, 2, 2, 0, 0, 0, 0, 0, 2, 0]);
    let LostStretch { first, last, lost } = rating.worst.unwrap();
    assert_eq!((first, last, lost), (1, 3, 6));
    assert_eq!((rating.kept, rating.length, rating.lost), (6, 10, 8));
    assert_eq!((rating.credit, rating.efficiency), (60.0, 20.0));
    assert_eq!(rating.steps[8].better, None);
    // A game without moves, on the goal.
    let rating = rate("1 2 3/4 5 6/7 8 0", "");
    assert_eq!((rating.credit, rating.efficiency), (100.0, 100.0));
    assert_eq!((rating.worst, rating.left), (None, 0));
    // The efficiency compares the moves so far plus the remaining distance with the optimum.
    let rating = rate("1 2 3/4 0 6/7 5 8", "U");
    assert_eq!(
        (rating.left, rating.credit, rating.efficiency),
        (1, 100.0, 100.0)
    );
}

#[test]
fn impossible_moves_are_named() {
    let goal = &goals("3x3")[0];
    let solver = solver(goal, Metric::Single);
    let moves = [Direction::Down, Direction::Down, Direction::Down];
    let error = solver.rate(goal.board(), &moves, &SolveOptions::default());
    let expected = MoveError::Frame(Direction::Down, 3, None);
    assert_eq!(error, Err(SolveError::Moves(expected)));
    let unsolvable: Board = "1 2 3/4 5 6/8 7 0".parse().unwrap();
    let error = solver.hint(&unsolvable, &SolveOptions::default());
    assert!(matches!(error, Err(SolveError::Unsolvable(_))));
    let cancel = Cancel::default();
    cancel.cancel();
    let board: Board = "8 6 7/2 5 4/3 0 1".parse().unwrap();
    let options = SolveOptions::default().cancel(&cancel);
    assert!(matches!(
        solver.hint(&board, &options),
        Err(SolveError::Limit(_))
    ));
}

#[test]
fn a_cancelled_rating_returns_the_known_results() {
    let tray = "6x6".parse().unwrap();
    let goal = Goal::blank_last(tray);
    let state = Scrambler::new(3).draw(tray, goal.blank());
    let (board, game) = (
        goal.board_of(&state).unwrap(),
        crate::strategic::explain(&goal, &state).unwrap(),
    );
    let cancel = Cancel::default();
    cancel.cancel();
    let options = SolveOptions::default().max_nodes(1000).cancel(&cancel);
    let solver = without_tables(&goal, Metric::Single);
    let rating = solver.rate(&board, &game.moves, &options).unwrap();
    assert!(!rating.is_exact && rating.lower_bound > 0);
    assert_eq!(rating.distance as usize, game.moves.len());
}

/// With Manhattan distance, proofs take hours for these boards: a 4x4 board of 80 moves and a 6x6
/// board.
#[test]
fn limits_leave_the_best_known_solution() {
    let far = "0 12 9 13/15 11 10 14/3 7 2 5/4 8 6 1";
    let tray = "6x6".parse().unwrap();
    let large = Goal::blank_last(tray);
    let drawn = large.board_of(&Scrambler::new(3).draw(tray, large.blank()));
    for board in [far.parse().unwrap(), drawn.unwrap()] {
        let goal = Goal::blank_last(board.tray());
        let solver = without_tables(&goal, Metric::Single);
        let options = SolveOptions::default().max_nodes(100_000);
        let hint = solver.hint(&board, &options).unwrap();
        assert!(!hint.is_exact && hint.lower_bound < hint.distance);
        assert_eq!(board.play(&hint.solution).as_ref(), Ok(goal.board()));
        assert_eq!(hint.solution.len() as u32, hint.distance);
        assert!(!hint.moves.is_empty());
        assert_eq!(hint.moves[0].moves, hint.solution[..1]);
        // A game that begins with a bad move, undoes it, and stops three moves before the goal.
        let bad = all_steps(&board, Metric::Single).into_iter();
        let bad = bad
            .map(|step| step.moves[0])
            .find(|&way| way != hint.solution[0]);
        let bad = bad.unwrap();
        let game = [
            &[bad, bad.opposite()],
            &hint.solution[..hint.solution.len() - 3],
        ]
        .concat();
        let rating = solver.rate(&board, &game, &options).unwrap();
        assert!(!rating.is_exact && rating.lower_bound <= rating.distance);
        // The last board of the game is near the goal, so its distance is proved.
        assert!(rating.distance <= hint.distance && rating.left == 3);
        // The distances of the last 15 boards are proved, too.
        let mut last = rating.steps.iter().rev().take(15);
        assert!(last.all(|step| step.lower_bound == step.distance));
        let mut before = rating.distance;
        for step in &rating.steps {
            assert!(step.lower_bound <= step.distance);
            assert_eq!(step.lost, step.distance + 1 - before);
            assert!(step.lost % 2 == 0 && step.kept == (step.lost == 0));
            assert_eq!(step.better.is_some(), step.lost > 0);
            assert_ne!(step.better.as_ref(), Some(&step.step));
            before = step.distance;
        }
        assert_eq!(rating.lost, rating.length + rating.left - rating.distance);
        assert!(rating.lost >= 2);
    }
    // If a board is solved within the limit, its distance is proved, just as it is without a limit.
    let goal = &goals("3x3")[0];
    let (solver, board) = (
        solver(goal, Metric::Single),
        "8 6 7/2 5 4/3 0 1".parse().unwrap(),
    );
    let limited = SolveOptions::default().max_nodes(1_000_000);
    let hint = solver.hint(&board, &limited).unwrap();
    assert!(hint.is_exact && hint.distance == 31 && hint.moves.len() == 3);
}

/// A hint whose field [`super::Hint::is_exact`] is true contains all good moves, even if a limit
/// was reached.
#[test]
fn exact_hints_contain_all_good_moves() {
    let solver = without_tables(&goals("3x3")[0], Metric::Single);
    let board = "8 6 7/2 5 4/3 0 1".parse().unwrap();
    let whole = solver.hint(&board, &SolveOptions::default()).unwrap();
    let mut only_distance = 0;
    for step in 0..200 {
        let options = SolveOptions::default().max_nodes(1 + whole.nodes * step / 150);
        let hint = solver.hint(&board, &options).unwrap();
        assert!(!hint.is_exact || hint.moves.len() == whole.moves.len());
        only_distance += u32::from(!hint.is_exact && hint.lower_bound == hint.distance);
    }
    assert!(only_distance > 0, "limits between the two proofs");
}

#[cfg(feature = "serde")]
#[test]
fn objects_are_read_back() {
    let goal = &goals("3x3")[0];
    for metric in [Metric::Single, Metric::Multi] {
        let solver = solver(goal, metric);
        let board: Board = "8 6 7/2 5 4/3 0 1".parse().unwrap();
        let moves = board.read_moves("R", puzzle::Notation::Tile).unwrap();
        let options = SolveOptions::default();
        let rating = solver.rate(&board, &moves, &options).unwrap();
        let text = serde_json::to_string(&rating).unwrap();
        assert!(text.contains(r#""tiles":[3],"moves":"R""#), "{text}");
        assert_eq!(serde_json::from_str::<Rating>(&text).unwrap(), rating);
        let hint = solver.hint(&board, &options).unwrap();
        let text = serde_json::to_string(&hint).unwrap();
        assert_eq!(serde_json::from_str::<super::Hint>(&text).unwrap(), hint);
    }
}

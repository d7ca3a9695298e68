//! Goals of all kinds and trays of all sizes, solved optimally.

use std::fs;

use crate::IS_LONG;
use crate::solver_verbs::board::{Board, FARTHEST_3X3, Random};
use crate::solver_verbs::run::{
    batch, command, files, finish, folder, lengths, solver, start, string,
};

#[test]
fn goals_with_the_blank_on_every_cell_of_the_4x4_are_solved_to_the_optimum() {
    let folder = folder();
    let mut random = Random(11);
    let mut built = 0;
    for blank in 0..16 {
        let goal = Board::goal(4, 4, blank);
        let boards = [28, 29, 30].map(|steps| goal.walk(steps, &mut random));
        let rows = boards.each_ref().map(Board::rows);
        let goal_rows = goal.rows();
        let options = ["--json", "--goal", &goal_rows];
        let run = solver(
            folder.path(),
            options.into_iter().chain(rows.iter().map(String::as_str)),
        );
        let lines = run.err.lines();
        built += lines
            .map(|line| match line.split_once(" tables and stored them") {
                Some((number, _)) => number.rsplit(' ').next().unwrap().parse().unwrap(),
                None => 1,
            })
            .sum::<usize>();
        for (object, board) in run.objects(0).iter().zip(&boards) {
            assert_eq!(
                object["length"],
                board.distance_to(&goal),
                "{} to {goal_rows}",
                board.rows()
            );
            let (end, count) = board.play(string(object, "moves"));
            assert_eq!(
                (end, object["length"].as_u64()),
                (goal.clone(), Some(count as u64))
            );
        }
    }
    // By symmetry, the sixteen goals need only three sets of tables: for the blank in a corner, on
    // an edge, and in the centre. The set for the edge has two partitions.
    assert_eq!(files(folder.path()).len(), built);
    assert!(built <= 12, "{built} tables");
}

#[test]
fn goals_with_the_blank_on_every_cell_of_the_3x3_are_solved_to_the_optimum() {
    let folder = folder();
    let mut random = Random(5);
    for blank in (0..9).filter(|cell| IS_LONG || [1, 4, 8].contains(cell)) {
        let mut goal = Board::goal(3, 3, blank);
        if blank % 2 == 1 {
            // The tiles are numbered at random.
            for last in (1..9).rev().filter(|&cell| cell != blank) {
                let other = random.below(last);
                if other != blank {
                    goal.numbers.swap(last, other);
                }
            }
        }
        let distances = goal.all_distances();
        assert_eq!(distances.len(), 181_440);
        let mut boards: Vec<Board> = (0..60).map(|steps| goal.walk(steps, &mut random)).collect();
        boards.extend(distances.boards_at(distances.largest()).take(5));
        let list: String = boards.iter().map(|board| board.rows() + "\n").collect();
        let expected: Vec<u64> = boards.iter().map(|board| distances[board] as u64).collect();
        for partition in ["8", "5-3", "4-4", "fringe"] {
            let mut command = command(folder.path());
            let path = folder.path().join("list.txt");
            fs::write(&path, &list).unwrap();
            command.args(["--json", "--goal", &goal.rows(), "--partition", partition]);
            let run = finish(start(command.arg("--file").arg(&path)));
            assert_eq!(
                lengths(&run.objects(0)),
                expected,
                "{partition} {}",
                goal.rows()
            );
        }
    }
}

#[test]
fn boards_of_other_sizes_are_solved_to_the_optimum() {
    let folder = folder();
    let mut random = Random(17);
    for (width, height, steps) in [
        (2, 2, 9),
        (3, 2, 20),
        (2, 3, 20),
        (4, 2, 24),
        (2, 5, 24),
        (4, 3, 28),
        (3, 5, 26),
        (6, 6, 24),
        (7, 2, 24),
        (3, 10, 22),
        (6, 1, 3),
        (1, 4, 3),
    ] {
        // In the short set of tests, only one of the two goals is used on trays that are higher
        // than wide.
        let goals = if IS_LONG || width >= height { 2 } else { 1 };
        for blank in [0, width * height - 1].into_iter().take(goals) {
            let goal = Board::goal(width, height, blank);
            let board = goal.walk(steps, &mut random);
            let size = format!("{width}x{height}");
            let goal_rows = goal.rows();
            let run = solver(
                folder.path(),
                [
                    "--json",
                    "--size",
                    &size,
                    "--goal",
                    &goal_rows,
                    &board.flat(),
                ],
            );
            let object = run.object(0);
            assert_eq!(
                object["length"],
                board.distance_to(&goal),
                "{size} {}",
                board.rows()
            );
            let end = board.play(string(&object, "moves")).0;
            assert_eq!(end, goal, "{size}");
        }
    }
}

#[test]
fn one_run_may_mix_sizes() {
    let folder = folder();
    let run = solver(
        folder.path(),
        ["--json", "1 2/0 3", FARTHEST_3X3[0], "1 2 3/4 0 5"],
    );
    assert_eq!(lengths(&run.objects(0)), [1, 31, 1]);
    let run = batch(
        folder.path(),
        "--json",
        format!("1 2/0 3\n{}\n1 2 3/4 0 5\n", FARTHEST_3X3[1]),
    );
    assert_eq!(lengths(&run.objects(0)), [1, 31, 1]);
}

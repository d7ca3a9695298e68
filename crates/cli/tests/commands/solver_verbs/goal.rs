//! Goals of all kinds and trays of all sizes, solved optimally.

use std::fs;
use std::path::Path;
#[cfg(unix)]
use std::process::Command;
#[cfg(target_os = "linux")]
use std::process::Stdio;

use serde_json::Value;

use super::board::{Board, FAR, FARTHEST_3X3, Random};
#[cfg(unix)]
use super::run::clean;
use super::run::{
    Process, Run, batch, command, files, finish, folder, lengths, solver, start, string,
};
use crate::IS_LONG;

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

#[track_caller]
fn solved_from_memory(run: &Run) {
    assert_eq!(run.code, Some(0), "{}{}", run.out, run.err);
    assert!(run.out.starts_with("31 moves: "), "{}", run.out);
    let said: Vec<&str> = run.err.lines().collect();
    assert_eq!(said.len(), 1, "{}", run.err);
    assert!(said[0].contains("memory"), "{}", run.err);
}

#[test]
fn without_a_directory_tables_are_built_in_memory() {
    let folder = folder();
    let file = folder.path().join("file");
    fs::write(&file, "mine").unwrap();
    if cfg!(target_os = "linux") {
        solved_from_memory(&solver(Path::new("/proc/tables"), [FARTHEST_3X3[0]]));
    }
    solved_from_memory(&solver(&file, [FARTHEST_3X3[0]]));
    solved_from_memory(&solver(&file.join("below"), [FARTHEST_3X3[0]]));
    assert_eq!(fs::read(&file).unwrap(), b"mine");
    let run = solver(Path::new("/dev/null/x"), ["--quiet", FARTHEST_3X3[0]]);
    assert_eq!((run.code, run.err.as_str()), (Some(0), ""));
}

/// A file size limit stops the write half-way, as a full disk does.
#[cfg(unix)]
#[test]
fn a_table_that_cannot_be_written_is_used_from_memory() {
    let folder = folder();
    let mut command = Command::new("sh");
    clean(&mut command);
    let script = "trap '' XFSZ; ulimit -f 10; exec \"$@\"";
    command.args(["-c", script, "sh", env!("CARGO_BIN_EXE_solver"), "--tables"]);
    let run = finish(start(command.arg(folder.path()).arg(FARTHEST_3X3[0])));
    solved_from_memory(&run);
    assert_eq!(files(folder.path()).len(), 0);
}

/// Runs the shell command `mount`, which makes the folder read-only, and then solves a board with
/// the folder as the tables directory. In the shell command, `$2` is the folder. Returns `None` if
/// mounts are unavailable.
#[cfg(target_os = "linux")]
fn solve_read_only(folder: &Path, mount: &str, board: &str) -> Option<Run> {
    let script = format!("{mount} || exit 99; exec \"$1\" --tables \"$2\" \"$3\"");
    let mut command = Command::new("unshare");
    clean(&mut command);
    command.args(["-rm", "sh", "-c", &script, "sh"]);
    command
        .arg(env!("CARGO_BIN_EXE_solver"))
        .arg(folder)
        .arg(board);
    let child = command
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .ok()?;
    let run = finish(child.into());
    let no_mounts = run.code == Some(99) || run.err.contains("unshare");
    (!no_mounts).then_some(run)
}

#[cfg(target_os = "linux")]
#[test]
fn read_only_directories_are_used_but_not_required() {
    let folder = folder();
    let mount = "mount -t tmpfs -o ro tmpfs \"$2\"";
    if let Some(run) = solve_read_only(folder.path(), mount, FARTHEST_3X3[0]) {
        solved_from_memory(&run);
    }
}

/// Missing tables that the answer does not need are not built.
#[cfg(target_os = "linux")]
#[test]
fn read_only_directories_with_tables_suffice() {
    let folder = folder();
    let own = solver(folder.path(), ["--side", "start", FAR]);
    assert_eq!(own.code, Some(0));
    let mount = "mount --bind \"$2\" \"$2\" && mount -o remount,ro,bind \"$2\"";
    if let Some(run) = solve_read_only(folder.path(), mount, FAR) {
        assert_eq!((run.code, run.err.as_str()), (Some(0), ""));
    }
}

#[test]
fn concurrent_solvers_share_one_directory() {
    let folder = folder();
    let tables = folder.path().join("tables");
    let solvers: Vec<Process> = (0..4).map(|_| start(command(&tables).arg(FAR))).collect();
    for child in solvers {
        assert!(finish(child).solves().starts_with("55 moves"));
    }
    assert_eq!(files(&tables).len(), 7);
    assert_eq!(solver(&tables, [FAR]).err, "");
}

/// Number of runs in moves such as `U2RD`: each letter is one run.
fn runs(moves: &str) -> usize {
    moves.chars().filter(char::is_ascii_alphabetic).count()
}

#[test]
fn lengths_and_moves_are_in_runs() {
    let folder = folder();
    let board = "8 6 7/2 5 4/3 0 1";
    let options = ["--metric", "multi", "--json", board];
    let object = solver(folder.path(), options).object(0);
    assert_eq!(object["length"], 20);
    assert_eq!(object["bound"], 20);
    assert_eq!(object["tables"], "runs");
    let moves = string(&object, "moves");
    assert_eq!(runs(moves), 20);
    let (end, singles) = Board::read(board).play(moves);
    assert_eq!(end, Board::goal(3, 3, 8));
    // The minimum number of single-tile moves is 31.
    assert!(singles >= 31, "{moves}");
    let words = solver(folder.path(), ["--metric", "multi", board]).solves();
    assert!(words.starts_with("20 moves: "), "{words}");
    assert!(words.contains("proved optimal: the heuristic runs gives a lower bound of 20"));
    let single = solver(folder.path(), ["--metric", "single", "--json", board]).object(0);
    assert_eq!(single["length"], 31);
}

#[test]
fn tables_are_stored_and_reused() {
    let folder = folder();
    let options = ["--metric", "multi", "1 2 3/4 5 0/7 8 6"];
    let first = solver(folder.path(), options);
    assert!(
        first.err.contains("solver: built 3x3-runs-"),
        "{}",
        first.err
    );
    assert_eq!(files(folder.path()).len(), 1);
    let second = solver(folder.path(), options);
    assert_eq!((second.err.as_str(), second.code), ("", Some(0)));
    // A kind implies its metric.
    let by_kind = solver(folder.path(), ["--kind", "runs", "--json", options[2]]);
    assert_eq!(by_kind.object(0)["tables"], "runs");
}

#[test]
fn known_lengths_are_compared_in_the_metric() {
    let folder = folder();
    let list = "8 6 7 2 5 4 3 0 1 20\n8 6 7 2 5 4 3 0 1 31\n1 2 3/4 5 6/0 7 8 1\n";
    let multi = batch(folder.path(), "--metric multi --size 3x3 --json", list);
    let objects = multi.objects(2);
    let states: Vec<&Value> = objects.iter().map(|object| &object["status"]).collect();
    assert_eq!(states, ["solved", "error", "solved"]);
    assert_eq!(lengths(&objects), [20, 20, 1]);
    let single = batch(folder.path(), "--size 3x3 --json", list);
    let objects = single.objects(2);
    let states: Vec<&Value> = objects.iter().map(|object| &object["status"]).collect();
    assert_eq!(states, ["error", "solved", "error"]);
}

#[test]
fn partitions_threads_and_limits() {
    let folder = folder();
    let board = "10 13 2 15/7 3 4 12/1 9 5 6/14 8 0 11";
    let mut found = Vec::new();
    let partition = "--partition 1,2,3,4,8,12/1,2,5,6,9,13 --threads 2";
    let all = ["--threads 1", partition, "--threads 2"];
    for words in all.into_iter().take(if IS_LONG { 3 } else { 2 }) {
        let options = words.split_whitespace().chain(["--json", board]);
        let options = ["--metric", "multi"].into_iter().chain(options);
        found.extend(lengths(&solver(folder.path(), options).objects(0)));
    }
    assert!(found.windows(2).all(|pair| pair[0] == pair[1]), "{found:?}");
    let large = "--metric multi --max-nodes 1000 --json".split(' ');
    let large = large.chain(["35 1 2 3 4 5/6 7 8 9 10 11/12 13 14 15 16 17/18 19 20 21 22 23/24 25 26 27 28 29/30 31 32 33 34 0"]);
    let object = solver(folder.path(), large).object(1);
    assert_eq!(object["status"], "limit");
    assert_eq!(object["tables"], "lines");
    assert!(object["bound"].as_u64() >= object["h0"].as_u64());
}

#[test]
fn bad_options_are_rejected() {
    let folder = folder();
    let board = "1 2 3/4 5 6/7 0 8";
    let run = |words: &str| {
        let options = words.split(' ').chain([board]);
        solver(folder.path(), options)
    };
    assert_eq!(run("--metric runs").code, Some(2));
    assert_eq!(run("--metric single --partition runs").code, Some(2));
    assert_eq!(run("--metric multi --partition manhattan").code, Some(2));
    assert_eq!(run("--metric multi --partition lines").code, Some(0));
}

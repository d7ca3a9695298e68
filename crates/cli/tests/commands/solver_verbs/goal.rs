//! Goals of all kinds and trays of all sizes, solved optimally.

use std::fs;
use std::path::Path;
#[cfg(unix)]
use std::process::Command;
#[cfg(target_os = "linux")]
use std::process::Stdio;

use serde_json::Value;

use super::board::{FAR, FARTHEST_3X3};
#[cfg(unix)]
use super::run::clean;
use super::run::{Process, Run, batch, command, files, finish, folder, lengths, solver, start};

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

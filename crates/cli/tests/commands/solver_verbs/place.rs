//! Destination of built tables: a shared directory, or memory if none is writable.

use std::fs;
use std::path::Path;
#[cfg(unix)]
use std::process::Command;
#[cfg(target_os = "linux")]
use std::process::Stdio;

use crate::solver_verbs::board::{FAR, FARTHEST_3X3};
#[cfg(unix)]
use crate::solver_verbs::run::clean;
use crate::solver_verbs::run::{Process, Run, command, files, finish, folder, solver, start};

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

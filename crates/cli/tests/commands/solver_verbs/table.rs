//! Tables and goals: slow builds need `--build`, tables in every file format are used, damaged tables are
//! rejected, and directories that cannot be written are no obstacle.

use std::path::Path;
#[cfg(unix)]
use std::process::Command;
#[cfg(target_os = "linux")]
use std::process::Stdio;
use std::{fs, thread};

use pdb_table::{Control, Table};
use serde_json::Value;

use crate::pdb_gen_verbs::run::pdb_gen;
use crate::run::sums;
use crate::solver_verbs::board::{FAR, FARTHEST_3X3, KORF_1};
#[cfg(unix)]
use crate::solver_verbs::run::clean;
use crate::solver_verbs::run::{
    Process, Run, batch, command, files, finish, folder, lengths, solver, start, string,
};

#[test]
fn missing_slow_tables_name_the_remedy() {
    let folder = folder();
    let tables = folder.path().join("none");
    let words = ["--threads", "1", "--partition", "7-8"];
    let remedy = "tables of 7-8 are missing and may take";
    let other_goal = ["--goal", "blank-first", "--kind", "blank-compressed"];
    for (further, board) in [(&[][..], FAR), (&other_goal, KORF_1)] {
        let run = solver(&tables, words.iter().chain(further).chain(&[board]));
        let line = run.fails(3);
        assert!(
            line.contains(remedy) && line.contains("give --build"),
            "{line}"
        );
        assert!(!tables.exists());
    }
    // With `--json` the object has the same message.
    let run = solver(&tables, ["--json"].iter().chain(&words).chain(&[FAR]));
    let object = run.object(3);
    assert_eq!(object["status"], "error");
    assert!(
        string(&object, "message").contains("give --build"),
        "{object}"
    );
}

/// More threads than cores are not faster, so the forecast ignores the additional threads.
#[test]
fn build_forecasts_use_the_existing_cores() {
    if thread::available_parallelism().unwrap().get() >= 8 {
        return;
    }
    let folder = folder();
    let tables = folder.path().join("none");
    // The program names the remedy; it would build tables that take less time.
    solver(&tables, ["--threads", "64", "--partition", "7-8", FAR]).fails(3);
    assert!(!tables.exists());
}

#[test]
fn tables_of_every_form_are_used() {
    let folder = folder();
    let plain = folder.path().join("plain");
    solver(&plain, ["--partition", "8", FARTHEST_3X3[0]]).solves();
    let name = files(&plain)[0]
        .file_name()
        .unwrap()
        .to_str()
        .unwrap()
        .to_owned();
    let table = Table::new(fs::read(plain.join(&name)).unwrap()).unwrap();
    // The same table with one byte per entry.
    let built = pdb_gen::build(table.id(), pdb_table::Encoding::U8, &Control::default()).unwrap();
    let bytes = folder.path().join("bytes");
    fs::create_dir(&bytes).unwrap();
    let stem = name.strip_suffix(".pdb").unwrap();
    fs::write(
        bytes.join(format!("{stem}.u8.pdb")),
        built.into_table().bytes(),
    )
    .unwrap();
    // The same table in a zstd frame.
    let built =
        pdb_gen::build(table.id(), pdb_table::Encoding::OneBit, &Control::default()).unwrap();
    let frame = folder.path().join("frame");
    fs::create_dir(&frame).unwrap();
    let path = frame.join(format!("{stem}.pdb.zst"));
    built.write(&path, pdb_table::Compression::Zstd(3)).unwrap();
    for tables in [plain, bytes, frame] {
        let run = solver(&tables, ["--json", "--partition", "8", FARTHEST_3X3[0]]);
        // The table is found, not built.
        assert_eq!(run.err, "");
        assert_eq!(run.object(0)["length"], 31);
        assert_eq!(files(&tables).len(), 1);
    }
}

#[test]
fn damaged_and_swapped_tables_are_rejected_by_name() {
    let folder = folder();
    let arguments = ["--partition", "5-3", FARTHEST_3X3[0]];
    solver(folder.path(), arguments).solves();
    let [first, second, ..] = &files(folder.path())[..] else {
        panic!("two tables were expected");
    };
    let (sound, other) = (fs::read(first).unwrap(), fs::read(second).unwrap());
    let flipped = |at: usize| {
        let mut bytes = sound.clone();
        bytes[at] ^= 1;
        bytes
    };
    let mut variants = vec![
        sound[..sound.len() - 1].to_vec(),
        sound[..4096].to_vec(),
        sound[..100].to_vec(),
        [&sound[..], b"x"].concat(),
        Vec::new(),
        b"no table\n".to_vec(),
        other,
    ];
    variants.extend(
        [
            0,
            8,
            17,
            40,
            56,
            64,
            2112,
            3000,
            4095,
            4096,
            sound.len() - 1,
        ]
        .map(flipped),
    );
    for (index, bytes) in variants.into_iter().enumerate() {
        fs::write(first, &bytes).unwrap();
        let line = solver(folder.path(), arguments).fails(3);
        assert!(line.contains(first.to_str().unwrap()), "{index}: {line}");
        assert!(line.contains("pdb-gen"), "{index}: {line}");
        // The solver does not change a damaged file.
        assert!(fs::read(first).unwrap() == bytes, "{index}");
    }
    let object = solver(folder.path(), ["--json"].iter().chain(&arguments)).object(3);
    assert_eq!(object["status"], "error");
}

const LIST: &str = "8 6 7/2 5 4/3 0 1\n1 2 3/4 5 6/7 0 8\n1 2 3/4 5 6/8 7 0\n";

#[test]
fn summaries_follow_or_replace_the_answers() {
    let folder = folder();
    let run = batch(folder.path(), "--summary text", LIST);
    assert_eq!(run.code, Some(1));
    let lines: Vec<&str> = run.out.lines().collect();
    assert_eq!(lines[1], "1 L");
    assert!(lines[2].contains("swapping tiles"));
    let head = "3 boards: 2 solved, 1 unsolvable, 0 over a limit, 0 with errors";
    assert_eq!(lines[3], head);
    let row: Vec<&str> = lines[5].split_whitespace().collect();
    assert_eq!(row, ["length", "16.00", "1", "31", "31"]);

    let quiet = batch(folder.path(), "--summary text --quiet", LIST);
    assert_eq!(quiet.out.lines().next(), Some(head));

    let markdown = batch(folder.path(), "--summary markdown --quiet", LIST).out;
    assert!(
        markdown.contains("| length | 16.00 | 1 | 31 | 31 |"),
        "{markdown}"
    );
    let csv = batch(folder.path(), "--summary csv --quiet", LIST).out;
    assert!(csv.contains("\nlength,2,16,1,31,31,32\n"), "{csv}");
}

/// Standard output contains only objects, and the summary agrees with them.
#[test]
fn with_json_the_summary_is_on_standard_error() {
    let folder = folder();
    let run = batch(folder.path(), "--json --summary csv --threads 1", LIST);
    let objects = run.objects(1);
    assert_eq!(lengths(&[objects[0].clone(), objects[1].clone()]), [31, 1]);
    let nodes = objects.iter().filter_map(|object| object["nodes"].as_u64());
    let total: u64 = nodes.sum();
    let row = run
        .err
        .lines()
        .find(|line| line.starts_with("nodes,"))
        .unwrap();
    assert!(row.ends_with(&format!(",{total}")), "{row}");
}

#[test]
fn errors_are_still_shown() {
    let folder = folder();
    let run = batch(
        folder.path(),
        "--summary text --quiet",
        "1 2 3/4 5 6/7 8 8\n",
    );
    assert_eq!(run.code, Some(2));
    assert!(run.err.contains("line 1: "), "{}", run.err);
    assert!(run.out.starts_with("1 board"), "{}", run.out);
}

/// `pdb-gen` and `solver` have the same default set of tables.
#[test]
fn tables_of_pdb_gen_are_all_that_a_board_needs() {
    let folder = folder();
    let partition = ["--partition", "6-6-3"];
    pdb_gen(folder.path(), "--partition 6-6-3").succeeds();
    let before = sums(folder.path());
    assert_eq!(before.len(), 7);
    let run = solver(folder.path(), partition.iter().chain(&[FAR]));
    assert!(
        !run.err.contains("building") && !run.err.contains("wrote"),
        "{}",
        run.err
    );
    run.solves();
    assert_eq!(sums(folder.path()), before);
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

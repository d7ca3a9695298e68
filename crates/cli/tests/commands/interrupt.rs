//! Ctrl-C in every verb at a random moment: results so far are printed.
//!
//! Each verb is interrupted once. Several verbs run at a time, and every second verb runs with
//! `--json`. The following longer test interrupts each verb 200 times, and fails if a verb needs
//! more than 300 ms to end:
//! `INTERRUPTS=200 INTERRUPT_LIMIT=300 cargo test -p sliding-tile-pdb --test commands interrupt`

use std::collections::hash_map::RandomState;
use std::fs;
use std::hash::{BuildHasher as _, Hasher as _};
use std::path::Path;
use std::process::Command;
use std::str::FromStr;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::pdb_gen_verbs::run::pdb_gen;
use crate::run::folder;
use crate::run::{Process, clean, finish, happens, start};
use crate::solver_verbs::board::HARD_6X6;
use crate::solver_verbs::run::solver;

/// A number from an environment variable.
fn setting<T: FromStr>(name: &str, default: T) -> T {
    let value = std::env::var(name).ok().and_then(|text| text.parse().ok());
    value.unwrap_or(default)
}

/// A random number below `end`.
fn random(end: u64) -> u64 {
    RandomState::new().build_hasher().finish() % end
}

const SOLVER: &str = env!("CARGO_BIN_EXE_solver");
const PDB_GEN: &str = env!("CARGO_BIN_EXE_pdb-gen");

/// Starts a command and presses Ctrl-C at a random moment. Returns a description of the error if
/// the command did not end correctly.
fn interrupt(program: &str, words: &[&str], directory: &Path, json: bool) -> Option<String> {
    let tables = directory.to_str().unwrap();
    let mut arguments = [words, &["--tables", tables]].concat();
    if json {
        arguments.push("--json");
    }
    let mut command = Command::new(program);
    clean(&mut command);
    let mut child = start(command.args(&arguments));
    // Before, the command may still be reading its input, and nothing is printed.
    assert!(happens(|| has_worked(&mut child)));
    let moment = Duration::from_millis(random(700));
    thread::sleep(moment);
    // A process that is over but not waited for still takes signals.
    if child.try_wait().unwrap().is_none() {
        child.signal("-INT");
    }
    let pressed = Instant::now();
    let run = finish("interrupted", child);
    let time = pressed.elapsed();
    let (status, text) = (run.code, run.out + &run.err);
    let wrong = judge(words, json, status, time, &text)?;
    Some(format!(
        "{wrong}: {arguments:?} after {moment:?}: {status:?}, {time:?}\n{text}"
    ))
}

/// Whether a program has worked for a tenth of a second of processor time, or has ended.
fn has_worked(child: &mut Process) -> bool {
    let stat = fs::read_to_string(format!("/proc/{}/stat", child.id())).unwrap();
    // The name of the program is in parentheses, and can contain spaces.
    let (_, fields) = stat.rsplit_once(") ").unwrap();
    let times = fields.split(' ').skip(11).take(2);
    // User time and system time are in hundredths of a second.
    let time: u64 = times.map(|time| time.parse::<u64>().unwrap()).sum();
    time >= 10 || child.try_wait().unwrap().is_some()
}

/// Checks how a command ended; returns a description of the error, if any.
fn judge(
    words: &[&str],
    json: bool,
    code: Option<i32>,
    time: Duration,
    text: &str,
) -> Option<String> {
    let limit = Duration::from_millis(setting("INTERRUPT_LIMIT", u64::MAX));
    if time > limit {
        return Some("too late".to_owned());
    }
    if !matches!(code, Some(0 | 1 | 130)) {
        return Some("exit code".to_owned());
    }
    let lines: Vec<&str> = text.lines().filter(|line| !line.is_empty()).collect();
    let (objects, notes): (Vec<&str>, Vec<&str>) =
        lines.iter().partition(|line| line.starts_with('{'));
    if !json {
        return lines.is_empty().then(|| "nothing is printed".to_owned());
    }
    let is_object = |line: &&str| serde_json::from_str::<Value>(line).is_ok();
    let is_note = |line: &&str| line.starts_with("solver: ") || line.starts_with("pdb-gen: ");
    if !objects.iter().all(is_object) || !notes.iter().all(is_note) {
        return Some("torn output".to_owned());
    }
    // These commands print one object for each solution, search or file finished before Ctrl-C.
    let lists = ["anytime", "compare", "verify", "info", "list"];
    match (objects.len(), lists.iter().any(|list| words.contains(list))) {
        (1, _) | (1.., true) => None,
        (0, true) if !notes.is_empty() => None,
        (count, _) => Some(format!("{count} objects")),
    }
}

fn interrupt_each(program: &str, verbs: &[&[&str]], directory: &Path) {
    let times = setting("INTERRUPTS", 1);
    let next = AtomicUsize::new(0);
    let wrong = Mutex::new(Vec::new());
    let work = || {
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            let Some(words) = verbs.get(number) else {
                return;
            };
            for time in 0..times {
                let json = (number + time) % 2 == 1;
                let found = interrupt(program, words, directory, json);
                wrong.lock().unwrap().extend(found);
            }
        }
    };
    // With `INTERRUPTS` set, programs run one at a time, so that times are comparable.
    let threads = if times == 1 { 4 } else { 1 };
    thread::scope(|scope| (0..threads).for_each(|_| drop(scope.spawn(work))));
    let wrong: Vec<String> = wrong.into_inner().unwrap();
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

#[test]
fn solver_prints_results_after_an_interrupt() {
    let folder = folder();
    let solve = |board: &str| {
        let words = ["--mode", "strategic", "--quiet", board];
        let line = solver(folder.path(), words).succeeds();
        line.split_whitespace().nth(1).unwrap().to_owned()
    };
    let (moves, of_smaller) = (&*solve(HARD_6X6), &*solve(HARD_5X5));
    let table_free = ["--partition", "manhattan"];
    let with = |words: &[&'static str]| [words, &table_free].concat();
    let check = [&["check", HARD_6X6, moves], &table_free[..]].concat();
    let rate = [&["rate", HARD_6X6, moves], &table_free[..]].concat();
    let verbs: &[&[&str]] = &[
        &with(&[HARD_6X6]),
        &with(&["--all", HARD_6X6]),
        &with(&["--mode", "anytime", HARD_6X6]),
        &["--build", "--size", "5x5", HARD_5X5],
        &check,
        &["check", "--build", HARD_5X5, of_smaller],
        &rate,
        &["rate", "--build", HARD_5X5, of_smaller],
        &with(&["hint", HARD_6X6]),
        &["hint", "--build", HARD_5X5],
        &with(&["show", "--solve", HARD_6X6]),
        &["explain", HARD_5X5],
        &with(&["scramble", "--length", "120", "--size", "5x5"]),
        &["probe", "--build", HARD_5X5],
        &["compare", HARD_6X6, "--max-nodes", "1T"],
        &["apply", "1 2 3/4 5 6/7 0 8", "L"],
    ];
    interrupt_each(SOLVER, verbs, folder.path());
}

/// A board that needs tables whose build takes seconds.
const HARD_5X5: &str = "23 19 9 18 12/10 14 8 22 7/1 5 3 0 21/6 2 20 13 16/4 15 11 17 24";

#[test]
fn pdb_gen_prints_progress_after_an_interrupt() {
    let folder = folder();
    let seven = ["--size", "5x5", "--goal", "blank-first"];
    let seven = [&seven[..], &["--tiles", "1,2,5,6,7,10"]].concat();
    let built = pdb_gen(folder.path(), &seven.join(" "));
    assert_eq!(built.code, Some(0), "{}", built.err);
    pdb_gen(folder.path(), "--partition 6-6-3").succeeds();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (npy, packed, tuned) = (path("out.npy"), path("packed"), path("tuned"));
    let of_seven = |words: &[&'static str]| [words, &seven].concat();
    let export = [
        &of_seven(&["export", "--format", "npy"])[..],
        &["--out", &npy],
    ]
    .concat();
    let pack = [&of_seven(&["pack"])[..], &["--out", &packed]].concat();
    let tune = ["tune", "--parts", "6-6-3", "--out", &tuned];
    let verbs: &[&[&str]] = &[
        &of_seven(&["--force"]),
        &["verify"],
        &["info"],
        &["list"],
        &["plan", "--size", "5x5", "--partition", "best"],
        &["stats", "--sample", "1G", "--partition", "6-6-3"],
        &export,
        &pack,
        &tune,
    ];
    interrupt_each(PDB_GEN, verbs, folder.path());
}

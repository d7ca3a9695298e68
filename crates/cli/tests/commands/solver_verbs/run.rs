//! Runs `solver`.

use std::ffi::OsStr;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
#[cfg(unix)]
use std::time::Duration;

use serde_json::Value;

#[cfg(unix)]
use crate::run::HANG_LIMIT;
pub(crate) use crate::run::{Process, Run, clean, start};
pub(crate) use crate::run::{files, folder};

pub(crate) fn command(tables: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_solver"));
    clean(&mut command);
    command.arg("--tables").arg(tables);
    command
}

pub(crate) fn finish(child: Process) -> Run {
    crate::run::finish("solver", child)
}

/// Interrupts a command at work, which `is_at_work` recognizes by the results. Waits longer before
/// the interrupt each time that it came too early, because a busy machine starts programs late.
#[cfg(unix)]
pub(crate) fn interrupted(
    mut start: impl FnMut() -> Process,
    is_at_work: impl Fn(&Run) -> bool,
) -> Run {
    let mut wait = Duration::from_millis(400);
    loop {
        let child = start();
        thread::sleep(wait);
        child.signal("-INT");
        let run = finish(child);
        wait *= 4;
        if is_at_work(&run) || wait > HANG_LIMIT {
            return run;
        }
    }
}

/// Runs `solver` with these arguments and an empty standard input.
pub(crate) fn solver<A: AsRef<OsStr>>(
    tables: &Path,
    arguments: impl IntoIterator<Item = A>,
) -> Run {
    finish(start(command(tables).args(arguments)))
}

/// Runs `solver` with these words as options and a list of boards on standard input.
pub(crate) fn batch(tables: &Path, words: &str, list: impl AsRef<[u8]>) -> Run {
    let mut command = command(tables);
    command.args(words.split_whitespace()).stdin(Stdio::piped());
    let mut child = start(&mut command);
    let mut input = child.stdin.take().unwrap();
    let list = list.as_ref().to_vec();
    // A write error is ignored: a program that rejects its options does not read its input.
    let writer = thread::spawn(move || input.write_all(&list).ok());
    let run = finish(child);
    writer.join().unwrap();
    run
}

pub(crate) fn string<'a>(object: &'a Value, field: &str) -> &'a str {
    object[field].as_str().unwrap()
}

pub(crate) fn lengths(objects: &[Value]) -> Vec<u64> {
    objects
        .iter()
        .map(|o| o["length"].as_u64().unwrap())
        .collect()
}

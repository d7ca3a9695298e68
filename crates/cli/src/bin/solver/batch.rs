//! Many boards over all cores, answered in input order and in bounded memory however long the input is.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufRead, BufReader, IsTerminal as _, Read as _};
use std::panic::AssertUnwindSafe;
use std::path::PathBuf;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use cli::{ActiveGuard, EXIT_INTERRUPTED, Failure, interrupted, print_error};

use crate::session::{Answer, Session};

/// Where boards come from.
pub(crate) enum Boards {
    Arguments(std::vec::IntoIter<String>),
    List {
        lines: Box<dyn BufRead + Send>,
        number: usize,
    },
}

/// A board's text, and its line where it came from a list.
pub(crate) struct Job {
    pub(crate) text: Result<String, String>,
    pub(crate) line: Option<usize>,
}

/// The longest line that is read: room for the largest board many times over.
const LONGEST_LINE: u64 = 1 << 16;

impl Boards {
    pub(crate) fn new(boards: Vec<String>, file: Option<PathBuf>) -> Result<Boards, Failure> {
        if !boards.is_empty() {
            return Ok(Boards::Arguments(boards.into_iter()));
        }
        let lines: Box<dyn BufRead + Send> = match file {
            Some(path) if path.as_os_str() != "-" => {
                let refuse = |error| Failure::input(format!("{}: {error}", path.display()));
                let file = File::open(&path).map_err(refuse)?;
                if file.metadata().is_ok_and(|metadata| metadata.is_dir()) {
                    let path = path.display();
                    return Err(Failure::input(format!(
                        "{path} is a directory, not a list of boards"
                    )));
                }
                Box::new(BufReader::new(file))
            }
            _ => {
                if std::io::stdin().is_terminal() {
                    print_error("solver: reading boards from standard input, one a line");
                }
                Box::new(BufReader::new(std::io::stdin()))
            }
        };
        Ok(Boards::List { lines, number: 0 })
    }

    pub(crate) fn is_list(&self) -> bool {
        matches!(self, Boards::List { .. })
    }

    /// How many of the threads each board may have: all are at work already where there are as many boards.
    pub(crate) fn threads_each(&self, threads: usize) -> usize {
        match self {
            Boards::Arguments(boards) => (threads / boards.len().max(1)).max(1),
            Boards::List { .. } => 1,
        }
    }

    /// The next board; blank lines and comments are skipped.
    fn next(&mut self) -> Option<Job> {
        match self {
            Boards::Arguments(boards) => boards.next().map(|text| Job {
                text: Ok(text),
                line: None,
            }),
            Boards::List { lines, number } => loop {
                let mut bytes = Vec::new();
                *number += 1;
                let line = Some(*number);
                let read = lines.take(LONGEST_LINE).read_until(b'\n', &mut bytes);
                let text = match read {
                    Err(error) => {
                        // A reader that failed once may fail for ever: this is the last answer.
                        *lines = Box::new(std::io::empty());
                        Err(format!("cannot be read: {error}"))
                    }
                    Ok(0) => return None,
                    Ok(length) if length as u64 == LONGEST_LINE && !bytes.ends_with(b"\n") => {
                        skip_line(lines);
                        Err(format!("the line is longer than {LONGEST_LINE} bytes"))
                    }
                    Ok(_) => String::from_utf8(bytes)
                        .map_err(|_| "the line is not UTF-8 text".to_owned()),
                };
                let text = text.map(without_byte_order_mark);
                let is_skipped =
                    |text: &String| text.trim().is_empty() || text.trim().starts_with('#');
                if !text.as_ref().is_ok_and(is_skipped) {
                    return Some(Job { text, line });
                }
            },
        }
    }
}

/// Some editors begin a file with one.
fn without_byte_order_mark(line: String) -> String {
    match line.strip_prefix('\u{feff}') {
        Some(rest) => rest.to_owned(),
        None => line,
    }
}

fn skip_line(lines: &mut Box<dyn BufRead + Send>) {
    let mut rest = Vec::new();
    loop {
        rest.clear();
        let read = lines.take(LONGEST_LINE).read_until(b'\n', &mut rest);
        if !matches!(read, Ok(length) if length > 0) || rest.ends_with(b"\n") {
            return;
        }
    }
}

/// How far answers may run ahead of the first one that is still awaited.
const WINDOW: usize = 1024;

struct Input {
    boards: Boards,
    taken: usize,
}

struct Output {
    printed: usize,
    ready: BTreeMap<usize, Answer>,
    exit: u8,
}

/// Answers all boards; returns the highest exit code that applies.
pub(crate) fn solve_all(desk: &Session, boards: Boards, threads: usize) -> u8 {
    let most_at_once = match &boards {
        Boards::Arguments(boards) => boards.len(),
        Boards::List { .. } => WINDOW,
    };
    let input = Mutex::new(Input { boards, taken: 0 });
    let output = Mutex::new(Output {
        printed: 0,
        ready: BTreeMap::new(),
        exit: 0,
    });
    let moved = Condvar::new();
    let work = || {
        loop {
            let (job, index, _busy) = {
                let mut input = lock(&input);
                if interrupted() {
                    return;
                }
                let Some(job) = input.boards.next() else {
                    // From now on this thread helps the others.
                    desk.crew.join(1);
                    return;
                };
                input.taken += 1;
                (job, input.taken - 1, ActiveGuard::begin())
            };
            let ahead = |output: &mut Output| index >= output.printed + WINDOW;
            drop(
                moved
                    .wait_while(lock(&output), ahead)
                    .unwrap_or_else(PoisonError::into_inner),
            );
            let answer = answer_safely(desk, &job);
            let mut output = lock(&output);
            let next = output.ready.insert(index, answer);
            debug_assert!(next.is_none());
            while let Some(answer) = {
                let printed = output.printed;
                output.ready.remove(&printed)
            } {
                output.exit = output.exit.max(answer.exit());
                desk.print(&answer);
                output.printed += 1;
            }
            moved.notify_all();
        }
    };
    desk.crew.join(threads.saturating_sub(most_at_once));
    std::thread::scope(|scope| {
        for _ in 1..threads.min(most_at_once) {
            // Where the system gives no more threads, those that there are do the work.
            if std::thread::Builder::new()
                .spawn_scoped(scope, work)
                .is_err()
            {
                break;
            }
        }
        work();
    });
    let exit = lock(&output).exit;
    if interrupted() {
        EXIT_INTERRUPTED
    } else {
        exit
    }
}

/// A defect must not keep the answers behind it waiting: it becomes an answer itself.
fn answer_safely(desk: &Session, job: &Job) -> Answer {
    let answer = std::panic::catch_unwind(AssertUnwindSafe(|| desk.answer(job)));
    answer.unwrap_or_else(|_| {
        Answer::error(&Failure::input(
            "the solver failed on this board: this is a defect, please report it",
        ))
    })
}

/// What a panic leaves behind is whole: every change is made in one step.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

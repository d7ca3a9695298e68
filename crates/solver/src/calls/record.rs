//! The record of a long search, with which a search that was killed goes on.
//!
//! A record is a text file. Its first line names the board, the tables and the version; only such a
//! search goes on with it. Each further line is a finished task, which is a group of subtrees:
//! bound, states of the automaton, number of the task, generated and expanded nodes, and the
//! smallest excess of a pruned node over the bound (0 if none was pruned). Each line ends with the
//! first 16 digits of the SHA-256 of the last line's 16 digits and of the rest of its own line. So
//! the end of the last line depends on all lines.
//!
//! Tasks are numbered in the order in which the top of the tree makes them, which depends only on
//! what the first line names, and on the bound and the automaton. A finished task has no goal within
//! the bound.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use pdb_table::hex;
use sha2::{Digest, Sha256};

use super::NodeCount;
use super::solution::RecordError;
use crate::threads::lock;

/// Identifies a task: the bound, the states of the automaton, and the task's number.
pub(crate) type TaskKey = [u32; 3];

/// The result of a finished task.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Finished {
    pub(crate) nodes: NodeCount,
    /// Smallest excess of a pruned node over the bound; `i32::MAX` if none was pruned.
    pub(crate) least_over: i32,
}

/// A record that is open for this search.
pub(crate) struct SearchRecord {
    path: PathBuf,
    finished: HashMap<TaskKey, Finished>,
    /// Recorded tasks whose numbers are multiples of this are searched again.
    recheck: Option<u32>,
    out: Mutex<Out>,
    has_failed: AtomicBool,
}

struct Out {
    file: File,
    /// The last 16 digits of the file.
    digest: String,
    /// Number of lines since the file was last synced.
    unsynced: u32,
    error: Option<io::Error>,
}

/// Number of lines between two syncs of the file, which a loss of power can lose. A killed process
/// loses no line.
const LINES_PER_SYNC: u32 = 16;

impl SearchRecord {
    /// Opens a record, or creates it. `search` is its first line. A line that was cut off in the
    /// middle is removed. Recorded tasks whose numbers are multiples of `recheck` are searched
    /// again.
    pub(crate) fn open(
        path: &Path,
        search: &str,
        recheck: Option<u32>,
    ) -> Result<SearchRecord, RecordError> {
        let wrong = |reason: String| RecordError {
            path: path.to_owned(),
            reason,
        };
        let failed = |error: io::Error| wrong(error.to_string());
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false);
        let mut file = options.open(path).map_err(failed)?;
        if !file.metadata().map_err(failed)?.is_file() {
            return Err(wrong("expected a file, or a new name".to_owned()));
        }
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(failed)?;
        // A record is ASCII, so any other text differs from it.
        let text = String::from_utf8_lossy(&bytes);
        let end = text.rfind('\n').map_or(0, |at| at + 1);
        let mut lines = text[..end].lines();
        let found = lines.next();
        let is_begun = found.is_some() || search.starts_with(&*text);
        if !is_begun || found.is_some_and(|found| found != search) {
            let found = found.unwrap_or(&text);
            let mut pairs = search.split(", ").zip(found.split(", "));
            let (expected, found) = pairs
                .find(|(expected, found)| expected != found)
                .unwrap_or((search, found));
            let found: String = found.chars().take(200).collect();
            return Err(wrong(format!(
                "this is the record of another search: found `{found}`, expected `{expected}`; \
                 choose another file"
            )));
        }
        let mut finished = HashMap::new();
        let mut digest = chained("", search);
        for (number, line) in lines.enumerate() {
            let (key, result) = read_line(line, &mut digest).ok_or_else(|| {
                wrong(format!(
                    "line {} is damaged: delete the file, and search again",
                    number + 2
                ))
            })?;
            finished.insert(key, result);
        }
        file.set_len(end as u64).map_err(failed)?;
        file.seek(SeekFrom::End(0)).map_err(failed)?;
        if end == 0 {
            file.write_all(format!("{search}\n").as_bytes())
                .map_err(failed)?;
        }
        Ok(SearchRecord {
            path: path.to_owned(),
            finished,
            recheck,
            out: Mutex::new(Out {
                file,
                digest,
                unsynced: 0,
                error: None,
            }),
            has_failed: AtomicBool::new(false),
        })
    }

    /// The result of a task that was finished before this search began, if it need not be searched
    /// again.
    pub(crate) fn finished(&self, task: TaskKey) -> Option<Finished> {
        let is_checked = |every| task[2].checked_rem(every) == Some(0);
        let known = self.finished.get(&task).copied();
        known.filter(|_| !self.recheck.is_some_and(is_checked))
    }

    /// Appends a finished task, or compares it with the recorded one. After an error, the search must end: [`Self::has_failed`].
    pub(crate) fn add(&self, task: TaskKey, finished: Finished) {
        let mut out = lock(&self.out);
        if self.has_failed() {
            return;
        }
        let written = match self.finished.get(&task) {
            Some(recorded) if *recorded == finished => Ok(()),
            Some(recorded) => Err(io::Error::other(format!(
                "task {task:?} (bound, states, number) is recorded as {recorded:?}, but the search \
                 found {finished:?}: delete the file, and search again"
            ))),
            None => out.write(task, finished),
        };
        if let Err(error) = written {
            out.error = Some(error);
            self.has_failed.store(true, Ordering::Relaxed);
        }
    }

    /// Whether a task could not be written.
    pub(crate) fn has_failed(&self) -> bool {
        self.has_failed.load(Ordering::Relaxed)
    }

    /// Syncs the file.
    pub(crate) fn close(self) -> Result<(), RecordError> {
        let out = self.out.into_inner();
        let out = out.unwrap_or_else(std::sync::PoisonError::into_inner);
        let written = out.error.map_or_else(|| out.file.sync_data(), Err);
        written.map_err(|error| RecordError {
            path: self.path,
            reason: error.to_string(),
        })
    }
}

impl Out {
    fn write(&mut self, task: TaskKey, finished: Finished) -> io::Result<()> {
        let [bound, states, number] = task;
        let NodeCount {
            generated,
            expanded,
        } = finished.nodes;
        let over = match finished.least_over {
            i32::MAX => 0,
            over => over,
        };
        let mut line = format!("{bound} {states} {number} {generated} {expanded} {over}");
        self.digest = chained(&self.digest, &line);
        let _ = writeln!(line, " {}", self.digest);
        self.file.write_all(line.as_bytes())?;
        self.unsynced += 1;
        if self.unsynced == LINES_PER_SYNC {
            self.unsynced = 0;
            self.file.sync_data()?;
        }
        Ok(())
    }
}

/// The digits at the end of a line.
fn chained(last: &str, line: &str) -> String {
    let mut sum = Sha256::new();
    sum.update(last);
    sum.update(line);
    hex(&sum.finalize()[..8])
}

/// Reads a line of a task, and replaces the digest of the last line; `None` if the line is wrong.
fn read_line(line: &str, digest: &mut String) -> Option<(TaskKey, Finished)> {
    let (line, found) = line.rsplit_once(' ')?;
    *digest = chained(digest, line);
    let words: Vec<u64> = line
        .split(' ')
        .map(|word| word.parse().ok())
        .collect::<Option<_>>()?;
    let &[bound, states, number, generated, expanded, over] = &words[..] else {
        return None;
    };
    let key = [bound, states, number].map(u32::try_from);
    let [Ok(bound), Ok(states), Ok(number)] = key else {
        return None;
    };
    let finished = Finished {
        nodes: NodeCount {
            generated,
            expanded,
        },
        least_over: match i32::try_from(over).ok()? {
            0 => i32::MAX,
            over => over,
        },
    };
    (found == digest).then_some(([bound, states, number], finished))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_is_read_again_and_no_damage_is_believed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("record");
        let task = |n: u64| {
            let nodes = NodeCount {
                generated: 10 * n,
                expanded: n,
            };
            let least_over = if n == 1 { i32::MAX } else { 2 };
            ([50, 7, n as u32], Finished { nodes, least_over })
        };
        for n in 0..3 {
            let record = SearchRecord::open(&path, "a search", None).unwrap();
            for before in 0..n {
                let (key, finished) = task(before);
                assert_eq!(record.finished(key), Some(finished));
            }
            let (key, finished) = task(n);
            assert_eq!(record.finished(key), None);
            record.add(key, finished);
            record.close().unwrap();
        }
        let whole = std::fs::read(&path).unwrap();
        let lines = whole.iter().filter(|&&byte| byte == b'\n').count();
        assert_eq!(lines, 4);
        let error = SearchRecord::open(&path, "another", None).err().unwrap();
        assert!(error.to_string().contains("another search"), "{error}");
        // Tasks that are searched again must have the recorded result.
        let (key, finished) = task(2);
        for (found, is_equal) in [(finished, true), (task(1).1, false)] {
            let record = SearchRecord::open(&path, "a search", Some(2)).unwrap();
            assert_eq!(record.finished(task(1).0), Some(task(1).1));
            assert_eq!(record.finished(key), None);
            record.add(key, found);
            assert_eq!(record.has_failed(), !is_equal);
            assert_eq!(record.close().is_ok(), is_equal);
            assert!(std::fs::read(&path).unwrap() == whole);
        }
        // A file that ends anywhere is one of an earlier moment.
        for end in 0..whole.len() {
            std::fs::write(&path, &whole[..end]).unwrap();
            let record = SearchRecord::open(&path, "a search", None).unwrap();
            let known = (0..3).filter(|&n| record.finished(task(n).0).is_some());
            let ended = whole[..end].iter().filter(|&&byte| byte == b'\n').count();
            assert_eq!(known.count(), ended.saturating_sub(1));
        }
        for at in 0..whole.len() - 1 {
            let mut bytes = whole.clone();
            bytes[at] ^= 1;
            std::fs::write(&path, &bytes).unwrap();
            let opened = SearchRecord::open(&path, "a search", None);
            assert!(opened.is_err(), "byte {at}");
        }
    }
}

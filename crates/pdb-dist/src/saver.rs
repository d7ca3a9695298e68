//! Builds that survive: each process saves its part at the same levels, in files of its own.
//!
//! A checkpoint is written under another name, `.new` at its end, and a thread of its own brings it
//! to the disk and renames it while the sweep goes on. What a process has at a level does not
//! depend on the run, so checkpoints of different runs go together. The last one that all processes
//! have is kept, and the one before it.

use std::fs::{self, File};
use std::hash::Hasher as _;
use std::io;
use std::path::{Path, PathBuf};
use std::thread::JoinHandle;
use std::time::Instant;

use command::Failure;
use pdb_gen::{Deal, PartSweep, SaveClock, UnfinishedFile};
use pdb_table::{Encoding, Histogram, open_regular};
use puzzle::TableId;
use serde::{Deserialize, Serialize};
use twox_hash::XxHash3_64;

use crate::cluster::Cluster;
use crate::job::Job;
use crate::net::Net;
use crate::report::print_note;
use crate::sealed::{SealedReader, SealedWriter};

const MAGIC: [u8; 8] = *b"\x89PDQ\r\n\x1a\n";
const VERSION: u32 = 2;

#[derive(Serialize, Deserialize)]
struct SavedFields {
    version: u32,
    /// The table's name and encoding.
    table: String,
    encoding: String,
    parts: usize,
    part: usize,
    /// The sum of what the shapes were dealt out by.
    deal: u64,
    level: u8,
    /// Entries of the whole table found at each distance.
    counts: Vec<u64>,
}

/// What a process says of its checkpoints.
#[derive(Default, Serialize, Deserialize)]
struct LevelsWord {
    /// The levels that it has.
    levels: Vec<u8>,
    /// Another number of processes for which it has some.
    other: Option<usize>,
}

/// What a process says after it has read one.
#[derive(Default, Serialize, Deserialize)]
struct RestoredWord {
    /// Entries that its part had found.
    found: u64,
    /// Entries of all parts.
    total: u64,
    /// Why it cannot be used.
    refused: Option<String>,
}

/// The checkpoints of one process and table.
pub(crate) struct Saver {
    directory: PathBuf,
    table: String,
    parts: usize,
    part: usize,
    clock: SaveClock,
    resume: bool,
    quiet: bool,
    /// Levels that this run has saved or gone on from, ascending.
    levels: Vec<u8>,
    syncing: Option<(u8, JoinHandle<io::Result<()>>)>,
}

impl Saver {
    pub(crate) fn new(cluster: &Cluster, job: &Job, id: TableId) -> Self {
        Saver {
            directory: job.checkpoints.clone(),
            table: id.name(),
            parts: cluster.processes(),
            part: cluster.me,
            clock: SaveClock::start(job.save),
            resume: job.resume,
            quiet: job.quiet || job.json,
            levels: Vec::new(),
            syncing: None,
        }
    }

    /// The levels that have a file, and what `other` makes of files of other numbers of processes.
    fn find(&self, mut other: impl FnMut(usize) -> Option<usize>) -> (Vec<u8>, Option<usize>) {
        let prefix = format!("{}.pdb.part-{}-of-", self.table, self.part);
        let (mut levels, mut others) = (Vec::new(), None);
        for entry in fs::read_dir(&self.directory)
            .into_iter()
            .flatten()
            .flatten()
        {
            let name = entry.file_name().to_string_lossy().into_owned();
            let rest = name.strip_prefix(&prefix);
            let rest = rest.and_then(|rest| rest.strip_suffix(".checkpoint"));
            let pair = rest.and_then(|rest| rest.split_once(".level-"));
            let pair = pair.map(|(parts, level)| (parts.parse(), level.parse()));
            if let Some((Ok(parts), Ok(level))) = pair {
                match parts == self.parts {
                    true => levels.push(level),
                    false => others = others.or(other(parts)),
                }
            }
        }
        levels.sort_unstable();
        (levels, others)
    }

    fn path(&self, level: u8) -> PathBuf {
        let name = format!(
            "{}.pdb.part-{}-of-{}.level-{level}.checkpoint",
            self.table, self.part, self.parts
        );
        self.directory.join(name)
    }

    /// Goes on from the last level that all processes have, if that is wanted.
    pub(crate) fn restore(
        &mut self,
        net: &mut Net<'_>,
        sweep: &mut PartSweep,
    ) -> Result<Option<Histogram>, Failure> {
        self.remove_unfinished();
        if !self.resume {
            if self.part == 0 && !self.find(|_| None).0.is_empty() && !self.quiet {
                let table = &self.table;
                print_note(format_args!(
                    "building {table} anew, since --resume is not given: its checkpoints are \
                     replaced"
                ));
            }
            return Ok(None);
        }
        let (mut levels, other) = self.find(Some);
        let mut refused: Option<String> = None;
        loop {
            let word = LevelsWord {
                levels: levels.clone(),
                other,
            };
            let said = net.gather(&word)?;
            let common = levels.iter().rev().copied();
            let mut common = common.filter(|level| said.iter().all(|s| s.levels.contains(level)));
            let Some(level) = common.next() else {
                if let Some(line) = refused {
                    return Err(Failure::table(format!(
                        "{line}: build again without --resume"
                    )));
                }
                let table = &self.table;
                if let Some(parts) = said.iter().find_map(|word| word.other) {
                    return Err(Failure::input(format!(
                        "{table} is saved by {parts} processes, and these are {}: start {parts}, \
                         or build again without --resume",
                        self.parts
                    )));
                }
                if said.iter().any(|word| !word.levels.is_empty()) {
                    return Err(Failure::table(format!(
                        "no level of {table} is saved by all processes: give each the \
                         --checkpoint-dir that it had, or build again without --resume"
                    )));
                }
                return Ok(None);
            };
            let read = self.read(level, sweep);
            let mut word = RestoredWord::default();
            let histogram = match read {
                Ok((found, histogram)) => {
                    (word.found, word.total) = (found, histogram.total());
                    histogram
                }
                Err(line) => {
                    word.refused = Some(line);
                    Histogram::default()
                }
            };
            let said = net.gather(&word)?;
            let found: u64 = said.iter().map(|word| word.found).sum();
            let unsound = said.iter().find_map(|word| word.refused.clone());
            if unsound.is_none() && said.iter().all(|word| word.total == found) {
                if self.part == 0 && !self.quiet {
                    print_note(format_args!("going on from level {level}"));
                }
                levels.retain(|&before| before <= level);
                self.levels = levels;
                return Ok(Some(histogram));
            }
            let table = &self.table;
            let line = || format!("the checkpoints of {table} at level {level} do not fit");
            let line = unsound.unwrap_or_else(line);
            if self.part == 0 && !self.quiet {
                print_note(format_args!("{line}; trying an earlier one"));
            }
            refused = refused.or(Some(line));
            levels.retain(|&other| other != level);
        }
    }

    /// Reads the checkpoint of a level; errors are lines.
    fn read(&self, level: u8, sweep: &mut PartSweep) -> Result<(u64, Histogram), String> {
        let path = self.path(level);
        let not_a_file = || io::Error::other("it exists and is not a file");
        let mut read = || -> io::Result<(u64, Histogram)> {
            let file = open_regular(&path)?.ok_or_else(not_a_file)?;
            let (mut from, fields): (_, SavedFields) = SealedReader::open(file, MAGIC)?;
            let unfit = |what: &str| Err(io::Error::other(format!("a checkpoint of {what}")));
            if fields.version != VERSION {
                return unfit("another version");
            }
            if fields.table != self.table || fields.encoding != Encoding::OneBit.name() {
                return unfit("another table");
            }
            if (fields.parts, fields.part, fields.level) != (self.parts, self.part, level) {
                return unfit("another part or level");
            }
            if fields.deal != deal_sum(sweep.deal()) {
                return unfit("another deal");
            }
            let found = sweep.restore(level, &mut from)?;
            from.finish()?;
            let mut histogram = Histogram::default();
            for (value, &count) in (0..u8::MAX).zip(&fields.counts) {
                histogram.add(value, count);
            }
            match histogram.max() == level {
                true => Ok((found, histogram)),
                false => Err(io::ErrorKind::InvalidData.into()),
            }
        };
        read().map_err(|error| {
            let path = path.display();
            match error.kind() {
                io::ErrorKind::InvalidData | io::ErrorKind::UnexpectedEof => {
                    format!("{path}: damaged checkpoint")
                }
                _ => format!("{path}: {error}"),
            }
        })
    }

    /// Whether all should save the level that has just been swept, so far as process 0 can tell.
    pub(crate) fn is_due(&mut self, sweep: &mut PartSweep) -> bool {
        let syncing = self.syncing.as_ref();
        let is_syncing = syncing.is_some_and(|(_, thread)| !thread.is_finished());
        self.clock.due(sweep.saved_bytes(), is_syncing).is_some()
    }

    /// The last level that is on the disk.
    pub(crate) fn last(&mut self) -> Option<u8> {
        if self
            .syncing
            .as_ref()
            .is_some_and(|(_, thread)| thread.is_finished())
        {
            // An error is reported by the next one that waits: it is kept.
            if let Some((level, thread)) = self.syncing.take() {
                match thread.join() {
                    Ok(Ok(())) => self.levels.push(level),
                    result => self.syncing = Some((level, failed(result))),
                }
            }
        }
        self.levels.last().copied()
    }

    /// All processes have this level: of the ones before, only the last is kept.
    pub(crate) fn forget(&mut self, common: Option<u8>) {
        let Some(common) = common else { return };
        let before = self
            .levels
            .iter()
            .rev()
            .copied()
            .find(|&level| level < common);
        let Some(before) = before else { return };
        let old: Vec<u8> = self
            .levels
            .iter()
            .copied()
            .filter(|&level| level < before)
            .collect();
        for level in old {
            let _ = fs::remove_file(self.path(level));
        }
        self.levels.retain(|&level| level >= before);
    }

    /// Saves a level. Bringing it to the disk goes on in the background.
    pub(crate) fn save(
        &mut self,
        sweep: &mut PartSweep,
        histogram: &Histogram,
    ) -> Result<(), Failure> {
        let begin = Instant::now();
        self.wait()?;
        let level = sweep.level();
        if self.levels.is_empty() {
            // Of a run that this one does not go on with.
            self.remove();
        }
        let path = self.path(level);
        let refused = |error| refusal(&path, error);
        fs::create_dir_all(&self.directory).map_err(refused)?;
        let mut file = UnfinishedFile::create(&path).map_err(refused)?;
        let fields = SavedFields {
            version: VERSION,
            table: self.table.clone(),
            encoding: Encoding::OneBit.name().to_owned(),
            parts: self.parts,
            part: self.part,
            deal: deal_sum(sweep.deal()),
            level,
            counts: histogram.counts().to_vec(),
        };
        let mut write = |file: &mut File| {
            let mut to = SealedWriter::new(file, MAGIC, &fields)?;
            sweep.save(&mut to)?;
            to.finish()
        };
        if let Err(error) = write(file.file_mut()) {
            file.discard();
            return Err(refused(error));
        }
        self.clock.wrote(sweep.saved_bytes(), begin);
        self.levels.retain(|&other| other != level);
        self.syncing = Some((level, file.publish()));
        Ok(())
    }

    /// Whether all should save the last level of a build that is interrupted now, so far as process
    /// 0 can tell: it has gone on for long enough.
    pub(crate) fn is_due_at_end(&self) -> bool {
        self.clock.is_due_when_stopped()
    }

    /// Saves the last level of an interrupted build, and brings it to the disk.
    ///
    /// # Errors
    /// Why it cannot be.
    pub(crate) fn save_at_end(
        &mut self,
        sweep: &mut PartSweep,
        histogram: &Histogram,
    ) -> Result<(), Failure> {
        self.save(sweep, histogram)?;
        self.wait()
    }

    /// Waits until the checkpoint before is on the disk.
    fn wait(&mut self) -> Result<(), Failure> {
        let Some((level, thread)) = self.syncing.take() else {
            return Ok(());
        };
        let done = thread.join();
        let done = done.unwrap_or_else(|_| Err(io::Error::other("syncing failed")));
        done.map_err(|error| refusal(&self.path(level), error))?;
        self.levels.push(level);
        Ok(())
    }

    /// Removes all, once the table is there.
    pub(crate) fn remove(&mut self) {
        // Those that cannot be written or removed do no harm.
        let _ = self.wait();
        for level in self.find(|_| None).0 {
            let _ = fs::remove_file(self.path(level));
        }
        self.remove_unfinished();
    }

    /// Removes what a process left that was killed while it saved, with any number of processes.
    /// None of this one may be on its way to the disk.
    fn remove_unfinished(&self) {
        let prefix = format!("{}.pdb.part-{}-of-", self.table, self.part);
        let entries = fs::read_dir(&self.directory).into_iter().flatten();
        for entry in entries.flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            if name.starts_with(&prefix) && name.ends_with(".checkpoint.new") {
                let _ = fs::remove_file(entry.path());
            }
        }
    }
}

/// A thread that ends as another has: its error is for whoever waits for it.
fn failed(result: std::thread::Result<io::Result<()>>) -> JoinHandle<io::Result<()>> {
    let result = result.unwrap_or_else(|_| Err(io::Error::other("syncing failed")));
    std::thread::spawn(move || result)
}

fn refusal(path: &Path, error: io::Error) -> Failure {
    let path = path.display();
    Failure::table(format!(
        "{path}: {error}: the build cannot be saved: make room and give --resume, or \
         give --checkpoint off"
    ))
}

/// What says of two deals whether they are the same, in short.
pub(crate) fn deal_sum(deal: &Deal) -> u64 {
    let mut sum = XxHash3_64::new();
    for weight in deal.weights() {
        sum.write(&weight.to_le_bytes());
    }
    sum.finish()
}

impl Drop for Saver {
    fn drop(&mut self) {
        let _ = self.wait();
    }
}

//! Checkpoints: each process saves its part to its own files, at the same levels.
//!
//! A checkpoint is written with `.new` appended to its name. A separate thread syncs it to the disk
//! and renames it while the sweep continues. A part's state at a level does not depend on the run,
//! so checkpoints of different runs can be combined. Two checkpoints are kept: the last one that
//! all processes have written, and the one before it.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::thread::JoinHandle;
use std::time::Instant;

use command::Failure;
use pdb_gen::{ChecksumReader, ChecksumWriter, PartSweep, SaveClock, UnfinishedFile, is_damage};
use pdb_table::{Histogram, open_regular};
use puzzle::TableId;
use serde::{Deserialize, Serialize};

use crate::cluster::Cluster;
use crate::handshake::shape_partition_sum;
use crate::job::{Job, TableSweep};
use crate::net::Net;
use crate::part_file::PartId;
use crate::terminal::print_note;

const MAGIC: [u8; 8] = *b"\x89PDQ\r\n\x1a\n";
const VERSION: u32 = 2;

#[derive(Serialize, Deserialize)]
struct PartCheckpointFields {
    #[serde(flatten)]
    id: PartId,
    /// [`shape_partition_sum`].
    #[serde(rename = "deal")]
    shape_partition: u64,
    level: u8,
    /// Number of entries of the whole table at each distance.
    counts: Vec<u64>,
}

/// A process's message about its checkpoints.
#[derive(Default, Serialize, Deserialize)]
struct LevelsWord {
    /// Levels that the process has saved.
    levels: Vec<u8>,
    /// If this process has found checkpoints of a build with another number of processes: that
    /// number.
    other: Option<usize>,
}

/// A process's message after reading a checkpoint.
#[derive(Default, Serialize, Deserialize)]
struct RestoredWord {
    /// Entries found in this process's part.
    found: u64,
    /// Entries found in all parts, according to this checkpoint.
    total: u64,
    /// Error, if the checkpoint is not usable.
    refused: Option<String>,
}

/// Checkpoints of one process for one table.
pub(crate) struct Saver {
    directory: PathBuf,
    id: PartId,
    clock: SaveClock,
    resume: bool,
    /// Whether this process prints notes.
    prints: bool,
    /// Levels that this run has saved or resumed from, ascending.
    levels: Vec<u8>,
    syncing: Option<(u8, JoinHandle<io::Result<()>>)>,
    /// Error of the last background write, which the next call of [`Self::wait`] returns.
    failure: Option<Failure>,
}

impl Saver {
    pub(crate) fn new(cluster: &Cluster, job: &Job, id: TableId) -> Self {
        Saver {
            directory: job.checkpoints.clone(),
            id: PartId::new(VERSION, id, cluster.me, cluster.processes()),
            clock: SaveClock::start(job.save),
            resume: job.resume,
            prints: cluster.me == 0 && !job.quiet && !job.json,
            levels: Vec::new(),
            syncing: None,
            failure: None,
        }
    }

    /// Prefix of the names of this part's files, for any number of processes.
    fn prefix(&self) -> String {
        format!("{}.pdb.part-{}-of-", self.id.table, self.id.part)
    }

    fn path(&self, level: u8) -> PathBuf {
        let (prefix, parts) = (self.prefix(), self.id.parts);
        let name = format!("{prefix}{parts}.level-{level}.checkpoint");
        self.directory.join(name)
    }

    /// Names of this part's files, without the prefix.
    fn names(&self) -> impl Iterator<Item = String> + use<> {
        let prefix = self.prefix();
        let entries = fs::read_dir(&self.directory).into_iter().flatten();
        entries.flatten().filter_map(move |entry| {
            let name = entry.file_name();
            Some(name.to_str()?.strip_prefix(&prefix)?.to_owned())
        })
    }

    fn find(&self) -> LevelsWord {
        let mut found = LevelsWord::default();
        for name in self.names() {
            let pair = name.strip_suffix(".checkpoint");
            let pair = pair.and_then(|name| name.split_once(".level-"));
            match pair.map(|(parts, level)| (parts.parse(), level.parse())) {
                Some((Ok(parts), Ok(level))) if parts == self.id.parts => found.levels.push(level),
                Some((Ok(parts), Ok(_))) => found.other = found.other.or(Some(parts)),
                _ => {}
            }
        }
        found.levels.sort_unstable();
        found
    }

    /// With `resume`, restores the last level that all processes have saved. Returns whether a
    /// level was restored.
    pub(crate) fn restore(
        &mut self,
        net: &mut Net<'_>,
        sweep: &mut TableSweep,
    ) -> Result<bool, Failure> {
        self.remove_unfinished();
        let mut own = self.find();
        if !self.resume {
            if self.prints && !own.levels.is_empty() {
                let table = &self.id.table;
                print_note(format_args!(
                    "building {table} from the start, without --resume: its checkpoints are \
                     replaced"
                ));
            }
            return Ok(false);
        }
        let mut first_refusal: Option<String> = None;
        loop {
            let all = net.gather(&own)?;
            let mut common = own.levels.iter().rev().copied();
            let common = common.find(|level| all.iter().all(|word| word.levels.contains(level)));
            let Some(level) = common else {
                return self.no_level(&all, first_refusal);
            };
            let read = self.read(level, &mut sweep.part);
            let refused = read.as_ref().err().cloned();
            let (found, histogram) = read.unwrap_or_default();
            let total = histogram.total();
            let all = net.gather(&RestoredWord {
                found,
                total,
                refused,
            })?;
            let found: u64 = all.iter().map(|word| word.found).sum();
            let unsound = all.iter().find_map(|word| word.refused.clone());
            if unsound.is_none() && all.iter().all(|word| word.total == found) {
                if self.prints {
                    print_note(format_args!("resuming after level {level}"));
                }
                self.levels = own.levels;
                self.levels.retain(|&before| before <= level);
                sweep.histogram = histogram;
                return Ok(true);
            }
            let table = &self.id.table;
            let line = || format!("the checkpoints of {table} at level {level} do not match");
            let line = unsound.unwrap_or_else(line);
            if self.prints {
                print_note(format_args!("{line}; trying an earlier one"));
            }
            first_refusal = first_refusal.or(Some(line));
            own.levels.retain(|&other| other != level);
        }
    }

    /// Called if no usable level was saved by all processes. If no process has found a checkpoint,
    /// returns `false`: the build starts from the beginning. Otherwise returns an error.
    fn no_level(&self, all: &[LevelsWord], refused: Option<String>) -> Result<bool, Failure> {
        let (table, parts) = (&self.id.table, self.id.parts);
        if let Some(line) = refused {
            let line = format!("{line}: build again without --resume");
            return Err(Failure::table(line));
        }
        if let Some(saved) = all.iter().find_map(|word| word.other) {
            return Err(Failure::input(format!(
                "{table} was saved by {saved} processes, and {parts} are running: start {saved}, \
                 or build again without --resume"
            )));
        }
        if all.iter().any(|word| !word.levels.is_empty()) {
            return Err(Failure::table(format!(
                "no level of {table} was saved by all processes: give each process its previous \
                 --checkpoint-dir, or build again without --resume"
            )));
        }
        Ok(false)
    }

    /// Reads the checkpoint of a level. Returns the number of entries found in this part, and the
    /// histogram of the table; on failure, the text of a message.
    fn read(&self, level: u8, sweep: &mut PartSweep) -> Result<(u64, Histogram), String> {
        let path = self.path(level);
        let mut read = || -> io::Result<(u64, Histogram)> {
            let not_a_file = || io::Error::other("it exists and is not a file");
            let file = open_regular(&path)?.ok_or_else(not_a_file)?;
            let (mut from, fields): (_, PartCheckpointFields) = ChecksumReader::open(file, MAGIC)?;
            let (found, own) = (&fields.id, &self.id);
            let is_table = (&found.table, &found.encoding) == (&own.table, &own.encoding);
            let is_part = (found.parts, found.part, fields.level) == (own.parts, own.part, level);
            let checks = [
                (found.version == VERSION, "another version"),
                (is_table, "another table"),
                (is_part, "another part or level"),
                (
                    fields.shape_partition == shape_partition_sum(sweep.shape_partition()),
                    "another assignment of shapes",
                ),
            ];
            if let Some((_, what)) = checks.iter().find(|(is_so, _)| !is_so) {
                return Err(io::Error::other(format!("a checkpoint of {what}")));
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
        read().map_err(|error| match is_damage(&error) {
            true => format!("{}: damaged checkpoint", path.display()),
            false => format!("{}: {error}", path.display()),
        })
    }

    /// Whether a checkpoint is being written to the disk.
    fn is_syncing(&self) -> bool {
        let syncing = self.syncing.as_ref();
        syncing.is_some_and(|(_, thread)| !thread.is_finished())
    }

    /// Whether all processes should save the level that has just been swept, according to this
    /// process's clock. Only the answer of process 0 is used.
    pub(crate) fn is_due(&self, sweep: &mut PartSweep) -> bool {
        let due = self.clock.due(self.is_syncing(), || sweep.saved_bytes());
        due.is_some()
    }

    /// Whether all processes should save the last finished level if the build is interrupted now.
    pub(crate) fn is_due_at_end(&self) -> bool {
        self.clock.is_due_when_stopped()
    }

    /// Last level whose checkpoint is on the disk.
    pub(crate) fn last(&mut self) -> Option<u8> {
        if !self.is_syncing() {
            self.settle();
        }
        self.levels.last().copied()
    }

    /// Removes old checkpoints of this process. `common` is the last level that all processes have
    /// saved. The checkpoint of `common`, the one before it, and all later ones are kept.
    pub(crate) fn forget(&mut self, common: Option<u8>) {
        let before = |common| self.levels.partition_point(|&level| level < common);
        let old = common.map_or(0, before).saturating_sub(1);
        for level in self.levels.drain(..old).collect::<Vec<_>>() {
            let _ = fs::remove_file(self.path(level));
        }
    }

    /// Saves a level. Syncing continues in the background.
    pub(crate) fn save(&mut self, sweep: &mut TableSweep) -> Result<(), Failure> {
        let begin = Instant::now();
        self.wait()?;
        let level = sweep.part.level();
        if self.levels.is_empty() {
            // Remove the checkpoints of a run that is not resumed.
            self.remove();
        }
        let path = self.path(level);
        let refused = |error| refusal(&path, &error);
        fs::create_dir_all(&self.directory).map_err(refused)?;
        let mut file = UnfinishedFile::create(&path).map_err(refused)?;
        let fields = PartCheckpointFields {
            id: self.id.clone(),
            shape_partition: shape_partition_sum(sweep.part.shape_partition()),
            level,
            counts: sweep.histogram.counts().to_vec(),
        };
        let mut write = |file: &mut File| {
            let mut to = ChecksumWriter::new(file, MAGIC, &fields)?;
            sweep.part.save(&mut to)?;
            to.finish()
        };
        if let Err(error) = write(file.file_mut()) {
            file.discard();
            return Err(refused(error));
        }
        self.clock.wrote(sweep.part.saved_bytes(), begin);
        self.levels.retain(|&other| other != level);
        self.syncing = Some((level, file.publish()));
        Ok(())
    }

    /// Waits until the previous checkpoint is on the disk.
    pub(crate) fn wait(&mut self) -> Result<(), Failure> {
        self.settle();
        self.failure.take().map_or(Ok(()), Err)
    }

    /// Like [`Self::wait`], but stores the error.
    fn settle(&mut self) {
        let Some((level, thread)) = self.syncing.take() else {
            return;
        };
        let synced = thread.join();
        match synced.unwrap_or_else(|_| Err(io::Error::other("syncing failed"))) {
            Ok(()) => self.levels.push(level),
            Err(error) => self.failure = Some(refusal(&self.path(level), &error)),
        }
    }

    /// Removes all checkpoints, once the table is complete.
    pub(crate) fn remove(&mut self) {
        // Errors are ignored: leftover checkpoints do no harm.
        let _ = self.wait();
        for level in self.find().levels {
            let _ = fs::remove_file(self.path(level));
        }
        self.remove_unfinished();
    }

    /// Removes this part's unfinished checkpoints, which killed processes have left. Includes those
    /// of builds with another number of processes. This process must not be writing a checkpoint.
    fn remove_unfinished(&self) {
        for name in self
            .names()
            .filter(|name| name.ends_with(".checkpoint.new"))
        {
            let _ = fs::remove_file(self.directory.join(self.prefix() + &name));
        }
    }
}

fn refusal(path: &Path, error: &io::Error) -> Failure {
    let path = path.display();
    Failure::table(format!(
        "cannot save the build: {path}: {error}: free disk space and use --resume, or use \
         --checkpoint off"
    ))
}

impl Drop for Saver {
    fn drop(&mut self) {
        self.settle();
    }
}

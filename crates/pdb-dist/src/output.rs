//! Destination of the finished table: either one file in a shared directory, to which all processes
//! write their rows, or one file per part.

use std::fs::File;
use std::io::{self, BufWriter, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

use command::Failure;
use pdb_gen::{Lock, PartSweep, free_disk, size};
use pdb_table::{AtomicFile, Encoding, FileError, HEADER_LENGTH};
use puzzle::TableId;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use crate::job::{Job, Peer, TableSweep};
use crate::part_file::{self, with_suffix};
use crate::saver::Saver;
use crate::terminal::{is_interrupted, print_note};

/// Size of read and write buffers, in bytes.
const BUFFER: usize = 1 << 20;

/// Message of each process before it builds a table.
#[derive(Default, Serialize, Deserialize)]
struct BeginWord {
    /// The table already exists. With `--parts`: this process's part already exists.
    found: bool,
    /// The table exists and no other build holds its lock.
    idle: bool,
    /// Name of the unfinished file to which all processes write.
    file: String,
}

pub(crate) enum Output {
    Shared {
        path: PathBuf,
        /// Path of the unfinished file.
        unfinished: PathBuf,
        /// In process 0 only: the file and the table's lock.
        whole: Option<(AtomicFile, Lock)>,
    },
    Part(PathBuf),
}

impl Output {
    /// Before the sweep, checks that all processes can write the table. Returns `None` if the table
    /// already exists.
    pub(crate) fn begin(peer: &mut Peer<'_>, id: TableId) -> Result<Option<Self>, Failure> {
        match peer.job.parts {
            true => Output::begin_part(peer, id),
            false => Output::begin_shared(peer, id),
        }
    }

    fn begin_part(peer: &mut Peer<'_>, id: TableId) -> Result<Option<Self>, Failure> {
        let Peer { cluster, job, .. } = *peer;
        job.directory.create().map_err(Failure::table)?;
        let parts = cluster.processes();
        let path = part_file::path(&job.directory, id, cluster.me, parts);
        let word = BeginWord {
            found: !job.force && part_file::exists(&path, id, cluster.me, parts),
            ..BeginWord::default()
        };
        if peer.net.gather(&word)?.iter().all(|word| word.found) {
            Saver::new(cluster, job, id).remove();
            return Ok(None);
        }
        check_disk(job, id, parts as u64)?;
        Ok(Some(Output::Part(path)))
    }

    fn begin_shared(peer: &mut Peer<'_>, id: TableId) -> Result<Option<Self>, Failure> {
        let Peer { cluster, job, .. } = *peer;
        let path = job.directory.file(id, Encoding::OneBit, false);
        let (mut whole, mut idle) = (None, None);
        let mut word = BeginWord::default();
        if cluster.me == 0 {
            whole = claim(job, id, &path)?;
            match &whole {
                None => {
                    word.found = true;
                    // Checkpoints are removed only under the lock: another process may be building
                    // the table again.
                    idle = Lock::take(&with_suffix(&path, ".lock"), || true)
                        .ok()
                        .flatten();
                    word.idle = idle.is_some();
                }
                Some((file, _)) => {
                    let name = file.temporary_path().file_name().unwrap_or_default();
                    word.file = name.to_string_lossy().into_owned();
                }
            }
        }
        let first = peer.net.gather(&word)?.swap_remove(0);
        if first.found {
            if first.idle {
                // Remove the checkpoints of a build that was killed after its last level.
                Saver::new(cluster, job, id).remove();
            }
            peer.net.gather(&())?;
            drop(idle);
            return Ok(None);
        }
        let unfinished = AtomicFile::directory(&path).join(first.file);
        if let Err(error) = File::options().write(true).open(&unfinished) {
            return Err(Failure::input(format!(
                "cannot write {}, which process 0 has created: {error}; use a --tables directory \
                 that all processes share, or --parts",
                unfinished.display()
            )));
        }
        Ok(Some(Output::Shared {
            path,
            unfinished,
            whole,
        }))
    }

    /// Writes the rows of this process after a finished sweep. In a shared file, process 0 then
    /// writes the header. Returns the path of the file.
    pub(crate) fn finish(
        self,
        peer: &mut Peer<'_>,
        sweep: &TableSweep,
    ) -> Result<PathBuf, Failure> {
        let (net, cluster) = (&mut peer.net, peer.cluster);
        let path = match self {
            Output::Part(path) => {
                let written = part_file::write(&path, cluster.me, sweep);
                written.map_err(Failure::table)?;
                path
            }
            Output::Shared {
                path,
                unfinished,
                whole,
            } => {
                let refused = |error| Failure::table(FileError::io(&path, error));
                // On a single machine, process 0 syncs the writes of all processes when it finishes
                // the file.
                let syncs = cluster.processes_here() < cluster.processes();
                write_rows(&unfinished, &sweep.part, syncs).map_err(refused)?;
                net.gather(&())?;
                if let Some((mut file, lock)) = whole {
                    write_header(&mut file, &unfinished, sweep).map_err(refused)?;
                    file.finish().map_err(Failure::table)?;
                    drop(lock);
                }
                path
            }
        };
        net.gather(&())?;
        Ok(path)
    }
}

/// Takes the table's lock and creates its file; `None` if the table exists.
fn claim(job: &Job, id: TableId, path: &Path) -> Result<Option<(AtomicFile, Lock)>, Failure> {
    let is_there = || !job.force && job.directory.open(id, Encoding::OneBit, path).is_ok();
    if is_there() {
        return Ok(None);
    }
    job.directory.create().map_err(Failure::table)?;
    let (name, lock_path) = (id.name(), with_suffix(path, ".lock"));
    let mut is_noted = job.quiet || job.json;
    let taken = Lock::take(&lock_path, || {
        if !std::mem::replace(&mut is_noted, true) {
            print_note(format_args!(
                "{name} is being built by another process: waiting"
            ));
        }
        is_interrupted()
    });
    let taken = taken.map_err(|error| Failure::table(FileError::io(&lock_path, error)))?;
    let lock = taken.ok_or_else(|| {
        let line = format!("interrupted: {name} is being built by another process");
        Failure::interrupted(line)
    })?;
    // Another process has built the table meanwhile.
    if is_there() {
        return Ok(None);
    }
    // Check the disk only after the wait for the lock: the process that held the lock may have used
    // disk space.
    check_disk(job, id, 1)?;
    let mut file = AtomicFile::create(path).map_err(Failure::table)?;
    if !file.is_in_memory() {
        // Reserve the space, so that checkpoints and other programs cannot use it during the sweep.
        file.reserve(file_length(id, 1)).map_err(|error| {
            Failure::table(format!("{error}: free disk space, or try: --tables DIR"))
        })?;
    }
    Ok(Some((file, lock)))
}

/// Size of a table's file, or of one of `parts` equal parts, in bytes.
fn file_length(id: TableId, parts: u64) -> u64 {
    HEADER_LENGTH as u64 + Encoding::OneBit.payload_length(id.entries()) / parts
}

/// Rejects a table, or one of `parts` equal parts, that exceeds the free disk space.
fn check_disk(job: &Job, id: TableId, parts: u64) -> Result<(), Failure> {
    let needed = file_length(id, parts);
    let free = free_disk(job.directory.path());
    match free.filter(|&free| free < needed) {
        None => Ok(()),
        Some(free) => Err(Failure::table(format!(
            "not enough disk space in {}: {} needs {}, {} are free: try: --tables DIR",
            job.directory.path().display(),
            id.name(),
            size(needed),
            size(free)
        ))),
    }
}

/// Writes a part's rows at their offsets, and syncs them to the disk if `syncs` is set.
fn write_rows(unfinished: &Path, sweep: &PartSweep, syncs: bool) -> io::Result<()> {
    let file = File::options().write(true).open(unfinished)?;
    let mut file = BufWriter::with_capacity(BUFFER, file);
    // Current position. Consecutive rows are written without seeking, which would flush the buffer.
    let mut next = None;
    sweep.each_row(|at, row| {
        if next != Some(at) {
            file.seek(SeekFrom::Start(HEADER_LENGTH as u64 + at))?;
        }
        next = Some(at + row.len() as u64);
        file.write_all(row)
    })?;
    let file = file.into_inner()?;
    match syncs {
        true => file.sync_all(),
        false => Ok(()),
    }
}

/// Computes the checksum of the payload that all processes have written, and writes the header.
fn write_header(whole: &mut AtomicFile, unfinished: &Path, sweep: &TableSweep) -> io::Result<()> {
    // The file is opened again after all other processes have closed it. Otherwise a network file
    // system might not show their writes.
    let mut file = File::open(unfinished)?;
    file.seek(SeekFrom::Start(HEADER_LENGTH as u64))?;
    let mut sum = Sha256::new();
    let mut left = sweep.header([0; 32]).payload_length();
    let mut buffer = vec![0; BUFFER];
    while left > 0 {
        let length = left.min(BUFFER as u64) as usize;
        file.read_exact(&mut buffer[..length])?;
        sum.update(&buffer[..length]);
        left -= length as u64;
    }
    if file.read(&mut buffer)? > 0 {
        return Err(io::Error::other("the file is longer than the table"));
    }
    let header = sweep.header(sum.finalize().into()).encode();
    let to = whole.file_mut();
    to.seek(SeekFrom::Start(0))?;
    to.write_all(&header)
}

#[cfg(test)]
mod tests {
    use pdb_gen::build;
    use pdb_table::{Compression, Control};
    use puzzle::{Cell, CellSet, Pattern, TableKind, Tray};

    use super::*;

    #[test]
    fn file_length_is_the_length_of_the_written_file() {
        let tray = Tray::new(4, 4).unwrap();
        let tiles: CellSet = (1..5).map(Cell::new).collect();
        let pattern = Pattern::new(tray, tiles, Cell::new(15)).unwrap();
        let id = pattern.table(TableKind::ZeroAware).0;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("table");
        let built = build(id, Encoding::OneBit, &Control::default()).unwrap();
        built.write(&path, Compression::None).unwrap();
        let length = path.metadata().unwrap().len();
        assert_eq!(file_length(id, 1), length);
        let header = HEADER_LENGTH as u64;
        assert_eq!(file_length(id, 4), header + (length - header) / 4);
    }
}

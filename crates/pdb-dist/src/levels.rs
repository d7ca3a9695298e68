//! Sweep of one table in one process: the loop over its levels.

use std::time::{Duration, Instant};

use command::Failure;
use pdb_gen::{PartSweep, free_memory, size};
use pdb_table::Histogram;
use puzzle::TableId;
use serde::{Deserialize, Serialize};

use crate::cluster::Cluster;
use crate::job::{Peer, TableSweep};
use crate::net::Kind;
use crate::plan;
use crate::saver::Saver;
use crate::terminal::{begin_progress, clear_progress, is_interrupted, show_level};

/// Words of a plane that each thread processes between two checks of the network.
const SLICE: usize = 1 << 16;
/// Words of a plane that one call of `send` processes, on one thread. The number is small because
/// `may_send` is not checked during the call.
const SEND_SLICE: usize = SLICE / 2;
/// Compression level of zstd. Blocks are compressed only if the link is slower than the processor.
const ZSTD_LEVEL: i32 = 1;
/// Blocks are compressed only after a level that took longer than this.
const SLOW_LEVEL: Duration = Duration::from_millis(50);
/// Blocks are compressed only after a level that spent more than this fraction waiting to send.
const SLOW_PART: f64 = 0.25;
/// Time to wait for memory that another process may be releasing.
const GIVING_BACK: Duration = Duration::from_secs(3);

/// Message of each process after a level.
#[derive(Clone, Copy, Default, Debug, Serialize, Deserialize)]
struct LevelWord {
    /// Number of entries that the process has found at this level.
    new: u64,
    interrupted: bool,
    /// Whether all processes should save this level. Only the value of process 0 is used.
    save: bool,
    /// Whether all processes should save this level if any process was interrupted. Only the value
    /// of process 0 is used.
    save_at_end: bool,
    /// The last level saved on the process's disk.
    saved: Option<u8>,
}

impl LevelWord {
    fn new(sweep: &mut PartSweep, saver: Option<&mut Saver>, cluster: &Cluster) -> Self {
        let mut word = LevelWord {
            new: sweep.new_entries(),
            interrupted: is_interrupted(),
            ..LevelWord::default()
        };
        if let Some(saver) = saver {
            word.save = cluster.me == 0 && saver.is_due(sweep);
            word.save_at_end = cluster.me == 0 && saver.is_due_at_end();
            word.saved = saver.last();
        }
        word
    }
}

/// Sweeps all levels.
pub(crate) fn sweep_all(
    peer: &mut Peer<'_>,
    id: TableId,
    mut saver: Option<&mut Saver>,
) -> Result<TableSweep, Failure> {
    let Peer { cluster, job, .. } = *peer;
    let mut sweep = begin(peer, id)?;
    if let Some(saver) = &mut saver {
        if saver.restore(&mut peer.net, &mut sweep)? {
            cluster.set_saved(true);
        }
    }
    let bar = begin_progress(&id.name(), job.quiet || job.json || cluster.me > 0);
    let mut packs = false;
    loop {
        sweep.part.begin_level();
        let begin = Instant::now();
        let waits = level(peer, &mut sweep.part, packs)?;
        sweep.waited += waits.to_send + waits.for_others;
        // A link that was found slow is treated as slow until the end of the build: compressed
        // blocks make the link appear faster.
        packs |= is_link_slow(waits.to_send, begin.elapsed());
        let word = LevelWord::new(&mut sweep.part, saver.as_deref_mut(), cluster);
        let all = peer.net.gather(&word)?;
        let new: u64 = all.iter().map(|word| word.new).sum();
        if new == 0 {
            break;
        }
        let level = sweep.part.level();
        sweep.histogram.add(level, new);
        if level == u8::MAX - 1 {
            let line = "the table has distances above 254, which no encoding can store";
            return Err(Failure::table(line));
        }
        let (found, entries) = (sweep.histogram.total(), sweep.part.entries());
        show_level(&bar, level, new, found, entries);
        let is_stopped = all.iter().any(|word| word.interrupted);
        let Some(saver) = &mut saver else {
            if is_stopped {
                let line = format!("interrupted: {} is not proved", id.name());
                return Err(Failure::interrupted(line));
            }
            continue;
        };
        let common = all.iter().map(|word| word.saved).min().flatten();
        if common.is_some() {
            cluster.set_saved(true);
        }
        saver.forget(common);
        if is_stopped {
            let saver = Some(&mut **saver).filter(|_| all[0].save_at_end);
            return Err(stop(peer, saver, &mut sweep)?);
        }
        if all[0].save {
            saver.save(&mut sweep)?;
        }
    }
    clear_progress();
    sweep.part.finish();
    Ok(sweep)
}

/// Allocates this process's part, and checks that the parts together cover the table.
fn begin(peer: &mut Peer<'_>, id: TableId) -> Result<TableSweep, Failure> {
    let cluster = peer.cluster;
    check_memory(cluster, id)?;
    // No process allocates memory before all processes have checked the free memory.
    peer.net.gather(&())?;
    let part = PartSweep::new(id, cluster.processes(), cluster.me).map_err(Failure::input)?;
    let (owned, entries) = (peer.net.gather(&part.own_entries())?, part.entries());
    let owned: u64 = owned.iter().sum();
    if owned != entries {
        return Err(Failure::table(format!(
            "the parts of {} have {owned} entries, the table has {entries}: run the same program \
             in all processes",
            id.name()
        )));
    }
    let mut histogram = Histogram::default();
    histogram.add(0, 1);
    let waited = Duration::ZERO;
    Ok(TableSweep {
        part,
        histogram,
        waited,
    })
}

/// Rejects a table if its parts on this machine exceed the machine's free memory.
fn check_memory(cluster: &Cluster, id: TableId) -> Result<(), Failure> {
    let here = cluster.processes_here();
    let share = plan::part_memory(id, cluster.processes());
    let needed = share.saturating_mul(here as u64);
    let begin = Instant::now();
    while let Some(free) = free_memory().filter(|&free| free < needed) {
        // Another process may still be releasing memory of the previous table.
        if begin.elapsed() > GIVING_BACK {
            return Err(Failure::table(format!(
                "not enough memory: {} needs {} in each of {here} processes on this machine, {} \
                 are free: end other programs, or use more machines",
                id.name(),
                size(share),
                size(free)
            )));
        }
        std::thread::sleep(GIVING_BACK / 20);
    }
    Ok(())
}

/// Saves the build after an interrupt; returns the message that explains how to resume.
fn stop(
    peer: &mut Peer<'_>,
    saver: Option<&mut Saver>,
    sweep: &mut TableSweep,
) -> Result<Failure, Failure> {
    let (level, name) = (sweep.part.level(), sweep.part.id().name());
    let Some(saver) = saver else {
        let line =
            format!("interrupted: {name} was not written, tables finished before are complete");
        return Ok(Failure::interrupted(line));
    };
    let saved = saver.save(sweep).and_then(|()| saver.wait());
    let word = saved.map_err(|failure| failure.message().to_owned());
    let all = peer.net.gather(&word)?;
    Ok(Failure::interrupted(
        match all.into_iter().find_map(Result::err) {
            Some(line) => format!("interrupted: {line}"),
            None => {
                format!("interrupted: {name} is saved at level {level}: resume with --resume")
            }
        },
    ))
}

/// If timely has more unsent bytes than this, idle time counts as waiting for the network,
/// otherwise as waiting for other processes.
const BACKLOG: u64 = 256 << 10;

/// Idle time of a process.
#[derive(Default)]
struct Waits {
    /// Time waiting for the network.
    to_send: Duration,
    /// Time waiting for other processes.
    for_others: Duration,
}

/// Compresses a block if that makes it shorter.
fn pack(block: Vec<u8>) -> (Kind, Vec<u8>) {
    match zstd::encode_all(&block[..], ZSTD_LEVEL) {
        Ok(packed) if packed.len() < block.len() => (Kind::Packed, packed),
        _ => (Kind::Block, block),
    }
}

/// Sweeps one level.
fn level(peer: &mut Peer<'_>, sweep: &mut PartSweep, packs: bool) -> Result<Waits, Failure> {
    let Peer { net, cluster, job } = peer;
    let slice = SLICE * job.threads;
    let longest = sweep.longest_block();
    // `cluster.sent()` at the start of this level, plus the bytes of the blocks given to timely
    // since then. The sum restarts at each level, because `cluster.sent()` also counts bytes
    // outside blocks.
    let mut given = cluster.sent();
    let (mut sends, mut pulls) = (true, true);
    let mut waits = Waits::default();
    loop {
        net.worker.step();
        // The end of the stage is checked before the blocks are read, so that the loop reads the
        // last blocks before it ends.
        let is_over = !sends && net.is_stage_begun();
        while let Some(packet) = net.next_block() {
            let from = packet.from();
            let way_on = cluster.way_on();
            if !packet.is_sound() {
                // The packet is damaged, so its sender is not known.
                return Err(Failure::table(format!(
                    "a block received at level {} is damaged: {way_on}, and check the network if \
                     this happens again",
                    sweep.level()
                )));
            }
            let damaged = |error| Failure::table(format!("{error}; {way_on}"));
            match packet.kind() {
                Some(Kind::Packed) => {
                    let block = zstd::bulk::decompress(packet.content(), longest);
                    let block = block.map_err(|error| {
                        let line = format!("a block of process {from} is damaged: {error}");
                        Failure::table(format!("{line}; {way_on}"))
                    })?;
                    sweep.receive(from, &block).map_err(damaged)?;
                }
                _ => sweep.receive(from, packet.content()).map_err(damaged)?,
            }
        }
        if sends && net.may_send() {
            sends = sweep.send(SEND_SLICE, &mut |part, block| {
                let (kind, block) = match packs && !cluster.is_near(part) {
                    true => pack(block),
                    false => (Kind::Block, block),
                };
                given += block.len() as u64;
                net.send(part, kind, block);
            });
            if !sends {
                net.end_stage();
            }
        } else if pulls {
            pulls = sweep.pull(slice);
        } else if is_over {
            return Ok(waits);
        } else {
            let begin = Instant::now();
            net.wait();
            match is_backlog(given, cluster.sent()) {
                true => waits.to_send += begin.elapsed(),
                false => waits.for_others += begin.elapsed(),
            }
        }
    }
}

/// Whether many of the bytes given to timely have not been sent yet.
fn is_backlog(given: u64, sent: u64) -> bool {
    given.saturating_sub(sent) > BACKLOG
}

/// Whether a level shows that the link is slow. `took` is the duration of the level, and `waited`
/// the time that the level spent waiting to send.
fn is_link_slow(waited: Duration, took: Duration) -> bool {
    took > SLOW_LEVEL && waited.as_secs_f64() > SLOW_PART * took.as_secs_f64()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_are_slow_if_long_levels_wait_to_send() {
        let of =
            |waited, took| is_link_slow(Duration::from_millis(waited), Duration::from_millis(took));
        assert!(of(16, 60) && of(60, 60));
        assert!(!of(15, 60) && !of(0, 60), "too small a part");
        assert!(!of(50, 50) && !of(10, 20), "too short a level");
    }

    #[test]
    fn the_backlog_is_the_number_of_unsent_bytes() {
        let given = 100 + BACKLOG + 70;
        assert!(is_backlog(given, 100) && is_backlog(given, 169));
        // The sent bytes include messages and heartbeats; `given` does not.
        assert!(!is_backlog(given, 170) && !is_backlog(given, given + 50));
    }

    #[test]
    fn blocks_are_compressed_only_if_that_makes_them_shorter() {
        let rows = vec![3_u8; 1000];
        let (kind, packed) = pack(rows.clone());
        assert!(kind == Kind::Packed && packed.len() < 100);
        assert_eq!(zstd::bulk::decompress(&packed, 1000).unwrap(), rows);
        // These bytes are incompressible.
        let rows: Vec<u8> = (0..=u8::MAX).collect();
        assert_eq!(pack(rows.clone()), (Kind::Block, rows));
        assert_eq!(pack(Vec::new()), (Kind::Block, Vec::new()));
    }
}

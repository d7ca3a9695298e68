//! All levels of one table, as one of the processes sweeps them.

use std::time::{Duration, Instant};

use command::Failure;
use pdb_gen::{PartSweep, free_memory, size};
use pdb_table::Histogram;
use puzzle::TableId;
use serde::{Deserialize, Serialize};

use crate::cluster::Cluster;
use crate::interrupt::is_interrupted;
use crate::packet::Kind;
use crate::peer::{Peer, TableSweep};
use crate::plan;
use crate::saver::Saver;
use crate::terminal::{begin_progress, clear_progress, show_level};

/// Words of a plane that are gone through between two looks at the network, by each thread.
const SLICE: usize = 1 << 16;
/// The same for sending, by one thread: little, since `may_send` is asked only before.
const SEND_SLICE: usize = SLICE / 2;
/// The level of zstd: the link is slower than the processor where it is used at all.
const ZSTD_LEVEL: i32 = 1;
/// Blocks are packed after a level of at least this time, of which this part was waiting to send.
const SLOW_LEVEL: Duration = Duration::from_millis(50);
const SLOW_PART: f64 = 0.25;
/// Waiting time for memory that is not free at once.
const GIVING_BACK: Duration = Duration::from_secs(3);

/// Message of each process after a level.
#[derive(Clone, Copy, Default, Debug, Serialize, Deserialize)]
struct LevelWord {
    /// Entries that it has found.
    new: u64,
    interrupted: bool,
    /// All are to save this level: only what process 0 says counts.
    save: bool,
    /// All are to save this level if one was interrupted: as above.
    save_at_end: bool,
    /// The last level that is on its disk.
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

/// Goes through all levels.
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
        // Once a link is slow it stays so: packed blocks would only make it look quicker.
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
            let line = "distances above 254 occur, which no encoding holds";
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

/// Prepares this process's part, and checks that the parts are the table.
fn begin(peer: &mut Peer<'_>, id: TableId) -> Result<TableSweep, Failure> {
    let cluster = peer.cluster;
    check_memory(cluster, id)?;
    // No process takes memory before all have looked how much there is.
    peer.net.gather(&())?;
    let part = PartSweep::new(id, cluster.processes(), cluster.me).map_err(Failure::input)?;
    let (owned, entries) = (peer.net.gather(&part.own_entries())?, part.entries());
    let owned: u64 = owned.iter().sum();
    if owned != entries {
        return Err(Failure::table(format!(
            "the parts of {} have {owned} entries, and the table {entries}: let all processes be \
             the same program",
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

/// Refuses a table whose parts do not fit this machine's free memory.
fn check_memory(cluster: &Cluster, id: TableId) -> Result<(), Failure> {
    let here = cluster.processes_here();
    let share = plan::part_memory(id, cluster.processes());
    let needed = share.saturating_mul(here as u64);
    let begin = Instant::now();
    while let Some(free) = free_memory().filter(|&free| free < needed) {
        // Another process here may be giving back that of the table before.
        if begin.elapsed() > GIVING_BACK {
            return Err(Failure::table(format!(
                "{} takes {} of memory in each process, {here} of them on this machine, and {} are \
                 free: end other programs, or take more machines",
                id.name(),
                size(share),
                size(free)
            )));
        }
        std::thread::sleep(GIVING_BACK / 20);
    }
    Ok(())
}

/// Saves the build after an interrupt, and says how to go on.
fn stop(
    peer: &mut Peer<'_>,
    saver: Option<&mut Saver>,
    sweep: &mut TableSweep,
) -> Result<Failure, Failure> {
    let (level, name) = (sweep.part.level(), sweep.part.id().name());
    let Some(saver) = saver else {
        let line = format!("interrupted: {name} was not written, tables finished before are whole");
        return Ok(Failure::interrupted(line));
    };
    let saved = saver.save(sweep).and_then(|()| saver.wait());
    let word = saved.map_err(|failure| failure.message().to_owned());
    let all = peer.net.gather(&word)?;
    Ok(Failure::interrupted(
        match all.into_iter().find_map(Result::err) {
            Some(line) => format!("interrupted: {line}"),
            None => {
                format!("interrupted: {name} is saved at level {level}, --resume goes on with it")
            }
        },
    ))
}

/// Bytes in timely from which on it is the network that is slow, and not the other processes.
const BACKLOG: u64 = 256 << 10;

/// Idle time of a process.
#[derive(Default)]
struct Waits {
    /// For the network.
    to_send: Duration,
    for_others: Duration,
}

/// A block in a zstd frame, or as it is where that is no longer.
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
    // Everything that timely received before is sent. Only blocks are counted as received, so the
    // counts would diverge more and more without a new start at each level.
    let mut given = cluster.sent();
    let (mut sends, mut pulls) = (true, true);
    let mut waits = Waits::default();
    loop {
        net.worker.step();
        // Before the blocks are taken, so that the last have been.
        let is_over = !sends && net.is_stage_begun();
        while let Some(packet) = net.next_block() {
            let from = packet.from();
            let way_on = cluster.way_on();
            if !packet.is_sound() {
                // The sender may be the faulty process.
                return Err(Failure::table(format!(
                    "a block that has come in at level {} is damaged: {way_on}, and look after the \
                     network if it happens again",
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

/// Whether the network has yet to take much of the bytes that were given to timely.
fn is_backlog(given: u64, sent: u64) -> bool {
    given.saturating_sub(sent) > BACKLOG
}

/// Whether blocks are packed after a level that took so long, and waited so long for the network.
fn is_link_slow(waited: Duration, took: Duration) -> bool {
    took > SLOW_LEVEL && waited.as_secs_f64() > SLOW_PART * took.as_secs_f64()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_are_slow_where_a_level_waits_for_a_part_of_a_long_time() {
        let of =
            |waited, took| is_link_slow(Duration::from_millis(waited), Duration::from_millis(took));
        assert!(of(16, 60) && of(60, 60));
        assert!(!of(15, 60) && !of(0, 60), "too small a part");
        assert!(!of(50, 50) && !of(10, 20), "too short a level");
    }

    #[test]
    fn the_backlog_is_what_was_given_and_is_not_sent() {
        let given = 100 + BACKLOG + 70;
        assert!(is_backlog(given, 100) && is_backlog(given, 169));
        // Words and signs of life are sent as well.
        assert!(!is_backlog(given, 170) && !is_backlog(given, given + 50));
    }

    #[test]
    fn blocks_are_packed_where_that_makes_them_shorter() {
        let rows = vec![3_u8; 1000];
        let (kind, packed) = pack(rows.clone());
        assert!(kind == Kind::Packed && packed.len() < 100);
        assert_eq!(zstd::bulk::decompress(&packed, 1000).unwrap(), rows);
        // Nothing repeats in these.
        let rows: Vec<u8> = (0..=u8::MAX).collect();
        assert_eq!(pack(rows.clone()), (Kind::Block, rows));
        assert_eq!(pack(Vec::new()), (Kind::Block, Vec::new()));
    }
}

//! What the working thread does: table after table, level after level.

use std::sync::Arc;
use std::time::{Duration, Instant};

use command::Failure;
use pdb_gen::{PartSweep, free_memory, size};
use pdb_table::Histogram;
use puzzle::TableId;
use serde::{Deserialize, Serialize};

use crate::cluster::Cluster;
use crate::compare::compare;
use crate::interrupt::is_interrupted;
use crate::job::{Job, Task};
use crate::net::Net;
use crate::output::Output;
use crate::packet::Kind;
use crate::plan;
use crate::report::{self, Progress, Report, print_kept};
use crate::saver::Saver;

/// Words of a plane that are gone through between two looks at the network, by each thread.
const SLICE: usize = 1 << 16;
/// The same for what is sent, by one thread: little, since whether more may be on the way is asked
/// only before.
const SEND_SLICE: usize = SLICE / 2;
/// The level of zstd: the link is slower than the processor where it is used at all.
const ZSTD_LEVEL: i32 = 1;
/// Blocks are compressed at a level after one of at least this time, in which the process waited
/// for the network for this part of it.
const SLOW_LEVEL: Duration = Duration::from_millis(50);
const SLOW_PART: f64 = 0.25;
/// How long to wait for memory that is not free at once.
const GIVING_BACK: Duration = Duration::from_secs(3);

/// Does the job.
pub(crate) fn work(net: &mut Net<'_>, cluster: &Arc<Cluster>, job: &Job) -> Result<(), Failure> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(job.threads);
    let pool = pool.use_current_thread().build_global();
    pool.map_err(|error| Failure::input(format!("cannot start threads: {error}")))?;
    for (index, &id) in job.tables.iter().enumerate() {
        let is_last = index + 1 == job.tables.len();
        cluster.set_saved(false);
        match job.task {
            Task::Build => build(net, cluster, job, id, is_last)?,
            Task::Verify => compare(net, cluster, job, id, is_last)?,
        }
    }
    Ok(())
}

/// What each process says after a level.
#[derive(Clone, Copy, Default, Debug, Serialize, Deserialize)]
struct LevelWord {
    /// Entries that it has found.
    new: u64,
    /// It was interrupted.
    interrupted: bool,
    /// All are to save this level: only what process 0 says counts.
    save: bool,
    /// All are to save this level if one was interrupted: as above.
    save_at_end: bool,
    /// The last level that is on its disk.
    saved: Option<u8>,
}

/// A sweep that has gone through all levels.
pub(crate) struct Done {
    pub(crate) sweep: PartSweep,
    pub(crate) histogram: Histogram,
    pub(crate) report: Report,
}

fn build(
    net: &mut Net<'_>,
    cluster: &Arc<Cluster>,
    job: &Job,
    id: TableId,
    is_last: bool,
) -> Result<(), Failure> {
    let start = (Instant::now(), cluster.traffic());
    let Some(output) = Output::begin(net, cluster, job, id)? else {
        if is_last {
            cluster.finish();
        }
        if cluster.me == 0 {
            print_kept(job, id);
        }
        return Ok(());
    };
    let mut saver = Saver::new(cluster, job, id);
    let done = sweep(net, cluster, job, id, Some(&mut saver))?;
    let Done {
        sweep,
        histogram,
        mut report,
    } = done;
    let path = output.finish(net, cluster, &sweep, &histogram)?;
    saver.remove();
    report.finish(start, cluster, &sweep);
    let all = net.gather(&report)?;
    if is_last {
        // Before anything is printed: that may take time, and the others need this one no more.
        cluster.finish();
    }
    if cluster.me == 0 {
        report::print(&all, job, &path, &sweep, &histogram);
    }
    Ok(())
}

/// Refuses a table whose parts do not fit this machine's free memory.
fn check_memory(cluster: &Cluster, id: TableId) -> Result<(), Failure> {
    let here = cluster.processes_here();
    let share = plan::part_memory(id, cluster.processes());
    let needed = share.saturating_mul(here as u64);
    let begin = Instant::now();
    loop {
        let Some(free) = free_memory().filter(|&free| free < needed) else {
            return Ok(());
        };
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
}

/// Goes through all levels.
pub(crate) fn sweep(
    net: &mut Net<'_>,
    cluster: &Arc<Cluster>,
    job: &Job,
    id: TableId,
    mut saver: Option<&mut Saver>,
) -> Result<Done, Failure> {
    let (processes, me) = (cluster.processes(), cluster.me);
    check_memory(cluster, id)?;
    // Nobody takes memory before all have looked how much there is.
    net.gather(&())?;
    let mut sweep = PartSweep::new(id, processes, me).map_err(Failure::input)?;
    let owned: u64 = net.gather(&sweep.own_entries())?.iter().sum();
    if owned != sweep.entries() {
        return Err(Failure::table(format!(
            "the parts of {} have {owned} entries, and the table {}: let all processes be the same \
             program",
            id.name(),
            sweep.entries()
        )));
    }
    let mut histogram = Histogram::default();
    histogram.add(0, 1);
    if let Some(saver) = &mut saver {
        if let Some(restored) = saver.restore(net, &mut sweep)? {
            histogram = restored;
            cluster.set_saved(true);
        }
    }
    let mut report = Report::default();
    let progress = Progress::new(job, me, &id.name());
    let mut packs = false;
    loop {
        sweep.begin_level();
        let begin = Instant::now();
        let waits = level(net, cluster, job, &mut sweep, packs)?;
        let took = begin.elapsed();
        report.waited += waits.to_send + waits.for_others;
        // Once a link is slow it stays so: packed blocks would only make it look quicker.
        packs |= is_link_slow(waits.to_send, took);
        let said = net.gather(&LevelWord {
            new: sweep.new_entries(),
            interrupted: is_interrupted(),
            save: me == 0 && saver.as_mut().is_some_and(|saver| saver.is_due(&mut sweep)),
            save_at_end: me == 0 && saver.as_ref().is_some_and(|saver| saver.is_due_at_end()),
            saved: saver.as_mut().and_then(|saver| saver.last()),
        })?;
        let new: u64 = said.iter().map(|word| word.new).sum();
        if new == 0 {
            break;
        }
        let level = sweep.level();
        histogram.add(level, new);
        if level == u8::MAX - 1 {
            return Err(Failure::table(
                "distances above 254 occur, which no encoding holds",
            ));
        }
        progress.show(level, new, &histogram, sweep.entries());
        let is_stopped = said.iter().any(|word| word.interrupted);
        let Some(saver) = &mut saver else {
            if is_stopped {
                let line = format!("interrupted: {} is not proved", id.name());
                return Err(Failure::interrupted(line));
            }
            continue;
        };
        let common = said.iter().map(|word| word.saved).min().flatten();
        if common.is_some() {
            cluster.set_saved(true);
        }
        saver.forget(common);
        if is_stopped {
            let saver = Some(saver).filter(|_| said[0].save_at_end);
            return Err(stop(net, saver, &mut sweep, &histogram));
        }
        if said[0].save {
            saver.save(&mut sweep, &histogram)?;
        }
    }
    progress.clear();
    sweep.finish();
    Ok(Done {
        sweep,
        histogram,
        report,
    })
}

/// Saves the build after an interrupt, and says how to go on.
fn stop(
    net: &mut Net<'_>,
    saver: Option<&mut &mut Saver>,
    sweep: &mut PartSweep,
    histogram: &Histogram,
) -> Failure {
    let level = sweep.level();
    let name = sweep.id().name();
    let Some(saver) = saver else {
        let line = format!("interrupted: {name} was not written, tables finished before are whole");
        return Failure::interrupted(line);
    };
    let saved = saver.save_at_end(sweep, histogram);
    let all = match net.gather(&saved.map_err(|failure| failure.message().to_owned())) {
        Ok(all) => all,
        Err(failure) => return failure,
    };
    match all.into_iter().find_map(Result::err) {
        Some(line) => Failure::interrupted(format!("interrupted: {line}")),
        None => Failure::interrupted(format!(
            "interrupted: {name} is saved at level {level}, --resume goes on with it"
        )),
    }
}

/// Bytes that timely holds because the network takes no more: otherwise it is the other processes
/// that are slow.
const BACKLOG: u64 = 256 << 10;

/// How long a process has had nothing to do.
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
fn level(
    net: &mut Net<'_>,
    cluster: &Cluster,
    job: &Job,
    sweep: &mut PartSweep,
    packs: bool,
) -> Result<Waits, Failure> {
    let slice = SLICE * job.threads;
    let longest = sweep.longest_block();
    cluster.begin_backlog();
    let (mut sends, mut pulls) = (true, true);
    let mut waits = Waits::default();
    loop {
        net.step();
        // Before the blocks are taken, so that the last have been.
        let is_over = !sends && net.is_stage_begun();
        while let Some(packet) = net.next_block() {
            let from = packet.from();
            let way_on = cluster.way_on();
            if !packet.is_sound() {
                // Who has sent it may be what is wrong.
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
                cluster.count_given(block.len());
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
            match cluster.backlog() > BACKLOG {
                true => waits.to_send += begin.elapsed(),
                false => waits.for_others += begin.elapsed(),
            }
        }
    }
}

/// Whether a process that waited so long for the network at a level of this time should pack
/// blocks.
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

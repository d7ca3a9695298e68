//! What a build on so many machines will take: a model, whose figures docs/scale.md compares with
//! measurements.

use pdb_gen::{Calibration, Deal, TableStore};
use puzzle::{BlankClasses, CellSet, Ranking, TableId};

/// What a build by some processes takes.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// How many processes there are.
    pub processes: usize,
    /// Memory of the largest process, in bytes.
    pub memory: u64,
    /// Bytes that all processes send together, uncompressed.
    pub wire: u64,
    /// Seconds with the given threads of each process and the given link.
    pub seconds: f64,
}

/// What a machine of the build is like.
#[derive(Clone, Copy, Debug)]
pub struct Machine {
    /// Threads of a process.
    pub threads: usize,
    /// Bytes a second that a process can send, while it receives as many.
    pub link: f64,
}

/// Bytes of a sent entry: between 0.50 and 0.69 for the tables measured, the more tiles the more.
const BYTES_SENT: f64 = 0.6;
/// Seconds of a thread for a sent entry, as a part of what a swept entry takes: to send it and to
/// receive it.
const SENDING: f64 = 0.2;
const RECEIVING: f64 = 0.5;
/// The largest part's rows as a multiple of a fair share.
const LARGEST: f64 = 1.08;
/// Shapes that are looked at.
const SAMPLE: usize = 20_000;
/// Bytes of a process that do not depend on the table.
const BASE: f64 = 12e6;
/// Timely's buffers for each partner.
const BUFFERS: f64 = 2e6;

/// To how many other parts a row is sent, on average, and how many moves lead into a row.
fn neighbours(id: TableId, deal: &Deal) -> (f64, f64) {
    let tray = id.tray();
    let classes = BlankClasses::new(tray, id.kind());
    let shapes = CellSet::subsets(tray, id.tiles().len());
    let count = Ranking::count_rows(tray, id.tiles().len(), id.kind()) as usize;
    let (mut rows, mut sent, mut moves) = (0.0, 0.0, 0.0);
    for shape in shapes.step_by((count / SAMPLE).max(1)) {
        let own = deal.part(shape);
        for blank in classes.of(shape) {
            let mut others = Vec::new();
            for to in blank.iter() {
                for from in tray.neighbours(to).filter(|&from| shape.contains(from)) {
                    moves += 1.0;
                    let part = deal.part(shape.without(from).with(to));
                    if part != own && !others.contains(&part) {
                        others.push(part);
                    }
                }
            }
            rows += 1.0;
            sent += others.len() as f64;
        }
    }
    (sent / rows, moves / rows)
}

/// Bytes of memory of the largest process, where rows go to `sent` other parts and `moves` lead into
/// one, on average.
fn memory(id: TableId, processes: usize, (sent, moves): (f64, f64)) -> f64 {
    let (tiles, kind) = (id.tiles().len(), id.kind());
    let rows = Ranking::count_rows(id.tray(), tiles, kind) as f64;
    let entries = Ranking::count_entries(id.tray(), tiles, kind) as f64;
    let shapes = puzzle::binomial(id.tray().cells(), tiles) as f64;
    let n = processes as f64;
    let part = LARGEST.min(n) / n;
    entries / 4.0 * part
        + rows * part * (16.0 + 8.0 * (moves + sent))
        + rows * 6.0
        + shapes * 12.0
        + BASE
        + BUFFERS * (n - 1.0)
}

/// The same, for a process that is about to build.
pub(crate) fn part_memory(id: TableId, processes: usize) -> u64 {
    let deal = Deal::new(id.tray(), id.tiles().len(), processes);
    memory(id, processes, neighbours(id, &deal)) as u64
}

/// What a table takes with each of these numbers of processes.
#[must_use]
pub fn plan(id: TableId, store: &TableStore, processes: &[usize], machine: &Machine) -> Vec<Plan> {
    let calibration: Calibration = store.calibrate(&[id]);
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let (tiles, kind) = (id.tiles().len(), id.kind());
    let entries = Ranking::count_entries(id.tray(), tiles, kind) as f64;
    // Of one thread.
    let all = store.forecast(id, &calibration).seconds * cores as f64;
    let one = |&processes: &usize| {
        let n = processes as f64;
        let deal = Deal::new(id.tray(), tiles, processes);
        let (sent, moves) = neighbours(id, &deal);
        let part = LARGEST.min(n) / n;
        let threads = machine.threads as f64;
        // One thread receives, while the others go on.
        let receiving = all * RECEIVING * sent;
        let work = all * (1.0 + SENDING * sent) + receiving;
        let work = (work / threads).max(receiving) * part;
        let wire = entries * BYTES_SENT * sent;
        Plan {
            processes,
            memory: memory(id, processes, (sent, moves)) as u64,
            wire: wire as u64,
            seconds: work.max(wire / n / machine.link),
        }
    };
    processes.iter().map(one).collect()
}

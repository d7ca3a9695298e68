//! Forecast of a build on several machines, from a model. docs/scale.md compares it with
//! measurements.

use pdb_gen::{ShapePartition, TableStore};
use puzzle::{BlankClasses, CellSet, Ranking, TableId};

/// Forecast of a build by several processes.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// Number of processes.
    pub processes: usize,
    /// Memory of the largest process, in bytes.
    pub memory: u64,
    /// Bytes that all processes together send, uncompressed.
    pub wire: u64,
    /// Seconds of the build on the given [`Machine`]s.
    pub seconds: f64,
}

/// Properties of each machine of the build.
#[derive(Clone, Copy, Debug)]
pub struct Machine {
    /// Threads per process.
    pub threads: usize,
    /// Bytes per second that a process can send while it receives at the same rate.
    pub link: f64,
}

/// Bytes sent per entry of a sent row. Measured: 0.50 to 0.69, growing with the number of tiles.
const BYTES_SENT: f64 = 0.6;
/// Time for sending an entry, relative to the time for sweeping it.
const SENDING: f64 = 0.2;
/// Time for receiving an entry, relative to the time for sweeping it.
const RECEIVING: f64 = 0.5;
/// Rows of the largest part, divided by the mean number of rows per part.
const LARGEST: f64 = 1.08;
/// Number of shapes sampled.
const SAMPLE: usize = 20_000;
/// Memory that a process uses for any table, regardless of its size, in bytes.
const BASE: f64 = 12e6;
/// Timely's buffers per partner, in bytes.
const BUFFERS: f64 = 2e6;

/// Averages per row: the number of other parts that receive the row, and the number of moves into
/// the row.
fn neighbours(id: TableId, shape_partition: &ShapePartition) -> (f64, f64) {
    let tray = id.tray();
    let classes = BlankClasses::new(tray, id.kind());
    let shapes = CellSet::subsets(tray, id.tiles().len());
    let count = Ranking::count_rows(tray, id.tiles().len(), id.kind()) as usize;
    let (mut rows, mut sent, mut moves) = (0.0, 0.0, 0.0);
    for shape in shapes.step_by((count / SAMPLE).max(1)) {
        let own = shape_partition.part(shape);
        for blank in classes.of(shape) {
            let mut others = Vec::new();
            for to in blank.iter() {
                for from in tray.neighbours(to).filter(|&from| shape.contains(from)) {
                    moves += 1.0;
                    let part = shape_partition.part(shape.without(from).with(to));
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

/// Memory of the largest process, in bytes. `sent` and `moves` are the results of [`neighbours`].
fn memory(id: TableId, processes: usize, (sent, moves): (f64, f64)) -> f64 {
    let (tiles, kind) = (id.tiles().len(), id.kind());
    let rows = Ranking::count_rows(id.tray(), tiles, kind) as f64;
    let shapes = puzzle::binomial(id.tray().cells(), tiles) as f64;
    let n = processes as f64;
    let part = LARGEST.min(n) / n;
    id.entries() as f64 / 4.0 * part
        + rows * part * (21.0 + 5.0 * moves + 8.0 * sent)
        + rows * 6.0
        + shapes * 12.0
        + BASE
        + BUFFERS * (n - 1.0)
}

/// Memory of the largest process of a build, in bytes.
pub(crate) fn part_memory(id: TableId, processes: usize) -> u64 {
    let shape_partition = ShapePartition::new(id.tray(), id.tiles().len(), processes);
    memory(id, processes, neighbours(id, &shape_partition)) as u64
}

/// Forecasts for a table, one per number of processes.
#[must_use]
pub fn plan(id: TableId, store: &TableStore, processes: &[usize], machine: &Machine) -> Vec<Plan> {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let seconds = store.forecast(id, &store.calibrate(&[id])).seconds * cores as f64;
    let one = |&processes: &usize| plan_one(id, seconds, processes, machine);
    processes.iter().map(one).collect()
}

/// Forecast for one number of processes. `seconds` is the build time of a single thread.
fn plan_one(id: TableId, seconds: f64, processes: usize, machine: &Machine) -> Plan {
    let (n, threads) = (processes as f64, machine.threads as f64);
    let shape_partition = ShapePartition::new(id.tray(), id.tiles().len(), processes);
    let (sent, moves) = neighbours(id, &shape_partition);
    // One thread receives while the other threads sweep.
    let receiving = seconds * RECEIVING * sent;
    let work = seconds * (1.0 + SENDING * sent) + receiving;
    let work = (work / threads).max(receiving) * LARGEST.min(n) / n;
    let wire = id.entries() as f64 * BYTES_SENT * sent;
    Plan {
        processes,
        memory: memory(id, processes, (sent, moves)) as u64,
        wire: wire as u64,
        seconds: work.max(wire / n / machine.link),
    }
}

#[cfg(test)]
mod tests {
    use pdb_gen::Calibration;
    use puzzle::{Cell, Goal, HeuristicSpec, Pattern, TableKind};

    use super::*;

    const FAST: f64 = 1e15;

    fn table(size: &str, tiles: &str) -> TableId {
        let goal = Goal::with_blank(size.parse().unwrap(), Cell::new(0));
        let tiles = HeuristicSpec::parse_tiles(tiles, &goal).unwrap();
        let pattern = Pattern::new(goal.tray(), tiles.into_iter().collect(), goal.blank());
        pattern.unwrap().table(TableKind::ZeroAware).0
    }

    fn one(id: TableId, cores: usize, processes: usize, machine: Machine) -> Plan {
        let folder = tempfile::tempdir().unwrap();
        let store = TableStore::new(pdb_table::TableDirectory::new(folder.path()));
        let seconds = store.forecast(id, &Calibration::UNIT).seconds * cores as f64;
        plan_one(id, seconds, processes, &machine)
    }

    /// `megabytes` is the memory of the largest process. `sent` is the number of bytes sent per 100
    /// entries of the table.
    #[test]
    fn memory_and_bytes_sent_match_docs_scale() {
        let eight = table("4x4", "8,9,10,11,12,13,14,15");
        let six = table("5x5", "1,2,5,6,7,10");
        let seven = table("5x5", "1,2,5,6,7,10,11");
        for (id, processes, megabytes, sent) in [
            (eight, 1, 370, 0),
            (eight, 2, 208, 34),
            (eight, 4, 115, 69),
            (six, 2, 53, 43),
            (six, 4, 40, 101),
            (seven, 1, 1097, 0),
            (seven, 2, 607, 40),
            (seven, 4, 321, 93),
        ] {
            let machine = Machine {
                threads: 1,
                link: FAST,
            };
            let plan = one(id, 1, processes, machine);
            assert_eq!(plan.processes, processes);
            let entries = id.entries();
            let hundredths = 100.0 * plan.wire as f64 / entries as f64;
            assert_eq!(
                ((plan.memory as f64 / 1e6).round(), hundredths.round()),
                (f64::from(megabytes), f64::from(sent)),
                "{} by {processes}",
                id.name()
            );
        }
    }

    /// Sending an entry takes 0.2 times as long as sweeping it; receiving it takes 0.5 times as
    /// long. One thread receives all entries. Of two parts, the larger has 54 % of the entries.
    #[test]
    fn time_is_the_maximum_of_work_and_link() {
        let id = table("4x4", "8,9,10,11,12,13,14,15");
        let seconds = |processes, threads, link| {
            let machine = Machine { threads, link };
            one(id, 3, processes, machine).seconds
        };
        let is_near = |found: f64, expected: f64| (found / expected - 1.0).abs() < 0.01;
        let all = seconds(1, 1, FAST);
        assert!(is_near(seconds(1, 3, FAST), all / 3.0));
        let folder = tempfile::tempdir().unwrap();
        let store = TableStore::new(pdb_table::TableDirectory::new(folder.path()));
        let by_three = store.forecast(id, &Calibration::UNIT).seconds;
        assert!(is_near(all, 3.0 * by_three));
        let wire = one(
            id,
            3,
            2,
            Machine {
                threads: 1,
                link: FAST,
            },
        )
        .wire as f64;
        let sent = wire / 0.6 / 1_425_191_040.0;
        // 0.34 bytes per entry, rounded.
        assert!((0.335 / 0.6..0.345 / 0.6).contains(&sent), "{sent}");
        let larger = 0.54 * all;
        assert!(is_near(seconds(2, 1, FAST), larger * (1.0 + 0.7 * sent)));
        assert!(is_near(seconds(2, 2, FAST), larger * (0.5 + 0.35 * sent)));
        assert!(is_near(seconds(2, 999, FAST), larger * 0.5 * sent));
        assert!(is_near(seconds(2, 1, 10.0), wire / 20.0));
    }
}

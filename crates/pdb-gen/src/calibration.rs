//! Measures the speed of the machine with small builds and a small file.

use std::io::{self, Write as _};
use std::path::Path;
use std::time::Instant;

use pdb_table::{Control, Encoding, Executor as _};
use puzzle::{Pattern, TableId, TableKind, Tray};

use crate::build::build;
use crate::forecast::{Calibration, model_seconds};
use crate::parallel::RayonExecutor;
use crate::store::free_memory::nearest_directory;

/// Size of the file that is written to measure the disk's speed, in bytes.
const SAMPLE: usize = 16 << 20;
/// Number of measured builds. The result is their mean.
const RUNS: usize = 2;
/// Assumed bytes per second of a disk that is not measured because little is written to it.
const USUAL_DISK: f64 = 200e6;
/// Assumed bytes per second of a disk that cannot be measured.
const UNKNOWN_DISK: f64 = 100e6;

impl Calibration {
    /// Speed of one core of the machine on which the model of [`Forecast`](crate::Forecast) was
    /// measured. Forecasts with this calibration assume that writing to the disk takes no time.
    pub const UNIT: Calibration = Calibration {
        sweep: 1.0,
        disk: f64::INFINITY,
    };

    /// Calls [`Self::measure`] if building these tables takes longer than the measurement,
    /// according to the model. Otherwise assumes that each thread is as fast as [`Self::UNIT`],
    /// which is exact enough for forecasts of builds that take about a second.
    #[must_use]
    pub fn for_tables(tables: &[(TableId, Encoding)], directory: &Path) -> Calibration {
        match are_small(tables) {
            true => Calibration {
                sweep: 1.0 / RayonExecutor.threads() as f64,
                disk: USUAL_DISK,
            },
            false => Calibration::measure(directory),
        }
    }

    /// Builds a table of seven tiles in memory on the current pool's threads, and writes a
    /// temporary file to `directory` or its nearest existing ancestor. Takes about a second. If the
    /// file cannot be written, the disk is assumed to be slow.
    #[must_use]
    pub fn measure(directory: &Path) -> Calibration {
        let id = sample();
        let start = Instant::now();
        for _ in 0..RUNS {
            // A build that fails for lack of memory is ignored.
            let _ = build(id, Encoding::OneBit, &Control::default());
        }
        let sweep = start.elapsed().as_secs_f64() / sample_seconds();
        let disk = write_sample(directory).map_or(UNKNOWN_DISK, |seconds| SAMPLE as f64 / seconds);
        Calibration { sweep, disk }
    }
}

/// Whether building these tables takes less time than the measurement, according to the model.
fn are_small(tables: &[(TableId, Encoding)]) -> bool {
    let seconds = |&(id, encoding): &(TableId, Encoding)| model_seconds(id, encoding);
    tables.iter().map(seconds).sum::<f64>() < sample_seconds()
}

/// Estimated seconds for the measurement, according to the model.
fn sample_seconds() -> f64 {
    model_seconds(sample(), Encoding::OneBit) * RUNS as f64
}

/// Tiles 1 to 7 of the 15-puzzle.
fn sample() -> TableId {
    const ALWAYS: &str = "seven tiles of the 15-puzzle are a pattern";
    #[expect(clippy::expect_used, reason = "the pattern is constant")]
    let pattern = {
        let tray = Tray::new(4, 4).expect(ALWAYS);
        Pattern::new(tray, tray.iter().take(7).collect(), tray.last()).expect(ALWAYS)
    };
    pattern.table(TableKind::ZeroAware).0
}

/// Seconds for writing [`SAMPLE`] bytes durably.
fn write_sample(directory: &Path) -> io::Result<f64> {
    let mut file = tempfile::tempfile_in(nearest_directory(directory))?;
    let bytes = noise(SAMPLE);
    let start = Instant::now();
    file.write_all(&bytes)?;
    file.sync_all()?;
    Ok(start.elapsed().as_secs_f64())
}

/// Incompressible bytes; `length` is a multiple of 8.
fn noise(length: usize) -> Vec<u8> {
    let mut state = 1_u64;
    (0..length / 8)
        .flat_map(|_| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state.to_le_bytes()
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use puzzle::{Goal, HeuristicSpec};

    use super::*;

    #[test]
    fn small_tables_need_no_measurement() {
        let are_small = |size: &str, partition: &str| {
            let goal = Goal::blank_last(size.parse().unwrap());
            let spec = HeuristicSpec::parse(partition, &goal).unwrap();
            let tables = spec.tables().into_iter();
            let tables: Vec<_> = tables
                .map(|id| (id, Encoding::default_for(id.kind())))
                .collect();
            are_small(&tables)
        };
        assert!(super::are_small(&[]));
        assert!(are_small("3x3", "8") && are_small("4x4", "6-6-3"));
        assert!(!are_small("4x4", "7-8") && !are_small("5x5", "6-6-6-6"));
    }

    #[test]
    fn the_sample_has_two_builds_and_incompressible_bytes() {
        let one = model_seconds(sample(), Encoding::OneBit);
        assert!((sample_seconds() - 2.0 * one).abs() < 1e-12);
        let bytes = noise(1 << 16);
        assert_eq!(bytes.len(), 1 << 16);
        let words: HashSet<&[u8]> = bytes.chunks(8).collect();
        assert_eq!(words.len(), 1 << 13);
        // Each bit is set in about half of the words.
        for bit in 0..64 {
            let set = words
                .iter()
                .filter(|word| word[bit / 8] >> (bit % 8) & 1 != 0);
            let set = set.count();
            assert!((3800..4400).contains(&set), "bit {bit}: {set}");
        }
    }
}
